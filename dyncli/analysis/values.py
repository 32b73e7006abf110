"""Values for tables: numbers, arrays, statistics and places as short text; outputs, gradients and tensors as rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple, TypeVar

from dyncli.records.model import Backward, Gradient, Output, Record, Scalar, Site, Source, Stats, TensorSummary, Value
from dyncli.records.text import one_line, printable

Item = TypeVar("Item")

UNSEEDED = 67280421310721  #: the seed that PyTorch and dyncore name where no `manual_seed` was called

#: Of those that differ from the first only in what is not written, no more than this are asked.
MOST_ASKED = 64


def spread(items: Sequence[Item], write: Callable[[Item], str], same: Callable[[Item, Item], bool]) -> list[str]:
    """Return what the first and the last came to, once if all came to it.

    same: whether two need not be written to know that they come to the same.

    >>> alike = int.__eq__
    >>> [spread(each, str, alike) for each in ([1, 2, 3], [2, 0, 2], [2, 2, 2], [4])]
    [['1', '3'], ['2', '0', '2'], ['2'], ['4']]
    """
    first, last = write(items[0]), write(items[-1])
    if first != last:
        return [first, last]
    asked = 0
    for item in items[1:-1]:
        if same(item, items[0]):
            continue
        between = write(item)
        if between != first:
            return [first, between, last]
        asked += 1
        if asked == MOST_ASKED:
            break
    return [first]


def ends(texts: Iterable[str]) -> str:
    """Return the first and the last of several texts, and one between if both are alike and it is not."""
    return " … ".join(spread([*texts], str, str.__eq__))


WIDEST = 30
#: What runs in the backward that follows the entry, such as what a checkpoint computes again, stands on no line.
OLD_RECORDERS = ("dyncli/recording/recorder.py", "dyncli/trace/recorder.py")
RECORDERS = ("dyncli/recorder/recorder.py", *OLD_RECORDERS)  # the latter in older records
ELLIPSIS = "…"


def file_text(file: str, model: str) -> str:
    """Return a file as seen from the folder of the model script, the end of it where it is too long."""
    name = one_line(file.removeprefix(model[: model.rfind("/") + 1]))
    return name if len(name) <= WIDEST else ELLIPSIS + name[1 - WIDEST :]


def seed_text(seed: int) -> list[str]:
    """Return the seed of a run as a list of one text, or none of a process that was never seeded.

    >>> seed_text(0), seed_text(UNSEEDED)
    (['seed 0'], [])
    """
    return [] if seed == UNSEEDED else [f"seed {seed}"]


def torch_text(versions: Mapping[str, str]) -> list[str]:
    """Return what `torch` was in a run whose script imported it, as a list of one text or none.

    >>> torch_text({"torch": "dyncore 0.1.0"})
    ['torch: dyncore 0.1.0']
    """
    return [f"torch: {versions['torch']}"] if "torch" in versions else []


def line_text(file: str, line: int, model: str) -> str:
    """Return a line for a column of lines: `12`, or `layers.py:12` of another file than the model script."""
    if _is_ours(file):
        return "backward"
    return str(line) if file == model else f"{file_text(file, model)}:{line}"


def _is_ours(file: str) -> bool:
    return file.replace("\\", "/").endswith(RECORDERS)


def short_file(file: str, model: str, sources: Iterable[Source]) -> str:
    """Return the end of a file's path that no other of the sources has, for cells of tables."""
    if file == model or _is_ours(file):
        return file
    folders = file.split("/")
    others = [f"/{source.file}" for source in sources if source.file != file]
    ends = ("/".join(folders[-parts:]) for parts in range(1, len(folders)))
    return next((end for end in ends if not any(other.endswith(f"/{end}") for other in others)), file)


def site_text(site: Site, record: Record) -> str:
    """Return the line of a site for a column of lines."""
    return line_text(short_file(site.file, record.model, record.sources), site.line, record.model)


def short_place(site: Site, record: Record) -> str:
    """Return the line of a site in the words of a cell."""
    return place_text(short_file(site.file, record.model, record.sources), site.line, record.model)


def site_place(site: Site, model: str) -> str:
    """Return the line of a site in words."""
    return place_text(site.file, site.line, model)


