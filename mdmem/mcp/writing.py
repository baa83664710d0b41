"""The tools that write: remember, revise, forget, restore. Each commits in the name of the calling agent."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mdmem.errors import StoppedError, UsageError
from mdmem.garden import asking
from mdmem.garden.asking import MayChange
from mdmem.history import past
from mdmem.mcp.visit import Visit, commit_line
from mdmem.note import layout, memory, properties
from mdmem.recall import lookup, prompt
from mdmem.text.terminal import safe, safe_line
from mdmem.write import edit, secrets, succession
from mdmem.write import remember as intake
from mdmem.write.remember import Draft, Twin

Item = Mapping[str, Any]


def remember(visit: Visit, items: Sequence[Item]) -> str:
    """Write new memories in one commit, except those that exist already."""
    lines: dict[int, str] = {}
    drafts: dict[int, Draft] = {}
    for number, item in enumerate(items):
        draft = _draft(visit, item)
        _refuse_secret(number, draft.text)
        twins = intake.near_twins(visit.vault, draft)
        if said := _said_already(visit, draft, twins, drafts.values()):
            lines[number] = f"already said by {said}"
        else:
            drafts[number] = draft
            lines[number] = _near(twins)
    done = intake.remember_all(visit.vault, list(drafts.values()), visit.who) if drafts else []
    questions = asking.asked(visit.vault, [each.path for each in done])
    for number, each in zip(drafts, done, strict=True):
        asked = "".join(_question(one) for one in questions if one.new == memory.stem(each.path))
        lines[number] = commit_line("remembered", each.path, each.commit) + (asked or lines[number])
    return "\n".join(f"- {lines[number]}" for number in range(len(items)))


def _draft(visit: Visit, item: Item) -> Draft:
    given = {name: item[name] for name in ("title", "type", "tags", "project") if item.get(name)}
    if item.get("replaces"):
        given["supersedes"] = [item["replaces"]]
    resolved = succession.resolved(visit.vault, given)
    draft = intake.draft_from(item["text"], resolved, rule=intake.name_rule(visit.vault))
    return intake.placed(draft, visit.who.project)


def _refuse_secret(number: int, text: str) -> None:
    """Raise StoppedError that names the item: the check at writing would not say which of many it is."""
    if leak := next(iter(secrets.found(text)), None):
        raise StoppedError(
            f"items.{number}: line {leak.line} seems to hold a secret ({leak.kind}); nothing was written",
            "take it out and name where it is kept",
        )


def _said_already(visit: Visit, draft: Draft, twins: Sequence[Twin], others: Iterable[Draft]) -> str:
    """The memory or the earlier item that says the same; "" if there is none."""
    if same := intake.same_among(visit.vault, draft, twins):
        return safe_line(same.record.name)
    return "an item before it" if any(intake.says_the_same(draft.text, other.text) for other in others) else ""


def _near(twins: Sequence[Twin]) -> str:
    """The remark on a memory that says nearly the same."""
    return f"; {twins[0].likeness} as {safe_line(twins[0].record.name)}" if twins else ""


def _question(one: MayChange) -> str:
    """A question on its own line, with the call that settles it."""
    call = f'revise name={one.new} set={{"supersedes": "{one.name}"}}'
    return f"\n  {safe_line(one.told)} | {safe_line(f'if it replaces that: {call}; if both hold, nothing')}"


def revise(
    visit: Visit,
    name: str,
    old: str = "",
    new: str = "",
    set: Mapping[str, Any] | None = None,
    expect: str = "",
    done: bool = False,
) -> str:
    """Replace a passage of a note's text, or add a paragraph, set properties, and mark a task as done."""
    vault = visit.vault
    record = lookup.named(vault, name)
    ended = edit.ended(record, visit.who.now) if done else {}
    wanted = edit.Edit(
        changes={**ended, **succession.resolved(vault, _properties(set or {}))},
        swaps=((old, new),) if old else (),
        append="" if old else new,
    )
    if wanted == edit.Edit({}):
        raise UsageError("nothing to change", "give old and new text, new alone to add a paragraph, set, or done")
    before = vault.shown(record.path)
    check = edit.unchanged_since(vault, record, expect) if expect else None
    written = edit.update(vault, record, wanted, visit.who, check=check)
    if not written.commit:
        return f"nothing to change: {safe_line(record.path)} says so already"
    version = edit.version_of(vault.read(record.path))
    changed = prompt.fenced(_difference(before, vault.shown(record.path)), "diff")
    return f"{commit_line('revised', record.path, written.commit)}, now version {version}\n\n{changed}"


def _properties(given: Mapping[str, Any]) -> dict[str, Any]:
    """Properties as they are written; a text is parsed like one that a person types."""
    typed = {key: value for key, value in given.items() if isinstance(value, str)}
    return {**given, **{key: properties.parse_value(key, value) for key, value in typed.items()}}


def _difference(before: bytes, after: bytes) -> str:
    """The lines that changed."""
    old, new = (safe(data.decode("utf-8", "replace")).splitlines() for data in (before, after))
    lines = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    return "\n".join(line for line in lines if not line.startswith("@@"))


def forget(visit: Visit, names: Sequence[str], reason: str) -> str:
    """Delete memories in one commit; `restore` brings them back."""
    from mdmem.systems.layers import entries

    vault = visit.vault
    dialogs = [name for name in names if layout.entry_name(name) or layout.is_entry_id(name)]
    folders = list(dict.fromkeys(entries.find(vault, name).folder for name in dialogs))
    memories = [lookup.named(vault, name) for name in names if name not in dialogs]
    records = list({record.path: record for record in memories}.values())
    done = edit.forget(vault, records, visit.who, reason, entries=folders)
    head = commit_line("forgot", ", ".join(done.paths), done.commit)
    return f"{head}\nThe tool restore brings back what was a mistake."


def restore(visit: Visit, names: Sequence[str]) -> str:
    """Bring back forgotten memories, each in a commit of its own."""
    done = (past.restore(visit.vault, name, visit.who) for name in names)
    return "\n".join(commit_line("restored", path, commit) for path, commit in done)
