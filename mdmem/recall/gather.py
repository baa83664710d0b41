"""Which memories may answer a question: found by BM25, by phrase, by date and by meaning.

The number of candidates is bounded, so that a question of common words costs little in a large vault.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from mdmem.note import dates, moments
from mdmem.note.dates import Window
from mdmem.note.filters import Filter
from mdmem.recall import score, validity
from mdmem.recall.lexicon import POSTINGS, Lexicon
from mdmem.recall.question import Question
from mdmem.recall.reading import NoteCache
from mdmem.recall.validity import Circumstances, Standing
from mdmem.store.index import alike, selection
from mdmem.store.index.port import ALL_KINDS, ENTRY, MEMORIES, MEMORY, Catalogue, IndexedNote, Kinds, NoteText
from mdmem.store.index.selection import passes

POOL = 150  # candidates of each kind by BM25 that are read and scored
POOL_OF_ENTRIES = 30  # dialogs are long, and have many words of any question
NEAREST = 50  # further candidates of each kind that are nearest by meaning
FURTHER = 60  # further candidates that have a phrase of the question, or are from around a date that it names
ANY = -1  # no limit
_BATCH = 500
_YEARS = 10  # how far back a date without a year is searched


class Likeness(Protocol):
    """How near texts are to a question by meaning, if a vault has a model for that.

    `weight` is how much the cosines of this model count.
    """

    @property
    def weight(self) -> float: ...

    def nearest(self, text: str, count: int, kind: str) -> list[str]:
        """The keys of the rows of a kind whose best passage is nearest to a text, nearest first."""

    def of(self, text: str, paths: Sequence[str]) -> Mapping[str, Sequence[float]]:
        """key -> the cosine of each passage of the row to a text; rows without vectors are left out.

        The passages are those of `passages.split`, in order.
        """


class RecallContext(NamedTuple):
    """What an answer depends on besides the question and the memories.

    `opened` is how often memories were opened, edited, cited or kept before, by id. `also` are paths to score
    whatever they hold. With `asked_for`, memories that do not hold under those circumstances are left out;
    without it, those that do not hold now rank lower. `kinds` are the kinds of rows that may answer; archived
    memories do so only if `archived` is set or a filter asks for them. Those of another project than
    `project` rank lower, if that is given, and so do those whose keys `aside` returns.
    """

    now: datetime
    conditions: tuple[Filter, ...] = ()
    opened: Mapping[str, int] = MappingProxyType({})
    likeness: Likeness | None = None
    also: tuple[str, ...] = ()
    asked_for: Circumstances | None = None
    kinds: Kinds = MEMORIES
    archived: bool = False
    project: str = ""
    aside: Callable[[Sequence[IndexedNote]], Collection[str]] | None = None

    def standing(self, properties: Mapping[str, Any]) -> Standing:
        """Whether a memory with these properties holds under the circumstances asked for, or now if none are."""
        return validity.standing(properties, self.asked_for or Circumstances(self.now))

    @property
    def is_picky(self) -> bool:
        """Whether it has filters or circumstances that a memory may fail."""
        return bool(self.conditions or self.asked_for)

    def admits(self, record: IndexedNote) -> bool:
        """Whether a memory passes the filters, and holds if circumstances are asked for."""
        is_fit = self.asked_for is None or self.standing(record.meta).holds
        return is_fit and passes(record, self.conditions)


class Gatherer:
    """Finds the candidates for one wording of a question, and reads notes through `notes` where it has to."""

    def __init__(
        self, catalogue: Catalogue, asked: Question, context: RecallContext, lexicon: Lexicon, notes: NoteCache
    ) -> None:
        self._catalogue = catalogue
        self._question = asked
        self._context = context
        self._lexicon = lexicon
        self._archived = put_away(catalogue, context)
        self._unwanted = ruled_out(catalogue, asked.without) | self._archived
        there = {MEMORY, *catalogue.kinds()} if set(context.kinds) != {MEMORY} else {MEMORY}
        self._kinds = [kind for kind in context.kinds if kind in there]
        self._notes = notes

    def candidates(self) -> list[str]:
        """The paths of the best by BM25, best first, then those that a phrase, a date or their meaning adds."""
        is_picky = bool(self._context.is_picky or self._question.only_phrases)
        expression = self._lexicon.expression(self._question, ANY if is_picky else POSTINGS)
        best: list[str] = []
        for kind in self._kinds if expression else ():
            most = POOL_OF_ENTRIES if kind == ENTRY else POOL
            matching = self._catalogue.search(expression, ANY if is_picky else self._limit(most), kinds=(kind,))
            best += self._first_admitted(matching, most)
        phrases = map(alike.run, self._question.phrases)
        spans = [
            (moments.render(span[0]), moments.render(span[1]))
            for window in self._question.windows
            for year in self._years_of(window)
            if (span := dates.span(window, year))
        ]
        days = dates.written(self._question.windows, self._question.periods)
        further = [
            *self._of_each_kind(alike.match_expression(phrases)),
            *(self._of_each_kind(expression, spans) if spans else ()),
            *self._from_a_period(),
            *self._of_each_kind(alike.match_expression(days)),
            *self._near_in_meaning(),
            *self._context.also,
        ]
        return list(dict.fromkeys([*best, *self.admitted(further)]))

    def admitted(self, paths: Iterable[str]) -> list[str]:
        """The paths that pass filters and exclusions and, if the question is phrases only, have all of them."""
        left = [path for path in paths if path not in self._unwanted]
        if self._context.is_picky:
            left = [record.path for record in self._catalogue.records_at(left) if self._context.admits(record)]
        if self._question.only_phrases:
            self._notes.read(left)
            left = [path for path in left if _has_all(self._question.phrases, self._notes[path].text)]
        return left

    def _first_admitted(self, paths: Sequence[str], count: int) -> list[str]:
        first: list[str] = []
        for at in range(0, len(paths), _BATCH):
            first += self.admitted(paths[at : at + _BATCH])
            if len(first) >= count:
                break
        return first[:count]

    def _near_in_meaning(self) -> list[str]:
        likeness, text = self._context.likeness, self._question.text
        return [path for kind in self._kinds for path in likeness.nearest(text, NEAREST, kind)] if likeness else []

    def _from_a_period(self) -> list[str]:
        """The memories from a period that the question names, whatever their words."""
        limit = ANY if self._context.conditions else self._limit(FURTHER)
        found: list[str] = []
        for first, last in self._question.periods:
            end = f"{last.isoformat()}T23:59:59Z"
            for kind in self._kinds:
                found += self._catalogue.created_within(first.isoformat(), end, limit, (kind,))
        return found

    def _of_each_kind(self, expression: str, spans: Sequence[tuple[str, str]] | None = None) -> list[str]:
        """The paths that an expression finds, up to a limit for each kind, so that none crowds out another."""
        most, kinds = self._limit(FURTHER), self._kinds if expression else ()
        return [path for kind in kinds for path in self._catalogue.search(expression, most, spans, (kind,))]

    def _limit(self, most: int) -> int:
        """How many to ask for, so that `most` are left once the archived ones are removed."""
        return most + len(self._archived)

    def _years_of(self, window: Window) -> Sequence[int]:
        """The years in which a window is searched: its own, or the last that have memories, but no far future."""
        if window.year:
            return (window.year,)
        first, last = self._catalogue.years()
        last = min(last, self._context.now.year + 1)
        return range(max(first, last - _YEARS), last + 1)


def ruled_out(catalogue: Catalogue, without: Sequence[str]) -> set[str]:
    """The keys of the rows that a question rules out by `-word`."""
    expression = alike.match_expression(without)
    return set(catalogue.search(expression, ANY, kinds=ALL_KINDS)) if without else set()


def put_away(catalogue: Catalogue, context: RecallContext) -> set[str]:
    """The keys of archived memories, unless they may answer."""
    return set() if context.archived else selection.put_away(catalogue, context.conditions)


def _has_all(phrases: Sequence[str], text: NoteText) -> bool:
    return score.phrases(phrases, text.titles, text.body) == len(phrases)
