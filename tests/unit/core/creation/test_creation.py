"""Making tensors: every call below gives what PyTorch gives, character for character, or its error."""

from __future__ import annotations

import importlib.util
import warnings
from typing import Any

import numpy as np
import pytest

import dyncore

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")

CALLS = [
    "t.tensor([np.float32(1.5)])",
    "t.tensor([np.float64(1.5)])",
    "t.tensor([np.float64(1.5),np.float32(2)])",
    "t.tensor(np.float64(1.5))",
    "t.tensor(np.float32(1.5))",
    "t.tensor([np.int32(1)])",
    "t.tensor(np.int32(1))",
    "t.tensor([np.bool_(True)])",
    "t.tensor([np.array([1.,2.]),np.array([3.,4.])])",
    "t.tensor(np.array([1.,2.]))",
    "t.tensor([t.tensor(1.),t.tensor(2)])",
    "t.tensor([t.tensor([1.])])",
    "t.tensor([t.tensor([1.,2.]),t.tensor([1.,2.])])",
    "t.tensor([1,2.5])",
    "t.tensor([True,2])",
    "t.tensor([True,False])",
    "t.tensor([1,2j])",
    "t.tensor([2**63])",
    "t.tensor(2**63)",
    "t.tensor(2**64)",
    "t.tensor([2**63],dtype=t.uint64)",
    "t.tensor([2**63],dtype=t.float32)",
    "t.tensor(-2**63)",
    "t.tensor([300],dtype=t.uint8)",
    "t.tensor([-1],dtype=t.uint8)",
    "t.tensor([-129],dtype=t.int8)",
    "t.tensor([1.7],dtype=t.int32)",
    "t.tensor([1e10],dtype=t.int32)",
    "t.tensor([float('nan')],dtype=t.int32)",
    "t.tensor([1e40])",
    "t.tensor([1e6],dtype=t.float16)",
    "t.tensor([1+2j],dtype=t.float32)",
    "t.tensor([1,0,5],dtype=t.bool)",
    "t.tensor([[1,2],[3]])",
    "t.tensor([[1,2],3])",
    "t.tensor([1,[2,3]])",
    "t.tensor([[],[]])",
    "t.tensor([[[]]])",
    "t.tensor([])",
    "t.tensor(())",
    "t.tensor([[1,2],[]])",
    "t.tensor(None)",
    "t.tensor([None])",
    "t.tensor('a')",
    "t.tensor(['a'])",
    "t.tensor([1,'a'])",
    "t.tensor({})",
    "t.tensor({1,2})",
    "t.tensor(range(4))",
    "t.tensor((1,2))",
    "t.tensor([(1,2),(3,4)])",
    "t.tensor([range(2),range(2)])",
    "t.tensor(object())",
    "t.tensor([object()])",
    "t.tensor([[1.5,2],[3,4]],dtype=t.float64,requires_grad=True)",
    "t.tensor([1,2],requires_grad=True)",
    "t.tensor(t.tensor([1.,2.]))",
    "t.tensor([1.,2.]).requires_grad_().is_leaf",
    "t.tensor(data=[1.])",
    "t.tensor([1.],t.float64)",
    "t.tensor([1.],dtype='float64')",
    "t.tensor([1.],dtype=np.float64)",
    "t.tensor(np.array(['a']))",
    "t.tensor(np.array([1,2],dtype=object))",
    "t.tensor(np.array([1,2],dtype='>i4'))",
    "t.tensor(np.array(3.5))",
    "t.tensor(np.array([[1,2],[3,4]])[:, ::-1])",
    "t.tensor(bytearray(b'ab'))",
    "t.as_tensor([1,2.])",
    "t.as_tensor(np.array([1.]))",
    "t.as_tensor(3)",
    "t.as_tensor(np.array([1.]),dtype=t.float32)",
    "t.asarray([1,2])",
    "t.asarray(np.array([1.,2]))",
    "t.asarray(3)",
    "t.asarray(t.tensor([1.]),dtype=t.float64)",
    "t.asarray([1.],copy=False)",
    "t.asarray(bytearray(b'abcdefgh'),dtype=t.int32)",
    "t.from_numpy([1])",
    "t.from_numpy(np.array([1,2],dtype='U1'))",
    "t.from_numpy(np.arange(3)[::-1])",
    "t.from_numpy(np.array(3.))",
    "t.scalar_tensor(3)",
    "t.scalar_tensor(3,dtype=t.int64)",
    "t.frombuffer(bytearray(b'abcdefgh'),dtype=t.int32)",
    "t.frombuffer(bytearray(b'abcdefgh'),dtype=t.uint8,count=3,offset=2)",
    "t.frombuffer(bytearray(b''),dtype=t.uint8)",
    "t.frombuffer(bytearray(b'abc'),dtype=t.int32)",
    "t.zeros(2,3)",
    "t.zeros((2,3))",
    "t.zeros([2,3])",
    "t.zeros(size=(2,))",
    "t.zeros(t.Size([2]))",
    "t.zeros(())",
    "t.zeros()",
    "t.zeros(2.)",
    "t.zeros(-1)",
    "t.zeros((2,),3)",
    "t.zeros('a')",
    "t.zeros(t.tensor(2))",
    "t.zeros(2,dtype=t.bool)",
    "t.zeros(2,dtype=int)",
    "t.zeros(2,dtype=bool)",
    "t.zeros(2,requires_grad=True)",
    "t.zeros(2,dtype=t.int64,requires_grad=True)",
    "t.zeros(2,foo=1)",
    "t.zeros(np.int64(2))",
    "t.zeros(True)",
    "t.ones(2,3,device='cpu')",
    "t.full((2,),3)",
    "t.full((2,),3.5)",
    "t.full((2,),True)",
    "t.full((2,),1j)",
    "t.full((2,),3,dtype=t.float32)",
    "t.full((2,),t.tensor(4.))",
    "t.full(2,3)",
    "t.full((2,),'a')",
    "t.full((),7)",
    "t.full((2,),2.7,dtype=t.int64)",
    "t.eye(3)",
    "t.eye(2,3)",
    "t.eye(-1)",
    "t.eye(2,-1)",
    "t.eye(2,dtype=t.int64)",
    "t.arange(5)",
    "t.arange(1,5)",
    "t.arange(1,5,2)",
    "t.arange(5,1,-1)",
    "t.arange(0,1,0.25)",
    "t.arange(5.)",
    "t.arange(1,5,dtype=t.float32)",
    "t.arange(5,1)",
    "t.arange(0,5,0)",
    "t.arange(0,float('inf'))",
    "t.arange(0,float('nan'))",
    "t.arange(0,1,0.3,dtype=t.int64)",
    "t.arange(end=4)",
    "t.arange(start=1,end=4)",
    "t.arange(t.tensor(4))",
    "t.arange(0,10,step=3)",
    "t.arange(-3)",
    "t.arange(0)",
    "t.arange(True)",
    "t.arange(1.5,dtype=t.int64)",
    "t.range(1,4)",
    "t.linspace(0,1,5)",
    "t.linspace(0,1,steps=1)",
    "t.linspace(0,1,0)",
    "t.linspace(0,1,-1)",
    "t.linspace(0,10,5,dtype=t.int64)",
    "t.linspace(t.tensor(0.),t.tensor(1.),3)",
    "t.linspace(1j,2,3)",
    "t.linspace(0,7,4,dtype=t.int32)",
    "t.logspace(0,2,3)",
    "t.logspace(0,2,3,base=2)",
    "t.logspace(0,4,5,base=2,dtype=t.int64)",
    "t.zeros_like(t.ones(2))",
    "t.zeros_like(t.ones(2),dtype=t.int64)",
    "t.ones_like(t.zeros(2,dtype=t.int64))",
    "t.full_like(t.zeros(2),3)",
    "t.full_like(t.zeros(2,dtype=t.int64),3.7)",
    "t.empty_like(t.zeros(2,3)).shape",
    "t.zeros_like([1])",
    "t.ones_like(t.zeros(2),requires_grad=True)",
    "t.zeros_like(t.zeros(2,3).t()).stride()",
    "t.rand_like(t.zeros(2,3).t()).stride()",
    "t.empty_like(t.zeros(2,3,4).permute(2,0,1)).stride()",
    "t.zeros_like(t.zeros(2,3).t(),memory_format=t.contiguous_format).stride()",
    "t.ones(3).new_zeros(2)",
    "t.ones(3).new_zeros((2,3))",
    "t.ones(3).new_ones(2,dtype=t.int64)",
    "t.ones(3,dtype=t.float64).new_full((2,),3)",
    "t.ones(3,dtype=t.float64).new_tensor([1,2])",
    "t.ones(3,dtype=t.float64).new_empty(2).shape",
    "t.ones(3).new_empty_strided((2,3),(1,2)).stride()",
    "t.ones(3,dtype=t.int32).new([1,2])",
    "t.ones(3,dtype=t.int32).new(2,3).shape",
    "t.ones(3).new_tensor([1,2],requires_grad=True)",
    "t.empty(2,3).shape",
    "t.empty_strided((2,3),(1,2)).stride()",
    "t.empty_strided((2,3),(1,)).stride()",
    "t.empty_permuted((2,3),(1,0)).stride()",
    "t.tril_indices(3,3)",
    "t.triu_indices(3,4,1)",
    "t.complex(t.tensor([1.]),t.tensor([2.]))",
    "t.complex(t.tensor([1]),t.tensor([2]))",
    "t.polar(t.tensor([1.]),t.tensor([2.]))",
    "t.vander(t.tensor([1.,2,3]))",
    "t.vander(t.tensor([1,2,3]),2,True)",
    "t.cartesian_prod(t.tensor([1,2]),t.tensor([3,4]))",
    "t.combinations(t.tensor([1,2,3]))",
    "t.heaviside(t.tensor([0.,1]),t.tensor([.5]))",
    "t.Tensor(2,3).shape",
    "t.Tensor([1,2])",
    "t.Tensor()",
    "t.Tensor(t.Size([2])).shape",
    "t.Tensor((2,3))",
    "t.Tensor(3.5)",
    "t.Tensor('a')",
    "t.Tensor(np.array([1,2]))",
    "t.FloatTensor([[1,2],[3,4]])",
    "t.LongTensor([1.5])",
    "t.ByteTensor([1])",
    "t.BoolTensor([1,0])",
    "t.DoubleTensor(2).shape",
    "t.FloatTensor(2.)",
    "t.block_diag(t.ones(1,2),t.ones(2,1))",
    "t.bucketize(t.tensor(2.),t.tensor([1.,3.]))",
    "t.zeros(2,out=t.empty(2))",
    "t.arange(3,out=t.empty(3,dtype=t.int64))",
    "t.zeros(3,out=t.empty(2))",
    "t.zeros(2,layout=t.strided)",
    "t.zeros(2,pin_memory=False)",
    "t.zeros(2,device=t.device('cpu'))",
    "t.zeros(2,device='cuda')",
    "t.zeros(2,names=None)",
    "t.tensor([1.,2.]).tolist()",
    "t.tensor(1.5).item()",
    "t.from_dlpack(np.ones(2))",
    "t.from_dlpack(t.ones(2))",
    "np.from_dlpack(t.ones(2))",
    "np.asarray(t.ones(2))",
    "np.array(t.ones(2,requires_grad=True))",
    "t.ones(2).numpy()",
    "t.ones(2,requires_grad=True).numpy()",
    "t.ones(2,requires_grad=True).detach().numpy()",
    "t.ones(2).__array__(np.float64)",
    "np.sin(t.ones(2))",
    "t.ones(2)+np.ones(2)",
    "np.float32(2)*t.ones(2)",
    "t.ones(2)*np.float64(2)",
    "t.result_type(t.ones(2),1.5)",
    "memoryview(t.ones(2).numpy()).nbytes",
    "t.tensor([1,2,3]).tolist()",
]


