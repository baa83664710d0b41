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
_LIMITS = re.compile(
    r"\b(?:must|deadline|budget|limit|due|maximum|minimum|quota|allowed|required|expires?)\b", re.I
)
_SPEAKERS = re.compile(
    r"\b(?:i|me|mine|we|us|you|your|yours|(?:i|we|you|that|it)'\w+|this|these|that|those|it|them)\b", re.I
)
_OWN = re.compile(r"\b(?:my|our)\b", re.I)
_ADDRESS = (
    r"(?:(?:hey|hi|hello|thanks|thank you|wow|yeah|yup|oh|aww*|haha|so true|same here)\b[,!.]* +)*"
    r"(?:{names})[,!.]+ +"
)
_QUESTION = re.compile(
    r"\b(?:what|which|when|where|who|whom|how|why|should|can|could|is|are|do|does|will)\b", re.I
)
_SMALL_TALK = re.compile(r"\b(?:you|your|how about|ready|excited|right)\b", re.I)


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


class Spoken(NamedTuple):
    """A turn and its sentences."""

    turn: Turn
    sentences: tuple[Sentence, ...]


class Statement(NamedTuple):
    """A sentence in which a person states something: `said` is what it says, without whom it addresses.

    `heard` is the same with "you" for the names of who takes part; `place` tells what was said before its turn.
    `share` is how likely it tells a fact worth keeping (0-1), `triples` are its facts if it is in plain forms.
    """

    turn: Turn
    sentence: Sentence
    said: str
    heard: str
    place: worth.Place
    share: float = 0.0
    triples: tuple[Fact, ...] = ()


def spoken(dialog: Dialog) -> list[Spoken]:
    """The turns of a dialog. A text without speakers is one turn of its writer, without the lines of others."""
    turns: Iterable[Turn] = dialog.turns
    if not dialog.turns:
        lines = dialog.text.replace("\r\n", "\n").split("\n")
        turns = [Turn("user", "\n".join("" if dialogue.is_labelled(line) else line for line in lines), 1)]
    return [Spoken(turn, tuple(utterances.sentences(turn))) for turn in turns]


# -- facts -------------------------------------------------------------------------------------------------


def statements(turns: Sequence[Spoken]) -> Iterator[Statement]:
    """What people state in the turns, sentence by sentence: what is not quoted, asked, supposed or reported."""
    first_names = dict.fromkeys(re.escape(part) for turn, _ in turns for part in turn.name.split()[:1])
    names = "|".join([*first_names][:_MOST_NAMES]) or "(?!)"
    address, name = re.compile(_ADDRESS.format(names=names), re.I), re.compile(rf"\b(?:{names})\b")
    place = worth.Place()
    for turn, sentences in turns:
        for sentence in sentences if _is_of_person(turn, sentences) else ():
            is_told = not (sentence.quoted or worth.is_question(sentence.text))
            if is_told and not (doubt.is_supposed(sentence.text) or doubt.is_reported(sentence.text)):
                said = triggers.without_opener(address.sub("", sentence.text, count=1)).replace("’", "'")
                yield Statement(turn, sentence, said, name.sub("you", said), place)
        if sentences:
            place = worth.Place("user", sentences[-1].text, turn.speaker)


def _is_of_person(turn: Turn, sentences: Iterable[Sentence]) -> bool:
    """Whether a person speaks for themselves in a turn, and does not ask not to keep it."""
    if turn.speaker != "user" or utterances.is_recalled(turn.text):
        return False
    return not any(triggers.refuses(sentence.text) for sentence in sentences)


def _facts(turns: Sequence[Spoken], meta: EntryMeta, is_json: bool) -> list[Fact]:
    """The facts of the turns, each once: as first stated, with the highest confidence of all its statements."""
    found: dict[str, Fact] = {}
    for passage in _passages(_judged(one, meta) for one in statements(turns)):
        first, sentence = passage[0], " ".join(one.sentence.text for one in passage)
        line = first.turn.line if is_json else first.sentence.line  # a turn in JSON is on one line
        for fact in first.triples or _quoted(passage, _day(first, meta)):
            sourced = fact._replace(entry_id=meta.entry_id, entry_ts=meta.time, sentence=sentence, line=line)
            known = found.setdefault(fact_id(fact), sourced)
            if known.confidence < fact.confidence:
                found[fact_id(fact)] = known._replace(confidence=fact.confidence)
    return list(found.values())


def _day(stated: Statement, meta: EntryMeta) -> date:
    return date.fromisoformat((stated.turn.when or meta.time)[:10])


