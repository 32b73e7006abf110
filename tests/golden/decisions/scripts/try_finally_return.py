import dyncore as torch  # input: [1.0, -2.0, -9.0]
def f(x):
    try:
        if x > 0:
            return x
        raise ValueError("neg")
    except ValueError as e:
        if str(e) == "neg":
            return -x
    finally:
        if x.item() < -5:
            return x * 0
def forward(x):
    return f(x[0]) + f(x[1]) + f(x[2])

# ----
# 0 4 if then tensor @forward>f <gt | 1.0 > 0 T m1
# 1 11 if else scalar @forward>f <getitem | 1.0 < -5 F m-6
# 2 4 if else tensor @forward>f <gt | -2.0 > 0 F m-2
# 3 3 try except ValueError @forward>f !ValueError
# 4 8 if then @forward>f u3 | "neg" == "neg" T
# 5 11 if else scalar @forward>f <getitem | -2.0 < -5 F m-3
# 6 4 if else tensor @forward>f <gt | -9.0 > 0 F m-9
# 7 3 try except ValueError @forward>f !ValueError
# 8 8 if then @forward>f u7 | "neg" == "neg" T
# 9 11 if then scalar @forward>f <getitem | -9.0 < -5 T m4
