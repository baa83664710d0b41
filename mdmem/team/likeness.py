"""Recall by meaning from a team's index, if all vaults that a role may read have vectors of one model.

A question gets its vector here, from the model that this machine has. Without that, only words count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mdmem.errors import MdmemError
from mdmem.recall import meaning
from mdmem.recall.models import sentence
from mdmem.recall.models.sentence import Embedder
from mdmem.store.index.port import MEMORY, apart, key
from mdmem.team.catalogue import TeamCatalogue
from mdmem.team.server import Server

if TYPE_CHECKING:
    from mdmem.team.server import Server


def of(server: Server, catalogue: TeamCatalogue, tell: Callable[[str], None]) -> TeamMeaning | None:
    """The comparison by meaning; None if the vaults have no vectors, or have those of several models.

    None, too, if this machine lacks the model, which `tell` gets in a line.
    """
    models = {(vault.model, vault.numbers) for vault in catalogue.vaults.values()}
    if len(models) != 1:
        return None
    ((name, numbers),) = models
    if not (name and numbers):
        return None
    try:
        local = sentence.named(name)
        model = local.load() if local else meaning.model("endpoint")
        if model.name != name:
            raise MdmemError(f"the team's vectors are of {name}", "ask for that model here, too")
    except MdmemError as error:
        tell(f"recalling by words alone: {error} ({error.hint})")
        return None
    return TeamMeaning(model, TeamVectors(server, numbers), catalogue, tell)


_PASSAGES = 3  # of one memory, at most, among the nearest


class TeamMeaning:
    """How near the memories of a team are to a text; a `gather.Likeness`."""

    def __init__(
        self, model: Embedder, vectors: TeamVectors, catalogue: TeamCatalogue, tell: Callable[[str], None]
    ) -> None:
        self._model = model
        self.weight = sentence.weight_of(model.name)
        self._vectors = vectors
        self._catalogue = catalogue
        self._tell = tell
        self._asked: dict[str, Sequence[float]] = {}  # text -> its vector, empty if the model failed

    def nearest(self, text: str, count: int, kind: str) -> list[str]:
        hidden = self._catalogue.hidden
        asked = self._of_question(text) if kind == MEMORY else ()
        found = self._vectors.nearest(asked, _PASSAGES * (count + len(hidden))) if asked else []
        return [each for each in found if each not in hidden][:count]

    def of(self, text: str, paths: Sequence[str]) -> Mapping[str, Sequence[float]]:
        asked = self._of_question(text)
        return self._vectors.cosines(asked, paths) if asked else {}

    def _of_question(self, text: str) -> Sequence[float]:
        if text not in self._asked:
            try:
                self._asked[text] = self._model.embed([text])[0].tolist()
            except MdmemError as error:
                self._asked[text] = []
                self._tell(f"recalling by words alone: {error} ({error.hint})")
        return self._asked[text]


_LOOKED_AT = 200  # vectors that a search looks at; more make it likelier to find the nearest
_SETTINGS = (
    "SELECT set_config('hnsw.ef_search', %s, true), set_config('hnsw.iterative_scan', 'strict_order', true)"
)
_FAR = "vector::halfvec({numbers}) <=> %s::halfvec({numbers})"  # 1 minus the cosine
_NEAREST = "SELECT vault, path FROM mdmem.vectors ORDER BY {far} LIMIT %s"
_COSINES = """
SELECT vault, path, 1 - ({far}) FROM mdmem.vectors
WHERE (vault, path) IN (SELECT * FROM unnest(%s::text[], %s::text[]))
ORDER BY vault, path, passage
"""


class TeamVectors:
    """The vectors that a role may read; `numbers` is their dimension, as the vaults state it."""

    def __init__(self, server: Server, numbers: int) -> None:
        self._server = server
        self._far = _FAR.format(numbers=int(numbers))

    def nearest(self, vector: Sequence[float], count: int) -> list[str]:
        """The keys of the memories of the `count` passages nearest to a vector, nearest first; approximate."""
        self._server.run(_SETTINGS, [str(max(_LOOKED_AT, count))])
        rows = self._server.run(_NEAREST.format(far=self._far), [_written(vector), count])
        return list(dict.fromkeys(key(vault, path) for vault, path in rows))

    def cosines(self, vector: Sequence[float], keys: Sequence[str]) -> dict[str, list[float]]:
        """key -> cosine of each passage, for those of the memories that have vectors."""
        pairs = [apart(each) for each in keys]
        places = [[vault for vault, _ in pairs], [path for _, path in pairs]]
        rows = self._server.run(_COSINES.format(far=self._far), [_written(vector), *places])
        found: dict[str, list[float]] = {}
        for vault, path, cosine in rows:
            found.setdefault(key(vault, path), []).append(cosine)
        return found


def _written(vector: Sequence[float]) -> str:
    return f"[{','.join(f'{number:.6g}' for number in vector)}]"
