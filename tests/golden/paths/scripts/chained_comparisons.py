class N:
    def __init__(self, v): self.v = v
    def __lt__(self, o): print("lt", self.v, getattr(o, "v", o)); return self.v < getattr(o, "v", o)
    def __gt__(self, o): print("gt", self.v, getattr(o, "v", o)); return self.v > getattr(o, "v", o)
def mid(): print("mid"); return N(2)
for x in (-1, 0.5, 1, 3):
    if 0 < x < 1:
        print("in")
    elif 0 <= x == 1 != 2:
        print("one")
    ok = 0 < x <= 3 > 2
    print(ok)
if N(1) < mid() < N(3): print("ok")
if N(3) < mid() < N(5): print("not")
while not 0 < x < 2: x -= 1
print(x, 1 < 2 < 3 in [3] is not None)
assert 0 < x < 2 < 3, "x"
print("yes" if 1 < x + 1 < 3 and x in (1, 2) not in [()] else "no")

# ----
# 0 6:for `for x in (-1, 0.5, 1, 3)` -> loop x4 exhausted
# 1 7:if `0 < x < 1` -> else [0 < -1 F] m-1 | in 6.0 | under 0
# 2 9:elif `0 <= x == 1 != 2` -> else [0 <= -1 F] m-1 | in 6.0 | under 1
# 3 11:and `0 < x <= 3 > 2` -> short [0 < -1 F] m-1 | in 6.0 | under 0
# 4 7:if `0 < x < 1` -> then [0 < 0.5 T, 0.5 < 1 T] m0.5 | in 6.1 | under 0
# 5 11:and `0 < x <= 3 > 2` -> rest [0 < 0.5 T, 0.5 <= 3 T] m0.5 | in 6.1 | under 0
# 6 7:if `0 < x < 1` -> else [0 < 1 T, 1 < 1 F] m0 | in 6.2 | under 0
# 7 9:elif `0 <= x == 1 != 2` -> then [0 <= 1 T, 1 == 1 T, 1 != 2 T] m0 | in 6.2 | under 6
# 8 11:and `0 < x <= 3 > 2` -> rest [0 < 1 T, 1 <= 3 T] m1 | in 6.2 | under 0
# 9 7:if `0 < x < 1` -> else [0 < 3 T, 3 < 1 F] m-2 | in 6.3 | under 0
# 10 9:elif `0 <= x == 1 != 2` -> else [0 <= 3 T, 3 == 1 F] m-2 | in 6.3 | under 9
# 11 11:and `0 < x <= 3 > 2` -> rest [0 < 3 T, 3 <= 3 T] m0 | in 6.3 | under 0
# 12 13:if `N(1) < mid() < N(3)` -> then [N < N T, N < N T]
# 13 14:if `N(3) < mid() < N(5)` -> else [N < N F]
# 14 15:while `not 0 < x < 2` -> body #0 [0 < 3 T, 3 < 2 F] m1
# 15 15:while `not 0 < x < 2` -> body #1 [0 < 2 T, 2 < 2 F] m0
# 16 15:while `not 0 < x < 2` -> exit #2 [0 < 1 T, 1 < 2 T] m-1
# 17 16:and `1 < 2 < 3 in [3] is not None` -> rest [1 < 2 T, 2 < 3 T, 3 in list of 1 T] m1
# 18 17:assert `0 < x < 2 < 3` -> pass [0 < 1 T, 1 < 2 T, 2 < 3 T] m1
# 19 18:ifexp `1 < x + 1 < 3 and x in (1, 2) not in [()]` -> then [1 < 2 T, 2 < 3 T, 1 in (1, 2) T, (1, 2) not in list of 1 T] m1
