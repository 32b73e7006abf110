"""Where ops stand in the source, the same on every Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.trace.recorder import record_model
from dyncli.trace.request import Request


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("for row in x:\n        y = row\n        y = y", [("x", "forward")]),
        ("y = [row for row in x]", [("x", "forward")]),
        ("y = [row * 2 for row in x[:1]]", [("x[:1]", "forward"), ("x[:1]", "forward"), ("row * 2", "forward")]),
        ("y = {i: (x * 2).sum() for i in (1,)}", [("x * 2", "forward"), ("(x * 2).sum()", "forward")]),
        ("y = [[v for v in u] for u in (x,)]", [("u", "forward")]),
        ("y = sum(v for v in [(x * 2)])", [("x * 2", "forward"), ("sum(v for v in [(x * 2)])", "forward")]),
        ("y = {(lambda: x * 2)() for _ in (1,)}", [("x * 2", "forward.<locals>.<lambda>")]),
        ("exec('for v in x:\\n    w = v', {'x': x})", [("x", "<module>")]),
    ],
)
def test_loops_and_comprehensions(tmp_path: Path, body: str, expected: list[tuple[str, str]]) -> None:
    """What a loop goes over is asked where it stands, without the body; a comprehension is its function's."""
    script = tmp_path / "net.py"
    script.write_text(f"import dyncore as torch\ndef forward(x):\n    {body}\n    return None\n")
    (record,) = record_model(Request(model=str(script), inputs=("[1., 2.]",)))
    assert record.failure is None
    assert [(op.site.text, op.site.function) for op in record.ops] == expected
