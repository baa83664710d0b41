"""What is worth keeping of chats: memories found in them, whole dialogs, candidates of a model without tools."""

import os
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from mdmem.acts.face import Face
from mdmem.acts.remembering import may_change, question_lines, questions_on
from mdmem.acts.style import Lines, Style, committed, few, plain
from mdmem.acts.telling import Told, beside, encode
from mdmem.acts.unwritten import offering
from mdmem.capture import proposals, reading, triggers, weighing
from mdmem.capture.proposals import CaptureDecision, CapturedTranscript
from mdmem.errors import NotFoundError, Problem, UsageError
from mdmem.note import moments
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line
from mdmem.recall.models import wording
from mdmem.store.operation import Caller, Written
from mdmem.store.progress import Watch
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import dialog, extract
from mdmem.systems.layers import ingest as ingesting
from mdmem.systems.layers.dialog import DialogSource
from mdmem.systems.layers.ingest import Ingested, IngestReport, IngestRequest
from mdmem.write.remember import Draft

_LEFT_OUT = {"twin": "left out, known", "secret": "refused", "problem": "left out, cannot be written"}


_SHOWN = 20  # entries of one ingest that are listed


def wanted(decisions: Sequence[CaptureDecision]) -> str:
    """`2 memories`, of those that are to be written."""
    return counted(sum(one.verdict in proposals.WRITTEN for one in decisions), "memory")


def _found(
    vault: Vault, read: CapturedTranscript, decisions: Sequence[CaptureDecision], done: Written, is_dry: bool
) -> Told:
    """The memories that were found in a transcript, and what became of each.

    `confidence` is 0-1, `line` that of the quote, `place` its turn in an export; `may_change` asks about older
    memories that the new ones may repeat or change.
    """
    each = list(zip(decisions, proposals.paths_of(decisions, done), strict=True))
    questions = questions_on(vault, done.paths)
    value = {
        "format": read.format,
        "proposals": [{**encode(one), "path": path or None, **may_change(questions, path)} for one, path in each],
        "problems": read.problems,
        "commit": done.commit,
    }

    def said(style: Style) -> Lines:
        for one, path in each:
            yield decision_lines(one, path, style)
        held = wanted(decisions)
        if done.commit:
            yield f"remembered {held}{committed(done.commit)}"
            yield from question_lines(questions)
        elif held.startswith("0"):
            yield "nothing to remember"
        elif is_dry:
            yield beside(f"would remember {held}; add --write to write them")

    return Told(value, said, read.problems)


def capture(
    vault: Vault,
    who: Caller,
    watch: Watch,
    face: Face,
    file: str,
    *,
    write: bool = False,
    dry_run: bool = False,
    only: Annotated[Sequence[str], triggers.TRIGGERS] = (),
    min_confidence: float = triggers.MIN_CONFIDENCE,
    rules_only: bool = False,
    reason: str = "",
) -> Told:
    """Find what is worth remembering in a chat: FILE is its transcript, "-" standard input.

    Reads sessions of Claude Code, Codex, Copilot, Gemini, Qwen, OpenCode, pi, aider and Cursor, lines of role
    and content, ChatGPT's conversations.json, the export of Claude.ai, and texts with "User:" and "Assistant:" or
    such headings. Session, agent and project are those of the transcript. A memory is proposed
    where the user corrects something, reaches a milestone, states a preference or asks to save something, and
    where a technical lesson is learned. Each proposal shows the line, the trigger and how sure it is (0-1).

    Left out is what a memory already says, what recall itself put into the chat, and anything that contains a
    password or key. A correction of a memory replaces it; the old one is kept as deprecated.

    With $MDMEM_LLM, a model of the llm package (pip install 'mdmem[llm]') rewords the title and text of what
    the rules chose; if it fails, the rule-based wording stays.

    \b
    Examples:
      mdmem capture ~/.claude/projects/shop/0c1d.jsonl
      mdmem capture chat.md --write --session conv-42
      pbpaste | mdmem capture - --only preference --json
    """
    if write and dry_run:
        raise UsageError("--write and --dry-run exclude each other", "leave one of them out")
    with watch("reading the chats") as report:
        session = safe_line(face.session)
        if file == "-":
            read = proposals.read(face.text(), "standard input", min_confidence, report, session)
        else:
            read = reading.read(file, min_confidence, report, session)
    chosen = [one for one in read.proposals if not only or one.trigger in only]
    who = face.writer(vault, face.actor or read.actor) if read.actor else who
    with watch("comparing with the vault") as report:
        decisions = weighing.weigh(vault, chosen, read.recalled, report, who.allow_secret)
    if not rules_only:
        decisions = proposals.worded(decisions, partial(wording.by_named, os.environ), face.tell)
    with offering(vault, proposals.drafts_of(decisions), who):
        done = proposals.write(vault, decisions, who, reason) if write else Written((), "")
    return _found(vault, read, decisions, done, not write)


def captured(vault: Vault, who: Caller, transcript: str, write: bool = False) -> tuple[Told, str]:
    """(the same of a chat that a program gives, how many memories are to be written)."""
    read = proposals.read(transcript, "the transcript")
    found = [one._replace(project=who.project) for one in read.proposals]
    chosen = weighing.weigh(vault, found, read.recalled, allow_secret=False)
    done = proposals.write(vault, chosen, who) if write else Written((), "")
    return _found(vault, read, chosen, done, not write), wanted(chosen)


