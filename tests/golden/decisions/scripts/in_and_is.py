import dyncore as torch  # input: [1.0, 2.0]
MODES = {"relu", "tanh"}
def forward(x, mode="relu", bias=None):
    if mode in MODES and bias is None:
        x = x + 1
    if 3 in x:
        x = x * 2
    if 7 not in x.tolist() and x.dtype is not torch.float64:
        x = x - 1
    return x if x.grad_fn is not None else -x

# ----
# 0 4 if then @forward | "relu" in {"type": "set", "len": 2} T; null is null T
# 1 6 if then tensor @forward <add | 3 in {"type": "Tensor", "shape": [2]} T
# 2 8 if then scalar~ @forward <mul | 7 not in {"type": "list", "len": 2} T; {"type": "dtype"} is not {"type": "dtype"} T
# 3 10 ifexp then @forward | {"type": "SubBackward0"} is not null T
