d = {"n": 0, "xs": [3, 1]}
while d["n"] < 2: d["n"] += 1 if d["n"] else 1
xs = d["xs"]
xs[0 if xs[0] > xs[1] else 1] *= 2 if len(xs) == 2 else 3
xs[slice(*(0, 1) if xs else (1, 2))] = [9] if 9 not in xs else []
del xs[-1 if xs else 0]
print(d, xs[0] if xs else None, xs and xs[-1] or "none")
a = b = 3 if d else 4
a, b = (b, a) if a != b else (a + 1, b)
(lambda **k: print(k if k else 0))(**{"q": a} if a > b else {})
print(a if a > b else b, [*"ab"][1 if a else 0], {1: "x" if b else "y"}[1], (a > b) + (a < b))
print((a, b)[a > b], "abc"[(a > b) : 3 if b else 1], not a > b, ~a if a else 0)

# ----
# 0 2:while `d["n"] < 2` -> body #0 [0 < 2 T] m2
# 1 2:ifexp `d["n"]` -> else [d["n"]=0 F] m0 | in 2.0 | under 0
# 2 2:while `d["n"] < 2` -> body #1 [1 < 2 T] m1
# 3 2:ifexp `d["n"]` -> then [d["n"]=1 T] m1 | in 2.1 | under 2
# 4 2:while `d["n"] < 2` -> exit #2 [2 < 2 F] m0
# 5 4:ifexp `xs[0] > xs[1]` -> then [3 > 1 T] m2
# 6 4:ifexp `len(xs) == 2` -> then [2 == 2 T] m0
# 7 5:ifexp `9 not in xs` -> then [9 not in list of 2 T]
# 8 5:ifexp `xs` -> then [xs=list of 2 T]
# 9 6:ifexp `xs` -> then [xs=list of 2 T]
# 10 7:ifexp `xs` -> then [xs=list of 1 T]
# 11 7:and `xs and xs[-1]` -> rest [xs=list of 1 T]
# 12 7:or `xs and xs[-1] or "none"` -> short [xs and xs[-1]=9 T] m9
# 13 8:ifexp `d` -> then [d=dict of 2 T]
# 14 9:ifexp `a != b` -> else [3 != 3 F] m0
# 15 10:ifexp `a > b` -> then [4 > 3 T] m1
# 16 10:ifexp `k` -> then [k=dict of 1 T] | <lambda>
# 17 11:ifexp `a > b` -> then [4 > 3 T] m1
# 18 11:ifexp `a` -> then [a=4 T] m4
# 19 11:ifexp `b` -> then [b=3 T] m3
# 20 12:ifexp `b` -> then [b=3 T] m3
# 21 12:ifexp `a` -> then [a=4 T] m4
