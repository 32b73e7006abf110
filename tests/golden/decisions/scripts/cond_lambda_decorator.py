import dyncore as torch, functools  # input: [1.0, -2.0, 3.0]
def clamp(limit):
    def wrap(f):
        @functools.wraps(f)
        def inner(x):
            y = f(x)
            return y if y.abs().sum() < limit else y / y.abs().sum()
        return inner
    return wrap
act = (lambda v: v if v > 0 else 0.1 * v)
@clamp(2)
def f(x):
    return torch.stack([act(v) for v in x])
def forward(x):
    return f(x)

# ----
# 0 13 comp loop shape x3 exhausted @forward>clamp.<locals>.wrap.<locals>.inner>f
# 1 10 ifexp then tensor in 13.0 @forward>clamp.<locals>.wrap.<locals>.inner>f><lambda> u0 <gt | 1.0 > 0 T m1
# 2 10 ifexp else tensor in 13.1 @forward>clamp.<locals>.wrap.<locals>.inner>f><lambda> u0 <gt | -2.0 > 0 F m-2
# 3 10 ifexp then tensor in 13.2 @forward>clamp.<locals>.wrap.<locals>.inner>f><lambda> u0 <gt | 3.0 > 0 T m3
# 4 7 ifexp else tensor @forward>clamp.<locals>.wrap.<locals>.inner <lt | 4.199999809265137 < 2 F m-2.2
