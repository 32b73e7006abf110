import dyncore as torch  # input: [0.5, 2.0]
log = []
def tap(v, name):
    log.append(name)
    return v
def forward(x):
    lo, hi = x
    if 0 < tap(lo, "a") < tap(hi, "b") < tap(1, "c") < tap(9, "d"):
        return x
    if not (tap(lo, "e") >= 1 or tap(hi, "f") < 1) and tap(3, "g"):
        x = x * 2
    n = tap(0, "h") or tap([], "i") or tap(lo, "j") and tap(hi, "k")
    f = max(tap(1, "l") and tap(2, "m"), tap(0, "n") or 4)
    if (tap(lo, "o") if n > 1 else tap(hi, "p")) > 1:
        x = x + 1
    return x * len(log) * f

# ----
# 0 8 if else tensor @forward <gt | 0 < 0.5 T; 0.5 < 2.0 T; 2.0 < 1 F m-1
# 1 10 if then tensor @forward u0 <ge | 0.5 >= 1 F; 2.0 < 1 F; 3 T m0.5
# 2 12 or rest @forward u0 | 0 F; {"type": "list", "len": 0} F m0
# 3 12 and rest tensor @forward u2 <unbind | 0.5 T m0.5
# 4 13 and rest @forward u0 | 1 T m1
# 5 13 or rest @forward u0 | 0 F m0
# 6 14 ifexp then tensor @forward u0 <gt | 2.0 > 1 T m1
# 7 14 if else tensor @forward u0 <gt | 0.5 > 1 F m-0.5
