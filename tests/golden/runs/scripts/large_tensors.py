# run: {"inputs": ["2"], "watch": true}
# other: {"inputs": ["3"], "edges": false}
import dyncore as torch

weight = torch.ones(40, 60, requires_grad=True)
grid = torch.arange(2400.0).view(40, 60)


def forward(x):
    wide = grid * weight * x
    top, places = wide.max(dim=1)
    wide = torch.where(wide > 4700, wide, wide / 2)
    with torch.no_grad():
        weight[3].mul_(0)
    flags = top > 500
    rows = wide[flags] if flags.sum() > 10 else wide[~flags]
    rows[0, 0] = float("inf")
    kept = rows - rows.max()
    kept = kept.masked_fill(kept.isnan(), 0.0)
    return kept[:, 0].clamp(min=-8).sum() + torch.log(grid[0] * x)[1:3].sum()

# ----
# ok forced=() unrecorded=((6, 8),) None
# scopes 0 (parent=None kind='root' name='')
# scopes 1 (parent=0 kind='call' name='forward')
# scopes 2 (parent=1 kind='arm' name='then' site=16:26-42 decision=0)
# calls 0 (line=9 times=1 returned=1)
# tensors 0 (shape=[40, 60] role='constant' name='grid' values=[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 2400 in all] stats=(min=0 max=2399 mean=1199.5 norm=67861 zeros=1 histogram=[300, 300, 300, 300, 300, 300, 300, 300]))
# tensors 1 (shape=[40, 60] role='parameter' name='weight' requires_grad=True)
# tensors 2 (shape=[] role='constant' values=[inf])
# tensors 3 (shape=[40, 60] requires_grad=True stats=(min=0 max=2399 mean=1199.5 norm=67861 zeros=1 histogram=[300, 300, 300, 300, 300, 300, 300, 300]) op=0)
# tensors 4 (shape=[40, 60] requires_grad=True stats=(min=0 max=4798 mean=2399 norm=1.3572e+05 zeros=1 histogram=[300, 300, 300, 300, 300, 300, 300, 300]) op=1)
# tensors 5 (shape=[40] requires_grad=True values=[118, 238, 358, 478, 598, 718, 838, 958, 1078, 1198, 1318, 1438, 1558, 1678, 1798, 1918, 2038, 2158, 2278, 2398, 2518, 2638, 2758, 2878, 2998, 3118, 3238, 3358, 3478, 3598, 3718, 3838, 3958, 4078, 4198, 4318, 4438, 4558, 4678, 4798] stats=(min=118 max=4798 mean=2458 norm=17844 histogram=[5, 5, 5, 5, 5, 5, 5, 5]) op=2)
# tensors 6 (shape=[40] dtype='int64' values=[59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59] stats=(min=59 max=59 mean=59 norm=373.15) op=2)
# tensors 7 (shape=[40, 60] dtype='bool' stats=(min=0 max=1 mean=0.020417 norm=7 zeros=2351 histogram=[2351, 0, 0, 0, 0, 0, 0, 49]) op=3)
# tensors 8 (shape=[40, 60] requires_grad=True stats=(min=0 max=2399 mean=1199.5 norm=67861 zeros=1 histogram=[300, 300, 300, 300, 300, 300, 300, 300]) op=4)
# tensors 9 (shape=[40, 60] requires_grad=True stats=(min=0 max=4798 mean=1248 norm=73718 zeros=1 histogram=[600, 600, 600, 551, 0, 0, 0, 49]) op=5)
# tensors 10 (shape=[60] values=[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 60 in all] stats=(min=1 max=1 mean=1 norm=7.746) op=6 shares=1)
# tensors 11 (shape=[60] values=[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60 in all] stats=(min=0 max=0 mean=0 norm=0 zeros=60) op=7 shares=10)
# tensors 12 (shape=[40, 60] requires_grad=True op=7 shares=1)
# tensors 13 (shape=[40] dtype='bool' values=[False, False, False, False, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True] stats=(min=0 max=1 mean=0.9 norm=6 zeros=4 histogram=[4, 0, 0, 0, 0, 0, 0, 36]) op=8)
# tensors 14 (shape=[] dtype='int64' values=[36] op=9)
# tensors 15 (shape=[] dtype='bool' values=[True] op=10)
# tensors 16 (shape=[36, 60] requires_grad=True stats=(min=240 max=4798 mean=1373.4 norm=73687 histogram=[570, 570, 570, 401, 0, 0, 0, 49]) op=11)
# tensors 17 (shape=[] requires_grad=True values=[240] op=12 shares=16)
# tensors 18 (shape=[] requires_grad=True values=[inf] op=13 shares=17)
# tensors 19 (shape=[36, 60] requires_grad=True op=13 shares=16)
# tensors 20 (shape=[] requires_grad=True values=[inf] op=14)
# tensors 21 (shape=[36, 60] requires_grad=True stats=(nan=1 inf=2159) op=15)
# tensors 22 (shape=[36, 60] dtype='bool' stats=(min=0 max=1 mean=0.00046296 norm=1 zeros=2159 histogram=[2159, 0, 0, 0, 0, 0, 0, 1]) op=16)
# tensors 23 (shape=[36, 60] requires_grad=True stats=(min=0 max=0 mean=0 norm=0 zeros=1 inf=2159) op=17)
# tensors 24 (shape=[36] requires_grad=True values=[0, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf] stats=(min=0 max=0 mean=0 norm=0 zeros=1 inf=35) op=18 shares=23)
# tensors 25 (shape=[36] requires_grad=True values=[0, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8] stats=(min=-8 max=0 mean=-7.7778 norm=47.329 zeros=1 histogram=[35, 0, 0, 0, 0, 0, 0, 1]) op=19)
# tensors 26 (shape=[] requires_grad=True values=[-280] op=20)
# tensors 27 (shape=[60] values=[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 60 in all] stats=(min=0 max=59 mean=29.5 norm=264.97 zeros=1 histogram=[8, 7, 8, 7, 7, 8, 7, 8]) op=21 shares=0)
# tensors 28 (shape=[60] values=[0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 66, 68, 70, 72, 74, 76, 78, 60 in all] stats=(min=0 max=118 mean=59 norm=529.94 zeros=1 histogram=[8, 7, 8, 7, 7, 8, 7, 8]) op=22)
# tensors 29 (shape=[60] values=[-inf, 0.69315, 1.3863, 1.7918, 2.0794, 2.3026, 2.4849, 2.6391, 2.7726, 2.8904, 2.9957, 3.091, 3.1781, 3.2581, 3.3322, 3.4012, 3.4657, 3.5264, 3.5835, 3.6376, 3.6889, 3.7377, 3.7842, 3.8286, 3.8712, 3.912, 3.9512, 3.989, 4.0254, 4.0604, 4.0943, 4.1271, 4.1589, 4.1897, 4.2195, 4.2485, 4.2767, 4.3041, 4.3307, 4.3567, 60 in all] stats=(min=0.69315 max=4.7707 mean=3.8208 norm=30.138 inf=1 histogram=[1, 1, 2, 3, 5, 9, 14, 24]) op=23)
# tensors 30 (shape=[2] values=[0.69315, 1.3863] op=24 shares=29)
# tensors 31 (shape=[] values=[2.0794] op=25)
# tensors 32 (shape=[] name='output' requires_grad=True values=[-277.92] op=26)
# tensors 33 (shape=[40, 60] role='gradient' name='weight.grad' values=[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2400 in all] stats=(min=0 max=0 mean=0 norm=0 zeros=2400))
# tensors 34 (shape=[] role='gradient' values=[1])
# tensors 35 (shape=[] role='gradient' values=[1])
# tensors 36 (shape=[36] role='gradient' values=[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] stats=(min=1 max=1 mean=1 norm=6))
# tensors 37 (shape=[36] role='gradient' values=[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] stats=(min=0 max=1 mean=0.027778 norm=1 zeros=35 histogram=[35, 0, 0, 0, 0, 0, 0, 1]))
# tensors 38 (shape=[36, 60] role='gradient' stats=(min=0 max=1 mean=0.00046296 norm=1 zeros=2159 histogram=[2159, 0, 0, 0, 0, 0, 0, 1]))
# tensors 39 (shape=[36, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2160))
# tensors 40 (shape=[] role='gradient' values=[0])
# tensors 41 (shape=[36, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2160))
# tensors 42 (shape=[36, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2160))
# tensors 43 (shape=[40, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2400))
# tensors 44 (shape=[40, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2400))
# tensors 45 (shape=[40, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2400))
# tensors 46 (shape=[40, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2400))
# tensors 47 (shape=[] role='gradient' values=[1])
# tensors 48 (shape=[36] role='gradient' values=[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] stats=(min=1 max=1 mean=1 norm=6))
# tensors 49 (shape=[36] role='gradient' values=[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] stats=(min=0 max=1 mean=0.027778 norm=1 zeros=35 histogram=[35, 0, 0, 0, 0, 0, 0, 1]))
# tensors 50 (shape=[36, 60] role='gradient' stats=(min=0 max=1 mean=0.00046296 norm=1 zeros=2159 histogram=[2159, 0, 0, 0, 0, 0, 0, 1]))
# tensors 51 (shape=[36, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2160))
# tensors 52 (shape=[36, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2160))
# tensors 53 (shape=[] role='gradient' values=[0])
# tensors 54 (shape=[36, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2160))
# tensors 55 (shape=[36, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2160))
# tensors 56 (shape=[40, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2400))
# tensors 57 (shape=[40, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2400))
# tensors 58 (shape=[40, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2400))
# tensors 59 (shape=[40, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2400))
# tensors 60 (shape=[40, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2400))
# tensors 61 (shape=[40, 60] role='gradient' stats=(min=0 max=0 mean=0 norm=0 zeros=2400))
# ops 0 (name='mul' inputs=[0, 1] outputs=[3] site=10:11-24 scope=1 saved_bytes=9600 grad_fn='MulBackward0' saved=[0])
# ops 1 (name='mul' inputs=[3] outputs=[4] site=10:11-28 args='2' scope=1 grad_fn='MulBackward0')
# ops 2 (name='max' inputs=[4] outputs=[5, 6] site=11:18-33 args='dim=1' scope=1 saved_bytes=320 grad_fn='MaxBackward0' saved=[6])
# ops 3 (name='gt' inputs=[4] outputs=[7] site=12:23-34 args='4700' scope=1)
# ops 4 (name='div' inputs=[4] outputs=[8] site=12:42-50 args='2' scope=1 grad_fn='DivBackward0')
# ops 5 (name='where' inputs=[7, 4, 8] outputs=[9] site=12:11-51 scope=1 saved_bytes=2400 grad_fn='WhereBackward0' saved=[7])
# ops 6 (name='getitem' inputs=[1] outputs=[10] site=14:8-17 args='3' scope=1)
# ops 7 (name='mul_' inputs=[10] outputs=[11] site=14:8-25 args='0' scope=1 inplace=True)
# ops 8 (name='gt' inputs=[5] outputs=[13] site=15:12-21 args='500' scope=1)
# ops 9 (name='sum' inputs=[13] outputs=[14] site=16:26-37 scope=1)
# ops 10 (name='gt' inputs=[14] outputs=[15] site=16:26-42 args='10' scope=1)
# ops 11 (name='getitem' inputs=[9, 13] outputs=[16] site=16:11-22 scope=2 under=0 saved_bytes=40 grad_fn='GetitemBackward0' saved=[13])
# ops 12 (name='getitem' inputs=[16] outputs=[17] site=17:4-14 args='(0, 0)' scope=1 grad_fn='GetitemBackward0')
# ops 13 (name='copy_' inputs=[17, 2] outputs=[18] site=17:4-14 scope=1 grad_fn='torch::autograd::CopyBackwards' inplace=True)
# ops 14 (name='max' inputs=[19] outputs=[20] site=18:18-28 scope=1 saved_bytes=8640 grad_fn='MaxBackward0' saved=[19])
# ops 15 (name='sub' inputs=[19, 20] outputs=[21] site=18:11-28 scope=1 grad_fn='SubBackward0')
# ops 16 (name='isnan' inputs=[21] outputs=[22] site=19:28-40 scope=1)
# ops 17 (name='masked_fill' inputs=[21, 22] outputs=[23] site=19:11-46 args='0' scope=1 saved_bytes=2160 grad_fn='MaskedFillBackward0' saved=[22])
# ops 18 (name='getitem' inputs=[23] outputs=[24] site=20:11-21 args='(:, 0)' scope=1 grad_fn='GetitemBackward0')
# ops 19 (name='clamp' inputs=[24] outputs=[25] site=20:11-35 args='-8' scope=1 saved_bytes=144 grad_fn='ClampBackward0' saved=[24])
# ops 20 (name='sum' inputs=[25] outputs=[26] site=20:11-41 scope=1 grad_fn='SumBackward0')
# ops 21 (name='getitem' inputs=[0] outputs=[27] site=20:54-61 args='0' scope=1)
# ops 22 (name='mul' inputs=[27] outputs=[28] site=20:54-65 args='2' scope=1)
# ops 23 (name='log' inputs=[28] outputs=[29] site=20:44-66 scope=1)
# ops 24 (name='getitem' inputs=[29] outputs=[30] site=20:44-71 args='1:3' scope=1)
# ops 25 (name='sum' inputs=[30] outputs=[31] site=20:44-77 scope=1)
# ops 26 (name='add' inputs=[26, 31] outputs=[32] site=20:11-77 scope=1 grad_fn='AddBackward0')
# decisions 0 (site=16:26-42 arm='then' outcome=True origin='tensor' call_path=['forward'] conditions=[(text='flags.sum() > 10' op='>' lhs=36 rhs=10 value=None outcome=True margin=26 origin='tensor' predicate_op=10)] margin=26 predicate_op=10 scope=1)
# choices 0 (op=3 kind='mask' of=2400 counts=[2351, 49] margin=2 uses=[5])
# choices 1 (op=8 kind='mask' of=40 counts=[4, 36] margin=22 uses=[11])
# inputs 0 (name='x' value=2)
# outputs 0 (name='output' tensor=32)
# backwards 0 (site=None root=32 seed='1' gradients=[(name='weight' tensor=1 role='parameter' value=33), (name='output' tensor=32 role='intermediate' value=34), (name='t26' tensor=26 role='intermediate' value=35), (name='t25' tensor=25 role='intermediate' value=36), (name='t24' tensor=24 role='intermediate' value=37), (name='t23' tensor=23 role='intermediate' value=38), (name='t21' tensor=21 role='intermediate' value=39), (name='t20' tensor=20 role='intermediate' value=40), (name='t19' tensor=19 role='intermediate' value=41), (name='t16' tensor=16 role='intermediate' value=42), (name='t9' tensor=9 role='intermediate' value=43), (name='t8' tensor=8 role='intermediate' value=44), (name='t4' tensor=4 role='intermediate' value=45), (name='t3' tensor=3 role='intermediate' value=46)] after=27 nodes=[26, 20, 19, 18, 17, 15, 14, 13, 11, 5, 4, 1, 0])
# edges [[26, 26, 47], [20, 25, 48], [19, 24, 49], [18, 23, 50], [17, 21, 51], [15, 19, 52], [15, 20, 53], [14, 19, 54], [13, 16, 55], [11, 9, 56], [5, 4, 57], [5, 8, 58], [4, 4, 59], [1, 3, 60], [0, 1, 61]]
# left []
# reached {3: 1, 5: 1, 6: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1, 16: 1, 17: 1, 18: 1, 19: 1, 20: 1}
# line 16 [(test='if flags.sum() > 10' took='T' values='36 > 10')] None
# decided (decisions=[0] because='flags.sum() = 36 > 10' took='then' left='else' margin=26)
# chosen (choices=[...] site=12:23-34 picked='49 of 2,400' margin='2' use='line 12: where')
# chosen (choices=[...] site=15:12-21 picked='36 of 40' margin='22' use='line 16: wide[flags]')
# gradient (name='weight' shape='[40, 60]' values='min 0 max 0 mean 0 norm 0 · 100% zero')
# bad (kind='overflow' op=14 tensor=20 shown=20 made_of=[19])
# bad (kind='NaN' op=15 tensor=21 shown=21 made_of=[19, 20])
# bad (kind='Inf' op=23 tensor=29 shown=29 made_of=[28])
# cost (label='outside any module' first=0 ops=27 nodes=13 saved_bytes=23304)
# cost (label='whatever was decided' first=0 ops=26 nodes=12 saved_bytes=23264)
# cost (label='if flags.sum() > 10 → then' first=11 site=16:26-42 ops=1 nodes=1 saved_bytes=40)
# cost (label='getitem' first=6 ops=6 nodes=2 saved_bytes=40)
# cost (label='mul' first=0 ops=3 nodes=2 saved_bytes=9600)
# cost (label='gt' first=3 ops=3)
# cost (label='sum' first=9 ops=3 nodes=1)
# cost (label='max' first=2 ops=2 nodes=1 saved_bytes=8960)
# cost (label='div' first=4 ops=1 nodes=1)
# cost (label='where' first=5 ops=1 nodes=1 saved_bytes=2400)
# cost (label='mul_' first=7 ops=1)
# cost (label='copy_' first=13 ops=1 nodes=1)
# cost (label='sub' first=15 ops=1 nodes=1)
# cost (label='isnan' first=16 ops=1)
# cost (label='masked_fill' first=17 ops=1 nodes=1 saved_bytes=2160)
# cost (label='clamp' first=19 ops=1 nodes=1 saved_bytes=144)
# cost (label='log' first=23 ops=1)
# cost (label='add' first=26 ops=1 nodes=1)
# held (size_bytes=9600 why='constant' tensor=0)
# held (size_bytes=9600 why='parameter' tensor=1)
# held (size_bytes=8640 why='backward' tensor=16 op=11)
# held (size_bytes=8640 why='gradient' tensor=16 op=11)
# held (size_bytes=8640 why='gradient' tensor=21 op=15)
# held (size_bytes=8640 why='gradient' tensor=23 op=17)
# held (size_bytes=2400 why='backward' tensor=7 op=3)
# held (size_bytes=2160 why='backward' tensor=22 op=16)
# held (size_bytes=40 why='backward' tensor=13 op=8)
# held (size_bytes=4 why='output' tensor=32 op=26)
# memory 22984 of [28800, 38400, 29280, 31680, 41280, 50880, 31680, 31680, 31720, 31248, 31249, 39880, 30280, 30284, 30284, 38924, 41080, 49720, 41080, 41224, 41228, 41084, 41324, 41564, 41324, 41328, 41092, 49732, 49872, 50012, 49868, 58364, 47572, 38932, 30288, 39884, 50404, 38404, 38404, 38404]
# named ['', 'forward', 'if flags.sum() > 10 → then']
# parting None
# decisions []
# ops [(a=1 b=1), (a=2 b=2), (a=3 b=3), (a=4 b=4), (a=5 b=5), (a=8 b=8), (a=9 b=9), (a=11 b=11), (a=12 b=12), (a=15 b=15), (a=16 b=16), (a=17 b=17), (a=18 b=18), (a=19 b=19), (a=20 b=20), (a=22 b=22), (a=23 b=23), (a=24 b=24), (a=25 b=25), (a=26 b=26)]
# choices [(a=0 b=0), (a=1 b=1)]
# flows [(ops=(a=19 b=19) backward=0 a=36 b=36), (ops=(a=18 b=18) backward=0 a=37 b=37), (ops=(a=17 b=17) backward=0 a=38 b=38), (ops=(a=15 b=15) backward=0 a=39 b=39), (ops=(a=11 b=11) backward=0 a=42 b=42)]
# counts {decisions: (same=1), choices: (differ=2), ops: (same=7 differ=20), outputs: (differ=1), gradients: (same=1), op_gradients: (same=7 differ=5)}
# same_end True
# share 1
# input x False None
# output output False 15.189
# gradient weight True 0
# graph [' · two runs'] blue: only A · magenta: only B · A: x = 2, B: x = 3 · B: recorded without `--grads`: what went back along an edge is known where one op alone reads the value
# box b0 (kind='arm' name='True' site=16:26-42)
# node n0 (kind='constant' name='grid' lines=['float32 [40, 60] · 0 to 2399'] tensors=[0]) (value='[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, …')
# node n1 (kind='parameter' name='weight' lines=['float32 [40, 60]', 'grad all 0'/gradient] tensors=[1]) (gradient='[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0…')
# node n2 (kind='constant' name='constant' lines=['float32 [] · inf'] tensors=[2])
# node n3 (kind='op' name='mul' lines=['float32 [40, 60] · 0 to 2399', 'grad all 0'/gradient, 'line 10 · saves 9.38 KiB'/faint] site=10:11-24 ops=[0])
# node n4 (kind='op' name='mul' rest='A: 2, B: 3' lines=['A: float32 [40, 60] · 0 to 4798', 'B: float32 [40, 60] · 0 to 7197', 'grad all 0'/gradient, 'line 10'/faint] site=10:11-28 ops=[1])
# node n5 (kind='op' name='max' rest='dim=1' lines=['A: float32 [40] · [118, 238, 358, 478, 598, 718, 838, 958, 1078, 1198, 1318, 1438, 1558, 1678, 1798, 1918, 2038, 2158, 2278, 2398, 2518, 2638, 2758, 2878, 2998, 3118, 3238, 3358, 3478, 3598, 3718, 3838, 3958, 4078, 4198, 4318, 4438, 4558, 4678, 4798]', 'B: float32 [40] · [177, 357, 537, 717, 897, 1077, 1257, 1437, 1617, 1797, 1977, 2157, 2337, 2517, 2697, 2877, 3057, 3237, 3417, 3597, 3777, 3957, 4137, 4317, 4497, 4677, 4857, 5037, 5217, 5397, 5577, 5757, 5937, 6117, 6297, 6477, 6657, 6837, 7017, 7197]', 'line 11 · the first of 2 outputs · saves 320 B'/faint] site=11:18-33 ops=[2]) (each=[[0, 'A: float32 [40] · 118 to 4798\nB: float32 [40] · 177 to 7197', '']] value='A: [118, 238, 358, 478, 598, 718, 838, 958, 1078, 1198, 1318, 1438, 1558, 1678, 1798, 1918, 2038, 2158, 2278, 2398, 2518…')
# node n6 (kind='op' name='gt' rest='4700' lines=['bool [40, 60] · 0 to 1', 'line 12'/faint] site=12:23-34 ops=[3])
# node n7 (kind='op' name='div' rest='2' lines=['A: float32 [40, 60] · 0 to 2399', 'B: float32 [40, 60] · 0 to 3.6e3', 'grad all 0'/gradient, 'line 12'/faint] site=12:42-50 ops=[4])
# node n8 (kind='op' name='where' lines=['A: float32 [40, 60] · 0 to 4798', 'B: float32 [40, 60] · 0 to 7197', 'grad all 0'/gradient, 'line 12 · saves 2.34 KiB'/faint] site=12:11-51 ops=[5])
# node n9 (kind='op' name='getitem' rest='3' lines=['float32 [60] · [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]', 'line 14 · no_grad'/faint] site=14:8-17 ops=[6] unrecorded=True) (each=[[0, 'float32 [60] · all 1', '']] value='[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,…')
# node n10 (kind='op' name='mul_' rest='0' lines=['float32 [40, 60]', 'line 14 · no_grad'/faint] site=14:8-25 ops=[7] unrecorded=True)
# node n11 (kind='op' name='gt' rest='500' lines=['A: bool [40] · [False, False, False, False, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True]', 'B: bool [40] · [False, False, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True]', 'line 15'/faint] site=15:12-21 ops=[8]) (each=[[0, 'bool [40] · 0 to 1', '']] value='A: [False, False, False, False, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True…')
# node n12 (kind='op' name='sum' lines=['A: int64 [] · 36', 'B: int64 [] · 38', 'line 16'/faint] site=16:26-37 ops=[9])
# node n13 (kind='op' name='gt' rest='10' lines=['bool [] · True', 'line 16'/faint] site=16:26-42 ops=[10])
# node n14 (kind='decision' name='if' rest='flags.sum() > 10' lines=['A: line 16 · 36 > 10 · margin 26'/plain, 'B: line 16 · 38 > 10 · margin 28'/plain] site=16:26-42 decisions=[0])
# node n15 (kind='op' name='getitem' lines=['A: float32 [36, 60] · 240 to 4798', 'B: float32 [38, 60] · 180 to 7197', 'grad all 0'/gradient, 'line 16 · saves 40 B'/faint] box='b0' site=16:11-22 ops=[11])
# node n16 (kind='op' name='getitem' rest='(0, 0)' lines=['A: float32 [] · 240', 'B: float32 [] · 180', 'line 17'/faint] site=17:4-14 ops=[12])
# node n17 (kind='op' name='copy_' lines=['A: float32 [36, 60]', 'B: float32 [38, 60]', 'grad all 0'/gradient, 'line 17'/faint] site=17:4-14 ops=[13])
# node n18 (kind='op' name='max' lines=['float32 [] · inf', 'grad 0'/gradient, 'line 18 · A: saves 8.44 KiB, B: saves 8.91 KiB'/faint] site=18:18-28 ops=[14])
# node n19 (kind='op' name='sub' lines=['A: float32 [36, 60] · 1 NaN, 2,159 Inf', 'B: float32 [38, 60] · 1 NaN, 2,279 Inf', 'grad all 0'/gradient, 'line 18'/faint] site=18:11-28 ops=[15])
# node n20 (kind='op' name='isnan' lines=['A: bool [36, 60] · 0 to 1', 'B: bool [38, 60] · 0 to 1', 'line 19'/faint] site=19:28-40 ops=[16])
# node n21 (kind='op' name='masked_fill' rest='0' lines=['A: float32 [36, 60] · all 0, 2,159 Inf', 'B: float32 [38, 60] · all 0, 2,279 Inf', 'grad 0 to 1'/gradient, 'line 19 · A: saves 2.11 KiB, B: saves 2.23 KiB'/faint] site=19:11-46 ops=[17])
# node n22 (kind='op' name='getitem' rest='(:, 0)' lines=['A: float32 [36] · [0, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf]', 'B: float32 [38] · [0, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf]', 'A: grad [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]'/gradient, 'B: grad [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]'/gradient, 'line 20'/faint] site=20:11-21 ops=[18]) (each=[[0, 'A: float32 [36] · all 0, 35 Inf\nB: float32 [38] · all 0, 37 Inf', '0 to 1']] value='A: [0, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf,…' gradient='A: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]\nB: [1, 0…')
# node n23 (kind='op' name='clamp' rest='-8' lines=['A: float32 [36] · [0, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8]', 'B: float32 [38] · [0, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8]', 'A: grad [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]'/gradient, 'B: grad [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]'/gradient, 'line 20 · A: saves 144 B, B: saves 152 B'/faint] site=20:11-35 ops=[19]) (each=[[0, 'A: float32 [36] · -8 to 0\nB: float32 [38] · -8 to 0', 'all 1']] value='A: [0, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -…' gradient='A: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\nB: [1, 1…')
# node n24 (kind='op' name='sum' lines=['A: float32 [] · -280', 'B: float32 [] · -296', 'grad 1'/gradient, 'line 20'/faint] site=20:11-41 ops=[20])
# node n25 (kind='op' name='getitem' rest='0' lines=['float32 [60] · [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59]', 'line 20'/faint] site=20:54-61 ops=[21]) (each=[[0, 'float32 [60] · 0 to 59', '']] value='[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 3…')
# node n26 (kind='op' name='mul' rest='A: 2, B: 3' lines=['A: float32 [60] · [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 66, 68, 70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 118]', 'B: float32 [60] · [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45, 48, 51, 54, 57, 60, 63, 66, 69, 72, 75, 78, 81, 84, 87, 90, 93, 96, 99, 102, 105, 108, 111, 114, 117, 120, 123, 126, 129, 132, 135, 138, 141, 144, 147, 150, 153, 156, 159, 162, 165, 168, 171, 174, 177]', 'line 20'/faint] site=20:54-65 ops=[22]) (each=[[0, 'A: float32 [60] · 0 to 118\nB: float32 [60] · 0 to 177', '']] value='A: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 6…')
# node n27 (kind='op' name='log' lines=['A: float32 [60] · 0.693 to 4.77, 1 Inf', 'B: float32 [60] · 1.1 to 5.18, 1 Inf', 'line 20'/faint] site=20:44-66 ops=[23]) (each=[[0, 'A: float32 [60] · 0.693 to 4.77, 1 Inf\nB: float32 [60] · 1.1 to 5.18, 1 Inf', '']] value='A: [-inf, 0.6931, 1.386, 1.792, 2.079, 2.303, 2.485, 2.639, 2.773, 2.89, 2.996, 3.091, 3.178, 3.258, 3.332, 3.401, 3.466…')
# node n28 (kind='op' name='getitem' rest='1:3' lines=['A: float32 [2] · [0.6931, 1.386]', 'B: float32 [2] · [1.099, 1.792]', 'line 20'/faint] site=20:44-71 ops=[24])
# node n29 (kind='op' name='sum' lines=['A: float32 [] · 2.079', 'B: float32 [] · 2.89', 'line 20'/faint] site=20:44-77 ops=[25])
# node n30 (kind='op' name='add' rest='→ output' lines=['A: float32 [] · -277.9', 'B: float32 [] · -293.1', 'grad 1'/gradient, 'line 20'/faint] site=20:11-77 ops=[26])
# node n31 (kind='output' name='output' lines=['A: float32 [] · -277.9', 'B: float32 [] · -293.1', 'backward · seed 1'/gradient] tensors=[32])
# edge n0 n3 data   both
# edge n1 n3 data  A: all 0 both
# edge n3 n4 data  all 0 both
# edge n4 n5 data   both
# edge n4 n6 data   both
# edge n4 n7 data  A: all 0 both
# edge n6 n8 data   both
# edge n4 n8 data  A: all 0 both
# edge n7 n8 data  all 0 both
# edge n1 n9 data   both
# edge n9 n10 data   both
# edge n5 n11 data   both
# edge n11 n12 data   both
# edge n12 n13 data   both
# edge n8 n15 data  all 0 both
# edge n11 n15 data   both
# edge n15 n16 data  B: all 0 both
# edge n16 n17 data   both
# edge n2 n17 data   both
# edge n17 n18 data  A: all 0 both
# edge n17 n19 data  A: all 0 both
# edge n18 n19 data  0 both
# edge n19 n20 data   both
# edge n19 n21 data  A: all 0 both
# edge n20 n21 data   both
# edge n21 n22 data  0 to 1 both
# edge n22 n23 data  0 to 1 both
# edge n23 n24 data  all 1 both
# edge n0 n25 data   both
# edge n25 n26 data   both
# edge n26 n27 data   both
# edge n27 n28 data   both
# edge n28 n29 data   both
# edge n24 n30 data  1 both
# edge n29 n30 data   both
# edge n13 n14 predicate   both
# edge n14 n15 taken True  both
# edge n30 n31 data   both
