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
    return TeamMeaning(model, server, numbers, catalogue, tell)


_PASSAGES = 3  # of one memory, at most, among the nearest


class TeamMeaning:
    """How near the memories of a team are to a text; a `gather.Likeness`."""

    def __init__(
        self, model: Embedder, server: Server, numbers: int, catalogue: TeamCatalogue, tell: Callable[[str], None]
    ) -> None:
        """`numbers` is the dimension of the vectors, as the vaults state it."""
        self._model = model
        self.weight = sentence.weight_of(model.name)
        self._server = server
        self._nearest, self._cosines = (text.format(numbers=int(numbers)) for text in (_NEAREST, _COSINES))
        self._catalogue = catalogue
        self._tell = tell
        self._asked: dict[str, Sequence[float]] = {}  # text -> its vector, empty if the model failed

    def nearest(self, text: str, count: int, kind: str) -> list[str]:
        hidden = self._catalogue.hidden
        asked = self._of_question(text) if kind == MEMORY else ()
        if not asked:
            return []
        most = _PASSAGES * (count + len(hidden))  # approximate: by pgvector's own index
        self._server.run(_SETTINGS, [str(max(_LOOKED_AT, most))])
        rows = self._server.run(self._nearest, [_written(asked), most])
        found = dict.fromkeys(key(vault, path) for vault, path in rows)
        return [each for each in found if each not in hidden][:count]

    def of(self, text: str, paths: Sequence[str]) -> Mapping[str, Sequence[float]]:
        asked = self._of_question(text)
        if not asked:
            return {}
        places = [list(each) for each in zip(*map(apart, paths), strict=True)] if paths else [[], []]
        found: dict[str, list[float]] = {}
        for vault, path, cosine in self._server.run(self._cosines, [_written(asked), *places]):
            found.setdefault(key(vault, path), []).append(cosine)
        return found

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
_NEAREST = """
SELECT vault, path FROM mdmem.vectors WHERE vector_dims(vector) = {numbers}
ORDER BY vector::halfvec({numbers}) <=> %s::halfvec({numbers}) LIMIT %s
"""
_COSINES = """
SELECT vault, path, 1 - (vector::halfvec({numbers}) <=> %s::halfvec({numbers})) FROM mdmem.vectors
WHERE (vault, path) IN (SELECT * FROM unnest(%s::text[], %s::text[]))
ORDER BY vault, path, passage
"""


def _written(vector: Sequence[float]) -> str:
    return f"[{','.join(f'{number:.6g}' for number in vector)}]"
