import dyncore as torch  # input: 3.0
def hail(x, depth=0, *, seen=None):
    seen = set() if seen is None else seen
    key = x.item()
    if key in seen or depth >= 8: return x
    seen.add(key)
    return hail(x / 2 if key % 2 == 0 else 3 * x + 1, depth + 1, seen=seen)
class Lazy:
    calls = 0
    @property
    def value(self):
        if "_v" not in self.__dict__:
            type(self).calls += 1
            self._v = torch.tensor(2.0)
        return self._v
    @staticmethod
    def twice(f): return f if Lazy.calls > 1 else (lambda v: f(f(v)))
    @classmethod
    def make(cls, n=0): return cls() if n == 0 else cls.make(n - 1)
    def __bool__(self): return self.value > 1 and True
    def __del__(self): Lazy.calls -= 1
def forward(x):
    z = Lazy.make(2)
    step = Lazy.twice(lambda v: v + 1 if z else v)
    fact = (lambda f: lambda n: 1 if n < 2 else n * f(f)(n - 1))
    y = step(x) * fact(fact)(3)
    global made
    made = 1
    if "made" in globals(): del made
    def bump():
        nonlocal y
        if y > 20: y = y - 1
    for _ in "ab": bump()
    del z
    return hail(x) + y if not Lazy.calls else hail(y)

