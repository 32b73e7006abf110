# run: {"inputs": ["[1, 2]", "2"], "edges": true}
# other: {"inputs": ["[1, -2]", "4"], "edges": true}
# picture: {"depth": 1, "saved": false}
# picture: {"only": "mul", "expand": "all", "values": false}
# picture: {"only": "nothing", "collapse": "grow"}
# picture: {"max_nodes": 6, "grads": false}
import dyncore as torch

gain = torch.tensor([2.0, 0.5], requires_grad=True)


def grow(x, t):
    if x.min() < 0:
        raise ValueError(t)
    return x * gain


def forward(x, n: int):
    total = x
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
# graph [' · two runs'] blue: only A · magenta: only B · B: first NaN (op 16): sqrt, line 28 · B: first NaN in a gradient (op 22): sqrt, line 28 · A: n = 2, B: n = 4
# box b0 (kind='loop' name='for' rest='t in range(n) · line 20 · A: x 2, B: x 4 · B: 2 kinds of step' site=20:4-21 times=2)
# box b1 (kind='arm' name='True' site=29:26-31 side='a')
# box b3 (kind='arm' name='except ValueError' parent='b0' site=21:8-11 side='b')
# box b4 (kind='arm' name='True' rest='x 4' parent='b0' site=27:11-16 times=4 side='b')
# node n0 (kind='input' name='x' lines=['A: float32 [2] · [1, 2]', 'B: float32 [2] · [1, -2]', 'A: grad [4, 0.25]'/gradient, 'B: grad [0.08245, 0]'/gradient] tensors=[0])
# node n1 (kind='parameter' name='gain' lines=['float32 [2] · [2, 0.5]', 'A: grad [5, 3]'/gradient, 'B: grad [1.548, nan]'/gradient] tensors=[1])
# node n2 (kind='fold' name='grow' rest='A: x 2, B: x 4' lines=['A: 6 ops · 2 decisions', 'B: 11 ops · 4 decisions', 'min, lt, mul'/faint, 'A: float32 [2] · [2, 1] … [6, 1]', 'B: float32 [2] · [3.464, 0.3536] … [3.3, nan]', 'A: grad [2, 0.5] … [1, 1]'/gradient, 'B: grad [0.1428, nan] … [0.4385, nan]'/gradient, 'A: if x.min() < 0 → False x2'/plain, 'B: if x.min() < 0 → True, False x3'/plain] box='b0' ops=[0, 1, 2, 5, 6, 7] decisions=[1, 3])
# node n3 (kind='op' name='sub' rest='A: 0 … 1, B: 1 … 3' lines=['A: float32 [2] · [2, 1] … [5, 0]', 'B: float32 [2] · [2.464, -0.6464] … [0.3, nan]', 'A: grad [2, 0.5] … [1, 1]'/gradient, 'B: grad [0.1428, nan] … [0.4385, nan]'/gradient, 'line 22 · A: x2, B: x3'/faint] box='b0' site=22:20-38 ops=[3, 8]) (each=[[0, 'A: float32 [2] · [2, 1]\nB: —', 'A: [2, 0.5]'], [1, 'A: float32 [2] · [5, 0]\nB: float32 [2] · [2.464, -0.6464]', 'A: [1, 1]\nB: [0.1428, nan]'], [2, 'A: —\nB: float32 [2] · [1.722, -1.703]', 'B: [0.2658, nan]'], [3, 'A: —\nB: float32 [2] · [0.3, nan]', 'B: [0.4385, nan]']])
# node n4 (kind='op' name='add' rest='1' lines=['A: float32 [2] · [3, 2] … [6, 1]', 'B: float32 [2] · [3.464, 0.3536] … [1.3, nan]', 'A: grad [2, 0.5] … [1, 1]'/gradient, 'B: grad [0.1428, nan] … [0.4385, nan]'/gradient, 'line 26 · A: x2, B: x3'/faint] box='b0' site=26:20-29 ops=[4, 9]) (each=[[0, 'A: float32 [2] · [3, 2]\nB: —', 'A: [2, 0.5]'], [1, 'A: float32 [2] · [6, 1]\nB: float32 [2] · [3.464, 0.3536]', 'A: [1, 1]\nB: [0.1428, nan]'], [2, 'A: —\nB: float32 [2] · [2.722, -0.7027]', 'B: [0.2658, nan]'], [3, 'A: —\nB: float32 [2] · [1.3, nan]', 'B: [0.4385, nan]']])
# node n5 (kind='decision' name='if' rest='n > 3' lines=['A: line 27 · False x2'/plain, 'B: line 27 · True x4'/plain, 'A: 2 > 3 (python)'/plain, 'B: 4 > 3 (python)'/plain, 'A: margin -1'/plain, 'B: margin 1'/plain] box='b0' site=27:11-16 decisions=[2, 4]) (each=[[0, 'A: False · 2 > 3\nB: True · 4 > 3', ''], [1, 'A: False · 2 > 3\nB: True · 4 > 3', ''], [2, 'A: —\nB: True · 4 > 3', ''], [3, 'A: —\nB: True · 4 > 3', '']])
# node n6 (kind='decision' name='if' rest='n < 3' lines=['A: line 29 · 2 < 3 (python) · margin 1'/plain, 'B: line 29 · 4 < 3 (python) · margin -1 → False'/plain] site=29:26-31 decisions=[5])
# node n7 (kind='op' name='sum' rest='→ output' lines=['float32 [] · 7', 'grad 1'/gradient, 'line 29'/faint] box='b1' site=29:11-22 ops=[10] side='a')
# node n9 (kind='output' name='output' lines=['A: float32 [] · 7', 'B: float32 [2] · [1.14, nan]', 'A: backward · seed 1'/gradient, 'B: backward · seed ones'/gradient] tensors=[12])
# node n10 (kind='decision' name='try' lines=['line 21 · ValueError (python)'/plain] box='b0' site=21:8-11 decisions=[2] side='b')
# node n11 (kind='op' name='relu' lines=['float32 [2] · [1, 0]', 'grad [0.08245, nan]'/gradient, 'line 24'/faint] box='b3' site=24:20-32 ops=[2] side='b')
# node n12 (kind='op' name='add' lines=['float32 [2] · [3, 0.5]', 'grad [0.08245, nan]'/gradient, 'line 24'/faint] box='b3' site=24:20-39 ops=[3] side='b')
# node n13 (kind='op' name='sqrt' lines=['float32 [2] · [1.732, 0.7071] … [1.14, nan]', 'first NaN (op 16)'/error, 'first NaN in a gradient (op 22)'/error, 'grad [0.2856, nan] … [1, 1]'/gradient, 'line 28 · x4'/faint] box='b4' site=28:20-32 ops=[4, 10, 16, 22] side='b') (each=[[0, 'B: float32 [2] · [1.732, 0.7071]', 'B: [0.2856, nan]'], [1, 'B: float32 [2] · [1.861, 0.5946]', 'B: [0.5316, nan]'], [2, 'B: float32 [2] · [1.65, nan]', 'B: [0.8771, nan]'], [3, 'B: float32 [2] · [1.14, nan]', 'B: [1, 1]']])
# edge n0 n2 data  A: [4, 0.25] both
# edge n1 n2 data  A: [2, 1] … [3, 2], B: [0.2473, nan] … [0.7236, nan] both
# edge n2 n3 data  A: [2, 0.5] … [1, 1], B: [0.1428, nan] … [0.4385, nan] both
# edge n3 n4 data  A: [2, 0.5] … [1, 1], B: [0.1428, nan] … [0.4385, nan] both
# edge n4 n2 carried  [2, 0.5] a
# edge n4 n7 data  [1, 1] a
# edge n6 n7 taken True  a
# edge n7 n9 data   a
# edge n0 n11 data  [0.08245, 0] b
# edge n11 n12 data  [0.08245, nan] b
# edge n1 n12 data  [0.08245, nan] b
# edge n12 n13 data  [0.08245, nan] b
# edge n13 n2 carried  [0.2856, nan] … [0.8771, nan] b
# edge n4 n13 data  [0.1428, nan] … [0.4385, nan] b
# edge n10 n11 taken except ValueError  b
# edge n5 n13 taken True x4  b
# edge n13 n9 data   b
# graph [' · two runs'] blue: only A · magenta: only B · B: first NaN (op 16): sqrt, line 28 · B: first NaN in a gradient (op 22): sqrt, line 28 · A: n = 2, B: n = 4 only mul
# box b0 (kind='loop' name='for' rest='t in range(n) · line 20 · A: x 2, B: x 4' site=20:4-21 times=2)
# box b1 (kind='kind' name='iteration 0' parent='b0' site=20:4-21)
# box b2 (kind='call' name='grow' parent='b1' side='a')
# box b3 (kind='kind' name='iteration 1' parent='b0' site=20:4-21)
# box b4 (kind='call' name='grow' parent='b3')
# box b5 (kind='arm' name='True' parent='b1' site=27:11-16 side='b')
# box b6 (kind='arm' name='True' parent='b3' site=27:11-16 side='b')
# box b7 (kind='kind' name='iteration 2' parent='b0' site=20:4-21 side='b')
# box b8 (kind='call' name='grow' parent='b7' side='b')
# box b9 (kind='arm' name='True' parent='b7' site=27:11-16 side='b')
# box b10 (kind='kind' name='iteration 3' parent='b0' site=20:4-21 side='b')
# box b11 (kind='call' name='grow' parent='b10' side='b')
# node n0 (kind='input' name='x' lines=['float32 [2] · [1, 2]', 'grad [4, 0.25]'/gradient] tensors=[0] side='a')
# node n1 (kind='parameter' name='gain' lines=['float32 [2] · [2, 0.5]', 'grad [5, 3]'/gradient] tensors=[1] side='a')
# node n2 (kind='decision' name='if' rest='x.min() < 0' lines=['line 13 · 1 < 0 · margin -1'/plain] box='b2' site=13:7-18 decisions=[1] side='a')
# node n3 (kind='op' name='mul' lines=['float32 [2] · [2, 1]', 'grad [2, 0.5]'/gradient, 'line 15 · saves 16 B'/faint] box='b2' site=15:11-19 ops=[2] side='a')
# node n4 (kind='op' name='sub' rest='0' lines=['float32 [2] · [2, 1]', 'grad [2, 0.5]'/gradient, 'line 22'/faint] box='b1' site=22:20-38 ops=[3] side='a')
# node n5 (kind='op' name='add' rest='1' lines=['float32 [2] · [3, 2]', 'grad [2, 0.5]'/gradient, 'line 26'/faint] box='b1' site=26:20-29 ops=[4] side='a')
# node n6 (kind='decision' name='if' rest='x.min() < 0' lines=['A: line 13 · 2 < 0 · margin -2'/plain, 'B: line 13 · 0.7071 < 0 · margin -0.707'/plain] box='b4' site=13:7-18 decisions=[3])
# node n7 (kind='op' name='mul' lines=['A: float32 [2] · [6, 1]', 'B: float32 [2] · [3.464, 0.3536]', 'A: grad [1, 1]'/gradient, 'B: grad [0.1428, nan]'/gradient, 'line 15 · saves 16 B'/faint] box='b4' site=15:11-19 ops=[7])
# node n8 (kind='op' name='sub' rest='1' lines=['A: float32 [2] · [5, 0]', 'B: float32 [2] · [2.464, -0.6464]', 'A: grad [1, 1]'/gradient, 'B: grad [0.1428, nan]'/gradient, 'line 22'/faint] box='b3' site=22:20-38 ops=[8])
# node n9 (kind='op' name='sqrt' lines=['float32 [2] · [1.732, 0.7071]', 'grad [0.2856, nan]'/gradient, 'line 28 · saves 8 B'/faint] box='b5' site=28:20-32 ops=[4] side='b')
# node n10 (kind='leaf' name='gain' box='b4' tensors=[1] side='b')
# node n11 (kind='op' name='sqrt' lines=['float32 [2] · [1.861, 0.5946]', 'grad [0.5316, nan]'/gradient, 'line 28 · saves 8 B'/faint] box='b6' site=28:20-32 ops=[10] side='b')
# node n12 (kind='decision' name='if' rest='x.min() < 0' lines=['line 13 · 0.5946 < 0 · margin -0.595'/plain] box='b8' site=13:7-18 decisions=[6] side='b')
# node n13 (kind='leaf' name='gain' box='b8' tensors=[1] side='b')
# node n14 (kind='op' name='mul' lines=['float32 [2] · [3.722, 0.2973]', 'grad [0.2658, nan]'/gradient, 'line 15 · saves 16 B'/faint] box='b8' site=15:11-19 ops=[13] side='b')
# node n15 (kind='op' name='sub' rest='2' lines=['float32 [2] · [1.722, -1.703]', 'grad [0.2658, nan]'/gradient, 'line 22'/faint] box='b7' site=22:20-38 ops=[14] side='b')
# node n16 (kind='op' name='sqrt' lines=['float32 [2] · [1.65, nan]', 'first NaN (op 16)'/error, 'grad [0.8771, nan]'/gradient, 'line 28 · saves 8 B'/faint] box='b9' site=28:20-32 ops=[16] side='b')
# node n17 (kind='decision' name='if' rest='x.min() < 0' lines=['line 13 · nan < 0'/plain] box='b11' site=13:7-18 decisions=[8] side='b')
# node n18 (kind='leaf' name='gain' box='b11' tensors=[1] side='b')
# node n19 (kind='op' name='mul' lines=['float32 [2] · [3.3, nan]', 'grad [0.4385, nan]'/gradient, 'line 15 · saves 16 B'/faint] box='b11' site=15:11-19 ops=[19] side='b')
# node n20 (kind='op' name='sub' rest='3' lines=['float32 [2] · [0.3, nan]', 'grad [0.4385, nan]'/gradient, 'line 22'/faint] box='b10' site=22:20-38 ops=[20] side='b')
# edge n0 n3 data  [4, 0.25] a
# edge n1 n3 data  [2, 1] a
# edge n3 n4 data  [2, 0.5] a
# edge n5 n7 data  [2, 0.5] a
# edge n1 n7 data  [3, 2] a
# edge n7 n8 data  A: [1, 1], B: [0.1428, nan] both
# edge n2 n3 taken False  a
# edge n6 n7 taken False  both
# edge n9 n7 data  [0.2856, nan] b
# edge n10 n7 data  [0.2473, nan] b
# edge n11 n14 data  [0.5316, nan] b
# edge n13 n14 data  [0.4947, nan] b
# edge n14 n15 data  [0.2658, nan] b
# edge n16 n19 data  [0.8771, nan] b
# edge n18 n19 data  [0.7236, nan] b
# edge n19 n20 data  [0.4385, nan] b
# edge n12 n14 taken False  b
# edge n17 n19 taken False  b
# unfit (option='only' word='nothing' known=['x', 'gain', 'grow', 'sub', 'add', 'if', 'sum', 'output', 'try', 'relu', 'sqrt', 'for', 'True', 'A', 'except ValueError', 'B', 'min', 'lt', 'mul'])
# graph [' · two runs'] blue: only A · magenta: only B · B: first NaN (op 16): sqrt, line 28 · B: first NaN in a gradient (op 22): sqrt, line 28 · A: n = 2, B: n = 4 nothing fits --only nothing
# graph [' · two runs'] blue: only A · magenta: only B · B: first NaN (op 16): sqrt, line 28 · B: first NaN in a gradient (op 22): sqrt, line 28 · A: n = 2, B: n = 4 drawn 0 deep
# box b0 (kind='arm' name='True' site=29:26-31 side='a')
# node n0 (kind='input' name='x' lines=['A: float32 [2] · [1, 2]', 'B: float32 [2] · [1, -2]', 'A: grad [4, 0.25]'/gradient, 'B: grad [0.08245, 0]'/gradient] tensors=[0])
# node n1 (kind='fold' name='for' rest='t in range(n) · line 20 · A: x 2, B: x 4 · B: 2 kinds of step' lines=['A: 10 ops · 4 decisions · saves 48 B', 'B: 23 ops · 9 decisions · saves 120 B', 'A: min, lt, mul, sub, …, B: min, lt, add, sqrt, …'/faint, 'A: float32 [2] · [6, 1]', 'B: float32 [2] · [1.14, nan]', 'B: first NaN (op 16)'/error, 'B: first NaN in a gradient (op 22)'/error, 'B: if x.min() < 0 → True, False x3'/plain, 'A: if x.min() < 0 → False x2'/plain, 'B: try → except ValueError'/plain, 'A: if n > 3 → False x2'/plain, 'B: if n > 3 → True x4'/plain, 'A: 1 parameter · grad norm 5.83'/gradient, 'B: 1 parameter · grad norm 1.55'/gradient] site=20:4-21 ops=[0, 1, 2, 3, 4, 5, 6, 7, 8, 9] decisions=[1, 2, 3, 4] tensors=[1])
# node n2 (kind='decision' name='if' rest='n < 3' lines=['A: line 29 · 2 < 3 (python) · margin 1'/plain, 'B: line 29 · 4 < 3 (python) · margin -1 → False'/plain] site=29:26-31 decisions=[5])
# node n3 (kind='op' name='sum' rest='→ output' lines=['float32 [] · 7', 'line 29'/faint] box='b0' site=29:11-22 ops=[10] side='a')
# node n4 (kind='output' name='output' lines=['A: float32 [] · 7', 'B: float32 [2] · [1.14, nan]', 'A: backward · seed 1'/gradient, 'B: backward · seed ones'/gradient] tensors=[12])
# edge n0 n1 data   both
# edge n1 n3 data   a
# edge n2 n3 taken True  a
# edge n3 n4 data   a
# edge n1 n4 data   b
