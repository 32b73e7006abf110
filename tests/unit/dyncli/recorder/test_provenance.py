"""Where tested values came from, on the real engine: tensors, numbers that left them, shapes, chance, Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dyncli.recorder.provenance.backward_slice import Flow
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record


def record(folder: Path, body: str, *, helpers: str = "", inputs: str = "[1., -1., 3.]") -> Record:
    """The record of `forward(x)` with this body."""
    script = folder / "net.py"
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    head = f"import random, math\nimport dyncore as torch\n{helpers}\n"
    script.write_text(f"{head}def forward(x):\n{lines}    return x * 1\n")
    (found,) = record_model(Request(model=str(script), inputs=(inputs,)))
    assert found.failure is None, found.failure
    return found


def origin(found: Record, number: int = -1) -> tuple[str, str | None]:
    """The origin of a decision and the name of the op behind it."""
    decision = found.decisions[number]
    return decision.origin, None if decision.predicate_op is None else found.ops[decision.predicate_op].name


HOLDER = "import types\nh = types.SimpleNamespace(rows=[])\nh.rows = []\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if x.sum() > 0: pass", ("tensor", "gt")),
        ("ok = x.sum() > 0\nif ok: pass", ("tensor", "gt")),
        ("k = [(1, 2)]\nif x.isinf().any(): pass\nfor a, (b, c) in zip([5], k):\n    if c: pass", ("python", None)),
        ("k = [(1, 2)]\nif not x.isinf().any(): pass\nfor a, (b, c) in zip([5], k):\n    if c: pass", ("python", None)),
        (
            "if x.isnan().any() or x.isinf().any(): pass\ndef f(v):\n    if v > 0: pass\nlist(map(f, [1]))",
            ("python", None),
        ),
        ("k = [0] * 3\nif x[0] > 0: k[1] += 1\nfor v in k: pass", ("python", None)),
        ("k = [0, 0]\nif x[0] > 0: k[1] = 2\nfor v in zip(k, k): pass", ("python", None)),
        ("k = 3 * [0]\nif x[0] > 0: k[1] += 1\nfor v in k: pass", ("python", None)),
        ("k = {}\nif x[0] > 0: k[1] = 2\nfor v in k: pass", ("scalar~", "gt")),
        (
            "import types\nh = types.SimpleNamespace(cells={})\nif x[0] > 0: h.cells[1] = 2\nfor v in h.cells: pass",
            ("scalar~", "gt"),
        ),
        ("def f(k=[0]):\n    if x[0] > 0: k[1] = 2\n    for v in k: pass\nf({})", ("scalar~", "gt")),
        ("k = [0, 0]\nif x[0] > 0: k[2:] = [2]\nfor v in k: pass", ("scalar~", "gt")),
        (f"{HOLDER}h.rows = [1, 2]\nif x[0] > 0: h.rows[1] = 2\nfor v in h.rows: pass", ("python", None)),
        (f"{HOLDER}h.rows = list(range(3))\nif x[0] > 0: h.rows[1] = 2\nfor v in h.rows: pass", ("python", None)),
        ("if not x.sum() > 0: pass", ("tensor", "gt")),
        ("if 0 < x.sum() < 9: pass", ("tensor", "gt")),
        ("if x.sum().detach() > 0 and True: pass", ("tensor", "gt")),
        ("y = x.sum() and 1", ("tensor", "sum")),
        ("z = [v for v in x if v > 0]", ("tensor", "gt")),
        ("while x.sum() > 100: pass", ("tensor", "gt")),
        ("assert x.sum() > 0", ("tensor", "gt")),
        ("match 1:\n    case n if x.sum() > n: pass\nif x[0] > 0: pass", ("tensor", "gt")),
        ("if x.sum().item() > 0: pass", ("scalar", "sum")),
        ("v = x.sum().item()\nif v > 0: pass", ("scalar", "sum")),
        ("v = [x.sum().item()]\nw = max(v)\nif w: pass", ("scalar", "sum")),
        ("if float(x.sum()) > 0: pass", ("scalar", "sum")),
        ("if int(x.argmax()) == 2: pass", ("scalar", "argmax")),
        ("if x.tolist()[0] > 0: pass", ("scalar", None)),
        ("(x.detach() * 2).apply_(lambda v: 1.0 if v < 2.5 else 0.0)", ("scalar", "mul")),
        ("(x.detach() * 2).map_(x.detach() + 7, lambda v, w: 1.0 if w < 7.5 else v)", ("scalar", "add")),
        ("v = x.sum().item() * 2\nif v > 0: pass", ("scalar~", "sum")),
        ("y = x * x.sum().item()\nif y.requires_grad: pass", ("python", None)),
        ("y = x * x.sum().item()\nif y.dtype == torch.float32: pass", ("python", None)),
        ("y = x.sum().item() * 2\nif torch.is_tensor(y): pass", ("python", None)),
        ("y = x * x.sum().item()\nif y.is_floating_point(): pass", ("python", None)),
        ("y = x * x.sum().item()\nif y.is_quantized: pass", ("python", None)),
        ("y = x * x.sum().item()\nsizes = [v.shape for v in y]\nfor _ in sizes: pass", ("shape", "mul")),
        ("y = x * x.sum().item()\nbig = [v for v in y if v > 0]\nfor _ in big: pass", ("scalar~", "gt")),
        (f"{HOLDER}h.training = x.sum().item() * 2\nif h.training > 0: pass", ("scalar~", "sum")),
        ("v = math.sqrt(abs(x.sum().item()))\nif v > 1: pass", ("scalar~", "sum")),
        ("k = int(x.argmax())\nif k == 2: pass", ("scalar~", "argmax")),
        ("ok = bool(x.sum() > 0)\nif ok: pass", ("scalar~", "gt")),
        ("ok = x.sum().item() > 0\nif ok: pass", ("scalar~", "sum")),
        ("d = {}\nd['k'] = x.sum().item() + 1\nif d['k'] > 1: pass", ("scalar~", "sum")),
        ("d = {'ok': x.sum() > 0}\nif d['ok']: pass", ("tensor", "gt")),
        ("if math.isclose(x.max().item(), 3.0): pass", ("scalar~", "max")),
        ("if f'{x.sum().item():.1f}' == '3.0': pass", ("scalar~", "sum")),
        ("if divmod(int(x.sum()), 2)[1]: pass", ("scalar~", "sum")),
        ("if sum(x.tolist()) > 2: pass", ("scalar~", None)),
        ("if x.shape[0] > 2: pass", ("shape", None)),
        ("s = x.sum().item()\nfor v in (s, x.shape):\n    if v: pass", ("shape", None)),
        ("s = x.sum().item()\nfor v in (s, None):\n    if v: pass", ("python", None)),
        ("a = [v for v in x]\nb = [v for v in (1, 2) if v]", ("python", None)),
        ("a = [v for v in x]\nb = [v for v in (1, 2) if (w := x.sum().item())]\nif w > 2: pass", ("scalar", "sum")),
        ("b = [v for v in (1, 2) if (w := x.sum().item() + 1)]\nif w > 2: pass", ("scalar~", "sum")),
        ("n = x.shape[0]\nif n > 2: pass", ("shape", None)),
        ("match x.shape:\n    case [n] if n > 2: pass\nif n > 2: pass", ("shape", None)),
        ("k = 0\nif x.any(): k += 1\nif k > 2: pass", ("python", None)),
        ("k = 0\nif x.any():\n    k = abs(3)\nif k > 2: pass", ("python", None)),
        ("k = 0\nfor row in x: k += id(row) > 0\nif k > 2: pass", ("python", None)),
        ("if len(x) > 2: pass", ("shape", None)),
        ("if x.dim() == 1: pass", ("shape", None)),
        ("for row in x: pass", ("shape", None)),
        ("for i in range(x.size(0)): pass", ("shape", None)),
        ("v = x.tolist()\nif len(v) > 1: pass", ("shape", None)),
        ("for i in range(int(x.argmax())): pass", ("scalar~", "argmax")),
        ("v = []\nfor i in range(3):\n    v.append(i)\n    if x[0] > 0: break\nif len(v) > 1: pass", ("scalar~", "gt")),
        ("w = torch.ones(3, requires_grad=True)\nfor g in torch.autograd.grad(w.sum(), [w]): pass", ("python", None)),
        ("if random.random() < 2: pass", ("rng", None)),
        ("if torch.rand(1).item() < 2: pass", ("rng", "rand")),
        ("if torch.rand(1).item() < x.sum().item(): pass", ("scalar", "sum")),
        ("if torch.bernoulli(x.sigmoid())[0].item() < 2: pass", ("scalar", "getitem")),
        ("for i in torch.randperm(3).tolist():\n    if i > 1: pass", ("rng~", "randperm")),
        ("for i in range(int(torch.randint(1, 3, (1,)))): pass", ("rng~", "randint")),
        ("order = [2, 1]\nrandom.shuffle(order)\nif order[0]: pass", ("rng~", None)),
        ("order = [2, 1]\nrandom.Random(3).shuffle(order)\nif order[0]: pass", ("rng~", None)),
        ("r = random.Random(0)\nif r.choice([1, 2]): pass", ("rng~", None)),
        ("for i in random.sample([1, 2, 3], 2): pass", ("python", None)),
        ("for letter in random.choice(['a', 'bc']): pass", ("rng", None)),
        ("for i in range(random.randint(1, 3)): pass", ("rng", None)),
        ("if x is not None: pass", ("python", None)),
        ("if isinstance(x, torch.Tensor): pass", ("python", None)),
        ("v = x[0].item()\nif isinstance(v, float): pass", ("python", None)),
        ("v = x[0].item()\nn = v is None\nif n: pass", ("python", None)),
        ("y = x.sum().item()\nif len([1, 2]) > 1: pass", ("python", None)),
        ("for i in range(3): pass", ("python", None)),
        ("for i, v in enumerate(x):\n    if i > 0: pass", ("python", None)),
        ("for i, v in enumerate(x.tolist(), 1):\n    if i > 1: pass", ("python", None)),
        ("for i, v in enumerate(x, len(x)):\n    if i > 3: pass", ("shape", None)),
        ("for i, v in enumerate(x, start=len(x)):\n    if i > 3: pass", ("shape", None)),
        ("for i, v in enumerate(x.tolist()):\n    if v: pass", ("scalar", None)),
        ("for i, v in enumerate(x):\n    if v > i: pass", ("tensor", "gt")),
        ("for i in range(len(x)):\n    if i: pass", ("shape", None)),
        ("for a, b in zip(x, [1, 2, 3]):\n    if b: pass", ("python", None)),
        ("for a, b in zip([1, 2], x.tolist()):\n    if b: pass", ("scalar", None)),
        ("for i, (a, b) in enumerate(zip(x.tolist(), 'abc')):\n    if b: pass", ("python", None)),
        ("z = [k for i, (k, v) in enumerate(zip('abc', x)) if k]", ("python", None)),
        ("n = sum(1 for v in x if v > 0)\nif n > 1: pass", ("scalar~", "gt")),
        ("v = [x.sum().item() + 1]\nif v: pass", ("python", None)),
        ("todo = [x]\nwhile todo:\n    t = todo.pop()\n    if len(t) > 1: todo += [t[:1], t[1:]]", ("python", None)),
        ("v = [n for n in x.tolist() if n > 0]\nif v: pass", ("scalar~", None)),
        ("v = [n for n in x]\nif not v: pass", ("shape", None)),
        ("a, *b = [x.sum().item(), 2]\nif b: pass", ("python", None)),
        ("m = [[v for k in (1, 2) if v > k] for v in x]\nif m[0]: pass", ("scalar~", "gt")),
        ("m = [x[:1], x]\nif len(m[1]) > 2: pass", ("shape", None)),
        (f"{HOLDER}h.rows.append(x.shape[0])\nif len(h.rows) > 2: pass", ("python", None)),
        (f"{HOLDER}h.rows.append(x.shape[0])\nif h.rows[0] > 2: pass", ("shape", None)),
        ("d = {}\nd[1] = x.sum().item()\nif d: pass", ("python", None)),
        ("n = sum(1 for v in x)\nif n > 1: pass", ("shape", None)),
        ("z = [v for v in [x[0], [1]] if v]", ("python", None)),
        ("n = len([v for v in [x[0], [1]] if v])\nif n > 2: pass", ("scalar~", "getitem")),
        ("n = int(x.sum())\ny = torch.zeros(n)\nif y.shape[0] > 9: pass", ("shape", "zeros")),
        ("n = int(x.sum())\ny, m = torch.zeros(n, n).size()\nif m > 9: pass", ("shape", "zeros")),
        ("from dyncore.utils.data import DataLoader\nfor _ in enumerate(DataLoader([1, 2])): pass", ("python", None)),
        ("n = int(x.sum())\nz = [0.0] * n\nif len(z) > 9: pass", ("scalar~", "sum")),
        ("n = int(x.sum())\nz = n * [0.0]\nfor v in z: pass", ("scalar~", "sum")),
        ("z = []\nfor v in x:\n    z.append(1)\nif z: pass", ("shape", None)),
        ("import copy\nz = copy.copy([v.item() > 0 for v in x])\nfor v in z: pass", ("shape", None)),
        ("s = x.sum().item()\nz = [[s, s], [1]]\nfor v in z[0]: pass", ("python", None)),
        ("s = x.sum().item()\nz = {'a': [s] * 2}\nfor v in z['a']: pass", ("python", None)),
        ("s = x.sum().item()\nz = []\nz.append([s, s])\nfor v in z[0]: pass", ("python", None)),
        ("z = [[1] * int(x.sum()), [1]]\nfor v in z[0]: pass", ("scalar~", "sum")),
        ("def two():\n    return x.sum().item(), True\na, b = two()\nif b: pass", ("python", None)),
        ("def two():\n    return x.sum().item(), True\na, b = two()\nif a * 2: pass", ("scalar~", "sum")),
        ("def two():\n    return [1] * int(x.sum()), 2\na, b = two()\nfor v in a: pass", ("scalar~", "sum")),
        ("s = [x.sum().item()] * 3\nfor v in random.sample(s, 2): pass", ("python", None)),
        ("s = [1, 2, 3]\nfor v in random.sample(s, int(x.argmax())): pass", ("scalar~", "argmax")),
        ("def two():\n    return [x.sum().item(), True]\na, b = two()\nif b: pass", ("scalar~", "sum")),
        ("import numpy as np\nfor i in np.argsort(-x.detach().numpy())[:2]: pass", ("shape", "detach")),
        ("import numpy as np\nfor i in np.flatnonzero(x.detach().numpy() > 0): pass", ("scalar~", "detach")),
        ("import numpy as np\nfor i in np.random.permutation(int(x.argmax())): pass", ("scalar~", "argmax")),
        ("import numpy as np\nfor i in np.random.randint(0, len(x), 2): pass", ("python", None)),
        ("import numpy as np\nfor i in np.random.default_rng(0).integers(len(x), size=2): pass", ("python", None)),
        ("import numpy as np\nfor i in np.random.choice(9, len(x)): pass", ("shape", None)),
        ("import numpy as np\nfor i in np.random.choice(len(x), size=int(x.argmax())): pass", ("scalar~", "argmax")),
        ("z = []\nif x.sum().item() > 0:\n    z.append(1)\nif len(set(z)) > 1: pass", ("scalar~", "sum")),
        ("z = [1, 2] * len(x)\nif len(set(z)) > 1: pass", ("shape", None)),
        ("a = {'k': []}\na['k'].append(x.sum().item())\nif sum(a['k']) > 9: pass", ("scalar~", "sum")),
        ("import heapq\na = []\nheapq.heappush(a, (x.sum().item(), 1))\nif a[0][1]: pass", ("scalar~", "sum")),
        ("a = [False] * 3\na[int(x.argmax())] = True\nif a[1]: pass", ("scalar~", "argmax")),
        ("a = [[], [], []]\na[int(x.argmax())].append(1)\nif len(a[0]) > 1: pass", ("scalar~", "argmax")),
        ("a = [[], [], []]\na[int(x.argmax())].append(1)\nfor v in a: pass", ("python", None)),
        ("import copy\na = copy.copy([[0], [0], [0]])\na[int(x.argmax())][0] = 1\nfor v in a: pass", ("python", None)),
        (f"{HOLDER}h.a = [[], [], []]\nh.a[int(x.argmax())].append(1)\nfor v in h.a[0]: pass", ("scalar~", "argmax")),
        ("a = [[], []]\nfor i in range(2):\n    a[i].append(x.sum().item())\nfor v in a[0]: pass", ("python", None)),
        (
            "from collections import defaultdict\na = defaultdict(list)\na[x.argmax().item()].append(1)\n"
            "for k, v in a.items(): pass",
            ("scalar~", "argmax"),
        ),
        ("a = max([0, 1], key=lambda i: 3 * x[i].item() + 1)\nif a == 1: pass", ("scalar~", "getitem")),
        ("def key(i):\n    return 3 * x[i].item()\nif max([0, 1], key=key) == 1: pass", ("scalar~", "getitem")),
        ("a = list(map(lambda v: v.item() > 0 and True, x))\nif a[0]: pass", ("scalar~", "unbind")),
        ("a = sorted(range(2), key=lambda i: x[i].item())\nfor i in a: pass", ("python", None)),
        ("a = {'on': lambda: x.sum().item()}\na['on']()\nfor i in a: pass", ("python", None)),
        ("o = torch.optim.SGD([x], lr=x.sum().item())\nfor g in o.param_groups: pass", ("python", None)),
        ("a = False\nif x.sum().item() > 0:\n    a = True\nif a: pass", ("scalar~", "sum")),
        ("a = 'one'\nif (x > 0).all():\n    a = 'two'\nif a == 'two': pass", ("scalar~", "all")),
        ("a = False\nif not (x > 0).all():\n    a = True\nif a: pass", ("scalar~", "all")),
        ("a = False\nwhile not a:\n    if x.sum() > 0:\n        a = True", ("scalar~", "gt")),
        (f"{HOLDER}h.on = False\nif x.sum() > 0:\n    h.on = True\nif h.on: pass", ("scalar~", "gt")),
        ("n = 2\nif x.sum().item() > 0:\n    n = 0\na = False\nif n > 1:\n    a = True\nif a: pass", ("python", None)),
        (
            "s = [x.sum().item()]\nrandom.sample(s, 1)\nclass A:\n"
            "    def sample(self, v):\n        if v: pass\nA().sample(True)",
            ("python", None),
        ),
    ],
)
def test_origin(tmp_path: Path, body: str, expected: tuple[str, str | None]) -> None:
    """The strongest origin of the last decision, and the op that produced what was tested."""
    assert expected == origin(record(tmp_path, body))


HELPERS = """
class Model:
    def step(self, x):
        self.error = (x - 1).abs().sum().item() / 2
        return self.done()
    def done(self, limit=0.5):
        if self.error < limit:
            return True
        return False
