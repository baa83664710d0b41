"""Work with typed records (Membrane): how present they are, how they are revised, where they come from.

\b
Examples:
  mdmem remember --type competence --edit
  mdmem list --as record --type semantic --min-salience 0.5
  mdmem record reinforce user_prefers_tables
  mdmem record prune --dry-run

Commands that print data take --json.
"""

import json
import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, NamedTuple

from mdmem.acts.remembering import draft_of, properties_of
from mdmem.acts.selecting import named
from mdmem.acts.signature import NONE
from mdmem.acts.style import Aside, Lines, Style, committed, phrase
from mdmem.acts.telling import Told
from mdmem.acts.write import changed
from mdmem.errors import NotFoundError
from mdmem.note import decay, moments
from mdmem.note.memory import stem
from mdmem.note.plural import counted
from mdmem.note.properties import RECORD_TYPES_OF
from mdmem.note.terminal import safe_line
from mdmem.recall import validity
from mdmem.store.index.port import IndexedNote
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.systems.membrane import retrieval, revision, sources
from mdmem.systems.membrane.record import TYPES
from mdmem.systems.membrane.records import RecordSummary, VaultRecords
from mdmem.systems.membrane.retrieval import LAYERS, Choice, RecordRequest, Retrieval
from mdmem.systems.membrane.revision import Adjusted, Descent
from mdmem.systems.membrane.sources import SourceCheck
from mdmem.write import succession
from mdmem.write.remember import Draft

# -- how present they are


def reinforce(
    vault: Vault,
    who: Caller,
    names: Sequence[str],
    *,
    gain: float | None = None,
    reason: str = "",
) -> Told:
    """Make records more present: salience rises, up to 1, and decay starts over.

    \b
    Example:
      mdmem record reinforce user_prefers_tables -m "said it again"
    """
    return _adjusted(revision.reinforce(vault, named(vault, names), who, reason, gain), "reinforced")


def penalize(
    vault: Vault,
    who: Caller,
    names: Sequence[str],
    *,
    amount: float,
    reason: str = "",
) -> Told:
    """Make records less present: salience falls, down to their floor (min_salience).

    \b
    Example:
      mdmem record penalize deploys_go_out_on_fridays --by 0.3 -m "was wrong once"
    """
    return _adjusted(revision.penalize(vault, named(vault, names), amount, who, reason), "penalized")


def pin(
    vault: Vault,
    who: Caller,
    names: Sequence[str],
    *,
    off: bool = False,
    reason: str = "",
) -> Told:
    """Keep records from decaying. They keep the salience they have now, and are never pruned.

    \b
    Examples:
      mdmem record pin user_prefers_tables
      mdmem record pin --off user_prefers_tables
    """
    done = revision.pin(vault, named(vault, names), who, reason, on=not off)
    return _adjusted(done, "unpinned" if off else "pinned")


def prune(
    vault: Vault,
    who: Caller,
    *,
    strict: bool = False,
    dry_run: bool = False,
    yes: bool = False,
    reason: str = "",
) -> Told:
    """Delete records that have faded and say deletion_policy: auto_prune, in one commit.

    Faded is at the floor (min_salience) and below 0.001, or past max_age_seconds. What is pinned, or says
    manual_only or never, stays; `mdmem restore` brings one back.

    \b
    Examples:
      mdmem record prune --dry-run
      mdmem record prune --strict
    """
    done = revision.prune(vault, who, reason, strict=strict, dry_run=dry_run, allow_loss=yes)
    return _adjusted(done, "would prune" if dry_run else "pruned")


def _adjusted(done: Adjusted, verb: str) -> Told:
    return Told(done, adjusted_lines(done, verb) if done.changes else "no record has faded")


# -- looking


def show(vault: Vault, who: Caller, name: str) -> Told:
    """Print a memory as a MemoryRecord, with its audit log.

    Any memory can be one: fields that it lacks get the defaults of a record. What keeps it from being valid is
    reported as a warning.

    \b
    Examples:
      mdmem show --as record user_prefers_tables
      mdmem show --as record user_prefers_tables --json
    """
    note = lookup.find(vault, name)
    view = VaultRecords(vault).one(note)
    salience = decay.standing(note.meta, note.created, who.now)
    problems = [problem._replace(severity="warning") for problem in view.problems]
    return Told(view.value, partial(record_lines, view.value, salience), problems)


def list_(
    vault: Vault,
    who: Caller,
    *,
    types: Annotated[Sequence[str], TYPES] = TYPES,
    scopes: Sequence[str] = (),
    min_salience: float = 0,
) -> Told:
    """List records by type, scope and effective salience, the most present first.

    Every memory has a type as a record: a preference, a fact or a plain note is semantic.

    \b
    Examples:
      mdmem list --as record --type semantic --min-salience 0.5
      mdmem list --as record --scope project --json
    """
    chosen = [
        one
        for one in VaultRecords(vault).summaries(who.now)
        if one.type in types and (not scopes or one.scope in scopes) and one.salience >= min_salience
    ]
    chosen.sort(key=lambda one: (-one.salience, one.note.path))
    return Told(chosen, partial(summary_lines, chosen))


