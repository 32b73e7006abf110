"""Forward mode: the tangents of a sample's results, for fixed tangents of its inputs, in both engines."""

from __future__ import annotations

import warnings
from typing import Any

import torch

import dyncore
from tests.parity.opinfo import names
from tests.parity.opinfo.compare import fixed, flat
from tests.parity.opinfo.convert import from_torch


def tangents(info: Any, function: Any, sample: Any, arguments: Any, pairs: Any, seed: Any, process: Any) -> Any:
    """PyTorch's tangents and dyncore's, lists with None where there is none; None if PyTorch computes none.

    pairs: the leaves that require grad, in both engines.  seed: starts both generators from the same place.
    """
    given = [(a, b, _direction(a, number, info.name in names.HERMITIAN)) for number, (a, b) in enumerate(pairs)]
    if info.name in names.TRIANGULAR:
        a, b, tangent = given[-1]
        given[-1] = a, b, _triangle(tangent, info.name, sample)
    seed()
    with torch.autograd.forward_ad.dual_level():
        duals = {id(a): torch.autograd.forward_ad.make_dual(a.detach(), t) for a, _, t in given}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                swapped = _swapped((sample.input, sample.args, sample.kwargs), duals)
                outs = flat(process[0](info.op(swapped[0], *swapped[1], **swapped[2])))
        except Exception:
            return None
        unpacked = [torch.autograd.forward_ad.unpack_dual(o).tangent for o in outs if _floats(o, torch.Tensor)]
        wanted = [None if t is None else t.detach().clone() for t in unpacked]
    if all(each is None for each in wanted):
        return None
    return wanted, lambda: _ours(function, arguments, given, process[1])


def _ours(function: Any, arguments: Any, given: Any, process: Any) -> list[Any]:
    dyncore.manual_seed(42)
    with dyncore.autograd.forward_ad.dual_level():
        duals = {id(b): dyncore.autograd.forward_ad.make_dual(b.detach(), from_torch(t)) for _, b, t in given}
        swapped = _swapped(arguments, duals)
        outs = flat(process(function(swapped[0], *swapped[1], **swapped[2])))
        return [dyncore.autograd.forward_ad.unpack_dual(o).tangent for o in outs if _floats(o, dyncore.Tensor)]


def _direction(like: Any, number: int, hermitian: bool) -> Any:
    made = fixed(like, 31 + number)
    return made + made.mH if hermitian else made


def _triangle(tangent: Any, name: str, sample: Any) -> Any:
    unit = int(sample.kwargs.get("unitriangular", False))
    return tangent.triu(unit) if sample.kwargs.get("upper", names.TRIANGULAR[name]) else tangent.tril(-unit)


def _floats(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) and (value.is_floating_point() or value.is_complex())


def _swapped(value: Any, duals: dict[int, Any]) -> Any:
    """`value` with the leaves in it replaced by their dual tensors."""
    if id(value) in duals:
        return duals[id(value)]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_swapped(each, duals) for each in value])
    if type(value) in (list, tuple):
        return type(value)([_swapped(each, duals) for each in value])
    if isinstance(value, dict):
        return {key: _swapped(each, duals) for key, each in value.items()}
    return value
