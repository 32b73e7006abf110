# run: {"inputs": ["[[1, -1], [0.5, 2], [3, 0], [-1, 1]]"], "watch": true}
# other: {"inputs": ["[[1, -1], [0.5, 2], [3, 4], [-1, 1]]"], "watch": true}
import dyncore as torch

router = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]], requires_grad=True)
scales = torch.tensor([2.0, -1.0, 0.25], requires_grad=True)


def forward(x):
    scores = (x @ router.t()).softmax(dim=1)
    best = scores.argmax(dim=1)
    order = best.argsort()
    counts = best.bincount(minlength=3).tolist()
    parts = []
    for expert, rows in enumerate(x[order].split(counts)):
        if rows.shape[0] == 0:
            continue
        parts.append(rows * scales[expert])
    mixed = torch.cat(parts)[order.argsort()] * scores.gather(1, best[:, None])
    values, kept = mixed.norm(dim=1).sort(descending=True)
    far = torch.logspace(1, 99, 2)
    beyond = torch.bucketize(values, torch.tensor([0.5, 2.0]))
    mask = (values > values.median()) & (beyond == 1)
    return mixed[kept[:2]].sum() + values[mask].sum() + far.min() * torch.cumsum(values, 0).max()

# ----
# ok forced=() unrecorded=() None
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# scopes 2 (parent=1 kind='iteration' name='for expert, rows in enumerate(x[order].split(counts))' site=15:4-57 index=0 decision=0)
# scopes 3 (parent=2 kind='arm' name='else' site=16:11-29 decision=1)
# scopes 4 (parent=1 kind='iteration' name='for expert, rows in enumerate(x[order].split(counts))' site=15:4-57 index=1 decision=0)
# scopes 5 (parent=4 kind='arm' name='else' site=16:11-29 decision=2)
# scopes 6 (parent=1 kind='iteration' name='for expert, rows in enumerate(x[order].split(counts))' site=15:4-57 index=2 decision=0)
# calls 0 (line=9 times=1 returned=1)
# tensors 0 (shape=[4, 2] role='input' name='x' requires_grad=True values=[1, -1, 0.5, 2, 3, 0, -1, 1])
# tensors 1 (shape=[3, 2] role='parameter' name='router' requires_grad=True values=[1, 0, 0, 1, 0.5, 0.5])
# tensors 2 (shape=[3] role='parameter' name='scales' requires_grad=True values=[2, -1, 0.25])
# tensors 3 (shape=[2, 3] requires_grad=True values=[1, 0, 0.5, 0, 1, 0.5] op=0 shares=1)
# tensors 4 (shape=[4, 3] requires_grad=True values=[1, -1, 0, 0.5, 2, 1.25, 3, 0, 1.5, -1, 1, 0] op=1)
# tensors 5 (shape=[4, 3] requires_grad=True values=[0.66524, 0.090031, 0.24473, 0.1316, 0.5898, 0.2786, 0.7856, 0.039113, 0.17529, 0.090031, 0.66524, 0.24473] op=2)
# tensors 6 (shape=[4] dtype='int64' values=[0, 1, 0, 1] op=3)
# tensors 7 (shape=[4] dtype='int64' values=[0, 2, 1, 3] op=4)
# tensors 8 (shape=[3] dtype='int64' values=[2, 2, 0] op=5)
# tensors 9 (shape=[4, 2] requires_grad=True values=[1, -1, 3, 0, 0.5, 2, -1, 1] op=6)
# tensors 10 (shape=[2, 2] requires_grad=True values=[1, -1, 3, 0] op=7 shares=9)
# tensors 11 (shape=[2, 2] requires_grad=True values=[0.5, 2, -1, 1] op=7 shares=9)
# tensors 12 (shape=[0, 2] requires_grad=True values=[] op=7 shares=9)
# tensors 13 (shape=[] requires_grad=True values=[2] op=8 shares=2)
# tensors 14 (shape=[2, 2] requires_grad=True values=[2, -2, 6, 0] op=9)
# tensors 15 (shape=[] requires_grad=True values=[-1] op=10 shares=2)
# tensors 16 (shape=[2, 2] requires_grad=True values=[-0.5, -2, 1, -1] op=11)
# tensors 17 (shape=[4, 2] requires_grad=True values=[2, -2, 6, 0, -0.5, -2, 1, -1] op=12)
# tensors 18 (shape=[4] dtype='int64' values=[0, 2, 1, 3] op=13)
# tensors 19 (shape=[4, 2] requires_grad=True values=[2, -2, -0.5, -2, 6, 0, 1, -1] op=14)
# tensors 20 (shape=[4, 1] dtype='int64' values=[0, 1, 0, 1] op=15 shares=6)
# tensors 21 (shape=[4, 1] requires_grad=True values=[0.66524, 0.5898, 0.7856, 0.66524] op=16)
# tensors 22 (shape=[4, 2] requires_grad=True values=[1.3305, -1.3305, -0.2949, -1.1796, 4.7136, 0, 0.66524, -0.66524] op=17)
# tensors 23 (shape=[4] requires_grad=True values=[1.8816, 1.2159, 4.7136, 0.94079] op=18)
# tensors 24 (shape=[4] requires_grad=True values=[4.7136, 1.8816, 1.2159, 0.94079] op=19)
# tensors 25 (shape=[4] dtype='int64' values=[2, 0, 1, 3] op=19)
# tensors 26 (shape=[2] values=[10, inf] op=20)
# tensors 27 (shape=[2] values=[0.5, 2] op=21)
# tensors 28 (shape=[4] dtype='int64' values=[2, 1, 1, 1] op=22)
# tensors 29 (shape=[] requires_grad=True values=[1.2159] op=23)
# tensors 30 (shape=[4] dtype='bool' values=[True, True, False, False] op=24)
# tensors 31 (shape=[4] dtype='bool' values=[False, True, True, True] op=25)
# tensors 32 (shape=[4] dtype='bool' values=[False, True, False, False] op=26)
# tensors 33 (shape=[2] dtype='int64' values=[2, 0] op=27 shares=25)
# tensors 34 (shape=[2, 2] requires_grad=True values=[4.7136, 0, 1.3305, -1.3305] op=28)
# tensors 35 (shape=[] requires_grad=True values=[4.7136] op=29)
# tensors 36 (shape=[1] requires_grad=True values=[1.8816] op=30)
# tensors 37 (shape=[] requires_grad=True values=[1.8816] op=31)
# tensors 38 (shape=[] requires_grad=True values=[6.5952] op=32)
# tensors 39 (shape=[] values=[10] op=33)
# tensors 40 (shape=[4] requires_grad=True values=[4.7136, 6.5952, 7.8111, 8.7519] op=34)
# tensors 41 (shape=[] requires_grad=True values=[8.7519] op=35)
# tensors 42 (shape=[] requires_grad=True values=[87.519] op=36)
# tensors 43 (shape=[] name='output' requires_grad=True values=[94.114] op=37)
# tensors 44 (shape=[4, 2] role='gradient' name='x.grad' values=[16.075, -13.414, -1.8634, 9.0158, 23.855, -5.0011, -6.7022, 6.7022])
# tensors 45 (shape=[3, 2] role='gradient' name='router.grad' values=[40.326, -10.976, -8.6029, 14.988, -31.723, -4.0121])
# tensors 46 (shape=[3] role='gradient' name='scales.grad' values=[36.273, -21.567, 0])
# tensors 47 (shape=[] role='gradient' values=[1])
# tensors 48 (shape=[] role='gradient' values=[1])
# tensors 49 (shape=[] role='gradient' values=[10])
# tensors 50 (shape=[4] role='gradient' values=[0, 0, 0, 10])
# tensors 51 (shape=[] role='gradient' values=[1])
# tensors 52 (shape=[] role='gradient' values=[1])
# tensors 53 (shape=[1] role='gradient' values=[1])
# tensors 54 (shape=[] role='gradient' values=[1])
# tensors 55 (shape=[2, 2] role='gradient' values=[1, 1, 1, 1])
# tensors 56 (shape=[4] role='gradient' values=[11, 10, 10, 10])
# tensors 57 (shape=[4, 2] role='gradient' values=[8.7782, -6.7782, -2.4254, -9.7014, 11, 1, 7.0711, -7.0711])
# tensors 58 (shape=[4, 1] role='gradient' values=[31.113, 20.616, 66, 14.142])
# tensors 59 (shape=[4, 2] role='gradient' values=[5.8396, -4.5091, -1.4305, -5.7219, 8.6416, 0.7856, 4.704, -4.704])
# tensors 60 (shape=[4, 2] role='gradient' values=[5.8396, -4.5091, 8.6416, 0.7856, -1.4305, -5.7219, 4.704, -4.704])
# tensors 61 (shape=[2, 2] role='gradient' values=[-1.4305, -5.7219, 4.704, -4.704])
# tensors 62 (shape=[] role='gradient' values=[-21.567])
# tensors 63 (shape=[2, 2] role='gradient' values=[5.8396, -4.5091, 8.6416, 0.7856])
# tensors 64 (shape=[] role='gradient' values=[36.273])
# tensors 65 (shape=[4, 2] role='gradient' values=[11.679, -9.0182, 17.283, 1.5712, 1.4305, 5.7219, -4.704, 4.704])
# tensors 66 (shape=[4, 3] role='gradient' values=[31.113, 0, 0, 0, 20.616, 0, 66, 0, 0, 0, 14.142, 0])
# tensors 67 (shape=[4, 3] role='gradient' values=[6.9287, -1.8634, -5.0653, -1.6001, 4.9876, -3.3875, 11.117, -2.028, -9.0887, -0.847, 3.1494, -2.3024])
# tensors 68 (shape=[2, 3] role='gradient' values=[40.326, -8.6029, -31.723, -10.976, 14.988, -4.0121])
# tensors 69 (shape=[4] role='gradient' values=[10, 11, 10, 10])
# tensors 70 (shape=[2, 2] role='gradient' values=[1.4305, 5.7219, -4.704, 4.704])
# tensors 71 (shape=[2, 2] role='gradient' values=[11.679, -9.0182, 17.283, 1.5712])
# tensors 72 (shape=[] role='gradient' values=[1])
# tensors 73 (shape=[] role='gradient' values=[1])
# tensors 74 (shape=[] role='gradient' values=[10])
# tensors 75 (shape=[4] role='gradient' values=[0, 0, 0, 10])
# tensors 76 (shape=[4] role='gradient' values=[10, 10, 10, 10])
# tensors 77 (shape=[] role='gradient' values=[1])
# tensors 78 (shape=[] role='gradient' values=[1])
# tensors 79 (shape=[1] role='gradient' values=[1])
# tensors 80 (shape=[4] role='gradient' values=[0, 1, 0, 0])
# tensors 81 (shape=[2, 2] role='gradient' values=[1, 1, 1, 1])
# tensors 82 (shape=[4, 2] role='gradient' values=[1, 1, 0, 0, 1, 1, 0, 0])
# tensors 83 (shape=[4] role='gradient' values=[11, 10, 10, 10])
# tensors 84 (shape=[4, 2] role='gradient' values=[7.7782, -7.7782, -2.4254, -9.7014, 10, 0, 7.0711, -7.0711])
# tensors 85 (shape=[4, 2] role='gradient' values=[5.8396, -4.5091, -1.4305, -5.7219, 8.6416, 0.7856, 4.704, -4.704])
# tensors 86 (shape=[4, 1] role='gradient' values=[31.113, 20.616, 66, 14.142])
# tensors 87 (shape=[4, 3] role='gradient' values=[31.113, 0, 0, 0, 20.616, 0, 66, 0, 0, 0, 14.142, 0])
# tensors 88 (shape=[4, 2] role='gradient' values=[5.8396, -4.5091, 8.6416, 0.7856, -1.4305, -5.7219, 4.704, -4.704])
# tensors 89 (shape=[2, 2] role='gradient' values=[5.8396, -4.5091, 8.6416, 0.7856])
# tensors 90 (shape=[2, 2] role='gradient' values=[-1.4305, -5.7219, 4.704, -4.704])
# tensors 91 (shape=[2, 2] role='gradient' values=[1.4305, 5.7219, -4.704, 4.704])
# tensors 92 (shape=[] role='gradient' values=[-21.567])
# tensors 93 (shape=[3] role='gradient' values=[0, -21.567, 0])
# tensors 94 (shape=[2, 2] role='gradient' values=[11.679, -9.0182, 17.283, 1.5712])
# tensors 95 (shape=[] role='gradient' values=[36.273])
# tensors 96 (shape=[3] role='gradient' values=[36.273, 0, 0])
# tensors 97 (shape=[4, 2] role='gradient' values=[11.679, -9.0182, 17.283, 1.5712, 1.4305, 5.7219, -4.704, 4.704])
# tensors 98 (shape=[4, 2] role='gradient' values=[11.679, -9.0182, 1.4305, 5.7219, 17.283, 1.5712, -4.704, 4.704])
# tensors 99 (shape=[4, 3] role='gradient' values=[6.9287, -1.8634, -5.0653, -1.6001, 4.9876, -3.3875, 11.117, -2.028, -9.0887, -0.847, 3.1494, -2.3024])
# tensors 100 (shape=[4, 2] role='gradient' values=[4.396, -4.396, -3.2939, 3.2939, 6.5723, -6.5723, -1.9982, 1.9982])
# tensors 101 (shape=[2, 3] role='gradient' values=[40.326, -8.6029, -31.723, -10.976, 14.988, -4.0121])
# tensors 102 (shape=[3, 2] role='gradient' values=[40.326, -10.976, -8.6029, 14.988, -31.723, -4.0121])
# ops 0 (name='t' inputs=[1] outputs=[3] site=10:18-28 scope=1 grad_fn='TBackward0')
# ops 1 (name='matmul' inputs=[0, 3] outputs=[4] site=10:14-28 scope=1 saved_bytes=56 grad_fn='MatmulBackward0' saved=[0, 3])
# ops 2 (name='softmax' inputs=[4] outputs=[5] site=10:13-44 args='1' scope=1 saved_bytes=48 grad_fn='SoftmaxBackward0' saved=[5])
# ops 3 (name='argmax' inputs=[5] outputs=[6] site=11:11-31 args='1' scope=1)
# ops 4 (name='argsort' inputs=[6] outputs=[7] site=12:12-26 scope=1)
# ops 5 (name='bincount' inputs=[6] outputs=[8] site=13:13-39 args='minlength=3' scope=1)
# ops 6 (name='getitem' inputs=[0, 7] outputs=[9] site=15:34-42 scope=1 saved_bytes=32 grad_fn='GetitemBackward0' saved=[7])
# ops 7 (name='split' inputs=[9] outputs=[10, 11, 12] site=15:34-56 args='[2, 2, 0]' scope=1 grad_fn='SplitBackward0')
# ops 8 (name='getitem' inputs=[2] outputs=[13] site=18:28-42 args='0' scope=3 under=1 grad_fn='GetitemBackward0')
# ops 9 (name='mul' inputs=[10, 13] outputs=[14] site=18:21-42 scope=3 under=1 saved_bytes=20 grad_fn='MulBackward0' saved=[10, 13])
# ops 10 (name='getitem' inputs=[2] outputs=[15] site=18:28-42 args='1' scope=5 under=2 grad_fn='GetitemBackward0')
# ops 11 (name='mul' inputs=[11, 15] outputs=[16] site=18:21-42 scope=5 under=2 saved_bytes=20 grad_fn='MulBackward0' saved=[11, 15])
# ops 12 (name='cat' inputs=[14, 16] outputs=[17] site=19:12-28 scope=1 grad_fn='CatBackward0')
# ops 13 (name='argsort' inputs=[7] outputs=[18] site=19:29-44 scope=1)
# ops 14 (name='getitem' inputs=[17, 18] outputs=[19] site=19:12-45 scope=1 saved_bytes=32 grad_fn='GetitemBackward0' saved=[18])
# ops 15 (name='getitem' inputs=[6] outputs=[20] site=19:65-78 args='(:, None)' scope=1)
# ops 16 (name='gather' inputs=[5, 20] outputs=[21] site=19:48-79 args='1' scope=1 saved_bytes=32 grad_fn='GatherBackward0' saved=[20])
# ops 17 (name='mul' inputs=[19, 21] outputs=[22] site=19:12-79 scope=1 saved_bytes=48 grad_fn='MulBackward0' saved=[19, 21])
# ops 18 (name='norm' inputs=[22] outputs=[23] site=20:19-36 args='dim=1' scope=1 saved_bytes=48 grad_fn='NormBackward0' saved=[22, 23])
# ops 19 (name='sort' inputs=[23] outputs=[24, 25] site=20:19-58 args='descending=True' scope=1 saved_bytes=32 grad_fn='SortBackward0' saved=[25])
# ops 20 (name='logspace' inputs=[] outputs=[26] site=21:10-34 args='1, 99, 2' scope=1)
# ops 21 (name='tensor' inputs=[] outputs=[27] site=22:37-61 args='[0.5, 2]' scope=1)
# ops 22 (name='bucketize' inputs=[24, 27] outputs=[28] site=22:13-62 scope=1)
# ops 23 (name='median' inputs=[24] outputs=[29] site=23:21-36 scope=1 saved_bytes=16 grad_fn='MedianBackward0' saved=[24])
# ops 24 (name='gt' inputs=[24, 29] outputs=[30] site=23:12-36 scope=1)
# ops 25 (name='eq' inputs=[28] outputs=[31] site=23:41-52 args='1' scope=1)
# ops 26 (name='bitwise_and' inputs=[30, 31] outputs=[32] site=23:11-53 scope=1)
# ops 27 (name='getitem' inputs=[25] outputs=[33] site=24:17-25 args=':2' scope=1)
# ops 28 (name='getitem' inputs=[22, 33] outputs=[34] site=24:11-26 scope=1 saved_bytes=16 grad_fn='GetitemBackward0' saved=[33])
# ops 29 (name='sum' inputs=[34] outputs=[35] site=24:11-32 scope=1 grad_fn='SumBackward0')
# ops 30 (name='getitem' inputs=[24, 32] outputs=[36] site=24:35-47 scope=1 saved_bytes=4 grad_fn='GetitemBackward0' saved=[32])
# ops 31 (name='sum' inputs=[36] outputs=[37] site=24:35-53 scope=1 grad_fn='SumBackward0')
# ops 32 (name='add' inputs=[35, 37] outputs=[38] site=24:11-53 scope=1 grad_fn='AddBackward0')
# ops 33 (name='min' inputs=[26] outputs=[39] site=24:56-65 scope=1)
# ops 34 (name='cumsum' inputs=[24] outputs=[40] site=24:68-91 args='0' scope=1 grad_fn='CumsumBackward0')
# ops 35 (name='max' inputs=[40] outputs=[41] site=24:68-97 scope=1 saved_bytes=16 grad_fn='MaxBackward0' saved=[40])
# ops 36 (name='mul' inputs=[39, 41] outputs=[42] site=24:56-97 scope=1 saved_bytes=4 grad_fn='MulBackward0' saved=[39])
# ops 37 (name='add' inputs=[38, 42] outputs=[43] site=24:11-97 scope=1 grad_fn='AddBackward0')
# decisions 0 (site=15:4-57 arm='loop' outcome=3 origin='scalar~' trips=3 exit='exhausted' call_path=['forward'] predicate_op=5 scope=1 until=4)
# decisions 1 (site=16:11-29 arm='else' outcome=False origin='shape' iterations=[[15, 0]] call_path=['forward'] under=0 conditions=[(text='rows.shape[0] == 0' op='==' lhs=2 rhs=0 value=None outcome=False margin=-2 origin='shape' predicate_op=7)] margin=-2 predicate_op=7 scope=2)
# decisions 2 (site=16:11-29 arm='else' outcome=False origin='shape' iterations=[[15, 1]] call_path=['forward'] under=0 conditions=[(text='rows.shape[0] == 0' op='==' lhs=2 rhs=0 value=None outcome=False margin=-2 origin='shape' predicate_op=7)] margin=-2 predicate_op=7 scope=4)
# decisions 3 (site=16:11-29 arm='then' outcome=True origin='shape' iterations=[[15, 2]] call_path=['forward'] under=0 conditions=[(text='rows.shape[0] == 0' op='==' lhs=0 rhs=0 value=None outcome=True margin=0 origin='shape' predicate_op=7)] margin=0 predicate_op=7 scope=6)
# choices 0 (op=3 kind='index' of=3 counts=[2, 2, 0] picked=[0, 1, 0, 1] margin=0.3112 uses=[6, 7, 14, 16] left=13:13-48)
# choices 1 (op=19 kind='index' of=4 picked=[2, 0, 1, 3] margin=0.27511 uses=[28])
# choices 2 (op=22 kind='index' of=3 counts=[0, 3, 1] picked=[2, 1, 1, 1] margin=0.11841 uses=[30])
# inputs 0 (name='x' tensor=0)
# outputs 0 (name='output' tensor=43)
# backwards 0 (site=None root=43 seed='1' gradients=[(name='x' tensor=0 role='input' value=44), (name='router' tensor=1 role='parameter' value=45), (name='scales' tensor=2 role='parameter' value=46), (name='output' tensor=43 role='intermediate' value=47), (name='t42' tensor=42 role='intermediate' value=48), (name='t41' tensor=41 role='intermediate' value=49), (name='t40' tensor=40 role='intermediate' value=50), (name='t38' tensor=38 role='intermediate' value=51), (name='t37' tensor=37 role='intermediate' value=52), (name='t36' tensor=36 role='intermediate' value=53), (name='t35' tensor=35 role='intermediate' value=54), (name='t34' tensor=34 role='intermediate' value=55), (name='t23' tensor=23 role='intermediate' value=56), (name='t22' tensor=22 role='intermediate' value=57), (name='t21' tensor=21 role='intermediate' value=58), (name='t19' tensor=19 role='intermediate' value=59), (name='t17' tensor=17 role='intermediate' value=60), (name='t16' tensor=16 role='intermediate' value=61), (name='t15' tensor=15 role='intermediate' value=62), (name='t14' tensor=14 role='intermediate' value=63), (name='t13' tensor=13 role='intermediate' value=64), (name='t9' tensor=9 role='intermediate' value=65), (name='t5' tensor=5 role='intermediate' value=66), (name='t4' tensor=4 role='intermediate' value=67), (name='t3' tensor=3 role='intermediate' value=68), (name='t24' tensor=24 role='intermediate' value=69), (name='t11' tensor=11 role='intermediate' value=70), (name='t10' tensor=10 role='intermediate' value=71)] after=38 nodes=[37, 36, 35, 34, 32, 31, 30, 29, 28, 19, 18, 17, 16, 14, 12, 11, 10, 9, 8, 7, 6, 2, 1, 0])
# edges [[37, 38, 72], [37, 42, 73], [36, 41, 74], [35, 40, 75], [34, 24, 76], [32, 35, 77], [32, 37, 78], [31, 36, 79], [30, 24, 80], [29, 34, 81], [28, 22, 82], [19, 23, 83], [18, 22, 84], [17, 19, 85], [17, 21, 86], [16, 5, 87], [14, 17, 88], [12, 14, 89], [12, 16, 90], [11, 11, 91], [11, 15, 92], [10, 2, 93], [9, 10, 94], [9, 13, 95], [8, 2, 96], [7, 9, 97], [6, 0, 98], [2, 4, 99], [1, 0, 100], [1, 3, 101], [0, 1, 102]]
# left []
# reached {3: 1, 5: 1, 6: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1, 16: 3, 17: 1, 18: 2, 19: 1, 20: 1, 21: 1, 22: 1, 23: 1, 24: 1}
# line 15 [(test='' took='3 trips' values='')] None
# line 16 [(test='' took='F F T' values='2 … 0 == 0')] None
# decided (decisions=[0] because='3 trips' took='exhausted' left='' margin=None)
# decided (decisions=[1, 2, 3] because='rows.shape[0] = 2 … 0 == 0' took='False x2, True' left='' margin=0 nesting=1)
# chosen (choices=[...] site=11:11-31 picked='0, 1, 0, 1 (of 3)' margin='0.3112' use='line 15: x[order], split, 2 more')
# chosen (choices=[...] site=20:19-58 picked='2, 0, 1, 3 (of 4)' margin='0.2751' use='line 24: mixed[kept[:2]]')
# chosen (choices=[...] site=22:13-62 picked='2, 1 x3 (of 3)' margin='0.1184' use='line 24: values[mask]')
# gradient (name='x' shape='[4, 2]' values='[[16.08, -13.41],\n [-1.863, 9.016],\n [23.86, -5.001],\n [-6.702, 6.702]]')
# gradient (name='router' shape='[3, 2]' values='[[40.33, -10.98],\n [-8.603, 14.99],\n [-31.72, -4.012]]')
# gradient (name='scales' shape='[3]' values='[36.27, -21.57, 0]')
# bad (kind='Inf' op=20 tensor=26 shown=26)
# cost (label='outside any module' first=0 ops=38 nodes=24 saved_bytes=424)
# cost (label='whatever was decided' first=0 ops=34 nodes=20 saved_bytes=384)
# cost (label='if rows.shape[0] == 0 → else' first=8 site=16:11-29 ops=4 nodes=4 saved_bytes=40)
# cost (label='getitem' first=6 ops=8 nodes=6 saved_bytes=84)
# cost (label='mul' first=9 ops=4 nodes=4 saved_bytes=92)
# cost (label='argsort' first=4 ops=2)
# cost (label='sum' first=29 ops=2 nodes=2)
# cost (label='add' first=32 ops=2 nodes=2)
# cost (label='t' first=0 ops=1 nodes=1)
# cost (label='matmul' first=1 ops=1 nodes=1 saved_bytes=56)
# cost (label='softmax' first=2 ops=1 nodes=1 saved_bytes=48)
# cost (label='argmax' first=3 ops=1)
# cost (label='bincount' first=5 ops=1)
# cost (label='split' first=7 ops=1 nodes=1)
# cost (label='cat' first=12 ops=1 nodes=1)
# cost (label='gather' first=16 ops=1 nodes=1 saved_bytes=32)
# cost (label='norm' first=18 ops=1 nodes=1 saved_bytes=48)
# cost (label='sort' first=19 ops=1 nodes=1 saved_bytes=32)
# cost (label='logspace' first=20 ops=1)
# cost (label='tensor' first=21 ops=1)
# cost (label='bucketize' first=22 ops=1)
# cost (label='median' first=23 ops=1 saved_bytes=16)
# cost (label='gt' first=24 ops=1)
# cost (label='eq' first=25 ops=1)
# cost (label='bitwise_and' first=26 ops=1)
# cost (label='min' first=33 ops=1)
# cost (label='cumsum' first=34 ops=1 nodes=1)
# cost (label='max' first=35 ops=1 nodes=1 saved_bytes=16)
# held (size_bytes=48 why='backward' tensor=5 op=2)
# held (size_bytes=48 why='gradient' tensor=24 op=19)
# held (size_bytes=32 why='input' tensor=0)
# held (size_bytes=32 why='backward' tensor=6 op=3)
# held (size_bytes=32 why='backward' tensor=7 op=4)
# held (size_bytes=32 why='backward' tensor=9 op=6)
# held (size_bytes=32 why='backward' tensor=18 op=13)
# held (size_bytes=32 why='backward' tensor=19 op=14)
# held (size_bytes=32 why='backward' tensor=22 op=17)
# held (size_bytes=32 why='gradient' tensor=22 op=17)
# held (size_bytes=32 why='backward' tensor=25 op=19)
# held (size_bytes=24 why='parameter' tensor=1)
# held (size_bytes=16 why='backward' tensor=21 op=16)
# held (size_bytes=16 why='backward' tensor=23 op=18)
# held (size_bytes=16 why='gradient' tensor=34 op=28)
# held (size_bytes=12 why='parameter' tensor=2)
# held (size_bytes=4 why='output' tensor=43 op=37)
# memory 372 of [68, 116, 164, 148, 180, 204, 212, 212, 212, 228, 228, 244, 276, 276, 308, 276, 292, 324, 340, 388, 396, 404, 436, 432, 436, 436, 408, 400, 416, 420, 408, 412, 412, 408, 416, 404, 408, 408, 412, 412, 420, 448, 440, 440, 436, 444, 472, 472, 392, 376, 344, 328, 296, 300, 296, 296, 248, 276, 276, 260, 188, 164]
# named ['', 'forward', 'for expert, rows in enumerate(x[order].split(counts)) line 15 step 0', 'if rows.shape[0] == 0 → else', 'for expert, rows in enumerate(x[order].split(counts)) line 15 step 1', 'if rows.shape[0] == 0 → else', 'for expert, rows in enumerate(x[order].split(counts)) line 15 step 2']
# parting None
# decisions []
# ops [(a=1 b=1), (a=2 b=2), (a=3 b=3), (a=4 b=4), (a=5 b=5), (a=6 b=6), (a=7 b=7), (a=9 b=9), (a=11 b=11), (a=12 b=12), (a=13 b=13), (a=14 b=14), (a=15 b=15), (a=16 b=16), (a=17 b=17), (a=18 b=18), (a=19 b=19), (a=28 b=28), (a=29 b=29), (a=32 b=32), (a=34 b=34), (a=35 b=35), (a=36 b=36), (a=37 b=37)]
# choices [(a=0 b=0)]
# flows [(ops=(a=17 b=17) backward=0 a=57 b=57), (ops=(a=16 b=16) backward=0 a=58 b=58), (ops=(a=14 b=14) backward=0 a=59 b=59), (ops=(a=12 b=12) backward=0 a=60 b=60), (ops=(a=11 b=11) backward=0 a=61 b=61), (ops=(a=10 b=10) backward=0 a=62 b=62), (ops=(a=9 b=9) backward=0 a=63 b=63), (ops=(a=8 b=8) backward=0 a=64 b=64), (ops=(a=6 b=6) backward=0 a=65 b=65), (ops=(a=2 b=2) backward=0 a=66 b=66), (ops=(a=1 b=1) backward=0 a=67 b=67), (ops=(a=0 b=0) backward=0 a=68 b=68)]
# counts {decisions: (same=4), choices: (same=2 differ=1), ops: (same=14 differ=24), outputs: (differ=1), gradients: (differ=3), op_gradients: (same=10 differ=12)}
# same_end True
# share 1
# input x False 4
# output output False 30.071
# gradient x False 28.726
# gradient router False 45.524
# gradient scales False 25.925
# graph [' · two runs'] blue: only A · magenta: only B
# box b0 (kind='loop' name='for' rest='expert, rows in enumerate(x[order].split(counts… · line 15 · x 3 · 2 kinds of step' site=15:4-57 times=3)
# box b1 (kind='arm' name='True' rest='line 17' parent='b0' site=16:11-29)
# node n0 (kind='input' name='x' lines=['A: float32 [4, 2] · [[1, -1], [0.5, 2], [3, 0], [-1, 1]]', 'B: float32 [4, 2] · [[1, -1], [0.5, 2], [3, 4], [-1, 1]]', 'A: grad [[16.08, -13.41], [-1.863, 9.016], [23.86, -5.001], [-6.702, 6.702]]'/gradient, 'B: grad [[16.08, -13.41], [-1.863, 9.016], [-4.871, 10.95], [-6.702, 6.702]]'/gradient] tensors=[0]) (value='A: [[1, -1], [0.5, 2], [3, 0], [-1, 1]]\nB: [[1, -1], [0.5, 2], [3, 4], [-1, 1]]' gradient='A: [[16.08, -13.41], [-1.863, 9.016], [23.86, -5.001], [-6.702, 6.702]]\nB: [[16.08, -13.41], [-1.863, 9.016], [-4.871, 1…')
# node n1 (kind='parameter' name='router' lines=['float32 [3, 2] · [[1, 0], [0, 1], [0.5, 0.5]]', 'A: grad [[40.33, -10.98], [-8.603, 14.99], [-31.72, -4.012]]'/gradient, 'B: grad [[-5.198, -27.21], [29.73, 57.98], [-24.53, -30.77]]'/gradient] tensors=[1])
# node n2 (kind='parameter' name='scales' lines=['float32 [3] · [2, -1, 0.25]', 'A: grad [36.27, -21.57, 0]'/gradient, 'B: grad [10.35, -43.35, 0]'/gradient] tensors=[2])
# node n3 (kind='op' name='t' lines=['float32 [2, 3] · [[1, 0, 0.5], [0, 1, 0.5]]', 'A: grad [[40.33, -8.603, -31.72], [-10.98, 14.99, -4.012]]'/gradient, 'B: grad [[-5.198, 29.73, -24.53], [-27.21, 57.98, -30.77]]'/gradient, 'line 10'/faint] site=10:18-28 ops=[0])
# node n4 (kind='op' name='matmul' lines=['A: float32 [4, 3] · [[1, -1, 0], [0.5, 2, 1.25], [3, 0, 1.5], [-1, 1, 0]]', 'B: float32 [4, 3] · [[1, -1, 0], [0.5, 2, 1.25], [3, 4, 3.5], [-1, 1, 0]]', 'A: grad [[6.929, -1.863, -5.065], [-1.6, 4.988, -3.388], [11.12, -2.028, -9.089], [-0.847, 3.149, -2.302]]'/gradient, 'B: grad [[6.929, -1.863, -5.065], [-1.6, 4.988, -3.388], [-4.058, 10.75, -6.69], [-0.847, 3.149, -2.302]]'/gradient, 'line 10 · saves 56 B'/faint] site=10:14-28 ops=[1]) (each=[[0, 'A: float32 [4, 3] · -1 to 3\nB: float32 [4, 3] · -1 to 4', 'A: -9.09 to 11.1\nB: -6.69 to 10.7']] value='A: [[1, -1, 0], [0.5, 2, 1.25], [3, 0, 1.5], [-1, 1, 0]]\nB: [[1, -1, 0], [0.5, 2, 1.25], [3, 4, 3.5], [-1, 1, 0]]' gradient='A: [[6.929, -1.863, -5.065], [-1.6, 4.988, -3.388], [11.12, -2.028, -9.089], [-0.847, 3.149, -2.302]]\nB: [[6.929, -1.863…')
# node n5 (kind='op' name='softmax' rest='1' lines=['A: float32 [4, 3] · [[0.6652, 0.09003, 0.2447], [0.1316, 0.5898, 0.2786], [0.7856, 0.03911, 0.1753], [0.09003, 0.6652, 0.2447]]', 'B: float32 [4, 3] · [[0.6652, 0.09003, 0.2447], [0.1316, 0.5898, 0.2786], [0.1863, 0.5065, 0.3072], [0.09003, 0.6652, 0.2447]]', 'A: grad [[31.11, 0, 0], [0, 20.62, 0], [66, 0, 0], [0, 14.14, 0]]'/gradient, 'B: grad [[31.11, 0, 0], [0, 20.62, 0], [0, 43, 0], [0, 14.14, 0]]'/gradient, 'line 10 · saves 48 B'/faint] site=10:13-44 ops=[2]) (each=[[0, 'A: float32 [4, 3] · 0.0391 to 0.786\nB: float32 [4, 3] · 0.09 to 0.665', 'A: 0 to 66\nB: 0 to 43']] value='A: [[0.6652, 0.09003, 0.2447], [0.1316, 0.5898, 0.2786], [0.7856, 0.03911, 0.1753], [0.09003, 0.6652, 0.2447]]\nB: [[0.66…' gradient='A: [[31.11, 0, 0], [0, 20.62, 0], [66, 0, 0], [0, 14.14, 0]]\nB: [[31.11, 0, 0], [0, 20.62, 0], [0, 43, 0], [0, 14.14, 0]…')
# node n6 (kind='op' name='argmax' rest='1' lines=['A: int64 [4] · [0, 1, 0, 1]', 'B: int64 [4] · [0, 1, 1, 1]', 'line 11'/faint] site=11:11-31 ops=[3])
# node n7 (kind='op' name='argsort' lines=['A: int64 [4] · [0, 2, 1, 3]', 'B: int64 [4] · [0, 1, 2, 3]', 'line 12'/faint] site=12:12-26 ops=[4])
# node n8 (kind='op' name='bincount' rest='minlength=3' lines=['A: int64 [3] · [2, 2, 0]', 'B: int64 [3] · [1, 3, 0]', 'line 13'/faint] site=13:13-39 ops=[5])
# node n9 (kind='decision' name='for' rest='expert, rows in enumerate(x[order].split(counts))' lines=['line 15'/plain, '3 trips (probably scalar)'/plain] box='b0' site=15:4-57 decisions=[0])
# node n10 (kind='op' name='getitem' lines=['A: float32 [4, 2] · [[1, -1], [3, 0], [0.5, 2], [-1, 1]]', 'B: float32 [4, 2] · [[1, -1], [0.5, 2], [3, 4], [-1, 1]]', 'A: grad [[11.68, -9.018], [17.28, 1.571], [1.43, 5.722], [-4.704, 4.704]]'/gradient, 'B: grad [[11.68, -9.018], [1.43, 5.722], [2.532, 3.545], [-4.704, 4.704]]'/gradient, 'line 15 · saves 32 B'/faint] site=15:34-42 ops=[6]) (each=[[0, 'A: float32 [4, 2] · -1 to 3\nB: float32 [4, 2] · -1 to 4', 'A: -9.02 to 17.3\nB: -9.02 to 11.7']] value='A: [[1, -1], [3, 0], [0.5, 2], [-1, 1]]\nB: [[1, -1], [0.5, 2], [3, 4], [-1, 1]]' gradient='A: [[11.68, -9.018], [17.28, 1.571], [1.43, 5.722], [-4.704, 4.704]]\nB: [[11.68, -9.018], [1.43, 5.722], [2.532, 3.545],…')
# node n11 (kind='op' name='split' rest='A: [2, 2, 0], B: [1, 3, 0]' lines=['A: float32 [2, 2] · [[1, -1], [3, 0]]', 'B: float32 [1, 2] · [[1, -1]]', 'A: grad [[11.68, -9.018], [17.28, 1.571]]'/gradient, 'B: grad [[11.68, -9.018]]'/gradient, 'line 15 · the first of 3 outputs'/faint] site=15:34-56 ops=[7])
# node n12 (kind='decision' name='if' rest='rows.shape[0] == 0' lines=['line 16 · False x2, True'/plain, 'A: 2 … 0 == 0 (shape)'/plain, 'B: 1 … 0 == 0 (shape)'/plain, 'margin 0'/plain] box='b0' site=16:11-29 decisions=[1, 2, 3]) (each=[[0, 'A: False · 2 == 0\nB: False · 1 == 0', ''], [1, 'A: False · 2 == 0\nB: False · 3 == 0', ''], [2, 'True · 0 == 0', '']])
# node n13 (kind='op' name='getitem' rest='0 … 1' lines=['float32 [] · 2 … -1', 'A: grad 36.27 … -21.57'/gradient, 'B: grad 10.35 … -43.35'/gradient, 'line 18 · x2'/faint] box='b0' site=18:28-42 ops=[8, 10]) (each=[[0, 'float32 [] · 2', 'A: 36.27\nB: 10.35'], [1, 'float32 [] · -1', 'A: -21.57\nB: -43.35']])
# node n14 (kind='op' name='mul' lines=['A: float32 [2, 2] · -2 to 6 … -2 to 1', 'B: float32 [1, 2] … [3, 2] · -2 to 2 … -4 to 1', 'A: grad -4.51 to 8.64 … -5.72 to 4.7'/gradient, 'B: grad -4.51 to 5.84 … -5.72 to 4.7'/gradient, 'line 18 · x2 · saves 40 B'/faint] box='b0' site=18:21-42 ops=[9, 11]) (each=[[0, 'A: float32 [2, 2] · [[2, -2], [6, 0]]\nB: float32 [1, 2] · [[2, -2]]', 'A: [[5.84, -4.509], [8.642, 0.7856]]\nB: [[5.84, -4.509]]'], [1, 'A: float32 [2, 2] · [[-0.5, -2], [1, -1]]\nB: float32 [3, 2] · [[-0.5, -2], [-3, -4], [1, -1]]', 'A: [[-1.43, -5.722], [4.704, -4.704]]\nB: -5.72 to 4.7']])
# node n15 (kind='op' name='cat' lines=['A: float32 [4, 2] · [[2, -2], [6, 0], [-0.5, -2], [1, -1]]', 'B: float32 [4, 2] · [[2, -2], [-0.5, -2], [-3, -4], [1, -1]]', 'A: grad [[5.84, -4.509], [8.642, 0.7856], [-1.43, -5.722], [4.704, -4.704]]'/gradient, 'B: grad [[5.84, -4.509], [-1.43, -5.722], [-2.532, -3.545], [4.704, -4.704]]'/gradient, 'line 19'/faint] site=19:12-28 ops=[12]) (each=[[0, 'A: float32 [4, 2] · -2 to 6\nB: float32 [4, 2] · -4 to 2', 'A: -5.72 to 8.64\nB: -5.72 to 5.84']] value='A: [[2, -2], [6, 0], [-0.5, -2], [1, -1]]\nB: [[2, -2], [-0.5, -2], [-3, -4], [1, -1]]' gradient='A: [[5.84, -4.509], [8.642, 0.7856], [-1.43, -5.722], [4.704, -4.704]]\nB: [[5.84, -4.509], [-1.43, -5.722], [-2.532, -3.…')
# node n16 (kind='op' name='argsort' lines=['A: int64 [4] · [0, 2, 1, 3]', 'B: int64 [4] · [0, 1, 2, 3]', 'line 19'/faint] site=19:29-44 ops=[13])
# node n17 (kind='op' name='getitem' lines=['A: float32 [4, 2] · [[2, -2], [-0.5, -2], [6, 0], [1, -1]]', 'B: float32 [4, 2] · [[2, -2], [-0.5, -2], [-3, -4], [1, -1]]', 'A: grad [[5.84, -4.509], [-1.43, -5.722], [8.642, 0.7856], [4.704, -4.704]]'/gradient, 'B: grad [[5.84, -4.509], [-1.43, -5.722], [-2.532, -3.545], [4.704, -4.704]]'/gradient, 'line 19 · saves 32 B'/faint] site=19:12-45 ops=[14]) (each=[[0, 'A: float32 [4, 2] · -2 to 6\nB: float32 [4, 2] · -4 to 2', 'A: -5.72 to 8.64\nB: -5.72 to 5.84']] value='A: [[2, -2], [-0.5, -2], [6, 0], [1, -1]]\nB: [[2, -2], [-0.5, -2], [-3, -4], [1, -1]]' gradient='A: [[5.84, -4.509], [-1.43, -5.722], [8.642, 0.7856], [4.704, -4.704]]\nB: [[5.84, -4.509], [-1.43, -5.722], [-2.532, -3.…')
# node n18 (kind='op' name='getitem' rest='(:, None)' lines=['A: int64 [4, 1] · [[0], [1], [0], [1]]', 'B: int64 [4, 1] · [[0], [1], [1], [1]]', 'line 19'/faint] site=19:65-78 ops=[15])
# node n19 (kind='op' name='gather' rest='1' lines=['A: float32 [4, 1] · [[0.6652], [0.5898], [0.7856], [0.6652]]', 'B: float32 [4, 1] · [[0.6652], [0.5898], [0.5065], [0.6652]]', 'A: grad [[31.11], [20.62], [66], [14.14]]'/gradient, 'B: grad [[31.11], [20.62], [43], [14.14]]'/gradient, 'line 19 · saves 32 B'/faint] site=19:48-79 ops=[16])
# node n20 (kind='op' name='mul' lines=['A: float32 [4, 2] · [[1.33, -1.33], [-0.2949, -1.18], [4.714, 0], [0.6652, -0.6652]]', 'B: float32 [4, 2] · [[1.33, -1.33], [-0.2949, -1.18], [-1.519, -2.026], [0.6652, -0.6652]]', 'A: grad [[8.778, -6.778], [-2.425, -9.701], [11, 1], [7.071, -7.071]]'/gradient, 'B: grad [[8.778, -6.778], [-2.425, -9.701], [-5, -7], [7.071, -7.071]]'/gradient, 'line 19 · saves 48 B'/faint] site=19:12-79 ops=[17]) (each=[[0, 'A: float32 [4, 2] · -1.33 to 4.71\nB: float32 [4, 2] · -2.03 to 1.33', 'A: -9.7 to 11\nB: -9.7 to 8.78']] value='A: [[1.33, -1.33], [-0.2949, -1.18], [4.714, 0], [0.6652, -0.6652]]\nB: [[1.33, -1.33], [-0.2949, -1.18], [-1.519, -2.026…' gradient='A: [[8.778, -6.778], [-2.425, -9.701], [11, 1], [7.071, -7.071]]\nB: [[8.778, -6.778], [-2.425, -9.701], [-5, -7], [7.071…')
# node n21 (kind='op' name='norm' rest='dim=1' lines=['A: float32 [4] · [1.882, 1.216, 4.714, 0.9408]', 'B: float32 [4] · [1.882, 1.216, 2.532, 0.9408]', 'grad [11, 10, 10, 10]'/gradient, 'line 20 · saves 48 B'/faint] site=20:19-36 ops=[18])
# node n22 (kind='op' name='sort' rest='descending=True' lines=['A: float32 [4] · [4.714, 1.882, 1.216, 0.9408]', 'B: float32 [4] · [2.532, 1.882, 1.216, 0.9408]', 'grad [10, 11, 10, 10]'/gradient, 'line 20 · the first of 2 outputs · saves 32 B'/faint] site=20:19-58 ops=[19])
# node n23 (kind='op' name='logspace' rest='1, 99, 2' lines=['float32 [2] · [10, inf]', 'line 21'/faint] site=21:10-34 ops=[20])
# node n24 (kind='op' name='tensor' rest='[0.5, 2]' lines=['float32 [2] · [0.5, 2]', 'line 22'/faint] site=22:37-61 ops=[21])
# node n25 (kind='op' name='bucketize' lines=['int64 [4] · [2, 1, 1, 1]', 'line 22'/faint] site=22:13-62 ops=[22])
# node n26 (kind='op' name='median' lines=['float32 [] · 1.216', 'line 23 · saves 16 B'/faint] site=23:21-36 ops=[23])
# node n27 (kind='op' name='gt' lines=['bool [4] · [True, True, False, False]', 'line 23'/faint] site=23:12-36 ops=[24])
# node n28 (kind='op' name='eq' rest='1' lines=['bool [4] · [False, True, True, True]', 'line 23'/faint] site=23:41-52 ops=[25])
# node n29 (kind='op' name='bitwise_and' lines=['bool [4] · [False, True, False, False]', 'line 23'/faint] site=23:11-53 ops=[26])
# node n30 (kind='op' name='getitem' rest=':2' lines=['int64 [2] · [2, 0]', 'line 24'/faint] site=24:17-25 ops=[27])
# node n31 (kind='op' name='getitem' lines=['A: float32 [2, 2] · [[4.714, 0], [1.33, -1.33]]', 'B: float32 [2, 2] · [[-1.519, -2.026], [1.33, -1.33]]', 'grad [[1, 1], [1, 1]]'/gradient, 'line 24 · saves 16 B'/faint] site=24:11-26 ops=[28])
# node n32 (kind='op' name='sum' lines=['A: float32 [] · 4.714', 'B: float32 [] · -3.545', 'grad 1'/gradient, 'line 24'/faint] site=24:11-32 ops=[29])
# node n33 (kind='op' name='getitem' lines=['float32 [1] · [1.882]', 'grad [1]'/gradient, 'line 24 · saves 4 B'/faint] site=24:35-47 ops=[30])
# node n34 (kind='op' name='sum' lines=['float32 [] · 1.882', 'grad 1'/gradient, 'line 24'/faint] site=24:35-53 ops=[31])
# node n35 (kind='op' name='add' lines=['A: float32 [] · 6.595', 'B: float32 [] · -1.664', 'grad 1'/gradient, 'line 24'/faint] site=24:11-53 ops=[32])
# node n36 (kind='op' name='min' lines=['float32 [] · 10', 'line 24'/faint] site=24:56-65 ops=[33])
# node n37 (kind='op' name='cumsum' rest='0' lines=['A: float32 [4] · [4.714, 6.595, 7.811, 8.752]', 'B: float32 [4] · [2.532, 4.414, 5.63, 6.571]', 'grad [0, 0, 0, 10]'/gradient, 'line 24'/faint] site=24:68-91 ops=[34])
# node n38 (kind='op' name='max' lines=['A: float32 [] · 8.752', 'B: float32 [] · 6.571', 'grad 10'/gradient, 'line 24 · saves 16 B'/faint] site=24:68-97 ops=[35])
# node n39 (kind='op' name='mul' lines=['A: float32 [] · 87.52', 'B: float32 [] · 65.71', 'grad 1'/gradient, 'line 24 · saves 4 B'/faint] site=24:56-97 ops=[36])
# node n40 (kind='op' name='add' rest='→ output' lines=['A: float32 [] · 94.11', 'B: float32 [] · 64.04', 'grad 1'/gradient, 'line 24'/faint] site=24:11-97 ops=[37])
# node n41 (kind='done' name='' lines=['continue'/source] box='b1' site=16:11-29 span=[17, 17])
# node n42 (kind='output' name='output' lines=['A: float32 [] · 94.11', 'B: float32 [] · 64.04', 'backward · seed 1'/gradient] tensors=[43])
# edge n1 n3 data  A: -31.7 to 40.3, B: -30.8 to 58 both
# edge n0 n4 data  A: -6.57 to 6.57, B: -7.4 to 7.4 both
# edge n3 n4 data  A: -31.7 to 40.3, B: -30.8 to 58 both
# edge n4 n5 data  A: -9.09 to 11.1, B: -6.69 to 10.7 both
# edge n5 n6 data   both
# edge n6 n7 data   both
# edge n6 n8 data   both
# edge n0 n10 data  A: -9.02 to 17.3, B: -9.02 to 11.7 both
# edge n7 n10 data   both
# edge n10 n11 data  A: -9.02 to 17.3, B: -9.02 to 11.7 both
# edge n2 n13 data  A: [36.27, 0, 0] … [0, -21.57, 0], B: [10.35, 0, 0] … [0, -43.35, 0] both
# edge n11 n14 data  A: -9.02 to 17.3 … -4.7 to 5.72, B: [[11.68, -9.018]] … -4.7 to 5.72 both
# edge n13 n14 data  A: 36.27 … -21.57, B: 10.35 … -43.35 both
# edge n14 n15 data  A: -4.51 to 8.64 … -5.72 to 4.7, B: [[5.84, -4.509]] … -5.72 to 4.7 both
# edge n7 n16 data   both
# edge n15 n17 data  A: -5.72 to 8.64, B: -5.72 to 5.84 both
# edge n16 n17 data   both
# edge n6 n18 data   both
# edge n5 n19 data  A: 0 to 66, B: 0 to 43 both
# edge n18 n19 data   both
# edge n17 n20 data  A: -5.72 to 8.64, B: -5.72 to 5.84 both
# edge n19 n20 data  A: [[31.11], [20.62], [66], [14.14]], B: [[31.11], [20.62], [43], [14.14]] both
# edge n20 n21 data  A: -9.7 to 10, B: -9.7 to 7.78 both
# edge n21 n22 data  [11, 10, 10, 10] both
# edge n22 n25 data   both
# edge n24 n25 data   both
# edge n22 n26 data   both
# edge n22 n27 data   both
# edge n26 n27 data   both
# edge n25 n28 data   both
# edge n27 n29 data   both
# edge n28 n29 data   both
# edge n22 n30 data   both
# edge n20 n31 data  0 to 1 both
# edge n30 n31 data   both
# edge n31 n32 data  [[1, 1], [1, 1]] both
# edge n22 n33 data  [0, 1, 0, 0] both
# edge n29 n33 data   both
# edge n33 n34 data  [1] both
# edge n32 n35 data  1 both
# edge n34 n35 data  1 both
# edge n23 n36 data   both
# edge n22 n37 data  [10, 10, 10, 10] both
# edge n37 n38 data  [0, 0, 0, 10] both
# edge n36 n39 data   both
# edge n38 n39 data  10 both
# edge n35 n40 data  1 both
# edge n39 n40 data  1 both
# edge n8 n9 predicate   both
# edge n11 n12 predicate   both
# edge n9 n12 taken loop  both
# edge n12 n41 taken True  both
# edge n12 n13 taken False x2  both
# edge n40 n42 data   both
