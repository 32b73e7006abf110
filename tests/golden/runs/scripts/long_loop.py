# run: {"inputs": ["3", "24"], "entry": "steps", "edges": false}
# other: {"inputs": ["5", "20"], "entry": "steps", "edges": false}
# picture: {"max_nodes": 12, "grads": false}
import dyncore as torch

weight = torch.full((2, 2), 0.75, requires_grad=True)
bias = torch.tensor([-1.0, 1.0])


def steps(x, n: int):
    state = torch.ones(2) * x
    seen = 0
    for t in range(n):
        if t % 3 == 2:
            seen += 1
            continue
        for _ in range(2):
            state = torch.tanh(weight @ state)
        if state.mean() > 0.99 and t > 5:
            state = state + bias
        if seen > 6:
            break
    outer = (state[:, None] * torch.ones(200)).sum()
    return outer, state

# ----
# parting (a=0 b=0 kind='arm')
# decisions [(a=0 b=0), (a=63 b=None), (a=64 b=None), (a=65 b=None), (a=66 b=None), (a=67 b=None)]
# ops [(a=1 b=1), (a=2 b=2), (a=3 b=3), (a=4 b=4), (a=5 b=5), (a=6 b=6), (a=8 b=8), (a=9 b=9), (a=10 b=10), (a=11 b=11), (a=12 b=12), (a=14 b=14), (a=15 b=15), (a=16 b=16), (a=17 b=17), (a=18 b=18), (a=20 b=20), (a=21 b=21), (a=22 b=22), (a=23 b=23), (a=24 b=24), (a=26 b=26), (a=27 b=27), (a=28 b=28), (a=29 b=29), (a=30 b=30), (a=32 b=32), (a=33 b=33), (a=34 b=34), (a=35 b=35), (a=36 b=36), (a=38 b=38), (a=39 b=39), (a=86 b=None), (a=87 b=None), (a=88 b=None), (a=89 b=None), (a=90 b=None), (a=91 b=None)]
# choices []
# flows [(ops=(a=83 b=83) backward=0 a=105 b=95), (ops=(a=82 b=82) backward=0 a=106 b=96), (ops=(a=81 b=81) backward=0 a=107 b=97), (ops=(a=80 b=80) backward=0 a=108 b=98), (ops=(a=77 b=77) backward=0 a=109 b=99), (ops=(a=76 b=76) backward=0 a=110 b=100), (ops=(a=75 b=75) backward=0 a=111 b=101), (ops=(a=74 b=74) backward=0 a=112 b=102), (ops=(a=71 b=71) backward=0 a=113 b=103), (ops=(a=70 b=70) backward=0 a=114 b=104), (ops=(a=69 b=69) backward=0 a=115 b=105), (ops=(a=68 b=68) backward=0 a=116 b=106), (ops=(a=65 b=65) backward=0 a=117 b=107), (ops=(a=64 b=64) backward=0 a=118 b=108), (ops=(a=63 b=63) backward=0 a=119 b=109), (ops=(a=62 b=62) backward=0 a=120 b=110), (ops=(a=59 b=59) backward=0 a=121 b=111), (ops=(a=58 b=58) backward=0 a=122 b=112), (ops=(a=57 b=57) backward=0 a=123 b=113), (ops=(a=56 b=56) backward=0 a=124 b=114), (ops=(a=53 b=53) backward=0 a=125 b=115), (ops=(a=52 b=52) backward=0 a=126 b=116), (ops=(a=51 b=51) backward=0 a=127 b=117), (ops=(a=50 b=50) backward=0 a=128 b=118), (ops=(a=47 b=47) backward=0 a=129 b=119), (ops=(a=46 b=46) backward=0 a=130 b=120), (ops=(a=45 b=45) backward=0 a=131 b=121), (ops=(a=44 b=44) backward=0 a=132 b=122), (ops=(a=41 b=41) backward=0 a=133 b=123), (ops=(a=40 b=40) backward=0 a=134 b=124), (ops=(a=39 b=39) backward=0 a=135 b=125), (ops=(a=38 b=38) backward=0 a=136 b=126), (ops=(a=35 b=35) backward=0 a=137 b=127), (ops=(a=34 b=34) backward=0 a=138 b=128), (ops=(a=33 b=33) backward=0 a=139 b=129), (ops=(a=32 b=32) backward=0 a=140 b=130), (ops=(a=29 b=29) backward=0 a=141 b=131), (ops=(a=28 b=28) backward=0 a=142 b=132), (ops=(a=27 b=27) backward=0 a=143 b=133), (ops=(a=26 b=26) backward=0 a=144 b=134), 56 in all]
# counts {decisions: (same=62 differ=1 only_a=5), choices: (), ops: (same=57 differ=33 only_a=6), outputs: (same=2), gradients: (same=1), op_gradients: (same=3 differ=56)}
# same_end True
# share 1
# input x False None
# input n False None
# output output.0 True 0
# output output.1 True 0
# gradient weight True 0
# graph [' · two runs'] blue: only A · magenta: only B · A: x = 3, B: x = 5 · A: n = 24, B: n = 20 drawn 1 deep
# box b0 (kind='loop' name='for' rest='t in range(n) · line 13 · A: x 22, B: x 20 · A: 3 kinds of step, B: 2 kinds of step' site=13:4-21 times=22)
# box b1 (kind='arm' name='True' rest='lines 15 to 16' parent='b0' site=14:11-21 times=7)
# box b2 (kind='left' name='True' rest='line 20' parent='b0' site=19:11-40 times=0)
# box b3 (kind='arm' name='True' rest='line 22' parent='b0' site=21:11-19 side='a')
# node n0 (kind='op' name='ones' rest='2' lines=['float32 [2] · [1, 1]', 'line 11'/faint] site=11:12-25 ops=[0]) (each=[[0, 'float32 [2] · [1, 1]', '']])
# node n1 (kind='op' name='mul' rest='A: 3, B: 5' lines=['A: float32 [2] · [3, 3]', 'B: float32 [2] · [5, 5]', 'line 11'/faint] site=11:12-29 ops=[1]) (each=[[0, 'A: float32 [2] · [3, 3]\nB: float32 [2] · [5, 5]', '']])
# node n2 (kind='decision' name='if' rest='t % 3 == 2' lines=['A: line 14 · (F x2, T) x7, F'/plain, 'B: line 14 · (F x2, T) x6, F x2'/plain, 'A: 0 … 2 … 0 == 2 (python)'/plain, 'B: 0 … 2 … 1 == 2 (python)'/plain, 'margin 0'/plain] box='b0' site=14:11-21 decisions=[1, 5, 9, 10, 14, 18, 19, 23, 27, 28, 32, 36, 37, 41, 45, 46, 50, 54, 55, 59, 63, 64]) (each=[[0, 'False · 0 == 2', ''], [1, 'False · 1 == 2', ''], [2, 'True · 2 == 2', ''], [3, 'False · 0 == 2', ''], [4, 'False · 1 == 2', ''], [5, 'True · 2 == 2', ''], [6, 'False · 0 == 2', ''], [7, 'False · 1 == 2', ''], [8, 'True · 2 == 2', ''], [9, 'False · 0 == 2', ''], [10, 'False · 1 == 2', ''], [11, 'True · 2 == 2', ''], [12, 'False · 0 == 2', ''], [13, 'False · 1 == 2', ''], [14, 'True · 2 == 2', ''], [15, 'False · 0 == 2', ''], [16, 'False · 1 == 2', ''], [17, 'True · 2 == 2', ''], [18, 'False · 0 == 2', ''], [19, 'False · 1 == 2', ''], [20, 'A: True · 2 == 2\nB: —', ''], [21, 'A: False · 0 == 2\nB: —', '']])
# node n3 (kind='fold' name='for' rest='_ in range(2) · line 17 · A: x 30 = 15 x 2, B: x 28 = 14 x 2' lines=['A: 60 ops · saves 944 B', 'B: 56 ops · saves 880 B', 'matmul, tanh'/faint, 'float32 [2] · [0.9051, 0.9051] … [0.8586, 0.8586]', '1 parameter · grad norm 150'/gradient] box='b0' site=17:8-25 ops=[2, 3, 4, 5, 8, 9, 10, 11, 14, 15, 16, 17, 20, 21, 22, 23, 26, 27, 28, 29, 32, 33, 34, 35, 38, 39, 40, 41, 44, 45, 46, 47, 50, 51, 52, 53, 56, 57, 58, 59, 60 in all] tensors=[0])
# node n4 (kind='op' name='mean' lines=['float32 [] · 0.9051 … 0.8586', 'line 19 · A: x15, B: x14'/faint] box='b0' site=19:11-23 ops=[6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66, 72, 78, 84, 90]) (each=[[0, 'float32 [] · 0.9051', ''], [1, 'float32 [] · 0.8652', ''], [3, 'float32 [] · 0.8596', ''], [4, 'float32 [] · 0.8587', ''], [6, 'float32 [] · 0.8586', ''], [7, 'float32 [] · 0.8586', ''], [9, 'float32 [] · 0.8586', ''], [10, 'float32 [] · 0.8586', ''], [12, 'float32 [] · 0.8586', ''], [13, 'float32 [] · 0.8586', ''], [15, 'float32 [] · 0.8586', ''], [16, 'float32 [] · 0.8586', ''], [18, 'float32 [] · 0.8586', ''], [19, 'float32 [] · 0.8586', ''], [21, 'A: float32 [] · 0.8586\nB: —', '']])
# node n5 (kind='op' name='gt' rest='0.99' lines=['bool [] · False', 'line 19 · A: x15, B: x14'/faint] box='b0' site=19:11-30 ops=[7, 13, 19, 25, 31, 37, 43, 49, 55, 61, 67, 73, 79, 85, 91]) (each=[[0, 'bool [] · False', ''], [1, 'bool [] · False', ''], [3, 'bool [] · False', ''], [4, 'bool [] · False', ''], [6, 'bool [] · False', ''], [7, 'bool [] · False', ''], [9, 'bool [] · False', ''], [10, 'bool [] · False', ''], [12, 'bool [] · False', ''], [13, 'bool [] · False', ''], [15, 'bool [] · False', ''], [16, 'bool [] · False', ''], [18, 'bool [] · False', ''], [19, 'bool [] · False', ''], [21, 'A: bool [] · False\nB: —', '']])
# node n6 (kind='decision' name='if' rest='state.mean() > 0.99 and t > 5' lines=['A: line 19 · F x15'/plain, 'B: line 19 · F x14'/plain, '0.9051 … 0.8586 > 0.99'/plain, 'margin -0.0849'/plain] box='b0' site=19:11-40 decisions=[3, 7, 12, 16, 21, 25, 30, 34, 39, 43, 48, 52, 57, 61, 66]) (each=[[0, 'False · 0.9051 > 0.99', ''], [1, 'False · 0.8652 > 0.99', ''], [3, 'False · 0.8596 > 0.99', ''], [4, 'False · 0.8587 > 0.99', ''], [6, 'False · 0.8586 > 0.99', ''], [7, 'False · 0.8586 > 0.99', ''], [9, 'False · 0.8586 > 0.99', ''], [10, 'False · 0.8586 > 0.99', ''], [12, 'False · 0.8586 > 0.99', ''], [13, 'False · 0.8586 > 0.99', ''], [15, 'False · 0.8586 > 0.99', ''], [16, 'False · 0.8586 > 0.99', ''], [18, 'False · 0.8586 > 0.99', ''], [19, 'False · 0.8586 > 0.99', ''], [21, 'A: False · 0.8586 > 0.99\nB: —', '']])
# node n7 (kind='decision' name='if' rest='seen > 6' lines=['A: line 21 · F x14, T'/plain, 'B: line 21 · F x14'/plain, 'A: 0 … 7 > 6 (python)'/plain, 'B: 0 … 6 > 6 (python)'/plain, 'margin 0'/plain] box='b0' site=21:11-19 decisions=[4, 8, 13, 17, 22, 26, 31, 35, 40, 44, 49, 53, 58, 62, 67]) (each=[[0, 'False · 0 > 6', ''], [1, 'False · 0 > 6', ''], [3, 'False · 1 > 6', ''], [4, 'False · 1 > 6', ''], [6, 'False · 2 > 6', ''], [7, 'False · 2 > 6', ''], [9, 'False · 3 > 6', ''], [10, 'False · 3 > 6', ''], [12, 'False · 4 > 6', ''], [13, 'False · 4 > 6', ''], [15, 'False · 5 > 6', ''], [16, 'False · 5 > 6', ''], [18, 'False · 6 > 6', ''], [19, 'False · 6 > 6', ''], [21, 'A: True · 7 > 6\nB: —', '']])
# node n8 (kind='op' name='getitem' rest='(:, None)' lines=['float32 [2, 1] · [[0.8586], [0.8586]]', 'line 23'/faint] site=23:13-27 ops=[92]) (each=[[0, 'float32 [2, 1] · [[0.8586], [0.8586]]', '[[200], [200]]']])
# node n9 (kind='op' name='ones' rest='200' lines=['float32 [200] · all 1', 'line 23'/faint] site=23:30-45 ops=[93]) (each=[[0, 'float32 [200] · all 1', '']] value='[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,…')
# node n10 (kind='op' name='mul' lines=['float32 [2, 200] · all 0.859', 'line 23 · saves 800 B'/faint] site=23:13-45 ops=[94]) (each=[[0, 'float32 [2, 200] · all 0.859', 'all 1']] value='[[0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586…' gradient='[[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1…')
# node n11 (kind='op' name='sum' rest='→ output.0' lines=['float32 [] · 343.4', 'line 23'/faint] site=23:12-52 ops=[95]) (each=[[0, 'float32 [] · 343.4', '1']])
# node n12 (kind='done' name='' lines=['seen += 1'/source, 'continue'/source] box='b1' site=14:11-21 span=[15, 16])
# node n13 (kind='ghost' name='' lines=['state = state + bias'/source] box='b2' site=19:11-40 span=[20, 20])
# node n14 (kind='done' name='' lines=['break'/source] box='b3' site=21:11-19 side='a' span=[22, 22])
# node n15 (kind='output' name='output.0' lines=['float32 [] · 343.4', 'backward · seed 1'/gradient] tensors=[96])
# node n16 (kind='output' name='output.1' lines=['float32 [2] · [0.8586, 0.8586]', 'backward · seed ones'/gradient] tensors=[90])
# edge n0 n1 data   both
# edge n1 n3 data   both
# edge n3 n4 data   both
# edge n4 n5 data   both
# edge n3 n3 carried   both
# edge n3 n8 data   both
# edge n8 n10 data   both
# edge n9 n10 data   both
# edge n10 n11 data   both
# edge n5 n6 predicate   both
# edge n2 n12 taken A: True x7, B: True x6  both
# edge n2 n3 taken A: False x15, B: False x14  both
# edge n6 n13 left True  both
# edge n7 n14 taken True  a
# edge n11 n15 data   both
# edge n3 n16 data   both
