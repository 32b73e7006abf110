"""Matrix products and contractions."""

from __future__ import annotations

from typing import Any

from dyncli.export.ops.context import FLAT, OpCall, ints, maps

_PRODUCTS = {
    "mm": "mat2",
    "bmm": "mat2",
    "mv": "vec",
    "dot": "tensor",
    "matmul": "other",
    "vdot": "other",
}


@maps(*_PRODUCTS)
def product(x: OpCall) -> Any:
    """Write a product that ONNX has."""
    return x("MatMul", x.input(), x.name(_PRODUCTS[x.call.op], x.dtype))


@maps("outer")
def outer(x: OpCall) -> Any:
    """Write the products of all pairs."""
    return x("Mul", x("Unsqueeze", x.input(), ints([1])), x("Unsqueeze", x.name("vec2", x.dtype), ints([0])))


@maps("linear")
def linear(x: OpCall) -> Any:
    """Write x W^T + b."""
    weight = x.name("weight", x.dtype)
    if x["weight"].rank == 2:
        weight = x("Transpose", weight, perm=[1, 0])
    made = x("MatMul", x.input(), weight)
    return x("Add", made, x.name("bias", x.dtype)) if x.has("bias") else made


@maps("addmm", "addmv", "baddbmm", "addr")
def added(x: OpCall) -> Any:
    """Write beta input + alpha times a product."""
    first, second = {
        "addmm": ("mat1", "mat2"), "addmv": ("mat", "vec"), "baddbmm": ("batch1", "batch2"), "addr": ("vec1", "vec2"),
    }[x.call.op]  # fmt: skip
    one, two = x.name(first, x.dtype), x.name(second, x.dtype)
    if x.call.op == "addr":
        one, two = x("Unsqueeze", one, ints([1])), x("Unsqueeze", two, ints([0]))
    made = x("MatMul", one, two)
    if x["alpha"] != 1:
        made = x("Mul", made, x.named(x["alpha"], x.dtype))
    given = x.input()
    if x["beta"] != 1:
        given = x("Mul", given, x.named(x["beta"], x.dtype))
    return x("Add", given, made)


@maps("contract")
def contract(x: OpCall) -> Any:
    """Write an einsum."""
    equation = ",".join("".join(each) for each in x["subscripts"]) + "->" + "".join(x["output"])
    letters = {each: chr(ord("a") + k) for k, each in enumerate(dict.fromkeys(c for c in equation if c not in ",->"))}
    if len(letters) > 26:
        x.refuse("with more than 26 subscripts")
    equation = "".join(letters.get(each, each) for each in equation)
    return x("Einsum", *(x.named(each, x.dtype) for each in x["tensors"]), equation=equation)


@maps("bilinear")
def bilinear(x: OpCall) -> Any:
    """Write x1 W x2 + b for each output."""
    first, second = x.name("input1", x.dtype), x.name("input2", x.dtype)
    made = x("Einsum", first, x.name("weight", x.dtype), second, equation="...i,oij,...j->...o")
    return x("Add", made, x.name("bias", x.dtype)) if x.has("bias") else made


@maps("trace")
def trace(x: OpCall) -> Any:
    """Sum the diagonal."""
    if x.symbolic:
        x.static()
    rows, columns = x["input"].shape
    places = ints([k * columns + k for k in range(min(rows, columns))])
    return x("ReduceSum", x("Gather", x("Reshape", x.input(), FLAT), places), keepdims=0)


@maps("linalg_cross")
def cross(x: OpCall) -> Any:
    """Write the vector product."""
    axis = x["dim"] % x["input"].rank
    first, second = x.input(), x.name("other", x.dtype)

    def turn(name: str, order: tuple[int, ...]) -> Any:
        return x("Gather", name, ints(order), axis=axis)

    one = x("Mul", turn(first, (1, 2, 0)), turn(second, (2, 0, 1)))
    return x("Sub", one, x("Mul", turn(first, (2, 0, 1)), turn(second, (1, 2, 0))))
