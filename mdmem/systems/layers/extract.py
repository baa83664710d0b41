"""Draws from a dialog, without a model: facts about the speakers, open questions, next actions and a summary.

Weights tell which sentences (`worth.tells`). One in a plain form (`data/fact_forms.tsv`) becomes a triple in the
speaker's words. Any other is quoted, with what says more of it and the question that it answers: speaker · said ·
the sentences. Each fact carries its source sentences and their line in raw.md. A speaker goes by their name, or is
"user"; "yesterday" is resolved against the time of the turn. Only people speak for themselves: there are no facts
from what an assistant or a tool says, nor from what is quoted, asked, supposed, or asked not to be kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from mdmem.capture import dialogue, findings, triggers, utterances, worth
from mdmem.capture.turns import Turn, known_speaker
from mdmem.capture.utterances import Sentence
from mdmem.language import doubt
from mdmem.note import dates, naming, tsv
from mdmem.note.calendar import WEEKDAY_NAMES
from mdmem.note.facts import Fact, fact_id
from mdmem.systems.layers.dialog import JSON_FORMATS, Dialog
from mdmem.systems.layers.documents import BY_RULE, GIVEN, EntryMeta, EntrySummary

USER, SAID = "user", "said"
_KEPT = 0.4  # 0-1, how likely a sentence tells a fact from which it is one
_FORMED = 0.3  # the same for one in a plain form that is not about the speaker
_ALONG = 0.03  # the same for one that is kept with the sentence before it
_LONGEST = 4  # sentences of a quotation
_SHORT = 12  # words; a longer answer says itself what it is about
_LONGEST_QUESTION = 200  # characters
_MOST_NAMES = 50  # speakers whose names are looked for in what others say
_SURE, _SURER = 0.75, 0.9  # confidence of a triple in a plain form, at least; of who somebody is, or an allergy
_SUREST_QUOTED = 0.84  # confidence of a quotation, at most: what its type is may be wrong
_MOST_QUESTIONS, _MOST_ACTIONS = 10, 20
_IN_SUMMARY = 4  # facts in a summary
_LONGEST_SUMMARY = 600  # characters
_OBJECT = (
    r"(?P<object>[^,.;!?]+?)"
    r"(?=$|[,.;!?]| (?:and (?:i|we|it|he|she|they|my)|but|because|so|which|when|since|though|although|while)\b)"
)
_TASK = re.compile(
    r"^\s*(?:[-*+]\s+\[ \]\s+|(?:[-*+]\s+)?(?:todo|next steps?|action(?: item)?)\s*:\s*)(?P<text>\S.*)", re.I
)
_OPEN = re.compile(
    r"(?:\b(?:not|never)|n't) (?:yet )?(?:decided|clear)\b|\bnot sure (?:yet )?(?:if|whether|which|when|how)\b"
    r"|\b(?:(?:still )?(?:needs?|have|has) to (?:find out|decide|figure out)|open question|to be decided|tbd)\b",
    re.I,
)
_BY_DAY = re.compile(rf"\b(by|until|till|before)\s+({'|'.join(WEEKDAY_NAMES)})\b", re.I)
_SPEAKERS = re.compile(
    r"\b(?:i|me|mine|we|us|you|your|yours|(?:i|we|you|that|it)'\w+|this|these|that|those|it|them)\b", re.I
)
_OWN, _THE = re.compile(r"\b(?:my|our)\b", re.I), re.compile(r"^(?:the|our) ", re.I)
_ADDRESS = (
    r"(?:(?:hey|hi|hello|thanks|thank you|wow|yeah|yup|oh|aww*|haha|so true|same here)\b[,!.]* +)*"
    r"(?:{names})[,!.]+ +"
)


def summary_of(dialog: Dialog, meta: EntryMeta, given: Sequence[Fact] = ()) -> EntrySummary:
    """The summary of an entry, made by rule. Facts that are `given` come first; no rule reads their sentences."""
    turns = spoken(dialog)
    drawn = _facts(turns, meta, dialog.format in JSON_FORMATS)
    facts = (*given, *(fact for fact in drawn if not any(_is_same(fact, other) for other in given)))
    return EntrySummary(
        meta.entry_id,
        meta.time,
        _summary(facts, dialog.text),
        facts,
        tuple(_open_questions(turns))[:_MOST_QUESTIONS],
        tuple(_next_actions(turns, facts))[:_MOST_ACTIONS],
        GIVEN if given else BY_RULE,
    )


def _is_same(fact: Fact, other: Fact) -> bool:
    """Whether two facts are one, or stand in the same sentence."""
    ours, theirs = (" ".join(one.sentence.split()) for one in (fact, other))
    is_one_sentence = fact.line == other.line and (ours in theirs or theirs in ours)
    return is_one_sentence or fact_id(fact) == fact_id(other)


Spoken = tuple[Turn, tuple[Sentence, ...]]  # a turn and its sentences


class Statement(NamedTuple):
    """A sentence in which a person states something: `said` is what it says, without whom it addresses.

    `heard` is the same with "you" for the names of who takes part; `place` tells what was said before its turn,
    which was on `day`. `share` is how likely it tells a fact worth keeping (0-1), `triples` are its facts if it is
    in plain forms.
    """

    turn: Turn
    sentence: Sentence
    said: str
    heard: str
    place: worth.Place
    day: date
    share: float
    triples: tuple[Fact, ...]


def spoken(dialog: Dialog) -> list[Spoken]:
    """The turns of a dialog. A text without speakers is one turn of its writer, without the lines of others."""
    turns: Iterable[Turn] = dialog.turns
    if not dialog.turns:
        lines = dialog.text.replace("\r\n", "\n").split("\n")
        turns = [Turn("user", "\n".join("" if dialogue.is_labelled(line) else line for line in lines), 1)]
    return [(turn, tuple(utterances.sentences(turn))) for turn in turns]


# -- facts -------------------------------------------------------------------------------------------------


def statements(turns: Sequence[Spoken], time: str) -> Iterator[Statement]:
    """What people state in the turns, sentence by sentence: what is not quoted, asked, supposed or reported.

    `time` is that of turns without one (RFC 3339).
    """
    first_names = dict.fromkeys(re.escape(part) for turn, _ in turns for part in turn.name.split()[:1])
    names = "|".join([*first_names][:_MOST_NAMES]) or "(?!)"
    address, name = re.compile(_ADDRESS.format(names=names), re.I), re.compile(rf"\b(?:{names})\b")
    place = worth.Place()
    for turn, sentences in turns:
        day, who = date.fromisoformat((turn.when or time)[:10]), speaker_of(turn)
        for sentence in sentences if _is_of_person(turn, sentences) else ():
            is_told = not (sentence.quoted or worth.is_question(sentence.text))
            if is_told and doubt.is_meant(sentence.text):
                said = triggers.without_opener(address.sub("", sentence.text, count=1)).replace("’", "'")
                heard = name.sub("you", said)
                share = worth.tells(heard, place)
                formed = [one for one in _formed(said, who, day) if one.subject == who or share >= _FORMED]
                triples = (one._replace(confidence=round(max(one.confidence, share), 2)) for one in formed)
                yield Statement(turn, sentence, said, heard, place, day, share, tuple(triples))
        if sentences:
            place = worth.Place("user", sentences[-1].text, turn.speaker)


def _is_of_person(turn: Turn, sentences: Iterable[Sentence]) -> bool:
    """Whether a person speaks for themselves in a turn, and does not ask not to keep it."""
    return turn.speaker == "user" and not (
        utterances.is_recalled(turn.text) or any(triggers.says(one.text, "refusal") for one in sentences)
    )


def _facts(turns: Sequence[Spoken], meta: EntryMeta, is_json: bool) -> list[Fact]:
    """The facts of the turns, each once: as first stated, with the highest confidence of all its statements."""
    found: dict[str, Fact] = {}
    for passage in _passages(statements(turns, meta.time)):
        first, sentence = passage[0], " ".join(one.sentence.text for one in passage)
        line = first.turn.line if is_json else first.sentence.line  # a turn in JSON is on one line
        for fact in first.triples or _quoted(passage):
            sourced = fact._replace(entry_id=meta.entry_id, entry_ts=meta.time, sentence=sentence, line=line)
            known = found.get(fact_id(fact), sourced)
            found[fact_id(fact)] = known._replace(confidence=max(known.confidence, fact.confidence))
    return list(found.values())


def _passages(told: Iterable[Statement]) -> list[list[Statement]]:
    """Statements, each with those right after it that say more of it."""
    passages: list[list[Statement]] = []
    for one in told:
        if passages and _says_more(one, passages[-1]):
            passages[-1].append(one)
        else:
            passages.append([one])
    return passages


def _says_more(one: Statement, passage: Sequence[Statement]) -> bool:
    """Whether a statement belongs to the passage right before it. One in a plain form stands alone."""
    first, last, here = passage[0], passage[-1].sentence, one.sentence
    follows = one.turn is first.turn and (here.at, here.line) == (last.at + 1, last.line)
    is_of_it = first.share >= _ALONG and (one.share >= _ALONG or worth.points(one.said))
    return follows and is_of_it and len(passage) < _LONGEST and not (first.triples or one.triples)


def _quoted(passage: Sequence[Statement]) -> Iterator[Fact]:
    """A passage as a quotation, if it is likely enough that it tells a fact."""
    share, who = max(one.share for one in passage), speaker_of(passage[0].turn)
    if share >= _KEPT:
        said = " ".join(one.said for one in passage).rstrip(" .!")
        kind = type_of(said)
        told = _dated(said, passage[0].day, ahead=kind != "event")
        told = f"{told[:1].upper()}{told[1:]}{_asked(passage[0])}"
        yield Fact(who, SAID, told, kind, span_of(kind), round(min(share, _SUREST_QUOTED), 2))


def _asked(first: Statement) -> str:
    """The question that a statement answers, in parentheses, if it cannot be understood alone."""
    asked = first.place.before
    needs_it = len(first.said.split()) <= _SHORT or worth.points(first.said)
    is_asked = worth.is_question(asked) and len(asked) <= _LONGEST_QUESTION
    return f" (asked: {asked})" if is_asked and needs_it else ""


@cache
def _types() -> dict[str, tuple[str, frozenset[str]]]:
    """Type -> its time span, and the kinds of words that tell it; those that are sought first first."""
    rows = tsv.rows(__file__, "fact_types.tsv", 3)
    return {type: (span, frozenset(kinds.split())) for type, span, kinds in rows}


def type_of(sentence: str) -> str:
    """The type of the fact in a sentence, by the kinds of its words."""
    kinds = worth.kinds_of(sentence)
    return next((type for type, (_, telling) in _types().items() if telling & kinds), "trait")


def span_of(type: str) -> str:
    """The time span of a fact of a type, where nothing else tells it."""
    return _types()[type][0]


class _Form(NamedTuple):
    """A form of sentence that states a fact, and how sure the fact is (0-1)."""

    type: str
    span: str
    relation: str
    pattern: re.Pattern[str]
    sure: float


@cache
def _forms() -> list[_Form]:
    forms = []
    for type, span, relation, pattern in tsv.rows(__file__, "fact_forms.tsv", 4):
        sure = _SURER if type == "identity" or "allergic" in relation else _SURE
        forms.append(_Form(type, span, relation, re.compile(pattern.replace("{o}", _OBJECT), re.I), sure))
    return forms


def _formed(said: str, who: str, day: date) -> Iterator[Fact]:
    """The facts that a sentence states in plain forms, none within another.

    Who somebody is may stand anywhere in it. Any other form has to be the whole sentence: a part of it would be
    less than what was said.
    """
    taken: list[tuple[int, int]] = []
    whole = 0, len(said.rstrip(" .!"))
    for form in _forms():
        found = form.pattern.search(said)
        if found is None or any(start < found.end() and found.start() < end for start, end in taken):
            continue
        told = found["object"].strip()
        if (found.span() == whole or form.sure == _SURER) and naming.telling(told) and not _SPEAKERS.search(told):
            taken.append(found.span())
            yield _fact(form, found, told, day, who)


def _fact(form: _Form, found: re.Match[str], told: str, day: date, who: str) -> Fact:
    groups = found.groupdict()
    verb, noun = (" ".join((groups.get(name) or "").split()) for name in ("verb", "noun"))
    relation = form.relation.replace("[verb]", verb.lower()).replace("[noun]", noun)
    thing = " ".join((groups.get("subject") or "").split())
    owner = f"{who}'s" if thing else "their"
    subject, told = _OWN.sub(owner, _THE.sub("", thing)) or who, _OWN.sub(owner, told)
    on = "on " if form.type == "constraint" and told.lower() in WEEKDAY_NAMES else ""
    told = _dated(on + told, day, ahead=form.span != "past").removeprefix(on)
    return Fact(subject, relation, told, form.type, form.span, form.sure)


def _dated(text: str, today: date, ahead: bool) -> str:
    """A text with "yesterday", "by Friday" and the like replaced by dates."""
    return dates.resolved(_BY_DAY.sub(r"\1 on \2", text), today, ahead)


def speaker_of(turn: Turn) -> str:
    """The speaker as the subject of facts: a name, or "user" for the person whose chat it is."""
    name = findings.speaker_name(turn.speaker, turn.name)
    return USER if name == "the user" or known_speaker(name) == "user" else name


# -- open questions, next actions and the summary ----------------------------------------------------------


def _open_questions(turns: Sequence[Spoken]) -> Iterator[str]:
    """Questions at the end that nobody answers, and what people call undecided; no small talk."""
    for number, (turn, sentences) in enumerate(turns):
        is_last = number == len(turns) - 1
        for sentence in sentences if turn.speaker == "user" else ():
            text = " ".join(sentence.text.split())
            asks, kinds = worth.is_question(text), worth.kinds_of(text)
            is_real = asks and is_last and "ask" in kinds and "you" not in kinds
            if is_real or not (asks or sentence.quoted or not _OPEN.search(text)):
                who = speaker_of(turn)
                yield text if who == USER else f"{who}: {text}"


def _next_actions(turns: Sequence[Spoken], facts: Sequence[Fact]) -> Iterator[str]:
    """Lines of people that are marked as tasks, and what they promised."""
    for turn, _ in turns:
        for line in turn.text.split("\n") if turn.speaker == "user" else ():
            if task := _TASK.match(line):
                yield task["text"].strip()
    for fact in facts:
        if fact.type == "commitment" and fact.relation != SAID and not _OPEN.search(told(fact)):
            yield as_sentence(fact)


def told(fact: Fact) -> str:
    """A fact as plain words: "user lives in Porto"."""
    return f"{fact.subject} {fact.relation} {fact.object}"


def as_sentence(fact: Fact) -> str:
    """A fact as a sentence: "User lives in Porto." """
    words = told(fact).rstrip(".")
    return f"{words[:1].upper()}{words[1:]}."


def _summary(facts: Sequence[Fact], text: str) -> str:
    """The surest facts, in order; without facts, the first line of the text."""
    surest = sorted(range(len(facts)), key=lambda at: -facts[at].confidence)[:_IN_SUMMARY]
    sentences = [as_sentence(facts[at]) for at in sorted(surest)]
    first = next(filter(None, (line.strip(" #>*-") for line in text.split("\n"))), "")
    return " ".join(sentences)[:_LONGEST_SUMMARY] or first[:200]
