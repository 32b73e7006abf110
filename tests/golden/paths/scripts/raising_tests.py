class Odd:
    def __bool__(self):
        raise TypeError("no truth here")

def f(x):
    try:
        if x and 1:
            return 1
    except TypeError:
        y = 2
    try:
        while 1 < 2 and x < 3:
            pass
    except TypeError:
        return 3

f(Odd())
try:
    if 1 < 2 < "3":
        pass
except TypeError:
    pass

# ----
# 0 7:if `x and 1` -> raise !TypeError [x=Odd F] | f
# 1 6:try `try` -> except TypeError !TypeError | f
# 2 12:while `1 < 2 and x < 3` -> raise #0 !TypeError [Odd < 3 F] | f
# 3 11:try `try` -> except TypeError !TypeError | f
# 4 18:try `try` -> except TypeError !TypeError
