import dyncore as torch  # input: [1.0, -1.0, 2.0]
import math, random, functools, operator, dataclasses, contextlib
import numpy as np
class Rows:
    def __init__(self, x): self.x = x
    def __iter__(self):
        for r in self.x:
            yield r.item() * 2
class Draw:
    def __next__(self): return self.x.sum().item() + 1
    def __iter__(self): return self
class Indexed:
    def __init__(self, x): self.x = x
    def __getitem__(self, i):
        if i > 1: raise IndexError
        return self.x[i].item() + 2
class Block(torch.nn.Module):
    def __init__(self, scale, depth=2):
        super().__init__()
        self.scale = scale
        self.inner = Inner()
        if scale > 0: pass
    def forward(self, x, gate, *more, limit=None, **rest):
        if gate > 0: pass
        if more[0] > 0: pass
        if limit > 0: pass
        if rest["z"] > 0: pass
        if self.inner(gate * 2) > 0: pass
        return x.sum().item() * 3
class Inner:
    def __call__(self, q):
        if q > 0: pass
        return q - 1
class Sub(Block): pass
def rows(x):
    for r in x:
        yield r.item() * 2
def through(x):
    yield from rows(x)
@contextlib.contextmanager
def measured(x):
    yield x.sum().item() * 2
def fill(out, x):
    out.append(x.sum().item() * 2)
def fill2(d, k, x):
    d[k] = x.sum().item() * 2
log = []
best = None
def note(x):
    log.append(x.sum().item() * 2)
def setbest(x):
    global best
    best = x.sum().item() * 2
class Bad(Exception): pass
class Worse(Bad):
    def __init__(self, value): self.value = value
def fails(x):
    raise Worse(x.sum().item() * 2)
def fails2(x):
    raise Bad("no", x.sum().item() * 2)
def make(x):
    s = x.sum().item()
    def inner(k):
        return s * k
    return inner
def makel(x):
    s = x.sum().item()
    return lambda k: s * k
class State:
    best = 0.0
    def update(self, x):
        self.best = max(self.best, x.sum().item() * 2)
        return self
def compare(a, b):
    if a > b: pass
    return a - b
def choose(x, how):
    return how(x)
TABLE = {"sum": lambda x: x.sum().item() * 2, "max": compare}
def recur(n, x):
    if n == 0: return x.sum().item() * 2
    return recur(n - 1, x)
def pair(x): return x.sum().item() * 2, "ok"
def default(x, v=None):
    if v is None: v = x.sum().item() * 2
    return v
class Tree:
    def __init__(self, v, kids=()): self.v, self.kids = v, kids
    def walk(self):
        yield self.v
        for k in self.kids: yield from k.walk()
    def depth(self):
        if self.v > 0: pass
        return 1 + max((k.depth() for k in self.kids), default=0)
def tree(x, n=2):
    return Tree(x.sum().item() * n, [tree(x, n - 1)] if n else [])
