"""Names: what is missing is said so, with the nearest that exists; importing stays light."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import dyncore
from dyncore.errors.pytorch_names import _sections as sections, of_pytorch
from dyncore.tensors import missing

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")


def test_a_name_pytorch_has_is_named_as_missing_here() -> None:
    with pytest.raises(AttributeError, match="^module 'torch' has no attribute 'sparse_csr_tensor'") as error:
        _ = dyncore.sparse_csr_tensor
    assert "PyTorch has `torch.sparse_csr_tensor`; dyncore does not" == error.value.__notes__[0]


def test_modules_are_the_same_under_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a program puts the engine under PyTorch's name, no second tensor comes to be."""
    monkeypatch.setitem(sys.modules, "another", dyncore)
    for name in (
        "autograd",
        "autograd.graph",
        "nn.functional",
        "utils.checkpoint",
        "cuda",
        "optim.adamw",
        "autograd.function",
    ):
        module = importlib.import_module(f"another.{name}")
        monkeypatch.delitem(sys.modules, f"another.{name}")
        assert importlib.import_module(f"dyncore.{name}") is module
        assert "another" not in str(getattr(module, "__spec__", None))
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'another\.onyx'"):
        importlib.import_module("another.onyx")


@pytest.mark.whole
def test_every_name_of_pytorchs_that_is_missing_here_says_so() -> None:
    """Over the whole list of PyTorch's public names: there, or an error that says whose name it is."""
    silent = []
    for title in sections():
        if title == "modules":
            continue
        owner = dyncore.Tensor if title == "Tensor" else module_of(title)
        for name in of_pytorch(title):
            if hasattr(owner, name):
                continue
            with pytest.raises(AttributeError) as error:
                getattr(dyncore.ones(1) if title == "Tensor" else owner, name)
            if f"PyTorch has `{title}.{name}`; dyncore does not" not in getattr(error.value, "__notes__", ()):
                silent.append(f"{title}.{name}")
    assert [] == sorted(silent)


def module_of(title: str) -> Any:
    """The module, or the object that stands for it."""
    with suppress(ImportError):
        return importlib.import_module("dyncore" + title.removeprefix("torch"))
    found = dyncore
    for name in title.split(".")[1:]:
        found = getattr(found, name)
    return found


@pytest.mark.parametrize(("statement", "kind", "notes"), [
    ("import dyncore.onnx; dyncore.onnx.export(1)", NotImplementedError, [
        "hint: models run as they are written; nothing here has a graph to transform or to export"]),
    ("from dyncore import sparse_csr_tensor", ImportError, [
        "PyTorch has `torch.sparse_csr_tensor`; dyncore does not",
        "hint: the one sparse layout here is that of `torch.sparse_coo_tensor` and `to_sparse`"]),
    ("from dyncore.fx import Tracer; Tracer()", NotImplementedError, [
        "hint: models run as they are written; nothing here has a graph to transform or to export"]),
    ("from dyncore.hub import load; load('a', 'b')", NotImplementedError, [
        "hint: nothing is downloaded; `torch.load` reads `.pt`, safetensors and npz files"]),
    ("dyncore.cuda.synchronize()", AssertionError, [
        "no GPU here: dyncore computes on the CPU",
        'hint: leave the device out, or write `"cuda" if torch.cuda.is_available() else "cpu"`, which is "cpu" here']),
    ("from dyncore.distributed.fsdp import FullyShardedDataParallel as F; F(1)", ValueError, [
        "hint: everything runs in one process here; ask `torch.distributed.is_available()` first"]),
    ("from dyncore.nn import LSTMM", ImportError, ["hint: did you mean `LSTM`?"]),
    ("from dyncore.multiprocessing import spawn; spawn(print, nprocs=2)", NotImplementedError, [
        "hint: dyncore runs everything in one process; call the function here, or use Python's `multiprocessing`"]),
    ("dyncore.nn.Linear(1, 1).bfloat16()", AttributeError, [
        "PyTorch has `torch.nn.Module.bfloat16`; dyncore does not",
        "hint: `.float()` and `.double()` are here, and everything runs on the CPU"]),
    ("dyncore.ones(1).to(dyncore.bfloat16)", TypeError, ["hint: `torch.float32` holds them all"]),
    ("dyncore.zeros(1, dtype=dyncore.float8_e5m2)", TypeError, ["hint: `torch.float32` holds them all"]),
    ("dyncore.symeig(dyncore.eye(2), eigenvectors=True)", RuntimeError, [
        "hint: `torch.symeig(A, eigenvectors=True)` is `torch.linalg.eigh(A, UPLO='U')`, and without vectors "
        "`torch.linalg.eigvalsh(A, UPLO='U')`"]),
    ("dyncore.eye(2).solve(dyncore.eye(2))", RuntimeError, [
        "hint: `torch.solve(B, A)[0]` is `torch.linalg.solve(A, B)`; `torch.linalg.lu_factor(A)` factors A"]),
    ("dyncore.distributed.init_process_group('gloo')", RuntimeError, [
        "hint: everything runs in one process here; ask `torch.distributed.is_available()` first"]),
])  # fmt: skip
def test_missing_name_error_names_alternative(statement: str, kind: Any, notes: list[str]) -> None:
    """Also where a `from` asks for it, whose error has no place for notes of an AttributeError."""
    with pytest.raises(kind) as error:
        exec(statement, {"dyncore": dyncore})
    assert kind is type(error.value)
    assert notes == error.value.__notes__


