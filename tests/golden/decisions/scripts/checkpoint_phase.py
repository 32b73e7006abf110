import dyncore as torch  # input: [1.0]
from dyncore.utils.checkpoint import checkpoint
def block(x):
    return x * 2 if x.sum() > 0 else x
def forward(x):
    return checkpoint(block, x, use_reentrant=False).sum()

# ----
# 0 4 ifexp then tensor @forward>block <gt | 1.0 > 0 T m1
