# run: {"inputs": ["[1, 2]"], "edges": true, "saved": true}
# other: {"inputs": ["[1, -2]"], "edges": true, "saved": true}
import dyncore as torch


class Holder:
    shared = torch.full((2,), 0.5, requires_grad=True)

    def __init__(self):
        self.w = torch.ones(2, requires_grad=True)
        self.parts = {"bias": [torch.zeros(2, requires_grad=True)]}


def make():
    inner = torch.full((2,), 3.0, requires_grad=True)
    return lambda v: v * inner


def search(v):
    for k in range(4):
        try:
            if v.sum() > k:
                return v * k
            if k == 2:
                break
        finally:
            v = v + 1
    return v


def first(values):
    for value in values:
        if value > 0:
            yield value


def nested(x, gain=torch.full((2,), 2.0, requires_grad=True)):
    def body(v):
        for _ in range(3):
            while v.max() < 9:
                if v.min() < -9:
                    return v
                v = v * 3
            else:
                v = v - x
        return v * gain

    return body(x)


holder, scaled = Holder(), make()
optimizer = torch.optim.SGD([holder.w, Holder.shared], lr=0.5)


def forward(x):
    made = [torch.ones(2, requires_grad=True) for _ in range(2)]
    total = scaled(x) * holder.w + holder.parts["bias"][0] + made[0]
    for step in range(2):
        optimizer.zero_grad()
        loss = (total * Holder.shared).sum() + (holder.w * step).sum()
        loss.backward(retain_graph=True)
        optimizer.step()
        total = total.detach() * holder.w
    found = next(first(x))
    return search(x) + nested(x) * found, made[1] * 2

