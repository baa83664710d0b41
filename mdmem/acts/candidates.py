"""Import the [MEMORY_CANDIDATES] that a model without tools emits, or print memories as such a block.

\b
Examples:
  mdmem candidates import chat.txt --dry-run
  mdmem candidates import - --session conv-42 --json
  mdmem candidates render user_prefers_tables
"""

from collections.abc import Sequence

from mdmem.acts.checks import taking
from mdmem.acts.face import Face
from mdmem.acts.selecting import ALL, Selection
from mdmem.acts.style import Raw, committed
from mdmem.acts.telling import Told, beside
from mdmem.acts.unwritten import offering
from mdmem.capture import candidates, intake
from mdmem.capture.intake import IntakePlan
from mdmem.errors import NotFoundError, Problem, UsageError
from mdmem.garden.judging import Judged
from mdmem.note import moments
from mdmem.note.filters import Filter
from mdmem.store.index import selection
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.write.remember import Remembered

_CHAT = "chat"  # whose verdicts are that are pasted


def _taken_in(
    plan: IntakePlan, done: Sequence[Remembered], judged: Sequence[Judged], source: str, is_dry: bool
) -> Told:
    """The candidates in a pasted text, what was written of them, and what became of its verdicts."""
    faults = [Problem("verdict", source, 0, str(one.fault), one.fault.hint) for one in judged if one.fault]
    written = [one._asdict() for one in done] or [{}] * len(plan.drafts)
    value = {
        "memories": [
            {"name": draft.name, "line": line, **one}
            for (line, draft), one in zip(plan.drafts, written, strict=True)
        ],
        "twins": [
            {"name": item.name, "line": item.line, "twin": twin.record.name, "score": round(twin.score, 3)}
            for item, twin in plan.twins
        ],
        "problems": plan.problems,
        "verdicts": judged,
    }
    said = [
        *taking.judged_lines(judged, is_dry),
        *(
            beside(f"left out {item.name} (line {item.line}): {twin.likeness} as {twin.record.name}")
            for item, twin in plan.twins
        ),
        *(f"would remember {draft.name}" for _, draft in (plan.drafts if is_dry else ())),
        *(f"remembered {one.path}{committed(one.commit)}" for one in done),
    ]
    return Told(value, said, (*plan.problems, *faults))


def import_(
    vault: Vault,
    who: Caller,
    face: Face,
    file: str,
    *,
    twins: str = "leave",
    dry_run: bool = False,
    reason: str = "",
) -> Told:
    """Write the candidates in FILE ("-" is standard input) as memories, and take its verdicts on what waits.

    Candidates become one file each, in one commit. Verdicts answer what `mdmem garden --paste` printed; they are
    those of --actor, "chat" unless you say otherwise, and wait for you where they are about your notes.

    FILE may be a whole answer or chat, with other text around its blocks. Numbers, dashes, quotes and code
    fences may be as models write them. A bad item is reported with its line and the others are written; the
    exit code is then 1. A block ends with its code fence, with [/MEMORY_CANDIDATES], or where the file ends.

    \b
    Examples:
      mdmem candidates import answer.md
      wl-paste | mdmem candidates import - --dry-run
    """
    source, text = "standard input" if file == "-" else file, face.read(file)
    said = taking.verdicts_in(text)
    judged = taking.judge(vault, said, who._replace(actor=who.actor or _CHAT), dry_run=dry_run) if said else []
    plan = intake.plan(vault, text, source, twins == "ignore", who.allow_secret)
    if said and not plan.drafts:
        plan = plan._replace(problems=())
    with offering(vault, [draft for _, draft in plan.drafts], who):
        done = [] if dry_run else intake.write(vault, plan, who, reason)
    return _taken_in(plan, done, judged, source, dry_run)


def render(
    vault: Vault,
    who: Caller,
    names: Sequence[str] = (),
    *,
    session: str = "",
    since: str = "",
    chosen: Selection = ALL,
) -> Told:
    """Print memories as a [MEMORY_CANDIDATES] block, to paste elsewhere: by name, or all that match the filters.

    \b
    Examples:
      mdmem candidates render user_prefers_tables next_task_deploy
      mdmem candidates render --session conv-42
      mdmem candidates render --since 1d --type decision
    """
    conditions = list(chosen.conditions())
    conditions += [Filter("session", "=", session)] if session else []
    conditions += [Filter("updated", ">=", moments.render(moments.since(since, who.now)))] if since else []
    if bool(names) == bool(conditions):
        raise UsageError("no memories selected", "give names, or filters such as --session or --since")
    named = [lookup.named(vault, name) for name in names]
    wanted = selection.understood(vault.index, conditions, who.now)
    records = named or list(selection.each(vault.index, wanted))
    if not records:
        raise NotFoundError("no memory matches these filters", "mdmem list shows what there is")
    items = intake.of_records(vault, records)
    return Told(items, Raw(candidates.render(items)))
