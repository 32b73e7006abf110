# run: {"inputs": ["[1, 2]", "2"], "edges": true}
# other: {"inputs": ["[1, -2]", "4"], "edges": true}
# picture: {"depth": 1, "saved": false}
# picture: {"only": "mul", "expand": "all", "values": false}
# picture: {"only": "nothing", "collapse": "grow"}
# picture: {"max_nodes": 6, "grads": false}
import dyncore as torch

shifts = [torch.tensor([1.0, 2.0]), torch.tensor([[1.0], [2.0]]), torch.tensor([[1.0], [2.0]])]
gain = torch.tensor([2.0, 0.5], requires_grad=True)


def grow(x, t):
    if x.min() < 0:
        raise ValueError(t)
    return x * gain


def forward(x, n: int):
    total = x
    for shift in shifts:
        total = total + shift.sum()
    for t in range(n):
        try:
            total = grow(total, t) - t
        except ValueError:
            total = total.relu() + gain
        else:
            total = total + 1
        if n > 3:
            total = total.sqrt()
    return total.sum() if n < 3 else total

# ----
# graph [' · two runs'] blue: only A · magenta: only B · B: first NaN (op 23): sqrt, line 31 · B: first NaN in a gradient (op 29): sqrt, line 31 · A: n = 2, B: n = 4
# box b0 (kind='loop' name='for' rest='shift in shifts · line 21 · x 3' site=21:4-23 times=3)
# box b1 (kind='loop' name='for' rest='t in range(n) · line 23 · A: x 2, B: x 4' site=23:4-21 times=2)
# box b2 (kind='arm' name='True' site=32:26-31 side='a')
# box b4 (kind='arm' name='True' rest='x 4' parent='b1' site=30:11-16 times=4 side='b')
# node n0 (kind='input' name='x' lines=['A: float32 [2] · [1, 2]', 'B: float32 [2] · [1, -2]', 'A: grad [4, 0.25]'/gradient, 'B: grad [0.02029, nan]'/gradient] tensors=[0])
# node n1 (kind='constant' name='shifts.0 … 2' rest='x3' tensors=[1, 2, 3])
# node n2 (kind='parameter' name='gain' lines=['float32 [2] · [2, 0.5]', 'A: grad [41, 12]'/gradient, 'B: grad [1.452, nan]'/gradient] tensors=[4])
# node n3 (kind='op' name='sum' lines=['float32 [] · 3', 'line 22 · x3'/faint] box='b0' site=22:24-35 ops=[0, 2, 4]) (each=[[0, 'float32 [] · 3', ''], [1, 'float32 [] · 3', ''], [2, 'float32 [] · 3', '']])
# node n4 (kind='op' name='add' lines=['A: float32 [2] · [4, 5] … [10, 11]', 'B: float32 [2] · [4, 1] … [10, 7]', 'A: grad [4, 0.25]'/gradient, 'B: grad [0.02029, nan]'/gradient, 'line 22 · x3'/faint] box='b0' site=22:16-35 ops=[1, 3, 5]) (each=[[0, 'A: float32 [2] · [4, 5]\nB: float32 [2] · [4, 1]', 'A: [4, 0.25]\nB: [0.02029, nan]'], [1, 'A: float32 [2] · [7, 8]\nB: float32 [2] · [7, 4]', 'A: [4, 0.25]\nB: [0.02029, nan]'], [2, 'A: float32 [2] · [10, 11]\nB: float32 [2] · [10, 7]', 'A: [4, 0.25]\nB: [0.02029, nan]']])
# node n5 (kind='fold' name='grow' rest='A: x 2, B: x 4' lines=['A: 6 ops · 2 decisions', 'B: 12 ops · 4 decisions', 'min, lt, mul'/faint, 'A: float32 [2] · [20, 5.5] … [42, 3.25]', 'B: float32 [2] · [20, 3.5] … [4.497, nan]', 'A: grad [2, 0.5] … [1, 1]'/gradient, 'B: grad [0.01015, nan] … [0.3164, nan]'/gradient, 'A: if x.min() < 0 → False x2'/plain, 'B: if x.min() < 0 → False x4'/plain] box='b1' ops=[6, 7, 8, 11, 12, 13] decisions=[2, 4])
# node n6 (kind='op' name='sub' rest='A: 0 … 1, B: 0 … 3' lines=['A: float32 [2] · [20, 5.5] … [41, 2.25]', 'B: float32 [2] · [20, 3.5] … [1.497, nan]', 'A: grad [2, 0.5] … [1, 1]'/gradient, 'B: grad [0.01015, nan] … [0.3164, nan]'/gradient, 'line 25 · A: x2, B: x4'/faint] box='b1' site=25:20-38 ops=[9, 14]) (each=[[0, 'A: float32 [2] · [20, 5.5]\nB: float32 [2] · [20, 3.5]', 'A: [2, 0.5]\nB: [0.01015, nan]'], [1, 'A: float32 [2] · [41, 2.25]\nB: float32 [2] · [8.165, 0.06066]', 'A: [1, 1]\nB: [0.04649, nan]'], [2, 'A: —\nB: float32 [2] · [4.055, -1.485]', 'B: [0.1407, nan]'], [3, 'A: —\nB: float32 [2] · [1.497, nan]', 'B: [0.3164, nan]']])
# node n7 (kind='op' name='add' rest='1' lines=['A: float32 [2] · [21, 6.5] … [42, 3.25]', 'B: float32 [2] · [21, 4.5] … [2.497, nan]', 'A: grad [2, 0.5] … [1, 1]'/gradient, 'B: grad [0.01015, nan] … [0.3164, nan]'/gradient, 'line 29 · A: x2, B: x4'/faint] box='b1' site=29:20-29 ops=[10, 15]) (each=[[0, 'A: float32 [2] · [21, 6.5]\nB: float32 [2] · [21, 4.5]', 'A: [2, 0.5]\nB: [0.01015, nan]'], [1, 'A: float32 [2] · [42, 3.25]\nB: float32 [2] · [9.165, 1.061]', 'A: [1, 1]\nB: [0.04649, nan]'], [2, 'A: —\nB: float32 [2] · [5.055, -0.4851]', 'B: [0.1407, nan]'], [3, 'A: —\nB: float32 [2] · [2.497, nan]', 'B: [0.3164, nan]']])
# node n8 (kind='decision' name='if' rest='n > 3' lines=['A: line 30 · False x2'/plain, 'B: line 30 · True x4'/plain, 'A: 2 > 3 (python)'/plain, 'B: 4 > 3 (python)'/plain, 'A: margin -1'/plain, 'B: margin 1'/plain] box='b1' site=30:11-16 decisions=[3, 5]) (each=[[0, 'A: False · 2 > 3\nB: True · 4 > 3', ''], [1, 'A: False · 2 > 3\nB: True · 4 > 3', ''], [2, 'A: —\nB: True · 4 > 3', ''], [3, 'A: —\nB: True · 4 > 3', '']])
# node n9 (kind='decision' name='if' rest='n < 3' lines=['A: line 32 · 2 < 3 (python) · margin 1'/plain, 'B: line 32 · 4 < 3 (python) · margin -1 → False'/plain] site=32:26-31 decisions=[6])
# node n10 (kind='op' name='sum' rest='→ output' lines=['float32 [] · 45.25', 'grad 1'/gradient, 'line 32'/faint] box='b2' site=32:11-22 ops=[16] side='a')
# node n12 (kind='output' name='output' lines=['A: float32 [] · 45.25', 'B: float32 [2] · [1.58, nan]', 'A: backward · seed 1'/gradient, 'B: backward · seed ones'/gradient] tensors=[21])
# node n13 (kind='op' name='sqrt' lines=['float32 [2] · [4.583, 2.121] … [1.58, nan]', 'first NaN (op 23)'/error, 'first NaN in a gradient (op 29)'/error, 'grad [0.09298, nan] … [1, 1]'/gradient, 'line 31 · x4'/faint] box='b4' site=31:20-32 ops=[11, 17, 23, 29] side='b') (each=[[0, 'B: float32 [2] · [4.583, 2.121]', 'B: [0.09298, nan]'], [1, 'B: float32 [2] · [3.027, 1.03]', 'B: [0.2815, nan]'], [2, 'B: float32 [2] · [2.248, nan]', 'B: [0.6329, nan]'], [3, 'B: float32 [2] · [1.58, nan]', 'B: [1, 1]']])
# edge n1 n3 data   both
# edge n0 n4 data  A: [4, 0.25], B: [0.02029, nan] both
# edge n3 n4 data   both
# edge n4 n4 carried  A: [4, 0.25], B: [0.02029, nan] both
# edge n4 n5 data  A: [4, 0.25], B: [0.02029, nan] both
# edge n2 n5 data  A: [20, 5.5] … [21, 6.5], B: [0.1015, nan] … [0.7115, nan] both
# edge n5 n6 data  A: [2, 0.5] … [1, 1], B: [0.01015, nan] … [0.3164, nan] both
# edge n6 n7 data  A: [2, 0.5] … [1, 1], B: [0.01015, nan] … [0.3164, nan] both
# edge n7 n5 carried  [2, 0.5] a
# edge n7 n10 data  [1, 1] a
# edge n9 n10 taken True  a
# edge n10 n12 data   a
# edge n7 n13 data  [0.01015, nan] … [0.3164, nan] b
# edge n13 n5 carried  [0.09298, nan] … [0.6329, nan] b
# edge n8 n13 taken True x4  b
# edge n13 n12 data   b
# graph [' · two runs'] blue: only A · magenta: only B · B: first NaN (op 23): sqrt, line 31 · B: first NaN in a gradient (op 29): sqrt, line 31 · A: n = 2, B: n = 4 only mul
# box b0 (kind='loop' name='for' rest='shift in shifts · line 21 · x 3' site=21:4-23 times=3)
# box b1 (kind='kind' name='iteration 2' parent='b0' site=21:4-23)
# box b2 (kind='loop' name='for' rest='t in range(n) · line 23 · A: x 2, B: x 4' site=23:4-21 times=2)
# box b3 (kind='kind' name='iteration 0' parent='b2' site=23:4-21)
# box b4 (kind='call' name='grow' parent='b3')
# box b5 (kind='kind' name='iteration 1' parent='b2' site=23:4-21)
# box b6 (kind='call' name='grow' parent='b5')
# box b7 (kind='arm' name='True' parent='b3' site=30:11-16 side='b')
# box b8 (kind='arm' name='True' parent='b5' site=30:11-16 side='b')
# box b9 (kind='kind' name='iteration 2' parent='b2' site=23:4-21 side='b')
# box b10 (kind='call' name='grow' parent='b9' side='b')
# box b11 (kind='arm' name='True' parent='b9' site=30:11-16 side='b')
# box b12 (kind='kind' name='iteration 3' parent='b2' site=23:4-21 side='b')
# box b13 (kind='call' name='grow' parent='b12' side='b')
# node n0 (kind='parameter' name='gain' lines=['float32 [2] · [2, 0.5]', 'A: grad [41, 12]'/gradient, 'B: grad [1.452, nan]'/gradient] tensors=[4])
# node n1 (kind='op' name='add' lines=['A: float32 [2] · [10, 11]', 'B: float32 [2] · [10, 7]', 'A: grad [4, 0.25]'/gradient, 'B: grad [0.02029, nan]'/gradient, 'line 22'/faint] box='b1' site=22:16-35 ops=[5])
# node n2 (kind='decision' name='if' rest='x.min() < 0' lines=['A: line 14 · 10 < 0 · margin -10'/plain, 'B: line 14 · 7 < 0 · margin -7'/plain] box='b4' site=14:7-18 decisions=[2])
# node n3 (kind='op' name='mul' lines=['A: float32 [2] · [20, 5.5]', 'B: float32 [2] · [20, 3.5]', 'A: grad [2, 0.5]'/gradient, 'B: grad [0.01015, nan]'/gradient, 'line 16 · saves 16 B'/faint] box='b4' site=16:11-19 ops=[8])
# node n4 (kind='op' name='sub' rest='0' lines=['A: float32 [2] · [20, 5.5]', 'B: float32 [2] · [20, 3.5]', 'A: grad [2, 0.5]'/gradient, 'B: grad [0.01015, nan]'/gradient, 'line 25'/faint] box='b3' site=25:20-38 ops=[9])
# node n5 (kind='op' name='add' rest='1' lines=['float32 [2] · [21, 6.5]', 'grad [2, 0.5]'/gradient, 'line 29'/faint] box='b3' site=29:20-29 ops=[10] side='a')
# node n6 (kind='decision' name='if' rest='x.min() < 0' lines=['A: line 14 · 6.5 < 0 · margin -6.5'/plain, 'B: line 14 · 2.121 < 0 · margin -2.12'/plain] box='b6' site=14:7-18 decisions=[4])
# node n7 (kind='op' name='mul' lines=['A: float32 [2] · [42, 3.25]', 'B: float32 [2] · [9.165, 1.061]', 'A: grad [1, 1]'/gradient, 'B: grad [0.04649, nan]'/gradient, 'line 16 · saves 16 B'/faint] box='b6' site=16:11-19 ops=[13])
# node n8 (kind='op' name='sub' rest='1' lines=['A: float32 [2] · [41, 2.25]', 'B: float32 [2] · [8.165, 0.06066]', 'A: grad [1, 1]'/gradient, 'B: grad [0.04649, nan]'/gradient, 'line 25'/faint] box='b5' site=25:20-38 ops=[14])
# node n9 (kind='op' name='sqrt' lines=['float32 [2] · [4.583, 2.121]', 'grad [0.09298, nan]'/gradient, 'line 31 · saves 8 B'/faint] box='b7' site=31:20-32 ops=[11] side='b')
# node n10 (kind='leaf' name='gain' box='b6' tensors=[4] side='b')
# node n11 (kind='op' name='sqrt' lines=['float32 [2] · [3.027, 1.03]', 'grad [0.2815, nan]'/gradient, 'line 31 · saves 8 B'/faint] box='b8' site=31:20-32 ops=[17] side='b')
# node n12 (kind='decision' name='if' rest='x.min() < 0' lines=['line 14 · 1.03 < 0 · margin -1.03'/plain] box='b10' site=14:7-18 decisions=[6] side='b' origin='tensor')
# node n13 (kind='leaf' name='gain' box='b10' tensors=[4] side='b')
# node n14 (kind='op' name='mul' lines=['float32 [2] · [6.055, 0.5149]', 'grad [0.1407, nan]'/gradient, 'line 16 · saves 16 B'/faint] box='b10' site=16:11-19 ops=[20] side='b')
# node n15 (kind='op' name='sub' rest='2' lines=['float32 [2] · [4.055, -1.485]', 'grad [0.1407, nan]'/gradient, 'line 25'/faint] box='b9' site=25:20-38 ops=[21] side='b')
# node n16 (kind='op' name='sqrt' lines=['float32 [2] · [2.248, nan]', 'first NaN (op 23)'/error, 'grad [0.6329, nan]'/gradient, 'line 31 · saves 8 B'/faint] box='b11' site=31:20-32 ops=[23] side='b')
# node n17 (kind='decision' name='if' rest='x.min() < 0' lines=['line 14 · nan < 0'/plain] box='b13' site=14:7-18 decisions=[8] side='b' origin='tensor')
# node n18 (kind='leaf' name='gain' box='b13' tensors=[4] side='b')
# node n19 (kind='op' name='mul' lines=['float32 [2] · [4.497, nan]', 'grad [0.3164, nan]'/gradient, 'line 16 · saves 16 B'/faint] box='b13' site=16:11-19 ops=[26] side='b')
# node n20 (kind='op' name='sub' rest='3' lines=['float32 [2] · [1.497, nan]', 'grad [0.3164, nan]'/gradient, 'line 25'/faint] box='b12' site=25:20-38 ops=[27] side='b')
# edge n1 n3 data  A: [4, 0.25], B: [0.02029, nan] both
# edge n0 n3 data  A: [20, 5.5], B: [0.1015, nan] both
# edge n3 n4 data  A: [2, 0.5], B: [0.01015, nan] both
# edge n5 n7 data  [2, 0.5] a
# edge n0 n7 data  [21, 6.5] a
# edge n7 n8 data  A: [1, 1], B: [0.04649, nan] both
# edge n2 n3 taken False  both
# edge n6 n7 taken False  both
# edge n9 n7 data  [0.09298, nan] b
# edge n10 n7 data  [0.2131, nan] b
# edge n11 n14 data  [0.2815, nan] b
# edge n13 n14 data  [0.4261, nan] b
# edge n14 n15 data  [0.1407, nan] b
# edge n16 n19 data  [0.6329, nan] b
# edge n18 n19 data  [0.7115, nan] b
# edge n19 n20 data  [0.3164, nan] b
# edge n12 n14 taken False  b
# edge n17 n19 taken False  b
# unfit (option='only' word='nothing' known=['x', 'shifts.0 … 2', 'gain', 'sum', 'add', 'grow', 'sub', 'if', 'output', 'sqrt', 'for', 'True', 'min', 'lt', 'mul', 'shifts.0', 'shifts.1', 'shifts.2'])
# graph [' · two runs'] blue: only A · magenta: only B · B: first NaN (op 23): sqrt, line 31 · B: first NaN in a gradient (op 29): sqrt, line 31 · A: n = 2, B: n = 4 nothing fits --only nothing
# graph [' · two runs'] blue: only A · magenta: only B · B: first NaN (op 23): sqrt, line 31 · B: first NaN in a gradient (op 29): sqrt, line 31 · A: n = 2, B: n = 4 drawn 0 deep
# box b0 (kind='arm' name='True' site=32:26-31 side='a')
# node n0 (kind='input' name='x' lines=['A: float32 [2] · [1, 2]', 'B: float32 [2] · [1, -2]', 'A: grad [4, 0.25]'/gradient, 'B: grad [0.02029, nan]'/gradient] tensors=[0])
# node n1 (kind='constant' name='shifts.0 … 2' rest='x3' tensors=[1, 2, 3])
# node n2 (kind='fold' name='for' rest='shift in shifts · line 21 · x 3' lines=['6 ops', 'sum, add'/faint, 'A: float32 [2] · [10, 11]', 'B: float32 [2] · [10, 7]'] site=21:4-23 ops=[0, 1, 2, 3, 4, 5])
# node n3 (kind='fold' name='for' rest='t in range(n) · line 23 · A: x 2, B: x 4' lines=['A: 10 ops · 4 decisions · saves 48 B', 'B: 24 ops · 8 decisions · saves 128 B', 'min, lt, mul, sub, …'/faint, 'A: float32 [2] · [42, 3.25]', 'B: float32 [2] · [1.58, nan]', 'B: first NaN (op 23)'/error, 'B: first NaN in a gradient (op 29)'/error, 'A: if x.min() < 0 → False x2'/plain, 'B: if x.min() < 0 → False x4'/plain, 'A: if n > 3 → False x2'/plain, 'B: if n > 3 → True x4'/plain, 'A: 1 parameter · grad norm 42.7'/gradient, 'B: 1 parameter · grad norm 1.45'/gradient] site=23:4-21 ops=[6, 7, 8, 9, 10, 11, 12, 13, 14, 15] decisions=[2, 3, 4, 5] tensors=[4])
# node n4 (kind='decision' name='if' rest='n < 3' lines=['A: line 32 · 2 < 3 (python) · margin 1'/plain, 'B: line 32 · 4 < 3 (python) · margin -1 → False'/plain] site=32:26-31 decisions=[6])
# node n5 (kind='op' name='sum' rest='→ output' lines=['float32 [] · 45.25', 'line 32'/faint] box='b0' site=32:11-22 ops=[16] side='a')
# node n6 (kind='output' name='output' lines=['A: float32 [] · 45.25', 'B: float32 [2] · [1.58, nan]', 'A: backward · seed 1'/gradient, 'B: backward · seed ones'/gradient] tensors=[21])
# edge n1 n2 data   both
# edge n0 n2 data   both
# edge n2 n3 data   both
# edge n3 n5 data   a
# edge n4 n5 taken True  a
# edge n5 n6 data   a
# edge n3 n6 data   b
