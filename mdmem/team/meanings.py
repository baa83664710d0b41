"""The meaning of memories in a team's index: the vectors of vaults, and how near they are to a question.

Vectors are there if a model is switched on in a vault and the server has pgvector. They are copies of the vault's
own, one a passage, which `mdmem rebuild vectors` makes. The digests of texts tell which there should be, so that a
publication after it adds them even without a new commit.

Meaning counts if all vaults that a role may read have vectors of one model. A question gets its vector here, from
the model that this machine has. Without that, only words count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mdmem.errors import MdmemError
from mdmem.recall import meaning
from mdmem.recall.models import sentence
from mdmem.recall.models.sentence import Embedder
from mdmem.recall.models.vectors import Vectors
from mdmem.store.index.port import MEMORY, apart, key
from mdmem.team import schema
from mdmem.team.catalogue import TeamCatalogue
from mdmem.team.form import AT_ONCE, PublishedReader
from mdmem.team.server import Server

if TYPE_CHECKING:
    from mdmem.store.vault.vault import Vault

_KNOWN = "SELECT path, digest, scope FROM mdmem.vectors WHERE vault = %s AND passage = 0"
_DELETE = "DELETE FROM mdmem.vectors WHERE vault = %s AND path = ANY(%s)"
_INDEX = (
    "CREATE INDEX IF NOT EXISTS {index} ON mdmem.vectors"
    " USING hnsw ((vector::halfvec({})) halfvec_cosine_ops) WHERE vector_dims(vector) = {} AND vault = {}"
)


def _model_of(vault: Vault) -> tuple[str, str]:
    """The model whose vectors a vault has: its name, the same for a whole team, and the name of its file here.

    Both are "" for none.
    """
    local = sentence.chosen(vault.config.semantic.model)
    if local:
        return local.name, local.name
    from mdmem.recall.models.endpoint import Endpoint

    try:
        endpoint = Endpoint() if sentence.is_on(vault.config.semantic.model) else None
    except MdmemError:
        endpoint = None
    return (endpoint.name, endpoint.kept_as) if endpoint else ("", "")


class Meanings:
    """The vectors of one vault, updated within a transaction of the caller.

    A clone without vectors leaves those that others published, as long as they are of the current texts.
    """

    def __init__(self, server: Server, vault: Vault, reader: PublishedReader, before: tuple[str, int]) -> None:
        """`before` is the model of the published vectors, and their dimension."""
        self._server = server
        self._id = vault.config.id
        has_vectors = schema.exists(server, schema.VECTORS)
        self.model, kept_as = _model_of(vault) if has_vectors else ("", "")
        self._vectors = Vectors(vault.root, kept_as)
        made = self._vectors.digests() if self.model else set()
        published = reader.digests.items() if self.model else ()
        texts = {path: (digest, reader.scope_of(path)) for path, digest in published}
        self._here = {path: told for path, told in texts.items() if told[0] in made}
        self.numbers = self._own_numbers() or (before[1] if before[0] == self.model else 0)
        self.is_same = before == (self.model, self.numbers)
        told = server.run(_KNOWN, [self._id]) if has_vectors else ()
        self._known = {path for path, _, _ in told}
        self._valid = {path for path, *of in told if self.model and self.is_same and texts.get(path) == tuple(of)}

    def _own_numbers(self) -> int:
        """The dimension of the vectors here, 0 if there are none."""
        first = next(iter(self._here.values()), None)
        return self._vectors.of([first[0]]).rows.shape[1] if first else 0

    def update(self, everything: bool) -> tuple[int, int]:
        """Write the vectors that are not published yet, or all, and remove outdated ones; how many of each."""
        new = sorted(self._here.keys() - (set() if everything else self._valid))
        gone = sorted(self._known - (self._valid - {*new}))
        if gone:
            self._server.run(_DELETE, [self._id, gone])
        if new:
            index, of = f"vectors_{self.numbers}_{self._id}", (self.numbers, self.numbers, self._id)
            self._server.run(schema.statement(_INDEX, *of, index=index))
            self._server.copy(f"COPY mdmem.{schema.VECTORS} FROM STDIN", self._rows(new))
        return len(new), len(gone)

    def _rows(self, paths: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for at in range(0, len(paths), AT_ONCE):
            some = paths[at : at + AT_ONCE]
            found = self._vectors.of([self._here[path][0] for path in some])
            vectors = dict(zip(found.digests, found.each(), strict=True))
            for path in some:
                digest, scope = self._here[path]
                for passage, vector in enumerate(vectors[digest].tolist()):
                    yield self._id, path, passage, scope, digest, str(vector)


# -- asking ----------------------------------------------------------------------------------------------------


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
        tell(meaning.without(error))
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
        self._numbers = numbers
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
        rows = self._server.run(_NEAREST, [_written(asked), self._numbers, most])
        found = dict.fromkeys(key(vault, path) for vault, path in rows)
        return [each for each in found if each not in hidden][:count]

    def of(self, text: str, paths: Sequence[str]) -> Mapping[str, Sequence[float]]:
        asked = self._of_question(text)
        if not asked:
            return {}
        places = [list(each) for each in zip(*map(apart, paths), strict=True)] if paths else [[], []]
        found: dict[str, list[float]] = {}
        for vault, path, cosine in self._server.run(_COSINES, [_written(asked), self._numbers, *places]):
            found.setdefault(key(vault, path), []).append(cosine)
        return found

    def _of_question(self, text: str) -> Sequence[float]:
        if text not in self._asked:
            try:
                self._asked[text] = self._model.embed([text])[0].tolist()
            except MdmemError as error:
                self._asked[text] = []
                self._tell(meaning.without(error))
        return self._asked[text]


_LOOKED_AT = 200  # vectors that a search looks at; more make it likelier to find the nearest
_SETTINGS = (
    "SELECT set_config('hnsw.ef_search', %s, true), set_config('hnsw.iterative_scan', 'strict_order', true)"
)
_NEAREST = "SELECT * FROM mdmem.nearest(%s, %s::integer, %s::integer)"
_COSINES = "SELECT * FROM mdmem.cosines(%s, %s::integer, %s::text[], %s::text[])"


def _written(vector: Sequence[float]) -> str:
    return f"[{','.join(f'{number:.6g}' for number in vector)}]"
