"""Notes as recall reads them: their words and labels, and what is kept of these for the next question.

While a vault is in one state, questions share what they find out about it: a note is split into words once, and
a word gets its stem once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from math import log
from typing import NamedTuple, TypeVar

from mdmem.note import calendar, dates, links, moments, patterns, segment, tags
from mdmem.note.memory import as_flag, as_number, stem
from mdmem.recall import passages, score
from mdmem.recall.score import Words
from mdmem.store.index.edges import fold_target
from mdmem.store.index.port import ALL_KINDS, MEMORY, Catalogue, IndexedNote, Neighbours, NoteText

_T = TypeVar("_T")
_KEPT, _SHORT = 3_000, 10_000  # notes kept, of so many characters at most; the first ones read go first
_KEPT_WORDS = 200_000  # different words; when more were read, all is forgotten
_TIME = patterns.late(r"\d{4}|\d+(?:st|nd|rd|th)")


class ReadNote:
    """A note and what is known of it whatever the question; what few questions ask for is found out late.

    `labels` are the texts that say what the note is about, each with its words; `label_words` are these words of
    all labels. `beside` are the words of its labels, title and links, each once. `created` is in UTC, None if not
    known. `size` is the logarithm of its length; `constant` has the values of signals that are always the same.
    """

    def __init__(self, text: NoteText) -> None:
        self.text = text
        unlinked, linked = links.apart(text.body)
        split = passages.split(unlinked)
        self._starts = [passage.line for passage in split]
        self.words = Words(
            title=_title(text),
            passages=[segment.words(passage.text) for passage in split],
            links=segment.words(linked),
            asks=score.asks(text.body),
            headings=[frozenset(segment.words(passage.under)) for passage in split],
        )
        labels = tags.labels(text.type, text.category, text.topic, text.tags)
        self.labels = {label: tuple(segment.words(label)) for label in labels}
        self.label_words: frozenset[str] = frozenset().union(*self.labels.values())
        self.beside = self.label_words.union(self.words.title, self.words.links)
        self.created = moments.parse(text.created)
        self.size = log(1 + self.words.length / score.ORDINARY_LENGTH)
        importance = score.around_half(as_number(text.life.get("importance")))
        constant = {"importance": importance, "pinned": float(as_flag(text.life.get("pinned")))}
        self.constant = {name: value for name, value in constant.items() if value}

    def passage(self, at: int) -> tuple[int, str]:
        """(first line, text) of one of its passages, of the whole text for -1."""
        if len(self._starts) == 1 or at < 0:
            return 1, self.text.body
        first, last = [*self._starts, self.text.body.count("\n") + 2][at : at + 2]
        return first, "\n".join(self.text.body.split("\n")[first - 1 : max(last - 1, first)])

    @cached_property
    def target(self) -> str:
        """The target of a link to the note, in the form that the index compares."""
        return fold_target(self.text.path)

    @cached_property
    def days(self) -> list[dates.Window]:
        """The days that the note names."""
        return dates.days(f"{self.text.titles}\n{self.text.body}")

    @cached_property
    def names_a_time(self) -> bool:
        """Whether the text of the note names a time."""
        named = not calendar.TIMES.isdisjoint(self.words.bag)
        return named or any(word[0].isdigit() and _TIME.fullmatch(word) for word in self.words.bag)


class WordsRead:
    """The words of the notes that were read, by their stems.

    A word gets its stem when a question first asks for a stem that begins with the same two characters; those of a
    word that is not ASCII may differ.
    """

    def __init__(self) -> None:
        self._new: set[str] = set()
        self._known: set[str] = set()
        self._waiting = defaultdict[str, list[str]](list)  # beginning -> words without a stem
        self._by_stem: dict[str, list[str]] = {}

    def __len__(self) -> int:
        return len(self._known)

    def add(self, *words: Set[str]) -> None:
        """Add the words of a note."""
        self._new.update(*words)

    def of_stems(self, stems: Iterable[str], catalogue: Catalogue) -> Iterator[tuple[str, str]]:
        """(word, stem) of each word that has one of the stems."""
        wanted = list(stems)
        for word in self._new - self._known:
            self._waiting[word[:2] if word.isascii() else ""].append(word)
        self._known |= self._new
        self._new.clear()
        beginnings = {stem[:2] for stem in wanted if stem.isascii()} | {""}
        new = [word for beginning in beginnings for word in self._waiting.pop(beginning, ())]
        for word, stem_of_word in catalogue.stems(new).items():
            self._by_stem.setdefault(stem_of_word, []).append(word)
        return ((word, stem) for stem in wanted for word in self._by_stem.get(stem, ()))


class Beside(NamedTuple):
    """The notes around one in its session: the one `before` it ("" for none), the nearest, and all in reach."""

    before: str
    nearest: tuple[str, ...]
    around: tuple[str, ...]

    @classmethod
    def of(cls, neighbours: Neighbours) -> Beside | None:
        """The notes beside one, from its neighbours on each side, the nearest first; None if it has none."""
        before, after = neighbours
        if not (before or after):
            return None
        return cls("".join(before[:1]), (*before[:1], *after[:1]), (*before, *after))


ALONE = Beside("", (), ())


class Learned:
    """What questions found out about one state of a vault, kept for the next.

    By path: `notes`, except long ones; their `records`; the notes `beside` them in their session, None if there
    are none; and whether they are `superseded`. `frequencies` has how many notes have a stem, `vocabulary` the
    same for all stems with a beginning. `labels` has the rarities of labels. `total` is the number of rows of all
    kinds.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self.notes: dict[str, ReadNote] = {}
        self.records: dict[str, IndexedNote] = {}
        self.words = WordsRead()
        self.beside: dict[str, Beside | None] = {}
        self.superseded: dict[str, bool] = {}
        self.frequencies: dict[str, int] = {}
        self.vocabulary: dict[str, Mapping[str, int]] = {}
        self.labels: dict[str, float] = {}

    @classmethod
    def of(cls, catalogue: Catalogue) -> Learned:
        """What is kept for the state that a catalogue is in; begun afresh if it has grown too large."""
        kept = catalogue.kept("recall")
        learned: Learned | None = kept.get("learned")
        if learned is None or len(learned.words) > _KEPT_WORDS:
            learned = kept["learned"] = cls(catalogue.count(ALL_KINDS))
        return learned


