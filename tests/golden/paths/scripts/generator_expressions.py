def any_big(values):
    return any(v > 2 for v in values if v)

any_big([0, 1, 3, 4])
any_big([1])
rows = [[1, 2], [3]]
lazy = [(n + 1 for n in row) for row in rows]
b = list(lazy[1])
a = list(lazy[0])

# ----
# 0 2:comp `for v in values` -> loop x3 break | any_big
# 1 2:compif `v` -> drop [v=0 F] m0 | in 2.0 | any_big | under 0
# 2 2:compif `v` -> keep [v=1 T] m1 | in 2.1 | any_big | under 0
# 3 2:compif `v` -> keep [v=3 T] m3 | in 2.2 | any_big | under 0
# 4 2:comp `for v in values` -> loop x1 exhausted | any_big
# 5 2:compif `v` -> keep [v=1 T] m1 | in 2.0 | any_big | under 4
# 6 7:comp `for row in rows` -> loop x2 exhausted
# 7 7:comp `for n in row` -> loop x2 exhausted | in 7.0 | under 6
# 8 7:comp `for n in row` -> loop x1 exhausted | in 7.1 | under 6
