import dyncore as torch  # input: [1.0, 2.0]
def forward(x):
    try:
        if x > 0:
            return x
    except RuntimeError:
        pass
    while x:
        return x

# ----
# 0 4 if raise tensor @forward !RuntimeError <gt | {"type": "Tensor", "shape": [2]} > 0 F
# 1 3 try except RuntimeError @forward !RuntimeError
# 2 8 while raise tensor #0 @forward !RuntimeError | {"type": "Tensor", "shape": [2]} F
# Boolean value of Tensor with more than one value is ambiguous
