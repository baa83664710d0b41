"""Passwords, keys and tokens in a text: what holds one is never kept.

The forms of services' keys are those that detect-secrets knows; its guesses by entropy are left out, because
hashes, UUIDs and images are no secrets. What it does not know, and how people write a password into a
sentence, stands in the tables below. Of a secret only its kind and line ever leave this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from detect_secrets.plugins.base import BasePlugin

# Detectors of detect-secrets that know a form, not a likelihood.
_DETECTORS = (
    *("ArtifactoryDetector", "AWSKeyDetector", "AzureStorageKeyDetector", "BasicAuthDetector"),
    *("CloudantDetector", "DiscordBotTokenDetector", "GitHubTokenDetector", "GitLabTokenDetector"),
    *("IbmCloudIamDetector", "IbmCosHmacDetector", "JwtTokenDetector", "MailchimpDetector", "NpmDetector"),
    *("OpenAIDetector", "PrivateKeyDetector", "PypiTokenDetector", "SendGridDetector", "SlackDetector"),
    *(
        "SoftlayerDetector",
        "SquareOAuthDetector",
        "StripeDetector",
        "TelegramBotTokenDetector",
        "TwilioKeyDetector",
    ),
)
_TOKENS = {
    "Anthropic API Key": r"\bsk-ant-[\w-]{16,}",
    "OpenAI Token": r"\bsk-(?!ant-)(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9_-]{20,}",
    "GitHub Token": r"\bgithub_pat_\w{20,}",
    "GitLab Token": r"\bgl(?:pat|dt|rt|cbt|ptt|ft|oas)-[\w-]{16,}",
    "Google API Key": r"\b(?:AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})",
    "Stripe Access Key": r"\b(?:[sr]k_(?:live|test)_|whsec_)\w{16,}",
    "Access Token": r"\b(?:hf_|gsk_|r8_|pplx-|xai-|shpat_|dop_v1_|npm_|sbp_|lin_api_|xapp-)(?=[\w-]*\d)[\w-]{20,}",
    "AGE Key": r"\bAGE-SECRET-KEY-1[A-Z0-9]{30,}",
    "Private Key": r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----",
    "Bearer Token": r"(?i:\bbearer\s+)(?=[\w.~+/-]*\d)[\w.~+/-]{16,}=*",
    "PIN": r"(?i:\b(?:my|the|our|his|her|their)\s+(?:[\w'’-]+\s+){0,3}(?:pin|pin code|passcode)"
    r"\s*(?:is|was|=|:)\s*)\d{4,8}\b",
}
_PASSWORDS = (
    r"(?:pass\s?words?|passwd|passwort|kennwort|pass\s?phrase|passcode|pwd|contraseña|mot de passe|пароль)"
)
_KEY = r"(?:secret|token|api[_ -]?key|access[_ -]?key|secret[_ -]?key|private[_ -]?key|auth[_ -]?key|credentials?)"
_QUOTE = "[\"'`“”‘’«»*_]*"
_ASSIGNED = re.compile(  # password: hunter2, API_KEY=..., "token": "...", and the value in the line below
    rf"(?i:(?:\b|_)(?:(?P<password>{_PASSWORDS})|{_KEY})){_QUOTE}"
    rf"\s{{0,4}}(?:=>|:=|[:=]){_QUOTE}\s{{0,4}}(?P<open>{_QUOTE})(?P<value>[^\s\"'`“”‘’«»,;()<>\[\]{{}}$]{{4,}})"
    rf"(?P<end>{_QUOTE}[.,;]?[ \t]*(?=\n|$))?"
)
_SAID = re.compile(  # the db password is S3cret!, my password for the shop was changed to hunter2
    rf"(?i:\b(?:(?P<password>{_PASSWORDS})|{_KEY})(?:\s+(?:for|to|of|on|at)(?:\s+[\w.@'’-]+){{1,5}}?)?"
    r"\s+(?:is|was|are|ist|lautet|est|es|(?:(?:was|is|got)\s+)?(?:changed|set|reset|updated)?\s*to)"
    r"(?:\s+(?:now|still|just|simply|currently|always))?(?:\s*:\s*|\s+))"
    r"(?P<open>[\"'`“”‘’«»*_]*)(?P<value>[^\s\"`“”«»,;()<>\[\]{}$]{4,})"
    r"(?P<end>[\"'`“”‘’«»*_]*[.,;!?]?[ \t]*(?=\n|$))?"
)
_BARE = re.compile(  # login ada, password hunter2
    rf"(?i:\b(?P<password>{_PASSWORDS}))\s+(?P<open>{_QUOTE})"
    r"(?P<value>(?=\S*\d)(?=\S*[A-Za-z])[^\s\"'`“”‘’«»,;()<>\[\]{}$]{5,})(?P<end>$)?"
)
_NO_VALUES = frozenset(
    "required optional none null true false unknown string text value wrong correct incorrect weak strong secure"
    " safe lost gone missing empty blank invalid valid hidden reset public private secret mandatory there here"
    " this that same different long short okay fine unset easy hard simple complex unique random sent never always"
    " what which yours mine ours better worse good necessary important sensitive case-sensitive old new set"
    " placeholder example changeme password token below above above: below: stuff things more enough"
    " authentication authorization bearer basic oauth plaintext base64 sha256 sha-256 argon2 argon2id md5"
    " utf-8 utf8 oauth2 hs256 rs256 es256 x509 1password".split()
)
_WORD_ENDS = ("ed", "ing", "able", "ible", "ly", "ent", "ten", "own", "less", "ful")
_PLACEHOLDER = re.compile(
    r"[*•xX.…_-]+|\W*(?:your|my|the|some|any)[-_].*|%\(?\w+\)?s?|\w+://[^@]*"
    r"|\d+[-–]?(?:to-\d+-?)?(?:char|digit|letter|bit|byte|word|day|hour|minute|second|symbol|sign)\w*(?:-\w+)*",
    re.I,
)


_LIKELY = re.compile(r"(?=\S*[\d:=])\S{10,}|\S{20,}|PRIVATE KEY")  # no detector knows a form without that
_PEM = re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY.*?(?:-----END|\Z)", re.S)


class Secret(NamedTuple):
    """What was found: its kind, such as "Slack Token", and the 1-based line. Never the secret."""

    kind: str
    line: int


def found(text: str) -> list[Secret]:
    """The secrets of a text, in order of their lines, each kind once a line."""
    hits = {*_by_form(text), *_by_words(text), *_within_keys(text)}
    return sorted(hits, key=lambda secret: (secret.line, secret.kind))


def kinds(text: str) -> str:
    """What kinds of secrets a text holds, as one says it; "" if it holds none."""
    return ", ".join(dict.fromkeys(secret.kind for secret in found(text)))


def added(before: str, after: str) -> list[Secret]:
    """The secrets of `after` that were not in `before`, wherever in it they were."""
    hits = found(after)
    known = set(before.split("\n")) if hits else set()
    lines = after.split("\n")
    return [secret for secret in hits if lines[secret.line - 1] not in known]


def _within_keys(text: str) -> Iterator[Secret]:
    """Each line of a private key: a paragraph of it alone is as secret as all of it."""
    for match in _PEM.finditer(text):
        first = text.count("\n", 0, match.start()) + 1
        for number in range(first, first + match[0].count("\n") + 1):
            yield Secret("Private Key", number)


def _by_form(text: str) -> Iterator[Secret]:
    for number, line in enumerate(text.split("\n"), 1):
        for kind, pattern in _TOKENS.items():
            if re.search(pattern, line):
                yield Secret(kind, number)
        if _LIKELY.search(line):
            yield from (Secret(detector.secret_type, number) for detector in _detectors() if _any(detector, line))


def _any(detector: BasePlugin, line: str) -> bool:
    return any(True for _ in detector.analyze_string(line))


@cache
def _detectors() -> tuple[BasePlugin, ...]:
    """Detectors alone, without that library's settings: nothing is verified over the network."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    known: dict[str, Any] = get_mapping_from_secret_type_to_class()
    classes = {plugin.__name__: plugin for plugin in known.values()}
    return tuple(classes[name]() for name in _DETECTORS)


def _by_words(text: str) -> Iterator[Secret]:
    for pattern in (_ASSIGNED, _SAID, _BARE):
        for match in pattern.finditer(text):
            value = match["value"].rstrip(".,;:!?*_") or match["value"]
            if _is_value(value, bool(match["password"]), match["end"] is not None, '"' in match["open"]):
                kind = "Password" if match["password"] else "Key or Token"
                yield Secret(kind, text.count("\n", 0, match.start("value")) + 1)


def _is_value(value: str, password: bool, ends: bool, quoted: bool) -> bool:
    """Whether what stands where a secret may be said is one, and no description of it."""
    low = value.lower()
    if low in _NO_VALUES or _PLACEHOLDER.fullmatch(value) or not (password or value.isascii()):
        return False
    letters = any(sign.isalpha() for sign in value)
    if any(sign.isdigit() for sign in value):
        return (letters and len(value) > 4) or (password and ends)
    if any(sign in "!@#$%^&*+=~?|\\" for sign in value):
        return letters and len(value) > 5
    word = value.isalpha() and not low.endswith(_WORD_ENDS)
    return password and (ends or quoted) and (word or value.count("-") > 2)
