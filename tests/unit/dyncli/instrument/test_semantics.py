"""What a script can see of itself is the same with probes in it."""

import io
import linecache
import pdb
import pickle
import subprocess
import sys
import traceback
import types
from pathlib import Path
from typing import Any

import pytest

from dyncli.instrument.runtime import probes
from dyncli.instrument.runtime.probes import strip
from dyncli.instrument.transform import instrument


def load(path: Path, source: str, recorded: bool) -> types.ModuleType:
    """A module at `path`, with probes or without."""
    path.write_text(source)
    linecache.checkcache(str(path))
    module = types.ModuleType(path.stem)
    module.__file__ = str(path)
    sys.modules[path.stem] = module
    if recorded:
        code = instrument(source, str(path), path.name).code
    else:
        code = compile(source, str(path), "exec", dont_inherit=True)
    log: list[Any] = []
    with probes.recording(log):
        exec(code, module.__dict__)
    assert not recorded or log
    return module


RAISING = """\
class Bad:
    def __lt__(self, other):
        raise ValueError("no order")
    def __bool__(self):
        raise TypeError("no truth")

def compare(x):
    if x < 3:
        return 1

def truth(x):
    return 1 if not x or x else 2

def value(x):
    y = (x and
         3)
    return y

def in_loop(x):
    while True:
        for n in [1, 2]:
            if n == 2: x + [n for n in (1, 2) if n < x]

def in_lambda(x):
    return (lambda: x and 1)()

def in_generator(x):
    return any(n < 1 and x < n for n in (5, 0))

def not_iterable(x):
    for n in x: pass

def failing(x):
    assert x is None, f"got {type(x).__name__}"

def chained(x):
    try:
        value(x)
    except TypeError as error:
        raise KeyError(1) from error

def filtering(x):
    return [n for n in (1, 2)
            if x]

def several_lines(x):
    return (1 if (not None and
                  x) else 2)

def matching(x):
    match x:
        case 1 if x: pass
        case y if y: pass
"""
CALLS = (
    "compare", "truth", "value", "in_loop", "in_lambda", "in_generator", "not_iterable", "failing",
    "chained", "filtering", "several_lines", "matching",
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_tracebacks(call: str, tmp_path: Path) -> None:
    """A traceback is the same, character for character and with its carets, once frames of the probes are taken out."""
    texts = []
    for recorded in (False, True):
        module = load(tmp_path / "raising.py", RAISING, recorded)
        with pytest.raises(Exception) as caught:
            getattr(module, call)(module.Bad())
        error: BaseException | None = caught.value
        while error is not None:
            strip(error)
            error = error.__cause__ or error.__context__
        texts.append("".join(traceback.format_exception(caught.value)).replace("\\", "/"))
    assert texts[0] == texts[1]


def test_handlers_see_no_frames_of_the_probes(tmp_path: Path) -> None:
    """In an `except` of the script the traceback holds the script's frames alone."""
    source = RAISING + (
        "import traceback\ndef caught():\n    try:\n        compare(Bad())\n    except ValueError:\n"
        "        return traceback.format_exc()\n"
    )
    plain, recorded = (load(tmp_path / "handled.py", source, recorded).caught() for recorded in (False, True))
    assert plain == recorded


SELF_AWARE = '''\
"""A docstring."""
from __future__ import annotations
import dataclasses, functools, inspect, enum, typing, abc

def names(a, b=1 or 2, *c, d: int if True else str = 3, **e):
    f = [x for x in (1, 2) if x]
    return sorted(locals()), sorted(vars()), sorted(dir())

def in_nested():
    def g():
        return a
    a = 1 if in_nested else 2
    return g.__code__.co_freevars, g.__closure__[0].cell_contents, locals()["a"]

@dataclasses.dataclass(order=True)
class Point:
    x: int = 1 if names else 2
    y: "list[int] | None" = dataclasses.field(default_factory=lambda: [1] and [2])
    def __post_init__(self):
        if self.x and self.y: self.z = 3

class Color(enum.Enum):
    RED = 1 if names else 2
    BLUE = enum.auto()
    @property
    def warm(self):
        return self is Color.RED and True

class Base(abc.ABC):
    kinds = [name for name in ("a", "b") if name != "b"]
    table = {k: (lambda v: v or 1)(0) for k in "xy"}
    def __init_subclass__(cls, **named):
        super().__init_subclass__()
        cls.made = named.get("made") or "no"
    def __private(self): return 1 if self else 2
    def call(self): return self.__private()
    @functools.cached_property
    def slow(self): return self.kinds and "slow"
    @classmethod
    def make(cls): return cls() if cls.made else None
    @abc.abstractmethod
    def todo(self): ...

class Child(Base, made="yes"):
    __slots__ = ("a",)
    def todo(self):
        return super().call() if super().slow else __class__.__name__

def outline():
    return [
        __doc__, names(1), in_nested(),
        Point(), Point(2) > Point(1), [f.name for f in dataclasses.fields(Point)],
        sorted(vars(Point)), Point.__annotations__, list(Color), Color.RED.warm,
        sorted(n for n in vars(Color) if "dy" in n),
        Child.make().todo(), Child.kinds, Child.table, sorted(vars(Child)), str(inspect.signature(names)),
        names.__annotations__, names.__defaults__, names.__kwdefaults__, inspect.getsource(names), names.__qualname__,
        inspect.getsource(Child), typing.get_type_hints(Point), names.__code__.co_argcount, names.__code__.co_name,
        [type(x).__name__ for x in (outline, (n for n in ()))], (n for n in ()).__qualname__,
        inspect.isgeneratorfunction(generator), inspect.iscoroutinefunction(coroutine),
        inspect.isasyncgenfunction(both),
        __name__, sorted(n for n in globals() if n != "__builtins__"),
    ]

def generator():
    got = yield 1 if names else 2
    return got or 5

async def coroutine():
    return await coroutine() if not names else 1

async def both():
    yield 1
    return
'''


def test_what_a_script_knows_about_itself(tmp_path: Path) -> None:
    """Names, signatures, annotations, closures, classes and sources are the same."""
    plain, recorded = (load(tmp_path / "aware.py", SELF_AWARE, recorded).outline() for recorded in (False, True))
    assert repr(plain) == repr(recorded)


def test_pickling_and_running_without_a_recorder(tmp_path: Path) -> None:
    """An instrumented class pickles; its code runs outside a recording, and its generators after one."""
    module = load(tmp_path / "kept.py", SELF_AWARE.replace("order=True", "order=True, eq=True"), True)
    assert module.Point(4) == pickle.loads(pickle.dumps(module.Point(4)))
    log: list[Any] = []
    with probes.recording(log):
        running = module.generator()
        assert 1 == next(running)
    with pytest.raises(StopIteration) as stopped:
        running.send(7)
    assert 7 == stopped.value.value


def test_probes_in_another_process(tmp_path: Path) -> None:
    """A process that starts anew (`spawn`) imports the script without probes."""
    script = tmp_path / "spawning.py"
    script.write_text(
        "import multiprocessing\ndef f(n):\n    return n * 2 if n > 1 else 0\n"
        "if __name__ == '__main__':\n    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.map(f, [1, 2]))\n"
    )
    program = (
        "import sys; from pathlib import Path; from dyncli.instrument.runtime.importer import Importer\n"
        f"i = Importer()\nwith i.recording([]): i.execute(Path({str(script)!r}), 'spawning.py', '__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment())
    assert ("[0, 4]\n", "") == (done.stdout, done.stderr)


def environment() -> dict[str, str]:
    """The environment of a process that finds this tree's packages."""
    import os

    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


STEPPED = """\
def f(x):
    y = 0
    if x > 1:
        y = 1
    else:
        y = 2
    for n in range(2):
        if n:
            continue
        y += n
    return y

f(2)
done = True
"""


def test_pdb_steps_the_same(tmp_path: Path) -> None:
    """`next` and `step` stop at the same lines when the debugger skips the probes' modules."""
    stops = []
    for recorded in (False, True):
        path = tmp_path / "stepped.py"
        path.write_text(STEPPED)
        code = instrument(STEPPED, str(path), path.name).code if recorded else compile(STEPPED, str(path), "exec")
        out = io.StringIO()
        debugger = pdb.Pdb(stdin=io.StringIO("step\n" * 40), stdout=out, skip=["dyncli.*"], nosigint=True, readrc=False)
        debugger.use_rawinput = False
        with probes.recording([]):
            debugger.run(code, {"__name__": "stepped"})
        stops.append([line for line in out.getvalue().splitlines() if "stepped.py(" in line])
    assert stops[0] == stops[1] and len(stops[0]) > 15
