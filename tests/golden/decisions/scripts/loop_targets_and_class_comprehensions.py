import dyncore as torch  # input: [1.0, -2.0, 3.0, 0.5]
class Grid:
    side = 2
    cells = [(i, j) for i in range(2) for j in range(2) if i != j or i]
    kinds = {c: ("d" if c[0] == c[1] else "o") for c in cells}
    if side > 1 and cells:
        def area(self): return self.side ** 2 if self.kinds else 0
    for n in cells:
        if n == (1, 0): break
    else: n = None
    del n
def scan(x):
    for i, v in enumerate(x):
        match v.item():
            case f if f > 2: return i
            case 1.0: continue
            case float(g) if g < 0:
                try:
                    if i: continue
                    break
                finally:
                    if g < -1: x = x * 1
            case _: break
    else: return -1
    return -2
class Box:
    def __init__(self): self.items = {}
    def __setitem__(self, k, v): self.items[k if k else "zero"] = v
    def __getattr__(self, n): return self.items.get(n) if n != "none" else None
    def __call__(self, *a, **k): return self(*a[1:]) if len(a) > 1 else (a[0] if a else None)
def forward(x):
    b = Box()
    for b[0] in range(3):
        if b.zero == 1: break
    for b.last in x:
        if b.last < 0: break
    k = scan(x)
    while (k := k - 1) > -3 and (v := x[k % 4]) and not (v > 2 if k else v < 0): x = x + 1
    s = f"{'a' if k < 0 else 'b'}{[q for q in (1, 2) if q > k]!r:>{10 if k else 5}}"
    y = b(1, 2, x) if b.none is None else x
    assert -10 < k <= x.numel() < 9, f"{k if k else 0}"
    return y * (Grid().area() if s.strip() else 1)

# ----
# 0 4 comp loop x2 exhausted load
# 1 4 comp loop x2 exhausted in 4.0 u0 load
# 2 4 compif drop in 4.0,4.0 u1 load | 0 != 0 F; 0 F m0
# 3 4 compif keep in 4.0,4.1 u1 load | 0 != 1 T m1
# 4 4 comp loop x2 exhausted in 4.1 u0 load
# 5 4 compif keep in 4.1,4.0 u4 load | 1 != 0 T m1
# 6 4 compif keep in 4.1,4.1 u4 load | 1 != 1 F; 1 T m1
# 7 5 comp loop x3 exhausted load
# 8 5 ifexp else in 5.0 u7 load | 0 == 1 F m-1
# 9 5 ifexp else in 5.1 u7 load | 1 == 0 F m-1
# 10 5 ifexp then in 5.2 u7 load | 1 == 1 T m0
# 11 6 if then load | 2 > 1 T; {"type": "list", "len": 3} T m1
# 12 8 for loop x2 break load
# 13 9 if else in 8.0 u12 load | [0, 1] == [1, 0] F
# 14 9 if then in 8.1 u12 load | [1, 0] == [1, 0] T
# 0 33 for loop x2 break @forward
# 1 28 ifexp else @forward>Box.__setitem__ | 0 F m0
# 2 29 ifexp then in 33.0 @forward>Box.__getattr__ u0 | "zero" != "none" T
# 3 34 if else in 33.0 @forward u0 | 0 == 1 F m-1
# 4 28 ifexp else in 33.0 @forward>Box.__setitem__ u0 | 0 F m0
# 5 29 ifexp then in 33.1 @forward>Box.__getattr__ u0 | "zero" != "none" T
# 6 34 if then in 33.1 @forward u0 | 1 == 1 T m0
# 7 35 for loop shape x2 break @forward
# 8 36 if else tensor in 35.0 @forward u7 <lt | 1.0 < 0 F m-1
# 9 36 if then tensor in 35.1 @forward u7 <lt | -2.0 < 0 T m2
# 10 13 for loop shape x3 return @forward>scan
# 11 15 guard fail scalar in 13.0 @forward>scan u10 <unbind | 1.0 > 2 F m-1
# 12 14 match case 1.0 scalar in 13.0 @forward>scan u10 <unbind | 1.0 T
# 13 15 guard fail scalar in 13.1 @forward>scan u10 <unbind | -2.0 > 2 F m-4
# 14 17 guard pass scalar in 13.1 @forward>scan u10 <unbind | -2.0 < 0 T m2
# 15 14 match case float(g) scalar in 13.1 @forward>scan u10 <unbind | -2.0 T
# 16 19 if then in 13.1 @forward>scan u15 | 1 T m1
# 17 22 if then scalar in 13.1 @forward>scan u15 <unbind | -2.0 < -1 T m1
# 18 15 guard pass scalar in 13.2 @forward>scan u10 <unbind | 3.0 > 2 T m1
# 19 14 match case f scalar in 13.2 @forward>scan u10 <unbind | 3.0 T
# 20 38 ifexp then @forward | 1 T m1
# 21 38 while body tensor #0 @forward <getitem | 1 > -3 T; -2.0 T; false F m2
# 22 38 ifexp else in 38.0 @forward u21 | 0 F m0
# 23 38 while body tensor #1 @forward <getitem | 0 > -3 T; 2.0 T; false F m2
# 24 38 ifexp then in 38.1 @forward u23 | -1 T m1
# 25 38 while exit tensor #2 @forward <getitem | -1 > -3 T; 2.5 T; true T
# 26 39 ifexp then @forward | -1 < 0 T m1
# 27 39 comp loop x2 exhausted @forward
# 28 39 compif keep in 39.0 @forward u27 | 1 > -1 T m2
# 29 39 compif keep in 39.1 @forward u27 | 2 > -1 T m3
# 30 39 ifexp then @forward | -1 T m1
# 31 29 ifexp else @forward>Box.__getattr__ | "none" != "none" F
# 32 40 ifexp then @forward | null is null T
# 33 30 ifexp then @forward>Box.__call__ u32 | 3 > 1 T m2
# 34 30 ifexp then @forward>Box.__call__>Box.__call__ r1 u33 | 2 > 1 T m1
# 35 30 ifexp else @forward>Box.__call__>Box.__call__>Box.__call__ r2 u34 | 1 > 1 F m0
# 36 30 ifexp then @forward>Box.__call__>Box.__call__>Box.__call__ r2 u35 | {"type": "tuple", "len": 1} T
# 37 41 assert pass shape @forward <add | -10 < -1 T; -1 <= 4 T; 4 < 9 T m5
# 38 42 ifexp then @forward | "a    [1, 2]" T
# 39 7 ifexp then @forward>Grid.area u38 | {"type": "dict", "len": 3} T
