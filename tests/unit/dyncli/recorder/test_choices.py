"""Choices by index: what an op picked, how closely, and what was read, written or run by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dyncli.analysis.choices import choice_rows, load_text, op_text
from dyncli.analysis.diff import diff
from dyncli.records import json as record_json
from dyncli.records.model import Choice, Record, Site
from dyncli.render.reports.diff import render as render_diff
from dyncli.render.reports.run import RunOptions, render
from dyncli.render.reports.tables import plain_text
from tests.runs import recorded

EXPERTS = """\
import dyncore as torch

scores = torch.tensor([[3.0, 1.0, 2.5], [0.0, 4.0, 3.0], [1.0, 5.0, 2.0], [7.0, 6.0, 0.0]])


def forward(x):
    chosen = scores.topk(2, dim=-1)[1]
    total = x * 0
    for expert in range(3):
        rows, _ = torch.where(chosen == expert)
        total = total.index_add(0, rows, x[rows] * expert)
    return total
"""


def choices_of(folder: Path, body: str, *before: str) -> tuple[Record, dict[str, Choice]]:
    """Return a run of some statements on `s`, a vector of 4, and the choices by the name of their op."""
    lines = ["import dyncore as torch", *before, "s = torch.tensor([0.5, 2.0, 1.75, -1.0], requires_grad=True)", body]
    record = recorded(folder, "\n".join([*lines, "(s * 2).sum().backward()", ""]))
    return record, {record.ops[choice.op].name: choice for choice in record.choices}


def test_experts_are_chosen_by_topk(tmp_path: Path) -> None:
    """The pick is followed through comparison and `where`; the masks made of it are no choices of their own."""
    record = recorded(tmp_path, EXPERTS, "[[1.0], [2.0], [3.0], [4.0]]")
    (choice,) = record.choices
    assert ("topk", "index", 3) == (record.ops[choice.op].name, choice.kind, choice.of)
    assert (2, 3, 3) == choice.counts
    assert (0, 2, 1, 2, 1, 2, 0, 1) == choice.picked
    assert choice.margin == pytest.approx(1.0)  # 2 against 1 in the third row
    assert ["getitem", "index_add"] == [record.ops[use].name for use in choice.uses[:2]]
    (row,) = choice_rows(record)
    assert ("0, 2, 1, 2, 1, 2, 0, 1 (of 3)", "1", "line 11: x[rows], index_add") == row[2:5]


def test_runners_up_that_are_cut_off_are_no_load(tmp_path: Path) -> None:
    """Noisy gating takes `topk(k + 1)` for its threshold, and runs the first k experts."""
    source = EXPERTS.replace("scores.topk(2, dim=-1)[1]", "scores.topk(2, dim=-1)[1][:, :1]")
    record = recorded(tmp_path, source, "[[1.0], [2.0], [3.0], [4.0]]")
    (choice,) = record.choices
    assert choice.margin == pytest.approx(0.5)  # 3 against 2.5 in the first row
    assert ((2, 2, 0), (0, 1, 1, 0), 3) == (choice.counts, choice.picked, choice.of)
    assert ["getitem", "index_add"] == [record.ops[use].name for use in choice.uses[:2]]


@pytest.mark.parametrize(
    ("body", "op", "picked", "margin"),
    [
        ("t = s[s.argmax()]", "argmax", (1,), 0.25),
        ("t = s[s.argmin()]", "argmin", (3,), 1.5),
        ("t = s[s.max(0)[1]]", "max", (1,), 0.25),
        ("t = s.gather(0, s.topk(2, largest=False).indices)", "topk", (3, 0), 1.25),
        ("t = [1, 2, 3, 4][s.argmax()]", "argmax", (1,), 0.25),
        ("t = [1, 2, 3, 4][s.argmax().item()]", "argmax", (1,), 0.25),
        ("t = s.view(2, 2)[:, s.view(2, 2).argmax(dim=1)]", "argmax", (1, 0), 1.5),
        ("t = torch.nn.functional.one_hot(s.argmax(), 4).float() * s", "argmax", (1,), 0.25),
        ("t = (torch.arange(4) == s.argmax()).float().view(1, 4).expand(2, 4) @ s", "argmax", (1,), 0.25),
        ("t = s * (1 - torch.nn.functional.one_hot(s.argmax(), 4).float())", "argmax", (1,), 0.25),
        ("t = s[s.argsort(descending=True)]", "argsort", (1, 2, 0, 3), 0.25),
        ("t = s.gather(0, torch.sort(s)[1])", "sort", (3, 0, 2, 1), 0.25),
        ("t = s[torch.bucketize(s.detach(), torch.tensor([0.0, 1.5]))]", "bucketize", (1, 2, 2, 0), 0.25),
        ("t = s[torch.searchsorted(torch.tensor([0.0, 1.5]), s.detach())]", "searchsorted", (1, 2, 2, 0), 0.25),
        ("t = s[(s[:, None] >= torch.tensor([0.0, 1.5])).sum(-1)]", "sum", (1, 2, 2, 0), 0.25),
        ("t = s[torch.min(input=s, dim=0)[1]]", "min", (3,), 1.5),
        ("t = s[s.view(2, 2).topk(2)[1][:, 1:]]", "getitem", (0, 1), None),
        ("t = s[s.view(2, 2).topk(2)[1][:1]]", "topk", (1, 0, 0, 1), None),
        ("t = s[s.view(2, 2).topk(2)[1][:1, :1]]", "topk", (1, 0, 0, 1), None),
        ("t = s[torch.bucketize(s.detach().view(2, 2), torch.tensor([0.0, 1.5]))]", "bucketize", (1, 2, 2, 0), 0.25),
        ("t = s[torch.searchsorted(torch.tensor([0.0, 1.5]), 0.25)]", "searchsorted", (1,), None),
        ("t = s[torch.tensor([0.0, float('nan')]).argsort()]", "argsort", (0, 1), None),
        ("t = s[torch.zeros(1 << 20 | 1).argmax()]", "argmax", (0,), None),
    ],
)
def test_index_has_its_runner_up(tmp_path: Path, body: str, op: str, picked: tuple[int, ...], margin: float) -> None:
    """The margin is the distance of the least picked score from the best one left, the nearest of all rows."""
    _, choices = choices_of(tmp_path, body)
    assert (picked, margin) == (choices[op].picked, choices[op].margin)


@pytest.mark.parametrize(
    "hard",
    [
        "hard - soft.detach() + soft",
        "soft - soft.detach() + hard",
        "(hard - soft).detach() + soft",
        "soft + (hard - soft).detach()",
        "hard + soft - soft.detach()",
        "hard + (soft - soft.detach())",
        "soft - (soft - hard).detach()",
        "hard - soft.data + soft",
        "(hard - soft.detach() + soft).unbind()[1]",
    ],
)
def test_zeros_and_ones_with_the_gradient_of_what_is_soft_choose(tmp_path: Path, hard: str) -> None:
    """A straight-through estimator has the value of the index, whichever way it is written."""
    body = f"hard, soft = torch.nn.functional.one_hot(s.argmax(), 4).float(), s.softmax(0)\nt = ({hard}) * s"
    record, choices = choices_of(tmp_path, body)
    assert ["mul"] == [record.ops[use].name for use in choices["argmax"].uses]


@pytest.mark.parametrize(
    "near",
    [
        "hard + soft",
        "hard - soft + soft * 2",
        "soft - hard - soft",
        "hard - soft + s",
        "hard + 1",
        "torch.sub(hard, soft, alpha=2) + soft",
    ],
)
def test_zeros_and_ones_that_something_else_is_added_to_choose_nothing(tmp_path: Path, near: str) -> None:
    """Only what was taken away comes back."""
    body = f"hard, soft = torch.nn.functional.one_hot(s.argmax(), 4).float(), s.softmax(0)\nt = ({near}) * s"
    record, _ = choices_of(tmp_path, body)
    assert () == record.choices


@pytest.mark.parametrize(
    "body",
    [
        "right = (s.argmax() == 1).item()",
        "right = (s > 0).sum()",
        "label = s.argmax().float() * s",
        "t = s.max()",
        "longest = torch.arange(torch.tensor([1, 30]).max())",
        "least = torch.zeros(4)[torch.tensor([3, 2]).min()]",
        "t = torch.max(s, s * 2)",
        "t = torch.where(torch.arange(4) > 1, s, s * 2)",
        "t = s.masked_fill(torch.tensor([5, 0, 5, 0]) == 0, 0.0)",
        "t = s * (torch.rand(4) > 0.5)",
        "t = s * (s > 0).sum()",
        "t = s[torch.tensor([3, 1]).sort()[1]]",
        "t = s[torch.tensor(3.0).argsort()]",
        "t = s[torch.zeros(0, 3).argmax(1)]",
        "t = s[torch.searchsorted(torch.tensor([0, 2]), torch.tensor([1]))]",
        "t = s[torch.searchsorted(torch.tensor([]), torch.tensor([1.0]))]",
        "t = s[torch.searchsorted(torch.tensor([0.0]), torch.tensor([])).long()]",
        "t = s[torch.bucketize(1.0, torch.tensor([0.0, 1.5]))]",
        "t = s[(s[:, None] > torch.tensor([0.0, 1.5])).sum(-1, dtype=torch.float).long() * 0]",
        "t = s[s.detach().clone().gt_(1).long()]",
        "t = torch.zeros(3, device='meta')[torch.zeros(3, device='meta').argmax()]",
        "lengths = (torch.tensor([[5, 0], [5, 5]]) != 0).sum(1)\nt = s[lengths - 1]",
    ],
)
def test_pick_that_chooses_nothing_is_no_choice(tmp_path: Path, body: str) -> None:
    """An accuracy picks a class; nothing is read or run by it."""
    record, _ = choices_of(tmp_path, body)
    assert () == record.choices


@pytest.mark.parametrize(
    ("body", "op"),
    [("t = s[s > 1.5]", "gt"), ("t = s[(s > 1.5).nonzero()]", "gt"), ("t = s.masked_select(~(s <= 1.5))", "le")],
)
def test_mask_counts_its_elements(tmp_path: Path, body: str, op: str) -> None:
    """A mask has how many elements were False and True, and the value nearest to the threshold."""
    _, choices = choices_of(tmp_path, body)
    choice = choices[op]
    assert ("mask", 4, (2, 2), 0.25) == (choice.kind, choice.of, choice.counts, choice.margin)


@pytest.mark.parametrize(
    ("body", "use"),
    [
        ("t = torch.where(s > 1.5, s, s * 2)", "where"),
        ("t = s.masked_fill(s > 1.5, 0.0)", "masked_fill"),
        ("t = (s > 1.5).float() * s", "mul"),
        ("with torch.no_grad():\n    t = s * 2\n    t = torch.where(t > 3, t, 0.0)", "where"),
    ],
)
def test_mask_of_what_was_learned_chooses_elementwise(tmp_path: Path, body: str, use: str) -> None:
    """An op that takes one of two for each element, or drops some, is an `if` of many elements, under `no_grad` too."""
    record, choices = choices_of(tmp_path, body)
    choice = choices["gt"]
    assert ("mask", (2, 2), [use]) == (choice.kind, choice.counts, [record.ops[use].name for use in choice.uses])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if (s > 1.5).any(): pass", ["any"]),
        ("while ((s > 1.5) & (s < 9)).byte().any(): s = s.detach() / 2", ["any"]),
        ("if not (s > 1.5).all().item(): pass", ["all"]),
        ("assert (s > 1.5).any()", []),
        ("seen = (s > 1.5).any()", []),
    ],
)
def test_mask_that_a_test_asks_for_is_a_choice(tmp_path: Path, body: str, expected: list[str]) -> None:
    """Say how many elements were True, and how closely, where `any` asks; an assertion is no choice."""
    record, _ = choices_of(tmp_path, f"{body}\ns = torch.ones(1, requires_grad=True)")
    found = [choice for choice in record.choices if record.ops[choice.op].name == "gt"]
    assert expected == [record.ops[use].name for choice in found[:1] for use in choice.uses]
    assert len(choice_rows(record)) <= 2  # one of each comparison, whichever step of the loop made it


def test_mask_of_two_comparisons_has_both(tmp_path: Path) -> None:
    """Each comparison that a mask is made of decided, and has its own elements and margin."""
    _, choices = choices_of(tmp_path, "t = s[~((s < 0) | (s > 1.9))]")
    assert ((3, 1), 0.5) == (choices["lt"].counts, choices["lt"].margin)
    assert ((3, 1), pytest.approx(0.1)) == (choices["gt"].counts, choices["gt"].margin)


def test_mask_of_many_comparisons_has_the_last_of_them(tmp_path: Path) -> None:
    """A mask that grows in a loop does not grow without end."""
    body = "mask = s > 9\nfor k in range(5):\n    mask = mask | (s > k)\nt = s[mask]"
    record = choices_of(tmp_path, body)[0]
    used = [record.ops[choice.op].args for choice in record.choices if choice.uses]
    assert ["1", "2", "3", "4"] == used


def test_mask_has_no_margin_from_an_element_to_itself(tmp_path: Path) -> None:
    """Sampling keeps the two best scores; the second is the threshold, and the next lies 0.25 above it."""
    _, choices = choices_of(tmp_path, "v, _ = s.topk(2)\nt = s[s < v[-1]]")
    assert ((2, 2), 0.25) == (choices["lt"].counts, choices["lt"].margin)


def test_sizes_of_split_come_from_the_indexes(tmp_path: Path) -> None:
    """`split(sizes.tolist())` is used by the pick that `bincount` counted."""
    body = "i = s.view(2, 2).argmax(dim=1)\nparts = s.split((torch.bincount(i, minlength=2) * 2).tolist())"
    record, choices = choices_of(tmp_path, body)
    assert ["split"] == [record.ops[use].name for use in choices["argmax"].uses]


def test_draw_has_its_probability(tmp_path: Path) -> None:
    """A draw is a choice even where nothing uses it."""
    body = "t = torch.distributions.Categorical(logits=torch.tensor([0.0, 50.0])).sample()"
    record, choices = choices_of(tmp_path, body)
    choice = choices["multinomial"]
    assert ("sample", (1,), (0, 1), None) == (choice.kind, choice.picked, choice.counts, choice.left)
    assert [1.0] == pytest.approx(choice.probabilities)
    assert ("p 1", "rng") == (choice_rows(record)[0].margin, choice_rows(record)[0].origin)


def test_draw_by_keyword_has_its_probability(tmp_path: Path) -> None:
    """Weights and chances that are given by name are read as those given by position."""
    body = (
        "p = torch.tensor([0.0, 1.0])\nmany = torch.multinomial(input=p, num_samples=1)\n"
        "flips = torch.bernoulli(p, p=0.25)\nother = torch.bernoulli(input=p)"
    )
    record, _ = choices_of(tmp_path, body, "torch.manual_seed(0)")
    assert ["p 1", "p 0.75", "p 1"] == [row.margin for row in choice_rows(record)]
    assert [(1,), (1,), (1,)] == [record.ops[choice.op].inputs for choice in record.choices]


def test_bernoulli_draw_has_its_probability_and_use(tmp_path: Path) -> None:
    """A one has the probability of its input, a zero what is left; `log_prob` does not hide where the draw leaves."""
    body = (
        "d = torch.distributions.Bernoulli(probs=torch.tensor([1.0, 0.0]))\nt = d.sample()\n"
        "d.log_prob(t)\nk = int(t[0].item())"
    )
    _, choices = choices_of(tmp_path, body)
    choice = choices["bernoulli"]
    assert ("sample", 2, (1, 0), (1, 1), (1.0, 1.0)) == (
        choice.kind, choice.of, choice.picked, choice.counts, choice.probabilities,
    )  # fmt: skip
    assert choice.left is not None
    assert choice.left.text == "t[0].item()"


def test_index_made_of_a_mask_and_a_draw_comes_from_the_draw(tmp_path: Path) -> None:
    """The step at which each of several halts: the mask of those that had not yet is all of them at first."""
    body = (
        "halted = torch.zeros(4, dtype=torch.long)\n"
        "for n in (1, 2):\n"
        "    draw = torch.bernoulli(torch.full((4,), 0.5)).to(torch.long)\n"
        "    halted = torch.maximum(n * (halted == 0) * draw, halted)\n"
        "s = s[halted]"
    )
    record, _ = choices_of(tmp_path, body, "torch.manual_seed(0)")
    assert ["bernoulli", "bernoulli"] == [record.ops[choice.op].name for choice in record.choices]
    assert ["getitem"] == [record.ops[use].name for choice in record.choices for use in choice.uses]


def test_list_of_indexes_leaves_for_python(tmp_path: Path) -> None:
    """Take as a choice, like that of one number, what picks by the numbers of a list, as the words of a sentence."""
    record, choices = choices_of(tmp_path, "t = ['abcd'[i] for i in s.view(2, 2).argmax(dim=1).tolist()]")
    left = choices["argmax"].left
    assert left is not None and left.text.endswith("tolist()")
    assert "line 3: ….tolist()" == choice_rows(record)[0].use


def test_choice_does_not_change_the_run(tmp_path: Path) -> None:
    """Scores with NaN or without a finite runner-up have no margin, and warn of nothing."""
    _, choices = choices_of(tmp_path, "t = s[torch.tensor([float('nan'), 1.0]).argmax()]")
    assert choices["argmax"].margin is None
    _, choices = choices_of(tmp_path, "t = s[torch.tensor([float('-inf'), 1.0]).argmax()]")
    assert choices["argmax"].margin is None


def test_table_shows_load_margin_and_use(tmp_path: Path) -> None:
    """One row for each place; more than 8 picks are counted by index."""
    source = EXPERTS.replace("[7.0, 6.0, 0.0]]", "[7.0, 6.0, 0.0], [9.0, 1.0, 8.0]]")
    record = recorded(tmp_path, source, "[[1.0], [2.0], [3.0], [4.0], [5.0]]")
    text = plain_text(render(record, RunOptions(show=("decisions",))), 100)
    assert "0: 3, 1: 3, 2: 4" in text
    assert "line 11: x[rows], index_add" in text
    assert "Choices" not in plain_text(render(record, RunOptions(show=("gradients",))), 100)


def test_table_of_many_choices_has_few_lines_for_each(tmp_path: Path) -> None:
    """Long cells are cut, so that the table fits a screen; `--full` shows them whole."""
    lines = [f"    y = y + x[torch.arange(9), x.topk(k=1, dim=1, sorted=True)[1][:, 0] + 0 * {n}]" for n in range(9)]
    body = "\n".join(["import dyncore as torch", "def forward(x):", "    y = 0", *lines, "    return y"])
    record = recorded(tmp_path, body, str([[float(i * j % 7) for i in range(9)] for j in range(9)]))
    short, full = (plain_text(render(record, RunOptions(show=("decisions",), full=full)), 60) for full in (False, True))
    table, _, rest = short.partition("Choices by index")[2].partition("1 more choice: ")
    assert rest and 3 * 8 + 3 >= table.count("\n")
    assert "sorted=True" in full and "more choice" not in full


def test_each_of_a_few_modules_has_its_row(tmp_path: Path) -> None:
    """Two layers of experts have a load each."""
    source = """\
