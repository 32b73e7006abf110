import dyncore as torch  # input: [8.0, 0.5]
def forward(x):
    while (peak := x.max().item()) > 3:
        x = x / 2
    big = [half for v in x.tolist() if (half := v / 2) > 0.5]
    if (n := len(big)) == 1:
        return x * n
    return x

# ----
# 0 3 while body scalar #0 @forward <max | 8.0 > 3 T m5
# 1 3 while body scalar #1 @forward <max | 4.0 > 3 T m1
# 2 3 while exit scalar #2 @forward <max | 2.0 > 3 F m-1
# 3 5 comp loop shape x2 exhausted @forward <div
# 4 5 compif keep scalar~ in 5.0 @forward u3 <div | 1.0 > 0.5 T m0.5
# 5 5 compif drop scalar~ in 5.1 @forward u3 <div | 0.0625 > 0.5 F m-0.4375
# 6 6 if then scalar~ @forward <div | 1 == 1 T m0
