# run: {"inputs": ["[0, 4, -1]"]}
import dyncore as torch

state = {"last": None}


def forward(x):
    big = x.exp() * 1e30 * 1e12
    root = x.clamp(min=0).sqrt()
    ratio = (x - x) / x
    tiny = (x * 1e-30) * 1e-30
    state["last"] = big
    for value in ratio:
        if value != value:
            continue
        elif value > 0:
            return value
        else:
            root = root + value
    else:
        root = torch.where(x > 0, root, x.log() * 0)
    return (root + tiny).sum() + (big * 0).nan_to_num().sum()

# ----
# ok forced=() unrecorded=() None
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# scopes 2 (parent=1 kind='iteration' name='for value in ratio' site=13:4-22 index=0 decision=0)
# scopes 3 (parent=1 kind='iteration' name='for value in ratio' site=13:4-22 index=1 decision=0)
# scopes 4 (parent=3 kind='arm' name='else' site=14:11-25 decision=2)
# scopes 5 (parent=4 kind='arm' name='else' site=16:13-22 decision=3)
# scopes 6 (parent=1 kind='iteration' name='for value in ratio' site=13:4-22 index=2 decision=0)
# scopes 7 (parent=6 kind='arm' name='else' site=14:11-25 decision=4)
# scopes 8 (parent=7 kind='arm' name='else' site=16:13-22 decision=5)
# calls 0 (line=7 times=1 returned=1)
# tensors 0 (shape=[3] role='input' name='x' requires_grad=True values=[0, 4, -1])
# tensors 1 (shape=[3] requires_grad=True values=[1, 54.598, 0.36788] op=0)
# tensors 2 (shape=[3] requires_grad=True values=[1e+30, 5.4598e+31, 3.6788e+29] op=1)
# tensors 3 (shape=[3] requires_grad=True values=[inf, inf, inf] op=2)
# tensors 4 (shape=[3] requires_grad=True values=[0, 4, 0] op=3)
# tensors 5 (shape=[3] requires_grad=True values=[0, 2, 0] op=4)
# tensors 6 (shape=[3] requires_grad=True values=[0, 0, 0] op=5)
# tensors 7 (shape=[3] requires_grad=True values=[nan, 0, -0] op=6)
# tensors 8 (shape=[3] requires_grad=True values=[0, 4e-30, -1e-30] op=7)
# tensors 9 (shape=[3] requires_grad=True values=[0, 0, -0] op=8)
# tensors 10 (shape=[] requires_grad=True values=[nan] op=9 shares=7)
# tensors 11 (shape=[] requires_grad=True values=[0] op=9 shares=7)
# tensors 12 (shape=[] requires_grad=True values=[-0] op=9 shares=7)
# tensors 13 (shape=[] dtype='bool' values=[True] op=10)
# tensors 14 (shape=[] dtype='bool' values=[False] op=11)
# tensors 15 (shape=[] dtype='bool' values=[False] op=12)
# tensors 16 (shape=[3] requires_grad=True values=[0, 2, 0] op=13)
# tensors 17 (shape=[] dtype='bool' values=[False] op=14)
# tensors 18 (shape=[] dtype='bool' values=[False] op=15)
# tensors 19 (shape=[3] requires_grad=True values=[0, 2, 0] op=16)
# tensors 20 (shape=[3] dtype='bool' values=[False, True, False] op=17)
# tensors 21 (shape=[3] requires_grad=True values=[-inf, 1.3863, nan] op=18)
# tensors 22 (shape=[3] requires_grad=True values=[nan, 0, nan] op=19)
# tensors 23 (shape=[3] requires_grad=True values=[nan, 2, nan] op=20)
# tensors 24 (shape=[3] requires_grad=True values=[nan, 2, nan] op=21)
# tensors 25 (shape=[] requires_grad=True values=[nan] op=22)
# tensors 26 (shape=[3] requires_grad=True values=[nan, nan, nan] op=23)
# tensors 27 (shape=[3] requires_grad=True values=[0, 0, 0] op=24)
# tensors 28 (shape=[] requires_grad=True values=[0] op=25)
# tensors 29 (shape=[] name='output' requires_grad=True values=[nan] op=26)
# tensors 30 (shape=[3] role='gradient' name='x.grad' values=[nan, 0.25, 0])
# tensors 31 (shape=[] role='gradient' values=[1])
# tensors 32 (shape=[] role='gradient' values=[1])
# tensors 33 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 34 (shape=[3] role='gradient' values=[0, 0, 0])
# tensors 35 (shape=[] role='gradient' values=[1])
# tensors 36 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 37 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 38 (shape=[3] role='gradient' values=[1, 0, 1])
# tensors 39 (shape=[3] role='gradient' values=[0, 0, 0])
# tensors 40 (shape=[3] role='gradient' values=[0, 1, 0])
# tensors 41 (shape=[3] role='gradient' values=[0, 1, 0])
# tensors 42 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 43 (shape=[3] role='gradient' values=[1e-30, 1e-30, 1e-30])
# tensors 44 (shape=[3] role='gradient' values=[0, 1, 1])
# tensors 45 (shape=[3] role='gradient' values=[nan, 0.25, -1])
# tensors 46 (shape=[3] role='gradient' values=[0, 1, 0])
# tensors 47 (shape=[3] role='gradient' values=[nan, 0.25, nan])
# tensors 48 (shape=[3] role='gradient' values=[0, 0, 0])
# tensors 49 (shape=[3] role='gradient' values=[0, 0, 0])
# tensors 50 (shape=[3] role='gradient' values=[0, 0, 0])
# tensors 51 (shape=[] role='gradient' values=[1])
# tensors 52 (shape=[] role='gradient' values=[1])
# tensors 53 (shape=[] role='gradient' values=[1])
# tensors 54 (shape=[] role='gradient' values=[1])
# tensors 55 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 56 (shape=[3] role='gradient' values=[0, 0, 0])
# tensors 57 (shape=[3] role='gradient' values=[0, 0, 0])
# tensors 58 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 59 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 60 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 61 (shape=[3] role='gradient' values=[0, 1, 0])
# tensors 62 (shape=[3] role='gradient' values=[1, 0, 1])
# tensors 63 (shape=[3] role='gradient' values=[0, 0, 0])
# tensors 64 (shape=[3] role='gradient' values=[nan, 0, -0])
# tensors 65 (shape=[3] role='gradient' values=[0, 1, 0])
# tensors 66 (shape=[] role='gradient' values=[1])
# tensors 67 (shape=[3] role='gradient' values=[0, 1, 0])
# tensors 68 (shape=[] role='gradient' values=[1])
# tensors 69 (shape=[3] role='gradient' values=[0, 1, 1])
# tensors 70 (shape=[3] role='gradient' values=[1e-30, 1e-30, 1e-30])
# tensors 71 (shape=[3] role='gradient' values=[0, 0, 0])
# tensors 72 (shape=[3] role='gradient' values=[nan, 0.25, -1])
# tensors 73 (shape=[3] role='gradient' values=[nan, -0, -0])
# tensors 74 (shape=[3] role='gradient' values=[nan, 0, 0])
# tensors 75 (shape=[3] role='gradient' values=[nan, 0.25, nan])
# tensors 76 (shape=[3] role='gradient' values=[nan, 0.25, 0])
# tensors 77 (shape=[3] role='gradient' values=[0, 0, 0])
# tensors 78 (shape=[3] role='gradient' values=[0, 0, 0])
# tensors 79 (shape=[3] role='gradient' values=[0, 0, 0])
# ops 0 (name='exp' inputs=[0] outputs=[1] site=8:10-17 scope=1 saved_bytes=12 grad_fn='ExpBackward0' saved=[1])
# ops 1 (name='mul' inputs=[1] outputs=[2] site=8:10-24 args='1e+30' scope=1 grad_fn='MulBackward0')
# ops 2 (name='mul' inputs=[2] outputs=[3] site=8:10-31 args='1e+12' scope=1 grad_fn='MulBackward0')
# ops 3 (name='clamp' inputs=[0] outputs=[4] site=9:11-25 args='0' scope=1 saved_bytes=12 grad_fn='ClampBackward0' saved=[0])
# ops 4 (name='sqrt' inputs=[4] outputs=[5] site=9:11-32 scope=1 saved_bytes=12 grad_fn='SqrtBackward0' saved=[5])
# ops 5 (name='sub' inputs=[0, 0] outputs=[6] site=10:13-18 scope=1 grad_fn='SubBackward0')
# ops 6 (name='div' inputs=[6, 0] outputs=[7] site=10:12-23 scope=1 saved_bytes=24 grad_fn='DivBackward0' saved=[0, 6])
# ops 7 (name='mul' inputs=[0] outputs=[8] site=11:12-21 args='1e-30' scope=1 grad_fn='MulBackward0')
# ops 8 (name='mul' inputs=[8] outputs=[9] site=11:11-30 args='1e-30' scope=1 grad_fn='MulBackward0')
# ops 9 (name='unbind' inputs=[7] outputs=[10, 11, 12] site=13:17-22 scope=1 grad_fn='UnbindBackward0')
# ops 10 (name='ne' inputs=[10, 10] outputs=[13] site=14:11-25 scope=2 under=0)
# ops 11 (name='ne' inputs=[11, 11] outputs=[14] site=14:11-25 scope=3 under=0)
# ops 12 (name='gt' inputs=[11] outputs=[15] site=16:13-22 args='0' scope=4 under=2)
# ops 13 (name='add' inputs=[5, 11] outputs=[16] site=19:19-31 scope=5 under=3 grad_fn='AddBackward0')
# ops 14 (name='ne' inputs=[12, 12] outputs=[17] site=14:11-25 scope=6 under=0)
# ops 15 (name='gt' inputs=[12] outputs=[18] site=16:13-22 args='0' scope=7 under=4)
# ops 16 (name='add' inputs=[16, 12] outputs=[19] site=19:19-31 scope=8 under=5 grad_fn='AddBackward0')
# ops 17 (name='gt' inputs=[0] outputs=[20] site=21:27-32 args='0' scope=1)
# ops 18 (name='log' inputs=[0] outputs=[21] site=21:40-47 scope=1 saved_bytes=12 grad_fn='LogBackward0' saved=[0])
# ops 19 (name='mul' inputs=[21] outputs=[22] site=21:40-51 args='0' scope=1 grad_fn='MulBackward0')
# ops 20 (name='where' inputs=[20, 19, 22] outputs=[23] site=21:15-52 scope=1 saved_bytes=3 grad_fn='WhereBackward0' saved=[20])
# ops 21 (name='add' inputs=[23, 9] outputs=[24] site=22:12-23 scope=1 grad_fn='AddBackward0')
# ops 22 (name='sum' inputs=[24] outputs=[25] site=22:11-30 scope=1 grad_fn='SumBackward0')
# ops 23 (name='mul' inputs=[3] outputs=[26] site=22:34-41 args='0' scope=1 grad_fn='MulBackward0')
# ops 24 (name='nan_to_num' inputs=[26] outputs=[27] site=22:33-55 scope=1 saved_bytes=12 grad_fn='NanToNumBackward0' saved=[26])
# ops 25 (name='sum' inputs=[27] outputs=[28] site=22:33-61 scope=1 grad_fn='SumBackward0')
# ops 26 (name='add' inputs=[25, 28] outputs=[29] site=22:11-61 scope=1 grad_fn='AddBackward0')
# decisions 0 (site=13:4-22 arm='loop' outcome=3 origin='shape' trips=3 exit='exhausted' call_path=['forward'] predicate_op=6 scope=1 until=6)
# decisions 1 (site=14:11-25 arm='then' outcome=True origin='tensor' iterations=[[13, 0]] call_path=['forward'] under=0 conditions=[(text='value != value' op='!=' lhs=nan rhs=nan value=None outcome=True margin=nan origin='tensor' predicate_op=10)] margin=nan predicate_op=10 scope=2)
# decisions 2 (site=14:11-25 arm='else' outcome=False origin='tensor' iterations=[[13, 1]] call_path=['forward'] under=0 conditions=[(text='value != value' op='!=' lhs=0 rhs=0 value=None outcome=False margin=0 origin='tensor' predicate_op=11)] margin=0 predicate_op=11 scope=3)
# decisions 3 (site=16:13-22 arm='else' outcome=False origin='tensor' iterations=[[13, 1]] call_path=['forward'] under=2 conditions=[(text='value > 0' op='>' lhs=0 rhs=0 value=None outcome=False margin=0 origin='tensor' predicate_op=12)] margin=0 predicate_op=12 scope=4)
# decisions 4 (site=14:11-25 arm='else' outcome=False origin='tensor' iterations=[[13, 2]] call_path=['forward'] under=0 conditions=[(text='value != value' op='!=' lhs=-0 rhs=-0 value=None outcome=False margin=0 origin='tensor' predicate_op=14)] margin=0 predicate_op=14 scope=6)
# decisions 5 (site=16:13-22 arm='else' outcome=False origin='tensor' iterations=[[13, 2]] call_path=['forward'] under=4 conditions=[(text='value > 0' op='>' lhs=-0 rhs=0 value=None outcome=False margin=-0 origin='tensor' predicate_op=15)] margin=-0 predicate_op=15 scope=7)
# choices 0 (op=17 kind='mask' of=3 counts=[2, 1] margin=1 uses=[20])
# inputs 0 (name='x' tensor=0)
# outputs 0 (name='output' tensor=29)
# backwards 0 (site=None root=29 seed='1' gradients=[(name='x' tensor=0 role='input' value=30), (name='output' tensor=29 role='intermediate' value=31), (name='t28' tensor=28 role='intermediate' value=32), (name='t27' tensor=27 role='intermediate' value=33), (name='t26' tensor=26 role='intermediate' value=34), (name='t25' tensor=25 role='intermediate' value=35), (name='t24' tensor=24 role='intermediate' value=36), (name='t23' tensor=23 role='intermediate' value=37), (name='t22' tensor=22 role='intermediate' value=38), (name='t21' tensor=21 role='intermediate' value=39), (name='t19' tensor=19 role='intermediate' value=40), (name='t16' tensor=16 role='intermediate' value=41), (name='t9' tensor=9 role='intermediate' value=42), (name='t8' tensor=8 role='intermediate' value=43), (name='t7' tensor=7 role='intermediate' value=44), (name='t6' tensor=6 role='intermediate' value=45), (name='t5' tensor=5 role='intermediate' value=46), (name='t4' tensor=4 role='intermediate' value=47), (name='t3' tensor=3 role='intermediate' value=48), (name='t2' tensor=2 role='intermediate' value=49), (name='t1' tensor=1 role='intermediate' value=50), (name='t12' tensor=12 role='intermediate' value=51), (name='t11' tensor=11 role='intermediate' value=52)] after=27 nodes=[26, 25, 24, 23, 22, 21, 20, 19, 18, 16, 13, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
# edges [[26, 25, 53], [26, 28, 54], [25, 27, 55], [24, 26, 56], [23, 3, 57], [22, 24, 58], [21, 23, 59], [21, 9, 60], [20, 19, 61], [20, 22, 62], [19, 21, 63], [18, 0, 64], [16, 16, 65], [16, 12, 66], [13, 5, 67], [13, 11, 68], [9, 7, 69], [8, 8, 70], [7, 0, 71], [6, 6, 72], [6, 0, 73], [5, 0, 74], [4, 4, 75], [3, 0, 76], [2, 2, 77], [1, 1, 78], [0, 0, 79]]
# left [17]
# reached {2: 1, 4: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 3, 15: 1, 16: 2, 19: 2, 21: 1, 22: 1}
# line 13 [(test='' took='3 trips' values='')] None
# line 14 [(test='' took='T F F' values='nan … -0.0 != nan … -0.0')] None
# line 16 [(test='' took='F F' values='0.0 … -0.0 > 0')] None
# decided (decisions=[0] because='3 trips' took='exhausted' left='' margin=None)
# decided (decisions=[1, 2, 4] because='value = nan … -0.0 != value = nan … -0.0' took='True, False x2' left='' margin=0 nesting=1)
# decided (decisions=[3, 5] because='value = 0.0 … -0.0 > 0' took='False x2' left='then' margin=0 nesting=1)
# chosen (choices=[...] site=21:27-32 picked='1 of 3' margin='1' use='line 21: where')
# gradient (name='x' shape='[3]' values='[nan, 0.25, 0]')
# bad (kind='exploded' op=1 tensor=2 shown=2 made_of=[1])
# bad (kind='overflow' op=2 tensor=3 shown=3 made_of=[2])
# bad (kind='NaN' op=6 tensor=7 shown=7 made_of=[6, 0])
# bad (kind='NaN' op=18 tensor=0 shown=64 made_of=[39, 0] backward=0)
# bad (kind='vanished' op=8 tensor=8 shown=70 made_of=[42, 8] backward=0)
# cost (label='outside any module' first=0 ops=27 nodes=21 saved_bytes=87)
# cost (label='whatever was decided' first=0 ops=20 nodes=19 saved_bytes=87)
# cost (label='for value in ratio → loop' first=10 site=13:4-22 ops=3)
# cost (label='if value != value → else' first=12 site=14:11-25 ops=2)
# cost (label='elif value > 0 → else' first=13 site=16:13-22 ops=2 nodes=2)
# cost (label='mul' first=1 ops=6 nodes=6)
# cost (label='add' first=13 ops=4 nodes=4)
# cost (label='ne' first=10 ops=3)
# cost (label='gt' first=12 ops=3)
# cost (label='sum' first=22 ops=2 nodes=2)
# cost (label='exp' first=0 ops=1 nodes=1 saved_bytes=12)
# cost (label='clamp' first=3 ops=1 nodes=1 saved_bytes=12)
# cost (label='sqrt' first=4 ops=1 nodes=1 saved_bytes=12)
# cost (label='sub' first=5 ops=1 nodes=1)
# cost (label='div' first=6 ops=1 nodes=1 saved_bytes=24)
# cost (label='unbind' first=9 ops=1 nodes=1)
# cost (label='log' first=18 ops=1 nodes=1 saved_bytes=12)
# cost (label='where' first=20 ops=1 nodes=1 saved_bytes=3)
# cost (label='nan_to_num' first=24 ops=1 nodes=1 saved_bytes=12)
# held (size_bytes=12 why='gradient' tensor=0)
# held (size_bytes=12 why='input' tensor=0)
# held (size_bytes=12 why='backward' tensor=1 op=0)
# held (size_bytes=12 why='gradient' tensor=3 op=2)
# held (size_bytes=12 why='backward' tensor=5 op=4)
# held (size_bytes=12 why='backward' tensor=6 op=5)
# held (size_bytes=12 why='gradient' tensor=9 op=8)
# held (size_bytes=12 why='gradient' tensor=10 op=9)
# held (size_bytes=12 why='gradient' tensor=16 op=13)
# held (size_bytes=12 why='gradient' tensor=19 op=16)
# held (size_bytes=4 why='output' tensor=29 op=26)
# memory 63 of [24, 36, 48, 48, 60, 60, 72, 84, 96, 84, 85, 85, 85, 96, 97, 97, 108, 87, 99, 111, 111, 99, 79, 79, 79, 83, 75, 79, 87, 95, 83, 83, 103, 115, 112, 112, 124, 124, 124, 124, 112, 112, 88, 88, 64, 64, 64, 52]
# named ['', 'forward', 'for value in ratio line 13 step 0', 'for value in ratio line 13 step 1', 'if value != value → else', 'elif value > 0 → else', 'for value in ratio line 13 step 2', 'if value != value → else', 'elif value > 0 → else']
# graph [' · 27 ops · 6 decisions'] first NaN (op 6): div, line 10 · first NaN in a gradient (op 18): log, line 21
# box b1 (kind='loop' name='for' rest='value in ratio · line 13 · x 3 · T, F x2 · ran out, then else' site=13:4-22 times=3)
# box b2 (kind='kind' name='T' rest='x 1 · value != value True · step 0' parent='b1' site=13:4-22)
# box b3 (kind='kind' name='F' rest='x 2 · value != value False · steps 1, 2' parent='b1' site=13:4-22 times=2)
# box b4 (kind='arm' name='False' rest='x 2' parent='b3' site=14:11-25 times=2)
# box b5 (kind='arm' name='False' rest='x 2' parent='b4' site=16:13-22 times=2)
# box bn25a0 (kind='arm' name='True' rest='line 15' parent='b2' site=14:11-25)
# box bn27a0 (kind='left' name='True' rest='line 17' parent='b4' site=16:13-22 times=0)
# node n28 (kind='input' name='x' lines=['float32 [3] · [0, 4, -1]', 'grad [nan, 0.25, 0]'/gradient] tensors=[0])
# node n0 (kind='op' name='exp' lines=['float32 [3] · [1, 54.6, 0.3679]', 'grad [0, 0, 0]'/gradient, 'line 8 · saves 12 B'/faint] site=8:10-17 ops=[0])
# node n1 (kind='op' name='mul' rest='1e+30' lines=['float32 [3] · [1e30, 5.46e31, 3.679e29]', 'grad [0, 0, 0]'/gradient, 'line 8'/faint] site=8:10-24 ops=[1])
# node n2 (kind='op' name='mul' rest='1e+12' lines=['float32 [3] · [inf, inf, inf]', 'grad [0, 0, 0]'/gradient, 'line 8'/faint] site=8:10-31 ops=[2])
# node n3 (kind='op' name='clamp' rest='0' lines=['float32 [3] · [0, 4, 0]', 'grad [nan, 0.25, nan]'/gradient, 'with x'/parameter, 'line 9 · saves 12 B'/faint] site=9:11-25 ops=[3])
# node n4 (kind='op' name='sqrt' lines=['float32 [3] · [0, 2, 0]', 'grad [0, 1, 0]'/gradient, 'line 9 · saves 12 B'/faint] site=9:11-32 ops=[4])
# node n5 (kind='op' name='sub' lines=['float32 [3] · [0, 0, 0]', 'grad [nan, 0.25, -1]'/gradient, 'with x'/parameter, 'line 10'/faint] site=10:13-18 ops=[5])
# node n6 (kind='op' name='div' lines=['float32 [3] · [nan, 0, -0]', 'first NaN (op 6)'/error, 'grad [0, 1, 1]'/gradient, 'with x'/parameter, 'line 10 · saves 24 B'/faint] site=10:12-23 ops=[6])
# node n7 (kind='op' name='mul' rest='1e-30' lines=['float32 [3] · [0, 4e-30, -1e-30]', 'grad [1e-30, 1e-30, 1e-30]'/gradient, 'with x'/parameter, 'line 11'/faint] site=11:12-21 ops=[7])
# node n8 (kind='op' name='mul' rest='1e-30' lines=['float32 [3] · [0, 0, -0]', 'grad [1, 1, 1]'/gradient, 'line 11'/faint] site=11:11-30 ops=[8])
# node n24 (kind='decision' name='for' rest='value in ratio' lines=['line 13 · 3 trips (shape)'/plain] box='b1' site=13:4-22 decisions=[0] origin='shape')
# node n9 (kind='op' name='unbind' lines=['float32 [] · nan', 'output 2: grad 1'/gradient, 'line 13 · the first of 3 outputs'/faint] site=13:17-22 ops=[9])
# node n10 (kind='op' name='ne' lines=['bool [] · True', 'line 14'/faint] box='b2' site=14:11-25 ops=[10])
# node n25 (kind='decision' name='if' rest='value != value' lines=['line 14 · nan != nan'/plain] box='b2' site=14:11-25 decisions=[1] origin='tensor')
# node n11 (kind='op' name='ne' lines=['bool [] · False', 'line 14 · x2'/faint] box='b3' site=14:11-25 ops=[11, 14]) (each=[[1, 'bool [] · False', ''], [2, 'bool [] · False', '']])
# node n26 (kind='decision' name='if' rest='value != value' lines=['line 14 · False x2'/plain, '0 … -0 != 0 … -0'/plain, 'margin 0'/plain] box='b3' site=14:11-25 decisions=[2, 4] origin='tensor') (each=[[1, 'False · 0 != 0', ''], [2, 'False · -0 != -0', '']])
# node n12 (kind='op' name='gt' rest='0' lines=['bool [] · False', 'line 16 · x2'/faint] box='b4' site=16:13-22 ops=[12, 15]) (each=[[1, 'bool [] · False', ''], [2, 'bool [] · False', '']])
# node n27 (kind='decision' name='elif' rest='value > 0' lines=['line 16 · False x2'/plain, '0 … -0 > 0'/plain, 'margin 0'/plain] box='b4' site=16:13-22 decisions=[3, 5] origin='tensor') (each=[[1, 'False · 0 > 0', ''], [2, 'False · -0 > 0', '']])
# node n13 (kind='op' name='add' lines=['float32 [3] · [0, 2, 0]', 'grad [0, 1, 0]'/gradient, 'line 19 · x2'/faint] box='b5' site=19:19-31 ops=[13, 16]) (each=[[1, 'float32 [3] · [0, 2, 0]', '[0, 1, 0]'], [2, 'float32 [3] · [0, 2, 0]', '[0, 1, 0]']])
# node n14 (kind='op' name='gt' rest='0' lines=['bool [3] · [False, True, False]', 'with x'/parameter, 'line 21'/faint] site=21:27-32 ops=[17])
# node n15 (kind='op' name='log' lines=['float32 [3] · [-inf, 1.386, nan]', 'first NaN in a gradient (op 18)'/error, 'grad [0, 0, 0]'/gradient, 'with x'/parameter, 'line 21 · saves 12 B'/faint] site=21:40-47 ops=[18])
# node n16 (kind='op' name='mul' rest='0' lines=['float32 [3] · [nan, 0, nan]', 'grad [1, 0, 1]'/gradient, 'line 21'/faint] site=21:40-51 ops=[19])
# node n17 (kind='op' name='where' lines=['float32 [3] · [nan, 2, nan]', 'grad [1, 1, 1]'/gradient, 'line 21 · saves 3 B'/faint] site=21:15-52 ops=[20])
# node n18 (kind='op' name='add' lines=['float32 [3] · [nan, 2, nan]', 'grad [1, 1, 1]'/gradient, 'line 22'/faint] site=22:12-23 ops=[21])
# node n19 (kind='op' name='sum' lines=['float32 [] · nan', 'grad 1'/gradient, 'line 22'/faint] site=22:11-30 ops=[22])
# node n20 (kind='op' name='mul' rest='0' lines=['float32 [3] · [nan, nan, nan]', 'grad [0, 0, 0]'/gradient, 'line 22'/faint] site=22:34-41 ops=[23])
# node n21 (kind='op' name='nan_to_num' lines=['float32 [3] · [0, 0, 0]', 'grad [1, 1, 1]'/gradient, 'line 22 · saves 12 B'/faint] site=22:33-55 ops=[24])
# node n22 (kind='op' name='sum' lines=['float32 [] · 0', 'grad 1'/gradient, 'line 22'/faint] site=22:33-61 ops=[25])
# node n23 (kind='op' name='add' rest='→ output' lines=['float32 [] · nan', 'grad 1'/gradient, 'line 22'/faint] site=22:11-61 ops=[26])
# node n25a0 (kind='done' name='' lines=['continue'/source] box='bn25a0' site=14:11-25 span=[15, 15])
# node n27a0 (kind='ghost' name='' lines=['return value'/source] box='bn27a0' site=16:13-22 span=[17, 17])
# node out0 (kind='output' name='output' lines=['float32 [] · nan', 'backward · seed 1'/gradient] tensors=[29])
# edge n28 n0 data  [0, 0, 0] both
# edge n0 n1 data  [0, 0, 0] both
# edge n1 n2 data  [0, 0, 0] both
# edge n3 n4 data  [nan, 0.25, nan] both
# edge n5 n6 data  [nan, 0.25, -1] both
# edge n7 n8 data  [1e-30, 1e-30, 1e-30] both
# edge n6 n9 data  [0, 1, 1] both
# edge n9 n10 data   both
# edge n9 n11 data   both
# edge n9 n12 data   both
# edge n4 n13 data  [0, 1, 0] both
# edge n9 n13 data  1 both
# edge n13 n13 carried  [0, 1, 0] both
# edge n15 n16 data  [0, 0, 0] both
# edge n14 n17 data   both
# edge n13 n17 data  [0, 1, 0] both
# edge n16 n17 data  [1, 0, 1] both
# edge n17 n18 data  [1, 1, 1] both
# edge n8 n18 data  [1, 1, 1] both
# edge n18 n19 data  [1, 1, 1] both
# edge n2 n20 data  [0, 0, 0] both
# edge n20 n21 data  [0, 0, 0] both
# edge n21 n22 data  [1, 1, 1] both
# edge n19 n23 data  1 both
# edge n22 n23 data  1 both
# edge n6 n24 predicate   both
# edge n10 n25 predicate   both
# edge n11 n26 predicate   both
# edge n12 n27 predicate   both
# edge n24 n10 taken loop  both
# edge n25 n25a0 taken True  both
# edge n26 n12 taken False x2  both
# edge n27 n27a0 left True  both
# edge n27 n13 taken False x2  both
# edge n23 out0 data   both
