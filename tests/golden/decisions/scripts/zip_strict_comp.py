import dyncore as torch  # input: [1.0, 3.0]
def forward(x):
    w = {k: v for k, v in zip("ab", x) if v > 1 if k != "z"}
    s = {int(v) for v in x}
    return sum(v for v in w.values()) if w else x.sum()

# ----
# 0 3 comp loop shape x2 exhausted @forward
# 1 3 compif drop tensor in 3.0 @forward u0 <gt | 1.0 > 1 F m0
# 2 3 compif keep tensor in 3.1 @forward u0 <gt | 3.0 > 1 T m2
# 3 3 compif keep in 3.1 @forward u2 | "b" != "z" T
# 4 4 comp loop shape x2 exhausted @forward
# 5 5 ifexp then scalar~ @forward <gt | {"type": "dict", "len": 1} T
# 6 5 comp loop scalar~ x1 exhausted @forward u5 <gt
