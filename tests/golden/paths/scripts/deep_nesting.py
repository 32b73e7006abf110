def f(a, b, c):
    if a:
        for i in range(2):
            while b > 0:
                b -= 1
                try:
                    if c and i:
                        with open("/dev/null") as h:
                            if h.closed: return 0
                            elif b == 0: break
                            else: continue
                    elif not c:
                        match b:
                            case 0: raise LookupError
                            case _ if i == 0: pass
                except LookupError:
                    if i: return "lookup"
                    b = 2
                    break
                finally:
                    c = not c
            else:
                if b == 0: c = 1
    return a, b, c
print(f(1, 3, 0), f(0, 1, 1), f(1, 1, 1), f(1, 2, 0))

# ----
# 0 2:if `a` -> then [a=1 T] m1 | f
# 1 3:for `for i in range(2)` -> loop x2 return | f | under 0
# 2 4:while `b > 0` -> body #0 [3 > 0 T] m3 | in 3.0 | f | under 1
# 3 7:if `c and i` -> else [c=0 F] m0 | in 3.0 4.0 | f | under 2
# 4 12:elif `not c` -> then [c=0 F] m0 | in 3.0 4.0 | f | under 3
# 5 15:guard `i == 0` -> pass [0 == 0 T] m0 | in 3.0 4.0 | f | under 4
# 6 13:match `b` -> case _ [b=2 T] | in 3.0 4.0 | f | under 4
# 7 4:while `b > 0` -> body #1 [2 > 0 T] m2 | in 3.0 | f | under 1
# 8 7:if `c and i` -> else [c=True T, i=0 F] m0 | in 3.0 4.1 | f | under 7
# 9 12:elif `not c` -> else [c=True T] | in 3.0 4.1 | f | under 8
# 10 4:while `b > 0` -> body #2 [1 > 0 T] m1 | in 3.0 | f | under 1
# 11 7:if `c and i` -> else [c=False F] | in 3.0 4.2 | f | under 10
# 12 12:elif `not c` -> then [c=False F] | in 3.0 4.2 | f | under 11
# 13 13:match `b` -> case 0 [b=0 T] | in 3.0 4.2 | f | under 12
# 14 6:try `try` -> except LookupError !LookupError | in 3.0 4.2 | f | under 10
# 15 17:if `i` -> else [i=0 F] m0 | in 3.0 4.2 | f | under 14
# 16 4:while `b > 0` -> body #0 [2 > 0 T] m2 | in 3.1 | f | under 1
# 17 7:if `c and i` -> then [c=True T, i=1 T] m1 | in 3.1 4.0 | f | under 16
# 18 9:if `h.closed` -> else [h.closed=False F] | in 3.1 4.0 | f | under 17
# 19 10:elif `b == 0` -> else [1 == 0 F] m-1 | in 3.1 4.0 | f | under 18
# 20 4:while `b > 0` -> body #1 [1 > 0 T] m1 | in 3.1 | f | under 1
# 21 7:if `c and i` -> else [c=False F] | in 3.1 4.1 | f | under 20
# 22 12:elif `not c` -> then [c=False F] | in 3.1 4.1 | f | under 21
# 23 13:match `b` -> case 0 [b=0 T] | in 3.1 4.1 | f | under 22
# 24 6:try `try` -> except LookupError !LookupError | in 3.1 4.1 | f | under 20
# 25 17:if `i` -> then [i=1 T] m1 | in 3.1 4.1 | f | under 24
# 26 2:if `a` -> else [a=0 F] m0 | f
# 27 2:if `a` -> then [a=1 T] m1 | f
# 28 3:for `for i in range(2)` -> loop x2 exhausted | f | under 27
# 29 4:while `b > 0` -> body #0 [1 > 0 T] m1 | in 3.0 | f | under 28
# 30 7:if `c and i` -> else [c=1 T, i=0 F] m0 | in 3.0 4.0 | f | under 29
# 31 12:elif `not c` -> else [c=1 T] m-1 | in 3.0 4.0 | f | under 30
# 32 4:while `b > 0` -> exit #1 [0 > 0 F] m0 | in 3.0 | f | under 28
# 33 23:if `b == 0` -> then [0 == 0 T] m0 | in 3.0 | f | under 28
# 34 4:while `b > 0` -> exit #0 [0 > 0 F] m0 | in 3.1 | f | under 28
# 35 23:if `b == 0` -> then [0 == 0 T] m0 | in 3.1 | f | under 28
# 36 2:if `a` -> then [a=1 T] m1 | f
# 37 3:for `for i in range(2)` -> loop x2 exhausted | f | under 36
# 38 4:while `b > 0` -> body #0 [2 > 0 T] m2 | in 3.0 | f | under 37
# 39 7:if `c and i` -> else [c=0 F] m0 | in 3.0 4.0 | f | under 38
# 40 12:elif `not c` -> then [c=0 F] m0 | in 3.0 4.0 | f | under 39
# 41 15:guard `i == 0` -> pass [0 == 0 T] m0 | in 3.0 4.0 | f | under 40
# 42 13:match `b` -> case _ [b=1 T] | in 3.0 4.0 | f | under 40
# 43 4:while `b > 0` -> body #1 [1 > 0 T] m1 | in 3.0 | f | under 37
# 44 7:if `c and i` -> else [c=True T, i=0 F] m0 | in 3.0 4.1 | f | under 43
# 45 12:elif `not c` -> else [c=True T] | in 3.0 4.1 | f | under 44
# 46 4:while `b > 0` -> exit #2 [0 > 0 F] m0 | in 3.0 | f | under 37
# 47 23:if `b == 0` -> then [0 == 0 T] m0 | in 3.0 | f | under 37
# 48 4:while `b > 0` -> exit #0 [0 > 0 F] m0 | in 3.1 | f | under 37
# 49 23:if `b == 0` -> then [0 == 0 T] m0 | in 3.1 | f | under 37
