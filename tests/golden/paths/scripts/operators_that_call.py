class Money:
    def __init__(self, amount):
        self.amount = amount
    def __lt__(self, other):
        return True if self.amount < other.amount else False
    def __contains__(self, item):
        return item and item == self.amount
    def __getattr__(self, name):
        if name == "missing":
            raise AttributeError(name)
        return 5

def f(a, b):
    if a < b:
        return 3 in b
    return hasattr(a, "missing") or getattr(a, "other", None)

f(Money(1), Money(3))
f(Money(2), Money(1))
best = max([Money(1), Money(2)], key=lambda m: m.amount)

# ----
# 0 5:ifexp `self.amount < other.amount` -> then [1 < 3 T] m2 | f Money.__lt__
# 1 14:if `a < b` -> then [Money < Money T] | f
# 2 7:and `item and item == self.amount` -> rest [item=3 T] m3 | f Money.__contains__ | under 1
# 3 5:ifexp `self.amount < other.amount` -> else [2 < 1 F] m-1 | f Money.__lt__
# 4 14:if `a < b` -> else [Money < Money F] | f
# 5 9:if `name == "missing"` -> then ['missing' == 'missing' T] | f Money.__getattr__ | under 4
# 6 16:or `hasattr(a, "missing") or getattr(a, "other", None)` -> rest [hasattr(a, "missing")=False F] | f | under 4
# 7 9:if `name == "missing"` -> else ['other' == 'missing' F] | f Money.__getattr__ | under 6
