"""The tools that read: recall, read, brief. Each gives Markdown, in which notes stand quoted or fenced."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from mdmem.history import past, rawpast
from mdmem.index.port import IndexedNote
from mdmem.local import usage
from mdmem.mcp.visit import Visit
from mdmem.note import layout
from mdmem.recall import ask, lookup, prompt, question
from mdmem.recall.ask import PASSAGE, Query
from mdmem.render.text import past as past_text
from mdmem.render.text.notes import source_lines
from mdmem.session import start
from mdmem.text import moments
from mdmem.text.terminal import safe, safe_line
from mdmem.write.edit import version_of

RECALL_TOKENS, BRIEF_TOKENS = 1200, 2000
_COMMITS = 30  # of a history that are shown


def recall(visit: Visit, query: str, filter: str = "", as_of: str = "", budget: int = RECALL_TOKENS) -> str:
    """The memories that answer, best first, as many as the budget (tokens) holds."""
    now = visit.who.now
    conditions = question.filters_of(filter, now.date())
    asked = Query((query,), conditions, as_of=as_of, depth=PASSAGE)
    answers = ask.ask(visit.vault, asked, now, visit.who.session)
    if not answers:
        return "Nothing found. Try other words, or fewer filters."
    return prompt.page(answers, budget)


def read(visit: Visit, names: Sequence[str], as_of: str = "", history: bool = False) -> str:
    """Whole notes, now or as they were, or what was done to them."""
    show = _history if history else _whole
    return "\n\n".join(show(visit, name, as_of) for name in names)


def _whole(visit: Visit, name: str, as_of: str) -> str:
    vault, now = visit.vault, visit.who.now
    name, rev = lookup.split_revision(vault, name)
    rev = rev or as_of
    source = None if lookup.find_exact(vault, name) else ask.source(vault, name, rev, now)
    if source:
        text = source.data.decode("utf-8-sig", "replace") or "\n".join(source_lines(source))
        return _block(name, prompt.place(source.answer), text, source.answer.hit.record)
    if rev:
        note, data, commit = past.version(vault, name, moments.dated(rev, now))
        return _block(note.name, f"{note.path} as of commit {commit[:8]}", data.decode("utf-8-sig", "replace"))
    record = lookup.find(vault, name)
    usage.add_opened(vault.root, [record.id])
    facts = f"{record.path}, version {version_of(vault.read(record.path))}"
    return _block(record.name, facts, vault.shown(record.path).decode("utf-8-sig", "replace"), record)


def _block(name: str, facts: str, text: str, record: IndexedNote | None = None) -> str:
    warning = f", {prompt.warning(record)}" if record and not prompt.is_trusted(record) else ""
    fenced = prompt.fenced(safe(text).strip("\n"), "markdown")
    return f"### {safe_line(name)}\n{safe_line(facts + warning)}\n\n{fenced}"


def _history(visit: Visit, name: str, as_of: str) -> str:
    del as_of
    vault = visit.vault
    is_dialog = layout.entry_name(name)
    commits = rawpast.history(vault, name) if is_dialog else past.history(vault, *past.identify(vault, name))
    lines = [past_text.commit_lines(commit) for commit in islice(commits, _COMMITS)]
    more = [f"... and {len(commits) - _COMMITS} more"] if len(commits) > _COMMITS else []
    return f"### {safe_line(name)}\n\n" + prompt.fenced("\n".join(lines + more))


def brief(visit: Visit, context: str = "", budget: int = BRIEF_TOKENS) -> str:
    """What a session should know as it begins: the pack of `mdmem session start`."""
    with start.showing(visit.vault, start.PackRequest(context, budget=budget), visit.who) as pack:
        return pack.page.text
