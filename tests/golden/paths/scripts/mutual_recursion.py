def even(n):
    return True if n == 0 else odd(n - 1)

def odd(n):
    return False if n == 0 else even(n - 1)

even(3)

# ----
# 0 2:ifexp `n == 0` -> else [3 == 0 F] m-3 | even
# 1 5:ifexp `n == 0` -> else [2 == 0 F] m-2 | even odd | under 0
# 2 2:ifexp `n == 0` -> else [1 == 0 F] m-1 | even odd even r1 | under 1
# 3 5:ifexp `n == 0` -> then [0 == 0 T] m0 | even odd even odd r1 | under 2
