"""`lobpcg`: some eigenvalues of a symmetric matrix with their vectors, and the derivatives of both."""

from __future__ import annotations

import numpy as np
import pytest

import dyncore


def matrices(seed=0, size=9):
    drawn = np.random.default_rng(seed).normal(size=(2, size, size))
    return drawn @ drawn.transpose(0, 2, 1) / 10 + np.eye(size)


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("second", [False, True])
def test_pairs_solve_what_they_should(largest, second):
    a = dyncore.tensor(matrices())
    b = dyncore.tensor(matrices(1)) if second else None
    values, vectors = dyncore.lobpcg(a, k=3, B=b, largest=largest)
    right = vectors * values.unsqueeze(-2)
    assert dyncore.allclose(a @ vectors, right if b is None else b @ right)
    whole = np.linalg.eigvals(a.numpy() if b is None else np.linalg.solve(b.numpy(), a.numpy())).real
    ordered = np.sort(whole, -1)
    assert np.allclose(values.numpy(), ordered[:, ::-1][:, :3] if largest else ordered[:, :3])


def test_gradients_are_symmetric_and_right():
    a = dyncore.tensor(matrices(), requires_grad=True)

    def pairs(a):
        values, vectors = dyncore.lobpcg(a, k=2)
        return values, vectors.abs()

    assert dyncore.autograd.gradcheck(pairs, (a,))
    values, vectors = pairs(a)
    (values.sum() + vectors.sum()).backward()
    assert dyncore.allclose(a.grad, a.grad.mT)


def test_as_many_as_a_third_of_the_rows():
    with pytest.raises(ValueError, match="smaller than 3 x the number of requested eigenpairs"):
        dyncore.lobpcg(dyncore.eye(9), k=4)


def test_the_same_as_pytorch():
    torch = pytest.importorskip("torch")
    a = matrices()
    own = dyncore.tensor(a, requires_grad=True)
    other = torch.tensor(a, requires_grad=True)
    start = torch.eye(9, 2, dtype=torch.float64).expand(2, 9, 2)
    found = []
    for engine, given, options in ((dyncore, own, {}), (torch, other, {"X": start, "niter": -1, "tol": 1e-12})):
        values, vectors = engine.lobpcg(given, k=2, **options)
        (values.sum() + vectors.abs().sum()).backward()
        found.append((values.detach().numpy(), vectors.detach().abs().numpy(), given.grad.numpy()))
    for mine, theirs in zip(*found, strict=True):
        assert np.allclose(mine, theirs, atol=1e-6)
