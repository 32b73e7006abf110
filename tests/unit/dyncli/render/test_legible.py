"""What is written into a picture: few enough words, legible, and each mark explained."""

from __future__ import annotations

import re
from pathlib import Path

from dyncli.analysis.graph import GraphOptions, build
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.render.graph import dot, svg
from dyncli.render.graph.carried import MOST_CARRIED
from dyncli.render.graph.wrapping import wrapped
from tests.runs import lines, recorded

STACK = """\
import dyncore as torch


def forward(x):
    for word in ["one", "two", "add", "mul", "neg", "max"]:
        if word == "one":
            x = x + 1
        elif word == "two":
            x = x - 2
        elif word == "add":
            x = x + x
        elif word == "mul":
            x = x * x
        elif word == "neg":
            x = -x
        else:
            x = x.exp()
    return x
"""
BOUNCES = """\
import dyncore as torch


def forward(p):
    a, b, c, d, v = p, p, p, p, p * 0
    for step in range(9):
        v = v - 1
        a, b, c, d = b + v, c + a, d + b, a + c
        if step % 4 == 3:
            v = -v
            a, b = b * 2, a * 3
    return (a + b + c + d).sum()
"""


def test_no_letters_without_boxes(tmp_path: Path) -> None:
    """A loop with too many kinds of step is drawn as one body and says how many there were."""
    graph = build(recorded(tmp_path, STACK, "1.0"))
    box = next(box for box in graph.boxes if box.kind == "loop")
    assert "line 5 · x 6 · 6 kinds of step" == box.rest.partition(" · ")[2]


def test_many_arrows_into_later_steps_are_words(tmp_path: Path) -> None:
    """Drawn, they would hide what they cross; each op says where its value comes from in later steps."""
    graph = build(recorded(tmp_path, BOUNCES, "[1, 2]"))
    carried = [edge for edge in graph.edges if edge.kind == "carried" and edge.source != edge.target]
    assert len(carried) > MOST_CARRIED
    text = dot.drawn(graph)
    assert not [edge for edge in carried if f'{edge.source} -> {edge.target} [color="#ea580c"' in text]
    assert text.count("later from ") == len({edge.target for edge in carried})


def test_of_several_outputs_the_first_is_shown(tmp_path: Path) -> None:
    """And the node says that there are more."""
    source = "def forward(x):\n    a, b, c = x.unbind(0)\n    return a * b + c\n"
    ops = lines(build(recorded(tmp_path, source, "[[1, 2], [3, 4], [5, 6]]")), "op")
    assert ["float32 [2] · [1, 2]", "line 2 · the first of 3 outputs"] == ops["unbind"]


def test_nothing_but_nan_is_counted(tmp_path: Path) -> None:
    """A large tensor without one number has no range."""
    source = "def forward(x):\n    return (x.log() * 2).sum()\n"
    ops = lines(build(recorded(tmp_path, source, "[-1, -2, -3, -4, -5, -6, -7]")), "op")
    assert "float32 [7] · 7 NaN" == ops["mul"][0]


def test_wide_values_become_ranges(tmp_path: Path) -> None:
    """A folded op with long vectors says from where to where they went, never half a number."""
    source = "def forward(x):\n    for _ in range(3):\n        x = x / 3.1\n    return x\n"
    record = recorded(tmp_path, source, "[1.23456, 2.34567, 3.45678]")
    assert ["float32 [3] · 0.398 to 1.12 … 0.0414 to 0.116", "line 3 · x3"] == lines(build(record), "op")["div"]


def test_every_text_stands_out_from_what_is_behind_it() -> None:
    """As far as WCAG asks of small text, what was not taken too: it is greyed, and still to be read."""

    def light(color: str) -> float:
        parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(text: str, back: str) -> float:
        lights = sorted((light(text), light(back)))
        return (lights[1] + 0.05) / (lights[0] + 0.05)

    written = [(tone, color, fill) for tone, color in dot.TONES.items() for fill, _ in dot.NODES.values()]
    written += [(kind, text, back) for kind, (_, text, back) in dot.BOXES.items()]
    written += [(kind, style["fontcolor"], "#ffffff") for kind, style in dot.EDGES.items() if "fontcolor" in style]
    assert [] == [each for each in written if contrast(*each[1:]) < 4.5]


