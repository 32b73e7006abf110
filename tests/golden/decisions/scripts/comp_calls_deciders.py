import dyncore as torch  # input: [1.0, -1.0]
def sign(v): return 1 if v > 0 else -1
def forward(x):
    s = {i: sign(v) for i, v in enumerate(x) if sign(v) > 0 or i == 0}
    t = [a * b for a in s.values() for b in (1, 2) if a * b != 2]
    return x * len(t)

# ----
# 0 4 comp loop shape x2 exhausted @forward
# 1 2 ifexp then tensor in 4.0 @forward>sign u0 <gt | 1.0 > 0 T m1
# 2 4 compif keep scalar~ in 4.0 @forward u0 <gt | 1 > 0 T m1
# 3 2 ifexp then tensor in 4.0 @forward>sign u2 <gt | 1.0 > 0 T m1
# 4 2 ifexp else tensor in 4.1 @forward>sign u0 <gt | -1.0 > 0 F m-1
# 5 4 compif drop scalar~ in 4.1 @forward u0 <gt | -1 > 0 F; 1 == 0 F m-1
# 6 5 comp loop scalar~ x1 exhausted @forward <gt
# 7 5 comp loop x2 exhausted in 5.0 @forward u6
# 8 5 compif keep scalar~ in 5.0,5.0 @forward u7 <gt | 1 != 2 T m1
# 9 5 compif drop scalar~ in 5.0,5.1 @forward u7 <gt | 2 != 2 F m0