def _judged(stated: Statement, meta: EntryMeta) -> Statement:
    share, who = worth.tells(stated.heard, stated.place), speaker_of(stated.turn)
    formed = _formed(stated.said, who, _day(stated, meta))
    triples = [fact for fact in formed if fact.subject == who or share >= _FORMED]
    surer = (fact._replace(confidence=round(max(fact.confidence, share), 2)) for fact in triples)
    return stated._replace(share=share, triples=tuple(surer))


def _passages(judged: Iterable[Statement]) -> list[list[Statement]]:
    """Statements, each with those right after it that say more of it."""
    passages: list[list[Statement]] = []
    for one in judged:
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


def _quoted(passage: Sequence[Statement], day: date) -> Iterator[Fact]:
    """A passage as a quotation, if it is likely enough that it tells a fact."""
    share, who = max(one.share for one in passage), speaker_of(passage[0].turn)
    if share >= _KEPT:
        said = " ".join(one.said for one in passage).rstrip(" .!")
        kind = type_of(said)
        told = _dated(said, day, ahead=kind != "event")
        told = f"{told[:1].upper()}{told[1:]}{_asked(passage[0])}"
        yield Fact(who, SAID, told, kind, span_of(kind), round(min(share, _SUREST_QUOTED), 2))


def _asked(first: Statement) -> str:
    """The question that a statement answers, in parentheses, if it cannot be understood alone."""
    asked = first.place.before
    needs_it = len(first.said.split()) <= _SHORT or worth.points(first.said)
    is_asked = worth.is_question(asked) and len(asked) <= _LONGEST_QUESTION
    return f" (asked: {asked})" if is_asked and needs_it else ""


@cache
def _types() -> list[tuple[str, str, frozenset[str]]]:
    """(type, time span, kinds of words that tell it) of types of facts, those that are sought first first."""
    rows = tsv.rows(__file__, "fact_types.tsv", 3)
    return [(type, span, frozenset(kinds.split())) for type, span, kinds in rows]


def type_of(sentence: str) -> str:
    """The type of the fact in a sentence, by the kinds of its words."""
    kinds = worth.kinds_of(sentence)
    return next((type for type, _, telling in _types() if not telling.isdisjoint(kinds)), "trait")


def span_of(type: str) -> str:
    """The time span of a fact of a type, where nothing else tells it."""
    return next((span for known, span, _ in _types() if known == type), "current")


class _Form(NamedTuple):
    """A form of sentence that states a fact."""

    type: str
    span: str
    relation: str
    pattern: re.Pattern[str]


@cache
def _forms() -> list[_Form]:
    rows = tsv.rows(__file__, "fact_forms.tsv", 4)
    return [
        _Form(
            type, span, relation, re.compile(pattern.replace("{o}", _OBJECT), re.I if "A-Z" not in pattern else 0)
        )
        for type, span, relation, pattern in rows
    ]


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
        if (found.span() == whole or _is_sure(form)) and naming.telling(told) and not _SPEAKERS.search(told):
            taken.append(found.span())
            owner = f"{who}'s" if found.groupdict().get("subject") else "their"
            yield _fact(form, found, _OWN.sub(owner, told), day, who)


def _is_sure(form: _Form) -> bool:
    return form.type == "identity" or "allergic" in form.relation


def _fact(form: _Form, found: re.Match[str], told: str, day: date, who: str) -> Fact:
    groups = found.groupdict()
    subject = " ".join((groups.get("subject") or who).split())
    subject = subject[4:] if subject[:4].lower() in ("the ", "our ") else subject
    verb = " ".join((groups.get("verb") or "").lower().split())
    if groups.get("subject", "")[:3].lower() == "my ":
        subject = f"{who}'s {subject[3:]}"
    elif not groups.get("subject") and form.type == "preference":
        verb = f"{verb}s" if verb else ""
    relation = form.relation.replace("[verb]", verb).replace("[noun]", groups.get("noun") or "")
    is_limit = form.type == "trait" and bool(_LIMITS.search(f"{subject} {relation}"))
    if is_limit and told.lower() in WEEKDAY_NAMES:
        told = _dated(f"on {told}", day, ahead=True).removeprefix("on ")
    told = _dated(told, day, ahead=form.span != "past")
    sure = _SURER if _is_sure(form) else _SURE
    return Fact(subject, relation, told, "constraint" if is_limit else form.type, form.span, sure)


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
            asks = worth.is_question(text)
            is_real = asks and is_last and _QUESTION.search(text) and not _SMALL_TALK.search(text)
            if is_real or (not asks and not sentence.quoted and _OPEN.search(text)):
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
    surest = sorted(range(len(facts)), key=lambda at: (-facts[at].confidence, at))[:_IN_SUMMARY]
    sentences = [as_sentence(facts[at]) for at in sorted(surest)]
    first = next((line.strip(" #>*-") for line in text.split("\n") if line.strip(" #>*-")), "")
    return " ".join(sentences)[:_LONGEST_SUMMARY] or first[:200]
