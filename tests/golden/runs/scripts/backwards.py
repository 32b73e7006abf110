# run: {"sensitivity": true}
import dyncore as torch
from dyncore.utils.checkpoint import checkpoint


class Gate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return x.clamp(min=0) + slope * x.clamp(max=0)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        if gradient.sum() > 0:
            gradient = gradient * 2
        return torch.where(x > 0, gradient, gradient * ctx.slope), None


def block(v):
    return v * v if v.sum() > 0 else v - 1


x = torch.tensor([1.0, -2.0, 4.0], requires_grad=True)
w = torch.tensor([[0.5, 1.0, -1.0]], requires_grad=True)
unused = torch.ones(2, requires_grad=True)
fixed = torch.tensor([1.0])
middle = Gate.apply(x, 0.25)
middle.retain_grad()
middle.register_hook(lambda g: g * 0.5)
first = (w @ checkpoint(block, middle, use_reentrant=False)).sum()
first.backward(retain_graph=True)
(slope,) = torch.autograd.grad(first, x, create_graph=True)
penalty = (slope * slope).sum()
penalty.backward()
with torch.no_grad():
    x -= 0.125 * x.grad
    count = (x > 0).sum().item()
x.grad = None
second = (x[0] * x.detach()[1] + fixed).sum()
second.backward(torch.tensor(2.0))
if count > 1:
    print(count)

