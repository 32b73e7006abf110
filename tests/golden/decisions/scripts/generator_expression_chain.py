import dyncore as torch  # input: [1.0, -2.0, 3.0, 4.0]
def forward(x):
    positive = (v for v in x if v > 0)
    large = (v * 2 for v in positive if v.item() > 2)
    first = next(large, None)
    rest = [*large]
    return first + sum(rest) if rest else x

# ----
# 0 3 comp loop shape x4 exhausted @forward
# 1 4 comp loop scalar~ x3 exhausted @forward <gt
# 2 3 compif keep tensor in 3.0 @forward u0 <gt | 1.0 > 0 T m1
# 3 4 compif drop scalar in 4.0 @forward u1 <unbind | 1.0 > 2 F m-1
# 4 3 compif drop tensor in 3.1 @forward u0 <gt | -2.0 > 0 F m-2
# 5 3 compif keep tensor in 3.2 @forward u0 <gt | 3.0 > 0 T m3
# 6 4 compif keep scalar in 4.1 @forward u1 <unbind | 3.0 > 2 T m1
# 7 3 compif keep tensor in 3.3 @forward u0 <gt | 4.0 > 0 T m4
# 8 4 compif keep scalar in 4.2 @forward u1 <unbind | 4.0 > 2 T m2
# 9 7 ifexp then @forward | {"type": "list", "len": 1} T
