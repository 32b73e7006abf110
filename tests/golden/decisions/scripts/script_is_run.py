import dyncore as torch
x = torch.tensor([1.0, 4.0], requires_grad=True)
y = x
for k in range(2):
    if y.sum() > 3:
        y = y * 2
    else:
        y = y + 1
y.sum().backward()

# ----
# 0 4 for loop x2 exhausted
# 1 5 if then tensor in 4.0 u0 <gt | 5.0 > 3 T m2
# 2 5 if then tensor in 4.1 u0 <gt | 10.0 > 3 T m7
