import dyncore as torch  # input: 1.0
def talk(x):
    got = (yield x) if x > 0 else (yield -x)
    while (more := (yield got * 2)) and more > 1:
        got = got + more
    return got if not more else more
def forward(x):
    g = talk(x)
    next(g)
    a = g.send(5)
    b = g.send(3)
    try:
        g.send(0)
    except StopIteration as stop:
        return x * (a + b + stop.value)

# ----
# 0 3 ifexp then tensor @forward>talk <gt | 1.0 > 0 T m1
# 1 4 while body #0 @forward>talk | 3 T; 3 > 1 T m2
# 2 4 while exit #1 @forward>talk | 0 F m0
# 3 6 ifexp then @forward>talk | 0 F m0
# 4 12 try except StopIteration @forward !StopIteration
