def evens(limit):
    n = 0
    while n < limit:
        if n % 2 == 0:
            yield n
        n += 1

for value in evens(4):
    if value:
        last = value

# ----
# 0 8:for `for value in evens(4)` -> loop x2 exhausted
# 1 3:while `n < limit` -> body #0 [0 < 4 T] m4 | evens
# 2 4:if `n % 2 == 0` -> then [0 == 0 T] m0 | in 3.0 | evens | under 1
# 3 9:if `value` -> else [value=0 F] m0 | in 8.0 | under 0
# 4 3:while `n < limit` -> body #1 [1 < 4 T] m3 | evens
# 5 4:if `n % 2 == 0` -> else [1 == 0 F] m-1 | in 3.1 | evens | under 4
# 6 3:while `n < limit` -> body #2 [2 < 4 T] m2 | evens
# 7 4:if `n % 2 == 0` -> then [0 == 0 T] m0 | in 3.2 | evens | under 6
# 8 9:if `value` -> then [value=2 T] m2 | in 8.1 | under 0
# 9 3:while `n < limit` -> body #3 [3 < 4 T] m1 | evens
# 10 4:if `n % 2 == 0` -> else [1 == 0 F] m-1 | in 3.3 | evens | under 9
# 11 3:while `n < limit` -> exit #4 [4 < 4 F] m0 | evens
