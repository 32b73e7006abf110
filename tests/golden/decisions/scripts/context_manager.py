import dyncore as torch  # input: [2.0]
from contextlib import contextmanager
@contextmanager
def scaled(x, k):
    if k > 1: y = x * k
    else: y = x
    try:
        yield y
    finally:
        if y.sum() > 5: print("big")
def forward(x):
    with scaled(x, 3) as y:
        if y.sum() > 5:
            return y
    return x

# ----
# 0 5 if then @forward>scaled | 3 > 1 T m2
# 1 13 if then tensor @forward <gt | 6.0 > 5 T m1
# 2 10 if then tensor @forward>scaled <gt | 6.0 > 5 T m1
