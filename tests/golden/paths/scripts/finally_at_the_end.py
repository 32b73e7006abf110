def values(box):
    try:
        yield box
    finally:
        if box: box.pop()
def either(n):
    if n:
        try:
            1 / (n - 1)
        except ZeroDivisionError:
            n = 5
        else:
            n = 6
        finally:
            for k in range(n):
                if k > 1: break
    else:
        try: n += 1
        finally:
            while n < 3: n += 1
def nested(n):
    try:
        try:
            if n > 1: return
            if n > 0: raise KeyError
        finally:
            if n: print("inner", n)
    finally:
        if n < 2: print("outer")
for box in ([1], []):
    print([len(each) for each in values(box)])
for n in range(3):
    either(n)
    try: nested(n)
    except KeyError: print("raised")
try: n = 7
finally:
    if n: print("end")

# ----
# 0 30:for `for box in ([1], [])` -> loop x2 exhausted
# 1 31:comp `for each in values(box)` -> loop x1 exhausted | in 30.0 | under 0
# 2 5:if `box` -> then [box=list of 1 T] | in 30.0 | values | under 0
# 3 31:comp `for each in values(box)` -> loop x1 exhausted | in 30.1 | under 0
# 4 5:if `box` -> else [box=list of 0 F] | in 30.1 | values | under 0
# 5 32:for `for n in range(3)` -> loop x3 exhausted
# 6 7:if `n` -> else [n=0 F] m0 | in 32.0 | either | under 5
# 7 20:while `n < 3` -> body #0 [1 < 3 T] m2 | in 32.0 | either | under 6
# 8 20:while `n < 3` -> body #1 [2 < 3 T] m1 | in 32.0 | either | under 6
# 9 20:while `n < 3` -> exit #2 [3 < 3 F] m0 | in 32.0 | either | under 6
# 10 24:if `n > 1` -> else [0 > 1 F] m-1 | in 32.0 | nested | under 5
# 11 25:if `n > 0` -> else [0 > 0 F] m0 | in 32.0 | nested | under 10
# 12 27:if `n` -> else [n=0 F] m0 | in 32.0 | nested | under 5
# 13 29:if `n < 2` -> then [0 < 2 T] m2 | in 32.0 | nested | under 5
# 14 7:if `n` -> then [n=1 T] m1 | in 32.1 | either | under 5
# 15 8:try `try` -> except ZeroDivisionError !ZeroDivisionError | in 32.1 | either | under 14
# 16 15:for `for k in range(n)` -> loop x3 break | in 32.1 | either | under 14
# 17 16:if `k > 1` -> else [0 > 1 F] m-1 | in 32.1 15.0 | either | under 16
# 18 16:if `k > 1` -> else [1 > 1 F] m0 | in 32.1 15.1 | either | under 16
# 19 16:if `k > 1` -> then [2 > 1 T] m1 | in 32.1 15.2 | either | under 16
# 20 24:if `n > 1` -> else [1 > 1 F] m0 | in 32.1 | nested | under 5
# 21 25:if `n > 0` -> then [1 > 0 T] m1 | in 32.1 | nested | under 20
# 22 27:if `n` -> then [n=1 T] m1 | in 32.1 | nested | under 5
# 23 29:if `n < 2` -> then [1 < 2 T] m1 | in 32.1 | nested | under 5
# 24 34:try `try` -> except KeyError !KeyError | in 32.1 | under 5
# 25 7:if `n` -> then [n=2 T] m2 | in 32.2 | either | under 5
# 26 15:for `for k in range(n)` -> loop x3 break | in 32.2 | either | under 25
# 27 16:if `k > 1` -> else [0 > 1 F] m-1 | in 32.2 15.0 | either | under 26
# 28 16:if `k > 1` -> else [1 > 1 F] m0 | in 32.2 15.1 | either | under 26
# 29 16:if `k > 1` -> then [2 > 1 T] m1 | in 32.2 15.2 | either | under 26
# 30 24:if `n > 1` -> then [2 > 1 T] m1 | in 32.2 | nested | under 5
# 31 27:if `n` -> then [n=2 T] m2 | in 32.2 | nested | under 5
# 32 29:if `n < 2` -> else [2 < 2 F] m0 | in 32.2 | nested | under 5
# 33 38:if `n` -> then [n=7 T] m7
