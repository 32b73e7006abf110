import dyncore as torch  # input: 4.0
def forward(a):
    x = a
    steps = 0
    while (x * x - a).abs().item() > 1e-3 and steps < 10:
        x = (x + a / x) / 2
        steps += 1
    return x

# ----
# 0 5 while body scalar #0 @forward <abs | 12.0 > 0.001 T; 0 < 10 T m10
# 1 5 while body scalar #1 @forward <abs | 2.25 > 0.001 T; 1 < 10 T m2.249
# 2 5 while body scalar #2 @forward <abs | 0.2024998664855957 > 0.001 T; 2 < 10 T m0.2015
# 3 5 while body scalar #3 @forward <abs | 0.0024399757385253906 > 0.001 T; 3 < 10 T m0.00144
# 4 5 while exit scalar #4 @forward <abs | 0.0 > 0.001 F m-0.001
