"""Recording calls and blocks of the running process."""

import functools
import importlib
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import dyncli
import dyncore as torch
from dyncli import errors
from dyncli.analysis import values
from dyncore.rng import generator
from tests import transcripts


def forward(x, steps=1):
    """Decides by the sum."""
    for _ in range(steps):
        if x.sum() > 0:
            x = x * 2
        else:
            x = x - 2
    return x


def outer(x):
    """Calls another function of the file."""
    return forward(x).sum()


class Net(torch.nn.Module):
    """A layer behind a test."""

    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 1)
        self.unused = torch.nn.Linear(2, 2)

    def forward(self, x):
        """Decides by the mean."""
        if x.mean() > 0:
            return self.fc(x)
        return self.fc(-x)


def arms_of(record):
    """(text, arm) of each decision."""
    return [(decision.site.text, decision.arm) for decision in record.decisions]


def test_function_gives_outputs_gradients_decisions_and_ops():
    """A list of numbers becomes a tensor that requires grad, as on the command line."""
    record = dyncli.record(forward, [1, -1, 2])
    assert [2.0, -2.0, 4.0] == record.outputs["output"].tolist()
    assert [2.0, 2.0, 2.0] == record.gradients["x"].tolist()
    assert [("for _ in range(steps)", "loop"), ("x.sum() > 0", "then")] == arms_of(record)
    assert ["sum", "gt", "mul"] == [op.name for op in record.ops]
    assert ("ok", "float32") == (record.status, record.data.dtype)


def test_inputs_by_name_reach_their_parameters():
    """Whole numbers stay numbers."""
    record = dyncli.record(forward, x=np.array([1.0, 2.0]), steps=2)
    assert [4.0, 8.0] == record.outputs["output"].tolist()
    assert [4.0, 4.0] == record.gradients["x"].tolist()


def test_called_function_of_the_same_file_is_recorded():
    """The probes are in every function that the model may call."""
    record = dyncli.record(outer, [-1.0])
    assert ("x.sum() > 0", "else") in arms_of(record)
    assert ("outer", "forward") == record.decisions[-1].call_path[-2:]


def test_lambdas_of_one_line_are_told_apart():
    """Each has the test of its own."""
    first, second = (lambda x: x if x.sum() > 0 else -x), (lambda x: x if x.sum() < 5 else -x)
    assert [("x.sum() > 0", "then")] == arms_of(dyncli.record(first, [1.0]))
    assert [("x.sum() < 5", "else")] == arms_of(dyncli.record(second, [7.0]))


def test_closure_method_and_partial_are_recorded():
    """The function that is called in the end counts."""
    limit = torch.tensor(0.5)

    def inner(x, scale):
        return x * scale if x.max() > limit else x

    assert [("x.max() > limit", "then")] == arms_of(dyncli.record(functools.partial(inner, scale=2), [1.0]))
    net = Net()
    assert [("x.mean() > 0", "then")] == arms_of(dyncli.record(net.forward, [1.0, 1.0, 1.0]))


HELD = """\
from functools import partial


def end(x):
    return x * 2 if x.sum() > 0 else x


class Holder:
    kept = staticmethod(end)

    def __init__(self):
        self.held = end
        self.method = self.of_class

    @classmethod
    def of_class(cls, x):
        return cls.kept(x)

    @property
    def whole(self):
        return end


class Heir(Holder):
    pass


holder, table, later = Heir(), {"f": [(end,)]}, partial(map, end)
held = {
    "object": lambda x: holder.held(x),
    "static": lambda x: holder.kept(x),
    "bound": lambda x: holder.method(x),
    "class": lambda x: Heir.of_class(x),
    "property": lambda x: holder.whole(x),
    "containers": lambda x: table["f"][0][0](x),
    "partial": lambda x: next(iter(later([x]))),
    "default": lambda x, f=end: f(x),
    "keyword": lambda x, *, f=end: f(x),
    "closure": (lambda f: lambda x: f(x))(end),
    "method": holder.of_class,
}
"""


