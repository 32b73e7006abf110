import dyncore as torch  # input: [1.0, -2.0, 3.0]
from functools import cached_property
class Box:
    def __init__(self, v): self.v = v
    def __bool__(self): return bool(self.v > 0)
    def __contains__(self, k): return (self.v == k).item()
    def __eq__(self, o): return float(self.v) == o
    def __lt__(self, o): return self.v.item() < o
    @property
    def up(self): return self.v.item() > 0
    @cached_property
    def down(self):
        return self.v.item() < 0
class Bag:
    def __init__(self, v): self.v = v
    def __len__(self): return 2 if self.v > 0 else 0
class Plain:
    def __bool__(self): return True
def forward(x):
    b = Box(x[0])
    if b: x = x
    if 3 in b: x = x
    if b == 1.0: x = x
    if b != 1.0: x = x
    if b < 5: x = x
    if b.up and not b.down: x = x
    if Bag(x[1]): x = x
    if Plain(): x = x
    if Plain() is None or x.dtype is None: x = x
    return x

# ----
# 0 21 if then scalar~ @forward <gt | {"type": "Box"} T
# 1 22 if else scalar~ @forward <eq | 3 in {"type": "Box"} F
# 2 23 if then scalar~ @forward <getitem | {"type": "Box"} == 1.0 T
# 3 24 if else scalar~ @forward <getitem | {"type": "Box"} != 1.0 F
# 4 25 if then scalar~ @forward <getitem | {"type": "Box"} < 5 T
# 5 26 if then scalar~ @forward <getitem | 1.0 > 0 T; 1.0 < 0 F m1
# 6 16 ifexp else tensor @forward>Bag.__len__ <gt | -2.0 > 0 F m-2
# 7 27 if else scalar~ @forward <gt | {"type": "Bag"} F
# 8 28 if then @forward | {"type": "Plain"} T
# 9 29 if else @forward | {"type": "Plain"} is null F; {"type": "dtype"} is null F
