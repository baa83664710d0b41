"""What a value looks like: a password, a random key, a code, or just a word, a version, a path, a placeholder.

Pure: it judges a single word (or number) in a place where a secret may be stated.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from itertools import accumulate

from mdmem.note.patterns import late
from mdmem.write import secretrules as rules

_SYMBOLS = "!@#$%^&*+=?~|\\§€£"
_WORD_ENDS = late(r".*(?:ed|ing|able|ible|ly|ent|ten|own|less|ful|ado|ada|toria|toire)")
_DESCRIBING = late(r"\d+[-–]?(?:to-\d+-?)?(?:char|digit|letter|bit|byte|word|day|hour|minute|second|symbol|sign)")
_PLACEHOLDER = late(
    r"[*•xX.…_?#-]+|\W*(?:your|my|the|some|any|dein|ihr|votre|mon|tu|su|tuo)[-_].*|%\(?\w+\)?s?|\w+://.*"
    r"|(?:.*[-_.])?(?:example|placeholder|changeme|change[-_]me|dummy|redacted|xxx+)(?:[-_.].*)?"
    r"|(?:arn|vault|gopass|bw|op|ssm|sm|sops|kv|env|file|keyvault|keyring|ref|pass):.*|projects/.*|(?:user(?:name)?|login)?[-_:]?(?:pass(?:word)?|pwd|secret|token)\d?|\w*pass(?:word|wort|wd)",
    re.I,
)
_CODE = late(r"[$<{(\[%].*|.*(?:\$\{|\$\(|\{\{|\(|\[\").*|[A-Za-z_]+(?:\.[A-Za-z_]+)+|\.{0,2}/.*|~/.*|[A-Z]:\\.*")
_IDENTIFIER = late(
    r"[A-Z]{1,6}-?\d[\d.:-]*[a-zA-Z]?|v?\d+(?:\.\d+)+\S*|\d{1,4}[-/.:]\d{1,2}(?:[-/.:T]\d\S*)?|\d+(?:[.,]\d+)?[-–]?[A-Za-zµ°%]{1,7}"
    r"|[\w.+-]+@[\w-]+\.[\w.-]+|\S+\.[A-Za-z]{1,5}\d?|[0-9a-fA-F]{7,}|(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}|\d[\d.,/:-]*\w{0,2}|\S*/\S*|#\w+|@\w+|\d+x\d+"
    r"|\w{8}(?:-\w{4}){3}-\w{12}|(?i:sha\d+|md5)[:-].*|[A-Za-z]+-?\d+(?:[-.]\d+)*[-_]?[a-z]{0,2}\d?\b(?=-|\Z)(?<=\d\d\d\d\d\d\d\d)"
)
_MEASURE = late(
    r"\d+(?:[.,:]\d+)*[-–]?[A-Za-zµ°%]{1,3}|v\d[\w.-]*|\d+-[a-z]+|[\d.,:/-]+|(?:19|20)\d\d-\d\d(?:-\d\d\S*)?"
)
_INNER_DIGIT = late(r"[A-Za-z]\d+[A-Za-z]")
_ID = late(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-7][0-9a-hjkmnp-tv-z]{25}")
_LEAST_RANDOM = 12  # the fewest characters of a token in parts that mix letters and digits
_SEED_WORD = late("[a-z]+")
_SEED_LENGTHS = frozenset((*range(12, 25, 3), *range(13, 26, 3)))
_LUHN = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)


@cache
def _numbered() -> re.Pattern[str]:
    return re.compile(rules.filled(r"«numbered»[-_ ]?\d+\w{0,2}"), re.I)


def is_published(value: str) -> bool:
    """Whether a value is known from documentation: `AKIA...EXAMPLE`, the sample of the RFC."""
    return "EXAMPLE" in value or value in rules.words("published")


@lru_cache(maxsize=1024)
def is_placeholder(value: str) -> bool:
    """Whether a value is a placeholder: `<password>`, `$PASS`, `changeme`, `your-key-here`, a call, a path."""
    low = value.lower()
    return (
        low in rules.words("no value")
        or low in rules.words("technical")
        or is_published(value)
        or bool(_PLACEHOLDER.fullmatch(value) or _CODE.fullmatch(value) or _DESCRIBING.match(low))
    )


def is_written(value: str) -> bool:
    """Whether what is written in the place of a password may be one: neither a placeholder nor an option."""
    return len(value) > 2 and value[0] not in "-$<{%*" and not is_placeholder(value)


def is_passwordlike(value: str) -> bool:
    """Whether a word mixes letters with digits or symbols, as hardly anything but a password does."""
    if len(value) < 5 or is_placeholder(value) or _MEASURE.fullmatch(value):
        return False
    return any(map(str.isalpha, value)) and (_digits(value) > 0 or (_has_symbol(value) and len(value) > 5))


def is_chosen(value: str) -> bool:
    """Whether a word is like a password and no version, date, file or numbered thing."""
    return is_passwordlike(value) and not is_identifier(value)


def is_unmistakable(value: str) -> bool:
    """Whether a word is a password anywhere in a sentence."""
    if len(value) < 6 or not is_chosen(value):
        return False
    digits = _digits(value)
    if _has_symbol(value):
        return digits > 0
    compound = "-" in value or "_" in value
    return (digits > 1 and not (compound and value.islower())) or bool(not compound and _INNER_DIGIT.search(value))


def is_strong(value: str) -> bool:
    """Whether a word is a password even where none is expected: with a sign, or a digit between letters."""
    mixed = value != value.lower() and ("-" in value or "_" in value)
    return is_unmistakable(value) and (_has_symbol(value) or mixed or bool(_INNER_DIGIT.search(value)))


def is_identifier(value: str) -> bool:
    """Whether a value is a version, date, file, address, hash or numbered thing: `T480`, `server01`."""
    return bool(_IDENTIFIER.fullmatch(value) or _numbered().fullmatch(value))


def is_ordinary_word(value: str) -> bool:
    """Whether a value is a plain word, which is a password only if it is called so."""
    if is_placeholder(value) or _WORD_ENDS.fullmatch(value.lower()) or not 4 <= len(value) <= 40:
        return False
    return value.isalpha() or is_phrase(value) or value.count("-") > 2


def is_phrase(value: str) -> bool:
    """Whether a value is words joined to a password: `correct-horse-battery`."""
    parts = re.split(r"[-_.]", value)
    return len(parts) > 2 and all(len(part) > 3 and part.isalpha() for part in parts)


def is_random(value: str, shortest: int = 12) -> bool:
    """Whether a value is a long machine-made run of letters and digits; hexadecimal ones count."""
    if len(value) < shortest or is_placeholder(value) or "://" in value:
        return False
    longest = max(re.split(r"[-_.:/+]", value), key=len)
    if _digits(value) < 2 or not value.isascii() or not any(map(str.isalpha, value)):
        return False
    is_run = len(longest) >= min(10, shortest) and _digits(longest) > 0
    return is_run or _has_symbol(value) or len(value) > 30


def is_id(value: str) -> bool:
    """Whether a value has the form of a UUID or ULID."""
    return bool(_ID.fullmatch(value.lower()))


def is_token(run: str) -> bool:
    """Whether enough of a run is in parts that mix letters and digits; so it is for longer runs with it."""
    random = [part for part in re.split(r"[-_.:]", run) if part.isalnum() and _digits(part) and not part.isdigit()]
    return sum(map(len, random)) >= _LEAST_RANDOM and not is_id(run)


def _is_user_and_password(value: str) -> bool:
    """Whether a value is a name and a password in base64."""
    import base64

    try:
        user, colon, password = base64.b64decode(value, validate=True).decode().partition(":")
    except ValueError:
        return False
    return bool(user and colon and password) and f"{user}{password}".isprintable()


def _is_card(value: str) -> bool:
    """Whether the check digit of ISO/IEC 7812-1 is right; those for trying out have two or three digits."""
    numbers = [int(digit) for digit in reversed(re.sub(r"\D", "", value))]
    total = sum(numbers[::2]) + sum(_LUHN[number] for number in numbers[1::2])
    return 13 <= len(numbers) <= 19 and total % 10 == 0 and len(set(numbers)) > 3


def _is_seed(words: str) -> bool:
    """Whether lower-case words are as many as in a phrase of BIP 39, or one more, of the sentence around it.

    Either all of them are, or, unless each has its own line, those up to the end of a line.
    """
    lines = [len(_SEED_WORD.findall(line)) for line in words.split("\n")]
    counts = list(accumulate(lines))
    return not _SEED_LENGTHS.isdisjoint(counts if max(lines[1:], default=1) > 1 else counts[-1:])


def _digits(value: str) -> int:
    return sum(map(str.isdigit, value))


def _has_symbol(value: str) -> bool:
    return any(char in _SYMBOLS for char in value)


CHECKS: Mapping[str, Callable[[str], object]] = {
    "any": bool,
    "code": bool,
    "token": is_token,
    "random": is_random,
    "basic": _is_user_and_password,
    "written": is_written,
    "chosen": is_chosen,
    "unmistakable": is_unmistakable,
    "strong": is_strong,
    "luhn": _is_card,
    "card": _is_card,
    "seed": _is_seed,
}
