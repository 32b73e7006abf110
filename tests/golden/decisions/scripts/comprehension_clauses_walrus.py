import dyncore as torch  # input: [3.0, -1.0, 4.0, -5.0]
def forward(x):
    pairs = [(i, j, w) for i, a in enumerate(x) if a > 0 if i < 3 for j in range(i) if (w := a.item() * j) >= 0 if w < 5]
    grid = {k: [c for c in row if c != k] for k, row in enumerate([[0, 1], [1, 2]]) if row[0] == k}
    seen = {n for n in (1, 2, 3) if n % 2 or n > 2}
    return x * len(pairs) + len(seen) + len(grid)

# ----
# 0 3 comp loop shape x4 exhausted @forward
# 1 3 compif keep tensor in 3.0 @forward u0 <gt | 3.0 > 0 T m3
# 2 3 compif keep in 3.0 @forward u1 | 0 < 3 T m3
# 3 3 comp loop x0 exhausted in 3.0 @forward u2
# 4 3 compif drop tensor in 3.1 @forward u0 <gt | -1.0 > 0 F m-1
# 5 3 compif keep tensor in 3.2 @forward u0 <gt | 4.0 > 0 T m4
# 6 3 compif keep in 3.2 @forward u5 | 2 < 3 T m1
# 7 3 comp loop x2 exhausted in 3.2 @forward u6
# 8 3 compif keep scalar~ in 3.2,3.0 @forward u7 <unbind | 0.0 >= 0 T m0
# 9 3 compif keep scalar~ in 3.2,3.0 @forward u8 <unbind | 0.0 < 5 T m5
# 10 3 compif keep scalar~ in 3.2,3.1 @forward u7 <unbind | 4.0 >= 0 T m4
# 11 3 compif keep scalar~ in 3.2,3.1 @forward u10 <unbind | 4.0 < 5 T m1
# 12 3 compif drop tensor in 3.3 @forward u0 <gt | -5.0 > 0 F m-5
# 13 4 comp loop x2 exhausted @forward
# 14 4 compif keep in 4.0 @forward u13 | 0 == 0 T m0
# 15 4 comp loop x2 exhausted in 4.0 @forward u14
# 16 4 compif drop in 4.0,4.0 @forward u15 | 0 != 0 F m0
# 17 4 compif keep in 4.0,4.1 @forward u15 | 1 != 0 T m1
# 18 4 compif keep in 4.1 @forward u13 | 1 == 1 T m0
# 19 4 comp loop x2 exhausted in 4.1 @forward u18
# 20 4 compif drop in 4.1,4.0 @forward u19 | 1 != 1 F m0
# 21 4 compif keep in 4.1,4.1 @forward u19 | 2 != 1 T m1
# 22 5 comp loop x3 exhausted @forward
# 23 5 compif keep in 5.0 @forward u22 | 1 T m1
# 24 5 compif drop in 5.1 @forward u22 | 0 F; 2 > 2 F m0
# 25 5 compif keep in 5.2 @forward u22 | 1 T m1
