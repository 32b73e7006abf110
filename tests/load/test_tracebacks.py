"""Tracebacks of scripts with probes in them are those of the plain scripts, byte for byte, carets and all."""

import linecache
import traceback
import warnings
from pathlib import Path

import pytest

from dyncli.load import probes
from dyncli.load.instrument import instrument
from dyncli.load.seen import strip
from tests.load.faulty import FAULTY, PRELUDE
from tests.load.spread import spread


def printed(source: str, path: Path, recorded: bool) -> str:
    """What Python prints of the exception that ends a script; frames of the probes are taken out as a run does."""
    if recorded:
        code = instrument(source, str(path), path.name).code
    else:
        code = compile(source, str(path), "exec", dont_inherit=True)
    with probes.recording([]), pytest.raises(Exception) as caught:
        exec(code, {"__name__": "__main__"})
    _strip(caught.value, set())
    return "".join(traceback.format_exception(caught.value))


def _strip(error: BaseException | None, seen: set[int]) -> None:
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    strip(error, probes.FILES)
    for other in (error.__cause__, error.__context__, *getattr(error, "exceptions", ())):
        _strip(other, seen)


@pytest.mark.parametrize("name", FAULTY)
def test_tracebacks(name: str, tmp_path: Path) -> None:
    """The same text as without probes, on one line and spread over several."""
    source = f"{PRELUDE}{FAULTY[name]}\n"
    for number, laid_out in enumerate([source, spread(source, 3, 0.3), spread(source, 5, 0.7)]):
        path = tmp_path / f"{number}.py"
        path.write_text(laid_out, encoding="utf-8")
        linecache.checkcache(str(path))
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # what is wrong in these scripts is meant to be, also a coroutine left alone
            plain, recorded = (printed(laid_out, path, recorded) for recorded in (False, True))
        assert plain == recorded
        assert path.name in plain
