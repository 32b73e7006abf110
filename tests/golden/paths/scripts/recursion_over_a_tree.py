def depth(node):
    if isinstance(node, dict):
        return 1 + max(depth(child) for child in node.values())
    return 0

depth({"left": {"value": 1}, "right": 2})

# ----
# 0 2:if `isinstance(node, dict)` -> then [isinstance(node, dict)=True T] | depth
# 1 3:comp `for child in node.values()` -> loop x2 exhausted | depth | under 0
# 2 2:if `isinstance(node, dict)` -> then [isinstance(node, dict)=True T] | in 3.0 | depth depth r1 | under 1
# 3 3:comp `for child in node.values()` -> loop x1 exhausted | in 3.0 | depth depth r1 | under 2
# 4 2:if `isinstance(node, dict)` -> else [isinstance(node, dict)=False F] | in 3.0 3.0 | depth depth depth r2 | under 3
# 5 2:if `isinstance(node, dict)` -> else [isinstance(node, dict)=False F] | in 3.1 | depth depth r1 | under 1
