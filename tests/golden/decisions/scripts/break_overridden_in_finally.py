import dyncore as torch  # input: 1.0
def over(x):
    for k in range(3):
        try:
            break
        finally:
            if x > 0:
                return k
def through(x):
    for k in range(3):
        try:
            break
        finally:
            if x > 0:
                raise ValueError
def plain(x):
    try:
        for k in range(3):
            try:
                if x > k: break
            except KeyError:
                pass
        raise KeyError
    finally:
        x = None
def forward(x):
    over(x)
    for f in (through, plain):
        try:
            f(x)
        except (ValueError, KeyError):
            x = x + 1
    return x

# ----
# 0 3 for loop x1 return @forward>over
# 1 7 if then tensor in 3.0 @forward>over u0 <gt | 1.0 > 0 T m1
# 2 28 for loop x2 exhausted @forward
# 3 10 for loop x1 raise in 28.0 @forward>through u2
# 4 14 if then tensor in 28.0,10.0 @forward>through u3 <gt | 1.0 > 0 T m1
# 5 29 try except (ValueError, KeyError) in 28.0 @forward u2 !ValueError
# 6 18 for loop x1 break in 28.1 @forward>plain u2
# 7 20 if then tensor in 28.1,18.0 @forward>plain u6 <gt | 2.0 > 0 T m2
# 8 29 try except (ValueError, KeyError) in 28.1 @forward u2 !KeyError
