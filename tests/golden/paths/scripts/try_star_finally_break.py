def f(kind):
    for k in range(3):
        try:
            if kind == "value": raise ValueError(k)
            if kind == "group": raise ExceptionGroup("g", [ValueError(1), KeyError(2), ExceptionGroup("h", [TypeError()])])
            if k == 1: continue
            if k == 2: break
        except* ValueError as g:
            print("value", len(g.exceptions))
        except* (KeyError, TypeError) as g:
            print("key", g.exceptions)
        else:
            print("else", k)
        finally:
            print("finally", k)
    else:
        print("no break")
for kind in ("none", "value", "group"):
    f(kind)

# ----
# 0 18:for `for kind in ("none", "value", "group")` -> loop x3 exhausted
# 1 2:for `for k in range(3)` -> loop x3 break | in 18.0 | f | under 0
# 2 4:if `kind == "value"` -> else ['none' == 'value' F] | in 18.0 2.0 | f | under 1
# 3 5:if `kind == "group"` -> else ['none' == 'group' F] | in 18.0 2.0 | f | under 2
# 4 6:if `k == 1` -> else [0 == 1 F] m-1 | in 18.0 2.0 | f | under 3
# 5 7:if `k == 2` -> else [0 == 2 F] m-2 | in 18.0 2.0 | f | under 4
# 6 4:if `kind == "value"` -> else ['none' == 'value' F] | in 18.0 2.1 | f | under 1
# 7 5:if `kind == "group"` -> else ['none' == 'group' F] | in 18.0 2.1 | f | under 6
# 8 6:if `k == 1` -> then [1 == 1 T] m0 | in 18.0 2.1 | f | under 7
# 9 4:if `kind == "value"` -> else ['none' == 'value' F] | in 18.0 2.2 | f | under 1
# 10 5:if `kind == "group"` -> else ['none' == 'group' F] | in 18.0 2.2 | f | under 9
# 11 6:if `k == 1` -> else [2 == 1 F] m-1 | in 18.0 2.2 | f | under 10
# 12 7:if `k == 2` -> then [2 == 2 T] m0 | in 18.0 2.2 | f | under 11
# 13 2:for `for k in range(3)` -> loop x3 exhausted | in 18.1 | f | under 0
# 14 4:if `kind == "value"` -> then ['value' == 'value' T] | in 18.1 2.0 | f | under 13
# 15 3:try `try` -> except* ValueError !ExceptionGroup | in 18.1 2.0 | f | under 13
# 16 4:if `kind == "value"` -> then ['value' == 'value' T] | in 18.1 2.1 | f | under 13
# 17 3:try `try` -> except* ValueError !ExceptionGroup | in 18.1 2.1 | f | under 13
# 18 4:if `kind == "value"` -> then ['value' == 'value' T] | in 18.1 2.2 | f | under 13
# 19 3:try `try` -> except* ValueError !ExceptionGroup | in 18.1 2.2 | f | under 13
# 20 2:for `for k in range(3)` -> loop x3 exhausted | in 18.2 | f | under 0
# 21 4:if `kind == "value"` -> else ['group' == 'value' F] | in 18.2 2.0 | f | under 20
# 22 5:if `kind == "group"` -> then ['group' == 'group' T] | in 18.2 2.0 | f | under 21
# 23 3:try `try` -> except* ValueError !ExceptionGroup | in 18.2 2.0 | f | under 20
# 24 3:try `try` -> except* (KeyError, TypeError) !ExceptionGroup | in 18.2 2.0 | f | under 20
# 25 4:if `kind == "value"` -> else ['group' == 'value' F] | in 18.2 2.1 | f | under 20
# 26 5:if `kind == "group"` -> then ['group' == 'group' T] | in 18.2 2.1 | f | under 25
# 27 3:try `try` -> except* ValueError !ExceptionGroup | in 18.2 2.1 | f | under 20
# 28 3:try `try` -> except* (KeyError, TypeError) !ExceptionGroup | in 18.2 2.1 | f | under 20
# 29 4:if `kind == "value"` -> else ['group' == 'value' F] | in 18.2 2.2 | f | under 20
# 30 5:if `kind == "group"` -> then ['group' == 'group' T] | in 18.2 2.2 | f | under 29
# 31 3:try `try` -> except* ValueError !ExceptionGroup | in 18.2 2.2 | f | under 20
# 32 3:try `try` -> except* (KeyError, TypeError) !ExceptionGroup | in 18.2 2.2 | f | under 20
