# run: {"inputs": ["[1, -2]"], "watches": ["y", "self.total", "self.last", "count"], "breaks": ["norm(out) > 3", "line:25"], "patches": ["count=4", "z=[0.5, 0.5]"]}
import dyncore as torch
from dyncore import nn


class Sum(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = torch.zeros(2)

    def forward(self, v):
        self.total = self.total + v
        for self.last, *[self].copy()[0].rest in [(1, 2)]:
            pass
        return self.total


net = Sum()


def forward(x):
    y, count = x, 0
    for count, step in enumerate((1, 2)):
        y = y * 2
        z = net(y) + step
        y += z
    with torch.enable_grad() as mode, torch.no_grad():
        (y, *rest), flag = (y, 1), mode
    return y.sum() * count

# ----
# ok forced=() unrecorded=() None
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# scopes 2 (parent=1 kind='iteration' name='for count, step in enumerate((1, 2))' site=23:4-40 index=0 decision=0)
# scopes 3 (parent=2 kind='module' name='net')
# scopes 4 (parent=3 kind='call' name='Sum.forward')
# scopes 5 (parent=1 kind='iteration' name='for count, step in enumerate((1, 2))' site=23:4-40 index=1 decision=0)
# scopes 6 (parent=5 kind='module' name='net')
# scopes 7 (parent=6 kind='call' name='Sum.forward')
# calls 0 (line=11 times=2 returned=2)
# calls 1 (line=21 times=1 returned=1)
# calls 2 (line=7 times=0 returned=0)
# tensors 0 (shape=[2] role='input' name='x' requires_grad=True values=[1, -2])
# tensors 1 (shape=[2] role='constant' values=[0, 0])
# tensors 2 (shape=[2] role='constant' values=[0.5, 0.5])
# tensors 3 (shape=[2] role='constant' values=[0.5, 0.5])
# tensors 4 (shape=[2] requires_grad=True values=[2, -4] op=0)
# tensors 5 (shape=[2] requires_grad=True values=[2, -4] op=1)
# tensors 6 (shape=[2] requires_grad=True values=[3, -3] op=2)
# tensors 7 (shape=[2] requires_grad=True values=[2.5, -3.5] op=3 shares=4)
# tensors 8 (shape=[2] requires_grad=True values=[5, -7] op=4)
# tensors 9 (shape=[2] requires_grad=True values=[7, -11] op=5)
# tensors 10 (shape=[2] requires_grad=True values=[9, -9] op=6)
# tensors 11 (shape=[2] requires_grad=True values=[5.5, -6.5] op=7 shares=8)
# tensors 12 (shape=[] requires_grad=True values=[-1] op=8)
# tensors 13 (shape=[] name='output' requires_grad=True values=[-4] op=9)
# tensors 14 (shape=[2] role='gradient' name='x.grad' values=[16, 16])
# tensors 15 (shape=[] role='gradient' values=[1])
# tensors 16 (shape=[] role='gradient' values=[4])
# tensors 17 (shape=[2] role='gradient' values=[4, 4])
# tensors 18 (shape=[2] role='gradient' values=[4, 4])
# tensors 19 (shape=[2] role='gradient' values=[8, 8])
# tensors 20 (shape=[2] role='gradient' values=[8, 8])
# tensors 21 (shape=[] role='gradient' values=[4])
# tensors 22 (shape=[2] role='gradient' values=[4, 4])
# tensors 23 (shape=[2] role='gradient' values=[4, 4])
# tensors 24 (shape=[2] role='gradient' values=[8, 8])
# tensors 25 (shape=[2] role='gradient' values=[8, 8])
# tensors 26 (shape=[2] role='gradient' values=[16, 16])
# ops 0 (name='mul' inputs=[0] outputs=[4] site=24:12-17 args='2' scope=2 under=0 grad_fn='MulBackward0')
# ops 1 (name='add' inputs=[1, 4] outputs=[5] site=12:21-35 scope=4 under=0 grad_fn='AddBackward0')
# ops 2 (name='add' inputs=[5] outputs=[6] site=25:12-25 args='1' scope=2 under=0 grad_fn='AddBackward0')
# ops 3 (name='add_' inputs=[4, 2] outputs=[7] site=26:8-14 scope=2 under=0 grad_fn='AddBackward0' inplace=True)
# ops 4 (name='mul' inputs=[7] outputs=[8] site=24:12-17 args='2' scope=5 under=0 grad_fn='MulBackward0')
# ops 5 (name='add' inputs=[5, 8] outputs=[9] site=12:21-35 scope=7 under=0 grad_fn='AddBackward0')
# ops 6 (name='add' inputs=[9] outputs=[10] site=25:12-25 args='2' scope=5 under=0 grad_fn='AddBackward0')
# ops 7 (name='add_' inputs=[8, 3] outputs=[11] site=26:8-14 scope=5 under=0 grad_fn='AddBackward0' inplace=True)
# ops 8 (name='sum' inputs=[11] outputs=[12] site=29:11-18 scope=1 grad_fn='SumBackward0')
# ops 9 (name='mul' inputs=[12] outputs=[13] site=29:11-26 args='4' scope=1 grad_fn='MulBackward0')
# decisions 0 (site=23:4-40 arm='loop' outcome=2 trips=2 exit='exhausted' call_path=['forward'] scope=1 until=3)
# decisions 1 (site=13:8-57 arm='loop' outcome=1 trips=1 exit='exhausted' iterations=[[23, 0]] call_path=['forward', 'Sum.forward'] under=0 scope=4 until=2)
# decisions 2 (site=13:8-57 arm='loop' outcome=1 trips=1 exit='exhausted' iterations=[[23, 1]] call_path=['forward', 'Sum.forward'] under=0 scope=7 until=3)
# inputs 0 (name='x' tensor=0)
# outputs 0 (name='output' tensor=13)
# backwards 0 (site=None root=13 seed='1' gradients=[(name='x' tensor=0 role='input' value=14), (name='output' tensor=13 role='intermediate' value=15), (name='t12' tensor=12 role='intermediate' value=16), (name='t11' tensor=11 role='intermediate' value=17), (name='t8' tensor=8 role='intermediate' value=18), (name='t7' tensor=7 role='intermediate' value=19), (name='t4' tensor=4 role='intermediate' value=20)] after=10 nodes=[9, 8, 7, 4, 3, 0])
# notices 0 (kind='watch' name='self.total' line=9 value='[0, 0]')
# notices 1 (kind='patch' name='count=4' line=22 value='0')
# notices 2 (kind='watch' name='y' line=22 value='[1, -2]')
# notices 3 (kind='watch' name='count' line=22 value='4')
# notices 4 (kind='patch' name='count=4' line=23 value='0')
# notices 5 (kind='stop' name='norm(out) > 3' line=24 value='mul' op=0)
# notices 6 (kind='watch' name='y' line=24 value='[2, -4]')
# notices 7 (kind='stop' name='line:25' line=25)
# notices 8 (kind='stop' name='norm(out) > 3' line=12 value='add' op=1)
# notices 9 (kind='watch' name='self.total' line=12 value='[2, -4]')
# notices 10 (kind='watch' name='self.last' line=13 value='1')
# notices 11 (kind='stop' name='norm(out) > 3' line=25 value='add' op=2)
# notices 12 (kind='patch' name='z=[0.5, 0.5]' line=25 value='[3, -3]')
# notices 13 (kind='stop' name='norm(out) > 3' line=26 value='add' op=3)
# notices 14 (kind='watch' name='y' line=26 value='[2.5, -3.5]')
# notices 15 (kind='patch' name='count=4' line=23 value='1')
# notices 16 (kind='stop' name='norm(out) > 3' line=24 value='mul' op=4)
# notices 17 (kind='watch' name='y' line=24 value='[5, -7]')
# notices 18 (kind='stop' name='line:25' line=25)
# notices 19 (kind='stop' name='norm(out) > 3' line=12 value='add' op=5)
# notices 20 (kind='watch' name='self.total' line=12 value='[7, -11]')
# notices 21 (kind='stop' name='norm(out) > 3' line=25 value='add' op=6)
# notices 22 (kind='patch' name='z=[0.5, 0.5]' line=25 value='[9, -9]')
# notices 23 (kind='stop' name='norm(out) > 3' line=26 value='add' op=7)
# notices 24 (kind='watch' name='y' line=26 value='[5.5, -6.5]')
# notices 25 (kind='stop' name='norm(out) > 3' line=29 value='mul' op=9)
# edges [[9, 12, 21], [8, 11, 22], [7, 8, 23], [4, 7, 24], [3, 4, 25], [0, 0, 26]]
# left []
# reached {2: 1, 3: 1, 6: 1, 11: 2, 12: 2, 13: 2, 14: 2, 15: 2, 18: 1, 21: 1, 22: 1, 23: 1, 24: 2, 25: 2, 26: 2, 27: 1, 28: 1, 29: 1}
# line 13 [(test='' took='1 trip' values='')] None
# line 23 [(test='' took='2 trips' values='')] None
# decided (decisions=[0] because='2 trips' took='exhausted' left='' margin=None)
# decided (decisions=[1, 2] because='1 trip' took='1 trip x2' left='' margin=None nesting=1)
# gradient (name='x' shape='[2]' values='[16, 16]')
# cost (label='outside any module' first=0 ops=8 nodes=6)
# cost (label='net' first=1 ops=2)
# cost (label='for count, step in enumerate((1, 2)) → loop' first=0 site=23:4-40 ops=8 nodes=4)
# cost (label='whatever was decided' first=8 ops=2 nodes=2)
# cost (label='add' first=1 ops=4)
# cost (label='mul' first=0 ops=3 nodes=3)
# cost (label='add_' first=3 ops=2 nodes=2)
# cost (label='sum' first=8 ops=1 nodes=1)
# held (size_bytes=8 why='input' tensor=0)
# held (size_bytes=8 why='constant' tensor=1)
# held (size_bytes=8 why='value' tensor=4 op=0)
# held (size_bytes=8 why='value' tensor=5 op=1)
# memory 0 of [16, 32, 32, 32, 32, 32, 32, 24, 20, 16, 20, 24, 28, 28, 28, 28]
# named ['', 'forward', 'for count, step in enumerate((1, 2)) line 23 step 0', 'net', 'Sum.forward', 'for count, step in enumerate((1, 2)) line 23 step 1', 'net', 'Sum.forward']
# graph [' · 10 ops · 3 decisions']
# box b1 (kind='loop' name='for' rest='count, step in enumerate((1, 2)) · line 23 · x 2' site=23:4-40 times=2)
# box b2 (kind='module' name='net' rest='x 2' parent='b1' times=2)
# box bn6a0 (kind='arm' name='loop' rest='line 14' parent='b2' site=13:8-57 times=2)
# node n7 (kind='input' name='x' lines=['float32 [2] · [1, -2]', 'grad [16, 16]'/gradient] tensors=[0])
# node n9 (kind='constant' name='constant' rest='x2' lines=['float32 [2] · [0.5, 0.5]'] tensors=[2, 3])
# node n0 (kind='op' name='mul' rest='2' lines=['float32 [2] · [2, -4] … [5, -7]', 'grad [8, 8] … [4, 4]'/gradient, 'line 24 · x2'/faint] box='b1' site=24:12-17 ops=[0, 4]) (each=[[0, 'float32 [2] · [2, -4]', '[8, 8]'], [1, 'float32 [2] · [5, -7]', '[4, 4]']])
# node n8 (kind='constant' name='constant' lines=['float32 [2] · [0, 0]'] box='b2' tensors=[1])
# node n1 (kind='op' name='add' lines=['float32 [2] · [2, -4] … [7, -11]', 'line 12 · x2'/faint] box='b2' site=12:21-35 ops=[1, 5]) (each=[[0, 'float32 [2] · [2, -4]', ''], [1, 'float32 [2] · [7, -11]', '']])
# node n6 (kind='decision' name='for' rest='self.last, *[self].copy()[0].rest in [(1, 2)]' lines=['line 13 · 1 trip x2'/plain, '1 trip (python)'/plain] box='b2' site=13:8-57 decisions=[1, 2] origin='python') (each=[[0, '1 trip · 1 trip', ''], [1, '1 trip · 1 trip', '']])
# node n2 (kind='op' name='add' rest='1 … 2' lines=['float32 [2] · [3, -3] … [9, -9]', 'line 25 · x2'/faint] box='b1' site=25:12-25 ops=[2, 6]) (each=[[0, 'float32 [2] · [3, -3]', ''], [1, 'float32 [2] · [9, -9]', '']])
# node n3 (kind='op' name='add_' lines=['float32 [2] · [2.5, -3.5] … [5.5, -6.5]', 'grad [8, 8] … [4, 4]'/gradient, 'line 26 · x2'/faint] box='b1' site=26:8-14 ops=[3, 7]) (each=[[0, 'float32 [2] · [2.5, -3.5]', '[8, 8]'], [1, 'float32 [2] · [5.5, -6.5]', '[4, 4]']])
# node n4 (kind='op' name='sum' lines=['float32 [] · -1', 'grad 4'/gradient, 'line 29'/faint] site=29:11-18 ops=[8])
# node n5 (kind='op' name='mul' rest='4 → output' lines=['float32 [] · -4', 'grad 1'/gradient, 'line 29'/faint] site=29:11-26 ops=[9])
# node n6a0 (kind='done' name='' lines=['pass'/source] box='bn6a0' site=13:8-57 span=[14, 14])
# node out0 (kind='output' name='output' lines=['float32 [] · -4', 'backward · seed 1'/gradient] tensors=[13])
# edge n7 n0 data  [16, 16] both
# edge n8 n1 data   both
# edge n0 n1 data   both
# edge n1 n2 data   both
# edge n0 n3 data  [8, 8] … [4, 4] both
# edge n9 n3 data   both
# edge n3 n0 carried  [8, 8] both
# edge n1 n1 carried   both
# edge n3 n4 data  [4, 4] both
# edge n4 n5 data  4 both
# edge n6 n6a0 taken loop x2  both
# edge n5 out0 data   both
