def positive(x): return x > 0
def both(x, y): return positive(x) and positive(y)
ok = positive(3)
bad = not ok
flags = [positive(v) for v in (-1, 0, 1)]
if ok and not bad: print("ok")
if flags[0] or flags[2]: print("some")
for f in flags:
    if f: print("f")
state = {"on": ok}
while state["on"]:
    state["on"] = both(len(state), len(state) - 1)
print("done" if not (ok and bad) else "no", not (not ok or bad), (not ok) == bad)
if not (positive(1) and positive(-1) or not ok): print("de morgan")
for i in range(2):
    near = False
    if i == 0: near = i > 5
    elif near: print("near")
while (i := i - 1) > -2:
    late = False
    if i == 0: late = i > 5
    elif late: print("late")

# ----
# 0 5:comp `for v in (-1, 0, 1)` -> loop x3 exhausted
# 1 6:if `ok and not bad` -> then [ok=True T, bad=False F]
# 2 7:if `flags[0] or flags[2]` -> then [flags[0]=False F, flags[2]=True T]
# 3 8:for `for f in flags` -> loop x3 exhausted
# 4 9:if `f` -> else [f=False F] | in 8.0 | under 3
# 5 9:if `f` -> else [f=False F] | in 8.1 | under 3
# 6 9:if `f` -> then [f=True T] | in 8.2 | under 3
# 7 11:while `state["on"]` -> body #0 [state["on"]=True T]
# 8 2:and `positive(x) and positive(y)` -> rest [positive(x)=True T] | in 11.0 | both | under 7
# 9 11:while `state["on"]` -> exit #1 [state["on"]=False F]
# 10 13:ifexp `not (ok and bad)` -> then [ok=True T, bad=False F]
# 11 13:or `not ok or bad` -> rest [not ok=False F]
# 12 14:if `not (positive(1) and positive(-1) or not ok)` -> then [positive(1)=True T, positive(-1)=False F, ok=True T]
# 13 15:for `for i in range(2)` -> loop x2 exhausted
# 14 17:if `i == 0` -> then [0 == 0 T] m0 | in 15.0 | under 13
# 15 17:if `i == 0` -> else [1 == 0 F] m-1 | in 15.1 | under 13
# 16 18:elif `near` -> else [near=False F] | in 15.1 | under 15
# 17 19:while `(i := i - 1) > -2` -> body #0 [0 > -2 T] m2
# 18 21:if `i == 0` -> then [0 == 0 T] m0 | in 19.0 | under 17
# 19 19:while `(i := i - 1) > -2` -> body #1 [-1 > -2 T] m1
# 20 21:if `i == 0` -> else [-1 == 0 F] m-1 | in 19.1 | under 19
# 21 22:elif `late` -> else [late=False F] | in 19.1 | under 20
# 22 19:while `(i := i - 1) > -2` -> exit #2 [-2 > -2 F] m0
