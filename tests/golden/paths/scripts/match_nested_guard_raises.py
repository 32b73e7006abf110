def guard(n):
    if n > 2:
        raise ValueError(n)
    return n
def f(v):
    match v:
        case (a, b) if guard(a) and guard(b):
            return a + b
        case (a, (b, c)) if a or b or c:
            match b:
                case 0 if c:
                    return "inner"
                case _:
                    return "else"
        case [] | ():
            pass
        case _ if v:
            return "truthy"
for v in ((1, 2), (0, (0, 1)), (0, (1, 0)), (0, (0, 0)), (), "x", (1, 5)):
    try:
        print(f(v))
    except ValueError as error:
        print("raised", error)

# ----
# 0 19:for `for v in ((1, 2), (0, (0, 1)), (0, (1, 0)), (0, (0, 0)), (), "x", (1, 5))` -> loop x7 exhausted
# 1 2:if `n > 2` -> else [1 > 2 F] m-1 | in 19.0 | f guard | under 0
# 2 2:if `n > 2` -> else [2 > 2 F] m0 | in 19.0 | f guard | under 0
# 3 7:guard `guard(a) and guard(b)` -> pass [guard(a)=1 T, guard(b)=2 T] m1 | in 19.0 | f | under 0
# 4 6:match `v` -> case (a, b) [v=(1, 2) T] | in 19.0 | f | under 0
# 5 2:if `n > 2` -> else [0 > 2 F] m-2 | in 19.1 | f guard | under 0
# 6 7:guard `guard(a) and guard(b)` -> fail [guard(a)=0 F] m0 | in 19.1 | f | under 0
# 7 9:guard `a or b or c` -> pass [a=0 F, b=0 F, c=1 T] m1 | in 19.1 | f | under 0
# 8 6:match `v` -> case (a, (b, c)) [v=tuple of 2 T] | in 19.1 | f | under 0
# 9 11:guard `c` -> pass [c=1 T] m1 | in 19.1 | f | under 8
# 10 10:match `b` -> case 0 [b=0 T] | in 19.1 | f | under 8
# 11 2:if `n > 2` -> else [0 > 2 F] m-2 | in 19.2 | f guard | under 0
# 12 7:guard `guard(a) and guard(b)` -> fail [guard(a)=0 F] m0 | in 19.2 | f | under 0
# 13 9:guard `a or b or c` -> pass [a=0 F, b=1 T] m1 | in 19.2 | f | under 0
# 14 6:match `v` -> case (a, (b, c)) [v=tuple of 2 T] | in 19.2 | f | under 0
# 15 10:match `b` -> case _ [b=1 T] | in 19.2 | f | under 14
# 16 2:if `n > 2` -> else [0 > 2 F] m-2 | in 19.3 | f guard | under 0
# 17 7:guard `guard(a) and guard(b)` -> fail [guard(a)=0 F] m0 | in 19.3 | f | under 0
# 18 9:guard `a or b or c` -> fail [a=0 F, b=0 F, c=0 F] m0 | in 19.3 | f | under 0
# 19 17:guard `v` -> pass [v=tuple of 2 T] | in 19.3 | f | under 0
# 20 6:match `v` -> case _ [v=tuple of 2 T] | in 19.3 | f | under 0
# 21 6:match `v` -> case [] | () [v=() T] | in 19.4 | f | under 0
# 22 17:guard `v` -> pass [v='x' T] | in 19.5 | f | under 0
# 23 6:match `v` -> case _ [v='x' T] | in 19.5 | f | under 0
# 24 2:if `n > 2` -> else [1 > 2 F] m-1 | in 19.6 | f guard | under 0
# 25 2:if `n > 2` -> then [5 > 2 T] m3 | in 19.6 | f guard | under 0
# 26 20:try `try` -> except ValueError !ValueError | in 19.6 | under 0