def test_function_is_recorded_wherever_it_is_held(tmp_path, monkeypatch):
    """By objects, classes and their bases, containers, defaults, and what calls it later."""
    (tmp_path / "holding_functions.py").write_text(HELD)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("holding_functions")
    for way, called in module.held.items():
        assert (way, [("x.sum() > 0", "then")]) == (way, arms_of(dyncli.record(called, [1.0])))


def test_module_gives_gradients_of_its_parameters():
    """One that no gradient came back to is None, with the reason."""
    record = dyncli.record(Net(), torch.tensor([1.0, 2.0, 3.0]))
    assert [[1.0, 2.0, 3.0]] == record.gradients["fc.weight"].tolist()
    assert None is record.gradients["unused.weight"]
    assert {"unused.weight", "unused.bias"} == set(record.missing)
    assert all(record.missing.values())
    assert "Net" == record.data.entry


def test_module_of_the_engine_is_recorded_without_decisions():
    """No function of the user's runs."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        record = dyncli.record(torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU()), [1.0, 2.0])
    assert ((), {"input", "0.weight", "0.bias"}) == (record.decisions, set(record.gradients))


def test_process_is_left_as_it_was():
    """Code, gradients, modes, listeners, the graph recorded before, and the random numbers."""
    net = Net().eval()
    net.fc.weight.grad = kept = torch.full((1, 3), 7.0)
    code = Net.forward.__code__
    weight = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    hidden = weight * 2
    before, modules = torch.get_rng_state(), set(sys.modules)
    dyncli.record(net, hidden)
    assert Net.forward.__code__ is code
    assert net.fc.weight.grad is kept and [[7.0, 7.0, 7.0]] == kept.tolist()
    assert None is net.fc.bias.grad is weight.grad is hidden.grad_fn.next_functions[1][0]
    assert not net.training
    assert "torch" not in sys.modules.keys() - modules
    assert torch.equal(before, torch.get_rng_state())
    hidden.sum().backward()
    assert [2.0, 2.0, 2.0] == weight.grad.tolist()


def test_graph_around_the_call_can_still_be_differentiated():
    """A captured tensor's graph is kept, and its leaves have the gradient they had."""
    weight = torch.tensor([2.0], requires_grad=True)
    hidden = weight.exp()
    record = dyncli.record(lambda x: x * hidden, [3.0])
    assert [np.exp(np.float32(2))] == record.gradients["x"].tolist()
    assert weight.grad is None
    hidden.backward()
    assert weight.grad.tolist() == hidden.tolist()


def test_own_backward_of_the_model_does_what_it_does():
    """Backward is not run again, and `.grad` is the model's own doing."""
    weight = torch.tensor([3.0], requires_grad=True)

    def step(x):
        loss = (weight * x).sum()
        loss.backward()
        return loss

    record = dyncli.record(step, torch.tensor([2.0]))
    assert [2.0] == weight.grad.tolist()
    assert 1 == len(record.data.backwards)


def test_no_grad_around_the_call_is_kept():
    """The mode is the caller's."""
    with torch.no_grad():
        record = dyncli.record(forward, [1.0])
    assert ({}, 3) == (record.gradients, len(record.ops))


def test_functions_made_in_a_recorded_call_have_no_probes_left():
    """They can be recorded by themselves, and are seen by no later recording that does not know them."""

    def make(x):
        scaled = x.sum()
        return {"inner": lambda y: y * scaled if y.sum() > 0 else y}

    kept = []

    def outer_of(x):
        kept.append(make(x)["inner"])
        return x

    dyncli.record(outer_of, [2.0])
    assert not any(name.startswith("@") for name in kept[0].__code__.co_names)
    assert [("y.sum() > 0", "then")] == arms_of(dyncli.record(kept[0], [1.0]))


def test_exception_of_the_model_comes_out():
    """The function has its code back."""

    def broken(x):
        raise KeyError("its own")

    code = broken.__code__
    with pytest.raises(KeyError, match="its own"):
        dyncli.record(broken, [1.0])
    assert broken.__code__ is code


