"""Dtypes that PyTorch's kernels refuse where NumPy would compute something: one line an op.

Letters are NumPy's kinds: b bool, i and u integers, f floats, c complex; the sentence is PyTorch's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__dyncore__ = True

# Op: (kinds refused, the kernel that its sentence names, or the whole sentence if it has a space in it).
REFUSED: dict[str, tuple[str, str]] = {
    "floor_divide": ("bc", "div_floor_cpu"),
    "remainder": ("bc", "remainder_cpu"),
    "fmod": ("bc", "fmod_cpu"),
    "fmax": ("c", "fmax not implemented for complex tensors."),
    "fmin": ("c", "fmin not implemented for complex tensors."),
    "atan2": ("c", "atan2_cpu"),
    "hypot": ("biuc", "hypot_cpu"),
    "copysign": ("c", "copysign_cpu"),
    "nextafter": ("biuc", "nextafter_cpu"),
    "gcd": ("bfc", "gcd_cpu"),
    "lcm": ("bfc", "lcm_cpu"),
    "logaddexp": ("biu", "logaddexp_cpu"),
    "logaddexp2": ("biuc", "logaddexp2_cpu"),
    "xlogy": ("c", "xlogy_cpu"),
    "bitwise_left_shift": ("bfc", "lshift_cpu"),
    "bitwise_right_shift": ("bfc", "rshift_cpu"),
    "ceil": ("bc", "ceil_vml_cpu|ceil is not supported for complex inputs"),
    "floor": ("bc", "floor_vml_cpu|floor is not supported for complex inputs"),
    "trunc": ("bc", "trunc_vml_cpu|trunc is not supported for complex inputs"),
    "frac": ("biuc", "frac_cpu"),
    "deg2rad": ("c", "deg2rad is not supported for complex tensors."),
    "rad2deg": ("c", "rad2deg is not supported for complex tensors."),
    "digamma": ("c", "digamma"),
    "erf": ("c", "erf_vml_cpu"),
    "erfc": ("c", "erfc_vml_cpu"),
    "erfinv": ("c", "erfinv_vml_cpu"),
    "lgamma": ("c", "lgamma_vml_cpu"),
    "i0": ("c", "i0_vml_cpu"),
    "isneginf": ("c", "isneginf does not support complex inputs."),
    "isposinf": ("c", "isposinf does not support complex inputs."),
    "relu": ("c", "clamp is not supported for complex types"),
    "special_entr": ("c", "entr_cpu"),
    "special_ndtri": ("c", "ndtri_cpu"),
    "special_log_ndtr": ("c", "log_ndtr_cpu"),
    "special_ndtr": ("c", "erf_vml_cpu"),
    "signbit": ("c", "signbit is not implemented for complex tensors."),
}
# Their sentences are those of a RuntimeError; a kernel that is not there is a NotImplementedError.
_PLAIN = frozenset(("fmax", "fmin", "deg2rad", "rad2deg", "isneginf", "isposinf"))


def guarded(name: str, forward: Callable[..., Any]) -> Callable[..., Any]:
    """`forward` of the same signature, raising PyTorch's error for the dtypes it refuses."""
    kinds, sentence = REFUSED[name]

    def one(input: Any) -> Any:
        if input.dtype.kind in kinds:
            raise refusal(name, sentence, input.dtype)
        return forward(input)

    def two(input: Any, other: Any) -> Any:
        # The other operand has been promoted to the same dtype.
        if input.dtype.kind in kinds:
            raise refusal(name, sentence, input.dtype)
        return forward(input, other)

    made: Any = one if forward.__code__.co_argcount == 1 else two
    made.__name__, made.__module__, made.__doc__ = forward.__name__, forward.__module__, forward.__doc__
    made.__annotations__ = {}
    made.__wrapped__ = forward
    made.for_floats = made if "f" in kinds else forward
    return made  # type: ignore[no-any-return]


def for_floats(forward: Callable[..., Any]) -> Callable[..., Any]:
    """`forward` without the question for its dtype, where floats are not refused: 1.3x on a small relu."""
    return getattr(forward, "for_floats", forward)


def refusal(name: str, sentence: str, dtype: Any) -> Exception:
    """The error of a kernel for a dtype; of two sentences the second is for complex numbers."""
    first, _, second = sentence.partition("|")
    text = second if second and dtype.kind == "c" else first
    if " " not in text:
        from . import dtypes

        return NotImplementedError(f"\"{text}\" not implemented for '{dtypes.of(dtype).title}'")
    return RuntimeError(text) if name in _PLAIN else NotImplementedError(text)
