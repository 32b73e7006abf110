def name(n):
    match n % 3:
        case 0:
            word = "none"
        case 1 if n > 3:
            word = "one"
        case _:
            word = "other"
    return word

name(3)
name(1)
name(4)

# ----
# 0 2:match `n % 3` -> case 0 [n % 3=0 T] | name
# 1 5:guard `n > 3` -> fail [1 > 3 F] m-2 | name
# 2 2:match `n % 3` -> case _ [n % 3=1 T] | name
# 3 5:guard `n > 3` -> pass [4 > 3 T] m1 | name
# 4 2:match `n % 3` -> case 1 [n % 3=1 T] | name
