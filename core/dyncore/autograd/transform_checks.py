"""Checks of the arguments of `torch.func`'s transforms, with PyTorch's sentences."""

from __future__ import annotations

from typing import Any

from dyncore.creation.trees import flatten, spec, starred
from dyncore.tensors.tensor import Tensor

from .forward_ad import check_size


def chosen_numbers(argnums: Any, count: int) -> tuple[int, ...]:
    """Return the positions that `argnums` selects among `count` arguments."""
    if isinstance(argnums, int):
        numbers: tuple[Any, ...] = (argnums,)
    elif isinstance(argnums, tuple):
        numbers = argnums
        if not numbers:
            raise RuntimeError("argnums must be non-empty")
        if len(set(numbers)) != len(numbers):
            raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    else:
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    for each in numbers:
        if not isinstance(each, int):
            raise RuntimeError(f"argnums must be int, got {type(each)}")
        if not -count <= each < count:
            raise RuntimeError(f"Got argnum={each}, but only {count} positional inputs")
    return numbers


def with_aux(out: Any, has_aux: bool, name: str) -> tuple[Any, Any]:
    """Return the output, and the auxiliary one or None."""
    if not has_aux:
        return out, None
    if not isinstance(out, tuple) or len(out) != 2:
        raise RuntimeError(f"{name}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return out


def check_outputs(outs: list[Any], name: str, integers: bool = True) -> None:
    """Raise RuntimeError unless the outputs are tensors.

    integers: False allows only floating and complex ones.
    """
    for each in outs:
        if not isinstance(each, Tensor):
            raise RuntimeError(
                f"{name}: expected f(*primals) to return only tensors, got unsupported type {type(each)}"
            )
        if not integers and each._array.dtype.kind not in "fc":
            raise RuntimeError(
                "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype "
                f"{each.dtype}"
            )


def check_real(values: list[Any], what: str, forward: bool) -> None:
    """Raise RuntimeError if a value is complex.

    what: input or output.  forward: jacfwd rather than jacrev.
    """
    for number, each in enumerate(values):
        if isinstance(each, Tensor) and each.is_complex():
            raise RuntimeError(
                f"{'jacfwd' if forward else 'jacrev'}: Expected all {what}s to be real but received complex tensor at "
                f"flattened input idx: {number}"
            )


def check_cotangents(given: Any, wanted: Any) -> None:
    """Raise RuntimeError unless the cotangents have the structure of the outputs."""
    if given != wanted:
        raise RuntimeError(
            "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. "
            f"cotangents: {starred(given)}, primal output: {starred(wanted)}"
        )


def check_tangents(primals: Any, tangents: Any) -> None:
    """Raise unless the tangents have the structure, shapes and dtypes of the primals."""
    if not isinstance(primals, tuple):
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    (leaves, shape), (others, other) = flatten(primals), flatten(tangents)
    if shape != other:
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals and tangents to have the same python structure. For example, "
            "if primals is a tuple of 3 tensors, tangents also must be. Got primals with structure "
            f"{spec(shape)} and tangents with structure {spec(other)}"
        )
    for title, tensors in (("primals", leaves), ("tangents", others)):
        if not tensors:
            raise RuntimeError(f"jvp(f, primals, tangents): Expected {title} to contain at least one Tensor.")
        for each in tensors:
            if not isinstance(each, Tensor):
                raise RuntimeError(
                    f"jvp(f, primals, tangents): Expected {title} to only contain Tensors, got {type(each)}"
                )
    for primal, tangent in zip(leaves, others, strict=True):
        for title, each in (("primal", primal), ("tangent", tangent)):
            if each._array.dtype.kind not in "fc":
                raise ValueError(f"Expected {title} to be floating point or complex, but got: {each.dtype}")
        check_size(primal, tangent)
