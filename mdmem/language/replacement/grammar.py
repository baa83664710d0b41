"""How a clause says that a thing has taken the place of another: who is replaced, who replaces, and in what tense.

The rules are the same in all languages; their words are in `vocabulary`. A clause is read as words with a blank
behind each, punctuation among them (`spaced`), and between two words that a rule names some plain words may stand,
but none that denies, and none that begins another clause.
"""

# ruff: noqa: E501 - a rule and its example are one row
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain

from mdmem.language.replacement.vocabulary import WORDS
from mdmem.language.sieve import Needed, NeededWords, all_needed
from mdmem.text.patterns import late
from mdmem.values import NamedTuple

LANGUAGES = ("en", "de", "es", "fr")
_BEHIND, _BEFORE, _AROUND = "behind", "before", "around"  # where a rule has its words, seen from the link


class ReplacementRule(NamedTuple):
    """What a clause looks like. `direction` is "old" if the link (§) is replaced, "heir" if it replaces the note.

    In `pattern` kinds of words stand in capitals, `~` is up to six plain words, `BEGIN` and `END` where a clause does,
    `START` where the sentence begins, `MARK` a comma or full stop, `BREAK` a colon or the like; all else is as in a
    regular expression. `languages` are those whose order of words it is.
    """

    direction: str
    pattern: str
    example: str
    languages: tuple[str, ...] = LANGUAGES


_GONE = "(DEAD|CHANGED|NOLONGER ~ VALID|VALID ~ NOLONGER|NOLONGER IDLE*(?=MARK|BREAK)|(NOT NOW|NOW NOT) (?=MARK|BREAK)|NOT ~ VALID|(NOT|NOLONGER) USE SELF)"
_OWN = "START (IDLE BREAK?)*SELF? (BE BE*~)?IDLE*"  # the note itself is the subject, said or not
_CLAUSE = r"(MARK|BREAK|\( (?=SEE))"

