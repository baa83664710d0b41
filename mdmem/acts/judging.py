"""What waits for a verdict, and the verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from mdmem.acts.checks import queue, taking
from mdmem.acts.checks.queue import CAPTURED, PROPOSAL, Waiting, Wanted
from mdmem.acts.face import Face
from mdmem.acts.style import Lines, Style
from mdmem.acts.telling import Told
from mdmem.errors import UsageError
from mdmem.garden.gardeners.proposal import POSSIBLE
from mdmem.garden.judging import Judged, Said
from mdmem.garden.verdicts import AGAIN
from mdmem.note.terminal import safe, safe_line
from mdmem.recall import prompt
from mdmem.store.operation import Caller
from mdmem.store.progress import Watch
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.acts.serving import Visit

_EDIT = "edit"  # a verdict that is given in an editor
_EVERY = 100_000  # more than can wait
_TEXT, _DIFF = 1200, 1500  # characters of a note and of a diff that an agent is shown


def waiting(
    vault: Vault,
    who: Caller,
    watch: Watch,
    ids: Sequence[str] = (),
    *,
    kinds: Sequence[str] = (),
    topic: str = "",
    limit: int = 10,
    least: float | None = None,
) -> Told:
    """List all that waits for somebody's verdict: captured memories, proposals, facts to score, merge conflicts.

    Each says what it is and from whom, what there is to read, what taking it would do, and what agents and models
    have said of it. With IDs, or how they begin, it shows these in full.

    \b
    Examples:
      mdmem waiting
      mdmem waiting --kind captured --json
      mdmem waiting --kind twins --min-confidence 0.05
    """
    wanted = Wanted(tuple(kinds), topic, limit, 0.0 if ids else least, ids=tuple(ids))
    with watch("looking at notes") as report:
        waits = queue.waiting(vault, who, wanted, report)

    def whole(style: Style) -> Lines:
        for one in waits.items:
            yield from one.lines(style, whole=True)

    return Told(waits.items, whole if ids else waits.lines)


def judge(
    vault: Vault,
    who: Caller,
    watch: Watch,
    face: Face,
    words: Sequence[str] = (),
    *,
    text: str = "",
    source: str = "",
    agreed_by: str = "",
    everything: bool = False,
    for_user: bool = False,
    kinds: Sequence[str] = (),
    topic: str = "",
    least: float | None = None,
    dry_run: bool = False,
    reason: str = "",
) -> Told:
    """Answer what waits, one or many at once; without words, go through it on the terminal, by key.

    Captured memories are answered with keep, reject or reword; proposals about two notes with same, "first
    replaces second", "second replaces first", "both hold" or "cannot tell", any other with yes or no; facts with 0
    to 10, or keep; conflicts of a merge with ours, theirs or reword. yes and no also do for what is captured or
    proposed, edit opens an editor, again takes a verdict back. The first characters of an id are enough; the id of
    a session means all that was captured in it.

    An agent's word on what you wrote or said waits for you. `--agreed-by` takes it, `--dry-run` shows it first.
    --from reads objects such as {"id": "3f0a", "verdict": "same", "why": "...", "text": "...", "drops": ["..."]}.

    \b
    Examples:
      mdmem judge
      mdmem judge 3f0a 77c1 keep
      mdmem judge 5f1c9f0e2a4b "both hold" -m "Two different rooms."
      mdmem judge --agreed-by claude-code --dry-run
    """
    wanted = Wanted(tuple(kinds), topic, _EVERY, least)
    if not (words or source or agreed_by or everything):
        from mdmem.acts.reviewing import review

        return review(vault, who, wanted, watch, face)
    if agreed_by:
        given: Sequence[Said] = taking.agreed(queue.waiting(vault, who, wanted).items, agreed_by)
    elif source:
        given = taking.verdicts_in(face.read(source))
    else:
        ids, verdict = _chosen(vault, who, wanted, words, everything)
        if verdict == _EDIT:
            given = [_edited(vault, who, wanted, face, id) for id in ids]
        else:
            given = [Said(id, verdict, reason, text) for id in ids]
    return judged(vault, given, who, kinds[0] if len(kinds) == 1 else "", for_user, dry_run)


def judged(
    vault: Vault, given: Sequence[Said], who: Caller, kind: str = "", for_user: bool = False, dry_run: bool = False
) -> Told:
    """Take verdicts. The fault of a single one is raised."""
    done = taking.judge(vault, given, who, kind, for_user, dry_run)
    if len(done) == 1 and done[0].fault:
        raise done[0].fault
    lines = list(taking.judged_lines(done, dry_run)) or ["nothing to take"]
    return Told(done, lines, failed=any(one.fault for one in done))


def said(items: Sequence[Any]) -> list[Said]:
    """The verdicts that a program gives, with the fields of `Said`."""
    return [Said(one.id, one.verdict, one.why, one.text, tuple(one.drops)) for one in items]


def listed(visit: Visit, only: Sequence[str], topic: str, limit: int) -> str:
    """What waits, for an agent that can read: each with its texts and the verdicts to choose from."""
    wanted = Wanted(tuple(only) or (CAPTURED, PROPOSAL), topic, limit, POSSIBLE, open=True)
    waits = queue.waiting(visit.vault, visit.who, wanted)
    left = sum(waits.counts.values()) - len(waits.items)
    end = [f"{left} more: judge these, and ask again" if left else "that is all"] if waits.items else []
    return "\n\n".join([*(_item(one) for one in waits.items), *end]) or "nothing waits"


def _item(one: Waiting) -> str:
    head = f"## {safe_line(one.id)}: {safe_line(one.of)}, {one.sure:.2f}\n{safe_line(one.title)}"
    source = f"From {safe_line(one.by)}: {safe_line(one.why)}" if one.kind == CAPTURED else ""
    would = f"Would become {safe_line(one.would)}" if one.kind == CAPTURED else ""
    lost = f"Would be lost: {safe_line(one.lost)}" if one.lost else ""
    change = prompt.fenced(safe(one.change[:_DIFF]), "diff") if one.change else ""
    said = f"Verdict: {' | '.join(one.answers)}"
    return "\n\n".join(filter(None, [head, source, lost, *_texts_of(one), would, change, said]))


def _texts_of(one: Waiting) -> Iterator[str]:
    """What there is to read, each text fenced as data, below its name, date and writer."""
    for told in one.texts:
        name = f"{safe_line(told.name)}, " if told.name else ""
        by = f", last written by {safe_line(told.by)}" if told.by else ""
        text = prompt.fenced(safe(told.text[:_TEXT]).strip("\n"), "markdown")
        yield f"{told.which.capitalize()}: {name}{told.date[:10] or 'no date'}{by}\n\n{text}"


def told(one: Judged) -> str:
    """What became of a verdict, for the agent that gave it."""
    if one.fault:
        return f"{one.said.id}: not taken: {one.fault.line}"
    if one.commit:
        return f"{one.said.id}: done (commit {one.commit[:8]})"
    if one.waits:
        return f"{one.said.id}: kept; a person decides, for it is about what a person wrote or said"
    return f"{one.said.id}: {one.why or 'kept'}"


def _edited(vault: Vault, who: Caller, wanted: Wanted, face: Face, id: str) -> Said:
    """What a person makes of one in their editor."""
    from mdmem.acts.reviewing import in_editor

    face.require_editor("give another verdict")
    return in_editor(vault, face, queue.waiting(vault, who, wanted._replace(ids=(id,))).items[0])


def _chosen(
    vault: Vault, who: Caller, wanted: Wanted, words: Sequence[str], everything: bool
) -> tuple[Sequence[str], str]:
    """(ids, verdict) that the words of a command mean. Raises UsageError."""
    *ids, verdict = words or ("",)
    if not verdict or bool(ids) == everything:
        raise UsageError(
            "say which, and a verdict", "mdmem waiting lists what waits: mdmem judge ID VERDICT, or --all"
        )
    if not everything:
        return ids, verdict
    if verdict == AGAIN:
        return [one["id"] for one in taking.denied(vault, wanted)], verdict
    if not wanted.kinds:
        raise UsageError("--all needs a --kind", f"one of: {', '.join(queue.KINDS)}")
    return [one.id for one in queue.waiting(vault, who, wanted).items], verdict
