import dyncore as torch, contextvars, asyncio  # input: [2.0, 1.0]
flag = contextvars.ContextVar("flag", default=0)
class Stop(Exception): pass
def validate(v, depth=0):
    try:
        if v > 1.5 and depth < 2: return validate(v - 1, depth + 1)
        if depth: raise Stop(depth)
    except Stop as e:
        if e.args[0] > 1: raise ValueError("deep") from e
        return e.args[0]
    else:
        return 0 if v > 0 else 1
    finally:
        flag.set(flag.get() + 1) if depth else None
def every(it, f): return all(f(v) or v is None for v in it)
async def leaf(v, n):
    for _ in range(n):
        await asyncio.sleep(0)
        if v > 1.5: break
    else: return n
    return -n
async def tree(x, d):
    if d == 0: return [await leaf(v, 2) for v in x if v > 0]
    a, b = await asyncio.gather(tree(x, d - 1), tree(x + 1, 0))
    return a + b if len(a) < 3 else b
async def outer(x):
    async def agen():
        for v in await tree(x, 1):
            if v: yield v
    return [w async for w in agen() if w > 0 or [z async for z in agen() if z < 0]]
def forward(x):
    r = [validate(v) for v in x]
    funcs = [lambda v, k=k: v > k if k else v for k in range(3)]
    n = sum(1 for f in funcs if f(x[0]))
    ok = every([1, 0, 2], lambda v: v < 3 and (v or None)) or every((), bool)
    top = sorted(x, key=lambda v: (v > 1.5 and -v or v).item())
    got = asyncio.run(outer(x))
    total = 0
    for a, b in zip(x, top, strict=True):
        for c in (a, b):
            if c is a and c is not b: continue
            total += c
            if total > 2: break
        else: continue
        break
    return x * (len(got) if ok or n > 1 else flag.get()) + total + r[0]

