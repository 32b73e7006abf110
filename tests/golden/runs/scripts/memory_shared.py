# run: {"inputs": ["[[1, 2], [3, 4]]", "0.5"]}
# other: {"inputs": ["[[1, 2], [3, 5]]", "0.5"]}
import dyncore as torch

table = torch.zeros(4)
scratch = torch.empty(2)


def forward(x, rate):
    flat = x.view(-1)
    table[1:3] = flat[:2].detach()
    table.mul_(2).add_(1)
    out = x.clone()
    out[0] += flat[2:]
    out[:, 1].mul_(rate)
    torch.add(flat[:2].detach(), 1, out=scratch)
    turned = out.t().contiguous()
    parts = turned.split(1)
    left, right = parts[0].squeeze(0), parts[1].expand(2, 2)
    table.data[0] = 7
    del turned
    with torch.no_grad():
        frozen = (left * 2).tolist()
    result = left @ right + table.sum() * x[1, 1]
    return {"result": result, "frozen": frozen, "view": flat[1:], "none": None, "word": "a"}

# ----
# ok forced=() unrecorded=((25, 26),) None
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# calls 0 (line=9 times=1 returned=1)
# tensors 0 (shape=[2, 2] role='input' name='x' requires_grad=True values=[1, 2, 3, 4])
# tensors 1 (shape=[] role='input' name='rate' requires_grad=True values=[0.5])
# tensors 2 (shape=[4] role='constant' name='table' values=[0, 0, 0, 0])
# tensors 3 (shape=[] role='constant' values=[7])
# tensors 4 (shape=[4] requires_grad=True values=[1, 2, 3, 4] op=0 shares=0)
# tensors 5 (shape=[2] requires_grad=True values=[1, 2] op=1 shares=4)
# tensors 6 (shape=[2] values=[1, 2] op=2 shares=5)
# tensors 7 (shape=[2] values=[0, 0] op=3 shares=2)
# tensors 8 (shape=[2] values=[1, 2] op=4 shares=7)
# tensors 9 (shape=[4] values=[0, 1, 2, 0] op=4 shares=2)
# tensors 10 (shape=[4] values=[0, 2, 4, 0] op=5 shares=9)
# tensors 11 (shape=[4] values=[1, 3, 5, 1] op=6 shares=10)
# tensors 12 (shape=[2, 2] requires_grad=True values=[1, 2, 3, 4] op=7)
# tensors 13 (shape=[2] requires_grad=True values=[1, 2] op=8 shares=12)
# tensors 14 (shape=[2] requires_grad=True values=[3, 4] op=9 shares=4)
# tensors 15 (shape=[2] requires_grad=True values=[4, 6] op=10 shares=13)
# tensors 16 (shape=[2, 2] requires_grad=True values=[4, 6, 3, 4] op=10 shares=12)
# tensors 17 (shape=[2] requires_grad=True values=[4, 6] op=11 shares=16)
# tensors 18 (shape=[2] requires_grad=True values=[4, 6] op=12 shares=17)
# tensors 19 (shape=[2, 2] requires_grad=True values=[4, 6, 3, 4] op=12 shares=16)
# tensors 20 (shape=[2] requires_grad=True values=[6, 4] op=13 shares=19)
# tensors 21 (shape=[2] requires_grad=True values=[3, 2] op=14 shares=20)
# tensors 22 (shape=[2, 2] requires_grad=True values=[4, 3, 3, 2] op=14 shares=19)
# tensors 23 (shape=[2] requires_grad=True values=[1, 2] op=15 shares=4)
# tensors 24 (shape=[2] values=[1, 2] op=16 shares=23)
# tensors 25 (shape=[2] values=[2, 3] op=17)
# tensors 26 (shape=[2, 2] requires_grad=True values=[4, 3, 3, 2] op=18 shares=22)
# tensors 27 (shape=[2, 2] requires_grad=True values=[4, 3, 3, 2] op=19)
# tensors 28 (shape=[1, 2] requires_grad=True values=[4, 3] op=20 shares=27)
# tensors 29 (shape=[1, 2] requires_grad=True values=[3, 2] op=20 shares=27)
# tensors 30 (shape=[2] requires_grad=True values=[4, 3] op=21 shares=28)
# tensors 31 (shape=[2, 2] requires_grad=True values=[3, 2, 3, 2] op=22 shares=29)
# tensors 32 (shape=[] values=[1] op=23 shares=11)
# tensors 33 (shape=[] values=[7] op=24 shares=32)
# tensors 34 (shape=[4] values=[7, 3, 5, 1] op=24 shares=11)
# tensors 35 (shape=[2] values=[8, 6] op=25)
# tensors 36 (shape=[2] requires_grad=True values=[21, 14] op=26)
# tensors 37 (shape=[] values=[16] op=27)
# tensors 38 (shape=[] requires_grad=True values=[4] op=28 shares=0)
# tensors 39 (shape=[] requires_grad=True values=[64] op=29)
# tensors 40 (shape=[2] name='result' requires_grad=True values=[85, 78] op=30)
# tensors 41 (shape=[3] name='view' requires_grad=True values=[2, 3, 4] op=31 shares=4)
# tensors 42 (shape=[2, 2] role='gradient' name='x.grad' values=[5, 4.5, 11, 40])
# tensors 43 (shape=[] role='gradient' name='rate.grad' values=[70])
# tensors 44 (shape=[3] role='gradient' values=[1, 1, 1])
# tensors 45 (shape=[2] role='gradient' values=[1, 1])
# tensors 46 (shape=[] role='gradient' values=[2])
# tensors 47 (shape=[] role='gradient' values=[32])
# tensors 48 (shape=[2] role='gradient' values=[1, 1])
# tensors 49 (shape=[2, 2] role='gradient' values=[4, 4, 3, 3])
# tensors 50 (shape=[2] role='gradient' values=[5, 5])
# tensors 51 (shape=[2, 2] role='gradient' values=[5, 5, 7, 7])
# tensors 52 (shape=[2, 2] role='gradient' values=[5, 5, 7, 7])
# tensors 53 (shape=[2, 2] role='gradient' values=[5, 7, 5, 7])
# tensors 54 (shape=[2, 2] role='gradient' values=[5, 3.5, 5, 3.5])
# tensors 55 (shape=[2] role='gradient' values=[5, 3.5])
# tensors 56 (shape=[2, 2] role='gradient' values=[5, 3.5, 5, 3.5])
# tensors 57 (shape=[2] role='gradient' values=[5, 3.5])
# tensors 58 (shape=[2, 2] role='gradient' values=[5, 3.5, 5, 3.5])
# tensors 59 (shape=[4] role='gradient' values=[0, 1, 6, 4.5])
# tensors 60 (shape=[1, 2] role='gradient' values=[7, 7])
# tensors 61 (shape=[1, 2] role='gradient' values=[5, 5])
# tensors 62 (shape=[4] role='gradient' values=[0, 1, 1, 1])
# tensors 63 (shape=[2] role='gradient' values=[1, 1])
# tensors 64 (shape=[] role='gradient' values=[2])
# tensors 65 (shape=[] role='gradient' values=[32])
# tensors 66 (shape=[2, 2] role='gradient' values=[0, 0, 0, 32])
# tensors 67 (shape=[2] role='gradient' values=[5, 5])
# tensors 68 (shape=[2, 2] role='gradient' values=[4, 4, 3, 3])
# tensors 69 (shape=[1, 2] role='gradient' values=[7, 7])
# tensors 70 (shape=[1, 2] role='gradient' values=[5, 5])
# tensors 71 (shape=[2, 2] role='gradient' values=[5, 5, 7, 7])
# tensors 72 (shape=[2, 2] role='gradient' values=[5, 5, 7, 7])
# tensors 73 (shape=[2, 2] role='gradient' values=[5, 7, 5, 7])
# tensors 74 (shape=[2, 2] role='gradient' values=[5, 3.5, 5, 3.5])
# tensors 75 (shape=[] role='gradient' values=[70])
# tensors 76 (shape=[2, 2] role='gradient' values=[0, 0, 5, 3.5])
# tensors 77 (shape=[2] role='gradient' values=[5, 3.5])
# tensors 78 (shape=[2, 2] role='gradient' values=[5, 3.5, 0, 0])
# tensors 79 (shape=[2, 2] role='gradient' values=[5, 3.5, 5, 3.5])
# tensors 80 (shape=[2] role='gradient' values=[5, 3.5])
# tensors 81 (shape=[4] role='gradient' values=[0, 0, 5, 3.5])
# tensors 82 (shape=[2, 2] role='gradient' values=[5, 3.5, 5, 3.5])
# tensors 83 (shape=[2, 2] role='gradient' values=[0, 1, 6, 4.5])
# ops 0 (name='view' inputs=[0] outputs=[4] site=10:11-21 args='-1' scope=1 grad_fn='ViewBackward0')
# ops 1 (name='getitem' inputs=[4] outputs=[5] site=11:17-25 args=':2' scope=1 grad_fn='GetitemBackward0')
# ops 2 (name='detach' inputs=[5] outputs=[6] site=11:17-34 scope=1)
# ops 3 (name='getitem' inputs=[2] outputs=[7] site=11:4-14 args='(1:3)' scope=1)
# ops 4 (name='copy_' inputs=[7, 6] outputs=[8] site=11:4-14 scope=1 inplace=True)
# ops 5 (name='mul_' inputs=[9] outputs=[10] site=12:4-17 args='2' scope=1 inplace=True)
# ops 6 (name='add_' inputs=[10] outputs=[11] site=12:4-25 args='1' scope=1 inplace=True)
# ops 7 (name='clone' inputs=[0] outputs=[12] site=13:10-19 scope=1 grad_fn='CloneBackward0')
# ops 8 (name='getitem' inputs=[12] outputs=[13] site=14:4-10 args='0' scope=1 grad_fn='GetitemBackward0')
# ops 9 (name='getitem' inputs=[4] outputs=[14] site=14:14-22 args='2:' scope=1 grad_fn='GetitemBackward0')
# ops 10 (name='add_' inputs=[13, 14] outputs=[15] site=14:4-22 scope=1 grad_fn='AddBackward0' inplace=True)
# ops 11 (name='getitem' inputs=[16] outputs=[17] site=14:4-10 args='(0)' scope=1 grad_fn='GetitemBackward0')
# ops 12 (name='copy_' inputs=[17, 15] outputs=[18] site=14:4-10 scope=1 grad_fn='torch::autograd::CopyBackwards' inplace=True)
# ops 13 (name='getitem' inputs=[19] outputs=[20] site=15:4-13 args='(:, 1)' scope=1 grad_fn='GetitemBackward0')
# ops 14 (name='mul_' inputs=[20, 1] outputs=[21] site=15:4-24 scope=1 saved_bytes=12 grad_fn='MulBackward0' inplace=True saved=[1, 20])
# ops 15 (name='getitem' inputs=[4] outputs=[23] site=16:14-22 args=':2' scope=1 grad_fn='GetitemBackward0')
# ops 16 (name='detach' inputs=[23] outputs=[24] site=16:14-31 scope=1)
# ops 17 (name='add' inputs=[24] outputs=[25] site=16:4-48 args='1' scope=1)
# ops 18 (name='t' inputs=[22] outputs=[26] site=17:13-20 scope=1 grad_fn='TBackward0')
# ops 19 (name='contiguous' inputs=[26] outputs=[27] site=17:13-33 scope=1 grad_fn='CloneBackward0')
# ops 20 (name='split' inputs=[27] outputs=[28, 29] site=18:12-27 args='1' scope=1 grad_fn='SplitBackward0')
# ops 21 (name='squeeze' inputs=[28] outputs=[30] site=19:18-37 args='0' scope=1 grad_fn='SqueezeBackward0')
# ops 22 (name='expand' inputs=[29] outputs=[31] site=19:39-60 args='2, 2' scope=1 grad_fn='ExpandBackward0')
# ops 23 (name='getitem' inputs=[11] outputs=[32] site=20:4-17 args='(0)' scope=1)
# ops 24 (name='copy_' inputs=[32, 3] outputs=[33] site=20:4-17 scope=1 inplace=True)
# ops 25 (name='mul' inputs=[30] outputs=[35] site=23:18-26 args='2' scope=1)
# ops 26 (name='matmul' inputs=[30, 31] outputs=[36] site=24:13-25 scope=1 saved_bytes=24 grad_fn='MatmulBackward0' saved=[30, 31])
# ops 27 (name='sum' inputs=[11] outputs=[37] site=24:28-39 scope=1)
# ops 28 (name='getitem' inputs=[0] outputs=[38] site=24:42-49 args='(1, 1)' scope=1 grad_fn='GetitemBackward0')
# ops 29 (name='mul' inputs=[37, 38] outputs=[39] site=24:28-49 scope=1 saved_bytes=4 grad_fn='MulBackward0' saved=[37])
# ops 30 (name='add' inputs=[36, 39] outputs=[40] site=24:13-49 scope=1 grad_fn='AddBackward0')
# ops 31 (name='getitem' inputs=[4] outputs=[41] site=25:56-64 args='1:' scope=1 grad_fn='GetitemBackward0')
# inputs 0 (name='x' tensor=0)
# inputs 1 (name='rate' tensor=1)
# outputs 0 (name='result' tensor=40)
# outputs 1 (name='frozen' value=[8, 6])
# outputs 2 (name='view' tensor=41)
# outputs 3 (name='none')
# outputs 4 (name='word' value='a')
# backwards 0 (site=None root=40 seed='ones' gradients=[(name='x' tensor=0 role='input' value=42), (name='rate' tensor=1 role='input' value=43), (name='view' tensor=41 role='intermediate' value=44), (name='result' tensor=40 role='intermediate' value=45), (name='t39' tensor=39 role='intermediate' value=46), (name='t38' tensor=38 role='intermediate' value=47), (name='t36' tensor=36 role='intermediate' value=48), (name='t31' tensor=31 role='intermediate' value=49), (name='t30' tensor=30 role='intermediate' value=50), (name='t27' tensor=27 role='intermediate' value=51), (name='t26' tensor=26 role='intermediate' value=52), (name='t22' tensor=22 role='intermediate' value=53), (name='t19' tensor=19 role='intermediate' value=54), (name='t15' tensor=15 role='intermediate' value=55), (name='t16' tensor=16 role='intermediate' value=56), (name='t14' tensor=14 role='intermediate' value=57), (name='t12' tensor=12 role='intermediate' value=58), (name='t4' tensor=4 role='intermediate' value=59), (name='t29' tensor=29 role='intermediate' value=60), (name='t28' tensor=28 role='intermediate' value=61)] after=32 nodes=[31, 30, 29, 28, 26, 22, 21, 20, 19, 18, 14, 12, 10, 10, 9, 7, 0])
# edges [[31, 4, 62], [30, 36, 63], [30, 39, 64], [29, 38, 65], [28, 0, 66], [26, 30, 67], [26, 31, 68], [22, 29, 69], [21, 28, 70], [20, 27, 71], [19, 26, 72], [18, 22, 73], [14, 19, 74], [14, 1, 75], [12, 16, 76], [12, 15, 77], [10, 16, 78], [10, 12, 79], [10, 14, 80], [9, 4, 81], [7, 0, 82], [0, 0, 83]]
# left []
# reached {3: 1, 5: 1, 6: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1, 16: 1, 17: 1, 18: 1, 19: 1, 20: 1, 21: 1, 22: 1, 23: 1, 24: 1, 25: 1}
# gradient (name='x' shape='[2, 2]' values='[[5, 4.5],\n [11, 40]]')
# gradient (name='rate' shape='[]' values='70')
# cost (label='outside any module' first=0 ops=32 nodes=16 saved_bytes=40)
# cost (label='whatever was decided' first=0 ops=32 nodes=16 saved_bytes=40)
# cost (label='getitem' first=1 ops=10 nodes=3)
# cost (label='copy_' first=4 ops=3 nodes=1)
# cost (label='detach' first=2 ops=2)
# cost (label='mul_' first=5 ops=2 nodes=1 saved_bytes=12)
# cost (label='add_' first=6 ops=2 nodes=1)
# cost (label='add' first=17 ops=2 nodes=1)
# cost (label='mul' first=25 ops=2 nodes=1 saved_bytes=4)
# cost (label='view' first=0 ops=1 nodes=1)
# cost (label='clone' first=7 ops=1 nodes=1)
# cost (label='t' first=18 ops=1 nodes=1)
# cost (label='contiguous' first=19 ops=1 nodes=1)
# cost (label='split' first=20 ops=1 nodes=1)
# cost (label='squeeze' first=21 ops=1 nodes=1)
# cost (label='expand' first=22 ops=1 nodes=1)
# cost (label='matmul' first=26 ops=1 nodes=1 saved_bytes=24)
# cost (label='sum' first=27 ops=1)
# held (size_bytes=16 why='gradient' tensor=0)
# held (size_bytes=16 why='input' tensor=0)
# held (size_bytes=16 why='gradient' tensor=4 op=0)
# held (size_bytes=16 why='backward' tensor=12 op=7)
# held (size_bytes=16 why='gradient' tensor=12 op=7)
# held (size_bytes=16 why='backward' tensor=27 op=19)
# held (size_bytes=16 why='gradient' tensor=31 op=22)
# held (size_bytes=8 why='gradient' tensor=18 op=12)
# held (size_bytes=8 why='gradient' tensor=30 op=21)
# held (size_bytes=8 why='gradient' tensor=36 op=26)
# held (size_bytes=8 why='output' tensor=40 op=30)
# held (size_bytes=4 why='input' tensor=1)
# memory 32 of [20, 20, 20, 36, 36, 36, 36, 52, 52, 52, 52, 52, 52, 52, 52, 52, 52, 60, 52, 68, 68, 68, 68, 68, 72, 76, 76, 80, 64, 68, 76, 64, 124, 124, 120, 128, 148, 140, 124, 132, 132, 124, 112, 104, 104, 96, 88, 80, 64]
# named ['', 'forward']
# parting None
# decisions []
# ops [(a=0 b=0), (a=7 b=7), (a=9 b=9), (a=10 b=10), (a=11 b=11), (a=12 b=12), (a=13 b=13), (a=14 b=14), (a=18 b=18), (a=19 b=19), (a=20 b=20), (a=22 b=22), (a=26 b=26), (a=28 b=28), (a=29 b=29), (a=30 b=30), (a=31 b=31)]
# choices []
# flows [(ops=(a=21 b=21) backward=0 a=50 b=50), (ops=(a=19 b=19) backward=0 a=51 b=51), (ops=(a=18 b=18) backward=0 a=52 b=52), (ops=(a=10 b=10) backward=0 a=55 b=55), (ops=(a=9 b=9) backward=0 a=57 b=57), (ops=(a=7 b=7) backward=0 a=58 b=58), (ops=(a=0 b=0) backward=0 a=59 b=59)]
# counts {decisions: (), choices: (), ops: (same=15 differ=17), outputs: (same=3 differ=2), gradients: (differ=2), op_gradients: (same=6 differ=7)}
# same_end True
# share 1
# input x False 1
# input rate True 0
# output result False 19.5
# output frozen True None
# output view False 1
# output none True None
# output word True None
# gradient x False 2
# gradient rate False 14
# graph [' · two runs'] blue: only A · magenta: only B
# node n0 (kind='input' name='x' lines=['A: float32 [2, 2] · [[1, 2], [3, 4]]', 'B: float32 [2, 2] · [[1, 2], [3, 5]]', 'A: grad [[5, 4.5], [11, 40]]'/gradient, 'B: grad [[6, 4.5], [13, 40]]'/gradient] tensors=[0])
# node n1 (kind='input' name='rate' lines=['float32 [] · 0.5', 'A: grad 70'/gradient, 'B: grad 84'/gradient] tensors=[1])
# node n2 (kind='constant' name='table' lines=['float32 [4] · [0, 0, 0, 0]'] tensors=[2])
# node n3 (kind='constant' name='constant' lines=['float32 [] · 7'] tensors=[3])
# node n4 (kind='op' name='view' rest='-1' lines=['A: float32 [4] · [1, 2, 3, 4]', 'B: float32 [4] · [1, 2, 3, 5]', 'A: grad [0, 1, 6, 4.5]'/gradient, 'B: grad [0, 1, 7, 4.5]'/gradient, 'line 10'/faint] site=10:11-21 ops=[0])
# node n5 (kind='op' name='getitem' rest=':2' lines=['float32 [2] · [1, 2]', 'line 11'/faint] site=11:17-25 ops=[1])
# node n6 (kind='op' name='detach' lines=['float32 [2] · [1, 2]', 'line 11'/faint] site=11:17-34 ops=[2])
# node n7 (kind='op' name='getitem' rest='(1:3)' lines=['float32 [2] · [0, 0]', 'line 11'/faint] site=11:4-14 ops=[3])
# node n8 (kind='op' name='copy_' lines=['float32 [4] · [0, 1, 2, 0]', 'line 11'/faint] site=11:4-14 ops=[4])
# node n9 (kind='op' name='mul_' rest='2' lines=['float32 [4] · [0, 2, 4, 0]', 'line 12'/faint] site=12:4-17 ops=[5])
# node n10 (kind='op' name='add_' rest='1' lines=['float32 [4] · [1, 3, 5, 1]', 'line 12'/faint] site=12:4-25 ops=[6])
# node n11 (kind='op' name='clone' lines=['A: float32 [2, 2] · [[1, 2], [3, 4]]', 'B: float32 [2, 2] · [[1, 2], [3, 5]]', 'A: grad [[5, 3.5], [5, 3.5]]'/gradient, 'B: grad [[6, 3.5], [6, 3.5]]'/gradient, 'line 13'/faint] site=13:10-19 ops=[7])
# node n12 (kind='op' name='getitem' rest='0' lines=['float32 [2] · [1, 2]', 'line 14'/faint] site=14:4-10 ops=[8])
# node n13 (kind='op' name='getitem' rest='2:' lines=['A: float32 [2] · [3, 4]', 'B: float32 [2] · [3, 5]', 'A: grad [5, 3.5]'/gradient, 'B: grad [6, 3.5]'/gradient, 'line 14'/faint] site=14:14-22 ops=[9])
# node n14 (kind='op' name='add_' lines=['A: float32 [2, 2] · [[4, 6], [3, 4]]', 'B: float32 [2, 2] · [[4, 7], [3, 5]]', 'A: grad [[5, 3.5], [5, 3.5]]'/gradient, 'B: grad [[6, 3.5], [6, 3.5]]'/gradient, 'line 14'/faint] site=14:4-22 ops=[10])
# node n15 (kind='op' name='getitem' rest='(0)' lines=['A: float32 [2] · [4, 6]', 'B: float32 [2] · [4, 7]', 'line 14'/faint] site=14:4-10 ops=[11])
# node n16 (kind='op' name='copy_' lines=['A: float32 [2, 2] · [[4, 6], [3, 4]]', 'B: float32 [2, 2] · [[4, 7], [3, 5]]', 'A: grad [[5, 3.5], [5, 3.5]]'/gradient, 'B: grad [[6, 3.5], [6, 3.5]]'/gradient, 'line 14'/faint] site=14:4-10 ops=[12])
# node n17 (kind='op' name='getitem' rest='(:, 1)' lines=['A: float32 [2] · [6, 4]', 'B: float32 [2] · [7, 5]', 'line 15'/faint] site=15:4-13 ops=[13])
# node n18 (kind='op' name='mul_' lines=['A: float32 [2, 2] · [[4, 3], [3, 2]]', 'B: float32 [2, 2] · [[4, 3.5], [3, 2.5]]', 'A: grad [[5, 7], [5, 7]]'/gradient, 'B: grad [[6, 7], [6, 7]]'/gradient, 'line 15 · saves 12 B'/faint] site=15:4-24 ops=[14])
# node n19 (kind='fold' name='read by no op' rest='getitem, detach, add' lines=['float32 [2] · [2, 3]', 'line 16 · 3 ops'/faint] site=16:14-22 ops=[15, 16, 17])
# node n20 (kind='op' name='t' lines=['A: float32 [2, 2] · [[4, 3], [3, 2]]', 'B: float32 [2, 2] · [[4, 3], [3.5, 2.5]]', 'A: grad [[5, 5], [7, 7]]'/gradient, 'B: grad [[6, 6], [7, 7]]'/gradient, 'line 17'/faint] site=17:13-20 ops=[18])
# node n21 (kind='op' name='contiguous' lines=['A: float32 [2, 2] · [[4, 3], [3, 2]]', 'B: float32 [2, 2] · [[4, 3], [3.5, 2.5]]', 'A: grad [[5, 5], [7, 7]]'/gradient, 'B: grad [[6, 6], [7, 7]]'/gradient, 'line 17'/faint] site=17:13-33 ops=[19])
# node n22 (kind='op' name='split' rest='1' lines=['float32 [1, 2] · [[4, 3]]', 'A: grad [[5, 5]]'/gradient, 'B: grad [[6, 6]]'/gradient, 'line 18 · the first of 2 outputs'/faint] site=18:12-27 ops=[20])
# node n23 (kind='op' name='squeeze' rest='0' lines=['float32 [2] · [4, 3]', 'A: grad [5, 5]'/gradient, 'B: grad [6, 6]'/gradient, 'line 19'/faint] site=19:18-37 ops=[21])
# node n24 (kind='op' name='expand' rest='2, 2' lines=['A: float32 [2, 2] · [[3, 2], [3, 2]]', 'B: float32 [2, 2] · [[3.5, 2.5], [3.5, 2.5]]', 'grad [[4, 4], [3, 3]]'/gradient, 'line 19'/faint] site=19:39-60 ops=[22])
# node n25 (kind='op' name='getitem' rest='(0)' lines=['float32 [] · 1', 'line 20'/faint] site=20:4-17 ops=[23])
# node n26 (kind='op' name='copy_' lines=['float32 [4] · [7, 3, 5, 1]', 'line 20'/faint] site=20:4-17 ops=[24])
# node n27 (kind='op' name='mul' rest='2' lines=['float32 [2] · [8, 6]', 'line 23 · no_grad'/faint] site=23:18-26 ops=[25] unrecorded=True)
# node n28 (kind='op' name='matmul' lines=['A: float32 [2] · [21, 14]', 'B: float32 [2] · [24.5, 17.5]', 'grad [1, 1]'/gradient, 'line 24 · saves 24 B'/faint] site=24:13-25 ops=[26])
# node n29 (kind='op' name='sum' lines=['float32 [] · 16', 'line 24'/faint] site=24:28-39 ops=[27])
# node n30 (kind='op' name='getitem' rest='(1, 1)' lines=['A: float32 [] · 4', 'B: float32 [] · 5', 'grad 32'/gradient, 'line 24'/faint] site=24:42-49 ops=[28])
# node n31 (kind='op' name='mul' lines=['A: float32 [] · 64', 'B: float32 [] · 80', 'grad 2'/gradient, 'line 24 · saves 4 B'/faint] site=24:28-49 ops=[29])
# node n32 (kind='op' name='add' rest='→ result' lines=['A: float32 [2] · [85, 78]', 'B: float32 [2] · [104.5, 97.5]', 'grad [1, 1]'/gradient, 'line 24'/faint] site=24:13-49 ops=[30])
# node n33 (kind='op' name='getitem' rest='1: → view' lines=['A: float32 [3] · [2, 3, 4]', 'B: float32 [3] · [2, 3, 5]', 'grad [1, 1, 1]'/gradient, 'line 25'/faint] site=25:56-64 ops=[31])
# node n34 (kind='output' name='result' lines=['A: float32 [2] · [85, 78]', 'B: float32 [2] · [104.5, 97.5]', 'backward · seed ones'/gradient] tensors=[40])
# node n35 (kind='output' name='frozen' lines=['[8.0, 6.0]'])
# node n36 (kind='output' name='view' lines=['A: float32 [3] · [2, 3, 4]', 'B: float32 [3] · [2, 3, 5]', 'backward · seed ones'/gradient] tensors=[41])
# node n37 (kind='output' name='none' lines=['None'])
# node n38 (kind='output' name='word' lines=["'a'"])
# edge n0 n4 data  A: [[0, 1], [6, 4.5]], B: [[0, 1], [7, 4.5]] both
# edge n4 n5 data   both
# edge n5 n6 data   both
# edge n2 n7 data   both
# edge n7 n8 data   both
# edge n6 n8 data   both
# edge n8 n9 data   both
# edge n9 n10 data   both
# edge n0 n11 data  A: [[5, 3.5], [5, 3.5]], B: [[6, 3.5], [6, 3.5]] both
# edge n11 n12 data   both
# edge n4 n13 data  A: [0, 0, 5, 3.5], B: [0, 0, 6, 3.5] both
# edge n12 n14 data   both
# edge n13 n14 data  A: [5, 3.5], B: [6, 3.5] both
# edge n14 n15 data   both
# edge n15 n16 data   both
# edge n14 n16 data  A: [5, 3.5], B: [6, 3.5] both
# edge n16 n17 data   both
# edge n17 n18 data   both
# edge n1 n18 data  A: 70, B: 84 both
# edge n4 n19 data   both
# edge n18 n20 data  A: [[5, 7], [5, 7]], B: [[6, 7], [6, 7]] both
# edge n20 n21 data  A: [[5, 5], [7, 7]], B: [[6, 6], [7, 7]] both
# edge n21 n22 data  A: [[5, 5], [7, 7]], B: [[6, 6], [7, 7]] both
# edge n22 n23 data  A: [[5, 5]], B: [[6, 6]] both
# edge n22 n24 data  [[7, 7]] both
# edge n10 n25 data   both
# edge n25 n26 data   both
# edge n3 n26 data   both
# edge n23 n27 data   both
# edge n23 n28 data  A: [5, 5], B: [6, 6] both
# edge n24 n28 data  [[4, 4], [3, 3]] both
# edge n10 n29 data   both
# edge n26 n29 data   both
# edge n0 n30 data  [[0, 0], [0, 32]] both
# edge n29 n31 data   both
# edge n30 n31 data  32 both
# edge n28 n32 data  [1, 1] both
# edge n31 n32 data  2 both
# edge n4 n33 data  [0, 1, 1, 1] both
# edge n32 n34 data   both
# edge n33 n36 data   both
