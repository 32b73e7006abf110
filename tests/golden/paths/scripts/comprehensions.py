rows = [[1, 2], [3], []]
flat = [n * 2 for row in rows for n in row if n > 1 if n != 3]
table = {n: n * n for n in range(2)}
unique = {n % 2 for n in range(3)}

# ----
# 0 2:comp `for row in rows` -> loop x3 exhausted
# 1 2:comp `for n in row` -> loop x2 exhausted | in 2.0 | under 0
# 2 2:compif `n > 1` -> drop [1 > 1 F] m0 | in 2.0 2.0 | under 1
# 3 2:compif `n > 1` -> keep [2 > 1 T] m1 | in 2.0 2.1 | under 1
# 4 2:compif `n != 3` -> keep [2 != 3 T] m1 | in 2.0 2.1 | under 3
# 5 2:comp `for n in row` -> loop x1 exhausted | in 2.1 | under 0
# 6 2:compif `n > 1` -> keep [3 > 1 T] m2 | in 2.1 2.0 | under 5
# 7 2:compif `n != 3` -> drop [3 != 3 F] m0 | in 2.1 2.0 | under 6
# 8 2:comp `for n in row` -> loop x0 exhausted | in 2.2 | under 0
# 9 3:comp `for n in range(2)` -> loop x2 exhausted
# 10 4:comp `for n in range(3)` -> loop x3 exhausted
