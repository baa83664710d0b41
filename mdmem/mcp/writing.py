"""The tools that write: remember, revise, forget, restore. Each commits in the name of the calling agent."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from mdmem.acts import past, write
from mdmem.acts.signature import Opt
from mdmem.errors import StoppedError
from mdmem.garden import asking
from mdmem.garden.asking import MayChange
from mdmem.mcp.visit import Visit, commit_line
from mdmem.note import memory
from mdmem.note.terminal import safe, safe_line
from mdmem.recall import lookup, prompt
from mdmem.write import remember as intake
from mdmem.write import secrets, succession
from mdmem.write.edit import version_of
from mdmem.write.remember import Draft, Twin


class Item(NamedTuple):
    """A memory to write."""

    text: Annotated[str, "One fact with its reason, clear without this conversation"]
    title: Annotated[str, ""] = ""
    type: Annotated[str, Opt(choices=("fact", "preference", "decision", "pattern", "note"))] = ""
    tags: Annotated[Sequence[str], ""] = ()
    project: Annotated[str, '"none" for all; default: this one, for a preference none'] = ""
    replaces: Annotated[str, "Name of the note it supersedes"] = ""


def remember(visit: Visit, items: Annotated[Sequence[Item], Opt(most=20)]) -> str:
    """Save what will matter in later sessions: decisions and why, preferences, corrections, lessons. Recall
    first; what is already said is skipped. Never secrets."""
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
    if drafts and visit.vault.config.mcp.keep == "ask":
        from mdmem.capture.inbox import filling

        filling.offer(visit.vault, list(drafts.values()), visit.who)
        lines |= {number: f"waits for the user's yes{lines[number]}" for number in drafts}
        return "\n".join(f"- {lines[number]}" for number in range(len(items)))
    done = intake.remember_all(visit.vault, list(drafts.values()), visit.who) if drafts else []
    questions = asking.asked(visit.vault, [each.path for each in done], by_meaning=True)
    for number, each in zip(drafts, done, strict=True):
        asked = "".join(question(one) for one in questions if one.new == memory.stem(each.path))
        lines[number] = commit_line("remembered", each.path, each.commit) + (asked or lines[number])
    return "\n".join(f"- {lines[number]}" for number in range(len(items)))


def _draft(visit: Visit, item: Item) -> Draft:
    given = {"title": item.title, "type": item.type, "tags": list(item.tags), "project": item.project}
    given = {name: value for name, value in given.items() if value}
    if item.replaces:
        given["supersedes"] = [item.replaces]
    resolved = succession.resolved(visit.vault, given)
    draft = intake.draft_from(item.text, resolved, rule=intake.name_rule(visit.vault))
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


def question(one: MayChange) -> str:
    """A question on its own line, with the call that settles it."""
    call = f'revise name={one.new} set={{"supersedes": "{one.name}"}}'
    return f"\n  {safe_line(one.told)} | {safe_line(f'if it replaces that: {call}; if both hold, nothing')}"


def revise(
    visit: Visit,
    name: Annotated[str, ""],
    old: Annotated[str, "Text it has once"] = "",
    new: Annotated[str, "In its place; alone: a paragraph to add"] = "",
    set: Annotated[Mapping[str, Any], "Properties; null removes one"] = write.NONE,
    expect: Annotated[str, "Version from read; refused if changed"] = "",
    done: Annotated[bool, ""] = False,
) -> str:
    """Correct a note; done: end a task. When the world has changed, remember with replaces instead."""
    vault = visit.vault
    path = lookup.named(vault, name).path
    before = vault.shown(path)
    texts: dict[str, Any] = {"replace": ((old, new),)} if old else {"append": new}
    written = write.update(vault, visit.who, name, set=set, **texts, expect=expect, done=done)
    if not written.commit:
        return f"nothing to change: {safe_line(path)} says so already"
    version = version_of(vault.read(path))
    changed = prompt.fenced(_difference(before, vault.shown(path)), "diff")
    return f"{commit_line('revised', path, written.commit)}, now version {version}\n\n{changed}"


def _difference(before: bytes, after: bytes) -> str:
    """The lines that changed."""
    old, new = (safe(data.decode("utf-8", "replace")).splitlines() for data in (before, after))
    lines = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    return "\n".join(line for line in lines if not line.startswith("@@"))


def forget(visit: Visit, names: Annotated[Sequence[str], ""], reason: Annotated[str, ""]) -> str:
    """Delete notes that are wrong or unwanted; restore brings them back."""
    done = write.forget(visit.vault, visit.who, names, reason=reason)
    head = commit_line("forgot", ", ".join(done.paths), done.commit)
    return f"{head}\nThe tool restore brings back what was a mistake."


def restore(visit: Visit, names: Annotated[Sequence[str], ""]) -> str:
    """Bring back notes that were forgotten."""
    done = (past.restore(visit.vault, visit.who, name) for name in names)
    return "\n".join(commit_line("restored", each.path, each.commit) for each in done)
