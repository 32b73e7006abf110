"""What is a copy in PyTorch is one here, and lies in memory as it does there."""

from __future__ import annotations

from typing import Any


def test_padded_sequences_lie_as_they_are_asked_for(torch: Any) -> None:
    """A padded batch can be viewed flat; an unpacked one is step first in memory."""
    rnn = torch.nn.utils.rnn
    rows = [torch.arange(3.0), torch.arange(2.0)]
    assert rnn.pad_sequence(rows).view(-1).tolist() == [0.0, 0.0, 1.0, 1.0, 2.0, 0.0]
    packed = rnn.pack_sequence(rows)
    assert rnn.pad_packed_sequence(packed)[0].is_contiguous()
    assert rnn.pad_packed_sequence(packed, batch_first=True)[0].stride() == (1, 2)


def test_results_have_memory_of_their_own(torch: Any) -> None:
    """What PyTorch copies can be written without a change to what it came from, also where there is nothing to do."""
    number, rows = torch.tensor(3.0), torch.arange(6.0).reshape(2, 3)
    for made in (
        number.sort()[0],
        number.topk(1)[0],
        number.cummax(0)[0],
        number.logcumsumexp(0),
        number.repeat_interleave(2),
        torch.nn.functional.embedding(torch.tensor(1), rows),
        rows.t().ravel(),
    ):
        made.zero_()
    assert (3.0, [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]) == (number.item(), rows.tolist())
    doubled = number.repeat_interleave(2)
    doubled[0] = 7.0
    assert [7.0, 3.0] == doubled.tolist()


def test_strides_of_inserted_dimensions(torch: Any) -> None:
    """A dimension of size 1 steps over what comes after it."""
    x = torch.zeros(2, 3)
    assert [(6, 3, 1), (3, 3, 1), (3, 1, 1)] == [x.unsqueeze(d).stride() for d in range(3)]
    assert (4, 4, 1) == torch.zeros(4)[None, None].stride()
