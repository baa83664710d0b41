"""Finds out whether a text states several facts that belong in separate memories.

The rule is strict, since a wrong suggestion costs more than a missing one. Every item of the list, or every
sentence, must be a complete statement with a subject of its own, and must not share any significant word with the
others.
"""

from collections.abc import Iterator, Sequence

from mdmem.language.relations import FINITE
from mdmem.language.roots import root
from mdmem.note import blocks, naming, patterns, sentences

_MOST = 20  # facts; a text with more is a document
_LONGEST_SUBJECT = 6  # words
_LEAST_WORDS = 3
_BULLET = patterns.late(r"(?:[-*+•]|\d{1,3}[.)])\s+(?=\S)")
# A sentence that begins with one of these continues the one before, is a question or request, or a condition.
_GOES_ON = frozenset(
    "it its he his she her they their this that these those there here which who such both one another others so "
    "but and or because therefore then thus also however otherwise instead still yet afterwards finally next "
    "first second if when while until unless since although as after before once where how why what you your er "
    "sie es sein seine ihr ihre das dies diese dieser dieses da dann deshalb darum aber und oder auch wenn weil "
    "falls als denn".split()
)
# Words that do not occur anywhere in a later sentence about a separate fact: they refer back, or
# allow or forbid what was said before.
_POINTS_BACK = frozenset(
    "it its he him she her they them their this that these those there then first only also too else above below "
    "because was were been may might can could should er ihn ihm sie es ihr dort dann auch nur wurde kann "
    "darf".split()
)
_MORE_VERBS = frozenset(
    "leads manages heads approves handles maintains knows studies teaches belongs sits stands lies owns ist sind "
    "hat haben heißt wohnt wohnen lebt arbeitet mag isst trinkt spielt läuft kostet beginnt endet öffnet schließt "
    "nutzt verwendet braucht kommt fährt gehört liegt steht".split()
)
_PERSONS = frozenset("i we user ich wir".split())


def several(text: str) -> list[str]:
    """The facts in a text that states several, in order and as written; [] for a text about one thing."""
    pieces = list(_pieces(text))
    if not 2 <= len(pieces) <= _MOST:
        return []
    subjects = [_subject(piece) for piece in pieces]
    if not all(subjects) or not _are_apart(subjects):
        return []
    said = [{root(word) for word in naming.telling(piece)} for piece in pieces]
    return pieces if _are_apart(said) else []


def _pieces(text: str) -> Iterator[str]:
    """The items of a text that is nothing but a list, or the sentences of a text that is one paragraph."""
    lines = list(blocks.lines(text.strip()))
    if any(line.kind in blocks.UNREAD or line.kind is blocks.HEADING for line in lines):
        return
    written = [line.text for line in lines if line.text.strip()]
    if all(_BULLET.match(line) for line in written):
        yield from (_BULLET.sub("", line, count=1).strip() for line in written)
    elif len(written) == len(lines) and not any(_BULLET.match(line) for line in written):
        said = list(sentences.split(" ".join(line.strip() for line in written)))
        if not any(_POINTS_BACK & set(naming.words_of(later)) for later in said[1:]):
            yield from said


def _subject(statement: str) -> set[str]:
    """The words before the verb of a statement; empty if it is not a complete statement on its own."""
    if statement.rstrip().endswith(("?", ":", "!")):
        return set()
    words = naming.words_of(statement)
    at = next(
        (at for at, word in enumerate(words[: _LONGEST_SUBJECT + 1]) if (word in FINITE or word in _MORE_VERBS)), 0
    )
    if not at or len(words) < _LEAST_WORDS or at + 1 == len(words) or words[0] in _GOES_ON:
        return set()
    return {root(word) for word in words[:at] if word in _PERSONS or word in naming.telling(word)}


def _are_apart(sets: Sequence[set[str]]) -> bool:
    """Whether no word is in more than one of the sets."""
    return sum(map(len, sets)) == len(set().union(*sets))
