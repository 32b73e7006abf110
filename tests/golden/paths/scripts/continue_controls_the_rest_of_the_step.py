kept = []
for n in [1, 2, 3]:
    if n == 2:
        continue
    kept.append(n if n < 3 else -n)

# ----
# 0 2:for `for n in [1, 2, 3]` -> loop x3 exhausted
# 1 3:if `n == 2` -> else [1 == 2 F] m-1 | in 2.0 | under 0
# 2 5:ifexp `n < 3` -> then [1 < 3 T] m2 | in 2.0 | under 1
# 3 3:if `n == 2` -> then [2 == 2 T] m0 | in 2.1 | under 0
# 4 3:if `n == 2` -> else [3 == 2 F] m-1 | in 2.2 | under 0
# 5 5:ifexp `n < 3` -> else [3 < 3 F] m0 | in 2.2 | under 4
