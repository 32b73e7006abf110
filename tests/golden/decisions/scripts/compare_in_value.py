import dyncore as torch  # input: [2.0, -1.0]
def forward(x):
    a = 0 < x.sum() < 5
    b = x[0] > 1 and x[1].item()
    c = (x > 0).all() or len(x)
    mask = [v > 0 for v in x]
    return x if a and b and c and not mask[1] else -x

# ----
# 0 3 and rest tensor @forward <gt | 0 < 1.0 T m1
# 1 4 and rest tensor @forward <gt | 2.0 > 1 T m1
# 2 5 or rest tensor @forward <all | false F
# 3 6 comp loop shape x2 exhausted @forward
# 4 7 ifexp then tensor @forward <lt | true T; -1.0 T; 2 T; false F m1
