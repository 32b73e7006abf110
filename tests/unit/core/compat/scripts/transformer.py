"""Transformer layers and masks."""

import torch
import torch.nn as nn

torch.manual_seed(21)
m = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True, norm_first=True), 2)
x = torch.randn(2, 4, 8)
y = m(x, src_key_padding_mask=torch.tensor([[0, 0, 0, 1], [0, 0, 0, 0]]).bool())
print(y[0, 0])
y.sum().backward()
print(sum(p.grad.abs().sum() for p in m.parameters()))
d = nn.TransformerDecoderLayer(8, 2, 16, 0.0)
print(d(x, x, tgt_mask=nn.Transformer.generate_square_subsequent_mask(2)).shape)
a, w = nn.MultiheadAttention(8, 2)(x, x, x)
print(w[0])
