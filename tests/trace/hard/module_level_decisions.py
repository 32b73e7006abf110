import dyncore as torch  # input: 1.0
DEBUG = 1 if torch.ones(1).sum() > 0 else 0
for k in range(2):
    if k: DEBUG += k
def forward(x):
    return x if DEBUG > 1 else -x

# ----
# 0 6 ifexp then @forward | 2 > 1 T m1
