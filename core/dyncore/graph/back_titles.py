"""What PyTorch calls the nodes of gradients where its formula is another than the one here: one line a name.

A gradient taken under `create_graph` has a node, the one of the last op in its formula.  Where the two formulas end in
different ops, that node takes PyTorch's name; `{rank}` in it stands for the dimensions beside batch and channels.
"""

from __future__ import annotations

# (the last op here, PyTorch's): the ops.
_ROWS = (
    ("Mul 0", "Mul 1", "deg2rad rad2deg exp2 index_add special_ndtr"),
    ("UnsafeView 0", "Bmm 0", "bmm baddbmm addbmm"),
    ("Div 0", "Mul 0", "acos asin acosh asinh"),
    ("Div 0", "Div 1", "binary_cross_entropy_with_logits"),
    ("Mul 0", "Div 0", "hypot"),
    ("Where 0", "MaskedFill 0", "fmax fmin xlogy special_xlog1py masked_scatter"),
    ("Where 0", "Mul 0", "nansum nan_to_num"),
    ("GatherPlace 0", "ScatterAdd 0", "cummax cummin"),
    ("SelectPlace 0", "IndexAdd 0", "index_select"),
    ("TakePlace 0", "Put 0", "take"),
    ("UnfoldPlace 0", "UnfoldBackward 0", "unfold"),
    ("MaskTake 0", "MaskedScatterBackward 0", "masked_scatter"),
    ("Index 0", "AsStrided 0", "as_strided"),
    ("View 0", "Unsqueeze 0", "squeeze"),
    ("ReshapeAlias 0", "Unsqueeze 0", "squeeze"),
    ("OnDiagonal 0", "View 0", "trace"),
    ("Where 0", "PreluKernelBackward 0", "prelu_kernel"),
    ("Mul 0", "PreluKernelBackward 0", "prelu_kernel"),
    ("View 0", "Gather 0", "scatter scatter_add"),
    ("FlatGather 0", "View 0", "max_unpool"),
    ("Add 0", "GridSampler{rank}DBackward 0", "sampled"),
    ("Mul 0", "GridSampler{rank}DBackward 0", "sampled"),
    ("PointsPlace 0", "GridSampler{rank}DBackward 0", "sampled"),
    ("Scatter 1", "IndexFill 0", "index_reduce"),
    ("Mul 0", "LinalgSolveEx 0", "linalg_det linalg_slogdet"),
    ("Sum 1", "ConvolutionBackward 0", "convolution"),
)  # fmt: skip

BACK_TITLES: dict[str, dict[str, str]] = {}
for _here, _there, _names in _ROWS:
    for _name in _names.split():
        BACK_TITLES.setdefault(_name, {})[_here.replace(" ", "Backward")] = _there.replace(" ", "Backward")
