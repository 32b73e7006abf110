import dyncore as torch  # input: [4.0]
def down(x, depth=0):
    if depth >= 3 or x.sum() < 1:
        return x, depth
    y, d = down(x / 2, depth + 1)
    return (y * 2 if d > depth else y), d
def forward(x):
    return down(x)[0]

# ----
# 0 3 if else tensor @forward>down <lt | 0 >= 3 F; 4.0 < 1 F m-3
# 1 3 if else tensor @forward>down>down r1 u0 <lt | 1 >= 3 F; 2.0 < 1 F m-1
# 2 3 if else tensor @forward>down>down>down r2 u1 <lt | 2 >= 3 F; 1.0 < 1 F m0
# 3 3 if then @forward>down>down>down>down r3 u2 | 3 >= 3 T m0
# 4 6 ifexp then @forward>down>down>down r2 u2 | 3 > 2 T m1
# 5 6 ifexp then @forward>down>down r1 u1 | 3 > 1 T m2
# 6 6 ifexp then @forward>down u0 | 3 > 0 T m3
