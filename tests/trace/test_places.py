"""Where ops stand in the source, the same on every Python."""

from __future__ import annotations

from pathlib import Path
from time import process_time
from types import CodeType

import pytest

from dyncli.trace.places import Places
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


def test_a_long_function_is_not_read_from_its_beginning_for_each_op(tmp_path: Path) -> None:
    """A run of a function of 4,000 lines is told of in a moment; reading what stands before each op took 17 seconds."""
    script = tmp_path / "net.py"
    script.write_text("def forward(x):\n" + "    x = x * 1.5\n" * 4000)
    names: dict[str, object] = {}
    exec(compile(script.read_text(), str(script), "exec"), names)
    code: CodeType = names["forward"].__code__  # type: ignore[attr-defined]
    wanted = [at for at, (line, *_) in zip(range(0, 1 << 30, 2), code.co_positions()) if (line or 0) > 1]
    places = Places({})
    started = process_time()
    lines = [places.site(code, lasti).line for lasti in wanted]
    assert process_time() - started < 5
    assert list(range(2, 4002)) == list(dict.fromkeys(lines))
