"""Divides a sentence of somebody who speaks of themselves into clauses, and each clause into its parts.

This is not a full grammar: it only relies on the order of subject, auxiliaries, verb and object in English. Unlike
`statement`, which knows a table of verbs and returns words to compare, it takes any verb after "I", "we" or
"my ..." and returns words as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from mdmem.language import words
from mdmem.language.persons.english import LY_VERBS
from mdmem.language.sentence import plain
from mdmem.language.speech import tables
from mdmem.language.statement.tables import VERBS

_MOST_WORDS, _MOST_CHARS = 60, 500  # of a sentence that is looked at
_SHORT_WORD = 5  # characters up to which a word in -ly may be a verb
_LONGEST_NOUN_PHRASE = 5  # words of a subject that begins with "my"
_CONTRACTED = tuple((re.compile(pattern), said, marks) for pattern, said, marks in tables.CONTRACTED)
_PERSON_FIRST = re.compile(r"(?:I|[Ww]e|[Mm]y|[Oo]ur)\b")
_SPEAKER = re.compile(r"\b(?:I|we|my|our)\b", re.I)
_PERSON = r"(?:I|we|my|our|it|they|he|she|there|that's|it's|this|you|let's)"
_BOUNDARY = re.compile(
    r"\s*(?:[;…]|:(?!\d)|\.\.\.|\s[-–—]+(?=\s))\s*"
    r"|,?\s+(?:so(?! (?:much|many|far|that|often|on)\b)|but|because|though|although|yet(?= I\b)|whereas)\s+"
    rf"|(?:,\s*|\s+)(?:and|plus|then)\s+(?={_PERSON}\b)"
    rf"|,\s*(?={_PERSON}\b)"
    r"|,\s+(?=(?:[a-z]+\s){1,3}(?:is|are|was|were|has|have|will|can)\b)"
    r"|,\s*(?:which|where|who|especially|like when|right)\b.*?(?=,|$)"
)
_INTERJECTION = re.compile(
    r"^(?:(?:wow|whoa|woah|man|haha|lol|omg|aw+|ooh|yay|hey|hi|yup|yep|yeah|hmm|oh|ah|plus|also|and|but|so|because"
    r"|since(?= I\b(?! was \d))|anyway|luckily|unfortunately|fortunately|sadly|honestly|actually|basically"
    r"|thankfully|like|well|thanks|by the way|btw|as for me|personally|even|then|definitely|sure|no problem"
    r"|same here|me too|sounds great)"
    r"\b[\s,!.:-]*)+",
    re.I,
)
_OPINION = re.compile(
    r"^(?P<verb>I (?:also |really |just |truly |do )*(?:think|believe|feel|guess|know|find|must say|have to say"
    r"|am sure|am afraid|realized|realised)(?: like)?(?: that)?),? (?=(?:I|we|my|our)\b)",
    re.I,
)
_FRONT = re.compile(
    r"^(?P<front>[^,]{2,60}),\s+(?=(?:I|we|my|our)\b)"
    r"|^(?P<time>(?:yesterday|today|tonight|tomorrow|now|recently|lately|currently|in \d{4}|(?:last|this|next)"
    r" (?:week|weekend|month|year|morning|evening|summer|winter|spring|fall|\w+day|mon|tues?"
    r"|wed|thu(?:rs)?|fri|sat|sun)"
    r"|on \w+day|\w+ \w+ ago))\s+(?=(?:I|we)\b)",
    re.I,
)
_TIMED = re.compile(
    r"^(?:yesterday|today|tonight|tomorrow|recently|lately|nowadays|currently|now|soon|later|earlier|once"
    r"|these days|(?:last|this|next|every|each|the other|the past|back in|in|on|at|since|for|after|before|during"
    r"|over|from|when|while|as|one|a few|two|three|some)\b.*|.*\bago|growing up)$",
    re.I,
)
_ENDING = re.compile(
    r"(?:[\s,]*(?:\b(?:too|as well|though|haha|lol|(?<=,) right|right now|at the moment|you know|by the way|btw"
    r"|as always|for sure|of course|after all|and all|no matter what|so much|a lot|very much)\b"
    r"|[^\w\s,'\")\]%]))+$",
    re.I,
)


_ONLY_FELT = tables.FEELINGS - {"lost", "moved"} - tables.TELLING_ING
_FINITE = tables.BE | tables.HAVE | tables.DO | tables.MODALS
_HELPING = tables.BE | tables.HAVE | tables.DO
_OF_OBJECT = tables.PARTICLES | tables.DETERMINERS  # words with which an object begins
_WITHOUT_MEANING = tables.ADVERBS | {"not"}
_NOT_TOLD_WITHOUT_I = frozenset("been gone done seen made set read put let".split())


class Clause(NamedTuple):
    """A clause, as it is written except for `verb`, `helpers` and `adverbs`, which are in lower case.

    `subject` is "I", "we" or "my daughter"; it is "I" if it is left out (`elided`). `helpers` are the auxiliaries,
    `verb` is the main verb and `rest` what follows it. `front` is a time phrase before the subject; `opinion` is
    whether the clause is only what the speaker thinks.
    """

    subject: str
    helpers: tuple[str, ...]
    adverbs: tuple[str, ...]
    negated: bool
    verb: str
    rest: str
    front: str = ""
    opinion: bool = False
    elided: bool = False

    @property
    def is_own(self) -> bool:
        """Whether the speaker, alone or with others, is the subject."""
        return self.subject.lower() in ("i", "we")


def divide(sentence: str, hearers: Sequence[str] = ()) -> Iterator[Clause]:
    """The clauses of a sentence whose subject is "I", "we" or "my ...", also if "I" is left out.

    `hearers` are the names by which somebody may be addressed: "Thanks, Jon, I ..."
    """
    if sentence.count(" ") > _MOST_WORDS or len(sentence) > _MOST_CHARS:
        return
    text = expanded(_unaddressed(sentence, hearers))
    speaks_of_self = _SPEAKER.search(text)
    for number, part in enumerate(_parts(text)):
        if number and not speaks_of_self:  # only the first part may leave "I" out
            return
        clause = _clause(part, may_elide=number == 0)
        if clause:
            yield from _coordinated(clause)


def expanded(sentence: str) -> str:
    """A sentence without contractions: "I've" as "I have"."""
    text = " ".join(sentence.replace("’", "'").replace("‘", "'").split())
    for pattern, said, marks in _CONTRACTED:
        for mark in marks:
            if mark in text:
                text = pattern.sub(said, text)
                break
    return text


def _unaddressed(sentence: str, hearers: Sequence[str]) -> str:
    for addressing in _addressing(tuple(hearers)):
        sentence = addressing.sub("", sentence)
    return sentence


@lru_cache(maxsize=64)
def _addressing(hearers: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """Patterns for the names of those addressed, at the beginning of a sentence and within it."""
    names = "|".join(re.escape(name) for name in hearers if name)
    if not names:
        return ()
    greeting = rf"^(?:(?:hey|hi|hello|thanks|wow|yeah|oh|ok|cool|totally agree)?,? ?(?:{names})[,!]\s+)"
    return re.compile(greeting, re.I), re.compile(rf",\s+(?:{names})(?=\s*(?:[,.!?-]|$))")


def bare(word: str) -> str:
    """A word in lower case without the punctuation around it."""
    return word.lower().strip('.,!?;:…"()*_~')


def is_past(word: str) -> bool:
    """Whether a verb in lower case is a past form or a past participle."""
    if word.endswith("ed") and len(word) > 3:
        return word not in tables.ENDING_IN_ED
    return word in words.pasts() or word in words.UNCHANGED_PASTS


def _parts(text: str) -> Iterator[str]:
    """A sentence cut at the ends of its clauses. A time phrase in front stays with the clause that follows it."""
    start = 0
    for boundary in _BOUNDARY.finditer(text):
        part = text[start : boundary.start()].strip(" ,")
        is_front = boundary[0].startswith(",") and _TIMED.match(_INTERJECTION.sub("", part))
        if part and not is_front:
            yield part
        if not is_front:
            start = boundary.end()
    if part := text[start:].strip(" ,"):
        yield part


def _clause(part: str, may_elide: bool) -> Clause | None:
    part = _INTERJECTION.sub("", plain(part) or part).strip(" ,")
    opinion = _OPINION.match(part)
    if opinion:
        part = part[opinion.end() :]
    front = ""
    if not bool(_PERSON_FIRST.match(part)) and (before := _FRONT.match(part)):
        front = (before["front"] or before["time"]).strip(" ,")
        if not _TIMED.match(front):
            return None
        part = part[before.end() :]
    clause = _of_person(part) or (_elided(part) if may_elide and not front else None)
    return clause._replace(front=front, opinion=bool(opinion)) if clause else None


def _coordinated(clause: Clause) -> Iterator[Clause]:
    """A clause, or two if its subject did two things: "went to Rome and saw the Forum"."""
    tokens = clause.rest.split()
    has_happened = is_past(clause.verb) or not tables.HAVE.isdisjoint(clause.helpers)
    for at in range(1, len(tokens) - 2) if has_happened else ():
        behind = [token for token in tokens[at + 1 : at + 4] if bare(token) not in tables.ADVERBS]
        if bare(tokens[at]) == "and" and len(behind) > 1 and _does_something(bare(behind[0]), bare(behind[1])):
            start = tokens.index(behind[0], at)
            yield clause._replace(rest=" ".join(tokens[:at]).rstrip(" ,"))
            second = _verb_group(clause.subject, [*clause.helpers[:0], *tokens[start:]])
            if second:
                yield from _coordinated(second._replace(front=clause.front, opinion=clause.opinion))
            return
    yield clause


def _does_something(verb: str, following: str) -> bool:
    """Whether a word is the past form of a verb with something after it, and not an adjective."""
    is_object = following in _OF_OBJECT
    return is_past(verb) and verb not in tables.FEELINGS and (is_object or not verb.endswith("ed"))


def _of_person(part: str) -> Clause | None:
    tokens = part.split()
    first = tokens[0] if tokens else ""
    if first in ("I", "We", "we"):
        return _verb_group(first, tokens[1:])
    if first.lower() in ("my", "our"):
        end = _end_of_noun_phrase(tokens)
        while end > 1 and bare(tokens[end - 1]) in tables.ADVERBS:
            end -= 1
        return _verb_group(" ".join(tokens[:end]), tokens[end:]) if end > 1 else None
    return None


def _end_of_noun_phrase(tokens: Sequence[str]) -> int:
    """The position at which the verb after "my ..." begins; 0 if none is known."""
    for at in range(2, min(len(tokens), _LONGEST_NOUN_PHRASE + 1)):
        word, following = bare(tokens[at]), bare(tokens[at + 1]) if at + 1 < len(tokens) else ""
        if tokens[at - 1][-1:] in ",;:" or word in tables.PRONOUNS:
            return 0
        if bare(tokens[at - 1]) in tables.DETERMINERS:
            continue
        if word in _FINITE or (_may_be_finite(word) and following not in _FINITE):
            return at
    return 0


def _may_be_finite(word: str) -> bool:
    return word in _FINITE or word in VERBS or word in tables.OF_OTHERS or is_past(word)


def _elided(part: str) -> Clause | None:
    """The clause of a sentence that leaves out "I", such as "Lost my job yesterday."; None if there is none."""
    tokens = part.split()
    first = next((word for word in map(bare, tokens) if word not in tables.ADVERBS), "")
    if first in _ONLY_FELT:
        return None
    if _tells_activity(first, tokens):
        clause = _verb_group("I", ["am", *tokens])
    elif _tells_event(first, tokens):
        clause = _verb_group("I", tokens)
    else:
        return None
    return clause._replace(elided=True) if clause else None


def _tells_activity(first: str, tokens: Sequence[str]) -> bool:
    """Whether a sentence that begins with a verb in -ing says what its speaker does, unlike "Writing helps me"."""
    if not first.endswith("ing") or any(_is_finite(token) for token in tokens[1:]):
        return False
    is_ongoing = bare(tokens[0]) in ("still", "currently")
    return is_ongoing or (first in tables.TOLD_WITHOUT_I and _has_object(tokens))


def _tells_event(first: str, tokens: Sequence[str]) -> bool:
    """Whether a sentence that begins with a past verb says what its speaker did, unlike "Mixed feelings"."""
    if not first.isalpha() or not is_past(first) or first in _NOT_TOLD_WITHOUT_I:
        return False
    return _has_object(tokens) or not first.endswith("ed")


def _has_object(tokens: Sequence[str]) -> bool:
    return len(tokens) > 1 and bare(tokens[1]) in _OF_OBJECT


def _is_finite(token: str) -> bool:
    """Whether a word is a finite verb, so that its subject precedes it: "Starting a business takes courage"."""
    word = bare(token)
    return word in _FINITE or token.endswith("'s") or (word in VERBS and word.endswith("s"))


def _verb_group(subject: str, tokens: Sequence[str]) -> Clause | None:
    """The clause of a subject and the words after it: auxiliaries and adverbs, the verb, and the rest."""
    helpers: list[str] = []
    adverbs: list[str] = []
    negated = False
    for at, token in enumerate(tokens):
        word = bare(token)
        if word == "not":
            negated = True
        elif word == "cannot":
            helpers.append("cannot")
        elif word in tables.MODALS or (word in _HELPING and _helps(word, tokens[at + 1 :])):
            helpers.append(word)
        elif _is_adverb(word) and at + 1 < len(tokens):
            adverbs.append(word)
        else:
            rest = _ENDING.sub("", " ".join(tokens[at + 1 :]))
            is_word = word.isalpha() or re.fullmatch(r"[a-z]+-[a-z]{3,}", word)
            return Clause(subject, tuple(helpers), tuple(adverbs), negated, word, rest) if is_word else None
    return None


def _is_adverb(word: str) -> bool:
    """Whether a word before the verb is an adverb of the table, or looks like one: "slowly"."""
    return word in tables.ADVERBS or (len(word) > _SHORT_WORD and word.endswith("ly") and word not in LY_VERBS)


def _helps(word: str, behind: Sequence[str]) -> bool:
    """Whether a form of be, have or do is an auxiliary of the verb after it."""
    following = [bare(token) for token in behind[:4]]
    telling = [other for other in following if other not in _WITHOUT_MEANING]
    following = telling[:2]
    if not following:
        return False
    verb = following[0]
    if word in tables.DO:
        is_negated = bool(behind) and bare(behind[0]) == "not"
        return is_negated or verb in (
            "love",
            "like",
            "enjoy",
            "have",
            "want",
            "need",
            "prefer",
            "remember",
            "think",
            "know",
            "believe",
            "hope",
        )
    if word in tables.HAVE:
        return is_past(verb) or verb in ("been", "become", "come", "run")
    return verb.endswith("ing") and verb not in tables.ENDING_IN_ING
