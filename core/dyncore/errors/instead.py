"""Hints for names and modules of PyTorch that are not here."""

from __future__ import annotations

_EAGER = "models run as they are written; nothing here has a graph to transform or to export"
_WITHOUT = {
    "onnx": _EAGER, "fx": _EAGER, "export": _EAGER, "package": _EAGER,
    "quantization": "there are no quantized dtypes here; float32 is the usual one",
    "ao": "there are no quantized dtypes here; float32 is the usual one",
    "nn.quantized": "there are no quantized dtypes here; float32 is the usual one",
    "hub": "nothing is downloaded; `torch.load` reads `.pt`, safetensors and npz files",
    "utils.model_zoo": "nothing is downloaded; `torch.load` reads `.pt`, safetensors and npz files",
    "utils.tensorboard": "print the numbers, or write them with Python's `csv` or `json`",
    "utils.cpp_extension": "ops of your own are Python: `torch.autograd.Function`",
    "library": "ops of your own are Python: `torch.autograd.Function`",
    "utils.mobile_optimizer": _EAGER, "utils.model_dump": _EAGER,
    "monitor": "print the numbers, or write them with Python's `csv` or `json`",
    "jit": "`torch.save(model.state_dict(), path)` and the script that builds the model",
    "nested": "`torch.nn.utils.rnn.pad_sequence` makes one tensor of several",
    "nn.attention.flex_attention": "the nearest here is `torch.nn.functional.scaled_dot_product_attention`",
    "quasirandom": "the nearest here is `torch.rand`",
}  # fmt: skip
_HINTS = {f"torch.{module}": hint for module, hint in _WITHOUT.items()}

# By parts of names that are missing here: what to do without them, where no name like it would help.
_BY_PART = {
    "sparse crow_indices ccol_indices col_indices row_indices sspaddmm": (
        "the one sparse layout here is that of `torch.sparse_coo_tensor` and `to_sparse`"
    ),
    "quant qint qscheme q_scale q_zero q_per int_repr fbgemm": (
        "there are no quantized numbers here; `torch.float32` is the usual dtype"
    ),
    "bfloat16 chalf": "NumPy has no such numbers; `torch.float32` holds them all",
    "cudnn miopen mkldnn mtia xpu ipu": "everything runs on the CPU, by NumPy",
    "datapipe": "the nearest here is `torch.utils.data.IterableDataset`",
    "script compilationunit parse_ir import_ir": "models run as they are written; nothing is compiled to a script",
    "maskedtensor masked_tensor": "the functions of `torch.masked` take a tensor and `mask=`",
}


def instead_of(title: str, name: str) -> str | None:
    """Return what to do without `title.name`, where no name here is like it."""
    for words, hint in _BY_PART.items():
        if any(word in name.lower() for word in words.split()):
            return hint
    return hint_for(f"{title}.{name}")


def hint_for(title: str) -> str | None:
    """Return what to do without the module `title`, or one that it is part of."""
    while title and title not in _HINTS:
        title = title.rpartition(".")[0]
    return _HINTS.get(title)


def one_process() -> RuntimeError:
    """Return the error of a process group that is asked for."""
    error = RuntimeError("dyncore has no process groups")
    error.add_note(ONE_PROCESS)
    return error


ONE_PROCESS = "hint: everything runs in one process here; ask `torch.distributed.is_available()` first"


def no_group() -> ValueError:
    """Return PyTorch's error before `init_process_group`."""
    error = ValueError("Default process group has not been initialized, please make sure to call init_process_group.")
    error.add_note(ONE_PROCESS)
    return error
