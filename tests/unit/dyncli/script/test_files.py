"""Input files: what each kind holds, and what happens when it is broken, huge or dangerous."""

import io
import json
import os
import pickle
import struct
from contextlib import suppress
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from dyncli import errors
from dyncli.script import arrays, readers


def written(folder: Path, name: str, data: bytes | str) -> str:
    """A file's path, once it is written."""
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)


def npy(array: np.ndarray, *, allow_pickle: bool = False) -> bytes:
    """An array as a `.npy` file."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=allow_pickle)
    return buffer.getvalue()


@pytest.mark.parametrize("dtype", ["float16", "float32", ">f8", "int8", "uint16", ">i8", "bool", "complex64"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_is_what_was_saved(dtype, shape, order):
    """Every kind of number, shape and memory order comes back, in the machine's byte order and writable."""
    array = np.arange(6).reshape(2, 3).astype(dtype)
    array = np.array(array if shape == (2, 3) else np.resize(array, shape), order=order)
    back = arrays.read_npy(npy(array), "x.npy")
    assert back.dtype.isnative and back.flags.writeable
    np.testing.assert_array_equal(back, array)


def test_a_pickle_is_refused(tmp_path: Path):
    """A pickle under the name of an array is not opened, whether bare or inside the format."""
    bare = written(tmp_path, "bare.npy", pickle.dumps([1.0]))
    with pytest.raises(errors.InputRefused, match="holds a pickle: refused, because unpickling runs code"):
        readers.read(bare)
    inside = written(tmp_path, "inside.npy", npy(np.array([{"a": 1}]), allow_pickle=True))
    with pytest.raises(errors.InputRefused, match="holds Python objects in a pickle"):
        readers.read(inside)
    buffer = io.BytesIO()
    np.savez(buffer, x=np.array([None]))
    with pytest.raises(errors.InputRefused, match="x.npy"):
        readers.read(written(tmp_path, "inside.npz", buffer.getvalue()))


@pytest.mark.parametrize("kept", [0, 3, 9, 40, 100, 130, 135])
def test_truncated_npy(kept):
    """However little is left of a file, the error says that it is broken."""
    data = npy(np.arange(4.0))
    assert 160 == len(data)
    with pytest.raises(errors.InputBroken, match="it is empty|no .npy file|header is damaged|it is truncated"):
        arrays.read_npy(data[:kept], "x.npy")


def test_a_lying_header_takes_no_memory():
    """A header that promises terabytes is refused before anything is allocated."""
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    with pytest.raises(errors.InputTooLarge, match="its array has 8,000,000,000,000 bytes, the limit is 1,073,741,824"):
        arrays.read_npy(data, "x.npy")


def test_words_are_no_numbers():
    """An array of strings or of records is not an input."""
    with pytest.raises(errors.InputBroken, match="it holds text, not numbers"):
        arrays.read_npy(npy(np.array(["abc"])), "x.npy")


def test_a_zip_bomb_is_refused(tmp_path: Path):
    """The sizes that the archive announces are added up before it is unpacked."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, x=np.zeros(1000))
    data = bytearray(buffer.getvalue())
    size = data.index(b"PK\x01\x02") + 24  # where the archive's directory says how large x.npy is
    data[size : size + 4] = (1100 << 20).to_bytes(4, "little")
    with pytest.raises(errors.InputTooLarge):
        readers.read(written(tmp_path, "bomb.npz", bytes(data)))


def test_truncated_npz(tmp_path: Path):
    """An archive that lost its end is broken, and so is one with a damaged member."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, x=np.arange(100.0))
    data = buffer.getvalue()
    with pytest.raises(errors.InputBroken, match="truncated or no .npz file"):
        readers.read(written(tmp_path, "short.npz", data[:-30]))
    with pytest.raises(errors.InputBroken):
        readers.read(written(tmp_path, "damaged.npz", data[:60] + bytes(20) + data[80:]))


