import dyncore as torch  # input: [0.5, 4.0]
def low(x, k):
    return x[0] * k if k else x[0]
def forward(x):
    k = 0
    while low(x, k) < 2 <= x[1] != k < 9:
        k += 1
    flags = [0 <= v < 1 for v in x.tolist()]
    if flags == [True, False] or k > 100:
        return x * k
    return x

# ----
# 0 3 ifexp else @forward>low | 0 F m0
# 1 6 while body tensor #0 @forward <lt | 0.5 < 2 T; 2 <= 4.0 T; 4.0 != 0 T; 0 < 9 T m1.5
# 2 3 ifexp then in 6.0 @forward>low u1 | 1 T m1
# 3 6 while body tensor #1 @forward <lt | 0.5 < 2 T; 2 <= 4.0 T; 4.0 != 1 T; 1 < 9 T m1.5
# 4 3 ifexp then in 6.1 @forward>low u3 | 2 T m2
# 5 6 while body tensor #2 @forward <lt | 1.0 < 2 T; 2 <= 4.0 T; 4.0 != 2 T; 2 < 9 T m1
# 6 3 ifexp then in 6.2 @forward>low u5 | 3 T m3
# 7 6 while body tensor #3 @forward <lt | 1.5 < 2 T; 2 <= 4.0 T; 4.0 != 3 T; 3 < 9 T m0.5
# 8 3 ifexp then in 6.3 @forward>low u7 | 4 T m4
# 9 6 while exit tensor #4 @forward <lt | 2.0 < 2 F m0
# 10 8 comp loop shape x2 exhausted @forward
# 11 8 and rest scalar in 8.0 @forward u10 | 0 <= 0.5 T m0.5
# 12 8 and rest scalar in 8.1 @forward u10 | 0 <= 4.0 T m4
# 13 9 if then scalar~ @forward | {"type": "list", "len": 2} == {"type": "list", "len": 2} T
