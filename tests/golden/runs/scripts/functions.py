# run: {"inputs": ["[0.5, -2]", "3"], "edges": true, "sensitivity": true}
# other: {"inputs": ["[0.5, 2]", "3"], "edges": true}
import dyncore as torch
from dyncore import nn
from dyncore.autograd.function import once_differentiable


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = x * x
        ctx.save_for_backward(x, result)
        return result

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient):
        x, result = ctx.saved_tensors
        return gradient * 2 * x if result.sum() < 99 else None


class Cut(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.mark_non_differentiable(flags := x > 0)
        return x + w, flags

    @staticmethod
    def backward(ctx, gradient, of_flags):
        return gradient, None


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.all = nn.ModuleList(nn.Linear(2, 2) for _ in range(3))
        self.spare = nn.Parameter(torch.ones(2))
        self.seen = []
        for number, expert in enumerate(self.all):
            expert.weight.data = torch.full((2, 2), number / 2.0 - 0.25)
            expert.bias.data.fill_(0.5)
            expert.register_forward_hook(self.note)
        self.register_forward_pre_hook(lambda module, given: (given[0] * 1, given[1]))

    def note(self, module, given, result):
        self.seen.append(result.max().item())
        return result.clamp(max=8.0) if self.seen[-1] > 8 else None

    def forward(self, x, best):
        return self.all[best](x) if best < len(self.all) else x * self.spare


experts = Experts()
bias = torch.zeros(2, requires_grad=True)
rounded = torch.tensor([1.4], requires_grad=True)
guide = torch.tensor([2.0, 3.0], requires_grad=True)
fixed = torch.tensor([1.0, 2.0])
column = torch.tensor([[1.0], [2.0]])


def forward(x, times: int):
    y, flags = Cut.apply(Square.apply(x), bias)
    best = guide.argmax().item()
    y = experts(y, best) + fixed
    scale = int(rounded.round())
    for _ in range(times):
        if flags.all() and (y.sum() > 3 or y[0].item() * 2 < 1 and not y.isnan().any()):
            y = y * scale
        elif 0 < y.min() <= 4:
            y = y + column.squeeze(1).detach() * guide.detach()
    y.register_hook(lambda g: g.clamp(max=0.5))
    return y.norm(), (experts.seen, y.argmax(), torch.stack([y, y]).unbind())

# ----
# ok forced=() unrecorded=() None
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='Experts.__init__')
# scopes 2 (parent=0 kind='call' name='forward')
# scopes 3 (parent=2 kind='call' name='Square.forward')
# scopes 4 (parent=2 kind='call' name='Cut.forward')
# scopes 5 (parent=2 kind='module' name='experts')
# scopes 6 (parent=5 kind='call' name='Experts.__init__.<locals>.<lambda>')
# scopes 7 (parent=5 kind='call' name='Experts.forward')
# scopes 8 (parent=7 kind='arm' name='then' site=50:36-56 decision=0)
# scopes 9 (parent=8 kind='module' name='all.1')
# scopes 10 (parent=9 kind='call' name='Experts.note')
# scopes 11 (parent=2 kind='iteration' name='for _ in range(times)' site=66:4-25 index=0 decision=2)
# scopes 12 (parent=11 kind='arm' name='then' site=67:11-87 decision=3)
# scopes 13 (parent=2 kind='iteration' name='for _ in range(times)' site=66:4-25 index=1 decision=2)
# scopes 14 (parent=13 kind='arm' name='then' site=67:11-87 decision=4)
# scopes 15 (parent=2 kind='iteration' name='for _ in range(times)' site=66:4-25 index=2 decision=2)
# scopes 16 (parent=15 kind='arm' name='then' site=67:11-87 decision=5)
# scopes 17 (parent=0 kind='call' name='forward.<locals>.<lambda>')
# scopes 18 (parent=0 kind='call' name='Square.backward')
# scopes 19 (parent=18 kind='arm' name='then' site=19:35-52 decision=6)
# calls 0 (line=10 times=1 returned=1)
# calls 1 (line=17 times=1 returned=1)
# calls 2 (line=24 times=1 returned=1)
# calls 3 (line=29 times=1 returned=1)
# calls 4 (line=43 times=1 returned=1)
# calls 5 (line=45 times=1 returned=1)
# calls 6 (line=49 times=1 returned=1)
# calls 7 (line=61 times=1 returned=1)
# calls 8 (line=71 times=1 returned=1)
# calls 9 (line=34 times=0 returned=0)
# tensors 0 (shape=[2] role='input' name='x' requires_grad=True values=[0.5, -2])
# tensors 1 (shape=[2] role='parameter' name='experts.spare' requires_grad=True values=[1, 1])
# tensors 2 (shape=[2, 2] role='parameter' name='experts.all.0.weight' requires_grad=True values=[-0.25, -0.25, -0.25, -0.25])
# tensors 3 (shape=[2] role='parameter' name='experts.all.0.bias' requires_grad=True values=[0.5, 0.5])
# tensors 4 (shape=[2, 2] role='parameter' name='experts.all.1.weight' requires_grad=True values=[0.25, 0.25, 0.25, 0.25])
# tensors 5 (shape=[2] role='parameter' name='experts.all.1.bias' requires_grad=True values=[0.5, 0.5])
# tensors 6 (shape=[2, 2] role='parameter' name='experts.all.2.weight' requires_grad=True values=[0.75, 0.75, 0.75, 0.75])
# tensors 7 (shape=[2] role='parameter' name='experts.all.2.bias' requires_grad=True values=[0.5, 0.5])
# tensors 8 (shape=[2] role='parameter' name='bias' requires_grad=True values=[0, 0])
# tensors 9 (shape=[2] role='parameter' name='guide' requires_grad=True values=[2, 3])
# tensors 10 (shape=[2] role='constant' name='fixed' values=[1, 2])
# tensors 11 (shape=[1] role='parameter' name='rounded' requires_grad=True values=[1.4])
# tensors 12 (shape=[2] role='constant' name='gradient' values=[2.5839, 2.8118])
# tensors 13 (shape=[2] role='constant' name='gradient' requires_grad=True values=[0.25, 4])
# tensors 14 (shape=[2] role='constant' name='gradient' values=[0.25, 0.25])
# tensors 15 (shape=[2] requires_grad=True values=[0.25, 4] op=0)
# tensors 16 (shape=[2] dtype='bool' values=[True, True] op=1)
# tensors 17 (shape=[2] values=[0.25, 4] op=2)
# tensors 18 (shape=[] dtype='int64' values=[1] op=3)
# tensors 19 (shape=[2] requires_grad=True values=[0.25, 4] op=4)
# tensors 20 (shape=[2] requires_grad=True values=[1.5625, 1.5625] op=5)
# tensors 21 (shape=[] requires_grad=True values=[1.5625] op=6)
# tensors 22 (shape=[2] requires_grad=True values=[2.5625, 3.5625] op=7)
# tensors 23 (shape=[1] requires_grad=True values=[1] op=8)
# tensors 24 (shape=[] dtype='bool' values=[True] op=9)
# tensors 25 (shape=[] requires_grad=True values=[6.125] op=10)
# tensors 26 (shape=[] dtype='bool' values=[True] op=11)
# tensors 27 (shape=[2] requires_grad=True values=[2.5625, 3.5625] op=12)
# tensors 28 (shape=[] dtype='bool' values=[True] op=13)
# tensors 29 (shape=[] requires_grad=True values=[6.125] op=14)
# tensors 30 (shape=[] dtype='bool' values=[True] op=15)
# tensors 31 (shape=[2] requires_grad=True values=[2.5625, 3.5625] op=16)
# tensors 32 (shape=[] dtype='bool' values=[True] op=17)
# tensors 33 (shape=[] requires_grad=True values=[6.125] op=18)
# tensors 34 (shape=[] dtype='bool' values=[True] op=19)
# tensors 35 (shape=[2] requires_grad=True values=[2.5625, 3.5625] op=20)
# tensors 36 (shape=[] name='output.0' requires_grad=True values=[4.3884] op=21)
# tensors 37 (shape=[] dtype='int64' name='output.1.1' values=[1] op=22)
# tensors 38 (shape=[2, 2] requires_grad=True values=[2.5625, 3.5625, 2.5625, 3.5625] op=23)
# tensors 39 (shape=[2] name='output.1.2.0' requires_grad=True values=[2.5625, 3.5625] op=24 shares=38)
# tensors 40 (shape=[2] name='output.1.2.1' requires_grad=True values=[2.5625, 3.5625] op=24 shares=38)
# tensors 41 (shape=[2] values=[0.5, 0.5] op=25)
# tensors 42 (shape=[] values=[4.25] op=26)
# tensors 43 (shape=[] dtype='bool' values=[True] op=27)
# tensors 44 (shape=[2] values=[0.5, 0.5] op=28)
# tensors 45 (shape=[2] values=[0.25, -1] op=29)
# tensors 46 (shape=[2] role='gradient' name='x.grad' values=[0.25, -1])
# tensors 47 (shape=[2, 2] role='gradient' name='experts.all.1.weight.grad' values=[0.125, 2, 0.125, 2])
# tensors 48 (shape=[2] role='gradient' name='experts.all.1.bias.grad' values=[0.5, 0.5])
# tensors 49 (shape=[2, 2] role='gradient' values=[1, 1, 1, 1])
# tensors 50 (shape=[] role='gradient' values=[1])
# tensors 51 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 52 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 53 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 54 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 55 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 56 (shape=[2] role='gradient' values=[0.25, 0.25])
# tensors 57 (shape=[2] role='gradient' values=[0.25, 0.25])
# tensors 58 (shape=[2] role='gradient' values=[1, 1])
# tensors 59 (shape=[2] role='gradient' values=[1, 1])
# tensors 60 (shape=[2, 2] role='gradient' values=[1, 1, 1, 1])
# tensors 61 (shape=[2] role='gradient' values=[2, 2])
# tensors 62 (shape=[2] role='gradient' values=[0.58393, 0.8118])
# tensors 63 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 64 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 65 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 66 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 67 (shape=[2] role='gradient' values=[0.25, 0.25])
# tensors 68 (shape=[2, 2] role='gradient' values=[0.125, 2, 0.125, 2])
# tensors 69 (shape=[2] role='gradient' values=[0.5, 0.5])
# tensors 70 (shape=[2] role='gradient' values=[0.25, -1])
# ops 0 (name='mul' inputs=[0, 0] outputs=[15] site=11:17-22 scope=3 saved_bytes=16 grad_fn='SquareBackward' saved=[0, 15])
# ops 1 (name='gt' inputs=[15] outputs=[16] site=25:45-50 args='0' scope=4)
# ops 2 (name='add' inputs=[15, 8] outputs=[17] site=26:15-20 scope=4)
# ops 3 (name='argmax' inputs=[9] outputs=[18] site=63:11-25 scope=2)
# ops 4 (name='mul' inputs=[17] outputs=[19] site=43:62-74 args='1' scope=6 grad_fn='MulBackward0')
# ops 5 (name='linear' inputs=[19, 4, 5] outputs=[20] site=50:15-32 scope=9 under=0 saved_bytes=24 grad_fn='LinearBackward0' saved=[4, 19])
# ops 6 (name='max' inputs=[20] outputs=[21] site=46:25-37 scope=10 under=0 saved_bytes=8 grad_fn='MaxBackward0' saved=[20])
# ops 7 (name='add' inputs=[20, 10] outputs=[22] site=64:8-32 scope=2 grad_fn='AddBackward0')
# ops 8 (name='round' inputs=[11] outputs=[23] site=65:16-31 scope=2 grad_fn='RoundBackward0')
# ops 9 (name='all' inputs=[16] outputs=[24] site=67:11-22 scope=11 under=2)
# ops 10 (name='sum' inputs=[22] outputs=[25] site=67:28-35 scope=11 under=2 grad_fn='SumBackward0')
# ops 11 (name='gt' inputs=[25] outputs=[26] site=67:28-39 args='3' scope=11 under=2)
# ops 12 (name='mul' inputs=[22] outputs=[27] site=68:16-25 args='1' scope=12 under=3 grad_fn='MulBackward0')
# ops 13 (name='all' inputs=[16] outputs=[28] site=67:11-22 scope=13 under=2)
# ops 14 (name='sum' inputs=[27] outputs=[29] site=67:28-35 scope=13 under=2 grad_fn='SumBackward0')
# ops 15 (name='gt' inputs=[29] outputs=[30] site=67:28-39 args='3' scope=13 under=2)
# ops 16 (name='mul' inputs=[27] outputs=[31] site=68:16-25 args='1' scope=14 under=4 grad_fn='MulBackward0')
# ops 17 (name='all' inputs=[16] outputs=[32] site=67:11-22 scope=15 under=2)
# ops 18 (name='sum' inputs=[31] outputs=[33] site=67:28-35 scope=15 under=2 grad_fn='SumBackward0')
# ops 19 (name='gt' inputs=[33] outputs=[34] site=67:28-39 args='3' scope=15 under=2)
# ops 20 (name='mul' inputs=[31] outputs=[35] site=68:16-25 args='1' scope=16 under=5 grad_fn='MulBackward0')
# ops 21 (name='norm' inputs=[35] outputs=[36] site=72:11-19 scope=2 saved_bytes=8 grad_fn='NormBackward0' saved=[35])
# ops 22 (name='argmax' inputs=[35] outputs=[37] site=72:36-46 scope=2)
# ops 23 (name='stack' inputs=[35, 35] outputs=[38] site=72:48-67 scope=2 grad_fn='StackBackward0')
# ops 24 (name='unbind' inputs=[38] outputs=[39, 40] site=72:48-76 scope=2 grad_fn='UnbindBackward0')
# ops 25 (name='clamp' inputs=[12] outputs=[41] site=71:30-46 args='max=0.5' scope=17 phase='backward')
# ops 26 (name='sum' inputs=[13] outputs=[42] site=19:35-47 scope=18 phase='backward')
# ops 27 (name='lt' inputs=[42] outputs=[43] site=19:35-52 args='99' scope=18 phase='backward')
# ops 28 (name='mul' inputs=[14] outputs=[44] site=19:15-27 args='2' scope=19 under=6 phase='backward')
# ops 29 (name='mul' inputs=[44, 0] outputs=[45] site=19:15-31 scope=19 under=6 phase='backward')
# loading 0 (site=36:49-66 arm='loop' outcome=3 trips=3 exit='exhausted' call_path=['Experts.__init__'] phase='load' scope=1 until=1)
# loading 1 (site=39:8-49 arm='loop' outcome=3 trips=3 exit='exhausted' call_path=['Experts.__init__'] phase='load' scope=1 until=2)
# decisions 0 (site=50:36-56 arm='then' outcome=True origin='scalar~' call_path=['forward', 'Experts.forward'] conditions=[(text='best < len(self.all)' op='<' lhs=1 rhs=3 value=None outcome=True margin=2 origin='scalar~' predicate_op=3)] margin=2 predicate_op=3 scope=7)
# decisions 1 (site=47:40-57 arm='else' outcome=False origin='scalar' call_path=['forward', 'Experts.forward', 'Experts.note'] under=0 conditions=[(text='self.seen[-1] > 8' op='>' lhs=1.5625 rhs=8 value=None outcome=False margin=-6.4375 origin='scalar' predicate_op=6)] margin=-6.4375 predicate_op=6 scope=10)
# decisions 2 (site=66:4-25 arm='loop' outcome=3 trips=3 exit='exhausted' call_path=['forward'] scope=2 until=6)
# decisions 3 (site=67:11-87 arm='then' outcome=True origin='tensor' iterations=[[66, 0]] call_path=['forward'] under=2 conditions=[(text='flags.all()' op=None lhs=None rhs=None value=True outcome=True origin='tensor' predicate_op=9), (text='y.sum() > 3' op='>' lhs=6.125 rhs=3 value=None outcome=True margin=3.125 origin='tensor' predicate_op=11)] margin=3.125 predicate_op=9 scope=11)
# decisions 4 (site=67:11-87 arm='then' outcome=True origin='tensor' iterations=[[66, 1]] call_path=['forward'] under=2 conditions=[(text='flags.all()' op=None lhs=None rhs=None value=True outcome=True origin='tensor' predicate_op=13), (text='y.sum() > 3' op='>' lhs=6.125 rhs=3 value=None outcome=True margin=3.125 origin='tensor' predicate_op=15)] margin=3.125 predicate_op=13 scope=13)
# decisions 5 (site=67:11-87 arm='then' outcome=True origin='tensor' iterations=[[66, 2]] call_path=['forward'] under=2 conditions=[(text='flags.all()' op=None lhs=None rhs=None value=True outcome=True origin='tensor' predicate_op=17), (text='y.sum() > 3' op='>' lhs=6.125 rhs=3 value=None outcome=True margin=3.125 origin='tensor' predicate_op=19)] margin=3.125 predicate_op=17 scope=15)
# decisions 6 (site=19:35-52 arm='then' outcome=True origin='tensor' call_path=['Square.backward'] conditions=[(text='result.sum() < 99' op='<' lhs=4.25 rhs=99 value=None outcome=True margin=94.75 origin='tensor' predicate_op=27)] margin=94.75 predicate_op=27 phase='backward' scope=18)
# choices 0 (op=1 kind='mask' of=2 counts=[0, 2] margin=0.25 uses=[9, 13, 17])
# choices 1 (op=3 kind='index' of=2 counts=[0, 1] picked=[1] margin=1 left=63:11-32)
# inputs 0 (name='x' tensor=0)
# inputs 1 (name='times' value=3)
# outputs 0 (name='output.0' tensor=36)
# outputs 1 (name='output.1.0' value=[1.5625])
# outputs 2 (name='output.1.1' tensor=37)
# outputs 3 (name='output.1.2.0' tensor=39)
# outputs 4 (name='output.1.2.1' tensor=40)
# backwards 0 (site=None root=36 seed='1' gradients=[(name='x' tensor=0 role='input' value=46), (name='experts.spare' tensor=1 role='parameter' reason='unused'), (name='experts.all.0.weight' tensor=2 role='parameter' reason='not chosen at line 50: `self.all[best]`'), (name='experts.all.0.bias' tensor=3 role='parameter' reason='not chosen at line 50: `self.all[best]`'), (name='experts.all.1.weight' tensor=4 role='parameter' value=47), (name='experts.all.1.bias' tensor=5 role='parameter' value=48), (name='experts.all.2.weight' tensor=6 role='parameter' reason='not chosen at line 50: `self.all[best]`'), (name='experts.all.2.bias' tensor=7 role='parameter' reason='not chosen at line 50: `self.all[best]`'), (name='bias' tensor=8 role='parameter' reason='detached at line 26: `x + w`'), (name='guide' tensor=9 role='parameter' reason='not on the path taken: decided at line 67'), (name='rounded' tensor=11 role='parameter' reason='the output does not depend on it'), (name='t38' tensor=38 role='intermediate' value=49), (name='output.0' tensor=36 role='intermediate' value=50), (name='t35' tensor=35 role='intermediate' value=51), (name='t31' tensor=31 role='intermediate' value=52), (name='t27' tensor=27 role='intermediate' value=53), (name='t22' tensor=22 role='intermediate' value=54), (name='t20' tensor=20 role='intermediate' value=55), (name='t19' tensor=19 role='intermediate' value=56), (name='t15' tensor=15 role='intermediate' value=57), (name='output.1.2.1' tensor=40 role='intermediate' value=58), (name='output.1.2.0' tensor=39 role='intermediate' value=59)] after=25 nodes=[24, 23, 21, 20, 16, 12, 7, 5, 4, 0])
# sensitivities 0 (decision=0 condition=0 margin=2 reason='worked out in Python in a way that has no recorded derivative')
# sensitivities 1 (decision=1 condition=0 margin=-6.4375 distance=6.2453 inputs=[(name='x' tensor=0 gradient=[0.25, -1] step=[1.5147, -6.0588] element=[1] change=-6.4375 flips=True)] flips=True factor=1 becomes='17.75 > 8')
# sensitivities 2 (decision=3 condition=0 margin=0.25 distance=0.25 inputs=[(name='x' tensor=0 gradient=[1, -0] step=[-0.25, 0] element=[0] change=-0.25 flips=False)] flips=False factor=2 becomes='True')
# sensitivities 3 (decision=3 condition=1 margin=3.125 distance=1.5158 inputs=[(name='x' tensor=0 gradient=[0.5, -2] step=[-0.36765, 1.4706] element=[1] change=1.5625 flips=False)] flips=False becomes='4.148 > 3')
# sensitivities 4 (decision=4 condition=0 margin=0.25 distance=0.25 inputs=[(name='x' tensor=0 gradient=[1, -0] step=[-0.25, 0] element=[0] change=-0.25 flips=False)] flips=False becomes='True')
# sensitivities 5 (decision=4 condition=1 margin=3.125 distance=1.5158 inputs=[(name='x' tensor=0 gradient=[0.5, -2] step=[-0.36765, 1.4706] element=[1] change=1.5625 flips=False)] flips=False becomes='4.148 > 3')
# sensitivities 6 (decision=5 condition=0 margin=0.25 distance=0.25 inputs=[(name='x' tensor=0 gradient=[1, -0] step=[-0.25, 0] element=[0] change=-0.25 flips=False)] flips=False becomes='True')
# sensitivities 7 (decision=5 condition=1 margin=3.125 distance=1.5158 inputs=[(name='x' tensor=0 gradient=[0.5, -2] step=[-0.36765, 1.4706] element=[1] change=1.5625 flips=False)] flips=False becomes='4.148 > 3')
# sensitivities 8 (decision=6 condition=0 margin=94.75 reason='no gradient is recorded there: `no_grad`, `detach`, or no input takes part')
# edges [[24, 38, 60], [23, 35, 61], [21, 35, 62], [20, 31, 63], [16, 27, 64], [12, 22, 65], [7, 20, 66], [5, 19, 67], [5, 4, 68], [5, 5, 69], [0, 0, 70]]
# left [69, 70]
# reached {3: 1, 4: 1, 5: 1, 8: 1, 10: 1, 11: 1, 12: 1, 13: 1, 17: 1, 18: 1, 19: 1, 22: 1, 24: 1, 25: 1, 26: 1, 29: 1, 30: 1, 33: 1, 43: 1, 45: 1, 46: 1, 47: 1, 49: 1, 50: 1, 53: 1, 54: 1, 55: 1, 56: 1, 57: 1, 58: 1, 61: 1, 62: 1, 63: 1, 64: 1, 65: 1, 66: 1, 67: 3, 68: 3, 71: 1, 72: 1}
# line 19 [(test='if result.sum() < 99' took='T' values='4.25 < 99')] None
# line 47 [(test='if self.seen[-1] > 8' took='F' values='1.562 > 8')] None
# line 50 [(test='if best < len(self.all)' took='T' values='1 < 3')] None
# line 66 [(test='' took='3 trips' values='')] None
# line 67 [(test='' took='T T T' values='True True, 6.125 > 3 True')] None
# decided (decisions=[0] because='best = 1 < len(self.all) = 3' took='then' left='else' margin=2)
# decided (decisions=[1] because='self.seen[-1] = 1.562 > 8' took='else' left='then' margin=-6.4375)
# decided (decisions=[2] because='3 trips' took='exhausted' left='' margin=None)
# decided (decisions=[3, 4, 5] because='flags.all() = True True, y.sum() = 6.125 > 3 True' took='True x3' left='else' margin=3.125 nesting=1)
# decided (decisions=[6] because='result.sum() = 4.25 < 99' took='then' left='else' margin=94.75)
# chosen (choices=[...] site=25:45-50 picked='2 of 2' margin='0.25' use='line 67: all')
# chosen (choices=[...] site=63:11-25 picked='1 (of 2)' margin='1' use='line 63: ….item()')
# sensitive (one=... line='50' test='if best < len(self.all)' times=1 nearest='on the edge' alone='' tried='')
# sensitive (one=... line='47' test='if self.seen[-1] > 8' times=1 nearest='x + [1.515, -6.059]' alone='x[1] - 6.438 ✓' tried='flips: 17.75 > 8')
# sensitive (one=... line='67' test='if flags.all()' times=3 nearest='x + [-0.25, 0]' alone='x[0] - 0.25 ✗' tried='does not flip: True; flips at 2 times that')
# sensitive (one=... line='67' test='y.sum() > 3' times=3 nearest='x + [-0.3676, 1.471]' alone='x[1] + 1.562 ✗' tried='does not flip: 4.148 > 3')
# sensitive (one=... line='19' test='if result.sum() < 99' times=1 nearest='on the edge' alone='' tried='')
# gradient (name='x' shape='[2]' values='[0.25, -1]')
# gradient (name='experts.all.1.weight' shape='[2, 2]' values='[[0.125, 2], [0.125, 2]]')
# gradient (name='experts.all.1.bias' shape='[2]' values='[0.5, 0.5]')
# gradient (name='experts.spare, 7 more' shape='8 tensors' dtype='' values='' reason='unused, and 4 more reasons')
# cost (label='outside any module' first=0 ops=27 nodes=8 saved_bytes=24)
# cost (label='experts' first=4 ops=1 nodes=1)
# cost (label='experts.all.1' first=5 ops=2 nodes=1 saved_bytes=32)
# cost (label='if best < len(self.all) → then' first=5 site=50:36-56 ops=2 nodes=1 saved_bytes=32)
# cost (label='whatever was decided' first=0 ops=14 nodes=6 saved_bytes=24)
# cost (label='for _ in range(times) → loop' first=9 site=66:4-25 ops=9)
# cost (label='if flags.all() and (y.sum() > 3 or y[0].item() * … → then' first=12 site=67:11-87 ops=3 nodes=3)
# cost (label='if result.sum() < 99 → then' first=28 site=19:35-52 ops=2)
# cost (label='mul' first=0 ops=7 nodes=4 saved_bytes=16)
# cost (label='gt' first=1 ops=4)
# cost (label='sum' first=10 ops=4)
# cost (label='all' first=9 ops=3)
# cost (label='add' first=2 ops=2 nodes=1)
# cost (label='argmax' first=3 ops=2)
# cost (label='linear' first=5 ops=1 nodes=1 saved_bytes=24)
# cost (label='max' first=6 ops=1 saved_bytes=8)
# cost (label='round' first=8 ops=1)
# cost (label='norm' first=21 ops=1 nodes=1 saved_bytes=8)
# cost (label='stack' first=23 ops=1 nodes=1)
# cost (label='unbind' first=24 ops=1 nodes=1)
# cost (label='clamp' first=25 ops=1)
# cost (label='lt' first=27 ops=1)
# cost (label='Square.backward without its ops' first=0 nodes=1)
# held (size_bytes=16 why='parameter' tensor=2)
# held (size_bytes=16 why='parameter' tensor=4)
# held (size_bytes=16 why='parameter' tensor=6)
# held (size_bytes=16 why='gradient' tensor=38 op=23)
# held (size_bytes=16 why='output' tensor=38 op=23)
# held (size_bytes=16 why='gradient' tensor=39 op=24)
# held (size_bytes=8 why='input' tensor=0)
# held (size_bytes=8 why='parameter' tensor=1)
# held (size_bytes=8 why='parameter' tensor=3)
# held (size_bytes=8 why='parameter' tensor=5)
# held (size_bytes=8 why='parameter' tensor=7)
# held (size_bytes=8 why='parameter' tensor=8)
# held (size_bytes=8 why='parameter' tensor=9)
# held (size_bytes=8 why='backward' tensor=15 op=0)
# held (size_bytes=8 why='gradient' tensor=15 op=0)
# held (size_bytes=8 why='backward' tensor=19 op=4)
# held (size_bytes=8 why='backward' tensor=35 op=20)
# held (size_bytes=8 why='output' tensor=37 op=22)
# held (size_bytes=4 why='parameter' tensor=11)
# held (size_bytes=4 why='gradient' tensor=36 op=21)
# held (size_bytes=4 why='output' tensor=36 op=21)
# memory 48 of [116, 118, 126, 134, 134, 134, 138, 150, 138, 135, 138, 139, 142, 135, 138, 139, 142, 135, 136, 137, 140, 136, 144, 160, 160, 204, 196, 180, 176, 176, 176, 176, 200, 184, 184, 184, 180, 173, 184, 184]
# named ['', 'Experts.__init__', 'forward', 'Square.forward', 'Cut.forward', 'experts', 'Experts.__init__.<locals>.<lambda>', 'Experts.forward', 'if best < len(self.all) → then', 'all.1', 'Experts.note', 'for _ in range(times) line 66 step 0', 'if flags.all() and (y.sum() > 3 or y[0].item() * 2 < 1 and … → then', 'for _ in range(times) line 66 step 1', 'if flags.all() and (y.sum() > 3 or y[0].item() * 2 < 1 and … → then', 'for _ in range(times) line 66 step 2', 'if flags.all() and (y.sum() > 3 or y[0].item() * 2 < 1 and … → then', 'forward.<locals>.<lambda>', 'Square.backward', 'if result.sum() < 99 → then']
# parting None
# decisions []
# ops [(a=29 b=29)]
# choices []
# flows []
# counts {decisions: (same=7), choices: (same=2), ops: (same=29 differ=1), outputs: (same=5), gradients: (same=10 differ=1), op_gradients: (same=9)}
# same_end True
# share 1
# input x False 4
# input times True None
# output output.0 True 0
# output output.1.0 True None
# output output.1.1 True 0
# output output.1.2.0 True 0
# output output.1.2.1 True 0
# gradient x False 2
# gradient experts.spare True None
# gradient experts.all.0.weight True None
# gradient experts.all.0.bias True None
# gradient experts.all.1.weight True 0
# gradient experts.all.1.bias True 0
# gradient experts.all.2.weight True None
# gradient experts.all.2.bias True None
# gradient bias True None
# gradient guide True None
# gradient rounded True None
# graph [' · two runs'] blue: only A · magenta: only B · times = 3
# box b0 (kind='call' name='forward')
# box b1 (kind='call' name='Square.forward' parent='b0')
# box b2 (kind='module' name='experts' parent='b0')
# box b3 (kind='call' name='Experts.__init__.<locals>.<lambda>' parent='b2')
# box b4 (kind='arm' name='True' parent='b2' site=50:36-56)
# box b5 (kind='module' name='all.1' parent='b4')
# box b6 (kind='loop' name='for' rest='_ in range(times) · line 66 · x 3' parent='b0' site=66:4-25 times=3)
# box b7 (kind='arm' name='True' rest='x 3' parent='b6' site=67:11-87 times=3)
# box b8 (kind='left' name='False' rest='lines 69 to 70' parent='b6' site=67:11-87 times=0)
# node n0 (kind='input' name='x' lines=['A: float32 [2] · [0.5, -2]', 'B: float32 [2] · [0.5, 2]', 'A: grad [0.25, -1]'/gradient, 'B: grad [0.25, 1]'/gradient] tensors=[0])
# node n1 (kind='parameter' name='experts.spare' lines=['float32 [2] · [1, 1]', 'no grad: unused'/gradient] tensors=[1])
# node n2 (kind='parameter' name='experts.all.0.weight' lines=['float32 [2, 2] · [[-0.25, -0.25], [-0.25, -0.25]]', 'no grad: not chosen at line 50: `self.all[best]`'/gradient] tensors=[2])
# node n3 (kind='parameter' name='experts.all.0.bias' lines=['float32 [2] · [0.5, 0.5]', 'no grad: not chosen at line 50: `self.all[best]`'/gradient] tensors=[3])
# node n4 (kind='parameter' name='experts.all.2.weight' lines=['float32 [2, 2] · [[0.75, 0.75], [0.75, 0.75]]', 'no grad: not chosen at line 50: `self.all[best]`'/gradient] tensors=[6])
# node n5 (kind='parameter' name='experts.all.2.bias' lines=['float32 [2] · [0.5, 0.5]', 'no grad: not chosen at line 50: `self.all[best]`'/gradient] tensors=[7])
# node n6 (kind='parameter' name='guide' lines=['float32 [2] · [2, 3]', 'no grad: not on the path taken: decided at line 67'/gradient] tensors=[9])
# node n7 (kind='constant' name='fixed' lines=['float32 [2] · [1, 2]'] tensors=[10])
# node n8 (kind='parameter' name='rounded' lines=['float32 [1] · [1.4]', 'no grad: the output does not depend on it'/gradient] tensors=[11])
# node n9 (kind='constant' name='gradient' rest='x3' lines=['float32 [2] · [2.584, 2.812] … [0.25, 0.25]'] tensors=[12, 13, 14])
# node n10 (kind='op' name='mul' lines=['float32 [2] · [0.25, 4]', 'grad [0.25, 0.25]'/gradient, 'line 11 · saves 16 B'/faint] box='b1' site=11:17-22 ops=[0])
# node n11 (kind='fold' name='Cut.forward' lines=['2 ops', 'gt, add'/faint, 'float32 [2] · [0.25, 4]', '1 parameter'/parameter] box='b0' ops=[1, 2] tensors=[8])
# node n12 (kind='op' name='argmax' lines=['int64 [] · 1', 'line 63'/faint] box='b0' site=63:11-25 ops=[3])
# node n13 (kind='decision' name='if' rest='best < len(self.all)' lines=['line 50 · 1 < 3 (probably scalar) · margin 2'/plain] box='b2' site=50:36-56 decisions=[0])
# node n14 (kind='op' name='mul' rest='1' lines=['float32 [2] · [0.25, 4]', 'grad [0.25, 0.25]'/gradient, 'line 43'/faint] box='b3' site=43:62-74 ops=[4])
# node n15 (kind='parameter' name='experts.all.1.weight' lines=['float32 [2, 2] · [[0.25, 0.25], [0.25, 0.25]]', 'grad [[0.125, 2], [0.125, 2]]'/gradient] box='b5' tensors=[4])
# node n16 (kind='parameter' name='experts.all.1.bias' lines=['float32 [2] · [0.5, 0.5]', 'grad [0.5, 0.5]'/gradient] box='b5' tensors=[5])
# node n17 (kind='op' name='linear' lines=['float32 [2] · [1.562, 1.562]', 'grad [0.5, 0.5]'/gradient, 'line 50 · saves 24 B'/faint] box='b5' site=50:15-32 ops=[5])
# node n18 (kind='fold' name='Experts.note' lines=['1 op · 1 decision · saves 8 B', 'max'/faint, 'float32 [] · 1.562', 'if self.seen[-1] > 8 → False'/plain] box='b5' ops=[6] decisions=[1])
# node n19 (kind='op' name='add' lines=['float32 [2] · [2.562, 3.562]', 'grad [0.5, 0.5]'/gradient, 'line 64'/faint] box='b0' site=64:8-32 ops=[7])
# node n20 (kind='op' name='round' lines=['float32 [1] · [1]', 'line 65'/faint] box='b0' site=65:16-31 ops=[8])
# node n21 (kind='op' name='all' lines=['bool [] · True', 'line 67 · x3'/faint] box='b6' site=67:11-22 ops=[9, 13, 17]) (each=[[0, 'bool [] · True', ''], [1, 'bool [] · True', ''], [2, 'bool [] · True', '']])
# node n22 (kind='op' name='sum' lines=['float32 [] · 6.125', 'line 67 · x3'/faint] box='b6' site=67:28-35 ops=[10, 14, 18]) (each=[[0, 'float32 [] · 6.125', ''], [1, 'float32 [] · 6.125', ''], [2, 'float32 [] · 6.125', '']])
# node n23 (kind='op' name='gt' rest='3' lines=['bool [] · True', 'line 67 · x3'/faint] box='b6' site=67:28-39 ops=[11, 15, 19]) (each=[[0, 'bool [] · True', ''], [1, 'bool [] · True', ''], [2, 'bool [] · True', '']])
# node n24 (kind='decision' name='if' rest='flags.all() and (y.sum() > 3 or y[0].item() * 2 < 1 and not y.isnan().any())' lines=['line 67 · True x3'/plain, 'True True, 6.125 > 3 True'/plain, 'margin 3.12'/plain] box='b6' site=67:11-87 decisions=[3, 4, 5]) (each=[[0, 'True · True True, 6.125 > 3 True', ''], [1, 'True · True True, 6.125 > 3 True', ''], [2, 'True · True True, 6.125 > 3 True', '']])
# node n25 (kind='op' name='mul' rest='1' lines=['float32 [2] · [2.562, 3.562]', 'grad [0.5, 0.5]'/gradient, 'line 68 · x3'/faint] box='b7' site=68:16-25 ops=[12, 16, 20]) (each=[[0, 'float32 [2] · [2.562, 3.562]', '[0.5, 0.5]'], [1, 'float32 [2] · [2.562, 3.562]', '[0.5, 0.5]'], [2, 'float32 [2] · [2.562, 3.562]', '[0.5, 0.5]']])
# node n26 (kind='op' name='norm' rest='→ output.0' lines=['float32 [] · 4.388', 'grad 1'/gradient, 'line 72 · saves 8 B'/faint] box='b0' site=72:11-19 ops=[21])
# node n27 (kind='op' name='argmax' rest='→ output.1.1' lines=['int64 [] · 1', 'line 72'/faint] box='b0' site=72:36-46 ops=[22])
# node n28 (kind='op' name='stack' lines=['float32 [2, 2] · [[2.562, 3.562], [2.562, 3.562]]', 'grad [[1, 1], [1, 1]]'/gradient, 'line 72'/faint] box='b0' site=72:48-67 ops=[23])
# node n29 (kind='op' name='unbind' rest='→ output.1.2.0' lines=['float32 [2] · [2.562, 3.562]', 'grad [1, 1]'/gradient, 'line 72 · the first of 2 outputs'/faint] box='b0' site=72:48-76 ops=[24])
# node n30 (kind='fold' name='forward.<locals>.<lambda>' lines=['1 op', 'clamp'/faint, 'float32 [2] · [0.5, 0.5]'] ops=[25])
# node n31 (kind='fold' name='Square.backward' lines=['4 ops · 1 decision', 'mul x2, sum, lt'/faint, 'A: float32 [2] · [0.25, -1]', 'B: float32 [2] · [0.25, 1]', 'if result.sum() < 99 → True'/plain] ops=[26, 27, 28, 29] decisions=[6])
# node n32 (kind='ghost' name='' lines=['elif 0 < y.min() <= 4:'/source, '    y = y + column.squeeze(1).detach() * guide.…'/source] box='b8' site=67:11-87 span=[69, 70])
# node n33 (kind='output' name='output.0' lines=['float32 [] · 4.388', 'backward · seed 1'/gradient] tensors=[36])
# node n34 (kind='output' name='output.1.0' lines=['[1.562]'])
# node n35 (kind='output' name='output.1.1' lines=['int64 [] · 1'] tensors=[37])
# node n36 (kind='output' name='output.1.2.0' lines=['float32 [2] · [2.562, 3.562]', 'backward · seed ones'/gradient] tensors=[39])
# node n37 (kind='output' name='output.1.2.1' lines=['float32 [2] · [2.562, 3.562]', 'backward · seed ones'/gradient] tensors=[40])
# edge n0 n10 data  A: [0.25, -1], B: [0.25, 1] both
# edge n10 n11 data   both
# edge n6 n12 data   both
# edge n11 n14 data   both
# edge n14 n17 data  [0.25, 0.25] both
# edge n15 n17 data  [[0.125, 2], [0.125, 2]] both
# edge n16 n17 data  [0.5, 0.5] both
# edge n17 n18 data   both
# edge n17 n19 data  [0.5, 0.5] both
# edge n7 n19 data   both
# edge n8 n20 data   both
# edge n11 n21 data   both
# edge n19 n22 data   both
# edge n22 n23 data   both
# edge n19 n25 data  [0.5, 0.5] both
# edge n25 n22 carried   both
# edge n25 n25 carried  [0.5, 0.5] both
# edge n25 n26 data  [0.5839, 0.8118] both
# edge n25 n27 data   both
# edge n25 n28 data  [2, 2] both
# edge n28 n29 data  [[1, 1], [1, 1]] both
# edge n9 n30 data   both
# edge n9 n31 data   both
# edge n0 n31 data   both
# edge n12 n13 predicate   both
# edge n21 n24 predicate   both
# edge n23 n24 predicate   both
# edge n13 n17 taken True  both
# edge n24 n25 taken True x3  both
# edge n24 n32 left False  both
# edge n26 n33 data   both
# edge n27 n35 data   both
# edge n29 n36 data   both
# edge n29 n37 data   both
