import dyncore as torch
THRESH = 0
class Block(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
    def forward(self, x):
        for _ in range(self.n):
            if x.sum() > 5: break
            x = x * 2
        return x
def relu(x):
    return x if x.sum() > THRESH else x * 0
