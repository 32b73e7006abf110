"""Why a parameter has no gradient."""

from __future__ import annotations

from pathlib import Path

from tests.runs import recorded

HEAD = """\
import dyncore as torch

w = torch.tensor([1.0, -1.0], requires_grad=True)


"""
LOOP = """\
def forward(x):
    n = 0
    while n < 3:
        if (w * n).sum() > -1:
            x = x * 2
        n += 1
    return x
"""
ARM = """\
def forward(x):
    if (w * 0).sum() > 1:
        return x * w
    return x
"""


def reason(folder: Path, body: str) -> str | None:
    """What is said of `w`."""
    record = recorded(folder, HEAD + body, "[1.0, 2.0]")
    return next(gradient.reason for gradient in record.backwards[0].gradients if gradient.name == "w")


def test_what_only_decided_in_a_loop_was_on_the_path_taken(tmp_path: Path) -> None:
    """A loop that was left is no arm that was not taken: its body ran."""
    assert reason(tmp_path, LOOP) == "only decided line 9: `(w * n).sum() > -1`"


def test_an_arm_that_was_never_taken(tmp_path: Path) -> None:
    """The test that led elsewhere each time is what kept it away, whatever else it decided."""
    assert reason(tmp_path, ARM) == "not on the path taken: decided at line 7"


def test_what_an_index_was_made_of(tmp_path: Path) -> None:
    """A gradient ends where whole numbers are made: `argmax` says which, not how much."""
    said = "line 7 made whole numbers of it: `(w * 2).argmax()`"
    assert reason(tmp_path, "def forward(x):\n    i = (w * 2).argmax()\n    return x[i.item()]\n") == said
    assert reason(tmp_path, "def forward(x):\n    unread = w * 2\n    return x\n") == "the output does not depend on it"


def test_a_shape_that_was_read_is_no_way_to_the_output(tmp_path: Path) -> None:
    """Flat parameters are cut off at a line, and take the shapes of the ones they were made of."""
    body = "def forward(x):\n    flat = (w * 2).detach()\n    y = (x * flat).view_as(w)\n"
    said = "detached at line 7: `(w * 2).detach()`"
    assert reason(tmp_path, body + "    if (flat * 2).sum() > 9:\n        y = -y\n    return y.expand_as(w)\n") == said


NET = """\
import dyncore as torch
from dyncore import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.spare = nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2)
        self.blocks = nn.ModuleList([nn.Linear(2, 2) for _ in range(4)])

    def forward(self, x):
{body}


torch.manual_seed(0)
model = Net()
"""
RETURNS = """\
        h = self.first(x)
        if h.norm() >= 0:
            return h
        return self.second(h)
"""
SKIPS = """\
        for index, block in enumerate(self.blocks):
            if index == 2 and x.norm() > 0:
                continue
            x = block(x)
        return self.second(self.first(x))
"""
BREAKS = """\
        for block in self.blocks:
            x = block(x)
            if x.norm() >= 0:
                break
        return self.second(self.first(x))
"""
ENDS = """\
        for block in self.blocks:
            x = self.first(block(x))
            if x.norm() >= 0:
                return x
        return self.second(x)
"""


def reasons(folder: Path, body: str) -> dict[str, str]:
    """Why each weight has no gradient, of those that have none."""
    record = recorded(folder, NET.format(body=body), "[1.0, 2.0]")
    found = {item.name: item.reason for item in record.backwards[0].gradients if item.value is None}
    return {name.removesuffix(".weight"): why or "" for name, why in found.items() if name.endswith(".weight")}


def test_a_layer_after_an_early_return_was_not_reached(tmp_path: Path) -> None:
    """The test that returned is named; a layer that nothing calls is unused whatever was left."""
    unasked = {f"blocks.{index}": "unused" for index in range(4)}
    assert {"second": "not reached: line 13 returned", "spare": "unused", **unasked} == reasons(tmp_path, RETURNS)


def test_a_layer_that_a_step_passed_over(tmp_path: Path) -> None:
    """The one whose step went on, and no other."""
    assert {"blocks.2": "not reached: line 13 went on to the next step", "spare": "unused"} == reasons(tmp_path, SKIPS)


def test_layers_of_steps_that_did_not_come(tmp_path: Path) -> None:
    """A loop that was left keeps away what it would have gone through; a return also what comes after it."""
    later = {f"blocks.{index}": "not reached: line 14 left the loop" for index in (1, 2, 3)}
    assert {**later, "spare": "unused"} == reasons(tmp_path, BREAKS)
    later = {f"blocks.{index}": "not reached: line 14 returned" for index in (1, 2, 3)}
    assert {**later, "second": "not reached: line 14 returned", "spare": "unused"} == reasons(tmp_path, ENDS)