def score(x):
    s = x.mean().item()
    return s * 2
def big(value, limit):
    return 1 if value > limit else 0
class Score:
    def __call__(self, x):
        return x.mean().item() * 2
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Model().step(x)", ("scalar~", "sum")),
        ("if score(x) > 1: pass", ("scalar~", "mean")),
        ("big(x.max().item() + 1, 2)", ("scalar~", "max")),
        ("big(limit=x.max().item() + 1, value=2)", ("scalar~", "max")),
        ("big(1, 2)", ("python", None)),
        ("if Score()(x) > 1: pass", ("scalar~", "mean")),
        ("from functools import partial\npartial(big, x.max().item() + 1)(2)", ("scalar~", "max")),
        ("from functools import partial\npartial(big, limit=x.max().item() + 1)(2)", ("scalar~", "max")),
    ],
)
def test_across_functions(tmp_path: Path, body: str, expected: tuple[str, str | None]) -> None:
    """Values are followed through attributes, returns and arguments."""
    assert expected == origin(record(tmp_path, body, helpers=HELPERS))


@pytest.mark.parametrize(("times", "expected"), [(2, "rng~"), (3, "python")])
def test_length_that_stays_is_not_taken_for_drawn(tmp_path: Path, times: int, expected: str) -> None:
    """By its source alone it may be; that it was the same three times says otherwise."""
    body = f"for _ in range({times}):\n    n = random.choice([4, 4])\n    for _ in range(n): pass"
    assert expected == origin(record(tmp_path, body), 1)[0]


