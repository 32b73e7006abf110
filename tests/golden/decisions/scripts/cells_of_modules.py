import dyncore as torch  # input: [2.0, -3.0]
import dyncore.nn.functional as F
from dyncore import nn
class Cell(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        nn.init.constant_(self.lin.weight, 0.5); nn.init.zeros_(self.lin.bias)
        self.sub = nn.ModuleList(Cell(depth - 1) for _ in range(2) if depth > 0)
        self.register_buffer("seen", torch.zeros(()))
    def gate(self, h): return h.abs().mean().item()
    def forward(self, h, depth=0):
        self.seen += 1
        if self.training and self.gate(h) > 0.1: h = F.relu(self.lin(h))
        for i, cell in enumerate(self.sub):
            if (h[i] > 0) if i else (h.sum() > 0): h = cell(h, depth=depth + 1)
            if depth == 0 and self.seen > 1: break
        return h
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = Cell(1)
        self.heads = nn.ModuleDict({"a": nn.Identity(), "b": nn.Linear(2, 1)})
    def forward(self, x):
        y = self.cell(x)
        for name, head in self.heads.items():
            if name == "a" and y.norm() > 1e-6: y = head(y) + 1
            elif isinstance(head, nn.Linear) and head.weight.requires_grad: y = y * 2
        with torch.no_grad():
            if torch.is_grad_enabled() or not y.requires_grad: pass
        return y if any(p.numel() > 3 for p in self.parameters()) else x
def forward(x):
    net = Net()
    net.cell.sub[1].eval() if x[0] > 0 else None
    return net(x)

# ----
# 0 9 comp loop x2 exhausted @forward>Net.__init__>Cell.__init__
# 1 9 compif keep in 9.0 @forward>Net.__init__>Cell.__init__ u0 | 1 > 0 T m1
# 2 9 comp loop x2 exhausted in 9.0 @forward>Net.__init__>Cell.__init__>Cell.__init__ r1 u1
# 3 9 compif drop in 9.0,9.0 @forward>Net.__init__>Cell.__init__>Cell.__init__ r1 u2 | 0 > 0 F m0
# 4 9 compif drop in 9.0,9.1 @forward>Net.__init__>Cell.__init__>Cell.__init__ r1 u2 | 0 > 0 F m0
# 5 9 compif keep in 9.1 @forward>Net.__init__>Cell.__init__ u0 | 1 > 0 T m1
# 6 9 comp loop x2 exhausted in 9.1 @forward>Net.__init__>Cell.__init__>Cell.__init__ r1 u5
# 7 9 compif drop in 9.1,9.0 @forward>Net.__init__>Cell.__init__>Cell.__init__ r1 u6 | 0 > 0 F m0
# 8 9 compif drop in 9.1,9.1 @forward>Net.__init__>Cell.__init__>Cell.__init__ r1 u6 | 0 > 0 F m0
# 9 34 ifexp then tensor @forward <gt | 2.0 > 0 T m2
# 10 14 if then scalar @forward>Net.forward>Cell.forward <mean | true T; 2.5 > 0.1 T m2.4
# 11 15 for loop x2 exhausted @forward>Net.forward>Cell.forward
# 12 16 ifexp else in 15.0 @forward>Net.forward>Cell.forward u11 | 0 F m0
# 13 16 if else tensor in 15.0 @forward>Net.forward>Cell.forward u11 <gt | false F
# 14 17 if else tensor in 15.0 @forward>Net.forward>Cell.forward u11 <gt | 0 == 0 T; 1.0 > 1 F m0
# 15 16 ifexp then in 15.1 @forward>Net.forward>Cell.forward u11 | 1 T m1
# 16 16 if else tensor in 15.1 @forward>Net.forward>Cell.forward u11 <gt | false F
# 17 17 if else tensor in 15.1 @forward>Net.forward>Cell.forward u11 <gt | 0 == 0 T; 1.0 > 1 F m0
# 18 26 for loop x2 exhausted @forward>Net.forward
# 19 27 if else tensor in 26.0 @forward>Net.forward u18 <gt | "a" == "a" T; 0.0 > 1e-06 F m-1e-06
# 20 28 elif else in 26.0 @forward>Net.forward u19 | false F
# 21 27 if else in 26.1 @forward>Net.forward u18 | "b" == "a" F
# 22 28 elif then in 26.1 @forward>Net.forward u21 | true T; true T
# 23 30 if else @forward>Net.forward | false F; true T
# 24 31 comp loop x1 break @forward>Net.forward
# 25 31 ifexp then shape @forward>Net.forward | true T
