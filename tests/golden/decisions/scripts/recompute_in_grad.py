import dyncore as torch  # input: [1.0, 2.0]
def energy(x):
    return (x ** 2).sum() if x.sum() > 0 else x.sum()
def forward(x):
    g, = torch.autograd.grad(energy(x), x, create_graph=True)
    return g.sum() if g.max() > 1 else g.min()

# ----
# 0 3 ifexp then tensor @forward>energy <gt | 3.0 > 0 T m3
# 1 6 ifexp then tensor @forward <gt | 4.0 > 1 T m3
