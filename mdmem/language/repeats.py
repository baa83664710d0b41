"""Which of very many texts come more than once, in memory that grows with the repeated ones alone."""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

_SLOTS = 1 << 22  # that texts are counted by; a few that come once share one


class Repeats:
    """The texts that come more than once, and a few others: `text in Repeats(texts)`."""

    def __init__(self, texts: Iterable[bytes]) -> None:
        taken = bytearray(_SLOTS)
        self._again = set()
        for text in texts:
            slot = crc32(text) % _SLOTS
            if taken[slot]:
                self._again.add(slot)
            taken[slot] = True

    def __contains__(self, text: bytes) -> bool:
        return crc32(text) % _SLOTS in self._again
