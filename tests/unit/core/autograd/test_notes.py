"""What errors add to PyTorch's sentences: the lines of the user's own that matter, as notes."""

import linecache

import pytest

import dyncore as torch


def line(text: str) -> str:
    """`file:number: source` of the line of this file that ends with the mark `text`."""
    for number, source in enumerate(linecache.getlines(__file__), 1):
        if source.rstrip().endswith(f"# {text}"):
            return f"{__file__}:{number}: `{source.strip()}`"
    raise AssertionError(text)


def test_a_second_backward_names_the_node_and_the_first():
    """Where the node was made and which backward freed it."""
    x = torch.ones(2, requires_grad=True)
    y = x * x  # squared
    y.sum().backward()  # first
    with pytest.raises(RuntimeError) as caught:
        y.sum().backward()
    assert caught.value.__notes__[:2] == [
        f"the node MulBackward0 was made at {line('squared')}",
        f"its saved values were freed by the backward at {line('first')}",
    ]


def test_a_changed_value_names_who_saved_and_who_wrote():
    """Both lines."""
    x = torch.ones(2, requires_grad=True)
    y = x.exp()  # saved
    y.add_(1)  # written
    with pytest.raises(RuntimeError) as caught:
        y.sum().backward()
    assert caught.value.__notes__[:2] == [
        f"saved by ExpBackward0 at {line('saved')}",
        f"modified at {line('written')}",
    ]


def test_an_error_in_backward_names_the_node():
    """Also one of the user's own."""

    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            raise ValueError("mine")

    x = torch.ones(2, requires_grad=True)
    y = Fails.apply(x)  # applied
    with pytest.raises(ValueError, match="mine") as caught:
        y.sum().backward()
    assert caught.value.__notes__ == [f"in the backward of FailsBackward at {line('applied')}"]


def test_a_missing_graph_has_a_hint():
    """Where to look."""
    with pytest.raises(RuntimeError, match="does not require grad and does not have a grad_fn") as caught:
        torch.ones(1).backward()
    assert caught.value.__notes__ == [
        "hint: make an input require grad, or look for a `detach()`, `.item()` or `no_grad()` on the way"
    ]


@pytest.mark.parametrize(
    "wants",
    [
        lambda x, i: torch.nn.functional.cross_entropy(x, i),
        lambda x, i: torch.nn.functional.embedding(i, x),
        lambda x, i: x.gather(0, i.unsqueeze(0)),
        lambda x, i: x[i],
    ],
)
def test_positions_that_are_floats_have_a_hint(wants):
    """The sentences ask for a dtype; the hint says how to come by it, and integers are taken."""
    x, positions = torch.ones(2, 2), torch.tensor([0, 1])
    hint = "hint: classes and positions are integers: `.long()`, or annotate the parameter `torch.LongTensor`"
    with pytest.raises((RuntimeError, IndexError)) as caught:
        wants(x, positions.float())
    assert hint == caught.value.__notes__[-1]
    assert wants(x, positions).requires_grad is False
