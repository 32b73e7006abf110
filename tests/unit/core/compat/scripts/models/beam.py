"""A small language model trained by teacher forcing, decoded by beam search with length penalty and n-gram blocking."""

import heapq

import torch
import torch.nn as nn

torch.manual_seed(5)
V, H, BOS, EOS = 9, 12, 0, 1


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, H, max_norm=2.0)
        self.rnn = nn.GRU(H, H, 2)
        self.drop = nn.Dropout(0.25)
        self.out = nn.Linear(H, V)
        self.out.weight = self.emb.weight

    def forward(self, tok, h=None):
        y, h = self.rnn(self.drop(self.emb(tok)), h)
        return self.out(self.drop(y)), h


lm = LM()
corpus = torch.tensor(
    [[BOS, 2, 3, 4, 5, EOS], [BOS, 2, 4, 6, 8, EOS], [BOS, 3, 5, 7, 3, EOS], [BOS, 8, 7, 6, 5, EOS]]
).t()
opt = torch.optim.Adagrad(lm.parameters(), lr=0.1, lr_decay=1e-3, initial_accumulator_value=0.1)
for it in range(20):
    lm.train()
    logits, _ = lm(corpus[:-1])
    loss = nn.CrossEntropyLoss(reduction="none")(logits.permute(0, 2, 1), corpus[1:]).sum(0).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(it, f"{loss.item():.6f}")


@torch.no_grad()
def beam_search(k=3, max_len=8, alpha=0.6, block=2):
    lm.eval()
    done, h = [], None
    seqs, scores = torch.full((1, 1), BOS, dtype=torch.int64), torch.zeros(1)
    for step in range(max_len):
        logits, h = lm(seqs[:, -1].view(1, -1), h)
        lp = torch.log_softmax(logits[0], -1) + scores[:, None]
        for b, s in enumerate(seqs.tolist()):
            grams = {tuple(s[i : i + block]) for i in range(len(s) - block + 1)}
            for v in range(V):
                if tuple(s[-(block - 1) :] + [v]) in grams:
                    lp[b, v] = -float("inf")
        lp[:, BOS] = float("-inf")
        top, idx = lp.flatten().topk(min(2 * k, lp.numel()))
        beam, tok = torch.div(idx, V, rounding_mode="floor"), idx % V
        keep = []
        for s, b, t in zip(top.tolist(), beam.tolist(), tok.tolist()):
            if t == EOS:
                heapq.heappush(done, (-s / ((5 + step + 1) / 6) ** alpha, seqs[b].tolist() + [EOS]))
            else:
                keep.append((s, b, t))
            if len(keep) == k:
                break
        scores = torch.tensor([s for s, _, _ in keep])
        sel = torch.tensor([b for _, b, _ in keep])
        seqs = torch.cat([seqs.index_select(0, sel), torch.tensor([[t] for _, _, t in keep])], dim=1)
        h = h.index_select(1, sel)
        if len(done) >= k and -done[0][0] > scores.max().item():
            break
    return [(round(-s, 5), seq) for s, seq in heapq.nsmallest(k, done)]


for row in beam_search():
    print(row)
for temperature in (0.5, 1.0):
    probs = (lm(torch.tensor([[2]]))[0][0, 0] / temperature).softmax(0)
    sorted_p, order = probs.sort(descending=True)
    nucleus = sorted_p.cumsum(0) - sorted_p < 0.8
    p = torch.zeros_like(probs).scatter(0, order, sorted_p * nucleus)
    print(torch.multinomial(p / p.sum(), 10, replacement=True).tolist(), nucleus.sum().item())
