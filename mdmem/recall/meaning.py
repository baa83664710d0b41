"""Recall by meaning, as soon as a sentence model is installed (or an endpoint is set up) and not switched off.

Each passage of a memory, a fact or a dialog has a vector. A question is compared with all of them at once, which
is faster than any index up to some hundred thousand. Nothing here loads a model or numpy before it is needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import MdmemError
from mdmem.note import segment
from mdmem.note.plural import counted
from mdmem.recall import passages
from mdmem.recall.models import sentence
from mdmem.recall.models.sentence import Embedder
from mdmem.recall.models.vectors import PassageVectors, Vectors
from mdmem.store.index.port import ALL_KINDS, Catalogue, NoteText
from mdmem.store.local import lock
from mdmem.store.progress import Progress, silent

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mdmem.store.registry import Paths
    from mdmem.store.vault.vault import Vault

    Matrix = NDArray[np.float32]

AT_ONCE = 32  # new texts for which recall itself makes vectors, with
AT_ONCE_PASSAGES = 64  # so many passages at most; others wait for `mdmem rebuild vectors`
AT_WRITE = 1.0  # seconds that a write may spend on vectors, in a process that has the model
_BATCH = 8  # texts whose vectors are saved at once: at most so many are lost if the process is killed
GAIN = "with a sentence model, recall also finds what says the same in other words"


class Standing(NamedTuple):
    """How far a vault recalls by meaning: its `model` ("" for none), texts with vectors, and those without.

    `advice` says what would let it find more by meaning, "" if nothing would, or nobody wants it to.
    """

    model: str = ""
    made: int = 0
    missing: int = 0
    advice: str = ""

    @property
    def lacking(self) -> str:
        """What would let recall find more by meaning, in a sentence; "" if nothing would."""
        if self.missing:
            return f"{counted(self.missing, 'text')} cannot be found by meaning yet: {self.advice}"
        return f"{GAIN}: {self.advice}" if self.advice else ""


def model(setting: str) -> Embedder:
    """The model that a setting means. Raises MdmemError if it is not installed or not set up."""
    local = sentence.chosen(setting)
    if local:
        return local.load()
    from mdmem.recall.models.endpoint import Endpoint

    return Endpoint()


def is_on(vault: Vault) -> bool:
    """Whether a vault is to recall by meaning."""
    return sentence.is_on(vault.config.semantic.model)


def standing(vault: Vault) -> Standing:
    """How far a vault recalls by meaning. The vectors of an endpoint are not counted."""
    said = sentence.wanted(vault.config.semantic.model)
    local = sentence.chosen(said) if said else sentence.MINILM
    if local is None:
        return Standing("" if said == sentence.OFF else said)
    if not local.is_installed:
        return Standing(local.name if said else "", advice=local.install)
    wanted = vault.index.digests(ALL_KINDS).values()
    try:
        known = Vectors(vault.root, local.name).digests()
    except MdmemError as error:
        return Standing(local.name, 0, len(wanted), f"{error}; {error.hint}")
    made = sum(digest in known for digest in wanted)
    return Standing(local.name, made, len(wanted) - made, "mdmem rebuild vectors" if made < len(wanted) else "")


def likeness(vault: Vault, catalogue: Catalogue) -> Meaning | None:
    """What compares meanings in a vault; None if nothing does, or if it fails, which the vault tells in a line."""
    said = sentence.wanted(vault.config.semantic.model)
    local = sentence.chosen(said)
    if not sentence.is_on(said):
        return None
    try:
        texts = catalogue.count(ALL_KINDS)
        if local and not (0 < texts <= AT_ONCE or not Vectors(vault.root, local.name).is_empty):
            _tell_missing(vault, catalogue, texts)
            return None
        found = Meaning(model(said), vault.root, catalogue, vault.tell)
        missing = found.missing()
        if len(missing) <= AT_ONCE and found.passages(missing) <= AT_ONCE_PASSAGES:
            found.embed()
        else:
            _tell_missing(vault, catalogue, len(missing))
    except MdmemError as error:
        vault.tell(without(error))
        return None
    return found


def _tell_missing(vault: Vault, catalogue: Catalogue, missing: int) -> None:
    if missing and catalogue is vault.index:
        vault.tell(
            f"{counted(missing, 'text')} cannot be found by meaning yet; mdmem rebuild vectors makes their vectors"
        )
    elif missing:
        vault.tell("some texts of that time cannot be found by meaning, but by their words")


def embed(vault: Vault, progress: Progress = silent) -> tuple[int, int]:
    """Make all missing vectors, and delete those of texts that are gone; returns how many texts that were each.

    One process does that at a time. Raises MdmemError if there is no model, or it fails.
    """
    said = sentence.wanted(vault.config.semantic.model)
    if said in ("", sentence.OFF):
        why = "recall by meaning is switched off" if said else "no sentence model is installed"
        raise MdmemError(
            why, f"see [semantic] in mdmem.toml, and {sentence.ENV}" if said else sentence.MINILM.install
        )
    index = vault.index  # makes the folder of the lock
    with lock.held(os.path.join(vault.state, "embed.lock"), vault.tell):
        found = Meaning(model(said), vault.root, index)
        return found.embed(progress), found.tidy(vault.whole_index)


def refresh(vault: Vault, progress: Progress) -> None:
    """Make all missing vectors if there is a model; what prevents that, the vault tells in a line."""
    if is_on(vault):
        try:
            embed(vault, progress)
        except MdmemError as error:
            vault.tell(without(error))


def follow(vault: Vault, paths: Paths | None, patience: float) -> None:  # noqa: ARG001
    """Make the vectors of what was just written, if this process has the model already; see `store.registry`."""
    local = sentence.chosen(vault.config.semantic.model)
    if local and local.is_loaded:
        Meaning(local.load(), vault.root, vault.index).embed(seconds=AT_WRITE)


def catch_up(vault: Vault) -> None:
    """Have another process make what vectors are missing, and do not wait for it. Not with an endpoint."""
    found = standing(vault)
    if found.missing and sentence.named(found.model):
        from mdmem.store.local.workers import crew

        with suppress(OSError):  # there is `mdmem rebuild vectors`
            crew.leave(["rebuild", "vectors", "--vault", vault.root])


class Meaning:
    """The vectors of a catalogue's texts; a `gather.Likeness`.

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
        self.weight = sentence.weight_of(model.name)
        self._catalogue = catalogue
        self._tell = tell
        self._failed = False
        self._vectors = Vectors(root, model.kept_as)
        self._cosines: dict[str, Matrix] = {}  # question -> its cosine to each row
        self._load()

    def missing(self) -> list[str]:
        """The keys of the texts that have no vectors."""
        return [path for path, digest in self._texts.digests.items() if digest not in self._texts.places]

    def passages(self, paths: Sequence[str]) -> int:
        """How many passages the texts of these keys have together."""
        return sum(len(passages_of(text)) for text in self._catalogue.texts(paths).values())

    def embed(self, progress: Progress = silent, seconds: float = inf) -> int:
        """Make the vectors that are missing, and return for how many texts. `progress` gets (done, total).

        They are saved batch by batch; after so many `seconds` no further batch is begun. Raises MdmemError.
        """
        paths = self.missing()
        done, until = 0, monotonic() + seconds
        while done < len(paths) and (not done or monotonic() < until):
            texts = self._catalogue.texts(paths[done : done + _BATCH])
            split = {self._texts.digests[path]: passages_of(text) for path, text in texts.items()}
            matrix = self._model.embed([passage for each in split.values() for passage in each])
            ends = accumulate(map(len, split.values()))
            made = {
                key: matrix[end - len(each) : end] for (key, each), end in zip(split.items(), ends, strict=True)
            }
            self._vectors.add(made)
            done = min(done + _BATCH, len(paths))
            progress(done, len(paths))
        if done:
            self._load()
        return done

    def tidy(self, whole: Catalogue) -> int:
        """Delete the vectors of texts that a catalogue lacks, and return how many texts that were."""
        return self._vectors.keep_only(set(whole.digests(ALL_KINDS).values()))

    def nearest(self, text: str, count: int, kind: str) -> list[str]:
        """The keys of the rows of a kind whose best passage is nearest to a text, nearest first."""
        import numpy as np

        cosines = self._compared(text) if self._texts.places else None
        if cosines is None:
            return []
        best = np.maximum.reduceat(cosines, self._texts.rows.starts[:-1])
        found: list[str] = []
        for at in np.argsort(-best, kind="stable").tolist():
            found += self._texts.paths[kind].get(self._texts.rows.digests[at], ())
            if len(found) >= count:
                break
        return found[:count]

    def of(self, text: str, paths: Sequence[str]) -> Mapping[str, Sequence[float]]:
        """key -> the cosines of its passages to a text."""
        known = [path for path in paths if self._texts.digests.get(path) in self._texts.places]
        cosines = self._compared(text) if known else None
        if cosines is None:
            return {}
        found = {}
        for path in known:
            at = self._texts.places[self._texts.digests[path]]
            passages_of_it = slice(*self._texts.rows.starts[at : at + 2].tolist())
            found[path] = cosines[passages_of_it].tolist()
        return found

    def _compared(self, text: str) -> Matrix | None:
        """The cosines of a question to all rows; None once the model has failed."""
        if text not in self._cosines and not self._failed:
            try:
                self._cosines[text] = self._texts.rows.cosines(self._fitting(self._model.embed([text]))[0])
            except MdmemError as error:
                self._failed = True
                self._tell(without(error))
        return None if self._failed else self._cosines[text]

    def _fitting(self, found: Matrix) -> Matrix:
        numbers, kept = found.shape[1], self._texts.rows.rows.shape[1]
        if numbers != kept:
            raise MdmemError(
                f"{self._model.name} makes vectors of {numbers} numbers now, not {kept}",
                "delete .mdmem/vectors.sqlite, then: mdmem rebuild vectors",
            )
        return found

    def _load(self) -> None:
        """Read the vectors, unless they are as they were when they were read last, and the catalogue is, too."""
        kept, state = self._catalogue.kept("meaning"), (self._model.kept_as, self._vectors.stamp)
        if state not in kept:
            kept.clear()
            kept[state] = _Texts.of(self._vectors.load(), self._catalogue)
        self._texts: _Texts = kept[state]
        self._cosines.clear()


