def f(a, b):
    if a:
        if b > 1:
            return "big"
        if b < -1:
            return "small"
    if a and b:
        return "both"
    return "none"


def g(items):
    for v in items:
        if v:
            if v == 2:
                continue
        elif v is None:
            break
        if v != 3:
            pass


def h(v):
    match v:
        case int():
            if v > 5:
                return 5
        case _ if v:
            pass
    return 1 if v else 2


for a, b in ((1, 2), (1, 0), (0, 0)):
    f(a, b)
g([1, 2, 0, None])
h(1), h(9), h("")

# ----
# 0 33:for `for a, b in ((1, 2), (1, 0), (0, 0))` -> loop x3 exhausted
# 1 2:if `a` -> then [a=1 T] m1 | in 33.0 | f | under 0
# 2 3:if `b > 1` -> then [2 > 1 T] m1 | in 33.0 | f | under 1
# 3 2:if `a` -> then [a=1 T] m1 | in 33.1 | f | under 0
# 4 3:if `b > 1` -> else [0 > 1 F] m-1 | in 33.1 | f | under 3
# 5 5:if `b < -1` -> else [0 < -1 F] m-1 | in 33.1 | f | under 4
# 6 7:if `a and b` -> else [a=1 T, b=0 F] m0 | in 33.1 | f | under 5
# 7 2:if `a` -> else [a=0 F] m0 | in 33.2 | f | under 0
# 8 7:if `a and b` -> else [a=0 F] m0 | in 33.2 | f | under 7
# 9 13:for `for v in items` -> loop x4 break | g
# 10 14:if `v` -> then [v=1 T] m1 | in 13.0 | g | under 9
# 11 15:if `v == 2` -> else [1 == 2 F] m-1 | in 13.0 | g | under 10
# 12 19:if `v != 3` -> then [1 != 3 T] m2 | in 13.0 | g | under 11
# 13 14:if `v` -> then [v=2 T] m2 | in 13.1 | g | under 9
# 14 15:if `v == 2` -> then [2 == 2 T] m0 | in 13.1 | g | under 13
# 15 14:if `v` -> else [v=0 F] m0 | in 13.2 | g | under 9
# 16 17:elif `v is None` -> else [0 is None F] | in 13.2 | g | under 15
# 17 19:if `v != 3` -> then [0 != 3 T] m3 | in 13.2 | g | under 16
# 18 14:if `v` -> else [v=None F] | in 13.3 | g | under 9
# 19 17:elif `v is None` -> then [None is None T] | in 13.3 | g | under 18
# 20 24:match `v` -> case int() [v=1 T] | h
# 21 26:if `v > 5` -> else [1 > 5 F] m-4 | h | under 20
# 22 30:ifexp `v` -> then [v=1 T] m1 | h | under 21
# 23 24:match `v` -> case int() [v=9 T] | h
# 24 26:if `v > 5` -> then [9 > 5 T] m4 | h | under 23
# 25 28:guard `v` -> fail [v='' F] | h
# 26 24:match `v` -> no match [v='' F] | h
# 27 30:ifexp `v` -> else [v='' F] | h | under 26
