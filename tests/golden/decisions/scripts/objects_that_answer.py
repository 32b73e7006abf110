import dyncore as torch  # input: [1.0, 2.0]
count = 0
class Vec:
    def __init__(self, t): self.t = t
    def __len__(self): return 0 if self.t[0] < 0 else 2
    def __eq__(self, o): return bool(self.t[0] == o) if o is not None else False
    def __lt__(self, o): return (self.t < o.t).all()
    def __contains__(self, o): return any(v == o for v in self.t)
    def __getattr__(self, name): return 5 if name == "five" else object.__getattribute__(self, name)
    @property
    def big(self): return self.t.max() > 1 and len(self.t) > 1
class Truth:
    def __init__(self, v): self.v = v
    def __bool__(self):
        global count
        count += 1
        return bool(self.v > 1)
def forward(x):
    v = Vec(x)
    if v: x = x + 1
    if v == 1 or v == None: x = x + 1
    if v < Vec(x + 1): x = x + 1
    if 2 in v and 7 not in v: x = x + 1
    if v.five == 5: x = x + 1
    if v.big: x = x + 1
    if not Truth(x[0]): x = x * 2
    y = Truth(x[0]) and Truth(x[1]) or None
    assert y, f"no {'way' if x[0] > 0 else 'luck'}"
    del y
    return x * count

# ----
# 0 5 ifexp else tensor @forward>Vec.__len__ <lt | 1.0 < 0 F m-1
# 1 20 if then scalar~ @forward <lt | {"type": "Vec"} T
# 2 6 ifexp then @forward>Vec.__eq__ | 1 is not null T
# 3 21 if then scalar~ @forward <eq | {"type": "Vec"} == 1 T
# 4 22 if then tensor @forward <all | {"type": "Vec"} < {"type": "Vec"} T
# 5 8 comp loop shape x2 break @forward>Vec.__contains__
# 6 8 comp loop shape x2 exhausted @forward>Vec.__contains__
# 7 23 if then scalar~ @forward <eq | 2 in {"type": "Vec"} T; 7 not in {"type": "Vec"} T
# 8 9 ifexp then @forward>Vec.__getattr__ | "five" == "five" T
# 9 24 if then @forward | 5 == 5 T m0
# 10 11 and rest tensor @forward>Vec.big <gt | 2.0 > 1 T m1
# 11 25 if then scalar~ @forward <gt | true T
# 12 26 if else scalar~ @forward <gt | {"type": "Truth"} T
# 13 27 and rest scalar~ @forward <gt | {"type": "Truth"} T
# 14 27 or short scalar~ @forward <gt | {"type": "Truth"} T
# 15 28 assert pass scalar~ @forward <gt | {"type": "Truth"} T
