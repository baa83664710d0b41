"""Recall by meaning from a team's index, if all vaults that a role may read have vectors of one model.

A question gets its vector here, from the model that this machine has. Without that, only words count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mdmem.errors import MdmemError
from mdmem.recall import meaning
from mdmem.recall.models import sentence
from mdmem.recall.models.sentence import Embedder
from mdmem.store.index.port import MEMORY
from mdmem.team.catalogue import TeamCatalogue
from mdmem.team.nearness import TeamVectors
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
