def fact(n):
    if n <= 1:
        return 1
    return n * fact(n - 1)

fact(3)

# ----
# 0 2:if `n <= 1` -> else [3 <= 1 F] m-2 | fact
# 1 2:if `n <= 1` -> else [2 <= 1 F] m-1 | fact fact r1 | under 0
# 2 2:if `n <= 1` -> then [1 <= 1 T] m0 | fact fact fact r2 | under 1
