"""What all importers share: notes of another program become a plan, and the plan one commit.

def _read(run: ImportRun) -> Iterator[SourceNote]:
    yield SourceNote("Team day.md", "The team meets on Tuesdays.", {"title": "Team day"})

EXAMPLE = NoteImporter("example", "Import an example.", _read)
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from posixpath import dirname, join
from typing import NamedTuple

from mdmem.errors import NoteError, Problem, UsageError
from mdmem.history import trail
from mdmem.history.merging import files as merging
from mdmem.note import fields, memory, properties, titles
from mdmem.note.memory import Memory
from mdmem.note.properties import objection_to
from mdmem.note.yamltext import Value
from mdmem.store import layout
from mdmem.store.index.port import IndexedNote
from mdmem.store.progress import Progress
from mdmem.store.registry import ImporterOption
from mdmem.store.vault.vault import Vault
from mdmem.systems import intake
from mdmem.systems.importers import linking, values
from mdmem.systems.importers.linking import TreeRelinker
from mdmem.systems.intake import ImportProblems, Intake, Item, NewNames, is_good
from mdmem.write import remember
from mdmem.write.guard import secret_in
from mdmem.write.remember import Draft

NOUN = "note"
HIDDEN = "a memory that you may not see"
MERGED = "Merged"  # trailer of an import: the id of a memory, a space, the digest of the source merged into it
_DIGEST = 16  # hexadecimal digits of a digest


class SourceNote(NamedTuple):
    """A note as another program has it.

    `source` tells it from the other notes of the import: a path relative to the folder, or its name in the file.
    `properties` are in the program's own terms, see `values.in_our_words`. `identity` is the program's own id for
    it; without one, its id in the vault follows from its place and text. `aliases` are further names that links
    use for it; `relations` are (predicate, target). `name` and `folder` are those of its file, if it has one.
    """

    source: str
    body: str
    properties: Mapping[str, Value]
    identity: str = ""
    name: str = ""
    folder: str = ""
    aliases: tuple[str, ...] = ()
    relations: tuple[tuple[str, str], ...] = ()

    @property
    def title(self) -> str:
        return " ".join(memory.as_text(self.properties.get("title")).split()) or titles.of_text(self.body)

    @property
    def text(self) -> str:
        """All its text, to be searched for secrets."""
        return "\n".join([self.body, self.name, *remember.texts_of(dict(self.properties))])


class ImportRun(NamedTuple):
    """An import while it is planned: its vault, the place that was given, and the problems that come up."""

    vault: Vault
    given: str
    problems: ImportProblems


@dataclass(frozen=True)
class NoteImporter:
    """A program whose memories are imported as notes, see `store.registry.Importer`.

    `read` gets the run and the options of the program; `placed` brings the paths of problems to the form in
    which a person knows them. The name of the program keeps ids apart.
    """

    program: str
    HELP: str
    read: Callable[..., Iterable[SourceNote]]
    placed: Callable[[str, Sequence[Problem]], Sequence[Problem]] = lambda _, problems: problems
    TAKES: str = "path"
    OPTIONS: Sequence[ImporterOption] = ()
    NOUN: str = NOUN

    def plan(
        self, vault: Vault, given: str, progress: Progress, allow_secret: bool = False, **options: str
    ) -> Intake:
        """Read what is at `given`, and say what would be imported. Nothing is written.

        Notes that hold a secret are left out unless `allow_secret`. `progress` gets (done, total) notes. Raises
        UsageError for a folder that is the vault's own or a zip that is broken, NotFoundError for what cannot be
        read.
        """
        run = ImportRun(vault, given, ImportProblems())
        notes = list(self.read(run, **options))
        distinct = _distinct(run, notes, self.program)
        known: dict[str, str] = {}
        fresh: dict[str, SourceNote] = {}
        present: dict[str, SourceNote] = {}
        is_empty = not vault.whole_index.count()
        for done, (id, note) in enumerate(distinct.items(), 1):
            same = None if is_empty else _same_memory(run, id, note)
            if same:
                known[note.source] = _shown(vault, same.path)
                if same.id == id and known[note.source] != HIDDEN:
                    present[id] = note
                elif same.id == id:
                    _tell_difference(run, same, note)
            else:
                fresh[id] = note
            progress(done, len(distinct))
        clean = intake.without_secrets(
            vault, fresh.items(), lambda new: (new[1].source, new[1].text), run.problems, allow_secret
        )
        fresh = dict(clean)
        linked = {source: path for source, path in known.items() if path != HIDDEN}
        places = places_of(vault, fresh)
        aliases = linking.aliases_of((note.source, note.aliases) for note in notes)
        relinker = TreeRelinker({**linked, **places}, aliases)
        items = [
            _item(note, places[note.source], *composed)
            for id, note in fresh.items()
            if (composed := _composed(run, id, note, places[note.source], relinker))
        ]
        updates = list(_updates(run, present, relinker, allow_secret))
        items += [item for item, _ in updates]
        changed = {item.facts["source"] for item in items}
        known = {source: path for source, path in known.items() if source not in changed}
        run.problems.extend(dict.fromkeys(one._replace(line=0) for one in relinker.left))
        problems = self.placed(given, sorted(run.problems))
        items.sort(key=lambda item: (item.facts["source"], item.path))
        merged = [(MERGED, digest) for _, digest in updates if digest]
        return Intake(tuple(items), known, tuple(problems), trailers=merged)

    write = staticmethod(intake.write)


def path_within(vault: Vault, folder: str, created: str, name: str) -> str:
    """The path of an imported note. It keeps its folder, unless memories lie by month or may not lie there."""
    usual = layout.path_for(name, created, vault.config)
    if vault.config.layout == "month" or not folder:
        return usual
    within = join(dirname(usual), folder, f"{name}.md")
    return within if layout.kind_of(within, vault.config) == layout.Kind.MEMORY else usual


# -- what is new ---------------------------------------------------------------------------------------------


def _distinct(run: ImportRun, notes: Iterable[SourceNote], program: str) -> dict[str, SourceNote]:
    """The notes by their ids, each with a source of its own; of two with the same id, the second is left out.

    Two accounts in one export may use the same names.
    """

    found, repeated = intake.distinct(notes, lambda note: _id(note, program))
    for note, other in repeated:
        message = f"has the id of {other.source}; left out"
        run.problems.left_out(note.source, message, "give one of them another id")
    first = {_id(note, program): note for note in found}
    times: Counter[str] = Counter()
    for id, note in first.items():
        times[note.source] += 1
        if times[note.source] > 1:
            first[id] = note._replace(source=f"{note.source} ({times[note.source]})")
    return first


def _id(note: SourceNote, program: str) -> str:
    """The note's own id if it is a UUID, else one derived from its identity, or from its place and text."""
    given = note.properties.get("id")
    if given and objection_to("id", given) is None:
        return memory.as_text(given)
    return memory.derived_id(note.identity or f"{note.source}\n{note.text}", program)


