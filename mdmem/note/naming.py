"""File names: checks a name, or makes one by the legacy protocol or as an owner of notes writes them.

By the protocol a name is 3 to 10 descriptive words, lower case, joined by underscores. Above 8 words or 40
characters it is too long to scan and gets a warning; the source document's own "too long" example has nine words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import UsageError
from mdmem.note import patterns, stopwords

if TYPE_CHECKING:
    from datetime import datetime

MIN_WORDS, MAX_WORDS = 3, 10
LONG_WORDS, LONG_CHARS = 8, 40
MAX_BYTES = 200  # of the 255 that file systems allow, so that `.md`, sync suffixes and copies fit

_RESERVED = patterns.late(r"^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)", re.IGNORECASE)
_ILLEGAL = patterns.late(r'[<>:"|?*\\/\x00-\x1f\x7f]')
_UNFIT = patterns.late(r'[<>:"|?*\\/\x00-\x1f\x7f#^\[\]`]')  # and what breaks links
# In the scripts of South and South East Asia vowels are marks, which `\w` does not count as letters.
_MARKED = r"\u0900-\u0963\u0966-\u0e3e\u0e40-\u109f\u1780-\u17ff"
_WORD = rf"(?:[^\W_]|[{_MARKED}])+"
_ONE_WORD = patterns.late(_WORD)
_TOKEN = patterns.late(rf"{_WORD}(?:['’]{_WORD})*")
_ASCII_TOKEN = patterns.late(r"[a-z0-9]+(?:'[a-z0-9]+)*")  # the same in ASCII, which compiles faster
_ADDRESS = patterns.late(r"\bhttps?://\S+", needs="://")
# From when an order holds, or why it is told: what stands before the order itself.
_LEAD_IN = patterns.late(
    r"(?:(?:from (?:now|today|tomorrow) on|as of (?:now|today)|starting (?:now|today|tomorrow)|going forward"
    r"|henceforth|in future|please|fyi|as a (?:general )?rule|for the record|just so you know|for your information"
    r"|ab (?:jetzt|heute|sofort)|von (?:jetzt|nun) an|in zukunft|künftig|bitte|a partir de (?:ahora|hoy)"
    r"|(?:de ahora )?en adelante|por favor|à partir de maintenant|dorénavant|désormais|à l'avenir)[ ,:]+)+",
    re.IGNORECASE,
)
_POSSESSIVE = patterns.late(r"['’]s$")
_CJK = r"[぀-ヿ㐀-鿿가-힯豈-﫿]"  # compiled when first needed: that takes 4 ms

_HIRAGANA = r"[ぁ-ゟ]"
_JAPANESE_BREAK = r"(?<=[ぁ-ゟ])(?=[^ぁ-ゟー])"
_CHINESE_BREAK = r"(?<=[的了着过])|(?=[是在和与对把被有为要不会])"
_LONGEST_WORD = 24  # characters
_SAYING = patterns.late(r"[^\W\d_]{2}|\d{4}|[^\x00-\x7f]")  # what tells one name from another: a word, a year

# Words that begin a phrase: a name that is too long ends before one of them.
_PHRASE = frozenset(
    "when while before after without because since how what which who whose where why until unless if though "
    "although not only but than that with via by from for to into onto through behind under over against about "
    "between at in on and or as so als bei beim bis ohne durch hinter nicht nur weil damit wenn falls sondern "
    "aber auf für nach vor im mit oder um und von zu zum zur par pour que con para por per come como y et al "
    "en no non pas sans jusqu hasta sin pero mais ma senza fino".split()
)
# Nor does it end with one of those or these.
_LEADING_ON = _PHRASE | frozenset(
    "the a an all any each every some this their its our of is are was were be will "
    "der die das den dem ein eine ist sind wird de del des du el la las le les los lo il un une una".split()
)
_PAUSE = frozenset(",;:.!?–—)…")  # at the end of a word ends a phrase
_LONG_PLAIN = 80  # characters of a name as people write them
_DATED = {"9999-99-99": "%Y-%m-%d", "9999.99.99": "%Y.%m.%d", "99999999": "%Y%m%d", "999999999999": "%Y%m%d%H%M"}
_DATE = patterns.late(r"\d[\d.-]{6,10}\d")
_HABIT_OF = 500  # names that show how an owner writes them

# Words that fill up a name that is too short, in this order.
_FILLERS = ("memory", "note", "text")


class NameFinding(NamedTuple):
    """One objection to a name. `severity` is "error" or "warning"."""

    severity: str
    message: str
    fix: str


def check(name: str) -> list[NameFinding]:
    """The objections to a name (without `.md`); empty for a good one."""
    found = list(_illegal(name))
    words = [word for word in name.split("_") if word]
    if name != name.lower():
        found.append(NameFinding("error", "has capital letters", "write it in lower case"))
    if any(not _ONE_WORD.fullmatch(word) for word in words) or "__" in name or name.strip("_") != name:
        found.append(
            NameFinding(
                "error", "has other signs than letters, digits and single underscores", "join words by one _"
            )
        )
    if len(words) < MIN_WORDS:
        found.append(
            NameFinding("error", f"has {len(words)} of at least {MIN_WORDS} words", "say what it is about")
        )
    elif len(words) > MAX_WORDS:
        found.append(NameFinding("error", f"has {len(words)} words, over {MAX_WORDS}", "keep descriptive words"))
    elif not _SAYING.search(name):
        found.append(NameFinding("error", "is too vague: no word of it says anything", "say what it is about"))
    elif len(words) > LONG_WORDS or len(name) > LONG_CHARS:
        found.append(
            NameFinding(
                "warning",
                f"is long: {len(words)} words, {len(name)} characters",
                f"{LONG_WORDS} words and {LONG_CHARS} characters scan well",
            )
        )
    return found


def check_for_obsidian(name: str) -> list[NameFinding]:
    """The objections to a name in the vault of an owner who names notes in their own way."""
    found = list(_illegal(name)) if name else [NameFinding("error", "is empty", "say what it is about")]
    if re.search(r"[#^\[\]]", name):
        found.append(NameFinding("error", "has characters that break links", "leave out # ^ [ ]"))
    return found


def make(title: str, text: str, taken: Callable[[str], bool]) -> str:
    """A name for a memory from its title, and from its text if the title is too short or its name is taken.

    `taken(name)` says whether the vault has that name (case-folded). The result passes `check` with no
    error; it is within LONG_WORDS and LONG_CHARS unless only a longer one is free.
    """
    title = _telling_part(title)
    words = _trim(_words_for(title, text), title)
    name = "_".join(words)
    if not taken(name):
        return name
    for extra in _for_name(text):
        if extra not in words and len(words) < MAX_WORDS:
            words.append(extra)
            if not taken("_".join(words)) and not check("_".join(words)):
                return "_".join(words)
    return _numbered("_".join(_trim(words, title)[: MAX_WORDS - 1]), "_", taken)


def _numbered(name: str, joint: str, taken: Callable[[str], bool]) -> str:
    """A name with the first number from 2 on that is free, as far as those below it are taken."""

    def is_free(number: int) -> bool:
        return not taken(f"{name}{joint}{number}")

    most = 2
    while not is_free(most):
        most *= 2
    from bisect import bisect_left

    numbers = range(most // 2 + 1, most)  # all below are taken, as a rule; trying each would take long for many
    return f"{name}{joint}{numbers.start + bisect_left(numbers, True, key=is_free)}"


class Habit(NamedTuple):
    """How an owner names notes: what joins the words, in lower case or not, and a date `before` or after them.

    `date` is a form for `strftime`, "" without dates.
    """

    joint: str = " "
    is_lower: bool = False
    date: str = ""
    before: bool = True


def habit(names: Iterable[str]) -> Habit:
    """How most of the first names are written; those that are only a date tell nothing."""
    joints: Counter[str] = Counter()
    dates: Counter[tuple[str, bool]] = Counter()
    lower = count = 0
    for name in islice(names, _HABIT_OF):
        date = _DATE.search(name)
        rest = name.replace(date[0], "", 1) if date else name
        form = _DATED.get(re.sub(r"\d", "9", date[0])) if date else None
        if rest and form and date:
            dates[form, date.start() == 0] += 1
        joints.update(set(rest) & set(" _-"))
        lower += rest == rest.lower() != ""
        count += bool(rest)
    joint = max(" _-", key=joints.__getitem__)
    (date_form, before), dated = dates.most_common(1)[0] if dates else (("", True), 0)
    return Habit(joint, 2 * lower > count, date_form if 2 * dated > count else "", before)


def plain(title: str, text: str, taken: Callable[[str], bool], way: Habit, when: datetime) -> str:
    """A name for a memory as its vault's owner writes names; it passes `check_for_obsidian`.

    It says what the title says up to the end of a phrase; where the owner's names are those of the protocol, it is
    one of those. `when` the memory was made is the date of a name with one.
    """
    if way.is_lower and way.joint == "_" and not way.date:
        return make(title, text, taken)
    said = _UNFIT.sub("", re.sub(r":\s+", " - ", re.sub(r"(?<=\w)[/\\|:](?=\w)", "-", title or text[:200])))
    said = unicodedata.normalize("NFC", " ".join(said.split()))
    words = _cut(said).strip(" .,;!…–—-_") or "Note"
    words = words.lower() if way.is_lower else words[0].upper() + words[1:]
    words = words.replace(" - ", " " if way.joint != " " else " - ").replace(" ", way.joint)
    if way.date:
        parts = (when.strftime(way.date), words)
        words = way.joint.join(parts if way.before else reversed(parts))
    name = f"Note{way.joint}{words}" if check_for_obsidian(words) else words
    return _numbered(name, way.joint, taken) if taken(name) else name


def _cut(said: str) -> str:
    """A text as far as it fits _LONG_PLAIN, up to the end of a phrase."""
    words = said.removesuffix("…").split()
    if len(said) <= _LONG_PLAIN:
        return " ".join(words if not said.endswith("…") else _to_a_phrase(words, []))
    kept = said[: _LONG_PLAIN + 1].rpartition(" ")[0].split()
    return " ".join(_to_a_phrase(kept, _phrase_ends(words))) or said[: _LONG_PLAIN // 2]


def topic(name: str) -> str:
    """The folder name of a topic: its words in lower case, joined by `_` (`Travel plans` is `travel_plans`).

    Raises UsageError for a name that is a path, has no word in it, or is over LONG_CHARS.
    """
    slug = "_".join(words_of(name))
    wrong = [finding for finding in _illegal(slug) if finding.severity == "error"]
    if not slug or wrong or any(char in name for char in "/\\\0") or name.strip().startswith("."):
        raise UsageError(f"{name!r} is not the name of a topic", "write a few words: travel plans")
    if len(slug) > LONG_CHARS:
        raise UsageError(
            f"the topic {slug[:LONG_CHARS]}... is over {LONG_CHARS} characters", "keep the descriptive words"
        )
    return slug


def _words_for(title: str, text: str) -> list[str]:
    words = _fill(list(_for_name(title)) or list(_for_name(text)), title or text, text)
    return words if _SAYING.search("_".join(words)) else [_FILLERS[0], *words]


def _telling_part(title: str) -> str:
    """A title without its web addresses, and what leads in to it, if enough words remain."""
    plain = _ADDRESS.sub(" ", title)
    if lead := _LEAD_IN.match(plain):
        plain = plain[lead.end() :]
    return plain if plain == title or len(list(_for_name(plain))) >= MIN_WORDS else title


def telling(text: str) -> set[str]:
    """The words of a text without stop words, for comparing it with another."""
    return set(words_of(text)) - stopwords.NAME


def _illegal(name: str) -> Iterator[NameFinding]:
    if _ILLEGAL.search(name):
        yield NameFinding("error", "has characters that some systems refuse", 'leave out < > : " | ? * \\ /')
    if name.endswith((".", " ")) or name.startswith((".", " ", "-")):
        yield NameFinding("error", "begins or ends with a dot, blank or dash", "begin and end with a word")
    if _RESERVED.match(name):
        yield NameFinding("error", "is a device name on Windows", "say what it is about")
    if unicodedata.normalize("NFC", name) != name:
        yield NameFinding("error", "is not in Unicode form NFC", "type its accents as one character")
    if len(name.encode("utf-8", "surrogateescape")) > MAX_BYTES:
        yield NameFinding("error", f"is over {MAX_BYTES} bytes", "keep the most descriptive words")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, NFC, without punctuation: `User's C++` -> user, cpp."""
    text = unicodedata.normalize("NFC", text.replace("C++", "cpp").replace("c++", "cpp"))
    text = text.replace("C#", "csharp").replace("c#", "csharp").replace("_", " ")
    token = _ASCII_TOKEN if text.isascii() else _TOKEN
    found = (_without_apostrophe(match[0]) for match in token.finditer(text.lower()))
    return [word for word in found if word]


