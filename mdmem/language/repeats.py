"""Finds the texts that occur more than once among very many; memory grows only with the repeated ones."""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

_SLOTS = 1 << 22  # of hashes; a few texts that occur once share one


class Repeats:
    """The texts that occur more than once, and a few others by hash collisions: `text in Repeats(texts)`."""

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
