def area(shape):
    match shape:
        case ("circle", r):
            return r * r
        case ("box", a, b) if a == b:
            return a * a
        case ("box", a, b):
            return a * b
        case [] | None:
            return 0
        case {"side": s}:
            return s
    return "unknown"

area(("circle", 2))
area(("box", 2, 2))
area(("box", 2, 3))
area(None)
area({"side": 4})
area(7)

# ----
# 0 2:match `shape` -> case ("circle", r) [shape=('circle', 2) T] | area
# 1 5:guard `a == b` -> pass [2 == 2 T] m0 | area
# 2 2:match `shape` -> case ("box", a, b) if a == b [shape=('box', 2, 2) T] | area
# 3 5:guard `a == b` -> fail [2 == 3 F] m-1 | area
# 4 2:match `shape` -> case ("box", a, b) [shape=('box', 2, 3) T] | area
# 5 2:match `shape` -> case [] | None [shape=None T] | area
# 6 2:match `shape` -> case {"side": s} [shape=dict of 1 T] | area
# 7 2:match `shape` -> no match [shape=7 F] | area
