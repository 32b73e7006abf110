import dyncore as torch, functools  # input: [2.0, 1.0]
def compare(a, b):
    return -1 if a < b else (1 if a > b else 0)
def forward(x):
    xs = [x[0], x[1]]
    xs.sort(key=functools.cmp_to_key(compare))
    del xs[0]
    if len(xs) == 1: return xs[0]
    return x

# ----
# 0 3 ifexp then tensor @forward>compare <lt | 1.0 < 2.0 T m1
# 1 8 if then @forward | 1 == 1 T m0
