import dyncore as torch  # input: [2.0, 3.0]
def forward(x):
    n = int(x[0])
    if float(x[1]) > 1.5: x = x + 1
    if bool(x.any()): x = x + 1
    if n == 2: x = x + 1
    if x[0].item() ** 2 > 3: x = x + 1
    if int(x.argmax()) in (0, 1): x = x + 1
    if round(x.sum().item()) % 2: x = x + 1
    if x.ndim > 1 or x.numel() == 2: x = x + 1
    if min(x.tolist()) > 0: x = x + 1
    return x

# ----
# 0 4 if then scalar @forward <getitem | 3.0 > 1.5 T m1.5
# 1 5 if then scalar @forward <any | true T
# 2 6 if then scalar~ @forward <getitem | 2 == 2 T m0
# 3 7 if then scalar~ @forward <getitem | 25.0 > 3 T m22
# 4 8 if then scalar @forward <argmax | 1 in [0, 1] T
# 5 9 if then scalar~ @forward <sum | 1 T m1
# 6 10 if then shape @forward <add | 1 > 1 F; 2 == 2 T m0
# 7 11 if then scalar @forward <add | 9.0 > 0 T m9
