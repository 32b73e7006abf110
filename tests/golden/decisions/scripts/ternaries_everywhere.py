import dyncore as torch  # input: 3.0
def scaled(by):
    return lambda f: (lambda x: f(x) * by)
FAST = True
def forward(x):
    pick = lambda v, k=2 if x > 1 else 5: v + k if v > 0 else v - k
    @scaled(10 if FAST and x.item() > 2 else 1)
    def inner(v):
        return pick(v)
    text = f"{'big' if (y := inner(x)) > 20 else 'small'}:{y.item():.0f}"
    return y if text == "big:50" else -y

# ----
# 0 6 ifexp then tensor @forward <gt | 3.0 > 1 T m2
# 1 7 ifexp then scalar @forward | true T; 3.0 > 2 T m1
# 2 6 ifexp then tensor @forward>scaled.<locals>.<lambda>.<locals>.<lambda>>forward.<locals>.inner>forward.<locals>.<lambda> <gt | 3.0 > 0 T m3
# 3 10 ifexp then tensor @forward <gt | 50.0 > 20 T m30
# 4 11 ifexp then scalar~ @forward <mul | "big:50" == "big:50" T
