# run: {"inputs": ["[1, 2]", "3"], "watch": true}
# other: {"inputs": ["[1, 2]", "1"], "watch": true}
import warnings

import dyncore as torch

weight = torch.tensor([[0.5, -1.0], [2.0, 0.25]], requires_grad=True)


class Budget(Exception):
    pass


def spend(state, left):
    if left < 1:
        raise Budget(f"nothing is left\nof {state.tolist()}")
    return torch.sigmoid(weight @ state)


def check(state):
    with torch.enable_grad():
        loss = (state * state).sum()
        loss.backward()
        if weight.grad is None or weight.grad.norm() > 1e6:
            warnings.warn("far away", stacklevel=1)
    return loss.item()


def forward(x, n: int):
    state, losses = x, []
    for t in range(2):
        try:
            for left in (2, 1, 0):
                if left < n:
                    state = spend(state, left)
        except Budget as error:
            losses.append(len(error.args))
            if t:
                raise ValueError(f"step {t}") from error
        else:
            losses.append(check(state))
        finally:
            state = state.detach().requires_grad_()
        if torch.isnan(state).any():
            continue
        state = state + t
    return state

# ----
# error forced=() unrecorded=() (type='ValueError' message='step 1' frames=[(line=39 text='raise ValueError(f"step {t}") from error')])
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# scopes 2 (parent=1 kind='iteration' name='for t in range(2)' site=31:4-21 index=0 decision=0)
# scopes 3 (parent=2 kind='iteration' name='for left in (2, 1, 0)' site=33:12-33 index=0 decision=1)
# scopes 4 (parent=3 kind='arm' name='then' site=34:19-27 decision=2)
# scopes 5 (parent=4 kind='call' name='spend')
# scopes 6 (parent=5 kind='arm' name='else' site=15:7-15 decision=3)
# scopes 7 (parent=2 kind='iteration' name='for left in (2, 1, 0)' site=33:12-33 index=1 decision=1)
# scopes 8 (parent=7 kind='arm' name='then' site=34:19-27 decision=4)
# scopes 9 (parent=8 kind='call' name='spend')
# scopes 10 (parent=9 kind='arm' name='else' site=15:7-15 decision=5)
# scopes 11 (parent=2 kind='iteration' name='for left in (2, 1, 0)' site=33:12-33 index=2 decision=1)
# scopes 12 (parent=11 kind='arm' name='then' site=34:19-27 decision=6)
# scopes 13 (parent=12 kind='call' name='spend')
# scopes 14 (parent=13 kind='arm' name='then' site=15:7-15 decision=7)
# scopes 15 (parent=2 kind='arm' name='except Budget' site=32:8-11 decision=8)
# scopes 16 (parent=2 kind='arm' name='else' site=44:11-35 decision=10)
# scopes 17 (parent=1 kind='iteration' name='for t in range(2)' site=31:4-21 index=1 decision=0)
# scopes 18 (parent=17 kind='iteration' name='for left in (2, 1, 0)' site=33:12-33 index=0 decision=11)
# scopes 19 (parent=18 kind='arm' name='then' site=34:19-27 decision=12)
# scopes 20 (parent=19 kind='call' name='spend')
# scopes 21 (parent=20 kind='arm' name='else' site=15:7-15 decision=13)
# scopes 22 (parent=17 kind='iteration' name='for left in (2, 1, 0)' site=33:12-33 index=1 decision=11)
# scopes 23 (parent=22 kind='arm' name='then' site=34:19-27 decision=14)
# scopes 24 (parent=23 kind='call' name='spend')
# scopes 25 (parent=24 kind='arm' name='else' site=15:7-15 decision=15)
# scopes 26 (parent=17 kind='iteration' name='for left in (2, 1, 0)' site=33:12-33 index=2 decision=11)
# scopes 27 (parent=26 kind='arm' name='then' site=34:19-27 decision=16)
# scopes 28 (parent=27 kind='call' name='spend')
# scopes 29 (parent=28 kind='arm' name='then' site=15:7-15 decision=17)
# scopes 30 (parent=17 kind='arm' name='except Budget' site=32:8-11 decision=18)
# calls 0 (line=14 times=6 returned=4)
# calls 1 (line=29 times=1 returned=0)
# tensors 0 (shape=[2] role='input' name='x' requires_grad=True values=[1, 2])
# tensors 1 (shape=[2, 2] role='parameter' name='weight' requires_grad=True values=[0.5, -1, 2, 0.25])
# tensors 2 (shape=[2] requires_grad=True values=[-1.5, 2.5] op=0)
# tensors 3 (shape=[2] requires_grad=True values=[0.18243, 0.92414] op=1)
# tensors 4 (shape=[2] requires_grad=True values=[-0.83293, 0.59589] op=2)
# tensors 5 (shape=[2] requires_grad=True values=[0.30303, 0.64471] op=3)
# tensors 6 (shape=[2] values=[0.30303, 0.64471] op=4 shares=5)
# tensors 7 (shape=[2] dtype='bool' values=[False, False] op=5)
# tensors 8 (shape=[] dtype='bool' values=[False] op=6)
# tensors 9 (shape=[2] requires_grad=True values=[0.30303, 0.64471] op=7)
# tensors 10 (shape=[2] requires_grad=True values=[-0.4932, 0.76723] op=8)
# tensors 11 (shape=[2] requires_grad=True values=[0.37914, 0.68292] op=9)
# tensors 12 (shape=[2] requires_grad=True values=[-0.49335, 0.92901] op=10)
# tensors 13 (shape=[2] requires_grad=True values=[0.3791, 0.71687] op=11)
# tensors 14 (shape=[2] values=[0.3791, 0.71687] op=12 shares=13)
# ops 0 (name='matmul' inputs=[1, 0] outputs=[2] site=17:25-39 scope=6 under=3 saved_bytes=24 grad_fn='MatmulBackward0' saved=[0, 1])
# ops 1 (name='sigmoid' inputs=[2] outputs=[3] site=17:11-40 scope=6 under=3 saved_bytes=8 grad_fn='SigmoidBackward0' saved=[3])
# ops 2 (name='matmul' inputs=[1, 3] outputs=[4] site=17:25-39 scope=10 under=5 saved_bytes=24 grad_fn='MatmulBackward0' saved=[1, 3])
# ops 3 (name='sigmoid' inputs=[4] outputs=[5] site=17:11-40 scope=10 under=5 saved_bytes=8 grad_fn='SigmoidBackward0' saved=[5])
# ops 4 (name='detach' inputs=[5] outputs=[6] site=43:20-34 scope=2 under=0)
# ops 5 (name='isnan' inputs=[6] outputs=[7] site=44:11-29 scope=2 under=0)
# ops 6 (name='any' inputs=[7] outputs=[8] site=44:11-35 scope=2 under=0)
# ops 7 (name='add' inputs=[6] outputs=[9] site=46:16-25 args='0' scope=16 under=10 grad_fn='AddBackward0')
# ops 8 (name='matmul' inputs=[1, 9] outputs=[10] site=17:25-39 scope=21 under=13 saved_bytes=24 grad_fn='MatmulBackward0' saved=[1, 9])
# ops 9 (name='sigmoid' inputs=[10] outputs=[11] site=17:11-40 scope=21 under=13 saved_bytes=8 grad_fn='SigmoidBackward0' saved=[11])
# ops 10 (name='matmul' inputs=[1, 11] outputs=[12] site=17:25-39 scope=25 under=15 saved_bytes=24 grad_fn='MatmulBackward0' saved=[1, 11])
# ops 11 (name='sigmoid' inputs=[12] outputs=[13] site=17:11-40 scope=25 under=15 saved_bytes=8 grad_fn='SigmoidBackward0' saved=[13])
# ops 12 (name='detach' inputs=[13] outputs=[14] site=43:20-34 scope=17 under=0)
# decisions 0 (site=31:4-21 arm='loop' outcome=2 trips=2 exit='raise' call_path=['forward'] scope=1 until=20)
# decisions 1 (site=33:12-33 arm='loop' outcome=3 trips=3 exit='raise' iterations=[[31, 0]] call_path=['forward'] under=0 scope=2 until=8)
# decisions 2 (site=34:19-27 arm='then' outcome=True iterations=[[31, 0], [33, 0]] call_path=['forward'] under=1 conditions=[(text='left < n' op='<' lhs=2 rhs=3 value=None outcome=True margin=1)] margin=1 scope=3)
# decisions 3 (site=15:7-15 arm='else' outcome=False iterations=[[31, 0], [33, 0]] call_path=['forward', 'spend'] under=2 conditions=[(text='left < 1' op='<' lhs=2 rhs=1 value=None outcome=False margin=-1)] margin=-1 scope=5)
# decisions 4 (site=34:19-27 arm='then' outcome=True iterations=[[31, 0], [33, 1]] call_path=['forward'] under=1 conditions=[(text='left < n' op='<' lhs=1 rhs=3 value=None outcome=True margin=2)] margin=2 scope=7)
# decisions 5 (site=15:7-15 arm='else' outcome=False iterations=[[31, 0], [33, 1]] call_path=['forward', 'spend'] under=4 conditions=[(text='left < 1' op='<' lhs=1 rhs=1 value=None outcome=False margin=0)] margin=0 scope=9)
# decisions 6 (site=34:19-27 arm='then' outcome=True iterations=[[31, 0], [33, 2]] call_path=['forward'] under=1 conditions=[(text='left < n' op='<' lhs=0 rhs=3 value=None outcome=True margin=3)] margin=3 scope=11)
# decisions 7 (site=15:7-15 arm='then' outcome=True iterations=[[31, 0], [33, 2]] call_path=['forward', 'spend'] under=6 conditions=[(text='left < 1' op='<' lhs=0 rhs=1 value=None outcome=True margin=1)] margin=1 scope=13)
# decisions 8 (site=32:8-11 arm='except Budget' outcome=0 iterations=[[31, 0]] call_path=['forward'] under=0 exception='Budget' scope=2)
# decisions 9 (site=38:15-16 arm='else' outcome=False iterations=[[31, 0]] call_path=['forward'] under=8 conditions=[(text='t' op=None lhs=None rhs=None value=0 outcome=False margin=0)] margin=0 scope=15)
# decisions 10 (site=44:11-35 arm='else' outcome=False origin='tensor' iterations=[[31, 0]] call_path=['forward'] under=0 conditions=[(text='torch.isnan(state).any()' op=None lhs=None rhs=None value=False outcome=False origin='tensor' predicate_op=6)] predicate_op=6 scope=2)
# decisions 11 (site=33:12-33 arm='loop' outcome=3 trips=3 exit='raise' iterations=[[31, 1]] call_path=['forward'] under=0 scope=17 until=18)
# decisions 12 (site=34:19-27 arm='then' outcome=True iterations=[[31, 1], [33, 0]] call_path=['forward'] under=11 conditions=[(text='left < n' op='<' lhs=2 rhs=3 value=None outcome=True margin=1)] margin=1 scope=18)
# decisions 13 (site=15:7-15 arm='else' outcome=False iterations=[[31, 1], [33, 0]] call_path=['forward', 'spend'] under=12 conditions=[(text='left < 1' op='<' lhs=2 rhs=1 value=None outcome=False margin=-1)] margin=-1 scope=20)
# decisions 14 (site=34:19-27 arm='then' outcome=True iterations=[[31, 1], [33, 1]] call_path=['forward'] under=11 conditions=[(text='left < n' op='<' lhs=1 rhs=3 value=None outcome=True margin=2)] margin=2 scope=22)
# decisions 15 (site=15:7-15 arm='else' outcome=False iterations=[[31, 1], [33, 1]] call_path=['forward', 'spend'] under=14 conditions=[(text='left < 1' op='<' lhs=1 rhs=1 value=None outcome=False margin=0)] margin=0 scope=24)
# decisions 16 (site=34:19-27 arm='then' outcome=True iterations=[[31, 1], [33, 2]] call_path=['forward'] under=11 conditions=[(text='left < n' op='<' lhs=0 rhs=3 value=None outcome=True margin=3)] margin=3 scope=26)
# decisions 17 (site=15:7-15 arm='then' outcome=True iterations=[[31, 1], [33, 2]] call_path=['forward', 'spend'] under=16 conditions=[(text='left < 1' op='<' lhs=0 rhs=1 value=None outcome=True margin=1)] margin=1 scope=28)
# decisions 18 (site=32:8-11 arm='except Budget' outcome=0 iterations=[[31, 1]] call_path=['forward'] under=0 exception='Budget' scope=17)
# decisions 19 (site=38:15-16 arm='then' outcome=True iterations=[[31, 1]] call_path=['forward'] under=18 conditions=[(text='t' op=None lhs=None rhs=None value=1 outcome=True margin=1)] margin=1 scope=30)
# inputs 0 (name='x' tensor=0)
# inputs 1 (name='n' value=3)
# edges []
# left [20, 21, 22, 23, 24, 25, 26, 40, 41, 45, 47]
# reached {3: 1, 5: 1, 7: 1, 10: 1, 11: 1, 14: 6, 15: 6, 16: 2, 17: 4, 29: 1, 30: 1, 31: 1, 32: 2, 33: 2, 34: 6, 35: 6, 36: 2, 37: 2, 38: 2, 39: 1, 43: 2, 44: 1, 46: 1}
# line 15 [(test='' took='F F T F F T' values='2 … 0 < 1')] None
# line 31 [(test='' took='2 trips, raise' values='')] None
# line 32 [(test='' took='except Budget except Budget' values='Budget')] None
# line 33 [(test='' took='3 trips, raise' values='')] None
# line 34 [(test='' took='T T T T T T' values='2 … 0 < 3')] None
# line 38 [(test='' took='F T' values='0 … 1')] None
# line 39 [] ValueError: step 1
# line 44 [(test='' took='F' values='False')] None
# decided (decisions=[0] because='2 trips, raise' took='raise' left='' margin=None)
# decided (decisions=[1, 11] because='3 trips, raise' took='3 trips x2' left='' margin=None nesting=1)
# decided (decisions=[2, 4, 6, 12, 14, 16] because='left = 2 … 0 < n = 3' took='True x6' left='else' margin=1 nesting=2)
# decided (decisions=[3, 5, 7, 13, 15, 17] because='left = 2 … 0 < 1' took='(False x2, True) x2' left='' margin=0 nesting=2)
# decided (decisions=[8, 18] because='Budget' took='except Budget x2' left='' margin=None nesting=1)
# decided (decisions=[9, 19] because='t = 0 … 1' took='False, True' left='' margin=0 nesting=1)
# decided (decisions=[10] because='torch.isnan(state).any() = False' took='else' left='then' margin=None nesting=1)
# cost (label='outside any module' first=0 ops=13 saved_bytes=128)
# cost (label='if left < 1 → else' first=0 site=15:7-15 ops=8 saved_bytes=128)
# cost (label='for t in range(2) → loop' first=4 site=31:4-21 ops=4)
# cost (label='if torch.isnan(state).any() → else' first=7 site=44:11-35 ops=1)
# cost (label='matmul' first=0 ops=4 saved_bytes=96)
# cost (label='sigmoid' first=1 ops=4 saved_bytes=32)
# cost (label='detach' first=4 ops=2)
# cost (label='isnan' first=5 ops=1)
# cost (label='any' first=6 ops=1)
# cost (label='add' first=7 ops=1)
# held (size_bytes=16 why='parameter' tensor=1)
# held (size_bytes=8 why='input' tensor=0)
# held (size_bytes=8 why='backward' tensor=9 op=7)
# held (size_bytes=8 why='backward' tensor=11 op=9)
# held (size_bytes=8 why='value' tensor=12 op=10)
# held (size_bytes=8 why='backward' tensor=13 op=11)
# memory 40 of [32, 40, 40, 48, 40, 42, 43, 48, 40, 48, 48, 56, 48]
# named ['', 'forward', 'for t in range(2) line 31 step 0', 'for left in (2, 1, 0) line 33 step 0', 'if left < n → then', 'spend', 'if left < 1 → else', 'for left in (2, 1, 0) line 33 step 1', 'if left < n → then', 'spend', 'if left < 1 → else', 'for left in (2, 1, 0) line 33 step 2', 'if left < n → then', 'spend', 'if left < 1 → then', 'try → except Budget', 'if torch.isnan(state).any() → else', 'for t in range(2) line 31 step 1', 'for left in (2, 1, 0) line 33 step 0', 'if left < n → then', 'spend', 'if left < 1 → else', 'for left in (2, 1, 0) line 33 step 1', 'if left < n → then', 'spend', 'if left < 1 → else', 'for left in (2, 1, 0) line 33 step 2', 'if left < n → then', 'spend', 'if left < 1 → then', 'try → except Budget']
# parting (a=2 b=2 kind='arm')
# decisions [(a=2 b=2), (a=3 b=None), (a=4 b=3), (a=5 b=None), (a=12 b=10), (a=13 b=None), (a=14 b=11), (a=15 b=None)]
# ops [(a=0 b=None), (a=1 b=None), (a=2 b=None), (a=3 b=None), (a=4 b=0), (a=7 b=3), (a=8 b=None), (a=9 b=None), (a=10 b=None), (a=11 b=None), (a=12 b=4)]
# choices []
# flows []
# counts {decisions: (same=12 differ=4 only_a=4), choices: (), ops: (same=2 differ=3 only_a=8), outputs: (), gradients: (), op_gradients: ()}
# same_end True
# share 1
# input x True 0
# input n False None
# graph [' · two runs'] blue: only A · magenta: only B · ValueError: step 1 (line 39) · A: n = 3, B: n = 1
# box b0 (kind='loop' name='for' rest='t in range(2) · line 31 · x 2 · 2 kinds of step' site=31:4-21 times=2)
# box b1 (kind='loop' name='for' rest='left in (2, 1, 0) · line 33 · x 6 = 2 x 3 · 2 kinds of step' parent='b0' site=33:12-33 times=6)
# box b2 (kind='arm' name='True' rest='A: x 6, B: x 2' parent='b1' site=34:19-27 times=6)
# box b3 (kind='call' name='spend' rest='A: x 6, B: x 2' parent='b2' times=6)
# box b4 (kind='arm' name='except Budget' rest='x 2' parent='b0' site=32:8-11 times=2)
# box b5 (kind='arm' name='True' rest='line 16' parent='b3' site=15:7-15 times=2)
# box b6 (kind='arm' name='True' rest='line 39' parent='b4' site=38:15-16)
# box b7 (kind='left' name='True' rest='line 45' parent='b0' site=44:11-35 times=0)
# node n0 (kind='input' name='x' lines=['float32 [2] · [1, 2]'] tensors=[0])
# node n1 (kind='parameter' name='weight' lines=['float32 [2, 2] · [[0.5, -1], [2, 0.25]]'] tensors=[1] side='a')
# node n2 (kind='decision' name='if' rest='left < n' lines=['A: line 34 · True x6'/plain, 'B: line 34 · (False x2, True) x2'/plain, 'A: 2 … 0 < 3 (python)'/plain, 'B: 2 … 0 < 1 (python)'/plain, 'A: margin 1'/plain, 'B: margin 0'/plain] box='b1' site=34:19-27 decisions=[2, 4, 6, 12, 14, 16]) (each=[[0, 'A: True · 2 < 3\nB: False · 2 < 1', ''], [1, 'A: True · 1 < 3\nB: False · 1 < 1', ''], [2, 'A: True · 0 < 3\nB: True · 0 < 1', ''], [3, 'A: True · 2 < 3\nB: False · 2 < 1', ''], [4, 'A: True · 1 < 3\nB: False · 1 < 1', ''], [5, 'A: True · 0 < 3\nB: True · 0 < 1', '']])
# node n3 (kind='decision' name='if' rest='left < 1' lines=['A: line 15 · (False x2, True) x2'/plain, 'B: line 15 · True x2'/plain, 'A: 2 … 0 < 1 (python)'/plain, 'B: 0 < 1 (python)'/plain, 'A: margin 0'/plain, 'B: margin 1'/plain] box='b3' site=15:7-15 decisions=[3, 5, 7, 13, 15, 17]) (each=[[0, 'A: False · 2 < 1\nB: —', ''], [1, 'A: False · 1 < 1\nB: —', ''], [2, 'True · 0 < 1', ''], [3, 'A: False · 2 < 1\nB: —', ''], [4, 'A: False · 1 < 1\nB: —', ''], [5, 'True · 0 < 1', '']])
# node n4 (kind='op' name='matmul' lines=['float32 [2] · [-1.5, 2.5] … [-0.4934, 0.929]', 'line 17 · x4 · saves 96 B'/faint] box='b3' site=17:25-39 ops=[0, 2, 8, 10] side='a') (each=[[0, 'A: float32 [2] · [-1.5, 2.5]', ''], [1, 'A: float32 [2] · [-0.8329, 0.5959]', ''], [3, 'A: float32 [2] · [-0.4932, 0.7672]', ''], [4, 'A: float32 [2] · [-0.4934, 0.929]', '']])
# node n5 (kind='op' name='sigmoid' lines=['float32 [2] · [0.1824, 0.9241] … [0.3791, 0.7169]', 'line 17 · x4 · saves 32 B'/faint] box='b3' site=17:11-40 ops=[1, 3, 9, 11] side='a') (each=[[0, 'A: float32 [2] · [0.1824, 0.9241]', ''], [1, 'A: float32 [2] · [0.303, 0.6447]', ''], [3, 'A: float32 [2] · [0.3791, 0.6829]', ''], [4, 'A: float32 [2] · [0.3791, 0.7169]', '']])
# node n6 (kind='decision' name='try' lines=['line 32 · except Budget x2'/plain, 'Budget (python)'/plain] box='b0' site=32:8-11 decisions=[8, 18]) (each=[[0, 'except Budget · Budget', ''], [1, 'except Budget · Budget', '']])
# node n7 (kind='decision' name='if' rest='t' lines=['line 38 · False, True'/plain, '0 … 1 (python)'/plain, 'margin 0'/plain] box='b4' site=38:15-16 decisions=[9, 19]) (each=[[0, 'False · 0', ''], [1, 'True · 1', '']])
# node n8 (kind='op' name='detach' lines=['A: float32 [2] · [0.303, 0.6447]', 'B: float32 [2] · [1, 2]', 'line 43'/faint] box='b0' site=43:20-34 ops=[4])
# node n9 (kind='op' name='isnan' lines=['bool [2] · [False, False]', 'line 44'/faint] box='b0' site=44:11-29 ops=[5])
# node n10 (kind='op' name='any' lines=['bool [] · False', 'line 44'/faint] box='b0' site=44:11-35 ops=[6])
# node n11 (kind='decision' name='if' rest='torch.isnan(state).any()' lines=['line 44 · False'/plain] box='b0' site=44:11-35 decisions=[10])
# node n12 (kind='op' name='add' rest='0' lines=['A: float32 [2] · [0.303, 0.6447]', 'B: float32 [2] · [1, 2]', 'line 46'/faint] box='b0' site=46:16-25 ops=[7])
# node n13 (kind='op' name='detach' lines=['A: float32 [2] · [0.3791, 0.7169]', 'B: float32 [2] · [1, 2]', 'line 43'/faint] box='b0' site=43:20-34 ops=[12])
# node n14 (kind='done' name='' lines=['raise Budget(f"nothing is left\\nof {state.tolis…'/source] box='b5' site=15:7-15 span=[16, 16])
# node n15 (kind='done' name='' lines=['raise ValueError(f"step {t}") from error'/source, 'ValueError: step 1'/error] box='b6' site=38:15-16 failed=True span=[39, 39])
# node n16 (kind='ghost' name='' lines=['continue'/source] box='b7' site=44:11-35 span=[45, 45])
# edge n1 n4 data   a
# edge n0 n4 data   a
# edge n4 n5 data   a
# edge n5 n4 carried   a
# edge n5 n8 data   a
# edge n8 n9 data   both
# edge n9 n10 data   both
# edge n8 n12 data   both
# edge n12 n4 carried   a
# edge n5 n13 data   a
# edge n10 n11 predicate   both
# edge n2 n3 taken A: True x6, B: True x2  both
# edge n3 n14 taken True x2  both
# edge n3 n4 taken False x4  a
# edge n6 n7 taken except Budget x2  both
# edge n7 n15 taken True  both
# edge n11 n16 left True  both
# edge n11 n12 taken False  both
# edge n0 n8 data   b
# edge n12 n13 carried   b