import dyncore as torch
from dyncore import nn


class Layer(nn.Module):
    def __init__(self, sign):
        super().__init__()
        self.sign = sign

    def forward(self, x):
        return x[(x * self.sign).argmax(dim=0)] * 2


first, second = Layer(1), Layer(-1)


def forward(x):
    return first(x) + second(x)
"""
    rows = choice_rows(recorded(tmp_path, source, "[[1.0, 5.0], [2.0, 3.0], [3.0, 4.0]]"))
    assert [("first", "2, 0 (of 3)"), ("second", "0, 1 (of 3)")] == [(row.module, row.picked) for row in rows]


def test_many_indexes_are_counted_though_few_are_kept(tmp_path: Path) -> None:
    """More than 256 candidates are not counted one by one, and those of an order come once each."""
    body = (
        "x = torch.arange(12000.0).view(40, 300)\nt = x[:, x.argmax(1)].sum() + x[:, :40][x[:, :40].argsort(0)].sum()"
    )
    record, _ = choices_of(tmp_path, body)
    assert ["40 (of 300)", "40 orders of 40"] == [row.picked for row in choice_rows(record)]


def test_load_of_many_names_the_most_frequent() -> None:
    """Past 8 candidates the rest is counted together."""
    assert "0: 9, 9: 8, 1: 2, 2: 1, 3: 1, 1 more: 1, never: 4 of 10" == load_text([9, 2, 1, 1, 1, 0, 0, 0, 0, 8])


def test_runs_that_pick_otherwise_differ(tmp_path: Path) -> None:
    """Two runs with the same decisions and other picks say where the picks differ first, with both margins."""
    source = "import dyncore as torch\n\ndef forward(x):\n    best = x.argmax()\n    return x[best] * 2\n"
    a, b = recorded(tmp_path, source, "[1.0, 3.0, 2.0]"), recorded(tmp_path, source, "[1.0, 3.0, 3.5]")
    found = diff(a, b)
    assert [(0, 0)] == [*found.choices]
    assert (0, 1) == (found.counts["choices"].same, found.counts["choices"].differ)
    text = plain_text(render_diff(found), 100)
    assert "they pick otherwise at line 4: x.argmax()" in text
    assert "1 (of 3) margin 1" in text
    assert "2 (of 3) margin 0.5" in text
    assert () == diff(a, a).choices


def test_records_keep_choices_and_older_ones_have_none(tmp_path: Path) -> None:
    """A file without the class is read; one with it comes back as it was."""
    record = recorded(tmp_path, EXPERTS, "[[1.0], [2.0], [3.0], [4.0]]")
    data = record_json.dump(record)
    assert record.choices == record_json.parse(data).choices
    document = json.loads(data)
    del document["choices"], document["fields"]["Choice"]
    assert () == record_json.parse(json.dumps(document).encode()).choices


def test_every_pick_of_a_line_is_counted_if_one_of_them_was_used(tmp_path: Path) -> None:
    """Drafted tokens are put together before they index: the line that drew them ran three times, not once."""
    record, _ = choices_of(
        tmp_path,
        "drafts = [(s * scale).argmax(-1).reshape(1) for scale in (1.0, -1.0, 2.0)]\ns[torch.cat(drafts)]",
    )
    (row,) = choice_rows(record)
    assert ("1, 3, 1 (of 4)", 3) == (row.picked, len(row.choices))


def test_long_source_of_a_choice_ends_with_the_method_that_picks() -> None:
    """The folding cell has a space to break at; longer arguments of the method are cut."""
    site = Site("0" * 12, "net.py", 1, 0, 1, 9, "op", "torch.tensor([score(item) for item in beam]).topk(width)", "f")
    assert "tensor([score(item) for i… .topk(width)" == op_text(site, 39)
    assert "tensor([score(item) for item in beam]).topk(width)" == op_text(site)
    assert "tensor([scor… .topk(…)" == op_text(site, 22)
    assert "scores.argsort(…)" == op_text(site._replace(text="scores.argsort(descending=True)"), 28)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F.max_pool2d(x[:, 3:4], kernel_size=3, stride=1, padding=1) > 0.1", "max_pool2d(x[:, 3:4], kernel_s… > 0.1"),
        ("state.memory[row, column + 1] != other.max(dim=1)", "state.memory[row, column + 1] != oth…"),
        ("x.sum(1) >= self.thresholds[self.layer_of_the_model]", "x.sum(1) >= self.thresholds[self.lay…"),
        ("softly(first_of_all_scores > 0.5, rest_of_them)", "softly(first_of_all_scores > 0.5, re…"),
    ],
)
def test_long_comparison_of_a_choice_ends_with_what_it_is_compared_with(text: str, expected: str) -> None:
    """The threshold says more than the arguments of what is compared, unless it takes much of the cell."""
    assert expected == op_text(Site("0" * 12, "net.py", 1, 0, 1, 9, "op", text, "f"), 37)
