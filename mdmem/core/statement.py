"""What a person said in a chat, as the title of a memory: "I prefer tabs." is "User prefers tabs"."""

from __future__ import annotations

import re

TITLE_CHARS = 80

_OPENING = re.compile(
    r"^(?:(?:oh|ok(?:ay)?|well|so|and|but|hey|hi|hello|yes|yeah|yep|no|nope|nah|wait|hold on|sorry|actually|also"
    r"|btw|fyi|please|pls|thanks|thank you|great|cool|hm+|ah|right|anyway|by the way|in fact|honestly|correction"
    r"|(?:as )?(?:it )?turn(?:s|ed) out(?: that)?"
    r"|oops)\b[\s,.!:;–—-]*)+",
    re.I,
)
_REQUEST = re.compile(
    r"^(?:.{0,40}?\b)?(?:(?:please|pls|can you|could you|would you|will you)\s+)*(?:"
    r"(?:save|store|put|add|write|commit|log|note|record|jot|keep)\s+(?:this|that|it|the following)?\s*"
    r"(?:down\s*)?"
    r"(?:(?:to|in|into|for)\s+(?:your\s+|the\s+|my\s+|long[- ]term\s+)*"
    r"(?:memory|memories|notes?|mind|vault|file|record|future reference|later))?"
    r"|(?:remember|memori[sz]e)(?:\s+(?:this|that))?|(?:don'?t|do not|never)\s+(?:ever\s+)?forget(?:\s+that)?"
    r"|make\s+a\s+(?:mental\s+)?note(?:\s+(?:that|of))?|take\s+(?:a\s+)?note(?:\s+(?:that|of))?"
    r"|bear in mind(?:\s+that)?|for the record|for (?:future|later) reference"
    r"|merk(?:e)? dir|vergiss (?:bitte )?nicht|recuerda(?: que)?|no olvides(?: que)?"
    r"|souviens[- ]toi(?: que)?|n'oublie pas(?: que)?|retiens(?: que)?)[\s,.:;–—-]*(?:that\s+)?",
    re.I,
)
_ADVERBS = (
    r"((?:really|always|usually|just|also|still|only|never|actually|definitely|generally|much|strongly|often"
    r"|mostly|now|absolutely)\s+)*"
)
_FIRST = re.compile(rf"\bI\s+(?P<adverbs>{_ADVERBS})(?P<verb>[a-z]+)\b(?!')", re.I)
_FIXED = (  # in this order
    (re.compile(r"\bI'?m\b|\bI am\b", re.I), "{who} is"),
    (re.compile(r"\bI'?ve\b|\bI have\b", re.I), "{who} has"),
    (re.compile(r"\bI'd\b", re.I), "{who} would"),
    (re.compile(r"\bI'll\b", re.I), "{who} will"),
    (re.compile(r"\bI (?:do not|don'?t)\b", re.I), "{who} does not"),
    (re.compile(r"\bI (can'?t|cannot)\b", re.I), "{who} cannot"),
)
_MINE = (
    (re.compile(r"\bmy\b", re.I), "{owner}"),
    (re.compile(r"\bmine\b", re.I), "{who}'s"),
    (re.compile(r"\b(?:me|myself)\b", re.I), "{who}"),
    (re.compile(r"\bI\b"), "{who}"),
)
_UNCHANGED = frozenset(
    "can could may might must shall should will would cannot was had did went got made took saw came ran won met "
    "left built found bought began became learnt thought told said wrote read kept lost sold sent felt knew gave "
    "grew held heard hit led let paid put set spent spoke stood taught understood wore quit cut beat chose drove "
    "ate drank slept need".split()
)
_VALUES = (
    re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.I),
    re.compile(r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b", re.I),
    re.compile(r"\b\d{1,2}(?::\d\d)? ?(?:am|pm|o'clock)\b|\b\d{1,2}:\d\d\b", re.I),
    re.compile(r"(?<![\w.])[$€£]?\d+(?:[.,:/]\d+)*(?:%|[a-z]{1,2}\b)?", re.I),
)
_LY_VERBS = frozenset(("fly", "apply", "reply", "rely", "supply", "multiply", "comply"))


def without_request(sentence: str) -> str:
    """A sentence without the words that ask to remember it; the sentence itself if nothing else is in it."""
    text = sentence.strip()
    match = _REQUEST.match(text)
    rest = text[match.end() :].strip(" \t:,-–—") if match and match.end() else text
    if not re.search(r"\w", rest):
        return text
    first = rest.split(" ", 1)[0]
    return rest[:1].upper() + rest[1:] if rest != text and first.strip(",'’s").isalpha() else rest


def title(text: str, speaker: str, name: str = "") -> str:
    """A title of at most TITLE_CHARS characters, in the third person where the user speaks of themselves."""
    line = next((line.strip() for line in text.split("\n") if line.strip()), "").lstrip("#->* ").strip()
    line = _OPENING.sub("", line) or line
    if speaker == "user":
        line = third_person(line, name if name and name.lower() not in _GENERIC else "User")
    line = line[:1].upper() + line[1:]
    return _cut(line.rstrip(" .,;:!"))


_GENERIC = frozenset(("user", "human", "me", "you", "i"))


def mended(wrong: str, right: str) -> str:
    """A statement with the value that a correction names: "It is on Monday", "no, Tuesday" -> "It is on Tuesday".

    "" unless each of them has exactly one value of the same kind: a weekday, a month, a time, a number.
    """
    for pattern in _VALUES:
        old, new = set(pattern.findall(wrong)), set(pattern.findall(right))
        if new:
            fits = len(old) == len(new) == 1 and old != new
            return wrong.replace(old.pop(), new.pop()) if fits else ""
    return ""


def third_person(sentence: str, who: str) -> str:
    """A sentence about "I" as one about `who`; other sentences as they are."""
    text = sentence.replace("’", "'")
    for pattern, said in _FIXED:
        text = pattern.sub(said.format(who=who), text)
    text = _FIRST.sub(lambda match: f"{who} {match['adverbs']}{_conjugated(match['verb'])}", text)
    owner = "their" if re.match(rf"{re.escape(who)}\b(?!')", text) else f"{who}'s"
    for pattern, said in _MINE:
        text = pattern.sub(said.format(who=who, owner=owner), text)
    return text


def _conjugated(verb: str) -> str:
    """The form of a verb after "he": prefer -> prefers. Past tenses and modals stay."""
    lower = verb.lower()
    if lower in _UNCHANGED or lower.endswith("ed") or (lower.endswith("ly") and lower not in _LY_VERBS):
        return verb
    if lower == "do":
        return "does"
    if lower.endswith(("s", "x", "z", "ch", "sh")) or lower == "go":
        return verb + "es"
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def _cut(text: str) -> str:
    if len(text) <= TITLE_CHARS:
        return text
    return text[:TITLE_CHARS].rsplit(" ", 1)[0].rstrip(" .,;:")
