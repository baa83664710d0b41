"""Start a session with the memories it needs, keep its LiveHud, save what it learned at the end.

\b
Examples:
  mdmem session start --context "fix the deploy" --actor claude-code
  mdmem session note --present "reading the deploy log" --future "write the fix" --actor claude-code
  mdmem session end --summary "Deploys hang when the disk is full." --actor claude-code --json
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from mdmem.acts.face import Face
from mdmem.acts.selecting import ALL, Selection
from mdmem.acts.style import Json
from mdmem.acts.telling import Told, beside, encode
from mdmem.errors import MdmemError, UsageError
from mdmem.note import tokens
from mdmem.note.gauges import Gauges
from mdmem.note.terminal import safe_line
from mdmem.session import livehud

if TYPE_CHECKING:
    from datetime import datetime

    from mdmem.capture.proposals import CaptureDecision
    from mdmem.garden.asking import MayChange
    from mdmem.session.choosing import Chosen
    from mdmem.session.end import Ending
    from mdmem.session.start import Pack
    from mdmem.store.vault.several import UnreadVault


_SAID = 60  # tokens of a memory that would be written


def start(
    face: Face,
    *,
    context: str | None = None,
    files: int = 35,
    budget: int = 4000,
    names_only: bool = False,
    chosen: Selection = ALL,
    reason: str = "",
) -> Told:
    """Print the memories a session needs, in one page: the LiveHud, where it is, then the memories.

    What is to be kept in mind comes first (pinned, tagged do_not_forget, an importance of 0.9 or more, and the
    preferences that are everybody's or of this project), then open tasks (category future), what recall finds for
    the context, and what changed since this actor's last session. Without a context it tells what the project is.
    A memory takes a line if its text does; of a long one there is a passage, and more as the budget allows.

    Without --session it gets the id of your agent's conversation, or a new one, shown in the third line. With an
    existing id that session goes on, and is told only what is new.

    \b
    Examples:
      mdmem session start --context "fix the deploy" --budget 2000 --actor claude-code
      mdmem session start --names-only --files 35
      mdmem session start --context "release notes" --category past --json
    """
    from mdmem.session import start as session

    del reason
    wanted = session.PackRequest(context or "", chosen.conditions(), files, budget, names_only)
    try:
        with face.opened(look_ahead=True) as vault, face.beside(vault) as vaults:
            who = face.caller()._replace(project=face.project(vault))
            with session.showing(vault, wanted, who, vaults) as pack:
                return Told(_pack_json(pack, who.now, getattr(vaults, "unread", ())), pack.page.text)
    except UsageError:
        raise
    except MdmemError as error:
        line = livehud.line(Gauges(present=context or "", memory=livehud.NO_ACCESS))
        error.result = None if face.as_json else Told(None, line)
        raise


def _pack_json(pack: Pack, now: datetime, unread: Sequence[UnreadVault]) -> Json:
    """What a session starts with; `left_out` are memories that did not fit into the budget."""
    from mdmem.acts.text.notes import answer_json

    def told(items: Iterable[Chosen]) -> list[Any]:
        return [{**answer_json(item.answer, now), "why": item.why} for item in items]

    return {
        **encode(pack.session),
        "news": pack.news,
        "memories": told(pack.page.items),
        "left_out": told(pack.page.left_out),
        "text": pack.page.text,
        **({"unread": unread} if unread else {}),
    }


def note(
    face: Face,
    *,
    past: str | None = None,
    present: str | None = None,
    future: str | None = None,
    reason: str = "",
) -> Told:
    """Set gauges of a session's LiveHud, and print it; without options, only print it.

    Without --session this is the newest open session of this actor. "" clears a gauge.

    \b
    Examples:
      mdmem session note --present "reading the deploy log"
      mdmem session note --future "write the fix" --session conv-42
      mdmem session note --json
    """
    from mdmem.session import start as session

    del reason
    said = {"past": past, "present": present, "future": future}
    with face.opened() as vault:
        noted = session.note(vault, {key: text for key, text in said.items() if text is not None}, face.caller())
    return Told(noted, livehud.line(noted.livehud))


def _decision_json(decision: CaptureDecision, path: str) -> Json:
    from mdmem.session import end

    draft = decision.proposal.draft
    return {
        "source": end.source(decision.proposal),
        "line": decision.proposal.line,
        "title": draft.name or draft.title,
        "verdict": decision.verdict,
        "reason": decision.reason,
        "memory": decision.record.name if decision.record else None,
        "path": path or None,
    }


def end(
    face: Face,
    *,
    summary: str = "",
    transcript: str = "",
    dry_run: bool = False,
    reason: str = "",
) -> Told:
    """Write what a session learned as memories, one concept to a file, in one commit, and end it.

    Each bullet and each paragraph of the summary becomes a memory, and each item of a [MEMORY_CANDIDATES] block
    in it; so does what capture finds in the transcript, except what the session was shown; so does the Future
    gauge, if it was set. What a memory already says is skipped and reported. Where files were changed, a work note
    of what was done is offered, with its command.

    Without --session this is the newest open session of this actor. If there is no such session, one is opened for
    what you give; if you give nothing, that is an error. If nothing of what you give could be written, the session
    stays open.

    \b
    Examples:
      mdmem session end --summary "Deploys hang when the disk is full."
      mdmem session end --summary - --session conv-42 --dry-run < summary.md
      mdmem session end --transcript ~/.claude/projects/shop/0c1d.jsonl --json
    """
    from mdmem.acts.remembering import questions_on
    from mdmem.acts.unwritten import offering
    from mdmem.capture.proposals import drafts_of
    from mdmem.session import end as session

    if summary == transcript == "-":
        raise UsageError(
            "standard input can only be one of the two", "give the summary or the transcript as a file"
        )
    text = face.text() if summary == "-" else summary
    learnt = session.Learnt(text, path=transcript)
    if transcript == "-":
        learnt = session.Learnt(text, face.text(), "standard input")
    with face.opened() as vault:
        who = face.caller()._replace(project=face.project(vault))
        ending = session.plan(vault, learnt, who, reopens=not face.session)
        questions: Sequence[MayChange] = ()
        if not dry_run:
            with offering(vault, drafts_of(ending.decisions), who, ending.session.livehud):
                ending = session.end(vault, ending, who, reason)
            questions = questions_on(vault, ending.done.paths)
    return _ended(ending, questions, dry_run)


def _ended(ending: Ending, questions: Sequence[MayChange], is_dry: bool) -> Told:
    """What the end of a session wrote and left out, or would; `offers` are commands for what could be added."""
    from mdmem.acts.remembering import may_change, question_lines
    from mdmem.capture.proposals import paths_of

    kept = list(zip(ending.decisions, paths_of(ending.decisions, ending.done), strict=True))
    value = {
        **encode(ending.session),
        "proposals": [{**_decision_json(one, path), **may_change(questions, path)} for one, path in kept],
        "offers": ending.offers,
        "problems": ending.problems,
        "commit": ending.done.commit,
    }
    said = [*question_lines(questions), *(_kept_line(one, path, ending.done.commit) for one, path in kept)]
    said += [f"could be added: {safe_line(offer)}" for offer in ending.offers]
    id = safe_line(ending.session.id)
    if not ending.decisions and not ending.problems:
        said.append(beside(f"nothing to save from session {id}"))
    if ending.stays_open and not is_dry:
        said.append(beside(f"nothing was written; session {id} stays open"))
    return Told(value, said, ending.problems)


def _kept_line(decision: CaptureDecision, path: str, commit: str) -> str:
    from mdmem.capture import proposals
    from mdmem.session import end

    draft = decision.proposal.draft
    title = safe_line(draft.name or draft.title)
    if decision.verdict not in proposals.WRITTEN:
        about = f" as {decision.record.name}" if decision.record and decision.verdict == "twin" else ""
        source = end.source(decision.proposal)
        name = f"{title} ({source})" if title else source
        return f"left out: {name}: {safe_line(decision.reason + about)}"
    replaced = f", replaces {safe_line(decision.record.name)}" if decision.record else ""
    if not path:
        return f"would remember: {tokens.cut(safe_line(draft.text), _SAID)}{replaced}"
    return f"remembered {safe_line(path)}  ({commit[:8]}){replaced}"
