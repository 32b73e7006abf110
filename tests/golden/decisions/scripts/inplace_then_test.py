import dyncore as torch  # input: [1.0, 2.0]
def forward(x):
    x = x * 1
    v = x.sum()
    s = v.item()
    x.add_(5)
    if v > 3: x = x * 2
    if s == v.item(): x = x * 3
    if x[0] > 3 and (y := x[1]) > 3 and y < 100: x = y
    return x

# ----
# 0 7 if else tensor @forward <gt | 3.0 > 3 F m0
# 1 8 if then scalar @forward <sum | 3.0 == 3.0 T m0
# 2 9 if then tensor @forward <gt | 18.0 > 3 T; 21.0 > 3 T; 21.0 < 100 T m15
