"""What the rare ops modules define: a name, and where it stands besides the table.

f: a function, m: a method, F and M: the same of its in-place form.  Written by `python -m tests.core.list_rare_ops`.
"""

NAMES: dict[str, str] = {
    "attention": (
        "bilinear/f scaled_dot_product_attention "
    ),
    "bessel": (
        "i0/fmFM special_airy_ai special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1 special_i0e "
        "special_i1 special_i1e special_modified_bessel_i0 special_modified_bessel_i1 special_modified_bessel_k0 "
        "special_modified_bessel_k1 special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1 "
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
    "equations": (
        "inverse/fm linalg_inv linalg_inv_ex linalg_solve linalg_solve_triangular triangular_solve/fm "
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
    "grid": (
        "affine_back affine_grid_generator/f flat_index grid_sampler/f grid_sampler_2d/f grid_sampler_3d/f "
        "points_gather points_place rounded sampled whole "
    ),
    "least_squares": (
        "linalg_lstsq linalg_pinv pinverse/fm "
    ),
    "loss_classes": (
        "averaged multi_margin_loss multilabel_margin_loss nll_loss "
    ),
    "loss_ctc": (
        "ctc_likelihood "
    ),
    "loss_pairs": (
        "cosine_embedding_loss/f gaussian_nll_loss hinge_embedding_loss/f kl_div/f margin_ranking_loss/f "
        "multilabel_soft_margin_loss poisson_nll_loss/f triplet_margin_loss/f "
    ),
    "lu": (
        "geqrf/fm linalg_householder_product linalg_lu linalg_lu_factor linalg_lu_factor_ex linalg_lu_solve "
        "linalg_solve_ex lu/fm lu_solve/fm lu_unpack/f orgqr/fm ormqr/fm "
    ),
    "measure": (
        "at_least cosine_similarity/f lifted normalize pairwise_distance/f pdist/f renorm/fmFM root "
    ),
    "norms": (
        "frobenius_norm/f linalg_cond linalg_matrix_norm linalg_matrix_rank linalg_norm linalg_vector_norm norm/fm "
        "nuclear_norm/f "
    ),
    "padding": (
        "circular_pad constant_pad_nd/f reflection_pad replication_pad "
    ),
    "polynomials": (
        "special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v "
        "special_chebyshev_polynomial_w special_hermite_polynomial_h special_hermite_polynomial_he "
        "special_laguerre_polynomial_l special_legendre_polynomial_p special_shifted_chebyshev_polynomial_t "
        "special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v "
        "special_shifted_chebyshev_polynomial_w "
    ),
    "pool": (
        "adaptive_avg adaptive_avg_pool1d/f adaptive_avg_pool2d adaptive_avg_pool3d adaptive_avg_spread avg_pool1d/f "
        "avg_pool2d avg_pool3d avg_spread avg_windows "
    ),
    "pool_max": (
        "adaptive_max flat_gather flat_place fractional_max max_places max_pool1d/f max_pool2d/f max_pool3d/f "
        "max_unpool max_windows max_windows_with_indices "
    ),
    "resample": (
        "channel_shuffle/f native_channel_shuffle/f nearest pixel_shuffle/f pixel_unshuffle/f resample resample_back "
    ),
    "sequence": (
        "lstm_sequence "
    ),
    "stft": (
        "istft/fm stft/fm "
    ),
}
