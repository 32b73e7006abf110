import dyncore as torch  # input: 2.0
from shapes import area
from shapes.limits import LIMIT as TOP
def forward(x):
    y = area(x)
    if y > TOP:
        return y
    return -y

# ----
# 0 limits.py:1 ifexp then load | "shapes.limits" == "shapes.limits" T
# 1 __init__.py:3 for loop x3 exhausted load
# 2 __init__.py:4 if else in 3.0 u1 load | 0 F m0
# 3 __init__.py:4 if then in 3.1 u1 load | 1 T m1
# 4 __init__.py:4 if else in 3.2 u1 load | 0 F m0
# 0 late.py:2 if then @forward>area | {"type": "list", "len": 1} T
# 1 deep.py:4 ifexp then tensor @forward>area <gt | 2.0 > 1 T m1
# 2 6 if then tensor @forward <gt | 4.0 > 3 T m1
