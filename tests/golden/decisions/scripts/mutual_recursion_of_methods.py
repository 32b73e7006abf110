import dyncore as torch  # input: [4.0, 9.0]
class Tree:
    def __init__(self, v, kids=()): self.v, self.kids = v, kids
    def fold(self, depth=0):
        if depth > 2 or not self.kids:
            return self.v if self.even(depth) else -self.v
        return sum((k.fold(depth + 1) for k in self.kids if k.v > 0), self.v)
    def even(self, n): return True if n == 0 else self.odd(n - 1)
    def odd(self, n): return False if n == 0 else self.even(n - 1)
def forward(x):
    def down(n, acc):
        def again(m):
            return down(m, acc * 2) if m else acc
        return again(n - 1) if n > 0 else acc
    t = Tree(x[0], (Tree(x[1]), Tree(-x[1]), Tree(x[0], (Tree(x[0]),))))
    return t.fold() + down(2, x)

# ----
# 0 5 if else @forward>Tree.fold | 0 > 2 F; {"type": "tuple", "len": 3} T m-2
# 1 7 comp loop x3 exhausted @forward>Tree.fold u0
# 2 7 compif keep tensor in 7.0 @forward>Tree.fold u1 <gt | 9.0 > 0 T m9
# 3 5 if then in 7.0 @forward>Tree.fold>Tree.fold r1 u2 | 1 > 2 F; [] F
# 4 8 ifexp else in 7.0 @forward>Tree.fold>Tree.fold>Tree.even u3 | 1 == 0 F m-1
# 5 9 ifexp then in 7.0 @forward>Tree.fold>Tree.fold>Tree.even>Tree.odd u4 | 0 == 0 T m0
# 6 6 ifexp else in 7.0 @forward>Tree.fold>Tree.fold r1 u3 | false F
# 7 7 compif drop tensor in 7.1 @forward>Tree.fold u1 <gt | -9.0 > 0 F m-9
# 8 7 compif keep tensor in 7.2 @forward>Tree.fold u1 <gt | 4.0 > 0 T m4
# 9 5 if else in 7.2 @forward>Tree.fold>Tree.fold r1 u8 | 1 > 2 F; {"type": "tuple", "len": 1} T m-1
# 10 7 comp loop x1 exhausted in 7.2 @forward>Tree.fold>Tree.fold r1 u9
# 11 7 compif keep tensor in 7.2,7.0 @forward>Tree.fold>Tree.fold r1 u10 <gt | 4.0 > 0 T m4
# 12 5 if then in 7.2,7.0 @forward>Tree.fold>Tree.fold>Tree.fold r2 u11 | 2 > 2 F; [] F
# 13 8 ifexp else in 7.2,7.0 @forward>Tree.fold>Tree.fold>Tree.fold>Tree.even u12 | 2 == 0 F m-2
# 14 9 ifexp else in 7.2,7.0 @forward>Tree.fold>Tree.fold>Tree.fold>Tree.even>Tree.odd u13 | 1 == 0 F m-1
# 15 8 ifexp then in 7.2,7.0 @forward>Tree.fold>Tree.fold>Tree.fold>Tree.even>Tree.odd>Tree.even r1 u14 | 0 == 0 T m0
# 16 6 ifexp then in 7.2,7.0 @forward>Tree.fold>Tree.fold>Tree.fold r2 u12 | true T
# 17 14 ifexp then @forward>forward.<locals>.down | 2 > 0 T m2
# 18 13 ifexp then @forward>forward.<locals>.down>forward.<locals>.down.<locals>.again u17 | 1 T m1
# 19 14 ifexp then @forward>forward.<locals>.down>forward.<locals>.down.<locals>.again>forward.<locals>.down r1 u18 | 1 > 0 T m1
# 20 13 ifexp else @forward>forward.<locals>.down>forward.<locals>.down.<locals>.again>forward.<locals>.down>forward.<locals>.down.<locals>.again r1 u19 | 0 F m0
