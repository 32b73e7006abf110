import dyncore as torch  # input: [1.0, 2.0]
nn = torch.nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 4
        self.limit = 8.0
    def forward(self, x):
        for k in range(self.steps):
            x = x * 2
            if (score := x.sum().item()) > self.limit:
                return x
        return -x
model = Net()

# ----
# 0 9 for loop x2 return @Net.forward
# 1 11 if else scalar in 9.0 @Net.forward u0 <sum | 6.0 > 8.0 F m-2
# 2 11 if then scalar in 9.1 @Net.forward u0 <sum | 12.0 > 8.0 T m4