def place_text(file: str, first: int, model: str, last: int | None = None) -> str:
    """Return a line, or those from first to last, in words: `line 12`, `lines 4 to 6`, `layers.py:12`."""
    span = f"{first} to {last}" if last is not None and last != first else str(first)
    if _is_ours(file):
        return "in the backward"
    if file != model:
        return f"{file_text(file, model)}:{span}"
    return f"line{'s' * (span != str(first))} {span}"


def places_text(sites: Iterable[Site], model: str) -> str:
    """Return the lines of several sites in words, of several files those of the first: `lines 4 to 6`."""
    lines: dict[str, list[int]] = {}
    for site in sites:
        lines.setdefault(site.file, []).append(site.line)
    if not lines:
        return ""
    file = model if model in lines else next(iter(lines))
    words = place_text(file, min(lines[file]), model, max(lines[file]))
    return words if len(lines) == 1 else f"{words}, and in {len(lines) - 1} more file{'s' * (len(lines) > 2)}"


BLOCKS = "▁▂▃▄▅▆▇█"
WHOLE = 32


def number(value: Scalar, digits: int = 4, point: bool = False) -> str:
    """Return a scalar in at most `digits` significant digits; `point` keeps `2.0` apart from `2`.

    >>> number(2.0), number(2.0, point=True), number(0.333333), number(float("nan"))
    ('2', '2.0', '0.3333', 'nan')
    >>> number("(1.23456789-2j)")
    '1.235-2j'
    """
    if isinstance(value, str) and value.rstrip(")").endswith("j"):
        return _complex(value, digits)
    if not isinstance(value, float):
        return printable(value) if isinstance(value, str) else _integer(value) if type(value) is int else str(value)
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 1e6:
        return f"{value:.1f}" if point else f"{value:.0f}"
    short = f"{value:.{digits}g}"
    if "e" in short:
        mantissa, exponent = short.split("e")
        return f"{mantissa}e{int(exponent)}"
    return short + ".0" if point and "." not in short else short


def _complex(text: str, digits: int) -> str:
    """Return a complex number, which a record holds as text, with its two parts in so many digits."""
    try:
        value = complex(text)
    except ValueError:
        return printable(text)
    if not value.real and "(" not in text:
        return f"{number(value.imag, digits)}j"
    imaginary = number(value.imag, digits)
    return f"{number(value.real, digits)}{'' if imaginary.startswith('-') else '+'}{imaginary}j"


def exact(value: Scalar) -> str:
    """Return a scalar with all its digits."""
    return repr(value) if isinstance(value, float) else number(value)


def value_text(value: Value, width: int = 60) -> str:
    """Return a plain value as Python would spell it, in at most `width` characters."""
    text = _spell(value, width)
    return text if len(text) <= width else text[: width - 1] + "…"


def shape_text(shape: Sequence[int]) -> str:
    """Return `[2, 3]`, or `[]` for a scalar."""
    return "[" + ", ".join(map(str, shape)) + "]"


def array_text(values: Sequence[Scalar], shape: Sequence[int], full: bool = False, lines: bool = False) -> str:
    """Return flat `values` in `shape` as nested brackets; with `lines`, one line for each row of several elements."""
    words = [exact(value) if full else number(value) for value in values]
    row = max((depth for depth, size in enumerate(shape) if size > 1), default=0)
    for depth in range(len(shape) - 1, -1, -1):
        size = shape[depth]
        between = ", " if depth >= row or not lines else ",\n" + " " * (depth + 1)
        count = math.prod(shape[:depth])
        words = ["[" + between.join(words[i * size : (i + 1) * size]) + "]" for i in range(count)]
    return words[0]


def tensor_text(tensor: TensorSummary, full: bool = False, lines: bool = False, whole: int = WHOLE) -> str:
    """Return the values of `tensor` if there are few of them, otherwise a line of its statistics."""
    if tensor.values is not None and (full or len(tensor.values) <= whole):
        return array_text(tensor.values, tensor.shape, full, lines)
    stats = stats_of(tensor)
    return statistics_text(stats, math.prod(tensor.shape)) if stats is not None else ""