# ----
# 0 32 comp loop shape x2 exhausted @forward
# 1 6 if then tensor in 32.0 @forward>validate u0 <gt | 2.0 > 1.5 T; 0 < 2 T m0.5
# 2 6 if else tensor in 32.0 @forward>validate>validate r1 u1 <gt | 1.0 > 1.5 F m-0.5
# 3 7 if then in 32.0 @forward>validate>validate r1 u2 | 1 T m1
# 4 5 try except Stop in 32.0 @forward>validate>validate r1 u1 !Stop
# 5 9 if else in 32.0 @forward>validate>validate r1 u4 | 1 > 1 F m0
# 6 14 ifexp then in 32.0 @forward>validate>validate r1 u1 | 1 T m1
# 7 14 ifexp else in 32.0 @forward>validate u0 | 0 F m0
# 8 6 if else tensor in 32.1 @forward>validate u0 <gt | 1.0 > 1.5 F m-0.5
# 9 7 if else in 32.1 @forward>validate u8 | 0 F m0
# 10 12 ifexp then tensor in 32.1 @forward>validate u0 <gt | 1.0 > 0 T m1
# 11 14 ifexp else in 32.1 @forward>validate u0 | 0 F m0
# 12 33 comp loop x3 exhausted @forward
# 13 34 comp loop x3 exhausted @forward
# 14 33 ifexp else in 34.0 @forward>forward.<locals>.<lambda> u13 | 0 F m0
# 15 34 compif keep tensor in 34.0 @forward u13 <getitem | 2.0 T m2
# 16 33 ifexp then in 34.1 @forward>forward.<locals>.<lambda> u13 | 1 T m1
# 17 34 compif keep tensor in 34.1 @forward u13 <gt | true T
# 18 33 ifexp then in 34.2 @forward>forward.<locals>.<lambda> u13 | 2 T m2
# 19 34 compif drop tensor in 34.2 @forward u13 <gt | false F
# 20 15 comp loop x2 break @forward>every
# 21 35 and rest in 15.0 @forward>every>forward.<locals>.<lambda> u20 | 1 < 3 T m2
# 22 35 or short in 15.0 @forward>every>forward.<locals>.<lambda> u20 | 1 T m1
# 23 15 or short in 15.0 @forward>every u20 | 1 T m1
# 24 35 and rest in 15.1 @forward>every>forward.<locals>.<lambda> u20 | 0 < 3 T m3
# 25 35 or rest in 15.1 @forward>every>forward.<locals>.<lambda> u20 | 0 F m0
# 26 15 or rest in 15.1 @forward>every u20 | null F
# 27 35 or rest @forward | false F
# 28 15 comp loop x0 exhausted @forward>every u27
# 29 36 and rest tensor @forward>forward.<locals>.<lambda> <gt | 2.0 > 1.5 T m0.5
# 30 36 or short tensor @forward>forward.<locals>.<lambda> <neg | -2.0 T m2
# 31 36 and short tensor @forward>forward.<locals>.<lambda> <gt | 1.0 > 1.5 F m-0.5
# 32 36 or rest tensor @forward>forward.<locals>.<lambda> <gt | false F
# 33 30 comp loop scalar~ x4 exhausted @forward>outer <gt
# 34 23 if else @forward>outer>outer.<locals>.agen>tree | 1 == 0 F m-1
# 35 23 if then @forward>tree | 0 == 0 T m0
# 36 23 comp loop shape x2 exhausted @forward>tree u35
# 37 23 compif keep tensor in 23.0 @forward>tree u36 <gt | 2.0 > 0 T m2
# 38 17 for loop x1 break in 23.0 @forward>tree>leaf u37
# 39 23 if then @forward>tree | 0 == 0 T m0
# 40 23 comp loop shape x2 exhausted @forward>tree u39 <add
# 41 23 compif keep tensor in 23.0 @forward>tree u40 <gt | 3.0 > 0 T m3
# 42 17 for loop x1 break in 23.0 @forward>tree>leaf u41
# 43 19 if then tensor in 23.0,17.0 @forward>tree>leaf u38 <gt | 2.0 > 1.5 T m0.5
# 44 23 compif keep tensor in 23.1 @forward>tree u36 <gt | 1.0 > 0 T m1
# 45 17 for loop x2 exhausted in 23.1 @forward>tree>leaf u44
# 46 19 if then tensor in 23.0,17.0 @forward>tree>leaf u42 <gt | 3.0 > 1.5 T m1.5
# 47 23 compif keep tensor in 23.1 @forward>tree u40 <gt | 2.0 > 0 T m2
# 48 17 for loop x1 break in 23.1 @forward>tree>leaf u47
# 49 19 if else tensor in 23.1,17.0 @forward>tree>leaf u45 <gt | 1.0 > 1.5 F m-0.5
# 50 19 if then tensor in 23.1,17.0 @forward>tree>leaf u48 <gt | 2.0 > 1.5 T m0.5
# 51 19 if else tensor in 23.1,17.1 @forward>tree>leaf u45 <gt | 1.0 > 1.5 F m-0.5
# 52 25 ifexp then scalar~ @forward>outer>outer.<locals>.agen>tree u34 <gt | 2 < 3 T m1
# 53 28 for loop scalar~ x4 exhausted @forward>outer>outer.<locals>.agen <gt
# 54 29 if then scalar~ in 28.0 @forward>outer>outer.<locals>.agen u53 <gt | -2 T m2
# 55 30 comp loop scalar~ x4 exhausted in 30.0 @forward>outer u33 <gt
# 56 23 if else in 30.0 @forward>outer>outer.<locals>.agen>tree u33 | 1 == 0 F m-1
# 57 23 if then @forward>tree | 0 == 0 T m0
# 58 23 comp loop shape x2 exhausted @forward>tree u57
# 59 23 compif keep tensor in 23.0 @forward>tree u58 <gt | 2.0 > 0 T m2
# 60 17 for loop x1 break in 23.0 @forward>tree>leaf u59
# 61 23 if then @forward>tree | 0 == 0 T m0
# 62 23 comp loop shape x2 exhausted @forward>tree u61 <add
# 63 23 compif keep tensor in 23.0 @forward>tree u62 <gt | 3.0 > 0 T m3
# 64 17 for loop x1 break in 23.0 @forward>tree>leaf u63
# 65 19 if then tensor in 23.0,17.0 @forward>tree>leaf u60 <gt | 2.0 > 1.5 T m0.5
# 66 23 compif keep tensor in 23.1 @forward>tree u58 <gt | 1.0 > 0 T m1
# 67 17 for loop x2 exhausted in 23.1 @forward>tree>leaf u66
# 68 19 if then tensor in 23.0,17.0 @forward>tree>leaf u64 <gt | 3.0 > 1.5 T m1.5
# 69 23 compif keep tensor in 23.1 @forward>tree u62 <gt | 2.0 > 0 T m2
# 70 17 for loop x1 break in 23.1 @forward>tree>leaf u69
# 71 19 if else tensor in 23.1,17.0 @forward>tree>leaf u67 <gt | 1.0 > 1.5 F m-0.5
# 72 19 if then tensor in 23.1,17.0 @forward>tree>leaf u70 <gt | 2.0 > 1.5 T m0.5
# 73 19 if else tensor in 23.1,17.1 @forward>tree>leaf u67 <gt | 1.0 > 1.5 F m-0.5
# 74 25 ifexp then scalar~ in 30.0 @forward>outer>outer.<locals>.agen>tree u56 <gt | 2 < 3 T m1
# 75 28 for loop scalar~ x4 exhausted in 30.0 @forward>outer>outer.<locals>.agen u33 <gt
# 76 29 if then scalar~ in 30.0,28.0 @forward>outer>outer.<locals>.agen u75 <gt | -2 T m2
# 77 30 compif keep scalar~ in 30.0,30.0 @forward>outer u55 <gt | -2 < 0 T m2
# 78 29 if then scalar~ in 30.0,28.1 @forward>outer>outer.<locals>.agen u75 <gt | 2 T m2
# 79 30 compif drop scalar~ in 30.0,30.1 @forward>outer u55 <gt | 2 < 0 F m-2
# 80 29 if then scalar~ in 30.0,28.2 @forward>outer>outer.<locals>.agen u75 <gt | -2 T m2
# 81 30 compif keep scalar~ in 30.0,30.2 @forward>outer u55 <gt | -2 < 0 T m2
# 82 29 if then scalar~ in 30.0,28.3 @forward>outer>outer.<locals>.agen u75 <gt | -2 T m2
# 83 30 compif keep scalar~ in 30.0,30.3 @forward>outer u55 <gt | -2 < 0 T m2
# 84 30 compif keep scalar~ in 30.0 @forward>outer u33 <gt | -2 > 0 F; {"type": "list", "len": 3} T
# 85 29 if then scalar~ in 28.1 @forward>outer>outer.<locals>.agen u53 <gt | 2 T m2
# 86 30 compif keep scalar~ in 30.1 @forward>outer u33 <gt | 2 > 0 T m2
# 87 29 if then scalar~ in 28.2 @forward>outer>outer.<locals>.agen u53 <gt | -2 T m2
# 88 30 comp loop scalar~ x4 exhausted in 30.2 @forward>outer u33 <gt
# 89 23 if else in 30.2 @forward>outer>outer.<locals>.agen>tree u33 | 1 == 0 F m-1
# 90 23 if then @forward>tree | 0 == 0 T m0
# 91 23 comp loop shape x2 exhausted @forward>tree u90
# 92 23 compif keep tensor in 23.0 @forward>tree u91 <gt | 2.0 > 0 T m2
# 93 17 for loop x1 break in 23.0 @forward>tree>leaf u92
# 94 23 if then @forward>tree | 0 == 0 T m0
# 95 23 comp loop shape x2 exhausted @forward>tree u94 <add
# 96 23 compif keep tensor in 23.0 @forward>tree u95 <gt | 3.0 > 0 T m3
# 97 17 for loop x1 break in 23.0 @forward>tree>leaf u96
# 98 19 if then tensor in 23.0,17.0 @forward>tree>leaf u93 <gt | 2.0 > 1.5 T m0.5
# 99 23 compif keep tensor in 23.1 @forward>tree u91 <gt | 1.0 > 0 T m1
# 100 17 for loop x2 exhausted in 23.1 @forward>tree>leaf u99
# 101 19 if then tensor in 23.0,17.0 @forward>tree>leaf u97 <gt | 3.0 > 1.5 T m1.5
# 102 23 compif keep tensor in 23.1 @forward>tree u95 <gt | 2.0 > 0 T m2
# 103 17 for loop x1 break in 23.1 @forward>tree>leaf u102
# 104 19 if else tensor in 23.1,17.0 @forward>tree>leaf u100 <gt | 1.0 > 1.5 F m-0.5
# 105 19 if then tensor in 23.1,17.0 @forward>tree>leaf u103 <gt | 2.0 > 1.5 T m0.5
# 106 19 if else tensor in 23.1,17.1 @forward>tree>leaf u100 <gt | 1.0 > 1.5 F m-0.5
# 107 25 ifexp then scalar~ in 30.2 @forward>outer>outer.<locals>.agen>tree u89 <gt | 2 < 3 T m1
# 108 28 for loop scalar~ x4 exhausted in 30.2 @forward>outer>outer.<locals>.agen u33 <gt
# 109 29 if then scalar~ in 30.2,28.0 @forward>outer>outer.<locals>.agen u108 <gt | -2 T m2
# 110 30 compif keep scalar~ in 30.2,30.0 @forward>outer u88 <gt | -2 < 0 T m2
# 111 29 if then scalar~ in 30.2,28.1 @forward>outer>outer.<locals>.agen u108 <gt | 2 T m2
# 112 30 compif drop scalar~ in 30.2,30.1 @forward>outer u88 <gt | 2 < 0 F m-2
# 113 29 if then scalar~ in 30.2,28.2 @forward>outer>outer.<locals>.agen u108 <gt | -2 T m2
# 114 30 compif keep scalar~ in 30.2,30.2 @forward>outer u88 <gt | -2 < 0 T m2
# 115 29 if then scalar~ in 30.2,28.3 @forward>outer>outer.<locals>.agen u108 <gt | -2 T m2
# 116 30 compif keep scalar~ in 30.2,30.3 @forward>outer u88 <gt | -2 < 0 T m2
# 117 30 compif keep scalar~ in 30.2 @forward>outer u33 <gt | -2 > 0 F; {"type": "list", "len": 3} T
# 118 29 if then scalar~ in 28.3 @forward>outer>outer.<locals>.agen u53 <gt | -2 T m2
# 119 30 comp loop scalar~ x4 exhausted in 30.3 @forward>outer u33 <gt
# 120 23 if else in 30.3 @forward>outer>outer.<locals>.agen>tree u33 | 1 == 0 F m-1
# 121 23 if then @forward>tree | 0 == 0 T m0
# 122 23 comp loop shape x2 exhausted @forward>tree u121
# 123 23 compif keep tensor in 23.0 @forward>tree u122 <gt | 2.0 > 0 T m2
# 124 17 for loop x1 break in 23.0 @forward>tree>leaf u123
# 125 23 if then @forward>tree | 0 == 0 T m0
# 126 23 comp loop shape x2 exhausted @forward>tree u125 <add
# 127 23 compif keep tensor in 23.0 @forward>tree u126 <gt | 3.0 > 0 T m3
# 128 17 for loop x1 break in 23.0 @forward>tree>leaf u127
# 129 19 if then tensor in 23.0,17.0 @forward>tree>leaf u124 <gt | 2.0 > 1.5 T m0.5
# 130 23 compif keep tensor in 23.1 @forward>tree u122 <gt | 1.0 > 0 T m1
# 131 17 for loop x2 exhausted in 23.1 @forward>tree>leaf u130
# 132 19 if then tensor in 23.0,17.0 @forward>tree>leaf u128 <gt | 3.0 > 1.5 T m1.5
# 133 23 compif keep tensor in 23.1 @forward>tree u126 <gt | 2.0 > 0 T m2
# 134 17 for loop x1 break in 23.1 @forward>tree>leaf u133
# 135 19 if else tensor in 23.1,17.0 @forward>tree>leaf u131 <gt | 1.0 > 1.5 F m-0.5
# 136 19 if then tensor in 23.1,17.0 @forward>tree>leaf u134 <gt | 2.0 > 1.5 T m0.5
# 137 19 if else tensor in 23.1,17.1 @forward>tree>leaf u131 <gt | 1.0 > 1.5 F m-0.5
# 138 25 ifexp then scalar~ in 30.3 @forward>outer>outer.<locals>.agen>tree u120 <gt | 2 < 3 T m1
# 139 28 for loop scalar~ x4 exhausted in 30.3 @forward>outer>outer.<locals>.agen u33 <gt
# 140 29 if then scalar~ in 30.3,28.0 @forward>outer>outer.<locals>.agen u139 <gt | -2 T m2
# 141 30 compif keep scalar~ in 30.3,30.0 @forward>outer u119 <gt | -2 < 0 T m2
# 142 29 if then scalar~ in 30.3,28.1 @forward>outer>outer.<locals>.agen u139 <gt | 2 T m2
# 143 30 compif drop scalar~ in 30.3,30.1 @forward>outer u119 <gt | 2 < 0 F m-2
# 144 29 if then scalar~ in 30.3,28.2 @forward>outer>outer.<locals>.agen u139 <gt | -2 T m2
# 145 30 compif keep scalar~ in 30.3,30.2 @forward>outer u119 <gt | -2 < 0 T m2
# 146 29 if then scalar~ in 30.3,28.3 @forward>outer>outer.<locals>.agen u139 <gt | -2 T m2
# 147 30 compif keep scalar~ in 30.3,30.3 @forward>outer u119 <gt | -2 < 0 T m2
# 148 30 compif keep scalar~ in 30.3 @forward>outer u33 <gt | -2 > 0 F; {"type": "list", "len": 3} T
# 149 39 for loop shape x2 break @forward
# 150 40 for loop x2 exhausted in 39.0 @forward u149
# 151 41 if then in 39.0,40.0 @forward u150 | 2.0 is 2.0 T; 2.0 is not 2.0 T
# 152 41 if else in 39.0,40.1 @forward u150 | 2.0 is 2.0 F
# 153 43 if else tensor in 39.0,40.1 @forward u152 <gt | 2.0 > 2 F m0
# 154 40 for loop x2 break in 39.1 @forward u149
# 155 41 if then in 39.1,40.0 @forward u154 | 1.0 is 1.0 T; 1.0 is not 1.0 T
# 156 41 if else in 39.1,40.1 @forward u154 | 1.0 is 1.0 F
# 157 43 if then tensor in 39.1,40.1 @forward u156 <gt | 3.0 > 2 T m1
# 158 46 ifexp then @forward | true T