def _without_apostrophe(word: str) -> str:
    if "'" in word or "’" in word:
        word = _POSSESSIVE.sub("", word).replace("'", "").replace("’", "")
    return word if word.isascii() else unicodedata.normalize("NFC", word)


def _for_name(text: str) -> Iterator[str]:
    """The words of a text that are not stop words, each once and cut to 24 characters."""
    for word in _pieces(text):
        if word not in stopwords.NAME:
            yield word


def _pieces(text: str) -> Iterator[str]:
    """Every word of a text, each once and cut to fit a name; scripts without spaces are split into phrases."""
    seen = set()
    for word in words_of(text[:2000]):
        phrases = _phrases(word) if not word.isascii() and re.search(_CJK, word) else [word[:_LONGEST_WORD]]
        for phrase in phrases:
            if phrase not in seen:
                seen.add(phrase)
                yield phrase


def _phrases(run: str) -> Iterator[str]:
    """A run of Chinese or Japanese, split into phrases and never within a word.

    A Japanese phrase ends with hiragana, a Chinese one before or after a function word.
    """
    breaks = _JAPANESE_BREAK if re.search(_HIRAGANA, run) else _CHINESE_BREAK
    for phrase in re.sub(breaks, " ", run).split():
        yield phrase[:_LONGEST_WORD]


