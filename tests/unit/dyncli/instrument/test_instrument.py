"""The static half of a recording: which places are decision sites, and what they are called."""

import sys

import pytest

from dyncli.instrument.runtime import probes
from dyncli.instrument.transform import Program, instrument
from dyncli.instrument.transform.builder import SourceText
from dyncli.records.model import Site


def sites(source: str, display: str = "net.py") -> tuple[Site, ...]:
    """The sites of a module."""
    return instrument(source, f"/somewhere/{display}", display).sites


SOURCE = """\
class Net:
    def forward(self, x):
        if x > 0 and self.ready:
            return [y for y in x if y]
        return x or 1
"""


def test_sites_in_order() -> None:
    """Every site with its place, text, arms and surroundings."""
    found = sites(SOURCE)
    assert [("if", "x > 0 and self.ready"), ("comp", "for y in x"), ("compif", "y"), ("or", "x or 1")] == [
        (site.kind, site.text) for site in found
    ]
    first, comp, compif, value = found
    assert (3, 11, 3, 31) == (first.line, first.col, first.end_line, first.end_col)
    assert ("then", "else") == first.arms
    assert ((4, 4), None) == first.arm_lines
    assert (4, 22, 4, 32) == (comp.line, comp.col, comp.end_line, comp.end_col)
    assert (first.id, "then") == (comp.parent, comp.parent_arm)
    assert (comp.id, "loop") == (compif.parent, compif.parent_arm)
    assert (None, None) == (value.parent, value.parent_arm)
    assert {"Net.forward"} == {site.function for site in found}


def test_ids_survive_added_lines() -> None:
    """Lines and comments above change no id; neither does where the file lies."""
    moved = "# a comment\n\n" + SOURCE.replace("        if", "        # another\n        if")
    assert [site.id for site in sites(SOURCE)] == [site.id for site in sites(moved)]
    with_path = instrument(SOURCE, "/elsewhere/net.py", "shown/net.py", identity="net.py").sites
    assert [site.id for site in sites(SOURCE)] == [site.id for site in with_path]
    assert ["dc7de608f886"] == [site.id for site in sites("if x > 0: pass\n")]


def test_ids_tell_equal_texts_apart() -> None:
    """Two tests with one text in one function are two sites; a renamed function makes another."""
    twice = sites("def f(x):\n    if x: pass\n    if x: pass\n")
    renamed = sites("def g(x):\n    if x: pass\n    if x: pass\n")
    assert 4 == len({site.id for site in (*twice, *renamed)})


def test_columns_count_bytes() -> None:
    """Columns are UTF-8 bytes, from 0."""
    (site,) = sites("größe = 1; x = 2 if größe else 3\n")
    assert (1, 22, 29, "größe") == (site.line, site.col, site.end_col, site.text)


def test_text_is_one_line_without_comments() -> None:
    """White space is collapsed and comments go, strings stay."""
    (site,) = sites('if (\n    x  # why\n    >  1\n    and y != "#"\n):\n    pass\n')
    assert 'x > 1 and y != "#"' == site.text
    assert (2, 4, 4, 16) == (site.line, site.col, site.end_line, site.end_col)
    (site,) = sites("if x \\\n  > 1: pass\n")
    assert "x > 1" == site.text


@pytest.mark.parametrize(
    "source",
    [
        "if 1: pass", "while True: break", "x = 1 if not 0 else 2", "assert 1 < 2", "if TYPE_CHECKING: pass",
        "if typing.TYPE_CHECKING or not __debug__: pass", "x = None or y", "z = [n for n in () if 1] if 1 else 0",
        "x = y < 1", "x = not y", "@d\ndef f(x: int if y else str) -> (a or b): pass", "x: (a or b) = 1",
        "x = lambda: y",
    ],
)  # fmt: skip
def test_no_sites(source: str) -> None:
    """Constants decide nothing, annotations are left alone, and a comparison without a test is no decision."""
    assert [] == [site.text for site in sites(source) if site.kind != "comp"]


