"""The rules by which secrets are found: tables in `data`, read when first needed, and a vault's own.

The settings of a vault may come by clone: they can only add rules, and what they add is too simple to take long.
What does not count as a secret is said where no clone reaches (`mdmem.not-secret` in git's settings).
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, cached_property
from typing import NamedTuple

from mdmem.note import tsv

_PART = re.compile("«(\\w+)»")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
NAMES = ("password", "perhaps", "key", "bare")  # the roles of names for secrets
_LETTERS = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "ss"})
LONGEST_OWN = 64  # characters of a word that is compared with an own form


class Form:
    """A form of secrets: its kind, hints (words or parts of a text with it), what its value must look like."""

    def __init__(self, kind: str, hints: str, check: str, source: str, example: str) -> None:
        self.kind, self.check, self.source = kind, check, source
        self.hints = hints.split(", ")
        self.example = example.replace("¦", "").replace("\\n", "\n")

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled form."""
        return re.compile(filled(self.source))


class OwnRules(NamedTuple):
    """A person's own rules: (kind, pattern) of words that are secrets, names of secrets, what does not count."""

    forms: tuple[tuple[str, re.Pattern[str]], ...] = ()
    names: tuple[str, ...] = ()
    allowed: frozenset[str] = frozenset()


NONE = OwnRules()


def unmarked(text: str) -> str:
    """A text without accents and other marks, in the plain form of each letter; "ß" is "ss"."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKD", text).translate(_LETTERS)
    return _FOREIGN.sub(lambda run: "".join(sign for sign in run[0] if not unicodedata.combining(sign)), text)


@cache
def _roles() -> dict[str, list[str]]:
    roles: dict[str, list[str]] = {}
    for role, _, listed in tsv.rows(__file__, "secret_words.tsv", 3):
        roles.setdefault(role, []).append(listed)
    return roles


@cache
def words(role: str) -> frozenset[str]:
    """The words of a role, in lower case and without accents."""
    return frozenset(unmarked(", ".join(_roles()[role])).split(", "))


@cache
def _forms() -> tuple[dict[str, str], tuple[Form, ...]]:
    rows = list(tsv.rows(__file__, "secret_forms.tsv", 5))
    parts = {row[0]: row[3] for row in rows if row[0].startswith("«")}
    return parts, tuple(Form(*row) for row in rows if row[0] not in parts)


def forms() -> tuple[Form, ...]:
    """Every form, in the order of the table."""
    return _forms()[1]


def filled(source: str) -> str:
    """A regular expression with its «parts»."""
    return _PART.sub(_part, source)


def _part(match: re.Match[str]) -> str:
    defined = _forms()[0].get(match[0])
    if defined:
        return filled(defined)
    listed = words(match[1])
    return f"(?:{names_in(listed) if match[1] in NAMES else '|'.join(map(filled, sorted(listed)))})"


def names_in(listed: Iterable[str]) -> str:
    """A regular expression for any of these names, the longest first; a space may be something else or nothing."""
    escaped = (re.escape(name) for name in sorted(listed, key=lambda name: (-len(name), name)))
    return "|".join(escaped).replace(r"\ ", "[ _-]?").replace("'", "['’]")


@cache
def own(forms: Iterable[str], names: Iterable[str], allowed: Iterable[str] = ()) -> OwnRules:
    """The own rules of a vault, as its settings have them, which `mdmem.store.config` checked."""
    parted = (form.partition(": ") for form in forms)
    patterns = tuple((kind, re.compile(rf"(?<!\w)(?:{source})(?!\w)")) for kind, _, source in parted)
    return OwnRules(patterns, tuple(unmarked(name).lower() for name in names), frozenset(allowed))
