import dyncore as torch  # input: [1.0, 2.0]
def forward(x):
    m = (x > 0) & (x < 5)
    if m.all() and not m[0].item() is False: x = x * 2
    if torch.any(x > 3) or torch.allclose(x, x * 2): x = x + 1
    if torch.equal(x, x): x = x + 1
    if (x[0] > 1) ^ (x[1] > 100): x = x + 1
    if x is not None and isinstance(x, torch.Tensor) and x.requires_grad: x = x + 1
    return x

# ----
# 0 4 if then tensor @forward <all | true T; true is false F
# 1 5 if then tensor @forward <any | true T
# 2 6 if then scalar @forward <add | true T
# 3 7 if then tensor @forward <bitwise_xor | true T
# 4 8 if then @forward | {"type": "Tensor", "shape": [2]} is not null T; true T; true T
