import dyncore as torch  # input: [1.0, -1.0]
nn = torch.nn
class Part(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
    def forward(self, x):
        if self.k > 0:
            return x * self.k
        return x.relu() if x.min() < 0 else x
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"a": Part(2), "b": Part(0)})
    def forward(self, x):
        for name, part in self.parts.items():
            x = part(x) if name != "b" else torch.utils.checkpoint.checkpoint(part, x, use_reentrant=False)
        return x
model = Net()

# ----
# 0 16 for loop x2 exhausted @Net.forward
# 1 17 ifexp then in 16.0 @Net.forward u0 | "a" != "b" T
# 2 8 if then in 16.0 @Net.forward>Part.forward u1 | 2 > 0 T m2
# 3 17 ifexp else in 16.1 @Net.forward u0 | "b" != "b" F
# 4 8 if else in 16.1 @Net.forward>Part.forward u3 | 0 > 0 F m0
# 5 10 ifexp then tensor in 16.1 @Net.forward>Part.forward u4 <lt | -2.0 < 0 T m2
# 6 8 if else @Part.forward recompute | 0 > 0 F m0
# 7 10 ifexp then tensor @Part.forward u6 recompute <lt | -2.0 < 0 T m2
