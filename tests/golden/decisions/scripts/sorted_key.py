import dyncore as torch  # input: [1.0, 4.0]
def key(v):
    return -v if v > 0 else v * 10
def forward(x):
    best = sorted(x, key=key)
    top = max(x, key=lambda v: v.item() if v < 3 else 0)
    return best[0] + top

# ----
# 0 3 ifexp then tensor @forward>key <gt | 1.0 > 0 T m1
# 1 3 ifexp then tensor @forward>key <gt | 4.0 > 0 T m4
# 2 6 ifexp then tensor @forward>forward.<locals>.<lambda> <lt | 1.0 < 3 T m2
# 3 6 ifexp else tensor @forward>forward.<locals>.<lambda> <lt | 4.0 < 3 F m-1
