import dyncore as torch  # input: [8.0]
class Policy:
    def __init__(self): self.seen = 0
    def __call__(self, x):
        self.seen += 1
        while (x := x / 2).max() > 1: pass
        return self.pick(x)
    @staticmethod
    def pick(x): return x if x.numel() > 1 else x.sum()
    @classmethod
    def make(cls, flag): return cls() if flag else None
policy = Policy.make(True)
def forward(x):
    return policy(x)

# ----
# 0 11 ifexp then @Policy.make load | true T
# 0 6 while body tensor #0 @forward>Policy.__call__ <gt | 4.0 > 1 T m3
# 1 6 while body tensor #1 @forward>Policy.__call__ <gt | 2.0 > 1 T m1
# 2 6 while exit tensor #2 @forward>Policy.__call__ <gt | 1.0 > 1 F m0
# 3 9 ifexp else shape @forward>Policy.__call__>Policy.pick <div | 1 > 1 F m0
