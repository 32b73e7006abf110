import dyncore as torch  # input: 2.0
def f(x, *, n=2, flag=True):
    return x if n > 1 and flag else -x
def forward(x, n: int = 3):
    return f(x, n=n, flag=x.sum() > 0)

# ----
# 0 3 ifexp then tensor @forward>f <gt | 3 > 1 T; true T m2
