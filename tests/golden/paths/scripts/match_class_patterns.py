from dataclasses import dataclass
@dataclass
class Point:
    x: int
    y: int
class Size:
    __match_args__ = ("w", "h")
    def __init__(self, w, h): self.w, self.h = w, h
def what(p):
    match p:
        case Point(x=0, y=0):
            return "origin"
        case Point(x, y) if x == y > 0:
            return "diagonal"
        case Point(x=0) | Point(y=0):
            return "axis"
        case Size(w, h) if (area := w * h) > 10:
            return f"large {area}"
        case {"kind": "point", **rest} if rest:
            return sorted(rest)
        case [Point(), *others, Size()] if not others:
            return "pair"
        case str() as text if text.isupper() or len(text) > 3:
            return text.lower()
        case -1 | 2.5 | None | True:
            return "constant"
    return "other"
for v in (Point(0, 0), Point(2, 2), Point(-2, -2), Point(0, 3), Size(3, 4), Size(1, 2), {"kind": "point", "a": 1},
          {"kind": "point"}, [Point(1, 1), Size(1, 1)], [Point(1, 1), 3, Size(1, 1)], "ABC", "abcd", "abc", None, -1, True):
    print(what(v))

# ----
# 0 28:for `for v in (Point(0, 0), Point(2, 2), Point(-2, -2), Point(0, 3), Size(3, 4), Size(1, 2), {"kind": "point", "a": 1}, {"kind": "point"}, [Point(1, 1), Size(1, 1)], [Point(1, 1), 3, Size(1, 1)], "ABC", "abcd", "abc", None, -1, True)` -> loop x16 exhausted
# 1 10:match `p` -> case Point(x=0, y=0) [p=Point T] | in 28.0 | what | under 0
# 2 13:guard `x == y > 0` -> pass [2 == 2 T, 2 > 0 T] m0 | in 28.1 | what | under 0
# 3 10:match `p` -> case Point(x, y) [p=Point T] | in 28.1 | what | under 0
# 4 13:guard `x == y > 0` -> fail [-2 == -2 T, -2 > 0 F] m-2 | in 28.2 | what | under 0
# 5 10:match `p` -> no match [p=Point F] | in 28.2 | what | under 0
# 6 13:guard `x == y > 0` -> fail [0 == 3 F] m-3 | in 28.3 | what | under 0
# 7 10:match `p` -> case Point(x=0) | Point(y=0) [p=Point T] | in 28.3 | what | under 0
# 8 17:guard `(area := w * h) > 10` -> pass [12 > 10 T] m2 | in 28.4 | what | under 0
# 9 10:match `p` -> case Size(w, h) [p=Size T] | in 28.4 | what | under 0
# 10 17:guard `(area := w * h) > 10` -> fail [2 > 10 F] m-8 | in 28.5 | what | under 0
# 11 10:match `p` -> no match [p=Size F] | in 28.5 | what | under 0
# 12 19:guard `rest` -> pass [rest=dict of 1 T] | in 28.6 | what | under 0
# 13 10:match `p` -> case {"kind": "point", **rest} [p=dict of 2 T] | in 28.6 | what | under 0
# 14 19:guard `rest` -> fail [rest=dict of 0 F] | in 28.7 | what | under 0
# 15 10:match `p` -> no match [p=dict of 1 F] | in 28.7 | what | under 0
# 16 21:guard `not others` -> pass [others=list of 0 F] | in 28.8 | what | under 0
# 17 10:match `p` -> case [Point(), *others, Size()] [p=list of 2 T] | in 28.8 | what | under 0
# 18 21:guard `not others` -> fail [others=list of 1 T] | in 28.9 | what | under 0
# 19 10:match `p` -> no match [p=list of 3 F] | in 28.9 | what | under 0
# 20 23:guard `text.isupper() or len(text) > 3` -> pass [text.isupper()=True T] | in 28.10 | what | under 0
# 21 10:match `p` -> case str() as text [p='ABC' T] | in 28.10 | what | under 0
# 22 23:guard `text.isupper() or len(text) > 3` -> pass [text.isupper()=False F, 4 > 3 T] m1 | in 28.11 | what | under 0
# 23 10:match `p` -> case str() as text [p='abcd' T] | in 28.11 | what | under 0
# 24 23:guard `text.isupper() or len(text) > 3` -> fail [text.isupper()=False F, 3 > 3 F] m0 | in 28.12 | what | under 0
# 25 10:match `p` -> no match [p='abc' F] | in 28.12 | what | under 0
# 26 10:match `p` -> case -1 | 2.5 | None | True [p=None T] | in 28.13 | what | under 0
# 27 10:match `p` -> case -1 | 2.5 | None | True [p=-1 T] | in 28.14 | what | under 0
# 28 10:match `p` -> case -1 | 2.5 | None | True [p=True T] | in 28.15 | what | under 0
