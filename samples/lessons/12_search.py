"""Arms the data never reached, and inputs that reach them: found by gradient, one number at a time, or by chance."""


def forward(x, mode: str = "plain"):
    """Two conditions that must hold together, a word, and a test that nothing passes."""
    if x[0] > 3 and x[1] < -3:
        x = x * 2
    if mode == "loud":
        x = x * 10
    if (x * x).sum() < 0:
        x = -x
    return x.sum()


# $ dyncli cover samples/lessons/12_search.py --inputs samples/points.jsonl --search \
#     --save-cases reached.jsonl | head -20
# Wrote reached.jsonl (2 cases)
# samples/lessons/12_search.py:forward · float32 · seed 0 · 6 inputs · 1 path
# 50.0% of the arms reached, 3 of 6
#
# Never reached  3 arms
# line  test                       arm   source
# ─────────────────────────────────────────────────
#    6  if x[0] > 3 and x[1] < -3  then  x = x * 2
#    8  if mode == "loud"          then  x = x * 10
#   10  if (x * x).sum() < 0       then  x = -x
#
# Searched for  2 arms found of 3, each proved by a run of its own
# line  test                       arm   reached by                     how
# ────────────────────────────────────────────────────────────────────────────────────────────────────
#    6  if x[0] > 3 and x[1] < -3  then  {"x": [4.0, -3.01]}            by gradient from
#                                                                       samples/points.jsonl:3
#    8  if mode == "loud"          then  {"x": [0.3, 0.2], "mode":      by chance from
#                                        "loud"}                        samples/points.jsonl:1
#   10  if (x * x).sum() < 0       then  none                           not found in 500 runs
#
# Arms

# The inputs that were found are cases now.
# $ dyncli run samples/lessons/12_search.py -i reached.jsonl --case 1 --show decisions
# samples/lessons/12_search.py:forward · case 1 · float32 · seed 0 · 9 ops · 3 decisions
#
# Decisions
# #  line  test                       because                                      took  left  margin
# ───────────────────────────────────────────────────────────────────────────────────────────────────
# 0     6  if x[0] > 3 and x[1] < -3  x[0] = 4.0 > 3 True, x[1] = -3.01 < -3 True  then  else    0.01
# 1     8  if mode == "loud"          mode = 'plain' == 'loud' (python)            else  then
# 2    10  if (x * x).sum() < 0       (x * x).sum() = 100.2 < 0                    else  then  -100.2
