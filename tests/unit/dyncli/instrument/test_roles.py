"""Each kind of entry of the log is declared once: who writes it, how wide it is, who plays it."""

import ast
from pathlib import Path

import pytest

from dyncli.instrument.program import CALL_ID, Program, Role
from dyncli.instrument.runtime import probes
from dyncli.instrument.transform import instrument
from dyncli.recorder.decisions.replay import Replay
from tests.golden.paths.test_paths import MARK, SCRIPTS
from tests.playing import play

#: Probes that write no entry, or what another one is to write.
HELPERS = {
    "@BaseException", "@arms", "@chosen", "@halt", "@store_operand", "@take_operand", "@take_false_operand",
    "@take_true_operand", "@listed", "@look",
    "@look_at", "@open", "@patched", "@truth_or_value", "@within",
}  # fmt: skip


@pytest.mark.parametrize("role", Role, ids=lambda role: role.name)
def test_role_has_a_handler(role: Role) -> None:
    """The replay has a method for it, called as it says."""
    assert callable(getattr(Replay, f"_{role.handler}"))


def test_probes_are_those_of_the_roles() -> None:
    """Each probe writes the entries of a role, or is a known helper."""
    assert {name for role in Role for name in role.probes} | HELPERS == set(probes.build([]))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_entries_are_as_wide_as_declared(script: Path) -> None:
    """A log is made of entries that begin with a point and are as wide as its role says."""
    played = play(script.read_text(encoding="utf-8").partition(MARK)[0] + "\n")
    at = 0
    while at < len(played.log):
        at += played.program.points[played.log[at]].role.width
    assert len(played.log) == at


def test_instrumented_code_calls_known_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What begins with `@` in a rewritten tree is a probe, or the id of a call."""
    trees: list[ast.AST] = []
    plain = compile

    def noted(source: object, *given: object, **named: object) -> object:
        if isinstance(source, ast.AST):
            trees.append(source)
        return plain(source, *given, **named)

    monkeypatch.setattr("builtins.compile", noted)
    for script in SCRIPTS:
        instrument(script.read_text(encoding="utf-8"), "/nowhere/script.py", "script.py", Program())
    names = {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert {name for name in names if name[0] == "@"} <= {CALL_ID, *probes.build([])}
    assert len(trees) >= len(SCRIPTS)
