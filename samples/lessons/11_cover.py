"""A data set against the model: arms never reached, how often loops ran, which input is nearest to a flip."""

import dyncore as torch


def forward(x, rate: float = 0.5):
    """Shrinks x step by step; what is negative, or far away, goes another way."""
    steps = 0
    while x.norm() > 1 and steps < 10:
        x = x * rate
        steps += 1
    if steps == 10:
        raise ValueError("too far away")
    if x.sum() > 0:
        return torch.sqrt(x).sum()
    return x.sum()


# $ dyncli cover samples/lessons/11_cover.py --inputs samples/points.jsonl
# samples/lessons/11_cover.py:forward · float32 · seed 0 · 6 inputs · 5 paths
# 83.3% of the arms reached, 5 of 6
#
# Never reached  1 arm
# line  test            arm   source
# ────────────────────────────────────────────────────────────
#   12  if steps == 10  then  raise ValueError("too far away")
#
# Arms
# line  test                               arm   inputs   share  times  first
# ────────────────────────────────────────────────────────────────────────────────────────────
#    9  while x.norm() > 1 and steps < 10  body       5   83.3%     13  samples/points.jsonl:2
#                                          exit       6  100.0%      6  samples/points.jsonl:1
#   12  if steps == 10                     then       0              0
#                                          else       6  100.0%      6  samples/points.jsonl:1
#   14  if x.sum() > 0                     then       5   83.3%      5  samples/points.jsonl:1
#                                          else       1   16.7%      1  samples/points.jsonl:4
#
# Conditions  1 of 2 comparisons seen both true and false
# line  test                               comparison    true  false
# ──────────────────────────────────────────────────────────────────
#    9  while x.norm() > 1 and steps < 10  x.norm() > 1    13      6
#                                          steps < 10      13      0
#
# Loops  how often, by the number of steps
# line  loop                               most  steps: how often
# ─────────────────────────────────────────────────────────────────────
#    9  while x.norm() > 1 and steps < 10     4  0: 1, 2: 3, 3: 1, 4: 1
#
# Paths  5 distinct paths
# inputs  share  path (line, arm)                     gradient norm       first
# ──────────────────────────────────────────────────────────────────────────────────────────────
#      2  33.3%  9 body x2, 9 exit, 12 else, 14 then  0.27, 1 NaN or Inf  samples/points.jsonl:2
#      1  16.7%  9 body x4, 9 exit, 12 else, 14 then  0.06588             samples/points.jsonl:6
#      1  16.7%  9 body x2, 9 exit, 12 else, 14 else  0.3536              samples/points.jsonl:4
#      1  16.7%  9 exit, 12 else, 14 then             1.443               samples/points.jsonl:1
#      1  16.7%  9 body x3, 9 exit, 12 else, 14 then  0.1976              samples/points.jsonl:3
#
# Nearest to a flip
# line  test                                 margin  took  input
# ────────────────────────────────────────────────────────────────────────────────────────────
#    9  while x.norm() > 1 and steps < 10  -0.02372  exit  samples/points.jsonl:4  [-3.0, 2.5]
#   14  if x.sum() > 0                       -0.125  else  samples/points.jsonl:4  [-3.0, 2.5]
#   12  if steps == 10                           -6  else  samples/points.jsonl:6  [6.0, 9.0]
#
# Raised, NaN or Inf
# inputs  what                            first
# ──────────────────────────────────────────────────────────────
#      1  gradient of an input holds NaN  samples/points.jsonl:5
#      1  output holds NaN                samples/points.jsonl:5
