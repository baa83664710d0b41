"""Words of certain kinds: numbers, opposites, places. Data; all in lower case."""

from __future__ import annotations

from mdmem.text.calendar import MONTHS, WEEKDAYS

_ONES = """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen""".split()
_TENS = "ten twenty thirty forty fifty sixty seventy eighty ninety hundred".split()

# Words for numbers -> the number.
NUMBERS = {word: number for number, word in enumerate(_ONES, 1)}
NUMBERS |= {word: 10 * number for number, word in enumerate(_TENS, 1)}
NUMBERS |= {"dozen": 12, "thousand": 1000, "million": 1_000_000}


PLACES = frozenset(
    "production prod staging stage development dev test testing qa preview sandbox local localhost canary "
    "frontend backend client server windows linux macos mac ios android work home personal office".split()
)
# Words that change what a sentence says if another of them takes their place.
VALUES = PLACES | WEEKDAYS | MONTHS
