from __future__ import annotations  # input: [1.0, 2.0]
import dyncore as torch, typing, pickle, inspect, contextlib
from dataclasses import dataclass
@dataclass(frozen=True)
class Box:
    v: torch.Tensor | None = None
    n: "int if True else str" = 3 if typing.TYPE_CHECKING else 4
    def grow(self: Box, k: int = 1 if 2 > 1 else 0) -> Box | (None if 0 else Box):
        return Box(self.v * k, self.n + 1) if self.n < 6 else self
@contextlib.contextmanager
def scope(x):
    y = x.detach()
    try:
        yield y if y[0] > 0 else None
    except ArithmeticError as e:
        if "no" not in str(e): raise
def forward(x):
    b = Box(x)
    while (c := b.grow(2)) is not b: b = c
    with scope(x) as y, contextlib.suppress(KeyError):
        if y is not None and y[1] > 1: raise ArithmeticError("no way")
        x = x * 0
    assert pickle.loads(pickle.dumps(Box(None, 9))).n == 9
    src = inspect.getsource(Box.grow)
    hints = typing.get_type_hints(scope)
    z: int if x.sum() > 0 else str = 3
    if "self.n < 6" in src and not hints and inspect.signature(Box.grow).parameters["k"].default == 1: x = x + z
    return b.v + x

# ----
# 0 9 ifexp then @forward>Box.grow | 4 < 6 T m2
# 1 19 while body #0 @forward | {"type": "Box"} is not {"type": "Box"} T
# 2 9 ifexp then in 19.0 @forward>Box.grow u1 | 5 < 6 T m1
# 3 19 while body #1 @forward | {"type": "Box"} is not {"type": "Box"} T
# 4 9 ifexp else in 19.1 @forward>Box.grow u3 | 6 < 6 F m0
# 5 19 while exit #2 @forward | {"type": "Box"} is not {"type": "Box"} F
# 6 14 ifexp then tensor @forward>scope <gt | 1.0 > 0 T m1
# 7 21 if then tensor @forward <gt | {"type": "Tensor", "shape": [2]} is not null T; 2.0 > 1 T m1
# 8 13 try except ArithmeticError @forward>scope !ArithmeticError
# 9 16 if else @forward>scope u8 | "no" not in "no way" F
# 10 23 assert pass @forward | 9 == 9 T m0
# 11 27 if then @forward | "self.n < 6" in "    def grow(self: Box, k: int = 1 if 2 > 1 else 0) -> Box | (None if 0 else Box):\n        return Box(self.v * k, self.n + 1) if self.n < 6 else self\n" T; {"type": "dict", "len": 0} F; 1 == 1 T m0
