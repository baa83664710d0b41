"""How alike texts are spelled: they share runs of four letters, of which rare ones count most.

That finds what no table of word forms knows: compounds, other endings, typos, words of other languages.
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
_SLOTS = 1 << 16  # numbers of runs; two runs with the same number count as one


class Spellings:
    """The letter runs of many texts, packed as `runs` returns them."""

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
        """How alike the texts at two places are spelled: a cosine, 0-1."""
        shared = set(self._runs[one]).intersection(self._runs[two])
        return self._weight(shared) / (self._lengths[one] * self._lengths[two])

    def _weight(self, numbers: Iterable[int]) -> float:
        return math.fsum(map(self._squares.__getitem__, numbers))


def runs(text: str) -> bytes:
    """The runs of four letters in a text, packed as numbers."""
    return array("H", sorted(set(_numbers(text)))).tobytes()


def _numbers(text: str) -> Iterable[int]:
    """The number of each run; a run may come several times."""
    for word in set(_WORD.findall(plain(text))):
        spelled = f" {word} "
        for at in range(max(1, len(spelled) - _RUN + 1)):
            yield crc32(spelled[at : at + _RUN].encode()) % _SLOTS
