"""`import torch` in a script is dyncore, and in the process around it what it was before."""

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

import dyncli
import dyncore
from dyncli.instrument.runtime import importer
from dyncli.instrument.runtime.importer import Importer, torch_is_dyncore

LIBRARY = {
    "__init__.py": "from torch import nn\nfrom .ops import double\nclass Layer(nn.Linear):\n    pass\n",
    "ops.py": "import torch\ndef double(x):\n    return torch.add(x, x)\n",
    "plain.py": "import math\n",
}


@pytest.fixture(autouse=True)
def modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`sys.modules` and `sys.path` as they were, and no library kept from other tests.

    Modules of the engine stay: classes of one that is imported anew are others.
    """
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(importer, "_libraries", {})
    monkeypatch.setattr(importer, "_looked_at", {})
    monkeypatch.setattr(importer, "_on_pytorch", {"torch"})
    monkeypatch.setattr(importer, "_loaded", {})
    before = dict(sys.modules)
    yield
    for name in sys.modules.keys() - before.keys():
        if name.partition(".")[0] not in ("dyncore", "dyncli"):
            del sys.modules[name]
    sys.modules.update(before)


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of an importable package on top of PyTorch, which lies beside no script."""
    folder = tmp_path / "installed" / "torchy_for_test"
    folder.mkdir(parents=True)
    for name, text in LIBRARY.items():
        (folder / name).write_text(text)
    monkeypatch.syspath_prepend(str(folder.parent))
    return folder.name


