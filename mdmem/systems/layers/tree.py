"""The pages of topics and the global page as a derived tree: what is rebuilt, and when.

A topic's pages are built from its sources, and only if these have changed. The global page is built from the
digest of each topic memory, which the manifest keeps. The same sources give the same bytes, whatever was built
before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import NamedTuple

from mdmem.errors import MdmemError, NoteError, NotFoundError, Problem, UsageError
from mdmem.note import tokens, typed
from mdmem.store import layout
from mdmem.store.config import VaultConfig
from mdmem.store.git import exclude
from mdmem.store.local import files, lock
from mdmem.store.progress import Progress, silent
from mdmem.store.vault import derived
from mdmem.store.vault.derived import DerivedFile, ScatteredTree
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import documents, entries, markdown, sources, topic, worded
from mdmem.systems.layers.documents import ActiveTopic, TopicMemory

VERSION = "4"  # of the pages: another version makes all of them again
GLOBAL_JSON, GLOBAL_MD = layout.GLOBAL_PAGES
TOPIC_JSON, TOPIC_MD = layout.TOPIC_PAGES


class PagesReport(NamedTuple):
    """The topics, how many files were written and removed, and problems with sources that cannot be read."""

    topics: tuple[ActiveTopic, ...]
    written: int
    removed: int
    problems: tuple[Problem, ...]


class TopicPages(ScatteredTree):
    """The pages as a derived tree (see `store.registry.DerivedTree`)."""

    name = "pages"
    again = "mdmem rebuild topics"
    elsewhere = "move it: mdmem writes a file of that name itself"

    def __init__(self, config: VaultConfig) -> None:
        self._config = config

    def files(self, vault: Vault) -> Iterator[tuple[str, bytes]]:
        """Every file of the tree, built from scratch."""
        yield from unwritten(vault)[1].items()

    def owns(self, path: str) -> bool:
        """Whether a path is that of a topic's page or a global page."""
        return path in layout.GLOBAL_PAGES or layout.is_topic_page(path, self._config)

    def patterns(self) -> list[str]:
        """The patterns of the pages for git to ignore."""
        folder = exclude.literal(self._config.topics)
        return [*layout.GLOBAL_PAGES, *(f"{folder}/*/{name}" for name in layout.TOPIC_PAGES)]

    def places(self, vault: Vault) -> Iterator[str]:
        """Every path where a page may be."""
        yield from layout.GLOBAL_PAGES
        for name in entries.topics(vault):
            yield from paths_of(name, self._config)

    def top(self, path: str) -> str:
        """The folder that stays when the pages below it are removed."""
        return self._config.topics if layout.within(path, self._config.topics) else "."

    def wrote(self, vault: Vault, path: str) -> bool:
        """Whether a file looks like a generated page, by its schema or by the notice at its end."""
        try:
            data = files.read(vault.root, path)
        except (NoteError, NotFoundError, UsageError):  # unreadable, gone, or a link
            return False
        if path.endswith(".json"):
            return documents.schema_of(data) in ("topic_memory", "global_memory")
        return markdown.is_page(data)

    def brief(self, vault: Vault, budget: int) -> str:
        """The global page for a session's pack: as many whole lines as fit into `budget` tokens.

        It is brought up to date first; if that fails, "" is returned, since the page may be out of date. So it is
        for a page that mdmem did not write here: anybody may have committed it.
        """
        try:
            update(vault, patience=0)
            page = files.read_or_none(vault.root, GLOBAL_MD) or b""
            with derived.opened(vault, self.name, derived.Manifest, 0) as manifest:
                _, written = manifest.stamps().get(GLOBAL_MD, (None, ""))
        except (MdmemError, OSError):
            return ""
        if _file(GLOBAL_MD, page).digest != written:
            return ""
        return _lines_within(page.decode("utf-8", "replace"), budget)


def _lines_within(page: str, budget: int) -> str:
    """The first lines of a page that fit as a quotation."""
    lines = page.partition(markdown.NOTICE_BEGIN)[0].strip().split("\n")
    while lines and tokens.estimate("\n> ".join(["", *lines])) > budget:
        lines.pop()
    while lines and (not lines[-1].strip() or lines[-1].startswith("#")):
        lines.pop()
    return "\n".join(lines)


# -- bringing up to date -----------------------------------------------------------------------------------


def follow(vault: Vault, paths: frozenset[str] | None, patience: float) -> None:
    """Bring the pages up to date after a write: a follower, see `store.registry`. Raises as `update`."""
    own = TopicPages(vault.config)
    if paths is None or not all(own.owns(path) for path in paths):
        update(vault, touched=paths, patience=patience)


def update(
    vault: Vault,
    full: bool = False,
    touched: Iterable[str] | None = None,
    progress: Progress = silent,
    patience: float = lock.PATIENCE,
) -> PagesReport:
    """Bring the pages up to date; with `full` all of them are built again.

    `touched` are the paths of the write that came before, None if it is not known what changed. Raises
    ConflictError if a file of somebody else is in the way, BusyError if another process is updating for `patience`
    seconds, UsageError for symbolic links, OSError.
    """
    tree = TopicPages(vault.config)
    with derived.opened(vault, tree.name, derived.Manifest, patience) as manifest:
        if full:
            manifest.forget()
        there = derived.existing(vault, tree, manifest)
        plan = PagesPlan(vault, manifest, there.intact, touched)
        done = derived.put(vault, tree, manifest, there, plan.paths, plan.files(progress))
        manifest.keep_state(plan.state)
        return PagesReport(plan.shown, *done, tuple(plan.problems))


