import dyncore as torch  # input: [3.0, 1.0]
class Seq:
    def __init__(self, x): self.x = x
    def __getitem__(self, k):
        if k >= len(self.x):
            raise IndexError
        return self.x[k]
def forward(x):
    total = 0
    for v in Seq(x):
        total = total + v
    left = [3, 2, 0, 5]
    for step in iter(lambda: left.pop(0), 0):
        total = total - step if step < total else total
    return total

# ----
# 0 10 for loop x2 exhausted @forward
# 1 5 if else shape @forward>Seq.__getitem__ | 0 >= 2 F m-2
# 2 5 if else shape in 10.0 @forward>Seq.__getitem__ u0 | 1 >= 2 F m-1
# 3 5 if then shape in 10.1 @forward>Seq.__getitem__ u0 | 2 >= 2 T m0
# 4 13 for loop x2 exhausted @forward
# 5 14 ifexp then tensor in 13.0 @forward u4 <gt | 3 < 4.0 T m1
# 6 14 ifexp else tensor in 13.1 @forward u4 <gt | 2 < 1.0 F m-1
