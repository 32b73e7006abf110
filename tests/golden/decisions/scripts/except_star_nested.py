import dyncore as torch  # input: [1.0, -1.0]
def check(v):
    if v < 0:
        raise ValueError("negative")
    if v > 0.5:
        raise TypeError("large")
def forward(x):
    errors = []
    for v in x:
        try:
            check(v)
        except Exception as e:
            errors.append(e)
    try:
        raise ExceptionGroup("all", errors)
    except* ValueError as group:
        x = x + len(group.exceptions)
    except* TypeError:
        x = x * 2
    else:
        x = x * 100
    finally:
        if errors:
            x = x - 1
    return x

# ----
# 0 9 for loop shape x2 exhausted @forward
# 1 3 if else tensor in 9.0 @forward>check u0 <lt | 1.0 < 0 F m-1
# 2 5 if then tensor in 9.0 @forward>check u1 <gt | 1.0 > 0.5 T m0.5
# 3 10 try except Exception in 9.0 @forward u0 !TypeError
# 4 3 if then tensor in 9.1 @forward>check u0 <lt | -1.0 < 0 T m1
# 5 10 try except Exception in 9.1 @forward u0 !ValueError
# 6 14 try except* ValueError @forward !ExceptionGroup
# 7 14 try except* TypeError @forward !ExceptionGroup
# 8 23 if then shape @forward | {"type": "list", "len": 2} T
