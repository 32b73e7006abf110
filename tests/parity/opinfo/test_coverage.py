"""The coverage page says what is so: of every op by its name, and of its first sample where torch is installed."""

from __future__ import annotations

import importlib.util
import warnings

import numpy as np
import pytest

import dyncore
from tests.parity.opinfo import names
from tests.parity.opinfo.page import COLUMNS, rows

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")


def test_every_op_on_the_page_is_there_and_every_missing_one_is_not() -> None:
    """Looked up in dyncore by name; no PyTorch needed."""
    page = {title.partition(":")[0]: bool(cells) for title, cells in rows().items()}
    assert page == {name: here(name) for name in page}


def here(name: str) -> bool:
    """Whether dyncore has a function, a method, a property or an in-place method of that name."""
    found = names.find(name) or getattr(dyncore.Tensor, name, None) or names.method(f"{name}_")
    return found is not None


def test_the_page_lists_the_ops_known_by_tier() -> None:
    """No op of `ops.json` is left out."""
    assert set() == set(names.families()) - {title.partition(":")[0] for title in rows()}


@needs_torch
def test_the_page_lists_pytorchs_database() -> None:
    """No more and no less, for the release that the page names."""
    assert {names.title(info) for info in names.entries()} == set(rows())


@needs_torch
@pytest.mark.whole
def test_what_the_page_says_of_every_op_holds_for_its_first_sample() -> None:
    """A cell that says `all` has no fault, and one that says `-` no sample; integers too in tier 1.

    In tiers 1 and 2 the node of the result has PyTorch's name, and what PyTorch refuses is refused in its words.
    """
    import torch

    from tests.parity.opinfo.check import check

    torch.set_num_threads(1)
    faults = []
    page, families = rows(), names.families()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for info in names.entries():
            tier = families.get(info.name, {}).get("tier")
            first = tier == 1
            score = check(info, ("float64", "int64") if first else ("float64",), limit=1)
            cells = page[score.title]
            if not cells or score.missing:
                faults.extend([f"{score.title}: missing"] if cells else [])
                continue
            for kind in ("name", "errors") if tier in (1, 2) else ():
                if score.passed[kind] != score.total[kind]:
                    faults.append(f"{score.title}: {kind}: {score.faults}")
            for kind in COLUMNS:
                failed = score.total[kind] - score.passed[kind]
                if (cells[kind] == "all" and failed) or (cells[kind] == "-" and score.total[kind]):
                    faults.append(f"{score.title}: {kind} is not `{cells[kind]}`: {score.faults}")
    assert [] == faults