def _fill(words: list[str], title: str, text: str) -> list[str]:
    """At least MIN_WORDS words: those given if they are enough, else every word of the title, in order.

    If these are too few as well, words of the text and then fillers are added to those given.
    """
    if len(words) < MIN_WORDS <= len(titled := list(_pieces(title))):
        return titled
    for source in (_for_name(text), _pieces(text[:200]), _FILLERS):
        for word in source:
            if len(words) >= MIN_WORDS:
                return words
            if word not in words:
                words.append(word)
    return words


def _trim(words: list[str], title: str) -> list[str]:
    """The first words that fit LONG_WORDS and LONG_CHARS, to the end of a phrase; at least MIN_WORDS."""
    kept: list[str] = []
    for word in words[:LONG_WORDS]:
        if len(kept) >= MIN_WORDS and len("_".join([*kept, word])) > LONG_CHARS:
            break
        kept.append(word)
    if len(kept) == len(words):
        return _to_a_phrase(kept, []) if title.endswith("…") else kept
    spoken = title.split()
    return _to_a_phrase(kept, [len(list(_for_name(" ".join(spoken[:end])))) for end in _phrase_ends(spoken)])


def _phrase_ends(words: Sequence[str]) -> list[int]:
    """After how many words a phrase ends."""
    return [at for at in range(1, len(words)) if words[at - 1][-1] in _PAUSE or words[at].lower() in _PHRASE]


def _to_a_phrase(words: Sequence[str], ends: Sequence[int]) -> list[str]:
    """The first words of a name, up to the last of the `ends` of phrases; at least MIN_WORDS, if there are."""
    kept = list(words[: max((end for end in ends if MIN_WORDS <= end <= len(words)), default=len(words))])
    while len(kept) > MIN_WORDS and kept[-1].lower() in _LEADING_ON:
        kept.pop()
    return kept
