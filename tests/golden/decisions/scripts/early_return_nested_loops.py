import dyncore as torch  # input: [[1.0, 2.0], [3.0, -1.0], [9.0, 9.0]]
def forward(x):
    for row in x:
        for v in row:
            if v > 5: return v
            elif v < 0: break
        else:
            continue
        return row.sum()
    return x.sum()

# ----
# 0 3 for loop shape x2 return @forward
# 1 4 for loop shape x2 exhausted in 3.0 @forward u0 <unbind
# 2 5 if else tensor in 3.0,4.0 @forward u1 <gt | 1.0 > 5 F m-4
# 3 6 elif else tensor in 3.0,4.0 @forward u2 <lt | 1.0 < 0 F m-1
# 4 5 if else tensor in 3.0,4.1 @forward u1 <gt | 2.0 > 5 F m-3
# 5 6 elif else tensor in 3.0,4.1 @forward u4 <lt | 2.0 < 0 F m-2
# 6 4 for loop shape x2 break in 3.1 @forward u0 <unbind
# 7 5 if else tensor in 3.1,4.0 @forward u6 <gt | 3.0 > 5 F m-2
# 8 6 elif else tensor in 3.1,4.0 @forward u7 <lt | 3.0 < 0 F m-3
# 9 5 if else tensor in 3.1,4.1 @forward u6 <gt | -1.0 > 5 F m-6
# 10 6 elif then tensor in 3.1,4.1 @forward u9 <lt | -1.0 < 0 T m1
