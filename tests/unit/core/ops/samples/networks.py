"""Samples for the layers of networks: activations, losses, convolutions, normalisations."""

import dyncore


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
    "col2im": lambda x: [(x(1, 4, 12), (4, 5), (2, 2), 1, 0, 1), (x(1, 2, 20), (2, 3), (1, 1), 1, 1, 1)],
    "mse_loss": _losses,
    "smooth_l1_loss": _losses,
    "huber_loss": _losses,
    "soft_margin_loss": lambda x: (x(4), x(4, grad=False).sign()),
    "binary_cross_entropy": lambda x: (x(4, low=0.1, high=0.9), x(4, low=0.1, high=0.9, grad=False)),
    "binary_cross_entropy_with_logits": lambda x: (x(4), x(4, low=0.1, high=0.9), x(4, low=0.5, grad=False)),
    "nll_loss": lambda x: [(x(3, 4), x.int(4, (3,))), (x(3, 4), x.int(4, (3,)), x(4, low=0.5, grad=False))],
    "multi_margin_loss": lambda x: [(x(3, 4), x.int(4, (3,))), (x(3, 4), x.int(4, (3,)), 2)],
    "multilabel_margin_loss": lambda x: (x(2, 4), x.int(4, (2, 4))),
    "cosine_similarity": lambda x: [(x(2, 3), x(2, 3)), (x(1, 2, 3), x(2, 1, 3), -2)],
    "pairwise_distance": lambda x: [(x(2, 3), x(2, 3)), (x(2, 3), x(2, 3), 1.0), (x(2, 3), x(2, 3), 3.0)],
    "pdist": lambda x: [(x(3, 2),), (x(3, 2), 1.5)],
    "renorm": lambda x: (x(3, 4), 2.0, 0, 1.0),
    "bilinear": lambda x: [(x(2, 3), x(2, 2), x(4, 3, 2), x(4)), (x(3), x(2), x(4, 3, 2))],
    "prelu_kernel": lambda x: (x(2, 3), x(1, 3)),
    "batch_norm_with": lambda x: [
        (x(3, 2, 2), x(2), x(2), None, None, True, 1e-5),
        (x(3, 2), x(2), x(2), x(2, grad=False), x(2, low=0.5, grad=False), False, 1e-5),
    ],
    "conv_output": lambda x: (x(1, 4, 5), x(2, 2, 2), (2,), (2,), (0,), (1,), 2),
    "conv_input": lambda x: (x(1, 2, 2), x(2, 2, 2), (5,), (2,), (0,), (1,), 2),
    "conv_weight": lambda x: (x(1, 2, 2), x(1, 4, 5), (2,), (2,), (0,), (1,), 2),
    "avg_windows": lambda x: [
        (x(1, 2, 5), 1, 2, None, 0, False, True, None),
        (x(1, 5, 5), 2, 3, 2, 1, True, False, None),
    ],
    "avg_spread": lambda x: (x(1, 3, 3), (5, 5), 3, 2, 1, True, False, None),
    "adaptive_avg": lambda x: (x(1, 5, 4), (3, 2)),
    "max_windows": lambda x: [(x(1, 2, 5), 1, 2, None, 0, 1, False), (x(1, 5, 5), 2, 3, 2, 1, 1, True)],
    "max_windows_with_indices": lambda x: (x(1, 5, 5), 2, 3, 2, 1, 1, True),
    "adaptive_max": lambda x: (x(1, 5, 4), (3, 2)),
    "max_unpool": lambda x: (x(1, 2, 2), dyncore.tensor([[[0, 3], [8, 11]]]), (4, 4)),
    "fractional_max": lambda x: (x(1, 5, 5), (2, 2), (3, 3), x(1, 1, 2, low=0.1, high=0.9, grad=False)),
    "resample": lambda x: [
        (x(1, 1, 3, 4), (5, 2), "linear", False, (None, None), False),
        (x(1, 1, 4, 3), (6, 5), "bicubic", True, (None, None), False),
        (x(1, 1, 5, 5), (3, 2), "linear", False, (None, None), True),
    ],
    "nearest": lambda x: (x(1, 1, 3, 4), (5, 2), (None, None), False),
    "sampled": lambda x: [
        (x(1, 2, 3, 4), x(1, 2, 3, 2, low=-0.9, high=0.9), mode, padding, False)
        for mode in ("bilinear", "bicubic")
        for padding in ("zeros", "border", "reflection")
    ],
    "constant_pad_nd": lambda x: [(x(2, 3), (1, 2)), (x(2, 3), (-1, 1, 0, 2), 1.5)],
    "reflection_pad": lambda x: (x(1, 3, 4), (1, 2, 1, 0)),
    "replication_pad": lambda x: (x(1, 3, 4), (1, 2, -1, 3)),
    "circular_pad": lambda x: (x(1, 3, 4), (1, 2, -1, 2)),
    "bag_sum": lambda x: (x(4, 3), dyncore.tensor([0, 2, 2, 0]), 3),
    "lstm_cell_state": lambda x: (x(2, 8), x(2, 2)),
    "lstm_hidden_state": lambda x: (x(2, 8), x(2, 2)),
    "gru_hidden_state": lambda x: (x(2, 6), x(2, 6), x(2, 2)),
    "lstm_sequence": lambda x: (x(3, 2, 8), x(2, 2), x(2, 2), x(8, 2)),
    "averaged": lambda x: (x(3), 4.0),
}
# Drawn at random, or tables of bags that the parity suite covers.
EXCUSED = ("dropout", "feature_dropout", "alpha_dropout", "feature_alpha_dropout", "embedding_bag")
