def above(limit):
    count = 0
    def check(x):
        nonlocal count
        if x > limit:
            count += 1
        return count
    return check

key = lambda x: -x if x < 0 else x
check = above(2)
check(3)
sorted([-2, 1], key=key)
list(map(lambda v: v and v + 1, [0, 2]))

# ----
# 0 5:if `x > limit` -> then [3 > 2 T] m1 | above.<locals>.check
# 1 10:ifexp `x < 0` -> then [-2 < 0 T] m2 | <lambda>
# 2 10:ifexp `x < 0` -> else [1 < 0 F] m-1 | <lambda>
# 3 14:and `v and v + 1` -> short [v=0 F] m0 | <lambda>
# 4 14:and `v and v + 1` -> rest [v=2 T] m2 | <lambda>
