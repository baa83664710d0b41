"""Erasing memories or a text from all of history."""

import os
from collections.abc import Sequence
from functools import partial

from mdmem.acts.face import Face
from mdmem.acts.style import Lines, Style, few
from mdmem.acts.telling import Told, encode
from mdmem.errors import MdmemError, StoppedError, UsageError
from mdmem.history.purging import published, target
from mdmem.history.purging import purge as purging
from mdmem.history.purging import survey as surveying
from mdmem.history.purging.published import PushedPurge
from mdmem.history.purging.purge import Purged
from mdmem.history.purging.survey import OutsideFile, PurgeSurvey
from mdmem.note import moments
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line
from mdmem.store.operation import Caller
from mdmem.store.progress import Watch
from mdmem.store.vault.vault import Vault

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


def purge(
    vault: Vault,
    who: Caller,
    watch: Watch,
    face: Face,
    names: Sequence[str] = (),
    *,
    text: bool = False,
    yes: bool = False,
    commits: str = "",
    push: str = "",
    whole_repository: bool = False,
    reason: str = "",
) -> Told:
    """Erase memories, or a text such as a password, from all of history. There is no undo.

    Without --yes it only shows what it would do, and ends with exit code 4. What is written between that and your
    yes is rewritten, too, and need not be agreed to again. A memory becomes a file without
    content that says when it was purged; history still tells who wrote it when. A text becomes (purged) wherever
    it stands. It is never an argument: arguments stay in the shell's history.

    \b
    Examples:
      mdmem purge user_has_hidden_illness
      mdmem purge --text < /dev/shm/leaked-key
      mdmem purge user_has_hidden_illness --yes --commits 12@1a2b3c4d --reason "Asked to forget it."
      mdmem purge --push origin
    """
    only_push = push and not names and not text
    if bool(names) == text and not only_push:
        wrong = "names and --text exclude each other" if names else "nothing to purge is named"
        raise UsageError(wrong, "mdmem purge NAME ..., or mdmem purge --text, which asks for the text")
    if not vault.clearance.is_full:
        raise StoppedError("a purge goes through memories that may not be shown here", "a person has to run it")
    if only_push:
        pushed = published.push(vault.repo, push)
        return Told(pushed, pushed_lines(pushed))
    agreed, at = _agreed(vault, commits)
    meant = (
        target.of_memories(vault, tuple(names), who.now)
        if names
        else target.of_text(face.secret("Text to purge (not shown)"))
    )
    home = os.path.expanduser("~")
    with watch("looking through history") as report:
        survey = surveying.survey(vault, meant, who.now, home, whole_repository, report, at)
    if not yes:
        raise _stopped(survey)
    count = _asked_commits(face, survey) if agreed is None else agreed
    with watch("purging") as report:
        done = purging.purge(vault, survey, count, who, reason, report)
    told = Told(done, partial(purged_lines, done))
    return _pushed(vault, told, push) if push else told


def _pushed(vault: Vault, told: Told, remote: str) -> Told:
    """Replace what a remote holds, after a purge."""
    try:
        pushed: PushedPurge = published.push(vault.repo, remote)
    except MdmemError as error:
        error.result = told
        raise
    value = {**encode(told.value), "pushed": pushed}
    return Told(value, lambda style: [*told.lines(style), *pushed_lines(pushed)])


def _stopped(survey: PurgeSurvey) -> StoppedError:
    """What a purge would do, as the result of the error that ends it."""
    hint = "clear that away first" if survey.obstacles else f"add --yes --commits {survey.agree}"
    error = StoppedError("nothing was changed", hint)
    error.result = Told(survey, partial(survey_lines, survey))
    return error


def _agreed(vault: Vault, text: str) -> tuple[int | None, str]:
    """(number of commits, commit at which they were counted) in `--commits`; None and "" for what is not given."""
    number, _, at = text.partition("@")
    if text and not (number.isdecimal() and number.isascii()):
        raise UsageError(f"--commits {text} is not a number of commits", "mdmem purge without --yes says which")
    return int(number) if text else None, vault.repo.resolve(at) if at else ""


def _asked_commits(face: Face, survey: PurgeSurvey) -> int:
    """The number of commits as the person types it. Raises StoppedError if nobody can be asked."""
    if not face.is_there:
        raise StoppedError("nothing was changed", f"add --commits {survey.agree} to agree to it")
    face.tell(f"{survey.known} commits get another id, and there is no undo.")
    typed = face.ask("To go on, type that number")
    if not typed.strip().isdecimal():
        raise StoppedError("nothing was changed", f"{typed!r} is not a number")
    return int(typed)


def survey_lines(survey: PurgeSurvey, style: Style) -> Lines:
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


def _found_lines(survey: PurgeSurvey, style: Style) -> Lines:
    yield f"Found in {counted(len(survey.holding), 'commit')}. Commits that get another id: {survey.known}"
    commits = [
        f"{style(commit.id[:8], 'yellow')} {moments.render(commit.when)[:10]} {commit.author}: {commit.subject}"
        for commit in survey.holding
    ]
    for title, names in (
        ("", commits),
        ("Files that hold it now:", survey.files),
        ("Files that held it once:", survey.past_files),
        ("Refs that move:", survey.refs),
        ("Names that stay because other memories have them now:", survey.target.kept_paths),
    ):
        if title and names:
            yield title
        yield from few([f"  {safe_line(name)}" for name in names], _SHOWN, "  ... and {} more")
    if survey.signed:
        yield f"{counted(survey.signed, 'signed commit')} among them: the signatures are lost"
    if survey.loose:
        yield f"{counted(survey.loose, 'object')} that only git's own logs still know"


def _outside_lines(survey: PurgeSurvey) -> Lines:
    others = [found for found in survey.outside if found.kind in _KINDS]
    if len(others) < len(survey.outside):
        count = counted(len(survey.outside) - len(others), "file")
        yield f"{count} of git's and mdmem's own hold it, which the purge cleans"
    yield from _file_lines(others)


def _file_lines(files: Sequence[OutsideFile]) -> Lines:
    if files:
        yield "Files outside git that hold it:"
        yield from (f"  {safe_line(found.path)}  ({_KINDS.get(found.kind, 'delete it')})" for found in files)


def purged_lines(done: Purged, style: Style) -> Lines:
    """What a purge did, what still holds the purged text, and what to do next."""
    if done.commit:
        yield f"purged; {counted(done.rewritten, 'commit')} got another id  ({style(done.commit[:8], 'yellow')})"
    else:
        yield "nothing in git's history held it, so no commit was made"
    if done.objects:
        yield style(f"{counted(done.objects, 'object')} in git still hold it: run mdmem doctor --deep", "red")
    yield from _file_lines(done.left)
    yield from unreached_lines(done.unreached)


def unreached_lines(unreached: Sequence[str]) -> Lines:
    """What a purge cannot reach."""
    yield "Not reached by a purge here:"
    yield from (f"  - {safe_line(sentence)}" for sentence in unreached)


def pushed_lines(done: PushedPurge) -> Lines:
    """What was replaced in a remote, and what is left to do there."""
    yield f"replaced in {safe_line(done.remote)}: {safe_line(', '.join(done.refs)) or 'nothing'}"
    if done.left:
        yield f"old refs left there, to be deleted: {safe_line(', '.join(done.left))}"
    yield "Left to do on its host:"
    yield from (f"  - {step}" for step in _AT_THE_HOST)
