"""What acts answer a model: Markdown, in which notes are quoted or fenced as data."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from mdmem.acts import find, write
from mdmem.acts.find import Recalled
from mdmem.acts.past import history
from mdmem.acts.places import TeamIndex
from mdmem.acts.serving import Visit
from mdmem.acts.style import few
from mdmem.acts.text.notes import source_lines
from mdmem.acts.text.past import commit_lines
from mdmem.history import past
from mdmem.note import moments, tokens
from mdmem.note.terminal import safe, safe_line
from mdmem.recall import ask, prompt
from mdmem.store.index.port import IndexedNote, qualified
from mdmem.store.local import usage
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.write.edit import version_of

if TYPE_CHECKING:
    from mdmem.acts.places import Places
    from mdmem.systems.compat.rum import RumMemory

_MOST = 50  # answers, if the budget does not end them before
_DOUBT = 25  # tokens at most that say what is not known
_MORE = "... and {} more; a larger budget shows them"
_COMMITS = 30  # commits of a history that are shown
_DIFF = 1500  # characters of a diff that are shown


def recalled(visit: Visit, budget: int, of_team: bool = False, **asked: Any) -> str:
    """The answers to a question, and how many more there are, in at most `budget` tokens (a little anyway)."""
    if not of_team:
        with visit.places() as places:
            return _recalled(visit, places, budget, asked)
    from mdmem.team import published

    reader = published.TeamReader(visit.vault.clearance, visit.vault.repo.people(), visit.vault.tell)
    with published.opened("the tool recall asks the vaults here") as server:
        return _recalled(visit, TeamIndex(server, reader), budget, asked)


def _recalled(visit: Visit, places: Places, budget: int, asked: Mapping[str, Any]) -> str:
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


def found_by(visit: Visit, query: str) -> list[tuple[str, str]]:
    """(id, title) of the answers to a question; an id is a path, after the name of its vault among several."""
    with visit.places() as places:
        found = find.recall(places, visit.who, [query])
    assert isinstance(found, Recalled)
    records = [answer.hit.record for answer in found.answers]
    return [(qualified(each.vault, each.path), each.title) for each in records]


def about(visit: Visit, id: str) -> IndexedNote | None:
    """The memory of an id that `found_by` gave."""
    with visit.holder(id) as (vault, _, own):
        return lookup.find_exact(vault, own)


def read(visit: Visit, name: str, as_of: str = "", history: bool = False) -> str:
    """A whole note, or what was done to it, also to a forgotten one."""
    with visit.holder(name) as (vault, called, own):
        return _history(vault, own, called) if history else _whole(vault, own, as_of, called, visit.who.now)


def _whole(vault: Vault, name: str, as_of: str, called: str, now: datetime) -> str:
    name, rev = lookup.split_revision(vault, name)
    rev = rev or as_of
    source = ask.source(vault, name, rev, now)
    if source:
        text = source.data.decode("utf-8-sig", "replace") or "\n".join(source_lines(source))
        cited = qualified(called, prompt.place(source.answer))
        return _block(name, cited, text, source.answer.hit.record)
    if rev:
        note, data, commit = past.version(vault, name, moments.dated(rev, now))
        place = qualified(called, f"{note.path} as of commit {commit[:8]}")
        return _block(note.name, place, data.decode("utf-8-sig", "replace"))
    record = past.living(vault, name, exactly=True)
    usage.add_opened(vault.root, [record.id])
    facts = qualified(called, f"{record.path}, version {version_of(vault, vault.read(record.path))}")
    return _block(record.name, facts, vault.shown(record.path).decode("utf-8-sig", "replace"), record)


def _block(name: str, facts: str, text: str, record: IndexedNote | None = None) -> str:
    warning = f", {prompt.warning(record, text)}" if record and not prompt.is_trusted(record, text) else ""
    fenced = prompt.fenced(safe(text).strip("\n"), "markdown")
    return f"### {safe_line(name)}\n{safe_line(facts + warning)}\n\n{fenced}"


def _history(vault: Vault, name: str, called: str) -> str:
    lines = few(list(map(commit_lines, history(vault, name, exactly=True))), _COMMITS)
    return f"### {safe_line(qualified(called, name))}\n\n" + prompt.fenced("\n".join(lines))


def brief(visit: Visit, context: str, budget: int) -> str:
    """What to know as a session starts."""
    from mdmem.session import start

    wanted = start.PackRequest(context, budget=budget, tells_again=True)
    with visit.beside() as vaults, start.showing(visit.vault, wanted, visit.who, vaults) as pack:
        return pack.page.text


def revised(visit: Visit, name: str, **change: Any) -> str:
    """What an update did to a note: its new version, and the lines that changed."""
    vault = visit.vault
    path = lookup.named(vault, name).path
    before = vault.shown(path)
    done = write.update(vault, visit.who, name, **change)
    if not done.commit:
        return f"nothing to change: {safe_line(path)} says so already"
    old, new = (safe(data.decode("utf-8", "replace")).splitlines() for data in (before, vault.shown(path)))
    changed = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    lines = "\n".join(line for line in changed if not line.startswith("@@"))
    head = f"{commit_line('revised', path, done.commit)}, now version {version_of(vault, vault.read(path))}"
    return f"{head}\n\n{prompt.fenced(lines, 'diff')}"


def commit_line(verb: str, names: str, commit: str) -> str:
    """`remembered NAME (commit 1a2b3c4d)`."""
    return f"{verb} {safe_line(names)} (commit {commit[:8]})"


class Calls:
    """All calls of RUM, as JSON documents. They share one active agent, whichever of them sets it."""

    def __init__(self) -> None:
        self._memory: RumMemory | None = None

    def run(self, name: str, visit: Visit, **given: Any) -> str:
        """The answer of a call."""
        from mdmem.systems.compat.rum import RumMemory

        self._memory = self._memory or RumMemory(visit.vault)
        self._memory.turn_to(visit.vault, visit.who)
        return json.dumps(getattr(self._memory, name)(**given), ensure_ascii=False)
