def half(n):
    assert n % 2 == 0, f"odd {n}"
    return n // 2

half(4)
try:
    half(3)
except AssertionError as error:
    assert str(error) and "odd" in str(error)

# ----
# 0 2:assert `n % 2 == 0` -> pass [0 == 0 T] m0 | half
# 1 2:assert `n % 2 == 0` -> fail [1 == 0 F] m-1 | half
# 2 6:try `try` -> except AssertionError !AssertionError
# 3 9:assert `str(error) and "odd" in str(error)` -> pass [str(error)='odd 3' T, 'odd' in 'odd 3' T] | under 2
