import dyncore as torch  # input: [1.0, 2.0, 3.0]
def src(x):
    total = 0
    while True:
        try:
            got = yield total
        except ValueError:
            total = total * 10 if total else 7
            continue
        except GeneratorExit:
            if total > 3: x.add(1)
            raise
        if got is None: break
        total = total + got
    return total if total > 2 else -total
def outer(x):
    r = yield from src(x)
    if r > 5:
        yield r
def forward(x):
    g = outer(x); next(g)
    for v in x[:2]:
        s = g.send(v)
        if s > 2: break
    s = g.throw(ValueError)
    last = next(g, None)
    h = outer(x); next(h); h.send(x[2] + 1); h.close()
    if last is not None and next(g, None) is None:
        return last + x
    return s

# ----
# 0 22 for loop shape x2 break @forward <getitem
# 1 13 if else in 22.0,4.0 @forward>outer>src u0 | 1.0 is null F
# 2 24 if else tensor in 22.0 @forward u0 <gt | 1.0 > 2 F m-1
# 3 13 if else in 22.1,4.1 @forward>outer>src u0 | 2.0 is null F
# 4 24 if then tensor in 22.1 @forward u0 <gt | 3.0 > 2 T m1
# 5 5 try except ValueError in 4.2 @forward>outer>src !ValueError
# 6 8 ifexp then tensor in 4.2 @forward>outer>src u5 <add | 3.0 T m3
# 7 13 if then in 4.3 @forward>outer>src | null is null T
# 8 15 ifexp then tensor @forward>outer>src <gt | 30.0 > 2 T m28
# 9 18 if then tensor @forward>outer <gt | 30.0 > 5 T m25
# 10 13 if else in 4.0 @forward>outer>src | 4.0 is null F
# 11 5 try except GeneratorExit in 4.1 @forward>outer>src !GeneratorExit
# 12 11 if then tensor in 4.1 @forward>outer>src u11 <gt | 4.0 > 3 T m1
# 13 28 if then @forward | 30.0 is not null T; null is null T
