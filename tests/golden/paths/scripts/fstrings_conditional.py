x, name = 3, ""
print(f"{'big' if x > 2 else 'small'} {name or 'anon'} {x and x - 3!r:>{5 if x else 1}}")
print(f"{[v for v in range(x) if v]} {max(v for v in (1, 2) if v < x)}", f"{x if x else 0:{'d' if x > 0 else 's'}}")
print(f"""{
    'yes'
    if x == 3 and
       name == ""
    else 'no'
}""")
def g(y): return f"{(lambda z: z if z else -1)(y)}{not y}"
print(g(0), g(1), f'{{}} {x:{"0" if x else ""}3}')

# ----
# 0 2:ifexp `x > 2` -> then [3 > 2 T] m1
# 1 2:or `name or 'anon'` -> rest [name='' F]
# 2 2:and `x and x - 3` -> rest [x=3 T] m3
# 3 2:ifexp `x` -> then [x=3 T] m3
# 4 3:comp `for v in range(x)` -> loop x3 exhausted
# 5 3:compif `v` -> drop [v=0 F] m0 | in 3.0 | under 4
# 6 3:compif `v` -> keep [v=1 T] m1 | in 3.1 | under 4
# 7 3:compif `v` -> keep [v=2 T] m2 | in 3.2 | under 4
# 8 3:comp `for v in (1, 2)` -> loop x2 exhausted
# 9 3:compif `v < x` -> keep [1 < 3 T] m2 | in 3.0 | under 8
# 10 3:compif `v < x` -> keep [2 < 3 T] m1 | in 3.1 | under 8
# 11 3:ifexp `x` -> then [x=3 T] m3
# 12 3:ifexp `x > 0` -> then [3 > 0 T] m3
# 13 6:ifexp `x == 3 and name == ""` -> then [3 == 3 T, '' == '' T] m0
# 14 10:ifexp `z` -> else [z=0 F] m0 | g g.<locals>.<lambda>
# 15 10:ifexp `z` -> then [z=1 T] m1 | g g.<locals>.<lambda>
# 16 11:ifexp `x` -> then [x=3 T] m3
