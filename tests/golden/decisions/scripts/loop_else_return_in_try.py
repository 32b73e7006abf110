import dyncore as torch  # input: [1.0, 5.0]
def find(x, limit):
    k = 0
    try:
        while k < len(x):
            if x[k] > limit:
                return k
            k += 1
        else:
            return -1
    finally:
        k = 100
def forward(x):
    a, b = find(x, 3), find(x, 9)
    return x[a] if a >= 0 > b else x

# ----
# 0 5 while body shape #0 @forward>find | 0 < 2 T m2
# 1 6 if else tensor in 5.0 @forward>find u0 <gt | 1.0 > 3 F m-2
# 2 5 while body shape #1 @forward>find | 1 < 2 T m1
# 3 6 if then tensor in 5.1 @forward>find u2 <gt | 5.0 > 3 T m2
# 4 5 while body shape #0 @forward>find | 0 < 2 T m2
# 5 6 if else tensor in 5.0 @forward>find u4 <gt | 1.0 > 9 F m-8
# 6 5 while body shape #1 @forward>find | 1 < 2 T m1
# 7 6 if else tensor in 5.1 @forward>find u6 <gt | 5.0 > 9 F m-4
# 8 5 while exit shape #2 @forward>find | 2 < 2 F m0
# 9 15 ifexp then @forward | 1 >= 0 T; 0 > -1 T m1
