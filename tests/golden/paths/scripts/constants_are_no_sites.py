from typing import TYPE_CHECKING
import typing
DEBUG = False
if TYPE_CHECKING:
    import nothing
if typing.TYPE_CHECKING or not __debug__:
    import nothing
if 0:
    print("never")
assert True
x = 1 if 1 else 2
y = None or 5
z = [n for n in (1,) if True]
if DEBUG and True:
    print("never")

# ----
# 0 13:comp `for n in (1,)` -> loop x1 exhausted
# 1 14:if `DEBUG and True` -> else [DEBUG=False F]
