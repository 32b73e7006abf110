import contextlib
import dataclasses


class Items:
    def __init__(self, many):
        self.many = many

    def __iter__(self):
        if self.many > 1:
            return iter(range(self.many))
        return iter(())

    def __len__(self):
        return self.many if self.many else 0


class Context:
    def __enter__(self):
        return self if self.__dict__ is not None else None

    def __exit__(self, kind, error, trace):
        return True if kind is ValueError else False


class Asks:
    def __bool__(self):
        return True if len("a") else False

    def __lt__(self, other):
        if other:
            raise ValueError
        return True

    def __enter__(self):
        for _ in range(2):
            if _:
                return self

    def __exit__(self, *given):
        while True:
            if given:
                break
        return given[0] is KeyError


class Steps:
    def __init__(self):
        self.left = 3

    def __iter__(self):
        return self

    def __next__(self):
        self.left -= 1
        if self.left < 0:
            raise StopIteration
        return self.left


def bodies(raising):
    found = []
    for step in Steps():
        with Context():
            for k in range(2):
                if k and raising:
                    raise ValueError
                found.append(k)
        with Asks() as asks, Context():
            while asks:
                if step == 1:
                    raise KeyError
                break
        with contextlib.suppress(TypeError):
            for k in Items(3):
                if k == 1:
                    raise TypeError
        found.append(sum(v for v in Items(2) if v))
    return found


def returns_within(kind):
    with Context():
        for k in range(3):
            with Asks():
                if k:
                    return [v for v in Items(k)]
                while not k:
                    break
    return kind


def tests(asks):
    flags = [1 if asks else 2, not asks]
    try:
        while asks < flags:
            for flag in flags:
                if flag:
                    pass
    except ValueError:
        flags.append(len([v for v in flags if asks < [] and v]))
    return any(asks < [] for _ in Items(2)) and list(map(bool, [asks, asks]))


@dataclasses.dataclass(order=True)
class Field:
    key: Asks = dataclasses.field(default_factory=Asks)

    def __post_init__(self):
        if self.key:
            self.key = 2


def delegated(first):
    for k in range(2):
        if first:
            yield from inner(k)
        else:
            yield k
            with Context():
                yield from inner(k) if k else ()


def inner(k):
    try:
        if k:
            received = yield k
            if received:
                return
        for item in Items(2):
            yield item
    finally:
        if k:
            tests(Asks())


def thrown():
    made = delegated(True)
    for value in made:
        with contextlib.suppress(StopIteration):
            if value:
                made.throw(ValueError) if value > 5 else made.send(None)
    second = delegated(False)
    next(second)
    while True:
        try:
            second.send(1)
        except StopIteration:
            break
    third = inner(1)
    next(third)
    third.close()
    try:
        next(third)
    except StopIteration:
        return 1 if third else 0


def catching():
    for k in range(3):
        try:
            for j in range(3):
                yield j
        except ValueError as error:
            yield -1 if error else 0
        except GeneratorExit:
            for j in range(1):
                if k:
                    break
            raise


def caught():
    for throws in (True, False):
        made = catching()
        next(made)
        if throws:
            made.throw(ValueError)
            next(made)
        made.close()


def breaks_and_raises(again):
    try:
        for k in range(2):
            try:
                break
            finally:
                if k == 0 and again:
                    raise ValueError
    except ValueError:
        again = 2 if k else again
    while True:
        try:
            break
        finally:
            if not again:
                return 1


@contextlib.contextmanager
def managed(fails):
    for k in range(2):
        if k:
            try:
                yield k
            except KeyError:
                if fails:
                    raise
            finally:
                if fails:
                    pass


def within_managed(fails):
    with managed(fails):
        for k in range(2):
            if k:
                return bodies(False)
            with managed(False):
                if not fails:
                    raise KeyError
    return fails


bodies(True)
bodies(False)
returns_within(1)
tests(Asks())
Field() < Field()
thrown()
caught()
breaks_and_raises(True)
breaks_and_raises(False)
within_managed(False)
with contextlib.suppress(KeyError):
    within_managed(True)
sorted([Asks(), Asks()], key=lambda each: 1 if each else 0)