RULES = (
    # What is linked is the subject.
    ReplacementRule("old", r"§ (\) )?~ BE ~ DEAD(?!BY ~ ¤)", "[[x]] can be struck."),
    ReplacementRule("old", "§ ~ , BE ~ DEAD", "Was in [[x]] steht, ist überholt.", ("de",)),
    ReplacementRule("old", "§ ~ NOLONGER ~ VALID", "What [[x]] says stopped being true."),
    ReplacementRule("old", "§ ~ VALID ~ NOLONGER", "[[x]] gilt somit nicht länger.", ("de",)),
    ReplacementRule("old", "§ ~ , VALID ~ NOLONGER", "Was in [[x]] steht, gilt nicht mehr.", ("de",)),
    ReplacementRule("old", "§ , WHO ~ (BE ~ DEAD|NOLONGER ~ VALID|BE ~ WRONG|WRONG)", "We left [[x]], which is obsolete."),
    ReplacementRule("old", "§ ~ AND ~ (BE ~ DEAD|NOLONGER ~ VALID)", "[[x]] was about the old pump and is no longer accurate."),
    ReplacementRule("old", "§ ~ NEEDNOT ~ KEEP", "[[x]] needn't be kept."),
    ReplacementRule("old", "§ BE ~ OLDER ~ END", "[[x]] was the earlier plan."),
    ReplacementRule("old", "§ ~ GO", "[[x]] can go."),
    ReplacementRule("old", "§ ~ AND? ~ NOT ~ KEEP", "[[x]] is old and must not be used."),
    ReplacementRule("old", "§ ~ ORIGIN ~ OLDTIME", "[[x]] dates from before the change."),
    ReplacementRule("old", "§ ~ WASSO", "See [[x]] for how it used to be."),
    ReplacementRule("old", "(with |mit |con |avec )§ ~ OVER", "Mit [[x]] ist Schluss."),
    ReplacementRule("old", "§ ~ HELD ~ UNTIL", "[[x]] was valid until Christmas."),
    ReplacementRule("old", "BEGIN § BREAK DEAD END", "[[x]]: obsolete."),
    ReplacementRule("old", "§ ~ (→ |-> )~ SELF", "[[x]] → this note."),
    # It comes behind the verb, or between its parts.
    ReplacementRule("old", "BE ~ § ~ DEAD(?!BY ~ ¤)", "Hiermit wird [[x]] aufgehoben.", ("de", "es")),
    ReplacementRule("old", "BE DEAD ~ §", "Queda anulada [[x]].", ("es",)),
    ReplacementRule("old", "NOLONGER ~ VALID ~ §", "We no longer use [[x]]."),
    ReplacementRule("old", "NOLONGER ~ USE ~ §", "Ne suivez plus [[x]]."),
    ReplacementRule("old", "VALID ~ § ~ NOLONGER", "Wir nutzen [[x]] nicht mehr.", ("de",)),
    ReplacementRule("old", "NOLONGER ~ (nach |wie in |laut |gemäß |an )§", "Nicht mehr wie in [[x]].", ("de",)),
    ReplacementRule("old", "§ ~ BE ~ NOT ~ VALID", "[[x]] is not current.", ("en",)),
    ReplacementRule("old", "BE ~ AND § DEAD", "Der Server ist abgeschaltet und [[x]] gegenstandslos."),
    ReplacementRule("old", "START NOLONGER § END", "Not [[x]] any more."),
    ReplacementRule("old", "an die stelle (von )?§ ~ (tritt|treten) ", "An die Stelle von [[x]] tritt diese Notiz.", ("de",)),
    # It is the object.
    ReplacementRule("old", r"INSTEAD ~ (\( )?§", "One coat a year instead of [[x]]."),
    ReplacementRule("old", r"REPLACES (?!~ BY §)~ (\( )?§", "Correction to [[x]]."),
    ReplacementRule("old", "REPLACES : §", "Replaces: [[x]]."),
    ReplacementRule("old", "MAKES ~ § ~ DEAD", "That makes the rule of [[x]] moot."),
    ReplacementRule("old", "MAKES ~ DEAD ~ §", "Esto deja obsoleta [[x]].", ("es", "fr")),
    ReplacementRule("old", "BEGIN IDLE*DISCARD ~ § (?!WHEN)", "The code is 9023, so ignore [[x]]."),
    ReplacementRule("old", "BEGIN ~ MAY ~ DISCARD ~ § (?!WHEN)", "On peut effacer [[x]]."),
    ReplacementRule("old", "(NOLONGER ~|AND NOT ~|, NOT ~)ASIN ~ §", "Only PDF, and not on paper as in [[x]]."),
    ReplacementRule("old", "§ ~ DROP END", "[[x]] vergessen.", ("de", "fr", "es")),
    ReplacementRule("old", "BEGIN IDLE*NOT NOT? USE ~ § (?!WHEN)", "No hagáis caso de [[x]]."),
    ReplacementRule("old", "§ ~ NOT ~ USE END", "[[x]] bitte nicht verwenden.", ("de", "fr")),
    # It stands beside a label.
    ReplacementRule("old", "BEGIN FORMER (: )?§ END", "Round ones (was: [[x]])."),
    ReplacementRule("old", r"BEGIN FORMER : § (?=[,(])", "Old version: [[x]], too salty."),
    ReplacementRule("old", "BEGIN FORMER , ~ (DEAD|NOLONGER ~ VALID|VALID) : §", "Previous version, invalid: [[x]]."),
    ReplacementRule("old", r"(OTHERWISE ~ FORMER|FORMER ~ OTHERWISE) ~ (\( )?§", "It used to be otherwise ([[x]])."),
    # It is the one that replaces.
    ReplacementRule("heir", "PASSIVE ~ BY ~ §", "Succeeded by [[x]]."),
    ReplacementRule("heir", f"{_OWN}{_GONE} ~ {_CLAUSE} ~ BREAK? NOW? BREAK? (NEW STATE?)? ~ SEE? ~ §", "Changed since: [[x]]."),
    ReplacementRule("heir", f"{_OWN}{_GONE} ~ {_CLAUSE} ~ § ~ COUNTS", "Not current; the amount in [[x]] counts."),
    ReplacementRule("heir", f"BEGIN BE? IDLE*{_GONE} IDLE*SINCE ~ §", "Served till nine, obsolete since [[x]]."),
    ReplacementRule("heir", f"{_OWN}WRONG ~ {_CLAUSE} ~ SEE ~ §", "Wrong by now: we follow [[x]]."),
    ReplacementRule("heir", "START IDLE*FORMER MARK IDLE*(NOW|NEW|SEE)~ BREAK? §", "Old! Now: [[x]]."),
    ReplacementRule("heir", "BEGIN IDLE*NEW STATE BE? IN §", "New version in [[x]]."),
    ReplacementRule("heir", "SEE ~ § ~ FOR ~ (NEW STATE|STATE NEW)", "See [[x]] for the current price."),
    ReplacementRule("heir", "FOR ~ (NEW STATE|STATE NEW) , SEE ~ §", "For the current price, see [[x]]."),
    ReplacementRule("heir", "§ .{0,80}?, (AND )?THISONE BE ~ DEAD", "[[x]] has the schedule, this one is out of date."),
)  # fmt: skip

