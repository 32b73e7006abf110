import dyncore as torch  # input: [1.0, 2.0, 3.0, 4.0]
def primes():
    found, n = [], 2
    while True:
        if all(n % p for p in found if p * p <= n):
            found.append(n)
            got = yield n
            if got: n = got
        n += 1
def window(it, size=2):
    buf = []
    for v in it:
        buf.append(v)
        if len(buf) < size: continue
        yield tuple(buf)
        buf.pop(0)
    else:
        if not buf: return
def chain(*its):
    for it in its:
        n = yield from it
        if n is not None: yield n
def count(n):
    while n > 0:
        yield n
        n -= 1
    return "end" if n == 0 else None
def forward(x):
    total = 0
    for a, b in window(x):
        if a + b > 4: total = total + a * b
    for p in primes():
        if p > 7: break
    g = primes(); next(g); g.send(6); next(g)
    out = list(chain(count(2), count(0), (v for v in x if v > 3)))
    if out[-1] > 3 and "end" in out[:3]: total = total + 1
    first = next((v for v in x if v.item() > 1.5), None)
    it = iter(x); pairs = [(a, b) for a, b in zip(it, it) if a < b]
    return total * first if first is not None and pairs else total

# ----
# 0 30 for loop shape x3 exhausted @forward
# 1 12 for loop shape x4 exhausted @forward>window
# 2 14 if then shape in 12.0 @forward>window u1 | 1 < 2 T m1
# 3 14 if else shape in 12.1 @forward>window u1 | 2 < 2 F m0
# 4 31 if else tensor in 30.0 @forward u0 <gt | 3.0 > 4 F m-1
# 5 14 if else shape in 12.2 @forward>window u1 | 2 < 2 F m0
# 6 31 if then tensor in 30.1 @forward u0 <gt | 5.0 > 4 T m1
# 7 14 if else shape in 12.3 @forward>window u1 | 2 < 2 F m0
# 8 31 if then tensor in 30.2 @forward u0 <gt | 7.0 > 4 T m3
# 9 18 if else shape @forward>window | {"type": "list", "len": 1} T
# 10 32 for loop x5 break @forward
# 11 5 comp loop x0 exhausted in 4.0 @forward>primes
# 12 5 if then in 4.0 @forward>primes | true T
# 13 33 if else in 32.0 @forward u10 | 2 > 7 F m-5
# 14 8 if else in 4.0 @forward>primes u12 | null F
# 15 5 comp loop x1 exhausted in 4.1 @forward>primes
# 16 5 compif drop in 4.1,5.0 @forward>primes u15 | 4 <= 3 F m-1
# 17 5 if then in 4.1 @forward>primes | true T
# 18 33 if else in 32.1 @forward u10 | 3 > 7 F m-4
# 19 8 if else in 4.1 @forward>primes u17 | null F
# 20 5 comp loop x1 break in 4.2 @forward>primes
# 21 5 compif keep in 4.2,5.0 @forward>primes u20 | 4 <= 4 T m0
# 22 5 if else in 4.2 @forward>primes | false F
# 23 5 comp loop x2 exhausted in 4.3 @forward>primes
# 24 5 compif keep in 4.3,5.0 @forward>primes u23 | 4 <= 5 T m1
# 25 5 compif drop in 4.3,5.1 @forward>primes u23 | 9 <= 5 F m-4
# 26 5 if then in 4.3 @forward>primes | true T
# 27 33 if else in 32.2 @forward u10 | 5 > 7 F m-2
# 28 8 if else in 4.3 @forward>primes u26 | null F
# 29 5 comp loop x1 break in 4.4 @forward>primes
# 30 5 compif keep in 4.4,5.0 @forward>primes u29 | 4 <= 6 T m2
# 31 5 if else in 4.4 @forward>primes | false F
# 32 5 comp loop x3 exhausted in 4.5 @forward>primes
# 33 5 compif keep in 4.5,5.0 @forward>primes u32 | 4 <= 7 T m3
# 34 5 compif drop in 4.5,5.1 @forward>primes u32 | 9 <= 7 F m-2
# 35 5 compif drop in 4.5,5.2 @forward>primes u32 | 25 <= 7 F m-18
# 36 5 if then in 4.5 @forward>primes | true T
# 37 33 if else in 32.3 @forward u10 | 7 > 7 F m0
# 38 8 if else in 4.5 @forward>primes u36 | null F
# 39 5 comp loop x1 break in 4.6 @forward>primes
# 40 5 compif keep in 4.6,5.0 @forward>primes u39 | 4 <= 8 T m4
# 41 5 if else in 4.6 @forward>primes | false F
# 42 5 comp loop x2 break in 4.7 @forward>primes
# 43 5 compif keep in 4.7,5.0 @forward>primes u42 | 4 <= 9 T m5
# 44 5 compif keep in 4.7,5.1 @forward>primes u42 | 9 <= 9 T m0
# 45 5 if else in 4.7 @forward>primes | false F
# 46 5 comp loop x1 break in 4.8 @forward>primes
# 47 5 compif keep in 4.8,5.0 @forward>primes u46 | 4 <= 10 T m6
# 48 5 if else in 4.8 @forward>primes | false F
# 49 5 comp loop x4 exhausted in 4.9 @forward>primes
# 50 5 compif keep in 4.9,5.0 @forward>primes u49 | 4 <= 11 T m7
# 51 5 compif keep in 4.9,5.1 @forward>primes u49 | 9 <= 11 T m2
# 52 5 compif drop in 4.9,5.2 @forward>primes u49 | 25 <= 11 F m-14
# 53 5 compif drop in 4.9,5.3 @forward>primes u49 | 49 <= 11 F m-38
# 54 5 if then in 4.9 @forward>primes | true T
# 55 33 if then in 32.4 @forward u10 | 11 > 7 T m4
# 56 5 comp loop x0 exhausted in 4.0 @forward>primes
# 57 5 if then in 4.0 @forward>primes | true T
# 58 8 if then in 4.0 @forward>primes u57 | 6 T m6
# 59 5 comp loop x1 exhausted in 4.1 @forward>primes
# 60 5 compif keep in 4.1,5.0 @forward>primes u59 | 4 <= 7 T m3
# 61 5 if then in 4.1 @forward>primes | true T
# 62 8 if else in 4.1 @forward>primes u61 | null F
# 63 5 comp loop x1 break in 4.2 @forward>primes
# 64 5 compif keep in 4.2,5.0 @forward>primes u63 | 4 <= 8 T m4
# 65 5 if else in 4.2 @forward>primes | false F
# 66 5 comp loop x2 exhausted in 4.3 @forward>primes
# 67 5 compif keep in 4.3,5.0 @forward>primes u66 | 4 <= 9 T m5
# 68 5 compif drop in 4.3,5.1 @forward>primes u66 | 49 <= 9 F m-40
# 69 5 if then in 4.3 @forward>primes | true T
# 70 35 comp loop shape x4 exhausted @forward
# 71 20 for loop x3 exhausted @forward>chain
# 72 24 while body #0 in 20.0 @forward>chain>count u71 | 2 > 0 T m2
# 73 24 while body #1 in 20.0 @forward>chain>count u71 | 1 > 0 T m1
# 74 24 while exit #2 in 20.0 @forward>chain>count u71 | 0 > 0 F m0
# 75 27 ifexp then in 20.0 @forward>chain>count u71 | 0 == 0 T m0
# 76 22 if then in 20.0 @forward>chain u71 | "end" is not null T
# 77 24 while exit #0 in 20.1 @forward>chain>count u71 | 0 > 0 F m0
# 78 27 ifexp then in 20.1 @forward>chain>count u71 | 0 == 0 T m0
# 79 22 if then in 20.1 @forward>chain u71 | "end" is not null T
# 80 35 compif drop tensor in 35.0 @forward>chain u70 <gt | 1.0 > 3 F m-2
# 81 35 compif drop tensor in 35.1 @forward>chain u70 <gt | 2.0 > 3 F m-1
# 82 35 compif drop tensor in 35.2 @forward>chain u70 <gt | 3.0 > 3 F m0
# 83 35 compif keep tensor in 35.3 @forward>chain u70 <gt | 4.0 > 3 T m1
# 84 22 if else in 20.2 @forward>chain u71 | null is not null F
# 85 36 if then tensor @forward <gt | 4.0 > 3 T; "end" in {"type": "list", "len": 3} T m1
# 86 37 comp loop shape x2 break @forward
# 87 37 compif drop scalar in 37.0 @forward u86 <unbind | 1.0 > 1.5 F m-0.5
# 88 37 compif keep scalar in 37.1 @forward u86 <unbind | 2.0 > 1.5 T m0.5
# 89 38 comp loop shape x2 exhausted @forward
# 90 38 compif keep tensor in 38.0 @forward u89 <lt | 1.0 < 2.0 T m1
# 91 38 compif keep tensor in 38.1 @forward u89 <lt | 3.0 < 4.0 T m1
# 92 39 ifexp then scalar~ @forward <lt | 2.0 is not null T; {"type": "list", "len": 2} T
