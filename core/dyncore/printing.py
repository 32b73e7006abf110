"""Tensors as text."""
def tensor_text(t):
    return f"tensor({t._array.tolist()}" + (f", grad_fn=<{t.grad_fn.name()}>" if t.grad_fn else ", requires_grad=True" if t.requires_grad else "") + ")"
def return_type(name, fields):
    from collections import namedtuple
    base = namedtuple(name, fields)
    class R(base):
        def __new__(cls, values): return base.__new__(cls, *values)
    return R
