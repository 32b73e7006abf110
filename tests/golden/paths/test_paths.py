"""Every construct that decides: the scripts in `paths/` end with their whole decision log, the same on every Python."""

from pathlib import Path

import pytest

from tests.playing import play
from tests.unit.dyncli.recorder.oracle import Test, asked_in

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.py"))
MARK = "\n# ----\n"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_decision_log(script: Path, accept: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """The log of a script is what stands below it; `--accept` rewrites it."""
    source, _, expected = script.read_text(encoding="utf-8").partition(MARK)
    played = play(source + "\n")
    actual = "".join(f"# {line}\n" for line in played.lines)
    if played.error is not None:
        actual += f"# {type(played.error).__name__}: {played.error}\n"
    if accept:
        script.write_text(source.rstrip("\n") + "\n" + MARK + actual, encoding="utf-8")
        return
    assert expected == actual


KINDS = {"if": "if", "elif": "if", "while": "while", "ifexp": "ifexp", "assert": "assert", "compif": "compif",
         "guard": "guard"}  # fmt: skip


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_what_python_says(script: Path) -> None:
    """Every whole test, its outcome and the functions on the stack, in order, are those that Python itself sees."""
    source = script.read_text(encoding="utf-8").partition(MARK)[0] + "\n"
    expected = asked_in(source)
    actual: list[Test] = [
        (each.site.line, KINDS[each.site.kind], each.exception or bool(each.outcome), each.call_path)
        for each in play(source).decisions
        if each.site.kind in KINDS
    ]
    seen = iter(expected)
    for test in actual:  # what raises before there is a truth to ask, Python has no test for
        if isinstance(test[2], str) and test not in expected:
            continue
        assert next(seen, None) == test
    assert list(seen) == []
