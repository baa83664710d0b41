"""Finds passwords, keys, tokens, PINs and card numbers in a text, so that they are only stored on request.

`secretwords` finds secrets by how people state them, and `secretforms` those that are recognisable by their form.
For other services' keys, detect-secrets is used if a text has a long random run. Its guesses by entropy are left
out, because hashes, UUIDs and images are not secrets. Only the kind and line of a secret ever leave this module.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.note.patterns import late
from mdmem.write import secretforms, secretvalues, secretwords
from mdmem.write import secretrules as rules
from mdmem.write.secretforms import Leak, SearchedText

if TYPE_CHECKING:
    from detect_secrets.plugins.base import BasePlugin

# neither a hash nor the time in an entry's id
_RANDOM_RUN = late(r"(?<![A-Za-z0-9])(?!\d{8}T\d{6}Z\b)(?=[A-Za-z]*\d)(?=[a-fA-F0-9]*[g-zG-Z])[A-Za-z0-9]{16,}")
_REDACTED = "[redacted]"
_PEM = late(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY.*?(?:-----END|\Z)", re.S)
_INVISIBLE = late("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]")
_SPACED = late(r"(?<!\S)[\"'`]?(?:\w ){3,}\w(?!\w)")
_SINGLE_LETTERS = late(r" (?=\w \w )")  # within any `_SPACED`
_LIKE_LATIN = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0501\u051d\u03bf\u03b1\u03c1\u0131", "aeopcyxisdwoapi"
)
_LOOKALIKE = late(r"[\u0370-\u052f\u0131]")
_MIXED = late(r"[a-zA-Z\u0370-\u052f\u0131]+")  # words of Latin and of look-alike letters
_TEMPLATE = late(r"\{\{[^{}\"'\n]{0,80}\}\}|\$\{\w+\}|%\(\w+\)s|\$\([^()\"'\n]{0,80}\)")
_WORD = late("[a-z]+")
_PROBE = "\n\nq7Kx9Lm2Zt4W"
_AROUND = 500  # characters beside a change in which a name for a secret may stand
_FURTHER = 20_000  # characters, after which a paragraph that goes on behind a change is cut off
_ANNOUNCING = 1_000  # characters at the end of a text that can announce a secret


class Secret(NamedTuple):
    """A secret that was found: its kind, such as "Slack Token", and the 1-based line. Never the secret itself."""

    kind: str
    line: int


def found(text: str, own: rules.OwnRules = rules.NONE) -> list[Secret]:
    """The secrets in a text, by line, each kind once per line, by our rules and a vault's `own`."""
    clear = _plain(text)
    return _secrets({*_places(clear.text, _hits(clear, own)), *_within_keys(clear.text)})


def kinds(text: str, own: rules.OwnRules = rules.NONE) -> str:
    """The kinds of secrets in a text, separated by commas; "" if there are none."""
    return ", ".join(dict.fromkeys(secret.kind for secret in found(text, own)))


def announced(text: str) -> bool:
    """Whether a text ends where a secret is to follow: "The password is:". Without the secret it says nothing."""
    last = text.rstrip()[-_ANNOUNCING:]
    return not found(last) and bool(found(last + _PROBE))


def added(before: str, after: str, own: rules.OwnRules = rules.NONE, with_services: bool = True) -> list[Secret]:
    """The secrets in `after` that are not anywhere in `before`; each once, where it is last.

    Without `with_services`, the library that knows the keys of more services is not used: it takes 0.4 s to load.
    """
    if before and not any(_hits(_plain(_changed(before, after)), own, with_services)):
        return []
    clear = _plain(after)
    hits = list(_hits(clear, own, with_services))
    known = {hit.value for hit in _hits(_plain(before), own, with_services)} if hits and before else set()
    last = {hit.value: hit for hit in hits if hit.value not in known}
    return _secrets(_places(clear.text, last.values()))


def _changed(before: str, after: str) -> str:
    """The part of `after` that `before` does not have at its beginning or end, with the paragraphs around it."""
    same = _shared(before, after)
    shorter = min(len(before), len(after)) - same
    same_end = _shared(before[::-1][:shorter], after[::-1][:shorter])
    start = after.rfind("\n\n", 0, max(0, same - _AROUND)) + 1
    least = len(after) - same_end + _AROUND
    end = after.find("\n\n", least, least + _FURTHER)
    return after[start : end if end >= 0 else least + _FURTHER]


