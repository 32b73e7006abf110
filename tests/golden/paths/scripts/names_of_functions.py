def outer():
    class Local:
        def method(self):
            def deep():
                return 1 if self else 2
            return deep()
    return Local().method()

outer()

# ----
# 0 5:ifexp `self` -> then [self=Local T] | outer outer.<locals>.Local.method outer.<locals>.Local.method.<locals>.deep