def test_safetensors(tmp_path: Path):
    """Arrays by name as the format's own library writes them."""
    numpy = pytest.importorskip("safetensors.numpy")
    held = {
        "x": np.arange(6, dtype=np.float32).reshape(2, 3),
        "empty": np.zeros((0, 2)),
        "mask": np.array([True, False]),
        "n": np.array(3),
    }
    numpy.save_file(held, tmp_path / "x.safetensors", metadata={"made": "here"})
    back = readers.read(str(tmp_path / "x.safetensors")).value
    assert set(held) == set(back)
    for name, array in held.items():
        np.testing.assert_array_equal(back[name], array, strict=True)


def safetensors(header: dict[str, object], body: bytes) -> bytes:
    """A file of that format by hand."""
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def test_a_file_may_hold_empty_tensors_alone():
    """It ends with its header."""
    held = arrays.read_safetensors(
        safetensors({"x": {"dtype": "F32", "shape": [0, 2], "data_offsets": [0, 0]}}, b""), "x"
    )
    assert (0, 2) == held["x"].shape


def test_bfloat16_becomes_float32():
    """The upper half of a float32 is all that bfloat16 keeps; what a file says of itself is no array."""
    body = np.array([1.5, -2.0], np.float32).view(np.uint16)[1::2].tobytes()
    held = arrays.read_safetensors(
        safetensors({"__metadata__": {"a": "b"}, "x": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}, body),
        "x",
    )
    assert ["x"] == list(held)
    np.testing.assert_array_equal(held["x"], np.array([1.5, -2.0], np.float32), strict=True)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff" * 8,
        struct.pack("<Q", 2) + b"[]",
        struct.pack("<Q", 2) + b"{ ",
        safetensors({"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}, b"1234"),
        safetensors({"x": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}}, b"12345678"),
        safetensors({"x": {"dtype": "F32", "shape": [-2], "data_offsets": [8, 0]}}, b"12345678"),
        safetensors({"x": {"dtype": "WHAT", "shape": [2], "data_offsets": [0, 8]}}, b"12345678"),
        safetensors({"x": {"shape": [2], "data_offsets": [0, 8]}}, b"12345678"),
        safetensors({"x": 3}, b""),
        safetensors({"x": {"dtype": "F32", "shape": "ab", "data_offsets": [0, 8]}}, b"12345678"),
    ],
)
def test_broken_safetensors(data):
    """Lengths and offsets that do not fit are an error, whatever they point at."""
    with pytest.raises(errors.InputBroken):
        arrays.read_safetensors(data, "x.safetensors")


def test_a_dtype_that_numpy_has_not_is_named() -> None:
    """Nothing is wrong with such a file, and the tensor that cannot be read is told."""
    data = safetensors({"w": {"dtype": "F8_E4M3", "shape": [2], "data_offsets": [0, 2]}}, b"12")
    with pytest.raises(errors.InputBroken, match="`w` has the dtype F8_E4M3, which NumPy has not"):
        arrays.read_safetensors(data, "x.safetensors")


@given(st.binary(max_size=200), st.sampled_from(sorted(readers.READERS)), st.sampled_from(["raw", "npy", "zip"]))
@settings(max_examples=300)
def test_random_bytes_never_crash(data, suffix, start):
    """Any bytes under any suffix are either read or refused with one of our errors."""
    data = {"raw": b"", "npy": b"\x93NUMPY\x01\x00", "zip": b"PK\x03\x04"}[start] + data
    with suppress(errors.InputError):
        readers.READERS[suffix](data, f"x{suffix}")


CSV = [
    ("1,2\n3,4\n", [[1, 2], [3, 4]]),
    ("1, 2 ,3\n", [1, 2, 3]),
    ("1\n2\n\n3", [1, 2, 3]),
    ("1.5\n", [1.5]),
    ("nan,inf\n-inf,1e3\n", [[np.nan, np.inf], [-np.inf, 1000]]),
    ("\ufeff1,2\r\n3,4\r\n", [[1, 2], [3, 4]]),
    ("1,2\r3,4\r", [[1, 2], [3, 4]]),
]


