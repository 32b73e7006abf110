import dyncore as torch  # input: [1.0, 5.0, -2.0]
from dataclasses import dataclass
@dataclass
class Leaf:
    v: object
@dataclass
class Node:
    left: object
    right: object
def walk(t):
    match t:
        case Leaf(v) if v > 0:
            return v
        case Leaf(v=v):
            return -v
        case Node(Leaf(a), Leaf(b)) if a > b and b.sum() > 0:
            return a - b
        case Node(l, r):
            return walk(l) + walk(r)
    return 0
def forward(x):
    return walk(Node(Leaf(x[0]), Node(Leaf(x[1]), Leaf(x[2]))))

# ----
# 0 11 match case Node(l, r) @forward>walk | {"type": "Node"} T
# 1 12 guard pass tensor @forward>walk>walk r1 u0 <gt | 1.0 > 0 T m1
# 2 11 match case Leaf(v) @forward>walk>walk r1 u0 | {"type": "Leaf"} T
# 3 16 guard fail tensor @forward>walk>walk r1 u0 <gt | 5.0 > -2.0 T; -2.0 > 0 F m-2
# 4 11 match case Node(l, r) @forward>walk>walk r1 u0 | {"type": "Node"} T
# 5 12 guard pass tensor @forward>walk>walk>walk r2 u4 <gt | 5.0 > 0 T m5
# 6 11 match case Leaf(v) @forward>walk>walk>walk r2 u4 | {"type": "Leaf"} T
# 7 12 guard fail tensor @forward>walk>walk>walk r2 u4 <gt | -2.0 > 0 F m-2
# 8 11 match case Leaf(v=v) @forward>walk>walk>walk r2 u4 | {"type": "Leaf"} T
