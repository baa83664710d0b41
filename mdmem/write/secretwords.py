"""Secrets recognised by their wording: "the wifi password at the cabin is ...", "PIN 4711", "user: ada / ...".

First a name for a secret is searched for, then the words after it and before it. Which of them counts as the
secret depends on the name, and on whether a word such as "is", or a colon, announces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from unicodedata import combining, normalize

from mdmem.text.patterns import late
from mdmem.values import NamedTuple
from mdmem.write import secrettables as tables
from mdmem.write import secretvalues as values
from mdmem.write.secrettext import SearchedText, begun

_FAR = 14  # words after a name in which to look for its secret
_WIDE = 240  # the most characters that these may take
_NEAR_BEFORE = 60  # characters before a name in which to look for "hunter22 as the password"
_OPENING = late(r"[\"'`*_)\]}”’»]*\s{0,3}(?P<sign>=>|:=|->|→|[:=|])[*_]*\s*")
_QUOTED = late(r"[\"“«'`](?P<phrase>[^\"”»'`\n]{6,80})[\"”»'`]")
_STRIPPED = "\"'`“”‘’«»*_.,;:!?()[]{}<>|"
_SENTENCE_END = late(r"[.!?;](?=\s|$)")
_WITH = late(r"(?i)\b(?:with|mit|con|avec|com|y|und|and|et|e)(?: (?:the|der|dem|la|le|il|a|o))?\s$")
_SUFFIX = late(r"[-_](?:base|value|is|str|prod|dev|live|main)\b")
_GOES_ON = late(r"[@/(\[.?](?=\w|\))")
_WORD_BEFORE = late(r"([\w-]+)[\s_-]*$")
_WORD_BEHIND = late(r"[\s_-]*([a-z]+)")
_COUNT_BEFORE = late(r"(?<![\w-])\d[\d.,]*k? $")
_COUNT_BEHIND = late(r"\s*[:=]\s*-?\d[\d.,]*k?(?![\w-])")
_UNSPACED_LETTER = late(r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff]")
_ANNOUNCED = late(
    r"[?:]\W*$|\b(?:below|following|follows|here|next line|unten|folgt|folgende\w*|hier|abajo|siguiente|ci-dessous"
    r"|voici|sotto|seguente|ecco)\W*$"
)


class Leak(NamedTuple):
    """A secret that was found: its kind, its index in the text, and the secret itself, which is never shown."""

    kind: str
    start: int
    value: str


class _SecretName(NamedTuple):
    """A name for a secret in the text: its kind and position."""

    kind: str
    start: int
    end: int


def hits(searched: SearchedText) -> Iterator[Leak]:
    """Every secret that is stated in words."""
    text = searched.text
    for name in _names(searched):
        yield from _behind(text, name)
        yield from _before(text, name)
        yield from _announced(text, name)
    yield from _logins(searched)
    yield from _entered(searched)
    yield from _in_tables(text)


@cache
def _named() -> re.Pattern[str]:
    groups = {"password": tables.PASSWORD, "perhaps": tables.PASSWORD_PERHAPS, "key": tables.KEY}
    either = "|".join(f"(?P<{kind}>{_longest_first(names)})" for kind, names in groups.items())
    compound = rf"[a-z0-9]*(?:{'|'.join(tables.COMPOUND)})s?"
    unspaced = "|".join(_unspaced())
    return re.compile(rf"(?<![a-z0-9])(?:{either}|(?P<compound>{compound}))(?![a-z0-9])|(?P<unspaced>{unspaced})")


@cache
def _unspaced() -> tuple[str, ...]:
    return tuple(map(_without_marks, tables.UNSPACED))


def _without_marks(name: str) -> str:
    """A name as `mdmem.write.secrets.plain` leaves it: without accents and voicing marks."""
    return "".join(char for char in normalize("NFKD", name) if not combining(char))


def _longest_first(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


def _named_in(searched: SearchedText) -> Iterator[re.Match[str]]:
    """Every possible name for a secret in a text."""
    if not searched.text.isascii() and searched.holds((*tables.NAME_PARTS, *_unspaced())):
        return _named().finditer(searched.low)
    places = sorted({*searched.places(tables.NAME_WORDS), *searched.runs_with(tables.COMPOUND_PARTS)})
    return begun(_named(), searched.low, places) if places else iter(())


def _names(searched: SearchedText) -> Iterator[_SecretName]:
    low = searched.low
    for match in _named_in(searched):
        suffix = _SUFFIX.match(low, match.end())
        end = suffix.end() if suffix else match.end()
        if match[0] not in tables.TECHNICAL and not _is_of_another_thing(low, match.start(), end):
            group = match.lastgroup or ""
            yield _SecretName("password" if group in ("compound", "unspaced") else group, match.start(), end)


def _is_of_another_thing(low: str, start: int, end: int) -> bool:
    """Whether the words around a name make it something else: a public key, a password hash, `password.txt`."""
    if _GOES_ON.match(low, end) or _is_count(low, start, end):
        return True
    before = _WORD_BEFORE.search(low[max(0, start - 24) : start])
    behind = _WORD_BEHIND.match(low, end)
    is_behind = behind is not None and behind[1] in tables.OTHERWISE
    return is_behind or (before is not None and before[1].strip("-_") in tables.NOT_SECRET_BEFORE)


def _is_count(low: str, start: int, end: int) -> bool:
    """Whether tokens are only being counted: `tokens: 1200`, "1200 tokens"."""
    if not low.endswith("tokens", start, end):
        return False
    if _COUNT_BEHIND.match(low, end):
        return True
    return not low.startswith(":", end) and bool(_COUNT_BEFORE.search(low[max(0, start - 24) : start]))


def _kind(name: _SecretName) -> str:
    return "Key or Token" if name.kind == "key" else "Password"


class _WordBehind(NamedTuple):
    """A word after a name.

    `said` is true if a link such as "is" comes right before the word, `adjacent` if there are only links between
    it and the name.
    """

    raw: str
    value: str
    start: int
    said: bool
    adjacent: bool
    first: bool
    ends: bool


def _behind(text: str, name: _SecretName) -> Iterator[Leak]:
    """The first word after a name that is its secret, or a quoted phrase."""
    for word in _words_behind(text, name):
        phrase = _QUOTED.match(text, word.start) if word.said and name.kind == "password" else None
        if phrase and len(phrase["phrase"].split()) > 2:
            yield Leak("Password", word.start, phrase["phrase"])
            return
        if _is_secret(word, name.kind):
            yield Leak(_kind(name), word.start, word.value)
            return


def _words_behind(text: str, name: _SecretName) -> Iterator[_WordBehind]:
    """The words after a name, until its sentence or paragraph ends."""
    opening = _OPENING.match(text, name.end)
    start = opening.end() if opening else name.end
    rest = text[start : name.end + _WIDE].split("\n\n" if opening else "\n", maxsplit=1)[0]
    said = bool(opening or _WITH.search(text[max(0, name.start - 24) : name.start]))
    adjacent = True
    for count, match in enumerate(re.finditer(r"\S+", rest)):
        raw = match[0]
        ends = raw.endswith((".", ";")) or not rest[match.end() :].split("\n")[0].strip()
        yield _WordBehind(raw, _value(raw), start + match.start(), said, adjacent, count == 0, ends)
        if count > _FAR or raw.endswith((".", "!", "?", ";")) or (opening and opening["sign"] == "="):
            return
        links = raw.lower() in tables.LINKS or raw.endswith((":", "=", "|"))
        said = links or (said and raw.lower() in tables.FILLERS)
        adjacent = adjacent and said


def _is_secret(word: _WordBehind, kind: str) -> bool:
    """Whether a word after a name is its secret."""
    if word.raw.startswith(("$", "<", "{", "%")) or values.is_placeholder(word.raw.strip("\"'`,;.")):
        return False
    if kind == "key":
        short_is_enough = word.said and word.adjacent and _is_mixed(word.value)
        return values.is_random(word.value, 8 if short_is_enough else 16)
    if kind == "password" and word.said and word.adjacent and _is_only_said(word):
        return True
    return _is_expected(word) or values.is_unmistakable(word.value)


def _is_expected(word: _WordBehind) -> bool:
    """Whether a word looks like a password in a place where one is expected."""
    if not values.is_passwordlike(word.value):
        return False
    return word.first or (word.said and (word.adjacent or not values.is_identifier(word.value)))


def _is_only_said(word: _WordBehind) -> bool:
    """Whether an ordinary word or a number is a password because the text says so."""
    plain = values.is_ordinary_word(word.value) or (word.value.isdigit() and 3 < len(word.value) < 13)
    quoted = word.raw[0] in '"“`«' and len(word.raw) > 1
    return plain and (quoted or word.ends)


def _value(raw: str) -> str:
    """A word without its punctuation and without following syntax of settings: `x;`, `x&y=z`, `x",`."""
    value = re.split(r"[;,\"'`<>]|&(?=\w+=)", raw.strip(_STRIPPED))[0]
    if not _UNSPACED_LETTER.search(value):
        return value
    return max(re.findall(r"[!-~]+", value), key=len, default=value)  # in a script without spaces


def _is_mixed(word: str) -> bool:
    digits = sum(char.isdigit() for char in word)
    return digits > 2 and len(word) - digits > 2 and (len(word) > 11 or word.isalnum())


def _before(text: str, name: _SecretName) -> Iterator[Leak]:
    """A word before a name: "use hunter22 as the password", "Birchwood77 is the password"."""
    if name.kind == "key":
        return
    near = text[max(0, name.start - _NEAR_BEFORE) : name.start]
    near = near[max((match.end() for match in _SENTENCE_END.finditer(near)), default=0) :]
    words = list(re.finditer(r"\S+", near))
    for word, link in pairwise(words):
        value = word[0].strip(_STRIPPED)
        if link[0].lower() in tables.AFTER_VALUE and values.is_unmistakable(value):
            yield Leak("Password", name.start - len(near) + word.start(), value)


def _announced(text: str, name: _SecretName) -> Iterator[Leak]:
    """The secret announced by a question or by a word like "below": it is in the next line."""
    rest = text[name.end : name.end + _WIDE]
    first = re.search(r"[?:]+|[.!](?=\s|$)|\n", rest)
    if not first or not (_ANNOUNCED.search(text[name.start : name.end + first.end()].rstrip("\n."))):
        return
    answer = re.match(r"[\s>\"'`*-]*(?:[^\n.!?:]*\n)?[\s>\"'`*-]*(?P<sentence>[^\n]+)", rest[first.end() :])
    if not answer:
        return
    at = name.end + first.end()
    for match in re.finditer(r"\S+", answer[0]):
        word = _value(match[0].strip(_STRIPPED))
        strong = values.is_random(word) if name.kind == "key" else values.is_unmistakable(word)
        if strong and not match[0].startswith(("$", "<", "{")):
            yield Leak(_kind(name), at + match.start(), word)
            return


_LOGIN = late(
    r"(?i)\b(?:log-?ins?|credentials?|creds|sign[- ]?in|account|user(?:name)?|zugangsdaten|zugang"
    r"|anmeldedaten|anmeldung"
    r"|benutzer|credenciales|acceso|usuario|identifiants?|acces|utilisateur|credenziali|accesso|utente|acesso|credenciais"
    r"|root|admin)\b[^\n.!?]{0,50}?[\s:](?P<user>[\w.@+-]{2,40}?)\s?(?:/|:(?=\S)|\||,|\bund\b|\band\b|\bmit\b|\bwith\b|\by\b|\bet\b)"
    r"\s?[\"'`]?(?P<value>[^\s\"'`,;]+)"
)


def _logins(searched: SearchedText) -> Iterator[Leak]:
    """A user name and a password side by side: "login: ada / Kaffee4711!"."""
    for match in begun(_LOGIN, searched.text, searched.places(tables.LOGIN_WORDS)):
        value = match["value"].strip(_STRIPPED.replace("!", ""))
        if values.is_passwordlike(value) and not values.is_identifier(value):
            yield Leak("Password", match.start("value"), value)


_NETWORK_HINTS = ("wifi", "wi-fi", "wlan", "ssid", "hotspot")
_NETWORK = late(r"(?i)\b(?:wi-?fi|wlan|ssid|hotspot)\s*[:=]?\s*[\w.-]{2,40}\s?/\s?(?P<value>\S+)")
_ENTERED = late(
    r"(?i)\b(?:use|using|enter|type|try|with)\s+(?P<value>\S+)\s+(?:to|for)\s+(?:log|sign|unlock|get into|open)\w*"
)
_ENTERING_WORDS = frozenset(("use", "using", "enter", "type", "try", "with"))


def _entered(searched: SearchedText) -> Iterator[Leak]:
    """Passwords to type in: "use hunter22 to log in", "wifi: CabinNet / Birchwood77"."""
    if searched.holds(_NETWORK_HINTS):
        yield from _typed(_NETWORK.finditer(searched.text))
    yield from _typed(begun(_ENTERED, searched.text, searched.places(_ENTERING_WORDS)))


def _typed(matches: Iterable[re.Match[str]]) -> Iterator[Leak]:
    for match in matches:
        value = match["value"].strip(_STRIPPED.replace("!", ""))
        if values.is_unmistakable(value):
            yield Leak("Password", match.start("value"), value)


def _in_tables(text: str) -> Iterator[Leak]:
    """The cells of a Markdown table under a header such as "password"."""
    if "|" not in text:
        return
    columns: list[int] = []
    at = 0
    for line in text.split("\n"):
        cells = line.strip().strip("|").split("|") if line.count("|") > 1 else []
        if not cells:
            columns = []
        elif not columns:
            columns = [i for i, cell in enumerate(cells) if _named().fullmatch(cell.strip(" *`").lower())]
        else:
            for i in columns:
                value = cells[i].strip(" `*") if i < len(cells) else ""
                if value and (values.is_passwordlike(value) or values.is_ordinary_word(value)):
                    yield Leak("Password", at, value)
        at += len(line) + 1
