import dyncore as torch, math  # input: [4.0, 9.0]
from dataclasses import dataclass
@dataclass
class State:
    low: float
    high: float = 0.0
def forward(x):
    seen = {"first": x[0].item()}
    s = State(low=x.min().item())
    s.high = x.max().item()
    if seen["first"] > 3:
        x = x + 1
    if s.low < s.high:
        x = x + 1
    if math.sqrt(s.high) == 3 or round(s.low) == 5:
        x = x + 1
    if max(s.low, s.high) - sum([s.low]) > 4:
        x = x + 1
    if f"{s.high:.1f}" == "9.0":
        x = x + 1
    return x

# ----
# 0 11 if then scalar @forward <getitem | 4.0 > 3 T m1
# 1 13 if then scalar @forward <min | 4.0 < 9.0 T m5
# 2 15 if then scalar~ @forward <max | 3.0 == 3 T m0
# 3 17 if then scalar~ @forward <max | 5.0 > 4 T m1
# 4 19 if then scalar~ @forward <max | "9.0" == "9.0" T
