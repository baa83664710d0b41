"""Finds text that gives orders to the model that reads it: a note is data, and should not steer its reader.

A linear model looks at each sentence, alone and with the next: at its words, their beginnings, ends and pairs, how
it and its clauses begin, its length and end, at classes of words (`override`, `rules`, `user`) and signs (a forged
role, a hidden comment), and at pairs of these. Words and signs stand in `data/orders.tsv`, and what each weighs in
`data/order_weights.tsv`, fitted by `python -m tests.bench.orders_fit --write`. What is quoted, or in a block of
code and no comment there, is not an order but speaks of one. Not everything is found: the text of notes is shown
as a quotation in any case.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain, combinations, pairwise
from typing import NamedTuple
from unicodedata import normalize

from mdmem.note import tsv
from mdmem.note.patterns import late

_BLOCK = late(r"(?ms)^[ \t]*(```|~~~).*?^[ \t]*\1")
_COMMENT = late(r"\s*(?://+|#+|--|/?\*+|<!--|;+|%+)\s(.*)")  # a line of code that is for whoever reads the code
_QUOTED = late(
    r'("[\w -]{1,40}"\s?:\s?"[^"]{1,400}"|="[^"]{1,400}"|"""|^\W{0,3}\w[\w-]*: "[^"]*")'  # a field: kept
    r"|^\s*>.*|`[^`]{1,300}`|\"[^\"]{1,300}\"|“[^”]{1,300}”|„[^“”]{1,300}[“”]|«[^»]{1,300}»|‘[^’]{1,300}’"
    r"|(?<!\w)'[^']{2,300}'(?!\w)"
)
_QUOTES = "\"'>`“„«‘"
_LINK = late(r"https?://\S+|[\w.+-]{1,64}@[\w.-]+")
_SENTENCE = late(r"(?:[^.!?;]|[.!?;](?!\s)){1,400}[.!?;]*")
# Begins with the sign, which is found faster. One [] for all signs takes ten times as long to compile.
_CLAUSE = late(r"[,;:()](?:(?<!\))\s|(?<=\w\)))|[—–]\s")
START, _MANY = 2, 2_000  # characters of a name by which its weight is looked up; names for which all are parsed
_SIZES, _LEAST = range(2, 5), 3  # words of an entry of several; characters before the * of one, at least
# Marks, Cyrillic letters that look like ours, and characters that are not seen: joiners, directions, accents set
# apart, tags
_UNSEEN = ((0x200B, 0x2010), (0x2028, 0x2030), (0x2060, 0x2070), (0x300, 0x370), (0xE0000, 0xE01F0))
_PLAIN = {code: None for span in _UNSEEN for code in range(*span)} | str.maketrans(
    "àâáäãåèéêëìíîïòóôöõùúûüçñßаеорсухіјѕ<[{!\"#$%&'()*+,-./:;=>?@\\]^_`|}~“”„«»‘’…–—¿¡:",
    "aaaaaaeeeeiiiiooooouuuucnsaeopcyxijs" + 45 * " ",
    "\ufeff",
)
_NOTHING = frozenset[str]()
_HIDDEN = "=#invisible"  # the sign that is an order by itself
# Disguises: letters set apart, base64
_ONE_LETTER = late(r"[ .\-_*|/]\w[ .\-*|/]")
_APART = late(r"(?<!\w)\w(?:[ .\-_*|/]{1,3}\w(?!\w)){5,200}")
_SET_APART = dict.fromkeys(map(ord, " .-_*|/"))
_BLOB = late(r"(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{4}){4,100}")


class Order(NamedTuple):
    """Text that gives its reader an order: the kind, such as "ignore instructions", and the 1-based line."""

    kind: str
    line: int


class _Sign(NamedTuple):
    """A sign: its class, whether it counts in quotations too, what it needs one of, and its pattern."""

    name: str
    is_shown: bool
    literals: list[str]
    classes: frozenset[str]
    pattern: re.Pattern[str]


class _Tables(NamedTuple):
    """The classes of entries; how entries of several words begin, with two characters of the second; how
    entries begin that are beginnings; signs; the kinds of orders, each with the classes by which it is known.
    """

    words: dict[str, tuple[str, ...]]
    begins: set[str]
    stems: set[str]
    signs: list[_Sign]
    kinds: list[tuple[str, set[str]]]


