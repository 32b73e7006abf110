def show(x):
    return f"{'pos' if x > 0 else 'neg'} {x or 'zero'} {[n for n in range(x) if n > 0]}"

show(2)
show(0)

# ----
# 0 2:ifexp `x > 0` -> then [2 > 0 T] m2 | show
# 1 2:or `x or 'zero'` -> short [x=2 T] m2 | show
# 2 2:comp `for n in range(x)` -> loop x2 exhausted | show
# 3 2:compif `n > 0` -> drop [0 > 0 F] m0 | in 2.0 | show | under 2
# 4 2:compif `n > 0` -> keep [1 > 0 T] m1 | in 2.1 | show | under 2
# 5 2:ifexp `x > 0` -> else [0 > 0 F] m0 | show
# 6 2:or `x or 'zero'` -> rest [x=0 F] m0 | show
# 7 2:comp `for n in range(x)` -> loop x0 exhausted | show
