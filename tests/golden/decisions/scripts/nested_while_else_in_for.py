import dyncore as torch  # input: [3.0, 1.0, 2.0]
def forward(x):
    hits = 0
    for i in range(3):
        k = 0
        while k < 3:
            if x[k] > x[i]:
                hits += 1
                break
            k += 1
        else:
            hits += 10
    else:
        hits += 100
    return x * hits

# ----
# 0 4 for loop x3 exhausted @forward
# 1 6 while body #0 in 4.0 @forward u0 | 0 < 3 T m3
# 2 7 if else tensor in 4.0,6.0 @forward u1 <gt | 3.0 > 3.0 F m0
# 3 6 while body #1 in 4.0 @forward u0 | 1 < 3 T m2
# 4 7 if else tensor in 4.0,6.1 @forward u3 <gt | 1.0 > 3.0 F m-2
# 5 6 while body #2 in 4.0 @forward u0 | 2 < 3 T m1
# 6 7 if else tensor in 4.0,6.2 @forward u5 <gt | 2.0 > 3.0 F m-1
# 7 6 while exit #3 in 4.0 @forward u0 | 3 < 3 F m0
# 8 6 while body #0 in 4.1 @forward u0 | 0 < 3 T m3
# 9 7 if then tensor in 4.1,6.0 @forward u8 <gt | 3.0 > 1.0 T m2
# 10 6 while body #0 in 4.2 @forward u0 | 0 < 3 T m3
# 11 7 if then tensor in 4.2,6.0 @forward u10 <gt | 3.0 > 2.0 T m1
