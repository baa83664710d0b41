"""The words of a note as pairs of notes are compared by them: roots, and of each whether it is a value.

No grammar and no language: a word is a run of letters without its ending, a value is a number, a day or a name.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple
from zlib import crc32

from mdmem.garden.gardeners.note import Note
from mdmem.language import negation
from mdmem.language.roots import folded, root
from mdmem.note import links, pieces, sentences, stopwords, tsv
from mdmem.note.memory import spoken

LONGEST = 1000  # characters of a note that is compared as a whole
_MOST = 160  # words of a text that are compared
TOKEN = re.compile(r"\d+(?:[.,:/-]\d+)*[a-z%°]{0,3}(?![^\W_])|[^\W_]+")
_RUN, _SLOTS = 4, 1 << 16  # letters of a run, and numbers of runs; two runs with one number count as one
_PLENTY, _ENOUGH = 400, 3  # characters, or content words, of a body that says enough without its title
NUMBER, DAY, NAME, WORD, STOP = "number", "day", "name", "word", "stop"
VALUES = (NUMBER, DAY, NAME)
DENIALS = frozenset(map(folded, negation.ANYWHERE))


class Word(NamedTuple):
    """A word of a text: its root and its kind."""

    root: str
    kind: str


Sentence = tuple[Word, ...]


@cache
def table(name: str) -> dict[str, str]:
    """A table of words in `data/NAME.tsv`: word -> what it is."""
    return {word: what for what, words in tsv.rows(__file__, f"{name}.tsv", 2) for word in words.split()}


@cache
def _stops() -> frozenset[str]:
    return frozenset(map(folded, stopwords.ANYWHERE)) - DENIALS


@lru_cache(1 << 15)
def _word(written: str, opens: bool) -> Word:
    """A word as written, as a Word; one that opens a sentence may have its capital from that."""
    plain = folded(written)
    if written[0].isdigit():
        return Word(plain.replace(",", "."), NUMBER)
    kind = table("kinds").get(plain, "")
    if kind == DAY:
        return Word(plain[:3], DAY)
    if kind:
        return Word(kind, NUMBER)
    if plain in _stops():
        return Word(plain, STOP)
    is_name = written[1:] != written[1:].lower() or (not opens and written[0].isupper())
    return Word(root(plain), NAME if is_name else WORD)


def read(text: str) -> list[Sentence]:
    """The sentences of a text as words; the text of links counts, their marks do not."""
    said, _ = links.apart(text)
    found: list[Sentence] = []
    left = _MOST
    for sentence in sentences.split(said, also=";"):
        words = TOKEN.findall(sentence)[:left]
        left -= len(words)
        if words:
            found.append(tuple(_word(word, at == 0) for at, word in enumerate(words)))
        if not left:
            break
    return found


def telling(lines: Iterable[Sentence]) -> Iterator[str]:
    """The roots of the words of some sentences, in order, without stop words."""
    return (word.root for line in lines for word in line if word.kind != STOP)


def titled(note: Note) -> str:
    """The title and the body of a note; the body does not repeat the title."""
    return f"{note.title}.\n{pieces.without_title(spoken(note.body), note.title)}"


def said(note: Note) -> tuple[str, list[Sentence]]:
    """The body of a note, and its title, too, if the body says too little; and the same as words."""
    body = pieces.without_title(spoken(note.body), note.title)
    lines = read(body)
    if len(body) > _PLENTY or len([*telling(lines)]) >= _ENOUGH:
        return body, lines
    return titled(note), read(titled(note))


def indexed(note: Note) -> tuple[Iterable[str], Iterable[int]]:
    """(roots, runs of four letters as numbers) by which a note is found: of its title, text and tags, each once.

    Runs find compounds, endings and slips.
    """
    tags = " ".join(note.tags).replace("-", " ").replace("_", " ").replace("/", " ")
    text = f"{titled(note)}\n{tags}"
    return dict.fromkeys(telling(read(text))), sorted(set(_numbers(folded(links.apart(text)[0]))))


def _numbers(text: str) -> Iterator[int]:
    for word in set(re.findall(r"\w+", text)):
        spelled = f" {word} "
        for at in range(max(1, len(spelled) - _RUN + 1)):
            yield crc32(spelled[at : at + _RUN].encode()) % _SLOTS


def line_of(body: str, sentence: Sentence) -> int:
    """The line (from 0) of a text that says a sentence; 0 if none does, as where the title says it."""
    for at, line in enumerate(body.split("\n")):
        if sentence in read(line):
            return at
    return 0
