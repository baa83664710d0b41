"""Secrets recognised by their form: service keys, private keys, headers, URLs with passwords, cards, seeds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from mdmem.text.patterns import late
from mdmem.write import secrettables as tables
from mdmem.write import secretvalues as values
from mdmem.write.secrettext import SearchedText
from mdmem.write.secretwords import Leak

_PRIVATE_KEY = late(
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|\bLS0tLS1CRUdJTi[\w+/=]{10,}|\bPuTTY-User-Key-File-\d"
)
_PRIVATE_KEY_HINTS = ("PRIVATE KEY", "LS0tLS1CRUdJTi", "PuTTY-User-Key-File-")
# kind -> (minimal length, texts one of which is in each such secret, its pattern); each secret is within
# a long word
_FORMS = {
    "JSON Web Token": (28, ("eyJ",), r"\beyJ[\w-]{6,}\.eyJ[\w-]{6,}\.[\w-]{8,}"),
    "Telegram Bot Token": (44, (":",), r"\b\d{8,10}:[\w-]{35}\b"),
    "Discord Bot Token": (59, (".",), r"\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}\b"),
    "Twilio API Key": (34, ("AC", "SK"), r"\b(?:AC|SK)[0-9a-f]{32}\b"),
    "Mailchimp Access Key": (36, ("-us",), r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    "Webhook": (
        38,
        ("hooks.slack.com/", "/api/webhooks/"),
        r"\bhooks\.slack\.com/(?:services|workflows)/T\w+/\w+/\w{8,}"
        r"|\bdiscord(?:app)?\.com/api/webhooks/\d+/[\w-]{20,}",
    ),
    "Azure Storage Account access key": (51, ("AccountKey=",), r"\bAccountKey=[\w+/]{40,}={0,2}"),
    "HashiCorp Token": (63, (".atlasv1.",), r"\b\w{14}\.atlasv1\.\w{40,}"),
    "Wallet Key": (
        51,
        ("xprv", "yprv", "zprv", "nsec1", "5", "K", "L"),
        r"\b(?:xprv|yprv|zprv|nsec1)\w{50,}|\b[5KL][1-9A-HJ-NP-Za-km-z]{50,51}\b",
    ),
    "One-Time Password Seed": (26, ("otpauth://",), r"\botpauth://\S+secret=\w{8,}"),
}
_CREDENTIALS = late(
    r"\w://(?P<user>[^\s:/@\"'<>]*):(?P<value>[^\s:/@\"'<>]{3,}(?:@[^\s:/@.\"'<>]+)?)@(?P<host>[\w.-]+)"
)
_SETTING = late(r"(?i)\b(?:key|name)=\"[^\"\n]*(?:password|pwd|secret)\"\s+value=\"(?P<value>[^\"\n]{4,})\"")
_WITHOUT_SCHEME = late(
    r"(?<![\w/:.@-])(?P<user>(?!mailto|sip|xmpp|acct)[\w.-]+):(?P<value>[^\s:/@]{6,})@[\w-]+\.[\w.-]+"
)
_HEADER = late(
    r"(?i)\b(?:authorization\W{1,5}(?:basic|token|apikey|digest|negotiate|bearer)|bearer)\s+(?P<value>[\w.~+/-]{8,}=*)"
)
_COOKIE = late(
    r"(?i)\bcookie\W{1,4}[^\n]*?\b[\w.-]*(?:sess|sid|auth|token|jwt|remember|login)[\w.-]*=(?P<value>[^\s;]{12,})"
)
_OPTION = late(r"-(?<=\s-)-?\w")
_COMMAND_SIGNS = ("<<<", "\\\\", "pass:", "/p:", "|")  # each command has one of these or an option
_CARD = late(r"[3-6](?<![\w.-]\d)(?<!\d \d)\d{3}(?:[ -]?\d{2,7}){2,4}(?![\w-]|\.\d| \d)")
_CARD_WORD = late(
    r"(?i)\b(?:\w*cards?|visa|master-?card|maestro|amex|american express|discover|credit|debit"
    r"|\w*karten?\w*|tarjeta|carte|carta"
    r"|cartao|cvv|cvc|exp)\b"
)
_SEED_WORDS = late(r"(?:\b[a-z]{3,8}\b(?:[\s,;]+(?:\d\d?[.):]?\s+)?)){11,23}[a-z]{3,8}\b")
_LONG_RUN = late(r"[\w+/=.-]{18,}")  # no service's token is shorter, prefix included
_OPENAI = late(r"(?<!\w)sk-(?!ant-)(?:[a-z]+-)*(?P<value>[\w-]{20,})")
_UUID = late(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LEAST_RANDOM = 12  # the fewest characters of a token in parts that mix letters and digits
_LUHN = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)


def hits(searched: SearchedText) -> Iterator[Leak]:
    """Every secret that is recognisable by its form alone."""
    text = searched.text
    if any(hint in text for hint in _PRIVATE_KEY_HINTS):
        for match in _PRIVATE_KEY.finditer(text):
            yield Leak("Private Key", match.start(), match[0])
    if searched.long_words:
        yield from _of_forms(searched)
        yield from _tokens(searched)
    if searched.holds(("authorization", "bearer")):
        yield from _with_value(text, _HEADER, "Bearer Token", 8)
    if searched.holds(("cookie",)):
        yield from _with_value(text, _COOKIE, "Session Cookie", 12)
    yield from _addresses(searched)
    yield from _commands(text)
    yield from _cards(searched)
    if searched.has_word(tables.PERSONAL_WORDS):
        yield from _personal(text)
    if searched.has_word(tables.SEED_WORDS):
        yield from _seeds(text)


def _of_forms(searched: SearchedText) -> Iterator[Leak]:
    for kind, (shortest, hints, pattern) in _FORMS.items():
        may_match = searched.longest >= shortest and any(hint in searched.long_words for hint in hints)
        if may_match and re.search(pattern, searched.long_words):
            for match in re.finditer(pattern, searched.text):
                yield Leak(kind, match.start(), match[0])


@cache
def _prefixed() -> re.Pattern[str]:
    prefixes = "|".join(f"(?:{prefix})" for prefix in tables.PREFIXES.values())
    return re.compile(rf"(?<![A-Za-z0-9_/-])(?:{prefixes})(?P<value>[\w+/=.-]{{16,}})")


def _tokens(searched: SearchedText) -> Iterator[Leak]:
    text = searched.text
    long_runs = (run for run in _LONG_RUN.findall(searched.long_words) if not _UUID.fullmatch(run))
    for match in _prefixed().finditer(text) if any(map(_is_random, long_runs)) else ():
        if _is_random(match["value"]):
            kind = next(kind for kind, prefix in tables.PREFIXES.items() if re.match(prefix, match[0]))
            yield Leak(kind, match.start(), match[0])
    for match in _OPENAI.finditer(text) if "sk-" in searched.long_words else ():
        if any(len(part) > 15 and re.search(r"\d", part) for part in re.split(r"[-_]", match["value"])):
            yield Leak("OpenAI Token", match.start(), match[0])


def _is_random(run: str) -> bool:
    """Whether enough of a token is in parts that mix letters and digits; so it is for longer runs with it."""
    parts = run.replace("-", "_").replace(".", "_").split("_")
    random = [part for part in parts if any(map(str.isdigit, part)) and any(map(str.isalpha, part))]
    return sum(map(len, random)) >= _LEAST_RANDOM


def _with_value(text: str, pattern: re.Pattern[str], kind: str, shortest: int) -> Iterator[Leak]:
    for match in pattern.finditer(text):
        value = match["value"]
        mixed = any(map(str.isdigit, value)) or (len(value) > 11 and value != value.lower())
        if len(value) >= shortest and mixed and not values.is_placeholder(value):
            yield Leak(kind, match.start("value"), value)


def _addresses(searched: SearchedText) -> Iterator[Leak]:
    """Passwords in URLs, such as `postgres://shop:...@db`, and in XML settings."""
    if "@" in searched.text:
        yield from _before_hosts(searched.text)
    for match in _SETTING.finditer(searched.text) if searched.holds(('value="',)) else ():
        if not values.is_placeholder(match["value"]):
            yield Leak("Password", match.start("value"), match["value"])


def _before_hosts(text: str) -> Iterator[Leak]:
    for match in _CREDENTIALS.finditer(text):
        value = match["value"]
        if value != match["user"] and not values.is_placeholder(value) and not re.match(r"[$<{%*]", value):
            yield Leak("Basic Auth Credentials", match.start("value"), value)
    for match in _WITHOUT_SCHEME.finditer(text):
        if values.is_unmistakable(match["value"]):
            yield Leak("Basic Auth Credentials", match.start("value"), match["value"])


@cache
def _command_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.M) for pattern in tables.COMMANDS)


def _commands(text: str) -> Iterator[Leak]:
    """Passwords on a command line."""
    if not (any(sign in text for sign in _COMMAND_SIGNS) or _OPTION.search(text)):
        return
    for pattern in _command_patterns():
        for match in pattern.finditer(text):
            value = match["value"]
            if not values.is_placeholder(value) and len(value) > 3 and value[0] not in "-$<{%*":
                yield Leak("Password", match.start("value"), value)


def _cards(searched: SearchedText) -> Iterator[Leak]:
    text = searched.text
    for line in searched.digit_lines:
        for match in _CARD.finditer(text, line.start, line.end):
            digits = re.sub(r"\D", "", match[0])
            grouped = re.fullmatch(r"\d{4}([ -])\d{4}\1\d{4}\1\d{4}|3\d{3}([ -])\d{6}\2\d{5}", match[0])
            is_said = grouped or _CARD_WORD.search(text[line.start : line.end])
            if 13 <= len(digits) <= 19 and _luhn(digits) and is_said:
                yield Leak("Card Number", match.start(), digits)


def _luhn(digits: str) -> bool:
    """The check digit of ISO/IEC 7812-1."""
    numbers = [int(digit) for digit in reversed(digits)]
    return (sum(numbers[::2]) + sum(_LUHN[number] for number in numbers[1::2])) % 10 == 0


@cache
def _personal_pattern() -> re.Pattern[str]:
    joined = r"(?:\s+(?:is|ist|es|est|e|lautet|number|nummer|no\.?|nr\.?|numero))*\s*[:#=]?\s*"
    value = r"(?P<value>(?=(?:[A-Z .-]*\d){6})[A-Z]{0,6}\d[\dA-Z .-]{5,18}[\dA-Z])"
    return re.compile(rf"(?i:(?<![\w]){tables.PERSONAL}\b{joined}){value}")


def _personal(text: str) -> Iterator[Leak]:
    for match in _personal_pattern().finditer(text):
        if not re.match(r"(?:19|20)\d\d-\d\d", match["value"]):
            yield Leak("Personal Number", match.start("value"), match["value"])


@cache
def _seed_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?i)\b{tables.SEED}\b")


def _seeds(text: str) -> Iterator[Leak]:
    """The words that restore a wallet (BIP 39): 12 to 24 of 3 to 8 letters."""
    if not _seed_pattern().search(text):
        return
    for match in _SEED_WORDS.finditer(text):
        words = re.findall(r"[a-z]+", match[0])
        first = set(words[:12])
        if len(first) > 7 and not tables.NOT_IN_SEEDS & first:  # words chosen at random hardly repeat
            yield Leak("Seed Phrase", match.start(), " ".join(words))
