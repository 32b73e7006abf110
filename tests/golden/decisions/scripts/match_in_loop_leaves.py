import dyncore as torch  # input: [2.0, -1.0, 7.0]
def run(x):
    for step in [{"op": "add", "by": [1, 2]}, {"op": "skip"}, ("neg", x), {"op": "end"}, {"op": "never"}]:
        match step:
            case {"op": "skip"}:
                continue
            case {"op": "add", "by": [first, *_]} if (y := x.sum() + first) > 0:
                x = x + y
            case ["neg", t] if t is x:
                return x
            case ["neg", t]:
                x = x - t
            case {"op": "end"}:
                break
        if x.max() > 100:
            x = x / 10
    else:
        return None
    return -x
def forward(x):
    return run(x)

# ----
# 0 3 for loop x4 break @forward>run
# 1 7 guard pass tensor in 3.0 @forward>run u0 <gt | 9.0 > 0 T m9
# 2 4 match case {"op": "add", "by": [first, *_]} in 3.0 @forward>run u0 | {"type": "dict", "len": 2} T
# 3 15 if else tensor in 3.0 @forward>run u2 <gt | 16.0 > 100 F m-84
# 4 4 match case {"op": "skip"} in 3.1 @forward>run u0 | {"type": "dict", "len": 1} T
# 5 9 guard fail in 3.2 @forward>run u0 | {"type": "Tensor", "shape": [3]} is {"type": "Tensor", "shape": [3]} F
# 6 4 match case ["neg", t] in 3.2 @forward>run u0 | {"type": "tuple", "len": 2} T
# 7 15 if else tensor in 3.2 @forward>run u6 <gt | 9.0 > 100 F m-91
# 8 4 match case {"op": "end"} in 3.3 @forward>run u0 | {"type": "dict", "len": 1} T
