"""The state of a vault, of other vaults, and of derived files, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mdmem.acts.checks.people import People
    from mdmem.acts.checks.rebuilding import Rebuilt
    from mdmem.acts.checks.status import Survey
    from mdmem.store.vault.several import UnreadVault
    from mdmem.store.vault.starter import Made


def survey_json(survey: Survey, hooks: Sequence[str]) -> dict[str, Any]:
    """The state of a vault; `hooks` are the names of the installed hooks."""
    tasks = [{"name": name, "due": day} for name, day in survey.tasks]
    return {**survey._asdict(), "meaning": survey.meaning._asdict(), "tasks": tasks, "hooks": hooks}


def people_json(known: People) -> dict[str, Any]:
    """Whose commits are trusted, and for each other committer, how many memories they committed last."""
    return {"trusted": known.trusted, "others": dict(known.others)}


def made_json(made: Made, older_addresses: Sequence[str]) -> dict[str, Any]:
    """What `init` made or found; `older_addresses` are the person's earlier addresses, which are not trusted."""
    return {**made._asdict(), "older_addresses": older_addresses}


def rebuilt_json(done: Rebuilt) -> dict[str, Any]:
    """What was rebuilt: how many memories are indexed and topics have pages, how many files were changed."""
    told: dict[str, Any] = {} if done.memories is None else {"memories": done.memories}
    if done.pages:
        told |= {"topics": len(done.pages.topics), "written": done.pages.written, "removed": done.pages.removed}
    if done.pages or done.problems:
        told["problems"] = done.problems
    return told


def unread_vault_json(unread: UnreadVault) -> dict[str, Any]:
    """A vault that could not answer, among others that did; `vault` is "" for the list of vaults itself."""
    return {"vault": unread.name, "problem": unread.message, "fix": unread.hint}
