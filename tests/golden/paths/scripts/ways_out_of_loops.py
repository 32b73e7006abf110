def deep(n):
    for i in range(9):
        for j in [0, 1]:
            while j:
                if i == n: raise LookupError(i)
                j = 0
def loops_raise(x):
    for n in (1,):
        try: deep(n)
        except (KeyError, LookupError): continue
        if n: x = -x
    return x
def first(xs):
    for v in xs:
        try:
            return [v, 1 / v][1]
        except ZeroDivisionError:
            if len(xs) > 1: continue
            return 0
        finally:
            if v: pass
def try_in_loop_returns(x):
    return x * first([0, 2]) * (first([0]) or 1)
def for_else_nested_try(x):
    out = []
    for k in (0, 1, 2, 3):
        try:
            v = 6 / k
        except ZeroDivisionError:
            continue
        else:
            if v == 3.0:
                break
        finally:
            out.append(k)
    else:
        x = x * 0
    return x if out == [0, 1, 2] else -x
def try_nested_loops(x):
    n = 0
    while n < 3:
        try:
            n += 1
            if n == 1: continue
            if n == 2: raise ValueError
            break
        except ValueError:
            if n: continue
        finally:
            if n == 3: x = x * 2
    else:
        x = -x
    return x
def nested_break_else(x):
    for i in range(3):
        for j in range(3):
            if i == 1 and j == 1:
                break
        else:
            continue
        break
    else:
        x = x * 0
    return x
def while_true(x):
    k = 0
    while True:
        k += 1
        if k == 2: continue
        if k > 2: break
    while 1:
        return x if k else -x
print(loops_raise(1.0), try_in_loop_returns(1.0), for_else_nested_try(1.0), try_nested_loops(1.0), nested_break_else(1.0), while_true(1.0))

