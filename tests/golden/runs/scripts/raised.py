# run: {"inputs": ["[1, 2, 3]"], "force": ["line 32 iteration 1 = else"]}
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
        try:
            last = v[9] if v[9] > 0 else v
        except IndexError:
            last = None
        match last, tries:
            case (None, 1):
                tries = 1
            case (
                _,
                2,
            ):
                tries = 2
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
# error forced=('line 32 iteration 1 = else',) unrecorded=() (type='RuntimeError' message="shape '[5]' is invalid for input of size 2" notes=['in reshape at raised.py:35: `v = v.reshape(5)`, on shapes [2]'] frames=[(line=45 text='return layer(kept, 2)'), (line=35 text='v = v.reshape(5)')] op=16)
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# scopes 2 (parent=1 kind='module' name='layer')
# scopes 3 (parent=2 kind='call' name='Layer.forward')
# scopes 4 (parent=3 kind='iteration' name='for index in range(tries)' site=31:8-33 index=0 decision=3)
# scopes 5 (parent=4 kind='arm' name='then' site=32:15-48 decision=4)
# scopes 6 (parent=1 kind='module' name='layer')
# scopes 7 (parent=6 kind='call' name='Layer.forward')
# scopes 8 (parent=7 kind='arm' name='then' site=14:15-24 decision=6)
# scopes 9 (parent=7 kind='arm' name='except RuntimeError' site=13:8-11 decision=7)
# scopes 10 (parent=9 kind='arm' name='then' site=18:25-44 decision=8)
# scopes 11 (parent=7 kind='iteration' name='for index in range(tries)' site=31:8-33 index=0 decision=11)
# scopes 12 (parent=11 kind='arm' name='then' site=32:15-48 decision=12)
# scopes 13 (parent=7 kind='iteration' name='for index in range(tries)' site=31:8-33 index=1 decision=11)
# scopes 14 (parent=13 kind='arm' name='else' site=32:15-48 decision=13)
# calls 0 (line=12 times=2 returned=1)
# calls 1 (line=43 times=1 returned=0)
# calls 2 (line=8 times=0 returned=0)
# tensors 0 (shape=[3] role='input' name='x' requires_grad=True values=[1, 2, 3])
# tensors 1 (shape=[3, 2] role='parameter' name='layer.weight' requires_grad=True values=[0.5, 0.25, 1, 2, 0, 1])
# tensors 2 (shape=[2] requires_grad=True values=[2.5, 7.25] op=0)
# tensors 3 (shape=[] requires_grad=True values=[9.75] op=2)
# tensors 4 (shape=[] dtype='bool' values=[True] op=3)
# tensors 5 (shape=[2] requires_grad=True values=[5, 14.5] op=4)
# tensors 6 (shape=[2, 3] requires_grad=True values=[0.5, 1, 0, 0.25, 2, 1] op=5 shares=1)
# tensors 7 (shape=[3] requires_grad=True values=[6.125, 34, 14.5] op=6)
# tensors 8 (shape=[2, 3] requires_grad=True values=[0.5, 1, 0, 0.25, 2, 1] op=7 shares=1)
# tensors 9 (shape=[2] requires_grad=True values=[5, 14.5] op=9 shares=5)
# tensors 10 (shape=[] requires_grad=True values=[19.5] op=11)
# tensors 11 (shape=[] dtype='bool' values=[True] op=12)
# tensors 12 (shape=[2] requires_grad=True values=[10, 29] op=13)
# tensors 13 (shape=[] requires_grad=True values=[39] op=14)
# tensors 14 (shape=[] dtype='bool' values=[True] op=15)
# ops 0 (name='matmul' inputs=[0, 1] outputs=[2] site=16:16-31 scope=3 saved_bytes=36 grad_fn='MatmulBackward0' saved=[0, 1])
# ops 1 (name='getitem' inputs=[2] outputs=[] site=20:27-31 args='9' scope=3 error='index 9 is out of bounds for dimension 0 with size 2')
# ops 2 (name='sum' inputs=[2] outputs=[3] site=32:15-22 scope=4 under=3 grad_fn='SumBackward0')
# ops 3 (name='gt' inputs=[3] outputs=[4] site=32:15-30 args='0' scope=4 under=3)
# ops 4 (name='mul' inputs=[2] outputs=[5] site=33:20-25 args='2' scope=5 under=4 grad_fn='MulBackward0')
# ops 5 (name='t' inputs=[1] outputs=[6] site=15:24-39 scope=8 under=6 grad_fn='TBackward0')
# ops 6 (name='matmul' inputs=[5, 6] outputs=[7] site=15:20-39 scope=8 under=6 saved_bytes=32 grad_fn='MatmulBackward0' saved=[5, 6])
# ops 7 (name='t' inputs=[1] outputs=[8] site=15:42-57 scope=8 under=6 grad_fn='TBackward0')
# ops 8 (name='matmul' inputs=[7, 8] outputs=[] site=15:20-57 scope=8 under=6 error='mat1 and mat2 shapes cannot be multiplied (1x3 and 2x3)')
# ops 9 (name='getitem' inputs=[5] outputs=[9] site=18:16-21 args=':2' scope=10 under=8 grad_fn='GetitemBackward0')
# ops 10 (name='getitem' inputs=[9] outputs=[] site=20:27-31 args='9' scope=7 error='index 9 is out of bounds for dimension 0 with size 2')
# ops 11 (name='sum' inputs=[9] outputs=[10] site=32:15-22 scope=11 under=11 grad_fn='SumBackward0')
# ops 12 (name='gt' inputs=[10] outputs=[11] site=32:15-30 args='0' scope=11 under=11)
# ops 13 (name='mul' inputs=[9] outputs=[12] site=33:20-25 args='2' scope=12 under=12 grad_fn='MulBackward0')
# ops 14 (name='sum' inputs=[12] outputs=[13] site=32:15-22 scope=13 under=11 grad_fn='SumBackward0')
# ops 15 (name='gt' inputs=[13] outputs=[14] site=32:15-30 args='1' scope=13 under=11)
# ops 16 (name='reshape' inputs=[12] outputs=[] site=35:20-32 args='5' scope=14 under=13 error="shape '[5]' is invalid for input of size 2")
# decisions 0 (site=14:15-24 arm='else' outcome=False call_path=['forward', 'Layer.forward'] conditions=[(text='tries > 1' op='>' lhs=1 rhs=1 value=None outcome=False margin=0)] margin=0 scope=3)
# decisions 1 (site=19:8-11 arm='except IndexError' outcome=0 call_path=['forward', 'Layer.forward'] exception='IndexError' scope=3)
# decisions 2 (site=23:14-25 arm='case (None, 1)' outcome=0 call_path=['forward', 'Layer.forward'] conditions=[(text='last, tries' op=None lhs=None rhs=None value=[None, 1] outcome=True)] scope=3)
# decisions 3 (site=31:8-33 arm='loop' outcome=1 trips=1 exit='exhausted' call_path=['forward', 'Layer.forward'] scope=3 until=5)
# decisions 4 (site=32:15-48 arm='then' outcome=True origin='tensor' iterations=[[31, 0]] call_path=['forward', 'Layer.forward'] under=3 conditions=[(text='v.sum() > index' op='>' lhs=9.75 rhs=0 value=None outcome=True margin=9.75 origin='tensor' predicate_op=3), (text='v.numel() < 9' op='<' lhs=2 rhs=9 value=None outcome=True margin=7 origin='shape' predicate_op=0)] margin=7 predicate_op=3 scope=4)
# decisions 5 (site=36:15-28 arm='pass' outcome=True origin='shape' call_path=['forward', 'Layer.forward'] conditions=[(text='v.numel() > 1' op='>' lhs=2 rhs=1 value=None outcome=True margin=1 origin='shape' predicate_op=4)] margin=1 predicate_op=4 scope=3)
# decisions 6 (site=14:15-24 arm='then' outcome=True call_path=['forward', 'Layer.forward'] conditions=[(text='tries > 1' op='>' lhs=2 rhs=1 value=None outcome=True margin=1)] margin=1 scope=7)
# decisions 7 (site=13:8-11 arm='except RuntimeError' outcome=0 call_path=['forward', 'Layer.forward'] exception='RuntimeError' scope=7)
# decisions 8 (site=18:25-44 arm='then' outcome=True call_path=['forward', 'Layer.forward'] under=7 conditions=[(text='"mat" in str(error)' op='in' lhs='mat' rhs='mat1 and mat2 shapes cannot be multiplied (1x3 and 2x3)' value=None outcome=True)] scope=9)
# decisions 9 (site=19:8-11 arm='except IndexError' outcome=0 call_path=['forward', 'Layer.forward'] exception='IndexError' scope=7)
# decisions 10 (site=23:14-25 arm='case ( _, 2, )' outcome=1 call_path=['forward', 'Layer.forward'] conditions=[(text='last, tries' op=None lhs=None rhs=None value=[None, 2] outcome=True)] scope=7)
# decisions 11 (site=31:8-33 arm='loop' outcome=2 trips=2 exit='raise' call_path=['forward', 'Layer.forward'] scope=7 until=14)
# decisions 12 (site=32:15-48 arm='then' outcome=True origin='tensor' iterations=[[31, 0]] call_path=['forward', 'Layer.forward'] under=11 conditions=[(text='v.sum() > index' op='>' lhs=19.5 rhs=0 value=None outcome=True margin=19.5 origin='tensor' predicate_op=12), (text='v.numel() < 9' op='<' lhs=2 rhs=9 value=None outcome=True margin=7 origin='shape' predicate_op=9)] margin=7 predicate_op=12 scope=11)
# decisions 13 (site=32:15-48 arm='else' outcome=False origin='tensor' iterations=[[31, 1]] call_path=['forward', 'Layer.forward'] under=11 conditions=[(text='v.sum() > index' op='>' lhs=39 rhs=1 value=None outcome=True margin=38 origin='tensor' predicate_op=15), (text='v.numel() < 9' op='<' lhs=2 rhs=9 value=None outcome=True margin=7 origin='shape' predicate_op=13)] margin=7 predicate_op=15 forced=True scope=13)
# inputs 0 (name='x' tensor=0)
# edges []
# left []
# reached {3: 1, 4: 1, 7: 1, 12: 2, 13: 2, 14: 2, 15: 1, 16: 1, 17: 1, 18: 1, 19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 1, 25: 1, 26: 1, 30: 1, 31: 2, 32: 3, 33: 2, 35: 1, 36: 1, 37: 1, 40: 1, 43: 1, 44: 1, 45: 1}
# line 13 [(test='' took='except RuntimeError' values='RuntimeError')] None
# line 14 [(test='' took='F T' values='1 … 2 > 1')] None
# line 18 [(test='if "mat" in str(error)' took='T' values="'mat' in 'mat1 and mat2 shapes cannot be multipl…")] None
# line 19 [(test='' took='except IndexError except IndexError' values='IndexError')] None
# line 23 [(test='' took='case (None, 1) case ( _, 2, )' values='[None, 1] … [None, 2]')] None
# line 31 [(test='' took='1 to 2 trips, raise' values='')] None
# line 32 [(test='' took='T T F' values='9.75 … 39.0 > 0 … 1 True, 2 < 9 True' is_forced=True)] None
# line 35 [] RuntimeError: shape '[5]' is invalid for input of size 2
# line 36 [(test='' took='T' values='2 > 1')] None
# decided (decisions=[0, 6] because='tries = 1 … 2 > 1' took='False, True' left='' margin=0)
# decided (decisions=[1, 9] because='IndexError' took='except IndexError x2' left='' margin=None)
# decided (decisions=[2, 10] because='last, tries = [None, 1] … [None, 2]' took='case (None, 1), case ( _, 2, )' left='no match' margin=None)
# decided (decisions=[3, 11] because='1 to 2 trips, raise' took='1 trip, 2 trips' left='' margin=None)
# decided (decisions=[4, 12, 13] because='v.sum() = 9.75 … 39.0 > index = 0 … 1 True, v.numel() = 2 < 9 True' took='True x2, False' left='' margin=7 nesting=1)
# decided (decisions=[5] because='v.numel() = 2 > 1' took='pass' left='fail' margin=1)
# decided (decisions=[7] because='RuntimeError' took='except RuntimeError' left='' margin=None)
# decided (decisions=[8] because="'mat' in str(error) = 'mat1 and mat2 shapes cannot be multipl…" took='then' left='else' margin=None)
# cost (label='layer' first=0 ops=17 saved_bytes=68)
# cost (label='whatever was decided' first=0 ops=3 saved_bytes=36)
# cost (label='if tries > 1 → then' first=5 site=14:15-24 ops=4 saved_bytes=32)
# cost (label='for index in range(tries) → loop' first=2 site=31:8-33 ops=6)
# cost (label='if v.sum() > index and v.numel() < 9 → then' first=4 site=32:15-48 ops=2)
# cost (label='if "mat" in str(error) → then' first=9 site=18:25-44 ops=1)
# cost (label='if v.sum() > index and v.numel() < 9 → else' first=16 site=32:15-48 ops=1)
# cost (label='matmul' first=0 ops=3 saved_bytes=68)
# cost (label='getitem' first=1 ops=3)
# cost (label='sum' first=2 ops=3)
# cost (label='gt' first=3 ops=3)
# cost (label='mul' first=4 ops=2)
# cost (label='t' first=5 ops=2)
# cost (label='reshape' first=16 ops=1)
# held (size_bytes=24 why='parameter' tensor=1)
# held (size_bytes=12 why='input' tensor=0)
# held (size_bytes=12 why='value' tensor=7 op=6)
# held (size_bytes=8 why='value' tensor=5 op=4)
# memory 44 of [44, 44, 48, 49, 52, 44, 56, 56, 56, 44, 44, 48, 49, 52, 48, 49, 44]
# named ['', 'forward', 'layer', 'Layer.forward', 'for index in range(tries) line 31 step 0', 'if v.sum() > index and v.numel() < 9 → then', 'layer', 'Layer.forward', 'if tries > 1 → then', 'try → except RuntimeError', 'if "mat" in str(error) → then', 'for index in range(tries) line 31 step 0', 'if v.sum() > index and v.numel() < 9 → then', 'for index in range(tries) line 31 step 1', 'if v.sum() > index and v.numel() < 9 → else']
# parting (a=13 b=13 kind='arm')
# decisions [(a=11 b=11), (a=13 b=13), (a=None b=14)]
# ops [(a=16 b=None), (a=None b=16)]
# choices []
# flows []
# counts {decisions: (same=12 differ=2 only_b=1), choices: (), ops: (same=16 only_a=1 only_b=1), outputs: (only_b=1), gradients: (only_b=2), op_gradients: ()}
# same_end False
# share 1
# input x True 0
# output output False None
# gradient x False None
# gradient layer.weight False None
# graph [' · two runs'] blue: only A · magenta: only B
# box b0 (kind='module' name='layer')
# box b1 (kind='loop' name='for' rest='index in range(tries) · line 31 · x 1' parent='b0' site=31:8-33)
# box b2 (kind='arm' name='True' parent='b1' site=32:15-48)
# box b3 (kind='module' name='layer')
# box b4 (kind='arm' name='True' parent='b3' site=14:15-24)
# box b5 (kind='arm' name='except RuntimeError' parent='b3' site=13:8-11)
# box b6 (kind='arm' name='True' parent='b5' site=18:25-44)
# box b7 (kind='loop' name='for' rest='index in range(tries) · line 31 · x 2 · A: 2 kinds of step' parent='b3' site=31:8-33 times=2)
# box b8 (kind='arm' name='True' rest='B: x 2' parent='b7' site=32:15-48)
# box b9 (kind='arm' name='False' parent='b7' site=32:15-48 side='a')
# box b10 (kind='left' name='True' rest='line 15' parent='b0' site=14:15-24 times=0)
# box b11 (kind='arm' name='except IndexError' rest='line 22' parent='b0' site=19:8-11)
# box b12 (kind='arm' name='case (None, 1)' rest='line 25' parent='b0' site=23:14-25)
# box b13 (kind='left' name='case ( _, 2, )' rest='line 30' parent='b0' site=23:14-25 times=0)
# box b14 (kind='left' name='False' rest='line 35' parent='b1' site=32:15-48 times=0)
# box b15 (kind='arm' name='except IndexError' rest='line 22' parent='b3' site=19:8-11)
# box b16 (kind='left' name='case (None, 1)' rest='line 25' parent='b3' site=23:14-25 times=0)
# box b17 (kind='arm' name='case ( _, 2, )' rest='line 30' parent='b3' site=23:14-25)
# node n0 (kind='input' name='x' lines=['float32 [3] · [1, 2, 3]', 'B: grad [6, 24, 8]'/gradient] tensors=[0])
# node n1 (kind='decision' name='if' rest='tries > 1' lines=['line 14 · 1 > 1 (python) · margin 0 → False'/plain] box='b0' site=14:15-24 decisions=[0])
# node n2 (kind='parameter' name='layer.weight' lines=['float32 [3, 2] · [[0.5, 0.25], [1, 2], [0, 1]]', 'B: grad [[8, 8], [16, 16], [24, 24]]'/gradient] box='b0' tensors=[1])
# node n3 (kind='op' name='matmul' lines=['float32 [2] · [2.5, 7.25]', 'B: grad [8, 8]'/gradient, 'line 16 · saves 36 B'/faint] box='b0' site=16:16-31 ops=[0])
# node n4 (kind='decision' name='try' lines=['line 19 · IndexError (python)'/plain] box='b0' site=19:8-11 decisions=[1])
# node n5 (kind='op' name='getitem' rest='9' lines=['index 9 is out of bounds for dimension 0 with size 2'/error, 'line 20'/faint] box='b0' site=20:27-31 ops=[1] failed=True)
# node n6 (kind='decision' name='match' rest='last, tries' lines=['line 23 · [None, 1] (python)'/plain] box='b0' site=23:14-25 decisions=[2])
# node n7 (kind='op' name='sum' lines=['float32 [] · 9.75', 'line 32'/faint] box='b1' site=32:15-22 ops=[2])
# node n8 (kind='op' name='gt' rest='0' lines=['bool [] · True', 'line 32'/faint] box='b1' site=32:15-30 ops=[3])
# node n9 (kind='decision' name='if' rest='v.sum() > index and v.numel() < 9' lines=['line 32'/plain, '9.75 > 0 True, 2 < 9 True'/plain, 'margin 7'/plain] box='b1' site=32:15-48 decisions=[4])
# node n10 (kind='op' name='mul' rest='2' lines=['float32 [2] · [5, 14.5]', 'B: grad [4, 4]'/gradient, 'line 33'/faint] box='b2' site=33:20-25 ops=[4])
# node n11 (kind='decision' name='assert' rest='v.numel() > 1' lines=['line 36 · 2 > 1 (shape) · margin 1 → True'/plain] box='b0' site=36:15-28 decisions=[5])
# node n12 (kind='leaf' name='layer.weight' box='b4' tensors=[1])
# node n13 (kind='decision' name='if' rest='tries > 1' lines=['line 14 · 2 > 1 (python) · margin 1'/plain] box='b3' site=14:15-24 decisions=[6])
# node n14 (kind='op' name='t' lines=['float32 [2, 3] · [[0.5, 1, 0], [0.25, 2, 1]]', 'line 15'/faint] box='b4' site=15:24-39 ops=[5])
# node n15 (kind='op' name='matmul' lines=['float32 [3] · [6.125, 34, 14.5]', 'line 15 · saves 32 B'/faint] box='b4' site=15:20-39 ops=[6])
# node n16 (kind='leaf' name='layer.weight' box='b4' tensors=[1])
# node n17 (kind='op' name='t' lines=['float32 [2, 3] · [[0.5, 1, 0], [0.25, 2, 1]]', 'line 15'/faint] box='b4' site=15:42-57 ops=[7])
# node n18 (kind='op' name='matmul' lines=['mat1 and mat2 shapes cannot be multiplied (1x3 and 2x3)'/error, 'line 15'/faint] box='b4' site=15:20-57 ops=[8] failed=True)
# node n19 (kind='decision' name='try' lines=['line 13 · RuntimeError (python)'/plain] box='b3' site=13:8-11 decisions=[7])
# node n20 (kind='decision' name='if' rest='"mat" in str(error)' lines=['line 18'/plain, "'mat' in 'mat1 and mat2 shapes cannot be multipl… (python)"/plain] box='b5' site=18:25-44 decisions=[8])
# node n21 (kind='op' name='getitem' rest=':2' lines=['float32 [2] · [5, 14.5]', 'B: grad [4, 4]'/gradient, 'line 18'/faint] box='b6' site=18:16-21 ops=[9])
# node n22 (kind='decision' name='try' lines=['line 19 · IndexError (python)'/plain] box='b3' site=19:8-11 decisions=[9])
# node n23 (kind='op' name='getitem' rest='9' lines=['index 9 is out of bounds for dimension 0 with size 2'/error, 'line 20'/faint] box='b3' site=20:27-31 ops=[10] failed=True)
# node n24 (kind='decision' name='match' rest='last, tries' lines=['line 23 · [None, 2] (python)'/plain] box='b3' site=23:14-25 decisions=[10])
# node n25 (kind='op' name='sum' lines=['float32 [] · 19.5 … 39', 'line 32 · x2'/faint] box='b7' site=32:15-22 ops=[11, 14]) (each=[[1, 'float32 [] · 19.5', ''], [2, 'float32 [] · 39', '']])
# node n26 (kind='op' name='gt' rest='0 … 1' lines=['bool [] · True', 'line 32 · x2'/faint] box='b7' site=32:15-30 ops=[12, 15]) (each=[[1, 'bool [] · True', ''], [2, 'bool [] · True', '']])
# node n27 (kind='decision' name='if' rest='v.sum() > index and v.numel() < 9' lines=['A: line 32 · True, False'/plain, 'B: line 32 · True x2'/plain, '19.5 … 39 > 0 … 1 True, 2 < 9 True'/plain, 'A: margin 7 · forced'/plain, 'B: margin 7'/plain] box='b7' site=32:15-48 decisions=[12, 13]) (each=[[1, 'True · 19.5 > 0 True, 2 < 9 True', ''], [2, 'A: False · 39 > 1 True, 2 < 9 True\nB: True · 39 > 1 True, 2 < 9 True', '']])
# node n28 (kind='op' name='mul' rest='2' lines=['A: float32 [2] · [10, 29]', 'B: float32 [2] · [10, 29] … [20, 58]', 'B: grad [2, 2] … [1, 1]'/gradient, 'line 33 · B: x2'/faint] box='b8' site=33:20-25 ops=[13]) (each=[[1, 'float32 [2] · [10, 29]', 'B: [2, 2]'], [2, 'A: —\nB: float32 [2] · [20, 58]', 'B: [1, 1]']])
# node n29 (kind='op' name='reshape' rest='5' lines=["shape '[5]' is invalid for input of size 2"/error, 'line 35'/faint] box='b9' site=35:20-32 ops=[16] failed=True side='a')
# node n30 (kind='ghost' name='' lines=['v = v @ self.weight.t() @ self.weight.t()'/source] box='b10' site=14:15-24 span=[15, 15])
# node n31 (kind='done' name='' lines=['last = None'/source] box='b11' site=19:8-11 span=[22, 22])
# node n32 (kind='done' name='' lines=['tries = 1'/source] box='b12' site=23:14-25 span=[25, 25])
# node n33 (kind='ghost' name='' lines=['tries = 2'/source] box='b13' site=23:14-25 span=[30, 30])
# node n34 (kind='ghost' name='' lines=['v = v.reshape(5)'/source] box='b14' site=32:15-48 span=[35, 35])
# node n35 (kind='done' name='' lines=['last = None'/source] box='b15' site=19:8-11 span=[22, 22])
# node n36 (kind='ghost' name='' lines=['tries = 1'/source] box='b16' site=23:14-25 span=[25, 25])
# node n37 (kind='done' name='' lines=['tries = 2'/source] box='b17' site=23:14-25 span=[30, 30])
# node n38 (kind='decision' name='assert' rest='v.numel() > 1' lines=['line 36 · 2 > 1 (shape) · margin 1 → True'/plain] box='b3' site=36:15-28 decisions=[14] side='b' origin='shape')
# node n40 (kind='output' name='output' lines=['float32 [2] · [20, 58]', 'backward · seed ones'/gradient] tensors=[15] side='b')
# edge n0 n3 data  B: [6, 24, 8] both
# edge n2 n3 data  B: [[8, 8], [16, 16], [24, 24]] both
# edge n3 n5 data   both
# edge n3 n7 data   both
# edge n7 n8 data   both
# edge n3 n10 data  B: [8, 8] both
# edge n12 n14 data   both
# edge n10 n15 data   both
# edge n14 n15 data   both
# edge n16 n17 data   both
# edge n15 n18 data   both
# edge n17 n18 data   both
# edge n10 n21 data  B: [4, 4] both
# edge n21 n23 data   both
# edge n21 n25 data   both
# edge n25 n26 data   both
# edge n21 n28 data  B: [4, 4] both
# edge n28 n25 carried   both
# edge n28 n29 carried   a
# edge n3 n9 predicate   both
# edge n8 n9 predicate   both
# edge n10 n11 predicate   both
# edge n21 n27 predicate   both
# edge n26 n27 predicate   both
# edge n28 n27 asked again   both
# edge n5 n4 predicate   both
# edge n18 n19 predicate   both
# edge n23 n22 predicate   both
# edge n1 n30 left True  both
# edge n4 n31 taken except IndexError  both
# edge n6 n32 taken case (None, 1)  both
# edge n6 n33 left case ( _, 2, )  both
# edge n9 n10 taken True  both
# edge n9 n34 left False  both
# edge n13 n14 taken True  both
# edge n19 n20 taken except RuntimeError  both
# edge n20 n21 taken True  both
# edge n22 n35 taken except IndexError  both
# edge n24 n36 left case (None, 1)  both
# edge n24 n37 taken case ( _, 2, )  both
# edge n27 n28 taken A: True, B: True x2  both
# edge n27 n29 taken False  a
# edge n28 n28 carried  [2, 2] b
# edge n28 n38 predicate   b
# edge n28 n40 data   b
