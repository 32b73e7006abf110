"""L-BFGS: steps by an estimate of the curvature from the last gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.graph import versions
from dyncore.graph.modes import enable_grad
from dyncore.optim.line_search import cubic_minimum, strong_wolfe
from dyncore.optim.optimizer import Optimizer, as_real, check_nonnegative, number
from dyncore.tensors.tensor import storage, wrap


class LBFGS(Optimizer):
    """Minimizes what `closure` returns; every step calls it several times.

    line_search_fn: None for steps of size lr, or "strong_wolfe".
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_nonnegative(lr=lr)
        options = {
            "lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change, "history_size": history_size,
            "line_search_fn": line_search_fn,
        }  # fmt: skip
        super().__init__(params, options)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def _flat_grad(self) -> Any:
        parts = []
        for parameter in self._params:
            array = _numbers(parameter)
            parts.append(
                np.zeros(array.size, array.dtype) if parameter.grad is None else _numbers(parameter.grad).reshape(-1)
            )
        return np.concatenate(parts)

    def _move(self, size: Any, direction: Any) -> None:
        start = 0
        for parameter in self._params:
            versions.before_write(storage(parameter), silent=True)
            array = _numbers(parameter)
            array += (size * direction[start : start + array.size]).reshape(array.shape).astype(array.dtype)
            versions.bump(storage(parameter))
            start += array.size

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Make up to `max_iter` steps and return the first loss."""
        if closure is None:
            raise TypeError("LBFGS.step() missing 1 required positional argument: 'closure'")
        group = self.param_groups[0]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)

        def evaluate() -> tuple[float, Any]:
            with enable_grad():
                return float(closure().item()), self._flat_grad()

        with enable_grad():
            first = closure()
        loss, grad = float(first.item()), self._flat_grad()
        evaluations = 1
        state["func_evals"] += 1
        if np.abs(grad).max() <= group["tolerance_grad"]:
            return first
        search = _Search(state, grad)
        lr, tolerance = number(group["lr"]), group["tolerance_change"]
        count = 0
        while count < group["max_iter"]:
            count += 1
            state["n_iter"] += 1
            direction = search.direction(grad, state["n_iter"], group["history_size"])
            search.remember(grad, loss)
            size = min(1.0, 1.0 / float(np.abs(grad).sum())) * lr if state["n_iter"] == 1 else lr
            slope = float(grad.dot(direction))
            if slope > -tolerance:
                break
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                loss, grad, size, used = self._search_line(
                    evaluate, size, direction, loss, grad, slope, group["max_eval"] - evaluations
                )
            else:
                self._move(size, direction)
                used = 0
                if count != group["max_iter"]:
                    loss, grad = evaluate()
                    used = 1
            search.size = size
            evaluations += used
            state["func_evals"] += used
            flat = np.abs(grad).max() <= group["tolerance_grad"]
            stuck = np.abs(direction * size).max() <= tolerance or abs(loss - search.loss) < tolerance
            if count == group["max_iter"] or evaluations >= group["max_eval"] or flat or stuck:
                break
        search.store(state, group["history_size"])
        return first

    def _search_line(
        self, evaluate: Any, size: float, direction: Any, loss: float, grad: Any, slope: float, limit: int
    ) -> tuple[float, Any, float, int]:
        start = [storage(each).copy() for each in self._params]

        def at(step: float) -> tuple[float, Any]:
            self._move(step, direction)
            evaluated: tuple[float, Any] = evaluate()
            for parameter, values in zip(self._params, start):
                versions.before_write(storage(parameter), silent=True)
                storage(parameter)[...] = values
            return evaluated

        loss, grad, size, used = strong_wolfe(at, size, direction, loss, grad, slope, limit)
        self._move(size, direction)
        return loss, grad, size, used


def _numbers(tensor: Any) -> Any:
    array = storage(tensor)
    return as_real(array) if array.dtype.kind == "c" else array


def _strong_wolfe(
    obj_func: Callable[..., tuple[float, Any]],
    x: Any,
    t: Any,
    d: Any,
    f: Any,
    g: Any,
    gtd: Any,
    c1: float = 1e-4,
    c2: float = 0.9,
    tolerance_change: float = 1e-9,
    max_ls: int = 25,
) -> tuple[float, Any, float, int]:
    """Search along `d` with PyTorch's arguments: `obj_func(x, t, d)` returns a loss and a flat gradient."""

    def evaluate(step: float) -> tuple[float, Any]:
        loss, grad = obj_func(x, step, d)
        return float(loss), storage(grad)

    given = (evaluate, number(t), storage(d), float(f), storage(g), float(gtd), max_ls, c1, c2, tolerance_change)
    loss, grad, size, count = strong_wolfe(*given)
    return loss, wrap(grad, None), size, count


_cubic_interpolate = cubic_minimum


class _Search:
    """Directions and curvatures kept between steps."""

    def __init__(self, state: dict[str, Any], grad: Any) -> None:
        held = state.get("old_dirs")
        self.moves = [each._array for each in held] if held else []
        self.changes = [each._array for each in state.get("old_stps", [])]
        self.inverse = [each._array for each in state.get("ro", [])]
        self.scale = state["H_diag"]._array if held else 1.0
        self.before = state["prev_flat_grad"]._array if "prev_flat_grad" in state else None
        self.last: Any = state["d"]._array if "d" in state else None
        self.size = number(state["t"]) if "t" in state else 0.0
        self.weights: list[Any] = []
        self.loss = state.get("prev_loss", 0.0)

    def direction(self, grad: Any, number_of_step: int, limit: int) -> Any:
        """Return minus the estimated inverse Hessian times the gradient.

        The two-loop recursion of Nocedal and Wright, algorithm 7.4.
        """
        if number_of_step == 1 or self.before is None:
            self.last = -grad
            return self.last
        change, move = grad - self.before, self.last * self.size
        product = float(change.dot(move))
        if product > 1e-10:
            if len(self.moves) == limit:
                for each in (self.moves, self.changes, self.inverse):
                    each.pop(0)
            self.moves.append(change)
            self.changes.append(move)
            self.inverse.append(np.asarray(1.0 / product, grad.dtype))
            self.scale = product / float(change.dot(change))
        q, weights = -grad, []
        for y, s, r in zip(reversed(self.moves), reversed(self.changes), reversed(self.inverse)):
            weights.append(float(s.dot(q)) * float(r))
            q = q - weights[-1] * y
        self.weights = [np.asarray(each, grad.dtype) for each in reversed(weights)]
        q = q * float(self.scale)
        for y, s, r, weight in zip(self.moves, self.changes, self.inverse, reversed(weights)):
            q = q + s * (weight - float(y.dot(q)) * float(r))
        self.last = q.astype(grad.dtype)
        return self.last

    def remember(self, grad: Any, loss: float) -> None:
        self.before, self.loss = grad.copy(), loss

    def store(self, state: dict[str, Any], limit: int) -> None:
        if state["n_iter"] > 1:
            held = [wrap(each, None) for each in self.weights]
            state["al"] = held + state.get("al", [None] * limit)[len(held) :]
        state.update(
            d=wrap(self.last, None), t=self.size, old_dirs=[wrap(each, None) for each in self.moves],
            old_stps=[wrap(each, None) for each in self.changes], ro=[wrap(each, None) for each in self.inverse],
            H_diag=wrap(np.asarray(self.scale), None), prev_flat_grad=wrap(self.before, None), prev_loss=self.loss,
        )  # fmt: skip
