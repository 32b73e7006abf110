import dyncore as torch  # input: [1.0, 1.0]
class Net(torch.nn.Module):
    sizes = [n for n in (1, 2, 3) if n % 2]
    if len(sizes) > 1:
        deep = True
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor([2.0]))
    def forward(self, x):
        for n in self.sizes:
            if self.deep and x.sum() > n:
                x = x * self.scale
        return x
model = Net()

# ----
# 0 3 comp loop x3 exhausted load
# 1 3 compif keep in 3.0 u0 load | 1 T m1
# 2 3 compif drop in 3.1 u0 load | 0 F m0
# 3 3 compif keep in 3.2 u0 load | 1 T m1
# 4 4 if then load | 2 > 1 T m1
# 0 10 for loop x2 exhausted @Net.forward
# 1 11 if then tensor in 10.0 @Net.forward u0 <gt | true T; 2.0 > 1 T m1
# 2 11 if then tensor in 10.1 @Net.forward u0 <gt | true T; 4.0 > 3 T m1