def answer(t: Any, expression: str) -> str:
    """The repr of what the expression gives, or the kind and sentence of its error."""
    try:
        return repr(eval(expression, {"t": t, "np": np}))
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:160]}"


@needs_torch
def test_calls_answer_as_in_pytorch() -> None:
    """Values, dtypes, strides and errors of factories, `tensor`, `as_tensor`, legacy constructors, shared memory."""
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers = [(call, answer(torch, call), answer(dyncore, call)) for call in CALLS]
    assert [] == [each for each in answers if each[1] != each[2]]


@needs_torch
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_even_distances_are_rounded_as_in_pytorch(dtype: str) -> None:
    """`arange` and `linspace` with broken steps, below and above the width of PyTorch's vectors."""
    import torch

    source = np.random.default_rng(4)
    for _ in range(60):
        start, end, step = source.uniform(-5, 5), source.uniform(-5, 5), source.uniform(0.01, 1)
        steps = int(source.integers(1, 120))
        stop = start + (steps - 0.5) * step
        for expression in ("t.linspace(start, end, steps, dtype=d)", "t.arange(start, stop, step, dtype=d)"):
            names = {"start": start, "end": end, "stop": stop, "step": step, "steps": steps}
            expected, found = (
                np.asarray(eval(expression, {**names, "t": t, "d": getattr(t, dtype)})) for t in (torch, dyncore)
            )
            np.testing.assert_array_equal(expected, found)


