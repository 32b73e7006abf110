from __future__ import annotations
from typing import TYPE_CHECKING
import dyncore as torch
if TYPE_CHECKING:
    from nowhere import Thing
DEBUG = False
def forward(x: Thing = 1):
    x = torch.tensor(2.0)
    if TYPE_CHECKING or DEBUG:
        return -x
    if __debug__:
        x = x + 1
    return x if not DEBUG else -x
if __name__ == "__main__":
    print(forward())

# ----
# 0 14 if then | "__main__" == "__main__" T
# 1 9 if else @forward u0 | false F
# 2 13 ifexp then @forward u1 | false F
