class Net:
    def __init__(self):
        self.layers = [1, 2]
    def __call__(self, x):
        return self.forward(x)
    def forward(self, x):
        for layer in self.layers:
            x = self.block(x, layer)
        return x
    def block(self, x, layer):
        if x > layer:
            return x - layer
        return x

Net()(2)

# ----
# 0 7:for `for layer in self.layers` -> loop x2 exhausted | Net.__call__ Net.forward
# 1 11:if `x > layer` -> then [2 > 1 T] m1 | in 7.0 | Net.__call__ Net.forward Net.block | under 0
# 2 11:if `x > layer` -> else [1 > 2 F] m-1 | in 7.1 | Net.__call__ Net.forward Net.block | under 0
