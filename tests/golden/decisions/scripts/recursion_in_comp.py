import dyncore as torch  # input: 3.0
def total(t):
    return sum(total(c) for c in t) if isinstance(t, list) else t * 2
def forward(x):
    return total([x, [x, []]])

# ----
# 0 3 ifexp then @forward>total | true T
# 1 3 comp loop x2 exhausted @forward>total u0
# 2 3 ifexp else in 3.0 @forward>total>total r1 u1 | false F
# 3 3 ifexp then in 3.1 @forward>total>total r1 u1 | true T
# 4 3 comp loop x2 exhausted in 3.1 @forward>total>total r1 u3
# 5 3 ifexp else in 3.1,3.0 @forward>total>total>total r2 u4 | false F
# 6 3 ifexp then in 3.1,3.1 @forward>total>total>total r2 u4 | true T
# 7 3 comp loop x0 exhausted in 3.1,3.1 @forward>total>total>total r2 u6
