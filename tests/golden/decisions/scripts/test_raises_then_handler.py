import dyncore as torch  # input: [1.0, 2.0]
def forward(x):
    try:
        if x > 1 and True:
            x = x * 2
    except RuntimeError:
        x = x + 1
    try:
        while missing:
            pass
    except NameError as error:
        x = x * 3
    try:
        assert x.sum() < 0, "sum"
    except AssertionError:
        x = x - 1
    return x if {} or x.sum() > 2 else -x

# ----
# 0 4 if raise tensor @forward !RuntimeError <gt | {"type": "Tensor", "shape": [2]} > 1 F
# 1 3 try except RuntimeError @forward !RuntimeError
# 2 8 try except NameError @forward !NameError
# 3 14 assert fail tensor @forward <lt | 15.0 < 0 F m-15
# 4 13 try except AssertionError @forward !AssertionError
# 5 17 ifexp then tensor @forward <gt | {"type": "dict", "len": 0} F; 13.0 > 2 T m11
