"""The auto-persist triggers of the legacy protocol, and plain facts, as rules about one sentence of a chat.

Evidence for a trigger adds up as independent probabilities do; hedges, questions and suppositions are subtracted.
The rules know English well, and the most common phrases of German, Spanish and French.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from mdmem.language.cues.signs import AGAINST
from mdmem.language.doubt import REPORTED, SUPPOSED, normal
from mdmem.language.phrases import CUES, PARTS, RULES
from mdmem.language.speech import declared, health
from mdmem.language.speech.declared import SentencePlace

TRIGGERS = (
    "save",
    "correction",
    "preference",
    "learning",
    "milestone",
    "fact",
)  # at equal confidence the first one wins
MIN_CONFIDENCE = 0.5
_BY_CUES_ALONE = {  # confidence that a sentence needs if no rule fires; higher where cues misled most
    ("user", "save"): 0.65,
    ("user", "preference"): 0.7,
    ("user", "learning"): 0.6,
    ("assistant", "learning"): 0.65,
    ("assistant", "milestone"): 0.65,
}
_ASSISTANT = ("learning", "milestone")  # triggers that an assistant's own words can have
_SURE_OF_ASSISTANT = 0.85
_PLAIN_RULE = 0.75  # confidence at which a rule is enough for a review, if nothing speaks against it (0-1)
_SUREST = 0.98  # highest confidence that a rule is given (0-1)
_SETTLED = 0.7  # confidence that an answer to "which port does it use?" is worth a memory (0-1)
_RULED_WORDS = math.log(9)  # the least length (log of the number of words) for a sentence on which a rule fires

_HEDGE = re.compile(
    r"\b(?:maybe|might|perhaps|probably|possibly|not sure|i think|i guess|i suppose|kind of wonder"
    r"|hopefully|almost|nearly|soon|not yet|about to|going to|gonna|will be|plan(?:ning)? to|hope to"
    r"|want to|trying to|wondering|could be|should be (?:done|live|finished)|once (?:i|we|it)|as soon as"
    r"|until)\b"
)
_PASSING = re.compile(
    r"\b(?:today|right now|at the moment|tonight|this time|this one|these days i'm so|so tired)\b"
)
# Where a sentence turns from a statement to a question: "my name is Ada, what is yours?"
THEN_ASKS = re.compile(
    r",\s+(?:and |so |but )?"
    r"(?=(?:what|how|which|where|who|when|why|can|could|would|should|is|are|do|does|did|any)\b)",
    re.I,
)
_AT_HAND = re.compile(
    r"\b(?:this|these|here|there'?s|now|currently|just|yesterday|tomorrow|last (?:night|week)|todav[ií]a|hoy"
    r"|heute"
    r"|gerade|aujourd'hui|en ce moment)\b"
)
_MISSED = re.compile(r"n't\b|\b(?:not|should have|supposed|would have|could have)\b")
_GENERAL = re.compile(r"\b(?:usually|often|typically|generally|can|may|could|should|sometimes|tend(?:s)? to)\b")
_PAST = re.compile(r"\b(?:turns out|was|were|had|did|found|came|went|got|now|since|\w{3,}ed)\b|\d")
_OWN_PLAN = re.compile(r"\bi(?:'ll| will|'m going to| am going to| always| usually| should| just)\b")
_OTHERS = re.compile(r"^(?:\w+[,!.] )*you(?:'ve|'re)?\b")
_PEOPLE = re.compile(r"\b(?:she|he|her|his|him)\b")
_QUOTED = re.compile(r"\"[^\"]{3,}(?:\"|$)|“[^”]{3,}”|`[^`]+`")
_POLITE = re.compile(
    r"\b(?:can|could|would|will|won't|(?:may|might) i ask) you\b|\b(?:please|pls|ok|okay|right|kannst du|puedes"
    r"|tu peux)\b"
)
_RECALLING = re.compile(
    r"\b(?:do|did|does|can|could) (?:you|i|we|anyone) (?:still |even )?remember\b"
    r"(?! (?:something|this|that|it) for me)|\bremember (?:when|how"
    r"|the time|what|who|where|last)\b|\bi (?:still |don'?t |can'?t |do )?remember\b"
    r"|\bas far as i remember\b|\bremember me\b"
)
_REFUSAL = re.compile(
    r"(?<!\bi )(?<!\bwe )(?<!\bthey )(?:\b(?:do not|never|no need to|must not|should not|don't|mustn't"
    r"|shouldn't))"
    r" (?:ever |you ever )?(?:save|store|remember|memori[sz]e|record|capture|note down|write down)"
    r" (?:this|that|it|any of (?:this|that))\b"
    r"|\boff the record\b|\bforget (?:that )?i (?:ever )?(?:said|told|mentioned)\b"
    r"|\b(?:merk dir|speicher(?:e|n)?|notier(?:e)?) (?:das|es|dies) (?:bitte )?nicht\b"
    r"|\b(?:nicht|nichts davon) (?:merken|speichern|notieren)\b"
    r"|\bno (?:lo |la )?(?:guardes|recuerdes|anotes|apuntes)\b|\bne (?:le |la |l')?(?:retiens|note|garde) pas\b"
)


class Match(NamedTuple):
    """A trigger that fired on a sentence, the confidence in it (0-1), and the reason."""

    trigger: str
    confidence: float
    why: str


def best(sentence: str, speaker: str, place: SentencePlace = declared.ANYWHERE) -> Match | None:
    """The surest trigger of a sentence by a "user" or an "assistant"; None below MIN_CONFIDENCE.

    The evidence of rules and cues for and against it, and the place of the sentence in the chat, are weighed
    together.
    """
    by_rule = _by_rules(sentence, speaker)
    if place.settles and not by_rule:
        by_rule = [Match("fact", _SETTLED, "answers how something is set up")]
    if by_rule and _stands_by_itself(by_rule[0], speaker, place):
        return by_rule[0]
    if speaker == "assistant" and not by_rule and not declared.may_be(_ASSISTANT, sentence):
        return None
    weighed = _features(sentence, speaker, place, by_rule)
    said = declared.weigh(weighed)
    trigger = by_rule[0].trigger if by_rule else said.kind
    allowed = _ASSISTANT if speaker == "assistant" else TRIGGERS
    sure = max(said.confidence, MIN_CONFIDENCE) if _is_plain(by_rule, weighed) else said.confidence
    if place.between_people or trigger not in allowed or sure < MIN_CONFIDENCE:
        return None
    return Match(trigger, sure, by_rule[0].why if by_rule else f"states something lasting: {said.cue}")


def _is_plain(by_rule: Sequence[Match], weighed: Mapping[str, float]) -> bool:
    """Whether a rule fires and nothing speaks against it. A correction may refer to what is wrong."""
    if not by_rule or by_rule[0].confidence < _PLAIN_RULE:
        return False
    pointing = {"points"} if by_rule[0].trigger == "correction" else set()
    return (AGAINST - pointing | {"addresses"}).isdisjoint(weighed)


def _stands_by_itself(match: Match, speaker: str, place: SentencePlace) -> bool:
    """Whether a match has the confidence of its rule, without weighing.

    That is so for an explicit request to save, for what an assistant surely found out, and in chats between
    people, where only rules count, since people tell each other so much.
    """
    if match.trigger == "save" or place.between_people:
        return True
    return speaker == "assistant" and match.confidence >= _SURE_OF_ASSISTANT


def features(sentence: str, speaker: str, place: SentencePlace) -> dict[str, float]:
    """The features that are weighed: the cues of a sentence, its place in the chat, and the rules that fired."""
    return _features(sentence, speaker, place, _by_rules(sentence, speaker))


def _features(sentence: str, speaker: str, place: SentencePlace, by_rule: Sequence[Match]) -> dict[str, float]:
    if not by_rule:
        return declared.features(sentence, place, speaker == "assistant")
    place = place._replace(opens=False, in_request=False)  # a rule knows what it reads, wherever that stands
    found = declared.features(sentence, place, speaker == "assistant")
    found["no cue"] *= by_rule[0].trigger != "correction"  # what it corrects is the cue
    found["words"] = max(found["words"], _RULED_WORDS)
    sure = min(by_rule[0].confidence, _SUREST)
    found["sureness of a rule"] = math.log(sure / (1 - sure))
    return found | {f"rule {match.trigger}": 1.0 for match in by_rule}


def _by_rules(sentence: str, speaker: str) -> list[Match]:
    """The matches of the rules that fire on a sentence, the surest first."""
    allowed = _ASSISTANT if speaker == "assistant" else TRIGGERS
    text = normal(sentence)
    found = [match for trigger in allowed if (match := _weighed(trigger, text, speaker))]
    return sorted(found, key=lambda match: (-match.confidence, TRIGGERS.index(match.trigger)))


def refuses(sentence: str) -> bool:
    """Whether a sentence asks not to keep what is said."""
    return bool(_REFUSAL.search(normal(sentence)))


def _weighed(trigger: str, text: str, speaker: str) -> Match | None:
    """All evidence for a trigger: the surest rule, and each cue as a further probability that it is right."""
    rules = [(sure, why, found) for sure, why, pattern in _rules(trigger) if (found := pattern.search(text))]
    cues = [(weight, found) for weight, pattern in _cues(trigger) if (found := pattern.search(text))]
    if rules:
        sure, why, found = max(rules, key=lambda rule: rule[0])
        least = MIN_CONFIDENCE
    elif len(cues) > 1:
        sure, why, found = 0.0, "several cues", cues[0][1]
        least = _BY_CUES_ALONE.get((speaker, trigger), MIN_CONFIDENCE)
    else:
        return None
    miss = math.prod([1 - sure, *(1 - weight for weight, _ in cues)])
    confidence = round(1 - miss - _doubt(trigger, text, speaker, *found.span()), 2)
    return Match(trigger, confidence, why) if confidence >= least else None


@cache
def _rules(trigger: str) -> list[tuple[float, str, re.Pattern[str]]]:
    return [(sure, why, _compiled(pattern)) for (name, sure, why), pattern in RULES.items() if name == trigger]


@cache
def _cues(trigger: str) -> list[tuple[float, re.Pattern[str]]]:
    return [(weight, _compiled(pattern)) for weight, pattern in CUES[trigger]]


def _compiled(pattern: str) -> re.Pattern[str]:
    for name, part in PARTS.items():
        pattern = pattern.replace(name, part)
    return re.compile(pattern)


def _doubt(trigger: str, text: str, speaker: str, start: int, end: int) -> float:
    """What speaks against a trigger whose words are at `start` to `end`, to subtract from its confidence."""
    if any(quote.start() <= start and end <= quote.end() for quote in _QUOTED.finditer(text)):
        return 1.0
    asks = text.rstrip(" )\"'").endswith("?")
    if trigger == "save":
        return 1.0 if _is_no_request(text, asks, end) else 0.0
    states_before_asking = trigger == "fact" and bool(THEN_ASKS.search(text, end))
    doubt = 0.5 if asks and not states_before_asking else 0.0
    doubt += sum(weight for weight, about, pattern in _DOUBTS if trigger in about and pattern.search(text))
    return doubt + _doubt_of_speaker(trigger, text, speaker, end)


def _doubt_of_speaker(trigger: str, text: str, speaker: str, end: int) -> float:
    """The doubt whether a statement is the speaker's own: another's milestone, or general knowledge."""
    if trigger == "milestone" and _OTHERS.search(text, 0, end):
        return 0.4
    if trigger == "learning" and speaker == "assistant" and not _PAST.search(text):
        return 0.3
    return 0.0


def _is_no_request(text: str, asks: bool, end: int) -> bool:
    """Whether the words of a request are only about remembering or a plan, or part of a mere question."""
    if _RECALLING.search(text) or _OWN_PLAN.search(text, 0, end):
        return True
    return asks and not _POLITE.search(text)


# (what is subtracted from the confidence, of these triggers, in sentences with such words)
_DOUBTS = (
    (0.3, TRIGGERS, SUPPOSED),
    (0.2, TRIGGERS, REPORTED),
    (0.4, ("preference", "fact"), _PASSING),
    (0.4, ("fact",), _AT_HAND),
    (0.3, ("milestone", "learning", "fact"), _HEDGE),
    (0.4, ("milestone",), _MISSED),
    (0.4, ("learning",), _GENERAL),
    (0.4, ("learning",), _PEOPLE),
    (0.4, ("preference",), _compiled(health.PATTERN)),  # what someone cannot tolerate is a fact
)
