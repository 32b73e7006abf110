"""Archives of `torch.save` come back as they were; a hostile file builds nothing but data, in bounded memory."""

from __future__ import annotations

import contextlib
import enum
import io
import os
import pickle
import struct
import tracemalloc
import zipfile
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as st

import dyncore
from dyncore import nn


class Net(nn.Module):
    """A model of the script itself."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(3, size)
        self.cell = nn.LSTM(size, 2)
        self.register_buffer("steps", dyncore.tensor(0))
        self.activation = nn.functional.relu

    def forward(self, x: Any) -> Any:
        return self.cell(self.activation(self.hidden(x)))[0] + self.steps


class Kind(enum.Enum):
    """An enumeration of the script itself."""

    WORD = "word"


class Example(NamedTuple):
    """A pair of the script itself."""

    text: str
    label: int


class Corpus(dyncore.utils.data.Dataset):
    """A data set of the script itself."""

    def __init__(self) -> None:
        self.examples = [Example("a", 0), Example("b", 1)]
        self.kind = Kind.WORD
        self.counts = defaultdict(list, {"a": [1]})

    def __getitem__(self, index: int) -> Any:
        return self.examples[index]

    def __len__(self) -> int:
        return len(self.examples)


class Slotted:
    """An object that keeps its state in slots."""

    __slots__ = ("value",)


def saved(obj: Any, **options: Any) -> bytes:
    """Return the bytes that `torch.save` writes."""
    buffer = io.BytesIO()
    dyncore.save(obj, buffer, **options)
    return buffer.getvalue()


def loaded(data: bytes, **options: Any) -> Any:
    """Return what `torch.load` reads from bytes."""
    return dyncore.load(io.BytesIO(data), **options)


def archive(data: bytes, **members: bytes) -> bytes:
    """Return an archive with this pickle and these storages."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in {"data.pkl": data, "version": b"3\n", **members}.items():
            file.writestr(f"archive/{name.replace('_', '/')}", content)
    return buffer.getvalue()


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_containers_come_back_under_each_protocol(protocol: int) -> None:
    checkpoint = {
        "numbers": [1, -1, 2**70, 2.5, float("-inf"), 1 + 2j, True, None],
        "texts": ("a", "ü", b"\x00\xff", bytearray(b"x")),
        "sets": [{1, 2}, frozenset({("a", 1)})],
        "dicts": [OrderedDict(a=1), Counter("aab"), {(1, 2): "pair"}],
        "arrays": [np.arange(6).reshape(2, 3).T, np.float32(2.5), np.array(["a", "bc"]), np.dtype("f4")],
        "torch": [dyncore.Size([1, 2]), dyncore.float16, dyncore.device("cpu")],
    }  # fmt: skip
    assert repr(checkpoint) == repr(loaded(saved(checkpoint, pickle_protocol=protocol)))


def test_arrays_of_another_byte_order_have_their_values() -> None:
    found = loaded(saved(np.arange(3, dtype=">i4")))
    assert ([0, 1, 2], np.dtype("i4")) == (found.tolist(), found.dtype)


def test_tensors_that_share_memory_share_it_again() -> None:
    base = dyncore.arange(12.0).reshape(3, 4)
    found = loaded(saved([base, base.t(), base[1:, 2:], base]))
    assert found[0] is found[3]
    found[0][1, 2] = 50
    assert [50.0, 50.0] == [float(found[1][2, 1]), float(found[2][0, 0])]
    assert (1, 4) == found[1].stride()


def test_parameters_and_attributes_of_tensors_come_back() -> None:
    weight, plain = nn.Parameter(dyncore.ones(2), requires_grad=False), dyncore.ones(1, requires_grad=True)
    weight.label, plain.label = "weight", "plain"
    found = loaded(saved([weight, plain]))
    assert [nn.Parameter, dyncore.Tensor] == [type(each) for each in found]
    assert [("weight", False), ("plain", True)] == [(each.label, each.requires_grad) for each in found]


def test_state_dict_keeps_its_versions() -> None:
    state = loaded(saved(nn.BatchNorm1d(2).state_dict()))
    assert {"": {"version": 2}} == dict(state._metadata)


def test_whole_module_of_the_script_needs_weights_only_false() -> None:
    dyncore.manual_seed(0)
    net, x = Net(4), dyncore.randn(5, 3)
    data = saved(net)
    title = f"{Net.__module__}.Net"
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed") as error:
        loaded(data)
    assert f"Unsupported global: GLOBAL {title} was not an allowed global by default" in str(error.value)
    assert error.value.__notes__[0].startswith("hint: `weights_only=False` also builds the layers of `torch.nn`")
    found = loaded(data, weights_only=False)
    assert net(x).tolist() == found(x).tolist()
    found.hidden.weight = nn.Parameter(dyncore.zeros(4, 3))
    assert found.hidden.weight is found.hidden._parameters["weight"]


