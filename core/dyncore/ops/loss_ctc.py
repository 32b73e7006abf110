"""Connectionist temporal classification.

The likelihood of label sequences, summed over all alignments.
"""

import numpy as np

from dyncore.dispatch.recompute import recomputed
from dyncore.dispatch.registry import UNDERIVED, keep, op
from dyncore.ops.joining import cat, stack
from dyncore.ops.where import where

# Stands for log 0: far below any sum of logarithms, and still finite, so that differences of two stay numbers.
NEVER = -1e30


def _add(terms):
    """Return the log of the sum of exponentials of equally shaped terms."""
    joined = stack(terms, 0)
    top = np.amax(joined, axis=0)
    return top + np.log(np.sum(np.exp(joined - np.expand_dims(top, 0)), axis=0))


def _likelihood(log_probs, rows, labels, skips, starts, ends, alive):
    """Return minus the log-likelihood of each sequence.

    log_probs: (T, N, C).  labels: (N, S) with blanks between.  alive: (T, N), True while the sequence still runs.
    starts, ends: True where an alignment may begin and end.
    skips: True where the label before the last may be skipped.
    """
    emitted = [log_probs[t][rows, labels] for t in range(log_probs.shape[0])]
    alpha = where(starts, emitted[0], NEVER)
    missing = alpha[:, :1] * 0 + NEVER
    for t in range(1, len(emitted)):
        once = cat([missing, alpha[:, :-1]], 1)
        twice = where(skips, cat([missing, missing, alpha[:, :-2]], 1), NEVER) if labels.shape[1] > 2 else None
        terms = [alpha, once] if twice is None else [alpha, once, twice]
        step = _add(terms) + emitted[t]
        alpha = where(alive[t][:, None], where(step > NEVER, step, NEVER), alpha)
    final = where(ends, alpha, NEVER)
    top = np.amax(final, axis=1)
    return -(top + np.log(np.sum(np.exp(final - np.expand_dims(top, 1)), axis=1)))


def _ctc_rule(g, log_probs, plan, alive, finite, zero_infinity, wanted):
    g = g * finite if zero_infinity else g
    result = recomputed(_likelihood, g, wanted, {"log_probs": log_probs}, *plan, alive)
    # PyTorch counts on log_probs being normalised and adds the gradient of that normalisation here.
    each = np.expand_dims(np.expand_dims(g, 0) * alive, -1)
    return {"log_probs": result["log_probs"] + np.exp(log_probs) * each}


@op(joint=_ctc_rule, private=True, node="CtcLossBackward0", back=UNDERIVED)
def ctc_likelihood(log_probs, targets, input_lengths: tuple, target_lengths: tuple, blank: int, zero_infinity: bool):
    """Minus the log-likelihood of each target sequence.

    log_probs: (T, N, C), with one length for each of N sequences.
    """
    steps, count, _ = log_probs.shape
    _check(log_probs, targets, input_lengths, target_lengths, blank)
    longest = max(target_lengths, default=0)
    labels = np.full((count, 2 * longest + 1), blank, np.int64)
    start = 0
    for n, length in enumerate(target_lengths):
        own = targets[n, :length] if targets.ndim == 2 else targets[start : start + length]
        start += length
        labels[n, 1 : 2 * length : 2] = own
    position = np.arange(labels.shape[1])
    last = 2 * np.asarray(target_lengths, np.int64)[:, None]
    skips = np.zeros(labels.shape, bool)
    skips[:, 2:] = (labels[:, 2:] != blank) & (labels[:, 2:] != labels[:, :-2])
    starts = np.broadcast_to(position < 2, labels.shape) & (position <= last)
    ends = (position == last) | ((position == last - 1) & (last > 0))
    alive = np.arange(steps)[:, None] < np.asarray(input_lengths, np.int64)[None]
    plan = (np.arange(count)[:, None], labels, skips, starts, ends)
    result = _likelihood(log_probs, *plan, alive).astype(log_probs.dtype) if steps else np.zeros(count, log_probs.dtype)
    finite = result < -NEVER / 10
    result = np.where(finite, result, np.inf).astype(log_probs.dtype)
    return keep(result, plan=plan, alive=alive, finite=finite)


def _check(log_probs, targets, input_lengths, target_lengths, blank):
    steps, count, classes = log_probs.shape
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    if len(input_lengths) != count:
        raise RuntimeError("input_lengths must be of size batch_size")
    if len(target_lengths) != count:
        raise RuntimeError("target_lengths must be of size batch_size")
    for length in input_lengths:
        if length > steps:
            raise RuntimeError(
                f"Expected input_lengths to have value at most {steps}, but got value {length} (while checking "
                "arguments for ctc_loss_allocate_outputs)"
            )
        if length < 0:
            raise RuntimeError(
                f"Expected input_lengths to have value at least 0, but got value {length} (while checking arguments "
                "for ctc_loss_allocate_outputs)"
            )
    for length in target_lengths:
        if length < 0:
            raise RuntimeError(
                f"Expected target_lengths to have value at least 0, but got value {length} (while checking arguments "
                "for ctc_loss_allocate_outputs)"
            )
    longest, total, name = max(target_lengths, default=0), sum(target_lengths), "argument #2 'targets'"
    wrong = ""
    if targets.ndim == 2 and targets.shape[1] < longest:
        wrong = f"size at least {longest} at dimension 1, but got size {targets.shape[1]}"
    if targets.ndim == 1 and len(targets) != total:
        wrong = f"size {total} at dimension 0, but got size {len(targets)}"
    if wrong:
        raise RuntimeError(
            f"Expected tensor to have {wrong} for {name} (while checking arguments for ctc_loss_allocate_outputs)"
        )
