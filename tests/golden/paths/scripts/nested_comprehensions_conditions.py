rows = [[1, -2, 3], [], [0, 5]]
print([[v * 2 if v > 1 else -v for v in row if v] for row in rows if row])
print({k: [v for v in vs if v > k] for k, vs in zip((0, 2), rows) if vs})
print({(a, b) for a in range(3) if a % 2 == 0 for b in range(a) if b or a > 1})
print(sum(v for row in rows for v in row if v > 0 if v < 5))
print([x for x in [y for y in range(4) if y != 2] if x > 0 and not x == 1])

# ----
# 0 2:comp `for row in rows` -> loop x3 exhausted
# 1 2:compif `row` -> keep [row=list of 3 T] | in 2.0 | under 0
# 2 2:comp `for v in row` -> loop x3 exhausted | in 2.0 | under 1
# 3 2:compif `v` -> keep [v=1 T] m1 | in 2.0 2.0 | under 2
# 4 2:ifexp `v > 1` -> else [1 > 1 F] m0 | in 2.0 2.0 | under 3
# 5 2:compif `v` -> keep [v=-2 T] m2 | in 2.0 2.1 | under 2
# 6 2:ifexp `v > 1` -> else [-2 > 1 F] m-3 | in 2.0 2.1 | under 5
# 7 2:compif `v` -> keep [v=3 T] m3 | in 2.0 2.2 | under 2
# 8 2:ifexp `v > 1` -> then [3 > 1 T] m2 | in 2.0 2.2 | under 7
# 9 2:compif `row` -> drop [row=list of 0 F] | in 2.1 | under 0
# 10 2:compif `row` -> keep [row=list of 2 T] | in 2.2 | under 0
# 11 2:comp `for v in row` -> loop x2 exhausted | in 2.2 | under 10
# 12 2:compif `v` -> drop [v=0 F] m0 | in 2.2 2.0 | under 11
# 13 2:compif `v` -> keep [v=5 T] m5 | in 2.2 2.1 | under 11
# 14 2:ifexp `v > 1` -> then [5 > 1 T] m4 | in 2.2 2.1 | under 13
# 15 3:comp `for k, vs in zip((0, 2), rows)` -> loop x2 exhausted
# 16 3:compif `vs` -> keep [vs=list of 3 T] | in 3.0 | under 15
# 17 3:comp `for v in vs` -> loop x3 exhausted | in 3.0 | under 16
# 18 3:compif `v > k` -> keep [1 > 0 T] m1 | in 3.0 3.0 | under 17
# 19 3:compif `v > k` -> drop [-2 > 0 F] m-2 | in 3.0 3.1 | under 17
# 20 3:compif `v > k` -> keep [3 > 0 T] m3 | in 3.0 3.2 | under 17
# 21 3:compif `vs` -> drop [vs=list of 0 F] | in 3.1 | under 15
# 22 4:comp `for a in range(3)` -> loop x3 exhausted
# 23 4:compif `a % 2 == 0` -> keep [0 == 0 T] m0 | in 4.0 | under 22
# 24 4:comp `for b in range(a)` -> loop x0 exhausted | in 4.0 | under 23
# 25 4:compif `a % 2 == 0` -> drop [1 == 0 F] m-1 | in 4.1 | under 22
# 26 4:compif `a % 2 == 0` -> keep [0 == 0 T] m0 | in 4.2 | under 22
# 27 4:comp `for b in range(a)` -> loop x2 exhausted | in 4.2 | under 26
# 28 4:compif `b or a > 1` -> keep [b=0 F, 2 > 1 T] m1 | in 4.2 4.0 | under 27
# 29 4:compif `b or a > 1` -> keep [b=1 T] m1 | in 4.2 4.1 | under 27
# 30 5:comp `for row in rows` -> loop x3 exhausted
# 31 5:comp `for v in row` -> loop x3 exhausted | in 5.0 | under 30
# 32 5:compif `v > 0` -> keep [1 > 0 T] m1 | in 5.0 5.0 | under 31
# 33 5:compif `v < 5` -> keep [1 < 5 T] m4 | in 5.0 5.0 | under 32
# 34 5:compif `v > 0` -> drop [-2 > 0 F] m-2 | in 5.0 5.1 | under 31
# 35 5:compif `v > 0` -> keep [3 > 0 T] m3 | in 5.0 5.2 | under 31
# 36 5:compif `v < 5` -> keep [3 < 5 T] m2 | in 5.0 5.2 | under 35
# 37 5:comp `for v in row` -> loop x0 exhausted | in 5.1 | under 30
# 38 5:comp `for v in row` -> loop x2 exhausted | in 5.2 | under 30
# 39 5:compif `v > 0` -> drop [0 > 0 F] m0 | in 5.2 5.0 | under 38
# 40 5:compif `v > 0` -> keep [5 > 0 T] m5 | in 5.2 5.1 | under 38
# 41 5:compif `v < 5` -> drop [5 < 5 F] m0 | in 5.2 5.1 | under 40
# 42 6:comp `for y in range(4)` -> loop x4 exhausted
# 43 6:compif `y != 2` -> keep [0 != 2 T] m2 | in 6.0 | under 42
# 44 6:compif `y != 2` -> keep [1 != 2 T] m1 | in 6.1 | under 42
# 45 6:compif `y != 2` -> drop [2 != 2 F] m0 | in 6.2 | under 42
# 46 6:compif `y != 2` -> keep [3 != 2 T] m1 | in 6.3 | under 42
# 47 6:comp `for x in [y for y in range(4) if y != 2]` -> loop x3 exhausted
# 48 6:compif `x > 0 and not x == 1` -> drop [0 > 0 F] m0 | in 6.0 | under 47
# 49 6:compif `x > 0 and not x == 1` -> drop [1 > 0 T, 1 == 1 T] m0 | in 6.1 | under 47
# 50 6:compif `x > 0 and not x == 1` -> keep [3 > 0 T, 3 == 1 F] m2 | in 6.2 | under 47
