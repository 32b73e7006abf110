"""A script and its neighbours are loaded with probes in them, everything else as ever."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dyncli.instrument.runtime.importer import Importer, forget_modules
from dyncli.recorder.decisions.replay import replay
from dyncli.records.model import Decision


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    """Leaves `sys.modules` and `sys.path` as they were."""
    modules, path = dict(sys.modules), list(sys.path)
    yield
    forget_modules()
    for name in set(sys.modules) - set(modules):
        del sys.modules[name]
    sys.modules.update(modules)
    sys.path[:] = path


def run(folder: Path, **files: str | bytes) -> tuple[Importer, tuple[Decision, ...]]:
    """Writes files, runs `main.py`, and gives its decisions."""
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    importer = Importer()
    log: list[object] = []
    with importer.recording(log):
        importer.execute(folder / "main.py", "main.py", "__main__")
    return importer, replay(importer.program, log).decisions


def places(decisions: tuple[Decision, ...]) -> list[tuple[str, int, str]]:
    """File name, line and arm of each decision."""
    return [(Path(decision.site.file).name, decision.site.line, decision.arm) for decision in decisions]


def test_neighbours_are_recorded(tmp_path: Path) -> None:
    """Modules and packages beside the script report, also when a function imports them late."""
    importer, decisions = run(
        tmp_path,
        main="import helper_one\nfrom helper_pkg.inner import f\nf(1)\ndef late():\n    import helper_late\nlate()\n",
        helper_one="x = 1 if __name__ == 'helper_one' else 2\n",
        helper_late="y = [] or 2\n",
        **{"helper_pkg/__init__": "", "helper_pkg/inner": "def f(x):\n    if x:\n        return 1\n"},
    )
    assert [("helper_one.py", 1, "then"), ("inner.py", 2, "then"), ("helper_late.py", 1, "rest")] == places(decisions)
    assert ["main.py", "helper_one.py", "__init__.py", "inner.py", "helper_late.py"] == [
        Path(file).name for file in importer.program.sources
    ]
    assert [] == list(tmp_path.rglob("*.pyc"))


def test_site_ids_do_not_depend_on_the_folder(tmp_path: Path) -> None:
    """The same script elsewhere has the same ids and the same path signature."""
    texts = {"main": "import helper_id\nif helper_id.x: pass\n", "helper_id": "x = 1 if len('a') else 2\n"}
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    ids = []
    for folder in ("one", "two"):
        _, decisions = run(tmp_path / folder, **texts)
        ids.append([decision.site.id for decision in decisions])
    assert ids[0] == ids[1] and 2 == len(ids[0])


def test_site_ids_do_not_depend_on_the_name_of_the_script(tmp_path: Path) -> None:
    """A script under another name has the same ids; two neighbours with the same text do not."""
    text = "x = 1 if len('a') else 2\n"
    ids = []
    for name in ("one", "other name"):
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        (tmp_path / "neighbour.py").write_text(text)
        importer = Importer()
        importer.prepare(path, path.name)
        importer.code(text.encode(), str(tmp_path / "neighbour.py"))
        ids.append([site.id for site in importer.program.sites])
    assert set(ids[0]) == set(ids[1]) and 2 == len(set(ids[0]))


def test_installed_packages_are_left_alone(tmp_path: Path) -> None:
    """What lies in a virtual environment or `site-packages` below the folder is not the script's."""
    for name in ("lib/site-packages", "env"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / f"installed_{name[:3]}.py").write_text("x = 1 if x_is else 2\n".replace("x_is", "__name__"))
    (tmp_path / "env" / "pyvenv.cfg").write_text("")
    main = f"import sys\nsys.path += [{str(tmp_path / 'lib/site-packages')!r}, {str(tmp_path / 'env')!r}]\n"
    _, decisions = run(tmp_path, main=main + "import installed_lib, installed_env\nif installed_lib.x: pass\n")
    assert [("main.py", 4, "then")] == places(decisions)