CHOOSES = """\
        best = int(x.argmax()) + 1
        return self.second(self.blocks[best](x))
"""
CHOOSES_BEFORE = """\
        block = self.blocks[int(x.argmax())]
        x = self.first(x)
        return self.second(block(x))
"""
CHOOSES_IN_A_LOOP = """\
        for row in (x, -x):
            best = int(row.argmax())
            if row.sum() < 0:
                continue
            x = self.blocks[best](x)
        return x
"""
FIRST = """\
        return self.second(self.first(self.blocks[0](x)))
"""
FIRST_IN_A_LOOP = """\
        for _ in range(2):
            x = self.first(x)
            if x.sum() < 100:
                continue
            x = self.blocks[0](x)
        return self.second(x)
"""


def test_a_layer_that_an_index_did_not_choose(tmp_path: Path) -> None:
    """The line that chose another is named; a layer beside the list is unused."""
    others = {f"blocks.{index}": "not chosen at line 13: `self.blocks[best]`" for index in (0, 1, 3)}
    assert {**others, "first": "unused", "spare": "unused"} == reasons(tmp_path, CHOOSES)


def test_a_layer_is_chosen_before_it_is_called(tmp_path: Path) -> None:
    """The line that took it from the list is what chose."""
    others = {f"blocks.{index}": "not chosen at line 12: `self.blocks[int(x.argmax())]`" for index in (0, 2, 3)}
    assert {**others, "spare": "unused"} == reasons(tmp_path, CHOOSES_BEFORE)


def test_a_layer_that_no_step_chose(tmp_path: Path) -> None:
    """A step that went on before the line that chooses did not keep it away: no other step chose it there."""
    others = {f"blocks.{index}": "not chosen at line 16: `self.blocks[best]`" for index in (0, 2, 3)}
    unused = dict.fromkeys(("first", "second", "spare"), "unused")
    assert {**others, **unused} == reasons(tmp_path, CHOOSES_IN_A_LOOP)


def test_an_index_that_is_written_there_chooses_nothing(tmp_path: Path) -> None:
    """Another input would leave the same layers alone."""
    others = {f"blocks.{index}": "unused" for index in (1, 2, 3)}
    assert {**others, "spare": "unused"} == reasons(tmp_path, FIRST)


def test_a_layer_of_an_index_that_is_written_there_was_passed_over(tmp_path: Path) -> None:
    """Nothing chose it: the step went on before it."""
    assert "not reached: line 14 went on to the next step" == reasons(tmp_path, FIRST_IN_A_LOOP)["blocks.0"]


def test_of_a_dictionary_the_keys_not_asked_for(tmp_path: Path) -> None:
    """They were not chosen either."""
    source = "def forward(heads: dict, task: str):\n    return heads[task].sum() * 2\n"
    record = recorded(tmp_path, source, 'heads={"a": [1.0], "b": [2.0]}', "task=a")
    found = {item.name: item.reason for item in record.backwards[0].gradients if item.value is None}
    assert {"heads.b": "not chosen at line 2: `heads[task]`"} == found


EXPERTS = """\
import dyncore as torch
from dyncore import nn


class Expert(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleList(Expert() for _ in range(3))

    def weight_of(self, index):
        return self.experts[index].a.weight

    def forward(self, x):
        best = x.argmax().item()
        return self.experts[best](x)


torch.manual_seed(0)
model = Net()
"""


def test_an_expert_whose_ops_stand_in_its_own_class(tmp_path: Path) -> None:
    """The line that chose is in the function that ran, not in one that nobody called."""
    record = recorded(tmp_path, EXPERTS, "[1.0, 2.0]")
    found = {item.name: item.reason for item in record.backwards[0].gradients if item.value is None}
    assert {"not chosen at line 24: `self.experts[best]`"} == set(found.values())
    assert {"experts.0", "experts.2"} == {".".join(name.split(".")[:2]) for name in found}


BROKEN = """\
import dyncore as torch


def forward(x, w):
    mask = torch.zeros(2, dtype=torch.bool)
    y = (x * w).masked_fill(mask, 0.0)
    mask[0] = True
    if y.sum() > 0:
        y = y * 2
    return y
"""
HANDLING = """\
def forward(x, w):
    try:
        1 / 0
    except ZeroDivisionError:
        y = x * 3 if x.sum() > 0 else x * w
        y.sum().backward(retain_graph=True)
    return y
"""


def of_two(folder: Path, source: str) -> dict[str, str | None]:
    """What is said of each input that got no gradient."""
    record = recorded(folder, source, "[4.0, 2.0]", "[1.0, 1.0]")
    return {item.name: item.reason for one in record.backwards for item in one.gradients if item.value is None}


def test_backward_that_raises_is_reason_for_missing_gradients(tmp_path: Path) -> None:
    """What it had not come to has no gradient for that, not because a test was all that asked for it."""
    assert of_two(tmp_path, BROKEN) == dict.fromkeys(("x", "w"), "backward raised before it came here")


