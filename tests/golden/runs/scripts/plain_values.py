# run: {"inputs": ["x=2.0", "words=['a', 'b']", "flag=false", "pair=[1, 2.5]", "deep={'k': [1, 2]}", "z=1+2j"]}
import enum
import math
from functools import partial, reduce

import dyncore as torch


class Kind(enum.Enum):
    SMALL = 1
    LARGE = 2


def kind_of(value, edge):
    return Kind.LARGE if value > edge else Kind.SMALL


grade = partial(kind_of, edge=3.0)


def forward(x: float, words: list[str], flag: bool, pair: tuple[int, float], deep, z: complex, *rest, **more):
    t = torch.tensor([x, pair[1], 2**62, abs(z)])
    length = t.max().item()
    bound = min(math.floor(length), len(words))
    kinds = {word: grade(value.item()) for word, value in zip(words, t)}
    if kinds["b"] is Kind.LARGE or flag:
        t = t[:2]
    elif t.shape[0] == 4 and bound:
        t = t * bound
    n = reduce(lambda a, b: a + b, [int(v > 2) for v in t[:2].tolist()])
    while n < 3:
        n += 1
    try:
        t = t / t[n]
    except IndexError:
        pass
    finally:
        t = t + (torch.rand(4) > 2).float()
    return t, kinds["a"].name, {"n": n, "z": z, "big": 2**200, "text": "long " * 30, "set": {1}, "type": torch.float32}

