def machine(text):
    state, out = "start", []
    def go(to):
        nonlocal state
        if to != state:
            out.append(to)
            state = to
        return True
    for ch in text:
        if state == "start" and ch.isdigit() and go("num"): continue
        elif state == "num":
            if ch == "." and go("frac"): continue
            if not ch.isdigit(): go("bad"); break
        elif state == "frac" and not ch.isdigit():
            go("bad")
            break
    else:
        go("end")
    return out
print(machine("12.5"), machine("1x"), machine("1.x"), machine(""))

# ----
# 0 9:for `for ch in text` -> loop x4 exhausted | machine
# 1 5:if `to != state` -> then ['num' != 'start' T] | in 9.0 | machine machine.<locals>.go | under 0
# 2 10:if `state == "start" and ch.isdigit() and go("num")` -> then ['start' == 'start' T, ch.isdigit()=True T, go("num")=True T] | in 9.0 | machine | under 0
# 3 10:if `state == "start" and ch.isdigit() and go("num")` -> else ['num' == 'start' F] | in 9.1 | machine | under 0
# 4 11:elif `state == "num"` -> then ['num' == 'num' T] | in 9.1 | machine | under 3
# 5 12:if `ch == "." and go("frac")` -> else ['2' == '.' F] | in 9.1 | machine | under 4
# 6 13:if `not ch.isdigit()` -> else [ch.isdigit()=True T] | in 9.1 | machine | under 5
# 7 10:if `state == "start" and ch.isdigit() and go("num")` -> else ['num' == 'start' F] | in 9.2 | machine | under 0
# 8 11:elif `state == "num"` -> then ['num' == 'num' T] | in 9.2 | machine | under 7
# 9 5:if `to != state` -> then ['frac' != 'num' T] | in 9.2 | machine machine.<locals>.go | under 8
# 10 12:if `ch == "." and go("frac")` -> then ['.' == '.' T, go("frac")=True T] | in 9.2 | machine | under 8
# 11 10:if `state == "start" and ch.isdigit() and go("num")` -> else ['frac' == 'start' F] | in 9.3 | machine | under 0
# 12 11:elif `state == "num"` -> else ['frac' == 'num' F] | in 9.3 | machine | under 11
# 13 14:elif `state == "frac" and not ch.isdigit()` -> else ['frac' == 'frac' T, ch.isdigit()=True T] | in 9.3 | machine | under 12
# 14 5:if `to != state` -> then ['end' != 'frac' T] | machine machine.<locals>.go
# 15 9:for `for ch in text` -> loop x2 break | machine
# 16 5:if `to != state` -> then ['num' != 'start' T] | in 9.0 | machine machine.<locals>.go | under 15
# 17 10:if `state == "start" and ch.isdigit() and go("num")` -> then ['start' == 'start' T, ch.isdigit()=True T, go("num")=True T] | in 9.0 | machine | under 15
# 18 10:if `state == "start" and ch.isdigit() and go("num")` -> else ['num' == 'start' F] | in 9.1 | machine | under 15
# 19 11:elif `state == "num"` -> then ['num' == 'num' T] | in 9.1 | machine | under 18
# 20 12:if `ch == "." and go("frac")` -> else ['x' == '.' F] | in 9.1 | machine | under 19
# 21 13:if `not ch.isdigit()` -> then [ch.isdigit()=False F] | in 9.1 | machine | under 20
# 22 5:if `to != state` -> then ['bad' != 'num' T] | in 9.1 | machine machine.<locals>.go | under 21
# 23 9:for `for ch in text` -> loop x3 break | machine
# 24 5:if `to != state` -> then ['num' != 'start' T] | in 9.0 | machine machine.<locals>.go | under 23
# 25 10:if `state == "start" and ch.isdigit() and go("num")` -> then ['start' == 'start' T, ch.isdigit()=True T, go("num")=True T] | in 9.0 | machine | under 23
# 26 10:if `state == "start" and ch.isdigit() and go("num")` -> else ['num' == 'start' F] | in 9.1 | machine | under 23
# 27 11:elif `state == "num"` -> then ['num' == 'num' T] | in 9.1 | machine | under 26
# 28 5:if `to != state` -> then ['frac' != 'num' T] | in 9.1 | machine machine.<locals>.go | under 27
# 29 12:if `ch == "." and go("frac")` -> then ['.' == '.' T, go("frac")=True T] | in 9.1 | machine | under 27
# 30 10:if `state == "start" and ch.isdigit() and go("num")` -> else ['frac' == 'start' F] | in 9.2 | machine | under 23
# 31 11:elif `state == "num"` -> else ['frac' == 'num' F] | in 9.2 | machine | under 30
# 32 14:elif `state == "frac" and not ch.isdigit()` -> then ['frac' == 'frac' T, ch.isdigit()=False F] | in 9.2 | machine | under 31
# 33 5:if `to != state` -> then ['bad' != 'frac' T] | in 9.2 | machine machine.<locals>.go | under 32
# 34 9:for `for ch in text` -> loop x0 exhausted | machine
# 35 5:if `to != state` -> then ['end' != 'start' T] | machine machine.<locals>.go
