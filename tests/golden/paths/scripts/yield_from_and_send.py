def inner():
    got = yield 1
    if got:
        yield 2
    return "end"

def outer():
    result = yield from inner()
    if result == "end":
        yield 3

g = outer()
next(g)
g.send("go")
for rest in g:
    pass

# ----
# 0 3:if `got` -> then [got='go' T] | outer inner
# 1 15:for `for rest in g` -> loop x1 exhausted
# 2 9:if `result == "end"` -> then ['end' == 'end' T] | outer
