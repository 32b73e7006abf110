x = None
if x is None and 2 in [1, 2] and "k" not in {}:
    x = 3
if x is not None:
    pass
if not isinstance(x, str):
    pass

# ----
# 0 2:if `x is None and 2 in [1, 2] and "k" not in {}` -> then [None is None T, 2 in list of 2 T, 'k' not in dict of 0 T]
# 1 4:if `x is not None` -> then [3 is not None T]
# 2 6:if `not isinstance(x, str)` -> then [isinstance(x, str)=False F]
