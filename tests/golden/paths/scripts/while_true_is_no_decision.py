n = 0
while True:
    n += 1
    if n == 2:
        continue
    if n > 3:
        break
while 1:
    break

# ----
# 0 4:if `n == 2` -> else [1 == 2 F] m-1 | in 2.0
# 1 6:if `n > 3` -> else [1 > 3 F] m-2 | in 2.0 | under 0
# 2 4:if `n == 2` -> then [2 == 2 T] m0 | in 2.1
# 3 4:if `n == 2` -> else [3 == 2 F] m-1 | in 2.2
# 4 6:if `n > 3` -> else [3 > 3 F] m0 | in 2.2 | under 3
# 5 4:if `n == 2` -> else [4 == 2 F] m-2 | in 2.3
# 6 6:if `n > 3` -> then [4 > 3 T] m1 | in 2.3 | under 5