def found(text: str) -> list[Order]:
    """The orders to its reader in a text, one per line. Takes time linear in the text."""
    orders: dict[int, Order] = {}
    at, before, was_order = 0, _NOTHING, False
    for line, names in chain(sentences(text, False), ((0, _NOTHING),)):
        is_order = _HIDDEN in names or score(names) > 0
        said = before if was_order or is_order else before | names
        if was_order or (at and score(said) > 0):
            kind = next((kind for kind, some in _tables().kinds if not some.isdisjoint(said)), "address the model")
            orders.setdefault(at, Order(kind, at))
        at, before, was_order = line, names, is_order
    return [*orders.values()]


@lru_cache(1 << 10)
def score(names: frozenset[str]) -> float:
    """Above 0 for an order, by the words, classes and signs of a sentence or two."""
    known = [
        *filter(None, map(_weigher(), names)),
        *_of_pairs(frozenset(name for name in names if name[0] == "=")),
    ]
    return sum(known) / math.sqrt(len(known) or 1) + _weight("=")


@lru_cache(1 << 12)
def _of_pairs(classes: frozenset[str]) -> list[float]:
    """What the pairs of some classes weigh."""
    return [*filter(None, map(_weigher(), pairs(classes)))]


def _weigher() -> Callable[[str], float | None]:
    """Gives what a name weighs. Parsing the whole table takes longer than finding some thousands of names."""
    return _weights().get if _weight.cache_info().misses > _MANY else _weight


@lru_cache(1 << 15)
def _weight(name: str) -> float:
    """What a name or a pair of classes weighs."""
    row, rest = _rows().get(name[:START], ""), f"|{name[START:]}:"
    return int(row.partition(rest)[2].partition("|")[0]) / 100 if rest in row else 0.0


@cache
def _weights() -> dict[str, float]:
    parts = ((start, told.rpartition(":")) for start, row in _rows().items() for told in row[1:].split("|"))
    return {start + rest: int(hundredths) / 100 for start, (rest, _, hundredths) in parts}


@cache
def _rows() -> dict[str, str]:
    return dict(tsv.rows(__file__, "order_weights.tsv", 2))


def pairs(names: Iterable[str]) -> Iterator[str]:
    """The features that are pairs of the classes and signs among names, as `=override rules`."""
    return map("=%s %s".__mod__, combinations(sorted(name[1:] for name in names if name[0] == "="), 2))


def sentences(text: str, all_names: bool = True) -> Iterator[tuple[int, frozenset[str]]]:
    """The 1-based line of each sentence; its words, their beginnings and ends (*) and pairs, the first words of
    clauses (^) and its own (^^), its length and end (#), classes and signs (=). Without `all_names`, only those
    that count.
    """
    shown = _BLOCK.sub(_comments, normalize("NFKC", text))
    low = shown.lower()
    near = tuple(
        place
        for place, sign in enumerate(_tables().signs)
        if sign.classes or any(map(low.__contains__, sign.literals))
    )
    for number, line in enumerate(shown.split("\n"), 1):
        spoken = line
        if any(map(line.__contains__, _QUOTES)):
            spoken = _QUOTED.sub(lambda quoted: quoted[1] or " " * len(quoted[0]), line)
        for sentence in _SENTENCE.finditer(spoken):
            yield number, _names(sentence[0], line[sentence.start() : sentence.end()], near, all_names)


def _comments(block: re.Match[str]) -> str:
    """The lines of a block of code, of which only comments speak."""
    return "\n".join(said[1] if (said := _COMMENT.match(line)) else "" for line in block[0].split("\n"))


@lru_cache(1 << 12)  # short sentences repeat, in a text and in the next
def _names(spoken: str, written: str, near: tuple[int, ...], all_names: bool) -> frozenset[str]:
    """What `sentences` tells of a sentence as it is `spoken`, without quotations, and as it is written."""
    bare = _LINK.sub(" ", spoken) if "://" in written or "@" in written else spoken
    words, hidden = _plain(bare), _plain("\n".join(_undone(bare)))
    heads = [word for clause in _CLAUSE.split(bare) for word in _plain(clause)[:1]]
    classes = _of_words(words + hidden) | {f"^{name}" for head in heads for name in _of_entry(head)}
    classes.update(["#undone"] * bool(hidden) + ["#quoted"] * (written != spoken))
    classes.update(_signs(spoken, written, classes, near))
    parts = [*map("^".__add__, heads), *chain.from_iterable(map(_ends, words))]
    parts += [f"^^{each}" for first in words[:1] for each in (first, *map("=".__add__, _of_entry(first)))]
    ending = spoken.rstrip()[-1:]
    parts += [f"#{len(words).bit_length()}", f"#{ending if ending in '.?!:;' else ''}"]
    names = (*words, *map(" ".join, pairwise(words)), *parts)
    return frozenset(names if all_names else filter(_weigher(), names)).union(map("=".__add__, classes))


