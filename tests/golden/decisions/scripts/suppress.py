import dyncore as torch, contextlib  # input: [1.0, 2.0, 3.0]
def forward(x):
    with contextlib.suppress(KeyError):
        for v in x:
            if v > 1:
                {}["k"]
        x = x * 100
    if x.sum() > 0:
        x = x + 1
    return x

# ----
# 0 4 for loop shape x2 raise @forward
# 1 5 if else tensor in 4.0 @forward u0 <gt | 1.0 > 1 F m0
# 2 5 if then tensor in 4.1 @forward u0 <gt | 2.0 > 1 T m1
# 3 8 if then tensor @forward <gt | 6.0 > 0 T m6
