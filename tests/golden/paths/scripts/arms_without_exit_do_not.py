def f(x):
    if x > 0:
        x = x + 1
    if x > 1:
        x = x * 2
    return x

f(1)

# ----
# 0 2:if `x > 0` -> then [1 > 0 T] m1 | f
# 1 4:if `x > 1` -> then [2 > 1 T] m1 | f