# ----
# ok forced=() unrecorded=() None
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# scopes 2 (parent=1 kind='iteration' name='for _ in range(2)' site=56:46-63 index=0 decision=0)
# scopes 3 (parent=1 kind='iteration' name='for _ in range(2)' site=56:46-63 index=1 decision=0)
# scopes 4 (parent=1 kind='call' name='make.<locals>.<lambda>')
# scopes 5 (parent=1 kind='iteration' name='for step in range(2)' site=58:4-24 index=0 decision=1)
# scopes 6 (parent=1 kind='iteration' name='for step in range(2)' site=58:4-24 index=1 decision=1)
# scopes 7 (parent=1 kind='call' name='first')
# scopes 8 (parent=7 kind='iteration' name='for value in values' site=32:4-23 index=0 decision=2)
# scopes 9 (parent=1 kind='call' name='search')
# scopes 10 (parent=9 kind='iteration' name='for k in range(4)' site=20:4-21 index=0 decision=4)
# scopes 11 (parent=10 kind='arm' name='then' site=22:15-26 decision=5)
# scopes 12 (parent=1 kind='call' name='nested')
# scopes 13 (parent=12 kind='call' name='nested.<locals>.body')
# scopes 14 (parent=13 kind='iteration' name='for _ in range(3)' site=39:8-25 index=0 decision=6)
# scopes 15 (parent=14 kind='iteration' name='while v.max() < 9' site=40:18-29 index=0 decision=7)
# scopes 16 (parent=15 kind='arm' name='else' site=41:19-31 decision=8)
# scopes 17 (parent=14 kind='iteration' name='while v.max() < 9' site=40:18-29 index=1 decision=9)
# scopes 18 (parent=17 kind='arm' name='else' site=41:19-31 decision=10)
# scopes 19 (parent=13 kind='iteration' name='for _ in range(3)' site=39:8-25 index=1 decision=6)
# scopes 20 (parent=13 kind='iteration' name='for _ in range(3)' site=39:8-25 index=2 decision=6)
# calls 0 (line=16 times=1 returned=1)
# calls 1 (line=19 times=1 returned=1)
# calls 2 (line=31 times=1 returned=0)
# calls 3 (line=37 times=1 returned=1)
# calls 4 (line=38 times=1 returned=1)
# calls 5 (line=55 times=1 returned=1)
# calls 6 (line=9 times=0 returned=0)
# calls 7 (line=14 times=0 returned=0)
# tensors 0 (shape=[2] role='input' name='x' requires_grad=True values=[1, 2])
# tensors 1 (shape=[2] role='constant' name='inner' requires_grad=True values=[3, 3])
# tensors 2 (shape=[2] role='constant' name='holder.w' requires_grad=True values=[1, 1])
# tensors 3 (shape=[2] role='constant' name="holder.parts['bias'][0]" requires_grad=True values=[0, 0])
# tensors 4 (shape=[2] role='constant' name='Holder.shared' requires_grad=True values=[0.5, 0.5])
# tensors 5 (shape=[2] role='constant' requires_grad=True values=[2, 2])
# tensors 6 (shape=[2] role='input' name='made' requires_grad=True values=[1, 1] op=0)
# tensors 7 (shape=[2] values=[1, 1] op=1)
# tensors 8 (shape=[2] requires_grad=True values=[3, 6] op=2)
# tensors 9 (shape=[2] requires_grad=True values=[3, 6] op=3)
# tensors 10 (shape=[2] requires_grad=True values=[3, 6] op=4)
# tensors 11 (shape=[2] requires_grad=True values=[4, 7] op=5)
# tensors 12 (shape=[2] requires_grad=True values=[2, 3.5] op=6)
# tensors 13 (shape=[] requires_grad=True values=[5.5] op=7)
# tensors 14 (shape=[2] requires_grad=True values=[0, 0] op=8)
# tensors 15 (shape=[] requires_grad=True values=[0] op=9)
# tensors 16 (shape=[] requires_grad=True values=[5.5] op=10)
# tensors 17 (shape=[2] values=[4, 7] op=11 shares=11)
# tensors 18 (shape=[2] requires_grad=True values=[1, -3.5] op=12)
# tensors 19 (shape=[2] requires_grad=True values=[-1.5, 10.5] op=13)
# tensors 20 (shape=[] requires_grad=True values=[9] op=14)
# tensors 21 (shape=[2] requires_grad=True values=[0.25, -0.5] op=15)
# tensors 22 (shape=[] requires_grad=True values=[-0.25] op=16)
# tensors 23 (shape=[] requires_grad=True values=[8.75] op=17)
# tensors 24 (shape=[2] values=[1, -3.5] op=18 shares=18)
# tensors 25 (shape=[2] requires_grad=True values=[2.75, -33.25] op=19)
# tensors 26 (shape=[] requires_grad=True values=[1] op=20 shares=0)
# tensors 27 (shape=[] requires_grad=True values=[2] op=20 shares=0)
# tensors 28 (shape=[] dtype='bool' values=[True] op=21)
# tensors 29 (shape=[] requires_grad=True values=[3] op=22)
# tensors 30 (shape=[] dtype='bool' values=[True] op=23)
# tensors 31 (shape=[2] requires_grad=True values=[0, 0] op=24)
# tensors 32 (shape=[2] requires_grad=True values=[2, 3] op=25)
# tensors 33 (shape=[] requires_grad=True values=[2] op=26)
# tensors 34 (shape=[] dtype='bool' values=[True] op=27)
# tensors 35 (shape=[] requires_grad=True values=[1] op=28)
# tensors 36 (shape=[] dtype='bool' values=[False] op=29)
# tensors 37 (shape=[2] requires_grad=True values=[3, 6] op=30)
# tensors 38 (shape=[] requires_grad=True values=[6] op=31)
# tensors 39 (shape=[] dtype='bool' values=[True] op=32)
# tensors 40 (shape=[] requires_grad=True values=[3] op=33)
# tensors 41 (shape=[] dtype='bool' values=[False] op=34)
# tensors 42 (shape=[2] requires_grad=True values=[9, 18] op=35)
# tensors 43 (shape=[] requires_grad=True values=[18] op=36)
# tensors 44 (shape=[] dtype='bool' values=[False] op=37)
# tensors 45 (shape=[2] requires_grad=True values=[8, 16] op=38)
# tensors 46 (shape=[] requires_grad=True values=[16] op=39)
# tensors 47 (shape=[] dtype='bool' values=[False] op=40)
# tensors 48 (shape=[2] requires_grad=True values=[7, 14] op=41)
# tensors 49 (shape=[] requires_grad=True values=[14] op=42)
# tensors 50 (shape=[] dtype='bool' values=[False] op=43)
# tensors 51 (shape=[2] requires_grad=True values=[6, 12] op=44)
# tensors 52 (shape=[2] requires_grad=True values=[12, 24] op=45)
# tensors 53 (shape=[2] requires_grad=True values=[12, 24] op=46)
# tensors 54 (shape=[2] name='output.0' requires_grad=True values=[12, 24] op=47)
# tensors 55 (shape=[2] name='output.1' requires_grad=True values=[2, 2] op=48)
# tensors 56 (shape=[2] role='written' values=[0.25, -0.5] shares=2)
# tensors 57 (shape=[2] role='written' values=[2.75, 9.5] shares=2)
# tensors 58 (shape=[2] role='written' values=[-1.5, -3] shares=4)
# tensors 59 (shape=[2] role='written' values=[-2, -1.25] shares=4)
# tensors 60 (shape=[2] role='gradient' name='x.grad' values=[1.5, 1.5])
# tensors 61 (shape=[2] role='gradient' name='inner.grad' values=[0.5, 1])
# tensors 62 (shape=[2] role='gradient' name='holder.w.grad' values=[1.5, 3])
# tensors 63 (shape=[2] role='gradient' name="holder.parts['bias'][0].grad" values=[0.5, 0.5])
# tensors 64 (shape=[2] role='gradient' name='Holder.shared.grad' values=[4, 7])
# tensors 65 (shape=[2] role='gradient' name='made.grad' values=[0.5, 0.5])
# tensors 66 (shape=[] role='gradient' values=[1])
# tensors 67 (shape=[] role='gradient' values=[1])
# tensors 68 (shape=[2] role='gradient' values=[1, 1])
# tensors 69 (shape=[] role='gradient' values=[1])
# tensors 70 (shape=[2] role='gradient' values=[1, 1])
# tensors 71 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 72 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 73 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 74 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 75 (shape=[] role='gradient' values=[1])
# tensors 76 (shape=[] role='gradient' values=[1])
# tensors 77 (shape=[2] role='gradient' values=[1, 1])
# tensors 78 (shape=[2] role='gradient' values=[0, 0])
# tensors 79 (shape=[2] role='gradient' values=[1, 1])
# tensors 80 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 81 (shape=[2] role='gradient' values=[4, 7])
# tensors 82 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 83 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 84 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 85 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 86 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 87 (shape=[2] role='gradient' values=[1.5, 3])
# tensors 88 (shape=[2] role='gradient' values=[1.5, 1.5])
# tensors 89 (shape=[2] role='gradient' values=[0.5, 1])
# tensors 90 (shape=[2] role='gradient' name='holder.w.grad' values=[-5, -20])
# tensors 91 (shape=[2] role='gradient' name='Holder.shared.grad' values=[1, -3.5])
# tensors 92 (shape=[] role='gradient' values=[1])
# tensors 93 (shape=[] role='gradient' values=[1])
# tensors 94 (shape=[2] role='gradient' values=[1, 1])
# tensors 95 (shape=[] role='gradient' values=[1])
# tensors 96 (shape=[2] role='gradient' values=[1, 1])
# tensors 97 (shape=[2] role='gradient' values=[-1.5, -3])
# tensors 98 (shape=[] role='gradient' values=[1])
# tensors 99 (shape=[] role='gradient' values=[1])
# tensors 100 (shape=[2] role='gradient' values=[1, 1])
# tensors 101 (shape=[2] role='gradient' values=[1, 1])
# tensors 102 (shape=[2] role='gradient' values=[1, 1])
# tensors 103 (shape=[2] role='gradient' values=[-1.5, -3])
# tensors 104 (shape=[2] role='gradient' values=[1, -3.5])
# tensors 105 (shape=[2] role='gradient' values=[-6, -21])
# ops 0 (name='ones' inputs=[] outputs=[6] site=56:12-45 args='2' scope=2 under=0)
# ops 1 (name='ones' inputs=[] outputs=[7] site=56:12-45 args='2' scope=3 under=0)
# ops 2 (name='mul' inputs=[0, 1] outputs=[8] site=16:21-30 scope=4 saved_bytes=16 grad_fn='MulBackward0' saved=[0, 1])
# ops 3 (name='mul' inputs=[8, 2] outputs=[9] site=57:12-32 scope=1 saved_bytes=16 grad_fn='MulBackward0' saved=[2, 8])
# ops 4 (name='add' inputs=[9, 3] outputs=[10] site=57:12-58 scope=1 grad_fn='AddBackward0')
# ops 5 (name='add' inputs=[10, 6] outputs=[11] site=57:12-68 scope=1 grad_fn='AddBackward0')
# ops 6 (name='mul' inputs=[11, 4] outputs=[12] site=60:16-37 scope=5 under=1 saved_bytes=16 grad_fn='MulBackward0' saved=[4, 11])
# ops 7 (name='sum' inputs=[12] outputs=[13] site=60:15-44 scope=5 under=1 grad_fn='SumBackward0')
# ops 8 (name='mul' inputs=[2] outputs=[14] site=60:48-63 args='0' scope=5 under=1 grad_fn='MulBackward0')
# ops 9 (name='sum' inputs=[14] outputs=[15] site=60:47-70 scope=5 under=1 grad_fn='SumBackward0')
# ops 10 (name='add' inputs=[13, 15] outputs=[16] site=60:15-70 scope=5 under=1 grad_fn='AddBackward0')
# ops 11 (name='detach' inputs=[11] outputs=[17] site=63:16-30 scope=5 under=1)
# ops 12 (name='mul' inputs=[17, 2] outputs=[18] site=63:16-41 scope=5 under=1 saved_bytes=8 grad_fn='MulBackward0' saved=[17])
# ops 13 (name='mul' inputs=[18, 4] outputs=[19] site=60:16-37 scope=6 under=1 saved_bytes=16 grad_fn='MulBackward0' saved=[4, 18])
# ops 14 (name='sum' inputs=[19] outputs=[20] site=60:15-44 scope=6 under=1 grad_fn='SumBackward0')
# ops 15 (name='mul' inputs=[2] outputs=[21] site=60:48-63 args='1' scope=6 under=1 grad_fn='MulBackward0')
# ops 16 (name='sum' inputs=[21] outputs=[22] site=60:47-70 scope=6 under=1 grad_fn='SumBackward0')
# ops 17 (name='add' inputs=[20, 22] outputs=[23] site=60:15-70 scope=6 under=1 grad_fn='AddBackward0')
# ops 18 (name='detach' inputs=[18] outputs=[24] site=63:16-30 scope=6 under=1)
# ops 19 (name='mul' inputs=[24, 2] outputs=[25] site=63:16-41 scope=6 under=1 saved_bytes=8 grad_fn='MulBackward0' saved=[24])
# ops 20 (name='unbind' inputs=[0] outputs=[26, 27] site=32:17-23 scope=7 grad_fn='UnbindBackward0')
# ops 21 (name='gt' inputs=[26] outputs=[28] site=33:11-20 args='0' scope=8 under=2)
# ops 22 (name='sum' inputs=[0] outputs=[29] site=22:15-22 scope=10 under=4 grad_fn='SumBackward0')
# ops 23 (name='gt' inputs=[29] outputs=[30] site=22:15-26 args='0' scope=10 under=4)
# ops 24 (name='mul' inputs=[0] outputs=[31] site=23:23-28 args='0' scope=11 under=5 grad_fn='MulBackward0')
# ops 25 (name='add' inputs=[0] outputs=[32] site=27:16-21 args='1' scope=10 under=4 grad_fn='AddBackward0')
# ops 26 (name='max' inputs=[0] outputs=[33] site=40:18-25 scope=14 under=6 saved_bytes=8 grad_fn='MaxBackward0' saved=[0])
# ops 27 (name='lt' inputs=[33] outputs=[34] site=40:18-29 args='9' scope=14 under=6)
# ops 28 (name='min' inputs=[0] outputs=[35] site=41:19-26 scope=15 under=7 saved_bytes=8 grad_fn='MinBackward0' saved=[0])
# ops 29 (name='lt' inputs=[35] outputs=[36] site=41:19-31 args='-9' scope=15 under=7)
# ops 30 (name='mul' inputs=[0] outputs=[37] site=43:20-25 args='3' scope=16 under=8 grad_fn='MulBackward0')
# ops 31 (name='max' inputs=[37] outputs=[38] site=40:18-25 scope=15 under=7 saved_bytes=8 grad_fn='MaxBackward0' saved=[37])
# ops 32 (name='lt' inputs=[38] outputs=[39] site=40:18-29 args='9' scope=15 under=7)
# ops 33 (name='min' inputs=[37] outputs=[40] site=41:19-26 scope=17 under=9 saved_bytes=8 grad_fn='MinBackward0' saved=[37])
# ops 34 (name='lt' inputs=[40] outputs=[41] site=41:19-31 args='-9' scope=17 under=9)
# ops 35 (name='mul' inputs=[37] outputs=[42] site=43:20-25 args='3' scope=18 under=10 grad_fn='MulBackward0')
# ops 36 (name='max' inputs=[42] outputs=[43] site=40:18-25 scope=17 under=9 saved_bytes=8 grad_fn='MaxBackward0' saved=[42])
# ops 37 (name='lt' inputs=[43] outputs=[44] site=40:18-29 args='9' scope=17 under=9)
# ops 38 (name='sub' inputs=[42, 0] outputs=[45] site=45:20-25 scope=14 under=6 grad_fn='SubBackward0')
# ops 39 (name='max' inputs=[45] outputs=[46] site=40:18-25 scope=19 under=6 saved_bytes=8 grad_fn='MaxBackward0' saved=[45])
# ops 40 (name='lt' inputs=[46] outputs=[47] site=40:18-29 args='9' scope=19 under=6)
# ops 41 (name='sub' inputs=[45, 0] outputs=[48] site=45:20-25 scope=19 under=6 grad_fn='SubBackward0')
# ops 42 (name='max' inputs=[48] outputs=[49] site=40:18-25 scope=20 under=6 saved_bytes=8 grad_fn='MaxBackward0' saved=[48])
# ops 43 (name='lt' inputs=[49] outputs=[50] site=40:18-29 args='9' scope=20 under=6)
# ops 44 (name='sub' inputs=[48, 0] outputs=[51] site=45:20-25 scope=20 under=6 grad_fn='SubBackward0')
# ops 45 (name='mul' inputs=[51, 5] outputs=[52] site=46:15-23 scope=13 saved_bytes=16 grad_fn='MulBackward0' saved=[5, 51])
# ops 46 (name='mul' inputs=[52, 26] outputs=[53] site=65:23-40 scope=1 saved_bytes=12 grad_fn='MulBackward0' saved=[26, 52])
# ops 47 (name='add' inputs=[31, 53] outputs=[54] site=65:11-40 scope=1 grad_fn='AddBackward0')
# ops 48 (name='mul' inputs=[7] outputs=[55] site=65:42-53 args='2' scope=1 grad_fn='MulBackward0')
# decisions 0 (site=56:46-63 arm='loop' outcome=2 trips=2 exit='exhausted' call_path=['forward'] scope=1 until=1)
# decisions 1 (site=58:4-24 arm='loop' outcome=2 trips=2 exit='exhausted' call_path=['forward'] scope=1 until=2)
# decisions 2 (site=32:4-23 arm='loop' outcome=1 origin='shape' trips=1 exit='break' call_path=['forward', 'first'] scope=7 until=14)
# decisions 3 (site=33:11-20 arm='then' outcome=True origin='tensor' iterations=[[32, 0]] call_path=['forward', 'first'] under=2 conditions=[(text='value > 0' op='>' lhs=1 rhs=0 value=None outcome=True margin=1 origin='tensor' predicate_op=21)] margin=1 predicate_op=21 scope=8)
# decisions 4 (site=20:4-21 arm='loop' outcome=1 trips=1 exit='return' call_path=['forward', 'search'] scope=9 until=6)
# decisions 5 (site=22:15-26 arm='then' outcome=True origin='tensor' iterations=[[20, 0]] call_path=['forward', 'search'] under=4 conditions=[(text='v.sum() > k' op='>' lhs=3 rhs=0 value=None outcome=True margin=3 origin='tensor' predicate_op=23)] margin=3 predicate_op=23 scope=10)
# decisions 6 (site=39:8-25 arm='loop' outcome=3 trips=3 exit='exhausted' call_path=['forward', 'nested', 'nested.<locals>.body'] scope=13 until=14)
# decisions 7 (site=40:18-29 arm='body' outcome=True origin='tensor' iteration=0 iterations=[[39, 0]] call_path=['forward', 'nested', 'nested.<locals>.body'] under=6 conditions=[(text='v.max() < 9' op='<' lhs=2 rhs=9 value=None outcome=True margin=7 origin='tensor' predicate_op=27)] margin=7 predicate_op=27 scope=14)
# decisions 8 (site=41:19-31 arm='else' outcome=False origin='tensor' iterations=[[39, 0], [40, 0]] call_path=['forward', 'nested', 'nested.<locals>.body'] under=7 conditions=[(text='v.min() < -9' op='<' lhs=1 rhs=-9 value=None outcome=False margin=-10 origin='tensor' predicate_op=29)] margin=-10 predicate_op=29 scope=15)
# decisions 9 (site=40:18-29 arm='body' outcome=True origin='tensor' iteration=1 iterations=[[39, 0]] call_path=['forward', 'nested', 'nested.<locals>.body'] under=6 conditions=[(text='v.max() < 9' op='<' lhs=6 rhs=9 value=None outcome=True margin=3 origin='tensor' predicate_op=32)] margin=3 predicate_op=32 scope=14)
# decisions 10 (site=41:19-31 arm='else' outcome=False origin='tensor' iterations=[[39, 0], [40, 1]] call_path=['forward', 'nested', 'nested.<locals>.body'] under=9 conditions=[(text='v.min() < -9' op='<' lhs=3 rhs=-9 value=None outcome=False margin=-12 origin='tensor' predicate_op=34)] margin=-12 predicate_op=34 scope=17)
# decisions 11 (site=40:18-29 arm='exit' outcome=False origin='tensor' iteration=2 iterations=[[39, 0]] call_path=['forward', 'nested', 'nested.<locals>.body'] under=6 conditions=[(text='v.max() < 9' op='<' lhs=18 rhs=9 value=None outcome=False margin=-9 origin='tensor' predicate_op=37)] margin=-9 predicate_op=37 scope=14)
# decisions 12 (site=40:18-29 arm='exit' outcome=False origin='tensor' iteration=0 iterations=[[39, 1]] call_path=['forward', 'nested', 'nested.<locals>.body'] under=6 conditions=[(text='v.max() < 9' op='<' lhs=16 rhs=9 value=None outcome=False margin=-7 origin='tensor' predicate_op=40)] margin=-7 predicate_op=40 scope=19)
# decisions 13 (site=40:18-29 arm='exit' outcome=False origin='tensor' iteration=0 iterations=[[39, 2]] call_path=['forward', 'nested', 'nested.<locals>.body'] under=6 conditions=[(text='v.max() < 9' op='<' lhs=14 rhs=9 value=None outcome=False margin=-5 origin='tensor' predicate_op=43)] margin=-5 predicate_op=43 scope=20)
# inputs 0 (name='x' tensor=0)
# outputs 0 (name='output.0' tensor=54)
# outputs 1 (name='output.1' tensor=55)
# backwards 0 (site=61:8-40 root=16 seed='1' gradients=[(name='x' tensor=0 role='input' value=60), (name='inner' tensor=1 role='input' value=61), (name='holder.w' tensor=2 role='input' value=62), (name="holder.parts['bias'][0]" tensor=3 role='input' value=63), (name='Holder.shared' tensor=4 role='input' value=64), (name='made' tensor=6 role='input' value=65), (name='t16' tensor=16 role='intermediate' value=66), (name='t15' tensor=15 role='intermediate' value=67), (name='t14' tensor=14 role='intermediate' value=68), (name='t13' tensor=13 role='intermediate' value=69), (name='t12' tensor=12 role='intermediate' value=70), (name='t11' tensor=11 role='intermediate' value=71), (name='t10' tensor=10 role='intermediate' value=72), (name='t9' tensor=9 role='intermediate' value=73), (name='t8' tensor=8 role='intermediate' value=74)] after=11 nodes=[10, 9, 8, 7, 6, 5, 4, 3, 2])
# backwards 1 (site=61:8-40 root=23 seed='1' gradients=[(name='holder.w' tensor=2 role='input' value=90), (name='Holder.shared' tensor=4 role='input' value=91), (name='t23' tensor=23 role='intermediate' value=92), (name='t22' tensor=22 role='intermediate' value=93), (name='t21' tensor=21 role='intermediate' value=94), (name='t20' tensor=20 role='intermediate' value=95), (name='t19' tensor=19 role='intermediate' value=96), (name='t18' tensor=18 role='intermediate' value=97)] after=18 nodes=[17, 16, 15, 14, 13, 12])
# written 0 [2, 11, 56]
# written 1 [2, 18, 57]
# written 2 [4, 11, 58]
# written 3 [4, 18, 59]
# edges [[10, 13, 75], [10, 15, 76], [9, 14, 77], [8, 2, 78], [7, 12, 79], [6, 11, 80], [6, 4, 81], [5, 10, 82], [5, 6, 83], [4, 9, 84], [4, 3, 85], [3, 8, 86], [3, 2, 87], [2, 0, 88], [2, 1, 89], [17, 20, 98], [17, 22, 99], [16, 21, 100], [15, 2, 101], [14, 19, 102], [13, 18, 103], [13, 4, 104], [12, 2, 105]]
# left [24, 25, 28, 42]
# reached {3: 1, 6: 1, 7: 1, 16: 1, 19: 1, 20: 1, 21: 1, 22: 1, 23: 1, 27: 1, 31: 1, 32: 1, 33: 1, 34: 1, 37: 1, 38: 1, 39: 1, 40: 5, 41: 2, 43: 2, 45: 3, 46: 1, 48: 1, 51: 1, 52: 1, 55: 1, 56: 1, 57: 1, 58: 1, 59: 2, 60: 2, 61: 2, 62: 2, 63: 2, 64: 1, 65: 1}
# line 20 [(test='' took='1 trip, return' values='')] None
# line 22 [(test='' took='T' values='3.0 > 0')] None
# line 32 [(test='' took='1 trip, break' values='')] None
# line 33 [(test='' took='T' values='1.0 > 0')] None
# line 39 [(test='' took='3 trips' values='')] None
# line 40 [(test='' took='T T F F F' values='2.0 … 14.0 < 9')] None
# line 41 [(test='' took='F F' values='1.0 … 3.0 < -9')] None
# line 56 [(test='for _ in range(2)' took='2 trips' values='')] None
# line 58 [(test='' took='2 trips' values='')] None
# decided (decisions=[0] because='2 trips' took='exhausted' left='' margin=None)
# decided (decisions=[1] because='2 trips' took='exhausted' left='' margin=None)
# decided (decisions=[2] because='1 trip, break' took='break' left='' margin=None)
# decided (decisions=[3] because='value = 1.0 > 0' took='then' left='else' margin=1 nesting=1)
# decided (decisions=[4] because='1 trip, return' took='return' left='' margin=None)
# decided (decisions=[5] because='v.sum() = 3.0 > k = 0' took='then' left='else' margin=3 nesting=1)
# decided (decisions=[6] because='3 trips' took='exhausted' left='' margin=None)
# decided (decisions=[7, 9, 11, 12, 13] because='v.max() = 2.0 … 14.0 < 9' took='True x2, False x3' left='' margin=3 nesting=1)
# decided (decisions=[8, 10] because='v.min() = 1.0 … 3.0 < -9' took='False x2' left='then' margin=-10 nesting=2)
# gradient (name='x' shape='[2]' values='[1.5, 1.5]')
# gradient (name='inner' shape='[2]' values='[0.5, 1]')
# gradient (name='holder.w' shape='[2]' values='[1.5, 3]')
# gradient (name="holder.parts['bias'][0]" shape='[2]' values='[0.5, 0.5]')
# gradient (name='Holder.shared' shape='[2]' values='[4, 7]')
# gradient (name='made' shape='[2]' values='[0.5, 0.5]')
# gradient (name='holder.w' shape='[2]' values='[-5, -20]')
# gradient (name='Holder.shared' shape='[2]' values='[1, -3.5]')
# cost (label='outside any module' first=0 ops=49 nodes=15 saved_bytes=164)
# cost (label='whatever was decided' first=2 ops=9 nodes=4 saved_bytes=60)
# cost (label='for step in range(2) → loop' first=6 site=58:4-24 ops=14 nodes=11 saved_bytes=48)
# cost (label='while v.max() < 9 → body' first=28 site=40:18-29 ops=8 saved_bytes=32)
# cost (label='for _ in range(3) → loop' first=26 site=39:8-25 ops=9 saved_bytes=24)
# cost (label='for _ in range(2) → loop' first=0 site=56:46-63 ops=2)
# cost (label='for value in values → loop' first=21 site=32:4-23 ops=1)
# cost (label='for k in range(4) → loop' first=22 site=20:4-21 ops=3)
# cost (label='if v.sum() > k → then' first=24 site=22:15-26 ops=1)
# cost (label='if v.min() < -9 → else' first=30 site=41:19-31 ops=2)
# cost (label='mul' first=2 ops=14 nodes=7 saved_bytes=108)
# cost (label='lt' first=27 ops=7)
# cost (label='add' first=4 ops=6 nodes=4)
# cost (label='sum' first=7 ops=5 nodes=4)
# cost (label='max' first=26 ops=5 saved_bytes=40)
# cost (label='sub' first=38 ops=3)
# cost (label='ones' first=0 ops=2)
# cost (label='detach' first=11 ops=2)
# cost (label='gt' first=21 ops=2)
# cost (label='min' first=28 ops=2 saved_bytes=16)
# cost (label='unbind' first=20 ops=1)
# held (size_bytes=8 why='gradient' tensor=0)
# held (size_bytes=8 why='input' tensor=0)
# held (size_bytes=8 why='gradient' tensor=1)
# held (size_bytes=8 why='constant' tensor=2)
# held (size_bytes=8 why='gradient' tensor=2)
# held (size_bytes=8 why='gradient' tensor=3)
# held (size_bytes=8 why='constant' tensor=4)
# held (size_bytes=8 why='gradient' tensor=4)
# held (size_bytes=8 why='value' tensor=7 op=1)
# held (size_bytes=8 why='backward' tensor=11 op=5)
# held (size_bytes=8 why='backward' tensor=18 op=12)
# held (size_bytes=8 why='value' tensor=21 op=15)
# held (size_bytes=4 why='value' tensor=20 op=14)
# held (size_bytes=4 why='value' tensor=22 op=16)
# memory 48 of [16, 24, 40, 56, 72, 64, 64, 68, 68, 72, 68, 68, 72, 76, 76, 88, 96, 96, 96, 96, 80, 88, 96, 100, 100, 104, 100, 100, 104, 100, 100, 104, 88, 72, 80, 56, 57, 60, 61, 64, 72, 68, 69, 68, 69, 72, 76, 77, 76, 77, 80, 76, 77, 80, 76, 77, 80, 76, 77, 80, 88, 96, 104, 96]
# named ['', 'forward', 'for _ in range(2) line 56 step 0', 'for _ in range(2) line 56 step 1', 'make.<locals>.<lambda>', 'for step in range(2) line 58 step 0', 'for step in range(2) line 58 step 1', 'first', 'for value in values line 32 step 0', 'search', 'for k in range(4) line 20 step 0', 'if v.sum() > k → then', 'nested', 'nested.<locals>.body', 'for _ in range(3) line 39 step 0', 'while v.max() < 9 line 40 step 0', 'if v.min() < -9 → else', 'while v.max() < 9 line 40 step 1', 'if v.min() < -9 → else', 'for _ in range(3) line 39 step 1', 'for _ in range(3) line 39 step 2']
# parting (a=5 b=5 kind='arm')
# decisions [(a=4 b=4), (a=5 b=5), (a=None b=6), (a=None b=7), (a=None b=8), (a=None b=9), (a=6 b=10), (a=12 b=16), (a=13 b=None), (a=None b=17)]
# ops [(a=2 b=2), (a=3 b=3), (a=4 b=4), (a=5 b=5), (a=6 b=6), (a=7 b=7), (a=10 b=10), (a=11 b=11), (a=12 b=12), (a=13 b=13), (a=14 b=14), (a=15 b=15), (a=16 b=16), (a=17 b=17), (a=18 b=18), (a=19 b=19), (a=20 b=20), (a=22 b=22), (a=23 b=23), (a=24 b=None), (a=25 b=24), (a=None b=25), (a=None b=26), (a=None b=27), (a=None b=28), (a=None b=29), (a=None b=30), (a=None b=31), (a=26 b=32), (a=28 b=34), (a=30 b=36), (a=31 b=37), (a=33 b=39), (a=35 b=41), (a=36 b=42), (a=38 b=44), (a=39 b=45), (a=40 b=46), (a=41 b=None), (a=42 b=None), 47 in all]
# choices []
# flows [(ops=(a=12 b=12) backward=1 a=97 b=99)]
# counts {decisions: (same=9 differ=4 only_a=1 only_b=5), choices: (), ops: (same=11 differ=32 only_a=6 only_b=9), outputs: (same=1 differ=1), gradients: (same=3 differ=5), op_gradients: (same=15 differ=1)}
# same_end True
# share 1
# input x False 4
# output output.0 False 40
# output output.1 True 0
# gradient holder.w False 6
# gradient Holder.shared False 9
# graph [' · two runs'] blue: only A · magenta: only B · backward() at line 61 ran 2 times: inputs and parameters have the last gradient
# box b0 (kind='call' name='make.<locals>.<lambda>')
# box b1 (kind='loop' name='for' rest='step in range(2) · line 58 · x 2' site=58:4-24 times=2)
# node n0 (kind='input' name='x' lines=['A: float32 [2] · [1, 2]', 'B: float32 [2] · [1, -2]', 'grad [1.5, 1.5]'/gradient] tensors=[0])
# node n1 (kind='constant' name='inner' lines=['float32 [2] · [3, 3]', 'A: grad [0.5, 1]'/gradient, 'B: grad [0.5, -1]'/gradient] tensors=[1])
# node n2 (kind='constant' name='holder.w' lines=['float32 [2] · [1, 1]', 'A: grad [-5, -20]'/gradient, 'B: grad [-5, -14]'/gradient] tensors=[2])
# node n3 (kind='constant' name="holder.parts['bias'][0]" lines=['float32 [2] · [0, 0]', 'grad [0.5, 0.5]'/gradient] tensors=[3])
# node n4 (kind='constant' name='Holder.shared' lines=['float32 [2] · [0.5, 0.5]', 'A: grad [1, -3.5]'/gradient, 'B: grad [1, -12.5]'/gradient] tensors=[4])
# node n5 (kind='constant' name='constant' lines=['float32 [2] · [2, 2]'] tensors=[5] side='a')
# node n6 (kind='fold' name='for' rest='_ in range(2) · line 56 · x 2' lines=['2 ops', 'ones'/faint, 'float32 [2] · [1, 1]', 'grad [0.5, 0.5] in 1 of 2'/gradient] site=56:46-63 ops=[0, 1])
# node n7 (kind='op' name='mul' lines=['A: float32 [2] · [3, 6]', 'B: float32 [2] · [3, -6]', 'grad [0.5, 0.5]'/gradient, 'line 16 · saves 16 B'/faint] box='b0' site=16:21-30 ops=[2])
# node n8 (kind='op' name='mul' lines=['A: float32 [2] · [3, 6]', 'B: float32 [2] · [3, -6]', 'grad [0.5, 0.5]'/gradient, 'line 57 · saves 16 B'/faint] site=57:12-32 ops=[3])
# node n9 (kind='op' name='add' lines=['A: float32 [2] · [3, 6]', 'B: float32 [2] · [3, -6]', 'grad [0.5, 0.5]'/gradient, 'line 57'/faint] site=57:12-58 ops=[4])
# node n10 (kind='op' name='add' lines=['A: float32 [2] · [4, 7]', 'B: float32 [2] · [4, -5]', 'grad [0.5, 0.5]'/gradient, 'line 57'/faint] site=57:12-68 ops=[5])
# node n11 (kind='op' name='mul' lines=['A: float32 [2] · [2, 3.5] … [-1.5, 10.5]', 'B: float32 [2] · [2, -2.5] … [-1.5, -37.5]', 'grad [1, 1]'/gradient, 'line 60 · x2 · saves 32 B'/faint] box='b1' site=60:16-37 ops=[6, 13]) (each=[[0, 'A: float32 [2] · [2, 3.5]\nB: float32 [2] · [2, -2.5]', '[1, 1]'], [1, 'A: float32 [2] · [-1.5, 10.5]\nB: float32 [2] · [-1.5, -37.5]', '[1, 1]']])
# node n12 (kind='op' name='sum' lines=['A: float32 [] · 5.5 … 9', 'B: float32 [] · -0.5 … -39', 'grad 1'/gradient, 'line 60 · x2'/faint] box='b1' site=60:15-44 ops=[7, 14]) (each=[[0, 'A: float32 [] · 5.5\nB: float32 [] · -0.5', '1'], [1, 'A: float32 [] · 9\nB: float32 [] · -39', '1']])
# node n13 (kind='op' name='mul' rest='0 … 1' lines=['A: float32 [2] · [0, 0] … [0.25, -0.5]', 'B: float32 [2] · [0, 0] … [0.25, 2.5]', 'grad [1, 1]'/gradient, 'line 60 · x2'/faint] box='b1' site=60:48-63 ops=[8, 15]) (each=[[0, 'float32 [2] · [0, 0]', '[1, 1]'], [1, 'A: float32 [2] · [0.25, -0.5]\nB: float32 [2] · [0.25, 2.5]', '[1, 1]']])
# node n14 (kind='op' name='sum' lines=['A: float32 [] · 0 … -0.25', 'B: float32 [] · 0 … 2.75', 'grad 1'/gradient, 'line 60 · x2'/faint] box='b1' site=60:47-70 ops=[9, 16]) (each=[[0, 'float32 [] · 0', '1'], [1, 'A: float32 [] · -0.25\nB: float32 [] · 2.75', '1']])
# node n15 (kind='op' name='add' lines=['A: float32 [] · 5.5 … 8.75', 'B: float32 [] · -0.5 … -36.25', 'grad 1'/gradient, 'line 60 · x2'/faint] box='b1' site=60:15-70 ops=[10, 17]) (each=[[0, 'A: float32 [] · 5.5\nB: float32 [] · -0.5', '1'], [1, 'A: float32 [] · 8.75\nB: float32 [] · -36.25', '1']])
# node n16 (kind='op' name='detach' lines=['A: float32 [2] · [4, 7] … [1, -3.5]', 'B: float32 [2] · [4, -5] … [1, -12.5]', 'line 63 · x2'/faint] box='b1' site=63:16-30 ops=[11, 18]) (each=[[0, 'A: float32 [2] · [4, 7]\nB: float32 [2] · [4, -5]', ''], [1, 'A: float32 [2] · [1, -3.5]\nB: float32 [2] · [1, -12.5]', '']])
# node n17 (kind='op' name='mul' lines=['A: float32 [2] · [1, -3.5] … [2.75, -33.25]', 'B: float32 [2] · [1, -12.5] … [2.75, -118.8]', 'A: grad [-1.5, -3] in 1 of 2'/gradient, 'B: grad [-1.5, 3] in 1 of 2'/gradient, 'line 63 · x2 · saves 16 B'/faint] box='b1' site=63:16-41 ops=[12, 19]) (each=[[0, 'A: float32 [2] · [1, -3.5]\nB: float32 [2] · [1, -12.5]', 'A: [-1.5, -3]\nB: [-1.5, 3]'], [1, 'A: float32 [2] · [2.75, -33.25]\nB: float32 [2] · [2.75, -118.8]', '']])
# node n18 (kind='fold' name='first' lines=['2 ops · 1 decision', 'unbind, gt'/faint, 'float32 [] · 1', 'if value > 0 → True'/plain, 'with x'/parameter] ops=[20, 21] decisions=[3])
# node n19 (kind='fold' name='search' lines=['A: 4 ops · 1 decision', 'B: 10 ops · 5 decisions', 'A: sum, gt, mul, add, B: sum x3, gt x3, add x3, mul'/faint, 'A: float32 [2] · [0, 0]', 'B: float32 [2] · [6, 0]', 'A: if v.sum() > k → True'/plain, 'B: if v.sum() > k → False x2, True'/plain, 'B: if k == 2 → False x2'/plain, 'with x'/parameter] ops=[22, 23, 24, 25] decisions=[5])
# node n20 (kind='fold' name='nested' lines=['A: 20 ops · 7 decisions · saves 72 B', 'B: 17 ops · 7 decisions · saves 56 B', 'A: lt x7, max x5, mul x3, sub x3, …, B: lt x7, max x4, min x3, mul x2, …'/faint, 'A: float32 [2] · [12, 24]', 'B: float32 [2] · [8, -16]', 'A: while v.max() < 9 → True x2, False x3'/plain, 'B: while v.max() < 9 → True x2, False, True'/plain, 'A: if v.min() < -9 → False x2'/plain, 'B: if v.min() < -9 → False x2, True'/plain, 'with x'/parameter] ops=[26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45] decisions=[7, 8, 9, 10, 11, 12, 13])
# node n21 (kind='op' name='mul' lines=['A: float32 [2] · [12, 24]', 'B: float32 [2] · [8, -16]', 'line 65 · saves 12 B'/faint] site=65:23-40 ops=[46])
# node n22 (kind='op' name='add' rest='→ output.0' lines=['A: float32 [2] · [12, 24]', 'B: float32 [2] · [14, -16]', 'line 65'/faint] site=65:11-40 ops=[47])
# node n23 (kind='op' name='mul' rest='2 → output.1' lines=['float32 [2] · [2, 2]', 'line 65'/faint] site=65:42-53 ops=[48])
# node n24 (kind='output' name='output.0' lines=['A: float32 [2] · [12, 24]', 'B: float32 [2] · [14, -16]'] tensors=[54])
# node n25 (kind='output' name='output.1' lines=['float32 [2] · [2, 2]'] tensors=[55])
# edge n0 n7 data  [1.5, 1.5] both
# edge n1 n7 data  A: [0.5, 1], B: [0.5, -1] both
# edge n7 n8 data  [0.5, 0.5] both
# edge n2 n8 data  A: [1.5, 3], B: [1.5, -3] both
# edge n8 n9 data  [0.5, 0.5] both
# edge n3 n9 data  [0.5, 0.5] both
# edge n9 n10 data  [0.5, 0.5] both
# edge n6 n10 data  [0.5, 0.5] both
# edge n10 n11 data  [0.5, 0.5] both
# edge n4 n11 data  A: [4, 7] … [1, -3.5], B: [4, -5] … [1, -12.5] both
# edge n11 n12 data  [1, 1] both
# edge n2 n13 data  [0, 0] … [1, 1] both
# edge n13 n14 data  [1, 1] both
# edge n12 n15 data  1 both
# edge n14 n15 data  1 both
# edge n10 n16 data   both
# edge n16 n17 data   both
# edge n2 n17 data  A: [-6, -21], B: [-6, -15] both
# edge n17 n11 carried  A: [-1.5, -3], B: [-1.5, 3] both
# edge n17 n16 carried   both
# edge n5 n20 data   a
# edge n20 n21 data   both
# edge n18 n21 data   both
# edge n19 n22 data   both
# edge n21 n22 data   both
# edge n6 n23 data   both
# edge n22 n24 data   both
# edge n23 n25 data   both
