"""One OpInfo entry in both engines: forward, gradient, second order, method, in place and `out=`."""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

import dyncore
from tests.parity.opinfo import names
from tests.parity.opinfo.compare import difference, fixed, flat
from tests.parity.opinfo.convert import Converter, Unsupported, clone, from_torch
from tests.parity.opinfo.tangents import tangents

KINDS = ("forward", "grad", "gradgrad", "forward-AD", "method", "inplace", "out", "name", "errors")
COUNTED = KINDS[:7]
DTYPES = ("float64", "float32", "complex128", "int64", "bool")


@dataclass
class Score:
    """How many samples of one entry pass, by kind of check, and what went wrong."""

    title: str
    passed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    total: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    faults: list[str] = field(default_factory=list)
    missing: bool = False

    def count(self, kind: str, fault: str | None, about: str) -> None:
        self.total[kind] += 1
        if fault is None:
            self.passed[kind] += 1
        else:
            self.faults.append(f"{kind} {about}: {fault}")

    @property
    def whole(self) -> bool:
        return not self.missing and all(self.passed[kind] == self.total[kind] for kind in COUNTED)


def check(
    info: Any, dtypes: tuple[str, ...] = DTYPES, limit: int | None = None, seed: int = 0, extras: bool = True
) -> Score:
    """Runs the samples of `info` in every dtype it has; `limit` samples a dtype."""
    score = Score(names.title(info))
    function = names.counterpart(info)
    if function is None:
        score.missing = True
        return score
    usable = [name for name in dtypes if getattr(torch, name) in info.dtypes]
    for name in usable or ["int64"]:
        differentiable = name in ("float64", "float32", "complex128") and info.supports_autograd
        differentiable = differentiable and getattr(torch, name) in info.supported_backward_dtypes("cpu")
        for about, sample in samples(info, name, differentiable, limit, seed):
            run = Run(info, function, sample, score, f"{name} {about}")
            run.forward(differentiable)
            if extras and name in ("float64", "complex128", "int64") and "strided" not in about:
                run.variants(differentiable)
    if extras:
        errors(info, function, score)
    return score


def errors(info: Any, function: Any, score: Score) -> None:
    """Runs what PyTorch refuses: the same kind of error with the sentence its test looks for."""
    if info.error_inputs_func is None:
        return
    # Made twice: a tensor that NumPy has looked at refuses PyTorch to change its size.
    cases = zip(info.error_inputs("cpu"), info.error_inputs("cpu"), strict=True)
    for number, (case, again) in enumerate(cases):
        sample, given = case.sample_input, again.sample_input
        try:
            arguments = Converter(shared=True)((given.input, given.args, given.kwargs))
        except Exception:  # no dtype, layout, device or number of dimensions that NumPy has
            continue
        try:
            info.op(sample.input, *sample.args, **sample.kwargs)
        except Exception as error:
            wanted = error
        else:
            continue
        about = f"#{number}"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                function(arguments[0], *arguments[1], **arguments[2])
        except Exception as error:
            same = isinstance(error, case.error_type) and re.search(case.error_regex, str(error))
            fault = None if same else f"{type(error).__name__}: {error}; expected {type(wanted).__name__}: {wanted}"
            score.count("errors", fault, about)
        else:
            score.count("errors", f"no error, expected {type(wanted).__name__}: {wanted}", about)


def samples(info: Any, dtype: str, grad: bool, limit: int | None, seed: int) -> Iterator[tuple[str, Any]]:
    """The samples PyTorch generates, each once as it is and, in float64 with few of them, once non-contiguous."""
    torch.default_generator.manual_seed(seed)
    np.random.seed(seed)
    made = itertools.islice(info.sample_inputs("cpu", getattr(torch, dtype), requires_grad=grad), limit)
    for number, sample in enumerate(made):
        yield f"#{number}", sample
        if dtype == "float64" and number < 12:
            try:
                yield f"#{number} strided", sample.noncontiguous()
            except Exception:
                continue


