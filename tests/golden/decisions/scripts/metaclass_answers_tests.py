import dyncore as torch  # input: [1.0, 2.0]
class Meta(type):
    def __new__(mcls, name, bases, space, *, strict=False):
        for key, value in [(k, space[k]) for k in ('gain', 'run') if k != 'none']:
            if strict and callable(value) and not key.startswith("_"):
                space["n_" + key] = 1
        return super().__new__(mcls, name, bases, space)
    def __instancecheck__(cls, other):
        return True if other == 3 else NotImplemented is None
    def __contains__(cls, item):
        return item > 1
def build(x):
    class Net(metaclass=Meta, strict=len(x) > 1):
        if x[0] > 0:
            gain = 2
            for k in range(2):
                if k: gain += k
        else:
            gain = 0
        def run(self, v):
            return v * self.gain if self.gain > 2 else v
    return Net
def forward(x):
    Net = build(x)
    if isinstance(3, Net) and x[1] in Net:
        x = Net().run(x)
    return x * (Net.n_run or 5)

# ----
# 0 14 if then tensor @forward>build <gt | 1.0 > 0 T m1
# 1 16 for loop x2 exhausted @forward>build u0
# 2 17 if else in 16.0 @forward>build u1 | 0 F m0
# 3 17 if then in 16.1 @forward>build u1 | 1 T m1
# 4 4 comp loop x2 exhausted @forward>build>Meta.__new__
# 5 4 compif keep in 4.0 @forward>build>Meta.__new__ u4 | "gain" != "none" T
# 6 4 compif keep in 4.1 @forward>build>Meta.__new__ u4 | "run" != "none" T
# 7 4 for loop x2 exhausted @forward>build>Meta.__new__
# 8 5 if else in 4.0 @forward>build>Meta.__new__ u7 | true T; false F
# 9 5 if then in 4.1 @forward>build>Meta.__new__ u7 | true T; true T; false F
# 10 9 ifexp then @forward>Meta.__instancecheck__ | 3 == 3 T m0
# 11 25 if then tensor @forward <getitem | true T; 2.0 in {"type": "Meta"} T
# 12 21 ifexp then @forward>build.<locals>.Net.run u11 | 3 > 2 T m1
# 13 27 or short @forward | 1 T m1
