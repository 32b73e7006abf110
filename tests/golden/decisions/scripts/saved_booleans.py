import dyncore as torch  # input: [1.0, -1.0]
def is_positive(v):
    return v > 0
def forward(x):
    ok = is_positive(x[0])
    flag = bool(is_positive(x[1]))
    both = ok and flag
    if ok:
        x = x + 1
    if flag:
        x = x - 1
    if not both:
        x = x * 2
    none = None
    if torch.any(x > 3) or none is None:
        x = x * 2
    return x if torch.all(x >= 0) else -x

# ----
# 0 7 and rest tensor @forward <gt | 1.0 > 0 T m1
# 1 8 if then tensor @forward <gt | 1.0 > 0 T m1
# 2 10 if else scalar~ @forward <gt | false F
# 3 12 if then scalar~ @forward <gt | false F
# 4 15 if then tensor @forward <any | true T
# 5 17 ifexp then tensor @forward <all | true T
