import dyncore as torch  # input: [2.0, 0.0]
from contextlib import suppress
def forward(x):
    out = None
    with suppress(ZeroDivisionError):
        out = [1 / int(v) for v in x if v >= 0]
    with suppress(ValueError):
        out = {k: int("z") if k else 0 for k in range(3)}
    if out is None:
        return x * 2
    return x

# ----
# 0 6 comp loop shape x2 raise @forward
# 1 6 compif keep tensor in 6.0 @forward u0 <ge | 2.0 >= 0 T m2
# 2 6 compif keep tensor in 6.1 @forward u0 <ge | 0.0 >= 0 T m0
# 3 8 comp loop x2 raise @forward
# 4 8 ifexp else in 8.0 @forward u3 | 0 F m0
# 5 8 ifexp then in 8.1 @forward u3 | 1 T m1
# 6 9 if then @forward | null is null T
