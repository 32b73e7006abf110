import dyncore as torch  # input: 2.0
REG = {}
class Base:
    def __init_subclass__(cls, key=None, **rest):
        if key is not None:
            REG[key] = cls
    def __call__(self, x):
        return self.run(x) if hasattr(self, "run") else x
class Double(Base, key="d"):
    def run(self, x): return x * 2
class Plain(Base): pass
def forward(x):
    for key, cls in REG.items():
        x = cls()(x)
    x = Plain()(x)
    return x if isinstance(x, torch.Tensor) and not callable(x) else -x

# ----
# 0 5 if then @Base.__init_subclass__ load | "d" is not null T
# 1 5 if else @Base.__init_subclass__ load | null is not null F
# 0 13 for loop x1 exhausted @forward
# 1 8 ifexp then in 13.0 @forward>Base.__call__ u0 | true T
# 2 8 ifexp else @forward>Base.__call__ | false F
# 3 16 ifexp then @forward | true T; false F
