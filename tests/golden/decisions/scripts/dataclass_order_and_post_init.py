import dyncore as torch  # input: [2.0, 1.0]
from dataclasses import dataclass, field
@dataclass(order=True)
class Item:
    score: float
    name: str = field(compare=False, default="")
    def __post_init__(self):
        if not self.name:
            self.name = "big" if self.score > 1 else "small"
def forward(x):
    items = sorted(Item(v.item()) for v in x)
    best = max(items)
    if items[0] < best and best.name == "big":
        return x * best.score
    return x

# ----
# 0 11 comp loop shape x2 exhausted @forward
# 1 8 if then in 11.0 @forward>Item.__post_init__ u0 | "" F
# 2 9 ifexp then scalar in 11.0 @forward>Item.__post_init__ u1 <unbind | 2.0 > 1 T m1
# 3 8 if then in 11.1 @forward>Item.__post_init__ u0 | "" F
# 4 9 ifexp else scalar in 11.1 @forward>Item.__post_init__ u3 <unbind | 1.0 > 1 F m0
# 5 13 if then scalar~ @forward <unbind | {"type": "Item"} < {"type": "Item"} T; "big" == "big" T
