"""`dyncli run --watch`, `--break` and `--patch`: looking on while a script runs."""

import json

import pytest

NET = """\
import dyncore as torch

tol = 0.5

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.h = torch.zeros(2)

    def forward(self, x):
        self.h = self.h + x
        for k in range(3):
            y = x * k
            if (z := y.sum()) > tol:
                self.h.mul_(2)
        a, b = x[0], x[1]
        return torch.log(a - 1) * b + self.h.sum()

model = Net()
"""
RUN = ("run", "net.py", "-i", "[0.5, 2]", "--show", "outputs")


@pytest.fixture
def run(tmp_path, dyncli):
    """Runs the script with more options."""
    (tmp_path / "net.py").write_text(NET)
    return lambda *more, stdin=b"": dyncli(*RUN, *more, stdin=stdin)


def test_watch(run):
    """Each time a value changes: assigned, unpacked, by `:=`, in place, of an attribute, of the module."""
    finished = run("--watch", "self.h", "--watch", "b", "--watch", "tol", "--watch", "z")
    assert (0, "") == (finished.code, finished.err)
    assert [
        "watch net.py:3 tol = 0.5",
        "watch net.py:8 self.h = [0, 0]",
        "watch net.py:11 self.h = [0.5, 2]  was [0, 0]",
        "watch net.py:14 z = 0",
        "watch net.py:14 z = 2.5  was 0",
        "watch net.py:15 self.h = [1, 4]  was [0.5, 2]",
        "watch net.py:14 z = 5  was 2.5",
        "watch net.py:15 self.h = [2, 8]  was [1, 4]",
        "watch net.py:16 b = 2",
    ] == finished.out.splitlines()[:9]
    assert "output  []     float32  nan" in finished.out


def test_breaks_that_stop_nothing(run):
    """A line that is not reached and a condition that never holds are told of."""
    finished = run("--break", "line:15", "--break", "line:17", "--break", "out > 1e9", "--patch", "x=0")
    assert (0, "") == (finished.code, finished.err)
    assert [
        "note: `--break line:15` stopped nothing: the line was not reached",
        "note: `--break out > 1e9` stopped nothing: no op met it",
    ] == finished.out.splitlines()[-2:]


def test_variables_of_comprehensions(tmp_path, dyncli):
    """They are watched and replaced at each step, in lists and in what runs later, of the second clause too."""
    (tmp_path / "each.py").write_text(
        "def forward(x):\n"
        "    y = [k * 2 for k in x if k > 0]\n"
        "    z = {a: q for a, b in zip(y, y) for q in (a, b)}\n"
        "    return sum(k for k in y) + len(z)\n"
    )
    more = ("--watch", "k", "--watch", "q", "--patch", "line 3: b=7", "--show", "outputs")
    finished = dyncli("run", "each.py", "-i", "[1, -2, 3]", *more)
    assert [
        "watch each.py:2 k = 1",
        "watch each.py:2 k = -2  was 1",
        "watch each.py:2 k = 3  was -2",
        "watch each.py:3 q = 2",
        "watch each.py:3 q = 7  was 2",
        "watch each.py:3 q = 6  was 7",
        "watch each.py:3 q = 7  was 6",
        "watch each.py:4 k = 2",
        "watch each.py:4 k = 6  was 2",
    ] == finished.out.splitlines()[:9]
    assert "patched line 3: b=7 x2" in finished.out


def test_watch_in_json(run):
    """stdout stays JSON; what was seen is in it."""
    finished = run("--watch", "b", "--json")
    assert "watch net.py:16 b = 2\n" == finished.err
    assert [
        {
            "kind": "watch",
            "name": "b",
            "file": "net.py",
            "line": 16,
            "function": "Net.forward",
            "value": "2",
            "op": None,
        }
    ] == json.loads(finished.out)["notices"]


