"""Sequence to sequence with attention: learns to reverse a sequence, and stops decoding at the end mark."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

START, END, FIRST, SYMBOLS = 0, 1, 2, 8


class Encoder(nn.Module):
    """A GRU over sequences of different lengths."""

    def __init__(self, width):
        super().__init__()
        self.embed = nn.Embedding(SYMBOLS, width)
        self.gru = nn.GRU(width, width, batch_first=True)

    def forward(self, sequences):
        """The states at each step, the last state, and which steps are there."""
        lengths = torch.tensor([len(each) for each in sequences])
        padded = self.embed(pad_sequence(sequences, batch_first=True))
        states, last = self.gru(pack_padded_sequence(padded, lengths, batch_first=True, enforce_sorted=False))
        states, _ = pad_packed_sequence(states, batch_first=True)
        return states, last, torch.arange(states.shape[1]) < lengths[:, None]


class Decoder(nn.Module):
    """A GRU that looks at the encoder's states by additive attention."""

    def __init__(self, width):
        super().__init__()
        self.embed = nn.Embedding(SYMBOLS, width)
        self.query, self.key, self.energy = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, 1)
        self.gru = nn.GRU(2 * width, width, batch_first=True)
        self.out = nn.Linear(width, SYMBOLS)

    def forward(self, symbol, hidden, states, mask):
        """The scores of the next symbol, the hidden state, and where it looked."""
        energy = self.energy(torch.tanh(self.query(hidden[-1])[:, None] + self.key(states)))[..., 0]
        weights = F.softmax(energy.masked_fill(~mask, float("-inf")), dim=-1)
        context = torch.bmm(weights[:, None], states)
        output, hidden = self.gru(torch.cat((self.embed(symbol), context), dim=-1), hidden)
        return self.out(output[:, 0]), hidden, weights


def batch(size):
    """Random sequences, and their reversals with an end mark."""
    sources = [torch.randint(FIRST, SYMBOLS, (int(torch.randint(2, 5, ())),)) for _ in range(size)]
    targets = [torch.cat((each.flip(0), torch.tensor([END]))) for each in sources]
    return sources, pad_sequence(targets, batch_first=True, padding_value=-1)


def translate(encoder, decoder, source, most=10):
    """Decodes one sequence greedily, until the end mark."""
    states, hidden, mask = encoder([source])
    symbol, found = torch.tensor([[START]]), []
    for _ in range(most):
        scores, hidden, _ = decoder(symbol, hidden, states, mask)
        symbol = scores.argmax(dim=-1, keepdim=True)
        if symbol.item() == END:
            break
        found.append(symbol.item())
    return found


def main():
    """Trains with teacher forcing half of the time."""
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    encoder, decoder = Encoder(24), Decoder(24)
    optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=0.01)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=40, gamma=0.5)
    for step in range(1, 81):
        sources, targets = batch(16)
        states, hidden, mask = encoder(sources)
        symbol, loss = torch.full((16, 1), START), 0.0
        is_forced = torch.rand(()) < 0.5
        for target in targets.T:
            scores, hidden, _ = decoder(symbol, hidden, states, mask)
            loss = loss + F.cross_entropy(scores, target, ignore_index=-1)
            symbol = (target.clamp(min=0) if is_forced else scores.argmax(dim=-1))[:, None]
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        if step % 20 == 0:
            print(f"step {step}: loss {loss.item():.6f}, rate {scheduler.get_last_lr()[0]}")
    with torch.no_grad():
        for source in ([2, 3, 4], [5, 2, 7, 6]):
            print(source, "->", translate(encoder, decoder, torch.tensor(source)))


if __name__ == "__main__":
    main()


# $ dyncli run samples/pytorch/seq2seq.py --show outputs
# step 20: loss 5.673773, rate 0.01
# step 40: loss 3.541668, rate 0.005
# step 60: loss 3.253670, rate 0.005
# step 80: loss 1.809755, rate 0.0025
# [2, 3, 4] -> [4, 3, 2]
# [5, 2, 7, 6] -> [6, 7, 5]
# samples/pytorch/seq2seq.py:__main__ · float64 · seed 0 · 26,176 ops · 815 decisions · torch: dyncore
# 0.1.0
