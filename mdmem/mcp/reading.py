"""The tools that read: recall, read, brief. Each returns Markdown, in which notes are quoted or fenced."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

from mdmem.acts import find
from mdmem.acts.find import Recalled
from mdmem.acts.places import TeamIndex
from mdmem.acts.signature import Opt
from mdmem.acts.text import past as past_text
from mdmem.acts.text.notes import source_lines
from mdmem.errors import NotFoundError
from mdmem.history import past, rawpast
from mdmem.mcp.visit import Visit
from mdmem.note import moments, tokens
from mdmem.note.terminal import safe, safe_line
from mdmem.recall import ask, lookup, prompt
from mdmem.session import start
from mdmem.store import layout
from mdmem.store.index.port import IndexedNote, qualified
from mdmem.store.local import usage
from mdmem.store.vault.vault import Vault
from mdmem.write.edit import version_of

if TYPE_CHECKING:
    from mdmem.acts.places import Places

RECALL_TOKENS, BRIEF_TOKENS = 1200, 2000
_MOST = 50  # answers, if the budget does not end them before
_DOUBT = 25  # tokens at most that say what is not known
_MORE = "... and {} more; a larger budget shows them"
_COMMITS = 30  # commits of a history that are shown


AsOf = Annotated[str, "Date or commit"]


def recall(
    visit: Visit,
    query: Annotated[str, 'Question or words; "a phrase", -not'],
    also: Annotated[Sequence[str], ""] = (),
    filter: Annotated[str, "Such as type:decision tag:team after:2026-01"] = "",
    as_of: AsOf = "",
    budget: Annotated[int, Opt("Tokens", least=1)] = RECALL_TOKENS,
) -> str:
    """Search the long-term memory of past sessions: decisions, preferences, facts, lessons. Use it before you
    answer or act on what may have come up before. Ask in two or three wordings (query, also), as the note
    might say it. Gives the best notes, each with path:line@commit and a passage."""
    with visit.places() as places:
        return _told(visit, places, budget, words=[query], also=also, filter=filter, as_of=as_of)


def recall_team(
    visit: Visit,
    query: Annotated[str, ""],
    also: Annotated[Sequence[str], ""] = (),
    filter: Annotated[str, ""] = "",
    budget: Annotated[int, Opt(least=1)] = RECALL_TOKENS,
) -> str:
    """The same in what the team has published of all its vaults, also those that are not here."""
    from mdmem.team import published

    vault = visit.vault
    reader = published.TeamReader(vault.clearance, vault.repo.people(), vault.tell)
    with published.opened("the tool recall asks the vaults here") as server:
        return _told(visit, TeamIndex(server, reader), budget, words=[query], also=also, filter=filter)


def _told(visit: Visit, places: Places, budget: int, **asked: Any) -> str:
    """The answers to a question, and how many more there are, in at most `budget` tokens (a little anyway)."""
    left = max(budget - _DOUBT - tokens.estimate(f"{prompt.DATA}\n{_MORE.format(_MOST)}"), 1)
    found = find.recall(places, visit.who, **asked, budget=left, form="markdown")
    assert isinstance(found, Recalled)
    if not (found.answers or found.more):
        lacking = found.lacking and f" Tell the person: {found.lacking}."
        return f"Nothing found. Try other words, or fewer filters.{lacking}"
    doubt = tokens.cut(safe_line(found.doubt).capitalize(), _DOUBT)
    lines = [prompt.DATA, f"{doubt}." if doubt else "", prompt.page(found.answers, visit.who.project)]
    lines += [_MORE.format(found.more)] if found.more else []
    return "\n".join(filter(None, lines))


def read(
    visit: Visit,
    names: Annotated[Sequence[str], Opt(most=10)],
    as_of: AsOf = "",
    history: Annotated[bool, ""] = False,
) -> str:
    """Whole notes by name or title; with history what was done to them, also to forgotten ones."""
    return "\n\n".join(_note_or_history(visit, name, as_of, history) for name in names)


def _note_or_history(visit: Visit, name: str, as_of: str, history: bool) -> str:
    with visit.holder(name) as (vault, called, own):
        return _history(vault, own, called) if history else _whole(vault, own, as_of, called, visit.who.now)


def _whole(vault: Vault, name: str, as_of: str, called: str, now: datetime) -> str:
    name, rev = lookup.split_revision(vault, name)
    rev = rev or as_of
    source = None if lookup.find_exact(vault, name) else ask.source(vault, name, rev, now)
    if source:
        text = source.data.decode("utf-8-sig", "replace") or "\n".join(source_lines(source))
        cited = qualified(called, prompt.place(source.answer))
        return _block(name, cited, text, source.answer.hit.record)
    if rev:
        note, data, commit = past.version(vault, name, moments.dated(rev, now))
        place = qualified(called, f"{note.path} as of commit {commit[:8]}")
        return _block(note.name, place, data.decode("utf-8-sig", "replace"))
    record = _named(vault, name)
    usage.add_opened(vault.root, [record.id])
    facts = qualified(called, f"{record.path}, version {version_of(vault.read(record.path))}")
    return _block(record.name, facts, vault.shown(record.path).decode("utf-8-sig", "replace"), record)


def _named(vault: Vault, name: str) -> IndexedNote:
    """The memory of that name. Raises NotFoundError that tells when it was forgotten, and the nearest names."""
    try:
        return lookup.named(vault, name)
    except NotFoundError as error:
        gone = next(iter(past.matching(past.trash(vault), lookup.within(vault, name))), None)
        if gone is None:
            raise
        when = f" {moments.render(gone.when)[:10]}" if gone.when else ""
        hint = f"read with history shows why, restore brings it back; {error.hint}"
        raise NotFoundError(f"there is no memory '{name}' any more: it was forgotten{when}", hint) from None


def _block(name: str, facts: str, text: str, record: IndexedNote | None = None) -> str:
    warning = f", {prompt.warning(record, text)}" if record and not prompt.is_trusted(record, text) else ""
    fenced = prompt.fenced(safe(text).strip("\n"), "markdown")
    return f"### {safe_line(name)}\n{safe_line(facts + warning)}\n\n{fenced}"


def _history(vault: Vault, name: str, called: str) -> str:
    if layout.entry_name(name):
        commits = rawpast.history(vault, name)
    else:
        commits = past.history(vault, *past.identify(vault, name, exactly=True))
    lines = [past_text.commit_lines(commit) for commit in islice(commits, _COMMITS)]
    more = [f"... and {len(commits) - _COMMITS} more"] if len(commits) > _COMMITS else []
    return f"### {safe_line(qualified(called, name))}\n\n" + prompt.fenced("\n".join(lines + more))


def brief(
    visit: Visit,
    context: Annotated[str, "What the session is about"] = "",
    budget: Annotated[int, Opt(least=1)] = BRIEF_TOKENS,
) -> str:
    """What to know as a session starts: what always matters, open tasks, news, what fits the context."""
    wanted = start.PackRequest(context, budget=budget, tells_again=True)
    with visit.beside() as vaults, start.showing(visit.vault, wanted, visit.who, vaults) as pack:
        return pack.page.text