def test_second_run_reports_to_its_own_program(tmp_path: Path) -> None:
    """Neighbours are imported anew for each run, with the numbers of that run's program."""
    files = {"main": "import helper_twice\nhelper_twice.f(3)\n", "helper_twice": "def f(x):\n    while x: x -= 1\n"}
    _, first = run(tmp_path, **files)
    _, second = run(tmp_path, **files)
    assert places(first) == places(second) and 4 == len(second)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("# -*- coding: latin-1 -*-\nx = 'é'\nif x == 'é': pass\n".encode("latin-1"), "x == 'é'"),
        ("\ufeffx = 'é'\nif x == 'é': pass\n".encode(), "x == 'é'"),
        (b"x = 1\r\nif x == 1: pass\r\n", "x == 1"),
        (b"\x0c\nx = 1\n\x0cif x: pass", "x"),
    ],
    ids=["latin-1", "bom", "crlf", "form feed"],
)
def test_source_encodings(tmp_path: Path, source: bytes, text: str) -> None:
    """A coding comment, a byte order mark and other line ends are understood as Python understands them."""
    _, decisions = run(tmp_path, main=source)
    assert [(text, "then")] == [(decision.site.text, decision.arm) for decision in decisions]


@pytest.mark.parametrize(
    "source",
    [
        b"x = '\xff'\n", b"# coding: nonsense\nx = 1\n", b"x = 1\x00\n", b"if x\n",
        b"# coding: utf-8\nx = 1\ny = '\xe9'\n",
    ],
    ids=["not utf-8", "unknown coding", "nul", "syntax", "not the coding"],
)  # fmt: skip
def test_unreadable_source(tmp_path: Path, source: bytes) -> None:
    """What Python cannot read is refused in Python's words, whether the script itself or a neighbour."""
    with pytest.raises((SyntaxError, ValueError)) as expected:
        compile(source, "main.py", "exec", dont_inherit=True)
    for files in ({"main": source}, {"main": "import helper_broken\n", "helper_broken": source}):
        with pytest.raises((SyntaxError, ValueError)) as actual:
            run(tmp_path, **files)
        assert expected.value.args[0] == actual.value.args[0]


def test_module_looks_as_ever(tmp_path: Path) -> None:
    """A neighbour's `__file__`, `__spec__`, source and loader are what they would be."""
    main = """\
import helper_plain, inspect, importlib, pickle
assert helper_plain.__file__.endswith("helper_plain.py")
assert helper_plain.__spec__.origin == helper_plain.__file__
assert inspect.getsource(helper_plain.f) == "def f(x):\\n    return 1 if x else 2\\n"
assert importlib.reload(helper_plain).f(1) == 1
assert pickle.loads(pickle.dumps(helper_plain.P(2))).n == 2
assert not [name for name in vars(helper_plain) if "@" in name]
"""
    helper = "def f(x):\n    return 1 if x else 2\nclass P:\n    def __init__(self, n):\n        self.n = n or 1\n"
    importer, _ = run(tmp_path, main=main, helper_plain=helper)
    assert ["ifexp", "or"] == [site.kind for site in importer.program.sites if site.file.endswith("helper_plain.py")]


def test_main_and_its_builtins_are_as_python_makes_them(tmp_path: Path) -> None:
    """`__main__` has the module `builtins`, a neighbour what it holds; neither lists what the recorder put there."""
    (tmp_path / "beside.py").write_text("own = type(__builtins__), __builtins__['len'] is len\n")
    script = tmp_path / "script.py"
    script.write_text(
        "import builtins, beside\n"
        "found = (__builtins__ is builtins, dir(__builtins__) == dir(builtins), type(builtins).__name__,\n"
        "         [name for name in dir(builtins) if name.startswith('_d')], __annotations__, __cached__,\n"
        "         type(__loader__).__name__, __spec__, repr(builtins))\n"
    )
    found = Importer().execute(script, "script.py", "__main__")
    assert (True, True, "module", [], {}, None, "SourceFileLoader", None, "<module 'builtins'>") == (
        *found.found[:8], found.found[8].replace(" (built-in)", ""),
    )  # fmt: skip
    assert (dict, True) == found.beside.own