def test_the_words_of_a_test_stand_inside_its_diamond(tmp_path: Path) -> None:
    """Also two lines, of which the second is the longer."""
    record = recorded(tmp_path, "def forward(x):\n    if x.sum() > 0:\n        x = x * 2\n    return x\n", "[1, 2]")
    picture = svg.render(record)
    diamond = picture.partition('fill="#fef3c7"')[2].partition("</g>")[0]
    corners = [
        tuple(map(float, point.split(","))) for point in diamond.partition('points="')[2].partition('"')[0].split()
    ]
    middle = sum(y for _, y in corners[:4]) / 4
    half_width = (max(x for x, _ in corners) - min(x for x, _ in corners)) / 2
    half_height = (max(y for _, y in corners) - min(y for _, y in corners)) / 2
    lowest = max(float(y) for y in re.findall(r'<text [^>]*y="([-0-9.]+)"', diamond))
    room = 2 * half_width * (1 - (lowest + 2 - middle) / half_height)
    assert room > 4.2 * len("line 2 · 3 > 0 · margin 3")


def test_long_gradients_make_no_picture_wide(tmp_path: Path) -> None:
    """On a node they are broken like values, on an edge a range stands for them."""
    given = str([n / 7 for n in range(1, 25)])
    (tmp_path / "net.py").write_text("def forward(x):\n    return x.sin().exp()\n")
    (record,) = record_model(Request(str(tmp_path / "net.py"), (given,), edges=True))
    graph = build(record, GraphOptions(grads=True, values=True))
    assert all(len(edge.gradient) < 40 for edge in graph.edges) and any(edge.gradient for edge in graph.edges)
    lines = re.findall(r">([^<]*)</font>", dot.drawn(graph).replace("&#183;", "·"))
    assert any(line.startswith("grad [") for line in lines) and max(map(len, lines)) < 80


def test_the_arrow_of_a_test_that_no_op_decided_is_explained_too(tmp_path: Path) -> None:
    """A reader who has the picture alone must know what a dashed arrow means."""
    record = recorded(
        tmp_path, "def forward(x, n: int):\n    if n > 1:\n        x = x * 2\n    return x\n", "x=1", "n=2"
    )
    assert "dashed: went this way" in dot.drawn(build(record))


def test_an_output_that_no_op_made_stands_at_the_end(tmp_path: Path) -> None:
    """A number that is returned beside tensors is drawn beside them, and not above the inputs."""
    picture = svg.drawn(build(recorded(tmp_path, "def forward(x):\n    return x.exp().sum(), 7\n", "[1, 2]")))
    names = ("x", "exp", "output.0", "output.1")
    heights = [float(re.findall(rf'y="(-?[0-9.]+)"[^>]*>{name}<', picture)[0]) for name in names]
    assert heights[1] < min(heights[2:])


def test_no_word_of_a_test_stands_by_itself(tmp_path: Path) -> None:
    """A test too long for one line stands in two of about one length, not in a long one and its last word."""
    source = "def forward(x, limit):\n    while x.sum() > limit and x.max() > limit:\n        x = x - 1\n    return x\n"
    picture = dot.drawn(build(recorded(tmp_path, source, "[3, 2]", "1.0")))
    assert "<b>while</b> x.sum() &gt; limit<br/>and x.max() &gt; limit<br/>" in picture


def test_a_matrix_breaks_between_its_rows(tmp_path: Path) -> None:
    """On a node that is to show its values whole, and on an arrow; a row too long for a line begins on one."""
    source = "def forward(x):\n    return (x.sinh() * x).sum()\n"
    record = recorded(tmp_path, source, "[[0.1234, 0.5678, 0.9123], [0.4567, 0.8912, 0.3456]]", edges=True)
    text = dot.drawn(build(record, GraphOptions(values=True, grads=True)), tall=True)
    rows = ["[[0.1237, 0.5988, 1.044],", "[0.4727, 1.014, 0.3525]]"]
    assert f">{rows[0]}</font><br/><font" in text and f">{rows[1]}</font>" in text
    assert ["[[1, 2, 3],", "[4, 5, 6]]"] == wrapped("[[1, 2, 3], [4, 5, 6]]", 17)
    assert ["[[1, 2],", "[30.25, 40.5,", "50.75]]"] == wrapped("[[1, 2], [30.25, 40.5, 50.75]]", 14)
    assert ["[1, 2, 3,", "4, 5]"] == wrapped("[1, 2, 3, 4, 5]", 9)
