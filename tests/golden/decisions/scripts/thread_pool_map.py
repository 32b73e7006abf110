import dyncore as torch  # input: [1.0, -2.0]
from concurrent.futures import ThreadPoolExecutor
def norm(v):
    if v < 0:
        return -v
    return v
def forward(x):
    with ThreadPoolExecutor(1) as pool:
        parts = list(pool.map(norm, x))
    return torch.stack(parts) if len(parts) == 2 else x

# ----
# 0 4 if else tensor @norm <lt | 1.0 < 0 F m-1
# 1 4 if then tensor @norm <lt | -2.0 < 0 T m2
# 2 10 ifexp then @forward | 2 == 2 T m0
