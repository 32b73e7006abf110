"""Names of rare ops, and where each is bound besides the table.

f: a function, m: a method, F and M: the same of its in-place form.  Written by `python -m tests.tools.list_rare_ops`.
"""

NAMES: dict[str, str] = {
    "activation": (
        "hardshrink/fm hardsigmoid/M hardswish/M hardtanh/M hardtanh_backward leaky_relu/M leaky_relu_backward level "
        "prelu_kernel relu/fmFM rrelu_with_noise/M softshrink threshold/fmFM threshold_backward "
    ),
    "activation_smooth": (
        "celu/fmFM elu/M elu_backward gelu/M glu log_sigmoid_backward logsigmoid mish/M selu/fmFM silu/M softplus "
        "softplus_backward "
    ),
    "arrange": (
        "_diagonal_copy _diagonal_place _unfold_place as_strided/fmFM diag/fm diag_embed/fm diagflat/fm diagonal/fm "
        "flip/fm fliplr/fm flipud/fm moveaxis/fm movedim/fm repeat/m roll/fm rot90/fm tile/fm tril/fmFM triu/fmFM "
        "unfold/m "
    ),
    "attention": (
        "bilinear/f scaled_dot_product_attention "
    ),
    "bessel": (
        "i0/fmFM special_airy_ai special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1 special_i0e "
        "special_i1 special_i1e special_modified_bessel_i0 special_modified_bessel_i1 special_modified_bessel_k0 "
        "special_modified_bessel_k1 special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1 "
    ),
    "blending": (
        "addcdiv/fmFM addcmul/fmFM lerp/fmFM logaddexp/fm logaddexp2/fm special_xlog1py xlogy/fmFM "
    ),
    "blends": (
        "addbmm/fmFM addmm/fmFM addmv/fmFM addr/fmFM baddbmm/fmFM "
    ),
    "calculus": (
        "cumulative_trapezoid/f diff/fm gradient/f trapezoid/f trapz/f "
    ),
    "chains": (
        "chain_matmul/f linalg_diagonal linalg_multi_dot linalg_tensorinv linalg_tensorsolve linalg_vander "
        "linalg_vecdot vander/f "
    ),
    "choices": (
        "cartesian_prod/f combinations/f drawn "
    ),
    "contraction": (
        "_on_diagonal contract cross/fm einsum/f inner/fm kron/fm linalg_cross tensordot/f trace/fm "
    ),
    "conv": (
        "conv_input conv_output conv_weight convolution/f "
    ),
    "conv_functions": (
        "conv1d/f conv2d/f conv3d/f conv_transpose1d/f conv_transpose2d/f conv_transpose3d/f "
    ),
    "copied": (
        "_off_diagonal alias_copy/f as_strided_copy/f detach_copy/f diagonal_copy/f expand_copy/f fill_diagonal/mM "
        "narrow_copy/fm permute_copy/f select_copy/f slice_copy/f split_copy/f split_with_sizes_copy/f squeeze_copy/f "
        "t_copy/f transpose_copy/f unbind_copy/f unfold_copy/f unsqueeze_copy/f view_as_complex_copy/f "
        "view_as_real_copy/f view_copy/f "
    ),
    "counting": (
        "bincount/fm bucketize/f histc/fm histogram/fm histogram_cells histogramdd/f isin/fm searchsorted/f unique/fm "
        "unique_consecutive/fm "
    ),
    "decompositions": (
        "cholesky/fm cholesky_inverse/fm cholesky_solve/fm linalg_cholesky linalg_cholesky_ex linalg_eig linalg_eigh "
        "linalg_eigvals linalg_eigvalsh linalg_qr linalg_svd linalg_svdvals qr/fm svd/fm "
    ),
    "determinants": (
        "det/fm linalg_det linalg_matrix_exp linalg_matrix_power linalg_slogdet logdet/fm matrix_exp/fm "
        "matrix_power/fm slogdet/fm "
    ),
    "distances": (
        "cdist/f corrcoef/fm cov/fm dist/fm "
    ),
    "dropout": (
        "alpha_dropout/fFM dropout/fFM feature_alpha_dropout/fFM feature_dropout/fFM "
    ),
    "embedding": (
        "bag_sum embedding embedding_bag frequency one_hot "
    ),
    "equations": (
        "inverse/fm linalg_inv linalg_inv_ex linalg_solve linalg_solve_triangular triangular_solve/fm "
    ),
    "extrema": (
        "amax/fm amin/fm aminmax/fm argmax/fm argmin/fm max/fm max_along max_of_all min/fm min_along min_of_all "
    ),
    "fft": (
        "_fft_c2c _fft_c2r _fft_r2c fft_fft fft_fft2 fft_fftn fft_fftshift fft_hfft fft_hfft2 fft_hfftn fft_ifft "
        "fft_ifft2 fft_ifftn fft_ifftshift fft_ihfft fft_ihfft2 fft_ihfftn fft_irfft fft_irfft2 fft_irfftn fft_rfft "
        "fft_rfft2 fft_rfftn "
    ),
    "gamma": (
        "digamma/fmFM igamma/fmFM igammac/fmFM lgamma/fmFM mvlgamma/fmFM polygamma/f special_zeta "
    ),
    "gates": (
        "gru_hidden_state lstm_cell_state lstm_hidden_state "
    ),
    "gathering": (
        "gather/fm gather_place index_reduce/fmFM once scatter/fmFM scatter_add/fmFM scatter_reduce/fmFM "
        "take_along_dim/fm "
    ),
    "grid": (
        "affine_back affine_grid_generator/f flat_index grid_sampler/f grid_sampler_2d/f grid_sampler_3d/f "
        "points_gather points_place rounded sampled whole "
    ),
    "indexing": (
        "__getitem__/m index_add/fmFM index_copy/fmFM index_fill/fmFM index_place index_put/fmFM index_select/fm "
        "put/fmFM select_place slice/f take/fm take_place unravel_index/fm "
    ),
    "integers": (
        "bitwise_and/fmFM bitwise_left_shift/fmFM bitwise_not/fmFM bitwise_or/fmFM bitwise_right_shift/fmFM "
        "bitwise_xor/fmFM gcd/fmFM lcm/fmFM "
    ),
    "joining": (
        "_block_diag atleast_1d/f atleast_2d/f atleast_3d/f block_diag/f broadcast_tensors/f cat/f column_stack/f "
        "concat/f concatenate/f dstack/f hstack/f meshgrid/f row_stack/f stack/f vstack/f "
    ),
    "ldl": (
        "linalg_ldl_factor linalg_ldl_factor_ex linalg_ldl_solve "
    ),
    "least_squares": (
        "linalg_lstsq linalg_pinv pinverse/fm solved "
    ),
    "limits": (
        "clamp/fmFM clamp_max/fmFM clamp_min/fmFM clip/fmFM fmax/fm fmin/fm foreach_maximum foreach_minimum "
        "maximum/fm minimum/fm "
    ),
    "loss": (
        "binary_cross_entropy binary_cross_entropy_with_logits/f huber_loss mse_backward mse_loss smooth_backward "
        "smooth_l1_loss soft_margin_loss "
    ),
    "loss_classes": (
        "averaged multi_margin_loss multilabel_margin_loss nll_backward nll_loss "
    ),
    "loss_ctc": (
        "ctc_likelihood "
    ),
    "loss_pairs": (
        "cosine_embedding_loss/f gaussian_nll_loss hinge_embedding_loss/f kl_div/f margin_ranking_loss/f "
        "multilabel_soft_margin_loss poisson_nll_loss/f triplet_margin_loss/f "
    ),
    "lu": (
        "below geqrf/fm linalg_householder_product linalg_lu linalg_lu_factor linalg_lu_factor_ex linalg_lu_solve "
        "linalg_solve_ex lu/fm lu_solve/fm lu_unpack/f one_by_one orgqr/fm ormqr/fm turned "
    ),
    "matrix": (
        "bmm/fm dot/fm ger/fm linear matmul/fm mm/fm mv/fm outer/fm sum_leading vdot/fm "
    ),
    "measure": (
        "at_least cosine_similarity/f length normalize pairwise_distance/f pdist/f renorm/fmFM "
    ),
    "moments": (
        "std/fm std_mean/fm var/fm var_mean/fm "
    ),
    "norm": (
        "batch_norm_with channel_statistics group_norm/f layer_norm/f rms_norm/f "
    ),
    "norms": (
        "frobenius_norm/f linalg_cond linalg_matrix_norm linalg_matrix_rank linalg_norm linalg_vector_norm norm/fm "
        "nuclear_norm/f "
    ),
    "order": (
        "argsort/fm kthvalue/fm median/fm median_along median_of_all mode/fm msort/fm nanmedian/fm nanmedian_along "
        "nanmedian_of_all nanquantile/fm quantile/fm sort/fm topk/fm "
    ),
    "padding": (
        "circular_pad constant_pad_nd/f reflection_pad replication_pad "
    ),
    "pairs": (
        "complex/f polar/f view_as_complex/f view_as_real/f "
    ),
    "pointwise": (
        "abs/fmFM absolute/fmFM angle/fm ceil/fmFM deg2rad/fmFM exp/fmFM exp2/fmFM expm1/fmFM fix/fmFM floor/fmFM "
        "frac/fmFM frexp/fm isfinite/fm isinf/fm isnan/fm isneginf/fm isposinf/fm isreal/fm log/fmFM log10/fmFM "
        "log1p/fmFM log2/fmFM logit/fmFM nan_to_num/fmFM quarter_turn rad2deg/fmFM round/fmFM rsqrt/fmFM sgn/fmFM "
        "sigmoid/fmFM sigmoid_backward sign/fmFM signbit/fm sqrt/fmFM square/fmFM trunc/fmFM "
    ),
    "polynomials": (
        "special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v "
        "special_chebyshev_polynomial_w special_hermite_polynomial_h special_hermite_polynomial_he "
        "special_laguerre_polynomial_l special_legendre_polynomial_p special_shifted_chebyshev_polynomial_t "
        "special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v "
        "special_shifted_chebyshev_polynomial_w "
    ),
    "pool": (
        "avg_pool1d/f avg_pool2d avg_pool3d avg_spread avg_windows "
    ),
    "pool_adaptive": (
        "adaptive_avg adaptive_avg_pool1d/f adaptive_avg_pool2d adaptive_avg_pool3d adaptive_avg_spread "
    ),
    "pool_max": (
        "adaptive_max flat_gather flat_place fractional_max max_places max_pool1d/f max_pool2d/f max_pool3d/f "
        "max_unpool max_windows max_windows_with_indices "
    ),
    "power": (
        "float_power/fmFM ldexp/fmFM pow/fmFM twice twos "
    ),
    "replacing": (
        "as_strided_scatter/fm diagonal_scatter/fm select_scatter/fm slice_scatter/fm strided_add strided_place "
        "strided_places strided_take "
    ),
    "resample": (
        "channel_shuffle/f native_channel_shuffle/f nearest nearest_place pixel_shuffle/f pixel_unshuffle/f resample "
        "resample_back "
    ),
    "scan": (
        "cummax/fm cummin/fm cumprod/fmFM cumsum/fmFM logcumsumexp/fm recurrence "
    ),
    "sequence": (
        "lstm_sequence "
    ),
    "sliding": (
        "col2im im2col "
    ),
    "softmax": (
        "log_softmax/fm log_softmax_backward softmax/fm softmax_backward "
    ),
    "sparse": (
        "sparse_product sparse_to_dense "
    ),
    "special": (
        "erf/fmFM erfc/fmFM erfinv/fmFM special_entr special_erfcx special_log_ndtr special_ndtr special_ndtri "
        "special_spherical_bessel_j0 "
    ),
    "splitting": (
        "chunk/fm dsplit/fm hsplit/fm narrow/fm select/fm split/fm split_with_sizes/fm tensor_split/fm unbind/fm "
        "unsafe_chunk/fm unsafe_split/fm unsafe_split_with_sizes/fm vsplit/fm "
    ),
    "stft": (
        "frames_of istft/fm stft/fm "
    ),
    "trigonometry": (
        "acos/fmFM acosh/fmFM arccos/fmFM arccosh/fmFM arcsin/fmFM arcsinh/fmFM arctan/fmFM arctan2/fmFM arctanh/fmFM "
        "asin/fmFM asinh/fmFM atan/fmFM atan2/fmFM atanh/fmFM cos/fmFM cosh/fmFM hypot/fmFM sin/fmFM sinc/fmFM "
        "sinh/fmFM tan/fmFM tanh/fmFM tanh_backward "
    ),
    "where": (
        "argwhere/fm mask_take masked_fill/fmFM masked_scatter/fmFM masked_select/fm nonzero/fm nonzero_static/fm "
        "repeat_interleave/fm repeated_places where/f "
    ),
}
