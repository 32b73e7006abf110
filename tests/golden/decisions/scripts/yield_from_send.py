import dyncore as torch  # input: [1.0]
def inner(x):
    got = yield x
    while got is not None and got.sum() < 8:
        got = yield got * 2
    return "done"
def outer(x):
    r = yield from inner(x)
    if r == "done": yield None
def forward(x):
    g = outer(x)
    v = next(g)
    while (v := g.send(v)) is not None:
        x = v
    return x

# ----
# 0 4 while body tensor #0 @forward>outer>inner <lt | 1.0 is not null T; 1.0 < 8 T m7
# 1 13 while body #0 @forward | 2.0 is not null T
# 2 4 while body tensor #1 in 13.0 @forward>outer>inner u1 <lt | 2.0 is not null T; 2.0 < 8 T m6
# 3 13 while body #1 @forward | 4.0 is not null T
# 4 4 while body tensor #2 in 13.1 @forward>outer>inner u3 <lt | 4.0 is not null T; 4.0 < 8 T m4
# 5 13 while body #2 @forward | 8.0 is not null T
# 6 4 while exit tensor #3 in 13.2 @forward>outer>inner u5 <lt | 8.0 is not null T; 8.0 < 8 F m0
# 7 9 if then in 13.2 @forward>outer u5 | "done" == "done" T
# 8 13 while exit #3 @forward | null is not null F