class Run:
    """One sample."""

    def __init__(self, info: Any, function: Any, sample: Any, score: Score, about: str) -> None:
        self.info, self.function, self.sample, self.score, self.about = info, function, sample, score, about
        self.unset = info.name in names.UNSET
        self.redrawn = self.unset or info.name in names.REDRAWN
        self.ties = info.name in names.TIES and not sample.kwargs.get("stable")
        self.loose = names.INEXACT.get(info.name, 1.0)
        process = sample.output_process_fn_grad
        self.process = process, names.transplant(process)

    def forward(self, differentiable: bool) -> None:
        sample = self.sample
        converter = Converter()
        seed_both()
        try:
            expected = self.info.op(sample.input, *sample.args, **sample.kwargs)
        except Exception:
            return
        try:
            arguments = converter((sample.input, sample.args, sample.kwargs))
        except Unsupported:
            return
        # PyTorch's entries that draw (dropout in attention) start the generator from 42 themselves.
        dyncore.manual_seed(42)
        result, fault = attempt(lambda: self.function(arguments[0], *arguments[1], **arguments[2]))
        if fault is None and isinstance(expected, torch.Tensor) and expected.grad_fn is not None:
            a, b = expected.grad_fn.name(), getattr(getattr(result, "grad_fn", None), "name", str)()
            self.score.count("name", None if a == b else f"{b}, expected {a}", self.about)
        if fault is None:
            wanted = attempt(lambda: self.process[0](expected))[0]
            result, fault = attempt(lambda: self.process[1](result))
            fault = fault or difference(wanted, result, not self.unset, self.loose, self.ties)
            expected = wanted
        self.score.count("forward", fault, self.about)
        if differentiable and not self.unset:
            self.gradient(expected, result, converter.pairs, fault)
            if self.info.supports_forward_ad and converter.pairs and "float32" not in self.about:
                self.tangent(arguments, converter.pairs, fault)

    def tangent(self, arguments: Any, pairs: Any, fault: str | None) -> None:
        """Compares the tangents that forward mode carries along."""
        found = tangents(self.info, self.function, self.sample, arguments, pairs, seed_both, self.process)
        if found is None:
            return
        if fault is None:
            ours, fault = attempt(found[1])
            fault = fault or _gradients(found[0], ours, self.loose)
        self.score.count("forward-AD", fault, self.about)

    def gradient(self, expected: Any, result: Any, pairs: Any, fault: str | None, kind: str = "grad") -> None:
        """Compares gradients for a fixed cotangent, then their gradients."""
        outs = [each for each in flat(expected) if isinstance(each, torch.Tensor) and each.requires_grad]
        if not outs or not pairs:
            return
        if fault is not None:
            self.score.count(kind, fault, self.about)
            return
        wanting = {id(each) for each in outs}
        tensors = [b for a, b in zip(flat(expected), flat(result), strict=True) if id(a) in wanting]
        seeds = [fixed(each, number) for number, each in enumerate(outs)]
        second = kind == "grad" and self.info.supports_gradgrad and outs[0].dtype in (torch.float64, torch.complex128)
        inputs = [a for a, _ in pairs]
        try:
            wanted = torch.autograd.grad(
                outs, inputs, [s.requires_grad_(second) for s in seeds], allow_unused=True, create_graph=second
            )
        except RuntimeError:
            return
        ours = [from_torch(s).requires_grad_(second) for s in seeds]
        got, fault = attempt(lambda: dyncore.autograd.grad(
            tensors, [b for _, b in pairs], ours, allow_unused=True, create_graph=second
        ))  # fmt: skip
        if fault is None:
            fault = _gradients(wanted, got, self.loose)
        self.score.count(kind, fault, self.about)
        if second:
            self.second(wanted, got, seeds, ours, pairs, fault)

    def second(self, wanted: Any, got: Any, seeds: Any, ours: Any, pairs: Any, fault: str | None) -> None:
        firsts = [each for each in wanted if each is not None and each.requires_grad]
        if not firsts:
            return
        if fault is not None:
            self.score.count("gradgrad", fault, self.about)
            return
        inputs = [a for a, _ in pairs] + seeds
        cotangents = [fixed(each, 7 + number) for number, each in enumerate(firsts)]
        try:
            expected = torch.autograd.grad(firsts, inputs, cotangents, allow_unused=True)
        except RuntimeError:
            return
        tensors = [b for a, b in zip(wanted, got, strict=True) if a is not None and a.requires_grad]
        kept = [(t, c) for t, c in zip(tensors, cotangents, strict=True) if t is not None and t.requires_grad]
        result, fault = attempt(lambda: dyncore.autograd.grad(
            [t for t, _ in kept], [b for _, b in pairs] + ours, [from_torch(c) for _, c in kept], allow_unused=True
        ))  # fmt: skip
        self.score.count("gradgrad", fault or _gradients(expected, result), self.about)

    def variants(self, differentiable: bool) -> None:
        """The method, the in-place method and `out=`, where PyTorch has them and they give a tensor."""
        sample, info = self.sample, self.info
        if isinstance(sample.input, torch.Tensor):
            name = getattr(info.method_variant, "__name__", None)
            if name and name == info.name.split(".")[-1]:
                self.variant("method", info.method_variant, names.method(name), {}, False)
            name = getattr(info.inplace_variant, "__name__", None)
            if name and not sample.broadcasts_input:
                self.variant("inplace", info.inplace_variant, names.inplace(info.inplace_variant), {}, differentiable)
        if info.supports_out and not self.redrawn:
            self.out()

    def variant(self, kind: str, theirs: Any, function: Any, extra: Any, differentiable: bool) -> None:
        given = clone((self.sample.input, self.sample.args, self.sample.kwargs))
        converter = Converter()
        try:
            arguments = converter(given)
        except Unsupported:
            return
        start, ours = given[0], arguments[0]
        if kind == "inplace" and differentiable and start.requires_grad:
            start, ours = start.clone(), ours.clone()
        seed_both()
        try:
            expected = theirs(start, *given[1], **given[2])
        except Exception:
            return
        if function is None:
            self.score.count(kind, names.MISSING, self.about)
            return
        result, fault = attempt(lambda: function(ours, *arguments[1], **arguments[2]))
        if fault is None and kind == "inplace" and result is not ours:
            fault = "did not return its input"
        fault = fault or self.compare(expected, result)
        self.score.count(kind, fault, self.about)
        if differentiable and fault is None and not self.redrawn:
            self.gradient(expected, result, converter.pairs, fault, kind)

    def out(self) -> None:
        sample = self.sample
        converter = Converter()
        with torch.no_grad(), dyncore.no_grad():
            try:
                expected = self.info.op(sample.input, *sample.args, **sample.kwargs)
                made = [torch.empty_like(each) for each in flat(expected)]
                seed_both()
                single = isinstance(expected, torch.Tensor)
                self.info.op(sample.input, *sample.args, **sample.kwargs, out=made[0] if single else tuple(made))
                arguments = converter((sample.input, sample.args, sample.kwargs))
                ours = [dyncore.from_numpy(np.zeros_like(each.numpy())) for each in made]
            except Exception:
                return
            given = ours[0] if single else tuple(ours)
            _, fault = attempt(lambda: self.function(arguments[0], *arguments[1], **arguments[2], out=given))
        wanted, got = (made[0], ours[0]) if single else (tuple(made), tuple(ours))
        fault = fault or self.compare(wanted, got)
        self.score.count("out", fault, self.about)

    def compare(self, expected: Any, result: Any) -> str | None:
        """The difference of what the sample says can be compared: eigenvectors, say, without their sign."""
        wanted = attempt(lambda: self.process[0](expected))[0]
        got, fault = attempt(lambda: self.process[1](result))
        return fault or difference(wanted, got, not self.redrawn, self.loose, self.ties)


def seed_both() -> None:
    """Starts both generators, which are one and the same, from the same seed."""
    torch.default_generator.manual_seed(0)
    dyncore.manual_seed(0)


def attempt(call: Any) -> tuple[Any, str | None]:
    """The result, or the error in words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call(), None
        except Exception as error:
            return None, f"{type(error).__name__}: {str(error)[:200]} {_place(error)}"


def _place(error: BaseException) -> str:
    trace, found = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if "dyncore" in code.co_filename:
            found = f"[{code.co_filename.rpartition('dyncore/')[2]}:{trace.tb_lineno}]"
        trace = trace.tb_next
    return found


def _gradients(wanted: Any, got: Any, loose: float = 1.0) -> str | None:
    for number, (a, b) in enumerate(zip(wanted, got, strict=True)):
        if a is None and b is None:
            continue
        if a is None or b is None:
            rest = a if b is None else b
            array = rest.detach().numpy(force=True) if b is None else rest._array
            if np.any(np.abs(array) > 1e-10):
                return f"gradient {number} is " + ("none, expected some" if b is None else "there, expected none")
            continue
        found = difference(a, b, loose=10 * loose)
        if found:
            return f"gradient {number}: {found}"
    return None
