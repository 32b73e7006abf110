import dyncore as torch  # input: [1.0, 2.0]
def rows(x):
    try:
        for v in x:
            yield v if v > 1 else -v
    finally:
        if len(x) > 1:
            x = None
def outer(x):
    got = yield from rows(x)
    if got is None:
        yield x.sum()
def forward(x):
    total = 0
    for v in outer(x):
        total = total + v
    for v in rows(x):
        if v < 0:
            break
    return total * v

# ----
# 0 15 for loop shape x3 exhausted @forward
# 1 4 for loop shape x2 exhausted @forward>outer>rows
# 2 5 ifexp else tensor in 4.0 @forward>outer>rows u1 <gt | 1.0 > 1 F m0
# 3 5 ifexp then tensor in 4.1 @forward>outer>rows u1 <gt | 2.0 > 1 T m1
# 4 7 if then shape @forward>outer>rows | 2 > 1 T m1
# 5 11 if then @forward>outer | null is null T
# 6 17 for loop shape x1 break @forward
# 7 4 for loop shape x1 break @forward>rows
# 8 5 ifexp else tensor in 4.0 @forward>rows u7 <gt | 1.0 > 1 F m0
# 9 18 if then tensor in 17.0 @forward u6 <lt | -1.0 < 0 T m1
# 10 7 if then shape @forward>rows | 2 > 1 T m1
