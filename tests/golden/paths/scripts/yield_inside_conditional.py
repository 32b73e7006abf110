def g(n):
    x = (yield n) if n > 1 else (yield -n)
    y = x and (yield "and")
    if (yield "if") == "go" or (yield "or"):
        z = [(yield_ := v) for v in range(2) if v]
        while (got := (yield z)) is not None:
            if got == "stop": return "stopped"
    else:
        yield "else"
    return y
def drive(n, sends):
    it = g(n)
    out = [next(it)]
    try:
        for s in sends: out.append(it.send(s))
    except StopIteration as stop:
        out.append(stop.value)
    return out
print(drive(2, [0, "go", 5, "stop"]), drive(0, [1, 2, "x", 0]), drive(0, [0, "x", 1, None, None]))
def outer():
    r = yield from (v for v in range(3) if v != 1)
    return r or (yield from inner())
def inner():
    try:
        k = yield "k"
        if k: raise ValueError
    except ValueError:
        yield "caught"
    return None
it = outer()
print([next(it), next(it), next(it)], it.send(1), list(it))

# ----
# 0 2:ifexp `n > 1` -> then [2 > 1 T] m1 | drive g
# 1 15:for `for s in sends` -> loop x4 raise | drive
# 2 3:and `x and (yield "and")` -> short [x=0 F] m0 | in 15.0 | drive g | under 1
# 3 4:if `(yield "if") == "go" or (yield "or")` -> then ['go' == 'go' T] | in 15.1 | drive g | under 1
# 4 5:comp `for v in range(2)` -> loop x2 exhausted | in 15.1 | drive g | under 3
# 5 5:compif `v` -> drop [v=0 F] m0 | in 15.1 5.0 | drive g | under 4
# 6 5:compif `v` -> keep [v=1 T] m1 | in 15.1 5.1 | drive g | under 4
# 7 6:while `(got := (yield z)) is not None` -> body #0 [5 is not None T] | in 15.2 | drive g | under 3
# 8 7:if `got == "stop"` -> else [5 == 'stop' F] | in 15.2 6.0 | drive g | under 7
# 9 6:while `(got := (yield z)) is not None` -> body #1 ['stop' is not None T] | in 15.3 | drive g | under 3
# 10 7:if `got == "stop"` -> then ['stop' == 'stop' T] | in 15.3 6.1 | drive g | under 9
# 11 14:try `try` -> except StopIteration !StopIteration | drive
# 12 2:ifexp `n > 1` -> else [0 > 1 F] m-1 | drive g
# 13 15:for `for s in sends` -> loop x4 exhausted | drive
# 14 3:and `x and (yield "and")` -> rest [x=1 T] m1 | in 15.0 | drive g | under 13
# 15 4:if `(yield "if") == "go" or (yield "or")` -> else ['x' == 'go' F, yield "or"=0 F] m0 | in 15.3 | drive g | under 13
# 16 2:ifexp `n > 1` -> else [0 > 1 F] m-1 | drive g
# 17 15:for `for s in sends` -> loop x4 raise | drive
# 18 3:and `x and (yield "and")` -> short [x=0 F] m0 | in 15.0 | drive g | under 17
# 19 4:if `(yield "if") == "go" or (yield "or")` -> then ['x' == 'go' F, yield "or"=1 T] m1 | in 15.2 | drive g | under 17
# 20 5:comp `for v in range(2)` -> loop x2 exhausted | in 15.2 | drive g | under 19
# 21 5:compif `v` -> drop [v=0 F] m0 | in 15.2 5.0 | drive g | under 20
# 22 5:compif `v` -> keep [v=1 T] m1 | in 15.2 5.1 | drive g | under 20
# 23 6:while `(got := (yield z)) is not None` -> exit #0 [None is not None F] | in 15.3 | drive g | under 19
# 24 14:try `try` -> except StopIteration !StopIteration | drive
# 25 21:comp `for v in range(3)` -> loop x3 exhausted | outer
# 26 21:compif `v != 1` -> keep [0 != 1 T] m1 | in 21.0 | outer | under 25
# 27 21:compif `v != 1` -> drop [1 != 1 F] m0 | in 21.1 | outer | under 25
# 28 21:compif `v != 1` -> keep [2 != 1 T] m1 | in 21.2 | outer | under 25
# 29 22:or `r or (yield from inner())` -> rest [r=None F] | outer
# 30 26:if `k` -> then [k=1 T] m1 | outer inner | under 29
# 31 24:try `try` -> except ValueError !ValueError | outer inner | under 29
