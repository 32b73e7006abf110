"""A character RNN of hand-written GRU cells learns a short text and samples from it."""

from itertools import pairwise

import torch
from torch import nn
from torch.nn import functional as F

TEXT = """the wheel turns and the water falls, the mill grinds corn for one and all;
when the river is low the wheel stands still, and the miller sleeps beside his mill.
when the rain comes down and the stream runs high, the wheel goes round and the chaff flies by;
one sack, two sacks, three sacks of grain, and the miller waits for the sun again."""
HIDDEN, LAYERS, SPAN, STEPS, SAMPLE = 32, 2, 40, 25, 120


class Corpus:
    """A text, the characters it has, and which follows which."""

    def __init__(self, text):
        self.characters = []
        self.numbers = {}
        self.counts = {}
        for letter in text:
            if letter not in self.numbers:
                self.numbers[letter] = len(self.characters)
                self.characters.append(letter)
            if letter in self.counts:
                self.counts[letter] += 1
            else:
                self.counts[letter] = 1
        self.encoded = [self.numbers[letter] for letter in text]
        self.following = {}
        for first, second in pairwise(text):
            if first not in self.following:
                self.following[first] = set()
            self.following[first].add(second)

    def batch(self, start, span):
        """Return a piece of the text and the same one place on."""
        piece = self.encoded[start : start + span + 1]
        return torch.tensor(piece[:-1]), torch.tensor(piece[1:])

    def text(self, numbers):
        """Join characters."""
        return "".join(self.characters[number] for number in numbers)


class GRUCell(nn.Module):
    """Gated recurrent unit."""

    def __init__(self, inputs, hidden):
        super().__init__()
        self.gates = nn.Linear(inputs + hidden, 2 * hidden)
        self.candidate = nn.Linear(inputs + hidden, hidden)

    def forward(self, x, h):
        """Return the next state."""
        reset, update = torch.sigmoid(self.gates(torch.cat([x, h]))).chunk(2)
        candidate = torch.tanh(self.candidate(torch.cat([x, reset * h])))
        return update * h + (1 - update) * candidate


class CharRNN(nn.Module):
    """Layers of GRU cells over embedded characters."""

    def __init__(self, characters, hidden, layers):
        super().__init__()
        self.embedding = nn.Embedding(characters, hidden)
        self.cells = nn.ModuleList([GRUCell(hidden, hidden) for _ in range(layers)])
        self.dropout = nn.Dropout(0.1)
        self.out = nn.Linear(hidden, characters)
        self.hidden = hidden

    def start(self):
        """Return the state before the first character."""
        return [torch.zeros(self.hidden) for _ in self.cells]

    def step(self, letter, state):
        """Return the scores of the next character and the new state."""
        x = self.embedding(letter)
        following = []
        for place, (cell, h) in enumerate(zip(self.cells, state)):
            h = cell(x, h)
            following.append(h)
            x = h
            if place + 1 < len(self.cells):
                x = self.dropout(x)
        return self.out(x), following

    def forward(self, letters, state):
        """Return the scores after each character and the last state."""
        scores = []
        for letter in letters:
            score, state = self.step(letter, state)
            scores.append(score)
        return torch.stack(scores), state


def sample(model, corpus, first, count, temperature):
    """Return a text that the model writes."""
    model.eval()
    state = model.start()
    letter = torch.tensor(corpus.numbers[first])
    written = [letter.item()]
    with torch.no_grad():
        for _ in range(count):
            scores, state = model.step(letter, state)
            chances = F.softmax(scores / temperature, dim=0)
            letter = torch.multinomial(chances, 1)[0]
            written.append(letter.item())
    model.train()
    return corpus.text(written)


def likely(corpus, text):
    """Return how many pairs of characters of a text the corpus has too."""
    met = 0
    for first, second in pairwise(text):
        if second in corpus.following.get(first, ()):
            met += 1
    return met


def main():
    """Train on pieces of the text, then sample."""
    torch.manual_seed(0)
    corpus = Corpus(TEXT)
    model = CharRNN(len(corpus.characters), HIDDEN, LAYERS)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    state, best, waited, start = model.start(), float("inf"), 0, 0
    for step in range(STEPS):
        if start + SPAN + 1 > len(corpus.encoded):
            start, state = 0, model.start()
        letters, targets = corpus.batch(start, SPAN)
        optimizer.zero_grad()
        scores, state = model(letters, state)
        loss = F.cross_entropy(scores, targets)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        state = [h.detach() for h in state]
        start += SPAN
        if loss.item() < best:
            best, waited = loss.item(), 0
        else:
            waited += 1
        if waited > 5:
            for group in optimizer.param_groups:
                group["lr"] *= 0.5
            waited = 0
        if step % 8 == 0:
            print(f"step {step}  loss {loss.item():.3f}  norm {norm.item():.3f}")
    text = sample(model, corpus, "t", SAMPLE, 0.8)
    print(f"{len(text)} characters, {likely(corpus, text) > 0}")


if __name__ == "__main__":
    main()
