import dyncore as torch  # input: 1.0
def forward(x, *extra, scale=None, **more):
    if extra or more:
        return x
    if (scale := scale if scale is not None else 3) and (y := x * scale) > 2:
        del scale
    try:
        scale
    except UnboundLocalError:
        y = y + 1
    return [y, x][y < 4] if isinstance(y, torch.Tensor) else x

# ----
# 0 3 if else @forward | [] F; {"type": "dict", "len": 0} F
# 1 5 ifexp else @forward u0 | null is not null F
# 2 5 if then tensor @forward u0 <gt | 3 T; 3.0 > 2 T m1
# 3 7 try except UnboundLocalError @forward u0 !UnboundLocalError
# 4 11 ifexp then @forward u0 | true T
