import dyncore as torch  # input: [1.0, -2.0, 3.0]
from dyncore import nn
class Gate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, hard):
        ctx.hard = hard
        ctx.save_for_backward(v)
        return v.clamp(min=0) if hard else v * 1
    @staticmethod
    def backward(ctx, g):
        v, = ctx.saved_tensors
        if g.sum() > 1 and ctx.hard:
            g = g * (v > 0)
        return g, None
class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.ones(n))
        self.deep = Block(n) if n > 2 and not hasattr(self, "x") and Block.left > 0 else None
    left = 1
    def __setattr__(self, k, v):
        if k == "deep" and v is not None: Block.left -= 1
        super().__setattr__(k, v)
    def forward(self, x):
        with torch.no_grad():
            small = x.norm() < 1e-3
        if small: return x
        if self.deep is not None: x = self.deep(x)
        return Gate.apply(x * self.w, x[0].item() > 0)
Block.left = 0
class Top(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(Block(3), nn.ReLU(), Block(3))
        self.body[0].register_forward_hook(lambda m, a, out: out * 2 if out.sum() > 3 else None)
    def forward(self, x):
        x.register_hook(lambda g: g / 2 if g.norm() > 1 else g)
        y = torch.where(x > 0, x, -x)
        for layer in self.body:
            y = layer(y)
            if y.max() > 20: break
        return y
forward = Top()

# ----
# 0 22 if else @Top.__init__>Block.__init__>Block.__setattr__ load | "w" == "deep" F
# 1 19 ifexp else @Top.__init__>Block.__init__ load | 3 > 2 T; false F; 0 > 0 F m0
# 2 22 if else @Top.__init__>Block.__init__>Block.__setattr__ load | "deep" == "deep" T; null is not null F
# 3 22 if else @Top.__init__>Block.__init__>Block.__setattr__ load | "w" == "deep" F
# 4 19 ifexp else @Top.__init__>Block.__init__ load | 3 > 2 T; false F; 0 > 0 F m0
# 5 22 if else @Top.__init__>Block.__init__>Block.__setattr__ load | "deep" == "deep" T; null is not null F
# 0 39 for loop x3 exhausted @Top.forward
# 1 27 if else tensor in 39.0 @Top.forward>Block.forward u0 <lt | 3.7416574954986572 < 0.001 F m-3.741
# 2 28 if else in 39.0 @Top.forward>Block.forward u1 | null is not null F
# 3 8 ifexp then in 39.0 @Top.forward>Block.forward>Gate.forward u1 | true T
# 4 35 ifexp then tensor in 39.0 @Top.forward>Top.__init__.<locals>.<lambda> u0 <gt | 6.0 > 3 T m3
# 5 41 if else tensor in 39.0 @Top.forward u0 <gt | 6.0 > 20 F m-14
# 6 41 if else tensor in 39.1 @Top.forward u0 <gt | 6.0 > 20 F m-14
# 7 27 if else tensor in 39.2 @Top.forward>Block.forward u0 <lt | 7.4833149909973145 < 0.001 F m-7.482
# 8 28 if else in 39.2 @Top.forward>Block.forward u7 | null is not null F
# 9 8 ifexp then in 39.2 @Top.forward>Block.forward>Gate.forward u7 | true T
# 10 41 if else tensor in 39.2 @Top.forward u0 <gt | 6.0 > 20 F m-14
# 11 12 if then tensor @Gate.backward backward <gt | 3.0 > 1 T; true T m2
# 12 12 if then tensor @Gate.backward backward <gt | 6.0 > 1 T; true T m5
# 13 37 ifexp then tensor @Top.forward.<locals>.<lambda> backward <gt | 3.464101552963257 > 1 T m2.464
