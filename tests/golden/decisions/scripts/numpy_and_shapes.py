import dyncore as torch, numpy as np  # input: [[1.0, 2.0, 3.0]]
def forward(x):
    a = x.detach().numpy()
    if a.max() > 2:
        x = x + 1
    rows, cols = x.shape
    if rows == 1 and cols > 2:
        x = x + 1
    if len(x) < x.size(1):
        x = x + 1
    if x.shape == (1, 3):
        x = x + 1
    if x.numel() % 2:
        x = x + 1
    if np.isclose(a.sum(), 6.0):
        x = x + 1
    for _ in range(x.ndim):
        x = x * 2
    return x

# ----
# 0 4 if then scalar~ @forward <detach | 3.0 > 2 T m1
# 1 7 if then shape @forward <add | 1 == 1 T; 3 > 2 T m0
# 2 9 if then shape @forward <add | 1 < 3 T m2
# 3 11 if then shape @forward <add | [1, 3] == [1, 3] T
# 4 13 if then shape @forward <add | 1 T m1
# 5 15 if then scalar~ @forward <detach | true T
# 6 17 for loop shape x2 exhausted @forward <add
