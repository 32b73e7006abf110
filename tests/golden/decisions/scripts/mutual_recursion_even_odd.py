import dyncore as torch  # input: 3.0
def even(x, n):
    if n == 0:
        return x
    return odd(x * 2, n - 1)
def odd(x, n):
    if n == 0:
        return -x
    return even(x + 1, n - 1)
def forward(x):
    return even(x, int(x))

# ----
# 0 3 if else scalar~ @forward>even | 3 == 0 F m-3
# 1 7 if else scalar~ @forward>even>odd u0 | 2 == 0 F m-2
# 2 3 if else scalar~ @forward>even>odd>even r1 u1 | 1 == 0 F m-1
# 3 7 if then scalar~ @forward>even>odd>even>odd r1 u2 | 0 == 0 T m0
