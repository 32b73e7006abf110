import dyncore as torch  # input: [1.0, 2.0, -3.0]
from dataclasses import dataclass, field
@dataclass
class Leaf:
    v: object
@dataclass
class Node:
    op: str
    kids: list = field(default_factory=list)
    meta: dict = field(default_factory=dict)
def ev(t):
    match t:
        case Leaf(v=v) if v > 0:
            return v
        case Leaf(v):
            return -v
        case Node("add" | "sum", [first, *rest], {"scale": s, **more}) if not more:
            return s * (ev(first) + sum(ev(k) for k in rest))
        case Node(op=("mul" as name), kids=[a, b]):
            return ev(a) * ev(b)
        case [Leaf() as only] | (only,):
            return ev(only)
        case {"leaf": Leaf(v=q) as z, **rest}:
            return q + len(rest)
        case None | True | False:
            return 0
        case -1 | 1.5 | "x":
            return 7
        case _:
            return 9
def forward(x):
    a, b, c = Leaf(x[0]), Leaf(x[1]), Leaf(x[2])
    t = Node("sum", [a, Node("mul", [b, c])], {"scale": 2})
    r = ev(t) + ev([a]) + ev({"leaf": b, "w": 1}) + ev(None) + ev(-1) + ev((1, x)) + ev(Node("add", [], {}))
    match x.shape:
        case (3,): r = r + 1
    match x.sum().item():
        case 0.0: r = r * 3
        case float() as f if f < 0: r = r - 1
    return r

# ----
# 0 17 guard pass @forward>ev | {"type": "dict", "len": 0} F
# 1 12 match case Node("add" | "sum", [first, *rest], {"scale": s, **more}) @forward>ev | {"type": "Node"} T
# 2 13 guard pass tensor @forward>ev>ev r1 u1 <gt | 1.0 > 0 T m1
# 3 12 match case Leaf(v=v) @forward>ev>ev r1 u1 | {"type": "Leaf"} T
# 4 18 comp loop x1 exhausted @forward>ev u1
# 5 12 match case Node(op=("mul" as name), kids=[a, b]) in 18.0 @forward>ev>ev r1 u4 | {"type": "Node"} T
# 6 13 guard pass tensor in 18.0 @forward>ev>ev>ev r2 u5 <gt | 2.0 > 0 T m2
# 7 12 match case Leaf(v=v) in 18.0 @forward>ev>ev>ev r2 u5 | {"type": "Leaf"} T
# 8 13 guard fail tensor in 18.0 @forward>ev>ev>ev r2 u5 <gt | -3.0 > 0 F m-3
# 9 12 match case Leaf(v) in 18.0 @forward>ev>ev>ev r2 u5 | {"type": "Leaf"} T
# 10 12 match case [Leaf() as only] | (only,) @forward>ev | {"type": "list", "len": 1} T
# 11 13 guard pass tensor @forward>ev>ev r1 u10 <gt | 1.0 > 0 T m1
# 12 12 match case Leaf(v=v) @forward>ev>ev r1 u10 | {"type": "Leaf"} T
# 13 12 match case {"leaf": Leaf(v=q) as z, **rest} @forward>ev | {"type": "dict", "len": 2} T
# 14 12 match case None | True | False @forward>ev | null T
# 15 12 match case -1 | 1.5 | "x" @forward>ev | -1 T
# 16 12 match case _ @forward>ev | {"type": "tuple", "len": 2} T
# 17 12 match case _ @forward>ev | {"type": "Node"} T
# 18 35 match case (3,) shape @forward | [3] T
# 19 37 match case 0.0 scalar @forward <sum | 0.0 T
