import dyncore as torch  # input: [1.0, -1.0]
def first(x):
    try:
        for v in x:
            if v < 0:
                raise ValueError
        return 1
    finally:
        if x.sum() == 0:
            return 2
def forward(x):
    return x * first(x)

# ----
# 0 4 for loop shape x2 raise @forward>first
# 1 5 if else tensor in 4.0 @forward>first u0 <lt | 1.0 < 0 F m-1
# 2 5 if then tensor in 4.1 @forward>first u0 <lt | -1.0 < 0 T m1
# 3 9 if then tensor @forward>first <eq | 0.0 == 0 T m0
