"""Where ops stand in the source, the same on every Python."""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType

import pytest

from dyncli.recorder.decisions.call_stack import _instruction_of
from dyncli.recorder.naming import MOST_LONG, Places, position
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request


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


@pytest.mark.whole
def test_a_long_function_is_read_once(tmp_path: Path) -> None:
    """Not from its beginning for each op and each test: of 10,000 lines that took 107 seconds."""
    source = "def forward(x):\n" + "    if x.sum() > 0:\n        x = x * 1.5\n" * 200
    names: dict[str, object] = {}
    exec(compile(source, str(tmp_path / "net.py"), "exec"), names)
    code: CodeType = names["forward"].__code__
    wanted = [at for at, (line, *_) in zip(range(0, 1 << 30, 2), code.co_positions()) if (line or 0) > 1]
    places, read = Places({}), []

    def heard(frame: object, event: str, what: object) -> None:
        if event == "c_call" and getattr(what, "__name__", "") == "co_positions":
            read.append(what)

    sys.setprofile(heard)
    try:
        lines = [places.site(code, lasti).line for lasti in wanted]
        spots = [_instruction_of(code, lasti).begins[0] for lasti in wanted]
    finally:
        sys.setprofile(None)
    assert list(range(2, 402)) == list(dict.fromkeys(lines)) == list(dict.fromkeys(spots))
    assert 1 == len(read)


def test_a_builtin_stands_in_one_place(tmp_path: Path) -> None:
    """However often it is called: Python 3.11 calls `abs` in another instruction once it is warm, and loops parted."""
    script = tmp_path / "net.py"
    script.write_text("def forward(x):\n    for _ in range(20):\n        x = abs(x) * 0.5\n    return x\n")
    (record,) = record_model(Request(model=str(script), inputs=("3.0",)))
    assert len({op.site.id for op in record.ops}) == 2


def test_instructions_of_long_functions_stand_where_python_says() -> None:
    """More of them than are remembered, and an instruction behind the last."""
    for number in range(MOST_LONG + 2):
        code = compile(f"x = {number}\n" * 2000, "long.py", "exec")
        positions = [*code.co_positions()]
        for lasti in (0, 2, len(code.co_code) - 2):
            assert positions[lasti // 2] == position(code, lasti)
        assert (None,) * 4 == position(code, len(code.co_code))
