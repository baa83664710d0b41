"""Takes verdicts on proposals, many at once: carries out what may be, and keeps the others for a person.

An agent may act on notes that agents wrote. What it says of a person's notes waits for the person, unless
`[garden] agents = "act"`; with "advise" all of it waits. A verdict that cannot be taken spoils no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from mdmem.errors import ConflictError, MdmemError, NoteError, NotFoundError, UsageError
from mdmem.garden import apply as gardening
from mdmem.garden import plan as garden
from mdmem.garden import verdicts
from mdmem.garden.apply import Outcome, Request
from mdmem.garden.asking import MayChange
from mdmem.garden.gardeners.proposal import POSSIBLE, FileEdit, Findings, Proposal
from mdmem.garden.verdicts import AGAIN, Judgement
from mdmem.language.likeness import negations, telling_roots
from mdmem.note import memory, moments, sentences
from mdmem.store.git import log
from mdmem.store.git.folder import is_blob
from mdmem.store.local import files
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.write import guard, secrets

ACT, ADVISE = "act", "advise"
_SHOWN = 5  # statements that a merged text lacks, of those that are told


class Said(NamedTuple):
    """What somebody says of what waits with an id.

    `text` is their wording of the result, `drops` are statements that it leaves out; `edited` are whole files, by
    their paths, as a person left them in an editor.
    """

    id: str
    verdict: str
    why: str = ""
    text: str = ""
    drops: tuple[str, ...] = ()
    edited: Mapping[str, bytes] = MappingProxyType({})


class Judged(NamedTuple):
    """What became of a verdict: the `commit` that carried it out, or "" if it is kept, and may wait for a person.

    `fault` is why it was not taken, `why` what else there is to say; `path` is a file that it wrote, and
    `may_change` asks about older notes that this may repeat or change.
    """

    said: Said
    title: str = ""
    commit: str = ""
    waits: bool = False
    why: str = ""
    fault: MdmemError | None = None
    path: str = ""
    may_change: tuple[MayChange, ...] = ()

    @property
    def taken(self) -> bool:
        """Whether it was taken."""
        return self.fault is None

    @property
    def reason(self) -> str:
        """Why it was not taken, or what else there is to say."""
        return self.fault.message if self.fault else self.why


class _Ruling(NamedTuple):
    """A verdict on a proposal, and whether it is to be carried out now."""

    said: Said
    one: Proposal
    told: Judgement
    acts: bool


def judge(
    vault: Vault,
    said: Sequence[Said],
    caller: Caller,
    run: str,
    found: Findings | None = None,
    for_user: bool = False,
    dry_run: bool = False,
) -> list[Judged]:
    """Carry out or keep these verdicts, one commit for each that changes notes and one for all that are kept.

    `found` is what the gardeners found, if that is known; `for_user` is whether an agent only says what its user
    decided. Raises StoppedError if all together would delete more memories than the circuit breaker allows.
    """
    if found is None:
        settings = garden.settings_of(vault.config)._replace(least=POSSIBLE)
        found = garden.look(vault, settings, caller.now)
    taken: list[_Ruling | Judged] = []
    for one in said:
        try:
            taken.append(_ruling(vault, one, found, caller, for_user))
        except MdmemError as error:
            taken.append(Judged(one, fault=error))
    rulings = [each for each in taken if isinstance(each, _Ruling)]
    outcomes: dict[tuple[str, frozenset[str]], Outcome] = {}
    if not dry_run:
        verdicts.keep(vault, [each.told for each in rulings if not each.acts], caller)
        outcomes = _carried_out(vault, [each for each in rulings if each.acts], caller, run)
    return [each if isinstance(each, Judged) else _judged(each, outcomes.get(each.told.asks)) for each in taken]


def both_hold(vault: Vault, older: str, newer: str, caller: Caller) -> None:
    """Keep that the notes at two paths both hold, so that nobody is asked while they stay as they are."""
    told = verdicts.of_pair(vault, older, newer, verdicts.BOTH)
    when = moments.render(caller.now)
    verdicts.keep(vault, [told._replace(by=caller.actor, session=caller.session, when=when)], caller)


def _judged(each: _Ruling, outcome: Outcome | None) -> Judged:
    said = each.said._replace(verdict=each.told.verdict)
    waits = each.told.changes and not each.acts
    commit, why = (outcome.commit, outcome.why) if outcome and each.acts else ("", "")
    return Judged(said, each.one.title, commit, waits, why)


def _ruling(vault: Vault, said: Said, found: Findings, caller: Caller, for_user: bool) -> _Ruling:
    """What a verdict comes to. Raises NotFoundError, UsageError."""
    when = moments.render(caller.now)
    if said.verdict == AGAIN:
        told = garden.one_of(found.denied, said.id, "proposal")
        again = told._replace(verdict=AGAIN, by=caller.actor, session=caller.session, when=when)
        return _Ruling(said, Proposal(told.proposal, "", "", ", ".join(told.paths), 0), again, acts=False)
    one = garden.one_of(found.proposals, said.id, "id")
    why = " ".join(said.why.split())
    words = "\n".join((said.why, said.text, *said.drops))
    if not caller.allow_secret and (leak := secrets.kinds(words, guard.own_rules(vault))):
        raise UsageError(
            f"the verdict holds a secret, {leak}", "say it without; --allow-secret keeps it all the same"
        )
    is_person = for_user or not caller.actor
    told = verdicts.of_proposal(vault, one, _meant(one, said.verdict) if is_person else said.verdict)
    if said.text:
        _require_whole(vault, told, said, caller)
    by = "" if for_user else caller.actor
    told = told._replace(by=by, session=caller.session, when=when, why=why, text=said.text, drops=said.drops)
    acts = told.changes and (for_user or _may_act(vault, one.paths, caller))
    return _Ruling(said, one, told, acts)


def _meant(one: Proposal, verdict: str) -> str:
    """A person's verdict on two notes: "yes" is what the gardener proposes, and "no" that both hold."""
    proposed = verdicts.SAME if one.gardener == "twins" else verdicts.SECOND
    answers = {verdicts.YES: proposed, verdicts.NO: verdicts.BOTH} if one.asks[0] == "pair" else {}
    return answers.get(verdict, verdict)


