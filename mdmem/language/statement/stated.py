"""What a note states: short plain sentences and `key: value` pairs, with the keys under which two can contradict.

What is unsure, past, conditional or a list is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from mdmem.language.roots import singular
from mdmem.language.statement import grammar, rules, verbs
from mdmem.language.statement.contrasts import contrasts
from mdmem.language.statement.grammar import Claim
from mdmem.language.statement.plainer import may_be_plainer, plain, rejected
from mdmem.language.sureness import SURE, Key
from mdmem.note import blocks, links
from mdmem.text import sentences
from mdmem.values import NamedTuple

_MOST_WORDS, _MOST_CHARS, _MOST_LINES, _LONGEST_VALUE = 24, 160, 40, 5
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_PAIR = re.compile(r"^(?P<key>[A-Za-z][\w /-]{0,40}?)\s*:\s+(?P<value>\S.*)$")
_LIMITED = re.compile(r"mode:\s*(?:conditional|timeboxed)")
_LIKELY = 0.85  # how sure it is that another value would contradict a claim that is worth keeping
_PERSONS = re.compile(r"\b(?:i|i'\w+|me|my|we|our|us|you|your|let'?s|her|his|their|its)\b", re.I)
_NO_THINGS = frozenset("but and so or yes no those these some any every each if".split())
_MARKS = frozenset("-*+0123456789")
_PRONOUNS = frozenset("it he she they this that there these those who which what".split())
_NAMED_BY = frozenset("flag name service setting option variable parameter".split())
_TITLE = "<title>"  # the subject of a sentence that begins with a pronoun


class Statement(NamedTuple):
    """A sentence of a note, with each way in which it can contradict another.

    `line` is where it stands in the file (1-based).
    """

    line: int
    text: str
    about_user: bool
    keys: tuple[Key, ...]


def statements(titled: str, body: str, body_line: int, about: Mapping[str, str]) -> Iterator[Statement]:
    """What a note states, its title first.

    `body_line` is the line of the file at which its body begins (1-based). `about` are its properties subject,
    predicate and object, "" where it has none.
    """
    title = grammar.subject_words(grammar.tokens(titled))
    yield from of_sentence(titled, 1, ())
    thing = ""  # the `name: x` or `flag: x` that the pairs below it are about
    fact = dict(about)
    for number, text in islice(_lines(body), _MOST_LINES):
        line = number + body_line - 1
        pair = _PAIR.match(text)
        if pair is None:
            for sentence in sentences.split(text, also=";"):
                yield from of_sentence(sentence, line, title)
            continue
        key, value = pair["key"].lower(), pair["value"].strip()
        if key in fact:
            fact[key] = value
        if key in _NAMED_BY:
            thing = f"{pair['key']} {value}".casefold()
        keys = _pair_keys(key, value, title, thing)
        if keys:
            yield Statement(line, text, keys[0].about[0] != "attribute", keys)
    if all(fact.values()) and not _LIMITED.search(body):
        yield _fact(fact, body_line)


def _lines(body: str) -> Iterator[tuple[int, str]]:
    """(line, text) of the lines of prose that say something, without bullets and bold type."""
    for number, line in blocks.prose_lines(body):
        text = line.strip()
        if text[:1] in _MARKS:
            text = _BULLET.sub("", line).strip()
        text = text.replace("**", "")
        if text and not text.startswith(("#", "|", ">")):
            yield number, text


def _pair_keys(key: str, written: str, title: tuple[str, ...], thing: str) -> tuple[Key, ...]:
    """`key: value` speaks of the thing named above it, or of what the title names; `a of b: value` of b."""
    words = grammar.tokens(written)
    value = " ".join(words).casefold()
    if "," in words or "[[" in written or len(words) > _LONGEST_VALUE:
        return ()
    attribute = grammar.attribute(grammar.subject_words(grammar.tokens(key)))
    if attribute and attribute.thing and grammar.is_owned(key.split()):
        return (Key(attribute.head, " ".join(words), SURE["pair.attribute"]),)
    if thing and key not in _NAMED_BY:
        return (Key(("pair", thing, key), value, SURE["pair.thing"]),)
    if title:
        is_value = singular(key.rsplit(maxsplit=1)[-1]) in verbs.ATTRIBUTES or rules.NUMBER.fullmatch(value)
        return (Key(("pair", *title, key), value, SURE["pair.value" if is_value else "pair"]),)
    return ()


def _fact(fact: Mapping[str, str], line: int) -> Statement:
    """The statement of the properties subject, predicate and object."""
    about = ("fact", fact["subject"].casefold(), fact["predicate"].casefold())
    key = Key(about, fact["object"].casefold(), SURE["fact"])
    return Statement(line, " ".join(fact.values()), about_user=True, keys=(key,))


def of_sentence(sentence: str, line: int, title: tuple[str, ...]) -> Iterator[Statement]:
    """What one sentence states; `title` is what its pronouns may stand for, () for nothing."""
    if len(sentence) > _MOST_CHARS or "?" in sentence:
        return
    text = sentence.strip()
    written, words = _read(rejected(text)[0])
    if not _is_plain(written, words):
        return
    claim = _claim(written, words, title)
    keys = tuple(rules.keys(claim)) if claim else ()
    if claim and keys:
        yield Statement(line, text, claim.subject[0] in ("user", _TITLE, "you"), keys)
    differing = tuple(contrasts(words)) if _PRONOUNS.isdisjoint(words) else ()
    if differing:
        yield Statement(line, text, "user" in words, differing)


def of_thing(sentence: str) -> Claim | None:
    """The claim of a short sentence that gives a thing one value, as "The deadline is Friday"; else None.

    A sentence that speaks of "I" or "you", or begins with anything but the thing, has none.
    """
    if len(sentence) > _MOST_CHARS or "?" in sentence or _PERSONS.search(sentence):
        return None
    written, words = _read(rejected(sentence.strip())[0])
    claim = _claim(written, words, ()) if _is_plain(written, words) else None
    if claim is None or not 0 < len(claim.rest) <= _LONGEST_VALUE or claim.subject[0] not in words[:2]:
        return None
    if claim.subject[0] in _NO_THINGS or claim.subject[0].endswith("ing"):
        return None
    has_value = claim.one_valued or (claim.relation == "is" and grammar.attribute(claim.subject))
    return claim if has_value and any(key.sure >= _LIKELY for key in rules.keys(claim)) else None


def _read(sentence: str) -> tuple[list[str], list[str]]:
    """The tokens of a sentence in plain words, as they are written and in lower case."""
    written = grammar.tokens(links.apart(sentence)[0])
    words = list(map(str.lower, written))
    if may_be_plainer(words):
        written = grammar.tokens(links.apart(plain(sentence))[0])
        words = [token.lower() for token in written]
    return written, words


def _is_plain(written: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a sentence is of a length to be understood and says what is so, now and without conditions."""
    if not 2 < len(words) <= _MOST_WORDS or "may" in written:  # the month has a capital letter
        return False
    return verbs.UNSURE.isdisjoint(words) or _is_past_for_good(words)


def _is_past_for_good(words: Sequence[str]) -> bool:
    """Whether the only sign of the past is a thing that happens once, as `was built in`."""
    unsure = [at for at, word in enumerate(words) if word in verbs.UNSURE]
    return len(unsure) == 1 and tuple(words[unsure[0] : unsure[0] + 3]) in verbs.ONE_VALUED.get("was", ())


def _claim(written: Sequence[str], words: Sequence[str], title: tuple[str, ...]) -> Claim | None:
    """The claim of a sentence; a pronoun as its subject stands for what the title names."""
    claim = None if verbs.ALL.isdisjoint(words) else grammar.parse(written, words)
    if claim is None or _PRONOUNS.isdisjoint(claim.subject):
        return claim
    return claim._replace(subject=(_TITLE, *title)) if title else None
