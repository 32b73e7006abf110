import dyncore as torch  # input: [1.0, 2.0]
def gen(x):
    try:
        if x > 0:
            yield x
        yield x * 2
    finally:
        if x > 1: print("closed big")
    return "done"
def forward(x):
    out = []
    for v in x:
        g = gen(v)
        out.append(next(g))
        if v > 1:
            g.close()
        else:
            out += list(g)
    return sum(out)

# ----
# 0 12 for loop shape x2 exhausted @forward
# 1 4 if then tensor in 12.0 @forward>gen u0 <gt | 1.0 > 0 T m1
# 2 15 if else tensor in 12.0 @forward u0 <gt | 1.0 > 1 F m0
# 3 8 if else tensor in 12.0 @forward>gen u2 <gt | 1.0 > 1 F m0
# 4 4 if then tensor in 12.1 @forward>gen u0 <gt | 2.0 > 0 T m2
# 5 15 if then tensor in 12.1 @forward u0 <gt | 2.0 > 1 T m1
# 6 8 if then tensor in 12.1 @forward>gen u5 <gt | 2.0 > 1 T m1
