import dyncore as torch  # input: [[1.0, -2.0], [3.0, 4.0]]
def forward(x):
    t = x.tolist()
    if t[0][0] > 0 and any(a < 0 for r in t for a in r): x = x + 1
    vals = sorted(v for r in t for v in r)
    if vals[0] < -1 or vals[-1] == 4: x = x + 1
    s = sum(vals) / len(vals)
    if s > 1: x = x + 1
    k = int(x.argmax())
    if k == 3: x = x + 1
    if x.flatten()[k] > 5 and k in range(4): x = x + 1
    b = bool(x.any()); c = float(x.mean())
    if b and c > 2 or not b: x = x + 1
    i, j = divmod(k, x.shape[1])
    if x[i][j] == x.max(): x = x + 1
    lst = [x[0, 0].item(), x[1, 1].item()]
    lo, hi = min(lst), max(lst)
    if lo == hi: return x
    if hi - lo > 1: x = x + 1
    acc = 0.0
    for v in lst:
        acc += v
    if acc > 10: x = x + 1
    if x[0].sum().item().is_integer(): x = x + 1
    name = "big" if acc > 5 else "small"
    if name == "big": x = x + 1
    if {True: "y", False: "n"}[lo > 3] == "y": x = x + 1
    if x.size(0) * x.size(1) == x.numel() == len(vals): x = x + 1
    if len(x) > len(x[0]) - 1 and x.dim() in (2, 3): x = x + 1
    if x.dtype == torch.float32 and x.requires_grad and not x.is_leaf: x = x + 1
    if len(lst) == 2: x = x + 1
    if x.nonzero().shape[0] > 2 and torch.allclose(x, x) and torch.equal(x, x): x = x + 1
    return x

# ----
# 0 4 comp loop shape x1 break @forward
# 1 4 comp loop shape x2 break in 4.0 @forward u0
# 2 4 if then scalar @forward | 1.0 > 0 T; true T m1
# 3 5 comp loop shape x2 exhausted @forward
# 4 5 comp loop shape x2 exhausted in 5.0 @forward u3
# 5 5 comp loop shape x2 exhausted in 5.1 @forward u3
# 6 6 if then scalar @forward | -2.0 < -1 T m1
# 7 8 if then scalar~ @forward | 1.5 > 1 T m0.5
# 8 10 if then scalar~ @forward <argmax | 3 == 3 T m0
# 9 11 if then tensor @forward <gt | 8.0 > 5 T; 3 in {"type": "range", "len": 4} T m3
# 10 13 if then scalar @forward <mean | true T; 6.5 > 2 T m4.5
# 11 15 if then tensor @forward <eq | 10.0 == 10.0 T m0
# 12 18 if else scalar @forward <getitem | 8.0 == 11.0 F m-3
# 13 19 if then scalar~ @forward u12 <getitem | 3.0 > 1 T m2
# 14 21 for loop x2 exhausted @forward u12
# 15 23 if then scalar~ @forward u12 <getitem | 19.0 > 10 T m9
# 16 24 if then scalar~ @forward u12 <sum | true T
# 17 25 ifexp then scalar~ @forward u12 <getitem | 19.0 > 5 T m14
# 18 26 if then scalar~ @forward u12 <getitem | "big" == "big" T
# 19 27 if then scalar~ @forward u12 <getitem | "y" == "y" T
# 20 28 if then shape @forward u12 <add | 4 == 4 T; 4 == 4 T m0
# 21 29 if then shape @forward u12 <add | 2 > 1 T; 2 in [2, 3] T m1
# 22 30 if then @forward u12 | {"type": "dtype"} == {"type": "dtype"} T; true T; false F
# 23 31 if then @forward u12 | 2 == 2 T m0
# 24 32 if then scalar @forward u12 <isclose | 4 > 2 T; true T; true T m2