@pytest.mark.parametrize(("text", "expected"), CSV)
def test_csv(tmp_path, text, expected):
    """Numbers in rows; a single row or column is a vector."""
    np.testing.assert_array_equal(readers.read(written(tmp_path, "x.csv", text)).value, np.array(expected, float))


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("x.csv", "1,2\n3\n", "row 2 has 1 cell, the others have 2"),
        ("x.csv", "a,b\n1,two\n", "row 2: `two` is not a number"),
        ("x.csv", "a\n" + "1" * (readers.LARGEST_CELL + 1), "row 2: field larger than field limit (16777216)"),
        ("x.csv", "", "it is empty"),
        ("x.json", "", "it is empty"),
        ("x.json", '{"x": [1, 2', "it ends too early"),
        ("x.json", '{"x": "ab', "it ends too early"),
        ("x.json", '{"x": [1, 2]\n "y": 3}', "unexpected `\"` at line 2, column 2"),
        ("x.json", b"\xff\xfe\x00", "it is not UTF-8 text (byte 0)"),
        ("x.json", "1" * 5000, "Exceeds the limit"),
        ("x.jsonl", "\n", "it is empty"),
        ("x.jsonl", "[1]\n[2\n", "it ends too early"),
    ],
)  # fmt: skip
def test_broken_text(tmp_path, name, text, why):
    """What is wrong and where."""
    with pytest.raises(errors.InputBroken) as caught:
        readers.read(written(tmp_path, name, text))
    assert why in caught.value.message


def test_jsonl_names_the_line(tmp_path: Path):
    """The line that is broken."""
    with pytest.raises(errors.InputBroken, match="x.jsonl, line 3`: it ends too early"):
        readers.read(written(tmp_path, "x.jsonl", "[1]\n\n[2\n"))


def test_a_folder_is_no_input(tmp_path: Path):
    """A folder with the right suffix."""
    (tmp_path / "x.json").mkdir()
    with pytest.raises(errors.InputUnopened, match="it is a folder"):
        readers.read(str(tmp_path / "x.json"))


def test_size_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A text larger than the limit is refused, also when its size is not known beforehand."""
    monkeypatch.setattr(readers, "LARGEST_TEXT_BYTES", 10)
    with pytest.raises(errors.InputTooLarge, match="it has 13 bytes, the limit is 256 MiB"):
        readers.read(written(tmp_path, "x.json", "[" + "1, " * 3 + "1,1]"[1:]))


def test_file_of_just_the_limit_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The limit itself is allowed."""
    monkeypatch.setattr(readers, "LARGEST_TEXT_BYTES", 10)
    assert [1.0, 2.0] == readers.read(written(tmp_path, "x.json", "[1.0, 2.0]")).value


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
def test_size_of_a_pipe_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A pipe does not say how much it holds: no more than the limit is read of it."""
    monkeypatch.setattr(readers, "LARGEST_TEXT_BYTES", 10)
    path = tmp_path / "x.json"
    os.mkfifo(path)
    writer = Thread(target=path.write_bytes, args=(b"[1.0, 2.0, 3.0]",))
    writer.start()
    try:
        with pytest.raises(errors.InputTooLarge, match="it has more bytes, the limit is 256 MiB"):
            readers.read(str(path))
    finally:
        writer.join()


def test_a_header_that_is_no_text_is_damaged(tmp_path: Path) -> None:
    """Python 3.12 and later raise an error of their own for a zero byte in it."""
    header = bytes([1, 0]) + (4).to_bytes(2, "little") + b"\x01\x00\x00\n"
    with pytest.raises(errors.InputBroken, match="header is damaged"):
        readers.read(written(tmp_path, "zero.npy", b"\x93NUMPY" + header))


def test_ending_of_a_file_may_be_in_capitals(tmp_path: Path) -> None:
    assert [1.0, 2.0] == readers.read(written(tmp_path, "X.JSON", "[1.0, 2.0]")).value
