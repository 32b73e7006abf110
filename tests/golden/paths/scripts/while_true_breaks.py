def collatz(n):
    steps = 0
    while True:
        if n == 1: break
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
        if steps > 50: return None
    return steps
def nested():
    out = []
    while 1:
        while True:
            out.append(len(out))
            if len(out) % 3 == 0: break
            if len(out) > 6: return out
        if len(out) > 5: continue
    return None
def gen():
    k = 0
    while True:
        if (yield k) or k > 2: return "end"
        k += 1
def run():
    r = yield from gen()
    while not r: pass
    yield r
print(collatz(6), nested(), list(run()))

# ----
# 0 4:if `n == 1` -> else [6 == 1 F] m-5 | in 3.0 | collatz
# 1 5:ifexp `n % 2 == 0` -> then [0 == 0 T] m0 | in 3.0 | collatz | under 0
# 2 7:if `steps > 50` -> else [1 > 50 F] m-49 | in 3.0 | collatz | under 0
# 3 4:if `n == 1` -> else [3 == 1 F] m-2 | in 3.1 | collatz
# 4 5:ifexp `n % 2 == 0` -> else [1 == 0 F] m-1 | in 3.1 | collatz | under 3
# 5 7:if `steps > 50` -> else [2 > 50 F] m-48 | in 3.1 | collatz | under 3
# 6 4:if `n == 1` -> else [10 == 1 F] m-9 | in 3.2 | collatz
# 7 5:ifexp `n % 2 == 0` -> then [0 == 0 T] m0 | in 3.2 | collatz | under 6
# 8 7:if `steps > 50` -> else [3 > 50 F] m-47 | in 3.2 | collatz | under 6
# 9 4:if `n == 1` -> else [5 == 1 F] m-4 | in 3.3 | collatz
# 10 5:ifexp `n % 2 == 0` -> else [1 == 0 F] m-1 | in 3.3 | collatz | under 9
# 11 7:if `steps > 50` -> else [4 > 50 F] m-46 | in 3.3 | collatz | under 9
# 12 4:if `n == 1` -> else [16 == 1 F] m-15 | in 3.4 | collatz
# 13 5:ifexp `n % 2 == 0` -> then [0 == 0 T] m0 | in 3.4 | collatz | under 12
# 14 7:if `steps > 50` -> else [5 > 50 F] m-45 | in 3.4 | collatz | under 12
# 15 4:if `n == 1` -> else [8 == 1 F] m-7 | in 3.5 | collatz
# 16 5:ifexp `n % 2 == 0` -> then [0 == 0 T] m0 | in 3.5 | collatz | under 15
# 17 7:if `steps > 50` -> else [6 > 50 F] m-44 | in 3.5 | collatz | under 15
# 18 4:if `n == 1` -> else [4 == 1 F] m-3 | in 3.6 | collatz
# 19 5:ifexp `n % 2 == 0` -> then [0 == 0 T] m0 | in 3.6 | collatz | under 18
# 20 7:if `steps > 50` -> else [7 > 50 F] m-43 | in 3.6 | collatz | under 18
# 21 4:if `n == 1` -> else [2 == 1 F] m-1 | in 3.7 | collatz
# 22 5:ifexp `n % 2 == 0` -> then [0 == 0 T] m0 | in 3.7 | collatz | under 21
# 23 7:if `steps > 50` -> else [8 > 50 F] m-42 | in 3.7 | collatz | under 21
# 24 4:if `n == 1` -> then [1 == 1 T] m0 | in 3.8 | collatz
# 25 14:if `len(out) % 3 == 0` -> else [1 == 0 F] m-1 | in 11.0 12.0 | nested
# 26 15:if `len(out) > 6` -> else [1 > 6 F] m-5 | in 11.0 12.0 | nested | under 25
# 27 14:if `len(out) % 3 == 0` -> else [2 == 0 F] m-2 | in 11.0 12.1 | nested
# 28 15:if `len(out) > 6` -> else [2 > 6 F] m-4 | in 11.0 12.1 | nested | under 27
# 29 14:if `len(out) % 3 == 0` -> then [0 == 0 T] m0 | in 11.0 12.2 | nested
# 30 16:if `len(out) > 5` -> else [3 > 5 F] m-2 | in 11.0 | nested
# 31 14:if `len(out) % 3 == 0` -> else [1 == 0 F] m-1 | in 11.1 12.0 | nested
# 32 15:if `len(out) > 6` -> else [4 > 6 F] m-2 | in 11.1 12.0 | nested | under 31
# 33 14:if `len(out) % 3 == 0` -> else [2 == 0 F] m-2 | in 11.1 12.1 | nested
# 34 15:if `len(out) > 6` -> else [5 > 6 F] m-1 | in 11.1 12.1 | nested | under 33
# 35 14:if `len(out) % 3 == 0` -> then [0 == 0 T] m0 | in 11.1 12.2 | nested
# 36 16:if `len(out) > 5` -> then [6 > 5 T] m1 | in 11.1 | nested
# 37 14:if `len(out) % 3 == 0` -> else [1 == 0 F] m-1 | in 11.2 12.0 | nested
# 38 15:if `len(out) > 6` -> then [7 > 6 T] m1 | in 11.2 12.0 | nested | under 37
# 39 21:if `(yield k) or k > 2` -> else [yield k=None F, 0 > 2 F] m-2 | in 20.0 | run gen
# 40 21:if `(yield k) or k > 2` -> else [yield k=None F, 1 > 2 F] m-1 | in 20.1 | run gen
# 41 21:if `(yield k) or k > 2` -> else [yield k=None F, 2 > 2 F] m0 | in 20.2 | run gen
# 42 21:if `(yield k) or k > 2` -> then [yield k=None F, 3 > 2 T] m1 | in 20.3 | run gen
# 43 25:while `not r` -> exit #0 [r='end' T] | run
