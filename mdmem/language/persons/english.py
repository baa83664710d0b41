"""English: "I live in Cork" is "the user lives in Cork"; "we" are "the user's people"."""

from __future__ import annotations

import re

_ADVERBS = (
    r"((?:really|always|usually|just|also|still|only|never|actually|definitely|generally|much|strongly|often"
    r"|mostly|now|then|once|absolutely|(?!(?:fly|apply|reply|rely|supply|multiply|comply)\b)[a-z]+ly)\s+)*"
)
# What follows "I had"; a base form may end in "eed": I'd need.
_HAD = r"(?:(?:never|already|just|always|only) )?(?:been|had|gone|done|seen|better|(?!\w*eed\b)[a-z]+ed)"
_FIRST = re.compile(rf"\bI\s+(?P<adverbs>{_ADVERBS})(?P<verb>[a-z]+)\b(?!')", re.I)
_TOGETHER = re.compile(r"\b((?:my|our|the|his|her) (?:\w+ )?\w+ and )I\b(?!')", re.I)  # two people: verbs stay
_FIXED = (  # in this order
    (re.compile(r"\bI'?m\b|\bI am\b", re.I), "{who} is"),
    (re.compile(r"\bI haven'?t\b", re.I), "{who} has not"),
    (re.compile(r"\bI'?ve\b|\bI have\b", re.I), "{who} has"),
    (re.compile(rf"\bI'd(?= {_HAD}\b)", re.I), "{who} had"),
    (re.compile(r"\bI'd\b", re.I), "{who} would"),
    (re.compile(r"\bI'll\b", re.I), "{who} will"),
    (re.compile(r"\bI (?:do not|don'?t)\b", re.I), "{who} does not"),
    (re.compile(r"\bI (can'?t|cannot)\b", re.I), "{who} cannot"),
)
_WE = (  # in this order; a plural, so that verbs stay as they are
    (re.compile(r"\b(?:we'?re(?= \w)|we are)\b", re.I), "{group} are"),
    (re.compile(r"\bwe've\b", re.I), "{group} have"),
    (re.compile(r"\bwe'll\b", re.I), "{group} will"),
    (re.compile(r"\bwe'd\b", re.I), "{group} would"),
    (re.compile(r"\b(?:we|ourselves)\b|(?-i:\bus\b)", re.I), "{group}"),
    (re.compile(r"\b(?:our|ours)\b", re.I), "{whose}"),
)
_MINE = (
    (re.compile(r"\bmy\b", re.I), "{owner}"),
    (re.compile(r"\bmine\b", re.I), "{who}'s"),
    (re.compile(r"\b(?:me|myself)\b", re.I), "{who}"),
    (re.compile(r"\bI\b"), "{who}"),
)
UNCHANGED = frozenset(
    "can could may might must shall should will would cannot was had did went got made took saw came ran won met "
    "left built found bought began became learnt thought told said wrote read kept lost sold sent felt knew gave "
    "grew held heard hit led let paid put set spent spoke stood taught understood wore quit cut beat chose drove "
    "ate drank slept need meant rode fell flew threw "
    "swam sang hid fed bent lent dealt woke swore shook rose hurt caught broke forgot forgave dreamt burnt stole "
    "stuck fought drew dug blew bit swept shot rang hung lit laid slid shut split spread spilt spoilt smelt spelt "
    "sank swung tore froze sought struck stung overslept overcame withdrew rebuilt rewrote mistook".split()
)
LY_VERBS = frozenset(("fly", "apply", "reply", "rely", "supply", "multiply", "comply"))


def third_person(sentence: str, who: str) -> str:
    """A sentence about "I" rewritten to be about `who`; other sentences as they are."""
    text = _TOGETHER.sub(rf"\1{who}", sentence.replace("’", "'"))
    for pattern, said in _FIXED:
        text = pattern.sub(said.format(who=who), text)
    text = _FIRST.sub(lambda match: f"{who} {match['adverbs']}{conjugated(match['verb'])}", text)
    owner = "their" if re.match(rf"{re.escape(who)}\b(?!')", text) else f"{who}'s"
    for pattern, said in _MINE:
        text = pattern.sub(said.format(who=who, owner=owner), text)
    for pattern, said in _WE:
        text = pattern.sub(said.format(group=f"{who}'s people", whose=f"{who}'s"), text)
    return text


_SPEAKER = re.compile(r"\b(?:myself|ourselves|my|our|mine|ours|me|I|us|we)\b", re.I)
_OF_SPEAKER = (  # in this order
    (re.compile(r"\b(?:myself|ourselves)\b", re.I), "themselves"),
    (re.compile(r"\b(?:my|our)\b", re.I), "their"),
    (re.compile(r"\b(?:mine|ours)\b", re.I), "theirs"),
    (re.compile(r"\b(?:I|we) (?:am|are)\b"), "{who} is"),
    (re.compile(r"\b(?:I|we) were\b"), "{who} was"),
    (re.compile(r"\b(?:I|we) have\b"), "{who} has"),
    (re.compile(r"\b(?:I|we) do not\b"), "{who} does not"),
)
_SPEAKER_DOES = re.compile(r"\b(?:I|we) (?!last\b|just\b|also\b|all\b|both\b)([a-z]+)\b")
_SPEAKER_ALONE = re.compile(r"\b(?:me|I|us|we)\b")


def about_speaker(text: str, who: str) -> str:
    """The words of a speaker rewritten to be about `who`: "my sister and me" is "their sister and Ana"."""
    if not _SPEAKER.search(text):
        return text
    for pattern, said in _OF_SPEAKER:
        text = pattern.sub(said.replace("{who}", who), text)
    text = _SPEAKER_DOES.sub(lambda match: f"{who} {conjugated(match[1])}", text)
    return _SPEAKER_ALONE.sub(who, text)


def conjugated(verb: str) -> str:
    """The form of a verb after "he": prefer -> prefers. Past tenses and modals stay."""
    lower = verb.lower()
    if lower in UNCHANGED or lower.endswith("ed") or (lower.endswith("ly") and lower not in LY_VERBS):
        return verb
    if lower == "do":
        return "does"
    if lower.endswith(("s", "x", "z", "ch", "sh")) or lower == "go":
        return verb + "es"
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"
