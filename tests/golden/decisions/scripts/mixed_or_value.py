import dyncore as torch  # input: [1.0, 2.0]
def forward(x, n=None):
    scale = n or x.abs().max()
    flag = x.sum() > 3 and scale
    pick = (x.shape[0] > 5 or x[0].item() > 9) or "none"
    return x / scale, flag, pick

# ----
# 0 3 or rest @forward | null F
# 1 4 and short tensor @forward <gt | 3.0 > 3 F m0
# 2 5 or rest shape @forward | 2 > 5 F m-3
# 3 5 or rest scalar~ @forward <getitem | false F
