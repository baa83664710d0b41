"""Facts of a dialog that somebody who read it gives: a model, an agent, or a person with a file.

A fact counts only if the sentence that it cites occurs in the dialog, word for word. One that cannot be used is
told by its number, and spoils none of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mdmem.capture.turns import Turn
from mdmem.errors import ConflictError, NoteError, Problem
from mdmem.note import terminal
from mdmem.note.facts import Fact, fact_id, fault_of
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import documents, extract, ingest
from mdmem.systems.layers.dialog import JSON_FORMATS, Dialog
from mdmem.systems.layers.dialogfiles import DialogSource
from mdmem.systems.layers.ingest import IngestReport, IngestRequest
from mdmem.systems.layers.schema import EntryMeta, EntrySummary
from mdmem.write import secrets

UNSAID = "fact-unsaid"  # code of the problem with a fact whose sentence nobody said
_FIX = "correct it, as mdmem guide layers shows it"
_LONGEST = 300  # characters of a part of a fact


def take(
    vault: Vault,
    source: DialogSource,
    request: IngestRequest,
    caller: Caller,
    items: Sequence[Any],
    name: str,
    reason: str = "",
) -> IngestReport:
    """Ingest a dialog with the facts that its reader gives; the rules draw what is in no sentence of these.

    `name` is that of the items in messages. Nothing is written if the vault holds the dialog already
    (ConflictError), or if there are items and none can be used (NoteError).
    """
    problems: list[Problem] = []

    def draw(dialog: Dialog, meta: EntryMeta) -> EntrySummary:
        facts, wrong = read(items, name, dialog, meta)
        if wrong and not facts:
            raise NoteError(wrong[0])
        problems.extend(wrong)
        return extract.summary_of(dialog, meta, facts)

    done = ingest.ingest(vault, [source], request, caller, reason, draw=draw)
    if not done.commit:
        raise ConflictError(
            f"{done.items[0].place.folder} holds this dialog, and is written once; no fact was added",
            "mdmem forget it and ingest it again, or state the facts in a note, under ## Facts",
        )
    return done._replace(problems=(*done.problems, *problems))


def items_in(data: bytes, name: str) -> Sequence[Any]:
    """The items of a file: a JSON list, or an object with the list `facts`. Raises NoteError with line and fix."""
    try:
        value = documents.parsed(data, name)
        found = value.get("facts") if isinstance(value, dict) else value
        if not isinstance(found, list):
            documents.refuse(name, "holds no list of facts", line=1)
    except NoteError as error:
        raise NoteError(error.problem._replace(fix=_FIX)) from None
    return found


def read(
    items: Sequence[Any], name: str, dialog: Dialog, meta: EntryMeta
) -> tuple[tuple[Fact, ...], list[Problem]]:
    """The facts of a dialog that are given as JSON values, each once and with the line of its sentence.

    There is a problem for each item that cannot be used.
    """
    facts: dict[str, Fact] = {}
    problems: list[Problem] = []
    spoken = dialog.said
    for number, item in enumerate(items, 1):
        try:
            fact = _fact(item, name, f"fact {number}: ")
        except NoteError as error:
            problems.append(error.problem._replace(fix=_FIX))
            continue
        if line := _line_of(fact.sentence, spoken, dialog.format in JSON_FORMATS):
            fact = fact._replace(line=line, entry_id=meta.entry_id, entry_ts=meta.time)
            facts.setdefault(fact_id(fact), fact)
        else:
            message = f"fact {number}: nobody says its sentence in the dialog"
            problems.append(Problem(UNSAID, name, 0, message, "copy the sentence word for word"))
    return tuple(facts.values()), problems


def _fact(item: Any, name: str, place: str) -> Fact:
    fact: Fact = documents.made(item, "given_fact", name, {"given_fact": Fact}, place)
    fact = fact._replace(
        subject=shown(fact.subject),
        relation=shown(fact.relation),
        object=shown(fact.object),
        time_span=fact.time_span or extract.span_of(fact.type),
        sentence=" ".join(fact.sentence.split()),
    )
    leak = next(iter(secrets.found(extract.told(fact))), None)
    if fault := f"it seems to hold a secret ({leak.kind})" if leak else fault_of(fact):
        documents.refuse(name, f"{place}{fault}")
    return fact


def shown(text: str) -> str:
    """A text as one line that is safe to show, cut at its longest."""
    return terminal.safe_line(text)[:_LONGEST]


def _line_of(sentence: str, spoken: Sequence[Turn], is_json: bool) -> int:
    """The line of a sentence in raw.md, 0 if it does not occur in the dialog."""
    for one in spoken if sentence else ():
        if sentence in " ".join(one.text.split()):
            lines = [" ".join(line.split()) for line in one.text.split("\n")]
            within = next((at for at, line in enumerate(lines) if sentence in line), 0)
            return one.line if is_json else one.line + within
    return 0