def test_watch_each_call_by_itself(tmp_path, dyncli):
    """A local name of a function that calls itself is another one in every call."""
    (tmp_path / "deep.py").write_text(
        "def down(n):\n    m = n * 2\n    if n:\n        down(n - 1)\n    m += 1\n\ndown(1)\n"
    )
    out = dyncli("run", "deep.py", "--watch", "m").out
    assert [
        "watch deep.py:2 m = 2", "watch deep.py:2 m = 0", "watch deep.py:5 m = 1  was 0", "watch deep.py:5 m = 3  was 2"
    ] == out.splitlines()[:4]  # fmt: skip


def test_break_without_a_terminal(run):
    """Where and why it would stop, with the tensors."""
    finished = run("--break", 'op == "log" and nan(out)')
    assert [
        'stop net.py:17 in Net.forward after log: op == "log" and nan(out)', "  inputs[0] = -0.5", "  out = nan"
    ] == finished.out.splitlines()[:3]  # fmt: skip
    assert 0 == finished.code
    finished = run("--break", "line:13", "--break", 'op == "mul" and iteration == 2')
    assert 3 == finished.out.count("stop net.py:13 in Net.forward: line:13\n")
    assert 2 == finished.out.count("iteration == 2\n")  # `x * k` and `mul_`


def test_break_with_commands(run):
    """Commands that are piped in go to the debugger, which knows the op at hand; afterwards the run goes on."""
    finished = run("--break", 'op == "log"', stdin="p op, len(inputs), out\np a\nw\nup\nc\n")
    assert "(dyncli) ('log', 1, tensor(nan, grad_fn=<LogBackward0>))\n" in finished.out
    assert "tensor(0.5000, grad_fn=" in finished.out and "*** Oldest frame" in finished.out
    assert "dyncore" not in finished.out and "output  []     float32  nan" in finished.out
    finished = run("--break", "12", stdin="n\nn\np k\ns\nn\n")
    assert "-> y = x * k\n(dyncli) > " in finished.out and "(dyncli) 0\n" in finished.out
    assert 0 == finished.code and "output  []" in finished.out


def test_quit_in_the_debugger(run):
    """`q` ends the run as an interrupt does; what ran is reported."""
    finished = run("--break", "16", stdin="q\n")
    assert (130, True) == (finished.code, "stopped in the debugger" in finished.out)


def test_patch(run):
    """Another value wherever the name is given one, and what that changes."""
    finished = run("--patch", "line 16: a=3", "--patch", "self.h=1", "--show", "gradients")
    assert (0, "") == (finished.code, finished.err)
    assert "patched self.h=1 x2, line 16: a=3 · as it is: " in finished.out
    assert "name    as it is  patched  differs by" in finished.out
    assert "x     [0, nan]" in finished.out and "[0, 0.6931]" in finished.out


@pytest.mark.parametrize(
    ("patches", "output"),
    [
        (("x=[3, 1]",), "16.69"),  # the entry's own parameter
        (("tol=100", "a=3"), "3.886"),  # of the module
        (("z=0", "a=3"), "3.886"),  # by `:=`
        (("k=0", "a=3"), "3.886"),  # of a loop
        (("line 16: a=3",), "11.39"),  # of several at once
    ],
)
def test_what_can_be_patched(run, patches, output):
    """Parameters, module variables, assignment expressions, loops, unpacking."""
    finished = run(*(word for patch in patches for word in ("--patch", patch)))
    (line,) = [line for line in finished.out.splitlines() if line.startswith("output")]
    assert output in line


def test_patched_input_has_the_gradient(run):
    """A leaf in the place of a leaf requires grad as well."""
    document = json.loads(run("--patch", "x=[3, 1]", "--json").out)
    assert {"x"} == {each["name"] for each in document["changes"] if each["part"] == "gradient"}
    assert ["patch"] == [each["kind"] for each in document["notices"]]


