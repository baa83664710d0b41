"""What the gardeners propose on a labelled set, and how well: pairs, topics and what is pruned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from mdmem.garden import plan as garden
from mdmem.garden.gardeners import note
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import GardenSettings, JudgedPair, MeantPair, Proposal, findings
from mdmem.garden.pairs import judge
from mdmem.note.memory import stem
from tests import garden_set
from tests.garden_set import Score

KINDS = (*garden_set.PAIRED, "consolidate", "prune")
DEFAULT = GardenSettings().min_confidence
WITH_MODEL = ""  # a sentence model that is asked, too; a bench may set it before it asks for the first score
MUCH = 2 / 3  # of the notes of both: from there on, a proposed topic is the labelled one
Groups = Iterable[Sequence[str]]


@cache
def _read(of: str) -> tuple[Note, ...]:
    return tuple(note.read(one.memory, one.data) for one in garden_set.notes(of))


@cache
def proposals(gardener: str, of: str = "garden") -> tuple[Proposal, ...]:
    """All that a gardener proposes on a set, whatever its confidence."""
    settings = GardenSettings(judged=judged(of))
    return findings(garden.GARDENERS[gardener](Ground(_read(of)), settings, garden_set.TODAY)).proposals


@cache
def judged(of: str) -> tuple[JudgedPair, ...]:
    """The pairs of a set that may be twins or in conflict."""
    return judge.judged(_read(of), meant(of) if WITH_MODEL else ())


@cache
def meant(of: str) -> tuple[MeantPair, ...]:
    """The notes of a set that the sentence model finds nearest to each other."""
    from mdmem.garden import meanings
    from mdmem.recall import meaning
    from mdmem.recall.models import sentence

    model = sentence.chosen(WITH_MODEL)
    assert model, f"no local model is called {WITH_MODEL}"
    notes = _read(of)
    matrix = model.load().embed([meaning.passages_of(one)[0] for one in notes])
    return tuple(meanings.pairs([one.path for one in notes], matrix))


def sure(gardener: str, of: str = "garden", least: float = DEFAULT) -> list[Proposal]:
    """The proposals of a confidence of at least so much."""
    return [one for one in proposals(gardener, of) if one.confidence >= least]


def pairs(planned: Iterable[Proposal]) -> Iterator[tuple[str, str]]:
    """The pairs of names that proposals are about: each note of the evidence with the one that stays."""
    for one in planned:
        paths = {*(why.path for why in one.evidence), *one.paths, *one.rests_on}
        names = set(map(stem, paths))
        stays = next(name for name in sorted(names, key=len, reverse=True) if _stays(one, name))
        yield from ((name, stays) for name in names - {stays} if name in one.title.replace(",", " ").split())


def _stays(one: Proposal, name: str) -> bool:
    """Whether a note is the one that the others give way to, or the newer of two that are contested."""
    says = (f"into {name}", f"trust {name}", f"and {name}, which say different things")
    return any(words in one.title for words in says) or one.title.endswith(f": {name} supersedes it")


def topics(planned: Iterable[Proposal]) -> list[list[str]]:
    """The names that each proposal combines."""
    return [[stem(why.path) for why in one.evidence] for one in planned]


def score(kind: str, part: str, least: float = DEFAULT, of: str = "judgement") -> Score:
    """How well the gardener of a kind of KINDS does on a half, at a confidence of at least so much."""
    if kind in garden_set.PAIRED:
        return garden_set.score_pairs(kind, pairs(sure(kind, of, least)), part, of)
    labels = garden_set.labels(of)[kind]
    if kind == "consolidate":
        wanted = [label["names"] for label in labels]
        found = [nearest(names, wanted) for names in topics(sure(kind, of, least))]
        return garden_set.score_names(found, wanted, part, of)
    gone = [[stem(one.edits[0].path)] for one in _prunings(of, least)]
    return garden_set.score_names(gone, [[label["name"]] for label in labels if label["prune"]], part, of)


def _prunings(of: str, least: float) -> list[Proposal]:
    """What has faded, and what hygiene takes for past."""
    past = [one for one in sure("hygiene", of, least) if " is past" in one.title]
    return [*sure("decay", of, least), *past]


def nearest(names: Sequence[str], wanted: Groups) -> Sequence[str]:
    """The labelled topic that the names are, give or take a few, or the names themselves."""
    mine = set(names)
    near = (group for group in wanted if len(mine & set(group)) >= MUCH * len(mine | set(group)))
    return next(near, names)
