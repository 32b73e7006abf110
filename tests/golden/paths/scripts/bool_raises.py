class Bad:
    def __bool__(self): raise TypeError("no truth")
    def __len__(self): return 1
    def __eq__(self, o): raise ValueError("no eq")
    __hash__ = None
class Two:
    def __bool__(self): return 2
class Empty:
    def __len__(self): return -1
def trial(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
bad = Bad()
def w():
    while bad: pass
def i():
    if not bad: return 1
def k(): return [x for x in (1, bad) if x]
def c(): return 0 < bad < 3
def d(): return bad == 1 or 2
def e():
    if 1 and bad and 2: pass
def a(): assert bad, "x"
def m():
    match 3:
        case n if bad: return n
def t(): return 1 if Two() else 0
def l(): return Empty() and 1
def o(): return (0 or bad) is bad, (1 and bad) is bad
for f in (w, i, k, c, d, e, a, m, t, l, o): trial(f)

# ----
# 0 30:for `for f in (w, i, k, c, d, e, a, m, t, l, o)` -> loop x11 exhausted
# 1 15:while `bad` -> raise #0 !TypeError [bad=Bad F] | in 30.0 | trial w | under 0
# 2 11:try `try` -> except Exception !TypeError | in 30.0 | trial | under 0
# 3 17:if `not bad` -> raise !TypeError [bad=Bad F] | in 30.1 | trial i | under 0
# 4 11:try `try` -> except Exception !TypeError | in 30.1 | trial | under 0
# 5 18:comp `for x in (1, bad)` -> loop x2 raise | in 30.2 | trial k | under 0
# 6 18:compif `x` -> keep [x=1 T] m1 | in 30.2 18.0 | trial k | under 5
# 7 18:compif `x` -> raise !TypeError [x=Bad F] | in 30.2 18.1 | trial k | under 5
# 8 11:try `try` -> except Exception !TypeError | in 30.2 | trial | under 0
# 9 19:and `0 < bad < 3` -> raise !TypeError [0 < Bad F] | in 30.3 | trial c | under 0
# 10 11:try `try` -> except Exception !TypeError | in 30.3 | trial | under 0
# 11 20:or `bad == 1 or 2` -> raise !ValueError [Bad == 1 F] | in 30.4 | trial d | under 0
# 12 11:try `try` -> except Exception !ValueError | in 30.4 | trial | under 0
# 13 22:if `1 and bad and 2` -> raise !TypeError [bad=Bad F] | in 30.5 | trial e | under 0
# 14 11:try `try` -> except Exception !TypeError | in 30.5 | trial | under 0
# 15 23:assert `bad` -> raise !TypeError [bad=Bad F] | in 30.6 | trial a | under 0
# 16 11:try `try` -> except Exception !TypeError | in 30.6 | trial | under 0
# 17 26:guard `bad` -> raise !TypeError [bad=Bad F] | in 30.7 | trial m | under 0
# 18 11:try `try` -> except Exception !TypeError | in 30.7 | trial | under 0
# 19 27:ifexp `Two()` -> raise !TypeError [Two()=Two F] | in 30.8 | trial t | under 0
# 20 11:try `try` -> except Exception !TypeError | in 30.8 | trial | under 0
# 21 28:and `Empty() and 1` -> raise !ValueError [Empty()=Empty F] | in 30.9 | trial l | under 0
# 22 11:try `try` -> except Exception !ValueError | in 30.9 | trial | under 0
