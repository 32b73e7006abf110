import dyncore as torch  # input: [1.0]
class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2 if x.sum() > 0 else x
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        if g.abs().max() > 0.5:
            return g * 2
        return g
def forward(x):
    return Clip.apply(x).sum()

# ----
# 0 6 ifexp then tensor @forward>Clip.forward <gt | 1.0 > 0 T m1
# 1 10 if then tensor @Clip.backward backward <gt | 1.0 > 0.5 T m0.5