_ELIDED = late(r"\b([nldcsm]|qu|jusqu)'", needs="'")
_APPOSITION = late(r"\( § \) |(?<!: ), § , ", needs=" § ")
_STRUCK = late(r"~~[^~]*~~", needs="~~")
_PUNCTUATION = re.compile(r"\s*(->|[;!?()–—→*_]|(?<!\d)[,.:]|[,.:](?!\d)|(?<= )- )\s*")
_TWO_PARTS = (  # a denial in two parts, as one
    (late(r"(?<!\w)(?:ne|n') ((?:[^\s,.;!?()]+ ){1,3}?)plus ", needs="plus "), r"ne-plus \1"),
    (late(r"(?<!\w)(?:not?|never|nobody|(?:do|does|is|are|did|was|ca|wo)n't) ((?:[^\s,.;!?()]+ ){0,6}?)(?:any (?:more|longer)|anymore) ", needs="any"), r"no-longer \1"),
    (late(r"(?<!\w)no ((?:[^\s,.;!?()]+ ){1,3}?)(?:más|ya) ", needs="no "), r"ya-no \1"),
    (late(r"(?<!\w)kein(?:e|en|er|em)? ((?:[^\s,.;!?()]+ ){1,3}?)mehr ", needs="mehr "), r"nicht-mehr \1"),
)  # fmt: skip


def spaced(sentence: str) -> str:
    """A sentence in lower case as the rules read it: a blank behind each word and mark."""
    sentence = _STRUCK.sub("", sentence)
    parts = _ELIDED.sub(r"\1' ", _PUNCTUATION.sub(r" \1 ", sentence)).split()
    text = " ".join(part for part in parts if part not in "*_") + " "
    text = _APPOSITION.sub("§ ", text)
    for pattern, whole in _TWO_PARTS:
        text = pattern.sub(whole, text)
    return _barred(text)


def directions(sentence: str) -> Iterator[str]:
    """What a sentence in lower case, with § for the link in question and ¤ for others, says of it."""
    text = spaced(sentence)
    for at in _likely(text) if "§" in text else ():
        direction = _in_languages()[at].rule.direction
        if any(_may_stand(text, match, direction) for match in _pattern(at).finditer(text)):
            yield direction


class _RuleInLanguage(NamedTuple):
    rule: ReplacementRule
    language: str


@cache
def _in_languages() -> tuple[_RuleInLanguage, ...]:
    """Each rule in each of its languages, in the order of the rules."""
    return tuple(_RuleInLanguage(rule, language) for rule in RULES for language in rule.languages)


def _likely(text: str) -> list[int]:
    """The places of the rules that may match a text, by their words on that side of the link where all of them are."""
    text = f" {text}"
    sides = {_BEHIND: text[text.index("§") :], _BEFORE: text[: text.rindex("§") + 1], _AROUND: text}
    rules = _rules_of_sides()
    return sorted(rules[side].places[at] for side in sides for at in rules[side].words.may_match(sides[side]))


class _RulesOfSide(NamedTuple):
    """The places of some rules, and what these need in a text that begins with a blank or the link."""

    places: list[int]
    words: NeededWords


