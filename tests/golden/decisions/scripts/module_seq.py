import dyncore as torch  # input: [1.0]
nn = torch.nn
class Gate(nn.Module):
    def __init__(self, t):
        super().__init__()
        self.t = t
    def forward(self, x):
        return x if x.sum() > self.t else x + 1
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Gate(t) for t in (0, 5)])
        self.seq = nn.Sequential(Gate(1), nn.ReLU())
    def forward(self, x):
        for i, b in enumerate(self.blocks):
            x = b(x)
            if self.training and i > 0: x = x * 2
        return self.seq(x)
model = Net()

# ----
# 0 12 comp loop x2 exhausted @Net.__init__ load
# 0 15 for loop x2 exhausted @Net.forward
# 1 8 ifexp then tensor in 15.0 @Net.forward>Gate.forward u0 <gt | 1.0 > 0 T m1
# 2 17 if else in 15.0 @Net.forward u0 | true T; 0 > 0 F m0
# 3 8 ifexp else tensor in 15.1 @Net.forward>Gate.forward u0 <gt | 1.0 > 5 F m-4
# 4 17 if then in 15.1 @Net.forward u0 | true T; 1 > 0 T m1
# 5 8 ifexp then tensor @Net.forward>Gate.forward <gt | 4.0 > 1 T m3
