import dyncore as torch  # input: 1.0
def even(n, x):
    if n == 0: return x
    return odd(n - 1, x + 1)
def odd(n, x):
    if n == 0: return -x
    return even(n - 1, x * 2)
def forward(x):
    return even(3, x)

# ----
# 0 3 if else @forward>even | 3 == 0 F m-3
# 1 6 if else @forward>even>odd u0 | 2 == 0 F m-2
# 2 3 if else @forward>even>odd>even r1 u1 | 1 == 0 F m-1
# 3 6 if then @forward>even>odd>even>odd r1 u2 | 0 == 0 T m0
