space = {"n": 3}
exec("m = 0\nwhile m < n:\n    m += 1\n    if m == 2: break", space)
if eval("m == 2 and n > 2", space): print("eval")
code = compile("r = [v for v in range(4) if v % 2]", "made.py", "exec")
exec(code, space)
f = eval("lambda v: 'p' if v > 0 else 'n'")
print(space["r"], f(1) if f(-1) == "n" else 0)
def local():
    a = 2
    exec("b = a if a > 1 else 0")
    return eval("a > 1") and sorted(k for k in ("a", "b") if k != "b")
print(local(), [eval("v > 1") for v in range(3)], __name__ if "__file__" in globals() else "")

# ----
# 0 3:if `eval("m == 2 and n > 2", space)` -> then [eval("m == 2 and n > 2", space)=True T]
# 1 7:ifexp `f(-1) == "n"` -> then ['n' == 'n' T]
# 2 11:and `eval("a > 1") and sorted(k for k in ("a", "b") if k != "b")` -> rest [eval("a > 1")=True T] | local
# 3 11:comp `for k in ("a", "b")` -> loop x2 exhausted | local | under 2
# 4 11:compif `k != "b"` -> keep ['a' != 'b' T] | in 11.0 | local | under 3
# 5 11:compif `k != "b"` -> drop ['b' != 'b' F] | in 11.1 | local | under 3
# 6 12:comp `for v in range(3)` -> loop x3 exhausted
# 7 12:ifexp `"__file__" in globals()` -> then ['__file__' in dict of 7 T]
