import dyncore as torch  # input: [1.0, 2.0, 5.0]
def forward(x):
    first, *rest = x
    if rest:
        a, *_, b = rest
        if a > b:
            return first
    for i, *r in [(1, 2, 3), (4,)]:
        if not r: continue
        x = x + i
    return x

# ----
# 0 4 if then @forward | {"type": "list", "len": 2} T
# 1 6 if else tensor @forward u0 <gt | 2.0 > 5.0 F m-3
# 2 8 for loop x2 exhausted @forward u1
# 3 9 if else in 8.0 @forward u2 | {"type": "list", "len": 2} T
# 4 9 if then in 8.1 @forward u2 | {"type": "list", "len": 0} F