def statistics_text(stats: Stats, count: int, parts: Sequence[str] = ("min", "max", "mean", "norm")) -> str:
    """Return minimum, maximum, mean, norm, the shares of zeros, NaN and Inf, and a tiny histogram, where known."""
    words = [f"{part} {number(value)}" for part in parts if (value := getattr(stats, part)) is not None]
    if stats.zeros and count:
        words.append(f"{100 * stats.zeros / count:.3g}% zero")
    words += [f"{amount:,} {word}" for amount, word in ((stats.nan, "NaN"), (stats.inf, "Inf")) if amount]
    bars = histogram_text(stats.histogram)
    return " · ".join([" ".join(words[:4]), *words[4:], *([bars] if bars else [])]) if words or bars else "empty"


def histogram_text(counts: Sequence[int]) -> str:
    """Return one block character for each bin, the fullest bin the tallest; an empty bin is a gap.

    >>> histogram_text((1, 0, 4, 8))
    '▁ ▄█'
    """
    most = max(counts, default=0)
    if most <= 0:
        return ""
    return "".join(BLOCKS[max(0, math.ceil(8 * count / most) - 1)] if count > 0 else " " for count in counts)


def stats_of(tensor: TensorSummary) -> Stats | None:
    """Return the recorded statistics of `tensor`, or those of its values if they are real numbers."""
    if tensor.stats is not None or tensor.values is None:
        return tensor.stats
    numbers = [float(value) for value in tensor.values if isinstance(value, (bool, int, float)) and abs(value) < 1e308]
    nan = sum(1 for value in tensor.values if value != value)
    inf = sum(1 for value in tensor.values if isinstance(value, float) and math.isinf(value))
    if not numbers:
        return Stats(nan=nan, inf=inf)
    low, high, zeros = min(numbers), max(numbers), sum(1 for value in numbers if value == 0)
    mean = math.fsum(numbers) / len(numbers)
    return Stats(low, high, mean, math.hypot(*numbers), zeros, nan, inf, _bins(numbers, low, high))


def bytes_text(size: int) -> str:
    """Return a size in bytes, in B, KiB, MiB or GiB."""
    amount, unit = float(size), "B"
    for larger in ("KiB", "MiB", "GiB"):
        if amount < 1024:
            break
        amount, unit = amount / 1024, larger
    return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.3g} {unit}"


def time_text(elapsed_ns: int) -> str:
    """Return a time in ns, µs, ms or s."""
    amount, unit = float(elapsed_ns), "ns"
    for larger in ("µs", "ms", "s"):
        if amount < 1000:
            break
        amount, unit = amount / 1000, larger
    return f"{amount:.0f} {unit}" if unit == "ns" or amount >= 99.5 else f"{amount:.2g} {unit}"


def counted(amount: int, word: str) -> str:
    """Return `1 op`, `2 ops`, `1,000 ops`."""
    return f"{amount:,} {word}{'' if amount == 1 else 's'}"


def _bins(numbers: list[float], low: float, high: float) -> tuple[int, ...]:
    counts = [0] * 8
    if not high > low:
        return ()
    scale = 8 / (high - low)
    for value in numbers:
        counts[min(7, int((value - low) * scale))] += 1
    return tuple(counts)


def _integer(value: int) -> str:
    if -(10**15) < value < 10**15:
        return str(value)
    return f"~{'-' if value < 0 else ''}1e{int(value.bit_length() * 0.30103)}"


def _spell(value: Value, width: int) -> str:
    if isinstance(value, str):
        return printable(repr(value[: width + 1]))
    if isinstance(value, tuple):
        return "[" + _joined((_spell(item, width) for item in value), width) + "]"
    if isinstance(value, dict):
        if isinstance(value.get("type"), str) and set(value) <= {"type", "len", "shape", "bits"}:
            return _kind(value)
        pairs = (f"{printable(repr(key[:width]))}: {_spell(item, width)}" for key, item in value.items())
        return "{" + _joined(pairs, width) + "}"
    return number(value, point=True)


def _kind(value: dict[str, Value]) -> str:
    """Return what stands for an object that was not kept: `dict of 2`, `Tensor [3]`, `Node`."""
    name = one_line(str(value["type"]), 40)
    if isinstance(value.get("shape"), tuple):
        return f"{name} {value_text(value['shape'])}"
    if "bits" in value:
        return f"{name} of {number(value['bits'])} bits"  # type: ignore[arg-type]
    return f"{name} of {number(value['len'])}" if "len" in value else name  # type: ignore[arg-type]


