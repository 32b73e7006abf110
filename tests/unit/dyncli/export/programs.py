"""Random models for `dyncli export`: nested `if`, `while`, `for`, `break`, numbers of Python, shapes, writes in place.

`python -m tests.unit.dyncli.export.programs 0 400` exports the programs of these seeds and counts how they come out.
"""

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from dyncli.errors import DyncliError
from dyncli.export.build import build
from dyncli.export.engine import NotRecorded
from dyncli.export.ops import Refusal
from dyncli.export.runs import Case, Subject
from dyncli.export.verify import Session, differences, rounding_decides, with_arrays


class Writer:
    """Writes one program: statements that use the names that are surely bound."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.tensors = ["a", "b"]
        self.numbers = ["v"]  # floats that come from tensors
        self.counters = ["k"]
        self.loops = 0
        self.count = 0
        self.lists = self.random.random() < 0.3
        self.sized = self.random.random() < 0.5  # `m` and `r` have as many elements as data decide
        self.flags = self.random.random() < 0.3
        results = ["a", "a + b", "(a, k)", "a + v", "(a, b.sum())", "(a * k, v)", "(a, n)"]
        results += ["(a, m)", "(a, m.numel())"] * self.sized + ["(a, found)", "a * 2 if found else a"] * self.flags
        self.result = self.pick(*results)
        self.helper = self.random.random() < 0.4

    def pick(self, *choices):
        """One of these."""
        return self.random.choice(choices)

    def text(self) -> str:
        """The program."""
        self.lines = ["import math", "import torch", ""]
        if self.helper:
            self.lines += ["def helper(t, w, d=3):", *self.pick(*HELPERS), ""]
        self.lines += ["def forward(x):", "    a = x * 1.0", "    b = torch.tanh(x)", "    v = x.mean().item()"]
        self.lines += ["    n = x.shape[0]", "    k = 0"] + ["    items = [a]"] * self.lists
        self.lines += ["    m, r = x[x > 0.2], torch.where(x < 0.5)[0]"] * self.sized
        self.lines += ["    found = False"] * self.flags
        self.block(1, self.random.randint(3, 6), inside=0)
        if self.lists:
            self.lines.append(
                f"    a = a + {self.pick('sum(items) * 0.25', 'torch.stack(items).mean(0)', 'items[-1]')}"
            )
        self.lines.append(f"    return {self.result}")
        return "\n".join(self.lines) + "\n"

    def put(self, depth: int, text: str) -> None:
        """Add a line."""
        self.lines.append("    " * depth + text)

    def constant(self) -> str:
        """A number with two digits."""
        return str(round(self.random.uniform(-1.5, 1.5), 2))

    def number(self) -> str:
        """A Python number."""
        v, k = self.pick(*self.numbers), self.pick(*self.counters)
        t = self.pick(*self.tensors)
        choices = [
            v, k, "n", self.constant(), f"{v} * {self.constant()}", f"({v} + {k})", f"math.tanh({v})", f"abs({v})",
            f"{t}.mean().item()", f"float({t}[0])", f"({k} + 1) / n", f"min({v}, 0.5)", f"max({k}, 2)",
            f"math.exp(-abs({v}))", f"({v} if {v} > {self.constant()} else {self.constant()})", f"int({v} * 3)",
            f"{k} % 3", f"round({v}, 1)", f"{v} / (1 + abs({v}))", f"n * {self.constant()}", f"{t}.argmax().item()",
            f"n // 2 - {k}", f"{t}.numel()", f"int({t}.argmin())", f"min({t}.max().item(), {v})",
            f"{t}[{k} % n].item()", f"(n - {k}) // 2", f"max({t}[-1].item(), {v}, {self.constant()})",
            f"sum(e.item() for e in {t})", f"-{v} // 0.5",
        ]  # fmt: skip
        return self.pick(*choices, *[self.size()] * (6 * self.sized), *["len(items)"] * self.lists)

    def size(self) -> str:
        """A number of elements that data decide."""
        t, c = self.pick(*self.tensors), self.constant()
        return self.pick(
            "m.numel()", "len(m)", "m.shape[0]", "m.size(0)", "r.numel()", "len(r)", "r.shape[0] // 2",
            f"int(({t} > {c}).sum())", f"({t} > {c}).sum().item()", f"{t}[{t} > {c}].numel()",
            f"torch.nonzero({t} > {c}).shape[0]", "m.numel() / n", "n - len(m)", "(m.numel() + 1) % 3",
        )  # fmt: skip

    def tensor(self) -> str:
        """A vector as long as the input."""
        s, t = self.pick(*self.tensors), self.pick(*self.tensors)
        k = self.pick(*self.counters)
        choices = [
            s, f"{s} + {t}", f"{s} * {self.constant()}", f"torch.tanh({s})", f"torch.relu({s}) - 0.5",
            f"{s} - {t}.mean()", f"torch.tanh({s} * {self.number()})", f"{s} + {self.number()}", f"{s}.clone()",
            f"torch.maximum({s}, {t})", f"{s} * 0.5 + {t} * 0.5", f"torch.where({s} > {t}, {s}, {t} * 0.5)",
            f"{s}.flip(0)", f"{s} - {t}[0]", f"torch.cat([{s}[1:], {t}[:1]])", f"{s} / ({t}.abs().sum() + 1)",
            f"torch.sort({s})[0]", f"{s}.softmax(0)", f"{s} + torch.arange(n) * 0.1", f"torch.zeros_like({s}) + {t}",
            f"torch.full_like({s}, {self.number()})", f"torch.ones(n) * {s}",
            f"torch.tanh({s} @ torch.outer({t}, {t}))",
            f"torch.stack([{s}, {t}]).mean(0)", f"{s}[torch.argsort({t})]", f"{s} * ({t}[-1] > 0)",
            f"[torch.tanh, torch.relu][{k} % 2]({s})", f"({s} if {self.condition(0)} else {t} * 0.5)",
            f"{s} + {t}[{k}:].sum()", f"{s} + {t}[: {k} + 1].mean()", f"{s} + {t}[n // 2 :].sum() * 0.2",
            f"{s}.view(n, 1)[:, 0]", f"{s} + {t}[:2].repeat(n).sum() * 0.1", f"{s}.topk(n)[0]",
            f"{s} + {t}.expand({k} + 1, n).sum(0) * 0.1", f"{s} + torch.zeros({k} + 1).sum()",
            f"{s} + {t}.chunk(2)[0].sum()", f"{s} + {t}.split(2)[0].mean()", f"{s} + {t}.unbind(0)[1]",
            f"{s}.cumsum(0) * 0.3", f"torch.roll({s}, 1)", f"{s}.reshape(n, 1).sum(1)", f"{s} - {t}.median()",
        ]  # fmt: skip
        if self.helper:
            choices += [f"helper({s}, {self.number()})"] * 3
        if self.sized:
            choices += self.of_sized(s, t)
        if self.lists:
            choices += ["items[-1]", "torch.stack(items).sum(0) * 0.3", "sum([e * 0.5 for e in items])"]
        return self.pick(*choices)

    def of_sized(self, s: str, t: str) -> list[str]:
        """Vectors made of those whose size data decide."""
        return [
            f"{s} + m.sum()", f"{s} * 0.3 * m.numel()", f"{s}.index_add(0, r, {t}[r] * 0.5)", f"{s} - m.mean()",
            f"{s} + torch.ones_like(m).sum() * 0.1", f"{s} + torch.arange(len(r)).sum() * 0.1",
            f"{s} + (m.max() if m.numel() > 0 else 0)", f"{s} - torch.zeros(m.numel()).sum()",
            f"{s} + (m * torch.arange(m.numel())).sum() * 0.1", f"{s} + torch.cat([m, {t}]).std()",
            f"{s} + {t}[r].sum()", f"{s} + {t}[: len(m)].sum()", f"{s} + m[len(m) // 2 :].sum()",
            f"{s} + m.view(len(m), 1).sum()", f"{s} + {t}[len(r) :].mean()", f"{s} + torch.full((len(m),), 0.5).sum()",
            f"{s} + m.flip(0)[:1].sum()",
            f"{s} + torch.cat([m, m.new_zeros(1)])[0]", f"{s}.scatter(0, r, 0.5)", f"{s} + m.reshape(-1, 1).sum()",
        ]  # fmt: skip

    def condition(self, depth: int = 1) -> str:
        """A test."""
        t, s, k = self.pick(*self.tensors), self.pick(*self.tensors), self.pick(*self.counters)
        c, v = self.constant(), self.pick(*self.numbers)
        small = self.random.randint(0, 3)
        choices = [
            f"{t}.sum() > {c}", f"{t}.mean().item() > {c}", f"{v} > {c}", f"{t}[0] > {s}[1]",
            f"{k} > {small}", f"n > {self.random.randint(3, 6)}", f"{t}.max() < {c}",
            f"{t}.argmax() == {small % 3}", f"-0.5 < {v} <= {c}", f"{k} in (1, 3)",
            f"{t}.norm() > {self.random.randint(1, 3)}", f"{k} == {small % 3}", f"{t}.sum().item()",
            f"bool(({t} > {c}).any())", f"torch.all({t} > -1.5)", f"any(e > {c} for e in {t})", f"{k} >= n // 2",
        ]  # fmt: skip
        if depth:
            choices += [f"{self.number()} < {self.number()}"] * 2
        if self.sized:
            choices += ["m.numel() == 0", f"len(r) > {small}", "m.shape[0] > n // 2", f"m.numel() < {k} + 2", "len(m)"]
        if self.flags:
            choices += ["found", "not found"]
        simple = self.pick(*choices)
        if depth and self.random.random() < 0.2:
            return f"{simple} {self.pick('and', 'or')} {self.condition(0)}"
        return f"not ({simple})" if self.random.random() < 0.1 else simple

    def block(self, depth: int, length: int, *, inside: int) -> None:
        """Add statements; inside: how many loops are around.  Counters that begin in here are unknown behind it."""
        known = list(self.counters), list(self.numbers)
        for _ in range(length):
            self.statement(depth, inside)
        self.counters, self.numbers = known

    def statement(self, depth: int, inside: int) -> None:
        """Add one statement."""
        kinds = ["assign"] * 4 + ["number"] * 2 + ["count", "write", "augmented", "swap"]
        if depth < 4:
            kinds += ["if"] * 3 + ["while", "while", "for", "for"]
        if inside:
            kinds += ["break", "continue"]
        if depth > 1:
            kinds += ["return"] if self.random.random() < 0.3 else []
        kinds += ["append"] * self.lists + ["kept", "kept"] * self.sized + ["flag"] * self.flags
        getattr(self, f"put_{self.pick(*kinds)}")(depth, inside)

    def put_assign(self, depth: int, inside: int) -> None:
        """A tensor."""
        self.put(depth, f"{self.pick(*self.tensors)} = {self.tensor()}")

    def put_number(self, depth: int, inside: int) -> None:
        """A float."""
        self.put(depth, f"{self.pick(*self.numbers)} = {self.number()}")

    def put_count(self, depth: int, inside: int) -> None:
        """A counter."""
        change = self.size() if self.sized and self.random.random() < 0.3 else self.random.randint(1, 2)
        self.put(depth, f"{self.pick(*self.counters)} += {change}")

    def put_swap(self, depth: int, inside: int) -> None:
        """Two names at once."""
        self.put(depth, self.pick("a, b = b, a", f"a, v = a * 0.5, {self.number()}", "b, a = a - b, b"))

    def put_flag(self, depth: int, inside: int) -> None:
        """A boolean of Python."""
        self.put(depth, f"found = {self.pick('True', 'True', 'not found', f'bool({self.condition(0)})')}")

    def put_kept(self, depth: int, inside: int) -> None:
        """A vector whose size data decide."""
        t, s, c = self.pick("a", "b"), self.pick("a", "b"), self.constant()
        self.put(
            depth,
            self.pick(
                f"m = {t}[{t} > {c}]", f"m = torch.masked_select({t}, {s} < {c})", f"r = torch.where({t} > {c})[0]",
                f"r = torch.nonzero({t} > {c}).flatten()", f"m = {t}[r]", "m = m * 0.5", f"m = torch.cat([m, {t}])",
                f"m = m[m < {c}]", "m = torch.ones_like(m)", "m = m - m.mean()", "m = m[1:]",
                f"({self.pick('r')},) = torch.where({t} < {s})", f"m = {t}[torch.where({t} > {c})[0]] + 1",
            ),
        )  # fmt: skip

    def put_augmented(self, depth: int, inside: int) -> None:
        """`+=` and the like, which write into a tensor."""
        self.put(depth, f"{self.pick('a', 'b')} {self.pick('+=', '*=', '-=')} {self.pick(self.number(), '0.5', 'x')}")

    def put_write(self, depth: int, inside: int) -> None:
        """A write into a tensor or a view of it."""
        t, s = self.pick("a", "b"), self.pick("a", "b")
        choices = [
            f"{t}[0] = {self.number()}", f"{t}[1:] *= 0.5", f"{t}.mul_({self.constant()})", f"{t}[{s} > 0.5] = 0.25",
            f"{t}[1] = {s}[0]", f"{t}[{self.pick(*self.counters)} % 3] = {self.constant()}",
            f"{t}[:2] = {s}[1:3].clone()", f"{t}.clamp_(-1, 1)", f"{t}[{s} < 0] *= 0.5", f"{t}[-1] = {s}[0] + 1",
        ]  # fmt: skip
        if self.sized:
            choices += [f"{t}[r] = 0.5", f"{t}[r] = {s}[r] * 0.5", "m += 1"]
        self.put(depth, self.pick(*choices))

    def put_append(self, depth: int, inside: int) -> None:
        """A tensor in a list."""
        self.put(depth, self.pick(f"items.append({self.tensor()})", f"items = [*items, {self.tensor()}]"))

    def put_return(self, depth: int, inside: int) -> None:
        """Leave the function, by a test."""
        self.put(depth, f"if {self.condition()}:")
        self.put(depth + 1, f"return {self.result}")

    def put_break(self, depth: int, inside: int) -> None:
        """Leave the loop, by a test."""
        self.put(depth, f"if {self.condition()}:")
        self.put(depth + 1, "break")

    def put_continue(self, depth: int, inside: int) -> None:
        """Go on with the next turn, by a test; a `while` has counted by then."""
        self.put(depth, f"if {self.condition()}:")
        self.put(depth + 1, "continue")

    def put_if(self, depth: int, inside: int) -> None:
        """Two or three arms."""
        self.put(depth, f"if {self.condition()}:")
        self.block(depth + 1, self.random.randint(1, 3), inside=inside)
        if self.random.random() < 0.2:
            self.put(depth, f"elif {self.condition()}:")
            self.block(depth + 1, self.random.randint(1, 2), inside=inside)
        if self.random.random() < 0.5:
            self.put(depth, "else:")
            self.block(depth + 1, self.random.randint(1, 2), inside=inside)

    def put_while(self, depth: int, inside: int) -> None:
        """A loop that ends by a counter of its own at the latest."""
        self.count += 1
        turn, most = f"i{self.count}", self.random.randint(2, 6)
        self.put(depth, f"{turn} = 0")
        form = self.pick("test", "test", "test", "walrus", "inside")
        known = list(self.numbers)
        if form == "test":
            self.put(depth, f"while {turn} < {most} and ({self.condition()}):")
        elif form == "walrus":
            t = self.pick(*self.tensors)
            self.put(depth, f"while (d{turn} := {t}.abs().sum().item()) > {self.constant()} and {turn} < {most}:")
            self.numbers.append(f"d{turn}")
        else:
            self.put(depth, "while True:")
            self.put(depth + 1, f"if {turn} >= {most} or {self.condition(0)}:")
            self.put(depth + 2, "break")
        self.put(depth + 1, f"{turn} += 1")
        self.counters.append(turn)
        self.block(depth + 1, self.random.randint(1, 3), inside=inside + 1)
        self.numbers = known

    def put_for(self, depth: int, inside: int) -> None:
        """A loop over numbers or elements."""
        self.count += 1
        name = f"i{self.count}"
        choices = [
            "range(3)", "range(n)", f"range({self.random.randint(2, 5)})", "range(k % 4)", "a", "range(1, n)",
            "range(n - 1, -1, -1)", "range(0, n, 2)", "(0.5, -0.25, 2)",
        ]  # fmt: skip
        choices += ["range(m.numel())", "range(len(r))", "m", "r", f"range(min({self.size()} // 1, 4))"] * self.sized
        over = self.pick(*choices)
        if over in ("a", "m") and self.random.random() < 0.4:
            self.put(depth, f"for j, {name} in enumerate({over}):")
            self.put(depth + 1, f"b = b + {name} * 0.25 * j")
        else:
            self.put(depth, f"for {name} in {over}:")
            self.put(depth + 1, f"b = b + {name} * 0.25" if over in ("a", "m") else f"a = a + {name} * 0.125")
        self.block(depth + 1, self.random.randint(1, 3), inside=inside + 1)
        if self.random.random() < 0.2:
            self.put(depth, "else:")
            self.put(depth + 1, "k += 1")


HELPERS_1 = ["    if t.sum() > 0:", "        return t * 0.5", "    return t + w"]
HELPERS_2 = ["    for j in range(4):", "        if t.abs().max() < 0.5:", "            return t", "        t = t * 0.6",
             "    return t - w * 0.1"]  # fmt: skip
HELPERS_3 = [
    "    s = t * 0.5 if w > 0.2 else t * 0.25",
    "    while s.abs().sum() > 2:",
    "        s = s * 0.5",
    "    return s",
]
HELPERS_4 = ["    if d == 0 or t.norm() < 1:", "        return t * w", "    return helper(t * 0.6, w, d - 1) + 0.1"]
HELPERS_5 = [
    "    best = t[0]",
    "    for e in t:",
    "        if e > best:",
    "            best = e",
    "    return t - best * 0.3 + w",
]
HELPERS_6 = ["    kept = t[t > 0]", "    if kept.numel() == 0:", "        return t + w", "    return t - kept.mean()"]
HELPERS = (HELPERS_1, HELPERS_2, HELPERS_3, HELPERS_4, HELPERS_5, HELPERS_6)


def inputs(seed: int, count: int, *, varied: bool) -> list[np.ndarray]:
    """Vectors of length 5, or of 3 to 7."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(3, 8, count) if varied else [5] * count
    return [(rng.normal(size=n) * rng.choice([0.3, 1, 2])).astype(np.float32) for n in sizes]


