def f(n):
    try:
        try:
            if n == 0: raise KeyError("k")
            if n == 1: raise ValueError("v")
            return "none"
        except KeyError as e:
            if e.args: raise RuntimeError("r") from e
        finally:
            if n == 3: raise TypeError("t")
    except (RuntimeError, TypeError) as e:
        return type(e.__cause__ or e.__context__).__name__ if e else ""
    except Exception:
        raise
    else:
        return "else"
for n in range(4):
    try: print(f(n))
    except ValueError as e: print("outer", e, e.__context__ is None)
def deep(n):
    if n > 0: return deep(n - 1)
    raise IndexError
try: deep(3)
except LookupError as e:
    tb, depth = e.__traceback__, 0
    while tb.tb_next:
        tb, depth = tb.tb_next, depth + 1
    print(depth, tb.tb_frame.f_code.co_name)
try:
    try: raise OSError
    except ValueError: print("no")
    except: print("bare"); raise
except OSError: print("again")

# ----
# 0 17:for `for n in range(4)` -> loop x4 exhausted
# 1 4:if `n == 0` -> then [0 == 0 T] m0 | in 17.0 | f | under 0
# 2 3:try `try` -> except KeyError !KeyError | in 17.0 | f | under 0
# 3 8:if `e.args` -> then [e.args=('k',) T] | in 17.0 | f | under 2
# 4 10:if `n == 3` -> else [0 == 3 F] m-3 | in 17.0 | f | under 0
# 5 2:try `try` -> except (RuntimeError, TypeError) !RuntimeError | in 17.0 | f | under 0
# 6 12:ifexp `e` -> then [e=RuntimeError T] | in 17.0 | f | under 5
# 7 12:or `e.__cause__ or e.__context__` -> short [e.__cause__=KeyError T] | in 17.0 | f | under 6
# 8 4:if `n == 0` -> else [1 == 0 F] m-1 | in 17.1 | f | under 0
# 9 5:if `n == 1` -> then [1 == 1 T] m0 | in 17.1 | f | under 8
# 10 10:if `n == 3` -> else [1 == 3 F] m-2 | in 17.1 | f | under 0
# 11 2:try `try` -> except Exception !ValueError | in 17.1 | f | under 0
# 12 18:try `try` -> except ValueError !ValueError | in 17.1 | under 0
# 13 4:if `n == 0` -> else [2 == 0 F] m-2 | in 17.2 | f | under 0
# 14 5:if `n == 1` -> else [2 == 1 F] m-1 | in 17.2 | f | under 13
# 15 10:if `n == 3` -> else [2 == 3 F] m-1 | in 17.2 | f | under 0
# 16 4:if `n == 0` -> else [3 == 0 F] m-3 | in 17.3 | f | under 0
# 17 5:if `n == 1` -> else [3 == 1 F] m-2 | in 17.3 | f | under 16
# 18 10:if `n == 3` -> then [3 == 3 T] m0 | in 17.3 | f | under 0
# 19 2:try `try` -> except (RuntimeError, TypeError) !TypeError | in 17.3 | f | under 0
# 20 12:ifexp `e` -> then [e=TypeError T] | in 17.3 | f | under 19
# 21 12:or `e.__cause__ or e.__context__` -> rest [e.__cause__=None F] | in 17.3 | f | under 20
# 22 21:if `n > 0` -> then [3 > 0 T] m3 | deep
# 23 21:if `n > 0` -> then [2 > 0 T] m2 | deep deep r1 | under 22
# 24 21:if `n > 0` -> then [1 > 0 T] m1 | deep deep deep r2 | under 23
# 25 21:if `n > 0` -> else [0 > 0 F] m0 | deep deep deep deep r3 | under 24
# 26 23:try `try` -> except LookupError !IndexError
# 27 26:while `tb.tb_next` -> body #0 [tb.tb_next=traceback T] | under 26
# 28 26:while `tb.tb_next` -> body #1 [tb.tb_next=traceback T] | under 26
# 29 26:while `tb.tb_next` -> body #2 [tb.tb_next=traceback T] | under 26
# 30 26:while `tb.tb_next` -> body #3 [tb.tb_next=traceback T] | under 26
# 31 26:while `tb.tb_next` -> exit #4 [tb.tb_next=None F] | under 26
# 32 30:try `try` -> except !OSError
# 33 29:try `try` -> except OSError !OSError