def test_data_set_of_the_script_comes_back() -> None:
    found = loaded(saved(Corpus()), weights_only=False)
    assert (Example("b", 1), Kind.WORD, {"a": [1]}) == (found[1], found.kind, found.counts)
    assert [] == found.counts["new"]


def test_slots_come_back() -> None:
    value = Slotted()
    value.value = [1]
    assert [1] == loaded(saved(value), weights_only=False).value


def test_safe_globals_let_one_class_in() -> None:
    data = saved(Slotted())
    with dyncore.serialization.safe_globals([Slotted]):
        assert [Slotted] == dyncore.serialization.get_safe_globals()
        assert isinstance(loaded(data), Slotted)
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        loaded(data)


def test_cuda_storages_need_map_location() -> None:
    data = archive(saved_pickle(location="cuda:0"), data_0=struct.pack("<f", 1.5))
    with pytest.raises(RuntimeError, match=r"Attempting to deserialize object on a CUDA device") as error:
        loaded(data)
    assert "map_location=torch.device('cpu')" in str(error.value)
    assert [1.5] == loaded(data, map_location="cpu").tolist()
    assert [1.5] == loaded(data, map_location=lambda storage, location: storage).tolist()


def test_failed_save_leaves_an_older_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    dyncore.save([1], path)
    with pytest.raises((AttributeError, pickle.PicklingError)):
        dyncore.save([lambda: 1], path)
    assert [1] == dyncore.load(path)


# Hostile files.


