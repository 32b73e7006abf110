def t(v): print("t", v); return v
print(t(0) or t("") or t(None), t(1) and t(2) and t(0), t(0) and t(1) or t(2), (t(0) or t(3)) and t(4))
x = t(1) and (t(0) or t(5)) and not t(0)
y = [] or {} or (t(0) and 1) or "end"
z = (lambda: t(0) or t(7))() and t(8)
print(x, y, z, 1 and 2 or 3, None or t(9) if t(0) or t(1) else t(10))
d = {"k": t(0) or "d", **(t({}) or {"e": 1})}
print(d["k"] and d.get("z") or d["e"], d.get(t(0) or "e") and t("yes"))
if (t(0) or t(1)) and (t(2) and t(0) or t(3)): print("in")
def f(a=t(0) or 4, *, b=not t(1)): return a and b
print(f(), f(b=1), not f(1, b=0) and "n")
x = x or t("kept"); x = x and t("kept2")
while t(0) or x and t(0): pass
return_value = [t(v) or -1 for v in (0, 1) if t(v) or v == 0]
print(return_value)

# ----
# 0 2:or `t(0) or t("") or t(None)` -> rest [t(0)=0 F, t("")='' F] m0
# 1 2:and `t(1) and t(2) and t(0)` -> rest [t(1)=1 T, t(2)=2 T] m1
# 2 2:and `t(0) and t(1)` -> short [t(0)=0 F] m0
# 3 2:or `t(0) and t(1) or t(2)` -> rest [t(0) and t(1)=0 F] m0
# 4 2:or `t(0) or t(3)` -> rest [t(0)=0 F] m0
# 5 2:and `(t(0) or t(3)) and t(4)` -> rest [t(0) or t(3)=3 T] m3
# 6 3:or `t(0) or t(5)` -> rest [t(0)=0 F] m0
# 7 3:and `t(1) and (t(0) or t(5)) and not t(0)` -> rest [t(1)=1 T, t(0) or t(5)=5 T] m1
# 8 4:and `t(0) and 1` -> short [t(0)=0 F] m0
# 9 4:or `[] or {} or (t(0) and 1) or "end"` -> rest [[]=list of 0 F, {}=dict of 0 F, t(0) and 1=0 F] m0
# 10 5:or `t(0) or t(7)` -> rest [t(0)=0 F] m0 | <lambda>
# 11 5:and `(lambda: t(0) or t(7))() and t(8)` -> rest [(lambda: t(0) or t(7))()=7 T] m7
# 12 6:ifexp `t(0) or t(1)` -> then [t(0)=0 F, t(1)=1 T] m1
# 13 7:or `t(0) or "d"` -> rest [t(0)=0 F] m0
# 14 7:or `t({}) or {"e": 1}` -> rest [t({})=dict of 0 F]
# 15 8:and `d["k"] and d.get("z")` -> rest [d["k"]='d' T]
# 16 8:or `d["k"] and d.get("z") or d["e"]` -> rest [d["k"] and d.get("z")=None F]
# 17 8:or `t(0) or "e"` -> rest [t(0)=0 F] m0
# 18 8:and `d.get(t(0) or "e") and t("yes")` -> rest [d.get(t(0) or "e")=1 T] m1
# 19 9:if `(t(0) or t(1)) and (t(2) and t(0) or t(3))` -> then [t(0)=0 F, t(1)=1 T, t(2)=2 T, t(0)=0 F, t(3)=3 T] m1
# 20 10:or `t(0) or 4` -> rest [t(0)=0 F] m0
# 21 10:and `a and b` -> rest [a=4 T] m4 | f
# 22 10:and `a and b` -> rest [a=4 T] m4 | f
# 23 10:and `a and b` -> rest [a=1 T] m1 | f
# 24 11:and `not f(1, b=0) and "n"` -> rest [not f(1, b=0)=True T]
# 25 12:or `x or t("kept")` -> short [x=True T]
# 26 12:and `x and t("kept2")` -> rest [x=True T]
# 27 13:while `t(0) or x and t(0)` -> exit #0 [t(0)=0 F, x='kept2' T, t(0)=0 F] m0
# 28 14:comp `for v in (0, 1)` -> loop x2 exhausted
# 29 14:compif `t(v) or v == 0` -> keep [t(v)=0 F, 0 == 0 T] m0 | in 14.0 | under 28
# 30 14:or `t(v) or -1` -> rest [t(v)=0 F] m0 | in 14.0 | under 29
# 31 14:compif `t(v) or v == 0` -> keep [t(v)=1 T] m1 | in 14.1 | under 28
# 32 14:or `t(v) or -1` -> short [t(v)=1 T] m1 | in 14.1 | under 31
