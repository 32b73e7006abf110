def count():
    for n in range(100):
        yield n

for value in count():
    if value > 1:
        break

g = count()
a, b = next(g), next(g)
c = a if a < b else b

# ----
# 0 5:for `for value in count()` -> loop x3 break
# 1 2:for `for n in range(100)` -> loop x3 break | count
# 2 6:if `value > 1` -> else [0 > 1 F] m-1 | in 5.0 | under 0
# 3 6:if `value > 1` -> else [1 > 1 F] m0 | in 5.1 | under 0
# 4 6:if `value > 1` -> then [2 > 1 T] m1 | in 5.2 | under 0
# 5 2:for `for n in range(100)` -> loop x2 break | count
# 6 11:ifexp `a < b` -> then [0 < 1 T] m1
