"""Surveys and results of a purge, as text. None of it contains what is purged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from mdmem.acts.style import Style, plain
from mdmem.note import moments
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.history.purging.outside import OutsideFile
    from mdmem.history.purging.published import PushedPurge
    from mdmem.history.purging.purge import Purged
    from mdmem.history.purging.survey import PurgeSurvey

_SHOWN = 10  # commits, files or refs listed, at most
_ROTATE = {
    "text": "First change the secret where it is used: anybody who has read it or has a clone still knows it.",
    "memory": "If it contains a password or key, first change that where it is used: others may know it already.",
}
_AT_THE_HOST = (
    "a hub of your own: git reflog expire --expire=now --all && git gc --prune=now, in its folder",
    "there, too: mdmem hooks install --hub refuses pushes of the old history",
    "GitHub, GitLab and the like: ask their support to delete cached pages, pull requests and unreachable commits",
    "forks and other clones: each has to follow, or to be deleted",
)
_KINDS = {"file": "yours to delete", "transcript": "of an agent or a shell, yours to delete"}


def survey_lines(survey: PurgeSurvey, style: Style = plain) -> Iterator[str]:
    """What a purge would do: what to do first, what was found, what is in the way, what it cannot reach."""
    yield style(_ROTATE[survey.target.kind], "bold")
    yield ""
    yield from _found_lines(survey, style)
    yield from _outside_lines(survey)
    if survey.obstacles:
        yield ""
        yield style("In the way:", "red")
        yield from (f"  {safe_line(found.message)}\n    -> {safe_line(found.fix)}" for found in survey.obstacles)
    yield ""
    yield from unreached_lines(survey.unreached)


def _found_lines(survey: PurgeSurvey, style: Style) -> Iterator[str]:
    yield f"Found in {counted(len(survey.holding), 'commit')}. Commits that get another id: {survey.known}"
    commits = (
        f"{style(commit.id[:8], 'yellow')} {moments.render(commit.when)[:10]} {commit.author}: {commit.subject}"
        for commit in survey.holding
    )
    yield from _listed(commits, len(survey.holding))
    for title, names in (
        ("Files that hold it now:", survey.files),
        ("Files that held it once:", survey.past_files),
        ("Refs that move:", survey.refs),
        ("Names that stay because other memories have them now:", survey.target.kept_paths),
    ):
        if names:
            yield title
            yield from _listed(names, len(names))
    if survey.signed:
        yield f"{counted(survey.signed, 'signed commit')} among them: the signatures are lost"
    if survey.loose:
        yield f"{counted(survey.loose, 'object')} that only git's own logs still know"


def _listed(lines: Iterable[str], count: int) -> Iterator[str]:
    shown = [line for line, _ in zip(lines, range(_SHOWN), strict=False)]
    yield from (f"  {safe_line(line)}" for line in shown)
    if count > _SHOWN:
        yield f"  ... and {count - _SHOWN} more"


def _outside_lines(survey: PurgeSurvey) -> Iterator[str]:
    others = [found for found in survey.outside if found.kind in _KINDS]
    if len(others) < len(survey.outside):
        count = counted(len(survey.outside) - len(others), "file")
        yield f"{count} of git's and mdmem's own hold it, which the purge cleans"
    yield from _file_lines(others)


def _file_lines(files: Sequence[OutsideFile]) -> Iterator[str]:
    if files:
        yield "Files outside git that hold it:"
        kinds = (_KINDS.get(found.kind, "delete it") for found in files)
        yield from (f"  {safe_line(found.path)}  ({kind})" for found, kind in zip(files, kinds, strict=True))


def purged_lines(done: Purged, style: Style = plain) -> Iterator[str]:
    """What a purge did, what still holds the purged text, and what to do next."""
    if done.commit:
        yield f"purged; {counted(done.rewritten, 'commit')} got another id  ({style(done.commit[:8], 'yellow')})"
    else:
        yield "nothing in git's history held it, so no commit was made"
    if done.objects:
        yield style(f"{counted(done.objects, 'object')} in git still hold it: run mdmem doctor --deep", "red")
    yield from _file_lines(done.left)
    yield from unreached_lines(done.unreached)


def unreached_lines(unreached: Sequence[str]) -> Iterator[str]:
    """What a purge cannot reach."""
    yield "Not reached by a purge here:"
    yield from (f"  - {safe_line(sentence)}" for sentence in unreached)


def pushed_lines(done: PushedPurge) -> Iterator[str]:
    """What was replaced in a remote, and what is left to do there."""
    yield f"replaced in {safe_line(done.remote)}: {safe_line(', '.join(done.refs)) or 'nothing'}"
    if done.left:
        yield f"old refs left there, to be deleted: {safe_line(', '.join(done.left))}"
    yield "Left to do on its host:"
    yield from (f"  - {step}" for step in _AT_THE_HOST)
