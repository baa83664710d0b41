"""One question to several vaults: one answer, in one order, each memory cited in its own vault.

Meaning counts only if all vaults use the same model: otherwise some would rank ahead of those without one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from typing import NamedTuple

from mdmem.errors import MdmemError, NotFoundError, UsageError
from mdmem.recall import ask as asking
from mdmem.recall import citation, lookup, order
from mdmem.recall.ask import Answer, Query, Ranking, Scene
from mdmem.recall.gather import RecallContext
from mdmem.recall.models import sentence
from mdmem.recall.order import Hit
from mdmem.recall.several.joined import JoinedCatalogue, JoinedLikeness
from mdmem.store.index import port
from mdmem.store.index.port import IndexedNote, qualified
from mdmem.store.vault.several import NamedVault, OpenVaults
from mdmem.store.vault.vault import Vault


class SearchedVault(NamedTuple):
    """A vault, and the scene that is searched in it."""

    vault: Vault
    scene: Scene


def ask(
    vaults: OpenVaults, query: Query, now: datetime, session: str = "", *, counted: bool = True
) -> list[Answer]:
    """The answer of several vaults to a question, best first; see `recall.ask.ask`.

    Its memories count as retrieved in their vaults, and in a session of the nearest one. A vault that cannot
    answer is noted in `vaults.unread`. If none can, raises the error of the nearest.
    """
    with _looking(vaults, query, now) as looks:
        catalogue, context = _together(vaults, looks)
        view = asking.Viewpoint(vaults.first, query)
        circumstances = asking.circumstances(context, query, now)._replace(aside=view.aside)
        hits = order.recall(catalogue, query.texts, circumstances, query.limit)
        chosen = query.choose(hits) if query.choose else hits
        answers = view.marked(_cited(looks, [hit.local() for hit in chosen]))
        answers = asking.told(query, answers, lambda answer, depth: _at_depth(looks, answer, depth))
    if counted and not query.as_of:
        count_use(vaults, answers, now, session)
    return answers


def why(vaults: OpenVaults, query: Query, name: str, now: datetime) -> Ranking | None:
    """The rank of a memory in the answer of several vaults, and why; see `recall.ask.why`.

    Raises NotFoundError if no vault has it, UsageError if several have.
    """
    with _looking(vaults, query, now) as looks:
        catalogue, context = _together(vaults, looks)
        vault, called, own = holder(vaults, name)
        found = lookup.find_exact(vault, own, looks[called].scene.catalogue) or lookup.find(vault, own)
        (record,) = catalogue.records_at([port.key(called, found.path)])
        ranked = order.rank_of(catalogue, query.texts, asking.circumstances(context, query, now), record)
        return Ranking(ranked[0], ranked[1].local()) if ranked else None


def about(vaults: OpenVaults, records: Sequence[IndexedNote]) -> list[Answer]:
    """Answers for records of several vaults that no question found, each cited by its first line, in order."""
    answers: dict[int, Answer] = {}
    for name, vault in vaults.every:
        own = [at for at, record in enumerate(records) if record.vault == name]
        answers |= zip(own, asking.about(vault, [records[at] for at in own]), strict=True)
    return [answers[at] for at in sorted(answers)]


def count_use(vaults: OpenVaults, answers: Sequence[Answer], now: datetime, session: str = "") -> None:
    """Record that these memories were recalled, each in its vault; the session is one of the nearest vault."""
    for name, vault in vaults.every:
        asking.count_use(vault, [answer for answer in answers if answer.hit.record.vault == name], now)
    if session and answers:
        from mdmem.store.local.sessions import Sessions

        first = vaults.first
        Sessions(first.root, first.repo, first.tell).saw(session, asking.ids_of(answers))


@contextmanager
def _looking(vaults: OpenVaults, query: Query, now: datetime) -> Iterator[Mapping[str, SearchedVault]]:
    """name -> vault and scene, for each vault that can be searched."""
    models = {sentence.wanted(vault.config.semantic.model) for _, vault in vaults.every}
    with ExitStack() as held:
        looks = {}
        for name, vault in vaults.every:
            with vaults.excusing(name):
                is_meant = len(models) == 1 and not query.by_words
                scene = held.enter_context(asking.looking(vault, query.as_of, now, is_meant))
                looks[name] = SearchedVault(vault, scene)
        vaults.require_one(looks)
        yield looks


def _together(vaults: OpenVaults, looks: Mapping[str, SearchedVault]) -> tuple[JoinedCatalogue, RecallContext]:
    """The joined catalogue that is searched, and the context of the answer."""
    scenes = {name: look.scene for name, look in looks.items()}
    catalogue = JoinedCatalogue(vaults, {name: scene.catalogue for name, scene in scenes.items()})
    opened: Counter[str] = Counter()
    for scene in scenes.values():
        opened.update(scene.context.opened)
    likeness = {name: scene.context.likeness for name, scene in scenes.items() if scene.context.likeness}
    return catalogue, RecallContext(
        max(scene.context.now for scene in scenes.values()),
        opened=opened,
        likeness=JoinedLikeness(likeness) if len(likeness) == len(scenes) else None,
    )


def _cited(looks: Mapping[str, SearchedVault], hits: Sequence[Hit]) -> list[Answer]:
    every = [each for hit in hits for each in (hit, *hit.same)]
    lines = asking.lines_of(hits)
    commits = [""] * len(every)
    for name, look in looks.items():
        own = [at for at, hit in enumerate(every) if hit.record.vault == name]
        cited = citation.commits(look.vault, [lines[at] for at in own], look.scene.commit)
        for at, commit in zip(own, cited, strict=True):
            commits[at] = commit
    return asking.with_commits(hits, commits)


def _at_depth(looks: Mapping[str, SearchedVault], answer: Answer, depth: str) -> Answer:
    look = looks[answer.hit.record.vault]
    return asking.at_depth(look.vault, look.scene, answer, depth)


class NamedMemory(NamedTuple):
    """A named memory: its vault, the vault's name, and the text that names it there, perhaps with a revision."""

    vault: Vault
    called: str
    text: str


