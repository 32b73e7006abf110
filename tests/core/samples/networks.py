"""Samples for the layers of networks: activations, losses, convolutions, normalisations."""


def _real(x):
    return [(x(2, 3),), (x(),)]


def _losses(x):
    return [(x(2, 3), x(2, 3)), (x(4), x(4), {"reduction": "sum"}), (x(4), x(4), {"reduction": "none"})]


SAMPLES = {
    "relu": _real,
    "leaky_relu": lambda x: (x(4), 0.1),
    "hardtanh": lambda x: (x(6), -0.7, 0.9),
    "threshold": lambda x: (x(6), 0.2, -3.0),
    "hardshrink": lambda x: (x(6),),
    "softshrink": lambda x: (x(6),),
    "hardsigmoid": _real,
    "hardswish": _real,
    "softmax": lambda x: [(x(2, 3), 1), (x(2, 3), 0)],
    "log_softmax": lambda x: [(x(2, 3), 1), (x(2, 3), 0)],
    "gelu": lambda x: [(x(4),), (x(4), {"approximate": "tanh"})],
    "silu": _real,
    "mish": _real,
    "elu": lambda x: (x(4), 0.7),
    "selu": _real,
    "celu": lambda x: (x(4), 0.7),
    "softplus": lambda x: [(x(4),), (x(4), 2.0, 1.0)],
    "logsigmoid": _real,
    "glu": lambda x: (x(2, 4), -1),
    "scaled_dot_product_attention": lambda x: [
        (x(2, 3, 4), x(2, 5, 4), x(2, 5, 4)),
        (x(2, 3, 4), x(2, 3, 4), x(2, 3, 4), {"is_causal": True}),
    ],
    "convolution": lambda x: [
        (x(2, 2, 5, 6), x(3, 2, 2, 3), x(3), (1, 2), (1, 0), (1, 1), False, (0, 0), 1),
        (x(1, 2, 4), x(2, 3, 3), x(3), (2,), (1,), (1,), True, (1,), 1),
    ],
    "embedding": lambda x: (x(5, 3), x.int(5, (2, 3))),
    "layer_norm": lambda x: (x(2, 3, 4), (3, 4), x(3, 4), x(3, 4)),
    "group_norm": lambda x: (x(2, 4, 3), 2, x(4), x(4)),
    "rms_norm": lambda x: (x(2, 4), (4,), x(4)),
    "affine_grid_generator": lambda x: (x(2, 2, 3), (2, 1, 3, 4), False),
    "pixel_shuffle": lambda x: (x(1, 4, 2, 3), 2),
    "pixel_unshuffle": lambda x: (x(1, 1, 4, 6), 2),
    "channel_shuffle": lambda x: (x(1, 4, 2, 2), 2),
    "im2col": lambda x: (x(1, 2, 4, 5), (2, 3), 1, 1, 2),
    "col2im": lambda x: (x(1, 4, 12), (4, 5), (2, 2), 1, 0, 1),
    "mse_loss": _losses,
    "smooth_l1_loss": _losses,
    "huber_loss": _losses,
    "soft_margin_loss": lambda x: (x(4), x(4, grad=False).sign()),
    "binary_cross_entropy": lambda x: (x(4, low=0.1, high=0.9), x(4, low=0.1, high=0.9, grad=False)),
    "binary_cross_entropy_with_logits": lambda x: (x(4), x(4, low=0.1, high=0.9), x(4, low=0.5, grad=False)),
    "nll_loss": lambda x: [(x(3, 4), x.int(4, (3,))), (x(3, 4), x.int(4, (3,)), x(4, low=0.5, grad=False))],
    "multi_margin_loss": lambda x: [(x(3, 4), x.int(4, (3,))), (x(3, 4), x.int(4, (3,)), 2)],
    "multilabel_margin_loss": lambda x: (x(2, 4), x.int(4, (2, 4))),
}
# Drawn at random, or tables of bags that the parity suite covers.
EXCUSED = ("dropout", "feature_dropout", "alpha_dropout", "feature_alpha_dropout", "embedding_bag")
