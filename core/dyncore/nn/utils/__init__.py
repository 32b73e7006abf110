"""`torch.nn.utils`: clipping, packing, parametrization."""

from dyncore.binding.imports import files
from dyncore.errors.explain import missing_in
from dyncore.nn.utils import old_norms, parametrizations, parametrize, rnn
from dyncore.nn.utils.clip_grad import (
    clip_grad_norm,
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)
from dyncore.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters
from dyncore.nn.utils.fusion import (
    fuse_conv_bn_eval,
    fuse_conv_bn_weights,
    fuse_linear_bn_eval,
    fuse_linear_bn_weights,
    skip_init,
)
from dyncore.nn.utils.memory_format import (
    convert_conv2d_weight_memory_format as convert_conv2d_weight_memory_format,
    convert_conv3d_weight_memory_format as convert_conv3d_weight_memory_format,
)
from dyncore.nn.utils.old_norms import remove_spectral_norm, remove_weight_norm, spectral_norm, weight_norm

__capture__ = "engine"

# Files by PyTorch's names; the attributes of the package stay the functions.
files(__name__, ("init",))
files(__name__, ("weight_norm", "spectral_norm"), old_norms)


def __getattr__(name: str) -> object:
    """Import `prune` and `stateless` on first access.

    Raises AttributeError for other names, with the nearest one.
    """
    if name in ("prune", "stateless"):
        import importlib

        return importlib.import_module(f"{__name__}.{name}")
    return missing_in(__name__)(name)


__all__ = [
    "clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "fuse_conv_bn_eval",
    "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights", "get_total_norm", "parameters_to_vector",
    "parametrizations", "parametrize", "remove_spectral_norm", "remove_weight_norm", "rnn", "skip_init",
    "spectral_norm", "vector_to_parameters", "weight_norm",
]  # fmt: skip