def saved_pickle(
    count: Any = 1, shape: Any = (1,), strides: Any = (1,), offset: Any = 0, location: str = "cpu"
) -> bytes:
    """Return a pickle of one float32 tensor that says these things of itself."""
    out = io.BytesIO()
    writer = pickle._Pickler(out, 2)
    writer.write(b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\n")
    for value in ("0", location, count):
        writer.save(value)
    writer.write(b"tQ")
    for value in (offset, shape, strides, False, None):
        writer.save(value)
    writer.write(b"tR.")
    return out.getvalue()


class Calls:
    """An object whose pickle calls a function."""

    def __init__(self, function: Callable[..., Any], *args: Any) -> None:
        self.call = function, args

    def __reduce__(self) -> Any:
        return self.call


def raw(text: str, tail: str = ".") -> bytes:
    """Return a pickle written as opcodes."""
    return b"\x80\x02" + text.encode("latin-1") + tail.encode()


def hostile() -> Iterator[tuple[str, bytes]]:
    """Yield pickles that ask for more than data."""
    for name, call in {
        "system": Calls(os.system, "touch hostile"), "exec": Calls(exec, "raise SystemExit"), "eval": Calls(eval, "1"),
        "open": Calls(open, "hostile", "w"), "getattr": Calls(getattr, 1, "real"),
        "import": Calls(__import__, "antigravity"), "input": Calls(input), "range": Calls(range, 10**12),
        "bytes": Calls(bytes, 10**12), "loads": Calls(pickle.loads, b"."),
    }.items():  # fmt: skip
        yield name, pickle.dumps(call, 2)
    yield "stack global", pickle.dumps(Calls(os.system, "touch hostile"), 4)
    yield "instance", raw("(S'touch hostile'\nios\nsystem\n")
    yield "object", raw("(cos\nsystem\nS'touch hostile'\no")
    yield "dotted name", raw("ctorch\nserialization.os.system\n(S'touch hostile'\ntR")
    yield "engine module", raw("cdyncore.creation.serialization\nos\n")
    yield "engine class", raw("cdyncore.creation.checkpoint_reader\nzipfile.ZipFile\n)\x81")
    yield "main of the engine", raw("ctorch.__main__\nmain\n)R")
    yield "builder as class", raw("ctorch._utils\n_rebuild_tensor_v2\n)\x81")
    yield "state of a function", raw("ctorch._utils\n_rebuild_tensor_v2\n}(X\x01\x00\x00\x00aK\x01ub")
    yield "state of a class", raw("c__builtin__\ndict\n}(X\x01\x00\x00\x00aK\x01ub")
    yield "state of a list", raw("]}b")
    yield "append to a dict", raw("}K\x01a")
    yield "items of a list", raw("](K\x01K\x02u")
    yield "extension registry", raw("\x82\x01")
    yield "text persistent id", raw("Pstorage\n")
    yield "persistent id of a string", raw("X\x01\x00\x00\x00aQ")
    yield "object array", pickle.dumps(np.array([Calls(os.system, "touch hostile")], dtype=object), 2)
    yield "array of fields", pickle.dumps(np.zeros(1, dtype=[("a", "i4")]), 2)
    sparse = "ctorch._utils\n_rebuild_sparse_tensor\n("
    coo = "ctorch.serialization\n_get_layout\n(X\x10\x00\x00\x00torch.sparse_cootR"
    yield "sparse without a layout", raw(sparse + "K\x01K\x02tR")
    yield "sparse of a number", raw(sparse + coo + "K\x05tR")
    yield "sparse of numbers", raw(sparse + coo + "(K\x01K\x02K\x03ttR")
    yield "other layout", raw("ctorch.serialization\n_get_layout\n(X\x02\x00\x00\x00ostR")
    yield "codec", raw("c_codecs\nencode\n(X\x01\x00\x00\x00aX\x03\x00\x00\x00hextR")
    yield "partial", raw("cfunctools\npartial\n(cos\nsystem\ntR")
    yield "empty stack", raw("R")
    yield "missing memo", raw("h\x05")
    yield "size of a bytearray", raw("cbuiltins\nbytearray\n(J\xff\xff\xff\x7ftR")
    yield "huge memo index", raw("Nr\xff\xff\xff\xff")[:-1]
    yield "deep key", raw("}" + "K\x01" + "\x85" * 100_000 + "K\x02s")
    yield "unhashable key", raw("}]K\x02s")
    yield "lying text", raw("X\xff\xff\xff\x7fabc")
    yield "lying number", raw("\x8b\xff\xff\xff\x7fabc")
    yield "lying storage", saved_pickle(count=2**40, shape=(2**40,))
    yield "lying shape", saved_pickle(shape=(2**30, 2**30), strides=(2**30, 1))
    yield "negative stride", saved_pickle(strides=(-1,))
    yield "negative size", saved_pickle(shape=(-1,))
    yield "offset behind the end", saved_pickle(offset=5)
    yield "size of a float", saved_pickle(shape=(1.0,))
    yield "too many dimensions", saved_pickle(shape=(1,) * 100, strides=(1,) * 100)
    yield "too few strides", saved_pickle(shape=(1, 1))


HOSTILE = dict(hostile())


@pytest.mark.parametrize("weights_only", [True, False])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.whole if name == "deep key" else ()) for name in HOSTILE]
)
def test_hostile_pickle_is_refused(
    name: str, weights_only: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an archive, in the older format and alone; no code runs, and little memory is taken."""
    monkeypatch.chdir(tmp_path)
    magic = pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2) + pickle.dumps({}, 2)
    for data in (
        archive(HOSTILE[name], data_0=bytes(4)),
        magic + HOSTILE[name] + pickle.dumps(["0"], 2),
        HOSTILE[name],
    ):
        tracemalloc.start()
        with pytest.raises((pickle.UnpicklingError, RuntimeError)):
            loaded(data, weights_only=weights_only)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 50e6
    assert [] == os.listdir(tmp_path)


def test_compressed_or_overlapping_storages_are_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("archive/data.pkl", saved_pickle(count=10**7, shape=(10**7,)))
        file.writestr("archive/data/0", bytes(4 * 10**7))
    with pytest.raises(pickle.UnpicklingError, match="compressed|larger than the file"):
        loaded(buffer.getvalue())


def test_pickled_arrays_in_npz_are_refused() -> None:
    buffer = io.BytesIO()
    np.savez(buffer, a=np.array([Calls(os.system, "false")], dtype=object), allow_pickle=True)
    with pytest.raises(pickle.UnpicklingError, match="holds arrays of objects, which are pickles"):
        loaded(buffer.getvalue())


def test_archives_of_another_byte_order_are_refused() -> None:
    with pytest.raises(pickle.UnpicklingError, match="written on a machine of another byte order"):
        loaded(archive(pickle.dumps(1, 2), byteorder=b"big"))


def test_torchscript_archives_are_refused() -> None:
    with pytest.raises(RuntimeError, match="is a TorchScript archive, which holds code"):
        loaded(archive(pickle.dumps(1, 2), **{"constants.pkl": b""}))


VALID = saved({"a": dyncore.arange(4.0), "b": [np.arange(3), OrderedDict(x=(1, "two"))], "c": dyncore.tensor([True])})


@given(st.lists(st.tuples(st.integers(0, len(VALID) - 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_changed_bytes_load_or_are_refused(changes: list[tuple[int, int]]) -> None:
    data = bytearray(VALID)
    for place, value in changes:
        data[place] = value
    with contextlib.suppress(RuntimeError, pickle.UnpicklingError):
        loaded(bytes(data))


@given(st.binary(max_size=60))
def test_random_pickles_load_or_are_refused(data: bytes) -> None:
    with contextlib.suppress(RuntimeError, pickle.UnpicklingError):
        loaded(archive(b"\x80\x02" + data + b"."), weights_only=False)
