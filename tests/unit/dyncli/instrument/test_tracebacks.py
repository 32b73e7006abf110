"""Tracebacks of scripts with probes in them are those of the plain scripts, byte for byte, carets and all."""

import linecache
import traceback
import warnings
from pathlib import Path

import pytest

from dyncli.instrument.runtime import probes
from dyncli.instrument.runtime.probes import strip
from dyncli.instrument.transform import instrument
from tests.unit.dyncli.script.faulty import FAULTY, PRELUDE
from tests.unit.dyncli.script.spread import spread


def printed(source: str, path: Path, recorded: bool) -> str:
    """What Python prints of the exception that ends a script; frames of the probes are taken out as a run does."""
    if recorded:
        code = instrument(source, str(path), path.name).code
    else:
        code = compile(source, str(path), "exec", dont_inherit=True)
    with probes.recording([]), pytest.raises(Exception) as caught:
        exec(code, {"__name__": "__main__"})
    strip_all(caught.value)
    return "".join(traceback.format_exception(caught.value))


def strip_all(error: BaseException | None, seen: set[int] | None = None) -> None:
    """Take the frames of probes out of an exception and of all that led to it."""
    seen = set() if seen is None else seen
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    strip(error)
    for other in (error.__cause__, error.__context__, *getattr(error, "exceptions", ())):
        strip_all(other, seen)


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


SHOWN = """\
import contextlib, sys, traceback
def show(error):
    print("".join(traceback.format_exception(error)))
class Shows:
    def __enter__(self): return self
    def __exit__(self, kind, error, found):
        if error: show(error)
        return len(traceback.extract_tb(found)) < 9
    async def __aenter__(self): return self
    async def __aexit__(self, *error): return self.__exit__(*error)
class Torn:
    def __bool__(self): raise RuntimeError("both")
    def __lt__(self, other): return other < self.x
@contextlib.contextmanager
def around():
    try: yield
    except RuntimeError as error: show(error)
    finally: print("around")
def last():
    try:
        assert Torn() < 1, "less"
    finally:
        show(sys.exception())
        print(len(traceback.extract_tb(sys.exc_info()[2])))
with Shows():
    if Torn(): pass
with Shows() as a, Shows() as b:
    c = Torn() and 1
with Shows():
    while "a" < 1: pass
with Shows(): last()
with around():
    d = [e for e in (1, Torn()) if e]
def f(n):
    for i in range(n):
        with Shows(), contextlib.suppress(KeyError):
            if i == 1: continue
            match i:
                case 0 if Torn(): pass
                case 2: raise KeyError
                case 3 if not [] < i: return i
    else:
        return "end"
print(f(3), f(4), f(5))
async def g():
    async with Shows():
        return 1 if Torn() else 2
    return 3
try: g().send(None)
except StopIteration as stop: print(stop.value)
def h():
    try:
        with Shows() as a:
            try:
                return a if Torn() else 1
            finally:
                a < 1
    finally:
        print(sys.exception())
    return "after"
print(h())
"""


def test_tracebacks_where_a_script_looks_at_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `__exit__`, a context manager's generator and `finally` are shown is the script's alone."""
    path = tmp_path / "shown.py"
    path.write_text(SHOWN, encoding="utf-8")
    linecache.checkcache(str(path))
    out: list[str] = []
    for code in (compile(SHOWN, str(path), "exec", dont_inherit=True), instrument(SHOWN, str(path), "shown.py").code):
        with probes.recording([]):
            exec(code, {"__name__": "__main__"})
        out.append(capsys.readouterr().out)
    assert out[0] == out[1]
    assert 8 == out[0].count("RuntimeError: both")
