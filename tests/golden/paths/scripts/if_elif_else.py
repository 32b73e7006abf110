def sign(x):
    if x > 0:
        return "positive"
    elif x == 0:
        return "zero"
    else:
        return "negative"

for x in (2.5, 0, -1): sign(x)

# ----
# 0 9:for `for x in (2.5, 0, -1)` -> loop x3 exhausted
# 1 2:if `x > 0` -> then [2.5 > 0 T] m2.5 | in 9.0 | sign | under 0
# 2 2:if `x > 0` -> else [0 > 0 F] m0 | in 9.1 | sign | under 0
# 3 4:elif `x == 0` -> then [0 == 0 T] m0 | in 9.1 | sign | under 2
# 4 2:if `x > 0` -> else [-1 > 0 F] m-1 | in 9.2 | sign | under 0
# 5 4:elif `x == 0` -> else [-1 == 0 F] m-1 | in 9.2 | sign | under 4
