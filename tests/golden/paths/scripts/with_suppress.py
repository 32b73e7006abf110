import contextlib
class Swallow:
    def __init__(self, *kinds): self.kinds = kinds
    def __enter__(self): return self if self.kinds else None
    def __exit__(self, kind, error, tb):
        if kind is None: return False
        return issubclass(kind, self.kinds) if self.kinds else None
def f(n):
    with Swallow(ValueError) as s, contextlib.suppress(KeyError):
        if n == 1: raise ValueError
        if n == 2: raise KeyError
        if n == 3: return "returned" if s else "?"
        for k in range(5):
            with Swallow(IndexError):
                if k > 1: [][k]
                continue
            if k == 3: break
        if n == 4: raise TypeError
    if n: return "after"
@contextlib.contextmanager
def manager(flag):
    try:
        yield flag or 7
    except RuntimeError:
        if not flag: raise
    finally:
        print("exit", flag)
for n in range(6):
    try: print(n, f(n))
    except TypeError: print("type")
for flag in (1, 0):
    try:
        with manager(flag) as m:
            if m: raise RuntimeError
    except RuntimeError: print("out")

# ----
# 0 28:for `for n in range(6)` -> loop x6 exhausted
# 1 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.0 | f Swallow.__enter__ | under 0
# 2 10:if `n == 1` -> else [0 == 1 F] m-1 | in 28.0 | f | under 0
# 3 11:if `n == 2` -> else [0 == 2 F] m-2 | in 28.0 | f | under 2
# 4 12:if `n == 3` -> else [0 == 3 F] m-3 | in 28.0 | f | under 3
# 5 13:for `for k in range(5)` -> loop x4 break | in 28.0 | f | under 4
# 6 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.0 13.0 | f Swallow.__enter__ | under 5
# 7 15:if `k > 1` -> else [0 > 1 F] m-1 | in 28.0 13.0 | f | under 5
# 8 6:if `kind is None` -> then [None is None T] | in 28.0 13.0 | f Swallow.__exit__ | under 5
# 9 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.0 13.1 | f Swallow.__enter__ | under 5
# 10 15:if `k > 1` -> else [1 > 1 F] m0 | in 28.0 13.1 | f | under 5
# 11 6:if `kind is None` -> then [None is None T] | in 28.0 13.1 | f Swallow.__exit__ | under 5
# 12 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.0 13.2 | f Swallow.__enter__ | under 5
# 13 15:if `k > 1` -> then [2 > 1 T] m1 | in 28.0 13.2 | f | under 5
# 14 6:if `kind is None` -> else [type is None F] | in 28.0 13.2 | f Swallow.__exit__ | under 5
# 15 7:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.0 13.2 | f Swallow.__exit__ | under 14
# 16 17:if `k == 3` -> else [2 == 3 F] m-1 | in 28.0 13.2 | f | under 5
# 17 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.0 13.3 | f Swallow.__enter__ | under 5
# 18 15:if `k > 1` -> then [3 > 1 T] m2 | in 28.0 13.3 | f | under 5
# 19 6:if `kind is None` -> else [type is None F] | in 28.0 13.3 | f Swallow.__exit__ | under 5
# 20 7:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.0 13.3 | f Swallow.__exit__ | under 19
# 21 17:if `k == 3` -> then [3 == 3 T] m0 | in 28.0 13.3 | f | under 5
# 22 18:if `n == 4` -> else [0 == 4 F] m-4 | in 28.0 | f | under 4
# 23 6:if `kind is None` -> then [None is None T] | in 28.0 | f Swallow.__exit__ | under 0
# 24 19:if `n` -> else [n=0 F] m0 | in 28.0 | f | under 0
# 25 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.1 | f Swallow.__enter__ | under 0
# 26 10:if `n == 1` -> then [1 == 1 T] m0 | in 28.1 | f | under 0
# 27 6:if `kind is None` -> else [type is None F] | in 28.1 | f Swallow.__exit__ | under 0
# 28 7:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.1 | f Swallow.__exit__ | under 27
# 29 19:if `n` -> then [n=1 T] m1 | in 28.1 | f | under 0
# 30 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.2 | f Swallow.__enter__ | under 0
# 31 10:if `n == 1` -> else [2 == 1 F] m-1 | in 28.2 | f | under 0
# 32 11:if `n == 2` -> then [2 == 2 T] m0 | in 28.2 | f | under 31
# 33 6:if `kind is None` -> then [None is None T] | in 28.2 | f Swallow.__exit__ | under 0
# 34 19:if `n` -> then [n=2 T] m2 | in 28.2 | f | under 0
# 35 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.3 | f Swallow.__enter__ | under 0
# 36 10:if `n == 1` -> else [3 == 1 F] m-2 | in 28.3 | f | under 0
# 37 11:if `n == 2` -> else [3 == 2 F] m-1 | in 28.3 | f | under 36
# 38 12:if `n == 3` -> then [3 == 3 T] m0 | in 28.3 | f | under 37
# 39 12:ifexp `s` -> then [s=Swallow T] | in 28.3 | f | under 38
# 40 6:if `kind is None` -> then [None is None T] | in 28.3 | f Swallow.__exit__ | under 0
# 41 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.4 | f Swallow.__enter__ | under 0
# 42 10:if `n == 1` -> else [4 == 1 F] m-3 | in 28.4 | f | under 0
# 43 11:if `n == 2` -> else [4 == 2 F] m-2 | in 28.4 | f | under 42
# 44 12:if `n == 3` -> else [4 == 3 F] m-1 | in 28.4 | f | under 43
# 45 13:for `for k in range(5)` -> loop x4 break | in 28.4 | f | under 44
# 46 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.4 13.0 | f Swallow.__enter__ | under 45
# 47 15:if `k > 1` -> else [0 > 1 F] m-1 | in 28.4 13.0 | f | under 45
# 48 6:if `kind is None` -> then [None is None T] | in 28.4 13.0 | f Swallow.__exit__ | under 45
# 49 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.4 13.1 | f Swallow.__enter__ | under 45
# 50 15:if `k > 1` -> else [1 > 1 F] m0 | in 28.4 13.1 | f | under 45
# 51 6:if `kind is None` -> then [None is None T] | in 28.4 13.1 | f Swallow.__exit__ | under 45
# 52 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.4 13.2 | f Swallow.__enter__ | under 45
# 53 15:if `k > 1` -> then [2 > 1 T] m1 | in 28.4 13.2 | f | under 45
# 54 6:if `kind is None` -> else [type is None F] | in 28.4 13.2 | f Swallow.__exit__ | under 45
# 55 7:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.4 13.2 | f Swallow.__exit__ | under 54
# 56 17:if `k == 3` -> else [2 == 3 F] m-1 | in 28.4 13.2 | f | under 45
# 57 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.4 13.3 | f Swallow.__enter__ | under 45
# 58 15:if `k > 1` -> then [3 > 1 T] m2 | in 28.4 13.3 | f | under 45
# 59 6:if `kind is None` -> else [type is None F] | in 28.4 13.3 | f Swallow.__exit__ | under 45
# 60 7:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.4 13.3 | f Swallow.__exit__ | under 59
# 61 17:if `k == 3` -> then [3 == 3 T] m0 | in 28.4 13.3 | f | under 45
# 62 18:if `n == 4` -> then [4 == 4 T] m0 | in 28.4 | f | under 44
# 63 6:if `kind is None` -> else [type is None F] | in 28.4 | f Swallow.__exit__ | under 0
# 64 7:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.4 | f Swallow.__exit__ | under 63
# 65 29:try `try` -> except TypeError !TypeError | in 28.4 | under 0
# 66 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.5 | f Swallow.__enter__ | under 0
# 67 10:if `n == 1` -> else [5 == 1 F] m-4 | in 28.5 | f | under 0
# 68 11:if `n == 2` -> else [5 == 2 F] m-3 | in 28.5 | f | under 67
# 69 12:if `n == 3` -> else [5 == 3 F] m-2 | in 28.5 | f | under 68
# 70 13:for `for k in range(5)` -> loop x4 break | in 28.5 | f | under 69
# 71 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.5 13.0 | f Swallow.__enter__ | under 70
# 72 15:if `k > 1` -> else [0 > 1 F] m-1 | in 28.5 13.0 | f | under 70
# 73 6:if `kind is None` -> then [None is None T] | in 28.5 13.0 | f Swallow.__exit__ | under 70
# 74 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.5 13.1 | f Swallow.__enter__ | under 70
# 75 15:if `k > 1` -> else [1 > 1 F] m0 | in 28.5 13.1 | f | under 70
# 76 6:if `kind is None` -> then [None is None T] | in 28.5 13.1 | f Swallow.__exit__ | under 70
# 77 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.5 13.2 | f Swallow.__enter__ | under 70
# 78 15:if `k > 1` -> then [2 > 1 T] m1 | in 28.5 13.2 | f | under 70
# 79 6:if `kind is None` -> else [type is None F] | in 28.5 13.2 | f Swallow.__exit__ | under 70
# 80 7:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.5 13.2 | f Swallow.__exit__ | under 79
# 81 17:if `k == 3` -> else [2 == 3 F] m-1 | in 28.5 13.2 | f | under 70
# 82 4:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.5 13.3 | f Swallow.__enter__ | under 70
# 83 15:if `k > 1` -> then [3 > 1 T] m2 | in 28.5 13.3 | f | under 70
# 84 6:if `kind is None` -> else [type is None F] | in 28.5 13.3 | f Swallow.__exit__ | under 70
# 85 7:ifexp `self.kinds` -> then [self.kinds=tuple of 1 T] | in 28.5 13.3 | f Swallow.__exit__ | under 84
# 86 17:if `k == 3` -> then [3 == 3 T] m0 | in 28.5 13.3 | f | under 70
# 87 18:if `n == 4` -> else [5 == 4 F] m-1 | in 28.5 | f | under 69
# 88 6:if `kind is None` -> then [None is None T] | in 28.5 | f Swallow.__exit__ | under 0
# 89 19:if `n` -> then [n=5 T] m5 | in 28.5 | f | under 0
# 90 31:for `for flag in (1, 0)` -> loop x2 exhausted
# 91 23:or `flag or 7` -> short [flag=1 T] m1 | in 31.0 | manager | under 90
# 92 34:if `m` -> then [m=1 T] m1 | in 31.0 | under 90
# 93 22:try `try` -> except RuntimeError !RuntimeError | in 31.0 | manager | under 90
# 94 25:if `not flag` -> else [flag=1 T] m-1 | in 31.0 | manager | under 93
# 95 23:or `flag or 7` -> rest [flag=0 F] m0 | in 31.1 | manager | under 90
# 96 34:if `m` -> then [m=7 T] m7 | in 31.1 | under 90
# 97 22:try `try` -> except RuntimeError !RuntimeError | in 31.1 | manager | under 90
# 98 25:if `not flag` -> then [flag=0 F] m0 | in 31.1 | manager | under 97
# 99 32:try `try` -> except RuntimeError !RuntimeError | in 31.1 | under 90
