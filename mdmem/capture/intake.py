"""Memories that a model proposed as text because it could not write them: taking them in, and rendering them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mdmem.capture import candidates
from mdmem.capture.candidates import Candidate
from mdmem.errors import ConflictError, NoteError, Problem, UsageError
from mdmem.note import memory, naming
from mdmem.store.index.port import IndexedNote
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write import guard, remember, secrets
from mdmem.write.remember import Draft, Remembered, Twin
from mdmem.write.secretrules import OwnRules


class IntakePlan(NamedTuple):
    """What can be written from a pasted text: the `drafts`, each with its line.

    `twins` are candidates left out because a memory says nearly the same; `problems` are about unusable ones.
    """

    drafts: tuple[tuple[int, Draft], ...]
    twins: tuple[tuple[Candidate, Twin], ...]
    problems: tuple[Problem, ...]


def plan(vault: Vault, text: str, source: str, take_twins: bool = False, allow_secret: bool = False) -> IntakePlan:
    """Weigh every candidate in a pasted text; `source` names the text in problems. Nothing is written.

    A candidate that holds a secret is left out, unless `allow_secret`.
    """
    parsed = candidates.parse(text, source)
    drafts: dict[str, tuple[int, Draft]] = {}
    twins, problems = [], list(parsed.problems)
    before = ""
    for item in parsed.candidates:
        said, before = before, item.body
        try:
            draft = _draft(vault, item, said, allow_secret)
            near = [] if take_twins else remember.near_twins(vault, draft)
            if near:
                twins.append((item, near[0]))
                continue
            remember.require_free(vault, draft)
            if item.name in drafts:
                raise ConflictError(f"line {drafts[item.name][0]} has the name {item.name}, too", "choose another")
            for line, other in () if take_twins else drafts.values():
                if remember.is_told(draft.text, other.text):
                    raise ConflictError(f"{item.name} says the same as line {line}", "leave one of them out")
        except (UsageError, ConflictError, NoteError) as error:
            problems.append(Problem("candidate", source, item.line, error.message, error.hint))
        else:
            drafts[item.name] = item.line, draft
    return IntakePlan(tuple(drafts.values()), tuple(twins), tuple(sorted(problems, key=lambda found: found.line)))


def _draft(vault: Vault, item: Candidate, before: str, allow_secret: bool) -> Draft:
    """A candidate as a draft. An id would be the other vault's, so it is dropped.

    Raises UsageError for what does not fit, and, unless `allow_secret`, for a secret, also one that the text
    `before` announces.
    """
    draft = remember.draft_from(item.body, {"category": item.category, "tags": list(item.tags) or None}, item.name)
    leaks = "" if allow_secret else _leaks(draft, before, guard.own_rules(vault))
    if leaks:
        hint = "take the secret out of it; --allow-secret saves it all the same"
        raise UsageError(f"holds a secret, {leaks}: not saved", hint)
    return draft._replace(properties={key: value for key, value in draft.properties.items() if key != "id"})


def _leaks(draft: Draft, before: str, own: OwnRules) -> str:
    """The kinds of secrets in a draft, and "in the next item" if it only announces one; "" for none."""
    if secrets.announced(draft.text):
        return "in the next item"
    announced = f"{before.rstrip()}\n\n{draft.text}" if secrets.announced(before) else ""
    return secrets.kinds(draft.words, own) or secrets.kinds(announced, own)


def write(vault: Vault, planned: IntakePlan, caller: Caller, reason: str = "") -> list[Remembered]:
    """Write the drafts of a plan, one file each, in one commit. Raises what `remember.remember_all` raises."""
    return remember.remember_all(vault, [draft for _, draft in planned.drafts], caller, reason)


def of_drafts(drafts: Iterable[Draft]) -> list[Candidate]:
    """Drafts that could not be written, as candidates. Each gets the name that it would have had."""
    names: set[str] = set()
    made = []
    for draft in drafts:
        name = draft.name or naming.make(draft.title, draft.text, names.__contains__)
        names.add(name)
        note = memory.parse(memory.render(draft.properties, draft.text), f"{name}.md")
        made.append(candidates.of_memory(note))
    return made


def of_records(vault: Vault, records: Iterable[IndexedNote]) -> list[Candidate]:
    """Memories of this vault as candidates for another one. Raises NotFoundError, NoteError."""
    return [candidates.of_memory(vault.get(record.path)) for record in records]
