n = 10
while n:
    n -= 3
    if n < 5:
        break
else:
    n = "never"

# ----
# 0 2:while `n` -> body #0 [n=10 T] m10
# 1 4:if `n < 5` -> else [7 < 5 F] m-2 | in 2.0 | under 0
# 2 2:while `n` -> body #1 [n=7 T] m7
# 3 4:if `n < 5` -> then [4 < 5 T] m1 | in 2.1 | under 2
