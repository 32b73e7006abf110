import dyncore as torch, random  # input: 1.0
def forward(x):
    random.seed(0)
    if random.random() < 2:
        x = x * 2
    if torch.rand(1).item() < 2: x = x + 1
    for _ in range(random.randint(2, 2)): x = x * 1
    return x

# ----
# 0 4 if then rng @forward | 0.8444218515250481 < 2 T m1.156
# 1 6 if then rng @forward <rand | 0.49625658988952637 < 2 T m1.504
# 2 7 for loop rng x2 exhausted @forward