def test_values_are_of_the_moment(tmp_path: Path) -> None:
    """An operand changed in place later keeps the value it was tested with."""
    found = record(tmp_path, "t = x.sum()\nif t > 1: pass\nwith torch.no_grad():\n    t.add_(5)\nif t > 1: pass")
    assert [3.0, 8.0] == [decision.conditions[0].lhs for decision in found.decisions]
    assert [2.0, 7.0] == [decision.margin for decision in found.decisions]


def test_places_are_looked_at_in_one_order() -> None:
    """Of two numbers that left tensors together the same one decides in every process."""
    source = "ok = alpha.item() + beta.item() + gamma.item() > 1\n"
    expressions = Flow({"net.py": source}).sources_of("net.py", (1, 5, 1, 50)).expressions
    assert [50, 46, 31, 17] == [column for (_, _, column), _ in expressions if column in (17, 31, 46, 50)]


def test_a_tensor_of_several_elements(tmp_path: Path) -> None:
    """PyTorch's sentence comes from the engine, and the decision it prevented is in the log."""
    script = tmp_path / "net.py"
    script.write_text("def forward(x):\n    if x > 0:\n        return x\n    return -x\n")
    (found,) = record_model(Request(model=str(script), inputs=("[1., -1.]",)))
    assert found.failure is not None
    assert "Boolean value of Tensor with more than one value is ambiguous" == found.failure.message
    assert [2] == [frame.line for frame in found.failure.frames]
    (decision,) = found.decisions
    assert ("raise", "RuntimeError", "tensor") == (decision.arm, decision.exception, decision.origin)
    assert {"type": "Tensor", "shape": (2,)}.items() <= dict(decision.conditions[0].lhs).items()


