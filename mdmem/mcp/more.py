"""The tools of `--tools all`: undo, capture, facts, and the two that connectors of ChatGPT require."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from mdmem.acts import find, past
from mdmem.acts.find import Recalled
from mdmem.acts.signature import Opt
from mdmem.acts.text.capture import decision_lines
from mdmem.capture import proposals, weighing
from mdmem.capture.proposals import Captured
from mdmem.mcp import pages, reading
from mdmem.mcp.visit import Visit, commit_line, told
from mdmem.note.facts import TYPES
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line
from mdmem.recall import lookup
from mdmem.store.index.port import qualified

Dialog = Annotated[str, 'Lines of "User: ..." and "Assistant: ..."']
_FACT = "subject, relation, object, confidence (0-1), sentence (word for word), time_span, type:"


def undo(
    visit: Visit,
    last: Annotated[int, Opt("Of your last writes", least=1)] = 0,
    session: Annotated[str, ""] = "",
    commits: Annotated[Sequence[str], ""] = (),
    dry_run: Annotated[bool, "Only show what would be undone"] = False,
) -> str:
    """Take back your last writes, all that a session wrote, or commits. One commit, which can be undone."""
    own = visit.who.actor if last else ""
    done = past.undo(
        visit.vault, visit.who, last=last, session=session, actor=own, commits=commits, dry_run=dry_run
    )
    return told(done)


def capture(visit: Visit, transcript: Dialog, write: Annotated[bool, "Save it"] = False) -> str:
    """Find what is worth remembering in the transcript of a chat."""
    vault, who = visit.vault, visit.who
    read = proposals.read(transcript, "the transcript")
    found = [one._replace(project=who.project) for one in read.proposals]
    chosen = weighing.weigh(vault, found, read.recalled, allow_secret=False)
    done = proposals.write(vault, chosen, who) if write else Captured((), "")
    lines = [decision_lines(one, path) for one, path in zip(chosen, proposals.paths_of(chosen, done), strict=True)]
    lines += [str(problem) for problem in read.problems]
    wanted = counted(sum(one.verdict in proposals.WRITTEN for one in chosen), "memory")
    end = f"remembered {wanted} (commit {done.commit[:8]})" if done.commit else f"{wanted} to remember"
    return "\n".join([*lines, end])


def facts(
    visit: Visit,
    dialog: Dialog,
    topic: Annotated[str, 'A name, or "auto"'],
    items: Annotated[Sequence[Mapping[str, Any]], f"{_FACT} {', '.join(TYPES)}"],
) -> str:
    """Keep a whole dialog with the facts that you read in it."""
    from mdmem.systems.layers import given
    from mdmem.systems.layers.dialogfiles import DialogSource
    from mdmem.systems.layers.ingest import IngestRequest

    source = DialogSource("the dialog", dialog.encode)
    done = given.take(visit.vault, source, IngestRequest(topic), visit.who, items, "items")
    kept = commit_line("kept", done.items[0].place.folder, done.commit)
    return "\n".join([kept, *(safe_line(str(problem)) for problem in done.problems)])


# Both return one JSON object as text: https://platform.openai.com/docs/mcp#search-tool


def search(visit: Visit, query: Annotated[str, ""]) -> str:
    """Search the memory; JSON with ids for fetch."""
    with visit.places() as places:
        found = find.recall(places, visit.who, [query])
    assert isinstance(found, Recalled)
    records = [answer.hit.record for answer in found.answers]
    ids = [qualified(each.vault, each.path) for each in records]
    results = [
        {"id": id, "title": each.title, "url": pages.NOTE + id} for id, each in zip(ids, records, strict=True)
    ]
    return json.dumps({"results": results}, ensure_ascii=False)


def fetch(visit: Visit, id: Annotated[str, ""]) -> str:
    """One note by the id that search gave, as JSON."""
    with visit.holder(id) as (vault, _, own):
        record = lookup.find_exact(vault, own)
    found: dict[str, Any] = {"id": id, "title": record.title if record else id, "url": pages.NOTE + id}
    metadata = {"type": record.type, "created": record.created} if record else {}
    return json.dumps({**found, "text": reading.read(visit, [id]), "metadata": metadata}, ensure_ascii=False)
