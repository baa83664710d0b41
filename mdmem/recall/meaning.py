"""Recall by meaning, if a vault has switched it on: `[semantic] model` names a local model or "endpoint".

Each memory has one vector, of its title and text. A question is compared with all of them at once, which is
faster than any index up to some hundred thousand. A model that tells what single words mean also has vectors of
these; they are only read for the candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from mdmem.errors import MdmemError
from mdmem.index.port import Catalogue, NoteText
from mdmem.models import late, sentence
from mdmem.models.late import AskedWords
from mdmem.models.sentence import Embedder
from mdmem.models.vectors import Vectors, WordVectors
from mdmem.progress import silent
from mdmem.text import segment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mdmem.vault.vault import Vault

AT_ONCE = 32  # new memories for which recall itself makes vectors; more wait for `mdmem embed`
AT_END = 3.0  # seconds that the end of a session spends on missing vectors
_BATCH = 64  # vectors that are saved at once: at most so many are lost if the process is killed


def model(name: str) -> Embedder:
    """The model that a setting names. Raises MdmemError if it is not installed or not set up."""
    local = sentence.chosen(name)
    if local:
        return local.load()
    from mdmem.models.endpoint import Endpoint

    return Endpoint()


def standing(vault: Vault) -> tuple[str, int]:
    """The model that a vault recalls by ("" for none), and how many memories have a vector of it."""
    setting = vault.config.semantic.model
    local = sentence.chosen(setting)
    if local is None:
        return setting, 0
    try:
        known = Vectors(vault.root, local.name).digests()
    except MdmemError:  # recall tells of it
        return local.name, 0
    return local.name, sum(digest in known for digest in vault.index.digests().values())


def likeness(vault: Vault, catalogue: Catalogue) -> Meaning | None:
    """What compares meanings in a vault; None if that is off, or if it fails, which the vault tells in a line."""
    if not vault.config.semantic.model:
        return None
    try:
        found = Meaning(model(vault.config.semantic.model), vault.root, catalogue, vault.tell)
        missing = len(found.missing())
        if missing <= AT_ONCE:
            found.embed()
        elif catalogue is vault.index:
            vault.tell(f"{missing} memories have no vector yet; mdmem embed makes them")
        else:
            vault.tell(f"{missing} memories of that time have no vector; they are found by words alone")
    except MdmemError as error:
        vault.tell(_without(error))
        return None
    return found


def catch_up(vault: Vault, seconds: float = AT_END) -> int:
    """Make missing vectors for about so many seconds, and return how many. The rest waits for the next time.

    Only with a local model: the end of a session does not wait for an endpoint. Recall and `mdmem embed` tell if
    the model is not installed; this does not.
    """
    local = sentence.chosen(vault.config.semantic.model)
    if local is None:
        return 0
    try:
        made = Vectors(vault.root, local.name).digests()
        if local.by_words:
            made &= WordVectors(vault.root, local.name).digests()
        if made.issuperset(vault.index.digests().values()):
            return 0
        return Meaning(local.load(), vault.root, vault.index).embed(seconds=seconds)
    except MdmemError:
        return 0


class Meaning:
    """The vectors of a catalogue's memories; a `gather.Likeness`.

    If the model fails while questions are asked, that is told once, and no further question is compared.
    """

    def __init__(
        self,
        model: Embedder,
        root: str,
        catalogue: Catalogue,
        tell: Callable[[str], None] = lambda line: None,  # noqa: ARG005
    ) -> None:
        self._model = model
        self._weight = sentence.weight_of(model.name)
        self._catalogue = catalogue
        self._tell = tell
        self._failed = False
        self._vectors = Vectors(root, model.kept_as)
        self._words = WordVectors(root, model.kept_as) if sentence.by_words(model) else None
        self._asked: dict[str, NDArray[np.float32]] = {}
        self._asked_words: dict[str, AskedWords] = {}
        self._load()

    def missing(self) -> list[str]:
        """The paths of the memories that lack their vector or those of their words."""
        made = self._known.keys() & self._words.digests() if self._words else self._known
        return [path for path, digest in self._digests.items() if digest not in made]

    def embed(
        self,
        progress: Callable[[int, int], None] = silent,
        seconds: float = inf,
    ) -> int:
        """Make the vectors that are missing, and return how many. `progress` gets (done, total).

        They are saved batch by batch; after so many `seconds` no further batch is begun. Raises MdmemError.
        """
        paths = self.missing()
        done, until = 0, monotonic() + seconds
        while done < len(paths) and (not done or monotonic() < until):
            batch = paths[done : done + _BATCH]
            texts = self._catalogue.texts(batch)
            self._make([self._digests[path] for path in batch], [text_of(texts[path]) for path in batch])
            done += len(batch)
            progress(done, len(paths))
        if done:
            self._load()
        return done

    def _make(self, digests: Sequence[bytes], texts: Sequence[str]) -> None:
        """Make the vectors of texts and save them; those of words first, so that no text lacks these for long."""
        if self._words and sentence.by_words(self._model):
            matrix, words = self._model.embed_with_words(texts)
            self._words.add(digests, words)
        else:
            matrix = self._model.embed(texts)
        self._vectors.add(digests, matrix)

    def tidy(self) -> int:
        """Delete the vectors of texts that no memory has any more, and return how many texts that were."""
        now = set(self._digests.values())
        if self._words:
            self._words.keep_only(now)
        return self._vectors.keep_only(now)

    def nearest(self, text: str, count: int) -> list[str]:
        """The paths of the memories nearest to a text, nearest first."""
        import numpy as np

        asked = self._of_question(text) if self._paths else None
        if asked is None:
            return []
        best = np.argsort(-(self._matrix @ asked), kind="stable")[:count]
        return [self._paths[at] for at in best]

    def of(self, text: str, paths: Sequence[str]) -> Mapping[str, float]:
        """path -> cosine of the memory to a text, weighted by how much this model's cosines count."""
        known = [path for path in paths if path in self._places]
        asked = self._of_question(text) if known else None
        if asked is None:
            return {}
        cosines = self._matrix[[self._places[path] for path in known]] @ asked
        return {path: self._weight * float(cosine) for path, cosine in zip(known, cosines, strict=True)}

    def by_words(self, text: str, paths: Sequence[str], rarities: Mapping[str, float]) -> Mapping[str, float]:
        """path -> how well the memory matches a text word by word, for memories with vectors of their words."""
        if self._words is None or self._of_question(text) is None or not self._asked_words[text].words:
            return {}
        digests = {path: self._digests[path] for path in paths if path in self._places}
        try:
            kept = self._words_of(self._words, list(digests.values()), self._asked_words[text])
        except MdmemError as error:
            self._words = None  # it is told once
            self._tell(f"recalling without the meaning of single words: {error} ({error.hint})")
            return {}
        words = {path: packed for path, digest in digests.items() if (packed := kept.get(digest))}
        if not words:
            return {}
        found = late.matches(self._asked_words[text], rarities, list(words.values()))
        return dict(zip(words, map(float, found), strict=True))

    def _words_of(self, words: WordVectors, digests: Sequence[bytes], asked: AskedWords) -> dict[bytes, bytes]:
        """What is kept of the words of texts. Raises MdmemError if it is damaged or of another length."""
        kept = words.of(digests)
        if any(len(packed) * 8 % asked.states.shape[1] for packed in kept.values()):
            raise MdmemError("words in .mdmem/vectors.sqlite have another length", "delete it, then: mdmem embed")
        return kept

    def _of_question(self, text: str) -> NDArray[np.float32] | None:
        """The vector of a question; None once the model has failed."""
        if text not in self._asked and not self._failed:
            try:
                if sentence.by_words(self._model):
                    vector, self._asked_words[text] = self._model.question(text)
                    self._asked[text] = self._fitting(vector[None])[0]
                else:
                    self._asked[text] = self._fitting(self._model.embed([text]))[0]
            except MdmemError as error:
                self._failed = True
                self._tell(_without(error))
        return None if self._failed else self._asked[text]

    def _fitting(self, found: NDArray[np.float32]) -> NDArray[np.float32]:
        if found.shape[1] != self._matrix.shape[1]:
            raise MdmemError(
                f"{self._model.name} makes vectors of {found.shape[1]} numbers now, not {self._matrix.shape[1]}",
                "delete .mdmem/vectors.sqlite, then: mdmem embed",
            )
        return found

    def _load(self) -> None:
        digests, matrix = self._vectors.load()
        self._known = {digest: at for at, digest in enumerate(digests)}
        self._digests = self._catalogue.digests()
        self._paths = [path for path, digest in self._digests.items() if digest in self._known]
        self._places = {path: at for at, path in enumerate(self._paths)}
        self._matrix = matrix[[self._known[self._digests[path]] for path in self._paths]]


def _without(error: MdmemError) -> str:
    return f"recalling by words alone: {error} ({error.hint})"


def text_of(note: NoteText) -> str:
    """What goes through the model: the text, preceded by its title if that has a word more."""
    body = note.body.strip()
    more = set(segment.words(note.title)).difference(segment.words(body))
    return f"{note.title}\n{body}" if more else body
