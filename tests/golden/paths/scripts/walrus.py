import re
text = "a1b22"
while (found := re.search("[0-9]+", text)) is not None:
    text = text[found.end():]
if (n := len(text)) == 0 and (m := n + 1):
    pass
print([y for x in range(3) if (y := x * 2) > 1])
any((seen := x) > 0 for x in [0, 5, 6])
assert seen == 5

# ----
# 0 3:while `(found := re.search("[0-9]+", text)) is not None` -> body #0 [Match is not None T]
# 1 3:while `(found := re.search("[0-9]+", text)) is not None` -> body #1 [Match is not None T]
# 2 3:while `(found := re.search("[0-9]+", text)) is not None` -> exit #2 [None is not None F]
# 3 5:if `(n := len(text)) == 0 and (m := n + 1)` -> then [0 == 0 T, m := n + 1=1 T] m0
# 4 7:comp `for x in range(3)` -> loop x3 exhausted
# 5 7:compif `(y := x * 2) > 1` -> drop [0 > 1 F] m-1 | in 7.0 | under 4
# 6 7:compif `(y := x * 2) > 1` -> keep [2 > 1 T] m1 | in 7.1 | under 4
# 7 7:compif `(y := x * 2) > 1` -> keep [4 > 1 T] m3 | in 7.2 | under 4
# 8 8:comp `for x in [0, 5, 6]` -> loop x2 break
# 9 9:assert `seen == 5` -> pass [5 == 5 T] m0
