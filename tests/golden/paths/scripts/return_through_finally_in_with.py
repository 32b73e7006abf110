class Near:
    def __enter__(self): return self
    def __exit__(self, *error): return True if error[0] else False
def f(n):
    with Near(), Near():
        for i in range(2):
            try:
                if i == n: return "out"
            finally:
                if i: n = 0
    return "end"
print(f(0), f(1), f(2))

# ----
# 0 6:for `for i in range(2)` -> loop x1 return | f
# 1 8:if `i == n` -> then [0 == 0 T] m0 | in 6.0 | f | under 0
# 2 10:if `i` -> else [i=0 F] m0 | in 6.0 | f | under 0
# 3 3:ifexp `error[0]` -> else [error[0]=None F] | f Near.__exit__
# 4 3:ifexp `error[0]` -> else [error[0]=None F] | f Near.__exit__
# 5 6:for `for i in range(2)` -> loop x2 return | f
# 6 8:if `i == n` -> else [0 == 1 F] m-1 | in 6.0 | f | under 5
# 7 10:if `i` -> else [i=0 F] m0 | in 6.0 | f | under 5
# 8 8:if `i == n` -> then [1 == 1 T] m0 | in 6.1 | f | under 5
# 9 10:if `i` -> then [i=1 T] m1 | in 6.1 | f | under 5
# 10 3:ifexp `error[0]` -> else [error[0]=None F] | f Near.__exit__
# 11 3:ifexp `error[0]` -> else [error[0]=None F] | f Near.__exit__
# 12 6:for `for i in range(2)` -> loop x2 exhausted | f
# 13 8:if `i == n` -> else [0 == 2 F] m-2 | in 6.0 | f | under 12
# 14 10:if `i` -> else [i=0 F] m0 | in 6.0 | f | under 12
# 15 8:if `i == n` -> else [1 == 2 F] m-1 | in 6.1 | f | under 12
# 16 10:if `i` -> then [i=1 T] m1 | in 6.1 | f | under 12
# 17 3:ifexp `error[0]` -> else [error[0]=None F] | f Near.__exit__
# 18 3:ifexp `error[0]` -> else [error[0]=None F] | f Near.__exit__
