"""How sure a rule is of what it finds: one table of confidences, 0-1.

A proposal is listed from `[garden] min_confidence` on, 0.8 by default; what is carried out unasked says so by
itself (`Proposal.certain`). Confidences of pairs of notes are fitted (`garden.pairs`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import inf

SURE: dict[str, float] = {
    # Two notes exclude each other (`facts`, `conflicts`).
    "value": 0.9,  # a relation that has one value at a time; 9 pairs
    "fact": 0.9,  # the properties of a note of type fact
    "conflict.linked": 0.95,  # a person says so, with a `contradicts` link; 2 pairs
    "conflict.doubted": 0.5,  # something speaks against it: other contexts, the same age, much said beside it
    # Two notes say the same (`twins`).
    "twins.same": 0.98,  # nothing is left
    "twins.longer": 0.9,  # one has everything the other says
    # Many notes are on one topic (`consolidate`).
    "topic.named": 0.92,  # they name it; 8 topics
    "topic.prefix": 0.85,  # their names begin the same, and they share a tag, or have none; 5 topics
    "topic.thing": 0.85,  # each note with a tag names its thing
    "topic.loose": 0.6,  # nearly every note does, or the tag names things of a kind: branches
    "topic.log": 0.6,  # of any of these, where they may be entries of a log or lines of a list
    "topic.large": 0.6,  # the master would be a note that ought to be split
    # Rules that leave little doubt, and decisions that are up to a person.
    "split": 0.7,  # how long a note may be is its writer's choice
    "decay": 0.9,
    "successor.deleted": 0.95,
    "successor.marked": 0.97,
    "successor.told": 0.9,  # in the text, beside a link
    "successor.hinted": 0.6,  # the same in words that can mean an event, or against the order of their dates
    "made.stale": 0.95,  # made again by the same rule; what a person wrote stays
    "id": 0.9,
    "name.dated": 0.5,  # a diary's name is a choice
    "name.wrong": 0.85,
    "name.long": 0.6,
    "link": 0.88,
    "fields": 0.6,  # whether a note made by hand gets them is its writer's choice
    "task.due": 0.92,  # a property says when
    "task.deadline": 0.85,  # a sentence says by when
    "task.done": 0.85,  # every box is ticked
    "task.day": 0.85,  # a plain note has a day that is over
    "task.dated": 0.6,  # the same of a decision, a fact ...
    "appointment": 0.7,  # a plain note names a day and an hour that are over: the rest of it may still hold
    "noise": 0.85,  # somebody tries out the keyboard
    "tag": 0.7,  # another spelling may be another thing: a person decides
}


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
