# run: {"inputs": ["[[1, -2], [3, 4]]", "2"]}
# picture: {"depth": 1}
# picture: {"depth": 2, "expand": "helper"}
# picture: {"collapse": ["loops", "layer*"], "grads": false, "saved": false}
# picture: {"expand": "all", "values": false, "foldable": true}
# picture: {"only": ["abs", "33"], "grads": false}
# picture: {"only": "nothing", "collapse": ["none", "16"]}
# picture: {"max_nodes": 9, "grads": false, "values": false}
# picture: {"max_nodes": 20, "compact": false, "values": false}
# picture: {"max_nodes": 5, "expand": "then"}
# picture: {"room": 0.1, "saved": false, "values": false}
import dyncore as torch
from dyncore import nn


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(2, width), nn.ReLU(), nn.Linear(width, 2, bias=False))

    def forward(self, h):
        return h + self.inner(h) if h.sum() > -9 else h


layers = nn.ModuleList(Layer(2) for _ in range(2))
for parameter in layers.parameters():
    parameter.data = torch.arange(-1.0, parameter.numel() - 1).view(parameter.shape) / 4


def helper(h, times):
    for _ in range(times):
        h = h.abs() + 1
    return h


def forward(x, n: int):
    h = x
    for layer in layers:
        h = layer(h)
        for t in range(n):
            if t % 2:
                h = helper(h, t)
            elif h.max() > 99:
                h = h / 2
    seen = {"last": h, "sum": h.sum()}
    return helper(h, 1) @ layers[1].inner[2].weight, seen

