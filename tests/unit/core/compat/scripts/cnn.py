"""A convolutional network with batch norm and dropout."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(20)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, 1)
        self.conv2 = nn.Conv2d(4, 8, 3, padding=1, groups=2)
        self.bn = nn.BatchNorm2d(8)
        self.drop = nn.Dropout2d(0.25)
        self.fc = nn.Linear(8 * 3 * 3, 5)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(self.bn(self.conv2(x)), 2)
        x = torch.flatten(self.drop(x), 1)
        return F.log_softmax(self.fc(x), dim=1)


net = Net()
o = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.0001)
x = torch.randn(4, 1, 8, 8)
t = torch.tensor([0, 1, 2, 3])
for i in range(3):
    o.zero_grad()
    l = F.nll_loss(net(x), t)
    l.backward()
    o.step()
    print(f"Train [{i}]\tLoss: {l.item():.6f}")
net.eval()
out = net(x)
print(out.argmax(dim=1, keepdim=True).eq(t.view_as(out.argmax(dim=1, keepdim=True))).sum().item())
print(sum(p.numel() for p in net.parameters() if p.requires_grad))
print(net)