def update_global(vault: Vault) -> PagesReport:
    """Build the global page from the topic memories on disk, and nothing else.

    One that is damaged or of a newer version is reported and left out. Raises as `update`.
    """
    tree = TopicPages(vault.config)
    with derived.opened(vault, tree.name, derived.Manifest, lock.PATIENCE) as manifest:
        there = derived.existing(vault, tree, manifest)
        digests, problems = [], []
        for path in sorted(path for path in there.on_disk if path.endswith("/" + TOPIC_JSON)):
            try:
                memory = documents.read(TopicMemory, files.read(vault.root, path), path)
            except NoteError as error:
                problems.append(error.problem)
            else:
                digests.append(topic.digest(memory, vault.config.pages))
        made = list(_global_files(digests, vault.config))
        wanted = {*there.ours, *(file.path for file in made)}
        done = derived.put(vault, tree, manifest, there, wanted, made)
        return PagesReport(tuple(digest.active for digest in digests), *done, tuple(problems))


def unwritten(vault: Vault) -> tuple[PagesReport, dict[str, bytes]]:
    """The report and the pages (path -> bytes) of an update, for a vault in which nothing can be written."""
    with closing(derived.Manifest(":memory:")) as manifest:
        plan = PagesPlan(vault, manifest, intact=(), touched=None)
        made = {file.path: file.data for file in plan.files(silent)}
    return PagesReport(plan.shown, 0, 0, tuple(plan.problems)), made


class PagesPlan:
    """The pages that an update should leave. `intact` are the files that nobody has changed since the last one.

    `paths` are the paths of all pages. `state` is what the manifest is to keep, `shown` the topics for the report;
    both are complete once `files` is exhausted.
    """

    def __init__(
        self,
        vault: Vault,
        manifest: derived.Manifest,
        intact: Iterable[str],
        touched: Iterable[str] | None,
    ) -> None:
        self._vault, self._config = vault, vault.config
        self._intact = set(intact)
        self._known = json.loads(manifest.state("topics") or "{}")
        notes = self._notes(manifest, touched)
        self.topics = sources.survey(vault, notes.values())
        self.problems = vault.index.not_facts()
        self.shown: tuple[ActiveTopic, ...] = ()
        self.state = {"notes": json.dumps([*notes.values()])}
        self.paths = {path for one in self.topics for path in paths_of(one.topic, self._config)}
        self.paths |= set(layout.GLOBAL_PAGES) if self.topics else set()

    def _notes(self, manifest: derived.Manifest, touched: Iterable[str] | None) -> dict[str, sources.FactNote]:
        """The notes that state facts; as the manifest has them if the write touched no memory."""
        known = sources.unpacked(manifest.state("notes"))
        kinds = {layout.kind_of(path, self._config) for path in touched or ()}
        if touched is not None and layout.Kind.MEMORY not in kinds and manifest.state("notes"):
            return known
        return sources.fact_notes(self._vault, known)

    def files(self, progress: Progress) -> Iterator[DerivedFile]:
        """The pages that have to be built again, those of topics first."""
        changed = [one for one in self.topics if not self._is_current(one)]
        digests = {one.topic: self._known.get(one.topic) for one in self.topics}
        progress(0, len(changed))
        for done, one in enumerate(changed, 1):
            read, problems = sources.read(self._vault, one)
            memory = topic.build(read, self._config.pages)
            if worded.is_wanted(self._vault):
                memory, wrong = worded.applied(self._vault, memory)
                problems += wrong
            self.problems += problems
            digests[one.topic] = [self._mark(one), topic.digest(memory, self._config.pages)]
            yield from _topic_files(memory, self._config)
            progress(done, len(changed))
        self.state["topics"] = json.dumps(digests)
        kept = [
            typed.decoded(topic.TopicDigest, digest) for _, digest in json.loads(self.state["topics"]).values()
        ]
        self.shown = tuple(digest.active for digest in kept)
        if changed or digests.keys() != self._known.keys() or not self._intact.issuperset(layout.GLOBAL_PAGES):
            yield from _global_files(kept, self._config)

    def _is_current(self, one: sources.TopicSurvey) -> bool:
        """Whether the pages of a topic match its sources."""
        mark, _ = self._known.get(one.topic, ("", ()))
        return mark == self._mark(one) and self._intact.issuperset(paths_of(one.topic, self._config))

    def _mark(self, one: sources.TopicSurvey) -> str:
        words = worded.kept(self._vault, one.topic) if worded.is_wanted(self._vault) else ()
        return json.dumps([VERSION, one.mark, self._config.pages, *words])


def paths_of(name: str, config: VaultConfig) -> list[str]:
    """The paths of a topic's pages: JSON, Markdown."""
    return [f"{config.topics}/{name}/{page}" for page in layout.TOPIC_PAGES]


def _topic_files(memory: TopicMemory, config: VaultConfig) -> Iterator[DerivedFile]:
    as_json, as_page = paths_of(memory.topic, config)
    page = markdown.topic_page(memory, as_page, f"{config.topics}/{memory.topic}", config.pages)
    yield _file(as_json, documents.render(memory))
    yield _file(as_page, page.encode("utf-8", "replace"))


def _global_files(digests: Iterable[topic.TopicDigest], config: VaultConfig) -> Iterator[DerivedFile]:
    memory = topic.build_global(digests, config.pages)
    if memory.updated:
        page = markdown.global_page(memory, GLOBAL_MD, config.topics, config.pages)
        yield _file(GLOBAL_JSON, documents.render(memory))
        yield _file(GLOBAL_MD, page.encode("utf-8", "replace"))


def _file(path: str, data: bytes) -> DerivedFile:
    return DerivedFile(path, data, documents.sha256(data)[:32])
