"""Which frames of a traceback are the user's."""

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from dyncli.records.model import Frame
from dyncli.script import paths
from dyncli.script.frames import frame_line, is_users, user_frames
from dyncli.script.paths import beside, display, is_file


@pytest.fixture
def script(tmp_path: Path):
    """A function that runs a text as a script and returns its error's frames."""

    def frames(text: str) -> list[str]:
        path = tmp_path / "net.py"
        path.write_text(text)
        module = ModuleType("net")
        with pytest.raises(Exception) as caught:
            exec(compile(text, str(path), "exec"), module.__dict__)
        return [frame_line(frame) for frame in user_frames(caught.value.__traceback__.tb_next, {str(path): "net.py"})]

    return frames


def test_the_standard_library_is_left_out(script):
    """Of a failing `json.loads` only the caller is shown."""
    assert ["at net.py:2: `json.loads('{')`"] == script("import json\njson.loads('{')\n")


def test_cython_is_left_out(script):
    """Its frames name files that are nowhere: of a failing `numpy.random.seed` only the caller is shown."""
    text = "import numpy\nnumpy.random.RandomState(0).seed(-1)\n"
    assert ["at net.py:2: `numpy.random.RandomState(0).seed(-1)`"] == script(text)


def test_methods_have_their_class(script):
    """The function is named as Python qualifies it."""
    text = "class Net:\n    def forward(self):\n        raise ValueError\nNet().forward()\n"
    assert ["at net.py:4: `Net().forward()`", "at net.py:3 in Net.forward: `raise ValueError`"] == script(text)


def test_endless_recursion_keeps_its_ends(script):
    """Ten frames from the start, ten from the end."""
    lines = script("def f(n):\n    return f(n + 1)\nf(0)\n")
    assert (20, "at net.py:3: `f(0)`") == (len(lines), lines[0])


def test_what_is_the_users():
    """Files of ours, of the engine, of the standard library and of installed packages are not; bundled models are."""
    assert not is_users(paths.__file__) and not is_users(json.__file__) and not is_users(pytest.__file__)
    assert not is_users("<string>") and not is_users("<frozen importlib._bootstrap>")
    assert is_users("/home/me/net.py") and is_users(str(paths.folder("models") / "newton.py"))


def test_a_frame_without_text():
    """A line that is no longer there is named all the same."""
    assert "at net.py:9 in f" == frame_line(Frame("net.py", 9, "f", ""))


def test_paths_are_shown_as_they_were_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """By a given name, relative to the working folder, or whole."""
    monkeypatch.chdir(tmp_path)
    inside = str(tmp_path / "a" / "net.py")
    assert ("a/net.py", "net.py", sys.executable) == (
        display(inside),
        display(inside, {inside: "net.py"}),
        display(sys.executable),
    )


def test_what_stands_beside_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Files with the right suffix, written as the path is; nothing for a folder that is not there."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "b.py", "c.txt"):
        Path(name).write_text("")
    assert ["a.py", "b.py"] == beside("x.py", [".py"])
    assert ["./a.py", "./b.py"] == beside("./x.py", [".py"])
    assert [] == beside("missing/x.py", [".py"])
    assert is_file("a.py") and not is_file(".") and not is_file("a" * 5000) and not is_file("a\0b")
