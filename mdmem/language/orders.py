"""Finds text that gives orders to the model that reads it: a note is data, and should not steer its reader.

A linear model looks at each sentence, alone and with the next: at its words and pairs of words,
at classes of words (`override`, `rules`, `user`) and signs (a forged role, a hidden comment), and at pairs of
these. Words and signs stand in `data/orders.tsv`, and what each weighs in `data/order_weights.tsv`, fitted by
`python -m tests.bench.orders_fit --write`. What is quoted, or in a block of code, is not an order but speaks of
one. Not everything is found: the text of notes is shown as a quotation in any case.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from mdmem.text import tsv
from mdmem.text.patterns import late

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_BLOCK = late(r"(?ms)^[ \t]*(```|~~~).*?^[ \t]*\1")
_QUOTED = late(
    r'("[\w -]{1,40}"\s?:\s?"[^"]{1,400}"|="[^"]{1,400}"|"""|^\W{0,3}\w[\w-]*: "[^"]*")'  # a field: kept
    r"|^\s*>.*|`[^`]{1,300}`|\"[^\"]{1,300}\"|“[^”]{1,300}”|„[^“”]{1,300}[“”]|«[^»]{1,300}»|‘[^’]{1,300}’"
    r"|(?<!\w)'[^']{2,300}'(?!\w)"
)
_LINK = late(r"https?://\S+|[\w.+-]{1,64}@[\w.-]+")
_SENTENCE = late(r"(?:[^.!?;…]|[.!?;…](?!\s)){1,400}[.!?;…]*")
_CLAUSE = late(r"[,;:(—–]\s|(?<=\w)\)")
_SIZES, _STEMS = range(2, 5), range(2, 27)  # words of an entry of several, and characters before the * of one
# Marks, Cyrillic letters that look like ours, and characters that are not seen: joiners, directions, accents set
# apart, tags
_UNSEEN = ((0x200B, 0x2010), (0x2028, 0x2030), (0x2060, 0x2070), (0x300, 0x370), (0xE0000, 0xE01F0))
_PLAIN = {code: None for span in _UNSEEN for code in range(*span)} | str.maketrans(
    "àâáäãåèéêëìíîïòóôöõùúûüçñßаеорсухіјѕ<[{!\"#$%&'()*+,-./:;=>?@\\]^_`|}~“”„«»‘’…–—¿¡:",
    "aaaaaaeeeeiiiiooooouuuucnsaeopcyxijs" + 45 * " ",
    "\ufeff",
)
# Disguises: letters set apart, base64
_APART = late(r"(?<!\w)\w(?:[ .\-_*|/]{1,3}\w(?!\w)){5,200}")
_SET_APART = dict.fromkeys(map(ord, " .-_*|/"))
_BLOB = late(r"(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{4}){4,100}")


class Order(NamedTuple):
    """Text that gives its reader an order: the kind, such as "ignore instructions", and the 1-based line."""

    kind: str
    line: int


class _Tables(NamedTuple):
    """The classes of words, and what begins entries of several, after which a _ stands; (class, whether also in
    quotations, needs, pattern) of signs; the kinds of orders, each with the classes by which it is known; what
    features weigh.

    A sign needs one of some literals, or after @ of classes of words.
    """

    words: dict[str, set[str]]
    signs: list[tuple[str, bool, list[str], re.Pattern[str]]]
    kinds: list[tuple[str, set[str]]]
    weights: dict[str, float]


def found(text: str) -> list[Order]:
    """The orders to its reader in a text, one per line. Takes time linear in the text."""
    orders: dict[int, Order] = {}
    after, is_known = frozenset[str](), True
    for line, names in [*sentences(text)][::-1]:
        is_order = "=#invisible" in names or score(names) > 0
        said = names if is_order or is_known else names | after
        if is_order or score(said) > 0:
            kind = next((kind for kind, some in _tables().kinds if not some.isdisjoint(said)), "address the model")
            orders[line] = Order(kind, line)
        after, is_known = names, is_order
    return [*orders.values()][::-1]


