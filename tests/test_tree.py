"""Checks on the tree itself: what is listed, documented, sorted, and in its place."""

import ast
import re
import tomllib
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path

import pytest

from dyncli import __version__
from dyncli.cli.commands import COMMANDS
from tests import transcripts

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = [folder for folder in (ROOT / "dyncli", ROOT / "core" / "dyncore") if folder.is_dir()]
FILES = sorted(path for folder in PACKAGES for path in folder.rglob("*.py"))
TOP = {
    ".ci", ".git", ".github", ".gitignore", "ARCHITECTURE.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md",
    "LICENSE", "Makefile", "README.md", "SECURITY.md", "core", "docs", "dyncli", "models", "pyproject.toml",
    "requirements.lock", "samples", "tests",
}  # fmt: skip
LONGEST = 60  # lines of a function without its parameters, which list options, and its docstring
VAGUE = {"utils.py", "common.py", "helpers.py", "misc.py"}

pytestmark = pytest.mark.skipif(not PACKAGES, reason="needs a checkout: the installed package has no tree")


def read(path: str) -> str:
    """A file of the checkout."""
    return (ROOT / path).read_text("utf-8")


def lines_of_functions(path: Path) -> dict[str, int]:
    """The lines of a source's functions without parameters and docstrings."""
    lines = {}
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            length = node.end_lineno - body[0].lineno + 1 if body else 0
            lines[node.name] = max(length, lines.get(node.name, 0))
    return lines


def ignored(name: str) -> bool:
    """Whether git ignores a top-level name."""
    patterns = [line.rstrip("/") for line in read(".gitignore").split()]
    return any(fnmatch(name, pattern) for pattern in patterns)


def test_the_top_level_is_fixed():
    """Nothing lies about beside what ARCHITECTURE.md names."""
    assert set() == {path.name for path in ROOT.iterdir() if not ignored(path.name)} - TOP


def test_no_file_is_named_for_being_of_use():
    """A file is named after its subject."""
    assert [] == [path for path in FILES if path.name in VAGUE]


def test_functions_stay_short():
    """No function has a body of more than 60 lines."""
    found = {}
    for path in (ROOT / "dyncli").rglob("*.py"):
        for name, lines in lines_of_functions(path).items():
            if lines > LONGEST:
                found[f"{path.relative_to(ROOT)}:{name}"] = lines
    assert {} == found


def test_tool_asks_for_no_version_of_python():
    """What differs between versions is measured where it matters, not looked up by number."""
    asking = ("version_info", "hexversion", "python_version", "python_implementation")
    for path in (ROOT / "dyncli").rglob("*.py"):
        assert not [name for name in asking if name in path.read_text()], path


def test_every_module_says_what_it_is():
    """Each module starts with a docstring of at least a word."""
    assert [] == [str(path.relative_to(ROOT)) for path in FILES if not re.match(r'"""\S', path.read_text("utf-8"))]


def test_dyncore_exports_what_it_says():
    """Every name in `dyncore.__all__` is there, and the list is sorted."""
    dyncore = import_module("dyncore")
    assert sorted(set(dyncore.__all__)) == list(dyncore.__all__)
    assert [] == [name for name in dyncore.__all__ if not hasattr(dyncore, name)]


def test_every_command_is_listed():
    """A file in `dyncli/cli/commands/` with a function of its name and examples of it is in COMMANDS, and no other."""
    found = {
        path.stem
        for path in (ROOT / "dyncli" / "cli" / "commands").glob("*.py")
        for node in ast.parse(path.read_bytes()).body
        if isinstance(node, ast.FunctionDef) and node.name == path.stem
        if f"$ dyncli {path.stem}" in (ast.get_docstring(node) or "")
    }
    assert set(COMMANDS) == found


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name: str):
    """A command has one line in the list of them, a docstring with examples, and a place in the README."""
    function = getattr(import_module(f"dyncli.cli.commands.{name}"), name)
    assert 20 < len(COMMANDS[name]) < 80 and COMMANDS[name].endswith(".")
    assert f"$ dyncli {name}" in function.__doc__
    assert f"dyncli {name}" in read("README.md")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_transcript(name: str):
    """Somewhere in the models, samples or pages its output is written down, and so tested."""
    scripts = [path for folder in ("models", "samples") for path in (ROOT / folder).rglob("*.py")]
    steps = [step for path in scripts for step in transcripts.steps_of_script(path.read_text("utf-8"))]
    pages = (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    steps += [step for page in pages for step in transcripts.steps_of_page(page.read_text("utf-8"))]
    assert any(step.command.startswith(f"dyncli {name}") for step in steps)


def test_the_lock_holds_every_dependency():
    """Each package of pyproject.toml is locked with hashes, but for Dask, and no host is named."""
    project = tomllib.loads(read("pyproject.toml"))["project"]
    extras = {name: extra for name, extra in project["optional-dependencies"].items() if name != "dask"}
    wanted = project["dependencies"] + [each for extra in extras.values() for each in extra]
    lock = read("requirements.lock")
    locked = set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE))
    assert set() == {re.match(r"[\w.-]+", each)[0].lower() for each in wanted} - locked
    assert "://" not in lock and lock.count("==") <= lock.count("--hash=sha256:")


def test_citation_names_the_version_of_the_package():
    """A release that is cited is the one that was used."""
    assert f"\nversion: {__version__}\n" in read("CITATION.cff")


def test_the_changelog_has_an_unreleased_part():
    """What changed since the last version is written down for users."""
    assert "\n## Unreleased\n" in read("CHANGELOG.md")
