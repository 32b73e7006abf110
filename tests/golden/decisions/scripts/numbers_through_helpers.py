import dyncore as torch, math  # input: [1.5, -0.25, 3.0]
from dataclasses import dataclass
@dataclass
class State:
    ok: bool = False
    best: float = 0.0
def grab(v): return v.item()
def rms(vs): return math.sqrt(sum(v * v for v in vs) / len(vs))
def forward(x):
    s = State()
    s.ok = bool(x[0] > 0)
    flags = {"neg": x.min().item() < 0, "n": [x[1].item() > 0]}
    if s.ok: x = x + 1
    if flags["neg"] and not flags["n"][0]: x = x + 1
    vals = [grab(v) for v in x]
    if max(vals) > 4: s.best = max(vals)
    if s.best: x = x * 1
    if sorted(vals)[0] < 2: x = x + 1
    if any(v > 6 for v in vals) or all([v < 9 for v in vals]): x = x + 1
    if rms(vals) > 3: x = x + 1
    if f"{vals[0]:.1f}" == "3.5": x = x + 1
    if int(vals[0]) // 2 + 1 == 2: x = x + 1
    if round(grab(x.mean())) % 2: x = x + 1
    if min(grab(x[0]), 3) == 3: x = x + 1
    if str(x.argmax().item()) in ("2", "3"): x = x + 1
    if math.isnan(vals[1]) or math.floor(vals[2]) >= 5: x = x - 1
    if abs(-grab(x[1])) ** 2 > 1: x = x + 1
    return x

# ----
# 0 13 if then scalar~ @forward <gt | 1.5 > 0 T m1.5
# 1 14 if then scalar~ @forward <getitem | true T; false F
# 2 15 comp loop shape x3 exhausted @forward <add
# 3 16 if then scalar @forward <unbind | 5.0 > 4 T m1
# 4 17 if then scalar @forward <unbind | 5.0 T m5
# 5 18 if then scalar @forward <unbind | 1.75 < 2 T m0.25
# 6 19 comp loop shape x3 exhausted @forward <add
# 7 19 comp loop shape x3 exhausted @forward <add
# 8 19 if then scalar~ @forward <unbind | false F; true T
# 9 8 comp loop shape x3 exhausted @forward>rms <add
# 10 20 if then scalar~ @forward <unbind | 3.665719574653795 > 3 T m0.6657
# 11 21 if then scalar~ @forward <unbind | "3.5" == "3.5" T
# 12 22 if then scalar~ @forward <unbind | 2 == 2 T m0
# 13 23 if else scalar~ @forward <mean | 0 F m0
# 14 24 if then scalar~ @forward <getitem | 3 == 3 T m0
# 15 25 if then scalar~ @forward <argmax | "2" in ["2", "3"] T
# 16 26 if then scalar~ @forward <getitem | false F; 5 >= 5 T m0
# 17 27 if then scalar~ @forward <getitem | 60.0625 > 1 T m59.06
