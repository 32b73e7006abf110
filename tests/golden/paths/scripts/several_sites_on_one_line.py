a, b = 1, 2
if a: b = 3 if b else 4
if a > 0: c = 1
elif b > 0: c = 2
x = (a if a else b) + (a if a else b)

# ----
# 0 2:if `a` -> then [a=1 T] m1
# 1 2:ifexp `b` -> then [b=2 T] m2 | under 0
# 2 3:if `a > 0` -> then [1 > 0 T] m1
# 3 5:ifexp `a` -> then [a=1 T] m1
# 4 5:ifexp `a` -> then [a=1 T] m1
