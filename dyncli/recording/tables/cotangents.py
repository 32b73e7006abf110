"""The gradients that backward starts from: those of `--grad-output`, and any in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dyncli import errors
from dyncli.recording.engine import SMALL, Tensor, wrap
from dyncli.script import files, literal, paths

FITS = "a cotangent has the shape of its output"


def cotangents(given: Sequence[str], outputs: Sequence[tuple[str, Tensor]]) -> list[Tensor]:
    """One cotangent for each output: as given by name or in order, else ones.

    Raises InputError for a value that does not fit an output's shape.
    """
    named: dict[str, Any] = {}
    names = [name for name, _ in outputs]
    for position, text in enumerate(given):
        name, sign, value = text.partition("=")
        if sign and name.strip() in names:
            named[name.strip()] = _value(value)
        elif position < len(names):
            named[names[position]] = _value(text)
        else:
            raise errors.InputError(
                f"{len(given)} cotangents for {len(names)} output{'s' * (len(names) != 1)}",
                hint=f"the outputs that require grad are {errors.listing(names)}",
            )
    return [_fitted(name, named.get(name), output) for name, output in outputs]


def _value(text: str) -> Any:
    text = text.strip()
    if text.startswith("@") or (paths.is_file(text) and text[:1] not in "[{"):
        held = files.read(text.removeprefix("@"))
        return held.value if held.whole is None else held.whole
    return literal.parse(text, "--grad-output")


def _fitted(name: str, value: Any, output: Tensor) -> Tensor:
    array = output._array
    if value is None:
        return wrap(np.ones(array.shape, array.dtype), None)
    try:
        made = np.asarray(value, dtype=array.dtype)
    except (TypeError, ValueError) as error:
        raise errors.InputError(f"`--grad-output` for `{name}` is no tensor: {error}", hint=FITS) from None
    if made.shape != array.shape:
        raise errors.InputError(
            f"`--grad-output` has shape {list(made.shape)}, `{name}` has shape {list(array.shape)}",
            hint=FITS,
        )
    return wrap(made, None)


def seed_text(array: Any) -> str:
    """What a backward started from, in words: `1`, `ones` or the values."""
    if not array.ndim:
        return f"{array.item():g}"
    if bool(np.all(array == 1)):
        return "ones"
    if array.size <= SMALL:
        return str(np.asarray(array).tolist())
    return f"a cotangent of shape {list(array.shape)}"
