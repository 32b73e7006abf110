def halve(n):
    steps = 0
    while n > 1:
        n = n / 2
        steps += 1
    else:
        steps += 100
    return steps

halve(5)
halve(0)

# ----
# 0 3:while `n > 1` -> body #0 [5 > 1 T] m4 | halve
# 1 3:while `n > 1` -> body #1 [2.5 > 1 T] m1.5 | halve
# 2 3:while `n > 1` -> body #2 [1.25 > 1 T] m0.25 | halve
# 3 3:while `n > 1` -> exit #3 [0.625 > 1 F] m-0.375 | halve
# 4 3:while `n > 1` -> exit #0 [0 > 1 F] m-1 | halve
