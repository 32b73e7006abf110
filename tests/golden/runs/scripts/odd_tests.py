# run: {"inputs": ["[0.5, 2, -1]", "4"], "edges": true, "saved": true}
# other: {"inputs": ["[0.5, 2, 3]", "4"], "edges": true}
import contextlib
import functools

import dyncore as torch

levels = {"low": 0.25, "high": 2.0}
draws = torch.tensor([0.0, 3.0, 0.0])


@functools.lru_cache
def scale_of(word):
    return levels.get(word, 1.0)


@contextlib.contextmanager
def scaled(by):
    try:
        yield by * 2
    finally:
        levels["seen"] = by


def steps(x):
    for value in x:
        if not value < 0:
            yield value
    return


class Gate:
    def __init__(self, edge):
        self.edge = edge

    def __call__(self, v):
        return self.is_open(v) and v * 2

    def is_open(self, v):
        return 0 < v.item() <= self.edge

    def __bool__(self):
        return self.edge > 1


def forward(x, n: int):
    total, gate = torch.zeros(()), Gate(1.5)
    for place, value in enumerate(steps(x)):
        opened = gate(value)
        total = total + (opened if opened is not False else value / 4)
    while True:
        total = total * 1.5
        if total.item() > n or total.isnan():
            break
    else:
        raise AssertionError
    with scaled(scale_of("high")) as factor, torch.no_grad():
        level = x.mean() * 0
    kept = [t for row in x.view(3, 1) for t in row if t > level if t < factor]
    drawn = torch.multinomial(draws, 2, replacement=True)
    word = "low" if gate and drawn[0] == 1 and "low" in levels else "none"
    match {"word": word, "n": n}:
        case {"word": "none"} | {"n": 0}:
            return total
        case {"word": str() as name, "n": int(count)} if count > 3 and name:
            total = total * scale_of(name)
    order = sorted(x.tolist(), key=abs)
    best = max(range(3), key=lambda i: x[i].item())
    assert len(kept) >= 2, "some are kept"
    ahead = any(v > 1 for v in order) and all(v < 9 for v in order)
    dropped = torch.nn.functional.dropout(x, 0.5)
    total = total + x[best] * (dropped > 0).sum() if ahead else total
    return {"total": total, "order": order, "best": best, "kept": kept, "x² of ü": x * x}