@pytest.mark.parametrize("statement", [
    "from dyncore.cuda.amp import autocast, GradScaler", "from dyncore.cuda.amp.grad_scaler import GradScaler",
    "from dyncore.optim.adamw import AdamW", "from dyncore.nn.utils.weight_norm import weight_norm",
    "from dyncore.nn.parallel import DistributedDataParallel as DDP", "import dyncore.multiprocessing as mp",
    "from dyncore.distributed import init_process_group, destroy_process_group, ReduceOp",
    "from dyncore.nn.attention import SDPBackend, sdpa_kernel", "from dyncore.types import Device, Number",
    "import dyncore.backends.cudnn as c, dyncore; c.benchmark = True; assert dyncore.backends.cudnn.benchmark",
    "from dyncore._dynamo import config; config.suppress_errors = True", "from dyncore.overrides import is_tensor_like",
    "from dyncore.nn.modules.linear_cross_entropy import LinearCrossEntropyLoss", "from dyncore.jit import Final",
    "from dyncore.functional import einsum, norm", "from dyncore.nn.grad import conv2d_input",
    *(f"import dyncore.{name}" for name in ("onnx", "hub", "fx", "library", "export", "package", "nested")),
    "import dyncore.ao.quantization as q; q.QuantStub()(1)", "from dyncore.quantization import QuantStub, DeQuantStub",
    "from dyncore.distributed.nn import all_reduce", "from dyncore.distributed import fsdp", "import dyncore.mps",
    "from dyncore.utils.model_zoo import load_url", "from dyncore.utils.cpp_extension import load_inline",
    "import dyncore.utils.bottleneck, dyncore.utils.benchmark as b; b.Timer", "import dyncore.xpu, dyncore._inductor",
    "from dyncore.fx import Tracer, symbolic_trace, wrap\nclass Mine(Tracer): pass\nassert wrap(len) is len",
    "from dyncore.onnx import is_in_onnx_export; assert not is_in_onnx_export()", "from dyncore import torch",
    "from dyncore.compiler import is_compiling; assert not is_compiling()", "from dyncore.cpu.amp import autocast",
])  # fmt: skip
def test_modules_that_scripts_import_at_the_top_are_there(statement: str) -> None:
    exec(statement, {})
    assert callable(dyncore.nn.utils.weight_norm)


def test_a_misspelled_name_gets_a_suggestion() -> None:
    with pytest.raises(AttributeError, match="^module 'torch' has no attribute 'matmull'") as error:
        _ = dyncore.matmull
    assert ["hint: did you mean `matmul`?"] == error.value.__notes__


def test_python_itself_suggests_the_method_that_a_misspelled_one_was_meant_to_be() -> None:
    script = f"import sys\nsys.path.insert(0, {str(Path(dyncore.__file__).parents[1])!r})\n"
    script += "import dyncore\ndyncore.ones(1).unsqeeze"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    said = "AttributeError: 'Tensor' object has no attribute 'unsqeeze'. Did you mean: 'unsqueeze'?"
    assert said == done.stderr.splitlines()[-1]


