import dyncore as torch, random, numpy as np  # input: 1.0
def forward(x):
    torch.manual_seed(0)
    np.random.seed(1)
    if random.choice([3, 3]) == 3:
        x = x + 1
    u = np.random.rand()
    if u < 2:
        x = x + 1
    if torch.bernoulli(torch.tensor(1.0)) > 0:
        x = x + 1
    if x.item() * random.random() >= 0:
        x = x + 1
    return x if torch.randperm(3).sum().item() == 3 else -x

# ----
# 0 5 if then rng @forward | 3 == 3 T m0
# 1 8 if then rng~ @forward | 0.417022004702574 < 2 T m1.583
# 2 10 if then tensor @forward <gt | 1.0 > 0 T m1
# 3 12 if then scalar~ @forward <add | 3.03181761176121 >= 0 T m3.032
# 4 14 ifexp then scalar @forward <sum | 3 == 3 T m0
