"""What was done to memories, and taking it back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, NamedTuple

from mdmem.acts.signature import Opt
from mdmem.acts.style import Aside, Style, plain
from mdmem.acts.text import past as text
from mdmem.errors import UsageError
from mdmem.history import undo as undoing
from mdmem.history.selection import UndoRequest
from mdmem.history.undo import UndoConflictError, UndoPlan
from mdmem.operation import Caller
from mdmem.text import moments
from mdmem.text.plural import counted
from mdmem.text.terminal import safe_line
from mdmem.vault.vault import Vault

_MOST_UNDONE = 10  # commits that an undo names


class Undone(NamedTuple):
    """What an undo did by `commit`; what it would do if that is ""."""

    plan: UndoPlan
    commit: str
    is_dry: bool = False

    def json(self) -> dict[str, Any]:
        """`subjects` are those of the commits in `undone`; a conflict has the commit that it is with."""
        plan = self.plan
        return {
            "commit": self.commit,
            "undone": [commit.oid for commit in plan.undone],
            "subjects": [text.commit_subject(commit) for commit in plan.undone],
            "paths": list(plan.writes),
            "conflicts": [{**one._asdict(), "commit": one.commit.oid} for one in plan.conflicts],
        }

    def lines(self, style: Style = plain) -> Iterator[str]:
        """The conflicts, then what was taken back."""
        plan = self.plan
        yield from (Aside(text.conflict_lines(conflict, style)) for conflict in plan.conflicts)
        files, commits = counted(len(plan.writes), "file"), counted(len(plan.undone), "commit")
        if self.is_dry:
            yield from (text.commit_lines(commit, style) for commit in plan.commits)
            yield f"would take back {commits}, changing {files}; nothing was changed"
        elif self.commit:
            yield f"took back {commits}, {files} changed  ({self.commit[:8]})"
            for commit in plan.undone[:_MOST_UNDONE]:
                yield f"  {style(commit.oid[:8], 'yellow')} {safe_line(text.commit_subject(commit))}"
            if len(plan.undone) > _MOST_UNDONE:
                yield f"  and {len(plan.undone) - _MOST_UNDONE} more"
        elif plan.conflicts:
            return
        else:
            yield "all of that is already undone"
        if skipped := {conflict.path for conflict in plan.conflicts}:
            partly = counted(len(plan.commits) - len(plan.undone), "commit")
            yield f"skipped {counted(len(skipped), 'file')} with conflicts, so {partly} not fully undone"


def undo(
    vault: Vault,
    who: Annotated[
        Caller, Opt("Who undoes it. Default: as the agent is recognised, else git's user.", flags="--by")
    ],
    *,
    last: Annotated[int, Opt("The last N writes.", least=1)] = 0,
    session: Annotated[str, Opt("Everything this session wrote.", completes="session")] = "",
    with_children: Annotated[bool, "With --session: what its subagents wrote, too."] = False,
    actor: Annotated[str, "Everything this agent or person wrote."] = "",
    since: Annotated[str, "Everything since a date or age: 2026-03-01, 2h, 3d."] = "",
    run: Annotated[str, Opt("Everything this run of the gardeners did.", metavar="ID")] = "",
    commits: Annotated[Sequence[str], Opt("This commit; may be repeated.", flags="--commit", metavar="REV")] = (),
    dry_run: Annotated[bool, "Show what would be undone; change nothing."] = False,
    skip_conflicts: Annotated[bool, "Undo what can be undone, and leave the rest."] = False,
    reason: str = "",
    yes: Annotated[bool, Opt("Do it even if it deletes many memories.", flags="-y --yes")] = False,
) -> Undone:
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
        raise UsageError("nothing selected to undo", "say what: last, session, actor, since, run or commit")
    if dry_run:
        return Undone(undoing.plan(vault, wanted, skip_conflicts), "", is_dry=True)
    try:
        return Undone(*undoing.undo(vault, wanted, who, reason, skip_conflicts, yes))
    except UndoConflictError as error:
        error.result = Undone(error.plan, "")
        raise
