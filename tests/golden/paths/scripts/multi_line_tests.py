value = 7
if (
    value > 5  # large enough
    and value
        < 10
):
    value = (1 if value
             else 2)

# ----
# 0 3:if `value > 5 and value < 10` -> then [7 > 5 T, 7 < 10 T] m2
# 1 7:ifexp `value` -> then [value=7 T] m7 | under 0
