import dyncore as torch  # input: [1.0, 2.0, 9.0]
from dataclasses import dataclass, field
@dataclass
class State:
    h: object
    steps: int = 0
    done: bool = field(default=False)
    def __post_init__(self):
        if self.h.sum() > 3: self.done = True
    def step(self, v):
        self.steps += 1
        self.h = self.h + v if not self.done else self.h
        self.done = self.done or self.h.max().item() > 3
        return self
def forward(x):
    s = State(x[:1])
    for v in x:
        if s.step(v).done:
            break
    return s.h

# ----
# 0 9 if else tensor @forward>State.__post_init__ <gt | 1.0 > 3 F m-2
# 1 17 for loop shape x2 break @forward
# 2 12 ifexp then scalar~ in 17.0 @forward>State.step u1 <gt | false F
# 3 13 or rest scalar~ in 17.0 @forward>State.step u1 <gt | false F
# 4 18 if else scalar~ in 17.0 @forward u1 <max | false F
# 5 12 ifexp then scalar~ in 17.1 @forward>State.step u1 <max | false F
# 6 13 or rest scalar~ in 17.1 @forward>State.step u1 <max | false F
# 7 18 if then scalar~ in 17.1 @forward u1 <max | true T