def check(
    vault: Vault,
    names: Sequence[str] = (),
    *,
    are_sources: bool = False,
    transcripts: str = "",
) -> Told:
    """List what keeps memories from being valid records: file, line, field and what is allowed. Default: all.

    With --sources: what of their sources has changed, moved or vanished. A source is a file, a file as of a commit
    (raw.md:12@1a2b3c4), or a git object; its hash is computed again. The exit code is 1 if anything is wrong.

    \b
    Examples:
      mdmem doctor --as record
      mdmem doctor --as record user_prefers_tables
      mdmem doctor --as record user_prefers_tables --sources --transcripts ~/chats
    """
    if are_sources:
        return _verified(vault, names, transcripts)
    chosen = {record.path for record in named(vault, names)}
    views = VaultRecords(vault).all(lambda note: not names or note.path in chosen)
    problems = [problem for view in views for problem in view.problems]
    return Told(problems, problems=problems)


def _verified(vault: Vault, names: Sequence[str], transcripts: str) -> Told:
    if transcripts and not os.path.isdir(transcripts):
        raise NotFoundError(f"there is no folder {transcripts}", "name one that is there")
    records = [lookup.find(vault, name) for name in names] if names else vault.index.records()
    checks = sources.verify(vault, records, transcripts)
    faults = [each for each in checks if each.state in sources.FAULTS]
    count = f"{counted(len(checks), 'source')} checked, {len(faults)} no longer as recorded"
    shown = checks if names else faults
    return Told(checks, lambda style: [*(source_line(one, style) for one in shown), count], failed=bool(faults))


def retrieve(
    vault: Vault,
    who: Caller,
    words: Sequence[str] = (),
    *,
    types: Annotated[Sequence[str], LAYERS] = (),
    scopes: Sequence[str] = (),
    min_salience: float = 0,
    limit: int = 10,
    at: str = "",
    given: Sequence[str] = (),
) -> Told:
    """Retrieve records for a task: by type (working, semantic, competence, plan_graph, episodic), then salience.

    With words, only records that recall finds. Competences and plans among them are alternatives: the best is
    named, with the confidence of that choice.

    \b
    Examples:
      mdmem recall --as record deploy --scope project-alpha
      mdmem recall --as record --type competence --min-salience 0.3 --json
    """
    moment = moments.since(at, who.now) if at else None
    wanted = RecordRequest(
        phrase(words), tuple(types), tuple(scopes), min_salience, limit, moment, validity.given(tuple(given))
    )
    found = retrieval.retrieve(vault, wanted, who)
    nothing = [] if found.records else [Aside("nothing found; mdmem list shows what there is")]
    return Told(found, [*retrieval_lines(found), *nothing])


def select(vault: Vault, who: Caller, names: Sequence[str]) -> Told:
    """Choose among records that could each be used, by confidence, success and recency.

    The confidence of the choice is how far the best is ahead; below 0.7, find out more first.

    \b
    Example:
      mdmem record select deploy_with_script deploy_by_hand
    """
    records = {record.path: record for record in (lookup.find(vault, name) for name in names)}
    choice = retrieval.select(vault, records.values(), who.now)
    return Told(choice, choice_lines(choice))


# -- revising


class NewRecord(NamedTuple):
    """The content of a new record: a text, a whole note, or JSON of a record or of its payload."""

    text: str = "-"
    title: str = ""
    new_name: str = ""
    set: Mapping[str, Any] = NONE

    def draft(self, vault: Vault, origin: IndexedNote, who: Caller) -> Draft:
        """The new record, of the type of the one it comes from."""
        given = properties_of({}, {**self.set, **({"title": self.title} if self.title else {})})
        type = RECORD_TYPES_OF.get(origin.type, "semantic")
        return draft_of(vault, self.text, type, who, succession.resolved(vault, given), self.new_name)


def supersede(vault: Vault, who: Caller, name: str, *, new: NewRecord, reason: str = "") -> Told:
    """Replace a record by a new one, in one commit. The old one is retracted and names its successor.

    The new record takes over type, tags, scope and the like, and names the old one as a source.

    \b
    Example:
      mdmem record supersede deploys_run_on_fridays --text "Deploys run on Mondays."
    """
    old = lookup.named(vault, name)
    return _derived(revision.supersede(vault, old, new.draft(vault, old, who), who, reason), "superseded")


