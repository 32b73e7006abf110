import dyncore as torch  # input: [2.0, -3.0]
class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        ctx.save_for_backward(x)
        return x if x.abs().max() <= limit else x.clamp(-limit, limit)
    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        if grad.sum() > 1 and ctx.limit:
            return grad * (x.abs() <= ctx.limit), None
        return grad, None
def forward(x):
    return Clip.apply(x, 2.5).sum()

# ----
# 0 7 ifexp else tensor @forward>Clip.forward <le | 3.0 <= 2.5 F m-0.5
# 1 11 if then tensor @Clip.backward backward <gt | 2.0 > 1 T; 2.5 T m1
