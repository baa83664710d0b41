"""Patterns for a text in any form that files may hold: plain, wrapped, escaped for JSON, URLs or HTML, or base64.

A text in compressed or encrypted data, or in UTF-16, is not found.
"""

from __future__ import annotations

import base64
import re
import unicodedata
from urllib.parse import quote

from mdmem.errors import UsageError
from mdmem.note import naming

SHORTEST = 4  # characters: a shorter text is part of too many other words
_NAME_WORDS, _NAME_LENGTH = 3, 8  # the fewest words, or characters with a digit, to look for in file names
_ENCODED_LENGTH = 8  # the fewest base64 characters that identify a text
_HTML = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}
_BREAK = rb"(?:[ \t]*(?:\r?\n[ \t>]*)+|(?:\\+r)?\\+n|(?i:%0d)?(?i:%0a))"
_SPACE = rb"(?:[ \t]*\r?\n[ \t>]*|[ \t]+|\xc2\xa0|\+|%20|%09|(?i:%c2%a0)|\\+t|\\+u0020|\\+u00a0|&nbsp;)+"


def pattern(text: str) -> bytes:
    """A regular expression over bytes that finds a text in all these forms.

    Raises UsageError for a text that is too short to be distinctive.
    """
    text = text.strip()
    if len(text) < SHORTEST:
        raise UsageError(
            f"a text of fewer than {SHORTEST} characters stands in too many others", "give more of it"
        )
    equal = [text, *(unicodedata.normalize(form, text) for form in ("NFC", "NFD"))]
    spellings = dict.fromkeys(map(_spelled, equal))
    encoded = [re.escape(part) for part in sorted(_base64(text.encode()))]
    return b"|".join([*spellings, *encoded])


def name_pattern(text: str) -> bytes:
    """A pattern for the text as a memory's name, `user_key_is_1234`; b"" if that would not be distinctive."""
    words = naming.words_of(text)
    slug = "_".join(words)
    is_typical = len(words) >= _NAME_WORDS or (len(slug) >= _NAME_LENGTH and any(map(str.isdigit, slug)))
    return rb"(?<![a-z0-9])%s(?![a-z0-9])" % re.escape(slug.encode()) if is_typical and slug != text else b""


def word_pattern(name: str) -> bytes:
    """A pattern for a name that is not part of another word."""
    inner = pattern(name) if len(name) >= SHORTEST else re.escape(name.encode())
    return rb"(?<![A-Za-z0-9_])(?:%s)(?![A-Za-z0-9_])" % inner


def link_pattern(name: str) -> bytes:
    """A pattern for a name in a link in a note: `[[name]]`, `[[folder/name#part]]`, `(folder/name.md)`."""
    target = re.escape(name.encode())
    linked = re.escape(quote(name).encode())
    wiki = rb"(?i:(?<=\[\[)|(?<=[\[(/]))%s(?=\.md\b|[\]|#])" % target
    return wiki if linked == target else wiki + rb"|(?<=[(/])%s(?=\.md\b)" % linked


def _spelled(text: str) -> bytes:
    """A pattern for a text of which any character may be escaped."""
    pieces = re.split(r"((?:\r?\n)+|[ \t\u00a0]+)", text)
    return b"".join(_gap(piece) if at % 2 else b"".join(map(_character, piece)) for at, piece in enumerate(pieces))


def _gap(gap: str) -> bytes:
    return _BREAK if "\n" in gap else _SPACE


def _character(char: str) -> bytes:
    """A pattern for one character, plain or escaped; ASCII letters and digits are never escaped."""
    raw = char.encode("utf-8", "surrogateescape")
    if char.isascii() and char.isalnum():
        return raw
    percent = b"".join(b"%%%02x" % byte for byte in raw)
    units = char.encode("utf-16-be", "surrogatepass")
    escaped = rb"".join(rb"\\+u%02x%02x" % (units[at], units[at + 1]) for at in range(0, len(units), 2))
    number = ord(char)
    names = _HTML.get(char, f"#{number}").encode()
    html = rb"&(?:%s|#0*%d|#x0*%x);" % (re.escape(names), number, number)
    plain = rb"\\*" + re.escape(raw)
    return rb"(?:%s|(?i:%s|%s|%s))" % (plain, percent, escaped, html)


def _base64(data: bytes) -> set[bytes]:
    """The base64 characters that are determined by these bytes alone, at each of the three possible alignments."""
    parts = set()
    for before in range(3):
        whole = base64.b64encode(bytes(before) + data)
        first = (before * 8 + 5) // 6
        part = whole[first : (before + len(data)) * 8 // 6]
        if len(part) >= _ENCODED_LENGTH:
            parts |= {part, part.translate(bytes.maketrans(b"+/", b"-_"))}
    return parts
