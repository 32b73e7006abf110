import dyncore as torch  # input: [1.0, 2.0, 3.0]
def forward(x):
    a, b, c = x
    if not (a > 1 or not b > 1) and c > 5:
        return x
    if (a > 0 and b > 3) or (not c < 0 and a < b < c):
        x = x * 2
    if not not a == 1:
        x = x + 1
    return x

# ----
# 0 4 if else tensor @forward <gt | 1.0 > 1 F; 2.0 > 1 T; 3.0 > 5 F m-2
# 1 6 if then tensor @forward u0 <gt | 1.0 > 0 T; 2.0 > 3 F; 3.0 < 0 F; 1.0 < 2.0 T; 2.0 < 3.0 T m1
# 2 8 if then tensor @forward u0 <eq | 1.0 == 1 T m0
