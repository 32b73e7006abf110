n = 3
exec("if n > 2: n = 9")
m = eval("1 if n else 0")
if n == 9:
    n = m

# ----
# 0 4:if `n == 9` -> then [9 == 9 T] m0
