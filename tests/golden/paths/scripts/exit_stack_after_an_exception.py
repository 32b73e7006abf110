from contextlib import ExitStack, suppress


def pick(x):
    return 2 if x > 1 else 1


class Own:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, frames):
        if kind:
            return True


def swallowed(x):
    with ExitStack() as stack:
        stack.enter_context(Own())
        stack.callback(pick, x)
        for i in range(5):
            if i == 1:
                raise ValueError
    if pick(x) == 1:
        return x


def passed(x):
    for k in range(2):
        with ExitStack() as stack:
            stack.push(lambda *_: pick(x) and None)
            while k < 5:
                k += 1
                if k > 1:
                    raise ValueError


with suppress(ValueError):
    passed(swallowed(1))
print(pick(2))

# ----
# 0 21:for `for i in range(5)` -> loop x2 raise | swallowed
# 1 22:if `i == 1` -> else [0 == 1 F] m-1 | in 21.0 | swallowed | under 0
# 2 22:if `i == 1` -> then [1 == 1 T] m0 | in 21.1 | swallowed | under 0
# 3 5:ifexp `x > 1` -> else [1 > 1 F] m0 | swallowed pick
# 4 13:if `kind` -> then [kind=type T] | swallowed Own.__exit__
# 5 5:ifexp `x > 1` -> else [1 > 1 F] m0 | swallowed pick
# 6 24:if `pick(x) == 1` -> then [1 == 1 T] m0 | swallowed
# 7 29:for `for k in range(2)` -> loop x1 raise | passed
# 8 32:while `k < 5` -> body #0 [0 < 5 T] m5 | in 29.0 | passed | under 7
# 9 34:if `k > 1` -> else [1 > 1 F] m0 | in 29.0 32.0 | passed | under 8
# 10 32:while `k < 5` -> body #1 [1 < 5 T] m4 | in 29.0 | passed | under 7
# 11 34:if `k > 1` -> then [2 > 1 T] m1 | in 29.0 32.1 | passed | under 10
# 12 5:ifexp `x > 1` -> else [1 > 1 F] m0 | in 29.0 | passed passed.<locals>.<lambda> pick | under 7
# 13 31:and `pick(x) and None` -> rest [pick(x)=1 T] m1 | in 29.0 | passed passed.<locals>.<lambda> | under 7
# 14 5:ifexp `x > 1` -> then [2 > 1 T] m1 | pick
