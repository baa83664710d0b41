"""What was done to memories, and taking it back."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from mdmem.acts.style import Aside, Json, Lines, Style, committed, few, phrase
from mdmem.acts.telling import Rows, Told, document, each
from mdmem.acts.text import past as text
from mdmem.errors import UsageError
from mdmem.history import past, rawpast, trail
from mdmem.history import undo as undoing
from mdmem.history.undo import UndoConflictError, UndoPlan, UndoRequest
from mdmem.note import dates, moments
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line
from mdmem.recall import question
from mdmem.store import layout
from mdmem.store.git.log import Commit
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault

_MOST_UNDONE = 10  # commits that an undo names
_NOTHING = "nothing was written"


class Undone(NamedTuple):
    """What an undo did by `commit`; what it would do if that is ""."""

    plan: UndoPlan
    commit: str

    def json(self) -> Json:
        """`subjects` are those of the commits in `undone`; a conflict has the commit that it is with."""
        plan = self.plan
        return {
            "commit": self.commit,
            "undone": [one.oid for one in plan.undone],
            "subjects": [text.commit_subject(one) for one in plan.undone],
            "paths": list(plan.writes),
            "conflicts": [{**one._asdict(), "commit": one.commit.oid} for one in plan.conflicts],
        }


def _undone(plan: UndoPlan, commit: str, is_dry: bool = False) -> Told:
    return Told(Undone(plan, commit), partial(_undo_lines, plan, commit, is_dry))


def _undo_lines(plan: UndoPlan, commit: str, is_dry: bool, style: Style) -> Lines:
    """The conflicts, then what was taken back."""
    yield from (Aside(text.conflict_lines(conflict, style)) for conflict in plan.conflicts)
    files, commits = counted(len(plan.writes), "file"), counted(len(plan.undone), "commit")
    if is_dry:
        yield from (text.commit_lines(one, style) for one in plan.commits)
        yield f"would take back {commits}, changing {files}; nothing was changed"
    elif commit:
        yield f"took back {commits}, {files} changed{committed(commit)}"
        told = [f"  {style(one.oid[:8], 'yellow')} {safe_line(text.commit_subject(one))}" for one in plan.undone]
        yield from few(told, _MOST_UNDONE, "  and {} more")
    elif plan.conflicts:
        return
    else:
        yield "all of that is already undone"
    if skipped := {conflict.path for conflict in plan.conflicts}:
        partly = counted(len(plan.commits) - len(plan.undone), "commit")
        yield f"skipped {counted(len(skipped), 'file')} with conflicts, so {partly} not fully undone"


def undo(
    vault: Vault,
    who: Caller,
    *,
    last: int = 0,
    session: str = "",
    with_children: bool = False,
    actor: str = "",
    since: str = "",
    run: str = "",
    commits: Sequence[str] = (),
    dry_run: bool = False,
    skip_conflicts: bool = False,
    reason: str = "",
    yes: bool = False,
) -> Told:
    """Take back what a session, an agent or the last hour wrote, in one commit.

    All given conditions must hold. If someone has since edited the same place, the conflict is shown and
    nothing is changed. Undone commits and undos are skipped, so undoing again goes further back;
    --commit with the id of an undo reverts that undo. The creation of the vault and what was there before it are
    left alone unless selected by --commit, and so is an import that only --actor or --since would select.

    \b
    Examples:
      mdmem undo --session conv-42
      mdmem undo --last 1
      mdmem undo --actor claude-code --since 2h --dry-run
    """
    if with_children and not session:
        raise UsageError("--with-children needs a session", "give --session ID")
    start = moments.since(since, who.now) if since else None
    wanted = UndoRequest(last, session, actor, start, tuple(commits), run, with_children)
    if wanted == UndoRequest():
        raise UsageError(
            "nothing selected to undo", "say what: --last 1, --session, --actor, --since, --run or --commit"
        )
    if dry_run:
        plan = undoing.plan(vault, wanted, skip_conflicts)
        return _undone(plan, "", is_dry=True)._replace(failed=plan.is_stopped(skip_conflicts))
    try:
        return _undone(*undoing.undo(vault, wanted, who, reason, skip_conflicts, yes))
    except UndoConflictError as error:
        error.result = _undone(error.plan, "")
        raise


def log(
    vault: Vault,
    who: Caller,
    words: Sequence[str] = (),
    *,
    limit: int = 30,
    session: str = "",
    actor: str = "",
    since: str = "",
    run: str = "",
    form: str = "text",
) -> Rows | Told:
    """Show what was done to memories, newest first: in the vault, or to NAME under all its names.

    A question in place of a name may say who and when. Commits of other tools are shown too; what they did is
    inferred from their changes. A sync that merged says what it renamed and what is in conflict.

    \b
    Examples:
      mdmem log --session conv-42
      mdmem log user_prefers_tables
      mdmem log what did codex write yesterday
      mdmem log user_prefers_tables --format membrane
    """
    name = phrase(words)
    if form == "membrane":
        return _audit_log(vault, name)
    start, end = moments.since(since, who.now) if since else None, None
    if asked := question.deed(name, who.now.date()):
        name, actor = asked.about, asked.actor or actor
        start, end = dates.bounds(asked.period) if asked.period else (start, end)
    if not name:
        told = list(islice(past.events(vault, start, actor, session, run, end), limit))
        _tell_of_edges(vault, [commit.oid for commit in told])
        return Rows(told, empty=_NOTHING)
    sessions = past.family(vault, session)
    found = [
        commit
        for commit in history(vault, name)
        if past.by_any(commit, actor, sessions, run)
        and (start is None or commit.when >= start)
        and (end is None or commit.when < end)
    ]
    _tell_of_edges(vault, [commit.oid for commit in found[:limit]])
    more = len(found) - limit
    return Rows(found[:limit], _NOTHING, more=f"... and {more} more: --limit {len(found)}" if more > 0 else "")


def _tell_of_edges(vault: Vault, oids: Iterable[str]) -> None:
    """Say which commits seem to have made all that was there before them, as a shallow clone was cut off there."""
    for oid in sorted(vault.repo.shallow().intersection(oids)):
        edge = f"this shallow clone was cut off at {oid[:8]}, which seems to have made all that was there before"
        vault.tell(f"{edge}; git fetch --unshallow gets the rest")


def history(vault: Vault, name: str, exactly: bool = False) -> list[Commit]:
    """The commits of a memory or of an ingested dialog. Raises as `past.identify`."""
    if layout.entry_name(name):
        return rawpast.history(vault, name)
    return past.history(vault, *past.identify(vault, name, exactly))


def _audit_log(vault: Vault, name: str) -> Told:
    """The whole audit log of a memory, as an exported record has it. Raises UsageError without a name."""
    from mdmem.systems.membrane import audit

    if not name:
        raise UsageError("an audit log belongs to one memory", "name it: mdmem log NAME --format membrane")
    return document([dict(entry) for entry in audit.of_memory(vault, *past.identify(vault, name)).log])


def diff(
    vault: Vault,
    who: Caller,
    name: str = "",
    *,
    old: str = "",
    new: str = "",
) -> Told:
    """Show what changed: by default what is not committed yet, in the vault or in NAME.

    NAME@REV is short for NAME --from REV, and a revision or a range of them may stand in place of a name.

    \b
    Examples:
      mdmem diff
      mdmem diff HEAD~1
      mdmem diff user_prefers_tables@HEAD~3
      mdmem diff --from 2026-03-01 --to 2026-04-01
    """
    meant = past.compared(vault, name, who.now) if name else past.Comparison("", "", None, None)
    start, end = (moments.dated(rev, who.now) if rev else None for rev in (old or meant.old, new or meant.new))
    found = past.difference(vault, meant.path, meant.id, start, end)
    value = {"path": meant.path, "from": start or "HEAD", "to": end or "", "diff": found}
    return Told(value, lambda style: [text.diff_text(found, style) if found else Aside("no difference")])


def blame(vault: Vault, name: str) -> Told:
    """Show who wrote each line of a memory, when, and in which commit and session.

    \b
    Example:
      mdmem blame user_prefers_tables
    """
    path, written = past.blame(vault, name)
    _tell_of_edges(vault, [line.commit for line in written])
    return Told({"path": path, "lines": written}, text.blame_lines(written))


def trash(vault: Vault) -> Rows:
    """List the memories and ingested dialogs that were deleted; `mdmem restore` brings them back.

    \b
    Example:
      mdmem trash --json
    """
    every = trail.deletions(vault)
    return Rows([*past.trash(vault, every), *rawpast.trash(vault, every)], empty="the trash is empty")


def restore(vault: Vault, who: Caller, names: Sequence[str], *, reason: str = "") -> Told:
    """Bring back deleted memories with their ids, deleted dialogs, or old versions of memories (NAME@REV).

    Each is a commit of its own. What cannot be brought back is told, and does not keep the others.

    \b
    Examples:
      mdmem restore project_uses_python
      mdmem restore user_prefers_tables@HEAD~2 deploys_run_on_mondays
      mdmem restore topics/travel/20260208T140500Z-0c7a6f3e
    """
    done = each(names, partial(_restored, vault, who, reason), vault.tell)
    restored = [value for value, _ in done]
    said = [line for _, line in done]
    return Told({**restored[-1], "restored": restored}, said, failed=len(done) < len({*names}))


def _restored(vault: Vault, who: Caller, reason: str, name: str) -> tuple[Json, str]:
    """What was brought back, as JSON and in a line."""
    stem, rev = lookup.split_revision(vault, name)
    if layout.entry_name(name):
        path, commit = rawpast.restore(vault, name, who, reason)
    elif rev:
        path, commit = past.restore_version(vault, past.living(vault, stem, exactly=True), rev, who, reason)
    else:
        path, commit = past.restore(vault, name, who, reason)
    is_same = rev and not commit
    said = f"{path} is already in that state" if is_same else f"restored {path}{committed(commit)}"
    return {"path": path, "commit": commit}, said
