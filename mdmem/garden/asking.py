"""What a note that was just written may repeat, change or contradict, to be asked while its writer is at hand.

The neighbours are those that share a rare word with it. Asked about are those that the scorer of the garden finds
likely, and those that say the same sentence of another value. The garden proposes whatever stays unanswered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import MdmemError
from mdmem.note import memory, naming
from mdmem.note.memory import Memory
from mdmem.store.index.port import FACT, MEMORY
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.garden.gardeners.note import Note
    from mdmem.garden.gardeners.proposal import MeantPair

SAME, CHANGED = "same", "changed"
LEAST = 0.48  # how sure (0-1) a question is; of ordinary notes of the labelled sets, it asks about 1 in 8
_SHOWN, _LONGEST = 3, 200  # questions about a note, and characters that are told of another
_CANDIDATES = 20
_MEANT = 6  # nearest notes by a sentence model
_COMPARED, _WORDS = 2_000, 40  # characters of a note, and words of these, by which neighbours are sought
_SENTENCES, _VALUES = 3, 2  # first sentences of a note, and notes that have one of them with another value
_RARE = 100  # notes that have a word; one that more have finds none


class MayChange(NamedTuple):
    """The note `new` may say the same as an older one, or change it (`likely`); `why` is what that says of it."""

    new: str
    name: str
    created: str
    title: str
    likely: str
    why: str

    @property
    def told(self) -> str:
        """The question in a line."""
        verb = "say the same as" if self.likely == SAME else "change"
        return f"{self.new} may {verb} {self.name} ({self.created[:10] or 'no date'}): {self.why[:_LONGEST]}"

    @property
    def advice(self) -> str:
        """The question, and the command that settles it."""
        new, old = map(quote, (self.new, self.name))
        return f"{self.told} (if it replaces that: mdmem update {new} --set supersedes={old})"


def asked(
    vault: Vault, paths: Collection[str], apart: Collection[str] = (), by_meaning: bool = False
) -> list[MayChange]:
    """What to ask about the new notes at some paths, up to three questions each, the likeliest first.

    They are not compared with each other, nor with the notes at the paths `apart`; nor is asked what a verdict
    says already. Those near `by_meaning` take part where the process has loaded a sentence model.
    """
    return [one for path in paths for one in _asked(vault, path, {*paths, *apart}, by_meaning)]


def _asked(vault: Vault, path: str, apart: Collection[str], by_meaning: bool) -> Iterator[MayChange]:
    index = vault.index
    record = index.record(path)
    said = f"{record.title if record else ''} {memory.spoken(index.body(path))[:_COMPARED]}"
    stems = index.stems(naming.words_of(said)[:_WORDS])
    counts = index.frequencies(list(stems.values()))
    rare = [f'"{word}"' for word, stem in stems.items() if 1 < counts.get(stem, 0) <= _RARE]
    near = [one for one in index.search(" OR ".join(rare), _CANDIDATES) if one not in apart] if rare else []
    meant = _meant(vault, path, apart) if by_meaning else []
    near = list(dict.fromkeys([*near, *(pair.second for pair in meant)]))
    if not near:
        return iter(())
    ruled = _ruled(vault, path)
    return (one for one in _likely(vault, path, near, meant) if one.name not in ruled)


def _meant(vault: Vault, path: str, apart: Collection[str]) -> list[MeantPair]:
    """The note with those nearest to it in meaning, if the process has loaded the vault's sentence model."""
    from mdmem.recall.models import sentence

    model = sentence.chosen(vault.config.semantic.model)
    if not (model and model.is_loaded):
        return []
    from mdmem.garden.gardeners.proposal import MeantPair
    from mdmem.recall.meaning import Meaning

    cosines: Mapping[str, Sequence[float]] = {}
    with suppress(MdmemError):  # recall tells of it
        meaning, text = Meaning(model.load(), vault.root, vault.index), vault.index.body(path)[:_COMPARED]
        nearest = meaning.nearest(text, _MEANT + len(apart), MEMORY)
        cosines = meaning.of(text, [one for one in nearest if one not in apart][:_MEANT])
    return [MeantPair(path, one, max(cosines[one]), rank) for rank, one in enumerate(cosines)]


def _likely(vault: Vault, path: str, near: Iterable[str], meant: Sequence[MeantPair]) -> Iterator[MayChange]:
    from mdmem.garden.pairs import judge  # a dozen modules, not needed by a note that has no neighbour

    notes = _notes(vault, [path, *near])
    tasks = {each for each, one in notes.items() if one.text("category") == "future"}
    alike = judge.comparable([one for each, one in notes.items() if (each in tasks) == (path in tasks)])
    found: dict[str, tuple[float, str, str]] = {}  # path -> how sure, which, and the sentence
    for pair in judge.judged(alike, meant, LEAST, of=path):
        why = pair.old if pair.newer == path else pair.new
        sure = max(pair.twin, pair.conflict)
        if not why.text.startswith("#"):  # a mere heading says nothing that could change
            found[why.path] = (sure, SAME if pair.twin >= pair.conflict else CHANGED, why.text)
    for new in (one for one in alike if one.path == path):
        others = [one for one in alike if one is not new and judge.may_be_compared(one, new)]
        found |= {each: (1.0, CHANGED, line) for each, line in _exchanged(new, others).items()}
    for each, (_, likely, text) in sorted(found.items(), key=lambda one: -one[1][0])[:_SHOWN]:
        other, name = notes[each], memory.stem(path)
        yield MayChange(name, other.name, other.created, other.title, likely, " ".join(text.split()))


def _notes(vault: Vault, paths: Sequence[str]) -> dict[str, Note]:
    """The notes at some paths, as the index has read them: a reader of YAML takes long to load."""
    from mdmem.garden.gardeners import note

    found, texts = {}, vault.index.texts(paths)
    faults = {problem.path: (problem,) for problem in vault.index.problems() if problem.code != FACT}
    for record in vault.index.records_at(paths):
        at, body = record.path, texts[record.path].body
        known = Memory(at, record.id, record.meta, body, "", 1, faults.get(at, ()))
        found[at] = note.read(known, body.encode())
    return found


def _ruled(vault: Vault, path: str) -> set[str]:
    """The names of the notes of which a verdict says how they and the one at `path` stand to each other."""
    from mdmem.garden import verdicts

    kept = (one for one in verdicts.load(vault) if path in one.paths)
    standing = verdicts.standing(kept, partial(files.read_or_none, vault.root))
    return {memory.stem(each) for pair in verdicts.on_pairs(standing.values()) for each in pair}


def _exchanged(new: Note, others: Iterable[Note]) -> dict[str, str]:
    """path -> the sentence that a note has, and the new one with another value; none if that makes a list."""
    from mdmem.language import likeness
    from mdmem.note import sentences

    def beginning(one: Note) -> list[str]:
        return list(islice(sentences.split(memory.spoken(one.body)), _SENTENCES))

    mine = beginning(new)
    pairs = ((one, line, own) for one in others for line in beginning(one) for own in mine)
    found = {one.path: line for one, line, own in pairs if likeness.exchanged(line, own)}
    return found if len(found) <= _VALUES else {}