def test_arms() -> None:
    """The arms of every kind."""
    source = """\
if a: pass
elif b: pass
while c: pass
for x in y: pass
z = [x for x in y if x]
u = a if b else c
v = a and b
w = a or b
assert a
match a:
    case 1 | 2 if b: pass
    case {"k": [1, *_]} as whole: pass
    case {"k": [1, *_]} as whole if c: pass
try: pass
except (ValueError,
        TypeError) as error: pass
except: pass
match a:
    case _: pass
"""
    found: dict[str, list[tuple[str, ...]]] = {}
    for site in sites(source):
        found.setdefault(site.kind, []).append(site.arms)
    assert {
        "if": [("then", "else")],
        "elif": [("then", "else")],
        "while": [("body", "exit")],
        "for": [("loop",)],
        "comp": [("loop",)],
        "compif": [("keep", "drop")],
        "ifexp": [("then", "else")],
        "and": [("short", "rest")],
        "or": [("short", "rest")],
        "assert": [("pass", "fail")],
        "match": [
            ("case 1 | 2", 'case {"k": [1, *_]} as whole', 'case {"k": [1, *_]} as whole if c', "no match"),
            ("case _",),
        ],
        "guard": [("pass", "fail"), ("pass", "fail")],
        "try": [("except (ValueError, TypeError)", "except")],
    } == found


def test_sites_inside_f_strings() -> None:
    """On every Python a test inside an f-string has its own text, place and id."""
    found = sites("def show(x):\n    return (f'é{x:>{1 if x>0 else 2}}'\n        f'{x or 1} {[y for y in x]}')\n")
    assert [("x>0", 2, 26, 29), ("x or 1", 3, 11, 17), ("for y in x", 3, 23, 33)] == [
        (site.text, site.line, site.col, site.end_col) for site in found
    ]
    assert "d6c21a94221d" == found[0].id


def test_deeply_nested_expressions() -> None:
    """An expression nested as deeply as a syntax tree can be is instrumented; deeper ones leave the file as it is."""
    limit = sys.getrecursionlimit()
    assert 1 == len(sites("x = " + " + ".join(["1"] * 900) + "\ny = x if x else 0\n"))
    program = Program()
    found = instrument("x = " + " + ".join(["1"] * 2500) + "\ny = x if x else 0\n", "/x/deep.py", "deep.py", program)
    assert (len(found.sites), program.left_out) in ((1, []), (0, ["deep.py"]))
    names: dict[str, int] = {}
    with probes.recording([]):
        exec(found.code, names)
    assert 2500 == names["y"]
    assert limit == sys.getrecursionlimit()


@pytest.mark.parametrize(
    "source", ["return 1", "if x:\n  break", "def f():\n    x = yield = 1", "x = (", "await x", "f(**a, *b)"]
)
def test_syntax_errors_are_pythons_own(source: str) -> None:
    """What does not compile is refused in the words and at the place Python gives."""
    with pytest.raises(SyntaxError) as expected:
        compile(source, "/somewhere/net.py", "exec")
    with pytest.raises(SyntaxError) as actual:
        sites(source)
    assert (expected.value.msg, expected.value.lineno, expected.value.offset) == (
        actual.value.msg, actual.value.lineno, actual.value.offset,
    )  # fmt: skip


def test_one_program_for_several_files() -> None:
    """Files share a program; its sites come by file and place."""
    program = Program()
    instrument("if b: pass\n", "/x/two.py", "two.py", program)
    instrument("if a: pass\n", "/x/one.py", "one.py", program)
    assert [("one.py", "a"), ("two.py", "b")] == [(site.file, site.text) for site in program.sites]
    assert {"two.py": "if b: pass\n", "one.py": "if a: pass\n"} == program.sources


def test_source_text_with_other_line_ends() -> None:
    """A form feed ends no line, a carriage return does."""
    assert "b" == SourceText("a\x0c\r\nb", "x.py").between((2, 0, 2, 1))
