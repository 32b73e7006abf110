"""Every command written in a model, a sample or the README does what is written below it."""

import shutil
from pathlib import Path

import pytest

from dyncli.script import paths
from tests import transcripts
from tests.forked import Starter

ROOT = paths.folder("models").parent
SCRIPTS = sorted(path for name in ("models", "samples") for path in paths.folder(name).rglob("*.py"))
WITH_TRANSCRIPT = ("models", "lessons", "pytorch")
MUST_HAVE_ONE = [path for path in SCRIPTS if path.parent.name in WITH_TRANSCRIPT and path.name[0] != "_"]
MADE = ("reference/commands.md", "reference/python.md", "reference/engine/*")  # by `make docs`
PAGES = [path for path in (ROOT / "README.md", ROOT / "core" / "README.md") if path.is_file()]
PAGES += sorted(
    path
    for path in (ROOT / "docs").rglob("*.md")
    if not any(path.relative_to(ROOT / "docs").match(made) for made in MADE)
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for all scripts."""
    return checkout(tmp_path_factory.mktemp("place"))


def checkout(folder: Path) -> Path:
    """Fill a folder with `models/` and `samples/` as in a checkout, where commands may write."""
    for name in ("models", "samples"):
        if paths.folder(name).is_dir():
            shutil.copytree(paths.folder(name), folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    transcripts.install(folder)
    return folder


def check(
    path: Path, steps: list[transcripts.Step], prefix: str, folder: Path, starter: Starter | None, *, accept: bool
) -> None:
    """Runs the steps of a file in order; what differs fails, or is written into the file.

    A fault of ours is never accepted.
    """
    ran = [(step, transcripts.run(step.command, folder, starter)) for step in steps]
    for step, output in ran:
        if any("error: dyncli failed" in line or line.startswith("Traceback") for line in output):
            pytest.fail(f"$ {step.command}\n" + "\n".join(output), pytrace=False)
    wrong = [(step, output) for step, output in ran if not transcripts.agrees(step.expected, output)]
    if accept and wrong:
        path.write_text(transcripts.rewritten(path.read_text("utf-8"), wrong, prefix), "utf-8")
        return
    for step, output in wrong:
        report = "\n".join(transcripts.difference(step.expected, output))
        pytest.fail(f"$ {step.command}\n{report}", pytrace=False)


def cases(paths: list[Path]) -> list:
    """Parameters of a test; `.ci/run` alone runs the pages of the documentation, the gallery, and what is slow."""
    slow = ("12_search", "15_export")
    whole = [path.is_relative_to(ROOT / "docs") or path.parent.name == "pytorch" or path.stem in slow for path in paths]
    return [
        pytest.param(path, id=str(path.relative_to(ROOT)), marks=[pytest.mark.whole] if heavy else [])
        for path, heavy in zip(paths, whole)
    ]


@pytest.mark.parametrize("path", cases(SCRIPTS))
def test_script(path: Path, place: Path, starter: Starter | None, accept: bool):
    """A script's comments say what its commands print."""
    steps = transcripts.steps_of_script(path.read_text("utf-8"))
    assert steps or path not in MUST_HAVE_ONE, f"{path.name} has no transcript: end it with `# $ dyncli run ...`"
    check(path, steps, "# ", place, starter, accept=accept)


@pytest.mark.whole
@pytest.mark.parametrize("path", cases(PAGES))
def test_page(path: Path, tmp_path: Path, starter: Starter | None, accept: bool):
    """A page's console blocks say what its commands print, after the files that it shows are there, and no others."""
    place = checkout(tmp_path)
    text = path.read_text("utf-8")
    for name, contents in transcripts.files_of_page(text).items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(contents, "utf-8")
    check(path, transcripts.steps_of_page(text), "", place, starter, accept=accept)


SCRIPT = """x = 1

# $ dyncli one
# first
#
# third
# $ dyncli two \\
#     more
# $ dyncli three

# a remark
"""


def test_steps_of_a_script():
    """A transcript ends at the next command or at the first line that is no comment."""
    steps = [(step.command, step.expected) for step in transcripts.steps_of_script(SCRIPT)]
    assert [("dyncli one", ("first", "", "third")), ("dyncli two  more", ()), ("dyncli three", ())] == steps


def test_a_rewritten_script():
    """Only the output below a command changes; running the result again gives the same."""
    steps = transcripts.steps_of_script(SCRIPT)
    outputs = [(step, ["new", "", "lines"]) for step in steps]
    text = transcripts.rewritten(SCRIPT, outputs, "# ")
    assert text.startswith("x = 1\n\n# $ dyncli one\n# new\n#\n# lines\n# $ dyncli two")
    assert text.endswith("# $ dyncli three\n# new\n#\n# lines\n\n# a remark\n")
    assert text == transcripts.rewritten(
        text, list(zip(transcripts.steps_of_script(text), [o for _, o in outputs])), "# "
    )


PAGE = """Text
```python net.py
x = 1
```
```console
$ make demo
$ dyncli run net.py
one
two <...> ms
```
"""


def test_steps_of_a_page():
    """Console blocks hold commands, other blocks with a name hold files."""
    (step,) = transcripts.steps_of_page(PAGE)
    assert ("dyncli run net.py", ("one", "two <...> ms")) == (step.command, step.expected)
    assert {"net.py": "x = 1\n"} == transcripts.files_of_page(PAGE)
    assert PAGE.replace("one\ntwo <...> ms", "three") == transcripts.rewritten(PAGE, [(step, ["three"])], "")


def test_what_agrees():
    """`<...>` stands for anything on its line; lines and their number must agree."""
    assert transcripts.agrees(["a", "in <...> ms"], ["a", "in 3.25 ms"])
    assert not transcripts.agrees(["a"], ["b"])
    assert not transcripts.agrees(["a"], ["a", "b"])
    assert not transcripts.agrees(["in <...> ms"], ["in 3 s"])


def test_a_command_runs_the_program_under_test(place: Path):
    """The shell finds this `dyncli`, and its errors are part of what it prints."""
    from dyncli import __version__

    assert [f"dyncli {__version__}"] == transcripts.run("dyncli --version", place)
    assert ["error: no command `modles`", "", "hint: did you mean `models`?", "2"] == transcripts.run(
        "dyncli modles; echo $?", place
    )