CONTROL = """
y = x * 2
if y.sum() > 0:
    y = y + 1
    for i in range(2):
        y = y.relu()
else:
    y = y - 1
y = y.exp()
if y.max() < 0:
    return y
y = y.sqrt()
k = 0
while y.sum() > 1 and k < 2:
    y = y / 10
    k += 1
y = y.tanh() if k else y.neg()
z = [part.abs() for part in y if part > 0]
"""


def test_control_dependence(tmp_path: Path) -> None:
    """Each op has the decision it ran under, exactly; what an arm without `return` precedes is free of it."""
    found = record(tmp_path, CONTROL.strip())
    under: dict[str, list[Any]] = {}
    for op in found.ops:
        under.setdefault(op.name, []).append(op.under)
    text = {decision.seq: f"{decision.site.kind} {decision.arm}" for decision in found.decisions}
    named = {name: [text.get(number) for number in numbers] for name, numbers in under.items()}
    assert [None, "if else"] == named["mul"]  # the last is the `x * 1` of the test's own return
    assert ["if then"] == named["add"]
    assert ["for loop", "for loop"] == named["relu"]
    assert [None] == named["exp"]
    assert ["if else"] == named["sqrt"]
    assert ["while body", "while body"] == named["div"]
    assert ["ifexp then"] == named["tanh"]
    assert ["compif keep"] * 3 == named["abs"]
    iterations = [found.scopes[op.scope].index for op in found.ops if op.name == "div"]
    assert [0, 1] == iterations


