"""Anomaly mode: the first node that returns NaN stops the backward, with the line and the traceback that made it."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from dyncore.errors.notes import with_notes
from dyncore.errors.source import caller_frame
from dyncore.graph.node import Node, extra
from dyncore.graph.running import running


def remember(node: Node) -> None:
    """Keep the traceback of the forward call in `node`, and the node whose backward is running."""
    import traceback

    held = extra(node)
    held.traceback = traceback.format_list(traceback.extract_stack(caller_frame(2)))
    task = running.get()
    held.parent = None if task is None else task.node
    held.metadata["traceback_"] = held.traceback
    if held.parent is not None:
        held.metadata["parent_"] = held.parent


def check(node: Node, result: Any) -> None:
    """Raise RuntimeError if `node` returned NaN in one of its gradients."""
    from .hooks import aligned

    grads = [g for _, g in aligned(node, result)]
    for number, grad in enumerate(grads):
        array = getattr(grad, "_array", grad)
        if isinstance(array, (np.ndarray, np.generic)) and array.dtype.kind in "fc" and np.isnan(array).any():
            raise with_notes(
                RuntimeError(f"Function '{node.name()}' returned nan values in its {number}th output."),
                f"the node was made at {node.place}",
            )


def warn_failed(node: Node) -> None:
    """Warn with the traceback of the forward call that made `node`.

    And of those whose backward made that.
    """
    held = node.extra
    if held is None or held.traceback is None:
        _say(
            f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during "
            "forward "
            f"pass for more information. The node was made at {node.place}"
        )
        return
    _say(
        f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n" + "".join(held.traceback)
    )
    parent = held.parent
    while parent is not None:
        before = parent.extra
        text = "\n\nPrevious calculation was induced by " + parent.name()
        if before is None or before.traceback is None:
            _say(f"{text}. No forward pass information available.")
            return
        _say(f"{text}. Traceback of forward call that induced the previous calculation:\n" + "".join(before.traceback))
        parent = before.parent


def _say(text: str) -> None:
    """Warn with `text`, or write it to stderr where warnings are errors.

    It must not hide the error it is about.
    """
    from dyncore.errors.explain import warn

    try:
        warn(text)
    except Warning:
        sys.stderr.write(text + "\n")