# ----
# ok forced=() unrecorded=((14, 16),) None
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# scopes 2 (parent=1 kind='call' name='steps')
# scopes 3 (parent=2 kind='iteration' name='for value in x' site=26:4-18 index=0 decision=1)
# scopes 4 (parent=1 kind='iteration' name='for place, value in enumerate(steps(x))' site=48:4-43 index=0 decision=0)
# scopes 5 (parent=4 kind='call' name='Gate.__call__')
# scopes 6 (parent=5 kind='call' name='Gate.is_open')
# scopes 7 (parent=5 kind='arm' name='rest' site=37:15-40 decision=4)
# scopes 8 (parent=2 kind='iteration' name='for value in x' site=26:4-18 index=1 decision=1)
# scopes 9 (parent=1 kind='iteration' name='for place, value in enumerate(steps(x))' site=48:4-43 index=1 decision=0)
# scopes 10 (parent=9 kind='call' name='Gate.__call__')
# scopes 11 (parent=10 kind='call' name='Gate.is_open')
# scopes 12 (parent=9 kind='arm' name='else' site=50:35-54 decision=9)
# scopes 13 (parent=2 kind='iteration' name='for value in x' site=26:4-18 index=2 decision=1)
# scopes 14 (parent=1 kind='iteration' name='while True' site=51:10-14 index=0)
# scopes 15 (parent=1 kind='iteration' name='while True' site=51:10-14 index=1)
# scopes 16 (parent=1 kind='iteration' name='while True' site=51:10-14 index=2)
# scopes 17 (parent=1 kind='iteration' name='for row in x.view(3, 1)' site=59:14-37 index=0 decision=14)
# scopes 18 (parent=17 kind='iteration' name='for t in row' site=59:38-50 index=0 decision=15)
# scopes 19 (parent=18 kind='arm' name='keep' site=59:54-63 decision=16)
# scopes 20 (parent=1 kind='iteration' name='for row in x.view(3, 1)' site=59:14-37 index=1 decision=14)
# scopes 21 (parent=20 kind='iteration' name='for t in row' site=59:38-50 index=0 decision=18)
# scopes 22 (parent=21 kind='arm' name='keep' site=59:54-63 decision=19)
# scopes 23 (parent=1 kind='iteration' name='for row in x.view(3, 1)' site=59:14-37 index=2 decision=14)
# scopes 24 (parent=23 kind='iteration' name='for t in row' site=59:38-50 index=0 decision=21)
# scopes 25 (parent=1 kind='arm' name='case {"word": str() as name, "n": int(count)}' site=62:10-32 decision=25)
# scopes 26 (parent=25 kind='call' name='forward.<locals>.<lambda>')
# scopes 27 (parent=25 kind='call' name='forward.<locals>.<lambda>')
# scopes 28 (parent=25 kind='call' name='forward.<locals>.<lambda>')
# scopes 29 (parent=25 kind='arm' name='rest' site=70:12-67 decision=28)
# scopes 30 (parent=25 kind='arm' name='then' site=72:53-58 decision=30)
# calls 0 (line=13 times=2 returned=2)
# calls 1 (line=18 times=1 returned=1)
# calls 2 (line=25 times=1 returned=1)
# calls 3 (line=33 times=1 returned=1)
# calls 4 (line=36 times=2 returned=2)
# calls 5 (line=39 times=2 returned=2)
# calls 6 (line=42 times=1 returned=1)
# calls 7 (line=46 times=1 returned=1)
# calls 8 (line=68 times=3 returned=3)
# tensors 0 (shape=[3] role='input' name='x' requires_grad=True values=[0.5, 2, -1])
# tensors 1 (shape=[3] role='constant' name='draws' values=[0, 3, 0])
# tensors 2 (shape=[] values=[0] op=0)
# tensors 3 (shape=[] requires_grad=True values=[0.5] op=1 shares=0)
# tensors 4 (shape=[] requires_grad=True values=[2] op=1 shares=0)
# tensors 5 (shape=[] requires_grad=True values=[-1] op=1 shares=0)
# tensors 6 (shape=[] dtype='bool' values=[False] op=2)
# tensors 7 (shape=[] requires_grad=True values=[1] op=3)
# tensors 8 (shape=[] requires_grad=True values=[1] op=4)
# tensors 9 (shape=[] dtype='bool' values=[False] op=5)
# tensors 10 (shape=[] requires_grad=True values=[0.5] op=6)
# tensors 11 (shape=[] requires_grad=True values=[1.5] op=7)
# tensors 12 (shape=[] dtype='bool' values=[True] op=8)
# tensors 13 (shape=[] requires_grad=True values=[2.25] op=9)
# tensors 14 (shape=[] dtype='bool' values=[False] op=10)
# tensors 15 (shape=[] requires_grad=True values=[3.375] op=11)
# tensors 16 (shape=[] dtype='bool' values=[False] op=12)
# tensors 17 (shape=[] requires_grad=True values=[5.0625] op=13)
# tensors 18 (shape=[] values=[0.5] op=14)
# tensors 19 (shape=[] values=[0] op=15)
# tensors 20 (shape=[3, 1] requires_grad=True values=[0.5, 2, -1] op=16 shares=0)
# tensors 21 (shape=[1] requires_grad=True values=[0.5] op=17 shares=20)
# tensors 22 (shape=[1] requires_grad=True values=[2] op=17 shares=20)
# tensors 23 (shape=[1] requires_grad=True values=[-1] op=17 shares=20)
# tensors 24 (shape=[] name='kept.0' requires_grad=True values=[0.5] op=18 shares=21)
# tensors 25 (shape=[] dtype='bool' values=[True] op=19)
# tensors 26 (shape=[] dtype='bool' values=[True] op=20)
# tensors 27 (shape=[] name='kept.1' requires_grad=True values=[2] op=21 shares=22)
# tensors 28 (shape=[] dtype='bool' values=[True] op=22)
# tensors 29 (shape=[] dtype='bool' values=[True] op=23)
# tensors 30 (shape=[] requires_grad=True values=[-1] op=24 shares=23)
# tensors 31 (shape=[] dtype='bool' values=[False] op=25)
# tensors 32 (shape=[2] dtype='int64' values=[1, 1] op=26)
# tensors 33 (shape=[] dtype='int64' values=[1] op=27 shares=32)
# tensors 34 (shape=[] dtype='bool' values=[True] op=28)
# tensors 35 (shape=[] requires_grad=True values=[1.2656] op=29)
# tensors 36 (shape=[] requires_grad=True values=[0.5] op=30 shares=0)
# tensors 37 (shape=[] requires_grad=True values=[2] op=31 shares=0)
# tensors 38 (shape=[] requires_grad=True values=[-1] op=32 shares=0)
# tensors 39 (shape=[3] requires_grad=True values=[1, 0, -0] op=33)
# tensors 40 (shape=[] requires_grad=True values=[2] op=34 shares=0)
# tensors 41 (shape=[3] dtype='bool' values=[True, False, False] op=35)
# tensors 42 (shape=[] dtype='int64' values=[1] op=36)
# tensors 43 (shape=[] requires_grad=True values=[2] op=37)
# tensors 44 (shape=[] name='total' requires_grad=True values=[3.2656] op=38)
# tensors 45 (shape=[3] name='x² of ü' requires_grad=True values=[0.25, 4, 1] op=39)
# tensors 46 (shape=[3] role='gradient' name='x.grad' values=[3.6875, 6.2109, -2])
# tensors 47 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 48 (shape=[] role='gradient' values=[1])
# tensors 49 (shape=[] role='gradient' values=[1])
# tensors 50 (shape=[] role='gradient' values=[1])
# tensors 51 (shape=[] role='gradient' values=[1])
# tensors 52 (shape=[] role='gradient' values=[1])
# tensors 53 (shape=[] role='gradient' values=[1])
# tensors 54 (shape=[3, 1] role='gradient' values=[1, 1, 0])
# tensors 55 (shape=[] role='gradient' values=[0.25])
# tensors 56 (shape=[] role='gradient' values=[0.375])
# tensors 57 (shape=[] role='gradient' values=[0.5625])
# tensors 58 (shape=[] role='gradient' values=[0.84375])
# tensors 59 (shape=[] role='gradient' values=[0.84375])
# tensors 60 (shape=[] role='gradient' values=[0.84375])
# tensors 61 (shape=[] role='gradient' values=[0.84375])
# tensors 62 (shape=[1] role='gradient' values=[1])
# tensors 63 (shape=[1] role='gradient' values=[1])
# tensors 64 (shape=[] role='gradient' values=[0.21094])
# tensors 65 (shape=[] role='gradient' values=[1.6875])
# tensors 66 (shape=[3] role='gradient' values=[1, 4, -2])
# tensors 67 (shape=[] role='gradient' values=[1])
# tensors 68 (shape=[] role='gradient' values=[1])
# tensors 69 (shape=[] role='gradient' values=[1])
# tensors 70 (shape=[3] role='gradient' values=[0, 1, 0])
# tensors 71 (shape=[] role='gradient' values=[0.25])
# tensors 72 (shape=[1] role='gradient' values=[1])
# tensors 73 (shape=[1] role='gradient' values=[1])
# tensors 74 (shape=[3, 1] role='gradient' values=[1, 1, 0])
# tensors 75 (shape=[3] role='gradient' values=[1, 1, 0])
# tensors 76 (shape=[] role='gradient' values=[0.375])
# tensors 77 (shape=[] role='gradient' values=[0.5625])
# tensors 78 (shape=[] role='gradient' values=[0.84375])
# tensors 79 (shape=[] role='gradient' values=[0.84375])
# tensors 80 (shape=[] role='gradient' values=[0.84375])
# tensors 81 (shape=[] role='gradient' values=[0.21094])
# tensors 82 (shape=[] role='gradient' values=[0.84375])
# tensors 83 (shape=[] role='gradient' values=[1.6875])
# tensors 84 (shape=[3] role='gradient' values=[1.6875, 0.21094, 0])
# ops 0 (name='zeros' inputs=[] outputs=[2] site=47:18-33 args='()' scope=1)
# ops 1 (name='unbind' inputs=[0] outputs=[3, 4, 5] site=26:17-18 scope=2 grad_fn='UnbindBackward0')
# ops 2 (name='lt' inputs=[3] outputs=[6] site=27:15-24 args='0' scope=3 under=1)
# ops 3 (name='mul' inputs=[3] outputs=[7] site=37:35-40 args='2' scope=7 under=4 grad_fn='MulBackward0')
# ops 4 (name='add' inputs=[2, 7] outputs=[8] site=50:16-70 scope=4 under=0 grad_fn='AddBackward0')
# ops 5 (name='lt' inputs=[4] outputs=[9] site=27:15-24 args='0' scope=8 under=1)
# ops 6 (name='div' inputs=[4] outputs=[10] site=50:60-69 args='4' scope=12 under=9 grad_fn='DivBackward0')
# ops 7 (name='add' inputs=[8, 10] outputs=[11] site=50:16-70 scope=9 under=0 grad_fn='AddBackward0')
# ops 8 (name='lt' inputs=[5] outputs=[12] site=27:15-24 args='0' scope=13 under=1)
# ops 9 (name='mul' inputs=[11] outputs=[13] site=52:16-27 args='1.5' scope=14 grad_fn='MulBackward0')
# ops 10 (name='isnan' inputs=[13] outputs=[14] site=53:31-44 scope=14)
# ops 11 (name='mul' inputs=[13] outputs=[15] site=52:16-27 args='1.5' scope=15 grad_fn='MulBackward0')
# ops 12 (name='isnan' inputs=[15] outputs=[16] site=53:31-44 scope=15)
# ops 13 (name='mul' inputs=[15] outputs=[17] site=52:16-27 args='1.5' scope=16 grad_fn='MulBackward0')
# ops 14 (name='mean' inputs=[0] outputs=[18] site=58:16-24 scope=1)
# ops 15 (name='mul' inputs=[18] outputs=[19] site=58:16-28 args='0' scope=1)
# ops 16 (name='view' inputs=[0] outputs=[20] site=59:25-37 args='3, 1' scope=1 grad_fn='ViewBackward0')
# ops 17 (name='unbind' inputs=[20] outputs=[21, 22, 23] site=59:25-37 scope=1 grad_fn='UnbindBackward0')
# ops 18 (name='unbind' inputs=[21] outputs=[24] site=59:25-37 scope=17 under=14 grad_fn='UnbindBackward0')
# ops 19 (name='gt' inputs=[24, 19] outputs=[25] site=59:54-63 scope=18 under=15)
# ops 20 (name='lt' inputs=[24] outputs=[26] site=59:67-77 args='4' scope=19 under=16)
# ops 21 (name='unbind' inputs=[22] outputs=[27] site=59:25-37 scope=20 under=14 grad_fn='UnbindBackward0')
# ops 22 (name='gt' inputs=[27, 19] outputs=[28] site=59:54-63 scope=21 under=18)
# ops 23 (name='lt' inputs=[27] outputs=[29] site=59:67-77 args='4' scope=22 under=19)
# ops 24 (name='unbind' inputs=[23] outputs=[30] site=59:25-37 scope=23 under=14 grad_fn='UnbindBackward0')
# ops 25 (name='gt' inputs=[30, 19] outputs=[31] site=59:54-63 scope=24 under=21)
# ops 26 (name='multinomial' inputs=[1] outputs=[32] site=60:12-57 args='2, replacement=True' scope=1)
# ops 27 (name='getitem' inputs=[32] outputs=[33] site=61:29-37 args='0' scope=1)
# ops 28 (name='eq' inputs=[33] outputs=[34] site=61:29-42 args='1' scope=1)
# ops 29 (name='mul' inputs=[17] outputs=[35] site=66:20-42 args='0.25' scope=25 under=25 grad_fn='MulBackward0')
# ops 30 (name='getitem' inputs=[0] outputs=[36] site=68:39-43 args='0' scope=26 under=25 grad_fn='GetitemBackward0')
# ops 31 (name='getitem' inputs=[0] outputs=[37] site=68:39-43 args='1' scope=27 under=25 grad_fn='GetitemBackward0')
# ops 32 (name='getitem' inputs=[0] outputs=[38] site=68:39-43 args='2' scope=28 under=25 grad_fn='GetitemBackward0')
# ops 33 (name='dropout' inputs=[0] outputs=[39] site=71:14-49 args='0.5, True' scope=25 under=25 saved_bytes=12 grad_fn='MulBackward0')
# ops 34 (name='getitem' inputs=[0] outputs=[40] site=72:20-27 args='1' scope=30 under=30 grad_fn='GetitemBackward0')
# ops 35 (name='gt' inputs=[39] outputs=[41] site=72:31-42 args='0' scope=30 under=30)
# ops 36 (name='sum' inputs=[41] outputs=[42] site=72:30-49 scope=30 under=30)
# ops 37 (name='mul' inputs=[40, 42] outputs=[43] site=72:20-49 scope=30 under=30 saved_bytes=8 grad_fn='MulBackward0' saved=[42])
# ops 38 (name='add' inputs=[35, 43] outputs=[44] site=72:12-49 scope=30 under=30 grad_fn='AddBackward0')
# ops 39 (name='mul' inputs=[0, 0] outputs=[45] site=73:85-90 scope=25 under=25 saved_bytes=12 grad_fn='MulBackward0' saved=[0])
# decisions 0 (site=48:4-43 arm='loop' outcome=2 origin='scalar~' trips=2 exit='exhausted' call_path=['forward'] predicate_op=2 scope=1 until=11)
# decisions 1 (site=26:4-18 arm='loop' outcome=3 origin='shape' trips=3 exit='exhausted' call_path=['forward', 'steps'] scope=2 until=11)
# decisions 2 (site=27:11-24 arm='then' outcome=True origin='tensor' iterations=[[26, 0]] call_path=['forward', 'steps'] under=1 conditions=[(text='value < 0' op='<' lhs=0.5 rhs=0 value=None outcome=False margin=-0.5 origin='tensor' predicate_op=2)] margin=0.5 predicate_op=2 scope=3)
# decisions 3 (site=40:15-40 arm='rest' outcome=True origin='scalar' iterations=[[48, 0]] call_path=['forward', 'Gate.__call__', 'Gate.is_open'] under=0 conditions=[(text='0 < v.item()' op='<' lhs=0 rhs=0.5 value=None outcome=True margin=0.5 origin='scalar' predicate_op=1)] margin=0.5 predicate_op=1 scope=6)
# decisions 4 (site=37:15-40 arm='rest' outcome=True origin='scalar~' iterations=[[48, 0]] call_path=['forward', 'Gate.__call__'] under=0 conditions=[(text='self.is_open(v)' op=None lhs=None rhs=None value=True outcome=True origin='scalar~' predicate_op=1)] predicate_op=1 scope=5)
# decisions 5 (site=50:35-54 arm='then' outcome=True iterations=[[48, 0]] call_path=['forward'] under=0 conditions=[(text='opened is not False' op='is not' lhs=1 rhs=False value=None outcome=True)] scope=4)
# decisions 6 (site=27:11-24 arm='then' outcome=True origin='tensor' iterations=[[26, 1]] call_path=['forward', 'steps'] under=1 conditions=[(text='value < 0' op='<' lhs=2 rhs=0 value=None outcome=False margin=-2 origin='tensor' predicate_op=5)] margin=2 predicate_op=5 scope=8)
# decisions 7 (site=40:15-40 arm='rest' outcome=True origin='scalar' iterations=[[48, 1]] call_path=['forward', 'Gate.__call__', 'Gate.is_open'] under=0 conditions=[(text='0 < v.item()' op='<' lhs=0 rhs=2 value=None outcome=True margin=2 origin='scalar' predicate_op=1)] margin=2 predicate_op=1 scope=11)
# decisions 8 (site=37:15-40 arm='short' outcome=False origin='scalar~' iterations=[[48, 1]] call_path=['forward', 'Gate.__call__'] under=0 conditions=[(text='self.is_open(v)' op=None lhs=None rhs=None value=False outcome=False origin='scalar~' predicate_op=1)] predicate_op=1 scope=10)
# decisions 9 (site=50:35-54 arm='else' outcome=False iterations=[[48, 1]] call_path=['forward'] under=0 conditions=[(text='opened is not False' op='is not' lhs=False rhs=False value=None outcome=False)] scope=9)
# decisions 10 (site=27:11-24 arm='else' outcome=False origin='tensor' iterations=[[26, 2]] call_path=['forward', 'steps'] under=1 conditions=[(text='value < 0' op='<' lhs=-1 rhs=0 value=None outcome=True margin=1 origin='tensor' predicate_op=8)] margin=-1 predicate_op=8 scope=13)
# decisions 11 (site=53:11-44 arm='else' outcome=False origin='tensor' iterations=[[51, 0]] call_path=['forward'] conditions=[(text='total.item() > n' op='>' lhs=2.25 rhs=4 value=None outcome=False margin=-1.75 origin='scalar' predicate_op=9), (text='total.isnan()' op=None lhs=None rhs=None value=False outcome=False origin='tensor' predicate_op=10)] margin=-1.75 predicate_op=10 scope=14)
# decisions 12 (site=53:11-44 arm='else' outcome=False origin='tensor' iterations=[[51, 1]] call_path=['forward'] conditions=[(text='total.item() > n' op='>' lhs=3.375 rhs=4 value=None outcome=False margin=-0.625 origin='scalar' predicate_op=11), (text='total.isnan()' op=None lhs=None rhs=None value=False outcome=False origin='tensor' predicate_op=12)] margin=-0.625 predicate_op=12 scope=15)
# decisions 13 (site=53:11-44 arm='then' outcome=True origin='scalar' iterations=[[51, 2]] call_path=['forward'] conditions=[(text='total.item() > n' op='>' lhs=5.0625 rhs=4 value=None outcome=True margin=1.0625 origin='scalar' predicate_op=13)] margin=1.0625 predicate_op=13 scope=16)
# decisions 14 (site=59:14-37 arm='loop' outcome=3 origin='shape' trips=3 exit='exhausted' call_path=['forward'] predicate_op=16 scope=1 until=23)
# decisions 15 (site=59:38-50 arm='loop' outcome=1 origin='shape' trips=1 exit='exhausted' iterations=[[59, 0]] call_path=['forward'] under=14 predicate_op=17 scope=17 until=18)
# decisions 16 (site=59:54-63 arm='keep' outcome=True origin='tensor' iterations=[[59, 0], [59, 0]] call_path=['forward'] under=15 conditions=[(text='t > level' op='>' lhs=0.5 rhs=0 value=None outcome=True margin=0.5 origin='tensor' predicate_op=19)] margin=0.5 predicate_op=19 scope=18)
# decisions 17 (site=59:67-77 arm='keep' outcome=True origin='tensor' iterations=[[59, 0], [59, 0]] call_path=['forward'] under=16 conditions=[(text='t < factor' op='<' lhs=0.5 rhs=4 value=None outcome=True margin=3.5 origin='tensor' predicate_op=20)] margin=3.5 predicate_op=20 scope=19)
# decisions 18 (site=59:38-50 arm='loop' outcome=1 origin='shape' trips=1 exit='exhausted' iterations=[[59, 1]] call_path=['forward'] under=14 predicate_op=17 scope=20 until=21)
# decisions 19 (site=59:54-63 arm='keep' outcome=True origin='tensor' iterations=[[59, 1], [59, 0]] call_path=['forward'] under=18 conditions=[(text='t > level' op='>' lhs=2 rhs=0 value=None outcome=True margin=2 origin='tensor' predicate_op=22)] margin=2 predicate_op=22 scope=21)
# decisions 20 (site=59:67-77 arm='keep' outcome=True origin='tensor' iterations=[[59, 1], [59, 0]] call_path=['forward'] under=19 conditions=[(text='t < factor' op='<' lhs=2 rhs=4 value=None outcome=True margin=2 origin='tensor' predicate_op=23)] margin=2 predicate_op=23 scope=22)
# decisions 21 (site=59:38-50 arm='loop' outcome=1 origin='shape' trips=1 exit='exhausted' iterations=[[59, 2]] call_path=['forward'] under=14 predicate_op=17 scope=23 until=23)
# decisions 22 (site=59:54-63 arm='drop' outcome=False origin='tensor' iterations=[[59, 2], [59, 0]] call_path=['forward'] under=21 conditions=[(text='t > level' op='>' lhs=-1 rhs=0 value=None outcome=False margin=-1 origin='tensor' predicate_op=25)] margin=-1 predicate_op=25 scope=24)
# decisions 23 (site=61:20-62 arm='then' outcome=True origin='tensor' call_path=['forward'] conditions=[(text='gate' op=None lhs=None rhs=None value={type: 'Gate'} outcome=True), (text='drawn[0] == 1' op='==' lhs=1 rhs=1 value=None outcome=True margin=0 origin='tensor' predicate_op=28), (text='"low" in levels' op='in' lhs='low' rhs={type: 'dict', len: 3} value=None outcome=True origin='scalar~' predicate_op=28)] margin=0 predicate_op=28 scope=1)
# decisions 24 (site=65:57-75 arm='pass' outcome=True origin='scalar~' call_path=['forward'] conditions=[(text='count > 3' op='>' lhs=4 rhs=3 value=None outcome=True margin=1 origin='scalar~' predicate_op=28), (text='name' op=None lhs=None rhs=None value='low' outcome=True origin='scalar~' predicate_op=28)] margin=1 predicate_op=28 scope=1)
# decisions 25 (site=62:10-32 arm='case {"word": str() as name, "n": int(count)}' outcome=1 call_path=['forward'] conditions=[(text='{"word": word, "n": n}' op=None lhs=None rhs=None value={type: 'dict', len: 2} outcome=True)] scope=1)
# decisions 26 (site=69:11-25 arm='pass' outcome=True origin='scalar~' call_path=['forward'] under=25 conditions=[(text='len(kept) >= 2' op='>=' lhs=2 rhs=2 value=None outcome=True margin=0 origin='scalar~' predicate_op=28)] margin=0 predicate_op=28 scope=25)
# decisions 27 (site=70:22-36 arm='loop' outcome=3 origin='shape' trips=3 exit='break' call_path=['forward'] under=25 scope=25 until=31)
# decisions 28 (site=70:12-67 arm='rest' outcome=True origin='scalar~' call_path=['forward'] under=25 conditions=[(text='any(v > 1 for v in order)' op=None lhs=None rhs=None value=True outcome=True origin='scalar~')] scope=25)
# decisions 29 (site=70:52-66 arm='loop' outcome=3 origin='shape' trips=3 exit='exhausted' call_path=['forward'] under=28 scope=29 until=30)
# decisions 30 (site=72:53-58 arm='then' outcome=True origin='scalar~' call_path=['forward'] under=25 conditions=[(text='ahead' op=None lhs=None rhs=None value=True outcome=True origin='scalar~')] scope=25)
# choices 0 (op=26 kind='sample' of=3 counts=[0, 2, 0] picked=[1, 1] probabilities=[1, 1])
# inputs 0 (name='x' tensor=0)
# inputs 1 (name='n' value=4)
# outputs 0 (name='total' tensor=44)
# outputs 1 (name='order' value=[0.5, -1, 2])
# outputs 2 (name='best' value=1)
# outputs 3 (name='kept.0' tensor=24)
# outputs 4 (name='kept.1' tensor=27)
# outputs 5 (name='x² of ü' tensor=45)
# backwards 0 (site=None root=44 seed='1' gradients=[(name='x' tensor=0 role='input' value=46), (name='x² of ü' tensor=45 role='intermediate' value=47), (name='total' tensor=44 role='intermediate' value=48), (name='t43' tensor=43 role='intermediate' value=49), (name='t40' tensor=40 role='intermediate' value=50), (name='t35' tensor=35 role='intermediate' value=51), (name='kept.1' tensor=27 role='intermediate' value=52), (name='kept.0' tensor=24 role='intermediate' value=53), (name='t20' tensor=20 role='intermediate' value=54), (name='t17' tensor=17 role='intermediate' value=55), (name='t15' tensor=15 role='intermediate' value=56), (name='t13' tensor=13 role='intermediate' value=57), (name='t11' tensor=11 role='intermediate' value=58), (name='t10' tensor=10 role='intermediate' value=59), (name='t8' tensor=8 role='intermediate' value=60), (name='t7' tensor=7 role='intermediate' value=61), (name='t22' tensor=22 role='intermediate' value=62), (name='t21' tensor=21 role='intermediate' value=63), (name='t4' tensor=4 role='intermediate' value=64), (name='t3' tensor=3 role='intermediate' value=65)] after=40 nodes=[39, 38, 37, 34, 29, 21, 18, 17, 16, 13, 11, 9, 7, 6, 4, 3, 1])
# edges [[39, 0, 66], [38, 35, 67], [38, 43, 68], [37, 40, 69], [34, 0, 70], [29, 17, 71], [21, 22, 72], [18, 21, 73], [17, 20, 74], [16, 0, 75], [13, 15, 76], [11, 13, 77], [9, 11, 78], [7, 8, 79], [7, 10, 80], [6, 4, 81], [4, 7, 82], [3, 3, 83], [1, 0, 84]]
# left [55, 56, 63, 64]
# reached {3: 1, 4: 1, 6: 1, 8: 1, 9: 1, 13: 2, 14: 2, 18: 1, 19: 1, 20: 1, 22: 1, 25: 1, 26: 1, 27: 3, 28: 2, 32: 1, 33: 1, 34: 1, 36: 2, 37: 2, 39: 2, 40: 2, 42: 1, 43: 1, 46: 1, 47: 1, 48: 1, 49: 2, 50: 2, 51: 1, 53: 3, 54: 1, 57: 1, 58: 1, 59: 1, 60: 1, 61: 1, 62: 1, 65: 1, 66: 1, 67: 1, 68: 1, 69: 1, 70: 1, 71: 1, 72: 1, 73: 1}
# line 26 [(test='' took='3 trips' values='')] None
# line 27 [(test='' took='T T F' values='not 0.5 … -1.0 < 0')] None
# line 37 [(test='self.is_open(v) and v * 2' took='rest short' values='True … False')] None
# line 40 [(test='0 < v.item() <= self.edge' took='rest rest' values='0 < 0.5 … 2.0')] None
# line 48 [(test='' took='2 trips' values='')] None
# line 50 [(test='if opened is not False' took='T F' values='1.0 … False is not False')] None
# line 53 [(test='' took='F F T' values='2.25 … 5.062 > 4, False False')] None
# line 59 [(test='for row in x.view(3, 1)' took='3 trips' values=''), (test='for t in row' took='1 trip' values=''), (test='if t > level' took='T T F' values='0.5 … -1.0 > 0.0'), (test='if t < factor' took='T T' values='0.5 … 2.0 < 4.0')] None
# line 61 [(test='if gate and drawn[0] == 1 and "low" in …' took='T' values="Gate True, 1 == 1 True, 'low' in dict of 3 True")] None
# line 62 [(test='' took='case {"word": str() as name, "n": int(count)}' values='dict of 2')] None
# line 65 [(test='' took='T' values="4 > 3 True, 'low' True")] None
# line 69 [(test='' took='T' values='2 >= 2')] None
# line 70 [(test='any(v > 1 for v in order) and all(v < 9…' took='rest' values='True'), (test='for v in order' took='3 trips, break' values=''), (test='for v in order' took='3 trips' values='')] None
# line 72 [(test='if ahead' took='T' values='True')] None
# decided (decisions=[0] because='2 trips' took='exhausted' left='' margin=None)
# decided (decisions=[1] because='3 trips' took='exhausted' left='' margin=None)
# decided (decisions=[2, 6, 10] because='value = 0.5 … -1.0 < 0' took='True x2, False' left='' margin=0.5 nesting=1)
# decided (decisions=[3, 7] because='0 < v.item() = 0.5 … 2.0' took='rest x2' left='short' margin=0.5 nesting=1)
# decided (decisions=[4, 8] because='self.is_open(v) = True … False' took='rest, short' left='' margin=None nesting=1)
# decided (decisions=[5, 9] because='opened = 1.0 … False is not False' took='True, False' left='' margin=None nesting=1)
# decided (decisions=[11, 12, 13] because='total.item() = 2.25 … 5.062 > n = 4, total.isnan() = False False' took='False x2, True' left='' margin=-0.625 nesting=1)
# decided (decisions=[14] because='3 trips' took='exhausted' left='' margin=None)
# decided (decisions=[15, 18, 21] because='1 trip' took='1 trip x3' left='' margin=None)
# decided (decisions=[16, 19, 22] because='t = 0.5 … -1.0 > level = 0.0' took='True x2, False' left='' margin=0.5 nesting=1)
# decided (decisions=[17, 20] because='t = 0.5 … 2.0 < factor = 4.0' took='True x2' left='drop' margin=2 nesting=1)
# decided (decisions=[23] because="gate = Gate True, drawn[0] = 1 == 1 True, 'low' in levels = dict of 3 True" took='then' left='else' margin=0)
# decided (decisions=[24] because="count = 4 > 3 True, name = 'low' True" took='pass' left='fail' margin=1)
# decided (decisions=[25] because='{"word": word, "n": n} = dict of 2' took='case {"word": str() as name, "n": int(count)}' left='case {"word": "none"} | {"n": 0}, no match' margin=None)
# decided (decisions=[26] because='len(kept) = 2 >= 2' took='pass' left='fail' margin=0)
# decided (decisions=[27] because='3 trips, break' took='break' left='' margin=None)
# decided (decisions=[28] because='any(v > 1 for v in order) = True' took='rest' left='short' margin=None)
# decided (decisions=[29] because='3 trips' took='exhausted' left='' margin=None)
# decided (decisions=[30] because='ahead = True' took='then' left='else' margin=None)
# chosen (choices=[...] site=60:12-57 picked='1 x2 (of 3)' margin='p 1' use='')
# gradient (name='x' shape='[3]' values='[3.688, 6.211, -2]')
# cost (label='outside any module' first=0 ops=40 nodes=17 saved_bytes=32)
# cost (label='match {"word": word, "n": n} → case {"word": str()…' first=29 site=62:10-32 ops=6 nodes=2 saved_bytes=24)
# cost (label='if ahead → then' first=34 site=72:53-58 ops=5 nodes=3 saved_bytes=8)
# cost (label='whatever was decided' first=0 ops=14 nodes=6)
# cost (label='for value in x → loop' first=2 site=26:4-18 ops=3)
# cost (label='self.is_open(v) and v * 2 → rest' first=3 site=37:15-40 ops=1 nodes=1)
# cost (label='for place, value in enumerate(steps(x)) → loop' first=4 site=48:4-43 ops=2 nodes=2)
# cost (label='if opened is not False → else' first=6 site=50:35-54 ops=1 nodes=1)
# cost (label='for row in x.view(3, 1) → loop' first=18 site=59:14-37 ops=3 nodes=2)
# cost (label='for t in row → loop' first=19 site=59:38-50 ops=3)
# cost (label='if t > level → keep' first=20 site=59:54-63 ops=2)
# cost (label='mul' first=3 ops=8 nodes=7 saved_bytes=20)
# cost (label='unbind' first=1 ops=5 nodes=4)
# cost (label='lt' first=2 ops=5)
# cost (label='getitem' first=27 ops=5 nodes=1)
# cost (label='gt' first=19 ops=4)
# cost (label='add' first=4 ops=3 nodes=3)
# cost (label='isnan' first=10 ops=2)
# cost (label='zeros' first=0 ops=1)
# cost (label='div' first=6 ops=1 nodes=1)
# cost (label='mean' first=14 ops=1)
# cost (label='view' first=16 ops=1 nodes=1)
# cost (label='multinomial' first=26 ops=1)
# cost (label='eq' first=28 ops=1)
# cost (label='dropout' first=33 ops=1 saved_bytes=12)
# cost (label='sum' first=36 ops=1)
# held (size_bytes=12 why='gradient' tensor=0)
# held (size_bytes=12 why='input' tensor=0)
# held (size_bytes=12 why='gradient' tensor=45 op=39)
# held (size_bytes=12 why='output' tensor=45 op=39)
# held (size_bytes=8 why='backward' tensor=42 op=36)
# held (size_bytes=4 why='gradient' tensor=24 op=18)
# held (size_bytes=4 why='gradient' tensor=27 op=21)
# held (size_bytes=4 why='gradient' tensor=44 op=38)
# held (size_bytes=4 why='output' tensor=44 op=38)
# memory 20 of [16, 16, 17, 20, 24, 17, 20, 24, 17, 20, 17, 20, 17, 20, 20, 24, 20, 20, 20, 21, 21, 20, 21, 21, 20, 21, 44, 32, 33, 20, 16, 16, 16, 40, 40, 43, 27, 28, 32, 36, 72, 68, 68, 56, 56, 64, 60, 68, 56, 48, 48, 48, 52, 60, 60, 56, 52]
# named ['', 'forward', 'steps', 'for value in x line 26 step 0', 'for place, value in enumerate(steps(x)) line 48 step 0', 'Gate.__call__', 'Gate.is_open', 'self.is_open(v) and v * 2 → rest', 'for value in x line 26 step 1', 'for place, value in enumerate(steps(x)) line 48 step 1', 'Gate.__call__', 'Gate.is_open', 'if opened is not False → else', 'for value in x line 26 step 2', 'while True line 51 step 0', 'while True line 51 step 1', 'while True line 51 step 2', 'for row in x.view(3, 1) line 59 step 0', 'for t in row line 59 step 0', 'if t > level → keep', 'for row in x.view(3, 1) line 59 step 1', 'for t in row line 59 step 0', 'if t > level → keep', 'for row in x.view(3, 1) line 59 step 2', 'for t in row line 59 step 0', 'match {"word": word, "n": n} → case {"word": str() as name, "n": int(count)}', 'forward.<locals>.<lambda>', 'forward.<locals>.<lambda>', 'forward.<locals>.<lambda>', 'any(v > 1 for v in order) and all(v < 9 for v in order) → rest', 'if ahead → then']
# parting (a=10 b=10 kind='arm')
# decisions [(a=0 b=0), (a=10 b=10), (a=None b=11), (a=None b=12), (a=None b=13), (a=12 b=15), (a=13 b=None), (a=22 b=24), (a=None b=25), (a=27 b=30)]
# ops [(a=1 b=1), (a=8 b=8), (a=None b=9), (a=None b=10), (a=9 b=11), (a=11 b=13), (a=12 b=None), (a=13 b=None), (a=14 b=14), (a=16 b=16), (a=17 b=17), (a=24 b=24), (a=25 b=25), (a=None b=26), (a=32 b=33), (a=34 b=35), (a=37 b=38), (a=38 b=39), (a=39 b=40)]
# choices []
# flows [(ops=(a=24 b=24) backward=0 a=None b=53), (ops=(a=16 b=16) backward=0 a=54 b=56), (ops=(a=11 b=13) backward=0 a=56 b=57), (ops=(a=9 b=11) backward=0 a=57 b=58), (ops=(a=7 b=7) backward=0 a=58 b=61), (ops=(a=6 b=6) backward=0 a=59 b=62), (ops=(a=4 b=4) backward=0 a=60 b=63), (ops=(a=3 b=3) backward=0 a=61 b=64)]
# counts {decisions: (same=25 differ=5 only_a=1 only_b=4), choices: (same=1), ops: (same=24 differ=14 only_a=2 only_b=3), outputs: (same=2 differ=4 only_b=1), gradients: (differ=1), op_gradients: (same=7 differ=7 only_b=1)}
# same_end True
# share 1
# input x False 4
# input n True None
# output total False 1
# output order False None
# output best False None
# output kept.0 True 0
# output kept.1 True 0
# output kept.2 False None
# output x² of ü False 8
# gradient x False 10.141
# graph [' · two runs'] blue: only A · magenta: only B · n = 4
# box b0 (kind='call' name='steps')
# box b1 (kind='loop' name='for' rest='place, value in enumerate(steps(x)) · line 48 · A: x 2, B: x 3 · 2 kinds of step' site=48:4-43 times=2)
# box b2 (kind='call' name='Gate.__call__' rest='A: x 2, B: x 3' parent='b1' times=2)
# box b3 (kind='arm' name='False' rest='B: x 2' parent='b1' site=50:35-54)
# box b4 (kind='loop' name='while' rest='True · line 51 · A: x 3, B: x 2 · 2 kinds of step' site=51:10-14 times=3)
# box b5 (kind='loop' name='for' rest='row in x.view(3, 1) · line 59 · x 3' site=59:14-37 times=3)
# box b6 (kind='arm' name='case {"word": str() as name, "n…' site=62:10-32)
# box b7 (kind='arm' name='True' site=72:53-58)
# box b8 (kind='arm' name='True' rest='line 54' parent='b4' site=53:11-44)
# box b9 (kind='left' name='case {"word": "none"} | {"n": 0}' rest='line 64' site=62:10-32 times=0)
# node n0 (kind='input' name='x' lines=['A: float32 [3] · [0.5, 2, -1]', 'B: float32 [3] · [0.5, 2, 3]', 'A: grad [3.688, 6.211, -2]'/gradient, 'B: grad [3.125, 5.141, 8.141]'/gradient] tensors=[0])
# node n1 (kind='constant' name='draws' lines=['float32 [3] · [0, 3, 0]'] tensors=[1])
# node n2 (kind='op' name='zeros' rest='()' lines=['float32 [] · 0', 'line 47'/faint] site=47:18-33 ops=[0])
# node n3 (kind='op' name='unbind' lines=['float32 [] · 0.5', 'A: grad 1.688'/gradient, 'B: grad 1.125'/gradient, 'line 26 · the first of 3 outputs'/faint] box='b0' site=26:17-18 ops=[1])
# node n4 (kind='fold' name='for' rest='value in x · line 26 · x 3 · A: 2 kinds of step' lines=['3 ops · 3 decisions', 'lt'/faint, 'A: bool [] · True', 'B: bool [] · False', 'A: if not value < 0 → True x2, False'/plain, 'B: if not value < 0 → True x3'/plain] box='b0' site=26:4-18 ops=[2, 5, 8] decisions=[2, 6, 10])
# node n5 (kind='decision' name='for' rest='place, value in enumerate(steps(x))' lines=['line 48'/plain, 'A: 2 trips (probably scalar)'/plain, 'B: 3 trips (probably scalar)'/plain] box='b1' site=48:4-43 decisions=[0])
# node n6 (kind='fold' name='Gate.is_open' rest='A: x 2, B: x 3' lines=['A: 0 < v.item() <= self.edge → rest x2'/plain, 'B: 0 < v.item() <= self.edge → rest x3'/plain] box='b2' decisions=[3, 7])
# node n7 (kind='decision' name='self.is_open(v) and v * 2' lines=['A: line 37 · rest, short'/plain, 'B: line 37 · rest, short x2'/plain, 'True … False (probably scalar)'/plain] box='b2' site=37:15-40 decisions=[4, 8]) (each=[[0, 'rest · True', ''], [1, 'short · False', ''], [2, 'A: —\nB: short · False', '']])
# node n8 (kind='decision' name='if' rest='opened is not False' lines=['A: line 50 · True, False'/plain, 'B: line 50 · True, False x2'/plain, '1 … False is not False (python)'/plain] box='b1' site=50:35-54 decisions=[5, 9]) (each=[[0, 'True · 1 is not False', ''], [1, 'False · False is not False', ''], [2, 'A: —\nB: False · False is not False', '']])
# node n9 (kind='op' name='mul' rest='2' lines=['float32 [] · 1', 'A: grad 0.8438'/gradient, 'B: grad 0.5625'/gradient, 'line 37'/faint] box='b2' site=37:35-40 ops=[3])
# node n10 (kind='op' name='add' lines=['A: float32 [] · 1 … 1.5', 'B: float32 [] · 1 … 2.25', 'A: grad 0.8438'/gradient, 'B: grad 0.5625'/gradient, 'line 50 · A: x2, B: x3'/faint] box='b1' site=50:16-70 ops=[4, 7]) (each=[[0, 'float32 [] · 1', 'A: 0.8438\nB: 0.5625'], [1, 'float32 [] · 1.5', 'A: 0.8438\nB: 0.5625'], [2, 'A: —\nB: float32 [] · 2.25', 'B: 0.5625']])
# node n11 (kind='op' name='div' rest='4' lines=['A: float32 [] · 0.5', 'B: float32 [] · 0.5 … 0.75', 'A: grad 0.8438'/gradient, 'B: grad 0.5625'/gradient, 'line 50 · B: x2'/faint] box='b3' site=50:60-69 ops=[6]) (each=[[1, 'float32 [] · 0.5', 'A: 0.8438\nB: 0.5625'], [2, 'A: —\nB: float32 [] · 0.75', 'B: 0.5625']])
# node n12 (kind='op' name='mul' rest='1.5' lines=['A: float32 [] · 2.25 … 5.062', 'B: float32 [] · 3.375 … 5.062', 'A: grad 0.5625 … 0.25'/gradient, 'B: grad 0.375 … 0.25'/gradient, 'line 52 · A: x3, B: x2'/faint] box='b4' site=52:16-27 ops=[9, 11, 13]) (each=[[0, 'A: float32 [] · 2.25\nB: float32 [] · 3.375', 'A: 0.5625\nB: 0.375'], [1, 'A: float32 [] · 3.375\nB: float32 [] · 5.062', 'A: 0.375\nB: 0.25'], [2, 'A: float32 [] · 5.062\nB: —', 'A: 0.25']])
# node n13 (kind='op' name='isnan' lines=['bool [] · False', 'line 53 · A: x2'/faint] box='b4' site=53:31-44 ops=[10, 12]) (each=[[0, 'bool [] · False', ''], [1, 'A: bool [] · False\nB: —', '']])
# node n14 (kind='decision' name='if' rest='total.item() > n or total.isnan()' lines=['A: line 53 · False x2, True'/plain, 'B: line 53 · False, True'/plain, 'A: 2.25 … 5.062 > 4, False False'/plain, 'B: 3.375 … 5.062 > 4, False False'/plain, 'margin -0.625'/plain] box='b4' site=53:11-44 decisions=[11, 12, 13]) (each=[[0, 'A: False · 2.25 > 4 False, False False\nB: False · 3.375 > 4 False, False False', ''], [1, 'A: False · 3.375 > 4 False, False False\nB: True · 5.062 > 4', ''], [2, 'A: True · 5.062 > 4\nB: —', '']])
# node n15 (kind='op' name='mean' lines=['A: float32 [] · 0.5', 'B: float32 [] · 1.833', 'with x'/parameter, 'line 58 · no_grad'/faint] site=58:16-24 ops=[14] unrecorded=True)
# node n16 (kind='op' name='mul' rest='0' lines=['float32 [] · 0', 'line 58 · no_grad'/faint] site=58:16-28 ops=[15] unrecorded=True)
# node n17 (kind='op' name='view' rest='3, 1' lines=['A: float32 [3, 1] · [[0.5], [2], [-1]]', 'B: float32 [3, 1] · [[0.5], [2], [3]]', 'A: grad [[1], [1], [0]]'/gradient, 'B: grad [[1], [1], [1]]'/gradient, 'with x'/parameter, 'line 59'/faint] site=59:25-37 ops=[16])
# node n18 (kind='decision' name='for row in x.view(3, 1)' lines=['line 59 · 3 trips (shape)'/plain] box='b5' site=59:14-37 decisions=[14])
# node n19 (kind='op' name='unbind' lines=['float32 [1] · [0.5]', 'grad [1]'/gradient, 'line 59 · the first of 3 outputs'/faint] site=59:25-37 ops=[17])
# node n20 (kind='op' name='unbind' rest='A: → kept.0, B: → kept.0 … 2' lines=['A: float32 [] · 0.5 … -1', 'B: float32 [] · 0.5 … 3', 'A: grad 1 in 2 of 3'/gradient, 'B: grad 1'/gradient, 'line 59 · x3'/faint] box='b5' site=59:25-37 ops=[18, 21, 24]) (each=[[0, 'float32 [] · 0.5', '1'], [1, 'float32 [] · 2', '1'], [2, 'A: float32 [] · -1\nB: float32 [] · 3', 'B: 1']])
# node n21 (kind='fold' name='for' rest='t in row · line 59 · x 3 = 3 x 1 · A: 2 kinds of step' lines=['A: 5 ops · 8 decisions', 'B: 6 ops · 9 decisions', 'gt, lt'/faint, 'A: bool [] · False', 'B: bool [] · True', 'for t in row → 1 trip x3'/plain, 'A: if t > level → True x2, False'/plain, 'B: if t > level → True x3'/plain, 'A: if t < factor → True x2'/plain, 'B: if t < factor → True x3'/plain] box='b5' site=59:38-50 ops=[19, 20, 22, 23, 25] decisions=[15, 16, 17, 18, 19, 20, 21, 22])
# node n22 (kind='op' name='multinomial' rest='2, replacement=True' lines=['int64 [2] · [1, 1]', 'line 60'/faint] site=60:12-57 ops=[26])
# node n23 (kind='op' name='getitem' rest='0' lines=['int64 [] · 1', 'line 61'/faint] site=61:29-37 ops=[27])
# node n24 (kind='op' name='eq' rest='1' lines=['bool [] · True', 'line 61'/faint] site=61:29-42 ops=[28])
# node n25 (kind='decision' name='if' rest='gate and drawn[0] == 1 and "low" in levels' lines=['line 61 → True'/plain, "Gate True, 1 == 1 True, 'low' in dict of 3 True"/plain, 'margin 0'/plain] site=61:20-62 decisions=[23])
# node n26 (kind='decision' name='match' rest='{"word": word, "n": n}' lines=['line 62 · dict of 2 (python)'/plain] site=62:10-32 decisions=[25])
# node n27 (kind='op' name='mul' rest='0.25' lines=['float32 [] · 1.266', 'grad 1'/gradient, 'line 66'/faint] box='b6' site=66:20-42 ops=[29])
# node n28 (kind='decision' name='assert' rest='len(kept) >= 2' lines=['line 69 → True'/plain, 'A: 2 >= 2 (probably scalar)'/plain, 'B: 3 >= 2 (probably scalar)'/plain, 'A: margin 0'/plain, 'B: margin 1'/plain] site=69:11-25 decisions=[26])
# node n29 (kind='decision' name='any(v > 1 for v in order) and all(v < 9 for v in order)' lines=['line 70 · True (probably scalar) → True'/plain] site=70:12-67 decisions=[28])
# node n30 (kind='fold' name='forward.<locals>.<lambda>' rest='x 3' lines=['3 ops', 'getitem'/faint, 'A: float32 [] · -1', 'B: float32 [] · 3', 'with x'/parameter] box='b6' ops=[30, 31, 32])
# node n31 (kind='op' name='dropout' rest='0.5, True' lines=['A: float32 [3] · [1, 0, -0]', 'B: float32 [3] · [1, 0, 0]', 'with x'/parameter, 'line 71 · saves 12 B'/faint] site=71:14-49 ops=[33])
# node n32 (kind='decision' name='if' rest='ahead' lines=['line 72 · True (probably scalar)'/plain] site=72:53-58 decisions=[30])
# node n33 (kind='op' name='getitem' rest='A: 1, B: 2' lines=['A: float32 [] · 2', 'B: float32 [] · 3', 'grad 1'/gradient, 'with x'/parameter, 'line 72'/faint] box='b7' site=72:20-27 ops=[34])
# node n34 (kind='op' name='gt' rest='0' lines=['bool [3] · [True, False, False]', 'line 72'/faint] box='b7' site=72:31-42 ops=[35])
# node n35 (kind='op' name='sum' lines=['int64 [] · 1', 'line 72'/faint] box='b7' site=72:30-49 ops=[36])
# node n36 (kind='op' name='mul' lines=['A: float32 [] · 2', 'B: float32 [] · 3', 'grad 1'/gradient, 'line 72 · saves 8 B'/faint] box='b7' site=72:20-49 ops=[37])
# node n37 (kind='op' name='add' rest='→ total' lines=['A: float32 [] · 3.266', 'B: float32 [] · 4.266', 'grad 1'/gradient, 'line 72'/faint] box='b7' site=72:12-49 ops=[38])
# node n38 (kind='op' name='mul' rest='→ x² of ü' lines=['A: float32 [3] · [0.25, 4, 1]', 'B: float32 [3] · [0.25, 4, 9]', 'grad [1, 1, 1]'/gradient, 'with x'/parameter, 'line 73 · saves 12 B'/faint] site=73:85-90 ops=[39])
# node n39 (kind='decision' name='case if' rest='count > 3 and name' lines=['line 65 → True'/plain, "4 > 3 True, 'low' True (probably scalar)"/plain, 'margin 1'/plain] site=65:57-75 decisions=[24])
# node n40 (kind='done' name='' lines=['break'/source] box='b8' site=53:11-44 span=[54, 54])
# node n41 (kind='ghost' name='' lines=['return total'/source] box='b9' site=62:10-32 span=[64, 64])
# node n42 (kind='output' name='total' lines=['A: float32 [] · 3.266', 'B: float32 [] · 4.266', 'backward · seed 1'/gradient] tensors=[44])
# node n43 (kind='output' name='order' lines=['A: [0.5, -1.0, 2.0]', 'B: [0.5, 2.0, 3.0]'])
# node n44 (kind='output' name='best' lines=['A: 1', 'B: 2'])
# node n45 (kind='output' name='kept.0' lines=['float32 [] · 0.5', 'backward · seed 1'/gradient] tensors=[24])
# node n46 (kind='output' name='kept.1' lines=['float32 [] · 2', 'backward · seed 1'/gradient] tensors=[27])
# node n47 (kind='output' name='x² of ü' lines=['A: float32 [3] · [0.25, 4, 1]', 'B: float32 [3] · [0.25, 4, 9]', 'backward · seed ones'/gradient] tensors=[45])
# node n48 (kind='output' name='kept.2' lines=['float32 [] · 3', 'backward · seed 1'/gradient] tensors=[30] side='b')
# edge n0 n3 data  A: [1.688, 0.2109, 0], B: [1.125, 0.1406, 0.1406] both
# edge n3 n4 data   both
# edge n3 n9 data  A: 1.688, B: 1.125 both
# edge n2 n10 data   both
# edge n9 n10 data  A: 0.8438, B: 0.5625 both
# edge n3 n11 data  A: 0.2109, B: 0.1406 both
# edge n10 n10 carried  A: 0.8438, B: 0.5625 both
# edge n11 n10 data  A: 0.8438, B: 0.5625 both
# edge n10 n12 data  A: 0.8438, B: 0.5625 both
# edge n12 n13 data   both
# edge n12 n12 carried  A: 0.5625 … 0.375, B: 0.375 both
# edge n15 n16 data   both
# edge n17 n19 data  A: [[1], [1], [0]], B: [[1], [1], [1]] both
# edge n19 n20 data  [1] both
# edge n20 n21 data   both
# edge n16 n21 data   both
# edge n1 n22 data   both
# edge n22 n23 data   both
# edge n23 n24 data   both
# edge n12 n27 data  0.25 both
# edge n31 n34 data   both
# edge n34 n35 data   both
# edge n33 n36 data  1 both
# edge n35 n36 data   both
# edge n27 n37 data  1 both
# edge n36 n37 data  1 both
# edge n4 n5 predicate   both
# edge n3 n6 predicate   both
# edge n3 n7 predicate   both
# edge n12 n14 predicate   both
# edge n13 n14 predicate   both
# edge n17 n18 predicate   both
# edge n19 n21 predicate   both
# edge n24 n25 predicate   both
# edge n24 n39 predicate   both
# edge n24 n28 predicate   both
# edge n39 n26 predicate   both
# edge n5 n10 taken loop  both
# edge n7 n9 taken True  both
# edge n8 n11 taken A: False, B: False x2  both
# edge n14 n40 taken True  both
# edge n18 n20 taken loop  both
# edge n26 n41 left case {"word": "none"} | {"n": 0}  both
# edge n26 n27 taken case {"word": str() as name, "n…  both
# edge n32 n33 taken True  both
# edge n37 n42 data   both
# edge n20 n45 data   both
# edge n20 n46 data   both
# edge n38 n47 data   both
# edge n20 n48 data   b
