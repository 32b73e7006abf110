import dyncore as torch  # input: [1.0, 2.0]
def check(x): return x.sum() > 2
class S: pass
def forward(x):
    s = S()
    s.ok = bool(x.max() > 1)
    flags = [check(x), not check(-x)]
    n = int(x.sum())
    if s.ok: x = x + 1
    if flags[0] and flags[1]: x = x + 1
    if n > 2: x = x + 1
    if n == 3 or s.ok is True: x = x + 1
    m = x.sum().item() * 2 + 1
    if m > 5: x = x + 1
    return x if float(x[0]) > 2 else -x

# ----
# 0 9 if then scalar~ @forward <gt | true T
# 1 10 if then tensor @forward <gt | 3.0 > 2 T; true T m1
# 2 11 if then scalar~ @forward <sum | 3 > 2 T m1
# 3 12 if then scalar~ @forward <sum | 3 == 3 T m0
# 4 14 if then scalar~ @forward <sum | 23.0 > 5 T m18
# 5 15 ifexp then scalar @forward <getitem | 6.0 > 2 T m4
