import dyncore as torch  # input: [1.0, -2.0, 3.0]
def check(v):
    if v > 2: raise LookupError("big")
    return v > 0
def forward(x):
    hits = 0
    for v in x:
        try:
            if check(v) and not v > 5: hits += 1
            elif hits or check(-v): hits += 10
        except LookupError as e:
            hits = hits * 2 if "big" in str(e) else 0
    try:
        while check(x[hits % 3]): hits += 1
    except (TypeError, LookupError) as e:
        if isinstance(e, LookupError): x = x + 1
    try:
        z = [v for v in x if check(v)]
    except LookupError:
        z = []
    try:
        n = (0 or check(x[0])) and check(x[2])
    except LookupError as e:
        n = 3 if e.args else 4
    try:
        assert check(x[2]), "never"
    except Exception as e:
        if not isinstance(e, AssertionError): n += 1
    try:
        match x:
            case _ if check(x[2]): n = 0
    except LookupError: n += 1
    try: r = 1 if check(x[2]) else 2
    except LookupError: r = 3
    try:
        for i in (check(v) for v in x): n += 1
    except LookupError: n += r
    return x * n * (len(z) or 1)

# ----
# 0 7 for loop shape x3 exhausted @forward
# 1 3 if else tensor in 7.0 @forward>check u0 <gt | 1.0 > 2 F m-1
# 2 9 if then tensor in 7.0 @forward u0 <gt | 1.0 > 0 T; 1.0 > 5 F m1
# 3 3 if else tensor in 7.1 @forward>check u0 <gt | -2.0 > 2 F m-4
# 4 9 if else tensor in 7.1 @forward u0 <gt | -2.0 > 0 F m-2
# 5 10 elif then in 7.1 @forward u4 | 1 T m1
# 6 3 if then tensor in 7.2 @forward>check u0 <gt | 3.0 > 2 T m1
# 7 8 try except LookupError in 7.2 @forward u0 !LookupError
# 8 12 ifexp then in 7.2 @forward u7 | "big" in "big" T
# 9 3 if else tensor @forward>check <gt | -2.0 > 2 F m-4
# 10 14 while exit tensor #0 @forward <gt | -2.0 > 0 F m-2
# 11 18 comp loop shape x3 raise @forward
# 12 3 if else tensor in 18.0 @forward>check u11 <gt | 1.0 > 2 F m-1
# 13 18 compif keep tensor in 18.0 @forward u11 <gt | 1.0 > 0 T m1
# 14 3 if else tensor in 18.1 @forward>check u11 <gt | -2.0 > 2 F m-4
# 15 18 compif drop tensor in 18.1 @forward u11 <gt | -2.0 > 0 F m-2
# 16 3 if then tensor in 18.2 @forward>check u11 <gt | 3.0 > 2 T m1
# 17 17 try except LookupError @forward !LookupError
# 18 3 if else tensor @forward>check <gt | 1.0 > 2 F m-1
# 19 22 and rest tensor @forward <gt | 1.0 > 0 T m1
# 20 3 if then tensor @forward>check u19 <gt | 3.0 > 2 T m1
# 21 21 try except LookupError @forward !LookupError
# 22 24 ifexp then @forward u21 | ["big"] T
# 23 3 if then tensor @forward>check <gt | 3.0 > 2 T m1
# 24 25 try except Exception @forward !LookupError
# 25 28 if then @forward u24 | false F
# 26 3 if then tensor @forward>check <gt | 3.0 > 2 T m1
# 27 29 try except LookupError @forward !LookupError
# 28 3 if then tensor @forward>check <gt | 3.0 > 2 T m1
# 29 33 try except LookupError @forward !LookupError
# 30 36 comp loop shape x3 raise @forward
# 31 36 for loop shape x2 raise @forward
# 32 3 if else tensor in 36.0 @forward>check u30 <gt | 1.0 > 2 F m-1
# 33 3 if else tensor in 36.1 @forward>check u30 <gt | -2.0 > 2 F m-4
# 34 3 if then tensor in 36.2 @forward>check u30 <gt | 3.0 > 2 T m1
# 35 35 try except LookupError @forward !LookupError
# 36 38 or rest scalar~ @forward <gt | 0 F m0
