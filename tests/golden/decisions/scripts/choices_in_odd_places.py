import dyncore as torch  # input: [1.0, -2.0, 3.0]
import functools, contextlib
from dataclasses import dataclass, field
C = True
class A: pass
class B(ValueError): pass
@(functools.cache if C else (lambda f: f))
def cached(n): return n and cached(n - 1) + 1
class D(A if C else B, metaclass=type if C else None):
    vals = {k: v for k, v in zip("ab", (0, 1)) if v}
    if vals: z = 1
    for q in range(2):
        if q: w = q
    def m(self, k=1 if C else 2): return k
@dataclass
class P:
    x: object
    y: float = field(default_factory=lambda: 1.0 if C else 2.0)
    def __post_init__(self):
        if self.y > 0: self.x = self.x * 2
    @functools.cached_property
    def big(self): return bool(self.x.sum() > 3)
@functools.singledispatch
def show(v): return 0 if v is None else 1
@show.register
def _(v: int): return 2 if v > 1 else 3
class Miss(dict):
    def __missing__(self, k): return 5 if k == "q" else 6
class O: pass
def pick(c, v):
    try:
        raise B if c else KeyError("k")
    except (B if c else KeyError) as e:
        return v if isinstance(e, B) else -v
def forward(x):
    p = P(x)
    a = cached(2)
    if p.big or p.big: a += 1
    a += show(None) + show(2) + show("s")
    a += Miss()["q" if a else "r"]
    o = O(); d = {}
    for o.i in range(2):
        if o.i: d["k"] = o.i
    for d["k"], *r in [(1, 2), (3,)]:
        if r: a += 1
    with contextlib.ExitStack() as st:
        for k in (1, 0):
            if k: st.callback(lambda k=k: k or 1)
    y = pick(x[0] > 0, x) if a else None
    t = [f for f in (lambda v: v > 0, lambda v: v < 0) if f(x[1])]
    u = x[1 if a > 100 else 0:2 if len(t) else 3]
    v = [[c for c in (1, 2) if c > r] for r in (0, 1)]
    g = (e for e in x if e > 0)
    for e in g:
        if e > 0: break
    rest = sum(1 for _ in g)
    w = a if x[0] < 0 else 7 if x[1] > 0 else 8 if x[2] > 5 else 9
    print(*(s for s in "ab" if s > "a"), sep="" if rest else " ")
    n = (lambda *q, k=None: k if k else len(q))(*(1, 2), k=0)
    return y * w + (u.sum() if n else 0)

# ----
# 0 7 ifexp then load | true T
# 1 9 ifexp then load | true T
# 2 9 ifexp then load | true T
# 3 10 comp loop x2 exhausted load
# 4 10 compif drop in 10.0 u3 load | 0 F m0
# 5 10 compif keep in 10.1 u3 load | 1 T m1
# 6 11 if then load | {"type": "dict", "len": 1} T
# 7 12 for loop x2 exhausted load
# 8 13 if else in 12.0 u7 load | 0 F m0
# 9 13 if then in 12.1 u7 load | 1 T m1
# 10 14 ifexp then load | true T
# 0 18 ifexp then @forward>P.<lambda> | true T
# 1 20 if then @forward>P.__post_init__ | 1.0 > 0 T m1
# 2 8 and rest @forward>cached | 2 T m2
# 3 8 and rest @forward>cached>cached r1 u2 | 1 T m1
# 4 8 and short @forward>cached>cached>cached r2 u3 | 0 F m0
# 5 38 if then scalar~ @forward <gt | 4.0 > 3 T m1
# 6 24 ifexp then @forward>show | null is null T
# 7 26 ifexp then @forward>_ | 2 > 1 T m1
# 8 24 ifexp else @forward>show | "s" is null F
# 9 40 ifexp then @forward | 6 T m6
# 10 28 ifexp then @forward>Miss.__missing__ | "q" == "q" T
# 11 42 for loop x2 exhausted @forward
# 12 43 if else in 42.0 @forward u11 | 0 F m0
# 13 43 if then in 42.1 @forward u11 | 1 T m1
# 14 44 for loop x2 exhausted @forward
# 15 45 if then in 44.0 @forward u14 | {"type": "list", "len": 1} T
# 16 45 if else in 44.1 @forward u14 | {"type": "list", "len": 0} F
# 17 47 for loop x2 exhausted @forward
# 18 48 if then in 47.0 @forward u17 | 1 T m1
# 19 48 if else in 47.1 @forward u17 | 0 F m0
# 20 48 or short @forward>forward.<locals>.<lambda> | 1 T m1
# 21 49 ifexp then @forward | 12 T m12
# 22 32 ifexp then tensor @forward>pick u21 <gt | true T
# 23 33 ifexp then tensor @forward>pick u21 <gt | true T
# 24 31 try except B if c else KeyError @forward>pick u21 !B
# 25 34 ifexp then @forward>pick u24 | true T
# 26 50 comp loop x2 exhausted @forward
# 27 50 compif drop tensor in 50.0 @forward u26 <gt | -2.0 > 0 F m-2
# 28 50 compif keep tensor in 50.1 @forward u26 <lt | -2.0 < 0 T m2
# 29 51 ifexp else @forward | 12 > 100 F m-88
# 30 51 ifexp then scalar~ @forward <lt | 1 T m1
# 31 52 comp loop x2 exhausted @forward
# 32 52 comp loop x2 exhausted in 52.0 @forward u31
# 33 52 compif keep in 52.0,52.0 @forward u32 | 1 > 0 T m1
# 34 52 compif keep in 52.0,52.1 @forward u32 | 2 > 0 T m2
# 35 52 comp loop x2 exhausted in 52.1 @forward u31
# 36 52 compif drop in 52.1,52.0 @forward u35 | 1 > 1 F m0
# 37 52 compif keep in 52.1,52.1 @forward u35 | 2 > 1 T m1
# 38 53 comp loop shape x3 exhausted @forward
# 39 54 for loop scalar~ x1 break @forward <gt
# 40 53 compif keep tensor in 53.0 @forward u38 <gt | 1.0 > 0 T m1
# 41 55 if then tensor in 54.0 @forward u39 <gt | 1.0 > 0 T m1
# 42 56 comp loop scalar~ x1 exhausted @forward <gt
# 43 53 compif drop tensor in 53.1 @forward u38 <gt | -2.0 > 0 F m-2
# 44 53 compif keep tensor in 53.2 @forward u38 <gt | 3.0 > 0 T m3
# 45 57 ifexp else tensor @forward <lt | 1.0 < 0 F m-1
# 46 57 ifexp else tensor @forward u45 <gt | -2.0 > 0 F m-2
# 47 57 ifexp else tensor @forward u46 <gt | 3.0 > 5 F m-2
# 48 58 comp loop x2 exhausted @forward
# 49 58 ifexp then scalar~ @forward <gt | 1 T m1
# 50 58 compif drop in 58.0 @forward u48 | "a" > "a" F
# 51 58 compif keep in 58.1 @forward u48 | "b" > "a" T
# 52 59 ifexp else @forward>forward.<locals>.<lambda> | 0 F m0
# 53 60 ifexp then @forward | 2 T m2
