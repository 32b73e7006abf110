# run: {"inputs": ["[1.0, 4.0]"], "edges": false, "saved": false, "breaks": ["iteration == 1", "op == \"exp\" and shape == (2,) and iteration == None", "inf(out) or nan(out)", "min(out) < -2 and not dtype == \"bool\"", "function == \"walk\" and max(inputs[0]) >= 5"]}
import dyncore as torch


def walk(x, n):
    while n > 0 and x.max() < 99:
        x = x * 2
        n -= 1
    while n < 2 or x.min() > 99:
        n += 1
        x = x + 0.5
        for _ in range(2):
            x = x - 4
    return x


total = torch.zeros(2)
for step in range(2):
    total = total + step


def forward(x):
    parts = [x.exp() for _ in range(2)]
    steps = iter(range(3))
    while (left := next(steps, None)) is not None:
        x = x.sqrt() if left else x
        if left == 1:
            continue
    x = walk(x, 2)
    for part in (part for part in parts if part.sum() > 0):
        x = x + part.log()
    return x / total.clamp(max=0)

# ----
# ok forced=() unrecorded=() None
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# scopes 2 (parent=1 kind='iteration' name='for _ in range(2)' site=23:21-38 index=0 decision=0)
# scopes 3 (parent=1 kind='iteration' name='for _ in range(2)' site=23:21-38 index=1 decision=0)
# scopes 4 (parent=1 kind='iteration' name='while (left := next(steps, None)) is not None' site=25:10-49 index=0 decision=1)
# scopes 5 (parent=1 kind='iteration' name='while (left := next(steps, None)) is not None' site=25:10-49 index=1 decision=4)
# scopes 6 (parent=5 kind='arm' name='then' site=26:24-28 decision=5)
# scopes 7 (parent=1 kind='iteration' name='while (left := next(steps, None)) is not None' site=25:10-49 index=2 decision=7)
# scopes 8 (parent=7 kind='arm' name='then' site=26:24-28 decision=8)
# scopes 9 (parent=1 kind='call' name='walk')
# scopes 10 (parent=9 kind='iteration' name='while n > 0 and x.max() < 99' site=6:10-32 index=0 decision=11)
# scopes 11 (parent=9 kind='iteration' name='while n > 0 and x.max() < 99' site=6:10-32 index=1 decision=12)
# scopes 12 (parent=9 kind='iteration' name='while n < 2 or x.min() > 99' site=9:10-31 index=0 decision=14)
# scopes 13 (parent=12 kind='iteration' name='for _ in range(2)' site=12:8-25 index=0 decision=15)
# scopes 14 (parent=12 kind='iteration' name='for _ in range(2)' site=12:8-25 index=1 decision=15)
# scopes 15 (parent=9 kind='iteration' name='while n < 2 or x.min() > 99' site=9:10-31 index=1 decision=16)
# scopes 16 (parent=15 kind='iteration' name='for _ in range(2)' site=12:8-25 index=0 decision=17)
# scopes 17 (parent=15 kind='iteration' name='for _ in range(2)' site=12:8-25 index=1 decision=17)
# scopes 18 (parent=1 kind='iteration' name='for part in parts' site=30:22-39 index=0 decision=19)
# scopes 19 (parent=1 kind='iteration' name='for part in (part for part in parts if part.sum() > 0)' site=30:4-58 index=0 decision=20)
# scopes 20 (parent=1 kind='iteration' name='for part in parts' site=30:22-39 index=1 decision=19)
# scopes 21 (parent=1 kind='iteration' name='for part in (part for part in parts if part.sum() > 0)' site=30:4-58 index=1 decision=20)
# calls 0 (line=5 times=1 returned=1)
# calls 1 (line=22 times=1 returned=1)
# tensors 0 (shape=[2] role='input' name='x' requires_grad=True values=[1, 4])
# tensors 1 (shape=[2] role='constant' name='total' values=[1, 1])
# tensors 2 (shape=[2] requires_grad=True values=[2.7183, 54.598] op=0)
# tensors 3 (shape=[2] requires_grad=True values=[2.7183, 54.598] op=1)
# tensors 4 (shape=[2] requires_grad=True values=[1, 2] op=2)
# tensors 5 (shape=[2] requires_grad=True values=[1, 1.4142] op=3)
# tensors 6 (shape=[] requires_grad=True values=[1.4142] op=4)
# tensors 7 (shape=[] dtype='bool' values=[True] op=5)
# tensors 8 (shape=[2] requires_grad=True values=[2, 2.8284] op=6)
# tensors 9 (shape=[] requires_grad=True values=[2.8284] op=7)
# tensors 10 (shape=[] dtype='bool' values=[True] op=8)
# tensors 11 (shape=[2] requires_grad=True values=[4, 5.6569] op=9)
# tensors 12 (shape=[2] requires_grad=True values=[4.5, 6.1569] op=10)
# tensors 13 (shape=[2] requires_grad=True values=[0.5, 2.1569] op=11)
# tensors 14 (shape=[2] requires_grad=True values=[-3.5, -1.8431] op=12)
# tensors 15 (shape=[2] requires_grad=True values=[-3, -1.3431] op=13)
# tensors 16 (shape=[2] requires_grad=True values=[-7, -5.3431] op=14)
# tensors 17 (shape=[2] requires_grad=True values=[-11, -9.3431] op=15)
# tensors 18 (shape=[] requires_grad=True values=[-11] op=16)
# tensors 19 (shape=[] dtype='bool' values=[False] op=17)
# tensors 20 (shape=[] requires_grad=True values=[57.316] op=18)
# tensors 21 (shape=[] dtype='bool' values=[True] op=19)
# tensors 22 (shape=[2] requires_grad=True values=[1, 4] op=20)
# tensors 23 (shape=[2] requires_grad=True values=[-10, -5.3431] op=21)
# tensors 24 (shape=[] requires_grad=True values=[57.316] op=22)
# tensors 25 (shape=[] dtype='bool' values=[True] op=23)
# tensors 26 (shape=[2] requires_grad=True values=[1, 4] op=24)
# tensors 27 (shape=[2] requires_grad=True values=[-9, -1.3431] op=25)
# tensors 28 (shape=[2] values=[0, 0] op=26)
# tensors 29 (shape=[2] name='output' requires_grad=True values=[-inf, -inf] op=27)
# tensors 30 (shape=[2] role='gradient' name='x.grad' values=[inf, inf])
# tensors 31 (shape=[2] role='gradient' values=[1, 1])
# tensors 32 (shape=[2] role='gradient' values=[inf, inf])
# tensors 33 (shape=[2] role='gradient' values=[inf, inf])
# tensors 34 (shape=[2] role='gradient' values=[inf, inf])
# tensors 35 (shape=[2] role='gradient' values=[inf, inf])
# tensors 36 (shape=[2] role='gradient' values=[inf, inf])
# tensors 37 (shape=[2] role='gradient' values=[inf, inf])
# tensors 38 (shape=[2] role='gradient' values=[inf, inf])
# tensors 39 (shape=[2] role='gradient' values=[inf, inf])
# tensors 40 (shape=[2] role='gradient' values=[inf, inf])
# tensors 41 (shape=[2] role='gradient' values=[inf, inf])
# tensors 42 (shape=[2] role='gradient' values=[inf, inf])
# tensors 43 (shape=[2] role='gradient' values=[inf, inf])
# tensors 44 (shape=[2] role='gradient' values=[inf, inf])
# tensors 45 (shape=[2] role='gradient' values=[inf, inf])
# tensors 46 (shape=[2] role='gradient' values=[inf, inf])
# tensors 47 (shape=[2] role='gradient' values=[inf, inf])
# ops 0 (name='exp' inputs=[0] outputs=[2] site=23:13-20 scope=2 under=0 saved_bytes=8 grad_fn='ExpBackward0' saved=[2])
# ops 1 (name='exp' inputs=[0] outputs=[3] site=23:13-20 scope=3 under=0 saved_bytes=8 grad_fn='ExpBackward0' saved=[3])
# ops 2 (name='sqrt' inputs=[0] outputs=[4] site=26:12-20 scope=6 under=5 saved_bytes=8 grad_fn='SqrtBackward0' saved=[4])
# ops 3 (name='sqrt' inputs=[4] outputs=[5] site=26:12-20 scope=8 under=8 saved_bytes=8 grad_fn='SqrtBackward0' saved=[5])
# ops 4 (name='max' inputs=[5] outputs=[6] site=6:20-27 scope=9 saved_bytes=8 grad_fn='MaxBackward0' saved=[5])
# ops 5 (name='lt' inputs=[6] outputs=[7] site=6:20-32 args='99' scope=9)
# ops 6 (name='mul' inputs=[5] outputs=[8] site=7:12-17 args='2' scope=10 under=11 grad_fn='MulBackward0')
# ops 7 (name='max' inputs=[8] outputs=[9] site=6:20-27 scope=10 under=11 saved_bytes=8 grad_fn='MaxBackward0' saved=[8])
# ops 8 (name='lt' inputs=[9] outputs=[10] site=6:20-32 args='99' scope=10 under=11)
# ops 9 (name='mul' inputs=[8] outputs=[11] site=7:12-17 args='2' scope=11 under=12 grad_fn='MulBackward0')
# ops 10 (name='add' inputs=[11] outputs=[12] site=11:12-19 args='0.5' scope=12 under=14 grad_fn='AddBackward0')
# ops 11 (name='sub' inputs=[12] outputs=[13] site=13:16-21 args='4' scope=13 under=15 grad_fn='SubBackward0')
# ops 12 (name='sub' inputs=[13] outputs=[14] site=13:16-21 args='4' scope=14 under=15 grad_fn='SubBackward0')
# ops 13 (name='add' inputs=[14] outputs=[15] site=11:12-19 args='0.5' scope=15 under=16 grad_fn='AddBackward0')
# ops 14 (name='sub' inputs=[15] outputs=[16] site=13:16-21 args='4' scope=16 under=17 grad_fn='SubBackward0')
# ops 15 (name='sub' inputs=[16] outputs=[17] site=13:16-21 args='4' scope=17 under=17 grad_fn='SubBackward0')
# ops 16 (name='min' inputs=[17] outputs=[18] site=9:19-26 scope=15 under=16 saved_bytes=8 grad_fn='MinBackward0' saved=[17])
# ops 17 (name='gt' inputs=[18] outputs=[19] site=9:19-31 args='99' scope=15 under=16)
# ops 18 (name='sum' inputs=[2] outputs=[20] site=30:43-53 scope=18 under=19 grad_fn='SumBackward0')
# ops 19 (name='gt' inputs=[20] outputs=[21] site=30:43-57 args='0' scope=18 under=19)
# ops 20 (name='log' inputs=[2] outputs=[22] site=31:16-26 scope=19 under=20 saved_bytes=8 grad_fn='LogBackward0' saved=[2])
# ops 21 (name='add' inputs=[17, 22] outputs=[23] site=31:12-26 scope=19 under=20 grad_fn='AddBackward0')
# ops 22 (name='sum' inputs=[3] outputs=[24] site=30:43-53 scope=20 under=19 grad_fn='SumBackward0')
# ops 23 (name='gt' inputs=[24] outputs=[25] site=30:43-57 args='0' scope=20 under=19)
# ops 24 (name='log' inputs=[3] outputs=[26] site=31:16-26 scope=21 under=20 saved_bytes=8 grad_fn='LogBackward0' saved=[3])
# ops 25 (name='add' inputs=[23, 26] outputs=[27] site=31:12-26 scope=21 under=20 grad_fn='AddBackward0')
# ops 26 (name='clamp' inputs=[1] outputs=[28] site=32:15-33 args='max=0' scope=1)
# ops 27 (name='div' inputs=[27, 28] outputs=[29] site=32:11-33 scope=1 saved_bytes=8 grad_fn='DivBackward0' saved=[28])
# loading 0 (site=18:0-20 arm='loop' outcome=2 trips=2 exit='exhausted' phase='load' until=1)
# decisions 0 (site=23:21-38 arm='loop' outcome=2 trips=2 exit='exhausted' call_path=['forward'] scope=1 until=1)
# decisions 1 (site=25:10-49 arm='body' outcome=True iteration=0 call_path=['forward'] conditions=[(text='(left := next(steps, None)) is not None' op='is not' lhs=0 rhs=None value=None outcome=True)] scope=1)
# decisions 2 (site=26:24-28 arm='else' outcome=False iterations=[[25, 0]] call_path=['forward'] under=1 conditions=[(text='left' op=None lhs=None rhs=None value=0 outcome=False margin=0)] margin=0 scope=4)
# decisions 3 (site=27:11-20 arm='else' outcome=False iterations=[[25, 0]] call_path=['forward'] under=1 conditions=[(text='left == 1' op='==' lhs=0 rhs=1 value=None outcome=False margin=-1)] margin=-1 scope=4)
# decisions 4 (site=25:10-49 arm='body' outcome=True iteration=1 call_path=['forward'] conditions=[(text='(left := next(steps, None)) is not None' op='is not' lhs=1 rhs=None value=None outcome=True)] scope=1)
# decisions 5 (site=26:24-28 arm='then' outcome=True iterations=[[25, 1]] call_path=['forward'] under=4 conditions=[(text='left' op=None lhs=None rhs=None value=1 outcome=True margin=1)] margin=1 scope=5)
# decisions 6 (site=27:11-20 arm='then' outcome=True iterations=[[25, 1]] call_path=['forward'] under=4 conditions=[(text='left == 1' op='==' lhs=1 rhs=1 value=None outcome=True margin=0)] margin=0 scope=5)
# decisions 7 (site=25:10-49 arm='body' outcome=True iteration=2 call_path=['forward'] conditions=[(text='(left := next(steps, None)) is not None' op='is not' lhs=2 rhs=None value=None outcome=True)] scope=1)
# decisions 8 (site=26:24-28 arm='then' outcome=True iterations=[[25, 2]] call_path=['forward'] under=7 conditions=[(text='left' op=None lhs=None rhs=None value=2 outcome=True margin=2)] margin=2 scope=7)
# decisions 9 (site=27:11-20 arm='else' outcome=False iterations=[[25, 2]] call_path=['forward'] under=7 conditions=[(text='left == 1' op='==' lhs=2 rhs=1 value=None outcome=False margin=-1)] margin=-1 scope=7)
# decisions 10 (site=25:10-49 arm='exit' outcome=False iteration=3 call_path=['forward'] conditions=[(text='(left := next(steps, None)) is not None' op='is not' lhs=None rhs=None value=None outcome=False)] scope=1)
# decisions 11 (site=6:10-32 arm='body' outcome=True origin='tensor' iteration=0 call_path=['forward', 'walk'] conditions=[(text='n > 0' op='>' lhs=2 rhs=0 value=None outcome=True margin=2), (text='x.max() < 99' op='<' lhs=1.4142 rhs=99 value=None outcome=True margin=97.586 origin='tensor' predicate_op=5)] margin=2 predicate_op=5 scope=9)
# decisions 12 (site=6:10-32 arm='body' outcome=True origin='tensor' iteration=1 call_path=['forward', 'walk'] conditions=[(text='n > 0' op='>' lhs=1 rhs=0 value=None outcome=True margin=1), (text='x.max() < 99' op='<' lhs=2.8284 rhs=99 value=None outcome=True margin=96.172 origin='tensor' predicate_op=8)] margin=1 predicate_op=8 scope=9)
# decisions 13 (site=6:10-32 arm='exit' outcome=False iteration=2 call_path=['forward', 'walk'] conditions=[(text='n > 0' op='>' lhs=0 rhs=0 value=None outcome=False margin=0)] margin=0 scope=9)
# decisions 14 (site=9:10-31 arm='body' outcome=True iteration=0 call_path=['forward', 'walk'] conditions=[(text='n < 2' op='<' lhs=0 rhs=2 value=None outcome=True margin=2)] margin=2 scope=9)
# decisions 15 (site=12:8-25 arm='loop' outcome=2 trips=2 exit='exhausted' iterations=[[9, 0]] call_path=['forward', 'walk'] under=14 scope=12 until=16)
# decisions 16 (site=9:10-31 arm='body' outcome=True iteration=1 call_path=['forward', 'walk'] conditions=[(text='n < 2' op='<' lhs=1 rhs=2 value=None outcome=True margin=1)] margin=1 scope=9)
# decisions 17 (site=12:8-25 arm='loop' outcome=2 trips=2 exit='exhausted' iterations=[[9, 1]] call_path=['forward', 'walk'] under=16 scope=15 until=18)
# decisions 18 (site=9:10-31 arm='exit' outcome=False origin='tensor' iteration=2 call_path=['forward', 'walk'] conditions=[(text='n < 2' op='<' lhs=2 rhs=2 value=None outcome=False margin=0), (text='x.min() > 99' op='>' lhs=-11 rhs=99 value=None outcome=False margin=-110 origin='tensor' predicate_op=17)] margin=0 predicate_op=17 scope=9)
# decisions 19 (site=30:22-39 arm='loop' outcome=2 trips=2 exit='exhausted' call_path=['forward'] scope=1 until=23)
# decisions 20 (site=30:4-58 arm='loop' outcome=2 origin='scalar~' trips=2 exit='exhausted' call_path=['forward'] predicate_op=19 scope=1 until=23)
# decisions 21 (site=30:43-57 arm='keep' outcome=True origin='tensor' iterations=[[30, 0]] call_path=['forward'] under=19 conditions=[(text='part.sum() > 0' op='>' lhs=57.316 rhs=0 value=None outcome=True margin=57.316 origin='tensor' predicate_op=19)] margin=57.316 predicate_op=19 scope=18)
# decisions 22 (site=30:43-57 arm='keep' outcome=True origin='tensor' iterations=[[30, 1]] call_path=['forward'] under=19 conditions=[(text='part.sum() > 0' op='>' lhs=57.316 rhs=0 value=None outcome=True margin=57.316 origin='tensor' predicate_op=23)] margin=57.316 predicate_op=23 scope=20)
# inputs 0 (name='x' tensor=0)
# outputs 0 (name='output' tensor=29)
# backwards 0 (site=None root=29 seed='ones' gradients=[(name='x' tensor=0 role='input' value=30), (name='output' tensor=29 role='intermediate' value=31), (name='t27' tensor=27 role='intermediate' value=32), (name='t26' tensor=26 role='intermediate' value=33), (name='t23' tensor=23 role='intermediate' value=34), (name='t22' tensor=22 role='intermediate' value=35), (name='t17' tensor=17 role='intermediate' value=36), (name='t16' tensor=16 role='intermediate' value=37), (name='t15' tensor=15 role='intermediate' value=38), (name='t14' tensor=14 role='intermediate' value=39), (name='t13' tensor=13 role='intermediate' value=40), (name='t12' tensor=12 role='intermediate' value=41), (name='t11' tensor=11 role='intermediate' value=42), (name='t8' tensor=8 role='intermediate' value=43), (name='t5' tensor=5 role='intermediate' value=44), (name='t4' tensor=4 role='intermediate' value=45), (name='t3' tensor=3 role='intermediate' value=46), (name='t2' tensor=2 role='intermediate' value=47)] after=28 nodes=[27, 25, 24, 21, 20, 15, 14, 13, 12, 11, 10, 9, 6, 3, 2, 1, 0])
# notices 0 (kind='stop' name='op == "exp" and shape == (2,) and iteration == None' line=23 value='exp' op=0)
# notices 1 (kind='stop' name='op == "exp" and shape == (2,) and iteration == None' line=23 value='exp' op=1)
# notices 2 (kind='stop' name='iteration == 1' line=26 value='sqrt' op=2)
# notices 3 (kind='stop' name='iteration == 1' line=7 value='mul' op=9)
# notices 4 (kind='stop' name='function == "walk" and max(inputs[0]) >= 5' line=11 value='add' op=10)
# notices 5 (kind='stop' name='function == "walk" and max(inputs[0]) >= 5' line=13 value='sub' op=11)
# notices 6 (kind='stop' name='iteration == 1' line=13 value='sub' op=12)
# notices 7 (kind='stop' name='min(out) < -2 and not dtype == "bool"' line=13 value='sub' op=12)
# notices 8 (kind='stop' name='iteration == 1' line=11 value='add' op=13)
# notices 9 (kind='stop' name='min(out) < -2 and not dtype == "bool"' line=11 value='add' op=13)
# notices 10 (kind='stop' name='min(out) < -2 and not dtype == "bool"' line=13 value='sub' op=14)
# notices 11 (kind='stop' name='iteration == 1' line=13 value='sub' op=15)
# notices 12 (kind='stop' name='min(out) < -2 and not dtype == "bool"' line=13 value='sub' op=15)
# notices 13 (kind='stop' name='min(out) < -2 and not dtype == "bool"' line=9 value='min' op=16)
# notices 14 (kind='stop' name='min(out) < -2 and not dtype == "bool"' line=31 value='add' op=21)
# notices 15 (kind='stop' name='iteration == 1' line=31 value='log' op=24)
# notices 16 (kind='stop' name='iteration == 1' line=31 value='add' op=25)
# notices 17 (kind='stop' name='min(out) < -2 and not dtype == "bool"' line=31 value='add' op=25)
# notices 18 (kind='stop' name='inf(out) or nan(out)' line=32 value='div' op=27)
# notices 19 (kind='stop' name='min(out) < -2 and not dtype == "bool"' line=32 value='div' op=27)
# edges []
# left []
# reached {2: 1, 5: 1, 6: 3, 7: 2, 8: 2, 9: 3, 10: 2, 11: 2, 12: 2, 13: 4, 14: 1, 17: 1, 18: 1, 19: 2, 22: 1, 23: 1, 24: 1, 25: 4, 26: 3, 27: 3, 28: 1, 29: 1, 30: 1, 31: 2, 32: 1}
# line 6 [(test='' took='T T F' values='2 … 0 > 0, 1.414 … 2.828 < 99 True')] None
# line 9 [(test='' took='T T F' values='0 … 2 < 2, -11.0 > 99 False')] None
# line 12 [(test='' took='2 trips' values='')] None
# line 18 [(test='' took='2 trips' values='')] None
# line 23 [(test='for _ in range(2)' took='2 trips' values='')] None
# line 25 [(test='' took='T T T F' values='0 … None is not None')] None
# line 26 [(test='if left' took='F T T' values='0 … 2')] None
# line 27 [(test='' took='F T F' values='0 … 1 … 2 == 1')] None
# line 30 [(test='for part in (part for part in parts if …' took='2 trips' values=''), (test='for part in parts' took='2 trips' values=''), (test='if part.sum() > 0' took='T T' values='57.32 > 0')] None
# decided (decisions=[0] because='2 trips' took='exhausted' left='' margin=None)
# decided (decisions=[1, 4, 7, 10] because='(left := next(steps, None)) = 0 … None is not None' took='True x3, False' left='' margin=None)
# decided (decisions=[2, 5, 8] because='left = 0 … 2' took='False, True x2' left='' margin=0 nesting=1)
# decided (decisions=[3, 6, 9] because='left = 0 … 1 … 2 == 1' took='False, True, False' left='' margin=0 nesting=1)
# decided (decisions=[11, 12, 13] because='n = 2 … 0 > 0, x.max() = 1.414 … 2.828 < 99 True' took='True x2, False' left='' margin=1)
# decided (decisions=[14, 16, 18] because='n = 0 … 2 < 2, x.min() = -11.0 > 99 False' took='True x2, False' left='' margin=0)
# decided (decisions=[15, 17] because='2 trips' took='2 trips x2' left='' margin=None nesting=1)
# decided (decisions=[19] because='2 trips' took='exhausted' left='' margin=None)
# decided (decisions=[20] because='2 trips' took='exhausted' left='' margin=None)
# decided (decisions=[21, 22] because='part.sum() = 57.32 > 0' took='True x2' left='drop' margin=57.316)
# gradient (name='x' shape='[2]' values='[inf, inf]')
# bad (kind='Inf' op=27 tensor=29 shown=29 made_of=[27, 28])
# bad (kind='Inf' op=27 tensor=27 shown=32 made_of=[31, 27, 28] backward=0)
# cost (label='outside any module' first=0 ops=28 nodes=17 saved_bytes=80)
# cost (label='for _ in range(2) → loop' first=0 site=23:21-38 ops=2 nodes=2 saved_bytes=16)
# cost (label='if left → then' first=2 site=26:24-28 ops=2 nodes=2 saved_bytes=16)
# cost (label='whatever was decided' first=4 ops=4 nodes=1 saved_bytes=16)
# cost (label='for part in (part for part in parts if part.sum()… → loop' first=20 site=30:4-58 ops=4 nodes=4 saved_bytes=16)
# cost (label='while n > 0 and x.max() < 99 → body' first=6 site=6:10-32 ops=4 nodes=2 saved_bytes=8)
# cost (label='while n < 2 or x.min() > 99 → body' first=10 site=9:10-31 ops=4 nodes=2 saved_bytes=8)
# cost (label='for _ in range(2) → loop' first=11 site=12:8-25 ops=4 nodes=4)
# cost (label='for part in parts → loop' first=18 site=30:22-39 ops=4)
# cost (label='add' first=10 ops=4 nodes=4)
# cost (label='sub' first=11 ops=4 nodes=4)
# cost (label='gt' first=17 ops=3)
# cost (label='exp' first=0 ops=2 nodes=2 saved_bytes=16)
# cost (label='sqrt' first=2 ops=2 nodes=2 saved_bytes=16)
# cost (label='max' first=4 ops=2 saved_bytes=16)
# cost (label='lt' first=5 ops=2)
# cost (label='mul' first=6 ops=2 nodes=2)
# cost (label='sum' first=18 ops=2)
# cost (label='log' first=20 ops=2 nodes=2 saved_bytes=16)
# cost (label='min' first=16 ops=1 saved_bytes=8)
# cost (label='clamp' first=26 ops=1)
# cost (label='div' first=27 ops=1 nodes=1 saved_bytes=8)
# held (size_bytes=8 why='input' tensor=0)
# held (size_bytes=8 why='backward' tensor=2 op=0)
# held (size_bytes=8 why='backward' tensor=3 op=1)
# held (size_bytes=8 why='gradient' tensor=3 op=1)
# held (size_bytes=8 why='backward' tensor=4 op=2)
# held (size_bytes=8 why='backward' tensor=5 op=3)
# held (size_bytes=8 why='gradient' tensor=17 op=15)
# held (size_bytes=8 why='gradient' tensor=22 op=20)
# held (size_bytes=8 why='gradient' tensor=23 op=21)
# held (size_bytes=8 why='output' tensor=29 op=27)
# memory 40 of [16, 24, 32, 40, 44, 45, 48, 52, 53, 56, 56, 56, 56, 56, 56, 56, 52, 53, 52, 53, 56, 64, 52, 53, 56, 64, 64, 64, 72, 72, 72, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 72, 56, 40]
# named ['', 'forward', 'for _ in range(2) line 23 step 0', 'for _ in range(2) line 23 step 1', 'while (left := next(steps, None)) is not None line 25 step 0', 'while (left := next(steps, None)) is not None line 25 step 1', 'if left → then', 'while (left := next(steps, None)) is not None line 25 step 2', 'if left → then', 'walk', 'while n > 0 and x.max() < 99 line 6 step 0', 'while n > 0 and x.max() < 99 line 6 step 1', 'while n < 2 or x.min() > 99 line 9 step 0', 'for _ in range(2) line 12 step 0', 'for _ in range(2) line 12 step 1', 'while n < 2 or x.min() > 99 line 9 step 1', 'for _ in range(2) line 12 step 0', 'for _ in range(2) line 12 step 1', 'for part in parts line 30 step 0', 'for part in (part for part in parts if part.sum() > 0) line 30 step 0', 'for part in parts line 30 step 1', 'for part in (part for part in parts if part.sum() > 0) line 30 step 1']
# graph [' · 28 ops · 23 decisions'] first Inf (op 27): div, line 32 · recorded without `--grads`: what went back along an edge is known where one op alone reads the value
# box b1 (kind='loop' name='for' rest='_ in range(2) · line 23 · x 2' site=23:21-38 times=2)
# box b2 (kind='loop' name='while' rest='x 3 · A, B, C' site=25:10-49 times=3)
# box b3 (kind='kind' name='A' rest='x 1 · left False, left == 1 False · step 0' parent='b2' site=25:10-49)
# box b4 (kind='kind' name='B' rest='x 1 · left True, left == 1 True · step 1' parent='b2' site=25:10-49)
# box b5 (kind='arm' name='True' parent='b4' site=26:24-28)
# box b6 (kind='kind' name='C' rest='x 1 · left True, left == 1 False · step 2' parent='b2' site=25:10-49)
# box b7 (kind='arm' name='True' parent='b6' site=26:24-28)
# box b8 (kind='call' name='walk')
# box b9 (kind='loop' name='while' rest='x 2 · A, B' parent='b8' site=6:10-32 times=2)
# box b10 (kind='kind' name='A' rest='x 1 · step 0' parent='b9' site=6:10-32)
# box b11 (kind='kind' name='B' rest='x 1 · step 1' parent='b9' site=6:10-32)
# box b12 (kind='loop' name='while' rest='x 2 · A, B' parent='b8' site=9:10-31 times=2)
# box b13 (kind='kind' name='A' rest='x 1 · step 0' parent='b12' site=9:10-31)
# box b14 (kind='loop' name='for' rest='_ in range(2) · line 12 · x 2' parent='b13' site=12:8-25 times=2)
# box b15 (kind='kind' name='B' rest='x 1 · step 1' parent='b12' site=9:10-31)
# box b16 (kind='loop' name='for' rest='_ in range(2) · line 12 · x 2' parent='b15' site=12:8-25 times=2)
# box b18 (kind='loop' name='for' rest='part in (part for part in parts if part.sum() >… · line 30 · x 2' site=30:4-58 times=2)
# box bn24a0 (kind='arm' name='True' rest='line 28' parent='b4' site=27:11-20)
# node n30 (kind='input' name='x' lines=['float32 [2] · [1, 4]', 'grad [inf, inf]'/gradient] tensors=[0])
# node n31 (kind='constant' name='total' lines=['float32 [2] · [1, 1]'] tensors=[1])
# node n0 (kind='op' name='exp' lines=['float32 [2] · [2.718, 54.6]', 'grad [inf, inf]'/gradient, 'line 23 · x2 · saves 16 B'/faint] box='b1' site=23:13-20 ops=[0, 1]) (each=[[0, 'float32 [2] · [2.718, 54.6]', '[inf, inf]'], [1, 'float32 [2] · [2.718, 54.6]', '[inf, inf]']])
# node n20 (kind='decision' name='while' rest='(left := next(steps, None)) is not None' lines=['line 25 · True x3, False'/plain, '0 … None is not None (python)'/plain] box='b2' site=25:10-49 decisions=[1, 4, 7, 10] origin='python') (each=[[0, 'True · 0 is not None', ''], [1, 'True · 1 is not None', ''], [2, 'True · 2 is not None, then False · None is not None', '']])
# node n21 (kind='decision' name='if' rest='left' lines=['line 26 · 0 (python) · margin 0 → False'/plain] box='b3' site=26:24-28 decisions=[2] origin='python')
# node n22 (kind='decision' name='if' rest='left == 1' lines=['line 27 · 0 == 1 (python) · margin -1 → False'/plain] box='b3' site=27:11-20 decisions=[3] origin='python')
# node n23 (kind='decision' name='if' rest='left' lines=['line 26 · 1 (python) · margin 1'/plain] box='b4' site=26:24-28 decisions=[5] origin='python')
# node n1 (kind='op' name='sqrt' lines=['float32 [2] · [1, 2]', 'grad [inf, inf]'/gradient, 'line 26 · saves 8 B'/faint] box='b5' site=26:12-20 ops=[2])
# node n24 (kind='decision' name='if' rest='left == 1' lines=['line 27 · 1 == 1 (python) · margin 0'/plain] box='b4' site=27:11-20 decisions=[6] origin='python')
# node n25 (kind='decision' name='if' rest='left' lines=['line 26 · 2 (python) · margin 2'/plain] box='b6' site=26:24-28 decisions=[8] origin='python')
# node n2 (kind='op' name='sqrt' lines=['float32 [2] · [1, 1.414]', 'grad [inf, inf]'/gradient, 'line 26 · saves 8 B'/faint] box='b7' site=26:12-20 ops=[3])
# node n26 (kind='decision' name='if' rest='left == 1' lines=['line 27 · 2 == 1 (python) · margin -1 → False'/plain] box='b6' site=27:11-20 decisions=[9] origin='python')
# node n3 (kind='op' name='max' lines=['float32 [] · 1.414', 'line 6 · saves 8 B'/faint] box='b8' site=6:20-27 ops=[4])
# node n4 (kind='op' name='lt' rest='99' lines=['bool [] · True', 'line 6'/faint] box='b8' site=6:20-32 ops=[5])
# node n27 (kind='decision' name='while' rest='n > 0 and x.max() < 99' lines=['line 6 · True x2, False'/plain, '2 … 0 > 0, 1.414 … 2.828 < 99 True'/plain, 'margin 0'/plain] box='b9' site=6:10-32 decisions=[11, 12, 13] origin='tensor') (each=[[0, 'True · 2 > 0 True, 1.414 < 99 True', ''], [1, 'True · 1 > 0 True, 2.828 < 99 True, then False · 0 > 0', '']])
# node n5 (kind='op' name='mul' rest='2' lines=['float32 [2] · [2, 2.828]', 'grad [inf, inf]'/gradient, 'line 7'/faint] box='b10' site=7:12-17 ops=[6])
# node n6 (kind='op' name='max' lines=['float32 [] · 2.828', 'line 6 · saves 8 B'/faint] box='b10' site=6:20-27 ops=[7])
# node n7 (kind='op' name='lt' rest='99' lines=['bool [] · True', 'line 6'/faint] box='b10' site=6:20-32 ops=[8])
# node n8 (kind='op' name='mul' rest='2' lines=['float32 [2] · [4, 5.657]', 'grad [inf, inf]'/gradient, 'line 7'/faint] box='b11' site=7:12-17 ops=[9])
# node n28 (kind='decision' name='while' rest='n < 2 or x.min() > 99' lines=['line 9 · True x2, False'/plain, '0 … 2 < 2, -11 > 99 False'/plain, 'margin 0'/plain] box='b12' site=9:10-31 decisions=[14, 16, 18] origin='tensor') (each=[[0, 'True · 0 < 2', ''], [1, 'True · 1 < 2, then False · 2 < 2 False, -11 > 99 False', '']])
# node n9 (kind='op' name='add' rest='0.5' lines=['float32 [2] · [4.5, 6.157]', 'grad [inf, inf]'/gradient, 'line 11'/faint] box='b13' site=11:12-19 ops=[10])
# node n10 (kind='op' name='sub' rest='4' lines=['float32 [2] · [0.5, 2.157] … [-3.5, -1.843]', 'grad [inf, inf]'/gradient, 'line 13 · x2'/faint] box='b14' site=13:16-21 ops=[11, 12]) (each=[[0, 'float32 [2] · [0.5, 2.157]', '[inf, inf]'], [1, 'float32 [2] · [-3.5, -1.843]', '[inf, inf]']])
# node n11 (kind='op' name='add' rest='0.5' lines=['float32 [2] · [-3, -1.343]', 'grad [inf, inf]'/gradient, 'line 11'/faint] box='b15' site=11:12-19 ops=[13])
# node n12 (kind='op' name='sub' rest='4' lines=['float32 [2] · [-7, -5.343] … [-11, -9.343]', 'grad [inf, inf]'/gradient, 'line 13 · x2'/faint] box='b16' site=13:16-21 ops=[14, 15]) (each=[[2, 'float32 [2] · [-7, -5.343]', '[inf, inf]'], [3, 'float32 [2] · [-11, -9.343]', '[inf, inf]']])
# node n13 (kind='op' name='min' lines=['float32 [] · -11', 'line 9 · saves 8 B'/faint] box='b15' site=9:19-26 ops=[16])
# node n14 (kind='op' name='gt' rest='99' lines=['bool [] · False', 'line 9'/faint] box='b15' site=9:19-31 ops=[17])
# node n15 (kind='fold' name='for' rest='part in parts · line 30 · x 2' lines=['4 ops · 2 decisions', 'sum, gt'/faint, 'bool [] · True', 'if part.sum() > 0 → True x2'/plain] site=30:22-39 ops=[18, 19, 22, 23] decisions=[21, 22])
# node n29 (kind='decision' name='for' rest='part in (part for part in parts if part.sum() > 0)' lines=['line 30'/plain, '2 trips (probably scalar)'/plain] box='b18' site=30:4-58 decisions=[20] origin='scalar~')
# node n16 (kind='op' name='log' lines=['float32 [2] · [1, 4]', 'grad [inf, inf]'/gradient, 'line 31 · x2 · saves 16 B'/faint] box='b18' site=31:16-26 ops=[20, 24]) (each=[[0, 'float32 [2] · [1, 4]', '[inf, inf]'], [1, 'float32 [2] · [1, 4]', '[inf, inf]']])
# node n17 (kind='op' name='add' lines=['float32 [2] · [-10, -5.343] … [-9, -1.343]', 'grad [inf, inf]'/gradient, 'line 31 · x2'/faint] box='b18' site=31:12-26 ops=[21, 25]) (each=[[0, 'float32 [2] · [-10, -5.343]', '[inf, inf]'], [1, 'float32 [2] · [-9, -1.343]', '[inf, inf]']])
# node n18 (kind='op' name='clamp' rest='max=0' lines=['float32 [2] · [0, 0]', 'line 32'/faint] site=32:15-33 ops=[26])
# node n19 (kind='op' name='div' rest='→ output' lines=['float32 [2] · [-inf, -inf]', 'first Inf (op 27)'/error, 'grad [1, 1]'/gradient, 'line 32 · saves 8 B'/faint] site=32:11-33 ops=[27])
# node n24a0 (kind='done' name='' lines=['continue'/source] box='bn24a0' site=27:11-20 span=[28, 28])
# node out0 (kind='output' name='output' lines=['float32 [2] · [-inf, -inf]', 'backward · seed ones'/gradient] tensors=[29])
# edge n30 n0 data   both
# edge n30 n1 data   both
# edge n1 n2 carried  [inf, inf] both
# edge n2 n3 data   both
# edge n3 n4 data   both
# edge n2 n5 data   both
# edge n5 n6 data   both
# edge n6 n7 data   both
# edge n5 n8 carried   both
# edge n8 n9 data  [inf, inf] both
# edge n9 n10 data  [inf, inf] both
# edge n10 n10 carried  [inf, inf] both
# edge n10 n11 carried  [inf, inf] both
# edge n11 n12 data  [inf, inf] both
# edge n12 n12 carried  [inf, inf] both
# edge n12 n13 data   both
# edge n13 n14 data   both
# edge n0 n15 data   both
# edge n0 n16 data   both
# edge n12 n17 data   both
# edge n16 n17 data  [inf, inf] both
# edge n17 n17 carried  [inf, inf] both
# edge n31 n18 data   both
# edge n17 n19 data  [inf, inf] both
# edge n18 n19 data   both
# edge n4 n27 predicate   both
# edge n7 n27 asked again   both
# edge n14 n28 asked again   both
# edge n15 n29 predicate   both
# edge n20 n21 taken True x3  both
# edge n23 n1 taken True  both
# edge n24 n24a0 taken True  both
# edge n25 n2 taken True  both
# edge n27 n5 taken True x2  both
# edge n28 n9 taken True x2  both
# edge n29 n16 taken loop  both
# edge n19 out0 data   both
