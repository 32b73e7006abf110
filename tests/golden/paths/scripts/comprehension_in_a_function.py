def positives(values):
    return [v if v < 2 else 2 for v in values if v > 0]

positives([1, -1, 5])

# ----
# 0 2:comp `for v in values` -> loop x3 exhausted | positives
# 1 2:compif `v > 0` -> keep [1 > 0 T] m1 | in 2.0 | positives | under 0
# 2 2:ifexp `v < 2` -> then [1 < 2 T] m1 | in 2.0 | positives | under 1
# 3 2:compif `v > 0` -> drop [-1 > 0 F] m-1 | in 2.1 | positives | under 0
# 4 2:compif `v > 0` -> keep [5 > 0 T] m5 | in 2.2 | positives | under 0
# 5 2:ifexp `v < 2` -> else [5 < 2 F] m-3 | in 2.2 | positives | under 4
