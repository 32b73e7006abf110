"""`python -m tests.parity.opinfo NAME ...`: how many of PyTorch's samples pass, op by op."""

from __future__ import annotations

import argparse
import json
import warnings

import numpy as np
import torch

from tests.parity.opinfo import names
from tests.parity.opinfo.check import DTYPES, KINDS, Score, check
from tests.parity.opinfo.page import page


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.parity.opinfo", description=__doc__)
    parser.add_argument("names", nargs="*", help="OpInfo names, with * for any letters; all when none is given")
    parser.add_argument("--family", help="part of a family's name in ops.json")
    parser.add_argument("--tier", help="1, 2 or X, or several with commas")
    parser.add_argument("--dtypes", default=",".join(DTYPES))
    parser.add_argument("--limit", type=int, help="samples a dtype")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="forward and gradients only")
    parser.add_argument("--strict", action="store_true", help="also list ops whose node names or errors differ")
    parser.add_argument("--all", action="store_true", help="also list the ops that pass")
    parser.add_argument("-v", "--verbose", type=int, default=2, help="faults to print for each op (2)")
    parser.add_argument("--json", metavar="PATH", help="also write the counts")
    parser.add_argument("--page", metavar="PATH", help="also write a table of ops and checks, in Markdown")
    given = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    scores = []
    for info in names.chosen(given.names, given.family, given.tier):
        score = check(info, tuple(given.dtypes.split(",")), given.limit, given.seed, not given.quick)
        scores.append(score)
        if given.all or given.names or not score.whole or (given.strict and score.passed != score.total):
            show(score, given.verbose)
    summary(scores)
    if given.page:
        with open(given.page, "w", encoding="utf-8") as file:
            file.write(page(scores, torch.__version__))
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump([{**vars(each), "whole": each.whole} for each in scores], file, indent=1)


def show(score: Score, faults: int) -> None:
    if score.missing:
        print(f"- {score.title}: missing")
        return
    counts = "  ".join(f"{kind} {score.passed[kind]}/{score.total[kind]}" for kind in KINDS if score.total[kind])
    print(f"{'ok' if score.whole else '- '} {score.title}: {counts}")
    seen: dict[str, str] = {}
    for fault in score.faults:
        seen.setdefault(fault.split(" ")[0] + fault.split(": ", 1)[1][:40], fault)
    for fault in list(seen.values())[:faults]:
        print(f"     {fault}")


def summary(scores: list[Score]) -> None:
    """The totals, last."""
    whole = sum(each.whole for each in scores)
    missing = [each.title for each in scores if each.missing]
    print(f"{whole} of {len(scores)} whole, {len(missing)} missing: {' '.join(missing)}")
    for kind in KINDS:
        passed, total = sum(each.passed[kind] for each in scores), sum(each.total[kind] for each in scores)
        print(f"  {kind}: {passed}/{total}")


if __name__ == "__main__":
    main()