SUPPRESSED = """
from contextlib import suppress
class Lazy:
    @property
    def missing(self):
        for k in range(3):
            if k == 1:
                raise AttributeError
def forward(x):
    if hasattr(Lazy(), "missing"):
        return x
    y = x * 2
    with suppress(ValueError):
        for n in (1, 0):
            y = helper(y, n)
    return y.exp()
def helper(y, n):
    y = y + 1
    if n == 0:
        raise ValueError
    return y
"""


def test_ops_after_calls_that_raised(tmp_path: Path) -> None:
    """A call that ended by an exception somebody else caught holds no ops that come after it."""
    script = tmp_path / "net.py"
    script.write_text(SUPPRESSED)
    (found,) = record_model(Request(model=f"{script}:forward", inputs=("[1., 2.]",)))
    names = {op.name: found.scopes[op.scope] for op in found.ops}
    assert ("arm", "else") == (names["mul"].kind, names["mul"].name)
    assert ("arm", "else") == (names["exp"].kind, names["exp"].name)
    assert names["mul"].id == names["exp"].id


@pytest.mark.parametrize(("force", "value"), [((), [2.0, 4.0]), (("3=else",), [-1.0, -2.0])])
@pytest.mark.parametrize("entry", [True, False])
def test_forced_runs(tmp_path: Path, force: tuple[str, ...], value: list[float], entry: bool) -> None:
    """The other arm of a test on a tensor, of an entry and of a script that is itself the run."""
    script = tmp_path / "net.py"
    body = "import dyncore as torch\ndef forward(x):\n    if x.sum() > 0:\n        return x * 2\n    return -x\n"
    if not entry:
        body = body.replace("forward", "f") + "out = f(torch.tensor([1., 2.], requires_grad=True))\n"
    script.write_text(body)
    (found,) = record_model(Request(model=str(script), inputs=("[1., 2.]",) if entry else (), force=force))
    assert found.failure is None, found.failure
    (output,) = found.outputs
    assert output.tensor is not None
    assert tuple(value) == found.tensors[output.tensor].values
    assert [bool(force)] == [decision.forced for decision in found.decisions]


def test_a_list_is_not_held(tmp_path: Path) -> None:
    """What the script does with a list that `tolist()` gave is its own: neither held nor looked at afterwards."""
    helpers = "import gc"
    body = "v = x.tolist()\nw = v[0]\nv.clear()\nv.append('gone')\nk = w\ndel v, w\nif k > 0: pass"
    assert ("scalar", None) == origin(record(tmp_path, body, helpers=helpers))
    body = "v = x.tolist()\nholders = [each for each in gc.get_referrers(v) if type(each) is tuple]\nif holders: pass"
    assert "else" == record(tmp_path, body, helpers=helpers).decisions[-1].arm