def ingest(
    vault: Vault,
    who: Caller,
    watch: Watch,
    face: Face,
    file: str,
    *,
    topic: str,
    time: str = "",
    redact: bool = False,
    rules_only: bool = False,
    facts: str = "",
    reason: str = "",
) -> Told:
    """Keep whole dialogs, byte for byte: FILE is one, a folder of them, or "-" for standard input.

    Reads Markdown, text and every transcript that `mdmem capture` reads. Each dialog becomes an entry,
    topics/TOPIC/ID/, with raw.md, meta.json and summary.json; they are written once and never changed. All
    that is ingested at once is one commit. What the vault holds already is not added again.

    Facts are drawn from each by rule; with `facts = "model"` under [ingest] in mdmem.toml, by the model that
    $MDMEM_LLM names. Those who read a dialog give better ones with --facts: see `mdmem guide layers`.

    --topic auto picks the topic that shares most words with the dialog, or a new one, and says how sure it is
    (0-1). A dialog with a password or key is left out, and its line named.

    \b
    Examples:
      mdmem ingest chat.md --topic "travel plans"
      mdmem ingest ~/exports/chats --topic auto --json
      pbpaste | mdmem ingest - --topic health --time 2026-02-08T14:05Z
    """
    when = moments.render(moments.since(time, who.now)) if time else ""
    sources, problems = _sources(vault, face, file)
    drawn: list[Draft] = []
    wanted = IngestRequest(topic, when, redact)
    with offering(vault, drawn, who), watch("reading dialogs") as report:
        if facts:
            from mdmem.systems.layers import given

            if len(sources) != 1:
                raise UsageError("the facts are those of one dialog", "give the file of that dialog")
            items = given.items_in(dialog.file_source(facts).read(), facts)
            done = given.take(vault, sources[0], wanted, who, items, facts, reason)
        else:
            draw = partial(ingesting.noted, _draw(vault, face, rules_only), drawn)
            done = ingesting.ingest(vault, sources, wanted, who, reason, report, draw)
    done = done._replace(problems=(*problems, *done.problems))
    return Told(done, partial(ingested_lines, done), done.problems)


def keep(vault: Vault, who: Caller, dialog: str, topic: str, items: Sequence[Any]) -> IngestReport:
    """Keep a whole dialog that a program gives, with the facts that it read there."""
    from mdmem.systems.layers import given

    source = DialogSource("the dialog", dialog.encode)
    return given.take(vault, source, IngestRequest(topic), who, items, "items")


def _draw(vault: Vault, face: Face, rules_only: bool) -> ingesting.Draw:
    """The function that draws facts from dialogs: by rules, or by the configured model."""
    if rules_only or vault.config.ingest.facts == "rules":
        return extract.summary_of
    from mdmem.systems.layers import given

    return given.configured(face.tell)


def _sources(vault: Vault, face: Face, file: str) -> tuple[list[DialogSource], list[Problem]]:
    if file == "-":
        return [DialogSource("-", face.data)], []
    if os.path.isdir(file):
        return dialog.sources_in(vault, file)
    if not os.path.exists(file):
        raise NotFoundError(f"there is no file {file}", 'give a file, a folder of them, or "-"')
    return [dialog.file_source(file)], []


def decision_lines(decision: CaptureDecision, path: str = "", style: Style = plain) -> str:
    """A proposal of capture: its trigger and quote, and its outcome; `path` is the file that was written."""
    proposal = decision.proposal
    place = safe_line(proposal.place) or f"line {proposal.line}"
    head = f"{style(proposal.trigger, 'bold')}  {proposal.confidence:.2f}  {place}"
    if proposal.quote:
        head += f'  "{safe_line(proposal.quote)}"'
    about = f" {decision.record.name}" if decision.record and decision.verdict == "twin" else ""
    return f"{head}\n   {_outcome(decision, path)} ({safe_line(decision.reason)}{about})"


def _outcome(decision: CaptureDecision, path: str) -> str:
    if path:
        return f"remembered {safe_line(path)}"
    if decision.verdict in proposals.WRITTEN:
        return f"would remember: {safe_line(decision.proposal.draft.title)}"
    return _LEFT_OUT.get(decision.verdict, "left out")


def ingested_lines(done: IngestReport, style: Style) -> Lines:
    """What was ingested: a line per entry, then the count."""
    yield from few([_entry_line(item, style) for item in done.items], _SHOWN)
    new = sum(not item.known for item in done.items)
    known = len(done.items) - new
    told = f"ingested {counted(new, 'dialog')}" if new else "nothing new"
    told += f", {known} there already" if known else ""
    yield f"{told}{committed(done.commit)}"


def _entry_line(item: Ingested, style: Style) -> str:
    where = style(safe_line(item.place.folder), "bold")
    if item.known:
        return f"{safe_line(item.source)}: {where} holds it already"
    remarks = []
    if item.sureness is not None:
        remarks.append(f"{'new topic' if item.is_new_topic else 'topic'} chosen with confidence {item.sureness}")
    if item.redactions:
        remarks.append(f"{counted(len(item.redactions), 'secret')} replaced")
    return f"{safe_line(item.source)} -> {where}" + (f"  ({'; '.join(remarks)})" if remarks else "")