# ----
# ok forced=() unrecorded=() None
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# scopes 2 (parent=1 kind='iteration' name='for word, value in zip(words, t)' site=25:39-71 index=0 decision=0)
# scopes 3 (parent=2 kind='call' name='kind_of')
# scopes 4 (parent=1 kind='iteration' name='for word, value in zip(words, t)' site=25:39-71 index=1 decision=0)
# scopes 5 (parent=4 kind='call' name='kind_of')
# scopes 6 (parent=1 kind='arm' name='else' site=26:7-39 decision=3)
# scopes 7 (parent=6 kind='arm' name='then' site=28:9-34 decision=4)
# calls 0 (line=14 times=2 returned=2)
# calls 1 (line=21 times=1 returned=1)
# calls 2 (line=30 times=1 returned=1)
# tensors 0 (shape=[2] role='input' name='deep.k' requires_grad=True values=[1, 2])
# tensors 1 (shape=[4] values=[2, 2.5, 4.6117e+18, 2.2361] op=0)
# tensors 2 (shape=[] values=[4.6117e+18] op=1)
# tensors 3 (shape=[] values=[2] op=2 shares=1)
# tensors 4 (shape=[] values=[2.5] op=2 shares=1)
# tensors 5 (shape=[] values=[4.6117e+18] op=2 shares=1)
# tensors 6 (shape=[] values=[2.2361] op=2 shares=1)
# tensors 7 (shape=[4] values=[4, 5, 9.2234e+18, 4.4721] op=3)
# tensors 8 (shape=[2] values=[4, 5] op=4 shares=7)
# tensors 9 (shape=[] values=[4.4721] op=5 shares=7)
# tensors 10 (shape=[4] values=[0.89443, 1.118, 2.0624e+18, 1] op=6)
# tensors 11 (shape=[4] values=[0.49626, 0.76822, 0.088477, 0.13203] op=7)
# tensors 12 (shape=[4] dtype='bool' values=[False, False, False, False] op=8)
# tensors 13 (shape=[4] values=[0, 0, 0, 0] op=9)
# tensors 14 (shape=[4] name='output.0' values=[0.89443, 1.118, 2.0624e+18, 1] op=10)
# ops 0 (name='tensor' inputs=[] outputs=[1] site=22:8-49 args='[2, 2.5, 4611686018427387904, 2.23607]' scope=1)
# ops 1 (name='max' inputs=[1] outputs=[2] site=23:13-20 scope=1)
# ops 2 (name='unbind' inputs=[1] outputs=[3, 4, 5, 6] site=25:58-71 scope=1)
# ops 3 (name='mul' inputs=[1] outputs=[7] site=29:12-21 args='2' scope=7 under=4)
# ops 4 (name='getitem' inputs=[7] outputs=[8] site=30:56-61 args=':2' scope=1)
# ops 5 (name='getitem' inputs=[7] outputs=[9] site=34:16-20 args='3' scope=1)
# ops 6 (name='div' inputs=[7, 9] outputs=[10] site=34:12-20 scope=1)
# ops 7 (name='rand' inputs=[] outputs=[11] site=38:17-30 args='4' scope=1)
# ops 8 (name='gt' inputs=[11] outputs=[12] site=38:17-34 args='2' scope=1)
# ops 9 (name='to' inputs=[12] outputs=[13] site=38:16-43 args='float32' scope=1)
# ops 10 (name='add' inputs=[10, 13] outputs=[14] site=38:12-43 scope=1)
# decisions 0 (site=25:39-71 arm='loop' outcome=2 origin='shape' trips=2 exit='exhausted' call_path=['forward'] predicate_op=0 scope=1 until=3)
# decisions 1 (site=15:25-37 arm='else' outcome=False origin='scalar' iterations=[[25, 0]] call_path=['forward', 'kind_of'] under=0 conditions=[(text='value > edge' op='>' lhs=2 rhs=3 value=None outcome=False margin=-1 origin='scalar' predicate_op=2)] margin=-1 predicate_op=2 scope=3)
# decisions 2 (site=15:25-37 arm='else' outcome=False origin='scalar' iterations=[[25, 1]] call_path=['forward', 'kind_of'] under=0 conditions=[(text='value > edge' op='>' lhs=2.5 rhs=3 value=None outcome=False margin=-0.5 origin='scalar' predicate_op=2)] margin=-0.5 predicate_op=2 scope=5)
# decisions 3 (site=26:7-39 arm='else' outcome=False call_path=['forward'] conditions=[(text='kinds["b"] is Kind.LARGE' op='is' lhs={type: 'Kind'} rhs={type: 'Kind'} value=None outcome=False), (text='flag' op=None lhs=None rhs=None value=False outcome=False)] scope=1)
# decisions 4 (site=28:9-34 arm='then' outcome=True origin='scalar~' call_path=['forward'] under=3 conditions=[(text='t.shape[0] == 4' op='==' lhs=4 rhs=4 value=None outcome=True margin=0 origin='shape' predicate_op=0), (text='bound' op=None lhs=None rhs=None value=2 outcome=True margin=2 origin='scalar~' predicate_op=1)] margin=0 predicate_op=1 scope=6)
# decisions 5 (site=30:47-70 arm='loop' outcome=2 origin='scalar~' trips=2 exit='exhausted' call_path=['forward'] predicate_op=4 scope=1 until=6)
# decisions 6 (site=31:10-15 arm='body' outcome=True origin='scalar~' iteration=0 call_path=['forward'] conditions=[(text='n < 3' op='<' lhs=2 rhs=3 value=None outcome=True margin=1 origin='scalar~' predicate_op=4)] margin=1 predicate_op=4 scope=1)
# decisions 7 (site=31:10-15 arm='exit' outcome=False origin='scalar~' iteration=1 call_path=['forward'] conditions=[(text='n < 3' op='<' lhs=3 rhs=3 value=None outcome=False margin=0 origin='scalar~' predicate_op=4)] margin=0 predicate_op=4 scope=1)
# inputs 0 (name='x' value=2)
# inputs 1 (name='words' value=['a', 'b'])
# inputs 2 (name='flag' value=False)
# inputs 3 (name='pair' value=[1, 2.5])
# inputs 4 (name='deep' value={k: '<Tensor>'})
# inputs 5 (name='z' value='<complex>')
# outputs 0 (name='output.0' tensor=14)
# outputs 1 (name='output.1' value='SMALL')
# outputs 2 (name='output.2' value={n: 3, z: '<complex>', big: 1606938044258990275541962092341162602522202993782792835301376, text: 'long long long long long long long long long long long long long long long long long long long long long long long long …', set: '<set>', type: '<dtype>'})
# warnings 0 'no output requires grad: nothing to go backward from'
# edges []
# left [27, 35, 36]
# reached {2: 1, 3: 1, 4: 1, 6: 1, 9: 1, 10: 1, 11: 1, 14: 2, 15: 2, 18: 1, 21: 1, 22: 1, 23: 1, 24: 1, 25: 1, 26: 1, 28: 1, 29: 1, 30: 1, 31: 2, 32: 1, 33: 1, 34: 1, 38: 1, 39: 1}
# line 15 [(test='if value > edge' took='F F' values='2.0 … 2.5 > 3.0')] None
# line 25 [(test='for word, value in zip(words, t)' took='2 trips' values='')] None
# line 26 [(test='' took='F' values='False False, Kind is Kind False')] None
# line 28 [(test='' took='T' values='4 == 4 True, 2 True')] None
# line 30 [(test='for v in t[:2].tolist()' took='2 trips' values='')] None
# line 31 [(test='' took='T F' values='2 … 3 < 3')] None
# decided (decisions=[0] because='2 trips' took='exhausted' left='' margin=None)
# decided (decisions=[1, 2] because='value = 2.0 … 2.5 > edge = 3.0' took='False x2' left='then' margin=-0.5 nesting=1)
# decided (decisions=[3] because="kinds['b'] = Kind is Kind.LARGE = Kind False, flag = False False" took='else' left='then' margin=None)
# decided (decisions=[4] because='t.shape[0] = 4 == 4 True, bound = 2 True' took='then' left='else' margin=0)
# decided (decisions=[5] because='2 trips' took='exhausted' left='' margin=None)
# decided (decisions=[6, 7] because='n = 2 … 3 < 3' took='True, False' left='' margin=0)
# cost (label='outside any module' first=0 ops=11)
# cost (label='whatever was decided' first=0 ops=10)
# cost (label='elif t.shape[0] == 4 and bound → then' first=3 site=28:9-34 ops=1)
# cost (label='getitem' first=4 ops=2)
# cost (label='tensor' first=0 ops=1)
# cost (label='max' first=1 ops=1)
# cost (label='unbind' first=2 ops=1)
# cost (label='mul' first=3 ops=1)
# cost (label='div' first=6 ops=1)
# cost (label='rand' first=7 ops=1)
# cost (label='gt' first=8 ops=1)
# cost (label='to' first=9 ops=1)
# cost (label='add' first=10 ops=1)
# held (size_bytes=16 why='value' tensor=10 op=6)
# held (size_bytes=16 why='value' tensor=13 op=9)
# held (size_bytes=16 why='output' tensor=14 op=10)
# held (size_bytes=8 why='input' tensor=0)
# memory 0 of [24, 28, 24, 40, 24, 24, 40, 40, 44, 44, 56]
# named ['', 'forward', 'for word, value in zip(words, t) line 25 step 0', 'kind_of', 'for word, value in zip(words, t) line 25 step 1', 'kind_of', 'if kinds["b"] is Kind.LARGE or flag → else', 'elif t.shape[0] == 4 and bound → then']
# graph [' · 11 ops · 8 decisions'] x = 2.0 · words = ['a', 'b'] · flag = False · pair = [1, 2.5] · z = '<complex>' · no gradient: no output requires grad
# box b1 (kind='loop' name='for' rest='word, value in zip(words, t) · line 25 · x 2' site=25:39-71 times=2)
# box b2 (kind='call' name='kind_of' rest='x 2' parent='b1' times=2)
# box b4 (kind='arm' name='True' site=28:9-34)
# box bn13a0 (kind='left' name='True' rest='line 27' site=26:7-39 times=0)
# box bn15a0 (kind='arm' name='loop' rest='line 30' site=30:47-70)
# box bn16a0 (kind='arm' name='True' rest='line 32' site=31:10-15)
# node n0 (kind='op' name='tensor' rest='[2, 2.5, 461168601842738790…' lines=['float32 [4] · [2, 2.5, 4.612e18, 2.236]', 'line 22'/faint] site=22:8-49 ops=[0])
# node n1 (kind='op' name='max' lines=['float32 [] · 4.612e18', 'line 23'/faint] site=23:13-20 ops=[1])
# node n11 (kind='decision' name='for word, value in zip(words, t)' lines=['line 25 · 2 trips (shape)'/plain] box='b1' site=25:39-71 decisions=[0] origin='shape')
# node n2 (kind='op' name='unbind' lines=['float32 [] · 2', 'line 25 · the first of 4 outputs'/faint] site=25:58-71 ops=[2])
# node n12 (kind='decision' name='if' rest='value > edge' lines=['line 15 · False x2'/plain, '2 … 2.5 > 3 (scalar)'/plain, 'margin -0.5'/plain] box='b2' site=15:25-37 decisions=[1, 2] origin='scalar') (each=[[0, 'False · 2 > 3', ''], [1, 'False · 2.5 > 3', '']])
# node n13 (kind='decision' name='if' rest='kinds["b"] is Kind.LARGE or flag' lines=['line 26'/plain, 'False False, Kind is Kind False (python)'/plain] site=26:7-39 decisions=[3] origin='python')
# node n14 (kind='decision' name='elif' rest='t.shape[0] == 4 and bound' lines=['line 28'/plain, '4 == 4 True, 2 True (probably scalar)'/plain, 'margin 0'/plain] site=28:9-34 decisions=[4] origin='scalar~')
# node n3 (kind='op' name='mul' rest='2' lines=['float32 [4] · [4, 5, 9.223e18, 4.472]', 'line 29'/faint] box='b4' site=29:12-21 ops=[3])
# node n4 (kind='op' name='getitem' rest=':2' lines=['float32 [2] · [4, 5]', 'line 30'/faint] site=30:56-61 ops=[4])
# node n15 (kind='decision' name='for v in t[:2].tolist()' lines=['line 30'/plain, '2 trips (probably scalar)'/plain] site=30:47-70 decisions=[5] origin='scalar~')
# node n16 (kind='decision' name='while' rest='n < 3' lines=['line 31 · True, False'/plain, '2 … 3 < 3 (probably scalar)'/plain, 'margin 0'/plain] site=31:10-15 decisions=[6, 7] origin='scalar~')
# node n5 (kind='op' name='getitem' rest='3' lines=['float32 [] · 4.472', 'line 34'/faint] site=34:16-20 ops=[5])
# node n6 (kind='op' name='div' lines=['float32 [4] · [0.8944, 1.118, 2.062e18, 1]', 'line 34'/faint] site=34:12-20 ops=[6])
# node n7 (kind='op' name='rand' rest='4' lines=['float32 [4] · [0.4963, 0.7682, 0.08848, 0.132]', 'line 38'/faint] site=38:17-30 ops=[7])
# node n8 (kind='op' name='gt' rest='2' lines=['bool [4] · [False, False, False, False]', 'line 38'/faint] site=38:17-34 ops=[8])
# node n9 (kind='op' name='to' rest='float32' lines=['float32 [4] · [0, 0, 0, 0]', 'line 38'/faint] site=38:16-43 ops=[9])
# node n10 (kind='op' name='add' rest='→ output.0' lines=['float32 [4] · [0.8944, 1.118, 2.062e18, 1]', 'line 38'/faint] site=38:12-43 ops=[10])
# node n13a0 (kind='ghost' name='' lines=['t = t[:2]'/source] box='bn13a0' site=26:7-39 span=[27, 27])
# node n15a0 (kind='done' name='' lines=['n = reduce(lambda a, b: a + b, [int(v > 2) for …'/source] box='bn15a0' site=30:47-70 span=[30, 30])
# node n16a0 (kind='done' name='' lines=['n += 1'/source] box='bn16a0' site=31:10-15 span=[32, 32])
# node out0 (kind='output' name='output.0' lines=['float32 [4] · [0.8944, 1.118, 2.062e18, 1]'] tensors=[14])
# node out1 (kind='output' name='output.1' lines=["'SMALL'"])
# node out2 (kind='output' name='output.2' lines=["{'n': 3, 'z': '<complex>', 'big': ~1e60, 'text'…"])
# edge n0 n1 data   both
# edge n0 n2 data   both
# edge n0 n3 data   both
# edge n3 n4 data   both
# edge n3 n5 data   both
# edge n3 n6 data   both
# edge n5 n6 data   both
# edge n7 n8 data   both
# edge n8 n9 data   both
# edge n6 n10 data   both
# edge n9 n10 data   both
# edge n0 n11 predicate   both
# edge n2 n12 predicate   both
# edge n0 n14 predicate   both
# edge n1 n14 predicate   both
# edge n4 n15 predicate   both
# edge n4 n16 predicate   both
# edge n11 n12 taken loop  both
# edge n13 n13a0 left True  both
# edge n13 n14 taken False  both
# edge n14 n3 taken True  both
# edge n15 n15a0 taken loop  both
# edge n16 n16a0 taken True  both
# edge n10 out0 data   both