def test_function_without_source_is_recorded_and_warned_of_once():
    """Ops and gradients are there, decisions are not."""
    names = {}
    exec("def made(x):\n    return x * 2 if x.sum() > 0 else x", names)
    names["made"].__code__ = names["made"].__code__.replace(co_filename="<nowhere>")
    with pytest.warns(errors.DecisionsNotRecorded, match="`made` in <nowhere>") as seen:
        record = dyncli.record(names["made"], [1.0])
    assert [__file__] == [each.filename for each in seen]
    assert ([], [2.0]) == (list(record.decisions), record.gradients["x"].tolist())
    assert ["sum", "gt", "mul"] == [op.name for op in record.ops]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = dyncli.record(names["made"], [1.0])
    assert 1 == len(again.warnings)


def test_source_that_changed_since_is_not_used(tmp_path, monkeypatch):
    """Another text would run other code than the process has."""
    path = tmp_path / "changing.py"
    path.write_text("def f(x):\n    return x if x.sum() > 0 else -x\n")
    monkeypatch.syspath_prepend(tmp_path)
    import changing

    path.write_text("def f(x):\n    return x * 9 if x.sum() > 1 else -x\n")
    with pytest.warns(errors.DecisionsNotRecorded):
        record = dyncli.record(changing.f, [2.0])
    assert ([2.0], ()) == (record.outputs["output"].tolist(), record.decisions)
    del sys.modules["changing"]


def test_function_typed_into_the_repl_is_recorded():
    """With decisions where that Python keeps what was typed, without where it does not."""
    typed = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "import dyncli\n"
        "def f(x):\n    return x * 2 if x.sum() > 0 else x\n\n"
        "record = dyncli.record(f, [1.0, 2.0])\n"
        "print('seen', record.gradients['x'].tolist(), len(record.ops))\n"
    )
    command, variables = [sys.executable, "-i", "-q"], transcripts.environment()
    finished = subprocess.run(command, input=typed, env=variables, capture_output=True, text=True, timeout=60)
    assert "seen [2.0, 2.0] 3" in finished.stdout, finished.stderr


def test_cell_of_ipython_is_recorded_with_its_number():
    """Its source is what IPython keeps."""
    interactive = pytest.importorskip("IPython.core.interactiveshell")
    shell = interactive.InteractiveShell.instance()
    try:
        shell.run_cell("import dyncli", store_history=True)
        shell.run_cell("def f(x):\n    return x * 2 if x.sum() > 0 else x", store_history=True)
        shell.run_cell("record = dyncli.record(f, [1.0])", store_history=True)
        record = shell.user_ns["record"]
        assert [("x.sum() > 0", "then")] == arms_of(record)
        assert "In[2]" == record.decisions[0].site.file == record.data.model
        assert "In[2]:f" in str(record)
    finally:
        interactive.InteractiveShell.clear_instance()


def test_block_has_decisions_of_what_it_calls_and_its_own_backward():
    """The record is there after the block."""
    x = torch.tensor([1.0, -1.0, 2.0], requires_grad=True)
    with dyncli.recording() as record:
        y = forward(x)
        y.sum().backward()
    assert ("x.sum() > 0", "then") in arms_of(record)
    assert [2.0, 2.0, 2.0] == record.gradients["x"].tolist()
    assert [2.0, 2.0, 2.0] == x.grad.tolist()
    assert [2.0, -2.0, 4.0] == record.outputs["y"].tolist()


def test_leaf_made_in_a_block_has_the_name_of_its_variable():
    """The block itself has that of its function."""
    with dyncli.recording() as record:
        w = torch.ones(2, requires_grad=True)
        (w * 3).sum().backward()
    assert {"w": [3.0, 3.0]} == {name: value.tolist() for name, value in record.gradients.items()}
    assert "test_leaf_made_in_a_block_has_the_name_of_its_variable" == record.data.entry


