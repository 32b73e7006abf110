def walk(items):
    for item in items:
        if item:
            yield item

for a, b in zip(walk([1, 0, 2]), walk([3, 4])):
    if a > b:
        print(a)

# ----
# 0 6:for `for a, b in zip(walk([1, 0, 2]), walk([3, 4]))` -> loop x2 exhausted
# 1 2:for `for item in items` -> loop x3 exhausted | walk
# 2 3:if `item` -> then [item=1 T] m1 | in 2.0 | walk | under 1
# 3 2:for `for item in items` -> loop x2 break | walk
# 4 3:if `item` -> then [item=3 T] m3 | in 2.0 | walk | under 3
# 5 7:if `a > b` -> else [1 > 3 F] m-2 | in 6.0 | under 0
# 6 3:if `item` -> else [item=0 F] m0 | in 2.1 | walk | under 1
# 7 3:if `item` -> then [item=2 T] m2 | in 2.2 | walk | under 1
# 8 3:if `item` -> then [item=4 T] m4 | in 2.1 | walk | under 3
# 9 7:if `a > b` -> else [2 > 4 F] m-2 | in 6.1 | under 0
