import dyncore as torch  # input: [1.0, 2.0]
x0 = torch.tensor(3.0, requires_grad=True)
def hook(g):
    return g * 2 if g > 1 else None
def forward(x):
    y = (x ** 2).sum()
    for step in range(3):
        g, = torch.autograd.grad(y, x, create_graph=True) if step == 0 else torch.autograd.grad(y, x, retain_graph=True)
        if g.norm() < 1: break
        if not (g != g).any() and step:
            y = y / 2
    z = x0 * y
    z.register_hook(hook)
    z.backward(retain_graph=True)
    if x0.grad is not None and x0.grad > 4: z = z + 1
    def closure():
        return (x * 3).sum() if x.grad is None or x.grad.abs().max() > 100 else y
    opt = torch.optim.SGD([x0], lr=0.1)
    while True:
        opt.zero_grad()
        loss = (x0 - 1) ** 2
        if loss < 3.5: break
        loss.backward()
        opt.step()
    return closure() * (2 if z.grad_fn else 3)

# ----
# 0 7 for loop x3 exhausted @forward
# 1 8 ifexp then in 7.0 @forward u0 | 0 == 0 T m0
# 2 9 if else tensor in 7.0 @forward u0 <lt | 4.4721360206604 < 1 F m-3.472
# 3 10 if else tensor in 7.0 @forward u2 <any | false F; 0 F m0
# 4 8 ifexp else in 7.1 @forward u0 | 1 == 0 F m-1
# 5 9 if else tensor in 7.1 @forward u0 <lt | 4.4721360206604 < 1 F m-3.472
# 6 10 if then tensor in 7.1 @forward u5 <any | false F; 1 T m1
# 7 8 ifexp else in 7.2 @forward u0 | 2 == 0 F m-2
# 8 9 if else tensor in 7.2 @forward u0 <lt | 2.2360680103302 < 1 F m-1.236
# 9 10 if then tensor in 7.2 @forward u8 <any | false F; 2 T m2
# 10 4 ifexp else tensor @forward>hook backward <gt | 1.0 > 1 F m0
# 11 15 if else tensor @forward <gt | 1.25 is not null T; 1.25 > 4 F m-2.75
# 12 22 if else tensor in 19.0 @forward <lt | 4.0 < 3.5 F m-0.5
# 13 22 if then tensor in 19.1 @forward <lt | 2.559999704360962 < 3.5 T m0.94
# 14 17 ifexp else tensor @forward>forward.<locals>.closure <gt | {"type": "Tensor", "shape": [2]} is null F; 3.0 > 100 F m-97
# 15 25 ifexp then @forward | {"type": "MulBackward0"} T
