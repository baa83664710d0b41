"""Asks a vault one question: finds memories, cites them, and shows them at a depth within a budget.

Every surface asks through here, so that all of them answer alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import NotFoundError
from mdmem.note import excerpt, moments, segment, stopwords
from mdmem.note.filters import Filter
from mdmem.recall import order
from mdmem.recall.gather import Likeness, RecallContext
from mdmem.recall.order import Ranking
from mdmem.recall.pool import Hit
from mdmem.recall.validity import Circumstances, Condition
from mdmem.store.index import citation, port
from mdmem.store.index.citation import CitedLine
from mdmem.store.index.port import ALL_KINDS, ENTRY, FACT, MEMORY, Catalogue, IndexedNote, Kinds
from mdmem.store.local import usage
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.recall.marks import Standpoint
    from mdmem.store.vault.several import OpenVaults

COMPLETE = excerpt.DEPTHS[-1]  # the depth that shows a file as it is
PASSAGE = "passage"  # a depth besides those of a note: all of a short note, the best line of a longer one


class Query(NamedTuple):
    """What is asked. `texts` are wordings of one question.

    `as_of` is a date, in words or not, or a revision; "" is now. `depth` is PASSAGE or one of excerpt.DEPTHS, ""
    for the best line only. `budget` is in tokens, 0 for no limit. With `at` (a date, in words or not) or `given`
    (conditions), memories that do not hold then are left out. `kinds` are the kinds of rows that may answer:
    memories, entries, facts. Archived memories answer only if `archived` is set or a condition is about that.
    `choose` picks some of the hits before they are cited and get their texts. `project` is the one asked from.
    `shown` is how an answer is printed; without it, its text is all that counts. `folder` is the one worked
    in: what git says there of the code that memories name is told in their marks. A question `by_words` wants no
    sentence model.
    """

    texts: tuple[str, ...]
    conditions: tuple[Filter, ...] = ()
    limit: int = 10
    as_of: str = ""
    depth: str = ""
    budget: int = 0
    at: str = ""
    given: tuple[Condition, ...] = ()
    kinds: Kinds = ALL_KINDS
    archived: bool = False
    choose: Callable[[Sequence[Hit]], Sequence[Hit]] | None = None
    project: str = ""
    shown: Callable[[Answer], str] | None = None
    folder: str = ""
    by_words: bool = False


class Answer(NamedTuple):
    """One memory of the answer, or one fact or entry.

    `text` is the note at `depth`; both are "" if the query has neither a depth nor a budget. `tokens` is the
    estimated length of `text`. `commit` last touched the passage, "" if that is not committed. `sources` are the
    other places that say the same, each as `path:line@commit`. `link` is the page of the line on the host that its
    vault is pushed to, "" if that is not known. `marks` say what became of the code that it names, and its branch.
    """

    hit: Hit
    commit: str
    depth: str = ""
    text: str = ""
    tokens: int = 0
    sources: tuple[str, ...] = ()
    link: str = ""
    marks: tuple[str, ...] = ()

    def at(self, depth: str, body: str, file: str = "") -> Answer:
        """The answer with its text at a depth, from the text of its note and, for "complete", the whole file."""
        hit, title = self.hit, self.hit.record.title
        if depth == PASSAGE:
            return self.saying(depth, excerpt.passage(title, body, hit.text, hit.snippet))
        return self.saying(depth, excerpt.shown(depth, title, body, file))

    def saying(self, depth: str, text: str) -> Answer:
        """The answer with a text."""
        from mdmem.note import tokens

        return self._replace(depth=depth, text=text, tokens=tokens.estimate(text))


# An answer is in doubt if none of its first hits has so much of the question: (share, how many hits).
_SURE, _SURE_BY_MEANING = (0.335, 10), (0.36, 3)
_LACKING = 0.5  # what remains of the share of a hit that does not name what is asked for


def doubt(answers: Sequence[Answer]) -> str:
    """What to say of an answer that is probably none: what nothing is known of; "" for any other answer."""
    hits = [answer.hit for answer in answers]
    sure, looked_at = _SURE_BY_MEANING if any("meaning" in hit.signals for hit in hits) else _SURE
    if not hits or any(hit.coverage * (_LACKING if hit.lacks else 1.0) >= sure for hit in hits[:looked_at]):
        return ""
    unknown = [word for word in hits[0].missing if all(word in hit.missing for hit in hits)]
    common = stopwords.faint(verbs=True)
    if unknown := [word for word in unknown if word not in common and not segment.is_unspaced(word)]:
        which = "only other" if any(hit.found for hit in hits) else "none of the"
        return f"nothing is known of {', '.join(unknown)}; what is found has {which} words of the question"
    return "this may not be what is asked for: no note says all of it"


class Viewpoint:
    """What the repository in which a question is asked says of memories; git is not asked if they name no code."""

    def __init__(self, vault: Vault, query: Query) -> None:
        is_in_one = query.project or vault.repo.prefix
        self._vault = vault
        self._folder = query.folder if is_in_one and not query.as_of else ""

    @cached_property
    def _standpoint(self) -> Standpoint:
        from mdmem.recall.marks import Standpoint

        return Standpoint(self._vault, self._folder)

    @property
    def aside(self) -> Callable[[Sequence[IndexedNote]], set[str]] | None:
        """A function for the keys of memories of another branch, unless merged; None outside of a repository."""
        return self._aside if self._folder else None

    def _aside(self, records: Sequence[IndexedNote]) -> set[str]:
        own = [record for record in records if "branch" in record.meta]
        return self._standpoint.aside(own) if own else set()

    def lost(self) -> dict[str, list[str]]:
        """The branches that git lost unmerged, with the names of their memories: told once."""
        own = list(self._vault.index.with_property("branch")) if self._folder else []
        return self._standpoint.lost(own, again=False) if own else {}

    def marked(self, answers: Sequence[Answer]) -> list[Answer]:
        """Answers with their marks."""
        records = {answer.hit.record.address: answer.hit.record for answer in answers}
        own = [record for record in records.values() if self._folder and {"code", "branch"} & record.meta.keys()]
        said = zip(own, self._standpoint.told(own), strict=True) if own else ()
        marks = {record.address: told for record, told in said}
        return [answer._replace(marks=marks.get(answer.hit.record.address, ())) for answer in answers]


def ask(
    places: Vault | OpenVaults, query: Query, now: datetime, session: str = "", *, counted: bool = True
) -> list[Answer]:
    """The answer of a vault, or of several in one order, best first; each memory is cited in its own vault.

    Its memories count as retrieved in their vaults, also in the session, if it has begun, of the nearest one.
    Nothing is counted for an answer of another time (`as_of`), or if `counted` is false. With a budget, memories
    that do not fit at the depth asked for are shown at a lesser one, and the rest are left out. Of several vaults,
    one that cannot answer is noted in `unread`; if none can, raises the error of the nearest. Raises UsageError
    for a revision that does not exist.
    """
    with looking(places, query.as_of, now, not query.by_words) as scene:
        view = Viewpoint(places if isinstance(places, Vault) else places.first, query)
        context = circumstances(scene.context, query, now)._replace(aside=view.aside)
        hits = order.recall(scene.catalogue, query.texts, context, query.limit)
        chosen = query.choose(hits) if query.choose else hits
        answers = view.marked(_cited(scene.looks, [hit.local() for hit in chosen]))
        answers = told(query, answers, scene.at_depth)
    if counted and not query.as_of:
        count_use(places, answers, now, session)
    return answers


def why(places: Vault | OpenVaults, query: Query, name: str, now: datetime) -> Ranking | None:
    """The rank of a memory in the answer, and why; None if the question rules it out, or has no words.

    Raises NotFoundError if no memory has that name, or had it then, UsageError if several do.
    """
    from mdmem.store.vault import lookup

    with looking(places, query.as_of, now) as scene:
        vault, called, own = lookup.holder(places, name)
        catalogue = scene.looks[called].catalogue
        record = lookup.find_exact(vault, own, catalogue)
        record = record or next(iter(lookup.find_sources(vault, own, catalogue)), None)
        if record is None and query.as_of:
            raise NotFoundError(f"there was no memory '{name}' at {query.as_of}", f"mdmem log {name} shows when")
        record = record or lookup.find(vault, own)
        if called:
            (record,) = scene.catalogue.records_at([port.key(called, record.path)])
        context = circumstances(scene.context, query, now)
        return order.rank_of(scene.catalogue, query.texts, context, record)


class ShownSource(NamedTuple):
    """An entry or fact with the places that state it; `data` is the dialog of an entry, byte for byte."""

    answer: Answer
    data: bytes


def source(vault: Vault, name: str, rev: str, now: datetime) -> ShownSource | None:
    """The entry or fact that NAME means, now or at a revision or date ("" for now); None for neither, or a memory.

    Raises UsageError for a revision that does not exist.
    """
    from mdmem.store.vault import lookup

    if not lookup.may_mean_source(name) or lookup.find_exact(vault, name):
        return None
    with looking(vault, rev, now, by_meaning=False) as scene:
        records = lookup.find_sources(vault, name, scene.catalogue)
        if not records:
            return None
        first, *others = (order.bare(scene.catalogue, record) for record in records)
        [answer] = _cited(scene.looks, [first._replace(same=tuple(others))])
        data = scene.looks[""].file_of(records[0]) if records[0].kind == ENTRY else b""
        return ShownSource(scene.at_depth(answer, "full"), data)


def about(places: Vault | OpenVaults, records: Sequence[IndexedNote]) -> list[Answer]:
    """Answers for records that no question found, each cited by its first line."""
    looks = {name: Look(vault, vault.index) for name, vault in members(places)}
    return _cited(looks, [order.bare(looks[record.vault].catalogue, record) for record in records])


def lines_of(hits: Sequence[Hit]) -> list[Hit]:
    """Hits, each followed by those that say the same."""
    return [each for hit in hits for each in (hit, *hit.same)]


def with_commits(hits: Sequence[Hit], commits: Sequence[str]) -> list[Answer]:
    """Hits as answers; `commits` are those that last touched the lines of `lines_of(hits)`, in that order."""
    left = iter(commits)
    answers = []
    for hit in hits:
        commit = next(left)
        sources = [citation.place(other.record.address, other.line, next(left)) for other in hit.same]
        own = citation.place(hit.record.address, hit.line, commit)
        answers.append(Answer(hit, commit, sources=tuple(dict.fromkeys(each for each in sources if each != own))))
    return answers


def count_use(places: Vault | OpenVaults, answers: Sequence[Answer], now: datetime, session: str = "") -> None:
    """Record that these memories were recalled, each in its vault, also in the session if it has begun.

    It is not an error if that cannot be saved.
    """
    every = members(places)
    memories = [answer.hit.record for answer in answers if answer.hit.record.kind == MEMORY]
    for name, vault in every:
        if own := [record.id for record in memories if record.vault == name]:
            usage.add(vault.root, own, now)
    if session and answers:
        from mdmem.store.local.sessions import Sessions

        first = every[0][1]
        Sessions(first).saw(session, [record.id for record in memories])


class Look(NamedTuple):
    """What is searched in one vault: its memories as they are, or those at a `commit`."""

    vault: Vault
    catalogue: Catalogue
    commit: str = ""

    def file_of(self, record: IndexedNote) -> bytes:
        """The bytes of the file that a record is in."""
        if self.commit:
            return self.vault.redacted(self.vault.repo.read(self.commit, record.file) or b"")
        return self.vault.shown(record.file)


class Scene(NamedTuple):
    """All that is searched; `looks` are by the names of their vaults, "" for the only one."""

    catalogue: Catalogue
    context: RecallContext
    looks: Mapping[str, Look]

    def at_depth(self, answer: Answer, depth: str) -> Answer:
        """An answer with its text at a depth; a fact has no more text than its sentence."""
        record = answer.hit.record
        look = self.looks[record.vault]
        body = look.catalogue.body(record.path)
        if depth != COMPLETE:
            return answer.at(depth, body)
        if record.kind == FACT:
            return answer.at("full", body)._replace(depth=depth)
        return answer.at(depth, body, look.file_of(record).decode("utf-8-sig", "replace"))


def members(places: Vault | OpenVaults) -> Sequence[tuple[str, Vault]]:
    """(name, vault) of all vaults; the name of a single one is ""."""
    return [("", places)] if isinstance(places, Vault) else places.every


def _cited(looks: Mapping[str, Look], hits: Sequence[Hit]) -> list[Answer]:
    """Hits as answers, each with the commits that last touched its lines."""
    every = lines_of(hits)
    lines = [CitedLine(hit.record.file, hit.line, hit.text) for hit in every]
    commits = [""] * len(every)
    for name, look in looks.items():
        own = [at for at, hit in enumerate(every) if hit.record.vault == name]
        cited = citation.commits(look.vault, [lines[at] for at in own], look.commit)
        for at, commit in zip(own, cited, strict=True):
            commits[at] = commit
    return with_commits(hits, commits)


def circumstances(context: RecallContext, query: Query, now: datetime) -> RecallContext:
    """The context of a scene with what the query asks for. Raises UsageError for an `at` that is not a date."""
    context = context._replace(
        conditions=query.conditions, kinds=query.kinds, archived=query.archived, project=query.project
    )
    if not (query.at or query.given):
        return context
    moment = moments.since(query.at, now) if query.at else context.now
    return context._replace(asked_for=Circumstances(moment, query.given))


@contextmanager
def looking(places: Vault | OpenVaults, as_of: str, now: datetime, by_meaning: bool = True) -> Iterator[Scene]:
    """What is searched at a date or revision, "" for now; closed at the end.

    Meaning counts if `by_meaning`, and of several vaults if all go by the same model: else some would rank ahead
    of those without one. Raises UsageError for a revision that does not exist.
    """
    if isinstance(places, Vault):
        with _looked_at(places, as_of, now, by_meaning) as (look, context):
            yield Scene(look.catalogue, context, {"": look})
        return
    from mdmem.recall import joined
    from mdmem.recall.models import sentence

    models = {sentence.wanted(vault.config.semantic.model) for _, vault in places.every}
    looks, contexts = {}, {}
    with ExitStack() as held:
        for name, vault in places.every:
            with places.excusing(name):
                looked_at = _looked_at(vault, as_of, now, by_meaning and len(models) == 1)
                looks[name], contexts[name] = held.enter_context(looked_at)
        places.require_one(looks)
        catalogues = {name: look.catalogue for name, look in looks.items()}
        yield Scene(joined.JoinedCatalogue(places, catalogues), joined.context(contexts), looks)


@contextmanager
def _looked_at(vault: Vault, as_of: str, now: datetime, by_meaning: bool) -> Iterator[tuple[Look, RecallContext]]:
    if not as_of:
        opened = usage.opened(vault.root)
        likeness = _likeness(vault, vault.index) if by_meaning else None
        yield Look(vault, vault.index), RecallContext(now, opened=opened, likeness=likeness)
        return
    from mdmem.store.index import snapshot

    commit = vault.resolve(moments.dated(as_of, now))
    known = snapshot.at(vault.whole_index, commit)
    # visible by both their old and new marks
    catalogue = known.seen_with(vault.clearance, vault.index.concealed)
    try:
        then = datetime.fromtimestamp(vault.repo.time_of(commit), UTC)
        likeness = _likeness(vault, catalogue) if by_meaning else None
        yield Look(vault, catalogue, commit), RecallContext(then, likeness=likeness)
    finally:
        catalogue.close()


def _likeness(vault: Vault, catalogue: Catalogue) -> Likeness | None:
    from mdmem.recall.models import sentence

    if not sentence.is_on(vault.config.semantic.model):
        return None
    from mdmem.recall import meaning

    return meaning.likeness(vault, catalogue)


def told(query: Query, answers: Sequence[Answer], deepened: Callable[[Answer, str], Answer]) -> list[Answer]:
    """The answers with their texts if the query asks for texts, as many as its budget holds.

    `deepened` returns an answer with its text at a depth. One that does not fit gives way to those after it; if
    none fits, the first is cut.
    """
    if not query.budget:
        return [deepened(answer, query.depth) for answer in answers] if query.depth else list(answers)
    return list(_within_budget(query, answers, deepened))


def _within_budget(
    query: Query, answers: Sequence[Answer], deepened: Callable[[Answer, str], Answer]
) -> Iterator[Answer]:
    from mdmem.note import tokens

    def price(answer: Answer) -> int:
        return tokens.estimate(query.shown(answer) + "\n") if query.shown else answer.tokens

    left = query.budget
    depths = _depths(query.depth or PASSAGE)
    for answer in answers:
        for depth in depths:
            told = deepened(answer, depth)
            if told.tokens <= left and (cost := price(told)) <= left:
                left -= cost
                yield told
                break
    if answers and left == query.budget:
        least = deepened(answers[0], depths[-1])
        text = tokens.cut(least.text, left - price(least._replace(text="")) - 1)
        cut = least.saying(least.depth, text)
        if text and price(cut) <= left:
            yield cut


def _depths(asked: str) -> Sequence[str]:
    """The depth asked for, and then those that show less."""
    return (PASSAGE,) if asked == PASSAGE else excerpt.DEPTHS[excerpt.DEPTHS.index(asked) :: -1]
