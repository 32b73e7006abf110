"""`torch.backends`: switches for libraries that are not here; they remember what they are told."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dyncore.binding.imports import also
from dyncore.errors.explain import missing_in, missing_name
from dyncore.errors.pytorch_names import of_pytorch
from dyncore.tensors.size import unavailable

__dyncore__ = True


class _Backend:
    """One library that is not here, with the switches scripts set."""

    def __init__(self, **switches: Any) -> None:
        self.__dict__.update(switches)

    def is_available(self) -> bool:
        """False."""
        return False

    def is_built(self) -> bool:
        """False."""
        return False

    def version(self) -> None:
        """None."""


class _Device(_Backend):
    """One kind of device that is not here: what it is asked to do raises."""

    def __getattr__(self, name: str) -> Any:
        title = self.__dict__.get("title", "torch")
        if name.startswith("_") or name not in of_pytorch(title):
            raise missing_name(title, name, sys.modules[__name__])

        def refused(*given: Any, **options: Any) -> Any:
            raise unavailable(title.rpartition(".")[2])

        return refused

    def device_count(self) -> int:
        """0."""
        return 0

    def current_accelerator(self) -> None:
        """None."""

    def manual_seed(self, seed: int) -> None:
        """Nothing."""

    def empty_cache(self) -> None:
        """Nothing."""


class _Switches(_Backend):
    """A library with switches that a block may set, as `cudnn.flags(deterministic=True)`."""

    @contextmanager
    def flags(self, *given: Any, **switches: Any) -> Iterator[None]:
        """A block in which the switches are as given."""
        before = {name: getattr(self, name, None) for name in switches}
        self.__dict__.update(switches)
        try:
            yield
        finally:
            self.__dict__.update(before)

    def set_flags(self, *given: Any, **switches: Any) -> None:
        """Sets the switches."""
        self.__dict__.update(switches)

    def is_acceptable(self, tensor: Any) -> bool:
        """False."""
        return False


class _Recurrent(_Backend):
    """`torch.backends.cudnn.rnn`: what cuDNN calls its layers."""

    def get_cudnn_mode(self, mode: str) -> Any:
        """Raises AssertionError, there is no GPU; RuntimeError for a mode nobody knows."""
        if mode not in ("RNN_RELU", "RNN_TANH", "LSTM", "GRU"):
            raise ValueError(f"Unknown mode: {mode}")
        raise unavailable("cuda")

    def init_dropout_state(self, dropout: float, train: bool, dropout_seed: int, dropout_state: Any) -> None:
        """Raises AssertionError: there is no GPU."""
        raise unavailable("cuda")


class _Attention(_Switches):
    """`torch.backends.cuda`: which kernels attention may take, which nothing here asks."""

    def __getattr__(self, name: str) -> Any:
        kind = name.removeprefix("enable_").removesuffix("_sdp").removesuffix("_sdp_enabled")
        if kind in ("flash", "math", "mem_efficient", "cudnn"):
            if name.startswith("enable_"):
                return lambda enabled: self.__dict__.__setitem__(kind, bool(enabled))
            return lambda: self.__dict__.get(kind, True)
        if name.startswith(("can_use_", "is_")):
            return lambda *given, **options: False
        if name.startswith("preferred_"):
            return lambda backend=None: None
        raise missing_name("torch.backends.cuda", name, sys.modules[__name__])

    @contextmanager
    def sdp_kernel(self, **kernels: bool) -> Iterator[None]:
        """A block that changes nothing."""
        yield


class _Processor(_Backend):
    """`torch.backends.cpu`."""

    def get_cpu_capability(self) -> str:
        """ "DEFAULT": NumPy chooses what it uses of the processor."""
        return "DEFAULT"


rnn = _Recurrent()
cudnn = _Switches(
    enabled=True, benchmark=False, deterministic=False, allow_tf32=True, benchmark_limit=None, rnn=rnn
)  # fmt: skip
cuda = _Attention(
    matmul=_Backend(
        allow_tf32=False, allow_fp16_reduced_precision_reduction=True, allow_bf16_reduced_precision_reduction=True
    ),
    cufft_plan_cache=_Backend(size=0, max_size=0),
)
mps, xpu, accelerator = (_Device(title=f"torch.{kind}") for kind in ("mps", "xpu", "accelerator"))
mkldnn = _Switches(enabled=True, deterministic=False, allow_tf32=True)
opt_einsum = _Backend(enabled=False, strategy=None)
mkl, openmp, nnpack, xnnpack, mha, miopen, quantized, cusparselt = (_Switches() for _ in range(8))
quantized.set_flags(engine="none", supported_engines=["none"])
cpu = _Processor()

__path__: list[str] = []
for _name, _library in list(vars().items()):
    if isinstance(_library, _Backend):
        also(__name__, _name, _library)

also(f"{__name__}.cudnn", "rnn", rnn)
del rnn

__getattr__ = missing_in(__name__)
