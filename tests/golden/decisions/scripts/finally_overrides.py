import dyncore as torch  # input: [1.0, 2.0]
def deep(n):
    try:
        if n == 0: raise RuntimeError("bottom")
        return deep(n - 1) + 1
    except RuntimeError as e:
        if n % 2: raise
        return n
    finally:
        for k in range(n):
            if k == 1: break
def loops(x):
    for i in range(3):
        for j in range(3):
            try:
                if j == 1: continue
                if i == 1: break
                if i == 2: return x * j
            finally:
                if i == j: x = x + 1
        else:
            x = x * 2
    return None
def fin():
    for k in (1, 2, 3):
        try:
            1 / (k - 2)
        except ZeroDivisionError:
            break
        finally:
            if k == 2: continue
    else:
        return "done"
    return "broke"
def forward(x):
    y = loops(x)
    return y * deep(3) if fin() == "done" and y is not None else y

# ----
# 0 13 for loop x3 return @forward>loops
# 1 14 for loop x3 exhausted in 13.0 @forward>loops u0
# 2 16 if else in 13.0,14.0 @forward>loops u1 | 0 == 1 F m-1
# 3 17 if else in 13.0,14.0 @forward>loops u2 | 0 == 1 F m-1
# 4 18 if else in 13.0,14.0 @forward>loops u3 | 0 == 2 F m-2
# 5 20 if then in 13.0,14.0 @forward>loops u1 | 0 == 0 T m0
# 6 16 if then in 13.0,14.1 @forward>loops u1 | 1 == 1 T m0
# 7 20 if else in 13.0,14.1 @forward>loops u1 | 0 == 1 F m-1
# 8 16 if else in 13.0,14.2 @forward>loops u1 | 2 == 1 F m-1
# 9 17 if else in 13.0,14.2 @forward>loops u8 | 0 == 1 F m-1
# 10 18 if else in 13.0,14.2 @forward>loops u9 | 0 == 2 F m-2
# 11 20 if else in 13.0,14.2 @forward>loops u1 | 0 == 2 F m-2
# 12 14 for loop x1 break in 13.1 @forward>loops u0
# 13 16 if else in 13.1,14.0 @forward>loops u12 | 0 == 1 F m-1
# 14 17 if then in 13.1,14.0 @forward>loops u13 | 1 == 1 T m0
# 15 20 if else in 13.1,14.0 @forward>loops u12 | 1 == 0 F m-1
# 16 14 for loop x1 return in 13.2 @forward>loops u0
# 17 16 if else in 13.2,14.0 @forward>loops u16 | 0 == 1 F m-1
# 18 17 if else in 13.2,14.0 @forward>loops u17 | 2 == 1 F m-1
# 19 18 if then in 13.2,14.0 @forward>loops u18 | 2 == 2 T m0
# 20 20 if else in 13.2,14.0 @forward>loops u16 | 2 == 0 F m-2
# 21 25 for loop x3 exhausted @forward>fin
# 22 31 if else in 25.0 @forward>fin u21 | 1 == 2 F m-1
# 23 26 try except ZeroDivisionError in 25.1 @forward>fin u21 !ZeroDivisionError
# 24 31 if then in 25.1 @forward>fin u21 | 2 == 2 T m0
# 25 31 if else in 25.2 @forward>fin u21 | 3 == 2 F m-1
# 26 37 ifexp then @forward | "done" == "done" T; {"type": "Tensor", "shape": [2]} is not null T
# 27 4 if else @forward>deep u26 | 3 == 0 F m-3
# 28 4 if else @forward>deep>deep r1 u27 | 2 == 0 F m-2
# 29 4 if else @forward>deep>deep>deep r2 u28 | 1 == 0 F m-1
# 30 4 if then @forward>deep>deep>deep>deep r3 u29 | 0 == 0 T m0
# 31 3 try except RuntimeError @forward>deep>deep>deep>deep r3 u29 !RuntimeError
# 32 7 if else @forward>deep>deep>deep>deep r3 u31 | 0 F m0
# 33 10 for loop x0 exhausted @forward>deep>deep>deep>deep r3 u29
# 34 10 for loop x1 exhausted @forward>deep>deep>deep r2 u28
# 35 11 if else in 10.0 @forward>deep>deep>deep r2 u34 | 0 == 1 F m-1
# 36 10 for loop x2 break @forward>deep>deep r1 u27
# 37 11 if else in 10.0 @forward>deep>deep r1 u36 | 0 == 1 F m-1
# 38 11 if then in 10.1 @forward>deep>deep r1 u36 | 1 == 1 T m0
# 39 10 for loop x2 break @forward>deep u26
# 40 11 if else in 10.0 @forward>deep u39 | 0 == 1 F m-1
# 41 11 if then in 10.1 @forward>deep u39 | 1 == 1 T m0
