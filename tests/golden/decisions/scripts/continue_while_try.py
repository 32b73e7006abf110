import dyncore as torch  # input: [3.0]
def forward(x):
    n = 0
    while n < 4:
        n += 1
        try:
            if n == 2:
                continue
            if n == 3:
                raise ValueError
        except ValueError:
            break
        finally:
            if x.sum() > n:
                x = x - 1
    return x

# ----
# 0 4 while body #0 @forward | 0 < 4 T m4
# 1 7 if else in 4.0 @forward u0 | 1 == 2 F m-1
# 2 9 if else in 4.0 @forward u1 | 1 == 3 F m-2
# 3 14 if then tensor in 4.0 @forward u0 <gt | 3.0 > 1 T m2
# 4 4 while body #1 @forward | 1 < 4 T m3
# 5 7 if then in 4.1 @forward u4 | 2 == 2 T m0
# 6 14 if else tensor in 4.1 @forward u4 <gt | 2.0 > 2 F m0
# 7 4 while body #2 @forward | 2 < 4 T m2
# 8 7 if else in 4.2 @forward u7 | 3 == 2 F m-1
# 9 9 if then in 4.2 @forward u8 | 3 == 3 T m0
# 10 6 try except ValueError in 4.2 @forward u7 !ValueError
# 11 14 if else tensor in 4.2 @forward u7 <gt | 2.0 > 3 F m-1