def test_the_list_of_missing_methods_is_right() -> None:
    """Each is PyTorch's, none is here, and they are neither listed nor in the way of a user's own attribute."""
    assert sorted(name for name in of_pytorch("Tensor") if not hasattr(dyncore.Tensor, name)) == list(missing.NAMES)
    x = dyncore.ones(1)
    assert not set(missing.NAMES) & set(dir(x))
    x.values = 3
    assert x.values == 3


@pytest.mark.parametrize(("module", "name", "near"), [
    ("nn", "LSTMM", "LSTM"), ("nn.functional", "crossentropy", "cross_entropy"),
    ("nn.init", "kaiming_unform_", "kaiming_uniform_"),
    ("optim", "Adamm", "Adam"), ("optim.lr_scheduler", "StepLRR", "StepLR"), ("linalg", "choleski", "cholesky"),
    ("fft", "fftt", "fft"), ("special", "erff", "erf"), ("autograd", "grd", "grad"), ("func", "gradd", "grad"),
    ("distributions", "Norml", "Normal"), ("utils.data", "DataLoadr", "DataLoader"),
])  # fmt: skip
def test_every_module_suggests(module: str, name: str, near: str) -> None:
    """`torch.nn.LSTMM` is told of `LSTM`."""
    found = importlib.import_module(f"dyncore.{module}")
    with pytest.raises(AttributeError, match=f"^module 'torch.{module}' has no attribute '{name}'") as error:
        getattr(found, name)
    assert [f"hint: did you mean `{near}`?"] == error.value.__notes__


def test_mixed_precision_changes_nothing() -> None:
    """Scripts with autocast and a GradScaler run as they stand."""
    x = dyncore.ones(2, requires_grad=True)
    optimizer = dyncore.optim.SGD([x], lr=0.5)
    scaler = dyncore.amp.GradScaler("cuda", enabled=dyncore.cuda.is_available())
    with dyncore.autocast("cpu"), dyncore.cuda.amp.autocast():
        loss = (x * 2).sum()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    assert [0.0, 0.0] == x.tolist()


def test_compile_takes_what_pytorch_takes() -> None:
    """A module, a function, as a call and as a decorator with and without arguments."""
    model = dyncore.nn.Linear(1, 1)
    compiled = dyncore.compile(model, mode="reduce-overhead")
    assert ["_orig_mod.weight", "_orig_mod.bias"] == list(compiled.state_dict())
    assert compiled.weight is model.weight and compiled(dyncore.ones(1)) == model(dyncore.ones(1))
    assert 3 == dyncore.compile(dynamic=True)(lambda x: x + 1)(2)
    assert dyncore.compile(model, disable=True) is model


CLOSE = [
    "t.tensor([1.0, 2.0]), t.tensor([1.0, 2.0000001])", "t.tensor([1.0, 2.0]), t.tensor([1.0, 2.1])",
    "t.tensor([1.0, 2.0]), t.tensor([1.0, 2.0, 3.0])", "t.tensor([1.0]), t.tensor([1.0]).double()",
    "t.tensor([1, 2]), t.tensor([1, 3])", "[t.ones(1), t.zeros(2)], [t.ones(1), t.ones(2)]",
    "{'a': t.ones(1)}, {'a': t.zeros(1)}", "t.tensor([float('nan')]), t.tensor([float('nan')])",
    "t.tensor([float('nan')]), t.tensor([float('nan')]), equal_nan=True",
    "t.ones(2), t.ones(2) * 1.01, rtol=0.1, atol=0",
    "t.ones(2), t.ones(2), rtol=0.1", "t.tensor([[1.0, 2.0], [3.0, 5.0]]), t.tensor([[1.0, 2.5], [3.0, 4.0]])",
]  # fmt: skip


@needs_torch
@pytest.mark.parametrize("arguments", CLOSE)
def test_assert_close_says_what_pytorchs_says(arguments: str) -> None:
    """The same verdict; the same first lines of the reason."""
    import torch

    reasons = []
    for t in (torch, dyncore):
        try:
            eval(f"t.testing.assert_close({arguments})", {"t": t})
            reasons.append("")
        except (AssertionError, ValueError) as error:
            reasons.append(str(error))
    assert reasons[0] == reasons[1]


def test_untyped_storage_of_view_is_that_of_base() -> None:
    base = dyncore.arange(6.0)
    assert base.untyped_storage().data_ptr() == base[2:].untyped_storage().data_ptr()
    assert 24 == base[2:].untyped_storage().nbytes()


