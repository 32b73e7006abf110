import builtins
real = builtins.len
builtins.len = lambda value: 99
builtins.bool = lambda value: 1 / 0
try:
    if len([1]) == 99:
        ok = [] or "empty"
finally:
    builtins.len = real
    builtins.bool = type(True)

# ----
# 0 6:if `len([1]) == 99` -> then [99 == 99 T] m0
# 1 7:or `[] or "empty"` -> rest [[]=list of 0 F] | under 0
