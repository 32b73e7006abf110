"""`assert_same_path`, and the fixture of the pytest plugin."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import dyncli
from dyncli import errors
from tests import transcripts

pytest_plugins = "pytester"

ROOT = Path(__file__).resolve().parents[4]
PLUGIN = "dyncli.api.pytest_plugin"
TEST = """
import dyncli

def forward(x, low=0.0):
    while x.norm() > 1:
        x = x / 2
    if x.sum() > LOW:
        return x * 2
    return x

def test_path(same_path):
    same_path(dyncli.record(forward, [3.0, 4.0]))
    same_path(dyncli.record(forward, [0.5, 0.25]))
"""


def forward(x):
    """Decides by the sum."""
    if x.sum() > 0:
        return x * 2
    return x - 2


def test_same_path_with_other_values_passes(tmp_path):
    """A saved record will do."""
    record = dyncli.record(forward, [1.0, 2.0])
    dyncli.assert_same_path(record, dyncli.record(forward, [5.0, 2.0]))
    record.save(tmp_path / "run.dyn")
    dyncli.assert_same_path(dyncli.record(forward, [7.0]), tmp_path / "run.dyn")


def test_other_path_fails_with_the_first_decision_that_differs():
    """Its line in the source, the values of both, and what they took."""
    with pytest.raises(AssertionError) as caught:
        dyncli.assert_same_path(dyncli.record(forward, [1.0]), dyncli.record(forward, [-3.0]))
    text = str(caught.value)
    line = forward.__code__.co_firstlineno + 2
    assert text.startswith("the runs took different paths")
    for part in (
        f"They part at line {line}: if x.sum() > 0",
        "x.sum() = 1.0 > 0",
        "x.sum() = -3.0 > 0",
        "then",
        "else",
    ):
        assert part in text


def test_run_without_decisions_for_want_of_a_source_is_refused():
    """Two of these would always be alike."""
    names = {}
    exec(compile("def made(x):\n    return x if x.sum() > 0 else -x", "<unknown>", "exec"), names)
    with pytest.warns(errors.DecisionsNotRecorded):
        record = dyncli.record(names["made"], [1.0])
    with pytest.raises(ValueError, match="no decisions"):
        dyncli.assert_same_path(record, record)
    with pytest.raises(TypeError, match="a record is needed"):
        dyncli.assert_same_path(3, record)


def run(pytester, *arguments):
    """Run pytest on the folder, in a process of its own, with the plugin from here and no installed one."""
    return pytester.runpytest_subprocess("-p", PLUGIN, "-p", "no:cacheprovider", *arguments)


@pytest.fixture
def project(pytester, monkeypatch):
    """A folder with one test."""
    monkeypatch.setenv("PYTHONPATH", transcripts.environment()["PYTHONPATH"])
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(test_net=TEST.replace("LOW", "0.0"))
    return pytester


@pytest.mark.whole
def test_fixture_compares_with_the_accepted_path(project):
    """First there is none, then it is accepted, then the code changes."""
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*no path was accepted yet: `pytest --accept-paths` writes *test_path.dyn"])
    run(project, "--accept-paths").assert_outcomes(passed=1)
    saved = sorted(path.name for path in (project.path / "paths" / "test_net").iterdir())
    assert ["test_path.2.dyn", "test_path.dyn"] == saved
    run(project).assert_outcomes(passed=1)
    project.makepyfile(test_net=TEST.replace("LOW", "0.8").replace("\n    while", "\n    # another line\n    while"))
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*the runs took different paths", "*They part at *: if x.sum() > 0.8*", "*x.sum() = 0.75 > 0.8*"]
    )


@pytest.mark.whole
def test_fixture_compares_two_records(project):
    """Nothing is saved."""
    project.makepyfile(
        test_net=TEST.partition("def test_path")[0].replace("LOW", "0.0")
        + "def test_two(same_path):\n    a = dyncli.record(forward, [1.0])\n    same_path(a, a)\n"
        "    same_path(a, dyncli.record(forward, [-1.0]))\n"
    )
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*They part at line 6: if x.sum() > 0.0*"])
    assert not (project.path / "paths").exists()


def test_fixture_names_both_runs_and_the_way_to_accept_and_refuses_what_is_no_record(project):
    """A reader of a log does not know which run is which."""
    run(project, "--accept-paths").assert_outcomes(passed=1)
    more = "\ndef test_other(same_path):\n    same_path(forward)\n"
    project.makepyfile(test_net=TEST.replace("LOW", "0.8") + more)
    result = run(project)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        ["*A is this run, B the accepted one; if this is right, `pytest --accept-paths` accepts it*",
         "*a record is needed, not a function"]
    )  # fmt: skip


@pytest.mark.whole
def test_plugin_loads_nothing_until_a_test_asks_for_it(project):
    """It is in every run of pytest where dyncli is installed."""
    project.makepyfile(
        test_net="import sys\ndef test_nothing():\n"
        "    assert not {'numpy', 'dyncore', 'rich', 'typer', 'dyncli.api.record'} & set(sys.modules)\n"
    )
    run(project).assert_outcomes(passed=1)


@pytest.mark.skipif(not (ROOT / "pyproject.toml").is_file(), reason="needs a checkout")
def test_plugin_is_an_entry_point():
    """pytest finds it by itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"dyncli": PLUGIN} == project["entry-points"]["pytest11"]
    code = f"import {PLUGIN}, sys; print(sorted({{'numpy', 'rich', 'dyncore'}} & set(sys.modules)))"
    command, variables = [sys.executable, "-c", code], transcripts.environment()
    finished = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60)
    assert ("[]\n", "") == (finished.stdout, finished.stderr)
