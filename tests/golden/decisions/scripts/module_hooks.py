import dyncore as torch  # input: [1.0, -2.0]
nn = torch.nn
class Block(nn.Module):
    def forward(self, x):
        return x if x.min() > 0 else x.abs()
def before(module, args):
    if args[0].sum() < 0:
        return (args[0] * 2,)
def after(module, args, out):
    return out if out.max() < 3 else out / 2
model = Block()
model.register_forward_pre_hook(before)
model.register_forward_hook(after)

# ----
# 0 7 if then tensor @before <lt | -1.0 < 0 T m1
# 1 5 ifexp else tensor @Block.forward <gt | -4.0 > 0 F m-4
# 2 10 ifexp else tensor @after <lt | 4.0 < 3 F m-1
