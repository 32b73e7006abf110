import dyncore as torch  # input: 2.0
class Lazy:
    def __getattr__(self, name):
        if name.startswith("w"):
            return 2.0
        raise AttributeError(name)
    def __contains__(self, v): return True if v > 1 else False
    def __len__(self): return 3 if self else 0
    def __bool__(self): return True
def forward(x):
    l = Lazy()
    if hasattr(l, "zz") or l.weight > 1:
        x = x * 2
    if x in l: x = x + 1
    return x * len(l)

# ----
# 0 4 if else @forward>Lazy.__getattr__ | false F
# 1 4 if then @forward>Lazy.__getattr__ | true T
# 2 12 if then @forward | false F; 2.0 > 1 T m1
# 3 7 ifexp then tensor @forward>Lazy.__contains__ <gt | 4.0 > 1 T m3
# 4 14 if then tensor @forward <mul | 4.0 in {"type": "Lazy"} T
# 5 8 ifexp then @forward>Lazy.__len__ | {"type": "Lazy"} T