def test_golden() -> None:
    """A few, where PyTorch is not installed."""
    assert "tensor([[1., 2.],\n        [3., 4.]])" == repr(dyncore.tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert "tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])" == repr(dyncore.linspace(0, 1, 5))
    assert "tensor([1, 3])" == repr(dyncore.arange(1, 5, 2))
    assert dyncore.float64 is dyncore.tensor(np.ones(2)).dtype
    with pytest.raises(ValueError, match=r"expected sequence of length 2 at dim 1 \(got 1\)"):
        dyncore.tensor([[1, 2], [3]])


def test_from_numpy_shares_memory_and_tensor_does_not() -> None:
    array = np.zeros(3, np.float32)
    shared, copied = dyncore.from_numpy(array), dyncore.tensor(array)
    array[0] = 5
    assert [5.0, 0.0, 0.0] == shared.tolist()
    assert [0.0, 0.0, 0.0] == copied.tolist()
    shared.add_(1)
    assert 6.0 == array[0]
    assert np.shares_memory(array, shared.numpy())


def test_dlpack_and_buffers_share_memory() -> None:
    """Both ways with NumPy, and with a bytearray."""
    array = np.arange(3.0)
    made = dyncore.from_dlpack(array)
    array[0] = 7
    assert 7.0 == made[0].item()
    assert np.shares_memory(np.from_dlpack(made), array)
    data = bytearray(8)
    seen = dyncore.frombuffer(data, dtype=dyncore.int32)
    data[0] = 9
    assert [9, 0] == seen.tolist()
    with pytest.raises(BufferError, match="requires? gradient"):
        np.from_dlpack(dyncore.ones(2, requires_grad=True))


@needs_torch
def test_memory_goes_to_pytorch_and_back() -> None:
    import torch

    ours = dyncore.ones(3)
    theirs = torch.from_dlpack(ours)
    theirs[0] = 4
    assert 4.0 == ours[0].item()
    assert [4.0, 1.0, 1.0] == dyncore.from_dlpack(theirs).tolist()


def test_numpy_functions_give_recorded_tensors() -> None:
    """`np.exp(tensor)` is the op; an array on the left of an operator is an operand like any other."""
    x = dyncore.ones(2, requires_grad=True)
    y = (np.exp(x) * np.float64(2)).sum() + (np.ones(2, np.float32) * x).sum()
    y.backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 * np.e + 1, rtol=1e-6)


def test_creation_follows_requires_grad_and_inference_mode() -> None:
    assert dyncore.zeros(2, requires_grad=True).requires_grad
    with dyncore.inference_mode():
        assert dyncore.ones(2).is_inference()


@pytest.mark.parametrize("base", [dyncore.Tensor, dyncore.nn.Parameter, dyncore.nn.Buffer])
def test_subclass_with_torch_function_is_refused_where_one_is_made(base: type) -> None:
    """Its `__torch_function__` would not be called."""
    kind = type("Asked", (base,), {"__torch_function__": classmethod(lambda *args: None)})
    with pytest.raises(NotImplementedError, match="does not call Asked.__torch_function__"):
        kind(dyncore.ones(2))
    assert isinstance(type("Plain", (base,), {})(dyncore.ones(2)), dyncore.Tensor)
