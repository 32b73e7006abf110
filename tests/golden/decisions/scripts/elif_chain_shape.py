import dyncore as torch  # input: [1.0, 2.0]
def forward(x):
    if x.dim() == 0: return x
    elif x.shape[-1] == 1: return x * 2
    elif x.size(0) > 2 or x.numel() > 100: x = x[:2]
    elif x.shape: x = x * 3
    else: x = x * 4
    return x

# ----
# 0 3 if else shape @forward | 1 == 0 F m-1
# 1 4 elif else shape @forward u0 | 2 == 1 F m-1
# 2 5 elif else shape @forward u1 | 2 > 2 F; 2 > 100 F m0
# 3 6 elif then shape @forward u2 | [2] T