def outcome(seed: int, folder: Path, *, captured: int = 8, fresh: int = 30) -> tuple[str, Counter, list[str]]:
    """Export the program of a seed; return the outcome in a word, counts of inputs, and what was wrong or refused.

    captured, fresh: how many inputs are given, and how many are not.
    """
    path = folder / f"program_{seed}.py"
    path.write_text(Writer(seed).text())
    varied = seed % 3 == 0
    cases = "\n".join(str(each.tolist()) for each in inputs(seed, captured, varied=varied))
    (folder / "cases.jsonl").write_text(cases + "\n")
    counts: Counter = Counter()
    try:
        subject = Subject(str(path), None, ((f"@{folder / 'cases.jsonl'}",),), None, "float32", 0)
        built = build(subject, opset=18, paths_only=False, fail=False, report=lambda note: None)
    except (Refusal, NotRecorded, DyncliError) as error:
        line = getattr(error, "line", "")
        return "refused", counts, [f"{getattr(error, 'reason', error)} at {line}"]
    model = folder / "model.onnx"
    model.write_bytes(built.model.SerializeToString())
    session = Session(model)
    wrong = []
    for run in built.runs:
        expected = subject.eager(run.case)
        found = session(run.case)
        problems = [] if found["captured"] else ["captured is False"]
        problems += differences(expected, found, "float32")
        line = rounding_decides(subject, run.case) if problems else None
        if line is not None:
            return "refused", Counter(), [f"rounding decides at {line}"]
        counts["captured wrong" if problems else "captured right"] += 1
        wrong += problems
    if wrong:
        return "caught", counts, wrong
    for array in inputs(seed + 10**6, fresh, varied=varied):
        case = with_arrays(built.runs[0].case, {"x": array}, {})
        counts[one_fresh(subject, session, case)] += 1
    return "wrong" if counts["wrong"] else "exported", counts, []


