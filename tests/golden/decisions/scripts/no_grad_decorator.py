import dyncore as torch  # input: [3.0, 4.0]
@torch.no_grad()
def norm(x):
    return x.norm() if x.numel() > 1 else x.abs().sum()
def forward(x):
    with torch.no_grad():
        big = norm(x) > 3
    if big: return x / norm(x)
    return x

# ----
# 0 4 ifexp then shape @forward>norm | 2 > 1 T m1
# 1 8 if then tensor @forward <gt | 5.0 > 3 T m2
# 2 4 ifexp then shape @forward>norm u1 | 2 > 1 T m1
