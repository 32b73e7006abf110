import dyncore as torch  # input: [1.5, 2.5]
def forward(x):
    n = 0
    if float(x[0]) > 0:
        n += 1
    if int(x.sum()) == 4:
        n += 1
    if len(x) > 1 > x.dim() - 1:
        n += 1
    if bool(x[1] - 2.5):
        n += 1
    if -x[0].item() < 0 < abs(x[1].item()):
        n += 1
    return x * n

# ----
# 0 4 if then scalar @forward <getitem | 1.5 > 0 T m1.5
# 1 6 if then scalar @forward <sum | 4 == 4 T m0
# 2 8 if then shape @forward | 2 > 1 T; 1 > 0 T m1
# 3 10 if else scalar @forward <sub | false F
# 4 12 if then scalar~ @forward <getitem | -1.5 < 0 T; 0 < 2.5 T m1.5
