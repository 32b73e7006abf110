# run: {"inputs": ["[0.5, 2, -1]", "[]", "3", "[1, 0]", "[true]"], "sensitivity": true, "trials": false}
import math

import dyncore as torch

kept = torch.tensor([0.25, 0.5], requires_grad=True)
limit = torch.tensor(2.0)
layer = torch.nn.Linear(2, 1)


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2, 3

    @staticmethod
    def backward(ctx, gradient, *more):
        return gradient * 2


def forward(x, none, times, other, flags):
    every, many = Doubled.apply(torch.cat([x, none]))
    tests = []
    if every.sum() > 2 and times == many:
        tests.append(1)
    if every.sum().item() == 3.5:
        tests.append(2)
    if 3.5 != every.sum().item():
        tests.append(3)
    if every[0].item() in (1.0, 2.0) or x[2] is None:
        tests.append(4)
    if math.floor(every.sum().item()):
        tests.append(5)
    if every[0].item() / 2 * 3:
        tests.append(6)
    if 3 / every[1].item() + every[2].item() ** 2 > 2 - kept[0].item() * 2:
        tests.append(7)
    if every[0].item() ** 0.5 + (every[1].item() - every[1].item()) ** 2 < 2 ** every[1].item():
        tests.append(8)
    spread = torch.ones(20, requires_grad=True) * 2
    if (spread.sum() * x[0]) > kept.sum():
        tests.append(9)
    if x[1] > limit or x[1].isnan() or torch.gt(x, other=9).any():
        tests.append(10)
    if (x > 0).squeeze()[1] and ((x > 1) | (x < -0.5)).all() or ((x > 1) & True).all():
        tests.append(11)
    if x.tolist()[1] + other.tolist()[0] > 3.5 or torch.zeros(size=(), dtype=torch.bool).any():
        tests.append(12)
    try:
        if every.sum().item() + "1" > 2:
            tests.append(13)
    except TypeError:
        tests.append(14)
    if flags and (x * 0 + other[0]).sum() > other[1] or spread.tolist()[0] > 2:
        tests.append(15)
    if x[0] + 1e-9 >= 0.5 and not 0.5 != x[0] and -x[2].item() + 1 > 0:
        tests.append(16)
    size = x[1].item()
    if (x > 0).tolist()[2] or (size / x + x / size + size * x + size**x).sum() > 99 or size * 2j == 4 or layer.weight.sum() < 9:
        tests.append(17)
    while every.max() > tests[-1] / 8:
        every = every / 2
    return every.sum() + len(tests)





