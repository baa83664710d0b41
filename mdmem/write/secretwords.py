"""Secrets recognised by their wording: "the wifi password at the cabin is ...", "user: ada, pw: ...".

First a name for a secret is searched for, then the words after it. Which of them counts as the
secret depends on the name, and on whether a word such as "is", or a colon, announces it.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate, islice, zip_longest
from typing import NamedTuple

from mdmem.note.patterns import late
from mdmem.write import secretrules as rules
from mdmem.write import secretvalues as values
from mdmem.write.secretforms import Leak, SearchedText

_OPENING = late(r"[\"'`*_)\]}”’»]*\s{0,3}(?P<sign>=>|:=|->|→|[:=|])[*_]*\s*")
_QUOTED = late(r"[\"“«'`](?P<phrase>[^\"”»'`\n]{6,80})[\"”»'`]")
_STRIPPED = "\"'`“”‘’«»*_.,;:!?()[]{}<>|"
_WITH = late(r"(?i)\b(?:with|mit|con|avec|com|y|und|and|et|e)(?: (?:the|der|dem|la|le|il|a|o))?\s$")
_SUFFIX = late(r"[-_](?:base|value|is|str|prod|dev|live|main)\b")
_GOES_ON = late(r"[@/(\[.?](?=\w|\))")
_GOING_ON = late(r"[ \t]+(?!\d+\W*$)[!-~]")  # not です, and a number at the end is part of it
_WORD_BEFORE = late(r"([\w-]+)[\s_-]*$")
_WORD_BEHIND = late(r"[\s_-]*([a-z]+)")
_SESSION = late(r"sess|conv|\bsid\b")
_BEFORE, _BEHIND = 24, 240  # characters that are read around a name,
_LONGEST_PHRASE = 90  # and behind these for the end of a quotation
_LONGEST_OWNER = 4  # words of "of the shared inbox"
_NAMES_READ = 3  # a word may be the secret of the three names before it: each word is read so often, not more
_UNSPACED_LETTER = late(r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff]")


class _SecretName(NamedTuple):
    """A name for a secret in the text: its role and position."""

    role: str
    start: int
    end: int

    @property
    def kind(self) -> str:
        return "Key or Token" if self.role == "key" else "Password"


class _Lexicon(NamedTuple):
    """The names for secrets: (name, role), the words with which they begin, and those in other scripts.

    `parts` are what a text has that has a name none of these words begins.
    """

    names: tuple[tuple[str, str], ...]
    firsts: frozenset[str]
    others: tuple[str, ...]
    parts: tuple[str, ...]


@cache
def _lexicon(own_names: tuple[str, ...]) -> _Lexicon:
    names = [(name, role) for role in rules.NAMES for name in rules.words(role)]
    names += [(name, "password") for name in own_names]
    spaced = [name.split() for name, _ in names]
    firsts = {begun for words in spaced for begun in accumulate(words)}
    others = tuple(name for name, _ in names if not name.isascii())  # in scripts without spaces, or inflected
    parts = (*rules.words("compound"), *others)
    return _Lexicon(tuple(names), frozenset(firsts | {f"{word}s" for word in firsts}), others, parts)


@cache
def _pattern(lexicon: _Lexicon) -> re.Pattern[str]:
    spaced = rules.names_in(name for name, _ in lexicon.names if name.isascii())
    compound = rf"[a-z0-9]*(?:{'|'.join(rules.words('compound'))})"
    others = rules.names_in(lexicon.others)
    return re.compile(rf"(?<![a-z0-9])(?:{spaced}|{compound})s?(?![a-z0-9])|{others}")


@lru_cache(maxsize=256)
def _roles_of(name: str, lexicon: _Lexicon) -> set[str]:
    """The roles of a name; compounds are passwords."""
    squeezed = _squeezed(name)
    either = (squeezed, squeezed.removesuffix("s"))
    return {role for other, role in lexicon.names if _squeezed(other) in either} or {"password"}


def _squeezed(name: str) -> str:
    return re.sub(r"[\W_]", "", name)


def hits(searched: SearchedText, own: rules.OwnRules) -> Iterator[Leak]:
    """Every secret that is stated in words."""
    lexicon = _lexicon(own.names)
    if not lexicon.firsts.isdisjoint(searched.words) or any(map(searched.low.__contains__, lexicon.parts)):
        names = list(_names(searched, lexicon))
        for name, third in zip_longest(names, names[_NAMES_READ:]):
            leak = _behind(searched.text, name, third.start if third else len(searched.text))
            if leak:
                yield leak
        yield from _in_tables(searched.text, lexicon)


def _names(searched: SearchedText, lexicon: _Lexicon) -> Iterator[_SecretName]:
    low = searched.low
    context = rules.words("context") & searched.words
    for match in _pattern(lexicon).finditer(low):
        suffix = _SUFFIX.match(low, match.end())
        end = suffix.end() if suffix else match.end()
        role = _role(low, match.start(), _roles_of(match[0], lexicon), context)
        if role and match[0] not in rules.words("technical") and not _is_of_another_thing(low, match.start(), end):
            yield _SecretName(role, match.start(), end)


def _role(low: str, start: int, roles: set[str], context: frozenset[str]) -> str:
    """The role of a name; "" for one that counts only beside a word of `context`, "wifi", which is not there."""
    if "bare" in roles and context:
        line = low[max(0, start - 80) : start].rpartition("\n")[2]
        if not context.isdisjoint(re.findall("[a-z0-9]+", line)):
            return "password"
    return next((role for role in rules.NAMES[:3] if role in roles), "")


def _is_of_another_thing(low: str, start: int, end: int) -> bool:
    """Whether the words around a name make it something else: a public key, a password hash, `password.txt`."""
    if _GOES_ON.match(low, end):
        return True
    before = _WORD_BEFORE.search(low[max(0, start - 24) : start])
    behind = _WORD_BEHIND.match(low, end)
    is_behind = behind is not None and behind[1] in rules.words("otherwise")
    return is_behind or (before is not None and before[1].strip("-_") in rules.words("not before"))


class _WordBehind(NamedTuple):
    """A word after a name.

    `said` is true if a link such as "is" comes right before the word, `adjacent` if there are only links between
    it and the name, `weak` if the link may announce anything, as "with" does, and `ends` if the sentence or clause
    ends with a word that is said.
    """

    raw: str
    value: str
    start: int
    said: bool
    adjacent: bool
    weak: bool
    first: bool
    ends: bool


def _behind(text: str, name: _SecretName, end: int) -> Leak | None:
    """The first word after a name and before `end` that is its secret, or a quoted phrase."""
    start = max(0, name.start - _BEFORE)
    around = text[start : min(end, name.end + _BEHIND) + _LONGEST_PHRASE]
    leak = _within(around, name._replace(start=name.start - start, end=name.end - start), end - start)
    return leak and leak._replace(start=leak.start + start)


@lru_cache(maxsize=1024)  # lines that repeat are read once
def _within(text: str, name: _SecretName, end: int) -> Leak | None:
    """The same in the text around a name."""
    for word in _words_behind(text, name, min(end, len(text))):
        phrase = _QUOTED.match(text, word.start) if word.said and name.role == "password" else None
        if phrase and len(phrase["phrase"].split()) > 1:
            return Leak("Password", word.start, phrase["phrase"])
        is_session = values.is_id(word.value) and _SESSION.search(text[name.start : word.start].lower())
        if _is_secret(word, name.role) and not is_session:
            return Leak(name.kind, word.start, word.value)
    return None


def _words_behind(text: str, name: _SecretName, end: int) -> Iterator[_WordBehind]:
    """The words after a name, until `end` or its sentence or paragraph ends; at most 15, in 240 characters."""
    opening = _OPENING.match(text, name.end)
    sign, start = (opening["sign"], opening.end()) if opening else ("", name.end)
    rest = _until_end(text[start : min(end, name.end + _BEHIND)], bool(sign) and name.role != "key")
    said = bool(sign or _WITH.search(text[max(0, name.start - _BEFORE) : name.start]))
    adjacent, weak = True, False
    owner = _owner(name, rest)
    linking, weakly, filling = rules.words("link"), rules.words("weak link"), rules.words("filler")
    for count, match in enumerate(islice(re.finditer(r"\S+", rest), 16)):
        raw = match[0]
        ends = said and _ends(rest, match)
        place = start + match.start()
        yield _WordBehind(raw, _value(raw), place, said, adjacent, weak, count == 0, ends)
        if raw.endswith((".", "!", "?", ";")) or sign == "=":
            return
        low = raw.lower()
        links = low in linking or raw.endswith((":", "=", "|"))
        weak = low in weakly if links else weak
        said = links or (said and low in filling)
        adjacent = (adjacent and (said or count < owner)) or _says_again(rest, match, links, sign)


def _owner(name: _SecretName, rest: str) -> int:
    """How many words behind a name may tell what the password is of: "of the shared inbox"."""
    is_owned = name.role == "password" and not rules.words("of").isdisjoint(rest.lower().split()[:1])
    return _LONGEST_OWNER if is_owned else 0


def _says_again(rest: str, word: re.Match[str], links: bool, sign: str) -> bool:
    """Whether a word announces what the name before it is, though others stand between: ", it's", "to this:"."""
    return links if rest[: word.start()].endswith(", ") else not sign and word[0].endswith((":", "="))


def _ends(rest: str, word: re.Match[str]) -> bool:
    """Whether a sentence or clause ends with a word, or all that is written on its line."""
    return word[0].endswith((".", ";", ",")) or not _GOING_ON.match(rest, word.end())


def _until_end(rest: str, opened: bool) -> str:
    """The text up to the end of its line (if `opened`, of its paragraph); a line that announces goes on."""
    end = -1
    while (end := rest.find("\n", end + 1)) >= 0:
        last = rest[:end].split()[-1:]
        announces = bool(last) and (last[0].lower() in rules.words("link") or last[0].endswith((":", "=")))
        if not announces and (not opened or rest.startswith("\n\n", end)):
            return rest[:end]
    return rest


def _is_secret(word: _WordBehind, role: str) -> bool:
    """Whether a word after a name is its secret. Plain letters are one only if the text says so."""
    if word.value.isalpha() and not (word.said and word.adjacent):
        return False
    if word.raw.startswith(("$", "<", "{", "%")) or values.is_placeholder(word.raw.strip("\"'`,;.")):
        return False
    if role == "key":
        short_is_enough = word.said and word.adjacent and values.is_unmistakable(word.value)
        return values.is_random(word.value, 8 if short_is_enough else 16)
    if role == "password" and word.said and _is_only_said(word):
        return True
    return _is_expected(word) or values.is_unmistakable(word.value)


def _is_expected(word: _WordBehind) -> bool:
    """Whether a word looks like a password in a place where one is expected."""
    if not values.is_passwordlike(word.value):
        return False
    return word.first or (word.said and (word.adjacent or not values.is_identifier(word.value)))


def _is_only_said(word: _WordBehind) -> bool:
    """Whether an ordinary word or a number is a password because the text says so."""
    if not word.adjacent:
        return values.is_phrase(word.value) and not word.weak
    plain = values.is_ordinary_word(word.value) or (word.value.isdigit() and 3 < len(word.value) < 64)
    quoted = word.raw[0] in '"“`«' and len(word.raw) > 1
    return plain and (quoted or (word.ends and not word.weak))


@lru_cache(maxsize=1024)  # a text says the same few words
def _value(raw: str) -> str:
    """A word without its punctuation and without following syntax of settings: `x;`, `x&y=z`, `x",`."""
    value = re.split(r"[;,\"'`<>]|&(?=\w+=)", raw.strip(_STRIPPED))[0]
    if not _UNSPACED_LETTER.search(value):
        return value
    return max(re.findall(r"[!-~]+", value), key=len, default=value)  # in a script without spaces


def _in_tables(text: str, lexicon: _Lexicon) -> Iterator[Leak]:
    """The cells of a Markdown table under a header such as "password"."""
    if "|" not in text:
        return
    named = {_squeezed(name) for name, role in lexicon.names if role == "password"}
    columns: list[int] = []
    at = 0
    for line in text.split("\n"):
        cells = line.strip().strip("|").split("|") if line.count("|") > 1 else []
        if not cells:
            columns = []
        elif not columns:
            columns = [i for i, cell in enumerate(cells) if _squeezed(cell.lower()) in named]
        else:
            for i in columns:
                value = cells[i].strip(" `*") if i < len(cells) else ""
                if value and (values.is_passwordlike(value) or values.is_ordinary_word(value)):
                    yield Leak("Password", at, value)
        at += len(line) + 1
