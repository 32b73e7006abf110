import dyncore as torch  # input: 2.0
LIMIT = 3
def f(x, k=1 if LIMIT > 2 else 2, *, name=None or "n"):
    return f"{k if x > 0 else -k}{'!' if name else ''}"
def forward(x):
    s = f(x)
    return x * int(s.rstrip("!"))

# ----
# 0 3 ifexp then load | 3 > 2 T m1
# 0 4 ifexp then tensor @forward>f <gt | 2.0 > 0 T m2
# 1 4 ifexp then @forward>f | "n" T
