import dyncore as torch, functools  # input: [1.0, -2.0]
def clamp(limit=None, *, sign=lambda v: 1 if v > 0 else -1):
    def wrap(f):
        @functools.wraps(f)
        def inner(v, *rest):
            out = f(v, *rest)
            if limit is not None and abs(out) > limit:
                return sign(out) * torch.tensor(float(limit))
            return out
        return inner if limit else f
    return wrap
@clamp(2)
@clamp()
def cube(v, power=3 if len("ab") == 2 else 4):
    return v ** power
def forward(x):
    pick = lambda v, cut=x.sum().item() > 0: v if cut else -v
    return torch.stack([pick(cube(v)) for v in x])

# ----
# 0 14 ifexp then load | 2 == 2 T m0
# 1 10 ifexp else @clamp.<locals>.wrap load | null F
# 2 10 ifexp then @clamp.<locals>.wrap load | 2 T m2
# 0 18 comp loop shape x2 exhausted @forward
# 1 7 if else tensor in 18.0 @forward>clamp.<locals>.wrap.<locals>.inner u0 <gt | 2 is not null T; 1.0 > 2 F m-1
# 2 17 ifexp else scalar~ in 18.0 @forward>forward.<locals>.<lambda> u0 <sum | false F
# 3 7 if then tensor in 18.1 @forward>clamp.<locals>.wrap.<locals>.inner u0 <gt | 2 is not null T; 8.0 > 2 T m6
# 4 2 ifexp else tensor in 18.1 @forward>clamp.<locals>.wrap.<locals>.inner><lambda> u3 <gt | -8.0 > 0 F m-8
# 5 17 ifexp else scalar~ in 18.1 @forward>forward.<locals>.<lambda> u0 <sum | false F
