import dyncore as torch  # input: [1.0, -1.0, 5.0]
class Walk:
    def __init__(self, x): self.x, self.at = x, -1
    def __iter__(self): return self
    def __next__(self):
        self.at += 1
        if self.at == len(self.x):
            raise StopIteration
        if self.x[self.at] < 0:
            raise ValueError(self.at)
        return self.x[self.at]
def forward(x):
    got = 0
    walk = Walk(x)
    try:
        for v in walk:
            got = got + v
    except ValueError as error:
        if error.args == (1,):
            got = got * 2
    for v in walk:
        got = got + v
    return got

# ----
# 0 16 for loop x1 raise @forward
# 1 7 if else shape @forward>Walk.__next__ | 0 == 3 F m-3
# 2 9 if else tensor @forward>Walk.__next__ u1 <lt | 1.0 < 0 F m-1
# 3 7 if else shape in 16.0 @forward>Walk.__next__ u0 | 1 == 3 F m-2
# 4 9 if then tensor in 16.0 @forward>Walk.__next__ u3 <lt | -1.0 < 0 T m1
# 5 15 try except ValueError @forward !ValueError
# 6 19 if then @forward u5 | [1] == [1] T
# 7 21 for loop x1 exhausted @forward
# 8 7 if else shape @forward>Walk.__next__ | 2 == 3 F m-1
# 9 9 if else tensor @forward>Walk.__next__ u8 <lt | 5.0 < 0 F m-5
# 10 7 if then shape in 21.0 @forward>Walk.__next__ u7 | 3 == 3 T m0
