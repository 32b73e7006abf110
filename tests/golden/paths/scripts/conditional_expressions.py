def f(x, y):
    a = x if x > y else y
    b = 1 if x == y else 2 if x < y else 3
    return (a + 1 if a else -a) * b

f(1, 2)
f(3, 3)

# ----
# 0 2:ifexp `x > y` -> else [1 > 2 F] m-1 | f
# 1 3:ifexp `x == y` -> else [1 == 2 F] m-1 | f
# 2 3:ifexp `x < y` -> then [1 < 2 T] m1 | f | under 1
# 3 4:ifexp `a` -> then [a=2 T] m2 | f
# 4 2:ifexp `x > y` -> else [3 > 3 F] m0 | f
# 5 3:ifexp `x == y` -> then [3 == 3 T] m0 | f
# 6 4:ifexp `a` -> then [a=3 T] m3 | f