@pytest.fixture
def pytorch(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module that stands for PyTorch's own, with one below it."""
    real, nn = ModuleType("torch"), ModuleType("torch.nn")
    real.__dict__.update(nn=nn, Linear=type("Linear", (), {"__module__": "torch.nn"}))
    monkeypatch.setitem(sys.modules, "torch", real)
    monkeypatch.setitem(sys.modules, "torch.nn", nn)
    return real


def ran(tmp_path: Path, text: str, name: str = "net.py") -> ModuleType:
    """The module of a script that was run with probes in it."""
    script = tmp_path / "scripts" / name
    script.parent.mkdir(exist_ok=True)
    script.write_text(text)
    return Importer().execute(script, name, "__main__")


def test_each_form_of_import_gives_the_engine_itself(tmp_path: Path) -> None:
    """`torch`, its modules and their names are dyncore's own objects, under any form of import."""
    found = ran(
        tmp_path,
        "import torch\nimport torch as th\nimport torch.nn.functional as F\nfrom torch.optim import Adam\n"
        "from torch import nn\nimport importlib\ndistributions = importlib.import_module('torch.distributions')\n",
    )
    assert found.torch is found.th is dyncore
    assert found.F is dyncore.nn.functional and found.nn is dyncore.nn and found.Adam is dyncore.optim.Adam
    assert found.distributions is dyncore.distributions


def test_name_is_gone_after_the_run(tmp_path: Path) -> None:
    """A script leaves neither `torch` nor a module below it."""
    before = {name for name in sys.modules if name.partition(".")[0] == "torch"}
    ran(tmp_path, "import torch.nn.functional")
    assert before == {name for name in sys.modules if name.partition(".")[0] == "torch"}


def test_pytorch_of_the_process_is_set_aside_and_put_back(tmp_path: Path, pytorch: ModuleType) -> None:
    """Where PyTorch is imported, a script gets dyncore, and afterwards the process has PyTorch again."""
    nn = sys.modules["torch.nn"]
    found = ran(tmp_path, "import torch\nimport torch.nn as nn")
    assert found.torch is dyncore and found.nn is dyncore.nn
    assert sys.modules["torch"] is pytorch and sys.modules["torch.nn"] is nn


def test_pytorch_loaded_anew_between_two_runs_is_put_back(tmp_path: Path, pytorch: ModuleType) -> None:
    """Nothing found for the first run is put back after the second."""
    ran(tmp_path, "import torch")
    sys.modules["torch"] = again = ModuleType("torch")
    ran(tmp_path, "import torch")
    assert sys.modules["torch"] is again


class Deprecated:
    """A value whose every attribute warns, as `torch.distributed.reduce_op` does."""

    def __getattribute__(self, name: str) -> object:
        raise FutureWarning(f"{name} is deprecated")


def test_values_of_modules_of_the_process_are_not_asked_for_attributes(tmp_path: Path, pytorch: ModuleType) -> None:
    """A warning of theirs would be one of the script's."""
    library = ModuleType("library_for_test")
    library.__dict__.update(
        old=Deprecated(), __spec__=ModuleSpec(library.__name__, SourceFileLoader("library", "x.py"))
    )
    sys.modules[library.__name__] = library
    assert ran(tmp_path, "import torch").torch is dyncore


def test_library_on_top_gets_the_engine(tmp_path: Path, library: str) -> None:
    """A package that imports `torch` runs on dyncore, and is the same one for the next script."""
    text = f"import torch\nfrom {library} import Layer, double\ny = double(torch.ones(2))\nlayer = Layer(2, 1)"
    found = ran(tmp_path, text)
    assert [2.0, 2.0] == found.y.tolist() and isinstance(found.layer, dyncore.nn.Linear)
    assert library not in sys.modules
    assert ran(tmp_path, text).Layer is found.Layer


def test_library_on_pytorch_is_not_handed_to_a_script(tmp_path: Path, library: str, pytorch: ModuleType) -> None:
    """A package that the process imported with PyTorch is imported anew for a script, and put back."""
    outer = ModuleType(library)
    outer.__dict__.update(torch=pytorch, __spec__=sys.__spec__)
    sys.modules[library] = outer
    found = ran(tmp_path, f"from {library} import double\nimport torch\ny = double(torch.ones(1))")
    assert [2.0] == found.y.tolist() and sys.modules[library] is outer


def test_library_imported_between_two_runs_is_not_handed_to_the_second(
    tmp_path: Path, library: str, pytorch: ModuleType
) -> None:
    """Modules are looked at once; those that came meanwhile are new."""
    ran(tmp_path, "import torch")
    test_library_on_pytorch_is_not_handed_to_a_script(tmp_path, library, pytorch)


def test_nested_runs_keep_the_name(tmp_path: Path) -> None:
    """An inner context leaves `torch` to the outer one."""
    with torch_is_dyncore():
        import torch

        with torch_is_dyncore():
            assert sys.modules["torch"] is torch
        assert sys.modules["torch"] is dyncore


def test_path_is_as_it_was_afterwards(tmp_path: Path) -> None:
    """The entry for spawned processes is there while the script runs, after the script's own folder."""
    before = list(sys.path)
    found = ran(tmp_path, "import sys, torch\npath = list(sys.path)")
    assert found.path[1].endswith("spawned") and before == [entry for entry in sys.path if entry in before]
    assert not any(entry.endswith("spawned") for entry in sys.path)


def test_neighbour_called_torch_does_not_hide_the_engine(tmp_path: Path) -> None:
    """A folder `torch` beside the script is not what `import torch` finds."""
    (tmp_path / "scripts" / "torch").mkdir(parents=True)
    (tmp_path / "scripts" / "torch" / "__init__.py").write_text("mine = 1")
    assert ran(tmp_path, "import torch").torch is dyncore


def test_engine_files_get_no_probes_under_any_name() -> None:
    """A script in the folder that holds the engine imports its modules as they are."""
    importer = Importer()
    importer.folder = Path(dyncore.__file__).parents[1]
    with importer.finding():
        import torch

        assert torch is dyncore
        assert importer.find_spec("torch.nn.utils.prune", dyncore.nn.utils.__path__) is None
        assert importer.find_spec("dyncore.nn.utils.prune", dyncore.nn.utils.__path__) is None


def test_engine_under_a_name_of_the_script_gets_no_probes() -> None:
    """`sys.modules["th"] = dyncore` leads to the engine as well."""
    importer = Importer()
    importer.folder = Path(dyncore.__file__).parents[1]
    sys.modules["th"] = dyncore
    assert importer.find_spec("th.nn", dyncore.__path__) is None


def test_importer_says_whether_the_name_was_imported(tmp_path: Path) -> None:
    """The report needs to know it."""
    script = tmp_path / "net.py"
    for text, expected in (("import torch", True), ("import dyncore as torch", False)):
        script.write_text(text)
        importer = Importer()
        importer.execute(script, "net.py", "__main__")
        assert expected is importer.imports_torch


def test_script_that_imported_the_name_finds_it_in_sys_modules_when_it_is_called(tmp_path: Path) -> None:
    """Some libraries look there instead of importing."""
    script = tmp_path / "net.py"
    for text, expected in (("import torch", dyncore), ("import dyncore as torch", None)):
        script.write_text(f"import sys\n{text}\ndef forward():\n    return sys.modules.get('torch')\n")
        importer = Importer()
        module = importer.execute(script, "net.py", "__main__")
        with importer.recording([]):
            assert module.forward() is expected


def test_library_that_the_process_had_in_part_is_set_aside_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its module on top of the engine and those from before stay together: the next script finds the same."""
    folder = tmp_path / "installed" / "partly_torchy"
    folder.mkdir(parents=True)
    for name, text in (("__init__", ""), ("plain", ""), ("layers", "from torch import nn\n")):
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(folder.parent))
    plain = import_module("partly_torchy.plain")
    with torch_is_dyncore():
        layers = import_module("partly_torchy.layers")
    assert [] == [name for name in sys.modules if name.partition(".")[0] == "partly_torchy"]
    with torch_is_dyncore():
        assert layers is import_module("partly_torchy.layers") and plain is import_module("partly_torchy.plain")


def test_recorded_function_imports_what_the_process_has_under_the_name(pytorch: ModuleType) -> None:
    def forward(x):
        import torch

        imported.append(torch)
        return x * 2

    imported: list[ModuleType] = []
    dyncli.record(forward, 1.0)
    assert [pytorch] == imported
