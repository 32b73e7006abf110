def check(x):
    assert x > 0, f"{x} is {'zero' if x == 0 else 'negative'}"
    assert isinstance(x, int) and x < 10
    return x
for v in (1, 0, -1, 20, 2.5):
    try:
        print(check(v))
    except AssertionError as error:
        print("failed", error)
assert not [], "empty"

# ----
# 0 5:for `for v in (1, 0, -1, 20, 2.5)` -> loop x5 exhausted
# 1 2:assert `x > 0` -> pass [1 > 0 T] m1 | in 5.0 | check | under 0
# 2 3:assert `isinstance(x, int) and x < 10` -> pass [isinstance(x, int)=True T, 1 < 10 T] m9 | in 5.0 | check | under 0
# 3 2:assert `x > 0` -> fail [0 > 0 F] m0 | in 5.1 | check | under 0
# 4 2:ifexp `x == 0` -> then [0 == 0 T] m0 | in 5.1 | check | under 3
# 5 6:try `try` -> except AssertionError !AssertionError | in 5.1 | under 0
# 6 2:assert `x > 0` -> fail [-1 > 0 F] m-1 | in 5.2 | check | under 0
# 7 2:ifexp `x == 0` -> else [-1 == 0 F] m-1 | in 5.2 | check | under 6
# 8 6:try `try` -> except AssertionError !AssertionError | in 5.2 | under 0
# 9 2:assert `x > 0` -> pass [20 > 0 T] m20 | in 5.3 | check | under 0
# 10 3:assert `isinstance(x, int) and x < 10` -> fail [isinstance(x, int)=True T, 20 < 10 F] m-10 | in 5.3 | check | under 0
# 11 6:try `try` -> except AssertionError !AssertionError | in 5.3 | under 0
# 12 2:assert `x > 0` -> pass [2.5 > 0 T] m2.5 | in 5.4 | check | under 0
# 13 3:assert `isinstance(x, int) and x < 10` -> fail [isinstance(x, int)=False F] | in 5.4 | check | under 0
# 14 6:try `try` -> except AssertionError !AssertionError | in 5.4 | under 0
# 15 10:assert `not []` -> pass [[]=list of 0 F]