def _same_memory(run: ImportRun, id: str, note: SourceNote) -> IndexedNote | None:
    """The memory that a note is already, by its id or word for word; None for a new note. Near twins are told."""
    vault = run.vault
    for record in vault.whole_index.with_id(id):
        return record
    draft = Draft(note.body, {"title": note.title})
    twins = remember.near_twins(vault, draft)
    if same := remember.same_among(vault, draft, twins):
        return same.record
    if twins:
        message = f"{twins[0].likeness} as {twins[0].record.path}; imported beside it"
        run.problems.not_carried(note.source, message, "mdmem garden shows twins and merges them")
    return None


def _tell_difference(run: ImportRun, record: IndexedNote, note: SourceNote) -> None:
    """Warn if the memory with the id of a note has another text, which stays."""
    has_own_id = bool(note.identity or note.properties.get("id"))
    there = _unlinked(run.vault.whole_index.body(record.path))
    if has_own_id and there != _unlinked(note.body):
        run.problems.another_text(note.source, _shown(run.vault, record.path))


def _unlinked(text: str) -> str:
    """A text without the targets of its links, which an import changes."""
    from mdmem.note import links

    return links.replace(text, lambda _: "-").strip()


def _shown(vault: Vault, path: str) -> str:
    return path if vault.index.record(path) else HIDDEN


# -- what becomes of it --------------------------------------------------------------------------------------


def places_of(vault: Vault, notes: Mapping[str, SourceNote]) -> dict[str, str]:
    """source -> path in the vault. Good names are given out first, so that no generated name takes them."""
    fresh = NewNames(vault)
    places = {}
    for note in sorted(notes.values(), key=lambda one: (not is_good(one.name), one.source)):
        created = values.created_of(note.properties) if vault.config.layout == "month" else ""
        path_of = partial(path_within, vault, note.folder, created)
        places[note.source] = path_of(fresh.made(note.title, note.body, path_of, note.name))
    return places


