"""Late interaction: how well the words of a question are matched, each by the best word of a note.

A single vector says what a note is about as a whole, and loses what each word means in its sentence. So each token
keeps a vector of its own, and a question is scored by the best match of each of its tokens (MaxSim: Khattab and
Zaharia, "ColBERT", 2020). Of a note's vectors only the signs are kept, one bit per number, which is enough if the
question's are complete (as in Yamada et al., "Binary Passage Retriever", 2021).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

LONGEST = 128  # tokens of a text; comparing a longer one gains too little for the space that it takes
_AT_ONCE = 250  # notes whose bits are numbers at once: of the longest they take 50 MB
_PLAIN = 1.0  # rarity of a word for which none is given, such as a stop word


class AskedWords(NamedTuple):
    """The tokens of a question: for each the word it belongs to, in lower case, and its vector, one row each."""

    words: tuple[str, ...]
    states: Matrix


def packed(states: Matrix) -> bytes:
    """The signs of the states of a note's tokens, one bit per number; b"" for a note that is too long."""
    import numpy as np

    return np.packbits(states > 0, axis=1).tobytes() if len(states) <= LONGEST else b""


def matches(asked: AskedWords, rarities: Mapping[str, float], notes: Sequence[bytes]) -> NDArray[np.float32]:
    """How well each note matches a question, about 0-1: the mean of its tokens' best cosines in the note.

    `notes` are `packed`, and none of them is empty. `rarities` (idf) are those of words of the question. A token
    is weighted by the square root of its word's rarity, so that no rare word decides alone. The direction that all
    tokens of the notes have in common is removed from the question's first, since it would make any two of them
    alike (Mu and Viswanath 2018).
    """
    import numpy as np

    width = asked.states.shape[1]
    groups = [notes[at : at + _AT_ONCE] for at in range(0, len(notes), _AT_ONCE)]
    tokens = sum(map(len, notes)) * 8 // width
    set_bits = np.sum([_bits(group, width).sum(0, dtype=np.float64) for group in groups], axis=0)
    common = (2 * set_bits / tokens - 1).astype(np.float32)  # a sign is 2 * bit - 1
    common /= np.linalg.norm(common)
    states = asked.states - np.outer(asked.states @ common, common)
    states /= np.linalg.norm(states, axis=1, keepdims=True)
    nearest = np.concatenate([_nearest(states, group) for group in groups], axis=1)
    best = (2 * nearest - states.sum(1, keepdims=True)) / width**0.5  # the cosine of a state and of signs
    weights = np.array([rarities.get(word, _PLAIN) for word in asked.words], np.float32) ** 0.5
    found: NDArray[np.float32] = weights @ best / weights.sum()
    return found


def _nearest(states: Matrix, notes: Sequence[bytes]) -> Matrix:
    """The highest product of each state with the bits of a token, one column a note."""
    import numpy as np

    width = states.shape[1]
    starts = np.cumsum([0, *(len(note) * 8 // width for note in notes[:-1])])
    nearest: Matrix = np.maximum.reduceat(states @ _bits(notes, width).T, starts, axis=1)
    return nearest


def _bits(notes: Sequence[bytes], width: int) -> Matrix:
    """The bits of the tokens of notes as 0 and 1, one row a token."""
    import numpy as np

    rows = np.frombuffer(b"".join(notes), np.uint8).reshape(-1, width // 8)
    return np.unpackbits(rows, axis=1).astype(np.float32)
