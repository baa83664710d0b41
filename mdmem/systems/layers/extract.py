"""Extracts from a dialog, by rule: facts about the speakers, open questions, next actions and a summary.

Each fact carries its source sentence and that sentence's line in raw.md. A speaker goes by their name, or is
"user"; "yesterday" is resolved against the time of the turn. Only people speak for themselves: there are no facts
from what an assistant or a tool says, nor from what is quoted, asked, supposed, or asked not to be kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from mdmem.capture import dialogue, reported, triggers, utterances
from mdmem.capture.referents import Sentence
from mdmem.capture.turns import Turn, known_speaker
from mdmem.language import doubt
from mdmem.language.roots import root
from mdmem.language.speech import assertions, tables
from mdmem.language.statement import statements
from mdmem.note.facts import Fact, fact_id
from mdmem.systems.layers.dialog import JSON_FORMATS, Dialog
from mdmem.systems.layers.schema import EntryMeta, EntrySummary
from mdmem.text import dates, segment, stopwords
from mdmem.text.calendar import WEEKDAY_NAMES

USER = "user"
_MOST_QUESTIONS, _MOST_ACTIONS = 10, 20
_MOST_NAMES = 50  # speakers whose names are looked for in what others say
_IN_SUMMARY = 4  # facts in a summary
_LONGEST_SUMMARY = 600  # characters
_STATED = 0.75  # confidence of a plain statement about a thing: "The deadline is Friday."
_TASK = re.compile(
    r"^\s*(?:[-*+]\s+\[ \]\s+|(?:[-*+]\s+)?(?:todo|next steps?|action(?: item)?)\s*:\s*)(?P<text>\S.*)", re.I
)
_OPEN = re.compile(
    r"(?:\b(?:not|never)|n't) (?:yet )?(?:sure|decided|clear)\b"
    r"|\b(?:(?:still )?(?:needs?|have|has) to (?:find out|decide|figure out|check)"
    r"|open question|to be decided|tbd|i wonder)\b",
    re.I,
)
_BY_DAY = re.compile(rf"\b(by|until|till|before)\s+({'|'.join(WEEKDAY_NAMES)})\b", re.I)
_LIMITS = re.compile(
    r"\b(?:must|deadline|budget|limit|due|maximum|minimum|quota|allowed|required|expires?)\b", re.I
)


def summary_of(dialog: Dialog, meta: EntryMeta) -> EntrySummary:
    """The summary of an entry, made by rule."""
    turns = [_Spoken(turn, tuple(utterances.sentences(turn))) for turn in _turns(dialog)]
    facts = tuple(_facts(turns, meta, dialog.format in JSON_FORMATS))
    return EntrySummary(
        meta.entry_id,
        meta.time,
        _summary(facts, dialog.text),
        facts,
        tuple(_open_questions(turns, facts))[:_MOST_QUESTIONS],
        tuple(_next_actions(turns, facts))[:_MOST_ACTIONS],
    )


class _Spoken(NamedTuple):
    """A turn and its sentences."""

    turn: Turn
    sentences: tuple[Sentence, ...]


def _turns(dialog: Dialog) -> Iterable[Turn]:
    """The turns of a dialog. A text without speakers is one turn of its writer, without the lines of others."""
    if dialog.turns:
        return dialog.turns
    lines = dialog.text.replace("\r\n", "\n").split("\n")
    return [Turn("user", "\n".join("" if dialogue.is_labelled(line) else line for line in lines), 1)]


# -- facts -------------------------------------------------------------------------------------------------


def _facts(turns: Sequence[_Spoken], meta: EntryMeta, is_json: bool) -> list[Fact]:
    """The facts of the turns, each once: as first stated, with the highest confidence of all its statements."""
    names = list(dict.fromkeys(turn.name for turn, _ in turns if turn.name))[:_MOST_NAMES]
    found: dict[str, Fact] = {}
    for turn, sentences in _of_people(turns):
        speech = _Speech(
            speaker=speaker_of(turn),
            hearers=tuple(name for name in names if name != turn.name),
            day=date.fromisoformat((turn.when or meta.time)[:10]),
        )
        for sentence in sentences:
            line = turn.line if is_json else sentence.line  # a turn in JSON is on one line
            for fact in _of_sentence(sentence.text, speech):
                sourced = fact._replace(
                    entry_id=meta.entry_id, entry_ts=meta.time, sentence=sentence.text, line=line
                )
                known = found.setdefault(fact_id(fact), sourced)
                if known.confidence < fact.confidence:
                    found[fact_id(fact)] = known._replace(confidence=fact.confidence)
    return list(found.values())


class _Speech(NamedTuple):
    """The context of a sentence: who speaks, who else takes part, and the day."""

    speaker: str
    hearers: tuple[str, ...]
    day: date


def _of_people(turns: Iterable[_Spoken]) -> Iterator[_Spoken]:
    """The turns in which a person speaks for themselves, except those that ask not to be kept."""
    for spoken in turns:
        if spoken.turn.speaker != "user" or utterances.is_recalled(spoken.turn.text):
            continue
        if not any(triggers.refuses(sentence.text) for sentence in spoken.sentences):
            yield spoken


def _of_sentence(text: str, speech: _Speech) -> Iterator[Fact]:
    if doubt.is_supposed(text) or doubt.is_reported(text):
        return
    who = speech.speaker
    named = who if who != USER else "the user"
    asserted = list(assertions.of_sentence(text, speech.hearers))
    for assertion in asserted:
        told = _dated(assertion.object, speech.day, ahead=assertion.time_span != "past")
        yield Fact(
            subject=assertion.subject.replace("{who}", who),
            relation=assertion.relation.replace("{who}", named),
            object=told.replace("{who}", named),
            type=assertion.type,
            time_span=assertion.time_span,
            confidence=assertion.confidence,
        )
    if not asserted:
        yield from _stated(text, speech.day)


def _stated(text: str, today: date) -> Iterator[Fact]:
    """The fact in a plain sentence about a thing other than the speaker: "The deadline is Friday"."""
    stated = statements.of_thing(text)
    if stated is None or stated.value[0] in tables.FEW:  # "The weather is great" is not worth keeping
        return
    subject, value = " ".join(stated.subject), " ".join((*stated.value, *stated.tail))
    relation = f"{stated.verb} not" if stated.denied else stated.verb
    kind = "constraint" if _LIMITS.search(f"{subject} {relation}") else "trait"
    if kind == "constraint" and value.lower() in WEEKDAY_NAMES:
        value = _dated(f"on {value}", today, ahead=True).removeprefix("on ")
    yield Fact(subject, relation, _dated(value, today, ahead=True), kind, "current", _STATED)


def _dated(text: str, today: date, ahead: bool) -> str:
    """A text with "yesterday", "by Friday" and the like replaced by dates."""
    return dates.resolved(_BY_DAY.sub(r"\1 on \2", text), today, ahead)


def speaker_of(turn: Turn) -> str:
    """The speaker as the subject of facts: a name, or "user" for the person whose chat it is."""
    name = reported.speaker_name(turn.speaker, turn.name)
    return USER if name == "the user" or known_speaker(name) == "user" else name


# -- open questions, next actions and the summary ----------------------------------------------------------


def _open_questions(turns: Sequence[_Spoken], facts: Sequence[Fact]) -> Iterator[str]:
    """Questions at the end that nobody answers, and what people call undecided, worded as its fact if any."""
    as_facts = {fact.sentence: as_sentence(fact) for fact in facts if _OPEN.search(told(fact))}
    for number, (turn, sentences) in enumerate(turns):
        is_last = number == len(turns) - 1
        for sentence in sentences if turn.speaker in ("user", "assistant") else ():
            text = " ".join(sentence.text.split())
            is_asked = is_last and turn.speaker == "user" and text.endswith("?")
            if is_asked or (turn.speaker == "user" and not text.endswith("?") and _OPEN.search(text)):
                who = speaker_of(turn)
                quoted = text if who == USER else f"{who}: {text}"
                yield as_facts.get(sentence.text, quoted)


def _next_actions(turns: Sequence[_Spoken], facts: Sequence[Fact]) -> Iterator[str]:
    """Lines of people that are marked as tasks, and commitments that still lie ahead."""
    for turn, _ in turns:
        for line in turn.text.split("\n") if turn.speaker == "user" else ():
            if task := _TASK.match(line):
                yield task["text"].strip()
    for fact in facts:
        if fact.type == "commitment" and fact.time_span != "past" and not _OPEN.search(told(fact)):
            yield as_sentence(fact)


def told(fact: Fact) -> str:
    """A fact as plain words: "user lives in Porto"."""
    return f"{fact.subject} {fact.relation} {fact.object}"


def as_sentence(fact: Fact) -> str:
    """A fact as a sentence: "User lives in Porto." """
    words = told(fact).rstrip(".")
    return f"{words[:1].upper()}{words[1:]}."


def _summary(facts: Sequence[Fact], text: str) -> str:
    """The facts that share the most words with the others, in order; without facts, the first line of the text."""
    words = [_roots(fact) for fact in facts]
    counts = Counter(word for telling in words for word in telling)
    weights = [
        fact.confidence * sum(counts[word] for word in telling) / max(4, len(telling))
        for fact, telling in zip(facts, words, strict=True)
    ]
    central = sorted(range(len(facts)), key=weights.__getitem__, reverse=True)[:_IN_SUMMARY]
    sentences = [as_sentence(facts[at]) for at in sorted(central)]
    first = next((line.strip(" #>*-") for line in text.split("\n") if line.strip(" #>*-")), "")
    return " ".join(sentences)[:_LONGEST_SUMMARY] or first[:200]


def _roots(fact: Fact) -> frozenset[str]:
    terms = segment.terms(f"{fact.relation} {fact.object}")
    return frozenset(root(word) for word in terms if word not in stopwords.QUESTION)
