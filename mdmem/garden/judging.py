"""Takes verdicts on proposals, many at once: carries out what may be, and keeps the others for a person.

An agent may act on notes that agents wrote. What it says of a person's notes waits for the person, unless
`[garden] agents = "act"`; with "advise" all of it waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mdmem.errors import NotFoundError
from mdmem.garden import apply as gardening
from mdmem.garden import plan as garden
from mdmem.garden import verdicts
from mdmem.garden.apply import Outcome, Request, Watch
from mdmem.garden.gardeners.proposal import POSSIBLE, Proposal
from mdmem.garden.verdicts import Judgement
from mdmem.git import log
from mdmem.operation import Caller
from mdmem.progress import silent
from mdmem.text import moments
from mdmem.vault.vault import Vault

ACT, ADVISE = "act", "advise"


class Said(NamedTuple):
    """What somebody says of the proposal with an id."""

    id: str
    verdict: str
    why: str = ""


class Judged(NamedTuple):
    """What became of a verdict: the `commit` that carried it out, or "" if it is kept, and may wait."""

    said: Said
    proposal: Proposal
    commit: str = ""
    waits: bool = False
    why: str = ""


def judge(vault: Vault, said: Sequence[Said], caller: Caller, run: str) -> list[Judged]:
    """Carry out or keep these verdicts, one commit for each that changes notes and one for all that are kept.

    Raises NotFoundError for an unknown id and UsageError for a verdict that cannot be meant, both before anything
    is changed; StoppedError if all together would delete more memories than the circuit breaker allows.
    """
    settings = garden.settings_of(vault.config)._replace(least=POSSIBLE)
    found = garden.look(vault, settings, caller.now)
    known = {one.id: one for one in found.proposals}
    if missing := [one.id for one in said if one.id not in known]:
        hint = "list them again: a proposal has another id when its notes change"
        raise NotFoundError(f"there is no proposal {', '.join(missing)}", hint)
    judged = [_judgement(vault, one, known[one.id], caller) for one in said]
    acting = [one.changes and _may_act(vault, one.paths, caller) for one in judged]
    pairs = list(zip(judged, acting, strict=True))
    _keep(vault, [one for one, is_acting in pairs if not is_acting], caller)
    done = _carried_out(vault, [one for one, is_acting in pairs if is_acting], caller, run)
    return [
        _outcome(words, known[words.id], one, done.get(frozenset(one.paths)) if is_acting else None)
        for words, (one, is_acting) in zip(said, pairs, strict=True)
    ]


def _outcome(said: Said, proposal: Proposal, one: Judgement, outcome: Outcome | None) -> Judged:
    if outcome is None:
        return Judged(said, proposal, waits=one.changes)
    return Judged(said, proposal, outcome.commit, why=outcome.why)


def _keep(vault: Vault, judged: Sequence[Judgement], caller: Caller) -> None:
    """Add verdicts that change no note, or may not yet, to the file that keeps them."""
    if judged:
        reason = "\n".join(f"{one.verdict}: {', '.join(one.paths)}" for one in judged)
        with vault.change(caller.does("revise", reason)._replace(names=("judgements",))) as tx:
            verdicts.append(tx, judged)


def _judgement(vault: Vault, said: Said, one: Proposal, caller: Caller) -> Judgement:
    when, why = moments.render(caller.now), " ".join(said.why.split())
    found = verdicts.of_proposal(vault, one, said.verdict)
    return found._replace(by=caller.actor, session=caller.session, when=when, why=why)


def _may_act(vault: Vault, paths: Iterable[str], caller: Caller) -> bool:
    """Whether a caller may change these notes by its verdict."""
    rule = vault.config.garden.agents
    return not caller.actor or rule == ACT or (rule != ADVISE and _are_of_agents(vault, paths))


def _are_of_agents(vault: Vault, paths: Iterable[str]) -> bool:
    """Whether agents wrote and last edited all of these notes, and nobody has edited them since."""
    commits: set[str] = set()
    for path in paths:
        versions = vault.index.versions(path)
        if not versions or verdicts.blob(vault.read(path)) != versions[0].blob:
            return False
        commits |= {versions[0].commit, versions[-1].commit}
    return all(log.by_agents(vault.repo, sorted(commits)))


def last_writer(vault: Vault, path: str) -> str:
    """Who last wrote a note, as far as it is committed: an agent's or a person's name; "" if it is not."""
    versions = vault.index.versions(path)
    commit = versions[0].commit if versions else ""
    return log.operations(vault.repo, [commit])[commit].actor or "a person" if commit else ""


def _hear_nothing(outcome: Outcome) -> None:
    del outcome


def _carried_out(
    vault: Vault, ruled: Sequence[Judgement], caller: Caller, run: str
) -> dict[frozenset[str], Outcome]:
    """Paths -> what became of the verdict on the notes there."""
    if not ruled:
        return {}
    settings = garden.settings_of(vault.config)._replace(least=POSSIBLE, judgements=tuple(ruled))
    wanted = {(one.about, frozenset(one.paths)) for one in ruled}
    found = garden.look(vault, settings, caller.now)
    ids = frozenset(one.id for one in found.proposals if one.asks in wanted)
    request = Request(settings, garden.Wish(ids=ids), by=caller.actor)
    done = gardening.apply(vault, request, caller, run, Watch(silent, _hear_nothing))
    return {outcome.proposal.asks[1]: outcome for outcome in done.outcomes}
