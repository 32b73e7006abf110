import dyncore as torch  # input: [1.0]
def f(x, n):
    while n:
        n -= 1
        try:
            if x.sum() > n:
                return x * n
        finally:
            x = x - 1
    else:
        x = x * 0
    return x
def forward(x):
    return f(x, 2) + f(x, 3)

# ----
# 0 3 while body #0 @forward>f | 2 T m2
# 1 6 if else tensor in 3.0 @forward>f u0 <gt | 1.0 > 1 F m0
# 2 3 while body #1 @forward>f | 1 T m1
# 3 6 if else tensor in 3.1 @forward>f u2 <gt | 0.0 > 0 F m0
# 4 3 while exit #2 @forward>f | 0 F m0
# 5 3 while body #0 @forward>f | 3 T m3
# 6 6 if else tensor in 3.0 @forward>f u5 <gt | 1.0 > 2 F m-1
# 7 3 while body #1 @forward>f | 2 T m2
# 8 6 if else tensor in 3.1 @forward>f u7 <gt | 0.0 > 1 F m-1
# 9 3 while body #2 @forward>f | 1 T m1
# 10 6 if else tensor in 3.2 @forward>f u9 <gt | -1.0 > 0 F m-1
# 11 3 while exit #3 @forward>f | 0 F m0
