import dyncore as torch  # input: 1.0
DEBUG = 1 if torch.ones(1).sum() > 0 else 0
for k in range(2):
    if k: DEBUG += k
def forward(x):
    return x if DEBUG > 1 else -x

# ----
# 0 2 ifexp then tensor load | 1.0 > 0 T m1
# 1 3 for loop x2 exhausted load
# 2 4 if else in 3.0 u1 load | 0 F m0
# 3 4 if then in 3.1 u1 load | 1 T m1
# 0 6 ifexp then scalar~ @forward | 2 > 1 T m1
