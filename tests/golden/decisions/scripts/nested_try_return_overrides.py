import dyncore as torch  # input: [1.0, 2.0]
def pick(x):
    for k in range(3):
        try:
            try:
                if x[k] > 1:
                    return x[k]
                continue
            finally:
                if k == 1:
                    break
        except IndexError:
            return None
    else:
        return 7
    return 9
def forward(x):
    return x * pick(x)

# ----
# 0 3 for loop x2 break @forward>pick
# 1 6 if else tensor in 3.0 @forward>pick u0 <gt | 1.0 > 1 F m0
# 2 10 if else in 3.0 @forward>pick u0 | 0 == 1 F m-1
# 3 6 if then tensor in 3.1 @forward>pick u0 <gt | 2.0 > 1 T m1
# 4 10 if then in 3.1 @forward>pick u0 | 1 == 1 T m0
