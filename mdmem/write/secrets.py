"""Finds passwords, keys, tokens, PINs and card numbers in a text, so that they are only stored on request.

`secretwords` finds secrets by how people state them, `secretcodes` finds codes, and `secretforms` secrets that are
recognisable by their form. For other services' keys, detect-secrets is used if a text has a long random run. Its
guesses by entropy are left out, because hashes, UUIDs and images are not secrets. Only the kind and line of a
secret ever leave this module.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache

from mdmem import jsontext
from mdmem.text.patterns import late
from mdmem.values import TYPE_CHECKING, Any, NamedTuple
from mdmem.write import secretcodes, secretforms, secretwords
from mdmem.write.secrettext import SearchedText
from mdmem.write.secretwords import Leak

if TYPE_CHECKING:
    from detect_secrets.plugins.base import BasePlugin

# The detectors of detect-secrets that recognise a form rather than guess.
_DETECTORS = (
    *("ArtifactoryDetector", "AWSKeyDetector", "AzureStorageKeyDetector", "CloudantDetector"),
    *("DiscordBotTokenDetector", "GitHubTokenDetector", "GitLabTokenDetector", "IbmCloudIamDetector"),
    *("IbmCosHmacDetector", "MailchimpDetector", "NpmDetector", "OpenAIDetector", "PypiTokenDetector"),
    *("SendGridDetector", "SlackDetector", "SoftlayerDetector", "SquareOAuthDetector", "StripeDetector"),
    *("TelegramBotTokenDetector", "TwilioKeyDetector"),
)
# neither a hash nor the time in an entry's id
_RANDOM_RUN = late(r"(?<![A-Za-z0-9])(?!\d{8}T\d{6}Z\b)(?=[A-Za-z]*\d)(?=[a-fA-F0-9]*[g-zG-Z])[A-Za-z0-9]{16,}")
_PEM = late(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY.*?(?:-----END|\Z)", re.S)
_INVISIBLE = late("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]")
_SPACED = late(r"(?<!\S)[\"'`]?(?:\w ){3,}\w(?!\w)")
_SINGLE_LETTERS = late(r" (?=\w \w )")  # within any `_SPACED`
_LIKE_LATIN = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0501\u051d\u03bf\u03b1\u03c1\u0131", "aeopcyxisdwoapi"
)
# from the start of a run of letters: from within it, a match that fails would be tried at each letter again
_MIXED = late(
    r"(?<![a-zA-Z])(?:[a-zA-Z]*(?<![\u0370-\u052f\u0131])[\u0370-\u052f\u0131]+(?=[a-zA-Z])\w*"
    r"|[a-zA-Z]+[\u0370-\u052f\u0131]\w*)"
)


class Secret(NamedTuple):
    """A secret that was found: its kind, such as "Slack Token", and the 1-based line. Never the secret itself."""

    kind: str
    line: int


def found(text: str) -> list[Secret]:
    """The secrets in a text, by line, each kind once per line."""
    clear = plain(text)
    places = {(hit.kind, clear.count("\n", 0, hit.start) + 1) for hit in _hits(clear)}
    return sorted((Secret(*place) for place in {*places, *_within_keys(clear)}), key=_by_line)


def kinds(text: str) -> str:
    """The kinds of secrets in a text, separated by commas; "" if there are none."""
    return ", ".join(dict.fromkeys(secret.kind for secret in found(text)))


def added(before: str, after: str, with_services: bool = True) -> list[Secret]:
    """The secrets in `after` that are not anywhere in `before`; each once, where it is last.

    Without `with_services`, the library that knows the keys of more services is not used: it takes 0.4 s to load.
    """
    clear = plain(after)
    hits = list(_hits(clear, with_services))
    known = {hit.value for hit in _hits(plain(before), with_services)} if hits and before else set()
    last = {hit.value: hit for hit in hits if hit.value not in known}
    places = {(hit.kind, clear.count("\n", 0, hit.start) + 1) for hit in last.values()}
    return sorted((Secret(*place) for place in places), key=_by_line)


def redacted(text: str, also: Iterable[str] = (), mark: str = "[redacted]") -> str:
    """A text without its secrets and those in `also`, such as the strings of a text that is JSON.

    If a secret cannot be told from the text around it, its whole line goes.
    """
    values = {hit.value for part in (text, *also) for hit in _hits(plain(part)) if hit.value.strip()}
    forms = {form for value in values for form in (value, jsontext.dumps(value)[1:-1])}
    for form in sorted(forms, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(form)}(?!\w)", mark, text)
    lines = text.split("\n")
    for secret in found(text):
        lines[secret.line - 1] = mark
    return "\n".join(lines)


def plain(text: str) -> str:
    """A text without anything that hides a word: invisible, full-width or look-alike letters, gaps, accents.

    The line numbers stay the same.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKD", _INVISIBLE.sub("", text))
        text = "".join(char for char in text if not unicodedata.combining(char))
        text = _MIXED.sub(lambda word: word[0].translate(_LIKE_LATIN), text)
    if not _SINGLE_LETTERS.search(text):
        return text
    return _SPACED.sub(lambda spaced: spaced[0].replace(" ", ""), text)


def _by_line(secret: Secret) -> tuple[int, str]:
    return secret.line, secret.kind


def _hits(clear: str, with_services: bool = True) -> Iterator[Leak]:
    searched = SearchedText(clear)
    leaks = [*secretforms.hits(searched), *secretwords.hits(searched), *secretcodes.hits(searched)]
    yield from leaks
    if not leaks and with_services and _RANDOM_RUN.search(searched.long_words):
        yield from _of_other_services(clear)


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
    return tuple(classes[name]() for name in _DETECTORS)
