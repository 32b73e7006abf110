class Table:
    rows = []
    for k in range(3):
        if k == 1: continue
        rows.append(k if k else "zero")
    else:
        done = True
    if done and rows:
        def show(self): return [r for r in self.rows if r != "zero"] or None
    elif not rows:
        show = None
    try:
        missing
    except NameError:
        size = len(rows) if rows else 0
    class Inner:
        big = 3 > 2 if sorted else 0
        while not big: big = 1
    squares = {k: v for k, v in zip("ab", range(3)) if v}
print(Table().show(), Table.size, Table.Inner.big, Table.squares)
class Meta(type):
    def __new__(m, name, bases, ns, flag=False):
        if flag and not ns.get("x"): ns["x"] = 1
        return super().__new__(m, name, bases, ns)
    def __bool__(cls): return hasattr(cls, "x")
class A(metaclass=Meta, flag=1 > 0): pass
class B(metaclass=Meta): pass
print("A" if A else "", "B" if B else "", A and B and 1, not B)

# ----
# 0 3:for `for k in range(3)` -> loop x3 exhausted
# 1 4:if `k == 1` -> else [0 == 1 F] m-1 | in 3.0 | under 0
# 2 5:ifexp `k` -> else [k=0 F] m0 | in 3.0 | under 1
# 3 4:if `k == 1` -> then [1 == 1 T] m0 | in 3.1 | under 0
# 4 4:if `k == 1` -> else [2 == 1 F] m-1 | in 3.2 | under 0
# 5 5:ifexp `k` -> then [k=2 T] m2 | in 3.2 | under 4
# 6 8:if `done and rows` -> then [done=True T, rows=list of 2 T]
# 7 12:try `try` -> except NameError !NameError
# 8 15:ifexp `rows` -> then [rows=list of 2 T] | under 7
# 9 17:ifexp `sorted` -> then [sorted=builtin_function_or_method T]
# 10 18:while `not big` -> exit #0 [big=True T]
# 11 19:comp `for k, v in zip("ab", range(3))` -> loop x2 exhausted
# 12 19:compif `v` -> drop [v=0 F] m0 | in 19.0 | under 11
# 13 19:compif `v` -> keep [v=1 T] m1 | in 19.1 | under 11
# 14 9:comp `for r in self.rows` -> loop x2 exhausted | Table.show
# 15 9:compif `r != "zero"` -> drop ['zero' != 'zero' F] | in 9.0 | Table.show | under 14
# 16 9:compif `r != "zero"` -> keep [2 != 'zero' T] | in 9.1 | Table.show | under 14
# 17 9:or `[r for r in self.rows if r != "zero"] or None` -> short [[r for r in self.rows if r != "zero"]=list of 1 T] | Table.show
# 18 23:if `flag and not ns.get("x")` -> then [flag=True T, ns.get("x")=None F] | Meta.__new__
# 19 23:if `flag and not ns.get("x")` -> else [flag=False F] | Meta.__new__
# 20 28:ifexp `A` -> then [A=Meta T]
# 21 28:ifexp `B` -> else [B=Meta F]
# 22 28:and `A and B and 1` -> short [A=Meta T, B=Meta F]
