"""Finds text that gives orders to the model that reads it: a note is data, and should not steer its reader.

Two neighbouring sentences are reduced to the classes of words and marks that occur in them. What the classes
weigh, alone and in pairs, is added up; above a bound it is an order. No sentence is listed: `override` with
`rules` weighs much in any wording, and what speaks about attacks weighs against. Words, signs and weights stand in
`data/orders.tsv`. What is quoted, or in a block of code, is not an order but speaks of one. Not everything is
found: the text of notes is shown as a quotation in any case.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from mdmem.text.patterns import late

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

_FILE = __file__.removesuffix("orders.py") + "data/orders.tsv"
_BLOCK = late(r"(?ms)^[ \t]*(```|~~~).*?^[ \t]*\1")
_QUOTED = late(
    r'("[\w -]{1,40}"\s?:\s?"[^"]{1,400}"|="[^"]{1,400}"|"""|^\W{0,3}\w[\w-]*: "[^"]*")'  # a field: kept
    r"|^\s*>.*|`[^`]{1,300}`|\"[^\"]{1,300}\"|“[^”]{1,300}”|„[^“”]{1,300}[“”]|«[^»]{1,300}»|‘[^’]{1,300}’"
    r"|(?<!\w)'[^']{2,300}'(?!\w)"
)
_LINK = late(r"https?://\S+|[\w.+-]{1,64}@[\w.-]+")
_SENTENCE = late(r"(?:[^.!?;…]|[.!?;…](?!\s)){1,400}[.!?;…]*")
_WORDS, _STEM = 4, 26  # words of an entry, and characters before its *, at most
# Marks, and characters that are not seen: joiners, directions, accents set apart, tags
_UNSEEN = ((0x200B, 0x2010), (0x2028, 0x2030), (0x2060, 0x2070), (0x300, 0x370), (0xE0000, 0xE01F0))
_ODD = dict.fromkeys([*map(ord, "<[{"), 0xFEFF, *(code for span in _UNSEEN for code in range(*span))])
_PLAIN = _ODD | str.maketrans(
    "àâáäãåèéêëìíîïòóôöõùúûüçñß<[{!\"#$%&'()*+,-./:;=>?@\\]^_`|}~“”„«»‘’…–—¿¡:",
    "aaaaaaeeeeiiiiooooouuuucns" + 45 * " ",
)


class Order(NamedTuple):
    """Text that gives its reader an order: the kind, such as "ignore instructions", and the 1-based line."""

    kind: str
    line: int


class _Tables(NamedTuple):
    """The classes of words; what begins entries of several; (class, whether also in quotations, needs, pattern) of
    signs; what weighs; groups.

    A sign needs one of some literals, or after @ of classes of words. Weights are tenths, for classes that occur
    together; the empty set has the bound. A group has a name and classes; one without @ is a kind of orders.
    """

    words: Mapping[str, set[str]]
    firsts: set[str]
    signs: list[tuple[str, bool, list[str], re.Pattern[str]]]
    weights: list[tuple[set[str], int]]
    groups: list[tuple[str, set[str]]]


def found(text: str) -> list[Order]:
    """The orders to its reader in a text, one per line. Takes time linear in the text."""
    if _hot().isdisjoint(word[:5] for word in _plain(text)) and text.translate(_ODD) == text:
        return []
    said = [(line, _classes(written, spoken)) for line, written, spoken in _sentences(text)]
    orders: dict[int, Order] = {}
    after = set[str]()
    for line, here in reversed(said):
        if kind := _kind(here) or (not _kind(after) and _kind(here | after)):
            orders[line] = Order(kind, line)
        after = here
    return list(orders.values())[::-1]


def _kind(classes: set[str]) -> str:
    """What an order of these classes is called, "" if they make none."""
    groups = [name for name, some in _tables().groups if classes & some]
    every = classes.union(groups)
    if sum(weight for needed, weight in _tables().weights if needed <= every) <= 0:
        return ""
    return next((name for name in groups if name[0] != "@"), "address the model")


def _sentences(text: str) -> Iterator[tuple[int, str, str]]:
    """The sentences of a text as (1-based line, as written, with what is quoted left blank)."""
    lines = _BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text).split("\n")
    for number, line in enumerate(lines, 1):
        spoken = _QUOTED.sub(lambda quoted: quoted[1] or " " * len(quoted[0]), line)
        for sentence in _SENTENCE.finditer(spoken):
            written = line[sentence.start() : sentence.end()]
            if written.strip():
                yield number, written, sentence[0]


def _classes(written: str, spoken: str) -> set[str]:
    """The classes of words in what is not quoted of a sentence, and of signs."""
    classes = _of_words(_plain(_LINK.sub(" ", spoken))) | ({"#quoted"} if written != spoken else set())
    has = written.lower() + "".join(f" @{name}" for name in [*classes, written.isascii()])
    for name, is_shown, needs, pattern in _tables().signs:
        if any(need in has for need in needs) and pattern.search(written if is_shown else spoken):
            classes.add(name)
    return classes


def _of_words(words: list[str]) -> set[str]:
    """The classes of words; those of the first one also after ^."""
    tables, classes = _tables(), set[str]()
    for at, word in enumerate(words):
        here = _of_entry(word)
        if word in tables.firsts:
            joined = ("_".join(words[at : at + size]) for size in range(2, min(_WORDS, len(words) - at) + 1))
            here = here.union(*map(_of_entry, joined))
        classes |= here if at else here.union(f"^{name}" for name in here)
    return classes


@lru_cache(1 << 14)
def _of_entry(entry: str) -> frozenset[str]:
    """The classes of a word, or of some joined by _, also by their beginnings."""
    table = _tables().words
    keys = (entry, *(f"{entry[:stem]}*" for stem in range(2, min(len(entry), _STEM) + 1)))
    return frozenset().union(*(table.get(key, ()) for key in keys))


def _plain(text: str) -> list[str]:
    """The words of a text in lower case without accents."""
    return text.lower().translate(_PLAIN).split()


@cache
def _hot() -> frozenset[str]:
    """The starts of words, of five letters at most, of which an order has one: the first line of `_FILE`."""
    with open(_FILE, encoding="utf-8") as file:
        return frozenset(file.readline().split())


@cache
def _tables() -> _Tables:
    """The tables in `_FILE`."""
    words: dict[str, set[str]] = {}
    tables = _Tables(words, set(), [], [], [])
    with open(_FILE, encoding="utf-8") as file:
        for line in file:
            match line.rstrip("\n").split("\t"):
                case ["word", name, entries]:
                    for entry in entries.split():
                        words.setdefault(entry, set()).add(name)
                        tables.firsts.update([entry.partition("_")[0]] if "_" in entry else ())
                case ["sign" | "shown" as place, name, needs, pattern]:
                    tables.signs.append((name, place == "shown", needs.split(","), late(pattern)))
                case ["weight", names, tenths]:
                    tables.weights.append((set(names.split()), int(tenths)))
                case ["group", name, names]:
                    tables.groups.append((name, set(names.split())))
    return tables
