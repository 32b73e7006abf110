"""Static against dynamic export: what recording one run keeps, where that is wrong, and a model with both arms."""


def forward(x):
    """Halve a vector until it is short; then one of two arms."""
    while x.norm() > 2:
        x = x / 2
    if x.sum() > 0:
        return x * 3
    return x - 1


def static(x):
    """The ops of one run on [3, 1]: all that an exporter keeps that records a run."""
    x = x / 2
    return x * 3


# Where an input goes the same way the recorded ops are right; elsewhere they answer all the same, and are wrong.
# $ dyncli run samples/lessons/15_export.py:static -i '[-4, -3]' --show outputs
# samples/lessons/15_export.py:static · float32 · seed 0 · 2 ops · 0 decisions
#
# Outputs
# name    shape  dtype    values
# ──────────────────────────────────
# output  [2]    float32  [-6, -4.5]
# $ dyncli run samples/lessons/15_export.py:forward -i '[-4, -3]' --show outputs
# samples/lessons/15_export.py:forward · float32 · seed 0 · 11 ops · 4 decisions
#
# Outputs
# name    shape  dtype    values
# ───────────────────────────────────
# output  [2]    float32  [-2, -1.75]

# A model of one run says what it does not know: `captured` is False for another arm.
# $ dyncli export samples/lessons/15_export.py:forward -i '[3, 1]' -o one.onnx
# samples/lessons/15_export.py:forward -> one.onnx
#
# inputs      x [2]
# outputs     output, captured
# cases       1
# graph       2 If, 1 Loop
# margin      0.419 between compared numbers, at the least
# probes      <...> right, <...> not captured
#
# paths  arms  not seen  nodes      size  difference   eager  replay  onnxruntime
# ───────────────────────────────────────────────────────────────────────────────
#     1     3         1     26  <...>
#
# warning: never seen: False of samples/lessons/15_export.py:8: `if x.sum() > 0:`
#
# hint: `dyncli cover samples/lessons/15_export.py:forward --inputs DATA --search` looks for inputs
# that reach them

# With inputs for each arm all are there; the loop takes as many turns as an input needs.
# $ dyncli export samples/lessons/15_export.py:forward --inputs samples/points.jsonl -o all.onnx
# samples/lessons/15_export.py:forward -> all.onnx
#
# inputs      x [2]
# outputs     output, captured
# cases       6
# graph       2 If, 1 Loop
# margin      0.0474 between compared numbers, at the least
# probes      40 right
#
# paths  arms  not seen  nodes      size  difference   eager  replay  onnxruntime
# ───────────────────────────────────────────────────────────────────────────────
#     5     4         0     27  <...>
