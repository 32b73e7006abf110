import dyncore as torch  # input: [1.0, 2.0]
def forward(x):
    if x[0] > 0: x = x + 1; y = 2
    if (x.sum()  # the sum
            > 4
            and y == 2):
        x = (x * 2 if
             x.max() > 100
             else x * 3)
    for v in x: t = v; u = (t if t > 6 else
                            -t)
    while (
        u.item()
        > 8
    ): u = u - 1
    return x if u == 8 else -x

# ----
# 0 3 if then tensor @forward <gt | 1.0 > 0 T m1
# 1 4 if then tensor @forward <gt | 5.0 > 4 T; 2 == 2 T m0
# 2 8 ifexp else tensor @forward u1 <gt | 3.0 > 100 F m-97
# 3 10 for loop shape x2 exhausted @forward <mul
# 4 10 ifexp else tensor in 10.0 @forward u3 <gt | 6.0 > 6 F m0
# 5 10 ifexp then tensor in 10.1 @forward u3 <gt | 9.0 > 6 T m3
# 6 13 while body scalar #0 @forward <unbind | 9.0 > 8 T m1
# 7 13 while exit scalar #1 @forward <sub | 8.0 > 8 F m0
# 8 16 ifexp then tensor @forward <eq | 8.0 == 8 T m0
