def read(table, key):
    try:
        value = table[key]
    except KeyError:
        value = 0
    except (TypeError, IndexError) as error:
        value = -1 if error.args else -2
    else:
        if value is None:
            value = 1
    finally:
        if key:
            key = None
    return value

read({}, "a")
read(5, "")
read({"b": None}, "b")

# ----
# 0 2:try `try` -> except KeyError !KeyError | read
# 1 12:if `key` -> then [key='a' T] | read
# 2 2:try `try` -> except (TypeError, IndexError) !TypeError | read
# 3 7:ifexp `error.args` -> then [error.args=("'int' object is not subscriptable",) T] | read | under 2
# 4 12:if `key` -> else [key='' F] | read
# 5 9:if `value is None` -> then [None is None T] | read
# 6 12:if `key` -> then [key='b' T] | read
