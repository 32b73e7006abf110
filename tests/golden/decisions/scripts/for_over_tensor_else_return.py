import dyncore as torch  # input: [[0.0, 0.0], [1.0, -1.0], [1.0, 2.0]]
def forward(x):
    for row in x:
        if row.sum() == 0:
            continue
        for v in row:
            if v < 0:
                break
        else:
            return row
    return x.sum()

# ----
# 0 3 for loop shape x3 return @forward
# 1 4 if then tensor in 3.0 @forward u0 <eq | 0.0 == 0 T m0
# 2 4 if then tensor in 3.1 @forward u0 <eq | 0.0 == 0 T m0
# 3 4 if else tensor in 3.2 @forward u0 <eq | 3.0 == 0 F m-3
# 4 6 for loop shape x2 exhausted in 3.2 @forward u3 <unbind
# 5 7 if else tensor in 3.2,6.0 @forward u4 <lt | 1.0 < 0 F m-1
# 6 7 if else tensor in 3.2,6.1 @forward u4 <lt | 2.0 < 0 F m-2
