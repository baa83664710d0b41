"""What a note states, in sentences and `key: value` pairs, with the keys by which two contradict each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from mdmem.language.alignment.reading import tongue_of
from mdmem.language.alignment.tables import TONGUES
from mdmem.language.roots import folded, singular
from mdmem.language.statement import keys, reader, signs
from mdmem.language.statement.reader import Stated
from mdmem.language.statement.tables import WORDS
from mdmem.language.sureness import SURE, Key
from mdmem.note import blocks
from mdmem.text import sentences

_MOST_LINES, _MOST_CHARS, _LONGEST_VALUE = 40, 1200, 5
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_PAIR = re.compile(r"^(?P<key>[A-Za-zÀ-ÿ][\w /'-]{0,40}?)\s*:\s+(?P<value>\S.*)$")
_DIGIT = re.compile(r"\d")
_LIMITED = re.compile(r"mode:\s*(?:conditional|timeboxed)")
_MARKS = frozenset("-*+0123456789")
_NAMED_BY = frozenset("flag name service setting option variable parameter".split())
_TITLE = "<title>"  # the subject of a sentence that begins with a pronoun
_LIKELY = 0.85  # least confidence that another value contradicts a claim that is worth keeping
_PERSONS = re.compile(r"\b(?:i|i'\w+|me|my|we|our|us|you|your|let'?s|her|his|their|its)\b", re.I)
_NO_THINGS = frozenset("but and so or yes no those these some any every each if".split())


class Statement(NamedTuple):
    """A sentence of a note, with a key for each way in which it can contradict another.

    `line` is its line in the file (1-based).
    """

    line: int
    text: str
    about_user: bool
    keys: tuple[Key, ...]


def in_note(titled: str, body: str, body_line: int, about: Mapping[str, str]) -> Iterator[Statement]:
    """What a note states, its title first.

    `body_line` is the line of the file at which its body begins (1-based). `about` are its properties subject,
    predicate and object, "" where it has none.
    """
    title = reader.subject_words(titled.split(), "en")
    yield from in_sentence(titled, 1, ())
    thing = ""  # the `name: x` or `flag: x` that the pairs below it are about
    fact = dict(about)
    for number, text in islice(_lines(_beginning(body)), _MOST_LINES):
        line = number + body_line - 1
        pair = _PAIR.match(text) if ":" in text else None
        if pair is None:
            for sentence in sentences.split(text, also=";"):
                yield from in_sentence(sentence, line, title)
            continue
        key, value = pair["key"].lower(), pair["value"].strip()
        if key in fact:
            fact[key] = value
        if key in _NAMED_BY:
            thing = f"{pair['key']} {value}".casefold()
        found = tuple(_of_pair(key, value, title, thing))
        if found:
            yield Statement(line, text, found[0].about[0] != "attribute", found)
    if all(fact.values()) and not _LIMITED.search(body):
        yield _fact(fact, body_line)


def _beginning(body: str) -> str:
    """The whole sentences at the beginning of a text: what a long note says later, it says in passing."""
    if len(body) <= _MOST_CHARS:
        return body
    begun = body[:_MOST_CHARS]
    return begun[: max(begun.rfind("\n"), begun.rfind(". ")) + 1]


def _lines(body: str) -> Iterator[tuple[int, str]]:
    """(line, text) of the lines of prose that say something, without bullets and bold type."""
    for number, line in blocks.prose_lines(body):
        text = line.strip()
        if text[:1] in _MARKS:
            text = _BULLET.sub("", line).strip()
        text = text.replace("**", "")
        if text and not text.startswith(("#", "|", ">")):
            yield number, text


def _of_pair(key: str, written: str, title: tuple[str, ...], thing: str) -> Iterator[Key]:
    """The keys of a pair `key: value`.

    It is about the thing that is named above it, or that the title names; `a of b: value` is about b.
    """
    written = written.strip(" .`")
    value = written.casefold()
    if ", " in value or "[[" in value or len(value.split()) > _LONGEST_VALUE:
        return
    for tongue in TONGUES:
        words = WORDS[tongue]
        subject = reader.subject_words(key.split(), tongue)
        attribute = reader.attribute(subject, tongue)
        if attribute and attribute.thing and not words.of.isdisjoint(key.split()):
            about = ("attribute", *attribute.named, "|", *attribute.thing)
            yield Key(about, written, SURE["pair.attribute"])
            return
    if thing and key not in _NAMED_BY:
        yield Key(("pair", thing, key), value, SURE["pair.thing"])
    elif title:
        last = singular(folded(key.rsplit(maxsplit=1)[-1]))
        is_value = any(last in words.attributes for words in WORDS.values()) or _DIGIT.match(value)
        yield Key(("pair", *title, key), value, SURE["pair.value" if is_value else "pair"])


def _fact(fact: Mapping[str, str], line: int) -> Statement:
    """The statement of the properties subject, predicate and object."""
    about = ("fact", fact["subject"].casefold(), fact["predicate"].casefold())
    key = Key(about, fact["object"].casefold(), SURE["fact"])
    return Statement(line, " ".join(fact.values()), about_user=True, keys=(key,))


def in_sentence(sentence: str, line: int, title: tuple[str, ...]) -> Iterator[Statement]:
    """What one sentence states; `title` has the words that its pronouns may stand for, () for none."""
    if not reader.is_short(sentence):
        return
    words = signs.words_of(sentence)
    if not signs.may_state(sentence, words):
        return
    tongue = tongue_of(words)
    may_be_divided = signs.has_verb(words, tongue)
    names_all = reader.PRONOUNS.isdisjoint(words)
    may_have_slots = names_all and keys.may_have_slots(sentence, words, tongue)
    if not (may_be_divided or may_have_slots):
        return
    said = reader.plainly(sentence, tongue)
    stated = _named(reader.read(said, tongue), title) if may_be_divided else None
    found = tuple(keys.keys(stated)) if stated else ()
    if stated and found and _is_so(said, stated):
        subject = reader.subject_words(stated.subject, tongue)
        yield Statement(line, sentence, subject[:1] in ((), ("user",)) or _TITLE in subject, found)
    if may_have_slots and reader.is_so(said, tongue):
        differing = tuple(keys.slots(said))
        if differing:
            yield Statement(line, sentence, "user" in words, differing)


def _is_so(said: str, stated: Stated) -> bool:
    """Whether a sentence holds now, its verb aside: `was built in` is the past of what holds for good."""
    return reader.is_so(said.replace(stated.verb, ""), stated.tongue)


def _named(stated: Stated | None, title: tuple[str, ...]) -> Stated | None:
    """The statement, about what the title names if its subject is a pronoun; None if the title names nothing."""
    if stated is None or reader.PRONOUNS.isdisjoint(map(folded, stated.subject)):
        return stated
    return stated._replace(subject=(_TITLE, *title)) if title else None


def of_thing(sentence: str) -> Stated | None:
    """The statement of a short sentence that gives a thing one value, as "The deadline is Friday"; else None.

    A sentence that speaks of "I" or "you", or does not begin with the thing, has none.
    """
    if _PERSONS.search(sentence) or not reader.is_short(sentence):
        return None
    tongue = tongue_of(signs.words_of(sentence))
    said = reader.plainly(sentence, tongue)
    stated = reader.read(said, tongue)
    if stated is None or not _is_so(said, stated) or not stated.subject:
        return None
    first = folded(stated.subject[0])
    if first in _NO_THINGS or first.endswith("ing") or len(stated.value) + len(stated.tail) > _LONGEST_VALUE:
        return None
    return stated if any(key.sure >= _LIKELY for key in keys.valued(stated)) else None