# ----
# 0 19 ifexp else @forward>Lazy.make | 2 == 0 F m-2
# 1 19 ifexp else @forward>Lazy.make>Lazy.make r1 u0 | 1 == 0 F m-1
# 2 19 ifexp then @forward>Lazy.make>Lazy.make>Lazy.make r2 u1 | 0 == 0 T m0
# 3 17 ifexp else @forward>Lazy.twice | 0 > 1 F m-1
# 4 12 if then @forward>Lazy.twice.<locals>.<lambda>>forward.<locals>.<lambda>>Lazy.__bool__>Lazy.value | "_v" not in {"type": "dict", "len": 0} T
# 5 20 and rest tensor @forward>Lazy.twice.<locals>.<lambda>>forward.<locals>.<lambda>>Lazy.__bool__ <gt | 2.0 > 1 T m1
# 6 24 ifexp then scalar~ @forward>Lazy.twice.<locals>.<lambda>>forward.<locals>.<lambda> <gt | {"type": "Lazy"} T
# 7 12 if else @forward>Lazy.twice.<locals>.<lambda>>forward.<locals>.<lambda>>Lazy.__bool__>Lazy.value | "_v" not in {"type": "dict", "len": 1} F
# 8 20 and rest tensor @forward>Lazy.twice.<locals>.<lambda>>forward.<locals>.<lambda>>Lazy.__bool__ <gt | 2.0 > 1 T m1
# 9 24 ifexp then scalar~ @forward>Lazy.twice.<locals>.<lambda>>forward.<locals>.<lambda> <gt | {"type": "Lazy"} T
# 10 25 ifexp else @forward>forward.<locals>.<lambda>.<locals>.<lambda> | 3 < 2 F m-1
# 11 25 ifexp else @forward>forward.<locals>.<lambda>.<locals>.<lambda>>forward.<locals>.<lambda>.<locals>.<lambda> r1 u10 | 2 < 2 F m0
# 12 25 ifexp then @forward>forward.<locals>.<lambda>.<locals>.<lambda>>forward.<locals>.<lambda>.<locals>.<lambda>>forward.<locals>.<lambda>.<locals>.<lambda> r2 u11 | 1 < 2 T m1
# 13 29 if then @forward | "made" in {"type": "dict", "len": 12} T
# 14 33 for loop x2 exhausted @forward
# 15 32 if then tensor in 33.0 @forward>forward.<locals>.bump u14 <gt | 30.0 > 20 T m10
# 16 32 if then tensor in 33.1 @forward>forward.<locals>.bump u14 <gt | 29.0 > 20 T m9
# 17 35 ifexp then @forward | 0 F m0
# 18 3 ifexp then @forward>hail u17 | null is null T
# 19 5 if else scalar @forward>hail u17 | 3.0 in {"type": "set", "len": 0} F; 0 >= 8 F m-8
# 20 7 ifexp else scalar~ @forward>hail u19 | 1.0 == 0 F m-1
# 21 3 ifexp else @forward>hail>hail r1 u19 | {"type": "set", "len": 1} is null F
# 22 5 if else scalar @forward>hail>hail r1 u19 <add | 10.0 in {"type": "set", "len": 1} F; 1 >= 8 F m-7
# 23 7 ifexp then scalar~ @forward>hail>hail r1 u22 <add | 0.0 == 0 T m0
# 24 3 ifexp else @forward>hail>hail>hail r2 u22 | {"type": "set", "len": 2} is null F
# 25 5 if else scalar @forward>hail>hail>hail r2 u22 <div | 5.0 in {"type": "set", "len": 2} F; 2 >= 8 F m-6
# 26 7 ifexp else scalar~ @forward>hail>hail>hail r2 u25 <div | 1.0 == 0 F m-1
# 27 3 ifexp else @forward>hail>hail>hail>hail r3 u25 | {"type": "set", "len": 3} is null F
# 28 5 if else scalar @forward>hail>hail>hail>hail r3 u25 <add | 16.0 in {"type": "set", "len": 3} F; 3 >= 8 F m-5
# 29 7 ifexp then scalar~ @forward>hail>hail>hail>hail r3 u28 <add | 0.0 == 0 T m0
# 30 3 ifexp else @forward>hail>hail>hail>hail>hail r4 u28 | {"type": "set", "len": 4} is null F
# 31 5 if else scalar @forward>hail>hail>hail>hail>hail r4 u28 <div | 8.0 in {"type": "set", "len": 4} F; 4 >= 8 F m-4
# 32 7 ifexp then scalar~ @forward>hail>hail>hail>hail>hail r4 u31 <div | 0.0 == 0 T m0
# 33 3 ifexp else @forward>hail>hail>hail>hail>hail>hail r5 u31 | {"type": "set", "len": 5} is null F
# 34 5 if else scalar @forward>hail>hail>hail>hail>hail>hail r5 u31 <div | 4.0 in {"type": "set", "len": 5} F; 5 >= 8 F m-3
# 35 7 ifexp then scalar~ @forward>hail>hail>hail>hail>hail>hail r5 u34 <div | 0.0 == 0 T m0
# 36 3 ifexp else @forward>hail>hail>hail>hail>hail>hail>hail r6 u34 | {"type": "set", "len": 6} is null F
# 37 5 if else scalar @forward>hail>hail>hail>hail>hail>hail>hail r6 u34 <div | 2.0 in {"type": "set", "len": 6} F; 6 >= 8 F m-2
# 38 7 ifexp then scalar~ @forward>hail>hail>hail>hail>hail>hail>hail r6 u37 <div | 0.0 == 0 T m0
# 39 3 ifexp else @forward>hail>hail>hail>hail>hail>hail>hail>hail r7 u37 | {"type": "set", "len": 7} is null F
# 40 5 if else scalar @forward>hail>hail>hail>hail>hail>hail>hail>hail r7 u37 <div | 1.0 in {"type": "set", "len": 7} F; 7 >= 8 F m-1
# 41 7 ifexp else scalar~ @forward>hail>hail>hail>hail>hail>hail>hail>hail r7 u40 <div | 1.0 == 0 F m-1
# 42 3 ifexp else @forward>hail>hail>hail>hail>hail>hail>hail>hail>hail r8 u40 | {"type": "set", "len": 8} is null F
# 43 5 if then scalar @forward>hail>hail>hail>hail>hail>hail>hail>hail>hail r8 u40 <add | 4.0 in {"type": "set", "len": 8} T
