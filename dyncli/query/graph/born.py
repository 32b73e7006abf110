"""Where the first NaN or Inf of a drawing was born."""

from __future__ import annotations

from collections.abc import Iterator

from dyncli.query.first_bad import first_bad
from dyncli.query.values import stats_of
from dyncli.record.model import Record, TensorSummary


def born_bad(record: Record) -> Iterator[tuple[int, str]]:
    """Yield the op that made the first NaN or Inf, or the first in a gradient, of a run that ended with one.

    Of large tensors only `dyncli trace` keeps enough to tell; then it may have been there before.
    """
    ends = {item.tensor for item in record.outputs}
    ends |= {each.value for backward in record.backwards for each in backward.gradients if each.role != "intermediate"}
    seen = {word for end in ends if end is not None for word in _bad_words(record.tensors[end])}
    if not seen and record.failure is None:
        return
    found = first_bad(record)
    if any(bad.kind == "NaN" for bad in found) and (record.failure is not None or "NaN" in seen):
        seen = {"NaN", "Inf"}
    done: set[int] = set()
    for bad in found:
        if bad.kind in seen and bad.op is not None:
            known = all(stats_of(record.tensors[number]) is not None for number in bad.made_of)
            where = " in a gradient" if bad.is_gradient else ""
            if bad.op not in done:
                yield bad.op, f"{f'first {bad.kind}' if known else f'{bad.kind} by here'}{where} (op {bad.op})"
            done.add(bad.op)


def _bad_words(tensor: TensorSummary) -> Iterator[str]:
    stats = stats_of(tensor)
    if stats is not None:
        yield from (word for count, word in ((stats.nan, "NaN"), (stats.inf, "Inf")) if count)
