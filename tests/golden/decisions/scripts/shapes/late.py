import shapes
if shapes.SMALL:
    def other(v): return v
