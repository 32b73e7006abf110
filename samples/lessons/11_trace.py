"""Where the first infinite value and the first NaN were born, and what each line cost."""

import dyncore as torch


def forward(x, scale):
    """The logarithm of scaled shares; a share of zero makes it infinite, and the sum no number."""
    shares = x / x.sum()
    total = torch.tensor(0.0)
    for share in shares:
        if share >= 0:
            total = total + share * torch.log(share * scale)
    return total


# $ dyncli trace samples/lessons/11_trace.py -i x='[1, 0, 3]' -i scale=2 --show bad --show memory
# samples/lessons/11_trace.py:forward · float32 · seed 0 · 19 ops · 4 decisions
#
# First bad  forward before backward
# Inf  log #11  line 12: torch.log(share * scale)  under line 11 then
#   #11 = -inf
#   from #10 = 0  (mul #10, line 12)
# NaN  mul #12  line 12: share * torch.log(share * scale)  under line 11 then
#   #12 = nan
#   from #3.1 = 0  (unbind #3, line 10)
#   from #11 = -inf  (log #11, line 12)
# Inf  backward of mul #12  line 12: share * torch.log(share * scale)  under line 11 then
#   gradient of #3.1 = -inf
#   from the gradient it got = 1
#   from #3.1 = 0  (unbind #3, line 10)
#   from #11 = -inf  (log #11, line 12)
# NaN  backward of log #11  line 12: torch.log(share * scale)  under line 11 then
#   gradient of #10 = nan
#   from the gradient it got = 0
#   from #10 = 0  (mul #10, line 12)
#
# Memory  peak 80 B during backward of mul #17, line 12 · simulated: each is kept until last needed
# bytes  share  what                          why
# ─────────────────────────────────────────────────────────────
#  12 B    15%  x [3]                         an input
#  12 B    15%  results of div, line 8        held for backward
#  12 B    15%  gradients of unbind, line 10  on their way back
#  12 B    15%  results of mul, line 12 ×3    held for backward
#  12 B    15%  results of log, line 12 ×3    held for backward
#   4 B     5%  results of sum, line 8        held for backward
#   4 B     5%  gradients of add, line 12     on their way back
#   4 B     5%  gradients of log, line 12     on their way back
#   8 B    10%  … 2 more
# $ dyncli trace samples/lessons/11_trace.py -i x='[1, 0, 3]' -i scale=2 --by line --sort order --show costs
# samples/lessons/11_trace.py:forward · float32 · seed 0 · 19 ops · 4 decisions
# run <...> · up to 44 B held for backward · peak 80 B
#
# By line
# line  source<...>ops<...>forward<...>backward<...>share<...>held
# <...>
#    8  shares = x / x.sum()<...>2<...>16 B
#    9  total = torch.tensor(0.0)<...>1<...>
#   10  for share in shares:<...>1<...>
#   11  if share >= 0:<...>3<...>
#   12  total = total + share * torch.log(share * scale)<...>12<...>36 B
# <...>
#       all ops<...>19<...>100%  52 B
