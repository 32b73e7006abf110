import dyncore as torch  # input: [1.0, 2.0]
class Gate:
    def __init__(self, x): self.x = x
    @property
    def open(self): return self.x.sum() > 2
    def __bool__(self):
        if self.open: return True
        return False
    def __len__(self): return 0
def forward(x):
    g = Gate(x)
    if g:
        x = x * 2
    if not Gate(x - 9): x = x + 1
    return x if g.open else -x

# ----
# 0 7 if then tensor @forward>Gate.__bool__ <gt | 3.0 > 2 T m1
# 1 12 if then @forward | {"type": "Gate"} T
# 2 7 if else tensor @forward>Gate.__bool__ <gt | -12.0 > 2 F m-14
# 3 14 if then @forward | {"type": "Gate"} F
# 4 15 ifexp then tensor @forward <gt | 3.0 > 2 T m1
