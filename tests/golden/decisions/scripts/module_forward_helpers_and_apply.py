import dyncore as torch  # input: [[1.0, -1.0]]
nn = torch.nn
class Act(nn.Module):
    def forward(self, x):
        return self._pos(x) if (x > 0).any() else x
    def _pos(self, x):
        return torch.where(x > 0, x, x * 0.1) if self.training else x
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = Act()
        self.seq = nn.Sequential(nn.Flatten(), self.act)
    def forward(self, x):
        y = self.seq(x)
        if not isinstance(y, torch.Tensor): return x
        self.eval()
        return self.act(y)
model = Net()

# ----
# 0 5 ifexp then tensor @Net.forward>Act.forward <any | true T
# 1 7 ifexp then @Net.forward>Act.forward>Act._pos u0 | true T
# 2 15 if else @Net.forward | true T
# 3 5 ifexp then tensor @Net.forward>Act.forward u2 <any | true T
# 4 7 ifexp else @Net.forward>Act.forward>Act._pos u3 | false F
