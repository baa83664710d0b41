"""Finds text that gives orders to the model that reads it: a note is data, and should not steer its reader.

A sentence is reduced to the classes of words and marks that occur in it. A rule names the classes that make an
order if two neighbouring sentences have all of them: `override rules prior` is "ignore your previous instructions"
in any wording. Words, signs and rules stand in `data/orders.tsv`. What is quoted, or in a block of code, is not an
order but speaks of one. Not everything is found: the text of notes is shown as a quotation in any case.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache

from mdmem.text.patterns import late
from mdmem.values import NamedTuple

_FILE = __file__.removesuffix("orders.py") + "data/orders.tsv"
_BLOCK = late(r"^[ \t]*(```|~~~).*?^[ \t]*\1", re.M | re.S)
_QUOTED = late(
    r"^\s*>.*|https?://\S+|[\w.+-]{1,64}@[\w.-]+|`[^`]{1,300}`|\"[^\"]{1,300}\"|“[^”]{1,300}”|„[^“”]{1,300}[“”]|«[^»]{1,300}»|‘[^’]{1,300}’"
    r"|(?<!\w)'[^']{2,300}'(?!\w)"
)
_SENTENCE = late(r"(?:[^.!?;…]|[.!?;…](?!\s|$)){1,400}[.!?;…]*")
_WORD, _START = late(r"\w+"), late(r"[a-z]{1,4}(?!\?)")
_MODEL, _OF_MODEL = {"model", "product"}, {"voc", "reader"}  # words for models, and the signs that need one
_APART = {"apart"}  # the class of what two sentences say together
_PART = late("_~_|[_*]")
_PARTS = {"_~_": r"\W+(?:\w+\W+){0,4}?", "_": r"\W+", "*": r"\w*"}  # of an entry of words


class Order(NamedTuple):
    """Text that gives its reader an order: the kind, such as "ignore instructions", and the 1-based line."""

    kind: str
    line: int


class _Tables(NamedTuple):
    """The patterns of `signs` by class, those of words by the first letters of a word and class, and the rules.

    A rule is (kind, needed, barred): of each needed set one class has to be there, and of the barred ones none.
    """

    signs: Mapping[str, re.Pattern[str]]
    words: Mapping[str, Mapping[str, re.Pattern[str]]]
    rules: list[tuple[str, list[set[str]], set[str]]]


def found(text: str) -> list[Order]:
    """The orders to its reader in a text, by line; each kind once per line. Takes time linear in the text."""
    lines = _BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text).split("\n")
    said = [
        (number, _classes(line[sentence.start() : sentence.end()], sentence[0]))
        for number, line in enumerate(lines, 1)
        for sentence in _SENTENCE.finditer(_QUOTED.sub(lambda quoted: " " * len(quoted[0]), line))
        if sentence[0].strip()
    ]
    orders: dict[Order, None] = {}
    for (line, here), (_, after) in zip(said, [*said, (0, set[str]())][1:], strict=True):
        kinds = [*_kinds(here), *(kind for kind in _kinds(here | after | _APART) if kind not in _kinds(after))]
        orders |= dict.fromkeys(Order(kind, line) for kind in kinds)
    return list(orders)


def _kinds(classes: set[str]) -> Iterator[str]:
    """The kinds of orders that these classes make together."""
    for kind, needed, barred in _tables().rules:
        if all(classes & one for one in needed) and not classes & barred:
            yield kind


def _classes(written: str, spoken: str) -> set[str]:
    """The classes of signs in a sentence as written, and of words in what is not quoted of it."""
    tables, spoken = _tables(), spoken.lower()
    if not spoken.isascii():
        plain = unicodedata.normalize("NFKD", spoken.replace("ß", "ss"))
        spoken = "".join(char for char in plain if unicodedata.category(char) not in ("Mn", "Cf"))
    classes = set[str]()
    for word in _WORD.finditer(spoken):
        for size in range(1, 5):
            for name, pattern in tables.words.get(word[0][:size], {}).items():
                if name not in classes and pattern.match(spoken, word.start()):
                    classes.add(name)
    signs = tables.signs if classes & _MODEL else tables.signs.keys() - _OF_MODEL
    return classes | {name for name in signs if tables.signs[name].search(written)}


@cache
def _tables() -> _Tables:
    """The tables in `_FILE`. Raises ValueError that names file and line for a line that is none of them."""
    signs: dict[str, re.Pattern[str]] = {}
    entries: dict[str, dict[str, list[str]]] = {}
    rules, models = [], list[str]()
    with open(_FILE, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match line.rstrip("\n").split("\t"):
                case ["word", name, _, words]:
                    for entry in words.split():
                        start = _START.match(entry)
                        pattern = _PART.sub(lambda part: _PARTS[part[0]], entry)
                        models += [pattern] if name == "model" else []
                        entries.setdefault(start[0] if start else "", {}).setdefault(name, []).append(pattern)
                case ["sign", name, pattern]:
                    signs[name] = late(pattern.replace("@model", "|".join(models)))
                case ["rule", kind, needed, barred]:
                    rules.append((kind, [set(one.split("|")) for one in needed.split()], set(barred.split())))
                case [text] if not text or text.startswith("#"):
                    pass
                case _:
                    raise ValueError(f"{_FILE}:{number}: neither a word, nor a sign, nor a rule")
    by_start = {
        start: {name: late(rf"(?:{'|'.join(patterns)})\b") for name, patterns in each.items()}
        for start, each in entries.items()
    }
    return _Tables(signs, by_start, rules)