def test_record_of_an_open_block_is_refused():
    """The hint is a note of the error."""
    with dyncli.recording() as record, pytest.raises(ValueError, match="still being recorded") as caught:
        record.outputs  # noqa: B018
    assert ["hint: use the record after its `with` block"] == caught.value.__notes__
    assert {} == record.outputs


def test_block_that_raises_leaves_its_record():
    """The exception comes out, and what ran until then is kept."""
    with pytest.raises(ZeroDivisionError), dyncli.recording() as record:
        forward(torch.tensor([1.0]))
        _ = 1 / 0
    assert ("error", "ZeroDivisionError") == (record.status, record.data.failure.type)
    assert ["tensor", "sum", "gt", "mul"] == [op.name for op in record.ops]


def test_recordings_do_not_nest():
    """The inner one is refused, the outer one goes on."""
    with dyncli.recording() as record, pytest.raises(RuntimeError, match="open already"):
        dyncli.record(forward, [1.0])
    assert "ok" == record.status
    assert "then" == dyncli.record(forward, [1.0]).decisions[-1].arm


@pytest.mark.parametrize(
    ("model", "inputs", "kind", "message"),
    [
        ("net.py", ([1.0],), TypeError, "not a str"),
        (Net, ([1.0],), TypeError, "`Net` is a class"),
        (3, (), TypeError, "not an int"),
        (forward, (), TypeError, "forward: missing a required argument: 'x'"),
        (forward, ([1.0], 2, 3), TypeError, "forward: too many positional arguments"),
        (forward, ([[1.0], [1.0, 2.0]],), TypeError, "`x`"),
    ],
)
def test_bad_arguments_say_what_would_do(model, inputs, kind, message):
    """A TypeError of ours, with a hint below."""
    with pytest.raises(kind) as caught:
        dyncli.record(model, *inputs)
    assert message in str(caught.value)
    assert caught.value.__notes__[-1].startswith("hint: ")


def test_inputs_in_containers_and_keywords_are_leaves():
    """Numbers and tensors within others have the names of their ways; what requires no grad has none."""
    held = {"w": torch.tensor([2.0], requires_grad=True), "deep": (torch.ones(2), None, [object()])}

    def model(tree, *rest, **more):
        total = tree["a"] * tree["b"][0]["c"] + more["held"]["w"] + more["held"]["w"] * more["held"]["deep"][0].sum()
        return total * rest[0].sum() * rest[1][0] * (2 if more["nothing"] is None else 3)

    record = dyncli.record(
        model, {"a": 1.5, "b": [{"c": 2.0}, "x"]}, np.array([1, 2]), [torch.tensor(3.0), 1], held=held, nothing=None
    )
    assert [162.0] == record.outputs["output"].tolist()
    names = {"tree.a": 36.0, "tree.b.0.c": 27.0, "held.w": [54.0]}
    assert {name: None if value is None else value.tolist() for name, value in record.gradients.items()} == names


def test_class_named_as_one_of_pytorch_is_refused_where_it_stands(monkeypatch):
    """A tensor or Module of PyTorch is known by its name, as the model, as an input and within one."""

    class Tensor:
        """Stands for PyTorch's."""

        __module__ = "torch"

        def __call__(self, x): ...

    monkeypatch.setitem(sys.modules, "torch", object())
    for model, given, name in (
        (Tensor(), 1.0, "model"),
        (forward, Tensor(), "x"),
        (forward, {"a": [Tensor()]}, "x.a.0"),
    ):
        with pytest.raises(TypeError, match=f"`{name}` is a Tensor of PyTorch"):
            dyncli.record(model, given)


def test_tensor_of_pytorch_is_refused_by_name():
    """It is no tensor of the engine."""
    pytorch = pytest.importorskip("torch")
    with pytest.raises(TypeError, match="`x` is a Tensor of PyTorch"):
        dyncli.record(forward, pytorch.ones(2))
    with pytest.raises(TypeError, match="`model` is a Linear of PyTorch"):
        dyncli.record(pytorch.nn.Linear(2, 2), [1.0, 2.0])


