"""Sparse tensors: gradients."""

import dyncore as torch


def test_sparse_leaf_added_to_a_dense_tensor_gets_a_dense_gradient():
    leaf = torch.eye(2).to_sparse().requires_grad_()
    (torch.ones(2, 2) + leaf * 1 + leaf).sum().backward()
    assert (torch.strided, [[2.0, 2.0], [2.0, 2.0]]) == (leaf.grad.layout, leaf.grad.to_dense().tolist())
