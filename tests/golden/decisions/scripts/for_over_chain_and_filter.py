import dyncore as torch, itertools as it  # input: [1.0, 2.0, 3.0, 4.0]
def forward(x):
    total = 0
    for a, b in it.pairwise(x):
        if b - a == 1 and total < 2:
            total = total + 1
    for v in it.takewhile(lambda v: v < 3, x):
        total = total + v
    for k, group in it.groupby(x, key=lambda v: v > 2):
        total = total + sum(group) if k else total
    for i, v in enumerate(filter(None, [0, x[0], None]), start=5):
        if i == 5:
            total = total * v
    return total

# ----
# 0 4 for loop shape x3 exhausted @forward
# 1 5 if then tensor in 4.0 @forward u0 <eq | 1.0 == 1 T; 0 < 2 T m0
# 2 5 if then tensor in 4.1 @forward u0 <eq | 1.0 == 1 T; 1 < 2 T m0
# 3 5 if else tensor in 4.2 @forward u0 <eq | 1.0 == 1 T; 2 < 2 F m0
# 4 7 for loop scalar~ x2 exhausted @forward <lt
# 5 9 for loop shape x2 exhausted @forward
# 6 10 ifexp else tensor in 9.0 @forward u5 <gt | 1.0 > 2 F m-1
# 7 10 ifexp then tensor in 9.1 @forward u5 <gt | 3.0 > 2 T m1
# 8 11 for loop scalar~ x1 exhausted @forward <getitem
# 9 12 if then in 11.0 @forward u8 | 5 == 5 T m0
