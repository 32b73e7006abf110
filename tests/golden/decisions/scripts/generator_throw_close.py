import dyncore as torch  # input: 2.0
def source(x):
    try:
        while True:
            try:
                got = yield x
                if got:
                    x = x + got
            except ValueError:
                x = x * 10
    finally:
        if x > 10:
            x = x * 0
def forward(x):
    g = source(x)
    a = next(g)
    b = g.send(3)
    c = g.throw(ValueError)
    d = g.send(None)
    g.close()
    return a + b + c + d

# ----
# 0 7 if then in 4.0 @forward>source | 3 T m3
# 1 5 try except ValueError in 4.1 @forward>source !ValueError
# 2 7 if else in 4.2 @forward>source | null F
# 3 12 if then tensor @forward>source <gt | 50.0 > 10 T m40
