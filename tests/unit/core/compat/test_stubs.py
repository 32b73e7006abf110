"""Modules of PyTorch's that are not here: they can be imported, their names answer, do nothing, or raise."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import dyncore
from dyncore.compat.stub_table import ERRORS, TABLE
from dyncore.compat.stubs import Stub
from dyncore.errors.pytorch_names import of_pytorch


@pytest.mark.parametrize("module", sorted(TABLE))
def test_every_row_of_the_table_makes_its_names(module: str) -> None:
    """No name twice, and each can be made."""
    names = [name for names, _ in TABLE[module] for name in names.split()]
    assert sorted(set(names)) == sorted(names)
    with forgotten():
        stub = importlib.import_module(f"dyncore.{module}")
        for name in names:
            assert getattr(stub, name, "missing") != "missing"


@pytest.mark.parametrize(("expression", "expected"), [
    ("torch.cuda.is_available()", False), ("torch.cuda.device_count()", 0), ("torch.cuda.manual_seed_all(3)", None),
    ("torch.backends.mps.is_available()", False), ("torch.backends.cudnn.version()", None),
    ("torch.backends.cuda.matmul.allow_tf32", False),
    ("torch.backends.cudnn.enabled", True), ("torch.jit.script(len) is len", True), ("torch.jit.annotate(int, 3)", 3),
    ("torch.jit.ignore(drop=True)(len) is len", True), ("torch.jit.isinstance([1], list[int])", True),
    ("torch.onnx.is_in_onnx_export()", False), ("torch.accelerator.current_accelerator()", None),
    ("torch.compiler.disable(recursive=False)(len) is len", True), ("torch.version.cuda", None),
    ("torch.cpu.current_device()", "cpu"), ("torch.ao.quantization.QuantStub()(3)", 3),
    ("torch.cuda.amp.custom_fwd(cast_inputs=torch.float32)(len) is len", True),
    ("torch.get_device_module('cpu') is torch.cpu", True), ("bool(torch.compiler.config.never_set)", False),
])  # fmt: skip
def test_names_answer_as_on_a_machine_without_a_gpu(expression: str, expected: Any) -> None:
    assert expected == eval(expression, {"torch": dyncore})


@pytest.mark.whole
def test_modules_of_a_script_have_torch(tmp_path: Path) -> None:
    """Scripts of its first years write `torch.sparse.torch.eye`; the bar of `torch.hub` is the package's."""
    (tmp_path / "tqdm.py").write_text("tqdm = list\n", encoding="utf-8")
    names = "torch.sparse, torch.cuda, torch.optim.sgd, torch.nn.init, torch.jit"
    code = f"import torch\nprint([m.torch is torch for m in ({names})], torch.hub.tqdm is list)"
    ran = subprocess.run([sys.executable, "-m", "dyncore", "-c", code], cwd=tmp_path, capture_output=True, check=True)
    assert f"{[True] * 5} True" == ran.stdout.decode().strip()


def test_switches_are_remembered() -> None:
    script = (
        "import dyncore as torch, dyncore.backends.cudnn as cudnn\n"
        "cudnn.benchmark = True; torch.backends.cuda.matmul.allow_tf32 = True\n"
        "torch._inductor.config.triton.unique_kernel_names = True\n"
        "print(torch.backends.cudnn.benchmark, torch.backends.cuda.matmul.allow_tf32,"
        " torch._inductor.config.triton.unique_kernel_names)"
    )
    assert "True True True\n" == printed(script)


def test_lists_of_answers_are_new_each_time() -> None:
    dyncore.cuda.get_rng_state_all().append(1)
    assert [] == dyncore.cuda.get_rng_state_all()


@pytest.mark.parametrize(("expression", "kind", "sentence"), [
    ("torch.cuda.current_device()", AssertionError, "Torch not compiled with CUDA enabled"),
    ("torch.cuda.nvtx.range_push('a')", AssertionError, "Torch not compiled with CUDA enabled"),
    ("torch.distributed.get_rank()", ValueError,
     "Default process group has not been initialized, please make sure to call init_process_group."),
    ("torch.xpu.synchronize()", RuntimeError, "PyTorch is not linked with support for xpu devices"),
    ("torch.onnx.export(1, 2)", NotImplementedError, "torch.onnx.export is not part of dyncore"),
    ("torch.onnx.TrainingMode.EVAL", NotImplementedError, "torch.onnx.TrainingMode is not part of dyncore"),
    ("torch.jit.load('x')", NotImplementedError, "torch.jit.load is not part of dyncore"),
    ("torch.cuda.amb", AttributeError, "module 'torch.cuda' has no attribute 'amb'"),
])  # fmt: skip
def test_names_that_are_not_here_raise_when_they_are_used(expression: str, kind: Any, sentence: str) -> None:
    with pytest.raises(kind) as error:
        eval(expression, {"torch": dyncore})
    assert sentence == str(error.value)


def test_a_class_that_is_not_here_can_be_derived_from() -> None:
    class Mine(dyncore.fx.Transformer):
        pass

    assert not isinstance(3, Mine)
    with pytest.raises(NotImplementedError, match=r"^torch\.fx\.Transformer is not part of dyncore"):
        Mine()


def test_a_module_that_pytorch_has_not_is_not_made() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'dyncore\.cuda\.ampp'$"):
        importlib.import_module("dyncore.cuda.ampp")


def test_errors_name_modules_of_the_table() -> None:
    with forgotten():
        for title in ERRORS:
            importlib.import_module(f"dyncore.{title}")


def test_the_functions_of_layers_stay_when_their_module_is_imported() -> None:
    with forgotten():
        assert dyncore.nn.functional.gelu is importlib.import_module("dyncore._C._nn").gelu


def test_every_module_of_pytorchs_can_be_imported() -> None:
    with forgotten():
        for title in of_pytorch("modules"):
            importlib.import_module("dyncore" + title.removeprefix("torch"))


def test_a_summary_writer_lets_the_script_run_and_says_once_that_it_writes_nothing() -> None:
    script = (
        "from dyncore.utils.tensorboard import SummaryWriter\n"
        "for _ in range(2):\n"
        "    with SummaryWriter('logs') as writer:\n"
        "        writer.add_scalar('loss', 1.0, 2); writer.flush()\n"
        "print(writer.log_dir, hasattr(writer, 'ad_scalar'))"
    )
    done = run(script)
    assert "logs False\n" == done.stdout
    assert 1 == done.stderr.count("dyncore writes no TensorBoard logs")


def test_mixed_precision_blocks_change_nothing() -> None:
    with dyncore.autocast("cpu", dtype=dyncore.bfloat16), dyncore.cuda.amp.autocast():
        assert dyncore.float32 == (dyncore.ones(2, 2) @ dyncore.ones(2, 2)).dtype

    @dyncore.autocast("cuda")
    def double(x: Any) -> Any:
        return x * 2

    assert 4 == double(2)


@contextmanager
def forgotten() -> Iterator[None]:
    """A block after which the stubs that were imported in it are as they were before."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if isinstance(module := sys.modules[name], Stub):
            owner, _, last = name.rpartition(".")
            del sys.modules[name]
            if sys.modules.get(owner) is not None and vars(sys.modules[owner]).get(last) is module:
                delattr(sys.modules[owner], last)


def run(script: str) -> subprocess.CompletedProcess[str]:
    path = str(Path(dyncore.__file__).parents[1])
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {path!r})\n{script}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip


def printed(script: str) -> str:
    return run(script).stdout