def score(names: frozenset[str]) -> float:
    """Above 0 for an order, by the words, classes and signs of a sentence or two."""
    weights = _tables().weights
    known = [weights[name] for name in features(names) if name in weights]
    return sum(known) / math.sqrt(len(known) or 1) + weights["="]


def features(names: frozenset[str]) -> Iterator[str]:
    """The names, and the pairs of classes and signs."""
    yield from names
    classes = sorted(name[1:] for name in names if name[0] == "=")
    yield from map("=%s %s".__mod__, combinations(classes, 2))


def sentences(text: str) -> Iterator[tuple[int, frozenset[str]]]:
    """The 1-based line of each sentence; its words, their beginnings (*) and pairs, the first words of clauses
    (^), classes and signs (=).
    """
    shown = _BLOCK.sub(lambda block: "\n" * block[0].count("\n"), normalize("NFKC", text))
    for number, line in enumerate(shown.split("\n"), 1):
        spoken = _QUOTED.sub(lambda quoted: quoted[1] or " " * len(quoted[0]), line)
        for sentence in _SENTENCE.finditer(spoken):
            written = line[sentence.start() : sentence.end()]
            bare = _LINK.sub(" ", sentence[0])
            words, hidden = _plain(bare), _plain("\n".join(_undone(bare)))
            heads = [word for clause in _CLAUSE.split(bare) for word in _plain(clause)[:1]]
            classes = _of_words(words + hidden) | {f"^{name}" for name in _of_words(heads)}
            classes.update(["#undone"] * bool(hidden) + ["#quoted"] * (written != sentence[0]))
            has = written.lower() + "".join(f" @{name}" for name in [*classes, written.isascii()])
            for name, is_shown, needs, pattern in _tables().signs:
                if any(need in has for need in needs) and pattern.search(written if is_shown else sentence[0]):
                    classes.add(name)
            parts = [*map("^".__add__, heads), *(f"{word[:5]}*" for word in words if word[5:])]
            yield number, frozenset([*words, *map(" ".join, pairwise(words)), *parts, *map("=".__add__, classes)])


def _undone(text: str) -> Iterator[str]:
    """What stands in disguise in a sentence: letters set apart, base64."""
    for apart in _APART.findall(text):
        yield apart.replace("  ", "\n").translate(_SET_APART)
    for blob in _BLOB.findall(text):
        from base64 import b64decode

        plain = b64decode(blob).decode("ascii", "ignore")
        yield plain if " " in plain and plain.isprintable() else ""


def _of_words(words: list[str]) -> set[str]:
    """The classes of words."""
    begins = (at for at, word in enumerate(words) if f"{word}_" in _tables().words)
    many = ("_".join(words[at : at + size]) for at in begins for size in _SIZES)
    return set[str]().union(*map(_of_entry, [*words, *many]))


@lru_cache(1 << 14)
def _of_entry(entry: str) -> frozenset[str]:
    """The classes of a word, or of some joined by _, also by their beginnings."""
    table = _tables().words
    return frozenset().union(*(table.get(key, ()) for key in (entry, *(f"{entry[:stem]}*" for stem in _STEMS))))


def _plain(text: str) -> list[str]:
    """The words of a text in lower case without accents."""
    return text.lower().translate(_PLAIN).split()


@cache
def _tables() -> _Tables:
    weights = {name: float(weight) for name, weight in tsv.rows(__file__, "order_weights.tsv", 2)}
    tables = _Tables({}, [], [], weights)
    for what, name, needs, told in tsv.rows(__file__, "orders.tsv", 4):
        if what == "word":
            for entry in told.split():
                tables.words.setdefault(entry, set()).add(name)
                if "_" in entry:
                    tables.words.setdefault(entry.partition("_")[0] + "_", set())
        elif what == "kind":
            tables.kinds.append((name, {f"={each}" for each in told.split()}))
        else:
            tables.signs.append((name, what == "shown", needs.split(","), late(told)))
    return tables
