"""Every construct that decides: the scripts in `paths/` end with their whole decision log, the same on every Python."""

from pathlib import Path

import pytest

from tests.trace.playing import play

SCRIPTS = sorted((Path(__file__).parent / "paths").glob("*.py"))
MARK = "\n# ----\n"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_decision_log(script: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> None:
    """The log of a script is what stands below it; `--accept` rewrites it."""
    source, _, expected = script.read_text(encoding="utf-8").partition(MARK)
    played = play(source + "\n")
    actual = "".join(f"# {line}\n" for line in played.lines)
    if played.error is not None:
        actual += f"# {type(played.error).__name__}: {played.error}\n"
    if request.config.getoption("--accept"):
        script.write_text(source.rstrip("\n") + "\n" + MARK + actual, encoding="utf-8")
        return
    assert expected == actual
