"""GCN and GAT layers by scatter over edges, on the karate-like ring of cliques."""

import torch
import torch.nn.functional as F
from torch import nn


def scatter_softmax(src, index, num):
    mx = torch.full((num, src.size(1)), -1e30, dtype=src.dtype).scatter_reduce(
        0, index[:, None].expand_as(src), src, "amax"
    )
    ex = (src - mx[index]).exp()
    den = torch.zeros(num, src.size(1), dtype=src.dtype).index_add_(0, index, ex)
    return ex / (den[index] + 1e-16)


class GCNConv(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.lin = nn.Linear(cin, cout, bias=False)
        self.bias = nn.Parameter(torch.zeros(cout))

    def forward(self, x, edge_index):
        row, col = edge_index
        deg = torch.zeros(x.size(0), dtype=x.dtype).scatter_add_(0, col, torch.ones_like(col, dtype=x.dtype))
        norm = deg.pow(-0.5)
        norm[norm == float("inf")] = 0
        w = norm[row] * norm[col]
        h = self.lin(x)
        return (
            torch.zeros_like(h).scatter_add(0, col.view(-1, 1).expand(-1, h.size(1)), h[row] * w.view(-1, 1))
            + self.bias
        )


class GATConv(nn.Module):
    def __init__(self, cin, cout, heads):
        super().__init__()
        self.heads, self.cout = heads, cout
        self.weight = nn.Parameter(torch.Tensor(cin, heads * cout))
        self.att = nn.ParameterList([nn.Parameter(torch.randn(heads, cout)) for _ in range(2)])
        nn.init.xavier_uniform_(self.weight, gain=nn.init.calculate_gain("relu"))

    def forward(self, x, ei):
        h = (x @ self.weight).view(-1, self.heads, self.cout)
        a_src, a_dst = ((h * a).sum(-1) for a in self.att)
        alpha = F.leaky_relu(a_src[ei[0]] + a_dst[ei[1]], 0.2)
        alpha = scatter_softmax(alpha, ei[1], x.size(0))
        out = torch.zeros_like(h)
        out.index_add_(0, ei[1], h[ei[0]] * alpha.unsqueeze(-1))
        return out.flatten(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList([GCNConv(5, 8), GATConv(8, 4, 2)])
        self.norm = nn.LayerNorm(8, elementwise_affine=False)
        self.head = nn.Linear(16, 3)
        self.register_buffer("temp", torch.tensor(0.5))

    def forward(self, x, ei, batch):
        h = self.convs[0](x, ei).relu()
        h = self.norm(h + F.elu(self.convs[1](h, ei)))
        n = int(batch.max()) + 1
        count = batch.bincount(minlength=n).to(h.dtype).clamp_(min=1)
        mean = torch.zeros(n, h.shape[1], dtype=h.dtype).index_add(0, batch, h) / count[:, None]
        mx = torch.full((n, h.shape[1]), float("-inf"), dtype=h.dtype).scatter_reduce(
            0, batch[:, None].expand_as(h), h, reduce="amax", include_self=False
        )
        return self.head(torch.cat([mean, mx], dim=1)) / self.temp


torch.manual_seed(1)
edges = []
for c in range(6):
    base = 4 * c
    edges += [(base + i, base + j) for i in range(4) for j in range(4) if i != j and (i + j + c) % 3]
edges += [(4 * c, (4 * c + 5) % 24) for c in range(6)]
ei = torch.tensor(edges, dtype=torch.long).t().contiguous()
ei = torch.cat([ei, ei.flip(0), torch.arange(24).repeat(2, 1)], dim=1).unique(dim=1)
x = torch.eye(24, dtype=torch.double)[:, :5] + 0.1 * torch.randn(24, 5, dtype=torch.double)
batch = torch.arange(6).repeat_interleave(4)
y = torch.arange(6) % 3
net = Net().double()
print(ei.shape, int((ei[0] == ei[1]).sum()))
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=5e-4)
for epoch in range(1, 21):
    net.train()
    opt.zero_grad()
    out = net(x, ei, batch)
    loss = F.nll_loss(F.log_softmax(out, dim=-1), y, weight=torch.tensor([1.0, 2.0, 0.5]).double())
    loss.backward()
    opt.step()
    net.eval()
    pred = net(x, ei, batch).max(1)[1]
    acc = pred.eq(y).sum().item() / len(y)
    print(f"Epoch: {epoch:03d}, Loss: {loss:.9f}, Acc: {acc:.4f}, g {net.convs[1].att[0].grad.norm():.9f}")
