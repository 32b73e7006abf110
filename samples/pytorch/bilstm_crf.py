"""A BiLSTM-CRF that tags words: the forward algorithm for the loss, Viterbi for the best path."""

import torch
import torch.nn as nn

DATA = [
    ("the wall street journal reported today".split(), "B I I I O O".split()),
    ("georgia tech is a university".split(), "B I O O B".split()),
]
TAGS = ["B", "I", "O"]


class BiLSTMCRF(nn.Module):
    """Scores of tags by a BiLSTM, scores of pairs of neighbouring tags by a matrix."""

    def __init__(self, words, tags, width):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.lstm = nn.LSTM(width, width // 2, bidirectional=True)
        self.emit = nn.Linear(width, tags)
        self.move = nn.Parameter(torch.randn(tags, tags))  # move[i, j]: from tag j to tag i
        self.start = nn.Parameter(torch.randn(tags))

    def emissions(self, sentence):
        """The score of each tag at each word."""
        states, _ = self.lstm(self.embed(sentence)[:, None])
        return self.emit(states[:, 0])

    def loss(self, sentence, tags):
        """The negative logarithm of the tags' probability."""
        emissions = self.emissions(sentence)
        every = self.start + emissions[0]
        one = every[tags[0]]
        for step in range(1, len(tags)):
            every = torch.logsumexp(every + self.move, dim=1) + emissions[step]
            one = one + self.move[tags[step], tags[step - 1]] + emissions[step, tags[step]]
        return torch.logsumexp(every, dim=0) - one

    def forward(self, sentence):
        """The best path and its score."""
        emissions = self.emissions(sentence)
        best, pointers = self.start + emissions[0], []
        for emission in emissions[1:]:
            scores, before = (best + self.move).max(dim=1)
            best = scores + emission
            pointers.append(before)
        score, tag = best.max(dim=0)
        path = [tag.item()]
        for before in reversed(pointers):
            path.append(before[path[-1]].item())
        return score, path[::-1]


def main():
    """Trains on two sentences."""
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(1)
    index = {word: i for i, word in enumerate(sorted({word for words, _ in DATA for word in words}))}
    model = BiLSTMCRF(len(index), len(TAGS), 8)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=1e-4)
    pairs = [
        (torch.tensor([index[word] for word in words]), torch.tensor([TAGS.index(tag) for tag in tags]))
        for words, tags in DATA
    ]
    for epoch in range(15):
        total = 0.0
        for sentence, tags in pairs:
            model.zero_grad()
            loss = model.loss(sentence, tags)
            loss.backward()
            optimizer.step()
            total += loss.item()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1}: loss {total:.6f}")
    with torch.no_grad():
        for words, (sentence, _) in zip((words for words, _ in DATA), pairs):
            score, path = model(sentence)
            print(f"{score:.4f}", " ".join(f"{word}/{TAGS[tag]}" for word, tag in zip(words, path)))


if __name__ == "__main__":
    main()


# $ dyncli run samples/pytorch/bilstm_crf.py --show outputs
# epoch 5: loss 7.378459
# epoch 10: loss 3.906152
# epoch 15: loss 2.169404
# 12.0371 the/B wall/I street/I journal/I reported/O today/O
# 8.8242 georgia/B tech/I is/O a/O university/B
# samples/pytorch/bilstm_crf.py:__main__ · float64 · seed 0 · 2,325 ops · 79 decisions · torch:
# dyncore 0.1.0
