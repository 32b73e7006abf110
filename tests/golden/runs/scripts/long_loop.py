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
# graph [' · two runs'] blue: only A · magenta: only B · A: x = 3, B: x = 5 · A: n = 24, B: n = 20 drawn 1 deep
# box b0 (kind='loop' name='for' rest='t in range(n) · line 13 · A: x 22, B: x 20 · A: 3 kinds of step, B: 2 kinds of step' site=13:4-21 times=22)
# box b1 (kind='arm' name='True' rest='lines 15 to 16' parent='b0' site=14:11-21 times=7)
# box b2 (kind='left' name='True' rest='line 20' parent='b0' site=19:11-40 times=0)
# box b3 (kind='arm' name='True' rest='line 22' parent='b0' site=21:11-19 side='a')
# node n0 (kind='op' name='ones' rest='2' lines=['float32 [2] · [1, 1]', 'line 11'/faint] site=11:12-25 ops=[0])
# node n1 (kind='op' name='mul' rest='A: 3, B: 5' lines=['A: float32 [2] · [3, 3]', 'B: float32 [2] · [5, 5]', 'line 11'/faint] site=11:12-29 ops=[1])
# node n2 (kind='decision' name='if' rest='t % 3 == 2' lines=['A: line 14 · (F x2, T) x7, F'/plain, 'B: line 14 · (F x2, T) x6, F x2'/plain, 'A: 0 … 2 … 0 == 2 (python)'/plain, 'B: 0 … 2 … 1 == 2 (python)'/plain, 'margin 0'/plain] box='b0' site=14:11-21 decisions=[1, 5, 9, 10, 14, 18, 19, 23, 27, 28, 32, 36, 37, 41, 45, 46, 50, 54, 55, 59, 63, 64]) (each=[[0, 'False · 0 == 2', ''], [1, 'False · 1 == 2', ''], [2, 'True · 2 == 2', ''], [3, 'False · 0 == 2', ''], [4, 'False · 1 == 2', ''], [5, 'True · 2 == 2', ''], [6, 'False · 0 == 2', ''], [7, 'False · 1 == 2', ''], [8, 'True · 2 == 2', ''], [9, 'False · 0 == 2', ''], [10, 'False · 1 == 2', ''], [11, 'True · 2 == 2', ''], [12, 'False · 0 == 2', ''], [13, 'False · 1 == 2', ''], [14, 'True · 2 == 2', ''], [15, 'False · 0 == 2', ''], [16, 'False · 1 == 2', ''], [17, 'True · 2 == 2', ''], [18, 'False · 0 == 2', ''], [19, 'False · 1 == 2', ''], [20, 'A: True · 2 == 2\nB: —', ''], [21, 'A: False · 0 == 2\nB: —', '']])
# node n3 (kind='fold' name='for' rest='_ in range(2) · line 17 · A: x 30 = 15 x 2, B: x 28 = 14 x 2' lines=['A: 60 ops · saves 944 B', 'B: 56 ops · saves 880 B', 'matmul, tanh'/faint, 'float32 [2] · [0.9051, 0.9051] … [0.8586, 0.8586]', '1 parameter · grad norm 150'/gradient] box='b0' site=17:8-25 ops=[2, 3, 4, 5, 8, 9, 10, 11, 14, 15, 16, 17, 20, 21, 22, 23, 26, 27, 28, 29, 32, 33, 34, 35, 38, 39, 40, 41, 44, 45, 46, 47, 50, 51, 52, 53, 56, 57, 58, 59, 60 in all] tensors=[0])
# node n4 (kind='op' name='mean' lines=['float32 [] · 0.9051 … 0.8586', 'line 19 · A: x15, B: x14'/faint] box='b0' site=19:11-23 ops=[6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66, 72, 78, 84, 90]) (each=[[0, 'float32 [] · 0.9051', ''], [1, 'float32 [] · 0.8652', ''], [3, 'float32 [] · 0.8596', ''], [4, 'float32 [] · 0.8587', ''], [6, 'float32 [] · 0.8586', ''], [7, 'float32 [] · 0.8586', ''], [9, 'float32 [] · 0.8586', ''], [10, 'float32 [] · 0.8586', ''], [12, 'float32 [] · 0.8586', ''], [13, 'float32 [] · 0.8586', ''], [15, 'float32 [] · 0.8586', ''], [16, 'float32 [] · 0.8586', ''], [18, 'float32 [] · 0.8586', ''], [19, 'float32 [] · 0.8586', ''], [21, 'A: float32 [] · 0.8586\nB: —', '']])
# node n5 (kind='op' name='gt' rest='0.99' lines=['bool [] · False', 'line 19 · A: x15, B: x14'/faint] box='b0' site=19:11-30 ops=[7, 13, 19, 25, 31, 37, 43, 49, 55, 61, 67, 73, 79, 85, 91]) (each=[[0, 'bool [] · False', ''], [1, 'bool [] · False', ''], [3, 'bool [] · False', ''], [4, 'bool [] · False', ''], [6, 'bool [] · False', ''], [7, 'bool [] · False', ''], [9, 'bool [] · False', ''], [10, 'bool [] · False', ''], [12, 'bool [] · False', ''], [13, 'bool [] · False', ''], [15, 'bool [] · False', ''], [16, 'bool [] · False', ''], [18, 'bool [] · False', ''], [19, 'bool [] · False', ''], [21, 'A: bool [] · False\nB: —', '']])
# node n6 (kind='decision' name='if' rest='state.mean() > 0.99 and t > 5' lines=['A: line 19 · F x15'/plain, 'B: line 19 · F x14'/plain, '0.9051 … 0.8586 > 0.99'/plain, 'margin -0.0849'/plain] box='b0' site=19:11-40 decisions=[3, 7, 12, 16, 21, 25, 30, 34, 39, 43, 48, 52, 57, 61, 66]) (each=[[0, 'False · 0.9051 > 0.99', ''], [1, 'False · 0.8652 > 0.99', ''], [3, 'False · 0.8596 > 0.99', ''], [4, 'False · 0.8587 > 0.99', ''], [6, 'False · 0.8586 > 0.99', ''], [7, 'False · 0.8586 > 0.99', ''], [9, 'False · 0.8586 > 0.99', ''], [10, 'False · 0.8586 > 0.99', ''], [12, 'False · 0.8586 > 0.99', ''], [13, 'False · 0.8586 > 0.99', ''], [15, 'False · 0.8586 > 0.99', ''], [16, 'False · 0.8586 > 0.99', ''], [18, 'False · 0.8586 > 0.99', ''], [19, 'False · 0.8586 > 0.99', ''], [21, 'A: False · 0.8586 > 0.99\nB: —', '']])
# node n7 (kind='decision' name='if' rest='seen > 6' lines=['A: line 21 · F x14, T'/plain, 'B: line 21 · F x14'/plain, 'A: 0 … 7 > 6 (python)'/plain, 'B: 0 … 6 > 6 (python)'/plain, 'margin 0'/plain] box='b0' site=21:11-19 decisions=[4, 8, 13, 17, 22, 26, 31, 35, 40, 44, 49, 53, 58, 62, 67]) (each=[[0, 'False · 0 > 6', ''], [1, 'False · 0 > 6', ''], [3, 'False · 1 > 6', ''], [4, 'False · 1 > 6', ''], [6, 'False · 2 > 6', ''], [7, 'False · 2 > 6', ''], [9, 'False · 3 > 6', ''], [10, 'False · 3 > 6', ''], [12, 'False · 4 > 6', ''], [13, 'False · 4 > 6', ''], [15, 'False · 5 > 6', ''], [16, 'False · 5 > 6', ''], [18, 'False · 6 > 6', ''], [19, 'False · 6 > 6', ''], [21, 'A: True · 7 > 6\nB: —', '']])
# node n8 (kind='op' name='getitem' rest='(:, None)' lines=['float32 [2, 1] · [[0.8586], [0.8586]]', 'line 23'/faint] site=23:13-27 ops=[92])
# node n9 (kind='op' name='ones' rest='200' lines=['float32 [200] · all 1', 'line 23'/faint] site=23:30-45 ops=[93]) (each=[[0, 'float32 [200] · all 1', '']] value='[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,…')
# node n10 (kind='op' name='mul' lines=['float32 [2, 200] · all 0.859', 'line 23 · saves 800 B'/faint] site=23:13-45 ops=[94]) (each=[[0, 'float32 [2, 200] · all 0.859', 'all 1']] value='[[0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586, 0.8586…' gradient='[[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1…')
# node n11 (kind='op' name='sum' rest='→ output.0' lines=['float32 [] · 343.4', 'line 23'/faint] site=23:12-52 ops=[95])
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
