"""The state of vaults, and the results of init and rebuild, as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from mdmem.acts.style import Style, plain
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line
from mdmem.store import config as settings

if TYPE_CHECKING:
    from mdmem.acts.checks.people import People
    from mdmem.acts.checks.rebuilding import Rebuilt
    from mdmem.acts.checks.status import Survey
    from mdmem.recall.meaning import Standing
    from mdmem.store.vault.several import ListedVault
    from mdmem.store.vault.starter import Made

_PLACES = 5  # folders and files that init lists
_MADE = {"new": "made a vault", "adopted": "adopted", "existing": "already a vault:"}
_NEXT = """\
next: mdmem remember "something worth keeping"
      mdmem connect claude-code    so that your agent remembers, too; or codex, gemini ...
      mdmem today                  what was done, is due, and waits for you"""
_CLONED = "cloned the vault"


def survey_lines(survey: Survey, hooks_are_in: bool, style: Style = plain) -> Iterator[str]:
    """What a vault contains, what is not committed, and what is wrong."""
    yield f"vault      {survey.root}  ({f'on {survey.branch}' if survey.branch else 'detached HEAD'})"
    yield f"memories   {survey.memories}{_shares(survey.by_status)}{_shares(survey.by_type)}"
    yield f"last write {survey.last or 'none yet'}"
    yield from _day(survey)
    yield f"hooks      {'installed' if hooks_are_in else 'not installed: mdmem hooks install'}"
    if survey.meaning.model or survey.meaning.advice:
        yield f"meaning    {_meaning(survey.meaning)}"
    for path in survey.uncommitted:
        yield style(f"not committed  {safe_line(path)}", "yellow")
    if survey.waiting:
        yield f"waiting    {counted(survey.waiting, 'proposal')}: mdmem judge"
    if contested := survey.by_status.get("contested"):
        yield f"contested  {counted(contested, 'memory')}: mdmem list --status contested"
    if survey.strays:
        yield style(f"{counted(survey.strays, 'commit')} of mdmem that no branch holds: mdmem doctor", "red")
    if survey.problems:
        have = "has" if survey.problems == 1 else "have"
        yield style(f"{counted(survey.problems, 'file')} {have} problems: mdmem doctor", "red")


def _day(survey: Survey) -> Iterator[str]:
    """Who made how many changes today, and the next tasks."""
    if survey.today:
        done = ", ".join(f"{safe_line(actor)} {count}" for actor, count in survey.today.items())
        count = counted(sum(survey.today.values()), "change")
        yield f"today      {count} ({done}): mdmem log what did we do today"
    for name, day in survey.tasks[:_PLACES]:
        yield f"task       {safe_line(name)}{f'  (due {day[:10]})' if day else ''}"
    if len(survey.tasks) > _PLACES:
        yield f"           and {len(survey.tasks) - _PLACES} more: mdmem list --category future"


def _meaning(standing: Standing) -> str:
    """By what model recall finds how much by meaning, and what would let it find more."""
    if not standing.made + standing.missing:
        return safe_line(standing.lacking or standing.model)
    count = f"{standing.made} of {counted(standing.made + standing.missing, 'text')} with vectors"
    return f"{safe_line(standing.model)}: {count}{standing.advice and f'; {standing.advice}'}"


def _shares(counts: Mapping[str, int]) -> str:
    if not counts:
        return ""
    shares = (f"{count} {safe_line(name) or 'untyped'}" for name, count in counts.items())
    return f"  ({', '.join(shares)})"


def _left_out(files: Mapping[str, int]) -> str:
    """`Templates (51), .trash (1) and 2 more`."""
    shown = [f"{safe_line(place)} ({count})" for place, count in list(files.items())[:_PLACES]]
    more = len(files) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def people_lines(known: People) -> Iterator[str]:
    """Whose commits are trusted, and who else committed memories."""
    for address in known.trusted:
        yield f"trusted  {safe_line(address)}"
    for address, count in known.others:
        yield f"others   {safe_line(address)}: {counted(count, 'memory')}, shown as data (origin import)"


def made_lines(made: Made, older_addresses: Sequence[str] = (), is_clone: bool = False) -> Iterator[str]:
    """What `init` made or found, the person's older addresses, and what to do next."""
    place = "the whole folder" if made.memories == "." else made.memories
    done = _CLONED if is_clone and made.kind == "existing" else _MADE[made.kind]
    held = f"{counted(made.notes, 'memory')} in {place}" if made.notes else f"its memories will be in {place}"
    yield f"{done} {made.root}: {held}"
    if made.commit:
        yield f"committed as {made.commit[:8]}"
    if made.left_out:
        yield f"not memories: {_left_out(made.left_out)}"
    if made.kind == "adopted":
        if made.scope == "own":
            where = f'{settings.FILE}: scope = "own"'
            yield f"gardeners leave these notes alone and look at new memories only ({where})"
        yield f"new memories go to {'this folder' if made.new == '.' else made.new}"
    if made.untracked:
        yield f"not in git yet: {counted(made.untracked, 'memory')} (git add, or mdmem adopt --all)"
    if made.left:
        yield f"left as it is: {', '.join(made.left)} (mdmem init --agents adds a section on the memories)"
    for address in older_addresses:
        yield f"if {safe_line(address)} is an older address of yours: mdmem trust {safe_line(address)}"
    if made.kind != "existing":
        yield _NEXT


def rebuilt_lines(done: Rebuilt) -> Iterator[str]:
    """What was rebuilt, one line each."""
    if done.memories is not None:
        yield f"indexed {counted(done.memories, 'memory')}"
    if done.pages:
        files = f"{counted(done.pages.written, 'file')} written, {done.pages.removed} removed"
        yield f"pages of {counted(len(done.pages.topics), 'topic')}; {files}"


def vault_lines(vaults: Sequence[ListedVault], style: Style = plain) -> Iterator[str]:
    """`NAME  FOLDER` for each vault, with remarks and problems."""
    widest = max((len(vault.name) for vault in vaults), default=0)
    for vault in vaults:
        name = style(safe_line(vault.name).ljust(widest), "bold")
        notes = ["written to"] if vault.nearest else []
        notes += [] if vault.listed else ["not listed"]
        remark = f"  ({', '.join(notes)})" if notes else ""
        problem = f"  {style(safe_line(vault.problem), 'red')}" if vault.problem else ""
        yield f"{name}  {safe_line(vault.root)}{remark}{problem}".strip()
