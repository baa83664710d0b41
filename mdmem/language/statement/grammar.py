"""A short English sentence as subject, relation and rest, divided by a verb of the tables; no full grammar."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mdmem.language import negation
from mdmem.language.roots import singular
from mdmem.language.statement import verbs
from mdmem.text import stopwords
from mdmem.values import NamedTuple

_TOKEN = re.compile(r"[$€£#]?[^\W_]+(?:[.:/@'+#-][^\W_]+)*%?|[,;]")
_ASCII_TOKEN = re.compile(r"[$#]?[a-zA-Z0-9]+(?:[.:/@'+#-][a-zA-Z0-9]+)*%?|[,;]")  # the same, sooner
_ARTICLES = frozenset("a an the this that these those its their his her our your my".split())
_SPEAKERS = {"i": "user", "me": "user", "my": "user", "we": "team", "our": "team"}
_OF = frozenset("of for project".split())  # words of a subject beside the thing and its attribute


class Claim(NamedTuple):
    """A sentence divided: who or what, does or is, what. All words are in lower case and without articles.

    `relation` is the verb in its base form, "is" for every copula. `one_valued` says whether the relation has one
    value at a time. `written` maps each word to the way the sentence writes it.
    """

    subject: tuple[str, ...]
    relation: str
    rest: tuple[str, ...]
    negated: bool
    one_valued: bool
    written: dict[str, str]

    @property
    def head(self) -> tuple[str, ...]:
        """Subject and relation, the beginning of most keys."""
        return (*self.subject, "|", self.relation)


class Attribute(NamedTuple):
    """What a subject names of a thing, and the thing, each as sorted words: port | api, billing."""

    named: tuple[str, ...]
    thing: tuple[str, ...]

    @property
    def head(self) -> tuple[str, ...]:
        """The beginning of a key about it."""
        return ("attribute", *self.named, "|", *self.thing)


class _Verb(NamedTuple):
    at: int
    phrase: tuple[str, ...]
    one_valued: bool


def tokens(text: str) -> list[str]:
    """The words of a sentence as they are written, and its commas and semicolons."""
    text = text.replace("’", "'")
    return (_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text)


def parse(written: Sequence[str], words: Sequence[str]) -> Claim | None:
    """The claim of a sentence, its tokens as they are written and in lower case; None if no verb is known."""
    words = [word.replace("'", "") if word.endswith("n't") else word for word in words]
    said = [word for word in negation.affirmed(words) if word not in stopwords.STATEMENT]
    said = said[1:] if said[:1] == ["do"] else said
    verb = _first_verb(said)
    if verb is None:
        return None
    subject = subject_words(said[: verb.at]) if verb.at else ("you",)
    relation, rest = _relation(verb, said[verb.at + len(verb.phrase) :])
    if not subject or (relation == "is" and not rest):
        return None
    denied = negation.denies(words)
    return Claim(subject, relation, rest, denied, verb.one_valued, dict(zip(words, written, strict=True)))


def _first_verb(words: Sequence[str]) -> _Verb | None:
    begins = 0 if words and words[0] in verbs.ORDERS else 1
    for at in range(begins, len(words)):
        for phrase in verbs.ONE_VALUED.get(words[at], ()):
            if tuple(words[at : at + len(phrase)]) == phrase:
                return _Verb(at, phrase, one_valued=True)
        if words[at] in verbs.ALL_SINGLE:
            return _Verb(at, (words[at],), one_valued=False)
    return None


def _relation(verb: _Verb, behind: list[str]) -> tuple[str, tuple[str, ...]]:
    """The relation in its base form, and what is said of it."""
    phrase = verb.phrase
    if phrase[0] in verbs.AUXILIARIES and behind:
        phrase, behind = (behind[0],), behind[1:]
    relation = " ".join(map(base, phrase))
    rest = [word for word in behind if word not in _ARTICLES]
    while rest and rest[-1] in (",", ";"):
        rest.pop()
    return verbs.SAME_AS.get(relation, relation), tuple(rest)


def base(verb: str) -> str:
    """`uses` as `use`; `are` as `is`."""
    if verb in verbs.COPULAS:
        return "is"
    if verb == "has":
        return "have"
    if not verb.endswith("ing"):
        return singular(verb)
    stem = verb.removesuffix("ing")  # stopped using
    return next((form for form in (stem, stem + "e", stem[:-1]) if form in verbs.OTHERS), stem)


def subject_words(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a subject in one form: no articles, no possessive, the speaker as `user`."""
    lower = (word.lower() for word in words)
    told = (_SPEAKERS.get(word, word).removesuffix("'s") for word in lower)
    return tuple(word for word in told if word not in _ARTICLES | stopwords.STATEMENT and word not in ",;")


def attribute(subject: Sequence[str]) -> Attribute | None:
    """The attribute that a subject names, if it names one."""
    named = {singular(word) for word in subject} & verbs.ATTRIBUTES
    thing = [word for word in subject if singular(word) not in verbs.ATTRIBUTES and word not in _OF]
    return Attribute(tuple(sorted(named)), tuple(sorted(thing))) if named else None


def is_owned(words: Sequence[str]) -> bool:
    """Whether some words name a thing of another: `port of the api`."""
    return not _OF.isdisjoint(words)
