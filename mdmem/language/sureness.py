"""How sure the rules are of what they find: the one table, 0-1."""

from __future__ import annotations

from typing import NamedTuple

SURE: dict[str, float] = {
    # Two statements with the same key and different values exclude each other (`claims`, `rules`, `contrasts`).
    "denied": 0.9,  # one says it, the other denies it
    "denied.bare": 0.86,  # the same, without how much and how often
    "liking": 0.9,  # one likes it, the other does not
    "over": 0.92,  # prefers this over that, or that over this
    "slot.number": 0.9,  # another number in the same place
    "slot.weekday": 0.9,
    "slot.habit": 0.6,  # a plural weekday: who trains on Mondays may train on Fridays, too
    "slot.opposite": 0.9,
    "slot.kind": 0.85,  # another language, diet, frequency
    "verb": 0.9,  # enables and disables the same
    "owner": 0.84,
    "stored": 0.88,
    "value": 0.9,  # a relation that has one value at a time
    "value.name": 0.6,  # the name of one of several
    "value.attribute": 0.88,
    "value.head": 0.82,  # prefers another kind of one thing
    "pair.attribute": 0.88,  # `port of the api: 80`
    "pair.thing": 0.88,  # below `name: x`
    "pair.value": 0.9,  # below a title, and an attribute or a number
    "pair": 0.7,
    "fact": 0.9,  # the properties of a note of type fact
    "words": 0.85,  # all telling words are the same but one
}


class Key(NamedTuple):
    """One way in which two statements can contradict each other: the same `about` with another `value`.

    `sure` is how sure it is that they do, 0-1.
    """

    about: tuple[str, ...]
    value: str
    sure: float
