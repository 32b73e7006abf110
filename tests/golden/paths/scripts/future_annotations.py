from __future__ import annotations
from typing import get_type_hints, NamedTuple, TYPE_CHECKING, Optional
if TYPE_CHECKING:
    import nothing
class P(NamedTuple):
    x: int = 1 if __debug__ else 2
    y: Optional[Later] = None
class Later: ...
def f(a: int if a else str, *, b: (lambda: 1 if x else 2) = 3) -> list[int] | None:
    c: "x if y else z" = a or b
    d: int
    return [c] if c > 2 else None
print(f(0), f(1), f.__annotations__, P(), get_type_hints(P)["x"].__name__)

# ----
# 0 10:or `a or b` -> rest [a=0 F] m0 | f
# 1 12:ifexp `c > 2` -> then [3 > 2 T] m1 | f
# 2 10:or `a or b` -> short [a=1 T] m1 | f
# 3 12:ifexp `c > 2` -> else [1 > 2 F] m-1 | f
# NameError: name 'Optional' is not defined
