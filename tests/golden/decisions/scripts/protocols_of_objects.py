import dyncore as torch  # input: [3.0, 1.0, 2.0]
class Ord:
    def __init__(self, v): self.v = v
    def __lt__(self, o):
        return True if self.v < o.v else False
    def __hash__(self): return 1 if self.v > 0 else 2
    def __eq__(self, o): return self.v is o.v or (self.v == o.v).item()
    def __iter__(self):
        for k in range(2):
            if k or self.v > 1: yield k
    def __getitem__(self, i):
        if i > 1: raise IndexError
        return i
    def __call__(self, *a): return a[0] if a else None
    def __enter__(self): return self.v if self.v > 1 else None
    def __exit__(self, *a): return a[0] is not None or None
class Seq:
    def __getitem__(self, i):
        if i >= 2: raise IndexError
        return i * 2
def forward(x):
    os = [Ord(x[0]), Ord(x[1]), Ord(x[2])]
    best = min(os); top = sorted(os, key=lambda o: -o.v.item() if o.v > 1 else 0)[0]
    d = {os[0]: 1}
    if os[1] in d or os[0] in d: x = x + 1
    a, *b = os[0]
    for s in Seq():
        if s in Seq(): x = x + s
    with os[0] as v:
        if v is not None: raise OSError
    z = [*os[1], *(k for k in os[2] if k)]
    return x * best.v * top() if top(0) else x * len(z)

# ----
# 0 5 ifexp then tensor @forward>Ord.__lt__ <lt | 1.0 < 3.0 T m2
# 1 5 ifexp else tensor @forward>Ord.__lt__ <lt | 2.0 < 1.0 F m-1
# 2 23 ifexp then tensor @forward>forward.<locals>.<lambda> <gt | 3.0 > 1 T m2
# 3 23 ifexp else tensor @forward>forward.<locals>.<lambda> <gt | 1.0 > 1 F m0
# 4 23 ifexp then tensor @forward>forward.<locals>.<lambda> <gt | 2.0 > 1 T m1
# 5 6 ifexp then tensor @forward>Ord.__hash__ <gt | 3.0 > 0 T m3
# 6 6 ifexp then tensor @forward>Ord.__hash__ <gt | 1.0 > 0 T m1
# 7 7 or rest @forward>Ord.__eq__ | 3.0 is 1.0 F
# 8 6 ifexp then tensor @forward>Ord.__hash__ <gt | 3.0 > 0 T m3
# 9 25 if then scalar~ @forward <gt | {"type": "Ord"} in {"type": "dict", "len": 1} F; {"type": "Ord"} in {"type": "dict", "len": 1} T
# 10 9 for loop x2 exhausted @forward>Ord.__iter__
# 11 10 if then tensor in 9.0 @forward>Ord.__iter__ u10 <gt | 0 F; 3.0 > 1 T m2
# 12 10 if then in 9.1 @forward>Ord.__iter__ u10 | 1 T m1
# 13 27 for loop x2 exhausted @forward
# 14 19 if else @forward>Seq.__getitem__ | 0 >= 2 F m-2
# 15 19 if else in 27.0 @forward>Seq.__getitem__ u13 | 0 >= 2 F m-2
# 16 28 if then in 27.0 @forward u13 | 0 in {"type": "Seq"} T
# 17 19 if else in 27.0 @forward>Seq.__getitem__ u13 | 1 >= 2 F m-1
# 18 19 if else in 27.1 @forward>Seq.__getitem__ u13 | 0 >= 2 F m-2
# 19 19 if else in 27.1 @forward>Seq.__getitem__ u13 | 1 >= 2 F m-1
# 20 28 if then in 27.1 @forward u13 | 2 in {"type": "Seq"} T
# 21 19 if then in 27.1 @forward>Seq.__getitem__ u13 | 2 >= 2 T m0
# 22 15 ifexp then tensor @forward>Ord.__enter__ <gt | 3.0 > 1 T m2
# 23 30 if then @forward | 3.0 is not null T
# 24 16 or short @forward>Ord.__exit__ | {"type": "type"} is not null T
# 25 9 for loop x2 exhausted @forward>Ord.__iter__
# 26 10 if else tensor in 9.0 @forward>Ord.__iter__ u25 <gt | 0 F; 1.0 > 1 F m0
# 27 10 if then in 9.1 @forward>Ord.__iter__ u25 | 1 T m1
# 28 31 comp loop x2 exhausted @forward
# 29 9 for loop x2 exhausted @forward>Ord.__iter__
# 30 10 if then tensor in 9.0 @forward>Ord.__iter__ u29 <gt | 0 F; 2.0 > 1 T m1
# 31 31 compif drop in 31.0 @forward u28 | 0 F m0
# 32 10 if then in 9.1 @forward>Ord.__iter__ u29 | 1 T m1
# 33 31 compif keep in 31.1 @forward u28 | 1 T m1
# 34 14 ifexp then @forward>Ord.__call__ | [0] T
# 35 32 ifexp else @forward | 0 F m0
