# input: [1.0]
from __future__ import annotations
if len("ab") > 1:
    import dyncore as torch
limit = torch.tensor(2.0)
if limit > 1:
    limit = limit - 1


def forward(x: Unknown = [1.0]):
    done = False
    steps = 0
    while not done:
        x = x * 2
        steps += 1
        if x.sum() > limit * 9:
            done = True
    return x if steps else None

# ----
# 0 3 if then load | 2 > 1 T m1
# 1 6 if then tensor load | 2.0 > 1 T m1
# 0 13 while body #0 @forward | false F
# 1 16 if else tensor in 13.0 @forward u0 <gt | 2.0 > 9.0 F m-7
# 2 13 while body scalar~ #1 @forward <gt | false F
# 3 16 if else tensor in 13.1 @forward u2 <gt | 4.0 > 9.0 F m-5
# 4 13 while body scalar~ #2 @forward <gt | false F
# 5 16 if else tensor in 13.2 @forward u4 <gt | 8.0 > 9.0 F m-1
# 6 13 while body scalar~ #3 @forward <gt | false F
# 7 16 if then tensor in 13.3 @forward u6 <gt | 16.0 > 9.0 T m7
# 8 13 while exit scalar~ #4 @forward <gt | true T
# 9 18 ifexp then @forward | 4 T m4
