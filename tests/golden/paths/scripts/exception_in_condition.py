def boom(k):
    if k: raise KeyError(k)
    return k
log = []
for k in range(3):
    try:
        if boom(k) or k == 0: log.append("then")
        else: log.append("else")
    except KeyError as e:
        log.append(e.args if k > 1 else "key")
    else:
        log.append("fine")
def w():
    n = 3
    while boom(n - 2) or n > 0:
        n -= 1
    return n
def l(): return [v for v in (0, 1, 2) if not boom(v)]
def t(): return "a" if boom(0) else boom(4) and "b"
for f in (w, l, t):
    try: f()
    except KeyError: log.append(f.__name__)
print(log)
def g():
    for v in (1, 2):
        if v == 2: raise StopIteration
        yield v
try: print(list(g()))
except RuntimeError as e: print(type(e.__cause__).__name__ if e.__cause__ else "")

# ----
# 0 5:for `for k in range(3)` -> loop x3 exhausted
# 1 2:if `k` -> else [k=0 F] m0 | in 5.0 | boom | under 0
# 2 7:if `boom(k) or k == 0` -> then [boom(k)=0 F, 0 == 0 T] m0 | in 5.0 | under 0
# 3 2:if `k` -> then [k=1 T] m1 | in 5.1 | boom | under 0
# 4 6:try `try` -> except KeyError !KeyError | in 5.1 | under 0
# 5 10:ifexp `k > 1` -> else [1 > 1 F] m0 | in 5.1 | under 4
# 6 2:if `k` -> then [k=2 T] m2 | in 5.2 | boom | under 0
# 7 6:try `try` -> except KeyError !KeyError | in 5.2 | under 0
# 8 10:ifexp `k > 1` -> then [2 > 1 T] m1 | in 5.2 | under 7
# 9 20:for `for f in (w, l, t)` -> loop x3 exhausted
# 10 2:if `k` -> then [k=1 T] m1 | in 20.0 | w boom | under 9
# 11 21:try `try` -> except KeyError !KeyError | in 20.0 | under 9
# 12 18:comp `for v in (0, 1, 2)` -> loop x2 raise | in 20.1 | l | under 9
# 13 2:if `k` -> else [k=0 F] m0 | in 20.1 18.0 | l boom | under 12
# 14 18:compif `not boom(v)` -> keep [boom(v)=0 F] m0 | in 20.1 18.0 | l | under 12
# 15 2:if `k` -> then [k=1 T] m1 | in 20.1 18.1 | l boom | under 12
# 16 21:try `try` -> except KeyError !KeyError | in 20.1 | under 9
# 17 2:if `k` -> else [k=0 F] m0 | in 20.2 | t boom | under 9
# 18 19:ifexp `boom(0)` -> else [boom(0)=0 F] m0 | in 20.2 | t | under 9
# 19 2:if `k` -> then [k=4 T] m4 | in 20.2 | t boom | under 18
# 20 21:try `try` -> except KeyError !KeyError | in 20.2 | under 9
# 21 25:for `for v in (1, 2)` -> loop x2 raise | g
# 22 26:if `v == 2` -> else [1 == 2 F] m-1 | in 25.0 | g | under 21
# 23 26:if `v == 2` -> then [2 == 2 T] m0 | in 25.1 | g | under 21
# 24 28:try `try` -> except RuntimeError !RuntimeError
# 25 29:ifexp `e.__cause__` -> then [e.__cause__=StopIteration T] | under 24