def forward(x):
    v = x.sum().item()
    for k in Rows(x):
        if k > 0: pass
    d = Draw(); d.x = x
    if next(d) > 0: pass
    for k in d:
        if k > 0: pass
        break
    for k in Indexed(x):
        if k > 0: pass
    for k in rows(x):
        if k > 0: pass
    for k in through(x):
        if k > 0: pass
    if sum(k for k in rows(x) if k) > 0: pass
    if max(rows(x)) > 0: pass
    with measured(x) as k:
        if k > 0: pass
    l = []
    fill(l, x)
    if l[0] > 0: pass
    m = {}
    fill2(m, "k", x)
    if m["k"] > 0: pass
    note(x)
    if log[0] > 0: pass
    setbest(x)
    if best > 0: pass
    try: fails(x)
    except Worse as e:
        if e.value > 0: pass
    try: fails(x)
    except Bad as e:
        if e.value > 0: pass
    try: fails2(x)
    except Exception as e:
        if e.args[1] > 0: pass
    if make(x)(2) > 0: pass
    g = make(x)
    if g(3) > 0: pass
    g = makel(x)
    if g(3) > 0: pass
    if State().update(x).best > 0: pass
    compare(v + 1, 2)
    if choose(x, lambda x: x.sum().item() * 2) > 0: pass
    if TABLE["sum"](x) > 0: pass
    if recur(2, x) > 0: pass
    s, ok = pair(x)
    if s > 0: pass
    if default(x) > 0: pass
    if default(x, v + 3) > 0: pass
    t = tree(x)
    for k in t.walk():
        if k > 0: pass
    t.depth()
    b = Block(v * 2)
    if b(x, v + 1, v + 2, limit=v + 3, z=v + 4) > 0: pass
    c = Sub(v * 3)
    c(x, v + 1, v + 2, limit=v + 3, z=v + 4)
    n = 0
    def visit():
        nonlocal n
        n += v
    visit()
    if n > 0: pass
    out = []
    def collect(k): out.append(k + v)
    collect(1)
    if out[0] > 0: pass
    f = functools.partial(compare, v + 1)
    if f(0.5) > 0: pass
    if (lambda k: k + v)(1) > 0: pass
    q = [(v + 1, "a"), (v + 2, "b")]
    for w, name in sorted(q, key=lambda p: -p[0]):
        if w > 0: pass
    for i, (w, name) in enumerate(q):
        if w > 0: pass
    a = np.array([v, v + 1])
    if a.max() > 0: pass
    if np.mean([v, v * 3]) > 0: pass
    w = {k: fv for k, fv in (("a", v + 1),)}
    if w["a"] > 0: pass
    hist = [v * i for i in range(3)]
    if hist[-1] > hist[-2]: pass
    prev, cur = 0.0, v + 1
    prev, cur = cur, prev
    if prev > 0: pass
    acc = 0.0
    for r in x.tolist(): acc += r
    if acc > 0: pass
    z = [0.0] * 3
    z[1] = v + 1
    if z[1] > 0: pass
    z[1:] = [v + 2]
    if z[1] > 0: pass
    return x

