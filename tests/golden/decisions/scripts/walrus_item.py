import dyncore as torch  # input: [1.0, 2.0, 4.0]
def forward(x):
    if (n := x.max().item()) > 3 and (k := len(x)) < 5:
        x = x / n
    while (m := x.sum()) > 1:
        x = x - m / 3
    return [y for v in x if (y := v * k) > 0]

# ----
# 0 3 if then scalar @forward <max | 4.0 > 3 T; 3 < 5 T m1
# 1 5 while body tensor #0 @forward <gt | 1.75 > 1 T m0.75
# 2 5 while exit tensor #1 @forward <gt | 5.960464477539063e-08 > 1 F m-1
# 3 7 comp loop shape x3 exhausted @forward <sub
# 4 7 compif drop tensor in 7.0 @forward u3 <gt | -0.9999999403953552 > 0 F m-1
# 5 7 compif drop tensor in 7.1 @forward u3 <gt | -0.24999994039535522 > 0 F m-0.25
# 6 7 compif keep tensor in 7.2 @forward u3 <gt | 1.25 > 0 T m1.25
