import dyncore as torch  # input: [[1.0, 2.0], [3.0, 4.0]]
from dyncore import nn
def solve(a, tol=1e-3, *, most=6):
    lo, hi = 0.0, a.item()
    for it in range(most):
        mid = (lo + hi) / 2
        if abs(mid * mid - a.item()) < tol: break
        lo, hi = (mid, hi) if mid * mid < a else (lo, mid)
        if hi - lo < tol / 10: return mid, "narrow"
    else:
        return mid, "most"
    return mid, "found"
class Halt(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.full((n, n), 0.5))
        self.p = 0.0
    def step(self, h):
        h = torch.tanh(h @ self.w)
        return h, torch.sigmoid(h.sum()).item()
    def forward(self, x):
        steps = []
        while self.p < 0.99 and len(steps) < 4:
            x, p = self.step(x)
            self.p += p * (1 - self.p)
            steps.append(x if p > 0.5 else x * 0)
        return torch.stack(steps).sum(0) if steps else x
class Router(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleList([Halt(2), nn.Identity(), None or nn.ReLU()])
    def route(self, row): return int(row.argmax()) if row.max() > 1 else -1
    def forward(self, x):
        out = []
        for row in x.unbind(0):
            e = self.experts[self.route(row)]
            out.append(e(row.unsqueeze(0))[0] if isinstance(e, Halt) else e(row))
        return torch.stack(out)
def forward(x):
    y = Router()(x)
    r, why = solve(x[1, 1] + x[0, 1])
    if why != "found" or r < 2.4: y = y * r
    b, c = x.shape; d = x.t().size()
    if (b, c) == tuple(d) and b * c > len(x) + 1: y = y + 1
    mask = x > 2
    if mask.any() and not mask.all() and mask.sum() == 2: y = torch.where(mask, y, -y)
    n = torch.count_nonzero(mask).item(); k = n % 2 or n // 2
    return y[mask].sum() * k if 0 < k < n else y.sum()

# ----
# 0 35 for loop x2 exhausted @forward>Router.forward
# 1 32 ifexp then tensor in 35.0 @forward>Router.forward>Router.route u0 <gt | 2.0 > 1 T m1
# 2 37 ifexp else in 35.0 @forward>Router.forward u0 | false F
# 3 32 ifexp then tensor in 35.1 @forward>Router.forward>Router.route u0 <gt | 4.0 > 1 T m3
# 4 37 ifexp else in 35.1 @forward>Router.forward u0 | false F
# 5 5 for loop x6 exhausted @forward>solve
# 6 7 if else scalar~ in 5.0 @forward>solve u5 <add | 3.0 < 0.001 F m-2.999
# 7 8 ifexp else tensor in 5.0 @forward>solve u6 <gt | 9.0 < 6.0 F m-3
# 8 9 if else scalar~ in 5.0 @forward>solve u6 <gt | 3.0 < 0.0001 F m-3
# 9 7 if else scalar~ in 5.1 @forward>solve u5 <add | 3.75 < 0.001 F m-3.749
# 10 8 ifexp then tensor in 5.1 @forward>solve u9 <gt | 2.25 < 6.0 T m3.75
# 11 9 if else scalar~ in 5.1 @forward>solve u9 <gt | 1.5 < 0.0001 F m-1.5
# 12 7 if else scalar~ in 5.2 @forward>solve u5 <add | 0.9375 < 0.001 F m-0.9365
# 13 8 ifexp then tensor in 5.2 @forward>solve u12 <gt | 5.0625 < 6.0 T m0.9375
# 14 9 if else scalar~ in 5.2 @forward>solve u12 <gt | 0.75 < 0.0001 F m-0.7499
# 15 7 if else scalar~ in 5.3 @forward>solve u5 <add | 0.890625 < 0.001 F m-0.8896
# 16 8 ifexp else tensor in 5.3 @forward>solve u15 <gt | 6.890625 < 6.0 F m-0.8906
# 17 9 if else scalar~ in 5.3 @forward>solve u15 <gt | 0.375 < 0.0001 F m-0.3749
# 18 7 if else scalar~ in 5.4 @forward>solve u5 <add | 0.05859375 < 0.001 F m-0.05759
# 19 8 ifexp then tensor in 5.4 @forward>solve u18 <gt | 5.94140625 < 6.0 T m0.05859
# 20 9 if else scalar~ in 5.4 @forward>solve u18 <gt | 0.1875 < 0.0001 F m-0.1874
# 21 7 if else scalar~ in 5.5 @forward>solve u5 <add | 0.4072265625 < 0.001 F m-0.4062
# 22 8 ifexp else tensor in 5.5 @forward>solve u21 <gt | 6.4072265625 < 6.0 F m-0.4072
# 23 9 if else scalar~ in 5.5 @forward>solve u21 <gt | 0.09375 < 0.0001 F m-0.09365
# 24 42 if then scalar~ @forward <gt | "most" != "found" T
# 25 44 if then shape @forward | [2, 2] == [2, 2] T; 4 > 3 T m1
# 26 46 if then tensor @forward <any | true T; false F; 2 == 2 T m0
# 27 47 or rest scalar~ @forward <count_nonzero | 0 F m0
# 28 48 ifexp then scalar~ @forward <count_nonzero | 0 < 1 T; 1 < 2 T m1
