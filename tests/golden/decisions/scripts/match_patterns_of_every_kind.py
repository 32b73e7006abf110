import dyncore as torch  # input: [1.0, -2.0, 3.0]
import enum
class Color(enum.IntEnum):
    RED = 1
    BLUE = 2
class Pt:
    __match_args__ = ("x",)
    def __init__(self, x): self._x = x
    @property
    def x(self): return self._x if self._x > 0 else 0
LIMIT = 3.0
def kind(v):
    match v:
        case 0 | 1.0: return "a"
        case Color.BLUE: return "b"
        case torch.Tensor(): return "t"
        case float(n) if n > LIMIT: return "big"
        case {"a": [Pt(x), *_], **rest} if x and rest: return "pt"
        case [[1, [2, *deep]], *others] as whole if deep or others or not whole: return "deep"
        case (Pt(x=0) | Pt(x=1)) as p: return "p01"
        case -1 | "s" | b"s" | None: return "lit"
        case [] | (): return "empty"
        case _ if isinstance(v, complex): return "c"
        case other: return "o"
def forward(x):
    names = []
    for v in (x[0], 2, x[1], 4.5, {"a": [Pt(x[0])], "z": 1}, [[1, [2, 3]]], Pt(-1), Pt(1), None, [], 1j, "zz"):
        names.append(kind(v))
    match x[0]:
        case 1: y = x
        case _: y = -x
    match x.tolist():
        case [a, b, c] if a > b:
            while True:
                match c:
                    case 3.0: c = 2.0; continue
                    case 2.0: break
            else: pass
        case []: return x
    match x.shape:
        case (n,) if n > 5: y = y
        case torch.Size((3,)): y = y * 2
        case _: y = y * 3
    match names, len(names):
        case ["a", *_], 12: pass
        case _: y = None
    return y

# ----
# 0 27 for loop x12 exhausted @forward
# 1 13 match case 0 | 1.0 tensor in 27.0 @forward>kind u0 <getitem | 1.0 T
# 2 13 match case Color.BLUE in 27.1 @forward>kind u0 | 2 T
# 3 13 match case torch.Tensor() tensor in 27.2 @forward>kind u0 <getitem | -2.0 T
# 4 17 guard pass in 27.3 @forward>kind u0 | 4.5 > 3.0 T m1.5
# 5 13 match case float(n) in 27.3 @forward>kind u0 | 4.5 T
# 6 10 ifexp then tensor in 27.4 @forward>kind>Pt.x u0 <gt | 1.0 > 0 T m1
# 7 18 guard pass tensor in 27.4 @forward>kind u0 <getitem | 1.0 T; {"type": "dict", "len": 1} T m1
# 8 13 match case {"a": [Pt(x), *_], **rest} in 27.4 @forward>kind u0 | {"type": "dict", "len": 2} T
# 9 19 guard pass in 27.5 @forward>kind u0 | {"type": "list", "len": 1} T
# 10 13 match case [[1, [2, *deep]], *others] as whole in 27.5 @forward>kind u0 | {"type": "list", "len": 1} T
# 11 10 ifexp else in 27.6 @forward>kind>Pt.x u0 | -1 > 0 F m-1
# 12 13 match case (Pt(x=0) | Pt(x=1)) as p in 27.6 @forward>kind u0 | {"type": "Pt"} T
# 13 10 ifexp then in 27.7 @forward>kind>Pt.x u0 | 1 > 0 T m1
# 14 10 ifexp then in 27.7 @forward>kind>Pt.x u0 | 1 > 0 T m1
# 15 13 match case (Pt(x=0) | Pt(x=1)) as p in 27.7 @forward>kind u0 | {"type": "Pt"} T
# 16 13 match case -1 | "s" | b"s" | None in 27.8 @forward>kind u0 | null T
# 17 13 match case [] | () in 27.9 @forward>kind u0 | {"type": "list", "len": 0} T
# 18 23 guard pass in 27.10 @forward>kind u0 | true T
# 19 13 match case _ in 27.10 @forward>kind u0 | {"type": "complex"} T
# 20 23 guard fail in 27.11 @forward>kind u0 | false F
# 21 13 match case other in 27.11 @forward>kind u0 | "zz" T
# 22 29 match case 1 tensor @forward <getitem | 1.0 T
# 23 33 guard pass scalar @forward | 1.0 > -2.0 T m3
# 24 32 match case [a, b, c] shape @forward | {"type": "list", "len": 3} T
# 25 35 match case 3.0 scalar in 34.0 @forward u24 | 3.0 T
# 26 35 match case 2.0 scalar~ in 34.1 @forward u24 | 2.0 T
# 27 41 guard fail shape @forward u24 | 3 > 5 F m-2
# 28 40 match case torch.Size((3,)) shape @forward u24 | [3] T
# 29 44 match case ["a", *_], 12 @forward u24 | {"type": "tuple", "len": 2} T