@pytest.mark.parametrize(
    ("body", "behind"),
    [
        ("if x.sum().item() < x.mean().item(): pass", ["mean", "sum"]),
        ("lo, hi = x.min().item(), x.max().item()\nif lo < hi: pass", ["max", "min"]),
        ("lo, hi = x.min().item(), x.max().item()\nwhile lo > hi and x.sum() > 0: pass", ["max", "min"]),
        ("if float(x.sum()) - float(x.mean()) > 0.5: pass", ["mean", "sum"]),
        ("if abs(x.sum().item() - 2) < x.mean().item() * 3 + x.std().item(): pass", ["mean", "std", "sum"]),
        ("best = x.min().item() + 1\nif x.sum().item() < best: pass", ["min", "sum"]),
        ("v = x.sum().item()\nv = x.mean().item() + 1\nif v > 0: pass", ["mean"]),
        ("for k in range(2):\n    y = x.sum().item() if k else x.mean().item()\n    if y + 1 > 0: pass", ["sum"]),
        ("if x.sum().item() > len(x): pass", ["sum"]),
        ("if x.sum() < x.mean(): pass", ["lt"]),
        ("s = x.sum()\nif s.item() * s.item() > 0: pass", ["sum"]),
    ],
)
def test_every_op_behind_a_test(tmp_path: Path, body: str, behind: list[str]) -> None:
    """Both sides of a comparison, and numbers reckoned with in it; not what a variable held before."""
    found = record(tmp_path, body)
    assert sorted(found.ops[op].name for op in found.decisions[-1].producers) == behind


@pytest.mark.parametrize(("extra", "expected"), [("", "python"), ("\ndrawn()", "rng~")])
def test_origin_of_a_parameter_follows_calls_that_happened(tmp_path: Path, extra: str, expected: str) -> None:
    """A function that nobody called passes nothing, whatever its source says."""
    script = tmp_path / "script.py"
    script.write_text(
        "import random\nimport dyncore as torch\n\ndef choose(p):\n    if p > 0.5:\n        return 1\n    return 2\n\n"
        f"def drawn():\n    return choose(random.random())\n{extra}\nx = torch.ones(2) * choose(0.3)\n",
        encoding="utf-8",
    )
    (record,) = record_model(Request(str(script), ()))
    assert expected == record.decisions[-1].origin


def test_item_in_function_not_called_is_no_origin(tmp_path: Path) -> None:
    """Nor is a number that left a tensor elsewhere, where only an uncalled function hands it on."""
    script = tmp_path / "script.py"
    script.write_text(
        "import dyncore as torch\n\ndef choose(p):\n    if p + 1 > 1.5:\n        return 1\n    return 2\n\n"
        "x = torch.ones(2)\nloss = x.sum().item()\n\ndef passed():\n    return choose(loss)\n\nx = x * choose(3)\n",
        encoding="utf-8",
    )
    (record,) = record_model(Request(str(script), ()))
    assert ["python"] == [decision.origin for decision in record.decisions]


def test_loop_over_shuffled_loader_is_no_chance(tmp_path: Path) -> None:
    """The loader shuffles, and what it reads is drawn; how many batches there are depends on neither."""
    found = record(
        tmp_path,
        "from dyncore.utils.data import DataLoader\n"
        "points = [(random.random(), 1) for _ in range(4)]\n"
        "for batch in DataLoader(points, batch_size=2, shuffle=True): pass",
    )
    assert "python" == found.decisions[-1].origin


def test_loop_over_shuffled_list_is_no_chance(tmp_path: Path) -> None:
    """A shuffled list has as many items as before, however often a test on a tensor let it be shuffled."""
    found = record(
        tmp_path,
        "rows = [1, 2]\nfor epoch in range(2):\n    random.shuffle(rows)\n    for row in rows: pass\n"
        "    if x.sum().item() < 0: break",
    )
    assert ["python"] == list({each.origin for each in found.decisions if each.site.text == "for row in rows"})


@pytest.mark.parametrize(
    "items",
    [
        "OrderedDict((name, x * 2) for name in 'ab' if name)",
        "nn.ModuleList([nn.Linear(int(x.shape[0]), 2) for _ in range(2)])",
    ],
)
def test_loop_over_a_container_asks_how_many_it_holds(tmp_path: Path, items: str) -> None:
    """Not what these items were made of."""
    found = record(
        tmp_path,
        "from collections import OrderedDict\nfrom dyncore import nn\n"
        f"x = x / x.sum().item()\nheld = {items}\nfor one in held: pass",
    )
    assert "python" == found.decisions[-1].origin


NAMESAKES = """
class Base:
    def __init__(self, value):
        self.kept = value

class Child(Base):
    def __init__(self, value):
        super().__init__(value)

class Other:
    def __init__(self, flag):
        self.flag = flag

    def step(self, wanted):
        return 1 if wanted else 2
"""


@pytest.mark.parametrize(
    "body",
    [
        "step = 3\nprint(step, x.sum().item())\nOther(True).step(wanted=True)",  # the variable `step` is no method
        "Child(x.sum().item())\nflag = Other(True).flag\nif flag: pass",  # `super().__init__` is the base's
    ],
)
def test_namesakes_of_a_method_pass_nothing_to_it(tmp_path: Path, body: str) -> None:
    assert origin(record(tmp_path, body, helpers=NAMESAKES)) == ("python", None)


