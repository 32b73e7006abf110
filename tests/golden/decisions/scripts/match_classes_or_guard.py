import dyncore as torch  # input: [1.0, 2.0]
class Point:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
def kind(p):
    match p:
        case Point(0, _) | Point(_, 0):
            return 0
        case Point(a, b) if a.item() == b.item():
            return 1
        case Point(y=b) if (b > 1) and not b > 5:
            return 2
        case [] | {}:
            return 3
        case _:
            return 4
def forward(x):
    return x * kind(Point(x[0], x[1])) + kind([]) + kind("s")

# ----
# 0 9 guard fail scalar @forward>kind <getitem | 1.0 == 2.0 F m-1
# 1 11 guard pass tensor @forward>kind <gt | 2.0 > 1 T; 2.0 > 5 F m1
# 2 6 match case Point(y=b) @forward>kind | {"type": "Point"} T
# 3 6 match case [] | {} @forward>kind | {"type": "list", "len": 0} T
# 4 6 match case _ @forward>kind | "s" T