@lru_cache(1 << 12)
def _ends(word: str) -> list[str]:
    """How a longer word begins and ends."""
    return [f"{word[:5]}*"] * (len(word) > 5) + [f"*{word[-3:]}"] * (len(word) > 4)


def _signs(spoken: str, written: str, classes: set[str], near: tuple[int, ...]) -> list[str]:
    """The signs of a sentence, of those `near`, as it is `spoken`, without quotations, and as it is written."""
    low, has = written.lower(), {*classes, str(written.isascii())}
    found = []
    for sign in map(_tables().signs.__getitem__, near):
        is_possible = not sign.classes.isdisjoint(has) or any(map(low.__contains__, sign.literals))
        if is_possible and sign.pattern.search(written if sign.is_shown else spoken):
            found.append(sign.name)
    return found


def _undone(text: str) -> Iterator[str]:
    """What stands in disguise in a sentence: letters set apart, base64."""
    for apart in _APART.findall(text) if _ONE_LETTER.search(text) else ():
        yield apart.replace("  ", "\n").translate(_SET_APART)
    for blob in _BLOB.findall(text) if max(map(len, text.split(" "))) >= 16 else ():
        from base64 import b64decode

        plain = b64decode(blob).decode("ascii", "ignore")
        yield plain if " " in plain and plain.isprintable() else ""


def _of_words(words: list[str]) -> set[str]:
    """The classes of words."""
    begins = _tables().begins
    ahead = enumerate(pairwise(words))
    begun = (at for at, (word, next) in ahead if f"{word}_{next[:2]}" in begins or f"{word}_*" in begins)
    many = ("_".join(words[at : at + size]) for at in begun for size in _SIZES)
    return set[str]().union(*map(_of_entry, [*words, *many]))


@lru_cache(1 << 12)
def _of_entry(entry: str) -> frozenset[str]:
    """The classes of a word, or of some joined by _, also by their beginnings."""
    words, is_begun = _tables().words, entry[:_LEAST] in _tables().stems
    if entry not in words and not is_begun:  # as most words
        return _NOTHING
    begun = [f"{entry[:end]}*" for end in range(_LEAST, len(entry) + 1)] if is_begun else []
    return _NOTHING.union(*(words[each] for each in (entry, *begun) if each in words))


def _plain(text: str) -> list[str]:
    """The words of a text in lower case without accents."""
    return text.lower().translate(_PLAIN).split()


@cache
def _tables() -> _Tables:
    tables = _Tables({}, set(), set(), [], [])
    rows = [*tsv.rows(__file__, "orders.tsv", 4)]
    every = frozenset(("False", *(name for what, name, *_ in rows if what == "word")))
    for what, name, needs, told in rows:
        if what == "word":
            _add_entries(tables, name, told.split())
        elif what == "kind":
            classes = {f"={each}" for each in told.split()}
            tables.kinds.append((name, classes))
        else:
            tables.signs.append(_sign(name, what == "shown", needs.split(","), late(told), every))
    return tables


def _add_entries(tables: _Tables, name: str, entries: list[str]) -> None:
    more = {entry: (*tables.words[entry], name) for entry in tables.words.keys() & entries}
    tables.words.update(dict.fromkeys(entries, (name,)))
    tables.words.update(more)
    tables.begins.update([entry[: entry.index("_") + 3].rstrip("_") for entry in entries if "_" in entry])
    tables.stems.update([entry[:_LEAST] for entry in entries if entry[-1] == "*"])


def _sign(name: str, is_shown: bool, needs: list[str], pattern: re.Pattern[str], every: frozenset[str]) -> _Sign:
    """A sign; what it needs after an @ is a class of words, or the beginning of some, of `every` one."""
    begun = {need: [one for one in every if one.startswith(need[1:])] for need in needs if need[0] == "@" != need}
    literals = [need for need in needs if not begun.get(need)]
    classes = frozenset(chain.from_iterable(begun.values()))
    return _Sign(name, is_shown, literals, classes, pattern)