# ----
# 0 8:for `for n in (1,)` -> loop x1 exhausted | loops_raise
# 1 2:for `for i in range(9)` -> loop x2 raise | in 8.0 | loops_raise deep | under 0
# 2 3:for `for j in [0, 1]` -> loop x2 exhausted | in 8.0 2.0 | loops_raise deep | under 1
# 3 4:while `j` -> exit #0 [j=0 F] m0 | in 8.0 2.0 3.0 | loops_raise deep | under 2
# 4 4:while `j` -> body #0 [j=1 T] m1 | in 8.0 2.0 3.1 | loops_raise deep | under 2
# 5 5:if `i == n` -> else [0 == 1 F] m-1 | in 8.0 2.0 3.1 4.0 | loops_raise deep | under 4
# 6 4:while `j` -> exit #1 [j=0 F] m0 | in 8.0 2.0 3.1 | loops_raise deep | under 2
# 7 3:for `for j in [0, 1]` -> loop x2 raise | in 8.0 2.1 | loops_raise deep | under 1
# 8 4:while `j` -> exit #0 [j=0 F] m0 | in 8.0 2.1 3.0 | loops_raise deep | under 7
# 9 4:while `j` -> body #0 [j=1 T] m1 | in 8.0 2.1 3.1 | loops_raise deep | under 7
# 10 5:if `i == n` -> then [1 == 1 T] m0 | in 8.0 2.1 3.1 4.0 | loops_raise deep | under 9
# 11 9:try `try` -> except (KeyError, LookupError) !LookupError | in 8.0 | loops_raise | under 0
# 12 14:for `for v in xs` -> loop x2 return | try_in_loop_returns first
# 13 15:try `try` -> except ZeroDivisionError !ZeroDivisionError | in 14.0 | try_in_loop_returns first | under 12
# 14 18:if `len(xs) > 1` -> then [2 > 1 T] m1 | in 14.0 | try_in_loop_returns first | under 13
# 15 21:if `v` -> else [v=0 F] m0 | in 14.0 | try_in_loop_returns first | under 12
# 16 21:if `v` -> then [v=2 T] m2 | in 14.1 | try_in_loop_returns first | under 12
# 17 14:for `for v in xs` -> loop x1 return | try_in_loop_returns first
# 18 15:try `try` -> except ZeroDivisionError !ZeroDivisionError | in 14.0 | try_in_loop_returns first | under 17
# 19 18:if `len(xs) > 1` -> else [1 > 1 F] m0 | in 14.0 | try_in_loop_returns first | under 18
# 20 21:if `v` -> else [v=0 F] m0 | in 14.0 | try_in_loop_returns first | under 17
# 21 23:or `first([0]) or 1` -> rest [first([0])=0 F] m0 | try_in_loop_returns
# 22 26:for `for k in (0, 1, 2, 3)` -> loop x3 break | for_else_nested_try
# 23 27:try `try` -> except ZeroDivisionError !ZeroDivisionError | in 26.0 | for_else_nested_try | under 22
# 24 32:if `v == 3.0` -> else [6.0 == 3.0 F] m-3 | in 26.1 | for_else_nested_try | under 22
# 25 32:if `v == 3.0` -> then [3.0 == 3.0 T] m0 | in 26.2 | for_else_nested_try | under 22
# 26 38:ifexp `out == [0, 1, 2]` -> then [list of 3 == list of 3 T] | for_else_nested_try
# 27 41:while `n < 3` -> body #0 [0 < 3 T] m3 | try_nested_loops
# 28 44:if `n == 1` -> then [1 == 1 T] m0 | in 41.0 | try_nested_loops | under 27
# 29 50:if `n == 3` -> else [1 == 3 F] m-2 | in 41.0 | try_nested_loops | under 27
# 30 41:while `n < 3` -> body #1 [1 < 3 T] m2 | try_nested_loops
# 31 44:if `n == 1` -> else [2 == 1 F] m-1 | in 41.1 | try_nested_loops | under 30
# 32 45:if `n == 2` -> then [2 == 2 T] m0 | in 41.1 | try_nested_loops | under 31
# 33 42:try `try` -> except ValueError !ValueError | in 41.1 | try_nested_loops | under 30
# 34 48:if `n` -> then [n=2 T] m2 | in 41.1 | try_nested_loops | under 33
# 35 50:if `n == 3` -> else [2 == 3 F] m-1 | in 41.1 | try_nested_loops | under 30
# 36 41:while `n < 3` -> body #2 [2 < 3 T] m1 | try_nested_loops
# 37 44:if `n == 1` -> else [3 == 1 F] m-2 | in 41.2 | try_nested_loops | under 36
# 38 45:if `n == 2` -> else [3 == 2 F] m-1 | in 41.2 | try_nested_loops | under 37
# 39 50:if `n == 3` -> then [3 == 3 T] m0 | in 41.2 | try_nested_loops | under 36
# 40 55:for `for i in range(3)` -> loop x2 break | nested_break_else
# 41 56:for `for j in range(3)` -> loop x3 exhausted | in 55.0 | nested_break_else | under 40
# 42 57:if `i == 1 and j == 1` -> else [0 == 1 F] m-1 | in 55.0 56.0 | nested_break_else | under 41
# 43 57:if `i == 1 and j == 1` -> else [0 == 1 F] m-1 | in 55.0 56.1 | nested_break_else | under 41
# 44 57:if `i == 1 and j == 1` -> else [0 == 1 F] m-1 | in 55.0 56.2 | nested_break_else | under 41
# 45 56:for `for j in range(3)` -> loop x2 break | in 55.1 | nested_break_else | under 40
# 46 57:if `i == 1 and j == 1` -> else [1 == 1 T, 0 == 1 F] m-1 | in 55.1 56.0 | nested_break_else | under 45
# 47 57:if `i == 1 and j == 1` -> then [1 == 1 T, 1 == 1 T] m0 | in 55.1 56.1 | nested_break_else | under 45
# 48 69:if `k == 2` -> else [1 == 2 F] m-1 | in 67.0 | while_true
# 49 70:if `k > 2` -> else [1 > 2 F] m-1 | in 67.0 | while_true | under 48
# 50 69:if `k == 2` -> then [2 == 2 T] m0 | in 67.1 | while_true
# 51 69:if `k == 2` -> else [3 == 2 F] m-1 | in 67.2 | while_true
# 52 70:if `k > 2` -> then [3 > 2 T] m1 | in 67.2 | while_true | under 51
# 53 72:ifexp `k` -> then [k=3 T] m3 | in 71.0 | while_true
