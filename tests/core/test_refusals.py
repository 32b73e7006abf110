"""Dtypes that PyTorch refuses are refused here, with its kind of error and its sentence."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore
from dyncore.refusals import REFUSED
from dyncore.registry import TABLE

torch = pytest.importorskip("torch")

KINDS = {"b": "bool", "i": "int64", "u": "uint8", "f": "float32", "c": "complex64"}
COMPARISONS = dict.fromkeys(("lt", "le", "gt", "ge"), ("c", ""))


@pytest.mark.parametrize("name", sorted({**REFUSED, **COMPARISONS, "pow": ("b", "")}))
def test_a_dtype_is_refused_as_pytorch_does(name: str) -> None:
    """For every kind that the table names, and no others."""
    for dtype in KINDS.values():
        found = [outcome(engine, name, dtype) for engine in (torch, dyncore)]
        assert found[0] == found[1], (name, dtype)


def outcome(engine: Any, name: str, dtype: str) -> Any:
    """The error, or that there was none."""
    given = [engine.tensor(each).to(getattr(engine, dtype)) for each in ([1, 0], [1, 1])]
    try:
        getattr(engine, name)(*given[: len(TABLE[name].tensor_names)])
    except Exception as error:
        return type(error).__name__, str(error)
    return None


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.whole) for part in range(1, 4))])
def test_what_pytorchs_database_says_is_refused_is_refused(part: int) -> None:
    """Every one of its error inputs: the kind of error and the sentence."""
    import warnings

    from tests.core.parity import names
    from tests.core.parity.check import Score, errors

    families, faults = names.families(), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for info in names.entries()[part::4]:
            function = names.counterpart(info)
            if function is not None and families.get(info.name, {}).get("tier") in (1, 2):
                score = Score(names.title(info))
                errors(info, function, score)
                faults.extend(score.faults)
    assert [] == faults