class _Texts(NamedTuple):
    """The texts of a catalogue, and their vectors."""

    rows: PassageVectors
    places: dict[bytes, int]  # digest -> place in `rows`
    digests: dict[str, bytes]  # by key
    paths: dict[str, dict[bytes, list[str]]]  # kind -> digest -> keys

    @classmethod
    def of(cls, rows: PassageVectors, catalogue: Catalogue) -> _Texts:
        """The texts of a catalogue, with those of the vectors that are theirs."""
        digests: dict[str, bytes] = {}
        paths: dict[str, dict[bytes, list[str]]] = {}
        for kind in ALL_KINDS:
            own = catalogue.digests((kind,))
            digests |= own
            paths[kind] = {}
            for path, digest in own.items():
                paths[kind].setdefault(digest, []).append(path)
        return cls(rows, {digest: at for at, digest in enumerate(rows.digests)}, digests, paths)


def without(error: MdmemError) -> str:
    """The line about a model that cannot be used."""
    return f"recalling by words alone: {error.line}"


def passages_of(note: NoteText) -> list[str]:
    """What goes through the model: each passage, preceded by the title if that has a word more."""
    title = set(segment.words(note.title))
    found = [passage.text for passage in passages.split(note.body.strip())]
    return [text if title.issubset(segment.words(text)) else f"{note.title}\n{text}" for text in found]
