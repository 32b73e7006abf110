import dyncore as torch  # input: [[1.0, -2.0], [3.0, 4.0]]
def forward(x):
    kept = [v for row in x if row.sum() > 0 for v in row if v > 3 if v < 9]
    table = {i: [j for j in range(2) if x[i, j] < 0] for i in range(2)}
    return kept[0] * len(table[0])

# ----
# 0 3 comp loop shape x2 exhausted @forward
# 1 3 compif drop tensor in 3.0 @forward u0 <gt | -1.0 > 0 F m-1
# 2 3 compif keep tensor in 3.1 @forward u0 <gt | 7.0 > 0 T m7
# 3 3 comp loop shape x2 exhausted in 3.1 @forward u2 <unbind
# 4 3 compif drop tensor in 3.1,3.0 @forward u3 <gt | 3.0 > 3 F m0
# 5 3 compif keep tensor in 3.1,3.1 @forward u3 <gt | 4.0 > 3 T m1
# 6 3 compif keep tensor in 3.1,3.1 @forward u5 <lt | 4.0 < 9 T m5
# 7 4 comp loop x2 exhausted @forward
# 8 4 comp loop x2 exhausted in 4.0 @forward u7
# 9 4 compif drop tensor in 4.0,4.0 @forward u8 <lt | 1.0 < 0 F m-1
# 10 4 compif keep tensor in 4.0,4.1 @forward u8 <lt | -2.0 < 0 T m2
# 11 4 comp loop x2 exhausted in 4.1 @forward u7
# 12 4 compif drop tensor in 4.1,4.0 @forward u11 <lt | 3.0 < 0 F m-3
# 13 4 compif drop tensor in 4.1,4.1 @forward u11 <lt | 4.0 < 0 F m-4