def _joined(words: object, width: int) -> str:
    """Return the words with commas, stopping once `width` is passed."""
    text: list[str] = []
    length = 0
    for word in words:  # type: ignore[attr-defined]
        text.append(word)
        length += len(word) + 2
        if length > width:
            text.append("…")
            break
    return ", ".join(text)


ROLE_ORDER = {"input": 0, "parameter": 1, "buffer": 2}


class TensorRow(NamedTuple):
    """One named value: a tensor, a plain value, or the reason why there is none."""

    name: str
    tensor: TensorSummary | None
    value: Value = None
    reason: str | None = None
    role: str = ""
    gradient: Gradient | None = None


def value_rows(record: Record, values: Sequence[Output]) -> list[TensorRow]:
    """Return a row for each input or output."""
    return [
        TensorRow(one_line(item.name, 60), None if item.tensor is None else record.tensors[item.tensor], item.value)
        for item in values
    ]


def gradient_rows(record: Record, backward: Backward) -> list[TensorRow]:
    """Return a row for each gradient of one backward: inputs first, then parameters, then the rest.

    Where none of these has a gradient there is a row for each variable on the way, or one that says why there is none.
    """
    named = [gradient for gradient in backward.gradients if gradient.role != "intermediate"]
    named = named or [
        gradient
        for gradient in backward.gradients
        if gradient.tensor != backward.root and record.tensors[gradient.tensor].name is not None
    ]
    if not named:
        return [TensorRow("", None, reason="what got a gradient has no name any more")] if backward.gradients else []
    ordered = sorted(named, key=lambda gradient: ROLE_ORDER.get(gradient.role, 3))
    return [
        TensorRow(
            one_line(gradient.name),
            None if gradient.value is None else record.tensors[gradient.value],
            reason=one_line(gradient.reason or "no reason recorded") if gradient.value is None else None,
            role=gradient.role,
            gradient=gradient,
        )
        for gradient in ordered
    ]


def shown_rows(record: Record, names: Sequence[str]) -> list[TensorRow]:
    """Return a row for every tensor whose name fits one of `names` (`*` and `?` stand for anything)."""
    rows: list[TensorRow] = []
    for wanted in names:
        found = [tensor for tensor in record.tensors if tensor.name is not None and fnmatchcase(tensor.name, wanted)]
        rows += [TensorRow(one_line(tensor.name or "", 60), tensor, role=tensor.role) for tensor in found]
        if not found:
            rows.append(TensorRow(one_line(wanted, 60), None, reason="no recorded tensor has this name"))
    return rows


def labels(record: Record) -> list[str]:
    """Return what each tensor is called: its name, or the number of the op that made it (`#3`, `#3.1`), or `?`."""
    words: list[str] = []
    for tensor in record.tensors:
        if tensor.role == "written" and tensor.shares is not None:
            words.append(words[tensor.shares])
        elif tensor.name:
            words.append(one_line(tensor.name, 40))
        elif tensor.op is not None:
            outputs = record.ops[tensor.op].outputs
            words.append(f"#{tensor.op}" if len(outputs) == 1 else f"#{tensor.op}.{_index(outputs, tensor.id)}")
        else:
            words.append(tensor.role)
    return words


def _index(outputs: tuple[int, ...], number: int) -> int:
    return outputs.index(number) if number in outputs else 0


def seeds(record: Record) -> dict[int, str]:
    """Return what each tensor that a backward began at was seeded with, by its number.

    The backward that follows the entry begins at every output that requires grad; what others than the first began with
    is told where it was ones.
    """
    found: dict[int, str] = {}
    for backward in record.backwards:
        if backward.root is None:
            continue
        if backward.site is None:
            ones = backward.seed in ("1", "ones")
            for output in record.outputs:
                if output.tensor is not None and record.tensors[output.tensor].requires_grad:
                    shape = record.tensors[output.tensor].shape
                    found[output.tensor] = ("ones" if shape else "1") if ones else "given"
        found[backward.root] = backward.seed
    return found