# ----
# ok forced=() unrecorded=((47, 51),) None
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='Gate.forward')
# scopes 2 (parent=0 kind='call' name='block')
# scopes 3 (parent=2 kind='arm' name='then' site=22:20-31 decision=0)
# scopes 4 (parent=0 kind='call' name='block')
# scopes 5 (parent=0 kind='call' name='<lambda>')
# scopes 6 (parent=0 kind='call' name='Gate.backward')
# scopes 7 (parent=0 kind='call' name='block')
# scopes 8 (parent=0 kind='call' name='<lambda>')
# scopes 9 (parent=0 kind='call' name='Gate.backward')
# scopes 10 (parent=0 kind='call' name='<lambda>')
# scopes 11 (parent=0 kind='call' name='Gate.backward')
# scopes 12 (parent=11 kind='arm' name='then' site=16:11-29 decision=5)
# calls 0 (line=8 times=1 returned=1)
# calls 1 (line=14 times=3 returned=3)
# calls 2 (line=21 times=3 returned=1)
# calls 3 (line=31 times=3 returned=3)
# tensors 0 (shape=[3] role='constant' name='gradient' values=[1, -1, -8])
# tensors 1 (shape=[3] role='constant' name='gradient' values=[0.5, -0.5, -4])
# tensors 2 (shape=[] role='constant' name='seed' values=[1])
# tensors 3 (shape=[3] role='constant' name='saved' requires_grad=True values=[1, -0.5, 4])
# tensors 4 (shape=[3] role='constant' name='saved' requires_grad=True values=[1, -0.5, 4])
# tensors 5 (shape=[3] role='constant' name='saved' values=[0.5, -0.5, -4])
# tensors 6 (shape=[3] role='constant' name='gradient' values=[0.5, -0.0625, 8])
# tensors 7 (shape=[3] role='constant' name='gradient' values=[0.25, -0.03125, 4])
# tensors 8 (shape=[3] role='constant' name='gradient' values=[0.25, -0.03125, 4])
# tensors 9 (shape=[3] role='constant' name='x.grad' values=[1, -0.14062, 4])
# tensors 10 (shape=[3] role='input' name='x' requires_grad=True values=[1, -2, 4] op=0)
# tensors 11 (shape=[1, 3] role='input' name='w' requires_grad=True values=[0.5, 1, -1] op=1)
# tensors 12 (shape=[2] values=[1, 1] op=2)
# tensors 13 (shape=[1] values=[1] op=3)
# tensors 14 (shape=[3] values=[1, 0, 4] op=4)
# tensors 15 (shape=[3] values=[0, -2, 0] op=5)
# tensors 16 (shape=[3] values=[0, -0.5, 0] op=6)
# tensors 17 (shape=[3] name='middle' requires_grad=True values=[1, -0.5, 4] op=7)
# tensors 18 (shape=[] requires_grad=True values=[4.5] op=8)
# tensors 19 (shape=[] dtype='bool' values=[True] op=9)
# tensors 20 (shape=[3] requires_grad=True values=[1, 0.25, 16] op=10)
# tensors 21 (shape=[1] requires_grad=True values=[-15.25] op=11)
# tensors 22 (shape=[] name='first' requires_grad=True values=[-15.25] op=12)
# tensors 23 (shape=[] requires_grad=True values=[4.5] op=13)
# tensors 24 (shape=[] dtype='bool' values=[True] op=14)
# tensors 25 (shape=[3] values=[0.5, -0.5, -4] op=15)
# tensors 26 (shape=[] values=[-4] op=16)
# tensors 27 (shape=[] dtype='bool' values=[False] op=17)
# tensors 28 (shape=[3] dtype='bool' values=[True, False, True] op=18)
# tensors 29 (shape=[3] values=[0.125, -0.125, -1] op=19)
# tensors 30 (shape=[3] values=[0.5, -0.125, -4] op=20)
# tensors 31 (shape=[1] values=[1] op=21 shares=2)
# tensors 32 (shape=[1, 1] values=[1] op=22 shares=31)
# tensors 33 (shape=[1, 3] requires_grad=True values=[1, 0.25, 16] op=23)
# tensors 34 (shape=[3] requires_grad=True values=[0.5, 1, -1] op=24)
# tensors 35 (shape=[] requires_grad=True values=[4.5] op=25)
# tensors 36 (shape=[] dtype='bool' values=[True] op=26)
# tensors 37 (shape=[3] requires_grad=True values=[0.5, -0.5, -4] op=27)
# tensors 38 (shape=[3] requires_grad=True values=[0.5, -0.5, -4] op=28)
# tensors 39 (shape=[3] requires_grad=True values=[1, -1, -8] op=29)
# tensors 40 (shape=[3] requires_grad=True values=[0.5, -0.5, -4] op=30)
# tensors 41 (shape=[3] requires_grad=True values=[1, -1, -8] op=31)
# tensors 42 (shape=[] requires_grad=True values=[-4] op=32)
# tensors 43 (shape=[] dtype='bool' values=[False] op=33)
# tensors 44 (shape=[3] dtype='bool' values=[True, False, True] op=34)
# tensors 45 (shape=[3] requires_grad=True values=[0.125, -0.125, -1] op=35)
# tensors 46 (shape=[3] name='slope' requires_grad=True values=[0.5, -0.125, -4] op=36)
# tensors 47 (shape=[3] requires_grad=True values=[0.25, 0.015625, 16] op=37)
# tensors 48 (shape=[] name='penalty' requires_grad=True values=[16.266] op=38)
# tensors 49 (shape=[3] values=[0.25, -0.03125, 4] op=39)
# tensors 50 (shape=[3] values=[1.25, -1.0312, -4] op=40)
# tensors 51 (shape=[] values=[4.2188] op=41)
# tensors 52 (shape=[] dtype='bool' values=[True] op=42)
# tensors 53 (shape=[3] values=[0.5, -0.0625, 8] op=43)
# tensors 54 (shape=[3] dtype='bool' values=[True, False, True] op=44)
# tensors 55 (shape=[3] values=[0.125, -0.015625, 2] op=45)
# tensors 56 (shape=[3] values=[0.5, -0.015625, 8] op=46)
# tensors 57 (shape=[3] values=[0.125, -0.017578, 0.5] op=47)
# tensors 58 (shape=[3] requires_grad=True values=[0.875, -1.9824, 3.5] op=48 shares=10)
# tensors 59 (shape=[3] dtype='bool' values=[True, False, True] op=49)
# tensors 60 (shape=[] dtype='int64' values=[2] op=50)
# tensors 61 (shape=[] requires_grad=True values=[0.875] op=51 shares=58)
# tensors 62 (shape=[3] values=[0.875, -1.9824, 3.5] op=52 shares=58)
# tensors 63 (shape=[] values=[-1.9824] op=53 shares=62)
# tensors 64 (shape=[] requires_grad=True values=[-1.7346] op=54)
# tensors 65 (shape=[1] requires_grad=True values=[-0.73462] op=55)
# tensors 66 (shape=[] name='second' requires_grad=True values=[-0.73462] op=56)
# tensors 67 (shape=[] values=[2] op=57)
# tensors 68 (shape=[1, 3] role='gradient' name='w.grad' values=[1, 0.25, 16])
# tensors 69 (shape=[3] role='gradient' name='x.grad' values=[0.5, -0.125, -4])
# tensors 70 (shape=[] role='gradient' values=[1])
# tensors 71 (shape=[1] role='gradient' values=[1])
# tensors 72 (shape=[3] role='gradient' values=[0.5, 1, -1])
# tensors 73 (shape=[3] role='gradient' values=[0.5, -0.5, -4])
# tensors 74 (shape=[1] role='gradient' values=[1])
# tensors 75 (shape=[1, 3] role='gradient' values=[1, 0.25, 16])
# tensors 76 (shape=[3] role='gradient' values=[0.5, 1, -1])
# tensors 77 (shape=[3] role='gradient' values=[1, -1, -8])
# tensors 78 (shape=[3] role='gradient' values=[0.5, -0.125, -4])
# tensors 79 (shape=[3] role='gradient' name='x.grad' values=[0.5, -0.125, -4])
# tensors 80 (shape=[] role='gradient' values=[1])
# tensors 81 (shape=[1] role='gradient' values=[1])
# tensors 82 (shape=[3] role='gradient' values=[0.5, 1, -1])
# tensors 83 (shape=[3] role='gradient' values=[0.5, -0.5, -4])
# tensors 84 (shape=[1] role='gradient' values=[1])
# tensors 85 (shape=[1, 3] role='gradient' values=[1, 0.25, 16])
# tensors 86 (shape=[3] role='gradient' values=[0.5, 1, -1])
# tensors 87 (shape=[3] role='gradient' values=[1, -1, -8])
# tensors 88 (shape=[3] role='gradient' values=[0.5, -0.125, -4])
# tensors 89 (shape=[1, 3] role='gradient' values=[1, 0.03125, -32])
# tensors 90 (shape=[1, 3] role='gradient' name='w.grad' values=[2, 0.28125, -16])
# tensors 91 (shape=[3] role='gradient' values=[0.5, -0.015625, 8])
# tensors 92 (shape=[3] role='gradient' name='x.grad' values=[1, -0.14062, 4])
# tensors 93 (shape=[] role='gradient' values=[1])
# tensors 94 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 95 (shape=[3] role='gradient' values=[1, -0.25, -8])
# tensors 96 (shape=[3] role='gradient' values=[0, -0.25, 0])
# tensors 97 (shape=[3] role='gradient' values=[1, -0.0625, -8])
# tensors 98 (shape=[3] role='gradient' values=[0.5, -0.03125, -4])
# tensors 99 (shape=[3] role='gradient' values=[0.5, -0.03125, -4])
# tensors 100 (shape=[3] role='gradient' values=[0.5, -0.03125, -4])
# tensors 101 (shape=[3] role='gradient' values=[1, 0.03125, -32])
# tensors 102 (shape=[3] role='gradient' values=[0.25, -0.03125, 4])
# tensors 103 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 104 (shape=[3] role='gradient' values=[1, -0.25, -8])
# tensors 105 (shape=[3] role='gradient' values=[1, 0, -8])
# tensors 106 (shape=[3] role='gradient' values=[0, -0.25, 0])
# tensors 107 (shape=[3] role='gradient' values=[0, -0.0625, 0])
# tensors 108 (shape=[3] role='gradient' values=[0.5, -0.03125, -4])
# tensors 109 (shape=[3] role='gradient' values=[0.5, -0.03125, -4])
# tensors 110 (shape=[3] role='gradient' values=[0.5, -0.03125, -4])
# tensors 111 (shape=[3] role='gradient' values=[0.5, 0.015625, -16])
# tensors 112 (shape=[3] role='gradient' values=[0.25, -0.03125, 4])
# tensors 113 (shape=[3] role='gradient' values=[0.5, 0.015625, -16])
# tensors 114 (shape=[3] role='gradient' values=[0.25, -0.03125, 4])
# tensors 115 (shape=[1, 3] role='gradient' values=[1, 0.03125, -32])
# tensors 116 (shape=[3] role='gradient' values=[0.5, -0.015625, 8])
# tensors 117 (shape=[3] role='gradient' name='x.grad' values=[-3.9648, 0, 0])
# tensors 118 (shape=[] role='gradient' values=[2])
# tensors 119 (shape=[1] role='gradient' values=[2])
# tensors 120 (shape=[] role='gradient' values=[2])
# tensors 121 (shape=[] role='gradient' values=[-3.9648])
# tensors 122 (shape=[1] role='gradient' values=[2])
# tensors 123 (shape=[] role='gradient' values=[2])
# tensors 124 (shape=[] role='gradient' values=[-3.9648])
# tensors 125 (shape=[3] role='gradient' values=[-3.9648, 0, 0])
# ops 0 (name='tensor' inputs=[] outputs=[10] site=25:4-54 args='[1, -2, 4]')
# ops 1 (name='tensor' inputs=[] outputs=[11] site=26:4-56 args='[[0.5, 1, -1]]')
# ops 2 (name='ones' inputs=[] outputs=[12] site=27:9-42 args='2')
# ops 3 (name='tensor' inputs=[] outputs=[13] site=28:8-27 args='[1]')
# ops 4 (name='clamp' inputs=[10] outputs=[14] site=11:15-29 args='0' scope=1)
# ops 5 (name='clamp' inputs=[10] outputs=[15] site=11:40-54 args='max=0' scope=1)
# ops 6 (name='mul' inputs=[15] outputs=[16] site=11:32-54 args='0.25' scope=1)
# ops 7 (name='add' inputs=[14, 16] outputs=[17] site=11:15-54 scope=1 saved_bytes=12 grad_fn='GateBackward' saved=[10])
# ops 8 (name='sum' inputs=[17] outputs=[18] site=22:20-27 scope=2 grad_fn='SumBackward0')
# ops 9 (name='gt' inputs=[18] outputs=[19] site=22:20-31 args='0' scope=2)
# ops 10 (name='mul' inputs=[17, 17] outputs=[20] site=22:11-16 scope=3 under=0 grad_fn='MulBackward0')
# ops 11 (name='matmul' inputs=[11, 20] outputs=[21] site=32:9-59 saved_bytes=24 grad_fn='MatmulBackward0' saved=[11, 20])
# ops 12 (name='sum' inputs=[21] outputs=[22] site=32:8-66 grad_fn='SumBackward0')
# ops 13 (name='sum' inputs=[17] outputs=[23] site=22:20-27 scope=4 phase='recompute' grad_fn='SumBackward0')
# ops 14 (name='gt' inputs=[23] outputs=[24] site=22:20-31 args='0' scope=4 phase='recompute')
# ops 15 (name='mul' inputs=[0] outputs=[25] site=31:31-38 args='0.5' scope=5 phase='backward')
# ops 16 (name='sum' inputs=[1] outputs=[26] site=16:11-25 scope=6 phase='backward')
# ops 17 (name='gt' inputs=[26] outputs=[27] site=16:11-29 args='0' scope=6 phase='backward')
# ops 18 (name='gt' inputs=[10] outputs=[28] site=18:27-32 args='0' scope=6 phase='backward')
# ops 19 (name='mul' inputs=[1] outputs=[29] site=18:44-64 args='0.25' scope=6 phase='backward')
# ops 20 (name='where' inputs=[28, 1, 29] outputs=[30] site=18:15-65 scope=6 phase='backward')
# ops 21 (name='expand' inputs=[2] outputs=[31] site=34:11-59 args='(1)' phase='backward')
# ops 22 (name='getitem' inputs=[31] outputs=[32] site=34:11-59 args='(:, None)' phase='backward')
# ops 23 (name='mul' inputs=[32, 20] outputs=[33] site=34:11-59 phase='backward' saved_bytes=4 grad_fn='MulBackward0' saved=[32])
# ops 24 (name='matmul' inputs=[31, 11] outputs=[34] site=34:11-59 phase='backward' saved_bytes=4 grad_fn='MatmulBackward0' saved=[31])
# ops 25 (name='sum' inputs=[17] outputs=[35] site=22:20-27 scope=7 phase='recompute' grad_fn='SumBackward0')
# ops 26 (name='gt' inputs=[35] outputs=[36] site=22:20-31 args='0' scope=7 phase='recompute')
# ops 27 (name='mul' inputs=[34, 3] outputs=[37] site=34:11-59 phase='backward' saved_bytes=24 grad_fn='MulBackward0' saved=[3, 34])
# ops 28 (name='mul' inputs=[34, 4] outputs=[38] site=34:11-59 phase='backward' saved_bytes=24 grad_fn='MulBackward0' saved=[4, 34])
# ops 29 (name='add' inputs=[37, 38] outputs=[39] site=34:11-59 phase='backward' grad_fn='AddBackward0')
# ops 30 (name='mul' inputs=[39] outputs=[40] site=31:31-38 args='0.5' scope=8 phase='backward' grad_fn='MulBackward0')
# ops 31 (name='add' inputs=[5, 40] outputs=[41] site=34:11-59 phase='backward' grad_fn='AddBackward0')
# ops 32 (name='sum' inputs=[40] outputs=[42] site=16:11-25 scope=9 phase='backward' grad_fn='SumBackward0')
# ops 33 (name='gt' inputs=[42] outputs=[43] site=16:11-29 args='0' scope=9 phase='backward')
# ops 34 (name='gt' inputs=[10] outputs=[44] site=18:27-32 args='0' scope=9 phase='backward')
# ops 35 (name='mul' inputs=[40] outputs=[45] site=18:44-64 args='0.25' scope=9 phase='backward' grad_fn='MulBackward0')
# ops 36 (name='where' inputs=[44, 40, 45] outputs=[46] site=18:15-65 scope=9 phase='backward' saved_bytes=3 grad_fn='WhereBackward0' saved=[44])
# ops 37 (name='mul' inputs=[46, 46] outputs=[47] site=35:11-24 saved_bytes=12 grad_fn='MulBackward0' saved=[46])
# ops 38 (name='sum' inputs=[47] outputs=[48] site=35:10-31 grad_fn='SumBackward0')
# ops 39 (name='mul' inputs=[6] outputs=[49] site=31:31-38 args='0.5' scope=10 phase='backward')
# ops 40 (name='add' inputs=[41, 7] outputs=[50] site=36:0-18 phase='backward')
# ops 41 (name='sum' inputs=[8] outputs=[51] site=16:11-25 scope=11 phase='backward')
# ops 42 (name='gt' inputs=[51] outputs=[52] site=16:11-29 args='0' scope=11 phase='backward')
# ops 43 (name='mul' inputs=[8] outputs=[53] site=17:23-35 args='2' scope=12 under=5 phase='backward')
# ops 44 (name='gt' inputs=[10] outputs=[54] site=18:27-32 args='0' scope=11 phase='backward')
# ops 45 (name='mul' inputs=[53] outputs=[55] site=18:44-64 args='0.25' scope=11 phase='backward')
# ops 46 (name='where' inputs=[54, 53, 55] outputs=[56] site=18:15-65 scope=11 phase='backward')
# ops 47 (name='mul' inputs=[9] outputs=[57] site=38:9-23 args='0.125')
# ops 48 (name='sub_' inputs=[10, 57] outputs=[58] site=38:4-23 grad_fn='SubBackward0' inplace=True)
# ops 49 (name='gt' inputs=[58] outputs=[59] site=39:13-18 args='0')
# ops 50 (name='sum' inputs=[59] outputs=[60] site=39:12-25)
# ops 51 (name='getitem' inputs=[58] outputs=[61] site=41:10-14 args='0' grad_fn='GetitemBackward0')
# ops 52 (name='detach' inputs=[58] outputs=[62] site=41:17-27)
# ops 53 (name='getitem' inputs=[62] outputs=[63] site=41:17-30 args='1')
# ops 54 (name='mul' inputs=[61, 63] outputs=[64] site=41:10-30 saved_bytes=4 grad_fn='MulBackward0' saved=[63])
# ops 55 (name='add' inputs=[64, 13] outputs=[65] site=41:10-38 grad_fn='AddBackward0')
# ops 56 (name='sum' inputs=[65] outputs=[66] site=41:9-45 grad_fn='SumBackward0')
# ops 57 (name='tensor' inputs=[] outputs=[67] site=42:16-33 args='2')
# decisions 0 (site=22:20-31 arm='then' outcome=True origin='tensor' call_path=['block'] conditions=[(text='v.sum() > 0' op='>' lhs=4.5 rhs=0 value=None outcome=True margin=4.5 origin='tensor' predicate_op=9)] margin=4.5 predicate_op=9 scope=2)
# decisions 1 (site=22:20-31 arm='then' outcome=True origin='tensor' call_path=['block'] conditions=[(text='v.sum() > 0' op='>' lhs=4.5 rhs=0 value=None outcome=True margin=4.5 origin='tensor' predicate_op=14)] margin=4.5 predicate_op=14 phase='recompute' scope=4)
# decisions 2 (site=16:11-29 arm='else' outcome=False origin='tensor' call_path=['Gate.backward'] conditions=[(text='gradient.sum() > 0' op='>' lhs=-4 rhs=0 value=None outcome=False margin=-4 origin='tensor' predicate_op=17)] margin=-4 predicate_op=17 phase='backward' scope=6)
# decisions 3 (site=22:20-31 arm='then' outcome=True origin='tensor' call_path=['block'] conditions=[(text='v.sum() > 0' op='>' lhs=4.5 rhs=0 value=None outcome=True margin=4.5 origin='tensor' predicate_op=26)] margin=4.5 predicate_op=26 phase='recompute' scope=7)
# decisions 4 (site=16:11-29 arm='else' outcome=False origin='tensor' call_path=['Gate.backward'] conditions=[(text='gradient.sum() > 0' op='>' lhs=-4 rhs=0 value=None outcome=False margin=-4 origin='tensor' predicate_op=33)] margin=-4 predicate_op=33 phase='backward' scope=9)
# decisions 5 (site=16:11-29 arm='then' outcome=True origin='tensor' call_path=['Gate.backward'] conditions=[(text='gradient.sum() > 0' op='>' lhs=4.2188 rhs=0 value=None outcome=True margin=4.2188 origin='tensor' predicate_op=42)] margin=4.2188 predicate_op=42 phase='backward' scope=11)
# decisions 6 (site=43:3-12 arm='then' outcome=True origin='scalar~' conditions=[(text='count > 1' op='>' lhs=2 rhs=1 value=None outcome=True margin=1 origin='scalar~' predicate_op=50)] margin=1 predicate_op=50)
# choices 0 (op=18 kind='mask' of=3 counts=[1, 2] margin=1 uses=[20])
# choices 1 (op=34 kind='mask' of=3 counts=[1, 2] margin=1 uses=[36])
# choices 2 (op=44 kind='mask' of=3 counts=[1, 2] margin=1 uses=[46])
# outputs 0 (name='middle' tensor=17)
# outputs 1 (name='first' tensor=22)
# outputs 2 (name='slope' tensor=46)
# outputs 3 (name='penalty' tensor=48)
# outputs 4 (name='second' tensor=66)
# backwards 0 (site=33:0-33 root=22 seed='1' gradients=[(name='w' tensor=11 role='input' value=68), (name='x' tensor=10 role='input' value=69), (name='first' tensor=22 role='intermediate' value=70), (name='t21' tensor=21 role='intermediate' value=71), (name='t20' tensor=20 role='intermediate' value=72), (name='middle' tensor=17 role='intermediate' value=73)] after=13 nodes=[12, 11, 10, 7])
# backwards 1 (site=34:11-59 root=22 seed='1' gradients=[(name='x' tensor=10 role='input' value=79), (name='first' tensor=22 role='intermediate' value=80), (name='t21' tensor=21 role='intermediate' value=81), (name='t20' tensor=20 role='intermediate' value=82), (name='middle' tensor=17 role='intermediate' value=83)] after=21 nodes=[12, 11, 10, 7] by='grad')
# backwards 2 (site=36:0-18 root=48 seed='1' gradients=[(name='w' tensor=11 role='input' value=89 held=90 passes=2), (name='x' tensor=10 role='input' value=91 held=92 passes=2), (name='penalty' tensor=48 role='intermediate' value=93), (name='t47' tensor=47 role='intermediate' value=94), (name='slope' tensor=46 role='intermediate' value=95), (name='t45' tensor=45 role='intermediate' value=96), (name='t40' tensor=40 role='intermediate' value=97), (name='t39' tensor=39 role='intermediate' value=98), (name='t38' tensor=38 role='intermediate' value=99), (name='t37' tensor=37 role='intermediate' value=100), (name='t34' tensor=34 role='intermediate' value=101), (name='middle' tensor=17 role='intermediate' value=102)] after=39 nodes=[38, 37, 36, 35, 30, 29, 28, 27, 24, 7])
# backwards 3 (site=42:0-34 root=66 seed='2' gradients=[(name='x' tensor=10 role='input' value=117), (name='second' tensor=66 role='intermediate' value=118), (name='t65' tensor=65 role='intermediate' value=119), (name='t64' tensor=64 role='intermediate' value=120), (name='t61' tensor=61 role='intermediate' value=121)] after=58 nodes=[56, 55, 54, 51])
# sensitivities 0 (decision=0 condition=0 margin=4.5 distance=3.1334 inputs=[(name='x' tensor=10 gradient=[1, 0.25, 1] step=[-2.1818, -0.54545, -2.1818] element=[0] change=-4.5)])
# sensitivities 1 (decision=1 condition=0 margin=4.5 distance=3.1334 inputs=[(name='x' tensor=10 gradient=[1, 0.25, 1] step=[-2.1818, -0.54545, -2.1818] element=[0] change=-4.5)])
# sensitivities 2 (decision=2 condition=0 margin=-4 reason='computed where no derivative is recorded, as in backward')
# sensitivities 3 (decision=3 condition=0 margin=4.5 reason='computed where no derivative is recorded, as in backward')
# sensitivities 4 (decision=4 condition=0 margin=-4 reason='computed where no derivative is recorded, as in backward')
# sensitivities 5 (decision=5 condition=0 margin=4.2188 reason='computed where no derivative is recorded, as in backward')
# sensitivities 6 (decision=6 condition=0 margin=1 reason='worked out in Python in a way that has no recorded derivative')
# edges [[12, 21, 74], [11, 11, 75], [11, 20, 76], [10, 17, 77], [7, 10, 78], [12, 21, 84], [11, 11, 85], [11, 20, 86], [10, 17, 87], [7, 10, 88], [38, 47, 103], [37, 46, 104], [36, 40, 105], [36, 45, 106], [35, 40, 107], [30, 39, 108], [29, 37, 109], [29, 38, 110], [28, 34, 111], [28, 17, 112], [27, 34, 113], [27, 17, 114], [24, 11, 115], [7, 10, 116], [56, 65, 122], [55, 64, 123], [54, 61, 124], [51, 10, 125]]
# left []
# reached {2: 1, 3: 1, 6: 1, 8: 1, 9: 1, 10: 1, 11: 1, 14: 3, 15: 3, 16: 3, 17: 1, 18: 3, 21: 3, 22: 3, 25: 1, 26: 1, 27: 1, 28: 1, 29: 1, 30: 1, 31: 1, 32: 1, 33: 1, 34: 1, 35: 1, 36: 1, 37: 1, 38: 1, 39: 1, 40: 1, 41: 1, 42: 1, 43: 1, 44: 1}
# line 16 [(test='' took='F F T' values='-4.0 … 4.219 > 0')] None
# line 22 [(test='if v.sum() > 0' took='T T T' values='4.5 > 0')] None
# line 43 [(test='' took='T' values='2 > 1')] None
# decided (decisions=[0] because='v.sum() = 4.5 > 0' took='then' left='else' margin=4.5)
# decided (decisions=[1, 3] because='v.sum() = 4.5 > 0' took='True x2' left='else' margin=4.5)
# decided (decisions=[2, 4, 5] because='gradient.sum() = -4.0 … 4.219 > 0' took='False x2, True' left='' margin=-4)
# decided (decisions=[6] because='count = 2 > 1' took='then' left='else' margin=1)
# chosen (choices=[..., ..., ...] site=18:27-32 picked='2 of 3' margin='1' use='line 18: where')
# sensitive (one=... line='22' test='if v.sum() > 0' times=2 nearest='x + [-2.182, -0.5455, -2.182]' alone='x[0] - 4.5' tried='')
# sensitive (one=... line='16' test='if gradient.sum() > 0' times=3 nearest='on the edge' alone='' tried='')
# sensitive (one=... line='22' test='if v.sum() > 0' times=1 nearest='on the edge' alone='' tried='')
# sensitive (one=... line='43' test='if count > 1' times=1 nearest='on the edge' alone='' tried='')
# gradient (name='x' shape='[3]' values='[-3.965, 0, 0]')
# cost (label='outside any module' first=0 ops=58 nodes=17 saved_bytes=111)
# cost (label='whatever was decided' first=0 ops=56 nodes=16 saved_bytes=111)
# cost (label='if v.sum() > 0 → then' first=10 site=22:20-31 ops=1 nodes=1)
# cost (label='if gradient.sum() > 0 → then' first=43 site=16:11-29 ops=1)
# cost (label='mul' first=6 ops=15 nodes=7 saved_bytes=68)
# cost (label='sum' first=8 ops=10 nodes=3)
# cost (label='gt' first=9 ops=10)
# cost (label='add' first=7 ops=5 nodes=2 saved_bytes=12)
# cost (label='tensor' first=0 ops=4)
# cost (label='where' first=20 ops=3 nodes=1 saved_bytes=3)
# cost (label='getitem' first=22 ops=3 nodes=1)
# cost (label='clamp' first=4 ops=2)
# cost (label='matmul' first=11 ops=2 nodes=2 saved_bytes=28)
# cost (label='ones' first=2 ops=1)
# cost (label='expand' first=21 ops=1)
# cost (label='sub_' first=48 ops=1)
# cost (label='detach' first=52 ops=1)
# cost (label='Gate.backward without its ops' first=7 nodes=1)
# held (size_bytes=12 why='constant' tensor=3)
# held (size_bytes=12 why='constant' tensor=4)
# held (size_bytes=12 why='gradient' tensor=10)
# held (size_bytes=12 why='backward' tensor=10 op=0)
# held (size_bytes=12 why='gradient' tensor=17 op=7)
# held (size_bytes=12 why='output' tensor=17 op=7)
# held (size_bytes=12 why='backward' tensor=34 op=24)
# held (size_bytes=12 why='gradient' tensor=40 op=30)
# held (size_bytes=12 why='value' tensor=41 op=31)
# held (size_bytes=12 why='gradient' tensor=45 op=35)
# held (size_bytes=12 why='gradient' tensor=46 op=36)
# held (size_bytes=12 why='output' tensor=46 op=36)
# held (size_bytes=4 why='constant' tensor=2)
# held (size_bytes=4 why='value' tensor=13 op=3)
# held (size_bytes=4 why='output' tensor=22 op=12)
# held (size_bytes=4 why='output' tensor=48 op=38)
# held (size_bytes=3 why='backward' tensor=44 op=34)
# memory 67 of [12, 24, 32, 28, 40, 52, 64, 64, 44, 45, 52, 56, 60, 64, 84, 84, 85, 92, 92, 104, 96, 97, 95, 107, 119, 88, 96, 104, 104, 84, 84, 96, 84, 64, 65, 84, 108, 120, 108, 120, 112, 113, 111, 123, 135, 123, 127, 143, 151, 163, 148, 148, 160, 160, 136, 100, 84, 96, 96, 76, 77, 84, 75, 87, 99, 84, 72, 63, 71, 60, 60, 60, 64, 68, 64, 64, 68, 68, 68, 40]
# named ['', 'Gate.forward', 'block', 'if v.sum() > 0 → then', 'block', '<lambda>', 'Gate.backward', 'block', '<lambda>', 'Gate.backward', '<lambda>', 'Gate.backward', 'if gradient.sum() > 0 → then']
# graph [' · 58 ops · 7 decisions'] of several backwards through one op its last gradient is written · backward() ran 3 times: inputs and parameters have the last gradient all steps of a loop are drawn as one
# box b1 (kind='call' name='Gate.forward')
# box b2 (kind='call' name='block')
# box b3 (kind='arm' name='True' parent='b2' site=22:20-31)
# box b4 (kind='call' name='block')
# box b5 (kind='call' name='<lambda>')
# box b6 (kind='call' name='Gate.backward')
# box b7 (kind='call' name='block')
# box b8 (kind='call' name='<lambda>')
# box b10 (kind='call' name='<lambda>')
# box b11 (kind='call' name='Gate.backward')
# box b12 (kind='arm' name='True' parent='b11' site=16:11-29)
# box bn56a0 (kind='left' name='True' rest='line 17' parent='b6' site=16:11-29 times=0)
# box bn59a0 (kind='arm' name='True' rest='line 44' site=43:3-12)
# node n60 (kind='constant' name='gradient' rest='x5' lines=['float32 [3] · [1, -1, -8] … [0.25, -0.03125, 4]'] tensors=[0, 1, 6, 7, 8])
# node n61 (kind='constant' name='seed' lines=['float32 [] · 1'] tensors=[2])
# node n62 (kind='constant' name='saved' rest='x3' lines=['float32 [3] · [1, -0.5, 4] … [0.5, -0.5, -4]'] tensors=[3, 4, 5])
# node n63 (kind='constant' name='x.grad' lines=['float32 [3] · [1, -0.1406, 4]'] tensors=[9])
# node n0 (kind='parameter' name='x' rest='= tensor [1, -2, 4]' lines=['float32 [3] · [1, -2, 4]', 'grad [-3.965, 0, 0]'/gradient, 'line 25'/faint] site=25:4-54 ops=[0])
# node n1 (kind='parameter' name='w' rest='= tensor [[0.5, 1, -1]]' lines=['float32 [1, 3] · [[0.5, 1, -1]]', 'grad [[1, 0.03125, -32]], summed over 2: [[2, 0.2812, -16]]'/gradient, 'line 26'/faint] site=26:4-56 ops=[1])
# node n2 (kind='op' name='ones' rest='2' lines=['float32 [2] · [1, 1]', 'line 27'/faint] site=27:9-42 ops=[2])
# node n3 (kind='op' name='tensor' rest='[1]' lines=['float32 [1] · [1]', 'line 28'/faint] site=28:8-27 ops=[3])
# node n4 (kind='op' name='clamp' rest='0' lines=['float32 [3] · [1, 0, 4]', 'line 11'/faint] box='b1' site=11:15-29 ops=[4])
# node n5 (kind='op' name='clamp' rest='max=0' lines=['float32 [3] · [0, -2, 0]', 'line 11'/faint] box='b1' site=11:40-54 ops=[5])
# node n6 (kind='op' name='mul' rest='0.25' lines=['float32 [3] · [0, -0.5, 0]', 'line 11'/faint] box='b1' site=11:32-54 ops=[6])
# node n7 (kind='op' name='add' rest='→ middle' lines=['float32 [3] · [1, -0.5, 4]', 'grad [0.25, -0.03125, 4]'/gradient, 'line 11 · saves 12 B'/faint] box='b1' site=11:15-54 ops=[7])
# node n8 (kind='op' name='sum' lines=['float32 [] · 4.5', 'line 22'/faint] box='b2' site=22:20-27 ops=[8])
# node n9 (kind='op' name='gt' rest='0' lines=['bool [] · True', 'line 22'/faint] box='b2' site=22:20-31 ops=[9])
# node n54 (kind='decision' name='if' rest='v.sum() > 0' lines=['line 22 · 4.5 > 0 · margin 4.5'/plain] box='b2' site=22:20-31 decisions=[0] origin='tensor')
# node n10 (kind='op' name='mul' lines=['float32 [3] · [1, 0.25, 16]', 'grad [0.5, 1, -1]'/gradient, 'line 22'/faint] box='b3' site=22:11-16 ops=[10])
# node n11 (kind='op' name='matmul' lines=['float32 [1] · [-15.25]', 'grad [1]'/gradient, 'line 32 · saves 24 B'/faint] site=32:9-59 ops=[11])
# node n12 (kind='op' name='sum' rest='→ first' lines=['float32 [] · -15.25', 'grad 1'/gradient, 'line 32'/faint] site=32:8-66 ops=[12])
# node n13 (kind='op' name='sum' lines=['float32 [] · 4.5', 'line 22 · computed again'/faint] box='b4' site=22:20-27 ops=[13])
# node n14 (kind='op' name='gt' rest='0' lines=['bool [] · True', 'line 22 · computed again'/faint] box='b4' site=22:20-31 ops=[14])
# node n55 (kind='decision' name='if' rest='v.sum() > 0' lines=['line 22 · 4.5 > 0 · margin 4.5 → True'/plain] box='b4' site=22:20-31 decisions=[1] origin='tensor')
# node n15 (kind='op' name='mul' rest='0.5' lines=['float32 [3] · [0.5, -0.5, -4]', 'line 31 · of a derivative'/faint] box='b5' site=31:31-38 ops=[15])
# node n16 (kind='op' name='sum' lines=['float32 [] · -4', 'line 16 · of a derivative'/faint] box='b6' site=16:11-25 ops=[16])
# node n17 (kind='op' name='gt' rest='0' lines=['bool [] · False', 'line 16 · of a derivative'/faint] box='b6' site=16:11-29 ops=[17])
# node n56 (kind='decision' name='if' rest='gradient.sum() > 0' lines=['line 16 · -4 > 0 · margin -4 → False'/plain] box='b6' site=16:11-29 decisions=[2] origin='tensor')
# node n18 (kind='op' name='gt' rest='0' lines=['bool [3] · [True, False, True]', 'line 18 · of a derivative'/faint] box='b6' site=18:27-32 ops=[18])
# node n19 (kind='op' name='mul' rest='0.25' lines=['float32 [3] · [0.125, -0.125, -1]', 'line 18 · of a derivative'/faint] box='b6' site=18:44-64 ops=[19])
# node n20 (kind='op' name='where' lines=['float32 [3] · [0.5, -0.125, -4]', 'line 18 · of a derivative'/faint] box='b6' site=18:15-65 ops=[20])
# node n21 (kind='op' name='expand' rest='(1)' lines=['float32 [1] · [1]', 'line 34 · of a derivative'/faint] site=34:11-59 ops=[21])
# node n22 (kind='op' name='getitem' rest='(:, None)' lines=['float32 [1, 1] · [[1]]', 'line 34 · of a derivative'/faint] site=34:11-59 ops=[22])
# node n23 (kind='op' name='mul' lines=['float32 [1, 3] · [[1, 0.25, 16]]', 'line 34 · of a derivative · saves 4 B'/faint] site=34:11-59 ops=[23])
# node n24 (kind='op' name='matmul' lines=['float32 [3] · [0.5, 1, -1]', 'grad [1, 0.03125, -32]'/gradient, 'line 34 · of a derivative · saves 4 B'/faint] site=34:11-59 ops=[24])
# node n25 (kind='op' name='sum' lines=['float32 [] · 4.5', 'line 22 · computed again'/faint] box='b7' site=22:20-27 ops=[25])
# node n26 (kind='op' name='gt' rest='0' lines=['bool [] · True', 'line 22 · computed again'/faint] box='b7' site=22:20-31 ops=[26])
# node n57 (kind='decision' name='if' rest='v.sum() > 0' lines=['line 22 · 4.5 > 0 · margin 4.5 → True'/plain] box='b7' site=22:20-31 decisions=[3] origin='tensor')
# node n27 (kind='op' name='mul' lines=['float32 [3] · [0.5, -0.5, -4]', 'grad [0.5, -0.03125, -4]'/gradient, 'line 34 · of a derivative · saves 24 B'/faint] site=34:11-59 ops=[27])
# node n28 (kind='op' name='mul' lines=['float32 [3] · [0.5, -0.5, -4]', 'grad [0.5, -0.03125, -4]'/gradient, 'line 34 · of a derivative · saves 24 B'/faint] site=34:11-59 ops=[28])
# node n29 (kind='op' name='add' lines=['float32 [3] · [1, -1, -8]', 'grad [0.5, -0.03125, -4]'/gradient, 'line 34 · of a derivative'/faint] site=34:11-59 ops=[29])
# node n30 (kind='op' name='mul' rest='0.5' lines=['float32 [3] · [0.5, -0.5, -4]', 'grad [1, -0.0625, -8]'/gradient, 'line 31 · of a derivative'/faint] box='b8' site=31:31-38 ops=[30])
# node n31 (kind='op' name='add' lines=['float32 [3] · [1, -1, -8]', 'line 34 · of a derivative'/faint] site=34:11-59 ops=[31])
# node n32 (kind='fold' name='Gate.backward' lines=['5 ops · 1 decision · saves 3 B', 'gt x2, sum, mul, where'/faint, 'float32 [3] · [0.5, -0.125, -4]', 'grad [1, -0.25, -8]'/gradient, 'if gradient.sum() > 0 → False'/plain, 'ran as above'/faint] ops=[32, 33, 34, 35, 36] decisions=[4])
# node n33 (kind='op' name='mul' lines=['float32 [3] · [0.25, 0.01562, 16]', 'grad [1, 1, 1]'/gradient, 'line 35 · saves 12 B'/faint] site=35:11-24 ops=[37])
# node n34 (kind='op' name='sum' rest='→ penalty' lines=['float32 [] · 16.27', 'grad 1'/gradient, 'line 35'/faint] site=35:10-31 ops=[38])
# node n35 (kind='op' name='mul' rest='0.5' lines=['float32 [3] · [0.25, -0.03125, 4]', 'line 31 · of a derivative'/faint] box='b10' site=31:31-38 ops=[39])
# node n36 (kind='op' name='add' lines=['float32 [3] · [1.25, -1.031, -4]', 'line 36 · of a derivative'/faint] site=36:0-18 ops=[40])
# node n37 (kind='op' name='sum' lines=['float32 [] · 4.219', 'line 16 · of a derivative'/faint] box='b11' site=16:11-25 ops=[41])
# node n38 (kind='op' name='gt' rest='0' lines=['bool [] · True', 'line 16 · of a derivative'/faint] box='b11' site=16:11-29 ops=[42])
# node n58 (kind='decision' name='if' rest='gradient.sum() > 0' lines=['line 16 · 4.219 > 0 · margin 4.22'/plain] box='b11' site=16:11-29 decisions=[5] origin='tensor')
# node n39 (kind='op' name='mul' rest='2' lines=['float32 [3] · [0.5, -0.0625, 8]', 'line 17 · of a derivative'/faint] box='b12' site=17:23-35 ops=[43])
# node n40 (kind='op' name='gt' rest='0' lines=['bool [3] · [True, False, True]', 'line 18 · of a derivative'/faint] box='b11' site=18:27-32 ops=[44])
# node n41 (kind='op' name='mul' rest='0.25' lines=['float32 [3] · [0.125, -0.01562, 2]', 'line 18 · of a derivative'/faint] box='b11' site=18:44-64 ops=[45])
# node n42 (kind='op' name='where' lines=['float32 [3] · [0.5, -0.01562, 8]', 'line 18 · of a derivative'/faint] box='b11' site=18:15-65 ops=[46])
# node n43 (kind='op' name='mul' rest='0.125' lines=['float32 [3] · [0.125, -0.01758, 0.5]', 'line 38 · no_grad'/faint] site=38:9-23 ops=[47] unrecorded=True)
# node n44 (kind='op' name='sub_' lines=['float32 [3] · [0.875, -1.982, 3.5]', 'line 38 · no_grad'/faint] site=38:4-23 ops=[48] unrecorded=True)
# node n45 (kind='op' name='gt' rest='0' lines=['bool [3] · [True, False, True]', 'line 39'/faint] site=39:13-18 ops=[49])
# node n46 (kind='op' name='sum' lines=['int64 [] · 2', 'line 39'/faint] site=39:12-25 ops=[50])
# node n47 (kind='op' name='getitem' rest='0' lines=['float32 [] · 0.875', 'grad -3.965'/gradient, 'line 41'/faint] site=41:10-14 ops=[51])
# node n48 (kind='op' name='detach' lines=['float32 [3] · [0.875, -1.982, 3.5]', 'line 41'/faint] site=41:17-27 ops=[52])
# node n49 (kind='op' name='getitem' rest='1' lines=['float32 [] · -1.982', 'line 41'/faint] site=41:17-30 ops=[53])
# node n50 (kind='op' name='mul' lines=['float32 [] · -1.735', 'grad 2'/gradient, 'line 41 · saves 4 B'/faint] site=41:10-30 ops=[54])
# node n51 (kind='op' name='add' lines=['float32 [1] · [-0.7346]', 'grad [2]'/gradient, 'line 41'/faint] site=41:10-38 ops=[55])
# node n52 (kind='op' name='sum' rest='→ second' lines=['float32 [] · -0.7346', 'grad 2'/gradient, 'line 41'/faint] site=41:9-45 ops=[56])
# node n53 (kind='op' name='tensor' rest='2' lines=['float32 [] · 2', 'line 42'/faint] site=42:16-33 ops=[57])
# node n59 (kind='decision' name='if' rest='count > 1' lines=['line 43 · 2 > 1 (probably scalar) · margin 1'/plain] site=43:3-12 decisions=[6] origin='scalar~')
# node n56a0 (kind='ghost' name='' lines=['gradient = gradient * 2'/source] box='bn56a0' site=16:11-29 span=[17, 17])
# node n59a0 (kind='done' name='' lines=['print(count)'/source] box='bn59a0' site=43:3-12 span=[44, 44])
# node out0 (kind='output' name='middle' lines=['float32 [3] · [1, -0.5, 4]'] tensors=[17])
# node out1 (kind='output' name='first' lines=['float32 [] · -15.25', 'backward · seed 1'/gradient] tensors=[22])
# node out2 (kind='output' name='slope' lines=['float32 [3] · [0.5, -0.125, -4]'] tensors=[46])
# node out3 (kind='output' name='penalty' lines=['float32 [] · 16.27', 'backward · seed 1'/gradient] tensors=[48])
# node out4 (kind='output' name='second' lines=['float32 [] · -0.7346', 'backward · seed 2'/gradient] tensors=[66])
# edge n0 n4 data   both
# edge n0 n5 data   both
# edge n5 n6 data   both
# edge n4 n7 data   both
# edge n6 n7 data   both
# edge n7 n8 data   both
# edge n8 n9 data   both
# edge n7 n10 data  [1, -1, -8] both
# edge n1 n11 data  [[1, 0.25, 16]] both
# edge n10 n11 data  [0.5, 1, -1] both
# edge n11 n12 data  [1] both
# edge n7 n13 data   both
# edge n13 n14 data   both
# edge n60 n15 data   both
# edge n60 n16 data   both
# edge n16 n17 data   both
# edge n0 n18 data   both
# edge n60 n19 data   both
# edge n18 n20 data   both
# edge n60 n20 data   both
# edge n19 n20 data   both
# edge n61 n21 data   both
# edge n21 n22 data   both
# edge n22 n23 data   both
# edge n10 n23 data   both
# edge n21 n24 data   both
# edge n1 n24 data  [[1, 0.03125, -32]] both
# edge n7 n25 data   both
# edge n25 n26 data   both
# edge n24 n27 data  [0.5, 0.01562, -16] both
# edge n62 n27 data   both
# edge n24 n28 data  [0.5, 0.01562, -16] both
# edge n62 n28 data   both
# edge n27 n29 data  [0.5, -0.03125, -4] both
# edge n28 n29 data  [0.5, -0.03125, -4] both
# edge n29 n30 data  [0.5, -0.03125, -4] both
# edge n62 n31 data   both
# edge n30 n31 data   both
# edge n30 n32 data  [0, -0.0625, 0] … [1, 0, -8] both
# edge n0 n32 data   both
# edge n32 n33 data  [1, -0.25, -8] both
# edge n33 n34 data  [1, 1, 1] both
# edge n60 n35 data   both
# edge n31 n36 data   both
# edge n60 n36 data   both
# edge n60 n37 data   both
# edge n37 n38 data   both
# edge n60 n39 data   both
# edge n0 n40 data   both
# edge n39 n41 data   both
# edge n40 n42 data   both
# edge n39 n42 data   both
# edge n41 n42 data   both
# edge n63 n43 data   both
# edge n0 n44 data   both
# edge n43 n44 data   both
# edge n44 n45 data   both
# edge n45 n46 data   both
# edge n44 n47 data   both
# edge n44 n48 data   both
# edge n48 n49 data   both
# edge n47 n50 data  -3.965 both
# edge n49 n50 data   both
# edge n50 n51 data  2 both
# edge n3 n51 data   both
# edge n51 n52 data  [2] both
# edge n9 n54 predicate   both
# edge n14 n55 predicate   both
# edge n17 n56 predicate   both
# edge n26 n57 predicate   both
# edge n38 n58 predicate   both
# edge n46 n59 predicate   both
# edge n54 n10 taken True  both
# edge n56 n56a0 left True  both
# edge n58 n39 taken True  both
# edge n59 n59a0 taken True  both
# edge n7 out0 data   both
# edge n12 out1 data   both
# edge n32 out2 data   both
# edge n34 out3 data   both
# edge n52 out4 data   both
