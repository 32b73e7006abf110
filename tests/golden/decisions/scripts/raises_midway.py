import dyncore as torch  # input: [1.0]
def inner(x, n):
    for k in range(n):
        if x.sum() > 10:
            raise RuntimeError("too big")
        x = x * 3
    return x
def forward(x):
    while x.max() > 0:
        x = inner(x, 4)
    return x

# ----
# 0 9 while body tensor #0 @forward <gt | 1.0 > 0 T m1
# 1 3 for loop x4 raise in 9.0 @forward>inner u0
# 2 4 if else tensor in 9.0,3.0 @forward>inner u1 <gt | 1.0 > 10 F m-9
# 3 4 if else tensor in 9.0,3.1 @forward>inner u1 <gt | 3.0 > 10 F m-7
# 4 4 if else tensor in 9.0,3.2 @forward>inner u1 <gt | 9.0 > 10 F m-1
# 5 4 if then tensor in 9.0,3.3 @forward>inner u1 <gt | 27.0 > 10 T m17
# too big
