"""A child-sum TreeLSTM learns the sign of arithmetic expressions that are parsed into trees."""

import random

import torch
from torch import nn

HIDDEN, TREES, STEPS = 12, 60, 2
LEAVES = [str(number) for number in range(-4, 5)]
OPERATORS = ["add", "sub", "mul", "max", "min"]


class Tree:
    """A node of an expression; the children know their parent."""

    def __init__(self, word, children=()):
        self.word = word
        self.children = list(children)
        self.parent = None
        self.state = None
        for child in self.children:
            child.parent = self

    def size(self):
        """Count the nodes."""
        return 1 + sum(child.size() for child in self.children)

    def depth(self):
        """Return the length of the longest path to a leaf."""
        if not self.children:
            return 1
        return 1 + max(child.depth() for child in self.children)

    def value(self):
        """Return what the expression is worth."""
        if not self.children:
            return int(self.word)
        values = [child.value() for child in self.children]
        if self.word == "add":
            return sum(values)
        elif self.word == "sub":
            return values[0] - sum(values[1:])
        elif self.word == "mul":
            product = 1
            for value in values:
                product *= value
            return product
        elif self.word == "max":
            return max(values)
        return min(values)


def tokenize(text):
    """Split a text into brackets and words."""
    words, word = [], ""
    for letter in text:
        if letter in "() ":
            if word:
                words.append(word)
            word = ""
            if letter != " ":
                words.append(letter)
        else:
            word += letter
    if word:
        words.append(word)
    return words


def parse(words):
    """Build the tree of a list of words; takes what it read off the list."""
    word = words.pop(0)
    if word != "(":
        return Tree(word)
    operator = words.pop(0)
    children = []
    while words[0] != ")":
        children.append(parse(words))
    words.pop(0)
    return Tree(operator, children)


def expression(chance, depth):
    """Write a random expression."""
    if depth == 0 or chance.random() < 0.15:
        return chance.choice(LEAVES)
    operator = chance.choice(OPERATORS)
    count = 2 if chance.random() < 0.7 else 3
    return f"({operator} {' '.join(expression(chance, depth - 1) for _ in range(count))})"


class Vocabulary:
    """Numbers of words, in the order in which they were met."""

    def __init__(self):
        self.numbers = {}

    def add(self, tree):
        """Number the words of a tree."""
        if tree.word not in self.numbers:
            self.numbers[tree.word] = len(self.numbers)
        for child in tree.children:
            self.add(child)

    def __len__(self):
        return len(self.numbers)

    def __getitem__(self, word):
        return self.numbers[word]


class ChildSumCell(nn.Module):
    """The gates of a node whose children are summed."""

    def __init__(self, inputs, hidden):
        super().__init__()
        self.hidden = hidden
        self.iou_x = nn.Linear(inputs, 3 * hidden)
        self.iou_h = nn.Linear(hidden, 3 * hidden, bias=False)
        self.forget_x = nn.Linear(inputs, hidden)
        self.forget_h = nn.Linear(hidden, hidden, bias=False)

    def forward(self, x, states):
        """Return the state of a node from its word and the states of its children."""
        if not states:
            h_sum = torch.zeros(self.hidden)
        else:
            h_sum = torch.stack([h for h, _ in states]).sum(0)
        gates = self.iou_x(x) + self.iou_h(h_sum)
        i, o, u = torch.chunk(gates, 3)
        c = torch.sigmoid(i) * torch.tanh(u)
        for child_h, child_c in states:
            forget = torch.sigmoid(self.forget_x(x) + self.forget_h(child_h))
            c = c + forget * child_c
        return torch.sigmoid(o) * torch.tanh(c), c


class TreeLSTM(nn.Module):
    """Classifies a tree by the state of its root."""

    def __init__(self, words, hidden):
        super().__init__()
        self.embedding = nn.Embedding(words, hidden)
        self.cell = ChildSumCell(hidden, hidden)
        self.out = nn.Linear(hidden, 3)

    def encode(self, tree, vocabulary):
        """Return the state of a tree, children first."""
        states = []
        for child in tree.children:
            states.append(self.encode(child, vocabulary))
        word = torch.tensor(vocabulary[tree.word])
        tree.state = self.cell(self.embedding(word), states)
        return tree.state

    def forward(self, tree, vocabulary):
        """Return the scores of the three signs."""
        h, _ = self.encode(tree, vocabulary)
        return self.out(h)


def sign(value):
    """Return 0, 1 or 2 for less than, equal to or greater than zero."""
    if value < 0:
        return 0
    return 1 if value == 0 else 2


def main():
    """Train on sixty trees, a step for every ten of them."""
    torch.manual_seed(0)
    chance = random.Random(0)
    trees = []
    while len(trees) < TREES:
        tree = parse(tokenize(expression(chance, 4)))
        if 3 < tree.size() < 60:
            trees.append(tree)
    vocabulary = Vocabulary()
    for tree in trees:
        vocabulary.add(tree)
    model = TreeLSTM(len(vocabulary), HIDDEN)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(STEPS):
        total, right = 0.0, 0
        for number, tree in enumerate(trees):
            scores = model(tree, vocabulary)
            target = torch.tensor(sign(tree.value()))
            loss = criterion(scores.unsqueeze(0), target.unsqueeze(0)) / 10
            loss.backward()
            total += loss.item()
            if scores.argmax().item() == target.item():
                right += 1
            if (number + 1) % 10 == 0:
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch}  loss {total:.4f}  right {right} of {len(trees)}")


if __name__ == "__main__":
    main()
