from . import SMALL
def area(v):
    import shapes.late as late
    return v * 2 if v > SMALL[0] else late.other(v)
