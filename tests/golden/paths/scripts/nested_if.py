def grade(a, b):
    r = 0
    if a:
        if b:
            return 3
        else:
            r = 2
        if r == 2:
            r += 10
    else:
        if not b:
            r = 1
    return r

grade(1, 0)
grade(0, "x")

# ----
# 0 3:if `a` -> then [a=1 T] m1 | grade
# 1 4:if `b` -> else [b=0 F] m0 | grade | under 0
# 2 8:if `r == 2` -> then [2 == 2 T] m0 | grade | under 1
# 3 3:if `a` -> else [a=0 F] m0 | grade
# 4 11:if `not b` -> else [b='x' T] | grade | under 3
