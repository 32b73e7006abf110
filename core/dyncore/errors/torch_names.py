"""Give the engine's classes the modules that PyTorch has them in, while `torch` is the engine.

A script that prints `type(x)` shows `<class 'torch.Tensor'>` then, as it does under PyTorch.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

# A module of the engine, the module of PyTorch, and which of its classes that one has: all of them where none is named.
_ROWS = """
dyncore torch Size Tensor device dtype layout memory_format
dyncore.autograd torch.autograd.variable Variable
dyncore.autograd.context torch.autograd.function
dyncore.autograd.function torch.autograd.function
dyncore.autograd.graph torch.autograd.graph
dyncore.autograd.profiler torch.autograd.profiler
dyncore.compat.stand_ins torch AcceleratorError OutOfMemoryError
dyncore.compat.stand_ins torch.amp.grad_scaler GradScaler
dyncore.creation.interop torch.storage UntypedStorage
dyncore.creation.memory torch.storage TypedStorage
dyncore.capture torch._dynamo.eval_frame OptimizedModule
dyncore.distributions.bounded torch.distributions.kumaraswamy Kumaraswamy
dyncore.distributions.bounded torch.distributions.von_mises VonMises
dyncore.distributions.categorical torch.distributions.categorical Categorical
dyncore.distributions.categorical torch.distributions.multinomial Multinomial
dyncore.distributions.categorical torch.distributions.one_hot_categorical OneHotCategorical
dyncore.distributions.categorical torch.distributions.one_hot_categorical OneHotCategoricalStraightThrough
dyncore.distributions.categorical torch.distributions.relaxed_bernoulli RelaxedBernoulli
dyncore.distributions.categorical torch.distributions.relaxed_categorical RelaxedOneHotCategorical
dyncore.distributions.constraints torch.distributions.constraints
dyncore.distributions.continuous torch.distributions.cauchy Cauchy
dyncore.distributions.continuous torch.distributions.gumbel Gumbel
dyncore.distributions.continuous torch.distributions.laplace Laplace
dyncore.distributions.continuous torch.distributions.normal Normal
dyncore.distributions.continuous torch.distributions.uniform Uniform
dyncore.distributions.continuous_bernoulli torch.distributions.continuous_bernoulli
dyncore.distributions.discrete torch.distributions.bernoulli Bernoulli
dyncore.distributions.discrete torch.distributions.binomial Binomial
dyncore.distributions.discrete torch.distributions.geometric Geometric
dyncore.distributions.discrete torch.distributions.negative_binomial NegativeBinomial
dyncore.distributions.discrete torch.distributions.poisson Poisson
dyncore.distributions.distribution torch.distributions.distribution
dyncore.distributions.elementwise torch.distributions.transforms
dyncore.distributions.exp_family torch.distributions.exp_family
dyncore.distributions.low_rank torch.distributions.lowrank_multivariate_normal
dyncore.distributions.matrices torch.distributions.lkj_cholesky LKJCholesky
dyncore.distributions.matrices torch.distributions.wishart Wishart
dyncore.distributions.multivariate torch.distributions.independent Independent
dyncore.distributions.multivariate torch.distributions.mixture_same_family MixtureSameFamily
dyncore.distributions.multivariate torch.distributions.multivariate_normal MultivariateNormal
dyncore.distributions.positive torch.distributions.chi2 Chi2
dyncore.distributions.positive torch.distributions.exponential Exponential
dyncore.distributions.positive torch.distributions.fishersnedecor FisherSnedecor
dyncore.distributions.positive torch.distributions.gamma Gamma
dyncore.distributions.positive torch.distributions.half_cauchy HalfCauchy
dyncore.distributions.positive torch.distributions.half_normal HalfNormal
dyncore.distributions.positive torch.distributions.inverse_gamma InverseGamma
dyncore.distributions.positive torch.distributions.log_normal LogNormal
dyncore.distributions.positive torch.distributions.studentT StudentT
dyncore.distributions.simplex torch.distributions.beta Beta
dyncore.distributions.simplex torch.distributions.dirichlet Dirichlet
dyncore.distributions.tails torch.distributions.generalized_pareto GeneralizedPareto
dyncore.distributions.tails torch.distributions.pareto Pareto
dyncore.distributions.tails torch.distributions.weibull Weibull
dyncore.distributions.transform torch.distributions.transforms
dyncore.distributions.transformed torch.distributions.logistic_normal LogisticNormal
dyncore.distributions.transformed torch.distributions.transformed_distribution TransformedDistribution
dyncore.distributions.vectors torch.distributions.transforms
dyncore.dtypes.dtypes torch finfo iinfo
dyncore.engine.edges torch.autograd.graph GradientEdge
dyncore.graph.modes torch.autograd.anomaly_mode detect_anomaly set_detect_anomaly
dyncore.graph.modes torch.autograd.grad_mode enable_grad inference_mode no_grad set_grad_enabled
dyncore.graph.modes torch.autograd.grad_mode set_multithreading_enabled
dyncore.nn.activation torch.nn.modules.activation
dyncore.nn.adaptive torch.nn.modules.adaptive
dyncore.nn.attention torch.nn.attention SDPBackend
dyncore.nn.attention torch.nn.modules.activation MultiheadAttention
dyncore.nn.batchnorm torch.nn.modules.batchnorm BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm
dyncore.nn.batchnorm torch.nn.modules.instancenorm InstanceNorm1d InstanceNorm2d InstanceNorm3d
dyncore.nn.causal_bias torch.nn.attention.bias
dyncore.nn.containers torch.nn.modules.container
dyncore.nn.conv torch.nn.modules.conv
dyncore.nn.distance torch.nn.modules.distance
dyncore.nn.dropout torch.nn.modules.dropout
dyncore.nn.embedding torch.nn.modules.sparse
dyncore.nn.flatten torch.nn.modules.flatten
dyncore.nn.lazy torch.nn.modules.batchnorm LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d
dyncore.nn.lazy torch.nn.modules.conv LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d
dyncore.nn.lazy torch.nn.modules.conv LazyConvTranspose3d
dyncore.nn.lazy torch.nn.modules.instancenorm LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d
dyncore.nn.lazy torch.nn.modules.linear LazyLinear
dyncore.nn.linear torch.nn.modules.linear
dyncore.nn.loss torch.nn.modules.loss
dyncore.nn.loss_linear torch.nn.modules.linear_cross_entropy_options LinearCrossEntropyOptions
dyncore.nn.loss_linear torch.nn.modules.loss LinearCrossEntropyLoss
dyncore.nn.module torch.nn.modules.module
dyncore.nn.normalization torch.nn.modules.normalization
dyncore.nn.padding torch.nn.modules.padding
dyncore.nn.parallel torch.nn.parallel.data_parallel DataParallel
dyncore.nn.parallel torch.nn.parallel.distributed DistributedDataParallel
dyncore.nn.pooling torch.nn.modules.pooling
dyncore.nn.recurrent torch.nn.modules.rnn
dyncore.nn.recurrent_cells torch.nn.modules.rnn
dyncore.nn.resampling torch.nn.modules.channelshuffle ChannelShuffle
dyncore.nn.resampling torch.nn.modules.fold Fold Unfold
dyncore.nn.resampling torch.nn.modules.pixelshuffle PixelShuffle PixelUnshuffle
dyncore.nn.resampling torch.nn.modules.upsampling Upsample UpsamplingBilinear2d UpsamplingNearest2d
dyncore.nn.transformer torch.nn.modules.transformer
dyncore.nn.utils.parametrize torch.nn.utils.parametrize
dyncore.nn.utils.prune torch.nn.utils.prune
dyncore.nn.utils.rnn torch.nn.utils.rnn
dyncore.optim.adam torch.optim.adam Adam
dyncore.optim.adam torch.optim.adamw AdamW
dyncore.optim.adam_variants torch.optim.adamax Adamax
dyncore.optim.adam_variants torch.optim.nadam NAdam
dyncore.optim.adam_variants torch.optim.radam RAdam
dyncore.optim.adaptive torch.optim.adadelta Adadelta
dyncore.optim.adaptive torch.optim.adagrad Adagrad
dyncore.optim.adaptive torch.optim.rmsprop RMSprop
dyncore.optim.adaptive torch.optim.rprop Rprop
dyncore.optim.asgd torch.optim.asgd
dyncore.optim.lbfgs torch.optim.lbfgs
dyncore.optim.lr_base torch.optim.lr_scheduler
dyncore.optim.lr_cycles torch.optim.lr_scheduler
dyncore.optim.lr_scheduler torch.optim.lr_scheduler
dyncore.optim.matrices torch.optim Adafactor Muon
dyncore.optim.optimizer torch.optim.optimizer
dyncore.optim.sgd torch.optim.sgd
dyncore.optim.sparse_adam torch.optim.sparse_adam
dyncore.optim.swa_utils torch.optim.swa_utils
dyncore.rng.generator torch._C Generator
dyncore.tensors.parameter torch.nn.parameter Buffer Parameter UninitializedBuffer UninitializedParameter
dyncore.utils.benchmark torch.utils.benchmark.utils.common Measurement TaskSpec
dyncore.utils.benchmark torch.utils.benchmark.utils.compare Compare
dyncore.utils.benchmark torch.utils.benchmark.utils.timer Timer
dyncore.utils.checkpoint torch.utils.checkpoint
dyncore.utils.data.dataset torch.utils.data.dataset
dyncore.utils.data.loader torch.utils.data.dataloader
dyncore.utils.data.sampler torch.utils.data.distributed DistributedSampler
dyncore.utils.data.sampler torch.utils.data.sampler BatchSampler RandomSampler Sampler SequentialSampler
dyncore.utils.data.sampler torch.utils.data.sampler SubsetRandomSampler WeightedRandomSampler
dyncore.utils.recomputation torch.utils.checkpoint
"""
_rows: dict[str, list[tuple[str, list[str]]]] = {}
_former: dict[type, str] = {}


def is_renaming() -> bool:
    """Return whether classes have PyTorch's modules."""
    return bool(_former)


def home(named: Any) -> Any:
    """Return the `__module__` of a class or function, and of a renamed class the one it has in the engine."""
    return (_former.get(named) if isinstance(named, type) else None) or getattr(named, "__module__", None)


def rename_classes() -> None:
    """Rename the classes of all modules of the engine that are loaded; `rename_module` renames later ones."""
    if not _rows:
        for row in _ROWS.split("\n")[1:-1]:
            name, title, *names = row.split()
            _rows.setdefault(name, []).append((title, names))
    for name in _rows:
        if (module := sys.modules.get(name)) is not None:
            rename_module(module, name)


def rename_module(module: ModuleType, name: str) -> None:
    """Rename the classes of a module of the engine."""
    own = vars(module)
    for title, names in _rows.get(name, ()):
        for each in names or own:
            kind = own[each]
            if isinstance(kind, type) and kind not in _former and (names or kind.__module__ == name):
                _former[kind] = kind.__module__
                kind.__module__ = title


def restore_classes() -> None:
    """Let the classes show the engine's modules again."""
    while _former:
        kind, name = _former.popitem()
        kind.__module__ = name
