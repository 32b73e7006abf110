größe = 2
if größe > 1 and "é" != "e": größe = größe if größe < 0 else "ü"

# ----
# 0 2:if `größe > 1 and "é" != "e"` -> then [2 > 1 T] m1
# 1 2:ifexp `größe < 0` -> else [2 < 0 F] m-2 | under 0
