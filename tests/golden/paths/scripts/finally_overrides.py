def a():
    while True:
        try:
            return 1
        finally:
            break
    return 2
def b():
    for k in range(5):
        try:
            if k == 2: return k
        finally:
            if k < 4: continue
def c():
    try:
        raise KeyError
    except KeyError:
        try:
            return "inner"
        finally:
            if True and len("x"):
                return "outer"
    finally:
        print("last" if a() == 2 else "?")
def d():
    for k in range(3):
        try:
            1 / (k - 1)
        except ZeroDivisionError:
            if k: continue
        else:
            if not k: pass
        finally:
            print("f", k)
print(a(), b(), c(), d())

# ----
# 0 9:for `for k in range(5)` -> loop x5 exhausted | b
# 1 11:if `k == 2` -> else [0 == 2 F] m-2 | in 9.0 | b | under 0
# 2 13:if `k < 4` -> then [0 < 4 T] m4 | in 9.0 | b | under 0
# 3 11:if `k == 2` -> else [1 == 2 F] m-1 | in 9.1 | b | under 0
# 4 13:if `k < 4` -> then [1 < 4 T] m3 | in 9.1 | b | under 0
# 5 11:if `k == 2` -> then [2 == 2 T] m0 | in 9.2 | b | under 0
# 6 13:if `k < 4` -> then [2 < 4 T] m2 | in 9.2 | b | under 0
# 7 11:if `k == 2` -> else [3 == 2 F] m-1 | in 9.3 | b | under 0
# 8 13:if `k < 4` -> then [3 < 4 T] m1 | in 9.3 | b | under 0
# 9 11:if `k == 2` -> else [4 == 2 F] m-2 | in 9.4 | b | under 0
# 10 13:if `k < 4` -> else [4 < 4 F] m0 | in 9.4 | b | under 0
# 11 15:try `try` -> except KeyError !KeyError | c
# 12 21:if `True and len("x")` -> then [len("x")=1 T] m1 | c | under 11
# 13 24:ifexp `a() == 2` -> then [2 == 2 T] m0 | c
# 14 26:for `for k in range(3)` -> loop x3 exhausted | d
# 15 32:if `not k` -> then [k=0 F] m0 | in 26.0 | d | under 14
# 16 27:try `try` -> except ZeroDivisionError !ZeroDivisionError | in 26.1 | d | under 14
# 17 30:if `k` -> then [k=1 T] m1 | in 26.1 | d | under 16
# 18 32:if `not k` -> else [k=2 T] m-2 | in 26.2 | d | under 14
