import dyncore as torch  # input: [2.0, 0.0]
def a(x):
    for k in range(5):
        try:
            if k == 1: continue
            if k == 3: break
            if x[1] == 0: raise ValueError(k)
        except (KeyError, ValueError) as e:
            if e.args[0] == 2: return k
        else:
            k = -1
        finally:
            if k == 2:
                x = x + 1
    else:
        return -2
    return -3
def b(v):
    try:
        return 1 if v > 0 else 1 / 0
    except ZeroDivisionError:
        return 2
    finally:
        if v < 1: return 3
def c():
    try:
        try:
            raise ExceptionGroup("g", [ValueError(1), TypeError(2), KeyError(3)])
        except* ValueError as g:
            n = 1 if len(g.exceptions) == 1 else 0
        except* (TypeError, OSError):
            n += 1
    except* KeyError:
        n += 5
    except* BaseException:
        n = -1
    return n
def forward(x):
    return x * a(x) * b(x[0]) * b(x[1]) + c()

# ----
# 0 3 for loop x3 return @forward>a
# 1 5 if else in 3.0 @forward>a u0 | 0 == 1 F m-1
# 2 6 if else in 3.0 @forward>a u1 | 0 == 3 F m-3
# 3 7 if then tensor in 3.0 @forward>a u2 <eq | 0.0 == 0 T m0
# 4 4 try except (KeyError, ValueError) in 3.0 @forward>a u0 !ValueError
# 5 9 if else in 3.0 @forward>a u4 | 0 == 2 F m-2
# 6 13 if else in 3.0 @forward>a u0 | 0 == 2 F m-2
# 7 5 if then in 3.1 @forward>a u0 | 1 == 1 T m0
# 8 13 if else in 3.1 @forward>a u0 | 1 == 2 F m-1
# 9 5 if else in 3.2 @forward>a u0 | 2 == 1 F m-1
# 10 6 if else in 3.2 @forward>a u9 | 2 == 3 F m-1
# 11 7 if then tensor in 3.2 @forward>a u10 <eq | 0.0 == 0 T m0
# 12 4 try except (KeyError, ValueError) in 3.2 @forward>a u0 !ValueError
# 13 9 if then in 3.2 @forward>a u12 | 2 == 2 T m0
# 14 13 if then in 3.2 @forward>a u0 | 2 == 2 T m0
# 15 20 ifexp then tensor @forward>b <gt | 2.0 > 0 T m2
# 16 24 if else tensor @forward>b <lt | 2.0 < 1 F m-1
# 17 20 ifexp else tensor @forward>b <gt | 0.0 > 0 F m0
# 18 19 try except ZeroDivisionError @forward>b !ZeroDivisionError
# 19 24 if then tensor @forward>b <lt | 0.0 < 1 T m1
# 20 27 try except* ValueError @forward>c !ExceptionGroup
# 21 30 ifexp then @forward>c u20 | 1 == 1 T m0
# 22 27 try except* (TypeError, OSError) @forward>c !ExceptionGroup
# 23 26 try except* KeyError @forward>c !ExceptionGroup
