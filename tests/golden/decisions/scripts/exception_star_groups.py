import dyncore as torch  # input: [1.0]
def forward(x):
    out = x
    try:
        raise ExceptionGroup("g", [ValueError(1), TypeError(2), KeyError(3)])
    except* ValueError as e:
        if x.sum() > 0: out = out + 1
    except* (TypeError, KeyError) as e:
        for err in e.exceptions:
            if err.args[0] == 3: out = out * 2
    return out

# ----
# 0 4 try except* ValueError @forward !ExceptionGroup
# 1 7 if then tensor @forward u0 <gt | 1.0 > 0 T m1
# 2 4 try except* (TypeError, KeyError) @forward !ExceptionGroup
# 3 9 for loop x2 exhausted @forward u2
# 4 10 if else in 9.0 @forward u3 | 2 == 3 F m-1
# 5 10 if then in 9.1 @forward u3 | 3 == 3 T m0
