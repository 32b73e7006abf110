"""`dyncli models` and the completion of what it lists."""

import json
from pathlib import Path

import pytest

from dyncli.cli.commands.models import summary
from dyncli.cli.options import complete_case, complete_model
from dyncli.script import paths


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two bundled models, one of which has a sample."""
    (tmp_path / "models").mkdir()
    (tmp_path / "samples").mkdir()
    (tmp_path / "models" / "first.py").write_text(
        '"""Teaches one thing:\nbranches.\n\nAt length.\n"""\nraise SystemExit'
    )
    (tmp_path / "models" / "second.py").write_text("x = (")
    (tmp_path / "models" / "_hidden.py").write_text("")
    (tmp_path / "samples" / "first.json").write_text('{"positive": {"x": [1]}, "negative": {"x": [-1]}}')
    monkeypatch.setattr(paths, "folder", lambda name: tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_bundled(shelf: Path, capsys: pytest.CaptureFixture[str]):
    """Name, the first paragraph of the docstring, how to run it; no script is run, not even a broken one."""
    from dyncli.cli.app import main

    assert 0 == main(["models"])
    first = "first\n  Teaches one thing: branches.\n  $ dyncli run first   # cases: positive, negative\n\n"
    second = "second\n  (no docstring)\n  $ dyncli run second --input ...\n\n"
    assert first + second == capsys.readouterr().out


def test_as_json(shelf: Path, capsys: pytest.CaptureFixture[str]):
    """The same for programs."""
    from dyncli.cli.app import main

    assert 0 == main(["models", "--json"])
    first, second = json.loads(capsys.readouterr().out)
    assert first == {
        "name": "first", "path": str(shelf / "models" / "first.py"), "sample": str(shelf / "samples" / "first.json"),
        "cases": ["positive", "negative"], "teaches": "Teaches one thing: branches.", "run": "dyncli run first",
    }  # fmt: skip
    assert second == {
        "name": "second", "path": str(shelf / "models" / "second.py"), "sample": None,
        "cases": [], "teaches": "", "run": "dyncli run second --input ...",
    }  # fmt: skip


@pytest.mark.whole
def test_scripts_stand_after_the_models(dyncli):
    """Each PyTorch script is listed by its path, and that path runs where no such file is."""
    listed = json.loads(dyncli("models", "--json").out)
    scripts = [each for each in listed if each["name"].startswith("samples/pytorch/")]
    assert listed[-8:] == scripts and len({each["teaches"] for each in scripts}) == 8
    assert "dyncli run samples/pytorch/tree_lstm.py" == scripts[-1]["run"]
    finished = dyncli("run", "samples/pytorch/reinforce.py", "--show", "outputs", "--", "--episodes", "5")
    assert finished.out.startswith("episode 5: 17 steps") and "samples/pytorch/reinforce.py:__main__ " in finished.out


def test_every_bundled_model_teaches_something():
    """Each has a docstring whose first paragraph is one readable sentence or two."""
    for model in paths.models():
        assert 20 < len(summary(paths.docstring(model.path))) < 300, model.name


def test_models_are_completed(shelf: Path):
    """Bundled names with what they teach, scripts and folders that stand here."""
    (shelf / "fire.py").write_text("")
    assert [("first", "Teaches one thing: branches."), ("fire.py", "model script")] == list(complete_model("fi"))
    assert [("models/first.py", "model script")] == list(complete_model("models/fi"))
    assert ("models/", "folder") in list(complete_model("mod"))


def test_cases_are_completed(shelf: Path, monkeypatch: pytest.MonkeyPatch):
    """Those of the JSON file on the command line, or of the model's sample."""
    (shelf / "other.json").write_text('{"other": {"x": 1}}')
    for words, expected in [
        ("dyncli run first --case p", ["positive"]),
        ("dyncli run first -i other.json --case o", ["other"]),
        ("dyncli run second -i missing.json --case p", []),
        ("dyncli run second -i [1] --case p", []),
    ]:
        monkeypatch.setenv("COMP_WORDS", words)
        assert expected == list(complete_case(words[-1]))


@pytest.mark.parametrize(
    ("words", "expected"),
    [("dyncli mod", "models"), ("dyncli run --gr", "--grad-output"), ("dyncli run piecew", "piecewise")],
)
def test_the_shell_completes(dyncli, words, expected):
    """What bash asks for when TAB is pressed."""
    if expected == "piecewise" and paths.find("piecewise") is None:
        pytest.skip("no such bundled model")
    finished = dyncli(_DYNCLI_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1))
    assert (0, [expected]) == (finished.code, finished.out.split())


def test_the_completion_script_is_shown(dyncli):
    """For the shell that is asked for."""
    finished = dyncli(_DYNCLI_COMPLETE="source_bash")
    assert 0 == finished.code and "complete -o default -F _dyncli_completion dyncli" in finished.out