def _shared(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    differing = (at for at, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs)
    return next(differing, min(len(one), len(other)))


def redacted(text: str, also: Iterable[str] = ()) -> str:
    """A text without its secrets and those in `also`, such as the strings of a text that is JSON.

    If a secret cannot be told from the text around it, its whole line goes.
    """
    values = {hit.value for part in (text, *also) for hit in _hits(_plain(part)) if hit.value.strip()}
    forms = {form for value in values for form in (value, json.dumps(value)[1:-1])}
    for form in sorted(forms, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(form)}(?!\w)", _REDACTED, text)
    lines = text.split("\n")
    for secret in found(text):
        lines[secret.line - 1] = _REDACTED
    return "\n".join(lines)


def plain(text: str) -> str:
    """A text without anything that hides a word: invisible, full-width or look-alike letters, gaps, accents.

    Templates such as `{{ db_password }}` become empty ones, and spelt-out numbers digits. The line numbers stay.
    """
    return _plain(text).text


def _plain(text: str) -> SearchedText:
    """The same, ready to be searched."""
    if not text.isascii():
        text = rules.unmarked(_INVISIBLE.sub("", text))
        text = _MIXED.sub(_in_latin, text) if _LOOKALIKE.search(text) else text
    if "{{" in text or "${" in text or "$(" in text or "%(" in text:
        text = _TEMPLATE.sub("{}", text)
    if _SINGLE_LETTERS.search(text):
        text = _SPACED.sub(lambda spaced: spaced[0].replace(" ", ""), text)
    searched = SearchedText(text)
    if _numbers().keys().isdisjoint(searched.words):  # as most texts
        return searched
    lines = (_spoken().sub(_digits, line) if _says_numbers(line) else line for line in text.split("\n"))
    return SearchedText("\n".join(lines))


def _in_latin(word: re.Match[str]) -> str:
    """A word with Latin letters for those that look like them, if it has some of both."""
    is_mixed = not word[0].isascii() and any(map(str.isascii, word[0]))
    return word[0].translate(_LIKE_LATIN) if is_mixed else word[0]


def _says_numbers(text: str) -> bool:
    return sum(map(_numbers().__contains__, _WORD.findall(text.lower()))) > 2


@cache
def _numbers() -> dict[str, str]:
    return dict(pair.split("=") for pair in rules.words("digit"))


@cache
def _spoken() -> re.Pattern[str]:
    number = rf"(?:{'|'.join(sorted(_numbers(), key=len, reverse=True))})"
    between = rf"[ ,.-]{{1,3}}(?:(?:{'|'.join(rules.words('between digits'))}) ){{0,3}}"
    return re.compile(rf"(?<!\w){number}(?:{between}{number}){{2,}}(?!\w)", re.I)


def _digits(said: re.Match[str]) -> str:
    return "".join(_numbers().get(word, "") for word in _WORD.findall(said[0].lower()))


def _secrets(places: Iterable[tuple[str, int]]) -> list[Secret]:
    """The secrets of some kinds and lines, by line."""
    return sorted((Secret(*place) for place in places), key=lambda secret: (secret.line, secret.kind))


def _places(text: str, hits: Iterable[Leak]) -> set[tuple[str, int]]:
    """(kind, line) of each hit."""
    places: set[tuple[str, int]] = set()
    at, line = 0, 1
    for hit in sorted(hits, key=lambda hit: hit.start):
        line += text.count("\n", at, hit.start)
        at = hit.start
        places.add((hit.kind, line))
    return places


def _hits(clear: SearchedText, own: rules.OwnRules = rules.NONE, with_services: bool = True) -> Iterator[Leak]:
    leaks = [*secretforms.hits(clear), *secretwords.hits(clear, own), *secretforms.of_own(clear.text, own)]
    if not leaks and with_services and _RANDOM_RUN.search(clear.long_words):
        leaks = [leak for leak in _of_other_services(clear.text) if not secretvalues.is_published(leak.value)]
    return (leak for leak in leaks if leak.value not in own.allowed)


def _within_keys(text: str) -> Iterator[tuple[str, int]]:
    """(kind, line) for each line of a private key: a part of the key is as secret as all of it."""
    for match in _PEM.finditer(text) if "PRIVATE KEY" in text else ():
        first = text.count("\n", 0, match.start()) + 1
        for number in range(first, first + match[0].count("\n") + 1):
            yield "Private Key", number


def _of_other_services(text: str) -> Iterator[Leak]:
    start = 0
    for line in text.split("\n"):
        for detector in _detectors():
            for value in detector.analyze_string(line):
                yield Leak(detector.secret_type, start, str(value))
        start += len(line) + 1


@cache
def _detectors() -> tuple[BasePlugin, ...]:
    """The detectors alone, without that library's settings: nothing is verified over the network."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    known: dict[str, Any] = get_mapping_from_secret_type_to_class()
    classes = {plugin.__name__: plugin for plugin in known.values()}
    return tuple(classes[form.source]() for form in rules.forms() if form.kind == "plugin")