# ----
# graph [' · 24 ops · 14 decisions'] n = 2
# box b1 (kind='loop' name='for' rest='layer in layers · line 38 · x 2' site=38:4-23 times=2)
# box b15 (kind='call' name='helper')
# node n5 (kind='input' name='x' lines=['float32 [2, 2] · [[1, -2], [3, 4]]', 'grad [[2.094, -3.438], [2.523, 4.297]]'/gradient] tensors=[0])
# node n6 (kind='parameter' name='layers.1.inner.2.weight' lines=['float32 [2, 2] · [[-0.25, 0], [0.25, 0.5]]', 'grad [[10, 20.83], [16.47, 33.48]]'/gradient] tensors=[6])
# node n0 (kind='fold' name='0 … 1' rest='x 2' lines=['12 ops · 2 decisions · saves 160 B', 'linear x2, sum, gt, relu, …'/faint, 'float32 [2, 2] · -2 to 5.38 … 2 to 8.47', 'grad -3.44 to 3.44 … 1.75 to 2.75'/gradient, 'if h.sum() > -9 → True x2'/plain, '5 parameters · grad norm 21'/gradient] box='b1' ops=[0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15] decisions=[1, 7] tensors=[1, 2, 3, 4, 5])
# node n1 (kind='fold' name='for' rest='t in range(n) · line 40 · x 4 = 2 x 2 · F, T' lines=['8 ops · 6 decisions · saves 64 B', 'max, gt, abs, add'/faint, 'float32 [2, 2] · 2 to 6.38 … 3 to 9.47', 'grad 2.09 to 3.44 … 1.75 to 2.75'/gradient, 'if t % 2 → (False, True) x2'/plain, 'elif h.max() > 99 → False x2'/plain] box='b1' site=40:8-25 ops=[6, 7, 8, 9, 16, 17, 18, 19] decisions=[3, 4, 5, 9, 10, 11])
# node n2 (kind='op' name='sum' rest='→ output.1.sum' lines=['float32 [] · 22.47', 'grad 1'/gradient, 'line 45'/faint] site=45:30-37 ops=[20])
# node n3 (kind='fold' name='for' rest='_ in range(times) · line 31 · x 1' lines=['2 ops · saves 16 B', 'abs, add'/faint, 'float32 [2, 2] · [[4, 6], [6, 10.47]]', 'grad [[-0.25, 0.75], [-0.25, 0.75]]'/gradient] box='b15' site=31:4-25 ops=[21, 22])
# node n4 (kind='op' name='matmul' rest='→ output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'grad [[1, 1], [1, 1]]'/gradient, 'line 46 · saves 32 B'/faint] site=46:11-51 ops=[23])
# node out0 (kind='output' name='output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'backward · seed ones'/gradient] tensors=[30])
# node out1 (kind='output' name='output.1.last' lines=['float32 [2, 2] · [[3, 5], [5, 9.469]]', 'backward · seed ones'/gradient] tensors=[26])
# node out2 (kind='output' name='output.1.sum' lines=['float32 [] · 22.47', 'backward · seed 1'/gradient] tensors=[27])
# edge n5 n0 data  0 to 0.859 … -3.44 to 3.44 both
# edge n0 n1 data  -3.44 to 3.44 … 1.75 to 2.75 both
# edge n1 n0 carried  0.344 to 0.688 … 1.75 to 2.75 both
# edge n6 n0 data  [[0, 10.83], [0, 17.02]] both
# edge n1 n2 data  [[1, 1], [1, 1]] both
# edge n1 n3 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n3 n4 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n6 n4 data  [[10, 10], [16.47, 16.47]] both
# edge n4 out0 data   both
# edge n1 out1 data   both
# edge n2 out2 data   both
# graph [' · 24 ops · 14 decisions'] n = 2
# box b1 (kind='loop' name='for' rest='layer in layers · line 38 · x 2' site=38:4-23 times=2)
# box b2 (kind='module' name='0 … 1' rest='x 2' parent='b1' times=2)
# box b3 (kind='arm' name='True' rest='x 2' parent='b2' site=22:36-48 times=2)
# box b8 (kind='loop' name='for' rest='t in range(n) · line 40 · x 4 = 2 x 2 · F, T' parent='b1' site=40:8-25 times=4)
# box b9 (kind='kind' name='F' rest='x 2 · t % 2 False' parent='b8' site=40:8-25 times=2)
# box b10 (kind='arm' name='False' rest='x 2' parent='b9' site=41:15-20 times=2)
# box b11 (kind='kind' name='T' rest='x 2 · t % 2 True' parent='b8' site=40:8-25 times=2)
# box b12 (kind='arm' name='True' rest='x 2' parent='b11' site=41:15-20 times=2)
# box b13 (kind='call' name='helper' rest='x 2' parent='b12' times=2)
# box b15 (kind='call' name='helper')
# box b16 (kind='loop' name='for' rest='_ in range(times) · line 31 · x 1' parent='b15' site=31:4-25)
# box bn13a0 (kind='left' name='True' rest='line 44' parent='b10' site=43:17-29 times=0)
# node n15 (kind='input' name='x' lines=['float32 [2, 2] · [[1, -2], [3, 4]]', 'grad [[2.094, -3.438], [2.523, 4.297]]'/gradient] tensors=[0])
# node n0 (kind='op' name='sum' lines=['float32 [] · 6 … 15.38', 'line 22 · x2'/faint] box='b2' site=22:36-43 ops=[0, 10]) (each=[[0, 'float32 [] · 6', ''], [1, 'float32 [] · 15.38', '']])
# node n1 (kind='op' name='gt' rest='-9' lines=['bool [] · True', 'line 22 · x2'/faint] box='b2' site=22:36-48 ops=[1, 11]) (each=[[0, 'bool [] · True', ''], [1, 'bool [] · True', '']])
# node n11 (kind='decision' name='if' rest='h.sum() > -9' lines=['line 22 · True x2'/plain, '6 … 15.38 > -9'/plain, 'margin 15'/plain] box='b2' site=22:36-48 decisions=[1, 7] origin='tensor') (each=[[0, 'True · 6 > -9', ''], [1, 'True · 15.38 > -9', '']])
# node n16 (kind='parameter' name='layers.1.inner.2.weight' lines=['float32 [2, 2] · [[-0.25, 0], [0.25, 0.5]]', 'grad [[10, 20.83], [16.47, 33.48]]'/gradient] box='b2' tensors=[6])
# node n2 (kind='fold' name='0 … 1.inner' rest='x 2' lines=['6 ops · saves 160 B', 'linear x2, relu'/faint, 'float32 [2, 2] · 0 to 1.38 … 0 to 2.09', 'grad -3.44 to 3.44 … 1.75 to 2.75'/gradient, '5 parameters · grad norm 21'/gradient] box='b3' ops=[2, 3, 4, 12, 13, 14] tensors=[1, 2, 3, 4, 5])
# node n3 (kind='op' name='add' lines=['float32 [2, 2] · -2 to 5.38 … 2 to 8.47', 'grad -3.44 to 3.44 … 1.75 to 2.75'/gradient, 'line 22 · x2'/faint] box='b3' site=22:15-32 ops=[5, 15]) (each=[[0, 'float32 [2, 2] · [[1, -2], [3, 5.375]]', '[[2.094, -3.438], [2.094, 3.438]]'], [1, 'float32 [2, 2] · [[2, 4], [4, 8.469]]', '[[1.75, 2.75], [1.75, 2.75]]']])
# node n12 (kind='decision' name='if' rest='t % 2' lines=['line 41 · False x2'/plain, '0 (python)'/plain, 'margin 0'/plain] box='b9' site=41:15-20 decisions=[3, 9] origin='python') (each=[[0, 'False · 0', ''], [2, 'False · 0', '']])
# node n4 (kind='op' name='max' lines=['float32 [] · 5.375 … 8.469', 'line 43 · x2 · saves 32 B'/faint] box='b10' site=43:17-24 ops=[6, 16]) (each=[[0, 'float32 [] · 5.375', ''], [2, 'float32 [] · 8.469', '']])
# node n5 (kind='op' name='gt' rest='99' lines=['bool [] · False', 'line 43 · x2'/faint] box='b10' site=43:17-29 ops=[7, 17]) (each=[[0, 'bool [] · False', ''], [2, 'bool [] · False', '']])
# node n13 (kind='decision' name='elif' rest='h.max() > 99' lines=['line 43 · False x2'/plain, '5.375 … 8.469 > 99'/plain, 'margin -90.5'/plain] box='b10' site=43:17-29 decisions=[4, 10] origin='tensor') (each=[[0, 'False · 5.375 > 99', ''], [2, 'False · 8.469 > 99', '']])
# node n14 (kind='decision' name='if' rest='t % 2' lines=['line 41 · True x2'/plain, '1 (python)'/plain, 'margin 1'/plain] box='b11' site=41:15-20 decisions=[5, 11] origin='python') (each=[[1, 'True · 1', ''], [3, 'True · 1', '']])
# node n6 (kind='fold' name='for' rest='_ in range(times) · line 31 · x 2 = 2 x 1' lines=['4 ops · saves 32 B', 'abs, add'/faint, 'float32 [2, 2] · 2 to 6.38 … 3 to 9.47', 'grad 2.09 to 3.44 … 1.75 to 2.75'/gradient] box='b13' site=31:4-25 ops=[8, 9, 18, 19])
# node n7 (kind='op' name='sum' rest='→ output.1.sum' lines=['float32 [] · 22.47', 'grad 1'/gradient, 'line 45'/faint] site=45:30-37 ops=[20])
# node n8 (kind='op' name='abs' lines=['float32 [2, 2] · [[3, 5], [5, 9.469]]', 'grad [[-0.25, 0.75], [-0.25, 0.75]]'/gradient, 'line 32 · saves 16 B'/faint] box='b16' site=32:12-19 ops=[21])
# node n9 (kind='op' name='add' rest='1' lines=['float32 [2, 2] · [[4, 6], [6, 10.47]]', 'grad [[-0.25, 0.75], [-0.25, 0.75]]'/gradient, 'line 32'/faint] box='b16' site=32:12-23 ops=[22])
# node n17 (kind='leaf' name='layers.1.inner.2.weight' tensors=[6])
# node n10 (kind='op' name='matmul' rest='→ output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'grad [[1, 1], [1, 1]]'/gradient, 'line 46 · saves 32 B'/faint] site=46:11-51 ops=[23])
# node n13a0 (kind='ghost' name='' lines=['h = h / 2'/source] box='bn13a0' site=43:17-29 span=[44, 44])
# node out0 (kind='output' name='output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'backward · seed ones'/gradient] tensors=[30])
# node out1 (kind='output' name='output.1.last' lines=['float32 [2, 2] · [[3, 5], [5, 9.469]]', 'backward · seed ones'/gradient] tensors=[26])
# node out2 (kind='output' name='output.1.sum' lines=['float32 [] · 22.47', 'backward · seed 1'/gradient] tensors=[27])
# edge n15 n0 data   both
# edge n0 n1 data   both
# edge n15 n2 data  [[0, 0], [0.4297, 0.8594]] both
# edge n15 n3 data  [[2.094, -3.438], [2.094, 3.438]] both
# edge n2 n3 data  -3.44 to 3.44 … 1.75 to 2.75 both
# edge n3 n4 data   both
# edge n4 n5 data   both
# edge n3 n6 data  -3.44 to 3.44 … 1.75 to 2.75 both
# edge n6 n0 carried   both
# edge n6 n2 carried  [[0.3438, 0.6875], [0.3438, 0.6875]] both
# edge n16 n2 data  [[0, 10.83], [0, 17.02]] both
# edge n6 n3 carried  [[1.75, 2.75], [1.75, 2.75]] both
# edge n6 n7 data  [[1, 1], [1, 1]] both
# edge n6 n8 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n8 n9 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n9 n10 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n17 n10 data  [[10, 10], [16.47, 16.47]] both
# edge n1 n11 predicate   both
# edge n5 n13 predicate   both
# edge n11 n2 taken True x2  both
# edge n12 n4 taken False x2  both
# edge n13 n13a0 left True  both
# edge n14 n6 taken True x2  both
# edge n10 out0 data   both
# edge n6 out1 data   both
# edge n7 out2 data   both
# unfit (option='collapse' word='layer*' known=['for', '0', '0.inner', '0.inner.0', '0.inner.1', '0.inner.2', 'helper'])
# graph [' · 24 ops · 14 decisions'] n = 2 nothing fits --collapse layer*
# box b15 (kind='call' name='helper')
# node n4 (kind='input' name='x' lines=['float32 [2, 2] · [[1, -2], [3, 4]]', 'grad [[2.094, -3.438], [2.523, 4.297]]'/gradient] tensors=[0])
# node n5 (kind='parameter' name='layers.1.inner.2.weight' lines=['float32 [2, 2] · [[-0.25, 0], [0.25, 0.5]]', 'grad [[10, 20.83], [16.47, 33.48]]'/gradient] tensors=[6])
# node n0 (kind='fold' name='for' rest='layer in layers · line 38 · x 2' lines=['20 ops · 8 decisions', 'gt x2, linear x2, add x2, sum, …'/faint, 'float32 [2, 2] · [[3, 5], [5, 9.469]]', 'if h.sum() > -9 → True x2'/plain, 'if t % 2 → (False, True) x2'/plain, 'elif h.max() > 99 → False x2'/plain, '5 parameters · grad norm 21'/gradient] site=38:4-23 ops=[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19] decisions=[1, 3, 4, 5, 7, 9, 10, 11] tensors=[1, 2, 3, 4, 5])
# node n1 (kind='op' name='sum' rest='→ output.1.sum' lines=['float32 [] · 22.47', 'line 45'/faint] site=45:30-37 ops=[20])
# node n2 (kind='fold' name='for' rest='_ in range(times) · line 31 · x 1' lines=['2 ops', 'abs, add'/faint, 'float32 [2, 2] · [[4, 6], [6, 10.47]]'] box='b15' site=31:4-25 ops=[21, 22])
# node n3 (kind='op' name='matmul' rest='→ output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'line 46'/faint] site=46:11-51 ops=[23])
# node out0 (kind='output' name='output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'backward · seed ones'/gradient] tensors=[30])
# node out1 (kind='output' name='output.1.last' lines=['float32 [2, 2] · [[3, 5], [5, 9.469]]', 'backward · seed ones'/gradient] tensors=[26])
# node out2 (kind='output' name='output.1.sum' lines=['float32 [] · 22.47', 'backward · seed 1'/gradient] tensors=[27])
# edge n4 n0 data   both
# edge n5 n0 data   both
# edge n0 n1 data   both
# edge n0 n2 data   both
# edge n2 n3 data   both
# edge n5 n3 data   both
# edge n3 out0 data   both
# edge n0 out1 data   both
# edge n1 out2 data   both
# graph [' · 24 ops · 14 decisions'] n = 2
# box b1 (kind='loop' name='for' rest='layer in layers · line 38 · x 2' site=38:4-23 times=2)
# box b2 (kind='kind' name='iteration 0' parent='b1' site=38:4-23)
# box b3 (kind='module' name='0' parent='b2')
# box b4 (kind='arm' name='True' parent='b3' site=22:36-48)
# box b5 (kind='module' name='0.inner' parent='b4')
# box b6 (kind='module' name='0.inner.0' parent='b5')
# box b7 (kind='module' name='0.inner.1' parent='b5')
# box b8 (kind='module' name='0.inner.2' parent='b5')
# box b9 (kind='loop' name='for' rest='t in range(n) · line 40 · x 2' parent='b2' site=40:8-25 times=2)
# box b10 (kind='kind' name='iteration 0' parent='b9' site=40:8-25)
# box b11 (kind='arm' name='False' parent='b10' site=41:15-20)
# box b12 (kind='kind' name='iteration 1' parent='b9' site=40:8-25)
# box b13 (kind='arm' name='True' parent='b12' site=41:15-20)
# box b14 (kind='call' name='helper' parent='b13')
# box b15 (kind='loop' name='for' rest='_ in range(times) · line 31 · x 1' parent='b14' site=31:4-25)
# box b16 (kind='kind' name='iteration 0' parent='b15' site=31:4-25)
# box b17 (kind='kind' name='iteration 1' parent='b1' site=38:4-23)
# box b18 (kind='module' name='1' parent='b17')
# box b19 (kind='arm' name='True' parent='b18' site=22:36-48)
# box b20 (kind='module' name='1.inner' parent='b19')
# box b21 (kind='module' name='1.inner.0' parent='b20')
# box b22 (kind='module' name='1.inner.1' parent='b20')
# box b23 (kind='module' name='1.inner.2' parent='b20')
# box b24 (kind='loop' name='for' rest='t in range(n) · line 40 · x 2' parent='b17' site=40:8-25 times=2)
# box b25 (kind='kind' name='iteration 0' parent='b24' site=40:8-25)
# box b26 (kind='arm' name='False' parent='b25' site=41:15-20)
# box b27 (kind='kind' name='iteration 1' parent='b24' site=40:8-25)
# box b28 (kind='arm' name='True' parent='b27' site=41:15-20)
# box b29 (kind='call' name='helper' parent='b28')
# box b30 (kind='loop' name='for' rest='_ in range(times) · line 31 · x 1' parent='b29' site=31:4-25)
# box b31 (kind='kind' name='iteration 0' parent='b30' site=31:4-25)
# box b32 (kind='call' name='helper')
# box b33 (kind='loop' name='for' rest='_ in range(times) · line 31 · x 1' parent='b32' site=31:4-25)
# box b34 (kind='kind' name='iteration 0' parent='b33' site=31:4-25)
# box bn25a0 (kind='left' name='True' rest='line 42' parent='b10' site=41:15-20 times=0)
# box bn26a0 (kind='left' name='True' rest='line 44' parent='b11' site=43:17-29 times=0)
# box bn27a1 (kind='left' name='False' rest='lines 43 to 44' parent='b12' site=41:15-20 times=0)
# box bn29a0 (kind='left' name='True' rest='line 42' parent='b25' site=41:15-20 times=0)
# box bn30a0 (kind='left' name='True' rest='line 44' parent='b26' site=43:17-29 times=0)
# box bn31a1 (kind='left' name='False' rest='lines 43 to 44' parent='b27' site=41:15-20 times=0)
# node n32 (kind='input' name='x' lines=['float32 [2, 2] · [[1, -2], [3, 4]]', 'grad [[2.094, -3.438], [2.523, 4.297]]'/gradient] tensors=[0])
# node n0 (kind='op' name='sum' lines=['float32 [] · 6', 'line 22'/faint] box='b3' site=22:36-43 ops=[0])
# node n1 (kind='op' name='gt' rest='-9' lines=['bool [] · True', 'line 22'/faint] box='b3' site=22:36-48 ops=[1])
# node n24 (kind='decision' name='if' rest='h.sum() > -9' lines=['line 22 · 6 > -9 · margin 15'/plain] box='b3' site=22:36-48 decisions=[1] origin='tensor')
# node n33 (kind='parameter' name='layers.0.inner.0.weight' lines=['float32 [2, 2] · [[-0.25, 0], [0.25, 0.5]]', 'grad [[0, 0], [5.156, 6.875]]'/gradient] box='b6' tensors=[1])
# node n34 (kind='parameter' name='layers.0.inner.0.bias' lines=['float32 [2] · [-0.25, 0]', 'grad [0, 1.719]'/gradient] box='b6' tensors=[2])
# node n2 (kind='op' name='linear' lines=['float32 [2, 2] · [[-0.5, -0.75], [-1, 2.75]]', 'grad [[0, 0], [0, 1.719]]'/gradient, 'line 22 · saves 32 B'/faint] box='b6' site=22:19-32 ops=[2])
# node n3 (kind='op' name='relu' lines=['float32 [2, 2] · [[0, 0], [0, 2.75]]', 'grad [[-1.383, -1.719], [0.3359, 1.719]]'/gradient, 'line 22 · saves 16 B'/faint] box='b7' site=22:19-32 ops=[3])
# node n35 (kind='parameter' name='layers.0.inner.2.weight' lines=['float32 [2, 2] · [[-0.25, 0], [0.25, 0.5]]', 'grad [[0, 5.758], [0, 9.453]]'/gradient] box='b8' tensors=[3])
# node n4 (kind='op' name='linear' lines=['float32 [2, 2] · [[0, 0], [0, 1.375]]', 'grad [[2.094, -3.438], [2.094, 3.438]]'/gradient, 'line 22 · saves 32 B'/faint] box='b8' site=22:19-32 ops=[4])
# node n5 (kind='op' name='add' lines=['float32 [2, 2] · [[1, -2], [3, 5.375]]', 'grad [[2.094, -3.438], [2.094, 3.438]]'/gradient, 'line 22'/faint] box='b4' site=22:15-32 ops=[5])
# node n25 (kind='decision' name='if' rest='t % 2' lines=['line 41 · 0 (python) · margin 0'/plain] box='b10' site=41:15-20 decisions=[3] origin='python')
# node n6 (kind='op' name='max' lines=['float32 [] · 5.375', 'line 43 · saves 16 B'/faint] box='b11' site=43:17-24 ops=[6])
# node n7 (kind='op' name='gt' rest='99' lines=['bool [] · False', 'line 43'/faint] box='b11' site=43:17-29 ops=[7])
# node n26 (kind='decision' name='elif' rest='h.max() > 99' lines=['line 43 · 5.375 > 99 · margin -93.6 → False'/plain] box='b11' site=43:17-29 decisions=[4] origin='tensor')
# node n27 (kind='decision' name='if' rest='t % 2' lines=['line 41 · 1 (python) · margin 1'/plain] box='b12' site=41:15-20 decisions=[5] origin='python')
# node n8 (kind='op' name='abs' lines=['float32 [2, 2] · [[1, 2], [3, 5.375]]', 'grad [[2.094, 3.438], [2.094, 3.438]]'/gradient, 'line 32 · saves 16 B'/faint] box='b16' site=32:12-19 ops=[8])
# node n9 (kind='op' name='add' rest='1' lines=['float32 [2, 2] · [[2, 3], [4, 6.375]]', 'grad [[2.094, 3.438], [2.094, 3.438]]'/gradient, 'line 32'/faint] box='b16' site=32:12-23 ops=[9])
# node n10 (kind='op' name='sum' lines=['float32 [] · 15.38', 'line 22'/faint] box='b18' site=22:36-43 ops=[10])
# node n11 (kind='op' name='gt' rest='-9' lines=['bool [] · True', 'line 22'/faint] box='b18' site=22:36-48 ops=[11])
# node n28 (kind='decision' name='if' rest='h.sum() > -9' lines=['line 22 · 15.38 > -9 · margin 24.4'/plain] box='b18' site=22:36-48 decisions=[7] origin='tensor')
# node n36 (kind='parameter' name='layers.1.inner.0.weight' lines=['float32 [2, 2] · [[-0.25, 0], [0.25, 0.5]]', 'grad [[0, 0], [8.25, 12.89]]'/gradient] box='b21' tensors=[4])
# node n37 (kind='parameter' name='layers.1.inner.0.bias' lines=['float32 [2] · [-0.25, 0]', 'grad [0, 2.75]'/gradient] box='b21' tensors=[5])
# node n12 (kind='op' name='linear' lines=['float32 [2, 2] · [[-0.75, 2], [-1.25, 4.188]]', 'grad [[0, 1.375], [0, 1.375]]'/gradient, 'line 22 · saves 32 B'/faint] box='b21' site=22:19-32 ops=[12])
# node n13 (kind='op' name='relu' lines=['float32 [2, 2] · [[0, 2], [0, 4.188]]', 'grad [[0.25, 1.375], [0.25, 1.375]]'/gradient, 'line 22 · saves 16 B'/faint] box='b22' site=22:19-32 ops=[13])
# node n38 (kind='parameter' name='layers.1.inner.2.weight' lines=['float32 [2, 2] · [[-0.25, 0], [0.25, 0.5]]', 'grad [[10, 20.83], [16.47, 33.48]]'/gradient] box='b23' tensors=[6])
# node n14 (kind='op' name='linear' lines=['float32 [2, 2] · [[0, 1], [0, 2.094]]', 'grad [[1.75, 2.75], [1.75, 2.75]]'/gradient, 'line 22 · saves 32 B'/faint] box='b23' site=22:19-32 ops=[14])
# node n15 (kind='op' name='add' lines=['float32 [2, 2] · [[2, 4], [4, 8.469]]', 'grad [[1.75, 2.75], [1.75, 2.75]]'/gradient, 'line 22'/faint] box='b19' site=22:15-32 ops=[15])
# node n29 (kind='decision' name='if' rest='t % 2' lines=['line 41 · 0 (python) · margin 0'/plain] box='b25' site=41:15-20 decisions=[9] origin='python')
# node n16 (kind='op' name='max' lines=['float32 [] · 8.469', 'line 43 · saves 16 B'/faint] box='b26' site=43:17-24 ops=[16])
# node n17 (kind='op' name='gt' rest='99' lines=['bool [] · False', 'line 43'/faint] box='b26' site=43:17-29 ops=[17])
# node n30 (kind='decision' name='elif' rest='h.max() > 99' lines=['line 43 · 8.469 > 99 · margin -90.5 → False'/plain] box='b26' site=43:17-29 decisions=[10] origin='tensor')
# node n31 (kind='decision' name='if' rest='t % 2' lines=['line 41 · 1 (python) · margin 1'/plain] box='b27' site=41:15-20 decisions=[11] origin='python')
# node n18 (kind='op' name='abs' lines=['float32 [2, 2] · [[2, 4], [4, 8.469]]', 'grad [[1.75, 2.75], [1.75, 2.75]]'/gradient, 'line 32 · saves 16 B'/faint] box='b31' site=32:12-19 ops=[18])
# node n19 (kind='op' name='add' rest='1 → output.1.last' lines=['float32 [2, 2] · [[3, 5], [5, 9.469]]', 'grad [[1.75, 2.75], [1.75, 2.75]]'/gradient, 'line 32'/faint] box='b31' site=32:12-23 ops=[19])
# node n20 (kind='op' name='sum' rest='→ output.1.sum' lines=['float32 [] · 22.47', 'grad 1'/gradient, 'line 45'/faint] site=45:30-37 ops=[20])
# node n21 (kind='op' name='abs' lines=['float32 [2, 2] · [[3, 5], [5, 9.469]]', 'grad [[-0.25, 0.75], [-0.25, 0.75]]'/gradient, 'line 32 · saves 16 B'/faint] box='b34' site=32:12-19 ops=[21])
# node n22 (kind='op' name='add' rest='1' lines=['float32 [2, 2] · [[4, 6], [6, 10.47]]', 'grad [[-0.25, 0.75], [-0.25, 0.75]]'/gradient, 'line 32'/faint] box='b34' site=32:12-23 ops=[22])
# node n39 (kind='leaf' name='layers.1.inner.2.weight' tensors=[6])
# node n23 (kind='op' name='matmul' rest='→ output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'grad [[1, 1], [1, 1]]'/gradient, 'line 46 · saves 32 B'/faint] site=46:11-51 ops=[23])
# node n25a0 (kind='ghost' name='' lines=['h = helper(h, t)'/source] box='bn25a0' site=41:15-20 span=[42, 42])
# node n26a0 (kind='ghost' name='' lines=['h = h / 2'/source] box='bn26a0' site=43:17-29 span=[44, 44])
# node n27a1 (kind='ghost' name='' lines=['elif h.max() > 99:'/source, '    h = h / 2'/source] box='bn27a1' site=41:15-20 span=[43, 44])
# node n29a0 (kind='ghost' name='' lines=['h = helper(h, t)'/source] box='bn29a0' site=41:15-20 span=[42, 42])
# node n30a0 (kind='ghost' name='' lines=['h = h / 2'/source] box='bn30a0' site=43:17-29 span=[44, 44])
# node n31a1 (kind='ghost' name='' lines=['elif h.max() > 99:'/source, '    h = h / 2'/source] box='bn31a1' site=41:15-20 span=[43, 44])
# node out0 (kind='output' name='output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'backward · seed ones'/gradient] tensors=[30])
# node out1 (kind='output' name='output.1.last' lines=['float32 [2, 2] · [[3, 5], [5, 9.469]]', 'backward · seed ones'/gradient] tensors=[26])
# node out2 (kind='output' name='output.1.sum' lines=['float32 [] · 22.47', 'backward · seed 1'/gradient] tensors=[27])
# edge n32 n0 data   both
# edge n0 n1 data   both
# edge n32 n2 data  [[0, 0], [0.4297, 0.8594]] both
# edge n33 n2 data  [[0, 0], [5.156, 6.875]] both
# edge n34 n2 data  [0, 1.719] both
# edge n2 n3 data  [[0, 0], [0, 1.719]] both
# edge n3 n4 data  [[-1.383, -1.719], [0.3359, 1.719]] both
# edge n35 n4 data  [[0, 5.758], [0, 9.453]] both
# edge n32 n5 data  [[2.094, -3.438], [2.094, 3.438]] both
# edge n4 n5 data  [[2.094, -3.438], [2.094, 3.438]] both
# edge n5 n6 data   both
# edge n6 n7 data   both
# edge n5 n8 data  [[2.094, -3.438], [2.094, 3.438]] both
# edge n8 n9 data  [[2.094, 3.438], [2.094, 3.438]] both
# edge n9 n10 data   both
# edge n10 n11 data   both
# edge n9 n12 data  [[0.3438, 0.6875], [0.3438, 0.6875]] both
# edge n36 n12 data  [[0, 0], [8.25, 12.89]] both
# edge n37 n12 data  [0, 2.75] both
# edge n12 n13 data  [[0, 1.375], [0, 1.375]] both
# edge n13 n14 data  [[0.25, 1.375], [0.25, 1.375]] both
# edge n38 n14 data  [[0, 10.83], [0, 17.02]] both
# edge n9 n15 data  [[1.75, 2.75], [1.75, 2.75]] both
# edge n14 n15 data  [[1.75, 2.75], [1.75, 2.75]] both
# edge n15 n16 data   both
# edge n16 n17 data   both
# edge n15 n18 data  [[1.75, 2.75], [1.75, 2.75]] both
# edge n18 n19 data  [[1.75, 2.75], [1.75, 2.75]] both
# edge n19 n20 data  [[1, 1], [1, 1]] both
# edge n19 n21 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n21 n22 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n22 n23 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n39 n23 data  [[10, 10], [16.47, 16.47]] both
# edge n1 n24 predicate   both
# edge n7 n26 predicate   both
# edge n11 n28 predicate   both
# edge n17 n30 predicate   both
# edge n24 n2 taken True  both
# edge n25 n25a0 left True  both
# edge n25 n6 taken False  both
# edge n26 n26a0 left True  both
# edge n27 n8 taken True  both
# edge n27 n27a1 left False  both
# edge n28 n12 taken True  both
# edge n29 n29a0 left True  both
# edge n29 n16 taken False  both
# edge n30 n30a0 left True  both
# edge n31 n18 taken True  both
# edge n31 n31a1 left False  both
# edge n23 out0 data   both
# edge n19 out1 data   both
# edge n20 out2 data   both
# unfit (option='only' word='33' known=['x', 'sum', 'gt', 'if', 'layers.0 … 1.inner.0.weight', 'layers.0 … 1.inner.0.bias', 'linear', 'relu', 'layers.0.inner.2.weight', 'layers.1.inner.2.weight', 'add', 'max', 'elif', 'abs', 'matmul', 'output.0', 'output.1.last', 'output.1.sum', 'for', '0 … 1', 'True', '0 … 1.inner', '0 … 1.inner.0', '0 … 1.inner.1', '0 … 1.inner.2', 'F', 'False', 'T', 'helper', '0', '0.inner', '0.inner.0', '0.inner.1', '0.inner.2', 'layers.0.inner.0.weight', 'layers.0.inner.0.bias', 'layers.1.inner.0.weight', 'layers.1.inner.0.bias'])
# graph [' · 24 ops · 14 decisions'] n = 2 only abs, 33
# box b1 (kind='loop' name='for' rest='layer in layers · line 38 · x 2' site=38:4-23 times=2)
# box b2 (kind='module' name='0 … 1' rest='x 2' parent='b1' times=2)
# box b3 (kind='arm' name='True' rest='x 2' parent='b2' site=22:36-48 times=2)
# box b8 (kind='loop' name='for' rest='t in range(n) · line 40 · x 4 = 2 x 2 · F, T' parent='b1' site=40:8-25 times=4)
# box b11 (kind='kind' name='T' rest='x 2 · t % 2 True' parent='b8' site=40:8-25 times=2)
# box b12 (kind='arm' name='True' rest='x 2' parent='b11' site=41:15-20 times=2)
# box b13 (kind='call' name='helper' rest='x 2' parent='b12' times=2)
# box b14 (kind='loop' name='for' rest='_ in range(times) · line 31 · x 2 = 2 x 1' parent='b13' site=31:4-25 times=2)
# box b15 (kind='call' name='helper')
# box b16 (kind='loop' name='for' rest='_ in range(times) · line 31 · x 1' parent='b15' site=31:4-25)
# node n5 (kind='op' name='add' lines=['float32 [2, 2] · -2 to 5.38 … 2 to 8.47', 'line 22 · x2'/faint] box='b3' site=22:15-32 ops=[5, 15]) (each=[[0, 'float32 [2, 2] · [[1, -2], [3, 5.375]]', '[[2.094, -3.438], [2.094, 3.438]]'], [1, 'float32 [2, 2] · [[2, 4], [4, 8.469]]', '[[1.75, 2.75], [1.75, 2.75]]']])
# node n17 (kind='decision' name='if' rest='t % 2' lines=['line 41 · True x2'/plain, '1 (python)'/plain, 'margin 1'/plain] box='b11' site=41:15-20 decisions=[5, 11] origin='python') (each=[[1, 'True · 1', ''], [3, 'True · 1', '']])
# node n8 (kind='op' name='abs' lines=['float32 [2, 2] · 1 to 5.38 … 2 to 8.47', 'line 32 · x2 · saves 32 B'/faint] box='b14' site=32:12-19 ops=[8, 18]) (each=[[0, 'float32 [2, 2] · [[1, 2], [3, 5.375]]', '[[2.094, 3.438], [2.094, 3.438]]'], [1, 'float32 [2, 2] · [[2, 4], [4, 8.469]]', '[[1.75, 2.75], [1.75, 2.75]]']])
# node n9 (kind='op' name='add' rest='1' lines=['float32 [2, 2] · 2 to 6.38 … 3 to 9.47', 'line 32 · x2'/faint] box='b14' site=32:12-23 ops=[9, 19]) (each=[[0, 'float32 [2, 2] · [[2, 3], [4, 6.375]]', '[[2.094, 3.438], [2.094, 3.438]]'], [1, 'float32 [2, 2] · [[3, 5], [5, 9.469]]', '[[1.75, 2.75], [1.75, 2.75]]']])
# node n11 (kind='op' name='abs' lines=['float32 [2, 2] · [[3, 5], [5, 9.469]]', 'line 32 · saves 16 B'/faint] box='b16' site=32:12-19 ops=[21])
# node n12 (kind='op' name='add' rest='1' lines=['float32 [2, 2] · [[4, 6], [6, 10.47]]', 'line 32'/faint] box='b16' site=32:12-23 ops=[22])
# edge n5 n8 data   both
# edge n8 n9 data   both
# edge n9 n11 data   both
# edge n11 n12 data   both
# edge n17 n8 taken True x2  both
# unfit (option='collapse' word='none' known=['for', '0', '0.inner', '0.inner.0', '0.inner.1', '0.inner.2', 'helper'])
# graph [' · 24 ops · 14 decisions'] n = 2 nothing fits --only nothing
# graph [' · 24 ops · 14 decisions'] n = 2 drawn 1 deep
# box b1 (kind='loop' name='for' rest='layer in layers · line 38 · x 2' site=38:4-23 times=2)
# box b19 (kind='call' name='helper')
# node n6 (kind='input' name='x' lines=['float32 [2, 2] · [[1, -2], [3, 4]]', 'grad [[2.094, -3.438], [2.523, 4.297]]'/gradient] tensors=[0])
# node n7 (kind='parameter' name='layers.1.inner.2.weight' lines=['float32 [2, 2] · [[-0.25, 0], [0.25, 0.5]]', 'grad [[10, 20.83], [16.47, 33.48]]'/gradient] tensors=[6])
# node n0 (kind='fold' name='0' lines=['6 ops · 1 decision · saves 80 B', 'linear x2, sum, gt, relu, …'/faint, 'float32 [2, 2] · [[1, -2], [3, 5.375]]', 'if h.sum() > -9 → True'/plain, '3 parameters · grad norm 14.1'/gradient] box='b1' ops=[0, 1, 2, 3, 4, 5] decisions=[1] tensors=[1, 2, 3])
# node n1 (kind='fold' name='for' rest='t in range(n) · line 40 · x 4 = 2 x 2 · 2 kinds of step' lines=['8 ops · 6 decisions · saves 64 B', 'max, gt, abs, add'/faint, 'float32 [2, 2] · 2 to 6.38 … 3 to 9.47', 'if t % 2 → (False, True) x2'/plain, 'elif h.max() > 99 → False x2'/plain] box='b1' site=40:8-25 ops=[6, 7, 8, 9, 16, 17, 18, 19] decisions=[3, 4, 5, 9, 10, 11])
# node n2 (kind='fold' name='1' lines=['6 ops · 1 decision · saves 80 B', 'linear x2, sum, gt, relu, …'/faint, 'float32 [2, 2] · [[2, 4], [4, 8.469]]', 'if h.sum() > -9 → True'/plain, '2 parameters · grad norm 15.5'/gradient] box='b1' ops=[10, 11, 12, 13, 14, 15] decisions=[7] tensors=[4, 5])
# node n3 (kind='op' name='sum' rest='→ output.1.sum' lines=['float32 [] · 22.47', 'line 45'/faint] site=45:30-37 ops=[20])
# node n4 (kind='fold' name='for' rest='_ in range(times) · line 31 · x 1' lines=['2 ops · saves 16 B', 'abs, add'/faint, 'float32 [2, 2] · [[4, 6], [6, 10.47]]'] box='b19' site=31:4-25 ops=[21, 22])
# node n5 (kind='op' name='matmul' rest='→ output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'line 46 · saves 32 B'/faint] site=46:11-51 ops=[23])
# node out0 (kind='output' name='output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'backward · seed ones'/gradient] tensors=[30])
# node out1 (kind='output' name='output.1.last' lines=['float32 [2, 2] · [[3, 5], [5, 9.469]]', 'backward · seed ones'/gradient] tensors=[26])
# node out2 (kind='output' name='output.1.sum' lines=['float32 [] · 22.47', 'backward · seed 1'/gradient] tensors=[27])
# edge n6 n0 data   both
# edge n0 n1 data   both
# edge n1 n2 carried   both
# edge n7 n2 data   both
# edge n2 n1 carried   both
# edge n1 n3 data   both
# edge n1 n4 data   both
# edge n4 n5 data   both
# edge n7 n5 data   both
# edge n5 out0 data   both
# edge n1 out1 data   both
# edge n3 out2 data   both
# graph [' · 24 ops · 14 decisions'] n = 2 drawn 1 deep
# box b1 (kind='loop' name='for' rest='layer in layers · line 38 · x 2' site=38:4-23 times=2)
# box b21 (kind='call' name='helper')
# node n6 (kind='input' name='x' lines=['float32 [2, 2] · [[1, -2], [3, 4]]', 'grad [[2.094, -3.438], [2.523, 4.297]]'/gradient] tensors=[0])
# node n7 (kind='parameter' name='layers.0.inner.0 … 2.weight' rest='x2' lines=['float32 [2, 2] · [[-0.25, 0], [0.25, 0.5]]', 'grad 0 to 6.88 … 0 to 9.45'/gradient] tensors=[1, 3])
# node n8 (kind='parameter' name='layers.0.inner.0.bias' lines=['float32 [2] · [-0.25, 0]', 'grad [0, 1.719]'/gradient] tensors=[2])
# node n9 (kind='parameter' name='layers.1.inner.0.weight' lines=['float32 [2, 2] · [[-0.25, 0], [0.25, 0.5]]', 'grad [[0, 0], [8.25, 12.89]]'/gradient] tensors=[4])
# node n10 (kind='parameter' name='layers.1.inner.0.bias' lines=['float32 [2] · [-0.25, 0]', 'grad [0, 2.75]'/gradient] tensors=[5])
# node n11 (kind='parameter' name='layers.1.inner.2.weight' lines=['float32 [2, 2] · [[-0.25, 0], [0.25, 0.5]]', 'grad [[10, 20.83], [16.47, 33.48]]'/gradient] tensors=[6])
# node n0 (kind='fold' name='0' lines=['6 ops · 1 decision · saves 80 B', 'linear x2, sum, gt, relu, …'/faint, 'float32 [2, 2] · [[1, -2], [3, 5.375]]', 'grad [[2.094, -3.438], [2.094, 3.438]]'/gradient, 'if h.sum() > -9 → True'/plain] box='b1' ops=[0, 1, 2, 3, 4, 5] decisions=[1])
# node n1 (kind='fold' name='for' rest='t in range(n) · line 40 · x 4 = 2 x 2 · F, T' lines=['8 ops · 6 decisions · saves 64 B', 'max, gt, abs, add'/faint, 'float32 [2, 2] · 2 to 6.38 … 3 to 9.47', 'grad 2.09 to 3.44 … 1.75 to 2.75'/gradient, 'if t % 2 → (False, True) x2'/plain, 'elif h.max() > 99 → False x2'/plain] box='b1' site=40:8-25 ops=[6, 7, 8, 9, 16, 17, 18, 19] decisions=[3, 4, 5, 9, 10, 11])
# node n2 (kind='fold' name='1' lines=['6 ops · 1 decision · saves 80 B', 'linear x2, sum, gt, relu, …'/faint, 'float32 [2, 2] · [[2, 4], [4, 8.469]]', 'grad [[1.75, 2.75], [1.75, 2.75]]'/gradient, 'if h.sum() > -9 → True'/plain] box='b1' ops=[10, 11, 12, 13, 14, 15] decisions=[7])
# node n3 (kind='op' name='sum' rest='→ output.1.sum' lines=['float32 [] · 22.47', 'grad 1'/gradient, 'line 45'/faint] site=45:30-37 ops=[20])
# node n4 (kind='fold' name='for' rest='_ in range(times) · line 31 · x 1' lines=['2 ops · saves 16 B', 'abs, add'/faint, 'float32 [2, 2] · [[4, 6], [6, 10.47]]', 'grad [[-0.25, 0.75], [-0.25, 0.75]]'/gradient] box='b21' site=31:4-25 ops=[21, 22])
# node n5 (kind='op' name='matmul' rest='→ output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'grad [[1, 1], [1, 1]]'/gradient, 'line 46 · saves 32 B'/faint] site=46:11-51 ops=[23])
# node out0 (kind='output' name='output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'backward · seed ones'/gradient] tensors=[30])
# node out1 (kind='output' name='output.1.last' lines=['float32 [2, 2] · [[3, 5], [5, 9.469]]', 'backward · seed ones'/gradient] tensors=[26])
# node out2 (kind='output' name='output.1.sum' lines=['float32 [] · 22.47', 'backward · seed 1'/gradient] tensors=[27])
# edge n6 n0 data  0 to 0.859 … -3.44 to 3.44 both
# edge n7 n0 data  0 to 6.88 … 0 to 9.45 both
# edge n8 n0 data  [0, 1.719] both
# edge n0 n1 data  [[2.094, -3.438], [2.094, 3.438]] both
# edge n1 n2 carried  0.344 to 0.688 … 1.75 to 2.75 both
# edge n9 n2 data  [[0, 0], [8.25, 12.89]] both
# edge n10 n2 data  [0, 2.75] both
# edge n11 n2 data  [[0, 10.83], [0, 17.02]] both
# edge n2 n1 carried  [[1.75, 2.75], [1.75, 2.75]] both
# edge n1 n3 data  [[1, 1], [1, 1]] both
# edge n1 n4 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n4 n5 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n11 n5 data  [[10, 10], [16.47, 16.47]] both
# edge n5 out0 data   both
# edge n1 out1 data   both
# edge n3 out2 data   both
# unfit (option='expand' word='then' known=['for', '0', '0.inner', '0.inner.0', '0.inner.1', '0.inner.2', 'helper'])
# graph [' · 24 ops · 14 decisions'] n = 2 too much to unfold: see --max-nodes · every 12 ops are drawn as one
# node n3 (kind='input' name='x' lines=['float32 [2, 2] · [[1, -2], [3, 4]]', 'grad [[2.094, -3.438], [2.523, 4.297]]'/gradient] tensors=[0])
# node n0 (kind='fold' name='for' rest='layer in layers · line 38 · x 2' lines=['20 ops · saves 224 B', 'gt x2, linear x2, add x2, sum, …'/faint, 'float32 [2, 2] · [[3, 5], [5, 9.469]]', 'grad [[1.75, 2.75], [1.75, 2.75]]'/gradient, '6 parameters · grad norm 48.7'/gradient] site=38:4-23 ops=[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19] tensors=[1, 2, 3, 4, 5, 6])
# node n1 (kind='fold' name='ops' rest='20 to 23' lines=['2 ops · saves 32 B', 'sum, matmul'/faint, 'lines 45 to 46'/faint] site=45:30-37 ops=[20, 23])
# node n2 (kind='fold' name='helper' lines=['2 ops · saves 16 B', 'abs, add'/faint, 'float32 [2, 2] · [[4, 6], [6, 10.47]]', 'grad [[-0.25, 0.75], [-0.25, 0.75]]'/gradient] ops=[21, 22])
# node out0 (kind='output' name='output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'backward · seed ones'/gradient] tensors=[30])
# node out1 (kind='output' name='output.1.last' lines=['float32 [2, 2] · [[3, 5], [5, 9.469]]', 'backward · seed ones'/gradient] tensors=[26])
# node out2 (kind='output' name='output.1.sum' lines=['float32 [] · 22.47', 'backward · seed 1'/gradient] tensors=[27])
# edge n3 n0 data  0 to 0.859 … -3.44 to 3.44 both
# edge n0 n1 data  [[1, 1], [1, 1]] both
# edge n0 n2 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n2 n1 carried  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n1 out0 data   both
# edge n0 out1 data   both
# edge n1 out2 data   both
# graph [' · 24 ops · 14 decisions'] n = 2 all steps of a loop are drawn as one
# box b1 (kind='loop' name='for' rest='layer in layers · line 38 · x 2' site=38:4-23 times=2)
# box b2 (kind='module' name='0 … 1' rest='x 2' parent='b1' times=2)
# box b3 (kind='arm' name='True' rest='x 2' parent='b2' site=22:36-48 times=2)
# box b4 (kind='module' name='0 … 1.inner' rest='x 2' parent='b3' times=2)
# box b8 (kind='loop' name='for' rest='t in range(n) · line 40 · x 4 = 2 x 2 · 2 kinds of step' parent='b1' site=40:8-25 times=4)
# box b9 (kind='arm' name='False' rest='x 2' parent='b8' site=41:15-20 times=2)
# box b10 (kind='arm' name='True' rest='x 2' parent='b8' site=41:15-20 times=2)
# box b11 (kind='call' name='helper' rest='x 2' parent='b10' times=2)
# box b12 (kind='loop' name='for' rest='_ in range(times) · line 31 · x 2 = 2 x 1' parent='b11' site=31:4-25 times=2)
# box b13 (kind='call' name='helper')
# box b14 (kind='loop' name='for' rest='_ in range(times) · line 31 · x 1' parent='b13' site=31:4-25)
# box bn16a0 (kind='left' name='True' rest='line 44' parent='b9' site=43:17-29 times=0)
# node n17 (kind='input' name='x' lines=['float32 [2, 2] · [[1, -2], [3, 4]]', 'grad [[2.094, -3.438], [2.523, 4.297]]'/gradient] tensors=[0])
# node n0 (kind='op' name='sum' lines=['float32 [] · 6 … 15.38', 'line 22 · x2'/faint] box='b2' site=22:36-43 ops=[0, 10]) (each=[[0, 'float32 [] · 6', ''], [1, 'float32 [] · 15.38', '']])
# node n1 (kind='op' name='gt' rest='-9' lines=['bool [] · True', 'line 22 · x2'/faint] box='b2' site=22:36-48 ops=[1, 11]) (each=[[0, 'bool [] · True', ''], [1, 'bool [] · True', '']])
# node n14 (kind='decision' name='if' rest='h.sum() > -9' lines=['line 22 · True x2'/plain, '6 … 15.38 > -9'/plain, 'margin 15'/plain] box='b2' site=22:36-48 decisions=[1, 7] origin='tensor') (each=[[0, 'True · 6 > -9', ''], [1, 'True · 15.38 > -9', '']])
# node n2 (kind='module' name='0' rest='linear' lines=['float32 [2, 2] · -1 to 2.75 … -1.25 to 4.19', 'grad 0 to 1.72 … 0 to 1.38'/gradient, 'weight grad 0 to 6.88 … 0 to 12.9'/gradient, 'bias [2] · grad [0, 1.719] … [0, 2.75]'/gradient, 'line 22 · x2'/faint] box='b4' ops=[2, 12] tensors=[1, 2, 4, 5]) (each=[[0, 'float32 [2, 2] · [[-0.5, -0.75], [-1, 2.75]]', '[[0, 0], [0, 1.719]]'], [1, 'float32 [2, 2] · [[-0.75, 2], [-1.25, 4.188]]', '[[0, 1.375], [0, 1.375]]']])
# node n3 (kind='module' name='1' rest='relu' lines=['float32 [2, 2] · 0 to 2.75 … 0 to 4.19', 'grad -1.72 to 1.72 … 0.25 to 1.38'/gradient, 'line 22 · x2'/faint] box='b4' ops=[3, 13]) (each=[[0, 'float32 [2, 2] · [[0, 0], [0, 2.75]]', '[[-1.383, -1.719], [0.3359, 1.719]]'], [1, 'float32 [2, 2] · [[0, 2], [0, 4.188]]', '[[0.25, 1.375], [0.25, 1.375]]']])
# node n4 (kind='module' name='2' rest='linear' lines=['float32 [2, 2] · 0 to 1.38 … 0 to 2.09', 'grad -3.44 to 3.44 … 1.75 to 2.75'/gradient, 'weight grad 0 to 9.45 … 10 to 33.5'/gradient, 'line 22 · x2'/faint] box='b4' ops=[4, 14] tensors=[3, 6]) (each=[[0, 'float32 [2, 2] · [[0, 0], [0, 1.375]]', '[[2.094, -3.438], [2.094, 3.438]]'], [1, 'float32 [2, 2] · [[0, 1], [0, 2.094]]', '[[1.75, 2.75], [1.75, 2.75]]']])
# node n5 (kind='op' name='add' lines=['float32 [2, 2] · -2 to 5.38 … 2 to 8.47', 'grad -3.44 to 3.44 … 1.75 to 2.75'/gradient, 'line 22 · x2'/faint] box='b3' site=22:15-32 ops=[5, 15]) (each=[[0, 'float32 [2, 2] · [[1, -2], [3, 5.375]]', '[[2.094, -3.438], [2.094, 3.438]]'], [1, 'float32 [2, 2] · [[2, 4], [4, 8.469]]', '[[1.75, 2.75], [1.75, 2.75]]']])
# node n15 (kind='decision' name='if' rest='t % 2' lines=['line 41 · (False, True) x2'/plain, '0 … 1 (python)'/plain, 'margin 0'/plain] box='b8' site=41:15-20 decisions=[3, 5, 9, 11] origin='python') (each=[[0, 'False · 0', ''], [1, 'True · 1', ''], [2, 'False · 0', ''], [3, 'True · 1', '']])
# node n6 (kind='op' name='max' lines=['float32 [] · 5.375 … 8.469', 'line 43 · x2'/faint] box='b9' site=43:17-24 ops=[6, 16]) (each=[[0, 'float32 [] · 5.375', ''], [2, 'float32 [] · 8.469', '']])
# node n7 (kind='op' name='gt' rest='99' lines=['bool [] · False', 'line 43 · x2'/faint] box='b9' site=43:17-29 ops=[7, 17]) (each=[[0, 'bool [] · False', ''], [2, 'bool [] · False', '']])
# node n16 (kind='decision' name='elif' rest='h.max() > 99' lines=['line 43 · False x2'/plain, '5.375 … 8.469 > 99'/plain, 'margin -90.5'/plain] box='b9' site=43:17-29 decisions=[4, 10] origin='tensor') (each=[[0, 'False · 5.375 > 99', ''], [2, 'False · 8.469 > 99', '']])
# node n8 (kind='op' name='abs' lines=['float32 [2, 2] · 1 to 5.38 … 2 to 8.47', 'grad 2.09 to 3.44 … 1.75 to 2.75'/gradient, 'line 32 · x2'/faint] box='b12' site=32:12-19 ops=[8, 18]) (each=[[0, 'float32 [2, 2] · [[1, 2], [3, 5.375]]', '[[2.094, 3.438], [2.094, 3.438]]'], [1, 'float32 [2, 2] · [[2, 4], [4, 8.469]]', '[[1.75, 2.75], [1.75, 2.75]]']])
# node n9 (kind='op' name='add' rest='1' lines=['float32 [2, 2] · 2 to 6.38 … 3 to 9.47', 'grad 2.09 to 3.44 … 1.75 to 2.75'/gradient, 'line 32 · x2'/faint] box='b12' site=32:12-23 ops=[9, 19]) (each=[[0, 'float32 [2, 2] · [[2, 3], [4, 6.375]]', '[[2.094, 3.438], [2.094, 3.438]]'], [1, 'float32 [2, 2] · [[3, 5], [5, 9.469]]', '[[1.75, 2.75], [1.75, 2.75]]']])
# node n10 (kind='op' name='sum' rest='→ output.1.sum' lines=['float32 [] · 22.47', 'grad 1'/gradient, 'line 45'/faint] site=45:30-37 ops=[20])
# node n11 (kind='op' name='abs' lines=['float32 [2, 2] · [[3, 5], [5, 9.469]]', 'grad [[-0.25, 0.75], [-0.25, 0.75]]'/gradient, 'line 32'/faint] box='b14' site=32:12-19 ops=[21])
# node n12 (kind='op' name='add' rest='1' lines=['float32 [2, 2] · [[4, 6], [6, 10.47]]', 'grad [[-0.25, 0.75], [-0.25, 0.75]]'/gradient, 'line 32'/faint] box='b14' site=32:12-23 ops=[22])
# node n13 (kind='op' name='matmul' rest='→ output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'grad [[1, 1], [1, 1]]'/gradient, 'with layers.1.inner.2.weight'/parameter, 'line 46'/faint] site=46:11-51 ops=[23])
# node n16a0 (kind='ghost' name='' lines=['h = h / 2'/source] box='bn16a0' site=43:17-29 span=[44, 44])
# node out0 (kind='output' name='output.0' lines=['float32 [2, 2] · [[0.5, 3], [1.117, 5.234]]', 'backward · seed ones'/gradient] tensors=[30])
# node out1 (kind='output' name='output.1.last' lines=['float32 [2, 2] · [[3, 5], [5, 9.469]]', 'backward · seed ones'/gradient] tensors=[26])
# node out2 (kind='output' name='output.1.sum' lines=['float32 [] · 22.47', 'backward · seed 1'/gradient] tensors=[27])
# edge n17 n0 data   both
# edge n0 n1 data   both
# edge n17 n2 data  [[0, 0], [0.4297, 0.8594]] both
# edge n2 n3 data  0 to 1.72 … 0 to 1.38 both
# edge n3 n4 data  -1.72 to 1.72 … 0.25 to 1.38 both
# edge n17 n5 data  [[2.094, -3.438], [2.094, 3.438]] both
# edge n4 n5 data  -3.44 to 3.44 … 1.75 to 2.75 both
# edge n5 n6 data   both
# edge n6 n7 data   both
# edge n5 n8 data  -3.44 to 3.44 … 1.75 to 2.75 both
# edge n8 n9 data  2.09 to 3.44 … 1.75 to 2.75 both
# edge n9 n0 carried   both
# edge n9 n2 carried  [[0.3438, 0.6875], [0.3438, 0.6875]] both
# edge n9 n5 carried  [[1.75, 2.75], [1.75, 2.75]] both
# edge n9 n10 data  [[1, 1], [1, 1]] both
# edge n9 n11 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n11 n12 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n12 n13 data  [[-0.25, 0.75], [-0.25, 0.75]] both
# edge n1 n14 predicate   both
# edge n7 n16 predicate   both
# edge n14 n2 taken True x2  both
# edge n15 n8 taken True x2  both
# edge n15 n6 taken False x2  both
# edge n16 n16a0 left True  both
# edge n13 out0 data   both
# edge n9 out1 data   both
# edge n10 out2 data   both