def _item(note: SourceNote, path: str, data: bytes, made: Memory, before: bytes | None = None) -> Item:
    is_renamed = before is None and note.name not in ("", memory.stem(path))
    facts = {"source": note.source, "path": path, "renamed": is_renamed, "updated": before is not None}
    return Item(path, data, facts, made, before)


def _composed(
    run: ImportRun, id: str, note: SourceNote, path: str, relinker: TreeRelinker
) -> tuple[bytes, Memory] | None:
    """(bytes, parsed note) of a note for a path; None if no file can hold it, which is told."""
    relations = [(predicate, relinker.name_of(target, note.source)) for predicate, target in note.relations]
    title = "" if note.title == titles.of_text(note.body) else note.title  # one that the text says is not stored
    properties = values.in_our_words({**note.properties, "id": id, "title": title})
    for key, value in properties.items():
        properties[key] = relinker.value(value, note.source)
    whole = {**properties, **_joined(properties, values.related(relations))}
    try:
        data, made = fields.compose(whole, relinker.text(note.body, note.source), path, run.vault.config.id)
    except (UsageError, NoteError) as error:
        problem = getattr(error, "problem", None)
        message, hint = (problem.message, problem.fix) if problem else (error.message, error.hint)
        run.problems.left_out(note.source, f"{message}; left out", hint or "change it there, then import again")
        return None
    run.problems.extend(doubts(made, note.source))
    return data, made


def _joined(given: Mapping[str, Value], more: Mapping[str, Value]) -> dict[str, Value]:
    """`more` properties, appended to the values that `given` has under the same names."""
    joined = {}
    for key, value in more.items():
        there = given.get(key, [])
        before = there if isinstance(there, list) else [there]
        joined[key] = (
            [*before, *(item for item in value if item not in before)] if isinstance(value, list) else value
        )
    return joined


def doubts(note: Memory, source: str) -> Iterator[Problem]:
    """Warnings about values that mdmem cannot use and that are kept as they were written."""
    for one in properties.check(note):
        if one.code == "property":
            yield one._replace(path=source, message=f"{one.message}; kept as it is")


# -- updates from a changed source ---------------------------------------------------------------------------
#
# If only the source changed, the memory becomes what the source says. If the memory was changed, too, the two are
# merged as by `mdmem sync`: what both changed stays in the note in both versions until a person settles it.


def _updates(
    run: ImportRun, present: Mapping[str, SourceNote], relinker: TreeRelinker, allow_secret: bool
) -> Iterator[tuple[Item, str]]:
    """The updates of memories whose sources have changed since the last import.

    Each with the id of the memory and the digest of its source if the two were merged, else "".
    """
    vault = run.vault
    for id, note in present.items():
        (record,) = vault.index.with_id(id)[:1]
        composed = _composed(run, id, note, record.path, relinker)
        before = vault.read(record.path)
        if composed is None or composed[0] == before:
            continue
        data, digest = composed[0], hashlib.sha256(composed[0]).hexdigest()[:_DIGEST]
        last, merged = _last_import(vault, record)
        if last is None:
            _tell_difference(run, record, note)
            continue
        new = merging.merge_path(record.path, last, before, data, vault.config)
        if data == last or digest in merged or new.data == before:
            continue
        if not allow_secret and (leak := secret_in(vault, note.source, note.text)):
            run.problems.append(leak)
            continue
        if new.conflicts:
            message = f"and {record.path} were both changed since the last import; both versions are in it"
            run.problems.not_carried(note.source, message, "mdmem judge shows and settles them")
        made = new.data or b""
        item = _item(note, record.path, made, vault.parse(made, record.path), before)
        yield item, f"{record.id} {digest}" if before != last else ""


def _last_import(vault: Vault, record: IndexedNote) -> tuple[bytes | None, set[str]]:
    """The bytes of a memory when it was last imported from its source alone, by an import that was not undone.

    None if no known import wrote it. The second value is the digests of the sources that were merged into it
    since.
    """
    merged: set[str] = set()
    undone: set[str] = set()
    for commit in trail.follow(vault, record.path, record.id, alive=True):
        trail.note_undone(commit, undone)
        if commit.operation.action != "import" or commit.oid in undone or not commit.changes:
            continue
        trailers = (trailer.partition(" ") for trailer in commit.operation.get(MERGED))
        digests = {digest for id, _, digest in trailers if id == record.id}
        if not digests:
            return vault.repo.read(commit.oid, commit.changes[0].path), merged
        merged |= digests
    return None, merged