def test_import_loads_neither_numpy_nor_the_engine():
    """The names are there before what is behind them."""
    code = (
        "import dyncli, sys; assert {'record', 'recording', 'diff', 'load', 'Record'} <= set(dir(dyncli));"
        "print(sorted({'numpy', 'dyncore', 'rich', 'typer', 'dyncli.recorder', 'dyncli.api'} & set(sys.modules)))"
    )
    command, variables = [sys.executable, "-c", code], transcripts.environment()
    finished = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60)
    assert ("[]\n", "") == (finished.stdout, finished.stderr)


@pytest.mark.parametrize("name", dyncli.__all__)
def test_no_name_of_the_api_is_a_subpackage(name: str):
    """An import of it would take the name."""
    assert not (Path(dyncli.__file__).parent / name / "__init__.py").exists()


def test_unknown_names_are_refused():
    """As of any module."""
    with pytest.raises(AttributeError, match="no attribute 'recrd'"):
        dyncli.recrd  # noqa: B018


@pytest.mark.whole
def test_what_was_recorded_is_freed(tmp_path):
    """A record holds no model; seen in a process of its own."""
    (tmp_path / "freed.py").write_text(
        "import gc, weakref\nimport dyncore as torch\nimport dyncli\n"
        "class Net(torch.nn.Linear):\n"
        "    def forward(self, x):\n        return super().forward(x) if x.sum() > 0 else x\n"
        "net = Net(2, 1)\nrecord = dyncli.record(net, [1.0, 2.0])\nreference = weakref.ref(net)\n"
        "del net\ngc.collect()\nprint(len(record.decisions), reference())\n"
    )
    command, variables = [sys.executable, "freed.py"], transcripts.environment()
    finished = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=60)
    assert ("1 None\n", "") == (finished.stdout, finished.stderr)


async def awaited(x):
    """Runs nothing before it is awaited."""
    return x


def yielded(x):
    """Runs nothing before it is iterated over."""
    yield x


async def both(x):
    """Runs nothing before it is iterated over by a coroutine."""
    yield x


@pytest.mark.parametrize(
    ("model", "message", "hint"),
    [
        (Net, "`Net` is a class", "`Net(...)`"),
        (awaited, "`awaited` is a coroutine", "with dyncli.recording()"),
        (yielded, "`yielded` is a generator", "`lambda x: list(yielded(x))`"),
        (both, "`both` is a coroutine", "with dyncli.recording()"),
    ],
    ids=["class", "coroutine", "generator", "asynchronous generator"],
)
def test_model_that_runs_nothing_when_called_is_refused(model, message, hint):
    """A class makes an instance, the others an object that runs later."""
    with pytest.raises(TypeError, match=message) as caught:
        dyncli.record(model, [1.0])
    assert hint in caught.value.hint


def test_recording_inside_a_recorded_model_is_refused():
    """The hint names both ways in which one may be open."""
    with pytest.raises(errors.RecordingOpen) as caught:
        dyncli.record(lambda x: dyncli.record(forward, x), [1.0])
    assert "`dyncli.record()`" in caught.value.hint


def test_seed_of_a_process_that_was_not_seeded_is_not_shown():
    """It is the constant that PyTorch names."""
    before = torch.get_rng_state()
    try:
        torch.default_generator.manual_seed(values.UNSEEDED)
        assert "seed" not in repr(dyncli.record(forward, [1.0]))
        torch.manual_seed(3)
        assert "seed 3" in repr(dyncli.record(forward, [1.0]))
    finally:
        torch.set_rng_state(before)
    assert generator.DEFAULT_SEED == values.UNSEEDED


def test_error_of_a_model_has_the_frames_of_its_own_files():
    """Those of the engine say nothing about the model."""

    def product(x):
        return x @ torch.ones(4, 3)

    with pytest.raises(RuntimeError, match="shapes cannot be multiplied") as caught:
        dyncli.record(product, [[1.0, 2.0, 3.0]])
    names = [entry.name for entry in caught.traceback]
    assert [names[0], "record", "product"] == names