def looked_up(
    kept: dict[str, _T], keys: Sequence[str], ask: Callable[[list[str]], Mapping[str, _T]], none: _T
) -> dict[str, _T]:
    """key -> value, as it is kept; what is not yet, is asked for once, and is `none` if there is no answer."""
    if new := [key for key in keys if key not in kept]:
        kept |= {**dict.fromkeys(new, none), **ask(new)}
    return {key: kept[key] for key in keys}


class NoteCache(dict[str, ReadNote]):
    """path -> note, for the notes that one question has read; reuses notes that earlier questions read."""

    def __init__(self, catalogue: Catalogue, learned: Learned) -> None:
        super().__init__()
        self._catalogue = catalogue
        self._learned = learned

    def read(self, paths: Iterable[str], most: int = 0) -> None:
        """Read the notes at those paths that exist, each once; of each text `most` characters (0: all)."""
        shelved = self._learned.notes
        missing = [path for path in paths if path not in self]
        self |= {path: shelved[path] for path in missing if path in shelved}
        new = list(dict.fromkeys(path for path in missing if path not in shelved))
        if new:
            for path, text in self._catalogue.texts(new).items():
                note = self[path] = ReadNote(text._replace(body=text.body[: most or None]))
                self._learned.words.add(note.words.bag, note.beside)
                if len(note.text.body) <= _SHORT:
                    shelved[path] = note
        for path in list(shelved)[: max(len(shelved) - _KEPT, 0)]:
            shelved.pop(path, None)


def _title(text: NoteText) -> list[str]:
    """The words of a note's title; its name and its aliases each add the words that are not there yet."""
    title = segment.words(text.title)
    for name in (stem(text.path), *text.aliases) if text.kind == MEMORY else ():
        title += [word for word in segment.words(name) if word not in title]
    return title
