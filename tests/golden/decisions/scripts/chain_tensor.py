import dyncore as torch  # input: [1.0, 20.0]
def forward(x):
    a, b = x
    if 0 < a < b.item() < 10:
        x = x * 2
    elif a > 0 or b.item() > 3:
        x = x * 3
    return x if not (0 < a.item() < 2 and len(x) == 2) else -x

# ----
# 0 4 if else tensor @forward <gt | 0 < 1.0 T; 1.0 < 20.0 T; 20.0 < 10 F m-10
# 1 6 elif then tensor @forward u0 <gt | 1.0 > 0 T m1
# 2 8 ifexp else scalar @forward <unbind | 0 < 1.0 T; 1.0 < 2 T; 2 == 2 T m0
