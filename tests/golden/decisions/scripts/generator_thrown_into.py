import dyncore as torch  # input: 2.0
def leaf(x, n):
    if n == 0:
        yield x
        return
    for k in range(n):
        yield from leaf(x + k, n - 1)
def acc():
    total = 0
    while True:
        try:
            v = yield total
        except KeyError as e:
            total = total * -1
            continue
        if v is None: break
        total = total + v
    return total
def forward(x):
    g = acc(); next(g)
    for v in leaf(x, 2):
        g.send(v) if v > 2 else g.throw(KeyError("x"))
    try:
        g.send(None)
    except StopIteration as stop:
        return stop.value

# ----
# 0 21 for loop x2 exhausted @forward
# 1 3 if else @forward>leaf | 2 == 0 F m-2
# 2 6 for loop x2 exhausted @forward>leaf u1
# 3 3 if else in 6.0 @forward>leaf>leaf r1 u2 | 1 == 0 F m-1
# 4 6 for loop x1 exhausted in 6.0 @forward>leaf>leaf r1 u3
# 5 3 if then in 6.0,6.0 @forward>leaf>leaf>leaf r2 u4 | 0 == 0 T m0
# 6 22 ifexp else tensor in 21.0 @forward u0 <gt | 2.0 > 2 F m0
# 7 11 try except KeyError in 21.0,10.0 @forward>acc u6 !KeyError
# 8 3 if else in 6.1 @forward>leaf>leaf r1 u2 | 1 == 0 F m-1
# 9 6 for loop x1 exhausted in 6.1 @forward>leaf>leaf r1 u8
# 10 3 if then in 6.1,6.0 @forward>leaf>leaf>leaf r2 u9 | 0 == 0 T m0
# 11 22 ifexp then tensor in 21.1 @forward u0 <gt | 3.0 > 2 T m1
# 12 16 if else in 21.1,10.1 @forward>acc u11 | 3.0 is null F
# 13 16 if then in 10.2 @forward>acc | null is null T
# 14 23 try except StopIteration @forward !StopIteration
