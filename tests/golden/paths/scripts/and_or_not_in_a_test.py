def check(a, b, c):
    if a and (b or not c):
        return True
    return False

check(1, 0, 0)
check(1, 0, 3)
check(0, 1, 1)
check(1, 2, None)

# ----
# 0 2:if `a and (b or not c)` -> then [a=1 T, b=0 F, c=0 F] m0 | check
# 1 2:if `a and (b or not c)` -> else [a=1 T, b=0 F, c=3 T] m0 | check
# 2 2:if `a and (b or not c)` -> else [a=0 F] m0 | check
# 3 2:if `a and (b or not c)` -> then [a=1 T, b=2 T] m1 | check
