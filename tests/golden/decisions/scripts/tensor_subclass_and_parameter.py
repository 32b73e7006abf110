import dyncore as torch  # input: [2.0]
nn = torch.nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Parameter(torch.tensor(1.5))
        self.register_buffer("limit", torch.tensor(3))
        self.count = 0
    def forward(self, x):
        if self.gate > 1 and self.limit >= 3:
            x = x * self.gate
        while self.count < self.limit:
            self.count += 2
        if self.limit == 3 and not self.gate.grad:
            x = x + 1
        return x if self.gate.requires_grad else -x
model = Net()

# ----
# 0 10 if then tensor @Net.forward <gt | 1.5 > 1 T; 3 >= 3 T m0
# 1 12 while body tensor #0 @Net.forward <gt | 0 < 3 T m3
# 2 12 while body tensor #1 @Net.forward <gt | 2 < 3 T m1
# 3 12 while exit tensor #2 @Net.forward <gt | 4 < 3 F m-1
# 4 14 if then tensor @Net.forward <eq | 3 == 3 T; null F m0
# 5 16 ifexp then @Net.forward | true T
