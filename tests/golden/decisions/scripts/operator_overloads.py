import dyncore as torch  # input: 2.0
class Money:
    def __init__(self, v): self.v = v
    def __lt__(self, other):
        return self.v < other.v if isinstance(other, Money) else NotImplemented
    def __eq__(self, other): return isinstance(other, Money) and self.v.item() == other.v.item()
    def __contains__(self, k): return k > 0 and k < self.v
    def __iadd__(self, k):
        self.v = self.v + k
        return self
def forward(x):
    a, b = Money(x), Money(x * 2)
    if a < b:
        a += 1
    if a > b:
        return x
    if 1 in a and a != b:
        a += 1
    return a.v if a == b else x

# ----
# 0 5 ifexp then @forward>Money.__lt__ | true T
# 1 13 if then tensor @forward <lt | {"type": "Money"} < {"type": "Money"} T
# 2 5 ifexp then @forward>Money.__lt__ | true T
# 3 15 if else tensor @forward <lt | {"type": "Money"} > {"type": "Money"} F
# 4 7 and rest @forward>Money.__contains__ u3 | 1 > 0 T m1
# 5 6 and rest @forward>Money.__eq__ u3 | true T
# 6 17 if then scalar~ @forward u3 <mul | 1 in {"type": "Money"} T; {"type": "Money"} != {"type": "Money"} T
# 7 6 and rest @forward>Money.__eq__ u3 | true T
# 8 19 ifexp then scalar~ @forward u3 <mul | {"type": "Money"} == {"type": "Money"} T
