import dyncore as torch  # input: [1.0]
def pos(x): return x * 2 if x.sum() < 5 else x
def neg(x): return -x
TABLE = {True: pos, False: neg}
def forward(x):
    f = TABLE[bool(x.sum() > 0)]
    y = f(x)
    return y if f is pos else -y

# ----
# 0 2 ifexp then tensor @forward>pos <lt | 1.0 < 5 T m4
# 1 8 ifexp then @forward | {"type": "function"} is {"type": "function"} T