# ----
# 0 99 for loop x3 exhausted @forward
# 1 7 for loop shape x3 exhausted @forward>Rows.__iter__
# 2 100 if then scalar~ in 99.0 @forward u0 <unbind | 2.0 > 0 T m2
# 3 100 if else scalar~ in 99.1 @forward u0 <unbind | -2.0 > 0 F m-2
# 4 100 if then scalar~ in 99.2 @forward u0 <unbind | 4.0 > 0 T m4
# 5 102 if then scalar~ @forward <sum | 3.0 > 0 T m3
# 6 103 for loop x1 break @forward
# 7 104 if then scalar~ in 103.0 @forward u6 <sum | 3.0 > 0 T m3
# 8 106 for loop x2 exhausted @forward
# 9 15 if else @forward>Indexed.__getitem__ | 0 > 1 F m-1
# 10 107 if then scalar~ in 106.0 @forward u8 <getitem | 3.0 > 0 T m3
# 11 15 if else in 106.0 @forward>Indexed.__getitem__ u8 | 1 > 1 F m0
# 12 107 if then scalar~ in 106.1 @forward u8 <getitem | 1.0 > 0 T m1
# 13 15 if then in 106.1 @forward>Indexed.__getitem__ u8 | 2 > 1 T m1
# 14 108 for loop shape x3 exhausted @forward
# 15 36 for loop shape x3 exhausted @forward>rows
# 16 109 if then scalar~ in 108.0 @forward u14 <unbind | 2.0 > 0 T m2
# 17 109 if else scalar~ in 108.1 @forward u14 <unbind | -2.0 > 0 F m-2
# 18 109 if then scalar~ in 108.2 @forward u14 <unbind | 4.0 > 0 T m4
# 19 110 for loop shape x3 exhausted @forward
# 20 36 for loop shape x3 exhausted @forward>through>rows
# 21 111 if then scalar~ in 110.0 @forward u19 <unbind | 2.0 > 0 T m2
# 22 111 if else scalar~ in 110.1 @forward u19 <unbind | -2.0 > 0 F m-2
# 23 111 if then scalar~ in 110.2 @forward u19 <unbind | 4.0 > 0 T m4
# 24 112 comp loop shape x3 exhausted @forward
# 25 36 for loop shape x3 exhausted @forward>rows
# 26 112 compif keep scalar~ in 112.0 @forward u24 <unbind | 2.0 T m2
# 27 112 compif keep scalar~ in 112.1 @forward u24 <unbind | -2.0 T m2
# 28 112 compif keep scalar~ in 112.2 @forward u24 <unbind | 4.0 T m4
# 29 112 if then scalar~ @forward <unbind | 4.0 > 0 T m4
# 30 36 for loop shape x3 exhausted @forward>rows
# 31 113 if then scalar~ @forward <unbind | 4.0 > 0 T m4
# 32 115 if then scalar~ @forward <sum | 4.0 > 0 T m4
# 33 118 if then scalar~ @forward <sum | 4.0 > 0 T m4
# 34 121 if then scalar~ @forward <sum | 4.0 > 0 T m4
# 35 123 if then scalar~ @forward <sum | 4.0 > 0 T m4
# 36 125 if then scalar~ @forward <sum | 4.0 > 0 T m4
# 37 126 try except Worse @forward !Worse
# 38 128 if then scalar~ @forward u37 <sum | 4.0 > 0 T m4
# 39 129 try except Bad @forward !Worse
# 40 131 if then scalar~ @forward u39 <sum | 4.0 > 0 T m4
# 41 132 try except Exception @forward !Bad
# 42 134 if then scalar~ @forward u41 <sum | 4.0 > 0 T m4
# 43 135 if then scalar~ @forward <sum | 4.0 > 0 T m4
# 44 137 if then scalar~ @forward <sum | 6.0 > 0 T m6
# 45 139 if then scalar~ @forward <sum | 6.0 > 0 T m6
# 46 140 if then scalar~ @forward <sum | 4.0 > 0 T m4
# 47 75 if then scalar~ @forward>compare <sum | 3.0 > 2 T m1
# 48 142 if then scalar~ @forward <sum | 4.0 > 0 T m4
# 49 143 if then scalar~ @forward <sum | 4.0 > 0 T m4
# 50 81 if else @forward>recur | 2 == 0 F m-2
# 51 81 if else @forward>recur>recur r1 u50 | 1 == 0 F m-1
# 52 81 if then @forward>recur>recur>recur r2 u51 | 0 == 0 T m0
# 53 144 if then scalar~ @forward <sum | 4.0 > 0 T m4
# 54 146 if then scalar~ @forward <sum | 4.0 > 0 T m4
# 55 85 if then @forward>default | null is null T
# 56 147 if then scalar~ @forward <sum | 4.0 > 0 T m4
# 57 85 if else @forward>default | 5.0 is null F
# 58 148 if then scalar~ @forward <sum | 5.0 > 0 T m5
# 59 96 ifexp then @forward>tree | 2 T m2
# 60 96 ifexp then @forward>tree>tree r1 u59 | 1 T m1
# 61 96 ifexp else @forward>tree>tree>tree r2 u60 | 0 F m0
# 62 150 for loop x3 exhausted @forward
# 63 151 if then scalar~ in 150.0 @forward u62 <sum | 4.0 > 0 T m4
# 64 91 for loop x1 exhausted @forward>Tree.walk
# 65 151 if then scalar~ in 150.1 @forward u62 <sum | 2.0 > 0 T m2
# 66 91 for loop x1 exhausted in 91.0 @forward>Tree.walk>Tree.walk r1 u64
# 67 151 if else scalar~ in 150.2 @forward u62 <sum | 0.0 > 0 F m0
# 68 91 for loop x0 exhausted in 91.0,91.0 @forward>Tree.walk>Tree.walk>Tree.walk r2 u66
# 69 93 if then scalar~ @forward>Tree.depth <sum | 4.0 > 0 T m4
# 70 94 comp loop x1 exhausted @forward>Tree.depth
# 71 93 if then scalar~ in 94.0 @forward>Tree.depth>Tree.depth r1 u70 <sum | 2.0 > 0 T m2
# 72 94 comp loop x1 exhausted in 94.0 @forward>Tree.depth>Tree.depth r1 u70
# 73 93 if else scalar~ in 94.0,94.0 @forward>Tree.depth>Tree.depth>Tree.depth r2 u72 <sum | 0.0 > 0 F m0
# 74 94 comp loop x0 exhausted in 94.0,94.0 @forward>Tree.depth>Tree.depth>Tree.depth r2 u72
# 75 22 if then scalar~ @forward>Block.__init__ <sum | 4.0 > 0 T m4
# 76 24 if then scalar~ @forward>Block.forward <sum | 3.0 > 0 T m3
# 77 25 if then scalar~ @forward>Block.forward <sum | 4.0 > 0 T m4
# 78 26 if then scalar~ @forward>Block.forward <sum | 5.0 > 0 T m5
# 79 27 if then scalar~ @forward>Block.forward <sum | 6.0 > 0 T m6
# 80 32 if then scalar~ @forward>Block.forward>Inner.__call__ <sum | 6.0 > 0 T m6
# 81 28 if then scalar~ @forward>Block.forward <sum | 5.0 > 0 T m5
# 82 154 if then scalar~ @forward <sum | 6.0 > 0 T m6
# 83 22 if then scalar~ @forward>Block.__init__ <sum | 6.0 > 0 T m6
# 84 24 if then scalar~ @forward>Block.forward <sum | 3.0 > 0 T m3
# 85 25 if then scalar~ @forward>Block.forward <sum | 4.0 > 0 T m4
# 86 26 if then scalar~ @forward>Block.forward <sum | 5.0 > 0 T m5
# 87 27 if then scalar~ @forward>Block.forward <sum | 6.0 > 0 T m6
# 88 32 if then scalar~ @forward>Block.forward>Inner.__call__ <sum | 6.0 > 0 T m6
# 89 28 if then scalar~ @forward>Block.forward <sum | 5.0 > 0 T m5
# 90 162 if then scalar~ @forward <sum | 2.0 > 0 T m2
# 91 166 if then scalar~ @forward <sum | 3.0 > 0 T m3
# 92 75 if then scalar~ @forward>compare <sum | 3.0 > 0.5 T m2.5
# 93 168 if then scalar~ @forward <sum | 2.5 > 0 T m2.5
# 94 169 if then scalar~ @forward <sum | 3.0 > 0 T m3
# 95 171 for loop x2 exhausted @forward
# 96 172 if then scalar~ in 171.0 @forward u95 <sum | 4.0 > 0 T m4
# 97 172 if then scalar~ in 171.1 @forward u95 <sum | 3.0 > 0 T m3
# 98 173 for loop x2 exhausted @forward
# 99 174 if then scalar~ in 173.0 @forward u98 <sum | 3.0 > 0 T m3
# 100 174 if then scalar~ in 173.1 @forward u98 <sum | 4.0 > 0 T m4
# 101 176 if then scalar~ @forward <sum | 3.0 > 0 T m3
# 102 177 if then scalar~ @forward <sum | 4.0 > 0 T m4
# 103 178 comp loop x1 exhausted @forward
# 104 179 if then scalar~ @forward <sum | 3.0 > 0 T m3
# 105 180 comp loop x3 exhausted @forward
# 106 181 if then scalar~ @forward <sum | 4.0 > 2.0 T m2
# 107 184 if then scalar~ @forward <sum | 3.0 > 0 T m3
# 108 186 for loop shape x3 exhausted @forward
# 109 187 if then scalar~ @forward | 2.0 > 0 T m2
# 110 190 if then scalar~ @forward <sum | 3.0 > 0 T m3
# 111 192 if then scalar~ @forward <sum | 4.0 > 0 T m4