def test_method_handed_over_or_reached_by_super_takes_what_is_passed(tmp_path: Path) -> None:
    handed = "each = [*map(Other(True).step, [x.sum().item()])]"
    assert origin(record(tmp_path, handed, helpers=NAMESAKES))[0] in ("scalar", "scalar~")
    above = "kept = Child(x.sum().item()).kept\nif kept == 3: pass"
    assert origin(record(tmp_path, above, helpers=NAMESAKES))[0] in ("scalar", "scalar~")


def test_function_given_to_a_class_takes_what_its_method_passes(tmp_path: Path) -> None:
    """As a strategy that an object is made with: `Selector(0.5, hardest)` calls `self.pick(losses)`."""
    helpers = (
        "def hardest(losses):\n    return 1 if len([v for v in losses if v > 2]) else None\n"
        "class Selector:\n    def __init__(self, margin, pick):\n        self.pick = pick\n"
        "    def select(self, values):\n        return self.pick(values)\n"
    )
    passed = "Selector(0.5, {}).select(x.tolist())"
    assert "scalar" in origin(record(tmp_path, passed.format("hardest"), helpers=helpers))[0]
    assert "scalar" in origin(record(tmp_path, passed.format("pick=hardest"), helpers=helpers))[0]
    assert origin(record(tmp_path, "hardest([3.0])", helpers=helpers)) == ("python", None)


def test_loop_over_results_is_not_decided_by_the_order_of_the_data(tmp_path: Path) -> None:
    """Draws inside a loader or a split leave no tensor of the script."""
    script = tmp_path / "script.py"
    script.write_text(
        "import dyncore as torch\nfrom dyncore.utils.data import DataLoader, TensorDataset, random_split\n"
        "heads = torch.nn.ModuleList([torch.nn.Linear(2, 1) for _ in range(2)])\n"
        "def net(x, whole):\n    if not whole:\n        for head in heads:\n            out = head(x)\n"
        "        return out\n"
        "    out = []\n    for head in heads:\n        out.append(head(x))\n    return out\n"
        "part, _ = random_split(TensorDataset(torch.ones(6, 2)), [4, 2])\n"
        "for (x,) in DataLoader(part, batch_size=1, shuffle=True):\n    for one in net(x, True):\n        one.sum()\n",
        encoding="utf-8",
    )
    (record,) = record_model(Request(str(script), ()))
    origins = {each.origin for each in record.decisions if each.site.text == "for one in net(x, True)"}
    assert origins == {"python"}


LOOP = """
best, bad, steps = 9.0, 0, 0
for _ in range(9):
    x = x / 2
    loss = x.sum().item()
    steps += 1
"""
WAITING = "    if loss < best - 0.5: best, bad = loss, 0\n    else: bad += 1\n"
STOPPER = """
class Stopper:
    bad, stop = 0, False
    def step(self, loss):
        if loss > 0.5:
            self.bad = 0
        else:
            self.bad += 1
        if self.bad >= 2: self.stop = True
        return self.stop
stopper = Stopper()
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{LOOP}{WAITING}    if bad == 2: break", ["loss < best - 0.5"]),
        (f"{LOOP}{WAITING}    if bad > 1:\n        return x", ["loss < best - 0.5"]),
        (f"{LOOP}{WAITING}    if steps > 99 or bad > 1: break", ["loss < best - 0.5"]),
        (f"{LOOP.replace('for _ in range(9)', 'while True')}{WAITING}    if bad == 2: break", ["loss < best - 0.5"]),
        (f"{LOOP}    if stopper.step(loss): break", ["loss > 0.5"]),
        (f"{LOOP}{WAITING}    if steps == 5: break", []),
        (f"{LOOP}    if loss > 999: steps = 7\n    if steps == 5: break", []),
        (f"{LOOP}    if loss > 999: steps = 7\n    else: steps = 5\n    if steps == 5: break", ["loss > 999"]),
        (f"{LOOP}{WAITING}    if bad == 2: steps = 0", None),
        (f"{LOOP}{WAITING}    if loss < 0.1: break", None),
    ],
)
def test_what_moved_the_counter_that_ended_a_loop(tmp_path: Path, body: str, expected: list[str] | None) -> None:
    """The test on plain values that left a loop names the tests on data in whose arms these were set."""
    found = record(tmp_path, body, helpers=STOPPER)
    texts = {site.id: site.text for site in found.sites}
    moved = [each.moved_by for each in found.decisions if each.moved_by is not None]
    assert ([] if expected is None else [expected]) == [[texts[site] for site in sites] for sites in moved]


LOADER = """
import random
import dyncore as torch
from dyncore.utils.data import DataLoader, Dataset, WeightedRandomSampler
class Drawn(Dataset):
    def __init__(self, rows): self.rows = rows
    def __len__(self): return len(self.rows)
    def __getitem__(self, index): return torch.tensor(self.rows[index])
class Made(Dataset):
    def __init__(self, count): self.rows = torch.tensor([random.random() for _ in range(count)])
    def __len__(self): return self.rows.shape[0]
    def __getitem__(self, index): return self.rows[index]
def drawn(count):
    found = []
    for _ in range(count):
        if random.random() < 2: found.append(random.random())
    return found
