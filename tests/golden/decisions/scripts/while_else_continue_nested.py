import dyncore as torch  # input: 2.0
def forward(x):
    k = 0
    while k < 6:
        k += 1
        if k == 2: continue
        while x < 100:
            x = x * 3
            if x > 10: break
        else:
            if k: x = x - 1
            continue
        for j in range(k):
            for i in range(3):
                if i == j: break
            else:
                k = 9
                break
            if k > 4: break
        else:
            x = x + 1
    else:
        x = -x
    while k:
        k -= 5
        if k < 0: return x
    return x * 0

# ----
# 0 4 while body #0 @forward | 0 < 6 T m6
# 1 6 if else in 4.0 @forward u0 | 1 == 2 F m-1
# 2 7 while body tensor #0 in 4.0 @forward u1 <lt | 2.0 < 100 T m98
# 3 9 if else tensor in 4.0,7.0 @forward u2 <gt | 6.0 > 10 F m-4
# 4 7 while body tensor #1 in 4.0 @forward u1 <lt | 6.0 < 100 T m94
# 5 9 if then tensor in 4.0,7.1 @forward u4 <gt | 18.0 > 10 T m8
# 6 13 for loop x1 exhausted in 4.0 @forward u1
# 7 14 for loop x1 break in 4.0,13.0 @forward u6
# 8 15 if then in 4.0,13.0,14.0 @forward u7 | 0 == 0 T m0
# 9 19 if else in 4.0,13.0 @forward u6 | 1 > 4 F m-3
# 10 4 while body #1 @forward | 1 < 6 T m5
# 11 6 if then in 4.1 @forward u10 | 2 == 2 T m0
# 12 4 while body #2 @forward | 2 < 6 T m4
# 13 6 if else in 4.2 @forward u12 | 3 == 2 F m-1
# 14 7 while body tensor #0 in 4.2 @forward u13 <lt | 19.0 < 100 T m81
# 15 9 if then tensor in 4.2,7.0 @forward u14 <gt | 57.0 > 10 T m47
# 16 13 for loop x3 exhausted in 4.2 @forward u13
# 17 14 for loop x1 break in 4.2,13.0 @forward u16
# 18 15 if then in 4.2,13.0,14.0 @forward u17 | 0 == 0 T m0
# 19 19 if else in 4.2,13.0 @forward u16 | 3 > 4 F m-1
# 20 14 for loop x2 break in 4.2,13.1 @forward u16
# 21 15 if else in 4.2,13.1,14.0 @forward u20 | 0 == 1 F m-1
# 22 15 if then in 4.2,13.1,14.1 @forward u20 | 1 == 1 T m0
# 23 19 if else in 4.2,13.1 @forward u16 | 3 > 4 F m-1
# 24 14 for loop x3 break in 4.2,13.2 @forward u16
# 25 15 if else in 4.2,13.2,14.0 @forward u24 | 0 == 2 F m-2
# 26 15 if else in 4.2,13.2,14.1 @forward u24 | 1 == 2 F m-1
# 27 15 if then in 4.2,13.2,14.2 @forward u24 | 2 == 2 T m0
# 28 19 if else in 4.2,13.2 @forward u16 | 3 > 4 F m-1
# 29 4 while body #3 @forward | 3 < 6 T m3
# 30 6 if else in 4.3 @forward u29 | 4 == 2 F m-2
# 31 7 while body tensor #0 in 4.3 @forward u30 <lt | 58.0 < 100 T m42
# 32 9 if then tensor in 4.3,7.0 @forward u31 <gt | 174.0 > 10 T m164
# 33 13 for loop x4 break in 4.3 @forward u30
# 34 14 for loop x1 break in 4.3,13.0 @forward u33
# 35 15 if then in 4.3,13.0,14.0 @forward u34 | 0 == 0 T m0
# 36 19 if else in 4.3,13.0 @forward u33 | 4 > 4 F m0
# 37 14 for loop x2 break in 4.3,13.1 @forward u33
# 38 15 if else in 4.3,13.1,14.0 @forward u37 | 0 == 1 F m-1
# 39 15 if then in 4.3,13.1,14.1 @forward u37 | 1 == 1 T m0
# 40 19 if else in 4.3,13.1 @forward u33 | 4 > 4 F m0
# 41 14 for loop x3 break in 4.3,13.2 @forward u33
# 42 15 if else in 4.3,13.2,14.0 @forward u41 | 0 == 2 F m-2
# 43 15 if else in 4.3,13.2,14.1 @forward u41 | 1 == 2 F m-1
# 44 15 if then in 4.3,13.2,14.2 @forward u41 | 2 == 2 T m0
# 45 19 if else in 4.3,13.2 @forward u33 | 4 > 4 F m0
# 46 14 for loop x3 exhausted in 4.3,13.3 @forward u33
# 47 15 if else in 4.3,13.3,14.0 @forward u46 | 0 == 3 F m-3
# 48 15 if else in 4.3,13.3,14.1 @forward u46 | 1 == 3 F m-2
# 49 15 if else in 4.3,13.3,14.2 @forward u46 | 2 == 3 F m-1
# 50 4 while exit #4 @forward | 9 < 6 F m-3
# 51 24 while body #0 @forward | 9 T m9
# 52 26 if else in 24.0 @forward u51 | 4 < 0 F m-4
# 53 24 while body #1 @forward | 4 T m4
# 54 26 if then in 24.1 @forward u53 | -1 < 0 T m1
