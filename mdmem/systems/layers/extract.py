"""Draws from a dialog, without a model: facts about the speakers, open questions, next actions and a summary.

The sentences are those that capture would choose (`worth`). One in a plain form (`data/fact_forms.tsv`) becomes a
triple in the speaker's words; any other is quoted: speaker · said · the sentence. Each fact carries its source
sentence and that sentence's line in raw.md. A speaker goes by their name, or is "user"; "yesterday" is resolved
against the time of the turn. Only people speak for themselves: there are no facts from what an assistant or a tool
says, nor from what is quoted, asked, supposed, or asked not to be kept.
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
from mdmem.note import dates, tsv
from mdmem.note.calendar import WEEKDAY_NAMES
from mdmem.note.facts import Fact, fact_id
from mdmem.systems.layers.dialog import JSON_FORMATS, Dialog
from mdmem.systems.layers.documents import BY_RULE, GIVEN, EntryMeta, EntrySummary

USER, SAID = "user", "said"
_KEPT = 0.4  # 0-1, how likely a sentence is worth a memory, from which it is quoted as a fact
_ANYBODYS = 0.7  # the same for one that does not say "I", "we" or "my"
_FORMED = 0.08  # the same for one in a plain form that is not about the speaker
_DONE = 0.05  # the same for one in a plain form about what the speaker did
_LEAST_WORDS = 5
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
_PRAISES = re.compile(  # says how something is, and not what
    r"(?:(?:all )?(?:so|very|really|such|too|pretty|super|quite|truly|just|always|still|also) |an? )*"
    r"(?:amazing|awesome|incredible|great|good|nice|beautiful|gorgeous|wonderful|perfect|fun|cool|lovely|inspiring"
    r"|important|special|tough|hard|real|true|key|worth|full of|blast|ton|lot|chance|difference|positive|joy|treat"
    r"|reminder|best|strong|bond|idea|time|sense|way|part|break|look|hit|setback|feeling|pic|picture|photo"
    r"|the way|how|seeing|hearing|some possible)\b",
    re.I,
)
_ADDRESS = (
    r"(?:(?:hey|hi|hello|thanks|thank you|wow|yeah|yup|oh|aww*|haha|so true|same here)\b[,!.]* +)*"
    r"(?:{names})[,!.]+ +"
)
_EMPTY = re.compile(
    r"(?:him|her|so|to|one|all|there|here)\b[^ ]*(?: (?:all|too|so much|a lot))?|(?:for|from|with|as|by)\b.*", re.I
)
_AT_HAND = re.compile(r"(?:all )?the\b", re.I)  # what somebody likes of what is before them: "the yellow leaves"
_FEWEST_IN_OBJECT = 3  # letters
_LONGEST_OBJECT = 18  # words; what is longer is quoted
_QUESTION = re.compile(
    r"\b(?:what|which|when|where|who|whom|how|why|should|can|could|is|are|do|does|will)\b", re.I
)
_SMALL_TALK = re.compile(r"\b(?:you|your|how about|ready|excited|right)\b", re.I)


def summary_of(dialog: Dialog, meta: EntryMeta, given: Sequence[Fact] = ()) -> EntrySummary:
    """The summary of an entry, made by rule. Facts that are `given` come first; no rule reads their sentences."""
    turns = [_Spoken(turn, tuple(utterances.sentences(turn))) for turn in _turns(dialog)]
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
    found: dict[str, Fact] = {}
    names = dict.fromkeys(re.escape(part) for turn, _ in turns for part in turn.name.split()[:1])
    address = re.compile(_ADDRESS.format(names="|".join([*names][:_MOST_NAMES]) or "(?!)"), re.I)
    place = worth.Place()
    for turn, sentences in turns:
        if _is_of_person(turn, sentences):
            day = date.fromisoformat((turn.when or meta.time)[:10])
            for sentence, share in _worthy(sentences, place):
                line = turn.line if is_json else sentence.line  # a turn in JSON is on one line
                said = address.sub("", sentence.text, count=1)
                for fact in _of_sentence(said, speaker_of(turn), share, day):
                    sourced = fact._replace(
                        entry_id=meta.entry_id, entry_ts=meta.time, sentence=sentence.text, line=line
                    )
                    known = found.setdefault(fact_id(fact), sourced)
                    if known.confidence < fact.confidence:
                        found[fact_id(fact)] = known._replace(confidence=fact.confidence)
        if sentences:
            place = worth.Place("user", sentences[-1].text, turn.speaker)
    return list(found.values())


def _is_of_person(turn: Turn, sentences: Iterable[Sentence]) -> bool:
    """Whether a person speaks for themselves in a turn, and does not ask not to keep it."""
    if turn.speaker != "user" or utterances.is_recalled(turn.text):
        return False
    return not any(triggers.refuses(sentence.text) for sentence in sentences)


def _worthy(sentences: Sequence[Sentence], place: worth.Place) -> Iterator[tuple[Sentence, float]]:
    """The statements of a turn, each with how likely it is worth a memory (0-1)."""
    for sentence in sentences:
        is_statement = not (sentence.quoted or worth.is_question(sentence.text))
        if is_statement and not (doubt.is_supposed(sentence.text) or doubt.is_reported(sentence.text)):
            yield sentence, worth.judge([sentence.text], place).share


def _of_sentence(text: str, who: str, share: float, day: date) -> Iterator[Fact]:
    """The facts of a sentence: its triples, or else the sentence as a quotation if it is worth one."""
    said = triggers.without_opener(text).replace("’", "'")
    formed = [fact for fact in _formed(said, who, day) if share >= _least_of(fact, who)]
    yield from (fact._replace(confidence=round(max(fact.confidence, share), 2)) for fact in formed)
    kinds = worth.kinds_of(said)
    least = _ANYBODYS if kinds.isdisjoint(("I", "we", "my", "our")) else _KEPT
    if (
        not formed
        and share >= least
        and "you" not in kinds
        and len(said.split()) >= _LEAST_WORDS
        and not worth.points(said)
    ):
        kind = type_of(said)
        told = _dated(said.rstrip(" .!"), day, ahead=kind != "event")
        yield Fact(who, SAID, told, kind, span_of(kind), round(min(share, _SUREST_QUOTED), 2))


def _least_of(fact: Fact, who: str) -> float:
    """How likely a sentence in a plain form has to be worth a memory; its form speaks for it."""
    if fact.subject != who:
        return _FORMED
    return _DONE if fact.type == "event" else 0.0


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
    """The facts that a sentence states in plain forms, one for each form, none within another."""
    taken: list[tuple[int, int]] = []
    for form in _forms():
        found = form.pattern.search(said)
        if found is None or any(start < found.end() and found.start() < end for start, end in taken):
            continue
        told = found["object"].strip()
        if _is_clear(told) and not (form.type == "preference" and _AT_HAND.match(told)):
            taken.append(found.span())
            owner = f"{who}'s" if found.groupdict().get("subject") else "their"
            yield _fact(form, found, _OWN.sub(owner, told), day, who)


def _is_clear(told: str) -> bool:
    """Whether an object can be understood without its sentence: it names no speaker and is not only a pronoun."""
    words = told.split()
    return (
        len(told) >= _FEWEST_IN_OBJECT
        and len(words) <= _LONGEST_OBJECT
        and not _SPEAKERS.search(told)
        and not _EMPTY.fullmatch(told)
        and not _PRAISES.match(told)
    )


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
    sure = _SURER if form.type == "identity" or "allergic" in relation else _SURE
    return Fact(subject, relation, told, "constraint" if is_limit else form.type, form.span, sure)


def _dated(text: str, today: date, ahead: bool) -> str:
    """A text with "yesterday", "by Friday" and the like replaced by dates."""
    return dates.resolved(_BY_DAY.sub(r"\1 on \2", text), today, ahead)


def speaker_of(turn: Turn) -> str:
    """The speaker as the subject of facts: a name, or "user" for the person whose chat it is."""
    name = findings.speaker_name(turn.speaker, turn.name)
    return USER if name == "the user" or known_speaker(name) == "user" else name


# -- open questions, next actions and the summary ----------------------------------------------------------


def _open_questions(turns: Sequence[_Spoken]) -> Iterator[str]:
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


def _next_actions(turns: Sequence[_Spoken], facts: Sequence[Fact]) -> Iterator[str]:
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
