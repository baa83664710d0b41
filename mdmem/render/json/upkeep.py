"""The state of a vault, of others beside it, and of what is derived from it, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mdmem.render.json.notes import problem_json
from mdmem.values import NamedTuple

if TYPE_CHECKING:
    from mdmem.systems.rlm.mirror import Report
    from mdmem.upkeep.people import People
    from mdmem.upkeep.rebuilding import Rebuilt
    from mdmem.upkeep.status import Survey
    from mdmem.vault.several import ListedVault, UnreadVault
    from mdmem.vault.starter import Made


def survey_json(survey: Survey, hooks: Sequence[str]) -> dict[str, Any]:
    """The state of a vault; `hooks` are the names of those that are installed."""
    return {**survey._asdict(), "hooks": list(hooks)}


def people_json(known: People) -> dict[str, Any]:
    """Whose commits are trusted, and of how many memories others committed the last version."""
    return {"trusted": list(known.trusted), "others": dict(known.others)}


def made_json(made: Made, older_addresses: Sequence[str]) -> dict[str, Any]:
    """What `init` made or found; by the older addresses its person committed, and they are not trusted."""
    return {**made._asdict(), "older_addresses": list(older_addresses)}


def hook_json(state: NamedTuple) -> dict[str, Any]:
    """A git hook: name, path, installed, current, chained (it runs an earlier hook first)."""
    return state._asdict()


def rebuilt_json(done: Rebuilt) -> dict[str, Any]:
    """What was rebuilt: an index of so many memories; pages of so many topics, files written and removed."""
    told: dict[str, Any] = {} if done.memories is None else {"memories": done.memories}
    if done.pages:
        told |= {"topics": len(done.pages.topics), "written": done.pages.written, "removed": done.pages.removed}
        told["problems"] = [problem_json(problem) for problem in done.pages.problems]
    return told


def vectors_json(made: int, dropped: int) -> dict[str, Any]:
    """The vectors that were made, and those of texts that are gone."""
    return {"made": made, "dropped": dropped}


def mirrored_json(done: Report) -> dict[str, Any]:
    """What the JSON mirror holds and what was written."""
    return done._asdict()


def stale_json(paths: Sequence[str]) -> dict[str, Any]:
    """The files that are out of date."""
    return {"stale": list(paths)}


def listed_vault_json(vault: ListedVault) -> dict[str, Any]:
    """A vault that questions go to; `problem` is "" if it can be read."""
    return vault._asdict()


def unread_vault_json(unread: UnreadVault) -> dict[str, Any]:
    """A vault that gave no answer, among those that did: `vault` is "" for the list of vaults itself."""
    return {"vault": unread.name, "problem": unread.message, "fix": unread.hint}
