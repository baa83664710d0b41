"""Sentences said more plainly, so that few rules of grammar do: simple German in English words, asides left out,
who stopped something does not do it, and who moved somewhere lives there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from mdmem.language.negation import NEGATIONS
from mdmem.text.calendar import WEEKDAY_NAMES

_DATED = re.compile(
    r"\b(?i:since|as of|from|starting|effective)\s+(?:\d{4}(?:-\d\d){0,2}|[A-Z][a-z]+(?:\s\d{4})?|now on)\b,?"
    r"|,?\s*\b(?:instead of|rather than)\b.*"
)
_SOURCE = re.compile(r"^(?i:according to)\s+[^,]{1,40}?(?:,|(?=\s(?:the|a)\s))\s*")
_EVEN = re.compile(r",?\s+(?:also|even)\s+(?:if|when|where)\b.*")
_STOPPED = re.compile(
    r"\b(?:(?:has|have)\s+)?(?:stopped|stops|quit|quits|given up|gave up|gives up|ceased)\s+(?P<verb>[a-z]+ing)\b"
)
_SWITCHED = re.compile(r"\b(?:switched|migrated)\s+from\s+(?P<old>\S+(?: \S+)?)\s+to\s.*")
_MOVED = re.compile(r"\b(?:(?:has|have)\s+)?(?:moved|relocated)\s+(?:from\s+\S+(?: \S+)?\s+)?to\s+(?=[A-Z])")
# What is said beside the right value: "Thursday now, not Friday", "Rust now, no longer Python".
_REJECTED = re.compile(
    r",\s*(?:and\s+)?(?:not|no longer|not any ?more)\s+"
    r"(?!(?:only|just|yet|sure|even|because|if|when|all|every|always|that|so)\b)"
    r"(?P<old>(?:on\s+|in\s+|at\s+)?[\w.+#-]+(?:\s[\w.+#-]+){0,2})[.!]?$",
    re.I,
)
# A little German as English words: enough for plain statements about people and their things.
# Verbs, by which a sentence is known to be German.
GERMAN_VERBS = {
    **dict.fromkeys("wohnt lebt wohne lebe".split(), "lives"),
    **dict.fromkeys("arbeitet arbeite".split(), "works"),
    **dict.fromkeys("heißt heisst".split(), "is called"),
    **dict.fromkeys("mag mögen liebt".split(), "likes"),
    **dict.fromkeys("benutzt benutzen nutzt nutzen verwendet verwenden".split(), "uses"),
    **dict.fromkeys("bevorzugt bevorzugen".split(), "prefers"),
    **dict.fromkeys("trinkt trinke".split(), "drinks"),
    **dict.fromkeys("isst esse".split(), "eats"),
    **dict.fromkeys("läuft laufen".split(), "runs"),
    **{"ist": "is", "sind": "are", "bin": "is", "kostet": "costs", "spricht": "speaks", "hat": "has"},
    **{"spielt": "plays", "fährt": "drives", "hört": "listens", "beginnt": "begins", "endet": "ends"},
}
# Every word -> the English one, "" for one to leave out.
GERMAN_WORDS = {
    **GERMAN_VERBS,
    **dict.fromkeys("der die das den dem des ein eine einen einem einer eines".split(), "the"),
    **dict.fromkeys(NEGATIONS["de"], "not"),
    **dict.fromkeys("mehr jetzt nun inzwischen derzeit aktuell auch".split(), ""),
    **dict.fromkeys("bei um am beim".split(), "at"),
    **{"im": "in", "auf": "on", "mit": "with", "für": "for", "von": "of", "als": "as", "und": "and", "oder": "or"},
    **{"ich": "i", "mein": "my", "meine": "my", "wir": "we", "er": "he", "sie": "she", "es": "it"},
    **{"wenn": "if", "falls": "if", "früher": "formerly", "war": "was", "waren": "were", "hatte": "had"},
    **{"bis": "until", "manchmal": "sometimes", "vielleicht": "maybe", "seit": "since"},
    **dict(
        zip(
            "montag dienstag mittwoch donnerstag freitag samstag sonntag".split(),
            WEEKDAY_NAMES,
            strict=True,
        )
    ),
}

_ASIDES = frozenset(
    "since from starting effective instead rather according also even stopped stops quit quits gave given gives "
    "ceased switched migrated moved relocated as".split()
)

_TELLTALE = _ASIDES | GERMAN_VERBS.keys()
_LATELY = re.compile(r"\bseit\s+(?:\w+\s+){0,2}?(?:\w*[Mm]onat\w*|\w*[Jj]ahr\w*|\w*[Ww]oche\w*|[A-Z]\w+|\d{4})\s+")


def rejected(sentence: str) -> tuple[str, str]:
    """A sentence without the wrong value that it names beside the right one, and that value; "" for none."""
    found = _REJECTED.search(sentence)
    return (sentence[: found.start()], found["old"]) if found else (sentence, "")


def may_be_plainer(words: Iterable[str]) -> bool:
    """Whether `plain` may change a sentence of these words, given in lower case."""
    return not _TELLTALE.isdisjoint(words)


def plain(sentence: str) -> str:
    """The sentence in plainer words; most stay as they are."""
    said = set(sentence.lower().split())
    if not said.isdisjoint(GERMAN_VERBS):
        return _english(sentence)
    sentence = _STOPPED.sub(r"does not \g<verb>", sentence)
    sentence = _MOVED.sub("lives in ", _SWITCHED.sub(r"does not use \g<old>", sentence))
    return _EVEN.sub("", _SOURCE.sub("", _DATED.sub("", sentence)))


def _english(sentence: str) -> str:
    words = _LATELY.sub("", sentence).split()
    return " ".join(filter(None, (GERMAN_WORDS.get(word.lower(), word) for word in words)))