def one_fresh(subject: Subject, session: Session, case: Case) -> str:
    """Return the outcome for an input that was not given: right, flagged, near a threshold, raised, or wrong."""
    try:
        expected = subject.eager(case)
    except Exception:
        return "Python raises"
    try:
        found = session(case)
    except Exception:
        return "ONNX Runtime raises"
    if not found["captured"]:
        return "flagged"
    if not differences(expected, found, "float32"):
        return "right"
    return "near" if rounding_decides(subject, case) else "wrong"


def main() -> None:
    """Export the programs of a range of seeds; print what is wrong or refused, then the sums."""
    first, last = map(int, sys.argv[1:3])
    total: Counter = Counter()
    reasons: Counter = Counter()
    for seed in range(first, last):
        with tempfile.TemporaryDirectory() as name:
            word, counts, why = outcome(seed, Path(name))
        total[f"programs {word}"] += 1
        total += counts
        if word in ("caught", "wrong"):
            print(seed, word, dict(counts), why[:2], flush=True)
        elif word == "refused":
            reasons[why[0][:110]] += 1
            if "?" in why[0][-2:]:
                print(seed, "refused without a line:", why[0], flush=True)
    print(dict(sorted(total.items())))
    for why, count in reasons.most_common(12):
        print(f"{count:5} {why}")


if __name__ == "__main__":
    main()