# ----
# 0 63:for `for step in Steps()` -> loop x3 exhausted | bodies
# 1 56:if `self.left < 0` -> else [2 < 0 F] m-2 | bodies Steps.__next__
# 2 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 63.0 | bodies Context.__enter__ | under 0
# 3 65:for `for k in range(2)` -> loop x2 raise | in 63.0 | bodies | under 0
# 4 66:if `k and raising` -> else [k=0 F] m0 | in 63.0 65.0 | bodies | under 3
# 5 66:if `k and raising` -> then [k=1 T, raising=True T] m1 | in 63.0 65.1 | bodies | under 3
# 6 23:ifexp `kind is ValueError` -> then [type is type T] | in 63.0 | bodies Context.__exit__ | under 0
# 7 36:for `for _ in range(2)` -> loop x2 return | in 63.0 | bodies Asks.__enter__ | under 0
# 8 37:if `_` -> else [_=0 F] m0 | in 63.0 36.0 | bodies Asks.__enter__ | under 7
# 9 37:if `_` -> then [_=1 T] m1 | in 63.0 36.1 | bodies Asks.__enter__ | under 7
# 10 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 63.0 | bodies Context.__enter__ | under 0
# 11 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 63.0 | bodies Asks.__bool__ | under 0
# 12 70:while `asks` -> body #0 [asks=Asks T] | in 63.0 | bodies | under 0
# 13 71:if `step == 1` -> else [2 == 1 F] m-1 | in 63.0 70.0 | bodies | under 12
# 14 23:ifexp `kind is ValueError` -> else [None is type F] | in 63.0 | bodies Context.__exit__ | under 0
# 15 42:if `given` -> then [given=(None, None, None) T] | in 63.0 41.0 | bodies Asks.__exit__ | under 0
# 16 75:for `for k in Items(3)` -> loop x2 raise | in 63.0 | bodies | under 0
# 17 10:if `self.many > 1` -> then [3 > 1 T] m2 | in 63.0 | bodies Items.__iter__ | under 0
# 18 76:if `k == 1` -> else [0 == 1 F] m-1 | in 63.0 75.0 | bodies | under 16
# 19 76:if `k == 1` -> then [1 == 1 T] m0 | in 63.0 75.1 | bodies | under 16
# 20 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 63.0 | bodies Items.__iter__ | under 0
# 21 78:comp `for v in Items(2)` -> loop x2 exhausted | in 63.0 | bodies | under 0
# 22 78:compif `v` -> drop [v=0 F] m0 | in 63.0 78.0 | bodies | under 21
# 23 78:compif `v` -> keep [v=1 T] m1 | in 63.0 78.1 | bodies | under 21
# 24 56:if `self.left < 0` -> else [1 < 0 F] m-1 | in 63.0 | bodies Steps.__next__ | under 0
# 25 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 63.1 | bodies Context.__enter__ | under 0
# 26 65:for `for k in range(2)` -> loop x2 raise | in 63.1 | bodies | under 0
# 27 66:if `k and raising` -> else [k=0 F] m0 | in 63.1 65.0 | bodies | under 26
# 28 66:if `k and raising` -> then [k=1 T, raising=True T] m1 | in 63.1 65.1 | bodies | under 26
# 29 23:ifexp `kind is ValueError` -> then [type is type T] | in 63.1 | bodies Context.__exit__ | under 0
# 30 36:for `for _ in range(2)` -> loop x2 return | in 63.1 | bodies Asks.__enter__ | under 0
# 31 37:if `_` -> else [_=0 F] m0 | in 63.1 36.0 | bodies Asks.__enter__ | under 30
# 32 37:if `_` -> then [_=1 T] m1 | in 63.1 36.1 | bodies Asks.__enter__ | under 30
# 33 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 63.1 | bodies Context.__enter__ | under 0
# 34 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 63.1 | bodies Asks.__bool__ | under 0
# 35 70:while `asks` -> body #0 [asks=Asks T] | in 63.1 | bodies | under 0
# 36 71:if `step == 1` -> then [1 == 1 T] m0 | in 63.1 70.0 | bodies | under 35
# 37 23:ifexp `kind is ValueError` -> else [type is type F] | in 63.1 | bodies Context.__exit__ | under 0
# 38 42:if `given` -> then [given=tuple of 3 T] | in 63.1 41.0 | bodies Asks.__exit__ | under 0
# 39 75:for `for k in Items(3)` -> loop x2 raise | in 63.1 | bodies | under 0
# 40 10:if `self.many > 1` -> then [3 > 1 T] m2 | in 63.1 | bodies Items.__iter__ | under 0
# 41 76:if `k == 1` -> else [0 == 1 F] m-1 | in 63.1 75.0 | bodies | under 39
# 42 76:if `k == 1` -> then [1 == 1 T] m0 | in 63.1 75.1 | bodies | under 39
# 43 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 63.1 | bodies Items.__iter__ | under 0
# 44 78:comp `for v in Items(2)` -> loop x2 exhausted | in 63.1 | bodies | under 0
# 45 78:compif `v` -> drop [v=0 F] m0 | in 63.1 78.0 | bodies | under 44
# 46 78:compif `v` -> keep [v=1 T] m1 | in 63.1 78.1 | bodies | under 44
# 47 56:if `self.left < 0` -> else [0 < 0 F] m0 | in 63.1 | bodies Steps.__next__ | under 0
# 48 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 63.2 | bodies Context.__enter__ | under 0
# 49 65:for `for k in range(2)` -> loop x2 raise | in 63.2 | bodies | under 0
# 50 66:if `k and raising` -> else [k=0 F] m0 | in 63.2 65.0 | bodies | under 49
# 51 66:if `k and raising` -> then [k=1 T, raising=True T] m1 | in 63.2 65.1 | bodies | under 49
# 52 23:ifexp `kind is ValueError` -> then [type is type T] | in 63.2 | bodies Context.__exit__ | under 0
# 53 36:for `for _ in range(2)` -> loop x2 return | in 63.2 | bodies Asks.__enter__ | under 0
# 54 37:if `_` -> else [_=0 F] m0 | in 63.2 36.0 | bodies Asks.__enter__ | under 53
# 55 37:if `_` -> then [_=1 T] m1 | in 63.2 36.1 | bodies Asks.__enter__ | under 53
# 56 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 63.2 | bodies Context.__enter__ | under 0
# 57 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 63.2 | bodies Asks.__bool__ | under 0
# 58 70:while `asks` -> body #0 [asks=Asks T] | in 63.2 | bodies | under 0
# 59 71:if `step == 1` -> else [0 == 1 F] m-1 | in 63.2 70.0 | bodies | under 58
# 60 23:ifexp `kind is ValueError` -> else [None is type F] | in 63.2 | bodies Context.__exit__ | under 0
# 61 42:if `given` -> then [given=(None, None, None) T] | in 63.2 41.0 | bodies Asks.__exit__ | under 0
# 62 75:for `for k in Items(3)` -> loop x2 raise | in 63.2 | bodies | under 0
# 63 10:if `self.many > 1` -> then [3 > 1 T] m2 | in 63.2 | bodies Items.__iter__ | under 0
# 64 76:if `k == 1` -> else [0 == 1 F] m-1 | in 63.2 75.0 | bodies | under 62
# 65 76:if `k == 1` -> then [1 == 1 T] m0 | in 63.2 75.1 | bodies | under 62
# 66 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 63.2 | bodies Items.__iter__ | under 0
# 67 78:comp `for v in Items(2)` -> loop x2 exhausted | in 63.2 | bodies | under 0
# 68 78:compif `v` -> drop [v=0 F] m0 | in 63.2 78.0 | bodies | under 67
# 69 78:compif `v` -> keep [v=1 T] m1 | in 63.2 78.1 | bodies | under 67
# 70 56:if `self.left < 0` -> then [-1 < 0 T] m1 | in 63.2 | bodies Steps.__next__ | under 0
# 71 63:for `for step in Steps()` -> loop x3 exhausted | bodies
# 72 56:if `self.left < 0` -> else [2 < 0 F] m-2 | bodies Steps.__next__
# 73 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 63.0 | bodies Context.__enter__ | under 71
# 74 65:for `for k in range(2)` -> loop x2 exhausted | in 63.0 | bodies | under 71
# 75 66:if `k and raising` -> else [k=0 F] m0 | in 63.0 65.0 | bodies | under 74
# 76 66:if `k and raising` -> else [k=1 T, raising=False F] | in 63.0 65.1 | bodies | under 74
# 77 23:ifexp `kind is ValueError` -> else [None is type F] | in 63.0 | bodies Context.__exit__ | under 71
# 78 36:for `for _ in range(2)` -> loop x2 return | in 63.0 | bodies Asks.__enter__ | under 71
# 79 37:if `_` -> else [_=0 F] m0 | in 63.0 36.0 | bodies Asks.__enter__ | under 78
# 80 37:if `_` -> then [_=1 T] m1 | in 63.0 36.1 | bodies Asks.__enter__ | under 78
# 81 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 63.0 | bodies Context.__enter__ | under 71
# 82 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 63.0 | bodies Asks.__bool__ | under 71
# 83 70:while `asks` -> body #0 [asks=Asks T] | in 63.0 | bodies | under 71
# 84 71:if `step == 1` -> else [2 == 1 F] m-1 | in 63.0 70.0 | bodies | under 83
# 85 23:ifexp `kind is ValueError` -> else [None is type F] | in 63.0 | bodies Context.__exit__ | under 71
# 86 42:if `given` -> then [given=(None, None, None) T] | in 63.0 41.0 | bodies Asks.__exit__ | under 71
# 87 75:for `for k in Items(3)` -> loop x2 raise | in 63.0 | bodies | under 71
# 88 10:if `self.many > 1` -> then [3 > 1 T] m2 | in 63.0 | bodies Items.__iter__ | under 71
# 89 76:if `k == 1` -> else [0 == 1 F] m-1 | in 63.0 75.0 | bodies | under 87
# 90 76:if `k == 1` -> then [1 == 1 T] m0 | in 63.0 75.1 | bodies | under 87
# 91 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 63.0 | bodies Items.__iter__ | under 71
# 92 78:comp `for v in Items(2)` -> loop x2 exhausted | in 63.0 | bodies | under 71
# 93 78:compif `v` -> drop [v=0 F] m0 | in 63.0 78.0 | bodies | under 92
# 94 78:compif `v` -> keep [v=1 T] m1 | in 63.0 78.1 | bodies | under 92
# 95 56:if `self.left < 0` -> else [1 < 0 F] m-1 | in 63.0 | bodies Steps.__next__ | under 71
# 96 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 63.1 | bodies Context.__enter__ | under 71
# 97 65:for `for k in range(2)` -> loop x2 exhausted | in 63.1 | bodies | under 71
# 98 66:if `k and raising` -> else [k=0 F] m0 | in 63.1 65.0 | bodies | under 97
# 99 66:if `k and raising` -> else [k=1 T, raising=False F] | in 63.1 65.1 | bodies | under 97
# 100 23:ifexp `kind is ValueError` -> else [None is type F] | in 63.1 | bodies Context.__exit__ | under 71
# 101 36:for `for _ in range(2)` -> loop x2 return | in 63.1 | bodies Asks.__enter__ | under 71
# 102 37:if `_` -> else [_=0 F] m0 | in 63.1 36.0 | bodies Asks.__enter__ | under 101
# 103 37:if `_` -> then [_=1 T] m1 | in 63.1 36.1 | bodies Asks.__enter__ | under 101
# 104 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 63.1 | bodies Context.__enter__ | under 71
# 105 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 63.1 | bodies Asks.__bool__ | under 71
# 106 70:while `asks` -> body #0 [asks=Asks T] | in 63.1 | bodies | under 71
# 107 71:if `step == 1` -> then [1 == 1 T] m0 | in 63.1 70.0 | bodies | under 106
# 108 23:ifexp `kind is ValueError` -> else [type is type F] | in 63.1 | bodies Context.__exit__ | under 71
# 109 42:if `given` -> then [given=tuple of 3 T] | in 63.1 41.0 | bodies Asks.__exit__ | under 71
# 110 75:for `for k in Items(3)` -> loop x2 raise | in 63.1 | bodies | under 71
# 111 10:if `self.many > 1` -> then [3 > 1 T] m2 | in 63.1 | bodies Items.__iter__ | under 71
# 112 76:if `k == 1` -> else [0 == 1 F] m-1 | in 63.1 75.0 | bodies | under 110
# 113 76:if `k == 1` -> then [1 == 1 T] m0 | in 63.1 75.1 | bodies | under 110
# 114 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 63.1 | bodies Items.__iter__ | under 71
# 115 78:comp `for v in Items(2)` -> loop x2 exhausted | in 63.1 | bodies | under 71
# 116 78:compif `v` -> drop [v=0 F] m0 | in 63.1 78.0 | bodies | under 115
# 117 78:compif `v` -> keep [v=1 T] m1 | in 63.1 78.1 | bodies | under 115
# 118 56:if `self.left < 0` -> else [0 < 0 F] m0 | in 63.1 | bodies Steps.__next__ | under 71
# 119 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 63.2 | bodies Context.__enter__ | under 71
# 120 65:for `for k in range(2)` -> loop x2 exhausted | in 63.2 | bodies | under 71
# 121 66:if `k and raising` -> else [k=0 F] m0 | in 63.2 65.0 | bodies | under 120
# 122 66:if `k and raising` -> else [k=1 T, raising=False F] | in 63.2 65.1 | bodies | under 120
# 123 23:ifexp `kind is ValueError` -> else [None is type F] | in 63.2 | bodies Context.__exit__ | under 71
# 124 36:for `for _ in range(2)` -> loop x2 return | in 63.2 | bodies Asks.__enter__ | under 71
# 125 37:if `_` -> else [_=0 F] m0 | in 63.2 36.0 | bodies Asks.__enter__ | under 124
# 126 37:if `_` -> then [_=1 T] m1 | in 63.2 36.1 | bodies Asks.__enter__ | under 124
# 127 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 63.2 | bodies Context.__enter__ | under 71
# 128 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 63.2 | bodies Asks.__bool__ | under 71
# 129 70:while `asks` -> body #0 [asks=Asks T] | in 63.2 | bodies | under 71
# 130 71:if `step == 1` -> else [0 == 1 F] m-1 | in 63.2 70.0 | bodies | under 129
# 131 23:ifexp `kind is ValueError` -> else [None is type F] | in 63.2 | bodies Context.__exit__ | under 71
# 132 42:if `given` -> then [given=(None, None, None) T] | in 63.2 41.0 | bodies Asks.__exit__ | under 71
# 133 75:for `for k in Items(3)` -> loop x2 raise | in 63.2 | bodies | under 71
# 134 10:if `self.many > 1` -> then [3 > 1 T] m2 | in 63.2 | bodies Items.__iter__ | under 71
# 135 76:if `k == 1` -> else [0 == 1 F] m-1 | in 63.2 75.0 | bodies | under 133
# 136 76:if `k == 1` -> then [1 == 1 T] m0 | in 63.2 75.1 | bodies | under 133
# 137 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 63.2 | bodies Items.__iter__ | under 71
# 138 78:comp `for v in Items(2)` -> loop x2 exhausted | in 63.2 | bodies | under 71
# 139 78:compif `v` -> drop [v=0 F] m0 | in 63.2 78.0 | bodies | under 138
# 140 78:compif `v` -> keep [v=1 T] m1 | in 63.2 78.1 | bodies | under 138
# 141 56:if `self.left < 0` -> then [-1 < 0 T] m1 | in 63.2 | bodies Steps.__next__ | under 71
# 142 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | returns_within Context.__enter__
# 143 84:for `for k in range(3)` -> loop x2 return | returns_within
# 144 36:for `for _ in range(2)` -> loop x2 return | in 84.0 | returns_within Asks.__enter__ | under 143
# 145 37:if `_` -> else [_=0 F] m0 | in 84.0 36.0 | returns_within Asks.__enter__ | under 144
# 146 37:if `_` -> then [_=1 T] m1 | in 84.0 36.1 | returns_within Asks.__enter__ | under 144
# 147 86:if `k` -> else [k=0 F] m0 | in 84.0 | returns_within | under 143
# 148 88:while `not k` -> body #0 [k=0 F] m0 | in 84.0 | returns_within | under 147
# 149 42:if `given` -> then [given=(None, None, None) T] | in 84.0 41.0 | returns_within Asks.__exit__ | under 143
# 150 36:for `for _ in range(2)` -> loop x2 return | in 84.1 | returns_within Asks.__enter__ | under 143
# 151 37:if `_` -> else [_=0 F] m0 | in 84.1 36.0 | returns_within Asks.__enter__ | under 150
# 152 37:if `_` -> then [_=1 T] m1 | in 84.1 36.1 | returns_within Asks.__enter__ | under 150
# 153 86:if `k` -> then [k=1 T] m1 | in 84.1 | returns_within | under 143
# 154 87:comp `for v in Items(k)` -> loop x0 exhausted | in 84.1 | returns_within | under 153
# 155 10:if `self.many > 1` -> else [1 > 1 F] m0 | in 84.1 | returns_within Items.__iter__ | under 153
# 156 42:if `given` -> then [given=(None, None, None) T] | in 84.1 41.0 | returns_within Asks.__exit__ | under 143
# 157 23:ifexp `kind is ValueError` -> else [None is type F] | returns_within Context.__exit__
# 158 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | tests Asks.__bool__
# 159 94:ifexp `asks` -> then [asks=Asks T] | tests
# 160 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | tests Asks.__bool__
# 161 31:if `other` -> then [other=list of 2 T] | tests Asks.__lt__
# 162 96:while `asks < flags` -> raise #0 !ValueError [Asks < list of 2 F] | tests
# 163 95:try `try` -> except ValueError !ValueError | tests
# 164 101:comp `for v in flags` -> loop x2 exhausted | tests | under 163
# 165 31:if `other` -> else [other=list of 0 F] | in 101.0 | tests Asks.__lt__ | under 164
# 166 101:compif `asks < [] and v` -> keep [Asks < list of 0 T, v=1 T] m1 | in 101.0 | tests | under 164
# 167 31:if `other` -> else [other=list of 0 F] | in 101.1 | tests Asks.__lt__ | under 164
# 168 101:compif `asks < [] and v` -> drop [Asks < list of 0 T, v=False F] | in 101.1 | tests | under 164
# 169 10:if `self.many > 1` -> then [2 > 1 T] m1 | tests Items.__iter__
# 170 102:comp `for _ in Items(2)` -> loop x1 break | tests
# 171 31:if `other` -> else [other=list of 0 F] | in 102.0 | tests Asks.__lt__ | under 170
# 172 102:and `any(asks < [] for _ in Items(2)) and list(map(bool, [asks, asks]))` -> rest [any(asks < [] for _ in Items(2))=True T] | tests
# 173 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | tests Asks.__bool__ | under 172
# 174 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | tests Asks.__bool__ | under 172
# 175 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | Field.__post_init__ Asks.__bool__
# 176 110:if `self.key` -> then [self.key=Asks T] | Field.__post_init__
# 177 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | Field.__post_init__ Asks.__bool__
# 178 110:if `self.key` -> then [self.key=Asks T] | Field.__post_init__
# 179 139:for `for value in made` -> loop x4 exhausted | thrown
# 180 115:for `for k in range(2)` -> loop x2 exhausted | thrown delegated
# 181 116:if `first` -> then [first=True T] | in 115.0 | thrown delegated | under 180
# 182 126:if `k` -> else [k=0 F] m0 | in 115.0 | thrown delegated inner | under 181
# 183 130:for `for item in Items(2)` -> loop x2 exhausted | in 115.0 | thrown delegated inner | under 182
# 184 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 115.0 | thrown delegated inner Items.__iter__ | under 182
# 185 141:if `value` -> else [value=0 F] m0 | in 139.0 | thrown | under 179
# 186 141:if `value` -> then [value=1 T] m1 | in 139.1 | thrown | under 179
# 187 142:ifexp `value > 5` -> else [1 > 5 F] m-4 | in 139.1 | thrown | under 186
# 188 133:if `k` -> else [k=0 F] m0 | in 115.0 | thrown delegated inner | under 181
# 189 116:if `first` -> then [first=True T] | in 115.1 | thrown delegated | under 180
# 190 126:if `k` -> then [k=1 T] m1 | in 115.1 | thrown delegated inner | under 189
# 191 128:if `received` -> else [received=None F] | in 115.1 | thrown delegated inner | under 190
# 192 130:for `for item in Items(2)` -> loop x2 exhausted | in 115.1 | thrown delegated inner | under 191
# 193 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 115.1 | thrown delegated inner Items.__iter__ | under 191
# 194 141:if `value` -> else [value=0 F] m0 | in 139.2 | thrown | under 179
# 195 141:if `value` -> then [value=1 T] m1 | in 139.3 | thrown | under 179
# 196 142:ifexp `value > 5` -> else [1 > 5 F] m-4 | in 139.3 | thrown | under 195
# 197 133:if `k` -> then [k=1 T] m1 | in 115.1 | thrown delegated inner | under 189
# 198 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 115.1 | thrown delegated inner tests Asks.__bool__ | under 197
# 199 94:ifexp `asks` -> then [asks=Asks T] | in 115.1 | thrown delegated inner tests | under 197
# 200 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 115.1 | thrown delegated inner tests Asks.__bool__ | under 197
# 201 31:if `other` -> then [other=list of 2 T] | in 115.1 | thrown delegated inner tests Asks.__lt__ | under 197
# 202 96:while `asks < flags` -> raise #0 !ValueError [Asks < list of 2 F] | in 115.1 | thrown delegated inner tests | under 197
# 203 95:try `try` -> except ValueError !ValueError | in 115.1 | thrown delegated inner tests | under 197
# 204 101:comp `for v in flags` -> loop x2 exhausted | in 115.1 | thrown delegated inner tests | under 203
# 205 31:if `other` -> else [other=list of 0 F] | in 115.1 101.0 | thrown delegated inner tests Asks.__lt__ | under 204
# 206 101:compif `asks < [] and v` -> keep [Asks < list of 0 T, v=1 T] m1 | in 115.1 101.0 | thrown delegated inner tests | under 204
# 207 31:if `other` -> else [other=list of 0 F] | in 115.1 101.1 | thrown delegated inner tests Asks.__lt__ | under 204
# 208 101:compif `asks < [] and v` -> drop [Asks < list of 0 T, v=False F] | in 115.1 101.1 | thrown delegated inner tests | under 204
# 209 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 115.1 | thrown delegated inner tests Items.__iter__ | under 197
# 210 102:comp `for _ in Items(2)` -> loop x1 break | in 115.1 | thrown delegated inner tests | under 197
# 211 31:if `other` -> else [other=list of 0 F] | in 115.1 102.0 | thrown delegated inner tests Asks.__lt__ | under 210
# 212 102:and `any(asks < [] for _ in Items(2)) and list(map(bool, [asks, asks]))` -> rest [any(asks < [] for _ in Items(2))=True T] | in 115.1 | thrown delegated inner tests | under 197
# 213 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 115.1 | thrown delegated inner tests Asks.__bool__ | under 212
# 214 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 115.1 | thrown delegated inner tests Asks.__bool__ | under 212
# 215 115:for `for k in range(2)` -> loop x2 exhausted | thrown delegated
# 216 116:if `first` -> else [first=False F] | in 115.0 | thrown delegated | under 215
# 217 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 145.0 115.0 | thrown delegated Context.__enter__ | under 216
# 218 121:ifexp `k` -> else [k=0 F] m0 | in 145.0 115.0 | thrown delegated | under 216
# 219 23:ifexp `kind is ValueError` -> else [None is type F] | in 145.0 115.0 | thrown delegated Context.__exit__ | under 216
# 220 116:if `first` -> else [first=False F] | in 145.0 115.1 | thrown delegated | under 215
# 221 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 145.1 115.1 | thrown delegated Context.__enter__ | under 220
# 222 121:ifexp `k` -> then [k=1 T] m1 | in 145.1 115.1 | thrown delegated | under 220
# 223 126:if `k` -> then [k=1 T] m1 | in 145.1 115.1 | thrown delegated inner | under 220
# 224 128:if `received` -> then [received=1 T] m1 | in 145.2 115.1 | thrown delegated inner | under 223
# 225 133:if `k` -> then [k=1 T] m1 | in 145.2 115.1 | thrown delegated inner | under 220
# 226 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 145.2 115.1 | thrown delegated inner tests Asks.__bool__ | under 225
# 227 94:ifexp `asks` -> then [asks=Asks T] | in 145.2 115.1 | thrown delegated inner tests | under 225
# 228 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 145.2 115.1 | thrown delegated inner tests Asks.__bool__ | under 225
# 229 31:if `other` -> then [other=list of 2 T] | in 145.2 115.1 | thrown delegated inner tests Asks.__lt__ | under 225
# 230 96:while `asks < flags` -> raise #0 !ValueError [Asks < list of 2 F] | in 145.2 115.1 | thrown delegated inner tests | under 225
# 231 95:try `try` -> except ValueError !ValueError | in 145.2 115.1 | thrown delegated inner tests | under 225
# 232 101:comp `for v in flags` -> loop x2 exhausted | in 145.2 115.1 | thrown delegated inner tests | under 231
# 233 31:if `other` -> else [other=list of 0 F] | in 145.2 115.1 101.0 | thrown delegated inner tests Asks.__lt__ | under 232
# 234 101:compif `asks < [] and v` -> keep [Asks < list of 0 T, v=1 T] m1 | in 145.2 115.1 101.0 | thrown delegated inner tests | under 232
# 235 31:if `other` -> else [other=list of 0 F] | in 145.2 115.1 101.1 | thrown delegated inner tests Asks.__lt__ | under 232
# 236 101:compif `asks < [] and v` -> drop [Asks < list of 0 T, v=False F] | in 145.2 115.1 101.1 | thrown delegated inner tests | under 232
# 237 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 145.2 115.1 | thrown delegated inner tests Items.__iter__ | under 225
# 238 102:comp `for _ in Items(2)` -> loop x1 break | in 145.2 115.1 | thrown delegated inner tests | under 225
# 239 31:if `other` -> else [other=list of 0 F] | in 145.2 115.1 102.0 | thrown delegated inner tests Asks.__lt__ | under 238
# 240 102:and `any(asks < [] for _ in Items(2)) and list(map(bool, [asks, asks]))` -> rest [any(asks < [] for _ in Items(2))=True T] | in 145.2 115.1 | thrown delegated inner tests | under 225
# 241 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 145.2 115.1 | thrown delegated inner tests Asks.__bool__ | under 240
# 242 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 145.2 115.1 | thrown delegated inner tests Asks.__bool__ | under 240
# 243 23:ifexp `kind is ValueError` -> else [None is type F] | in 145.2 115.1 | thrown delegated Context.__exit__ | under 220
# 244 146:try `try` -> except StopIteration !StopIteration | in 145.2 | thrown
# 245 126:if `k` -> then [k=1 T] m1 | thrown inner
# 246 133:if `k` -> then [k=1 T] m1 | thrown inner
# 247 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | thrown inner tests Asks.__bool__ | under 246
# 248 94:ifexp `asks` -> then [asks=Asks T] | thrown inner tests | under 246
# 249 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | thrown inner tests Asks.__bool__ | under 246
# 250 31:if `other` -> then [other=list of 2 T] | thrown inner tests Asks.__lt__ | under 246
# 251 96:while `asks < flags` -> raise #0 !ValueError [Asks < list of 2 F] | thrown inner tests | under 246
# 252 95:try `try` -> except ValueError !ValueError | thrown inner tests | under 246
# 253 101:comp `for v in flags` -> loop x2 exhausted | thrown inner tests | under 252
# 254 31:if `other` -> else [other=list of 0 F] | in 101.0 | thrown inner tests Asks.__lt__ | under 253
# 255 101:compif `asks < [] and v` -> keep [Asks < list of 0 T, v=1 T] m1 | in 101.0 | thrown inner tests | under 253
# 256 31:if `other` -> else [other=list of 0 F] | in 101.1 | thrown inner tests Asks.__lt__ | under 253
# 257 101:compif `asks < [] and v` -> drop [Asks < list of 0 T, v=False F] | in 101.1 | thrown inner tests | under 253
# 258 10:if `self.many > 1` -> then [2 > 1 T] m1 | thrown inner tests Items.__iter__ | under 246
# 259 102:comp `for _ in Items(2)` -> loop x1 break | thrown inner tests | under 246
# 260 31:if `other` -> else [other=list of 0 F] | in 102.0 | thrown inner tests Asks.__lt__ | under 259
# 261 102:and `any(asks < [] for _ in Items(2)) and list(map(bool, [asks, asks]))` -> rest [any(asks < [] for _ in Items(2))=True T] | thrown inner tests | under 246
# 262 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | thrown inner tests Asks.__bool__ | under 261
# 263 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | thrown inner tests Asks.__bool__ | under 261
# 264 153:try `try` -> except StopIteration !StopIteration | thrown
# 265 156:ifexp `third` -> then [third=generator T] | thrown | under 264
# 266 174:for `for throws in (True, False)` -> loop x2 exhausted | caught
# 267 160:for `for k in range(3)` -> loop x2 break | in 174.0 | caught catching | under 266
# 268 162:for `for j in range(3)` -> loop x1 raise | in 174.0 160.0 | caught catching | under 267
# 269 177:if `throws` -> then [throws=True T] | in 174.0 | caught | under 266
# 270 161:try `try` -> except ValueError !ValueError | in 174.0 160.0 | caught catching | under 267
# 271 165:ifexp `error` -> then [error=ValueError T] | in 174.0 160.0 | caught catching | under 270
# 272 162:for `for j in range(3)` -> loop x1 break | in 174.0 160.1 | caught catching | under 267
# 273 161:try `try` -> except GeneratorExit !GeneratorExit | in 174.0 160.1 | caught catching | under 267
# 274 167:for `for j in range(1)` -> loop x1 break | in 174.0 160.1 | caught catching | under 273
# 275 168:if `k` -> then [k=1 T] m1 | in 174.0 160.1 167.0 | caught catching | under 274
# 276 160:for `for k in range(3)` -> loop x1 break | in 174.1 | caught catching | under 266
# 277 162:for `for j in range(3)` -> loop x1 break | in 174.1 160.0 | caught catching | under 276
# 278 177:if `throws` -> else [throws=False F] | in 174.1 | caught | under 266
# 279 161:try `try` -> except GeneratorExit !GeneratorExit | in 174.1 160.0 | caught catching | under 276
# 280 167:for `for j in range(1)` -> loop x1 exhausted | in 174.1 160.0 | caught catching | under 279
# 281 168:if `k` -> else [k=0 F] m0 | in 174.1 160.0 167.0 | caught catching | under 280
# 282 185:for `for k in range(2)` -> loop x1 raise | breaks_and_raises
# 283 189:if `k == 0 and again` -> then [0 == 0 T, again=True T] m0 | in 185.0 | breaks_and_raises | under 282
# 284 184:try `try` -> except ValueError !ValueError | breaks_and_raises
# 285 192:ifexp `k` -> else [k=0 F] m0 | breaks_and_raises | under 284
# 286 197:if `not again` -> else [again=True T] | in 193.0 | breaks_and_raises
# 287 185:for `for k in range(2)` -> loop x1 break | breaks_and_raises
# 288 189:if `k == 0 and again` -> else [0 == 0 T, again=False F] | in 185.0 | breaks_and_raises | under 287
# 289 197:if `not again` -> then [again=False F] | in 193.0 | breaks_and_raises
# 290 203:for `for k in range(2)` -> loop x2 exhausted | within_managed managed
# 291 204:if `k` -> else [k=0 F] m0 | in 203.0 | within_managed managed | under 290
# 292 204:if `k` -> then [k=1 T] m1 | in 203.1 | within_managed managed | under 290
# 293 217:for `for k in range(2)` -> loop x2 return | within_managed
# 294 218:if `k` -> else [k=0 F] m0 | in 217.0 | within_managed | under 293
# 295 203:for `for k in range(2)` -> loop x2 exhausted | in 217.0 | within_managed managed | under 294
# 296 204:if `k` -> else [k=0 F] m0 | in 217.0 203.0 | within_managed managed | under 295
# 297 204:if `k` -> then [k=1 T] m1 | in 217.0 203.1 | within_managed managed | under 295
# 298 221:if `not fails` -> then [fails=False F] | in 217.0 | within_managed | under 294
# 299 205:try `try` -> except KeyError !KeyError | in 217.0 203.1 | within_managed managed | under 297
# 300 208:if `fails` -> else [fails=False F] | in 217.0 203.1 | within_managed managed | under 299
# 301 211:if `fails` -> else [fails=False F] | in 217.0 203.1 | within_managed managed | under 297
# 302 218:if `k` -> then [k=1 T] m1 | in 217.1 | within_managed | under 293
# 303 63:for `for step in Steps()` -> loop x3 exhausted | in 217.1 | within_managed bodies | under 302
# 304 56:if `self.left < 0` -> else [2 < 0 F] m-2 | in 217.1 | within_managed bodies Steps.__next__ | under 302
# 305 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 217.1 63.0 | within_managed bodies Context.__enter__ | under 303
# 306 65:for `for k in range(2)` -> loop x2 exhausted | in 217.1 63.0 | within_managed bodies | under 303
# 307 66:if `k and raising` -> else [k=0 F] m0 | in 217.1 63.0 65.0 | within_managed bodies | under 306
# 308 66:if `k and raising` -> else [k=1 T, raising=False F] | in 217.1 63.0 65.1 | within_managed bodies | under 306
# 309 23:ifexp `kind is ValueError` -> else [None is type F] | in 217.1 63.0 | within_managed bodies Context.__exit__ | under 303
# 310 36:for `for _ in range(2)` -> loop x2 return | in 217.1 63.0 | within_managed bodies Asks.__enter__ | under 303
# 311 37:if `_` -> else [_=0 F] m0 | in 217.1 63.0 36.0 | within_managed bodies Asks.__enter__ | under 310
# 312 37:if `_` -> then [_=1 T] m1 | in 217.1 63.0 36.1 | within_managed bodies Asks.__enter__ | under 310
# 313 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 217.1 63.0 | within_managed bodies Context.__enter__ | under 303
# 314 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 217.1 63.0 | within_managed bodies Asks.__bool__ | under 303
# 315 70:while `asks` -> body #0 [asks=Asks T] | in 217.1 63.0 | within_managed bodies | under 303
# 316 71:if `step == 1` -> else [2 == 1 F] m-1 | in 217.1 63.0 70.0 | within_managed bodies | under 315
# 317 23:ifexp `kind is ValueError` -> else [None is type F] | in 217.1 63.0 | within_managed bodies Context.__exit__ | under 303
# 318 42:if `given` -> then [given=(None, None, None) T] | in 217.1 63.0 41.0 | within_managed bodies Asks.__exit__ | under 303
# 319 75:for `for k in Items(3)` -> loop x2 raise | in 217.1 63.0 | within_managed bodies | under 303
# 320 10:if `self.many > 1` -> then [3 > 1 T] m2 | in 217.1 63.0 | within_managed bodies Items.__iter__ | under 303
# 321 76:if `k == 1` -> else [0 == 1 F] m-1 | in 217.1 63.0 75.0 | within_managed bodies | under 319
# 322 76:if `k == 1` -> then [1 == 1 T] m0 | in 217.1 63.0 75.1 | within_managed bodies | under 319
# 323 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 217.1 63.0 | within_managed bodies Items.__iter__ | under 303
# 324 78:comp `for v in Items(2)` -> loop x2 exhausted | in 217.1 63.0 | within_managed bodies | under 303
# 325 78:compif `v` -> drop [v=0 F] m0 | in 217.1 63.0 78.0 | within_managed bodies | under 324
# 326 78:compif `v` -> keep [v=1 T] m1 | in 217.1 63.0 78.1 | within_managed bodies | under 324
# 327 56:if `self.left < 0` -> else [1 < 0 F] m-1 | in 217.1 63.0 | within_managed bodies Steps.__next__ | under 303
# 328 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 217.1 63.1 | within_managed bodies Context.__enter__ | under 303
# 329 65:for `for k in range(2)` -> loop x2 exhausted | in 217.1 63.1 | within_managed bodies | under 303
# 330 66:if `k and raising` -> else [k=0 F] m0 | in 217.1 63.1 65.0 | within_managed bodies | under 329
# 331 66:if `k and raising` -> else [k=1 T, raising=False F] | in 217.1 63.1 65.1 | within_managed bodies | under 329
# 332 23:ifexp `kind is ValueError` -> else [None is type F] | in 217.1 63.1 | within_managed bodies Context.__exit__ | under 303
# 333 36:for `for _ in range(2)` -> loop x2 return | in 217.1 63.1 | within_managed bodies Asks.__enter__ | under 303
# 334 37:if `_` -> else [_=0 F] m0 | in 217.1 63.1 36.0 | within_managed bodies Asks.__enter__ | under 333
# 335 37:if `_` -> then [_=1 T] m1 | in 217.1 63.1 36.1 | within_managed bodies Asks.__enter__ | under 333
# 336 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 217.1 63.1 | within_managed bodies Context.__enter__ | under 303
# 337 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 217.1 63.1 | within_managed bodies Asks.__bool__ | under 303
# 338 70:while `asks` -> body #0 [asks=Asks T] | in 217.1 63.1 | within_managed bodies | under 303
# 339 71:if `step == 1` -> then [1 == 1 T] m0 | in 217.1 63.1 70.0 | within_managed bodies | under 338
# 340 23:ifexp `kind is ValueError` -> else [type is type F] | in 217.1 63.1 | within_managed bodies Context.__exit__ | under 303
# 341 42:if `given` -> then [given=tuple of 3 T] | in 217.1 63.1 41.0 | within_managed bodies Asks.__exit__ | under 303
# 342 75:for `for k in Items(3)` -> loop x2 raise | in 217.1 63.1 | within_managed bodies | under 303
# 343 10:if `self.many > 1` -> then [3 > 1 T] m2 | in 217.1 63.1 | within_managed bodies Items.__iter__ | under 303
# 344 76:if `k == 1` -> else [0 == 1 F] m-1 | in 217.1 63.1 75.0 | within_managed bodies | under 342
# 345 76:if `k == 1` -> then [1 == 1 T] m0 | in 217.1 63.1 75.1 | within_managed bodies | under 342
# 346 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 217.1 63.1 | within_managed bodies Items.__iter__ | under 303
# 347 78:comp `for v in Items(2)` -> loop x2 exhausted | in 217.1 63.1 | within_managed bodies | under 303
# 348 78:compif `v` -> drop [v=0 F] m0 | in 217.1 63.1 78.0 | within_managed bodies | under 347
# 349 78:compif `v` -> keep [v=1 T] m1 | in 217.1 63.1 78.1 | within_managed bodies | under 347
# 350 56:if `self.left < 0` -> else [0 < 0 F] m0 | in 217.1 63.1 | within_managed bodies Steps.__next__ | under 303
# 351 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 217.1 63.2 | within_managed bodies Context.__enter__ | under 303
# 352 65:for `for k in range(2)` -> loop x2 exhausted | in 217.1 63.2 | within_managed bodies | under 303
# 353 66:if `k and raising` -> else [k=0 F] m0 | in 217.1 63.2 65.0 | within_managed bodies | under 352
# 354 66:if `k and raising` -> else [k=1 T, raising=False F] | in 217.1 63.2 65.1 | within_managed bodies | under 352
# 355 23:ifexp `kind is ValueError` -> else [None is type F] | in 217.1 63.2 | within_managed bodies Context.__exit__ | under 303
# 356 36:for `for _ in range(2)` -> loop x2 return | in 217.1 63.2 | within_managed bodies Asks.__enter__ | under 303
# 357 37:if `_` -> else [_=0 F] m0 | in 217.1 63.2 36.0 | within_managed bodies Asks.__enter__ | under 356
# 358 37:if `_` -> then [_=1 T] m1 | in 217.1 63.2 36.1 | within_managed bodies Asks.__enter__ | under 356
# 359 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 217.1 63.2 | within_managed bodies Context.__enter__ | under 303
# 360 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 217.1 63.2 | within_managed bodies Asks.__bool__ | under 303
# 361 70:while `asks` -> body #0 [asks=Asks T] | in 217.1 63.2 | within_managed bodies | under 303
# 362 71:if `step == 1` -> else [0 == 1 F] m-1 | in 217.1 63.2 70.0 | within_managed bodies | under 361
# 363 23:ifexp `kind is ValueError` -> else [None is type F] | in 217.1 63.2 | within_managed bodies Context.__exit__ | under 303
# 364 42:if `given` -> then [given=(None, None, None) T] | in 217.1 63.2 41.0 | within_managed bodies Asks.__exit__ | under 303
# 365 75:for `for k in Items(3)` -> loop x2 raise | in 217.1 63.2 | within_managed bodies | under 303
# 366 10:if `self.many > 1` -> then [3 > 1 T] m2 | in 217.1 63.2 | within_managed bodies Items.__iter__ | under 303
# 367 76:if `k == 1` -> else [0 == 1 F] m-1 | in 217.1 63.2 75.0 | within_managed bodies | under 365
# 368 76:if `k == 1` -> then [1 == 1 T] m0 | in 217.1 63.2 75.1 | within_managed bodies | under 365
# 369 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 217.1 63.2 | within_managed bodies Items.__iter__ | under 303
# 370 78:comp `for v in Items(2)` -> loop x2 exhausted | in 217.1 63.2 | within_managed bodies | under 303
# 371 78:compif `v` -> drop [v=0 F] m0 | in 217.1 63.2 78.0 | within_managed bodies | under 370
# 372 78:compif `v` -> keep [v=1 T] m1 | in 217.1 63.2 78.1 | within_managed bodies | under 370
# 373 56:if `self.left < 0` -> then [-1 < 0 T] m1 | in 217.1 63.2 | within_managed bodies Steps.__next__ | under 303
# 374 211:if `fails` -> else [fails=False F] | in 203.1 | within_managed managed | under 292
# 375 203:for `for k in range(2)` -> loop x2 exhausted | within_managed managed
# 376 204:if `k` -> else [k=0 F] m0 | in 203.0 | within_managed managed | under 375
# 377 204:if `k` -> then [k=1 T] m1 | in 203.1 | within_managed managed | under 375
# 378 217:for `for k in range(2)` -> loop x2 return | within_managed
# 379 218:if `k` -> else [k=0 F] m0 | in 217.0 | within_managed | under 378
# 380 203:for `for k in range(2)` -> loop x2 exhausted | in 217.0 | within_managed managed | under 379
# 381 204:if `k` -> else [k=0 F] m0 | in 217.0 203.0 | within_managed managed | under 380
# 382 204:if `k` -> then [k=1 T] m1 | in 217.0 203.1 | within_managed managed | under 380
# 383 221:if `not fails` -> else [fails=True T] | in 217.0 | within_managed | under 379
# 384 211:if `fails` -> else [fails=False F] | in 217.0 203.1 | within_managed managed | under 382
# 385 218:if `k` -> then [k=1 T] m1 | in 217.1 | within_managed | under 378
# 386 63:for `for step in Steps()` -> loop x3 exhausted | in 217.1 | within_managed bodies | under 385
# 387 56:if `self.left < 0` -> else [2 < 0 F] m-2 | in 217.1 | within_managed bodies Steps.__next__ | under 385
# 388 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 217.1 63.0 | within_managed bodies Context.__enter__ | under 386
# 389 65:for `for k in range(2)` -> loop x2 exhausted | in 217.1 63.0 | within_managed bodies | under 386
# 390 66:if `k and raising` -> else [k=0 F] m0 | in 217.1 63.0 65.0 | within_managed bodies | under 389
# 391 66:if `k and raising` -> else [k=1 T, raising=False F] | in 217.1 63.0 65.1 | within_managed bodies | under 389
# 392 23:ifexp `kind is ValueError` -> else [None is type F] | in 217.1 63.0 | within_managed bodies Context.__exit__ | under 386
# 393 36:for `for _ in range(2)` -> loop x2 return | in 217.1 63.0 | within_managed bodies Asks.__enter__ | under 386
# 394 37:if `_` -> else [_=0 F] m0 | in 217.1 63.0 36.0 | within_managed bodies Asks.__enter__ | under 393
# 395 37:if `_` -> then [_=1 T] m1 | in 217.1 63.0 36.1 | within_managed bodies Asks.__enter__ | under 393
# 396 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 217.1 63.0 | within_managed bodies Context.__enter__ | under 386
# 397 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 217.1 63.0 | within_managed bodies Asks.__bool__ | under 386
# 398 70:while `asks` -> body #0 [asks=Asks T] | in 217.1 63.0 | within_managed bodies | under 386
# 399 71:if `step == 1` -> else [2 == 1 F] m-1 | in 217.1 63.0 70.0 | within_managed bodies | under 398
# 400 23:ifexp `kind is ValueError` -> else [None is type F] | in 217.1 63.0 | within_managed bodies Context.__exit__ | under 386
# 401 42:if `given` -> then [given=(None, None, None) T] | in 217.1 63.0 41.0 | within_managed bodies Asks.__exit__ | under 386
# 402 75:for `for k in Items(3)` -> loop x2 raise | in 217.1 63.0 | within_managed bodies | under 386
# 403 10:if `self.many > 1` -> then [3 > 1 T] m2 | in 217.1 63.0 | within_managed bodies Items.__iter__ | under 386
# 404 76:if `k == 1` -> else [0 == 1 F] m-1 | in 217.1 63.0 75.0 | within_managed bodies | under 402
# 405 76:if `k == 1` -> then [1 == 1 T] m0 | in 217.1 63.0 75.1 | within_managed bodies | under 402
# 406 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 217.1 63.0 | within_managed bodies Items.__iter__ | under 386
# 407 78:comp `for v in Items(2)` -> loop x2 exhausted | in 217.1 63.0 | within_managed bodies | under 386
# 408 78:compif `v` -> drop [v=0 F] m0 | in 217.1 63.0 78.0 | within_managed bodies | under 407
# 409 78:compif `v` -> keep [v=1 T] m1 | in 217.1 63.0 78.1 | within_managed bodies | under 407
# 410 56:if `self.left < 0` -> else [1 < 0 F] m-1 | in 217.1 63.0 | within_managed bodies Steps.__next__ | under 386
# 411 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 217.1 63.1 | within_managed bodies Context.__enter__ | under 386
# 412 65:for `for k in range(2)` -> loop x2 exhausted | in 217.1 63.1 | within_managed bodies | under 386
# 413 66:if `k and raising` -> else [k=0 F] m0 | in 217.1 63.1 65.0 | within_managed bodies | under 412
# 414 66:if `k and raising` -> else [k=1 T, raising=False F] | in 217.1 63.1 65.1 | within_managed bodies | under 412
# 415 23:ifexp `kind is ValueError` -> else [None is type F] | in 217.1 63.1 | within_managed bodies Context.__exit__ | under 386
# 416 36:for `for _ in range(2)` -> loop x2 return | in 217.1 63.1 | within_managed bodies Asks.__enter__ | under 386
# 417 37:if `_` -> else [_=0 F] m0 | in 217.1 63.1 36.0 | within_managed bodies Asks.__enter__ | under 416
# 418 37:if `_` -> then [_=1 T] m1 | in 217.1 63.1 36.1 | within_managed bodies Asks.__enter__ | under 416
# 419 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 217.1 63.1 | within_managed bodies Context.__enter__ | under 386
# 420 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 217.1 63.1 | within_managed bodies Asks.__bool__ | under 386
# 421 70:while `asks` -> body #0 [asks=Asks T] | in 217.1 63.1 | within_managed bodies | under 386
# 422 71:if `step == 1` -> then [1 == 1 T] m0 | in 217.1 63.1 70.0 | within_managed bodies | under 421
# 423 23:ifexp `kind is ValueError` -> else [type is type F] | in 217.1 63.1 | within_managed bodies Context.__exit__ | under 386
# 424 42:if `given` -> then [given=tuple of 3 T] | in 217.1 63.1 41.0 | within_managed bodies Asks.__exit__ | under 386
# 425 75:for `for k in Items(3)` -> loop x2 raise | in 217.1 63.1 | within_managed bodies | under 386
# 426 10:if `self.many > 1` -> then [3 > 1 T] m2 | in 217.1 63.1 | within_managed bodies Items.__iter__ | under 386
# 427 76:if `k == 1` -> else [0 == 1 F] m-1 | in 217.1 63.1 75.0 | within_managed bodies | under 425
# 428 76:if `k == 1` -> then [1 == 1 T] m0 | in 217.1 63.1 75.1 | within_managed bodies | under 425
# 429 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 217.1 63.1 | within_managed bodies Items.__iter__ | under 386
# 430 78:comp `for v in Items(2)` -> loop x2 exhausted | in 217.1 63.1 | within_managed bodies | under 386
# 431 78:compif `v` -> drop [v=0 F] m0 | in 217.1 63.1 78.0 | within_managed bodies | under 430
# 432 78:compif `v` -> keep [v=1 T] m1 | in 217.1 63.1 78.1 | within_managed bodies | under 430
# 433 56:if `self.left < 0` -> else [0 < 0 F] m0 | in 217.1 63.1 | within_managed bodies Steps.__next__ | under 386
# 434 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 217.1 63.2 | within_managed bodies Context.__enter__ | under 386
# 435 65:for `for k in range(2)` -> loop x2 exhausted | in 217.1 63.2 | within_managed bodies | under 386
# 436 66:if `k and raising` -> else [k=0 F] m0 | in 217.1 63.2 65.0 | within_managed bodies | under 435
# 437 66:if `k and raising` -> else [k=1 T, raising=False F] | in 217.1 63.2 65.1 | within_managed bodies | under 435
# 438 23:ifexp `kind is ValueError` -> else [None is type F] | in 217.1 63.2 | within_managed bodies Context.__exit__ | under 386
# 439 36:for `for _ in range(2)` -> loop x2 return | in 217.1 63.2 | within_managed bodies Asks.__enter__ | under 386
# 440 37:if `_` -> else [_=0 F] m0 | in 217.1 63.2 36.0 | within_managed bodies Asks.__enter__ | under 439
# 441 37:if `_` -> then [_=1 T] m1 | in 217.1 63.2 36.1 | within_managed bodies Asks.__enter__ | under 439
# 442 20:ifexp `self.__dict__ is not None` -> then [dict of 0 is not None T] | in 217.1 63.2 | within_managed bodies Context.__enter__ | under 386
# 443 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | in 217.1 63.2 | within_managed bodies Asks.__bool__ | under 386
# 444 70:while `asks` -> body #0 [asks=Asks T] | in 217.1 63.2 | within_managed bodies | under 386
# 445 71:if `step == 1` -> else [0 == 1 F] m-1 | in 217.1 63.2 70.0 | within_managed bodies | under 444
# 446 23:ifexp `kind is ValueError` -> else [None is type F] | in 217.1 63.2 | within_managed bodies Context.__exit__ | under 386
# 447 42:if `given` -> then [given=(None, None, None) T] | in 217.1 63.2 41.0 | within_managed bodies Asks.__exit__ | under 386
# 448 75:for `for k in Items(3)` -> loop x2 raise | in 217.1 63.2 | within_managed bodies | under 386
# 449 10:if `self.many > 1` -> then [3 > 1 T] m2 | in 217.1 63.2 | within_managed bodies Items.__iter__ | under 386
# 450 76:if `k == 1` -> else [0 == 1 F] m-1 | in 217.1 63.2 75.0 | within_managed bodies | under 448
# 451 76:if `k == 1` -> then [1 == 1 T] m0 | in 217.1 63.2 75.1 | within_managed bodies | under 448
# 452 10:if `self.many > 1` -> then [2 > 1 T] m1 | in 217.1 63.2 | within_managed bodies Items.__iter__ | under 386
# 453 78:comp `for v in Items(2)` -> loop x2 exhausted | in 217.1 63.2 | within_managed bodies | under 386
# 454 78:compif `v` -> drop [v=0 F] m0 | in 217.1 63.2 78.0 | within_managed bodies | under 453
# 455 78:compif `v` -> keep [v=1 T] m1 | in 217.1 63.2 78.1 | within_managed bodies | under 453
# 456 56:if `self.left < 0` -> then [-1 < 0 T] m1 | in 217.1 63.2 | within_managed bodies Steps.__next__ | under 386
# 457 211:if `fails` -> then [fails=True T] | in 203.1 | within_managed managed | under 377
# 458 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | <lambda> Asks.__bool__
# 459 238:ifexp `each` -> then [each=Asks T] | <lambda>
# 460 28:ifexp `len("a")` -> then [len("a")=1 T] m1 | <lambda> Asks.__bool__
# 461 238:ifexp `each` -> then [each=Asks T] | <lambda>
