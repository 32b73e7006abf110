import dyncore as torch  # input: [4.0]
def forward(x):
    k = 0
    while True:
        x = x / 2
        k += 1
        if x.max() < 1:
            break
        if k > 5:
            return x * 0
    else:
        x = x + 100
    return x

# ----
# 0 7 if else tensor in 4.0 @forward <lt | 2.0 < 1 F m-1
# 1 9 if else in 4.0 @forward u0 | 1 > 5 F m-4
# 2 7 if else tensor in 4.1 @forward <lt | 1.0 < 1 F m0
# 3 9 if else in 4.1 @forward u2 | 2 > 5 F m-3
# 4 7 if then tensor in 4.2 @forward <lt | 0.5 < 1 T m0.5
