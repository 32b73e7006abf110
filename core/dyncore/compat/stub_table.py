"""The one table of PyTorch's modules that are not here: what answers, what does nothing, what raises.

`value`: the name is this.  `answers`: a function that returns this.  `nothing`: a function that does nothing.
`same`: returns what it is given, also as a decorator.  `block`: a `with` block or decorator that changes nothing.
`found`: what another module has.  `raises`: raises this error when it is used.
A name without a row raises the module's error of `ERRORS`, or says that it is not here.  A module without rows has
those of the module that it is part of; most need none, as all their names raise when they are used.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from dyncore.dtypes import dtypes
from dyncore.errors.instead import no_group, one_process
from dyncore.tensors.size import unavailable

from .stub_rows import Row, Switches, answers, block, found, not_here, nothing, raises, refused, same, value

no_gpu = partial(unavailable, "cuda")

# Modules below which any path can be imported: PyTorch has hundreds there.
OPEN = (
    "ao", "backends.xeon", "contrib", "distributed", "export", "fx", "nativert", "nn.backends", "nn.intrinsic",
    "nn.qat", "nn.quantizable", "nn.quantized", "numa", "onnx", "package", "quantization", "testing",
    "utils.benchmark", "utils.bottleneck", "utils.data.datapipes", "utils.hipify", "utils.jit", "utils.model_dump",
    "utils.tensorboard", "utils.viz", "cuda._utils", "jit._trace", "nn.modules._functions", "nn.parallel._functions",
    "nn.parallel.comm", "nn.parallel.replicate", "nn.parallel.scatter_gather", "profiler._memory_profiler",
    "utils._contextlib", "utils._device", "utils._foreach_utils", "utils._mode_utils", "utils._python_dispatch",
    "utils._triton", "_C", "_classes", "_compile", "_lazy", "_linalg_utils", "_lowrank", "_meta_registrations",
    "_ops", "_sources", "_tensor_str", "_weights_only_unpickler", "_decomp", "_dynamo", "_export", "_functorch",
    "_guards", "_higher_order_ops", "_inductor", "_library", "_logging", "_numpy", "_prims", "_refs", "_subclasses",
)  # fmt: skip

# What raises in a module where no row says it.
ERRORS: dict[str, Callable[[], Exception]] = {
    "cuda": no_gpu,
    "distributed": no_group,
    **{kind: partial(unavailable, kind) for kind in ("accelerator", "mps", "mtia", "xpu")},
}


def _cuda_type(title: str, name: str) -> Any:
    return import_module("dyncore.creation.legacy").CUDA_TYPES[name]


def _progress_bar(title: str, name: str) -> Any:
    """Return the bar of the package `tqdm`, which PyTorch hands on where it is installed."""
    try:
        return import_module("tqdm").tqdm
    except ModuleNotFoundError:
        return refused(title, name, lambda: not_here(f"{title}.{name}"))


def _typing(names: str) -> tuple[Row, ...]:
    return tuple(value(name, getattr(typing, name)) for name in names.split())


def _ignored(*given: Any) -> None:
    return None


_LIBRARY: tuple[Row, ...] = (
    answers("is_available is_built is_acceptable", False),
    nothing("version set_flags"),
    block("flags"),
)
# Mixed precision: everything is computed in its own precision; float16 would be slower on a CPU.
_AMP: tuple[Row, ...] = (
    block("autocast"),
    found("GradScaler", "compat.stand_ins"),
    same("custom_fwd custom_bwd"),
    answers("amp_definitely_not_available", True),
    answers("is_autocast_available is_autocast_enabled is_autocast_cpu_enabled is_autocast_cache_enabled", False),
    answers("get_autocast_dtype get_autocast_gpu_dtype get_autocast_cpu_dtype", dtypes.float16),
    nothing(
        "set_autocast_enabled set_autocast_dtype set_autocast_cpu_enabled set_autocast_cache_enabled "
        "set_autocast_cpu_dtype set_autocast_gpu_dtype clear_autocast_cache"
    ),
)
_DEVICE: tuple[Row, ...] = (
    answers("is_available is_built is_initialized is_bf16_supported is_tf32_supported", False),
    answers("device_count", 0),
    nothing("manual_seed manual_seed_all seed seed_all empty_cache"),
)
_COMPILER: tuple[Row, ...] = (
    found("compile", "capture"),
    answers("is_compiling is_dynamo_compiling is_exporting", False),
    same("disable allow_in_graph assume_constant_result wrap_numpy run optimize nested_compile_region"),
    answers("substitute_in_graph", lambda function: function),
    answers("list_backends", ["dyncore"]),
    nothing("reset cudagraph_mark_step_begin graph_break mark_dynamic mark_static maybe_mark_dynamic"),
    block("set_stance"),
    value("config", Switches()),
)
_QUANTIZATION: tuple[Row, ...] = (found("QuantStub DeQuantStub", "nn:Identity"),)

TABLE: dict[str, tuple[Row, ...]] = {
    "accelerator": (*_DEVICE, nothing("current_accelerator")),
    "amp": _AMP,
    "ao": (),
    "ao.quantization": _QUANTIZATION,
    "backends.cpu": (answers("get_cpu_capability", "DEFAULT"),),
    "backends.cuda": (
        value("matmul", Switches(allow_tf32=False)),
        value("cufft_plan_cache", Switches(size=0, max_size=0)),
        answers("is_built is_flash_attention_available is_ck_sdpa_available can_use_flash_attention "
                "can_use_efficient_attention can_use_cudnn_attention", False),
        answers("flash_sdp_enabled math_sdp_enabled mem_efficient_sdp_enabled cudnn_sdp_enabled", True),
        nothing("enable_flash_sdp enable_math_sdp enable_mem_efficient_sdp enable_cudnn_sdp "
                "preferred_linalg_library preferred_blas_library preferred_rocm_fa_library "
                "allow_fp16_bf16_reduction_math_sdp"),
        block("sdp_kernel"),
    ),
    "backends.cudnn": (
        *_LIBRARY,
        value("enabled allow_tf32", True),
        value("benchmark deterministic", False),
        value("benchmark_limit", 10),
    ),
    "backends.mkldnn": (*_LIBRARY, value("enabled allow_tf32", True), value("deterministic", False)),
    "backends.opt_einsum": (*_LIBRARY, value("enabled", False), value("strategy", None)),
    "backends.quantized": (value("engine", "none"), value("supported_engines", ["none"])),
    **dict.fromkeys((f"backends.{name}" for name in (
        "cusparselt", "kleidiai", "mha", "miopen", "mkl", "mps", "nnpack", "openmp", "xnnpack")), _LIBRARY),
    "compiler": _COMPILER,
    "cpu": (
        answers("is_available is_initialized", True),
        answers("device_count", 1),
        answers("current_device", "cpu"),
        answers("get_capabilities", {}),
        nothing("synchronize set_device"),
        nothing("current_stream"),
        block("Event Stream StreamContext stream"),
        found("get_device_module", "compat.stand_ins"),
    ),
    "cpu.amp": _AMP,
    "cuda": (
        answers("is_available is_initialized is_tf32_supported is_bf16_supported is_current_stream_capturing "
                "has_magma", False),
        answers("device_count memory_allocated max_memory_allocated memory_reserved max_memory_reserved "
                "memory_cached max_memory_cached", 0),
        answers("get_rng_state_all", []),
        nothing("manual_seed manual_seed_all seed seed_all empty_cache ipc_collect set_rng_state_all "
                "reset_peak_memory_stats reset_max_memory_allocated reset_max_memory_cached "
                "reset_accumulated_memory_stats"),
        block("device device_of"),
        found("OutOfMemoryError AcceleratorError", "compat.stand_ins"),
        found("CudaError DeferredCudaCallError", "compat.stand_ins:AcceleratorError"),
        value("default_generators", ()),
        value("has_half", True),
        value("_initialized", False),
        ("BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor",
         _cuda_type),
    ),
    "cuda.amp": _AMP,
    "distributed": (
        answers("is_available is_initialized is_nccl_available is_gloo_available is_mpi_available "
                "is_torchelastic_launched is_ucc_available is_xccl_available is_backend_available", False),
        value("ReduceOp", Switches(SUM=0, AVG=1, PRODUCT=2, MIN=3, MAX=4, BAND=5, BOR=6, BXOR=7)),
        raises("init_process_group init_device_mesh", one_process),
    ),
    "functional": (
        found("atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cdist "
              "chain_matmul einsum lu meshgrid norm split stft tensordot unique unique_consecutive unravel_index "
              "pca_lowrank svd_lowrank lobpcg Tensor", ""),
    ),
    "fx": (same("wrap"),),
    "hub": (("tqdm", _progress_bar),),
    "jit.annotations": (*_typing("Any Dict List Optional Tuple Union"), found("Future", "futures")),
    "jit": (
        same("script trace trace_module freeze optimize_for_inference ignore export unused script_if_tracing "
             "script_method interface"),
        answers("is_scripting is_tracing onednn_fusion_enabled", False),
        answers("set_fusion_strategy", []),
        nothing("enable_onednn_fusion"),
        block("strict_fusion optimized_execution"),
        found("ScriptModule RecursiveScriptModule", "nn:Module"),
        found("Future", "futures"),
        found("fork _fork", "compat.stand_ins:fork"),
        found("wait _wait", "compat.stand_ins:wait"),
        found("annotate Attribute", "compat.stand_ins"),
        found("isinstance", "compat.stand_ins:is_of_type"),
        value("Error", RuntimeError),
        value("Final", typing.Final),
        value("TracerWarning ScriptWarning", Warning),
    ),
    "onnx": (answers("is_in_onnx_export is_onnxrt_backend_supported", False),),
    "overrides": (
        answers("has_torch_function has_torch_function_unary has_torch_function_variadic", False),
        answers("wrap_torch_function", lambda function: function),
        found("handle_torch_function is_tensor_like is_tensor_method_or_property", "compat.stand_ins"),
    ),
    "profiler": (
        found("profile record_function kineto_available", "autograd.profiler"),
        value("ProfilerActivity", Switches(CPU="CPU", CUDA="CUDA", XPU="XPU")),
        value("ProfilerAction", Switches(NONE=0, WARMUP=1, RECORD=2, RECORD_AND_SAVE=3)),
        answers("supported_activities", {"CPU"}),
        answers("schedule tensorboard_trace_handler", _ignored),
    ),
    "profiler.itt": (answers("is_available", False), block("range"), nothing("mark range_push range_pop")),
    "quantization": _QUANTIZATION,
    "utils.tensorboard": (found("SummaryWriter", "compat.stand_ins"),),
    "version": (
        found("__version__", ""),
        value("cuda hip xpu rocm git_version", None),
        value("debug", False),
    ),
    "xpu": _DEVICE,
    "mps": _DEVICE,
    "nn.attention.bias": (
        found("CausalBias CausalVariant causal_lower_right causal_upper_left", "nn.causal_bias"),
    ),
    "nn._reduction": (found("get_enum legacy_get_string legacy_get_enum", "nn.functional.private"),),
    "_C": (
        (
            "_WeakTensorRef _add_cached_tensor _autograd _current_autograd_node "
            "_current_graph_task_execution_order _current_graph_task_id _functions _get_obj_in_tls "
            "_is_cached_tensor _is_fwd_grad_enabled _is_key_in_tls _is_multithreading_enabled "
            "_is_torch_function_enabled _is_view_replay_enabled _len_torch_function_stack "
            "_remove_cached_tensor _set_cached_tensors_enabled _set_fwd_grad_enabled _set_grad_enabled "
            "_set_multithreading_enabled _set_warn_on_accumulate_grad_stream_mismatch _stash_obj_in_tls "
            "_warn_on_accumulate_grad_stream_mismatch _will_engine_execute_node is_grad_enabled",
            lambda title, name: getattr(import_module("dyncore.autograd.engine")._C, name),
        ),
        found("Generator Size device dtype layout memory_format default_generator", ""),
        found("TensorBase _TensorBase", ":Tensor"),
        found("_FunctionBase", "autograd:Function"),
        found("ScriptModule", "nn:Module"),
        found("_infer_size", ":broadcast_shapes"),
        found("_disabled_torch_function_impl", "compat.stand_ins"),
        ("_VariableFunctions", lambda title, name: import_module("dyncore")),
        same("_add_docstr"),
        answers("_has_torch_function _has_torch_function_unary _has_torch_function_variadic _get_tracing_state "
                "_cuda_isDriverSufficient _is_tracing _get_privateuse1_backend_name", False),
        answers("_cuda_getDeviceCount", 0),
        value("has_lapack has_spectral has_openmp", True),
        value("has_cuda has_cudnn has_mps has_mkl has_mkldnn", False),
        nothing("_log_api_usage_once _jit_set_profiling_executor _jit_set_profiling_mode _jit_set_bailout_depth "
                "_jit_override_can_fuse_on_cpu _jit_override_can_fuse_on_gpu _jit_set_texpr_fuser_enabled "
                "_jit_set_nvfuser_enabled _debug_set_fusion_group_inlining _set_graph_executor_optimize "
                "_cuda_clearCublasWorkspaces"),
    ),
    "_C._nn": (
        found(
            "adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d adaptive_max_pool3d avg_pool2d avg_pool3d "
            "binary_cross_entropy elu elu_ fractional_max_pool2d fractional_max_pool3d gelu glu hardsigmoid hardswish "
            "hardtanh hardtanh_ huber_loss l1_loss leaky_relu leaky_relu_ linear max_pool2d_with_indices "
            "max_pool3d_with_indices max_unpool2d max_unpool3d mish mse_loss multi_margin_loss multilabel_margin_loss "
            "nll_loss one_hot pad relu6 scaled_dot_product_attention silu smooth_l1_loss soft_margin_loss softplus "
            "softshrink",
            "nn.functional",
        ),
        found("_test_warn_in_autograd", "autograd.engine:_C._nn._test_warn_in_autograd"),
    ),
    "_dynamo": _COMPILER,
    "_lowrank": (found("svd_lowrank pca_lowrank", ""),),
    "_VF": (
        found("unique_dim", "native:_VF.unique_dim"),
        found("lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell norm split stft tensordot "
              "meshgrid einsum cdist broadcast_tensors unique_consecutive", ""),
    ),
    "__config__": (answers("show", "dyncore: NumPy on the CPU\n"), answers("parallel_info", "1 thread\n")),
    "__future__": (
        nothing("set_overwrite_module_params_on_conversion set_swap_module_params_on_conversion"),
        answers("get_overwrite_module_params_on_conversion get_swap_module_params_on_conversion", False),
    ),
    "optim._multi_tensor": (
        found("ASGD Adadelta Adagrad Adam AdamW Adamax NAdam RAdam RMSprop Rprop SGD", "optim"),
    ),
    "_jit_internal": (
        same("export ignore unused _overload _overload_method _copy_to_script_wrapper"),
        *_typing("Any Callable Dict Final List Optional Tuple TypeVar Union"),
    ),
    "_tensor": (found("Tensor", ""),),
    "_utils": (found("_flatten_dense_tensors _unflatten_dense_tensors", "compat.stand_ins"),),
    "_vmap_internals": (found("vmap _vmap", "autograd.vmap:vmap"),),
    "_inductor": _COMPILER,
}  # fmt: skip
