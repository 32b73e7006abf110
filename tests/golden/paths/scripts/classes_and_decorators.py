import functools

def twice(function):
    @functools.wraps(function)
    def wrapper(*args, **named):
        for _ in range(2):
            result = function(*args, **named)
        return result
    return wrapper

class Counter:
    start = 5 if True else 0
    step = 1 if start > 3 else 2

    def __init__(self, n=start or 7):
        self.n = n

    @twice
    def add(self):
        self.n += self.step if self.n < 6 else 0
        return self

    @property
    def big(self):
        return self.n > 5 and "big"

class Sub(Counter):
    def add(self):
        if super().add().n:
            return self

Sub().add().big

# ----
# 0 13:ifexp `start > 3` -> then [5 > 3 T] m2
# 1 15:or `start or 7` -> short [start=5 T] m5
# 2 6:for `for _ in range(2)` -> loop x2 exhausted | Sub.add twice.<locals>.wrapper
# 3 20:ifexp `self.n < 6` -> then [5 < 6 T] m1 | in 6.0 | Sub.add twice.<locals>.wrapper Counter.add | under 2
# 4 20:ifexp `self.n < 6` -> else [6 < 6 F] m0 | in 6.1 | Sub.add twice.<locals>.wrapper Counter.add | under 2
# 5 29:if `super().add().n` -> then [super().add().n=6 T] m6 | Sub.add
# 6 25:and `self.n > 5 and "big"` -> rest [6 > 5 T] m1 | Counter.big
