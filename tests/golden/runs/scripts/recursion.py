# run: {"inputs": ["tree={\"value\": 1.5, \"kids\": [{\"value\": -2, \"kids\": null}, {\"value\": 3, \"kids\": [{\"value\": 0.5, \"kids\": null}]}]}", "mode=deep"]}
# other: {"inputs": ["tree={\"value\": 1.5, \"kids\": [{\"value\": 2, \"kids\": null}]}", "mode=wide"]}
import dyncore as torch

scale = torch.tensor([2.0], requires_grad=True)


def visit(node, depth=0):
    below = [visit(kid, depth + 1) for kid in node["kids"] or () if depth < 3]
    value = node["value"] * scale
    match below:
        case []:
            return torch.relu(value)
        case [only]:
            return value + only
        case [first, *rest] if first.item() > 0:
            return first
        case _:
            return value * sum(below)


def forward(tree, mode: str, *, limit: int = 9):
    total = visit(tree)
    while (size := total.abs().max().item()) < limit:
        total = total + (1 if mode == "wide" else 2 * size)
    return (total, any(v > 4 for v in total), not mode or total.sum())

# ----
# ok forced=() unrecorded=() None
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# scopes 2 (parent=1 kind='call' name='visit')
# scopes 3 (parent=2 kind='iteration' name='for kid in node["kids"] or ()' site=9:35-64 index=0 decision=1)
# scopes 4 (parent=3 kind='arm' name='keep' site=9:68-77 decision=2)
# scopes 5 (parent=4 kind='call' name='visit')
# scopes 6 (parent=5 kind='arm' name='case []' site=11:10-15 decision=5)
# scopes 7 (parent=2 kind='iteration' name='for kid in node["kids"] or ()' site=9:35-64 index=1 decision=1)
# scopes 8 (parent=7 kind='arm' name='keep' site=9:68-77 decision=6)
# scopes 9 (parent=8 kind='call' name='visit')
# scopes 10 (parent=9 kind='iteration' name='for kid in node["kids"] or ()' site=9:35-64 index=0 decision=8)
# scopes 11 (parent=10 kind='arm' name='keep' site=9:68-77 decision=9)
# scopes 12 (parent=11 kind='call' name='visit')
# scopes 13 (parent=12 kind='arm' name='case []' site=11:10-15 decision=12)
# scopes 14 (parent=9 kind='arm' name='case [only]' site=11:10-15 decision=13)
# scopes 15 (parent=2 kind='arm' name='case _' site=11:10-15 decision=15)
# scopes 16 (parent=1 kind='iteration' name='for v in total' site=26:29-43 index=0 decision=17)
# scopes 17 (parent=1 kind='arm' name='rest' site=26:46-69 decision=18)
# calls 0 (line=8 times=4 returned=4)
# calls 1 (line=22 times=1 returned=1)
# tensors 0 (shape=[] role='input' name='tree.value' requires_grad=True values=[1.5])
# tensors 1 (shape=[] role='input' name='tree.kids.1.kids.0.value' requires_grad=True values=[0.5])
# tensors 2 (shape=[1] role='parameter' name='scale' requires_grad=True values=[2])
# tensors 3 (shape=[1] requires_grad=True values=[-4] op=0)
# tensors 4 (shape=[1] requires_grad=True values=[0] op=1)
# tensors 5 (shape=[1] requires_grad=True values=[1] op=2)
# tensors 6 (shape=[1] requires_grad=True values=[1] op=3)
# tensors 7 (shape=[1] requires_grad=True values=[6] op=4)
# tensors 8 (shape=[1] requires_grad=True values=[7] op=5)
# tensors 9 (shape=[1] requires_grad=True values=[3] op=6)
# tensors 10 (shape=[1] requires_grad=True values=[0] op=7)
# tensors 11 (shape=[1] requires_grad=True values=[7] op=8)
# tensors 12 (shape=[1] name='output.0' requires_grad=True values=[21] op=9)
# tensors 13 (shape=[1] requires_grad=True values=[21] op=10)
# tensors 14 (shape=[] requires_grad=True values=[21] op=11)
# tensors 15 (shape=[] requires_grad=True values=[21] op=12 shares=12)
# tensors 16 (shape=[] dtype='bool' values=[True] op=13)
# tensors 17 (shape=[] name='output.2' requires_grad=True values=[21] op=14)
# tensors 18 (shape=[] role='gradient' name='tree.value.grad' values=[28])
# tensors 19 (shape=[] role='gradient' name='tree.kids.1.kids.0.value.grad' values=[12])
# tensors 20 (shape=[1] role='gradient' name='scale.grad' values=[42])
# tensors 21 (shape=[] role='gradient' values=[1])
# tensors 22 (shape=[1] role='gradient' values=[2])
# tensors 23 (shape=[1] role='gradient' values=[6])
# tensors 24 (shape=[1] role='gradient' values=[6])
# tensors 25 (shape=[1] role='gradient' values=[14])
# tensors 26 (shape=[1] role='gradient' values=[6])
# tensors 27 (shape=[1] role='gradient' values=[6])
# tensors 28 (shape=[1] role='gradient' values=[6])
# tensors 29 (shape=[1] role='gradient' values=[6])
# tensors 30 (shape=[1] role='gradient' values=[6])
# tensors 31 (shape=[1] role='gradient' values=[0])
# tensors 32 (shape=[1] role='gradient' values=[1])
# tensors 33 (shape=[1] role='gradient' values=[14])
# tensors 34 (shape=[1] role='gradient' values=[6])
# tensors 35 (shape=[1] role='gradient' values=[6])
# tensors 36 (shape=[1] role='gradient' values=[6])
# tensors 37 (shape=[1] role='gradient' values=[6])
# tensors 38 (shape=[] role='gradient' values=[28])
# tensors 39 (shape=[1] role='gradient' values=[21])
# tensors 40 (shape=[1] role='gradient' values=[6])
# tensors 41 (shape=[1] role='gradient' values=[6])
# tensors 42 (shape=[1] role='gradient' values=[18])
# tensors 43 (shape=[1] role='gradient' values=[6])
# tensors 44 (shape=[] role='gradient' values=[12])
# tensors 45 (shape=[1] role='gradient' values=[3])
# tensors 46 (shape=[1] role='gradient' values=[0])
# tensors 47 (shape=[1] role='gradient' values=[-0])
# ops 0 (name='mul' inputs=[2] outputs=[3] site=10:12-33 args='-2' scope=5 under=2 grad_fn='MulBackward0')
# ops 1 (name='relu' inputs=[3] outputs=[4] site=13:19-36 scope=6 under=5 saved_bytes=4 grad_fn='ReluBackward0' saved=[4])
# ops 2 (name='mul' inputs=[1, 2] outputs=[5] site=10:12-33 scope=12 under=9 saved_bytes=8 grad_fn='MulBackward0' saved=[1, 2])
# ops 3 (name='relu' inputs=[5] outputs=[6] site=13:19-36 scope=13 under=12 saved_bytes=4 grad_fn='ReluBackward0' saved=[6])
# ops 4 (name='mul' inputs=[2] outputs=[7] site=10:12-33 args='3' scope=9 under=6 grad_fn='MulBackward0')
# ops 5 (name='add' inputs=[7, 6] outputs=[8] site=15:19-31 scope=14 under=13 grad_fn='AddBackward0')
# ops 6 (name='mul' inputs=[0, 2] outputs=[9] site=10:12-33 scope=2 saved_bytes=8 grad_fn='MulBackward0' saved=[0, 2])
# ops 7 (name='add' inputs=[4] outputs=[10] site=19:27-37 args='0' scope=15 under=15 grad_fn='AddBackward0')
# ops 8 (name='add' inputs=[10, 8] outputs=[11] site=19:27-37 scope=15 under=15 grad_fn='AddBackward0')
# ops 9 (name='mul' inputs=[9, 11] outputs=[12] site=19:19-37 scope=15 under=15 saved_bytes=8 grad_fn='MulBackward0' saved=[9, 11])
# ops 10 (name='abs' inputs=[12] outputs=[13] site=24:19-30 scope=1 saved_bytes=4 grad_fn='AbsBackward0' saved=[12])
# ops 11 (name='max' inputs=[13] outputs=[14] site=24:19-36 scope=1 saved_bytes=4 grad_fn='MaxBackward0' saved=[13])
# ops 12 (name='unbind' inputs=[12] outputs=[15] site=26:38-43 scope=1 grad_fn='UnbindBackward0')
# ops 13 (name='gt' inputs=[15] outputs=[16] site=26:23-28 args='4' scope=16 under=17)
# ops 14 (name='sum' inputs=[12] outputs=[17] site=26:58-69 scope=17 under=18 grad_fn='SumBackward0')
# decisions 0 (site=9:46-64 arm='short' outcome=True call_path=['forward', 'visit'] conditions=[(text='node["kids"]' op=None lhs=None rhs=None value={type: 'list', len: 2} outcome=True)] scope=2)
# decisions 1 (site=9:35-64 arm='loop' outcome=2 trips=2 exit='exhausted' call_path=['forward', 'visit'] scope=2 until=14)
# decisions 2 (site=9:68-77 arm='keep' outcome=True iterations=[[9, 0]] call_path=['forward', 'visit'] under=1 conditions=[(text='depth < 3' op='<' lhs=0 rhs=3 value=None outcome=True margin=3)] margin=3 scope=3)
# decisions 3 (site=9:46-64 arm='rest' outcome=False iterations=[[9, 0]] call_path=['forward', 'visit', 'visit'] recursion=1 under=2 conditions=[(text='node["kids"]' op=None lhs=None rhs=None value=None outcome=False)] scope=5)
# decisions 4 (site=9:35-64 arm='loop' outcome=0 trips=0 exit='exhausted' iterations=[[9, 0]] call_path=['forward', 'visit', 'visit'] recursion=1 under=2 scope=5 until=5)
# decisions 5 (site=11:10-15 arm='case []' outcome=0 iterations=[[9, 0]] call_path=['forward', 'visit', 'visit'] recursion=1 under=2 conditions=[(text='below' op=None lhs=None rhs=None value={type: 'list', len: 0} outcome=True)] scope=5)
# decisions 6 (site=9:68-77 arm='keep' outcome=True iterations=[[9, 1]] call_path=['forward', 'visit'] under=1 conditions=[(text='depth < 3' op='<' lhs=0 rhs=3 value=None outcome=True margin=3)] margin=3 scope=7)
# decisions 7 (site=9:46-64 arm='short' outcome=True iterations=[[9, 1]] call_path=['forward', 'visit', 'visit'] recursion=1 under=6 conditions=[(text='node["kids"]' op=None lhs=None rhs=None value={type: 'list', len: 1} outcome=True)] scope=9)
# decisions 8 (site=9:35-64 arm='loop' outcome=1 trips=1 exit='exhausted' iterations=[[9, 1]] call_path=['forward', 'visit', 'visit'] recursion=1 under=6 scope=9 until=13)
# decisions 9 (site=9:68-77 arm='keep' outcome=True iterations=[[9, 1], [9, 0]] call_path=['forward', 'visit', 'visit'] recursion=1 under=8 conditions=[(text='depth < 3' op='<' lhs=1 rhs=3 value=None outcome=True margin=2)] margin=2 scope=10)
# decisions 10 (site=9:46-64 arm='rest' outcome=False iterations=[[9, 1], [9, 0]] call_path=['forward', 'visit', 'visit', 'visit'] recursion=2 under=9 conditions=[(text='node["kids"]' op=None lhs=None rhs=None value=None outcome=False)] scope=12)
# decisions 11 (site=9:35-64 arm='loop' outcome=0 trips=0 exit='exhausted' iterations=[[9, 1], [9, 0]] call_path=['forward', 'visit', 'visit', 'visit'] recursion=2 under=9 scope=12 until=12)
# decisions 12 (site=11:10-15 arm='case []' outcome=0 iterations=[[9, 1], [9, 0]] call_path=['forward', 'visit', 'visit', 'visit'] recursion=2 under=9 conditions=[(text='below' op=None lhs=None rhs=None value={type: 'list', len: 0} outcome=True)] scope=12)
# decisions 13 (site=11:10-15 arm='case [only]' outcome=1 iterations=[[9, 1]] call_path=['forward', 'visit', 'visit'] recursion=1 under=6 conditions=[(text='below' op=None lhs=None rhs=None value={type: 'list', len: 1} outcome=True)] scope=9)
# decisions 14 (site=16:31-47 arm='fail' outcome=False origin='scalar' call_path=['forward', 'visit'] conditions=[(text='first.item() > 0' op='>' lhs=0 rhs=0 value=None outcome=False margin=0 origin='scalar' predicate_op=1)] margin=0 predicate_op=1 scope=2)
# decisions 15 (site=11:10-15 arm='case _' outcome=3 call_path=['forward', 'visit'] conditions=[(text='below' op=None lhs=None rhs=None value={type: 'list', len: 2} outcome=True)] scope=2)
# decisions 16 (site=24:10-52 arm='exit' outcome=False origin='scalar' iteration=0 call_path=['forward'] conditions=[(text='(size := total.abs().max().item()) < limit' op='<' lhs=21 rhs=9 value=None outcome=False margin=-12 origin='scalar' predicate_op=11)] margin=-12 predicate_op=11 scope=1)
# decisions 17 (site=26:29-43 arm='loop' outcome=1 origin='shape' trips=1 exit='break' call_path=['forward'] predicate_op=9 scope=1 until=19)
# decisions 18 (site=26:46-69 arm='rest' outcome=False call_path=['forward'] conditions=[(text='not mode' op=None lhs=None rhs=None value=False outcome=False)] scope=1)
# inputs 0 (name='tree' value={value: '<Tensor>', kids: [{value: -2, kids: None}, {value: 3, kids: '<list>'}]})
# inputs 1 (name='mode' value='deep')
# outputs 0 (name='output.0' tensor=12)
# outputs 1 (name='output.1' value=True)
# outputs 2 (name='output.2' tensor=17)
# backwards 0 (site=None root=12 seed='ones' gradients=[(name='tree.value' tensor=0 role='input' value=18), (name='tree.kids.1.kids.0.value' tensor=1 role='input' value=19), (name='scale' tensor=2 role='parameter' value=20), (name='output.2' tensor=17 role='intermediate' value=21), (name='output.0' tensor=12 role='intermediate' value=22), (name='t11' tensor=11 role='intermediate' value=23), (name='t10' tensor=10 role='intermediate' value=24), (name='t9' tensor=9 role='intermediate' value=25), (name='t8' tensor=8 role='intermediate' value=26), (name='t7' tensor=7 role='intermediate' value=27), (name='t6' tensor=6 role='intermediate' value=28), (name='t5' tensor=5 role='intermediate' value=29), (name='t4' tensor=4 role='intermediate' value=30), (name='t3' tensor=3 role='intermediate' value=31)] after=15 nodes=[14, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
# edges [[14, 12, 32], [9, 9, 33], [9, 11, 34], [8, 10, 35], [8, 8, 36], [7, 4, 37], [6, 0, 38], [6, 2, 39], [5, 7, 40], [5, 6, 41], [4, 2, 42], [3, 5, 43], [2, 1, 44], [2, 2, 45], [1, 3, 46], [0, 2, 47]]
# left [16, 17, 25]
# reached {3: 1, 5: 1, 8: 4, 9: 4, 10: 4, 11: 4, 12: 2, 13: 2, 14: 1, 15: 1, 18: 1, 19: 1, 22: 1, 23: 1, 24: 1, 26: 1}
# line 9 [(test='for kid in node["kids"] or ()' took='0 to 2 trips' values=''), (test='node["kids"] or ()' took='short rest short rest' values='list of 2 … None'), (test='if depth < 3' took='T T T' values='0 … 1 < 3')] None
# line 11 [(test='' took='case [] case [] case [only] case _' values='list of 0 … list of 2')] None
# line 16 [(test='' took='F' values='0.0 > 0')] None
# line 24 [(test='' took='F' values='21.0 < 9')] None
# line 26 [(test='for v in total' took='1 trip, break' values=''), (test='not mode or total.sum()' took='rest' values='not False')] None
# decided (decisions=[0] because='node["kids"] = list of 2' took='short' left='rest' margin=None)
# decided (decisions=[1] because='2 trips' took='exhausted' left='' margin=None)
# decided (decisions=[2, 6] because='depth = 0 < 3' took='True x2' left='drop' margin=3)
# decided (decisions=[3, 7] because='node["kids"] = None … list of 1' took='rest, short' left='' margin=None)
# decided (decisions=[4, 8] because='0 to 1 trips' took='0 trips, 1 trip' left='' margin=None)
# decided (decisions=[5, 13] because='below = list of 0 … list of 1' took='case [], case [only]' left='case [first, *rest], case _' margin=None nesting=1)
# decided (decisions=[9] because='depth = 1 < 3' took='keep' left='drop' margin=2 nesting=1)
# decided (decisions=[10] because='node["kids"] = None' took='rest' left='short' margin=None nesting=1)
# decided (decisions=[11] because='0 trips' took='exhausted' left='' margin=None nesting=1)
# decided (decisions=[12] because='below = list of 0' took='case []' left='case [only], case [first, *rest], case _' margin=None nesting=2)
# decided (decisions=[14] because='first.item() = 0.0 > 0' took='fail' left='pass' margin=0)
# decided (decisions=[15] because='below = list of 2' took='case _' left='case [], case [only], case [first, *rest]' margin=None)
# decided (decisions=[16] because='(size := total.abs().max().item()) = 21.0 < limit = 9' took='exit' left='body' margin=-12)
# decided (decisions=[17] because='1 trip, break' took='break' left='' margin=None)
# decided (decisions=[18] because='not mode = False' took='rest' left='short' margin=None)
# gradient (name='tree.value' shape='[]' values='28')
# gradient (name='tree.kids.1.kids.0.value' shape='[]' values='12')
# gradient (name='scale' shape='[1]' values='[42]')
# cost (label='outside any module' first=0 ops=15 nodes=11 saved_bytes=40)
# cost (label='whatever was decided' first=6 ops=4 nodes=1 saved_bytes=16)
# cost (label='if depth < 3 → keep' first=0 site=9:68-77 ops=3 nodes=3 saved_bytes=8)
# cost (label='match below → case []' first=1 site=11:10-15 ops=2 nodes=2 saved_bytes=8)
# cost (label='match below → case _' first=7 site=11:10-15 ops=3 nodes=3 saved_bytes=8)
# cost (label='match below → case [only]' first=5 site=11:10-15 ops=1 nodes=1)
# cost (label='for v in total → loop' first=13 site=26:29-43 ops=1)
# cost (label='not mode or total.sum() → rest' first=14 site=26:46-69 ops=1 nodes=1)
# cost (label='mul' first=0 ops=5 nodes=5 saved_bytes=24)
# cost (label='add' first=5 ops=3 nodes=3)
# cost (label='relu' first=1 ops=2 nodes=2 saved_bytes=8)
# cost (label='abs' first=10 ops=1 saved_bytes=4)
# cost (label='max' first=11 ops=1 saved_bytes=4)
# cost (label='unbind' first=12 ops=1)
# cost (label='gt' first=13 ops=1)
# cost (label='sum' first=14 ops=1 nodes=1)
# held (size_bytes=4 why='gradient' tensor=0)
# held (size_bytes=4 why='input' tensor=0)
# held (size_bytes=4 why='input' tensor=1)
# held (size_bytes=4 why='gradient' tensor=2)
# held (size_bytes=4 why='parameter' tensor=2)
# held (size_bytes=4 why='backward' tensor=4 op=1)
# held (size_bytes=4 why='gradient' tensor=4 op=1)
# held (size_bytes=4 why='backward' tensor=6 op=3)
# held (size_bytes=4 why='gradient' tensor=6 op=3)
# held (size_bytes=4 why='gradient' tensor=7 op=4)
# held (size_bytes=4 why='gradient' tensor=8 op=5)
# held (size_bytes=4 why='output' tensor=12 op=9)
# held (size_bytes=4 why='output' tensor=17 op=14)
# memory 36 of [16, 20, 20, 24, 24, 28, 28, 32, 36, 32, 36, 40, 32, 33, 36, 44, 48, 44, 44, 48, 52, 48, 48, 44, 44, 36]
# named ['', 'forward', 'visit', 'for kid in node["kids"] or () line 9 step 0', 'if depth < 3 → keep', 'visit', 'match below → case []', 'for kid in node["kids"] or () line 9 step 1', 'if depth < 3 → keep', 'visit', 'for kid in node["kids"] or () line 9 step 0', 'if depth < 3 → keep', 'visit', 'match below → case []', 'match below → case [only]', 'match below → case _', 'for v in total line 26 step 0', 'not mode or total.sum() → rest']
# parting (a=1 b=1 kind='arm')
# decisions [(a=1 b=1), (a=6 b=None), (a=7 b=None), (a=8 b=None), (a=9 b=None), (a=10 b=None), (a=11 b=None), (a=12 b=None), (a=13 b=None), (a=14 b=None), (a=15 b=6), (a=16 b=7), (a=None b=8), (a=None b=9), (a=None b=10), (a=None b=11)]
# ops [(a=0 b=0), (a=1 b=1), (a=2 b=None), (a=3 b=None), (a=4 b=None), (a=5 b=None), (a=7 b=None), (a=8 b=None), (a=9 b=None), (a=None b=3), (a=10 b=4), (a=11 b=5), (a=None b=6), (a=None b=7), (a=None b=8), (a=None b=9), (a=None b=10), (a=None b=11), (a=12 b=12), (a=14 b=14)]
# choices []
# flows [(ops=(a=6 b=2) backward=0 a=25 b=23), (ops=(a=1 b=1) backward=0 a=30 b=24), (ops=(a=0 b=0) backward=0 a=31 b=25)]
# counts {decisions: (same=7 differ=3 only_a=9 only_b=4), choices: (), ops: (same=2 differ=6 only_a=7 only_b=7), outputs: (same=1 differ=2), gradients: (differ=2 only_a=1), op_gradients: (same=1 differ=3)}
# same_end True
# share 1
# input tree False None
# input mode False None
# output output.0 False 12
# output output.1 True None
# output output.2 False 12
# gradient tree.value False 24
# gradient scale False 35
# gradient tree.kids.1.kids.0.value False None
# graph [' · two runs'] blue: only A · magenta: only B · A: mode = 'deep', B: mode = 'wide' calls of one function are drawn as one
# box b0 (kind='call' name='visit' rest='A: x 4, B: x 2' times=4)
# box b1 (kind='loop' name='for' rest='kid in node["kids"] or () · line 9 · A: x 3 = 2 + 1, B: x 1 · A: 2 kinds of step' parent='b0' site=9:35-64 times=3)
# box b2 (kind='arm' name='case []' rest='A: x 2' parent='b0' site=11:10-15 times=2)
# box b3 (kind='arm' name='case [only]' parent='b0' site=11:10-15)
# box b4 (kind='arm' name='case _' parent='b0' site=11:10-15 side='a')
# box b5 (kind='loop' name='for' rest='v in total · line 26 · x 1' site=26:29-43)
# box b6 (kind='left' name='case [first, *rest]' rest='line 17' parent='b0' site=11:10-15 times=0)
# box b7 (kind='left' name='True' rest='line 25' site=24:10-52 times=0 side='a')
# box b8 (kind='loop' name='while' rest='x 2' site=24:10-52 times=2 side='b')
# node n0 (kind='input' name='tree.value' lines=['float32 [] · 1.5', 'A: grad 28'/gradient, 'B: grad 4'/gradient] tensors=[0])
# node n1 (kind='input' name='tree.kids.1.kids.0.value' lines=['float32 [] · 0.5', 'grad 12'/gradient] tensors=[1] side='a')
# node n2 (kind='parameter' name='scale' lines=['float32 [1] · [2]', 'A: grad [42]'/gradient, 'B: grad [7]'/gradient] tensors=[2])
# node n3 (kind='decision' name='node["kids"] or ()' lines=['A: line 9 · (short, rest) x2'/plain, 'B: line 9 · short, rest'/plain, 'A: list of 2 … None (python)'/plain, 'B: list of 1 … None (python)'/plain] box='b0' site=9:46-64 decisions=[0, 3, 7, 10]) (each=[[0, 'rest · None', ''], [1, 'A: short · list of 1\nB: —', ''], [2, 'A: rest · None\nB: —', '']])
# node n4 (kind='decision' name='if' rest='depth < 3' lines=['A: line 9 · True x3'/plain, 'A: 0 … 1 < 3 (python)'/plain, 'A: margin 2'/plain, 'B: line 9 · 0 < 3 (python) · margin 3'/plain] box='b1' site=9:68-77 decisions=[2, 6, 9]) (each=[[0, 'True · 0 < 3', ''], [1, 'A: True · 0 < 3\nB: —', ''], [2, 'A: True · 1 < 3\nB: —', '']])
# node n5 (kind='op' name='mul' rest='A: -2 …, B: 2 …' lines=['A: float32 [1] · [-4] … [3]', 'B: float32 [1] · [4] … [3]', 'A: grad [0] … [14]'/gradient, 'B: grad [2]'/gradient, 'line 10 · A: x4, B: x2 · A: saves 16 B, B: saves 8 B'/faint] box='b0' site=10:12-33 ops=[0, 2, 4, 6]) (each=[[0, 'float32 [1] · [3]', 'A: [14]\nB: [2]'], [1, 'A: float32 [1] · [6]\nB: —', 'A: [6]'], [2, 'A: float32 [1] · [1]\nB: —', 'A: [6]']])
# node n6 (kind='decision' name='match' rest='below' lines=['A: line 11 · case [] x2, case [only], case _'/plain, 'B: line 11 · case [], case [only]'/plain, 'A: list of 0 … list of 2 (python)'/plain, 'B: list of 0 … list of 1 (python)'/plain] box='b0' site=11:10-15 decisions=[5, 12, 13, 15]) (each=[[0, 'A: case _ · list of 2\nB: case [only] · list of 1', ''], [1, 'A: case [only] · list of 1\nB: —', ''], [2, 'A: case [] · list of 0\nB: —', '']])
# node n7 (kind='op' name='relu' lines=['A: float32 [1] · [0] … [1]', 'B: float32 [1] · [4]', 'A: grad [6]'/gradient, 'B: grad [2]'/gradient, 'line 13 · A: x2 · A: saves 8 B, B: saves 4 B'/faint] box='b2' site=13:19-36 ops=[1, 3]) (each=[[0, 'A: float32 [1] · [0]\nB: float32 [1] · [4]', 'A: [6]\nB: [2]'], [2, 'A: float32 [1] · [1]\nB: —', 'A: [6]']])
# node n8 (kind='op' name='add' lines=['float32 [1] · [7]', 'A: grad [6]'/gradient, 'B: grad [2]'/gradient, 'line 15'/faint] box='b3' site=15:19-31 ops=[5]) (each=[[0, 'A: —\nB: float32 [1] · [7]', 'B: [2]'], [1, 'A: float32 [1] · [7]\nB: —', 'A: [6]']])
# node n9 (kind='op' name='add' rest='0' lines=['float32 [1] · [0]', 'grad [6]'/gradient, 'line 19'/faint] box='b4' site=19:27-37 ops=[7] side='a')
# node n10 (kind='op' name='add' lines=['float32 [1] · [7]', 'grad [6]'/gradient, 'line 19'/faint] box='b4' site=19:27-37 ops=[8] side='a')
# node n11 (kind='op' name='mul' rest='→ output.0' lines=['float32 [1] · [21]', 'grad [2]'/gradient, 'line 19 · saves 8 B'/faint] box='b4' site=19:19-37 ops=[9] side='a')
# node n12 (kind='decision' name='case if' rest='first.item() > 0' lines=['line 16 · 0 > 0 (scalar) · margin 0 → False'/plain] box='b0' site=16:31-47 decisions=[14] side='a' origin='scalar')
# node n13 (kind='op' name='abs' lines=['A: float32 [1] · [21]', 'B: float32 [1] · [7]', 'line 24 · saves 4 B'/faint] site=24:19-30 ops=[10])
# node n14 (kind='op' name='max' lines=['A: float32 [] · 21', 'B: float32 [] · 7', 'line 24 · saves 4 B'/faint] site=24:19-36 ops=[11])
# node n15 (kind='decision' name='while' rest='(size := total.abs().max().item()) < limit' lines=['line 24 · 21 < 9 (scalar) · margin -12 → False'/plain] site=24:10-52 decisions=[16] side='a' origin='scalar')
# node n16 (kind='decision' name='for v in total' lines=['line 26 · 1 trip, break (shape)'/plain] box='b5' site=26:29-43 decisions=[17])
# node n17 (kind='op' name='unbind' lines=['A: float32 [] · 21', 'B: float32 [] · 9', 'line 26'/faint] site=26:38-43 ops=[12])
# node n18 (kind='op' name='gt' rest='4' lines=['bool [] · True', 'line 26'/faint] box='b5' site=26:23-28 ops=[13])
# node n19 (kind='decision' name='not mode or total.sum()' lines=['line 26 · not False (python)'/plain] site=26:46-69 decisions=[18])
# node n20 (kind='op' name='sum' rest='→ output.2' lines=['A: float32 [] · 21', 'B: float32 [] · 9', 'grad 1'/gradient, 'line 26'/faint] site=26:58-69 ops=[14])
# node n21 (kind='ghost' name='' lines=['return first'/source] box='b6' site=11:10-15 span=[17, 17])
# node n22 (kind='ghost' name='' lines=['total = total + (1 if mode == "wide" else 2 * s…'/source] box='b7' site=24:10-52 side='a' span=[25, 25])
# node n23 (kind='output' name='output.0' lines=['A: float32 [1] · [21]', 'B: float32 [1] · [9]', 'backward · seed ones'/gradient] tensors=[12])
# node n24 (kind='output' name='output.1' lines=['True'])
# node n25 (kind='output' name='output.2' lines=['A: float32 [] · 21', 'B: float32 [] · 9', 'backward · seed 1'/gradient] tensors=[17])
# node n26 (kind='decision' name='while' rest='(size := total.abs().max().item()) < limit' lines=['line 24 · True x2, False'/plain, '7 … 9 < 9 (scalar)'/plain, 'margin 0'/plain] box='b8' site=24:10-52 decisions=[7, 9, 11] side='b' origin='scalar') (each=[[0, 'B: True · 7 < 9', ''], [1, 'B: True · 8 < 9, then False · 9 < 9', '']])
# node n27 (kind='op' name='add' rest='1' lines=['float32 [1] · [8] … [9]', 'grad [2]'/gradient, 'line 25 · x2'/faint] box='b8' site=25:16-59 ops=[6, 9] side='b') (each=[[0, 'B: float32 [1] · [8]', 'B: [2]'], [1, 'B: float32 [1] · [9]', 'B: [2]']])
# node n28 (kind='op' name='abs' lines=['float32 [1] · [8] … [9]', 'line 24 · x2 · saves 8 B'/faint] box='b8' site=24:19-30 ops=[7, 10] side='b') (each=[[0, 'B: float32 [1] · [8]', ''], [1, 'B: float32 [1] · [9]', '']])
# node n29 (kind='op' name='max' lines=['float32 [] · 8 … 9', 'line 24 · x2 · saves 8 B'/faint] box='b8' site=24:19-36 ops=[8, 11] side='b') (each=[[0, 'B: float32 [] · 8', ''], [1, 'B: float32 [] · 9', '']])
# node n30 (kind='decision' name='if' rest='mode == "wide"' lines=['line 25 · True x2'/plain, "'wide' == 'wide' (python)"/plain] box='b8' site=25:30-44 decisions=[8, 10] side='b' origin='python') (each=[[0, "B: True · 'wide' == 'wide'", ''], [1, "B: True · 'wide' == 'wide'", '']])
# edge n2 n5 data  A: [-0] … [21], B: [4] … [3] both
# edge n5 n7 data  A: [0] … [6], B: [2] both
# edge n1 n5 data  12 a
# edge n5 n8 data  A: [6], B: [2] both
# edge n7 n8 data  A: [6], B: [2] both
# edge n0 n5 data  A: 28, B: 4 both
# edge n7 n9 data  [6] a
# edge n9 n10 data  [6] a
# edge n8 n10 data  [6] a
# edge n5 n11 data  [14] a
# edge n10 n11 data  [6] a
# edge n11 n13 data   a
# edge n13 n14 data   both
# edge n11 n17 data   a
# edge n17 n18 data   both
# edge n11 n20 data  [1] a
# edge n7 n12 predicate   a
# edge n14 n15 predicate   a
# edge n11 n16 predicate   a
# edge n12 n6 predicate   a
# edge n4 n5 taken A: True x3, B: True  both
# edge n6 n7 taken A: case [] x2, B: case []  both
# edge n6 n8 taken case [only]  both
# edge n6 n21 left case [first, *rest]  both
# edge n6 n9 taken case _  a
# edge n15 n22 left True  a
# edge n16 n18 taken loop  both
# edge n19 n20 taken False  both
# edge n11 n23 data   a
# edge n20 n25 data   both
# edge n8 n13 data   b
# edge n8 n27 data  [2] b
# edge n27 n28 data   b
# edge n28 n29 data   b
# edge n27 n27 carried  [2] b
# edge n27 n17 data   b
# edge n27 n20 data  [1] b
# edge n14 n26 predicate   b
# edge n29 n26 asked again   b
# edge n27 n16 predicate   b
# edge n26 n27 taken True x2  b
# edge n27 n23 data   b
