def first_even(numbers):
    for n in numbers:
        if n % 2 == 0:
            return n

def has(numbers, wanted):
    for n in numbers:
        if n == wanted:
            break
    else:
        return False
    return True

def burst(numbers):
    for n in numbers:
        if n < 0:
            raise ValueError(n)

first_even([1, 3, 4, 5])
first_even([])
has([1, 2], 2)
has([1, 2], 3)
try:
    burst([1, -1, 1])
except ValueError:
    pass

# ----
# 0 2:for `for n in numbers` -> loop x3 return | first_even
# 1 3:if `n % 2 == 0` -> else [1 == 0 F] m-1 | in 2.0 | first_even | under 0
# 2 3:if `n % 2 == 0` -> else [1 == 0 F] m-1 | in 2.1 | first_even | under 0
# 3 3:if `n % 2 == 0` -> then [0 == 0 T] m0 | in 2.2 | first_even | under 0
# 4 2:for `for n in numbers` -> loop x0 exhausted | first_even
# 5 7:for `for n in numbers` -> loop x2 break | has
# 6 8:if `n == wanted` -> else [1 == 2 F] m-1 | in 7.0 | has | under 5
# 7 8:if `n == wanted` -> then [2 == 2 T] m0 | in 7.1 | has | under 5
# 8 7:for `for n in numbers` -> loop x2 exhausted | has
# 9 8:if `n == wanted` -> else [1 == 3 F] m-2 | in 7.0 | has | under 8
# 10 8:if `n == wanted` -> else [2 == 3 F] m-1 | in 7.1 | has | under 8
# 11 15:for `for n in numbers` -> loop x2 raise | burst
# 12 16:if `n < 0` -> else [1 < 0 F] m-1 | in 15.0 | burst | under 11
# 13 16:if `n < 0` -> then [-1 < 0 T] m1 | in 15.1 | burst | under 11
# 14 23:try `try` -> except ValueError !ValueError
