"""Hints for names that are missing here lead to names that are here."""

import re
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

import dyncore
from dyncore.errors import instead
from dyncore.errors.instead import hint_for, instead_of

NAMED = sorted(set(re.findall(r"`torch\.([\w.]+)", Path(instead.__file__).read_text())))


@pytest.mark.parametrize("name", NAMED)
def test_name_in_a_hint_can_be_imported_or_looked_up(name: str) -> None:
    """A reader who follows the advice finds it."""
    for module in (name, name.rpartition(".")[0]):
        try:
            import_module(f"dyncore.{module}".rstrip("."))
            break
        except ImportError:
            continue
    assert reduce(getattr, name.split("."), dyncore) is not None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("quantize_per_tensor", "no quantized numbers"),
        ("bfloat16", "`torch.float32` holds them all"),
        ("cudnn_convolution", "everything runs on the CPU"),
        ("crow_indices_copy", "the one sparse layout"),
        ("parse_ir", "nothing is compiled to a script"),
    ],
)
def test_part_of_a_missing_name_chooses_the_hint(name: str, words: str) -> None:
    """No name here is like it, so the hint says what to do without it."""
    assert words in (instead_of("torch", name) or "")


def test_module_has_the_hint_of_the_nearest_module_around_it() -> None:
    """A file of a package that is not here needs no line of its own."""
    assert "csv" in (hint_for("torch.utils.tensorboard.writer") or "")
    assert hint_for("torch.utils") is None