def test_underscored_names_are_refused_at_once() -> None:
    """`hasattr` with private and special names stays cheap and silent."""
    assert not hasattr(dyncore, "_nothing_of_the_kind")
    assert not hasattr(dyncore.ones(1), "__nothing__")


def test_submodules_and_rare_names_come_when_asked_for() -> None:
    for name in ("nn", "optim", "distributions", "cuda", "backends", "utils", "save", "load", "FloatTensor"):
        assert getattr(dyncore, name) is not None
    assert sorted(dyncore.__all__) == dyncore.__all__


def test_import_loads_neither_distributions_nor_random_of_numpy() -> None:
    """A light import: what few scripts use is loaded when it is used."""
    code = (
        "import sys, dyncore; "
        "heavy = ('numpy.random', 'dyncore.distributions', 'dyncore.utils.data', 'dyncore.nn', 'zipfile'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    path = dyncore.__path__[0].removesuffix("dyncore").rstrip("/")
    environment = {"PYTHONPATH": path, "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert "[]" == done.stdout.strip()


def test_module_with_a_public_path_is_executed_once() -> None:
    code = (
        "import sys, dyncore; from dyncore.binding.imports import _Public; executed = []; old = _Public.get_code; "
        "_Public.get_code = lambda self, name: executed.append(name) or old(self, name); "
        "dyncore.sparse_coo_tensor((2, 2)); import dyncore.linalg, dyncore.compat.sparse; print(executed); "
        "print(dyncore.sparse is dyncore.compat.sparse)"
    )
    path = dyncore.__path__[0].removesuffix("dyncore").rstrip("/")
    environment = {"PYTHONPATH": path, "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert ["['dyncore.compat.sparse', 'dyncore.compat.linalg']", "True"] == done.stdout.splitlines()


@needs_torch
@pytest.mark.parametrize("module", ["torch", "torch.nn", "torch.nn.functional", "torch.optim", "Tensor"])
def test_the_list_of_names_is_pytorchs(module: str) -> None:
    """Nearly all names in the list are there in the installed version, and the other way round."""
    from tests.tools.list_pytorch_names import names_of

    listed, present = of_pytorch(module), set(names_of(module))
    assert len(listed & present) > 0.97 * len(listed | present) > 0


def test_an_op_called_often_stays_the_same_function() -> None:
    """Its code is exchanged for a faster one, so that who holds it has that one too, and `is` keeps its answer."""
    held, x = dyncore.cumsum, dyncore.tensor([1.0, 2.0], requires_grad=True)
    method = dyncore.Tensor.cumsum
    for _ in range(40):
        assert [1.0, 3.0] == held(x, 0).tolist() == x.cumsum(dim=0).tolist()
    assert ("input", "dim") == held.__code__.co_varnames[:2]
    assert held is dyncore.cumsum
    assert method is dyncore.Tensor.cumsum
    assert held.__wrapped__ is dyncore.cumsum.__wrapped__


def test_an_op_called_often_keeps_its_gradients_whatever_its_parameters_are_called() -> None:
    """`ctc_loss` has `targets`, which is also what a node calls the parameters it leads to."""
    found = set()
    for _ in range(35):
        x = dyncore.arange(40.0).sin().reshape(5, 2, 4).requires_grad_()
        loss = dyncore.nn.functional.ctc_loss(x.log_softmax(2), dyncore.tensor([[1, 2], [3, 1]]), (5, 5), (2, 2))
        loss.backward()
        found.add(round(x.grad.abs().sum().item(), 6))
    assert 1 == len(found)


@pytest.mark.parametrize("space", ["", "nn", "nn.functional", "optim", "linalg", "autograd", "utils", "functional"])
def test_what_can_be_asked_for_is_listed(space: str) -> None:
    """`dir(torch)` and completion show what is imported when first asked for, too."""
    torch, owner = pytest.importorskip("torch"), dyncore
    there = torch
    for part in filter(None, space.split(".")):
        owner, there = getattr(owner, part), getattr(there, part)
    names = [name for name in dir(there) if name[0] != "_" and hasattr(owner, name)]
    assert len(names) > 3
    assert set() == set(names) - set(dir(owner)) - set(sys.modules)
