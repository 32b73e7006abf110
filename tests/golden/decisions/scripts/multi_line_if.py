import dyncore as torch  # input: [1.0, 20.0]
def forward(x):
    if (x.sum() > 0
            and (x.max() < 10
                 or x.min() > -5)
            and not x.any() == False):  # noqa
        return x
    return -x

# ----
# 0 3 if then tensor @forward <gt | 21.0 > 0 T; 20.0 < 10 F; 1.0 > -5 T; true == false F m6
