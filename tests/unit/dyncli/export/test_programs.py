"""Random programs: what is exported is right on the inputs given, and never silently wrong on others."""

import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from tests.unit.dyncli.export.programs import outcome


@pytest.mark.whole
@pytest.mark.parametrize("seed", range(6))
def test_random_program_is_right_or_flagged(tmp_path, seed):
    """`python -m tests.unit.dyncli.export.programs 0 400` runs more of them."""
    word, counts, why = outcome(seed, tmp_path, captured=5, fresh=10)
    assert word in ("exported", "refused"), why
    assert 0 == counts["wrong"] and (word == "refused" or 5 == counts["captured right"])


@pytest.mark.whole
def test_random_programs_are_right_or_flagged(tmp_path):
    """Six more, and two whose loops once lost a vector that no turn changes."""
    found = {seed: outcome(seed, tmp_path, fresh=10)[:2] for seed in (*range(113, 119), 557, 1160)}
    assert {} == {seed: word for seed, (word, _) in found.items() if word not in ("exported", "refused")}
    assert [] == [seed for seed, (_, counts) in found.items() if counts["ONNX Runtime raises"]]
