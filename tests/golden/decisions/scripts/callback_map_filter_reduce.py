import dyncore as torch, functools  # input: [1.0, -2.0, 3.0]
def forward(x):
    pos = list(filter(lambda v: v > 0, x))
    big = list(map(lambda v: v * 2 if v > 1 else v, pos))
    top = functools.reduce(lambda a, b: a if a > b else b, big)
    if next((v for v in big if v > 3), None) is None: return top
    return top * 2

# ----
# 0 4 ifexp else tensor @forward>forward.<locals>.<lambda> <gt | 1.0 > 1 F m0
# 1 4 ifexp then tensor @forward>forward.<locals>.<lambda> <gt | 3.0 > 1 T m2
# 2 5 ifexp else tensor @forward>forward.<locals>.<lambda> <gt | 1.0 > 6.0 F m-5
# 3 6 comp loop scalar~ x2 break @forward <gt
# 4 6 compif drop tensor in 6.0 @forward u3 <gt | 1.0 > 3 F m-2
# 5 6 compif keep tensor in 6.1 @forward u3 <gt | 6.0 > 3 T m3
# 6 6 if else @forward | 6.0 is null F
