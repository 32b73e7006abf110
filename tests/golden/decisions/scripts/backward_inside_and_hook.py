import dyncore as torch  # input: [1.0, 2.0]
def forward(x):
    w = torch.tensor([3.0, -1.0], requires_grad=True)
    def watch(g):
        return g * 0.5 if g.abs().max() > 1 else None
    w.register_hook(watch)
    for step in range(2):
        loss = (w * x).sum() ** 2
        loss.backward()
        with torch.no_grad():
            if w.grad.norm() > 1e6:
                break
            w -= 0.1 * w.grad
        w.grad = None
    return w * x

# ----
# 0 7 for loop x2 exhausted @forward
# 1 5 ifexp then tensor in 7.0 @forward>forward.<locals>.watch u0 backward <gt | 4.0 > 1 T m3
# 2 11 if else tensor in 7.0 @forward u0 <gt | 2.2360680103302 > 1000000.0 F m-1e+06
# 3 5 ifexp then tensor in 7.1 @forward>forward.<locals>.watch u0 backward <gt | 2.0 > 1 T m1
# 4 11 if else tensor in 7.1 @forward u0 <gt | 1.1180340051651 > 1000000.0 F m-1e+06
