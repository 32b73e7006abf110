import dyncore as torch, random, numpy as np  # input: 0.5
def noise(p): return random.random() < p
def forward(x):
    torch.manual_seed(1); random.seed(1); np.random.seed(1)
    p = 0.99
    if torch.rand(1).item() < p: x = x + 1
    if torch.rand(()) < x.item(): x = x + 1
    if noise(p): x = x + 1
    g = np.random.default_rng(0)
    if g.random() < 0.99: x = x + 1
    if np.random.randint(0, 5) == 9: x = x + 1
    keep = random.random() > 0.001
    if keep: x = x + 1
    order = list(range(4)); random.shuffle(order)
    if order[0] == 0: x = x * 2
    mask = torch.rand(3) > 0
    if mask.all(): x = x + 1
    while random.gauss(0, 1) > 9: pass
    return x if torch.randint(0, 2, (1,)).item() in (0, 1) else -x

# ----
# 0 6 if then rng @forward <rand | 0.7576315999031067 < 0.99 T m0.2324
# 1 7 if then tensor @forward <lt | 0.2793108820915222 < 1.5 T m1.221
# 2 8 if then rng~ @forward | 0.13436424411240122 < 0.99 T m0.8556
# 3 10 if then rng~ @forward | 0.6369616873214543 < 0.99 T m0.353
# 4 11 if else rng @forward | 3 == 9 F m-6
# 5 13 if then rng~ @forward | 0.8474337369372327 > 0.001 T m0.8464
# 6 15 if else rng~ @forward | 2 == 0 F m-2
# 7 17 if then tensor @forward <all | true T
# 8 18 while exit rng #0 @forward | -1.0921732151041414 > 9 F m-10.09
# 9 19 ifexp then rng @forward <randint | 1 in [0, 1] T
