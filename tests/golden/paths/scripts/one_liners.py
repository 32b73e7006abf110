if 1: print("const")
for a in 1, 2: print(a) if a > 1 else None
x = 1; y = 2 if x else 3; print(x, y) if x and y else 0
if x: y = 0
else: y = 1
while y < 2: y += 1; print(y)
if x == 1 and y: pass
elif x: print("no")
if (x
    # a comment
    > 0
        and y): print("multi")
lst = [i
       for i in range(3)
       if i  # why
       != 1]
print(lst); z = not x; print(z, not not x, -x if not z else +x)
if "#" in "a#b": print('# in string')
if x:print("tight")
if(x):print("paren")
if not(x)or(y):print("tight or")

# ----
# 0 2:for `for a in 1, 2` -> loop x2 exhausted
# 1 2:ifexp `a > 1` -> else [1 > 1 F] m0 | in 2.0 | under 0
# 2 2:ifexp `a > 1` -> then [2 > 1 T] m1 | in 2.1 | under 0
# 3 3:ifexp `x` -> then [x=1 T] m1
# 4 3:ifexp `x and y` -> then [x=1 T, y=2 T] m1
# 5 4:if `x` -> then [x=1 T] m1
# 6 6:while `y < 2` -> body #0 [0 < 2 T] m2
# 7 6:while `y < 2` -> body #1 [1 < 2 T] m1
# 8 6:while `y < 2` -> exit #2 [2 < 2 F] m0
# 9 7:if `x == 1 and y` -> then [1 == 1 T, y=2 T] m0
# 10 9:if `x > 0 and y` -> then [1 > 0 T, y=2 T] m1
# 11 14:comp `for i in range(3)` -> loop x3 exhausted
# 12 15:compif `i != 1` -> keep [0 != 1 T] m1 | in 14.0 | under 11
# 13 15:compif `i != 1` -> drop [1 != 1 F] m0 | in 14.1 | under 11
# 14 15:compif `i != 1` -> keep [2 != 1 T] m1 | in 14.2 | under 11
# 15 17:ifexp `not z` -> then [z=False F]
# 16 19:if `x` -> then [x=1 T] m1
# 17 20:if `x` -> then [x=1 T] m1
# 18 21:if `not(x)or(y)` -> then [x=1 T, y=2 T] m2
