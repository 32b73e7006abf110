import dyncore as torch  # input: 1.0
from dataclasses import dataclass
@dataclass
class Node:
    weight: float
    children: tuple = ()
def value(node, x):
    total = x * node.weight
    for child in node.children:
        total = total + value(child, x)
    return total if total > 2 else total * 2
def forward(x):
    return value(Node(1.0, (Node(2.0), Node(3.0))), x)

# ----
# 0 9 for loop x2 exhausted @forward>value
# 1 9 for loop x0 exhausted in 9.0 @forward>value>value r1 u0
# 2 11 ifexp else tensor in 9.0 @forward>value>value r1 u0 <gt | 2.0 > 2 F m0
# 3 9 for loop x0 exhausted in 9.1 @forward>value>value r1 u0
# 4 11 ifexp then tensor in 9.1 @forward>value>value r1 u0 <gt | 3.0 > 2 T m1
# 5 11 ifexp then tensor @forward>value <gt | 8.0 > 2 T m6