@cache
def _rules_of_sides() -> dict[str, _RulesOfSide]:
    """The rules by where the link is in them."""
    places: dict[str, list[int]] = {_BEHIND: [], _BEFORE: [], _AROUND: []}
    for at, (rule, _) in enumerate(_in_languages()):
        is_last = rule.pattern.removesuffix("(?!WHEN)").endswith("§")
        side = _BEHIND if rule.pattern.startswith("§") else _BEFORE if is_last else _AROUND
        places[side].append(at)
    needs = {side: [_needs(*_in_languages()[at]) for at in there] for side, there in places.items()}
    return {side: _RulesOfSide(there, NeededWords(needs[side])) for side, there in places.items()}


@cache
def _pattern(at: int) -> re.Pattern[str]:
    """The regular expression of the rule at a place."""
    return re.compile(_expression(*_in_languages()[at]))


def _may_stand(text: str, match: re.Match[str], direction: str) -> bool:
    """Whether what is before or behind a match leaves it its sense: no denial, no other link, no event."""
    before = _CLAUSE_END.split(text[: match.start()])[-1]
    if "¤" in before or _word_of("NOT").search(before) or _DENIED_BEHIND.match(text, match.end()):
        return False
    if direction == "heir":
        return True
    if _word_of("INSTEAD").match(match[0]):
        return not _word_of("EVENT").search(text[: match.start()] or text[match.end() :])
    if _word_of("PASSIVE").match(match[0]) and _word_of("BE").search(" ".join(before.split()[-2:]) + " "):
        return False
    to_link = text[: text.index("§")]
    is_denied = _word_of("NOT").search(to_link) or _word_of("NOLONGER").search(to_link)
    if _word_of("ASIN", then=r"\Z").search(to_link) and not is_denied:
        return False
    is_adjunct = match[0].startswith("§") and _word_of("ADJUNCT", then=r"\Z").search(to_link)
    is_agent = _word_of("BE").match(match[0]) and _word_of("BY", then=r"\Z").search(to_link)
    return not is_adjunct and not is_agent


def may_be_of_a_thing(sentence: str) -> bool:
    """Whether a sentence in lower case, with § for a link, may be about a thing that the linked note only names.

    The printer in [[x]] may be broken, and [[x]] still hold; the rule in [[x]] is what [[x]] says.
    """
    thing = _THING.search(spaced(sentence))
    return thing is not None and not _word_of("STATE").match(f"{thing[1]} ")


_VERDICT = ReplacementRule("heir", rf"{_OWN}({_GONE}|FORMER ) ~ [.!] \Z", "")


def is_verdict(sentence: str) -> bool:
    """Whether a sentence in lower case says only that the note it stands in is out of date: "No longer true!"."""
    text = spaced(sentence)
    return any(_verdict(at).match(text) for at in _words_of_verdict().may_match(f" {text}"))


@cache
def _verdict(at: int) -> re.Pattern[str]:
    return re.compile(_expression(_VERDICT, LANGUAGES[at]))


@cache
def _words_of_verdict() -> NeededWords:
    return NeededWords(_needs(_VERDICT, language) for language in LANGUAGES)


_THING = re.compile(
    r"(?<!\S)(?:the|an?|our|my|der|die|das|dem|den|ein|eine|el|la|los|las|una?|les?|l'|une?) "
    r"(?!(?:place|stelle|lugar|relais|relève) )([^\W\d]\S*) "
    r"(?:(?:described|mentioned|named|listed|beschrieben\w*|genannt\w*) )?(?:in|from|of|that|which|aus|von|de|en|que|dans) §"
)
_CLAUSE_END = re.compile(r"[,;:.()!?] ")
_DENIED_BEHIND = re.compile(r"\s*¬?(?:nicht(?! mehr)|keineswegs|nie|niemals) ")


@cache
def _word_of(kind: str, languages: tuple[str, ...] = LANGUAGES, then: str = "") -> re.Pattern[str]:
    """A word of a kind in any of these languages."""
    words = [word for language in languages for word in WORDS[kind][language].split("/")]
    return re.compile(rf"(?<!\S){_alternatives(words)} {then}")


