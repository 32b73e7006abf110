from contextlib import contextmanager

class Guard:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, traceback):
        if kind is None:
            return helper(0)

def helper(n):
    return 1 if n else 0

@contextmanager
def opened(n):
    yield n
    if n:
        helper(n)

def inner(n):
    with opened(n) as m, Guard():
        if m:
            return helper(m)

def outer():
    found = inner(2)
    if found:
        return found

outer()

# ----
# 0 21:if `m` -> then [m=2 T] m2 | outer inner
# 1 11:ifexp `n` -> then [n=2 T] m2 | outer inner helper | under 0
# 2 7:if `kind is None` -> then [None is None T] | outer inner Guard.__exit__
# 3 11:ifexp `n` -> else [n=0 F] m0 | outer inner Guard.__exit__ helper | under 2
# 4 16:if `n` -> then [n=2 T] m2 | outer inner opened
# 5 11:ifexp `n` -> then [n=2 T] m2 | outer inner opened helper | under 4
# 6 26:if `found` -> then [found=1 T] m1 | outer