def holder(vaults: OpenVaults, text: str) -> NamedMemory:
    """The vault that has the memory a text names; if none has it exactly, the one with a near match.

    Raises NotFoundError if none has it, UsageError if several have, and MdmemError if the vault that the text
    names cannot be read.
    """
    asked, _, own = text.partition(":")
    for name, vault in vaults.every:
        if name == asked and own:
            return NamedMemory(vault, name, own)
    for unread in vaults.unread:
        if unread.name == asked and own:
            raise MdmemError(f"{asked} cannot be read: {unread.message}", unread.hint)
    having = [each for each in vaults.every if _has(each.vault, text)]
    if not having:
        having = _nearly(vaults, text)
    if len(having) > 1:
        names = " or ".join(qualified(each.name, text) for each in having)
        raise UsageError(f"{len(having)} vaults have '{text}'", f"write {names}")
    return NamedMemory(having[0].vault, having[0].name, text)


def _has(vault: Vault, text: str) -> bool:
    """Whether a vault has a memory, entry or fact of exactly that name."""
    name, _ = lookup.split_revision(vault, text)
    if lookup.find_exact(vault, name):
        return True
    return lookup.may_mean_source(name) and bool(lookup.find_sources(vault, name, vault.index))


def _nearly(vaults: OpenVaults, text: str) -> list[NamedVault]:
    """The vaults that have a near match. Raises NotFoundError if none has, if possible with nearest names."""
    having, missing = [], []
    for each in vaults.every:
        try:
            lookup.find(each.vault, lookup.split_revision(each.vault, text)[0])
            having.append(each)
        except NotFoundError as error:
            missing.append(error)
    if not having:
        raise next((error for error in missing if error.hint.startswith("nearest")), missing[0])
    return having
