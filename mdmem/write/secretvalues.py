"""What a value looks like: a password, a random key, a code, or just a word, a version, a path, a placeholder.

Pure: it judges a single word (or number) in a place where a secret may be stated.
"""

from __future__ import annotations

import re
from functools import cache

from mdmem.text.patterns import late
from mdmem.write import secrettables as tables

SYMBOLS = "!@#$%^&*+=?~|\\§€£"
_WORD_ENDS = (
    "ed",
    "ing",
    "able",
    "ible",
    "ly",
    "ent",
    "ten",
    "own",
    "less",
    "ful",
    "ado",
    "ada",
    "toria",
    "toire",
)
_DESCRIBING = late(r"\d+[-–]?(?:to-\d+-?)?(?:char|digit|letter|bit|byte|word|day|hour|minute|second|symbol|sign)")
_PLACEHOLDER = late(
    r"[*•xX.…_?#-]+|\W*(?:your|my|the|some|any|dein|ihr|votre|mon|tu|su|tuo)[-_].*|%\(?\w+\)?s?|\w+://.*"
    r"|(?:.*[-_.])?(?:example|placeholder|changeme|change[-_]me|dummy|redacted|xxx+)(?:[-_.].*)?"
    r"|(?:user(?:name)?|login)?[-_:]?(?:pass(?:word)?|pwd|secret|token)\d?|\w*pass(?:word|wort|wd)",
    re.I,
)
_CODE = late(r"[$<{(\[%].*|.*(?:\$\{|\$\(|\{\{|\(|\[\").*|[A-Za-z_]+(?:\.[A-Za-z_]+)+|\.{0,2}/.*|~/.*|[A-Z]:\\.*")
_IDENTIFIER = late(
    r"[A-Z]{1,6}-?\d[\d.:-]*[a-zA-Z]?|v?\d+(?:\.\d+)+\S*|\d{1,4}[-/.:]\d{1,2}(?:[-/.:T]\d\S*)?|\d+(?:[.,]\d+)?[-–]?[A-Za-zµ°%]{1,7}"
    r"|[\w.+-]+@[\w-]+\.[\w.-]+|\S+\.[A-Za-z]{1,5}\d?|[0-9a-fA-F]{7,}|\d[\d.,/:-]*\w{0,2}|\S*/\S*|#\w+|@\w+"
    r"|\w{8}(?:-\w{4}){3}-\w{12}|(?:sha\d+|md5)[:-].*|[A-Za-z]+-?\d+(?:[-.]\d+)*[-_]?[a-z]{0,2}\d?\b(?=-|\Z)(?<=\d\d\d\d\d\d\d\d)"
)


@cache
def _numbered() -> re.Pattern[str]:
    return re.compile(rf"{tables.NUMBERED}[-_ ]?\d+\w{{0,2}}", re.I)


def is_placeholder(value: str) -> bool:
    """Whether a value is a placeholder: `<password>`, `$PASS`, `changeme`, `your-key-here`, a call, a path."""
    low = value.lower()
    return (
        low in tables.NO_VALUES
        or low in tables.TECHNICAL
        or bool(_PLACEHOLDER.fullmatch(value) or _CODE.fullmatch(value) or _DESCRIBING.match(low))
    )


def is_passwordlike(value: str) -> bool:
    """Whether a word mixes letters with digits or symbols, as hardly anything but a password does."""
    if len(value) < 5 or is_placeholder(value) or _is_measure(value):
        return False
    has_symbol = _has_symbol(value) and len(value) > 5
    return any(map(str.isalpha, value)) and (_digits(value) > 0 or has_symbol)


def is_unmistakable(value: str) -> bool:
    """Whether a word is a password anywhere in a sentence, not a version, date, file or numbered thing."""
    if len(value) < 6 or not is_passwordlike(value):
        return False
    if is_identifier(value):
        return False
    digits = _digits(value)
    if _has_symbol(value):
        return digits > 0
    inner = bool(re.search(r"[A-Za-z]\d+[A-Za-z]", value))
    compound = "-" in value or "_" in value
    return (digits > 1 and not (compound and value.islower())) or (inner and not compound)


def is_identifier(value: str) -> bool:
    """Whether a value is a version, date, file, address, hash or numbered thing: `T480`, `server01`."""
    return bool(_IDENTIFIER.fullmatch(value) or _numbered().fullmatch(value))


def is_ordinary_word(value: str) -> bool:
    """Whether a value is a plain word, which is a password only if it is called so."""
    low = value.lower()
    if is_placeholder(value) or low.endswith(_WORD_ENDS) or not 4 <= len(value) <= 40:
        return False
    parts = value.split("-")
    is_phrase = len(parts) > 2 and all(len(part) > 3 and part.isalpha() for part in parts)
    return value.isalpha() or is_phrase or len(parts) > 3


def is_random(value: str, shortest: int = 12) -> bool:
    """Whether a value is a long machine-made run of letters and digits; hexadecimal ones count."""
    if len(value) < shortest or is_placeholder(value) or "://" in value:
        return False
    longest = max(re.split(r"[-_.:/+]", value), key=len)
    if _digits(value) < 2 or not value.isascii() or not any(map(str.isalpha, value)):
        return False
    is_run = len(longest) >= min(10, shortest) and _digits(longest) > 0
    return is_run or _has_symbol(value) or len(value) > 30


def _digits(value: str) -> int:
    return sum(map(str.isdigit, value))


def _has_symbol(value: str) -> bool:
    return any(char in SYMBOLS for char in value)


def _is_measure(value: str) -> bool:
    """Whether a value is like `12px`, `90-day`, `v2-only`, `2.14.1` or `14:05`."""
    return bool(
        re.fullmatch(r"\d+(?:[.,:]\d+)*[-–]?[A-Za-zµ°%]{1,3}|v\d[\w.-]*|\d+-[a-z]+|[\d.,:/-]+", value)
        or re.fullmatch(r"(?:19|20)\d\d-\d\d(?:-\d\d\S*)?", value)
    )