# ----
# ok forced=() unrecorded=() None
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# scopes 2 (parent=1 kind='call' name='Doubled.forward')
# scopes 3 (parent=1 kind='arm' name='except TypeError' site=49:4-7 decision=12)
# scopes 4 (parent=1 kind='iteration' name='while every.max() > tests[-1] / 8' site=61:10-37 index=0 decision=16)
# scopes 5 (parent=0 kind='call' name='Doubled.backward')
# calls 0 (line=13 times=1 returned=1)
# calls 1 (line=17 times=1 returned=1)
# calls 2 (line=21 times=1 returned=1)
# tensors 0 (shape=[3] role='input' name='x' requires_grad=True values=[0.5, 2, -1])
# tensors 1 (shape=[0] role='input' name='none' requires_grad=True values=[])
# tensors 2 (shape=[2] role='input' name='other' requires_grad=True values=[1, 0])
# tensors 3 (shape=[1] dtype='bool' role='input' name='flags' values=[True])
# tensors 4 (shape=[1, 2] role='parameter' name='layer.weight' requires_grad=True values=[-0.005294, 0.37932])
# tensors 5 (shape=[1] role='parameter' name='layer.bias' requires_grad=True values=[-0.58198])
# tensors 6 (shape=[2] role='parameter' name='kept' requires_grad=True values=[0.25, 0.5])
# tensors 7 (shape=[] role='constant' name='limit' values=[2])
# tensors 8 (shape=[3] role='constant' name='gradient' values=[0.5, 0.5, 0.5])
# tensors 9 (shape=[3] requires_grad=True values=[0.5, 2, -1] op=0)
# tensors 10 (shape=[3] values=[1, 4, -2] op=1)
# tensors 11 (shape=[] requires_grad=True values=[3] op=2)
# tensors 12 (shape=[] dtype='bool' values=[True] op=3)
# tensors 13 (shape=[] requires_grad=True values=[3] op=4)
# tensors 14 (shape=[] requires_grad=True values=[3] op=5)
# tensors 15 (shape=[] requires_grad=True values=[1] op=6 shares=10)
# tensors 16 (shape=[] requires_grad=True values=[3] op=7)
# tensors 17 (shape=[] requires_grad=True values=[1] op=8 shares=10)
# tensors 18 (shape=[] requires_grad=True values=[4] op=9 shares=10)
# tensors 19 (shape=[] requires_grad=True values=[-2] op=10 shares=10)
# tensors 20 (shape=[] requires_grad=True values=[0.25] op=11 shares=6)
# tensors 21 (shape=[] requires_grad=True values=[1] op=12 shares=10)
# tensors 22 (shape=[] requires_grad=True values=[4] op=13 shares=10)
# tensors 23 (shape=[] requires_grad=True values=[4] op=14 shares=10)
# tensors 24 (shape=[] requires_grad=True values=[4] op=15 shares=10)
# tensors 25 (shape=[20] values=[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] stats=(min=1 max=1 mean=1 norm=4.4721) op=16)
# tensors 26 (shape=[20] requires_grad=True values=[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2] stats=(min=2 max=2 mean=2 norm=8.9443) op=17)
# tensors 27 (shape=[] requires_grad=True values=[40] op=18)
# tensors 28 (shape=[] requires_grad=True values=[0.5] op=19 shares=0)
# tensors 29 (shape=[] requires_grad=True values=[20] op=20)
# tensors 30 (shape=[] requires_grad=True values=[0.75] op=21)
# tensors 31 (shape=[] dtype='bool' values=[True] op=22)
# tensors 32 (shape=[] requires_grad=True values=[2] op=23 shares=0)
# tensors 33 (shape=[] dtype='bool' values=[False] op=24)
# tensors 34 (shape=[] requires_grad=True values=[2] op=25 shares=0)
# tensors 35 (shape=[] dtype='bool' values=[False] op=26)
# tensors 36 (shape=[3] dtype='bool' values=[False, False, False] op=27)
# tensors 37 (shape=[] dtype='bool' values=[False] op=28)
# tensors 38 (shape=[3] dtype='bool' values=[True, True, False] op=29)
# tensors 39 (shape=[3] dtype='bool' values=[True, True, False] op=30 shares=38)
# tensors 40 (shape=[] dtype='bool' values=[True] op=31 shares=39)
# tensors 41 (shape=[3] dtype='bool' values=[False, True, False] op=32)
# tensors 42 (shape=[3] dtype='bool' values=[False, False, True] op=33)
# tensors 43 (shape=[3] dtype='bool' values=[False, True, True] op=34)
# tensors 44 (shape=[] dtype='bool' values=[False] op=35)
# tensors 45 (shape=[3] dtype='bool' values=[False, True, False] op=36)
# tensors 46 (shape=[3] dtype='bool' values=[False, True, False] op=37)
# tensors 47 (shape=[] dtype='bool' values=[False] op=38)
# tensors 48 (shape=[] dtype='bool' values=[False] op=39)
# tensors 49 (shape=[] dtype='bool' values=[False] op=40)
# tensors 50 (shape=[] requires_grad=True values=[3] op=41)
# tensors 51 (shape=[3] requires_grad=True values=[0, 0, -0] op=42)
# tensors 52 (shape=[] requires_grad=True values=[1] op=43 shares=2)
# tensors 53 (shape=[3] requires_grad=True values=[1, 1, 1] op=44)
# tensors 54 (shape=[] requires_grad=True values=[3] op=45)
# tensors 55 (shape=[] requires_grad=True values=[0] op=46 shares=2)
# tensors 56 (shape=[] dtype='bool' values=[True] op=47)
# tensors 57 (shape=[] requires_grad=True values=[0.5] op=48 shares=0)
# tensors 58 (shape=[] requires_grad=True values=[0.5] op=49)
# tensors 59 (shape=[] dtype='bool' values=[True] op=50)
# tensors 60 (shape=[] requires_grad=True values=[0.5] op=51 shares=0)
# tensors 61 (shape=[] dtype='bool' values=[False] op=52)
# tensors 62 (shape=[] requires_grad=True values=[-1] op=53 shares=0)
# tensors 63 (shape=[] requires_grad=True values=[2] op=54 shares=0)
# tensors 64 (shape=[3] dtype='bool' values=[True, True, False] op=55)
# tensors 65 (shape=[3] requires_grad=True values=[2, 0.5, -1] op=56)
# tensors 66 (shape=[3] requires_grad=True values=[4, 1, -2] op=57)
# tensors 67 (shape=[3] requires_grad=True values=[0.25, 1, -0.5] op=58)
# tensors 68 (shape=[3] requires_grad=True values=[4.25, 2, -2.5] op=59)
# tensors 69 (shape=[3] requires_grad=True values=[1, 4, -2] op=60)
# tensors 70 (shape=[3] requires_grad=True values=[5.25, 6, -4.5] op=61)
# tensors 71 (shape=[3] requires_grad=True values=[1.4142, 4, 0.5] op=62)
# tensors 72 (shape=[3] requires_grad=True values=[6.6642, 10, -4] op=63)
# tensors 73 (shape=[] requires_grad=True values=[12.664] op=64)
# tensors 74 (shape=[] dtype='bool' values=[False] op=65)
# tensors 75 (shape=[] requires_grad=True values=[0.37403] op=66)
# tensors 76 (shape=[] dtype='bool' values=[True] op=67)
# tensors 77 (shape=[] requires_grad=True values=[4] op=68)
# tensors 78 (shape=[] dtype='bool' values=[True] op=69)
# tensors 79 (shape=[3] requires_grad=True values=[0.5, 2, -1] op=70)
# tensors 80 (shape=[] requires_grad=True values=[2] op=71)
# tensors 81 (shape=[] dtype='bool' values=[False] op=72)
# tensors 82 (shape=[] requires_grad=True values=[1.5] op=73)
# tensors 83 (shape=[] name='output' requires_grad=True values=[13.5] op=74)
# tensors 84 (shape=[3] values=[1, 1, 1] op=75)
# tensors 85 (shape=[3] role='gradient' name='x.grad' values=[1, 1, 1])
# tensors 86 (shape=[0] role='gradient' name='none.grad' values=[])
# tensors 87 (shape=[] role='gradient' values=[1])
# tensors 88 (shape=[] role='gradient' values=[1])
# tensors 89 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 90 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 91 (shape=[] role='gradient' values=[1])
# tensors 92 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 93 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 94 (shape=[0] role='gradient' values=[])
# ops 0 (name='cat' inputs=[0, 1] outputs=[9] site=22:32-52 scope=1 grad_fn='CatBackward0')
# ops 1 (name='mul' inputs=[9] outputs=[10] site=14:15-20 args='2' scope=2)
# ops 2 (name='sum' inputs=[10] outputs=[11] site=24:7-18 scope=1 grad_fn='SumBackward0')
# ops 3 (name='gt' inputs=[11] outputs=[12] site=24:7-22 args='2' scope=1)
# ops 4 (name='sum' inputs=[10] outputs=[13] site=26:7-18 scope=1 grad_fn='SumBackward0')
# ops 5 (name='sum' inputs=[10] outputs=[14] site=28:14-25 scope=1 grad_fn='SumBackward0')
# ops 6 (name='getitem' inputs=[10] outputs=[15] site=30:7-15 args='0' scope=1 grad_fn='GetitemBackward0')
# ops 7 (name='sum' inputs=[10] outputs=[16] site=32:18-29 scope=1 grad_fn='SumBackward0')
# ops 8 (name='getitem' inputs=[10] outputs=[17] site=34:7-15 args='0' scope=1 grad_fn='GetitemBackward0')
# ops 9 (name='getitem' inputs=[10] outputs=[18] site=36:11-19 args='1' scope=1 grad_fn='GetitemBackward0')
# ops 10 (name='getitem' inputs=[10] outputs=[19] site=36:29-37 args='2' scope=1 grad_fn='GetitemBackward0')
# ops 11 (name='getitem' inputs=[6] outputs=[20] site=36:56-63 args='0' scope=1 grad_fn='GetitemBackward0')
# ops 12 (name='getitem' inputs=[10] outputs=[21] site=38:7-15 args='0' scope=1 grad_fn='GetitemBackward0')
# ops 13 (name='getitem' inputs=[10] outputs=[22] site=38:33-41 args='1' scope=1 grad_fn='GetitemBackward0')
# ops 14 (name='getitem' inputs=[10] outputs=[23] site=38:51-59 args='1' scope=1 grad_fn='GetitemBackward0')
# ops 15 (name='getitem' inputs=[10] outputs=[24] site=38:80-88 args='1' scope=1 grad_fn='GetitemBackward0')
# ops 16 (name='ones' inputs=[] outputs=[25] site=40:13-47 args='20' scope=1)
# ops 17 (name='mul' inputs=[25] outputs=[26] site=40:13-51 args='2' scope=1 grad_fn='MulBackward0')
# ops 18 (name='sum' inputs=[26] outputs=[27] site=41:8-20 scope=1 grad_fn='SumBackward0')
# ops 19 (name='getitem' inputs=[0] outputs=[28] site=41:23-27 args='0' scope=1 grad_fn='GetitemBackward0')
# ops 20 (name='mul' inputs=[27, 28] outputs=[29] site=41:8-27 scope=1 saved_bytes=8 grad_fn='MulBackward0' saved=[27, 28])
# ops 21 (name='sum' inputs=[6] outputs=[30] site=41:31-41 scope=1 grad_fn='SumBackward0')
# ops 22 (name='gt' inputs=[29, 30] outputs=[31] site=41:7-41 scope=1)
# ops 23 (name='getitem' inputs=[0] outputs=[32] site=43:7-11 args='1' scope=1 grad_fn='GetitemBackward0')
# ops 24 (name='gt' inputs=[32, 7] outputs=[33] site=43:7-19 scope=1)
# ops 25 (name='getitem' inputs=[0] outputs=[34] site=43:23-27 args='1' scope=1 grad_fn='GetitemBackward0')
# ops 26 (name='isnan' inputs=[34] outputs=[35] site=43:23-35 scope=1)
# ops 27 (name='gt' inputs=[0] outputs=[36] site=43:39-59 args='9' scope=1)
# ops 28 (name='any' inputs=[36] outputs=[37] site=43:39-65 scope=1)
# ops 29 (name='gt' inputs=[0] outputs=[38] site=45:8-13 args='0' scope=1)
# ops 30 (name='squeeze' inputs=[38] outputs=[39] site=45:7-24 scope=1)
# ops 31 (name='getitem' inputs=[39] outputs=[40] site=45:7-27 args='1' scope=1)
# ops 32 (name='gt' inputs=[0] outputs=[41] site=45:34-39 args='1' scope=1)
# ops 33 (name='lt' inputs=[0] outputs=[42] site=45:44-52 args='-0.5' scope=1)
# ops 34 (name='bitwise_or' inputs=[41, 42] outputs=[43] site=45:33-53 scope=1)
# ops 35 (name='all' inputs=[43] outputs=[44] site=45:32-60 scope=1)
# ops 36 (name='gt' inputs=[0] outputs=[45] site=45:66-71 args='1' scope=1)
# ops 37 (name='bitwise_and' inputs=[45] outputs=[46] site=45:65-79 args='True' scope=1)
# ops 38 (name='all' inputs=[46] outputs=[47] site=45:64-86 scope=1)
# ops 39 (name='zeros' inputs=[] outputs=[48] site=47:50-88 args='size=()' scope=1)
# ops 40 (name='any' inputs=[48] outputs=[49] site=47:50-94 scope=1)
# ops 41 (name='sum' inputs=[10] outputs=[50] site=50:11-22 scope=1 grad_fn='SumBackward0')
# ops 42 (name='mul' inputs=[0] outputs=[51] site=54:18-23 args='0' scope=3 under=12 grad_fn='MulBackward0')
# ops 43 (name='getitem' inputs=[2] outputs=[52] site=54:26-34 args='0' scope=3 under=12 grad_fn='GetitemBackward0')
# ops 44 (name='add' inputs=[51, 52] outputs=[53] site=54:18-34 scope=3 under=12 grad_fn='AddBackward0')
# ops 45 (name='sum' inputs=[53] outputs=[54] site=54:17-41 scope=3 under=12 grad_fn='SumBackward0')
# ops 46 (name='getitem' inputs=[2] outputs=[55] site=54:44-52 args='1' scope=3 under=12 grad_fn='GetitemBackward0')
# ops 47 (name='gt' inputs=[54, 55] outputs=[56] site=54:17-52 scope=3 under=12)
# ops 48 (name='getitem' inputs=[0] outputs=[57] site=56:7-11 args='0' scope=1 grad_fn='GetitemBackward0')
# ops 49 (name='add' inputs=[57] outputs=[58] site=56:7-18 args='1e-09' scope=1 grad_fn='AddBackward0')
# ops 50 (name='ge' inputs=[58] outputs=[59] site=56:7-25 args='0.5' scope=1)
# ops 51 (name='getitem' inputs=[0] outputs=[60] site=56:41-45 args='0' scope=1 grad_fn='GetitemBackward0')
# ops 52 (name='ne' inputs=[60] outputs=[61] site=56:34-45 args='0.5' scope=1)
# ops 53 (name='getitem' inputs=[0] outputs=[62] site=56:51-55 args='2' scope=1 grad_fn='GetitemBackward0')
# ops 54 (name='getitem' inputs=[0] outputs=[63] site=58:11-15 args='1' scope=1 grad_fn='GetitemBackward0')
# ops 55 (name='gt' inputs=[0] outputs=[64] site=59:8-13 args='0' scope=1)
# ops 56 (name='reciprocal' inputs=[0] outputs=[65] site=59:31-39 scope=1 saved_bytes=12 grad_fn='ReciprocalBackward0' saved=[65])
# ops 57 (name='mul' inputs=[65] outputs=[66] site=59:31-39 args='2' scope=1 grad_fn='MulBackward0')
# ops 58 (name='div' inputs=[0] outputs=[67] site=59:42-50 args='2' scope=1 grad_fn='DivBackward0')
# ops 59 (name='add' inputs=[66, 67] outputs=[68] site=59:31-50 scope=1 grad_fn='AddBackward0')
# ops 60 (name='mul' inputs=[0] outputs=[69] site=59:53-61 args='2' scope=1 grad_fn='MulBackward0')
# ops 61 (name='add' inputs=[68, 69] outputs=[70] site=59:31-61 scope=1 grad_fn='AddBackward0')
# ops 62 (name='pow' inputs=[0] outputs=[71] site=59:64-71 args='2' scope=1 saved_bytes=24 grad_fn='PowBackward0' saved=[0, 71])
# ops 63 (name='add' inputs=[70, 71] outputs=[72] site=59:31-71 scope=1 grad_fn='AddBackward0')
# ops 64 (name='sum' inputs=[72] outputs=[73] site=59:30-78 scope=1 grad_fn='SumBackward0')
# ops 65 (name='gt' inputs=[73] outputs=[74] site=59:30-83 args='99' scope=1)
# ops 66 (name='sum' inputs=[4] outputs=[75] site=59:105-123 scope=1 grad_fn='SumBackward0')
# ops 67 (name='lt' inputs=[75] outputs=[76] site=59:105-127 args='9' scope=1)
# ops 68 (name='max' inputs=[10] outputs=[77] site=61:10-21 scope=1 saved_bytes=12 grad_fn='MaxBackward0' saved=[10])
# ops 69 (name='gt' inputs=[77] outputs=[78] site=61:10-37 args='2.125' scope=1)
# ops 70 (name='div' inputs=[10] outputs=[79] site=62:16-25 args='2' scope=4 under=16 grad_fn='DivBackward0')
# ops 71 (name='max' inputs=[79] outputs=[80] site=61:10-21 scope=4 under=16 saved_bytes=12 grad_fn='MaxBackward0' saved=[79])
# ops 72 (name='gt' inputs=[80] outputs=[81] site=61:10-37 args='2.125' scope=4 under=16)
# ops 73 (name='sum' inputs=[79] outputs=[82] site=63:11-22 scope=1 grad_fn='SumBackward0')
# ops 74 (name='add' inputs=[82] outputs=[83] site=63:11-35 args='12' scope=1 grad_fn='AddBackward0')
# ops 75 (name='mul' inputs=[8] outputs=[84] site=18:15-27 args='2' scope=5 phase='backward')
# decisions 0 (site=24:7-40 arm='then' outcome=True origin='tensor' call_path=['forward'] conditions=[(text='every.sum() > 2' op='>' lhs=3 rhs=2 value=None outcome=True margin=1 origin='tensor' predicate_op=3), (text='times == many' op='==' lhs=3 rhs=3 value=None outcome=True margin=0)] margin=0 predicate_op=3 scope=1)
# decisions 1 (site=26:7-32 arm='else' outcome=False origin='scalar' call_path=['forward'] conditions=[(text='every.sum().item() == 3.5' op='==' lhs=3 rhs=3.5 value=None outcome=False margin=-0.5 origin='scalar' predicate_op=4)] margin=-0.5 predicate_op=4 scope=1)
# decisions 2 (site=28:7-32 arm='then' outcome=True origin='scalar' call_path=['forward'] conditions=[(text='3.5 != every.sum().item()' op='!=' lhs=3.5 rhs=3 value=None outcome=True margin=0.5 origin='scalar' predicate_op=5)] margin=0.5 predicate_op=5 scope=1)
# decisions 3 (site=30:7-52 arm='then' outcome=True origin='scalar' call_path=['forward'] conditions=[(text='every[0].item() in (1.0, 2.0)' op='in' lhs=1 rhs=[1, 2] value=None outcome=True origin='scalar' predicate_op=6)] predicate_op=6 scope=1)
# decisions 4 (site=32:7-37 arm='then' outcome=True origin='scalar~' call_path=['forward'] conditions=[(text='math.floor(every.sum().item())' op=None lhs=None rhs=None value=3 outcome=True margin=3 origin='scalar~' predicate_op=7)] margin=3 predicate_op=7 scope=1)
# decisions 5 (site=34:7-30 arm='then' outcome=True origin='scalar~' call_path=['forward'] conditions=[(text='every[0].item() / 2 * 3' op=None lhs=None rhs=None value=1.5 outcome=True margin=1.5 origin='scalar~' predicate_op=8)] margin=1.5 predicate_op=8 scope=1)
# decisions 6 (site=36:7-74 arm='then' outcome=True origin='scalar~' call_path=['forward'] conditions=[(text='3 / every[1].item() + every[2].item() ** 2 > 2 - kept[0].item() * 2' op='>' lhs=4.75 rhs=1.5 value=None outcome=True margin=3.25 origin='scalar~' predicate_op=10 other_ops=[9, 11])] margin=3.25 predicate_op=10 scope=1)
# decisions 7 (site=38:7-95 arm='then' outcome=True origin='scalar~' call_path=['forward'] conditions=[(text='every[0].item() ** 0.5 + (every[1].item() - every[1].item()) ** 2 < 2 ** every[1].item()' op='<' lhs=1 rhs=16 value=None outcome=True margin=15 origin='scalar~' predicate_op=14 other_ops=[13, 12, 15])] margin=15 predicate_op=14 scope=1)
# decisions 8 (site=41:7-41 arm='then' outcome=True origin='tensor' call_path=['forward'] conditions=[(text='(spread.sum() * x[0]) > kept.sum()' op='>' lhs=20 rhs=0.75 value=None outcome=True margin=19.25 origin='tensor' predicate_op=22)] margin=19.25 predicate_op=22 scope=1)
# decisions 9 (site=43:7-65 arm='else' outcome=False origin='tensor' call_path=['forward'] conditions=[(text='x[1] > limit' op='>' lhs=2 rhs=2 value=None outcome=False margin=0 origin='tensor' predicate_op=24), (text='x[1].isnan()' op=None lhs=None rhs=None value=False outcome=False origin='tensor' predicate_op=26), (text='torch.gt(x, other=9).any()' op=None lhs=None rhs=None value=False outcome=False origin='tensor' predicate_op=28)] margin=0 predicate_op=24 scope=1)
# decisions 10 (site=45:7-86 arm='else' outcome=False origin='tensor' call_path=['forward'] conditions=[(text='(x > 0).squeeze()[1]' op=None lhs=None rhs=None value=True outcome=True origin='tensor' predicate_op=31), (text='((x > 1) | (x < -0.5)).all()' op=None lhs=None rhs=None value=False outcome=False origin='tensor' predicate_op=35), (text='((x > 1) & True).all()' op=None lhs=None rhs=None value=False outcome=False origin='tensor' predicate_op=38)] predicate_op=31 scope=1)
# decisions 11 (site=47:7-94 arm='else' outcome=False origin='tensor' call_path=['forward'] conditions=[(text='x.tolist()[1] + other.tolist()[0] > 3.5' op='>' lhs=3 rhs=3.5 value=None outcome=False margin=-0.5 origin='scalar~'), (text='torch.zeros(size=(), dtype=torch.bool).any()' op=None lhs=None rhs=None value=False outcome=False origin='tensor' predicate_op=40)] margin=-0.5 predicate_op=40 scope=1)
# decisions 12 (site=49:4-7 arm='except TypeError' outcome=0 call_path=['forward'] exception='TypeError' scope=1)
# decisions 13 (site=54:7-78 arm='then' outcome=True origin='tensor' call_path=['forward'] conditions=[(text='flags' op=None lhs=None rhs=None value=True outcome=True origin='tensor'), (text='(x * 0 + other[0]).sum() > other[1]' op='>' lhs=3 rhs=0 value=None outcome=True margin=3 origin='tensor' predicate_op=47)] margin=3 scope=1)
# decisions 14 (site=56:7-70 arm='then' outcome=True origin='tensor' call_path=['forward'] conditions=[(text='x[0] + 1e-9 >= 0.5' op='>=' lhs=0.5 rhs=0.5 value=None outcome=True margin=0 origin='tensor' predicate_op=50), (text='0.5 != x[0]' op='!=' lhs=0.5 rhs=0.5 value=None outcome=False margin=0 origin='tensor' predicate_op=52), (text='-x[2].item() + 1 > 0' op='>' lhs=2 rhs=0 value=None outcome=True margin=2 origin='scalar~' predicate_op=53)] margin=0 predicate_op=50 scope=1)
# decisions 15 (site=59:7-127 arm='then' outcome=True origin='tensor' call_path=['forward'] conditions=[(text='(x > 0).tolist()[2]' op=None lhs=None rhs=None value=False outcome=False origin='scalar~' predicate_op=55), (text='(size / x + x / size + size * x + size**x).sum() > 99' op='>' lhs=12.664 rhs=99 value=None outcome=False margin=-86.336 origin='tensor' predicate_op=65), (text='size * 2j == 4' op='==' lhs={type: 'complex'} rhs=4 value=None outcome=False origin='scalar~' predicate_op=54), (text='layer.weight.sum() < 9' op='<' lhs=0.37403 rhs=9 value=None outcome=True margin=8.626 origin='tensor' predicate_op=67)] margin=8.626 predicate_op=65 scope=1)
# decisions 16 (site=61:10-37 arm='body' outcome=True origin='tensor' iteration=0 call_path=['forward'] conditions=[(text='every.max() > tests[-1] / 8' op='>' lhs=4 rhs=2.125 value=None outcome=True margin=1.875 origin='tensor' predicate_op=69)] margin=1.875 predicate_op=69 scope=1)
# decisions 17 (site=61:10-37 arm='exit' outcome=False origin='tensor' iteration=1 call_path=['forward'] conditions=[(text='every.max() > tests[-1] / 8' op='>' lhs=2 rhs=2.125 value=None outcome=False margin=-0.125 origin='tensor' predicate_op=72)] margin=-0.125 predicate_op=72 scope=1)
# inputs 0 (name='x' tensor=0)
# inputs 1 (name='none' tensor=1)
# inputs 2 (name='times' value=3)
# inputs 3 (name='other' tensor=2)
# inputs 4 (name='flags' tensor=3)
# outputs 0 (name='output' tensor=83)
# backwards 0 (site=None root=83 seed='1' gradients=[(name='x' tensor=0 role='input' value=85), (name='none' tensor=1 role='input' value=86), (name='other' tensor=2 role='input' reason='only decided line 54: `flags and (x * 0 + other[0]).sum() > other[1] or spread.tolist()[0] > 2`'), (name='layer.weight' tensor=4 role='parameter' reason='only decided line 59: `(x > 0).tolist()[2] or (size / x + x / size + size * x + size**x).sum() > 99 or size * 2j == 4 or…'), (name='layer.bias' tensor=5 role='parameter' reason='unused'), (name='kept' tensor=6 role='parameter' reason='only decided line 36: `3 / every[1].item() + every[2].item() ** 2 > 2 - kept[0].item() * 2`'), (name='output' tensor=83 role='intermediate' value=87), (name='t82' tensor=82 role='intermediate' value=88), (name='t79' tensor=79 role='intermediate' value=89), (name='t9' tensor=9 role='intermediate' value=90)] after=75 nodes=[74, 73, 70, 0])
# sensitivities 0 (decision=0 condition=0 margin=1 distance=0.28868 inputs=[(name='x' tensor=0 gradient=[2, 2, 2] step=[-0.16667, -0.16667, -0.16667] element=[0] change=-0.5)])
# sensitivities 1 (decision=1 condition=0 margin=-0.5 distance=0.14434 inputs=[(name='x' tensor=0 gradient=[2, 2, 2] step=[0.083333, 0.083333, 0.083333] element=[0] change=0.25)])
# sensitivities 2 (decision=2 condition=0 margin=0.5 distance=0.14434 inputs=[(name='x' tensor=0 gradient=[-2, -2, -2] step=[0.083333, 0.083333, 0.083333] element=[0] change=0.25)])
# sensitivities 3 (decision=3 condition=0 reason='`in` has no margin')
# sensitivities 4 (decision=4 condition=0 margin=3 reason='worked out in Python in a way that has no recorded derivative')
# sensitivities 5 (decision=5 condition=0 margin=1.5 distance=0.5 inputs=[(name='x' tensor=0 gradient=[3, 0, 0] step=[-0.5, 0, 0] element=[0] change=-0.5)])
# sensitivities 6 (decision=6 condition=0 margin=3.25 distance=0.39371 inputs=[(name='x' tensor=0 gradient=[-0, -0.375, -8] step=[0, 0.017886, 0.38156] element=[2] change=0.40625), (name='kept' tensor=6 gradient=[2, 0] step=[-0.095391, 0] element=[0] change=-1.625)])
# sensitivities 7 (decision=7 condition=0 margin=15 distance=15 inputs=[(name='x' tensor=0 gradient=[-1, -0, -0] step=[15, 0, 0] element=[0] change=15)])
# sensitivities 8 (decision=8 condition=0 margin=19.25 distance=0.47798 inputs=[(name='x' tensor=0 gradient=[40, 0, 0] step=[-0.47472, 0, 0] element=[0] change=-0.48125), (name='kept' tensor=6 gradient=[-1, -1] step=[0.011868, 0.011868] element=[0] change=19.25), (name='spread' tensor=25 gradient=[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] step=[-0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868, -0.011868] element=[0] change=-19.25)])
# sensitivities 9 (decision=9 condition=0 margin=0 distance=0 inputs=[(name='x' tensor=0 gradient=[0, 1, 0] step=[0, 0, 0] element=[1] change=0)])
# sensitivities 10 (decision=9 condition=1 reason='`isnan` has no derivative')
# sensitivities 11 (decision=9 condition=2 margin=-7 distance=7 inputs=[(name='x' tensor=0 gradient=[0, 1, 0] step=[0, 7, 0] element=[1] change=7)])
# sensitivities 12 (decision=10 condition=0 margin=2 distance=2 inputs=[(name='x' tensor=0 gradient=[0, 1, 0] step=[0, -2, 0] element=[1] change=-2)])
# sensitivities 13 (decision=10 condition=1 margin=-0.5 distance=0.5 inputs=[(name='x' tensor=0 gradient=[1, 0, 0] step=[0.5, 0, 0] element=[0] change=0.5)])
# sensitivities 14 (decision=10 condition=2 reason='`all` has no derivative')
# sensitivities 15 (decision=11 condition=0 margin=-0.5 distance=0.35355 inputs=[(name='x' tensor=0 gradient=[0, 1, 0] step=[0, 0.25, 0] element=[1] change=0.5), (name='other' tensor=2 gradient=[1, 0] step=[0.25, 0] element=[0] change=0.5)])
# sensitivities 16 (decision=11 condition=1 reason='`any` has no derivative')
# sensitivities 17 (decision=13 condition=0 reason='it is no floating-point number')
# sensitivities 18 (decision=13 condition=1 margin=3 distance=0.94868 inputs=[(name='x' tensor=0 gradient=[0, 0, 0] step=[0, 0, 0] element=[0]), (name='other' tensor=2 gradient=[3, -1] step=[-0.9, 0.3] element=[0] change=-1)])
# sensitivities 19 (decision=14 condition=0 margin=0 distance=0 inputs=[(name='x' tensor=0 gradient=[1, 0, 0] step=[0, 0, 0] element=[0] change=0)])
# sensitivities 20 (decision=14 condition=1 margin=0 reason='its gradient is zero: to first order no change flips it')
# sensitivities 21 (decision=14 condition=2 margin=2 distance=2 inputs=[(name='x' tensor=0 gradient=[-0, -0, -1] step=[0, 0, 2] element=[2] change=2)])
# sensitivities 22 (decision=15 condition=0 reason='worked out in Python in a way that has no recorded derivative')
# sensitivities 23 (decision=15 condition=1 margin=-86.336 distance=13.027 inputs=[(name='x' tensor=0 gradient=[-4.5197, 4.7726, 0.84657] step=[-8.8842, 9.3812, 1.6641] element=[1] change=18.09)])
# sensitivities 24 (decision=15 condition=2 reason='worked out in Python in a way that has no recorded derivative')
# sensitivities 25 (decision=15 condition=3 margin=8.626 reason='no input takes part')
# sensitivities 26 (decision=16 condition=0 margin=1.875 distance=0.9375 inputs=[(name='x' tensor=0 gradient=[0, 2, 0] step=[0, -0.9375, 0] element=[1] change=-0.9375)])
# sensitivities 27 (decision=17 condition=0 margin=-0.125 distance=0.125 inputs=[(name='x' tensor=0 gradient=[0, 1, 0] step=[0, 0.125, 0] element=[1] change=0.125)])
# edges [[74, 82, 91], [73, 79, 92], [0, 0, 93], [0, 1, 94]]
# left [27, 44, 46, 48]
# reached {2: 1, 4: 1, 6: 1, 7: 1, 8: 1, 11: 1, 13: 1, 14: 1, 17: 1, 18: 1, 21: 1, 22: 1, 23: 1, 24: 1, 25: 1, 26: 1, 28: 1, 29: 1, 30: 1, 31: 1, 32: 1, 33: 1, 34: 1, 35: 1, 36: 1, 37: 1, 38: 1, 39: 1, 40: 1, 41: 1, 42: 1, 43: 1, 45: 1, 47: 1, 49: 1, 50: 1, 52: 1, 53: 1, 54: 1, 55: 1, 56: 1, 57: 1, 58: 1, 59: 1, 60: 1, 61: 2, 62: 1, 63: 1}
# line 24 [(test='' took='T' values='3.0 > 2 True, 3 == 3 True')] None
# line 26 [(test='' took='F' values='3.0 == 3.5')] None
# line 28 [(test='' took='T' values='3.5 != 3.0')] None
# line 30 [(test='' took='T' values='1.0 in [1.0, 2.0]')] None
# line 32 [(test='' took='T' values='3')] None
# line 34 [(test='' took='T' values='1.5')] None
# line 36 [(test='' took='T' values='4.75 > 1.5')] None
# line 38 [(test='' took='T' values='1.0 < 16.0')] None
# line 41 [(test='' took='T' values='20.0 > 0.75')] None
# line 43 [(test='' took='F' values='2.0 > 2.0 False, False False, False False')] None
# line 45 [(test='' took='F' values='True True, False False, False False')] None
# line 47 [(test='' took='F' values='3.0 > 3.5 False, False False')] None
# line 49 [(test='' took='except TypeError' values='TypeError')] None
# line 54 [(test='' took='T' values='True True, 3.0 > 0.0 True')] None
# line 56 [(test='' took='T' values='0.5 >= 0.5 True, 0.5 != 0.5 False, 2.0 > 0 True')] None
# line 59 [(test='' took='T' values='False False, 12.66 > 99 False, complex == 4 False, 0.374 < 9 True')] None
# line 61 [(test='' took='T F' values='4.0 … 2.0 > 2.125')] None
# decided (decisions=[0] because='every.sum() = 3.0 > 2 True, times = 3 == many = 3 True' took='then' left='else' margin=0)
# decided (decisions=[1] because='every.sum().item() = 3.0 == 3.5' took='else' left='then' margin=-0.5)
# decided (decisions=[2] because='3.5 != every.sum().item() = 3.0' took='then' left='else' margin=0.5)
# decided (decisions=[3] because='every[0].item() = 1.0 in (1.0, 2.0) = [1.0, 2.0]' took='then' left='else' margin=None)
# decided (decisions=[4] because='math.floor(every.sum().item()) = 3' took='then' left='else' margin=3)
# decided (decisions=[5] because='every[0].item() / 2 * 3 = 1.5' took='then' left='else' margin=1.5)
# decided (decisions=[6] because='3 / every[1].item() + every[2].item() *… = 4.75 > 2 - kept[0].item() * 2 = 1.5' took='then' left='else' margin=3.25)
# decided (decisions=[7] because='every[0].item() ** 0.5 + (every[1].item… = 1.0 < 2 ** every[1].item() = 16.0' took='then' left='else' margin=15)
# decided (decisions=[8] because='spread.sum() * x[0] = 20.0 > kept.sum() = 0.75' took='then' left='else' margin=19.25)
# decided (decisions=[9] because='x[1] = 2.0 > limit = 2.0 False, x[1].isnan() = False False, torch.gt(x, other=9).any() = False False' took='else' left='then' margin=0)
# decided (decisions=[10] because='(x > 0).squeeze()[1] = True True, ((x > 1) | (x < -0.5)).all() = False False, ((x > 1) & True).all() = False False' took='else' left='then' margin=None)
# decided (decisions=[11] because='x.tolist()[1] + other.tolist()[0] = 3.0 > 3.5 False, torch.zeros(size=(), dtype=torch.bool).… = False False' took='else' left='then' margin=-0.5)
# decided (decisions=[12] because='TypeError' took='except TypeError' left='' margin=None)
# decided (decisions=[13] because='flags = True True, (x * 0 + other[0]).sum() = 3.0 > other[1] = 0.0 True' took='then' left='else' margin=3)
# decided (decisions=[14] because='x[0] + 1e-09 = 0.5 >= 0.5 True, 0.5 != x[0] = 0.5 False, -x[2].item() + 1 = 2.0 > 0 True' took='then' left='else' margin=0)
# decided (decisions=[15] because='(x > 0).tolist()[2] = False False, (size / x + x / size + size * x + size … = 12.66 > 99 False, size * 2j = complex == 4…' took='then' left='else' margin=8.626)
# decided (decisions=[16, 17] because='every.max() = 4.0 … 2.0 > tests[-1] / 8 = 2.125' took='True, False' left='' margin=-0.125)
# sensitive (one=... line='24' test='if every.sum() > 2' times=1 nearest='x + [-0.1667, -0.1667, -0.1667]' alone='x[0] - 0.5' tried='')
# sensitive (one=... line='26' test='if every.sum().item() == 3.5' times=1 nearest='x + [0.08333, 0.08333, 0.08333]' alone='x[0] + 0.25' tried='')
# sensitive (one=... line='28' test='if 3.5 != every.sum().item()' times=1 nearest='x + [0.08333, 0.08333, 0.08333]' alone='x[0] + 0.25' tried='')
# sensitive (one=... line='30' test='if every[0].item() in (1.0, 2.0)' times=1 nearest='on the edge' alone='' tried='')
# sensitive (one=... line='32' test='if math.floor(every.sum().item())' times=1 nearest='on the edge' alone='' tried='')
# sensitive (one=... line='34' test='if every[0].item() / 2 * 3' times=1 nearest='x + [-0.5, 0, 0]' alone='x[0] - 0.5' tried='')
# sensitive (one=... line='36' test='if 3 / every[1].item() + every[2].item() ** 2 > 2 - kept[0].item() * 2' times=1 nearest='x + [0, 0.01789, 0.3816], kept + [-0.09539, 0]' alone='x[2] + 0.4062, kept[0] - 1.625' tried='')
# sensitive (one=... line='38' test='if every[0].item() ** 0.5 + (every[1].item() - every[1].item()) ** 2 < 2 ** every[1].item()' times=1 nearest='x + [15, 0, 0]' alone='x[0] + 15' tried='')
# sensitive (one=... line='41' test='if (spread.sum() * x[0]) > kept.sum()' times=1 nearest='x + [-0.4747, 0, 0], kept + [0.01187, 0.01187], spread by 0.05308' alone='x[0] - 0.4813, kept[0] + 19.25, spread[0] - 19.25' tried='')
# sensitive (one=... line='43' test='if x[1] > limit' times=1 nearest='on the edge' alone='x[1]' tried='')
# sensitive (one=... line='43' test='x[1].isnan()' times=1 nearest='on the edge' alone='' tried='')
# sensitive (one=... line='43' test='torch.gt(x, other=9).any()' times=1 nearest='x + [0, 7, 0]' alone='x[1] + 7' tried='')
# sensitive (one=... line='45' test='if (x > 0).squeeze()[1]' times=1 nearest='x + [0, -2, 0]' alone='x[1] - 2' tried='')
# sensitive (one=... line='45' test='((x > 1) | (x < -0.5)).all()' times=1 nearest='x + [0.5, 0, 0]' alone='x[0] + 0.5' tried='')
# sensitive (one=... line='45' test='((x > 1) & True).all()' times=1 nearest='on the edge' alone='' tried='')
# sensitive (one=... line='47' test='if x.tolist()[1] + other.tolist()[0] > 3.5' times=1 nearest='x + [0, 0.25, 0], other + [0.25, 0]' alone='x[1] + 0.5, other[0] + 0.5' tried='')
# sensitive (one=... line='47' test='torch.zeros(size=(), dtype=torch.bool).any()' times=1 nearest='on the edge' alone='' tried='')
# sensitive (one=... line='54' test='if flags' times=1 nearest='on the edge' alone='' tried='')
# sensitive (one=... line='54' test='(x * 0 + other[0]).sum() > other[1]' times=1 nearest='x + [0, 0, 0], other + [-0.9, 0.3]' alone='other[0] - 1' tried='')
# sensitive (one=... line='56' test='if x[0] + 1e-9 >= 0.5' times=1 nearest='on the edge' alone='x[0]' tried='')
# sensitive (one=... line='56' test='0.5 != x[0]' times=1 nearest='on the edge' alone='' tried='')
# sensitive (one=... line='56' test='-x[2].item() + 1 > 0' times=1 nearest='x + [0, 0, 2]' alone='x[2] + 2' tried='')
# sensitive (one=... line='59' test='if (x > 0).tolist()[2]' times=1 nearest='on the edge' alone='' tried='')
# sensitive (one=... line='59' test='(size / x + x / size + size * x + size**x).sum() > 99' times=1 nearest='x + [-8.884, 9.381, 1.664]' alone='x[1] + 18.09' tried='')
# sensitive (one=... line='59' test='size * 2j == 4' times=1 nearest='on the edge' alone='' tried='')
# sensitive (one=... line='59' test='layer.weight.sum() < 9' times=1 nearest='on the edge' alone='' tried='')
# sensitive (one=... line='61' test='while every.max() > tests[-1] / 8' times=2 nearest='x + [0, 0.125, 0]' alone='x[1] + 0.125' tried='')
# gradient (name='x' shape='[3]' values='[1, 1, 1]')
# gradient (name='none' shape='[0]' values='[]')
# gradient (name='other' shape='' dtype='' values='' reason='only decided line 54: `flags and (x * 0 + other[0]).sum() > other[1] or spread.tolist()[0] > 2`')
# gradient (name='layer.weight' shape='' dtype='' values='' reason='only decided line 59: `(x > 0).tolist()[2] or (size / x + x / size + size * x + size**x).sum() > 99 or size * 2j == 4 or…')
# gradient (name='layer.bias' shape='' dtype='' values='' reason='unused')
# gradient (name='kept' shape='' dtype='' values='' reason='only decided line 36: `3 / every[1].item() + every[2].item() ** 2 > 2 - kept[0].item() * 2`')
# cost (label='outside any module' first=0 ops=76 nodes=4 saved_bytes=68)
# cost (label='whatever was decided' first=0 ops=67 nodes=3 saved_bytes=56)
# cost (label='while every.max() > tests[-1] / 8 → body' first=70 site=61:10-37 ops=3 nodes=1 saved_bytes=12)
# cost (label='try → except TypeError' first=42 site=49:4-7 ops=6)
# cost (label='getitem' first=6 ops=19)
# cost (label='gt' first=3 ops=12)
# cost (label='sum' first=2 ops=11 nodes=1)
# cost (label='mul' first=1 ops=7 saved_bytes=8)
# cost (label='add' first=44 ops=6 nodes=1)
# cost (label='any' first=28 ops=2)
# cost (label='lt' first=33 ops=2)
# cost (label='all' first=35 ops=2)
# cost (label='div' first=58 ops=2 nodes=1)
# cost (label='max' first=68 ops=2 saved_bytes=24)
# cost (label='cat' first=0 ops=1 nodes=1)
# cost (label='ones' first=16 ops=1)
# cost (label='isnan' first=26 ops=1)
# cost (label='squeeze' first=30 ops=1)
# cost (label='bitwise_or' first=34 ops=1)
# cost (label='bitwise_and' first=37 ops=1)
# cost (label='zeros' first=39 ops=1)
# cost (label='ge' first=50 ops=1)
# cost (label='ne' first=52 ops=1)
# cost (label='reciprocal' first=56 ops=1 saved_bytes=12)
# cost (label='pow' first=62 ops=1 saved_bytes=24)
# held (size_bytes=80 why='value' tensor=25 op=16)
# held (size_bytes=80 why='value' tensor=26 op=17)
# held (size_bytes=12 why='input' tensor=0)
# held (size_bytes=12 why='value' tensor=10 op=1)
# held (size_bytes=8 why='input' tensor=2)
# held (size_bytes=8 why='parameter' tensor=4)
# held (size_bytes=8 why='parameter' tensor=6)
# held (size_bytes=4 why='parameter' tensor=5)
# held (size_bytes=1 why='input' tensor=3)
# memory 36 of [53, 65, 57, 58, 57, 57, 53, 57, 53, 53, 53, 53, 53, 53, 53, 53, 133, 213, 137, 57, 61, 65, 66, 53, 58, 53, 54, 56, 57, 56, 56, 56, 56, 59, 62, 57, 56, 59, 57, 54, 55, 57, 65, 65, 77, 69, 57, 58, 53, 57, 58, 53, 54, 53, 53, 56, 65, 77, 89, 101, 89, 101, 89, 101, 93, 82, 57, 58, 57, 58, 65, 57, 58, 57, 49, 65, 73, 69, 69, 81]
# named ['', 'forward', 'Doubled.forward', 'try → except TypeError', 'while every.max() > tests[-1] / 8 line 61 step 0', 'Doubled.backward']
# graph [' · 76 ops · 18 decisions'] times = 3 all steps of a loop are drawn as one
# box b1 (kind='call' name='forward')
# box b4 (kind='loop' name='while' rest='x 1' parent='b1' site=61:10-37)
# box bn76a0 (kind='arm' name='True' rest='line 25' parent='b1' site=24:7-40)
# box bn77a0 (kind='left' name='True' rest='line 27' parent='b1' site=26:7-32 times=0)
# box bn78a0 (kind='arm' name='True' rest='line 29' parent='b1' site=28:7-32)
# box bn79a0 (kind='arm' name='True' rest='line 31' parent='b1' site=30:7-52)
# box bn80a0 (kind='arm' name='True' rest='line 33' parent='b1' site=32:7-37)
# box bn81a0 (kind='arm' name='True' rest='line 35' parent='b1' site=34:7-30)
# box bn82a0 (kind='arm' name='True' rest='line 37' parent='b1' site=36:7-74)
# box bn83a0 (kind='arm' name='True' rest='line 39' parent='b1' site=38:7-95)
# box bn84a0 (kind='arm' name='True' rest='line 42' parent='b1' site=41:7-41)
# box bn85a0 (kind='left' name='True' rest='line 44' parent='b1' site=43:7-65 times=0)
# box bn86a0 (kind='left' name='True' rest='line 46' parent='b1' site=45:7-86 times=0)
# box bn87a0 (kind='left' name='True' rest='line 48' parent='b1' site=47:7-94 times=0)
# box bn89a0 (kind='arm' name='True' rest='line 55' parent='b1' site=54:7-78)
# box bn90a0 (kind='arm' name='True' rest='line 57' parent='b1' site=56:7-70)
# box bn91a0 (kind='arm' name='True' rest='line 60' parent='b1' site=59:7-127)
# node n93 (kind='input' name='x' lines=['float32 [3] · [0.5, 2, -1]', 'grad [1, 1, 1]'/gradient] tensors=[0])
# node n94 (kind='input' name='none' lines=['float32 [0] · []', 'grad []'/gradient] tensors=[1])
# node n95 (kind='input' name='other' lines=['float32 [2] · [1, 0]', 'no grad: only decided line 54: `flags and (x * 0 + other…'/gradient] tensors=[2])
# node n96 (kind='input' name='flags' lines=['bool [1] · [True]'] tensors=[3])
# node n97 (kind='parameter' name='layer.weight' lines=['float32 [1, 2] · [[-0.005294, 0.3793]]', 'no grad: only decided line 59: `(x > 0).tolist()[2] or (…'/gradient] tensors=[4])
# node n98 (kind='parameter' name='layer.bias' lines=['float32 [1] · [-0.582]', 'no grad: unused'/gradient] tensors=[5])
# node n99 (kind='parameter' name='kept' lines=['float32 [2] · [0.25, 0.5]', 'no grad: only decided line 36: `3 / every[1].item() + ev…'/gradient] tensors=[6])
# node n100 (kind='constant' name='limit' lines=['float32 [] · 2'] tensors=[7])
# node n101 (kind='constant' name='gradient' lines=['float32 [3] · [0.5, 0.5, 0.5]'] tensors=[8])
# node n0 (kind='op' name='cat' lines=['float32 [3] · [0.5, 2, -1]', 'grad [1, 1, 1]'/gradient, 'line 22'/faint] box='b1' site=22:32-52 ops=[0])
# node n1 (kind='fold' name='Doubled.forward' lines=['1 op', 'mul'/faint, 'float32 [3] · [1, 4, -2]'] box='b1' ops=[1])
# node n2 (kind='op' name='sum' lines=['float32 [] · 3', 'line 24'/faint] box='b1' site=24:7-18 ops=[2])
# node n3 (kind='op' name='gt' rest='2' lines=['bool [] · True', 'line 24'/faint] box='b1' site=24:7-22 ops=[3])
# node n76 (kind='decision' name='if' rest='every.sum() > 2 and times == many' lines=['line 24 · 3 > 2 True, 3 == 3 True · margin 0'/plain] box='b1' site=24:7-40 decisions=[0] origin='tensor')
# node n4 (kind='op' name='sum' lines=['float32 [] · 3', 'line 26'/faint] box='b1' site=26:7-18 ops=[4])
# node n77 (kind='decision' name='if' rest='every.sum().item() == 3.5' lines=['line 26 · 3 == 3.5 (scalar) · margin -0.5 → False'/plain] box='b1' site=26:7-32 decisions=[1] origin='scalar')
# node n5 (kind='op' name='sum' lines=['float32 [] · 3', 'line 28'/faint] box='b1' site=28:14-25 ops=[5])
# node n78 (kind='decision' name='if' rest='3.5 != every.sum().item()' lines=['line 28 · 3.5 != 3 (scalar) · margin 0.5'/plain] box='b1' site=28:7-32 decisions=[2] origin='scalar')
# node n6 (kind='op' name='getitem' rest='0' lines=['float32 [] · 1', 'line 30'/faint] box='b1' site=30:7-15 ops=[6])
# node n79 (kind='decision' name='if' rest='every[0].item() in (1.0, 2.0) or x[2] is None' lines=['line 30'/plain, '1 in [1.0, 2.0] (scalar)'/plain] box='b1' site=30:7-52 decisions=[3] origin='scalar')
# node n7 (kind='op' name='sum' lines=['float32 [] · 3', 'line 32'/faint] box='b1' site=32:18-29 ops=[7])
# node n80 (kind='decision' name='if' rest='math.floor(every.sum().item())' lines=['line 32 · 3 (probably scalar) · margin 3'/plain] box='b1' site=32:7-37 decisions=[4] origin='scalar~')
# node n8 (kind='op' name='getitem' rest='0' lines=['float32 [] · 1', 'line 34'/faint] box='b1' site=34:7-15 ops=[8])
# node n81 (kind='decision' name='if' rest='every[0].item() / 2 * 3' lines=['line 34 · 1.5 (probably scalar) · margin 1.5'/plain] box='b1' site=34:7-30 decisions=[5] origin='scalar~')
# node n9 (kind='op' name='getitem' rest='1' lines=['float32 [] · 4', 'line 36'/faint] box='b1' site=36:11-19 ops=[9])
# node n10 (kind='op' name='getitem' rest='2' lines=['float32 [] · -2', 'line 36'/faint] box='b1' site=36:29-37 ops=[10])
# node n11 (kind='op' name='getitem' rest='0' lines=['float32 [] · 0.25', 'line 36'/faint] box='b1' site=36:56-63 ops=[11])
# node n82 (kind='decision' name='if' rest='3 / every[1].item() + every[2].item() ** 2 > 2 - kept[0].item() * 2' lines=['line 36'/plain, '4.75 > 1.5 (probably scalar)'/plain, 'margin 3.25'/plain] box='b1' site=36:7-74 decisions=[6] origin='scalar~')
# node n12 (kind='op' name='getitem' rest='0' lines=['float32 [] · 1', 'line 38'/faint] box='b1' site=38:7-15 ops=[12])
# node n13 (kind='op' name='getitem' rest='1' lines=['float32 [] · 4', 'line 38'/faint] box='b1' site=38:33-41 ops=[13])
# node n14 (kind='op' name='getitem' rest='1' lines=['float32 [] · 4', 'line 38'/faint] box='b1' site=38:51-59 ops=[14])
# node n15 (kind='op' name='getitem' rest='1' lines=['float32 [] · 4', 'line 38'/faint] box='b1' site=38:80-88 ops=[15])
# node n83 (kind='decision' name='if' rest='every[0].item() ** 0.5 + (every[1].item() - every[1].item()) ** 2 < 2 ** every[1].item()' lines=['line 38'/plain, '1 < 16 (probably scalar)'/plain, 'margin 15'/plain] box='b1' site=38:7-95 decisions=[7] origin='scalar~')
# node n16 (kind='op' name='ones' rest='20' lines=['float32 [20] · [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]', 'line 40'/faint] box='b1' site=40:13-47 ops=[16]) (each=[[0, 'float32 [20] · all 1', '']] value='[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]')
# node n17 (kind='op' name='mul' rest='2' lines=['float32 [20] · [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]', 'line 40'/faint] box='b1' site=40:13-51 ops=[17]) (each=[[0, 'float32 [20] · all 2', '']] value='[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]')
# node n18 (kind='op' name='sum' lines=['float32 [] · 40', 'line 41'/faint] box='b1' site=41:8-20 ops=[18])
# node n19 (kind='op' name='getitem' rest='0' lines=['float32 [] · 0.5', 'with x'/parameter, 'line 41'/faint] box='b1' site=41:23-27 ops=[19])
# node n20 (kind='op' name='mul' lines=['float32 [] · 20', 'line 41 · saves 8 B'/faint] box='b1' site=41:8-27 ops=[20])
# node n21 (kind='op' name='sum' lines=['float32 [] · 0.75', 'line 41'/faint] box='b1' site=41:31-41 ops=[21])
# node n22 (kind='op' name='gt' lines=['bool [] · True', 'line 41'/faint] box='b1' site=41:7-41 ops=[22])
# node n84 (kind='decision' name='if' rest='(spread.sum() * x[0]) > kept.sum()' lines=['line 41 · 20 > 0.75 · margin 19.2'/plain] box='b1' site=41:7-41 decisions=[8] origin='tensor')
# node n23 (kind='op' name='getitem' rest='1' lines=['float32 [] · 2', 'with x'/parameter, 'line 43'/faint] box='b1' site=43:7-11 ops=[23])
# node n24 (kind='op' name='gt' lines=['bool [] · False', 'line 43'/faint] box='b1' site=43:7-19 ops=[24])
# node n25 (kind='op' name='getitem' rest='1' lines=['float32 [] · 2', 'with x'/parameter, 'line 43'/faint] box='b1' site=43:23-27 ops=[25])
# node n26 (kind='op' name='isnan' lines=['bool [] · False', 'line 43'/faint] box='b1' site=43:23-35 ops=[26])
# node n27 (kind='op' name='gt' rest='9' lines=['bool [3] · [False, False, False]', 'with x'/parameter, 'line 43'/faint] box='b1' site=43:39-59 ops=[27])
# node n28 (kind='op' name='any' lines=['bool [] · False', 'line 43'/faint] box='b1' site=43:39-65 ops=[28])
# node n85 (kind='decision' name='if' rest='x[1] > limit or x[1].isnan() or torch.gt(x, other=9).any()' lines=['line 43 → False'/plain, '2 > 2 False, False False, False False'/plain, 'margin 0'/plain] box='b1' site=43:7-65 decisions=[9] origin='tensor')
# node n29 (kind='op' name='gt' rest='0' lines=['bool [3] · [True, True, False]', 'with x'/parameter, 'line 45'/faint] box='b1' site=45:8-13 ops=[29])
# node n30 (kind='op' name='squeeze' lines=['bool [3] · [True, True, False]', 'line 45'/faint] box='b1' site=45:7-24 ops=[30])
# node n31 (kind='op' name='getitem' rest='1' lines=['bool [] · True', 'line 45'/faint] box='b1' site=45:7-27 ops=[31])
# node n32 (kind='op' name='gt' rest='1' lines=['bool [3] · [False, True, False]', 'with x'/parameter, 'line 45'/faint] box='b1' site=45:34-39 ops=[32])
# node n33 (kind='op' name='lt' rest='-0.5' lines=['bool [3] · [False, False, True]', 'with x'/parameter, 'line 45'/faint] box='b1' site=45:44-52 ops=[33])
# node n34 (kind='op' name='bitwise_or' lines=['bool [3] · [False, True, True]', 'line 45'/faint] box='b1' site=45:33-53 ops=[34])
# node n35 (kind='op' name='all' lines=['bool [] · False', 'line 45'/faint] box='b1' site=45:32-60 ops=[35])
# node n36 (kind='op' name='gt' rest='1' lines=['bool [3] · [False, True, False]', 'with x'/parameter, 'line 45'/faint] box='b1' site=45:66-71 ops=[36])
# node n37 (kind='op' name='bitwise_and' rest='True' lines=['bool [3] · [False, True, False]', 'line 45'/faint] box='b1' site=45:65-79 ops=[37])
# node n38 (kind='op' name='all' lines=['bool [] · False', 'line 45'/faint] box='b1' site=45:64-86 ops=[38])
# node n86 (kind='decision' name='if' rest='(x > 0).squeeze()[1] and ((x > 1) | (x < -0.5)).all() or ((x > 1) & True).all()' lines=['line 45 → False'/plain, 'True True, False False, False False'/plain] box='b1' site=45:7-86 decisions=[10] origin='tensor')
# node n39 (kind='op' name='zeros' rest='size=()' lines=['bool [] · False', 'line 47'/faint] box='b1' site=47:50-88 ops=[39])
# node n40 (kind='op' name='any' lines=['bool [] · False', 'line 47'/faint] box='b1' site=47:50-94 ops=[40])
# node n87 (kind='decision' name='if' rest='x.tolist()[1] + other.tolist()[0] > 3.5 or torch.zeros(size=(), dtype=torch.bool).any()' lines=['line 47 → False'/plain, '3 > 3.5 False, False False'/plain, 'margin -0.5'/plain] box='b1' site=47:7-94 decisions=[11] origin='tensor')
# node n41 (kind='op' name='sum' lines=['float32 [] · 3', 'line 50'/faint] box='b1' site=50:11-22 ops=[41])
# node n88 (kind='decision' name='try' lines=['line 49 · TypeError (python)'/plain] box='b1' site=49:4-7 decisions=[12] origin='python')
# node n42 (kind='op' name='mul' rest='0' lines=['float32 [3] · [0, 0, -0]', 'with x'/parameter, 'line 54'/faint] box='b1' site=54:18-23 ops=[42])
# node n43 (kind='op' name='getitem' rest='0' lines=['float32 [] · 1', 'line 54'/faint] box='b1' site=54:26-34 ops=[43])
# node n44 (kind='op' name='add' lines=['float32 [3] · [1, 1, 1]', 'line 54'/faint] box='b1' site=54:18-34 ops=[44])
# node n45 (kind='op' name='sum' lines=['float32 [] · 3', 'line 54'/faint] box='b1' site=54:17-41 ops=[45])
# node n46 (kind='op' name='getitem' rest='1' lines=['float32 [] · 0', 'line 54'/faint] box='b1' site=54:44-52 ops=[46])
# node n47 (kind='op' name='gt' lines=['bool [] · True', 'line 54'/faint] box='b1' site=54:17-52 ops=[47])
# node n89 (kind='decision' name='if' rest='flags and (x * 0 + other[0]).sum() > other[1] or spread.tolist()[0] > 2' lines=['line 54 · True True, 3 > 0 True · margin 3'/plain] box='b1' site=54:7-78 decisions=[13] origin='tensor')
# node n48 (kind='op' name='getitem' rest='0' lines=['float32 [] · 0.5', 'with x'/parameter, 'line 56'/faint] box='b1' site=56:7-11 ops=[48])
# node n49 (kind='op' name='add' rest='1e-09' lines=['float32 [] · 0.5', 'line 56'/faint] box='b1' site=56:7-18 ops=[49])
# node n50 (kind='op' name='ge' rest='0.5' lines=['bool [] · True', 'line 56'/faint] box='b1' site=56:7-25 ops=[50])
# node n51 (kind='op' name='getitem' rest='0' lines=['float32 [] · 0.5', 'with x'/parameter, 'line 56'/faint] box='b1' site=56:41-45 ops=[51])
# node n52 (kind='op' name='ne' rest='0.5' lines=['bool [] · False', 'line 56'/faint] box='b1' site=56:34-45 ops=[52])
# node n53 (kind='op' name='getitem' rest='2' lines=['float32 [] · -1', 'with x'/parameter, 'line 56'/faint] box='b1' site=56:51-55 ops=[53])
# node n90 (kind='decision' name='if' rest='x[0] + 1e-9 >= 0.5 and not 0.5 != x[0] and -x[2].item() + 1 > 0' lines=['line 56'/plain, '0.5 >= 0.5 True, 0.5 != 0.5 False, 2 > 0 True'/plain, 'margin 0'/plain] box='b1' site=56:7-70 decisions=[14] origin='tensor')
# node n54 (kind='op' name='getitem' rest='1' lines=['float32 [] · 2', 'with x'/parameter, 'line 58'/faint] box='b1' site=58:11-15 ops=[54])
# node n55 (kind='op' name='gt' rest='0' lines=['bool [3] · [True, True, False]', 'with x'/parameter, 'line 59'/faint] box='b1' site=59:8-13 ops=[55])
# node n56 (kind='op' name='reciprocal' lines=['float32 [3] · [2, 0.5, -1]', 'with x'/parameter, 'line 59 · saves 12 B'/faint] box='b1' site=59:31-39 ops=[56])
# node n57 (kind='op' name='mul' rest='2' lines=['float32 [3] · [4, 1, -2]', 'line 59'/faint] box='b1' site=59:31-39 ops=[57])
# node n58 (kind='op' name='div' rest='2' lines=['float32 [3] · [0.25, 1, -0.5]', 'with x'/parameter, 'line 59'/faint] box='b1' site=59:42-50 ops=[58])
# node n59 (kind='op' name='add' lines=['float32 [3] · [4.25, 2, -2.5]', 'line 59'/faint] box='b1' site=59:31-50 ops=[59])
# node n60 (kind='op' name='mul' rest='2' lines=['float32 [3] · [1, 4, -2]', 'with x'/parameter, 'line 59'/faint] box='b1' site=59:53-61 ops=[60])
# node n61 (kind='op' name='add' lines=['float32 [3] · [5.25, 6, -4.5]', 'line 59'/faint] box='b1' site=59:31-61 ops=[61])
# node n62 (kind='op' name='pow' rest='2' lines=['float32 [3] · [1.414, 4, 0.5]', 'with x'/parameter, 'line 59 · saves 24 B'/faint] box='b1' site=59:64-71 ops=[62])
# node n63 (kind='op' name='add' lines=['float32 [3] · [6.664, 10, -4]', 'line 59'/faint] box='b1' site=59:31-71 ops=[63])
# node n64 (kind='op' name='sum' lines=['float32 [] · 12.66', 'line 59'/faint] box='b1' site=59:30-78 ops=[64])
# node n65 (kind='op' name='gt' rest='99' lines=['bool [] · False', 'line 59'/faint] box='b1' site=59:30-83 ops=[65])
# node n66 (kind='op' name='sum' lines=['float32 [] · 0.374', 'line 59'/faint] box='b1' site=59:105-123 ops=[66])
# node n67 (kind='op' name='lt' rest='9' lines=['bool [] · True', 'line 59'/faint] box='b1' site=59:105-127 ops=[67])
# node n91 (kind='decision' name='if' rest='(x > 0).tolist()[2] or (size / x + x / size + size * x + size**x).sum() > 99 or size * 2j…' lines=['line 59'/plain, 'False False, 12.66 > 99 False, complex == 4 False, 0.374 < 9 True'/plain, 'margin 8.63'/plain] box='b1' site=59:7-127 decisions=[15] origin='tensor')
# node n68 (kind='op' name='max' lines=['float32 [] · 4', 'line 61 · saves 12 B'/faint] box='b1' site=61:10-21 ops=[68])
# node n69 (kind='op' name='gt' rest='2.125' lines=['bool [] · True', 'line 61'/faint] box='b1' site=61:10-37 ops=[69])
# node n92 (kind='decision' name='while' rest='every.max() > tests[-1] / 8' lines=['line 61 · True, False'/plain, '4 … 2 > 2.125'/plain, 'margin -0.125'/plain] box='b4' site=61:10-37 decisions=[16, 17] origin='tensor')
# node n70 (kind='op' name='div' rest='2' lines=['float32 [3] · [0.5, 2, -1]', 'grad [1, 1, 1]'/gradient, 'line 62'/faint] box='b4' site=62:16-25 ops=[70])
# node n71 (kind='op' name='max' lines=['float32 [] · 2', 'line 61 · saves 12 B'/faint] box='b4' site=61:10-21 ops=[71])
# node n72 (kind='op' name='gt' rest='2.125' lines=['bool [] · False', 'line 61'/faint] box='b4' site=61:10-37 ops=[72])
# node n73 (kind='op' name='sum' lines=['float32 [] · 1.5', 'grad 1'/gradient, 'line 63'/faint] box='b1' site=63:11-22 ops=[73])
# node n74 (kind='op' name='add' rest='12 → output' lines=['float32 [] · 13.5', 'grad 1'/gradient, 'line 63'/faint] box='b1' site=63:11-35 ops=[74])
# node n75 (kind='fold' name='Doubled.backward' lines=['1 op', 'mul'/faint, 'float32 [3] · [1, 1, 1]'] ops=[75])
# node n76a0 (kind='done' name='' lines=['tests.append(1)'/source] box='bn76a0' site=24:7-40 span=[25, 25])
# node n77a0 (kind='ghost' name='' lines=['tests.append(2)'/source] box='bn77a0' site=26:7-32 span=[27, 27])
# node n78a0 (kind='done' name='' lines=['tests.append(3)'/source] box='bn78a0' site=28:7-32 span=[29, 29])
# node n79a0 (kind='done' name='' lines=['tests.append(4)'/source] box='bn79a0' site=30:7-52 span=[31, 31])
# node n80a0 (kind='done' name='' lines=['tests.append(5)'/source] box='bn80a0' site=32:7-37 span=[33, 33])
# node n81a0 (kind='done' name='' lines=['tests.append(6)'/source] box='bn81a0' site=34:7-30 span=[35, 35])
# node n82a0 (kind='done' name='' lines=['tests.append(7)'/source] box='bn82a0' site=36:7-74 span=[37, 37])
# node n83a0 (kind='done' name='' lines=['tests.append(8)'/source] box='bn83a0' site=38:7-95 span=[39, 39])
# node n84a0 (kind='done' name='' lines=['tests.append(9)'/source] box='bn84a0' site=41:7-41 span=[42, 42])
# node n85a0 (kind='ghost' name='' lines=['tests.append(10)'/source] box='bn85a0' site=43:7-65 span=[44, 44])
# node n86a0 (kind='ghost' name='' lines=['tests.append(11)'/source] box='bn86a0' site=45:7-86 span=[46, 46])
# node n87a0 (kind='ghost' name='' lines=['tests.append(12)'/source] box='bn87a0' site=47:7-94 span=[48, 48])
# node n89a0 (kind='done' name='' lines=['tests.append(15)'/source] box='bn89a0' site=54:7-78 span=[55, 55])
# node n90a0 (kind='done' name='' lines=['tests.append(16)'/source] box='bn90a0' site=56:7-70 span=[57, 57])
# node n91a0 (kind='done' name='' lines=['tests.append(17)'/source] box='bn91a0' site=59:7-127 span=[60, 60])
# node out0 (kind='output' name='output' lines=['float32 [] · 13.5', 'backward · seed 1'/gradient] tensors=[83])
# edge n93 n0 data  [1, 1, 1] both
# edge n94 n0 data  [] both
# edge n0 n1 data   both
# edge n1 n2 data   both
# edge n2 n3 data   both
# edge n1 n4 data   both
# edge n1 n5 data   both
# edge n1 n6 data   both
# edge n1 n7 data   both
# edge n1 n8 data   both
# edge n1 n9 data   both
# edge n1 n10 data   both
# edge n99 n11 data   both
# edge n1 n12 data   both
# edge n1 n13 data   both
# edge n1 n14 data   both
# edge n1 n15 data   both
# edge n16 n17 data   both
# edge n17 n18 data   both
# edge n18 n20 data   both
# edge n19 n20 data   both
# edge n99 n21 data   both
# edge n20 n22 data   both
# edge n21 n22 data   both
# edge n23 n24 data   both
# edge n100 n24 data   both
# edge n25 n26 data   both
# edge n27 n28 data   both
# edge n29 n30 data   both
# edge n30 n31 data   both
# edge n32 n34 data   both
# edge n33 n34 data   both
# edge n34 n35 data   both
# edge n36 n37 data   both
# edge n37 n38 data   both
# edge n39 n40 data   both
# edge n1 n41 data   both
# edge n95 n43 data   both
# edge n42 n44 data   both
# edge n43 n44 data   both
# edge n44 n45 data   both
# edge n95 n46 data   both
# edge n45 n47 data   both
# edge n46 n47 data   both
# edge n48 n49 data   both
# edge n49 n50 data   both
# edge n51 n52 data   both
# edge n56 n57 data   both
# edge n57 n59 data   both
# edge n58 n59 data   both
# edge n59 n61 data   both
# edge n60 n61 data   both
# edge n61 n63 data   both
# edge n62 n63 data   both
# edge n63 n64 data   both
# edge n64 n65 data   both
# edge n97 n66 data   both
# edge n66 n67 data   both
# edge n1 n68 data   both
# edge n68 n69 data   both
# edge n1 n70 data   both
# edge n70 n71 data   both
# edge n71 n72 data   both
# edge n70 n73 data  [1, 1, 1] both
# edge n73 n74 data  1 both
# edge n101 n75 data   both
# edge n3 n76 predicate   both
# edge n4 n77 predicate   both
# edge n5 n78 predicate   both
# edge n6 n79 predicate   both
# edge n7 n80 predicate   both
# edge n8 n81 predicate   both
# edge n9 n82 predicate   both
# edge n10 n82 predicate   both
# edge n11 n82 predicate   both
# edge n12 n83 predicate   both
# edge n13 n83 predicate   both
# edge n14 n83 predicate   both
# edge n15 n83 predicate   both
# edge n22 n84 predicate   both
# edge n24 n85 predicate   both
# edge n26 n85 predicate   both
# edge n28 n85 predicate   both
# edge n31 n86 predicate   both
# edge n35 n86 predicate   both
# edge n38 n86 predicate   both
# edge n40 n87 predicate   both
# edge n47 n89 predicate   both
# edge n50 n90 predicate   both
# edge n52 n90 predicate   both
# edge n53 n90 predicate   both
# edge n54 n91 predicate   both
# edge n55 n91 predicate   both
# edge n65 n91 predicate   both
# edge n67 n91 predicate   both
# edge n69 n92 predicate   both
# edge n72 n92 asked again   both
# edge n76 n76a0 taken True  both
# edge n77 n77a0 left True  both
# edge n78 n78a0 taken True  both
# edge n79 n79a0 taken True  both
# edge n80 n80a0 taken True  both
# edge n81 n81a0 taken True  both
# edge n82 n82a0 taken True  both
# edge n83 n83a0 taken True  both
# edge n84 n84a0 taken True  both
# edge n85 n85a0 left True  both
# edge n86 n86a0 left True  both
# edge n87 n87a0 left True  both
# edge n88 n42 taken except TypeError  both
# edge n89 n89a0 taken True  both
# edge n90 n90a0 taken True  both
# edge n91 n91a0 taken True  both
# edge n92 n70 taken True  both
# edge n74 out0 data   both