def test_a_backward_in_an_except_did_not_raise(tmp_path: Path) -> None:
    """An exception that is handled when it begins is none of its own."""
    assert of_two(tmp_path, HANDLING) == {"w": "not on the path taken: decided at line 5"}


OWN = """\
import dyncore as torch


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return (x + x) * 1

    @staticmethod
    def backward(ctx, grad):
        return None


def forward(x, w):
    return Twice.apply(x).exp().sum() + w.sum()
"""


def test_a_function_of_the_users_own_cuts_nothing_off(tmp_path: Path) -> None:
    """Its forward runs unrecorded, and its backward leads around that; what it gave is held by who needs it."""
    assert of_two(tmp_path, OWN)["x"] == "the backward of `Twice` gave None"
    (cut := tmp_path / "cut").mkdir()
    detached = of_two(cut, OWN.replace("apply(x)", "apply(x.detach())"))
    assert detached["x"] == "detached at line 15: `x.detach()`"
    (exp,) = [op for op in recorded(tmp_path, OWN, "[4.0, 2.0]", "[1.0, 1.0]").ops if op.name == "exp"]
    assert 8 == exp.saved_bytes


def test_cut_in_another_file_is_named_with_it(tmp_path: Path) -> None:
    (tmp_path / "cutting.py").write_text("def cut(w):\n    return w.detach()\n")
    said = reason(tmp_path, "from cutting import cut\ndef forward(x):\n    return x * cut(w)\n")
    assert said == "detached at cutting.py:2: `w.detach()`"


MANY = """\
import dyncore as torch
from dyncore import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = (nn.Linear(2, 2, bias=False) for _ in range(3))
        self.a, self.b, self.c, self.d, self.e, self.f = (
            nn.ModuleList([nn.Linear(2, 2, bias=False) for _ in range(3)]) for _ in range(6)
        )
        self.kind = self.f[len(self.e) - 1]
        self.scale, self.hooked = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
        self.wrong = nn.Parameter(torch.ones(3))

    def forward(self, x):
        k = 0
        while k < 2:
            k += 1
            if x.norm() > 0:
                continue
            x = self.a[k](x)
        for layer in list(self.b):
            if x.norm() > 0:
                continue
            x = layer(x)
        for k, layer in enumerate(self.c):
            if x.norm() > 0:
                continue
            x = self.second(x)
        for k, layer in enumerate(self.d):
            if k == 0 and x.norm() > 0:
                continue
            x = layer(x) if k != 1 else x
        best = x.argmax()
        for k in range(3):
            if k == 0:
                continue
            x = self.first(x) + self.e[k](x) * self.f[best](x) + [x, x * 2][best]
        x.register_hook(lambda g: g * self.hooked.sum())
        try:
            x = x @ self.wrong
        except RuntimeError:
            if x.norm() < 0:
                x = x * self.third(x)
        for k in range(1):
            def chosen(y):
                if y.norm() > 0:
                    return y
                return y * self.scale
            x = chosen(x)
        return x


torch.manual_seed(0)
model = Net()
try:
    if len(model.b) == 3:
        raise ValueError
    print(model.b)
except ValueError:
    picks = [[1, 2, 3][model.e[int(i)].in_features] for i in range(2)]
"""


def test_each_leaf_has_the_reason_of_its_own(tmp_path: Path) -> None:
    """Lists that loops go through in other ways, leaves of hooks, of ops that raised and of functions within."""
    record = recorded(tmp_path, MANY, "[1.0, 2.0]")
    found = {item.name.removesuffix(".weight"): item.reason for item in record.backwards[0].gradients if item.reason}
    unused = ["a.0", "a.1", "a.2", "b.0", "b.1", "b.2", "c.0", "c.1", "c.2", "d.1"]
    assert found == dict.fromkeys(unused, "unused") | {
        "scale": "not reached: line 48 returned",
        "hooked": "the output does not depend on it",
        "wrong": "the output does not depend on it",
        "second": "not reached: line 28 went on to the next step",
        "third": "not on the path taken: decided at line 44",
        "d.0": "not reached: line 32 went on to the next step",
        "e.0": "not reached: line 37 went on to the next step",
        "f.1": "not chosen at line 39: `self.f[best]`",
        "f.2": "not chosen at line 39: `self.f[best]`",
    }


def test_item_of_a_list_that_a_step_passed_over(tmp_path: Path) -> None:
    """The step of its number went on, by the list's own name."""
    source = """\
def forward(xs: list, y):
    for x in xs:
        y = y + 1
        if y == 2:
            continue
        y = y * x
    return y
"""
    record = recorded(tmp_path, source, "[1.0, 3.0, 2.0]", "0.0")
    found = {item.name: item.reason for item in record.backwards[0].gradients if item.reason}
    assert {"xs.1": "not reached: line 4 went on to the next step"} == found
