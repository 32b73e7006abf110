# run: {"inputs": ["[1, 2, 3]"], "force": ["line 20 iteration 1 = else"]}
# other: {"inputs": ["[1, 2, 3]"]}
import dyncore as torch
from dyncore import nn


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([[0.5, 0.25], [1.0, 2.0], [0.0, 1.0]]))

    def forward(self, v, tries):
        try:
            if tries > 1:
                v = v @ self.weight.t() @ self.weight.t()
            v = v @ self.weight
        except RuntimeError as error:
            v = v[:2] if "mat" in str(error) else v
        for index in range(tries):
            if v.sum() > index and v.numel() < 9:
                v = v * 2
            else:
                v = v.reshape(5)
        assert v.numel() > 1, "too small"
        return v


layer = Layer()


def forward(x):
    kept = layer(x, 1)
    return layer(kept, 2)

# ----
# error forced=('line 20 iteration 1 = else',) unrecorded=() (type='RuntimeError' message="shape '[5]' is invalid for input of size 2" notes=['in reshape at tests/golden/runs/scripts/raised.py:23: `v = v.reshape(5)`, on shapes [2]'] frames=[(line=33 text='return layer(kept, 2)'), (line=23 text='v = v.reshape(5)')] op=14)
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# scopes 2 (parent=1 kind='module' name='layer')
# scopes 3 (parent=2 kind='call' name='Layer.forward')
# scopes 4 (parent=3 kind='iteration' name='for index in range(tries)' site=19:8-33 index=0 decision=1)
# scopes 5 (parent=4 kind='arm' name='then' site=20:15-48 decision=2)
# scopes 6 (parent=1 kind='module' name='layer')
# scopes 7 (parent=6 kind='call' name='Layer.forward')
# scopes 8 (parent=7 kind='arm' name='then' site=14:15-24 decision=4)
# scopes 9 (parent=7 kind='arm' name='except RuntimeError' site=13:8-11 decision=5)
# scopes 10 (parent=9 kind='arm' name='then' site=18:25-44 decision=6)
# scopes 11 (parent=7 kind='iteration' name='for index in range(tries)' site=19:8-33 index=0 decision=7)
# scopes 12 (parent=11 kind='arm' name='then' site=20:15-48 decision=8)
# scopes 13 (parent=7 kind='iteration' name='for index in range(tries)' site=19:8-33 index=1 decision=7)
# scopes 14 (parent=13 kind='arm' name='else' site=20:15-48 decision=9)
# calls 0 (line=12 times=2 returned=1)
# calls 1 (line=31 times=1 returned=0)
# calls 2 (line=8 times=0 returned=0)
# tensors 0 (shape=[3] role='input' name='x' requires_grad=True values=[1, 2, 3])
# tensors 1 (shape=[3, 2] role='parameter' name='layer.weight' requires_grad=True values=[0.5, 0.25, 1, 2, 0, 1])
# tensors 2 (shape=[2] requires_grad=True values=[2.5, 7.25] op=0)
# tensors 3 (shape=[] requires_grad=True values=[9.75] op=1)
# tensors 4 (shape=[] dtype='bool' values=[True] op=2)
# tensors 5 (shape=[2] requires_grad=True values=[5, 14.5] op=3)
# tensors 6 (shape=[2, 3] requires_grad=True values=[0.5, 1, 0, 0.25, 2, 1] op=4 shares=1)
# tensors 7 (shape=[3] requires_grad=True values=[6.125, 34, 14.5] op=5)
# tensors 8 (shape=[2, 3] requires_grad=True values=[0.5, 1, 0, 0.25, 2, 1] op=6 shares=1)
# tensors 9 (shape=[2] requires_grad=True values=[5, 14.5] op=8 shares=5)
# tensors 10 (shape=[] requires_grad=True values=[19.5] op=9)
# tensors 11 (shape=[] dtype='bool' values=[True] op=10)
# tensors 12 (shape=[2] requires_grad=True values=[10, 29] op=11)
# tensors 13 (shape=[] requires_grad=True values=[39] op=12)
# tensors 14 (shape=[] dtype='bool' values=[True] op=13)
# ops 0 (name='matmul' inputs=[0, 1] outputs=[2] site=16:16-31 scope=3 saved_bytes=36 grad_fn='MatmulBackward0' saved=[0, 1])
# ops 1 (name='sum' inputs=[2] outputs=[3] site=20:15-22 scope=4 under=1 grad_fn='SumBackward0')
# ops 2 (name='gt' inputs=[3] outputs=[4] site=20:15-30 args='0' scope=4 under=1)
# ops 3 (name='mul' inputs=[2] outputs=[5] site=21:20-25 args='2' scope=5 under=2 grad_fn='MulBackward0')
# ops 4 (name='t' inputs=[1] outputs=[6] site=15:24-39 scope=8 under=4 grad_fn='TBackward0')
# ops 5 (name='matmul' inputs=[5, 6] outputs=[7] site=15:20-39 scope=8 under=4 saved_bytes=32 grad_fn='MatmulBackward0' saved=[5, 6])
# ops 6 (name='t' inputs=[1] outputs=[8] site=15:42-57 scope=8 under=4 grad_fn='TBackward0')
# ops 7 (name='matmul' inputs=[7, 8] outputs=[] site=15:20-57 scope=8 under=4 error='mat1 and mat2 shapes cannot be multiplied (1x3 and 2x3)')
# ops 8 (name='getitem' inputs=[5] outputs=[9] site=18:16-21 args=':2' scope=10 under=6 grad_fn='GetitemBackward0')
# ops 9 (name='sum' inputs=[9] outputs=[10] site=20:15-22 scope=11 under=7 grad_fn='SumBackward0')
# ops 10 (name='gt' inputs=[10] outputs=[11] site=20:15-30 args='0' scope=11 under=7)
# ops 11 (name='mul' inputs=[9] outputs=[12] site=21:20-25 args='2' scope=12 under=8 grad_fn='MulBackward0')
# ops 12 (name='sum' inputs=[12] outputs=[13] site=20:15-22 scope=13 under=7 grad_fn='SumBackward0')
# ops 13 (name='gt' inputs=[13] outputs=[14] site=20:15-30 args='1' scope=13 under=7)
# ops 14 (name='reshape' inputs=[12] outputs=[] site=23:20-32 args='5' scope=14 under=9 error="shape '[5]' is invalid for input of size 2")
# decisions 0 (site=14:15-24 arm='else' outcome=False call_path=['forward', 'Layer.forward'] conditions=[(text='tries > 1' op='>' lhs=1 rhs=1 value=None outcome=False margin=0)] margin=0 scope=3)
# decisions 1 (site=19:8-33 arm='loop' outcome=1 trips=1 exit='exhausted' call_path=['forward', 'Layer.forward'] scope=3 until=3)
# decisions 2 (site=20:15-48 arm='then' outcome=True origin='tensor' iterations=[[19, 0]] call_path=['forward', 'Layer.forward'] under=1 conditions=[(text='v.sum() > index' op='>' lhs=9.75 rhs=0 value=None outcome=True margin=9.75 origin='tensor' predicate_op=2), (text='v.numel() < 9' op='<' lhs=2 rhs=9 value=None outcome=True margin=7 origin='shape' predicate_op=0)] margin=7 predicate_op=2 scope=4)
# decisions 3 (site=24:15-28 arm='pass' outcome=True origin='shape' call_path=['forward', 'Layer.forward'] conditions=[(text='v.numel() > 1' op='>' lhs=2 rhs=1 value=None outcome=True margin=1 origin='shape' predicate_op=3)] margin=1 predicate_op=3 scope=3)
# decisions 4 (site=14:15-24 arm='then' outcome=True call_path=['forward', 'Layer.forward'] conditions=[(text='tries > 1' op='>' lhs=2 rhs=1 value=None outcome=True margin=1)] margin=1 scope=7)
# decisions 5 (site=13:8-11 arm='except RuntimeError' outcome=0 call_path=['forward', 'Layer.forward'] exception='RuntimeError' scope=7)
# decisions 6 (site=18:25-44 arm='then' outcome=True call_path=['forward', 'Layer.forward'] under=5 conditions=[(text='"mat" in str(error)' op='in' lhs='mat' rhs='mat1 and mat2 shapes cannot be multiplied (1x3 and 2x3)' value=None outcome=True)] scope=9)
# decisions 7 (site=19:8-33 arm='loop' outcome=2 trips=2 exit='raise' call_path=['forward', 'Layer.forward'] scope=7 until=10)
# decisions 8 (site=20:15-48 arm='then' outcome=True origin='tensor' iterations=[[19, 0]] call_path=['forward', 'Layer.forward'] under=7 conditions=[(text='v.sum() > index' op='>' lhs=19.5 rhs=0 value=None outcome=True margin=19.5 origin='tensor' predicate_op=10), (text='v.numel() < 9' op='<' lhs=2 rhs=9 value=None outcome=True margin=7 origin='shape' predicate_op=8)] margin=7 predicate_op=10 scope=11)
# decisions 9 (site=20:15-48 arm='else' outcome=False origin='tensor' iterations=[[19, 1]] call_path=['forward', 'Layer.forward'] under=7 conditions=[(text='v.sum() > index' op='>' lhs=39 rhs=1 value=None outcome=True margin=38 origin='tensor' predicate_op=13), (text='v.numel() < 9' op='<' lhs=2 rhs=9 value=None outcome=True margin=7 origin='shape' predicate_op=11)] margin=7 predicate_op=13 forced=True scope=13)
# inputs 0 (name='x' tensor=0)
# edges []
# left []
# reached {3: 1, 4: 1, 7: 1, 12: 2, 13: 2, 14: 2, 15: 1, 16: 1, 17: 1, 18: 1, 19: 2, 20: 3, 21: 2, 23: 1, 24: 1, 25: 1, 28: 1, 31: 1, 32: 1, 33: 1}
# line 13 [(test='' took='except RuntimeError' values='RuntimeError')] None
# line 14 [(test='' took='F T' values='1 … 2 > 1')] None
# line 18 [(test='if "mat" in str(error)' took='T' values="'mat' in 'mat1 and mat2 shapes cannot be multipl…")] None
# line 19 [(test='' took='1 to 2 trips, raise' values='')] None
# line 20 [(test='' took='T T F' values='9.75 … 39.0 > 0 … 1 True, 2 < 9 True' is_forced=True)] None
# line 23 [] RuntimeError: shape '[5]' is invalid for input of size 2
# line 24 [(test='' took='T' values='2 > 1')] None
# decided (decisions=[0, 4] because='tries = 1 … 2 > 1' took='False, True' left='' margin=0)
# decided (decisions=[1, 7] because='1 to 2 trips, raise' took='1 trip, 2 trips' left='' margin=None)
# decided (decisions=[2, 8, 9] because='v.sum() = 9.75 … 39.0 > index = 0 … 1 True, v.numel() = 2 < 9 True' took='True x2, False' left='' margin=7 nesting=1)
# decided (decisions=[3] because='v.numel() = 2 > 1' took='pass' left='fail' margin=1)
# decided (decisions=[5] because='RuntimeError' took='except RuntimeError' left='' margin=None)
# decided (decisions=[6] because="'mat' in str(error) = 'mat1 and mat2 shapes cannot be multipl…" took='then' left='else' margin=None)
# cost (label='layer' first=0 ops=15 saved_bytes=68)
# cost (label='whatever was decided' first=0 ops=1 saved_bytes=36)
# cost (label='if tries > 1 → then' first=4 site=14:15-24 ops=4 saved_bytes=32)
# cost (label='for index in range(tries) → loop' first=1 site=19:8-33 ops=6)
# cost (label='if v.sum() > index and v.numel() < 9 → then' first=3 site=20:15-48 ops=2)
# cost (label='if "mat" in str(error) → then' first=8 site=18:25-44 ops=1)
# cost (label='if v.sum() > index and v.numel() < 9 → else' first=14 site=20:15-48 ops=1)
# cost (label='matmul' first=0 ops=3 saved_bytes=68)
# cost (label='sum' first=1 ops=3)
# cost (label='gt' first=2 ops=3)
# cost (label='mul' first=3 ops=2)
# cost (label='t' first=4 ops=2)
# cost (label='getitem' first=8 ops=1)
# cost (label='reshape' first=14 ops=1)
# held (size_bytes=24 why='parameter' tensor=1)
# held (size_bytes=12 why='input' tensor=0)
# held (size_bytes=12 why='value' tensor=7 op=5)
# held (size_bytes=8 why='value' tensor=5 op=3)
# memory 44 of [44, 48, 49, 52, 44, 56, 56, 56, 44, 48, 49, 52, 48, 49, 44]
# named ['', 'forward', 'layer', 'Layer.forward', 'for index in range(tries) line 19 step 0', 'if v.sum() > index and v.numel() < 9 → then', 'layer', 'Layer.forward', 'if tries > 1 → then', 'try → except RuntimeError', 'if "mat" in str(error) → then', 'for index in range(tries) line 19 step 0', 'if v.sum() > index and v.numel() < 9 → then', 'for index in range(tries) line 19 step 1', 'if v.sum() > index and v.numel() < 9 → else']
# parting (a=9 b=9 kind='arm')
# decisions [(a=7 b=7), (a=9 b=9), (a=None b=10)]
# ops [(a=14 b=None), (a=None b=14)]
# choices []
# flows []
# counts {decisions: (same=8 differ=2 only_b=1), choices: (), ops: (same=14 only_a=1 only_b=1), outputs: (only_b=1), gradients: (only_b=2), op_gradients: ()}
# same_end False
# share 1
# input x True 0
# output output False None
# gradient x False None
# gradient layer.weight False None
# graph [' · two runs'] blue: only A · magenta: only B
# box b0 (kind='module' name='layer')
# box b1 (kind='loop' name='for' rest='index in range(tries) · line 19 · x 1' parent='b0' site=19:8-33)
# box b2 (kind='arm' name='True' parent='b1' site=20:15-48)
# box b3 (kind='module' name='layer')
# box b4 (kind='arm' name='True' parent='b3' site=14:15-24)
# box b5 (kind='arm' name='except RuntimeError' parent='b3' site=13:8-11)
# box b6 (kind='arm' name='True' parent='b5' site=18:25-44)
# box b7 (kind='loop' name='for' rest='index in range(tries) · line 19 · x 2 · A: 2 kinds of step' parent='b3' site=19:8-33 times=2)
# box b8 (kind='arm' name='True' rest='B: x 2' parent='b7' site=20:15-48)
# box b9 (kind='arm' name='False' parent='b7' site=20:15-48 side='a')
# box b10 (kind='left' name='True' rest='line 15' parent='b0' site=14:15-24 times=0)
# box b11 (kind='left' name='False' rest='line 23' parent='b1' site=20:15-48 times=0)
# node n0 (kind='input' name='x' lines=['float32 [3] · [1, 2, 3]', 'B: grad [6, 24, 8]'/gradient] tensors=[0])
# node n1 (kind='decision' name='if' rest='tries > 1' lines=['line 14 · 1 > 1 (python) · margin 0 → False'/plain] box='b0' site=14:15-24 decisions=[0])
# node n2 (kind='parameter' name='layer.weight' lines=['float32 [3, 2] · [[0.5, 0.25], [1, 2], [0, 1]]', 'B: grad [[8, 8], [16, 16], [24, 24]]'/gradient] box='b0' tensors=[1])
# node n3 (kind='op' name='matmul' lines=['float32 [2] · [2.5, 7.25]', 'B: grad [8, 8]'/gradient, 'line 16 · saves 36 B'/faint] box='b0' site=16:16-31 ops=[0])
# node n4 (kind='op' name='sum' lines=['float32 [] · 9.75', 'line 20'/faint] box='b1' site=20:15-22 ops=[1])
# node n5 (kind='op' name='gt' rest='0' lines=['bool [] · True', 'line 20'/faint] box='b1' site=20:15-30 ops=[2])
# node n6 (kind='decision' name='if' rest='v.sum() > index and v.numel() < 9' lines=['line 20'/plain, '9.75 > 0 True, 2 < 9 True'/plain, 'margin 7'/plain] box='b1' site=20:15-48 decisions=[2])
# node n7 (kind='op' name='mul' rest='2' lines=['float32 [2] · [5, 14.5]', 'B: grad [4, 4]'/gradient, 'line 21'/faint] box='b2' site=21:20-25 ops=[3])
# node n8 (kind='decision' name='assert' rest='v.numel() > 1' lines=['line 24 · 2 > 1 (shape) · margin 1 → True'/plain] box='b0' site=24:15-28 decisions=[3])
# node n9 (kind='leaf' name='layer.weight' box='b4' tensors=[1])
# node n10 (kind='decision' name='if' rest='tries > 1' lines=['line 14 · 2 > 1 (python) · margin 1'/plain] box='b3' site=14:15-24 decisions=[4])
# node n11 (kind='op' name='t' lines=['float32 [2, 3] · [[0.5, 1, 0], [0.25, 2, 1]]', 'line 15'/faint] box='b4' site=15:24-39 ops=[4])
# node n12 (kind='op' name='matmul' lines=['float32 [3] · [6.125, 34, 14.5]', 'line 15 · saves 32 B'/faint] box='b4' site=15:20-39 ops=[5])
# node n13 (kind='leaf' name='layer.weight' box='b4' tensors=[1])
# node n14 (kind='op' name='t' lines=['float32 [2, 3] · [[0.5, 1, 0], [0.25, 2, 1]]', 'line 15'/faint] box='b4' site=15:42-57 ops=[6])
# node n15 (kind='op' name='matmul' lines=['mat1 and mat2 shapes cannot be multiplied (1x3 and 2x3)'/error, 'line 15'/faint] box='b4' site=15:20-57 ops=[7] failed=True)
# node n16 (kind='decision' name='try' lines=['line 13 · RuntimeError (python)'/plain] box='b3' site=13:8-11 decisions=[5])
# node n17 (kind='decision' name='if' rest='"mat" in str(error)' lines=['line 18'/plain, "'mat' in 'mat1 and mat2 shapes cannot be multipl… (python)"/plain] box='b5' site=18:25-44 decisions=[6])
# node n18 (kind='op' name='getitem' rest=':2' lines=['float32 [2] · [5, 14.5]', 'B: grad [4, 4]'/gradient, 'line 18'/faint] box='b6' site=18:16-21 ops=[8])
# node n19 (kind='op' name='sum' lines=['float32 [] · 19.5 … 39', 'line 20 · x2'/faint] box='b7' site=20:15-22 ops=[9, 12]) (each=[[1, 'float32 [] · 19.5', ''], [2, 'float32 [] · 39', '']])
# node n20 (kind='op' name='gt' rest='0 … 1' lines=['bool [] · True', 'line 20 · x2'/faint] box='b7' site=20:15-30 ops=[10, 13]) (each=[[1, 'bool [] · True', ''], [2, 'bool [] · True', '']])
# node n21 (kind='decision' name='if' rest='v.sum() > index and v.numel() < 9' lines=['A: line 20 · True, False'/plain, 'B: line 20 · True x2'/plain, '19.5 … 39 > 0 … 1 True, 2 < 9 True'/plain, 'A: margin 7 · forced'/plain, 'B: margin 7'/plain] box='b7' site=20:15-48 decisions=[8, 9]) (each=[[1, 'True · 19.5 > 0 True, 2 < 9 True', ''], [2, 'A: False · 39 > 1 True, 2 < 9 True\nB: True · 39 > 1 True, 2 < 9 True', '']])
# node n22 (kind='op' name='mul' rest='2' lines=['A: float32 [2] · [10, 29]', 'B: float32 [2] · [10, 29] … [20, 58]', 'B: grad [2, 2] … [1, 1]'/gradient, 'line 21 · B: x2'/faint] box='b8' site=21:20-25 ops=[11]) (each=[[1, 'float32 [2] · [10, 29]', 'B: [2, 2]'], [2, 'A: —\nB: float32 [2] · [20, 58]', 'B: [1, 1]']])
# node n23 (kind='op' name='reshape' rest='5' lines=["shape '[5]' is invalid for input of size 2"/error, 'line 23'/faint] box='b9' site=23:20-32 ops=[14] failed=True side='a')
# node n24 (kind='ghost' name='' lines=['v = v @ self.weight.t() @ self.weight.t()'/source] box='b10' site=14:15-24 span=[15, 15])
# node n25 (kind='ghost' name='' lines=['v = v.reshape(5)'/source] box='b11' site=20:15-48 span=[23, 23])
# node n26 (kind='decision' name='assert' rest='v.numel() > 1' lines=['line 24 · 2 > 1 (shape) · margin 1 → True'/plain] box='b3' site=24:15-28 decisions=[10] side='b')
# node n28 (kind='output' name='output' lines=['float32 [2] · [20, 58]', 'backward · seed ones'/gradient] tensors=[15] side='b')
# edge n0 n3 data  B: [6, 24, 8] both
# edge n2 n3 data  B: [[8, 8], [16, 16], [24, 24]] both
# edge n3 n4 data   both
# edge n4 n5 data   both
# edge n3 n7 data  B: [8, 8] both
# edge n9 n11 data   both
# edge n7 n12 data   both
# edge n11 n12 data   both
# edge n13 n14 data   both
# edge n12 n15 data   both
# edge n14 n15 data   both
# edge n7 n18 data  B: [4, 4] both
# edge n18 n19 data   both
# edge n19 n20 data   both
# edge n18 n22 data  B: [4, 4] both
# edge n22 n19 carried   both
# edge n22 n23 carried   a
# edge n3 n6 predicate   both
# edge n5 n6 predicate   both
# edge n7 n8 predicate   both
# edge n18 n21 predicate   both
# edge n20 n21 predicate   both
# edge n22 n21 asked again   both
# edge n15 n16 predicate   both
# edge n1 n24 left True  both
# edge n6 n7 taken True  both
# edge n6 n25 left False  both
# edge n10 n11 taken True  both
# edge n16 n17 taken except RuntimeError  both
# edge n17 n18 taken True  both
# edge n21 n22 taken A: True, B: True x2  both
# edge n21 n23 taken False  a
# edge n22 n22 carried  [2, 2] b
# edge n22 n26 predicate   b
# edge n22 n28 data   b
