"""Python's operators on tensors: which op each of them is."""

from __future__ import annotations

BINARY = {
    "add": "add", "sub": "sub", "mul": "mul", "div": "truediv", "floor_divide": "floordiv", "remainder": "mod",
    "pow": "pow", "matmul": "matmul", "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor",
    "bitwise_left_shift": "lshift", "bitwise_right_shift": "rshift",
    "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
}  # fmt: skip
REFLECTED = {"add": "add", "mul": "mul", "rsub": "sub", "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor"}
UNARY = {"neg": "neg", "abs": "abs", "bitwise_not": "invert", "positive": "pos"}

# The method's name and the op's, or that of its in-place form.
OPERATORS = {
    **{f"__{operator}__": name for name, operator in (*BINARY.items(), *UNARY.items())},
    **{f"__r{operator}__": name for name, operator in REFLECTED.items()},
    **{f"__i{operator}__": f"{name}_" for name, operator in BINARY.items()},
}