w = torch.ones(1, requires_grad=True)
loader = DataLoader({loader}, batch_size=2)
for epoch in range({epochs}):
    for part in loader:
        (w * part).sum().backward()
"""


@pytest.mark.parametrize(
    ("loader", "epochs", "expected"),
    [
        ("Drawn([random.random() for _ in range(6)])", 1, "python"),
        ("Made(6)", 1, "shape"),
        ("Made(6), sampler=WeightedRandomSampler([random.random() for _ in range(6)], 6)", 1, "python"),
        ("[random.random() for _ in range(6)], collate_fn=lambda _: torch.rand(1) / random.random()", 1, "python"),
        ("Drawn([0.5] * 6), generator=torch.Generator().manual_seed(random.randint(0, 9))", 1, "python"),
        ("Drawn(drawn(6))", 4, "python"),
    ],
)
def test_loader_that_was_stopped_has_the_origin_of_one_that_ran_to_its_end(
    tmp_path: Path, loader: str, epochs: int, expected: str
) -> None:
    """The number of batches is known by the data set's length, and by the epochs that came to their end."""
    script = tmp_path / "train.py"
    script.write_text(LOADER.replace("{loader}", loader).replace("{epochs}", str(epochs)))
    for steps in (None, 3 * epochs - 1):
        (found,) = record_model(Request(str(script), steps=steps))
        loops = [each for each in found.decisions if each.site.text == "for part in loader"]
        assert [expected] * epochs == [each.origin for each in loops]
        assert ("exhausted" if steps is None else "stopped") == loops[-1].exit


GENERATORS = """
def rows(n):
    kept = []
    for _ in range(n):
        kept.append((random.random(), torch.ones(1).item()))
    return kept
def batches(rows, size):
    for i in range(0, len(rows), size):
        yield max(rows[i:i + size])
def passed(rows):
    yield from batches(rows, 2)
def some(x):
    for row in x:
        if row > 0:
            yield row
def until(x):
    for row in x.tolist():
        if row < 0:
            return
        yield row
"""


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for row in batches(rows(6), 2): pass", "python"),
        ("for i, row in enumerate(passed(rows(6))): pass", "python"),
        ("for row in batches(rows(6), int(x.sum())): pass", "scalar~"),
        ("for row in some(x): pass", "scalar~"),
        ("for row in until(x): pass", "scalar~"),
    ],
)
def test_steps_of_a_generator_come_from_what_lets_it_yield(tmp_path: Path, loop: str, expected: str) -> None:
    """Take the number of items from what yields them, not from what they hold."""
    found = record(tmp_path, loop, helpers=GENERATORS)
    (decision,) = (each for each in found.decisions if each.site.text == loop.removesuffix(": pass"))
    assert expected == decision.origin


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ("torch.split(torch.cat([y, y]), 2)", "python"),
        ("torch.cat([y, y]).chunk(2)", "python"),
        ("torch.relu(y)", "shape"),
        ("torch.split(y, int(x.argmax()))", "scalar~"),
        ("torch.zeros(int(x.argmax()))", "shape"),
        ("torch.nonzero(y).tolist()", "scalar~"),
    ],
)
def test_steps_over_parts_of_a_tensor_come_from_shapes(tmp_path: Path, items: str, expected: str) -> None:
    """The numbers that its elements were reckoned with say nothing of how many parts there are."""
    found = record(tmp_path, f"y = x * x.sum().item()\nfor part in {items}: pass")
    assert expected == origin(found)[0]


OVERFLOW = """
def is_bad(rows):
    for row in rows:
        if row.item() > 2:
            return True
    return False
def mode(name):
    if name == "a":
        return 1
    return 2
def step(x):
    if x[0].item() > 0:
        return x * 2, 1.0, True
    return x, 0.0, False
TABLE = [lambda: "a", lambda: "b", lambda: "c"]
"""


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("is_bad(x)", "scalar~"),
        ("mode('a') == 1 and len(x.tolist()) > 0", "shape"),
        ("step(x)[2]", "scalar~"),
        ("TABLE[int(x.argmax())]() == 'c'", "scalar~"),
    ],
)
def test_constant_that_is_returned_comes_from_the_tests_around(tmp_path: Path, test: str, expected: str) -> None:
    """Which one is returned is decided there, as by a gradient that overflowed."""
    assert expected == origin(record(tmp_path, f"v = x.sum().item()\nif {test}: pass", helpers=OVERFLOW))[0]


def test_part_of_a_tuple_that_is_passed_comes_from_that_part_alone(tmp_path: Path) -> None:
    """A command that stands beside an action is no number that left a tensor; the action is."""
    helpers = (
        "def send(message):\n    command, data = message\n    if command == 'step': pass\n    if data == 2: pass\n"
        "    return command"
    )
    found = record(tmp_path, "send(('reset', None))\nsend(('step', x.argmax().item() + 0))", helpers=helpers)
    assert [("python", None), ("scalar~", "argmax")] == [origin(found, -2), origin(found, -1)]


def test_part_of_what_is_no_tuple_in_every_call_comes_from_all_of_it(tmp_path: Path) -> None:
    """An unpacked list does not tell which item is which."""
    helpers = "def send(message):\n    command, data = message\n    if command == 1: pass\n    return data"
    found = record(tmp_path, "send((1, 2))\nsend([x.argmax().item() + 0, 3])", helpers=helpers)
    assert ("scalar~", "argmax") == origin(found)
