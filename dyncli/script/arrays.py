"""Arrays out of `.npy`, `.npz` and `.safetensors` bytes: sizes are checked before memory is taken, pickles refused."""

from __future__ import annotations

import io
import json
import math
from typing import IO, TYPE_CHECKING, Any

from dyncli import errors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGEST_BYTES = 2**30
NPY_MAGIC = b"\x93NUMPY"
ZIP_MAGIC = b"PK\x03\x04"
PICKLE_MAGIC = b"\x80"
SAFETENSORS_DTYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1", "BOOL": "?",
}  # fmt: skip


def read_npy(data: bytes, path: str) -> NDArray[Any]:
    """Return the array of a `.npy` file.

    Raises InputRefused, InputBroken, InputTooLarge.
    """
    import numpy as np

    if not data.startswith(NPY_MAGIC):
        if data.startswith(PICKLE_MAGIC):
            raise errors.InputRefused(path, "a pickle")
        raise errors.InputBroken(path, "it is no .npy file" if data else "it is empty")
    stream = io.BytesIO(data)
    shape, is_fortran, dtype = read_header(stream, path)
    wanted = math.prod(shape) * dtype.itemsize
    if wanted > LARGEST_BYTES:
        raise errors.InputTooLarge(path, f"its array has {wanted:,} bytes", f"{LARGEST_BYTES:,}")
    held = len(data) - stream.tell()
    if held < wanted:
        raise errors.InputBroken(path, f"it is truncated: its array has {wanted:,} bytes, the file holds {held:,}")
    array = np.frombuffer(data, dtype, math.prod(shape), stream.tell())
    array = array.reshape(shape, order="F" if is_fortran else "C")
    return array.astype(dtype.newbyteorder("="))


def read_header(stream: IO[bytes], path: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Read the header of a `.npy` file, up to its numbers.

    Returns (shape, True for Fortran order, dtype).  Raises InputRefused, InputBroken.
    """
    from tokenize import TokenError

    import numpy as np

    try:
        version = np.lib.format.read_magic(stream)
        read = {(1, 0): np.lib.format.read_array_header_1_0}.get(version, np.lib.format.read_array_header_2_0)
        shape, is_fortran, dtype = read(stream)
    except (ValueError, SyntaxError, TypeError, KeyError, RecursionError, EOFError, TokenError) as error:
        raise errors.InputBroken(path, f"its header is damaged ({str(error).splitlines()[0]})") from None
    if dtype.hasobject:
        raise errors.InputRefused(path, "Python objects in a pickle")
    if dtype.kind not in "biufc":
        raise errors.InputBroken(path, f"it holds {'text' if dtype.kind in 'US' else dtype}, not numbers")
    return shape, is_fortran, dtype


def read_npz(data: bytes, path: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a `.npz` file by name.

    Raises as `read_npy` does.
    """
    import zipfile
    import zlib

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            total = sum(entry.file_size for entry in entries)
            if total > LARGEST_BYTES:
                raise errors.InputTooLarge(path, f"its arrays have {total:,} bytes", f"{LARGEST_BYTES:,}")
            return {
                entry.filename.removesuffix(".npy"): read_npy(archive.read(entry), f"{path}:{entry.filename}")
                for entry in entries
            }
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise errors.InputBroken(path, f"it is truncated or no .npz file ({error})") from None


def read_safetensors(data: bytes, path: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a `.safetensors` file by name; bfloat16 becomes float32.

    Raises InputBroken, InputTooLarge.
    """
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or 8 + length > len(data):
        raise errors.InputBroken(path, "it is truncated or no .safetensors file")
    try:
        header = json.loads(data[8 : 8 + length])
        body = memoryview(data)[8 + length :]
        entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
        for name, entry in entries.items():
            if isinstance(entry["dtype"], str) and entry["dtype"] not in SAFETENSORS_DTYPES:
                raise errors.InputBroken(path, f"`{name}` has the dtype {entry['dtype']}, which NumPy has not")
        return {name: _tensor(body, entry) for name, entry in entries.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise errors.InputBroken(path, f"its header is damaged or it is truncated ({error})") from None


def _tensor(body: memoryview, entry: dict[str, Any]) -> NDArray[Any]:
    import numpy as np

    begin, end = entry["data_offsets"]
    shape = tuple(entry["shape"])
    dtype = np.dtype(SAFETENSORS_DTYPES[entry["dtype"]])
    if not 0 <= begin <= end <= len(body) or math.prod(shape) * dtype.itemsize != end - begin:
        raise ValueError(f"{end - begin} bytes for shape {list(shape)} of {entry['dtype']}")
    array = np.frombuffer(body[begin:end], dtype).reshape(shape)
    if entry["dtype"] == "BF16":
        return (array.astype(np.uint32) << np.uint32(16)).view(np.float32)
    return array.astype(dtype.newbyteorder("="))
