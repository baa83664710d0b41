"""What a sentence of a chat refers to: the statement that "save that" is for, or that a correction puts right."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mdmem.capture import correction
from mdmem.language import plainer
from mdmem.language import sentence as statement
from mdmem.note import naming
from mdmem.text import stopwords
from mdmem.text.calendar import MONTH_NAMES, WEEKDAY_NAMES
from mdmem.values import NamedTuple

_POINTS_BACK = re.compile(
    r"^(?:\W*(?:no|nope|wait|actually|sorry|oh|well|ok|and|but|so|yes|yeah)\b\W*)*"
    r"(?:(?:it|that|this|those|these|they|he|she|which|er|ella|él|elle|il(?! (?:y|faut|pleut|fait)))\b"
    r"|the (?:other|first|second|latter|former) one\b"
    r"|i (?:meant|said|mean)\b)",
    re.I,
)
# Words that tell whether a person is a man or a woman, the pronouns among them.
_MALE = frozenset(
    "he him his mr brother father dad son husband uncle nephew boyfriend grandpa grandfather grandson él hermano "
    "padre papá hijo marido esposo tío sobrino novio abuelo il frère père papa fils mari oncle neveu".split()
)
_FEMALE = frozenset(
    "she her hers mrs ms sister mother mum mom daughter wife aunt niece girlfriend grandma grandmother "
    "granddaughter ella elle hermana madre mamá hija mujer esposa tía sobrina novia abuela sœur mère maman fille "
    "femme tante nièce".split()
)
_PERSON = re.compile(r"^(?:he|she|ella|él|elle|il)\b(?!')", re.I)
_NAME = re.compile(r"(?:(?<=^)|(?<=[\w,;] )|(?<=\. ))[A-ZÀ-Ý][a-zà-ÿ]{2,}(?='s\b| |[?.,!]|$)")
_NO_NAMES = frozenset((*WEEKDAY_NAMES, *MONTH_NAMES, "the", "and", "but", "yes", "then", "later"))
_ENDS_IN_PRONOUN = re.compile(r"\b(?:it|that|this|them|those|these)\W*$", re.I)
_FEW_WORDS = 5  # that a sentence has which ends in "it" and says nothing of what it is
_FRAGMENT = 3  # words of an answer that is not a sentence: "Tuesday.", "no, on Tuesday"
_SUBJECT = re.compile(r"^(?:i|we|my|our|the|a|an|always|never|use|no)\b", re.I)
_COURTESY = re.compile(
    r"\b(?:hope (?:that|this|it)|let me know|happy to|glad|feel free|you're welcome|anything else|good (?:morning"
    r"|evening|luck)|want me to|shall i|i(?:'ll| will| can) (?:remember|note|save|keep))\b",
    re.I,
)
# What a request to save is made of. A sentence without any other content word points to another sentence.
_REQUEST_WORDS = frozenset(
    """save saved store stored remember remembered memorize memorise memorized note notes noted keep keeps kept
    keeper file record log jot write put add hang hold pin bookmark stash stick drop park tuck tag down away mind
    memory memories vault wiki list runbook long term long-term future reference later next time again please pls
    can could would will should do don dont not forget lose let make sure one worth safe somewhere persist commit
    too now ok okay thanks thank hey everything all what i just said remind need want must dare back point fact
    useful important merk merke dir das speicher speichere notier notiere bitte guarda guárdalo guardalo apunta
    apúntalo anota anótalo recuerda eso esto esta retiens enregistre souviens toi cela ça garde""".split()
)


class Sentence(NamedTuple):
    """A sentence of a turn: who said it, the line of the transcript, its place among those of the turn.

    `language` is "en", "de", "es" or "fr".
    """

    text: str
    line: int
    at: int
    speaker: str = "user"
    name: str = ""
    language: str = "en"


def is_bare_request(text: str) -> bool:
    """Whether a text asks to save and does not say what: "can you save that to memory?"."""
    return set(naming.words_of(text)) - stopwords.NAME <= _REQUEST_WORDS


def points(text: str) -> bool:
    """Whether a sentence speaks of something by a pronoun only."""
    if _POINTS_BACK.match(text):
        return True
    return len(text.split()) <= _FEW_WORDS and bool(_ENDS_IN_PRONOUN.search(text))


def resolved(text: str, about: Sentence) -> str:
    """A sentence with the name for the pronoun that it begins with, where the one before names just one person.

    The sentence itself where it begins otherwise, or more than one could be meant.
    """
    if about.language == "de":  # there every noun has a capital letter
        return text
    names = {name for name in _NAME.findall(about.text) if naming.telling(name) and name.lower() not in _NO_NAMES}
    is_certain = len(names) == 1 and not _is_of_other_gender(text, about.text)
    return _PERSON.sub(names.pop(), text) if is_certain else text


def _is_of_other_gender(text: str, about: str) -> bool:
    """Whether a sentence begins with a pronoun that the one named cannot have: a brother is not "she"."""
    pronoun = _PERSON.match(text)
    if not pronoun:
        return False
    said = set(naming.words_of(about))
    is_she = pronoun[0].lower() in _FEMALE
    own, other = (_FEMALE, _MALE) if is_she else (_MALE, _FEMALE)
    return not said.isdisjoint(other) and said.isdisjoint(own)


def is_fragment(text: str) -> bool:
    """Whether an answer is not a full sentence: "no, on Tuesday"."""
    plain = statement.plain(text)
    return len(plain.split()) <= _FRAGMENT and not _SUBJECT.match(plain)


def meant_by_request(
    said: Sentence, own: Sequence[Sentence], before: Sequence[Sequence[Sentence]], many: int
) -> list[Sentence]:
    """What a bare request is for: what the turn says before it, else behind it, else the statement before."""
    own_before = [one for one in own if one.at < said.at and _is_statement(one)]
    if own_before:
        return own_before[-many:]
    own_behind = [one for one in own if one.at > said.at and _is_statement(one)]
    if own_behind:
        return own_behind[:many]
    for turn in reversed(before):
        statements = [one for one in turn if _is_statement(one)]
        if statements:
            return statements[-1:]
    return []


def _is_statement(sentence: Sentence) -> bool:
    """Whether a sentence says something to keep: no question, no courtesy, no bare request."""
    if sentence.text.rstrip().endswith("?") or _COURTESY.search(sentence.text):
        return False
    return len(statement.plain(sentence.text).split()) > 1 and not is_bare_request(sentence.text)


def pointed_at(text: str, own: Sequence[Sentence], before: Sequence[Sequence[Sentence]]) -> Sentence | None:
    """The statement that a sentence is about which cannot be understood alone, or None.

    It is the one before in the turn, else the one of the turns before that has the wrong value ("not UTF-8"),
    else the one of the last turn most like it; if that only repeats a value, the earlier one that gave the value.
    """
    earlier = [one for one in own if len(one.text.split()) > 3]
    if earlier:
        return earlier[-1]
    if not before:
        return None
    refused = naming.telling(plainer.rejected(text)[1])
    with_refused = [one for turn in before for one in turn if refused and refused <= naming.telling(one.text)]
    if with_refused:
        return with_refused[-1]
    named_wrong = [one for turn in reversed(before) for one in turn if _names_wrong(one.text, text)]
    if named_wrong:
        return max(named_wrong, key=lambda one: _shared(one.text, text))
    return _most_alike(text, before)


def _most_alike(text: str, before: Sequence[Sequence[Sentence]]) -> Sentence:
    """The statement of the last turn most like a correction, or the one that gave the value that it repeats."""

    def likeness(one: Sentence) -> tuple[float, int]:
        return _shared(one.text, text) + 1.5 * bool(correction.corrected(one.text, text)), one.at

    told = [one for one in before[-1] if not one.text.rstrip().endswith("?")] or list(before[-1])
    nearest = max(told, key=likeness)
    values = {word for word in naming.telling(nearest.text) if any(char.isdigit() for char in word)}
    earlier = (one for turn in before[:-1] for one in turn)
    givers = [one for one in earlier if values and values <= naming.telling(one.text)]
    return max([nearest, *givers], key=lambda one: len(naming.telling(one.text)))


def with_wrong_value(text: str, before: Sequence[Sequence[Sentence]]) -> Sentence | None:
    """The last earlier statement that shares a content word and a kind of value with a correction."""
    for turn in reversed(before):
        for one in reversed(turn):
            if _shared(one.text, text) and correction.corrected(one.text, text):
                return one
    return None


def _shared(one: str, other: str) -> int:
    return len(naming.telling(one) & naming.telling(other))


def _names_wrong(wrong: str, text: str) -> bool:
    """Whether a correction names the value of a statement beside the right one: "5433, not 5432"."""
    numbers = {word for word in naming.words_of(wrong) if any(char.isdigit() for char in word)}
    return bool(numbers & set(naming.words_of(text)) and correction.corrected(wrong, text))
