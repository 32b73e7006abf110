import dyncore as torch  # input: [1.0, 2.0]
def forward(x):
    k = 5
    m = [[v * k for k in (1, 2) if v > k] for v in x if k > 4]
    return x * len(m[1]) if m[-1] else x

# ----
# 0 4 comp loop shape x2 exhausted @forward
# 1 4 compif keep in 4.0 @forward u0 | 5 > 4 T m1
# 2 4 comp loop x2 exhausted in 4.0 @forward u1
# 3 4 compif drop tensor in 4.0,4.0 @forward u2 <gt | 1.0 > 1 F m0
# 4 4 compif drop tensor in 4.0,4.1 @forward u2 <gt | 1.0 > 2 F m-1
# 5 4 compif keep in 4.1 @forward u0 | 5 > 4 T m1
# 6 4 comp loop x2 exhausted in 4.1 @forward u5
# 7 4 compif keep tensor in 4.1,4.0 @forward u6 <gt | 2.0 > 1 T m1
# 8 4 compif drop tensor in 4.1,4.1 @forward u6 <gt | 2.0 > 2 F m0
# 9 5 ifexp then scalar~ @forward <gt | {"type": "list", "len": 1} T