WRONG = [
    (("--watch", "hh"), "error: `--watch hh`: nothing of that name was given a value"),
    (("--watch", "h + 1"), "error: cannot watch `h + 1`: it is no name"),
    (("--break", "opp == 1"), "error: `opp` in the condition `opp == 1` means nothing"),
    (("--break", "line:99"), "error: `--break line:99`: no statement stands on that line of net.py"),
    (("--patch", "h"), "error: cannot read the patch `h`"),
    (("--patch", "nothing=3"), "error: `--patch nothing`: nothing of that name was given a value"),
    (("--patch", "line 3: y=3"), "error: `line 3: y=3`: `y` is given no value on line 3"),
    (("--patch", 'y="text"'), 'error: `y="text"`: that is no tensor, and `y` is one'),
    (("--patch", "y=[1, [2]]"), "error: `y=[1, [2]]`: that is no tensor, and `y` is one"),
    (("--patch", "y=[1,"), "error: --patch y: cannot read `[1,`: it ends too early"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_impossible_option_is_error(run, options, message):
    """One error, exit code 2."""
    finished = run(*options)
    assert (2, message) == (finished.code, finished.err.splitlines()[0])


def test_a_saved_record_is_not_run(run, dyncli):
    """Nothing runs, so nothing can be looked at."""
    run("--save", "run.dyn")
    for option, text in (("--watch", "y"), ("--break", "line:3"), ("--patch", "y=1")):
        finished = dyncli("run", "run.dyn", option, text)
        assert (2, True) == (finished.code, f"a saved record, and `{option}` needs a run" in finished.err)


def test_results_are_equal_while_watched(tmp_path, dyncli):
    """A script with everything in it prints the same, watched or not."""
    (tmp_path / "all.py").write_text(
        '"""Doc."""\n'
        "from __future__ import annotations\n"
        "import contextlib\n"
        "class A:\n    'doc'\n    h = 1\n    def f(self, h, /, *rest, k=2, **more):\n        'doc'\n"
        "        self.h = h\n        with contextlib.suppress(ValueError) as h:\n            raise ValueError\n"
        "        try:\n            raise KeyError(k)\n        except KeyError as h:\n            print(h, h.args)\n"
        "        match rest:\n            case [h, *_] if h:\n                print(h)\n"
        "        global g\n        g = k\n"
        "        del k\n        return [h for h in rest if h], (lambda h: h)(3), sorted(locals())\n"
        "g = 0\nprint(A.__doc__, A.f.__doc__, __doc__, sorted(map(str, A().f(1, 2, 3, z=4))), g)\n"
        "async def h():\n    return 1\n"
        "for h in 'ab':\n    continue\nelse:\n    h = None\nprint(h, sorted(n for n in dir() if n[0] != '_'))\n"
    )
    plain = dyncli("run", "all.py", "--show", "outputs")
    watched = dyncli("run", "all.py", "--show", "outputs", "--watch", "h", "--watch", "self.h", "--watch", "k")
    kept = [line for line in watched.out.splitlines() if not line.startswith("watch ")]
    assert (0, plain.out.splitlines()) == (watched.code, kept), watched.err
    assert "watch all.py:7 h = 1" in watched.out and "h = None  was 'b'" in watched.out


def test_watch_variable_of_closure_is_one_in_both_functions(tmp_path, dyncli):
    """What an inner function writes is no new value where the outer one goes on."""
    (tmp_path / "count.py").write_text(
        "def forward(x):\n    total = 0\n    def add(n):\n        nonlocal total\n        total = total + n\n"
        "    add(1)\n    y = x * 2\n    add(0)\n    return y\n"
    )
    out = dyncli("run", "count.py", "-i", "[1.0]", "--watch", "total").out
    assert ["watch count.py:2 total = 0", "watch count.py:5 total = 1  was 0"] == [
        line for line in out.splitlines() if line.startswith("watch")
    ]


PART = """\
def halves(x):
    pair = (x, 2)
    total = pair[0] / pair[1]
    return total
"""
WHOLE = """\
import dyncore as torch
from part import halves

class Slotted:
    __slots__ = ("kept",)

held = Slotted()
for step in range(2):
    held.kept = torch.ones(2) * step
many = list(range(9))
nested = {"a": [1, (2, [3, [4]])]}
text = "z" * 99
deep = [[[[5]]]]
flags = [True, (1.5, None)]

def forward(x):
    best, where = x.max(dim=0)
    for k in range(53):
        y = x * k
    z = torch.cat([x, y])
    deep[0][0][0][0] = z
    flags[1] = flags[1][0], held
    return halves(x) * z.sum()

forward(torch.tensor([0.5, 2.0]))
"""


@pytest.fixture
def whole(tmp_path, dyncli):
    """Runs a script of two files with more options."""
    (tmp_path / "part.py").write_text(PART)
    (tmp_path / "whole.py").write_text(WHOLE)
    return lambda *more, stdin=b"": dyncli("run", "whole.py", "--show", "outputs", *more, stdin=stdin)


def test_look_at_containers_slots_and_lists_of_tensors(whole):
    """Short ones are shown whole; what changes deep inside is the same to those who watch."""
    names = ("held.kept", "many", "nested", "text", "deep", "flags")
    stops = ('op == "max"', 'op == "cat" and inputs[0].shape == (2,)', "iteration == 1 and line == 9", "part.py:3")
    watches = (word for name in names for word in ("--watch", name))
    breaks = (word for stop in stops for word in ("--break", stop))
    finished = whole(*watches, *breaks, "--patch", " part.py : 2: pair=[1, 2]")
    assert (0, "") == (finished.code, finished.err)
    assert [
        "watch whole.py:9 held.kept = [0, 0]",
        "stop whole.py:9 in <module> after ones: iteration == 1 and line == 9",
        "  out = [1, 1]",
        "stop whole.py:9 in <module> after mul: iteration == 1 and line == 9",
        "  inputs[0] = [1, 1]",
        "  out = [1, 1]",
        "watch whole.py:9 held.kept = [1, 1]  was [0, 0]",
        "watch whole.py:10 many = list of 9",
        "watch whole.py:11 nested = dict of 1",
        f"watch whole.py:12 text = '{'z' * 78}…",
        "watch whole.py:13 deep = [[[list of 1]]]",
        "watch whole.py:14 flags = [True, (1.5, None)]",
        'stop whole.py:17 in forward after max: op == "max"',
        "  inputs[0] = [0.5, 2]",
        "  out[0] = 2",
        "  out[1] = 1",
        'stop whole.py:20 in forward after cat: op == "cat" and inputs[0].shape == (2,)',
        "  inputs[0] = [0.5, 2]",
        "  inputs[1] = [26, 104]",
        "  out = [0.5, 2, 26, 104]",
        "watch whole.py:22 flags = [True, (1.5, <Slotted>)]  was [True, (1.5, None)]",
        "stop part.py:3 in halves: part.py:3",
    ] == finished.out.splitlines()[:22]


def test_stops_without_a_terminal_are_told_of_up_to_a_number(whole):
    """A loop does not fill the terminal."""
    lines = whole("--break", "line:19").out.splitlines()
    assert ["stop whole.py:19 in forward: line:19"] * 50 == lines[:50]
    assert "stop … and more, of which nothing is said" == lines[50] and not lines[51].startswith("stop")


def test_step_comes_to_a_stop_only_once(whole):
    """Stop once at a line that stepping came to; `until` and the debugger's own stops work as ever."""
    lines = ("--break", "line:17", "--break", "line:18", "--break", "20")
    out = whole(*lines, stdin="n\np k if 'k' in locals() else 'none'\ntbreak 19\nc\nunt 20\nc\n").out
    assert [
        "stop whole.py:17 in forward: line:17",
        "-> best, where = x.max(dim=0)",
        "-> for k in range(53):",
        "(dyncli) 'none'",
        "-> y = x * k",
        "-> z = torch.cat([x, y])",
    ] == [line for line in out.splitlines() if line.startswith(("stop", "->", "(dyncli) '"))]