def _require_whole(vault: Vault, told: Judgement, said: Said, caller: Caller) -> None:
    """Check a merged text: each statement has its words in it, or is named as left out. Raises UsageError.

    A person may leave out what they like.
    """
    there, denials = telling_roots(said.text), negations(said.text)
    named = [telling_roots(part) for part in said.drops]
    lost = [
        statement
        for path in told.paths
        for statement in _statements(vault, path)
        if not ((words := telling_roots(statement)) <= there and negations(statement) <= denials)
        and not any(words <= part for part in named)
    ]
    if lost and caller.actor:
        shown = "; ".join(repr(statement) for statement in lost[:_SHOWN])
        raise UsageError(f"the text leaves out: {shown}", "say it, or name it in drops, word for word")


def _statements(vault: Vault, path: str) -> Iterator[str]:
    try:
        body = memory.parse(vault.read(path), path).body
    except (NoteError, NotFoundError):
        return
    yield from (part for part in sentences.split(body) if telling_roots(part))


def _may_act(vault: Vault, paths: Iterable[str], caller: Caller) -> bool:
    """Whether a caller may change these notes by its verdict."""
    rule = vault.config.garden.agents
    return not caller.actor or rule == ACT or (rule != ADVISE and _are_of_agents(vault, paths))


def _are_of_agents(vault: Vault, paths: Iterable[str]) -> bool:
    """Whether agents wrote and last edited all of these notes, and nobody has edited them since."""
    commits: set[str] = set()
    for path in paths:
        versions = vault.index.versions(path)
        if not versions or not is_blob(versions[0].blob, vault.read(path)):
            return False
        commits |= {versions[0].commit, versions[-1].commit}
    told = log.named(vault.repo, commits).values()
    return all(one.operation.action and one.author != one.committer for one in told)  # for a person who commits


def last_writers(vault: Vault, paths: Iterable[str]) -> dict[str, str]:
    """path -> who last wrote a note, an agent's name or "a person", of those that are committed."""
    commits = {path: versions[0].commit for path in paths if (versions := vault.index.versions(path))}
    by = log.named(vault.repo, set(commits.values()))
    return {path: by[commit].operation.actor or "a person" for path, commit in commits.items()}


def _carried_out(
    vault: Vault, rulings: Sequence[_Ruling], caller: Caller, run: str
) -> dict[tuple[str, frozenset[str]], Outcome]:
    """What a verdict is about -> what became of it: as proposed, or as a new plan by these verdicts has it."""
    if not rulings:
        return {}
    as_proposed = [each for each in rulings if each.told.verdict == _meant(each.one, verdicts.YES)]
    request = Request(garden.settings_of(vault.config), by=rulings[0].told.by)
    read = partial(files.read_or_none, vault.root)
    worded = [
        edited(garden.worded(each.one._replace(said=each.told), each.told, read), each.said.edited)
        for each in as_proposed
    ]
    done = gardening.carry_out(vault, worded, request, caller, run)
    others = [each.told for each in rulings if each not in as_proposed]
    if others:
        settings = request.settings._replace(least=POSSIBLE, judgements=tuple(others))
        asked = {told.asks for told in others}
        ids = frozenset(one.id for one in garden.look(vault, settings, caller.now).proposals if one.asks in asked)
        request = request._replace(settings=settings, wish=garden.Wish(ids=ids))
        done += gardening.apply(vault, request, caller, run, silent).outcomes if ids else ()
    return {outcome.proposal.asks: outcome for outcome in done}


def edited(one: Proposal, given: Mapping[str, bytes]) -> Proposal:
    """A proposal with the files that a person left in an editor. Raises ConflictError if one is gone."""
    if gone := given.keys() - {edit.path for edit in one.edits if edit.after is not None}:
        raise ConflictError(f"{', '.join(sorted(gone))} was changed after it was edited", "look again")
    edits = tuple(FileEdit(edit.path, edit.before, given.get(edit.path, edit.after)) for edit in one.edits)
    return one._replace(edits=edits)


def check_words(vault: Vault, edit: FileEdit, words: bytes) -> None:
    """Check that a person's version of a proposed file can be written. Raises NoteError, UsageError."""
    if not words.strip():
        raise UsageError("the text is empty", "n rejects the proposal")
    note = vault.parse(words, edit.path)
    if note.problems:
        raise NoteError(note.problems[0])
    if vault.parse(edit.after or b"", edit.path).id != note.id:
        raise UsageError("the id of a memory never changes", "leave that line as it was")