_FENCE = "¬"
_PLAIN = rf"(?!(?:->|[,.;:!?()–—→-]) )[^\s§¤{_FENCE}]+ "
_HEAD = re.compile(r"[^\\\[(?]*$|[^\\\[(?]*(?=[\\\[(])|[^\\\[(?]*(?=[^\\\[(?]\?)")
_SYMBOLS = {kind: chr(0xE000 + at) for at, kind in enumerate(WORDS)}  # characters that no text has
_KINDS = {symbol: kind for kind, symbol in _SYMBOLS.items()}
_ELEMENT = re.compile(r"([A-Z]{2,})([?*])? ?|~ ?|([^A-Z~]+)")


def _expression(rule: ReplacementRule, language: str) -> str:
    """The regular expression of a rule in one language."""
    places = {
        "BEGIN": rf"(?:^|(?<=[,;:.(–—!?] )|(?<!\S){_kind('AND', language)} )",
        "START": "^",
        "END": r"(?=$|[.,;:!()])",
        "MARK": "[,.!] ",
        "BREAK": "(?:[:;–—→-]|->) ",
    }
    gap = f"(?:{_PLAIN}){{0,6}}?"
    return _written(rule, gap, lambda kind: places.get(kind) or rf"(?<!\S){_kind(kind, language)} ")


def _needs(rule: ReplacementRule, language: str) -> list[Needed]:
    """Of each of these sets a text that begins with a blank has one, if the rule matches it."""
    return [
        frozenset(chain.from_iterable(_spellings(part, language) for part in needed)) for needed in _skeleton(rule)
    ]


@cache
def _skeleton(rule: ReplacementRule) -> list[Needed]:
    """What a rule needs in any language, each kind as its symbol."""
    return all_needed(_written(rule, ".", lambda kind: f".{_SYMBOLS.get(kind, '.')}."))


def _spellings(part: str, language: str) -> Needed:
    """What a part of a skeleton is in a language."""
    kind = _KINDS.get(part)
    return _heads(kind, language) if kind else frozenset((part,))


def _written(rule: ReplacementRule, gap: str, spelt: Callable[[str], str]) -> str:
    """A rule as a regular expression, given how its gaps and its kinds are spelt."""

    def element(part: re.Match[str]) -> str:
        kind, repeated, literal = part.groups()
        if kind is None:
            return literal or gap
        return f"(?:{spelt(kind)}){repeated}" if repeated else spelt(kind)

    pattern = re.sub(r"(?<!\\)(\)\??) (?![?*])", r"\1", rule.pattern)  # each word brings its own blank
    return _ELEMENT.sub(element, pattern)


@cache
def _heads(kind: str, language: str) -> Needed:
    """How the words of a kind begin, up to what not all spellings of one have, behind a blank."""
    return frozenset(_head(_spelt(word)) for word in WORDS[kind][language].split("/"))


def _head(word: str) -> str:
    """A blank, and what all spellings of a word begin with; a blank more if there is but one."""
    head = _HEAD.match(word)
    assert head
    return f" {word} " if head[0] == word else f" {head[0]}"


def _kind(kind: str, language: str) -> str:
    return _alternatives(WORDS[kind][language].split("/"))


def _alternatives(words: Iterable[str]) -> str:
    return "(?:" + "|".join(_spelt(word) for word in sorted(words, key=len, reverse=True)) + ")"


def _spelt(word: str) -> str:
    """A word of the vocabulary as `spaced` has it."""
    return _barred(_ELIDED.sub(r"\1' ", word)).strip()


@cache
def _fences() -> frozenset[str]:
    """The single words that no gap between two words of a rule may hold."""
    of = (WORDS[kind][language].split("/") for kind in ("NOT", "AND", "WHY") for language in LANGUAGES)
    return frozenset(word for words in of for word in words if " " not in word)


def _barred(text: str) -> str:
    """A text with a mark before each word that denies, or begins another clause."""
    fences = _fences()
    return " ".join(_FENCE + word if word in fences else word for word in text.split(" "))
