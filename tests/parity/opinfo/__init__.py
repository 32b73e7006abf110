"""PyTorch's own samples run through dyncore: `python -m tests.parity.opinfo NAME ...`.

Every op of PyTorch's OpInfo database is called in both engines on the same inputs; values, shapes, dtypes, gradients
for a fixed cotangent and second-order gradients are compared. Without torch installed there is nothing to run.
"""