def fork(vault: Vault, who: Caller, name: str, *, new: NewRecord, reason: str = "") -> Told:
    """Derive a new record from one that stays as it is, such as a variant for other conditions.

    \b
    Example:
      mdmem record fork deploys_run_on_fridays --text "Hotfixes run on any day." --set valid_if=kind=hotfix
    """
    source = lookup.named(vault, name)
    return _derived(revision.fork(vault, source, new.draft(vault, source, who), who, reason), "forked")


def merge(vault: Vault, who: Caller, names: Sequence[str], *, new: NewRecord, reason: str = "") -> Told:
    """Make one record out of several, in one commit. The old ones are retracted; the new one is derived from each.

    \b
    Example:
      mdmem record merge deploys_run_on_fridays deploys_run_at_noon --text "Deploys run on Fridays at noon."
    """
    old = named(vault, names)
    return _derived(revision.merge(vault, old, new.draft(vault, old[0], who), who, reason), "merged")


def _derived(done: Descent, verb: str) -> Told:
    origins = ", ".join(map(stem, done.origins))
    return Told(done, f"{verb} {origins}: {done.path}  ({done.commit[:8]})")


def retract(vault: Vault, who: Caller, names: Sequence[str], *, reason: str = "") -> Told:
    """Take back what records say. They stay in the vault, retracted and without salience.

    \b
    Example:
      mdmem record retract deploys_run_on_fridays -m "was never decided"
    """
    return changed(revision.retract(vault, named(vault, names), who, reason), "retracted")


def contest(
    vault: Vault,
    who: Caller,
    name: str,
    *,
    other: str,
    reason: str = "",
) -> Told:
    """Say that another record speaks against one. Both stand; the first is contested by the second.

    \b
    Example:
      mdmem record contest deploys_run_on_fridays --by deploys_never_run_on_fridays
    """
    record, against = lookup.named(vault, name), lookup.named(vault, other)
    return changed(revision.contest(vault, record, against, who, reason), "contested")


def adjusted_lines(done: Adjusted, verb: str) -> Lines:
    """`reinforced name  salience 0.40 -> 0.60  (commit)` for each record."""
    for change in done.changes:
        name = safe_line(stem(change.path))
        after = "" if change.after is None else f" -> {change.after:.2f}"
        before = "none" if change.before is None else f"{change.before:.2f}"
        yield f"{verb} {name}  salience {before}{after}{committed(done.commit)}"


def summary_lines(found: Sequence[RecordSummary], style: Style) -> Lines:
    """A line for each record: type, effective salience, name."""
    width = max((len(one.type) for one in found), default=0)
    for one in found:
        scope = f"  ({safe_line(one.scope)})" if one.scope else ""
        yield f"{style(one.type.ljust(width), 'dim')}  {one.salience:.2f}  {safe_line(one.note.name)}{scope}"


def record_lines(value: Mapping[str, Any], salience: float, style: Style) -> Lines:
    """A record for a person: its fields by name, nested ones indented. `salience` is the effective one (>= 0)."""
    for field, said in value.items():
        if field == "salience":
            yield f"{style('salience', 'bold')}: {said} ({salience:.2f} now)"
        else:
            yield from _field_lines(field, said, "", style)


def _field_lines(name: str, value: Any, indent: str, style: Style) -> Lines:
    label = f"{indent}{style(safe_line(name), 'bold')}:"
    if isinstance(value, dict) and value:
        yield label
        for inner, item in value.items():
            yield from _field_lines(inner, item, indent + "  ", style)
    elif isinstance(value, list) and value:
        yield label
        yield from (f"{indent}  - {_shown(item)}" for item in value)
    else:
        yield f"{label} {_shown(value)}"


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{safe_line(name)}: {_shown(item)}" for name, item in value.items())
    return safe_line(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def retrieval_lines(found: Retrieval) -> Lines:
    """`type  salience  name` for each record, then the choice if there is one."""
    for each in found.records:
        reservation = f"  {safe_line(each.reservation)}" if each.reservation else ""
        yield f"{each.layer:10}  {each.salience:.2f}  {safe_line(each.record.name)}{reservation}"
    if found.choice:
        yield from choice_lines(found.choice)


def choice_lines(choice: Choice) -> Lines:
    """How certain the choice is, then the alternatives, best first."""
    more = "; find out more first" if choice.needs_more else ""
    yield f"choice, {choice.confidence:.0%} sure{more}:"
    for each in choice.ranked:
        rate = "unknown" if each.success_rate is None else f"{each.success_rate:.0%}"
        facts = f"confidence {each.confidence:g}, success {rate}"
        yield f"  {each.score:.2f}  {safe_line(stem(each.path))}  {facts}"


def source_line(check: SourceCheck, style: Style) -> str:
    """`state  record: ref`, and the new place of a source that moved."""
    look = {"changed": "red", "vanished": "red", "moved": "yellow"}.get(check.state, "dim")
    place = f" (now {safe_line(check.place)})" if check.place else ""
    return f"{style(check.state, look)}  {safe_line(check.record)}: {safe_line(check.ref)}{place}"
