def f():
    try:
        raise ExceptionGroup("both", [ValueError(1), TypeError(2)])
    except* ValueError as group:
        if group.exceptions:
            a = 1
    except* (TypeError, KeyError):
        a = 2

f()

# ----
# 0 2:try `try` -> except* ValueError !ExceptionGroup | f
# 1 5:if `group.exceptions` -> then [group.exceptions=tuple of 1 T] | f | under 0
# 2 2:try `try` -> except* (TypeError, KeyError) !ExceptionGroup | f
