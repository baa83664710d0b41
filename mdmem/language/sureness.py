"""How sure a rule is of what it finds: one table of confidences, 0-1 (data/sureness.tsv).

A proposal is listed from `[garden] min_confidence` on, 0.8 by default; what is carried out unasked says so by
itself (`Proposal.certain`). Confidences of pairs of notes are fitted (`garden.pairs`).
"""

from bisect import bisect_right
from collections.abc import Sequence
from math import inf

from mdmem.note import tsv

SURE = {rule: float(sure) for rule, sure, _ in tsv.rows(__file__, "sureness.tsv", 3)}


def on_curve(curve: Sequence[tuple[float, float]], score: float) -> float:
    """The confidence (0-1) for a score, interpolated linearly.

    `curve` holds points (score, confidence) by rising score. Beyond its ends the confidence stays level.
    """
    above = bisect_right(curve, (score, inf))
    if above == 0:
        return curve[0][1]
    if above == len(curve):
        return curve[-1][1]
    (low, sure), (high, surer) = curve[above - 1], curve[above]
    return round(sure + (surer - sure) * (score - low) / (high - low), 2)
