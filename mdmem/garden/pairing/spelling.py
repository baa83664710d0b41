"""How alike texts are spelled: by runs of four letters, of which those that few texts have count most.

That finds what no table of word forms knows: compounds, other endings, slips, words of other languages.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable
from zlib import crc32

from mdmem.language.alignment.reading import plain

_WORD = re.compile(r"\w+")
_RUN = 4  # letters
_SLOTS = 1 << 16  # numbers that runs are counted by; two of one number are taken for one


class Spellings:
    """The runs of letters of many texts, as `runs` gives them."""

    def __init__(self, texts: Iterable[bytes]) -> None:
        counts = array("I", bytes(4 * _SLOTS))
        self._runs: list[array[int]] = []
        for text in texts:
            own = array("H", text)
            for number in own:
                counts[number] += 1
            self._runs.append(own)
        notes = len(self._runs)
        self._squares = array("d", (math.log(1 + notes / count) ** 2 if count else 0.0 for count in counts))
        self._lengths = array("d", (math.sqrt(self._weight(own)) or 1.0 for own in self._runs))

    def near(self, one: int, two: int) -> float:
        """How alike two texts are spelled, by their places: a cosine, 0-1."""
        shared = set(self._runs[one]).intersection(self._runs[two])
        return self._weight(shared) / (self._lengths[one] * self._lengths[two])

    def _weight(self, numbers: Iterable[int]) -> float:
        return math.fsum(map(self._squares.__getitem__, numbers))


def runs(text: str) -> bytes:
    """The runs of letters of a text, packed as numbers."""
    return array("H", sorted(set(_numbers(text)))).tobytes()


def _numbers(text: str) -> Iterable[int]:
    """The number of each run; some several times."""
    for word in set(_WORD.findall(plain(text))):
        spelled = f" {word} "
        for at in range(max(1, len(spelled) - _RUN + 1)):
            yield crc32(spelled[at : at + _RUN].encode()) % _SLOTS
