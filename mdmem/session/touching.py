"""The memories that clearly bear on a prompt. They are shown unasked, so precision matters more than recall.

A prompt touches a memory if the memory's title or labels name what a sentence of the prompt is about; its text
may cover the rest. Words of mere instructions to an agent do not count.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import MdmemError
from mdmem.note import segment, sentences, stopwords
from mdmem.note.filters import Filter
from mdmem.note.memory import as_text, project_of
from mdmem.recall import ask, prompt, score
from mdmem.recall.ask import Answer, Query
from mdmem.recall.pool import Hit
from mdmem.session import choosing, start
from mdmem.session.sources import Sources
from mdmem.store.index.port import MEMORIES, Catalogue
from mdmem.store.index.successor import GONE
from mdmem.store.local.sessions import Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.store.vault.several import OpenVaults

MOST = 3  # memories for one prompt
_WORTH = 0.7  # the weights (0-1) of the words that a memory has add up to this at least, if it is worth reading
_WORTH_UNLED = 1.5  # the same for one whose title begins with none of them
_SHARE, _SHARE_OF_ONE, _SHARE_OF_LEAD = 0.34, 0.5, 0.2  # least shares of the weights of all words of a sentence:
# of several words, of a single one, and of all those with which the memory begins
_LEAD = 2  # content words with which a title says what it is about
_IN_TEXT = 0.5  # weight of a word that only the text has: a long text has many by chance
_OF_WORK = 0.4  # weight of a word that may just tell an agent what to do
_FEW = 100  # memories; fewer say little about how rare a word is
_LOOKED_AT = 8  # best memories that are judged
_BUDGET = 600  # tokens of all that is shown
_SENTENCES, _LONGEST = 3, 4000  # of a prompt that are considered, and characters of it
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_OF_PROMPT = f"Memories that may bear on this prompt. {prompt.DATA}"
_NO_WORKS = (Filter("type", "!=", "work"),)
_OF_FILES = f"Memories that may bear on these files. {prompt.DATA}"


def told(
    vault: Vault,
    text: str,
    who: Caller,
    characters: int,
    vaults: OpenVaults | None = None,
    of_files: bool = False,
) -> str:
    """The text about the memories that a prompt touches, "" for none; a session is not shown any of them twice.

    `vaults` are `vault` and the others that queries go to. Memories of another project than that of `who` are left
    out, unless the prompt names it. A text `of_files` names them; works on them are told of elsewhere.
    """
    known = start.meant(vault, who).shown if who.session else ()
    sources = Sources(vault, vaults)
    head, conditions = (_OF_FILES, _NO_WORKS) if of_files else (_OF_PROMPT, ())
    answers = touched(sources, text, who, known, conditions)
    blocks = [head]
    shown = []
    for answer in answers:
        block = prompt.shown(who.project)(answer)
        if len("\n".join([*blocks, block])) <= characters:
            blocks.append(block)
            shown.append(answer)
    if not shown:
        return ""
    _remember(vault, sources, who, shown)
    return "\n".join(blocks)


def _remember(vault: Vault, sources: Sources, who: Caller, shown: Sequence[Answer]) -> None:
    """Count the memories as retrieved and as shown in the session, which begins now if it is not known."""
    sessions = Sessions(vault)
    if who.session and sessions.get(who.session) is None:
        try:
            with start.changing(sessions):
                sessions.save(start.opened(vault, who.session, who))
        except MdmemError as error:
            vault.tell(f"this session is not remembered: {error}")
    sources.count_use(shown, who.now, who.session)


def touched(
    sources: Sources,
    text: str,
    who: Caller,
    known: Collection[str] = (),
    conditions: tuple[Filter, ...] = (),
) -> list[Answer]:
    """The memories that a prompt touches, best first, at most MOST; those whose ids are `known` are left out."""
    wordings = tuple(_wordings(text))
    if not wordings:
        return []
    judge = _Judge(sources.catalogue, who.project, known)
    query = Query(
        wordings,
        conditions,
        _LOOKED_AT,
        depth=ask.PASSAGE,
        budget=_BUDGET,
        kinds=MEMORIES,
        choose=judge.choose,
        project=who.project,
        shown=prompt.shown(who.project),
        folder=who.folder,
    )
    return sources.ask(query, who.now)


def _wordings(text: str) -> Iterator[str]:
    """The sentences of a prompt with the most content words, in order; not client commands or code."""
    if text.lstrip().startswith("/"):
        return
    said = list(sentences.split(_CODE.sub("\n", text[:_LONGEST])))
    counts = {sentence: len(_content(segment.words(sentence))) for sentence in said}
    best = sorted((one for one in counts if counts[one]), key=lambda one: -counts[one])[:_SENTENCES]
    yield from (choosing.as_words(sentence) for sentence in said if sentence in best)


def _content(words: Sequence[str]) -> list[str]:
    """The words of a sentence that are not said whatever the subject."""
    return [word for word in words if len(word) > 1 and not word.isdecimal() and word not in stopwords.DIALOG]


class _Match(NamedTuple):
    """How a memory matches a sentence: the weight (0-1) of each word that is `asked`, and of those that it `has`.

    `led` are those of them with which its title begins, or which are its tags or its topic; `is_led` if these are
    all with which its title begins.
    """

    asked: dict[str, float]
    has: dict[str, float]
    led: list[str]
    is_led: bool

    @property
    def is_worth(self) -> bool:
        """Whether the memory is worth a reader's time."""
        worth = sum(self.has.values())
        if worth < (_WORTH if self.led else _WORTH_UNLED):
            return False
        share = worth / sum(self.asked.values())
        return share >= (_SHARE_OF_LEAD if self.is_led else _SHARE if len(self.has) > 1 else _SHARE_OF_ONE)


class _Judge:
    """Chooses among the hits for a prompt."""

    def __init__(self, catalogue: Catalogue, project: str, known: Collection[str]) -> None:
        self._catalogue = catalogue
        self._project = project.casefold()
        self._known = known
        self._total = max(catalogue.count(), _FEW)

    def choose(self, hits: Sequence[Hit]) -> list[Hit]:
        """The first few hits that are in force, not known, and clearly touched."""
        new = (hit for hit in hits if hit.record.id not in self._known)
        holding = (hit for hit in new if not (hit.successor or hit.reservation or hit.record.status in GONE))
        return [hit for hit in holding if self._is_at_home(hit) and self._match(hit).is_worth][:MOST]

    def _is_at_home(self, hit: Hit) -> bool:
        """Whether a memory belongs to no project, to the current one, or to one that the prompt names."""
        project = project_of(hit.record.meta)
        return (
            not project
            or project.casefold() == self._project
            or not {*segment.words(project)}.isdisjoint((*hit.found, *hit.missing))
        )

    def _match(self, hit: Hit) -> _Match:
        asked = _content([*hit.found, *hit.missing])
        record = hit.record
        labels = segment.words(" ".join([*record.tags, as_text(record.meta.get("topic"))]))
        title = segment.words(" ".join([record.title, record.name.replace("_", " ")]))
        words = sorted({*asked, *title, *labels})
        stems = {word: word for word in words} | self._catalogue.stems(words)
        begins = {stems[word] for word in _content(title)[:_LEAD]}
        named = {stems[word] for word in (*title, *labels)}
        leads = begins | {stems[word] for word in labels}
        weights = self._rarities(asked, stems)
        for word in stopwords.PROMPT & weights.keys():
            weights[word] *= _OF_WORK
        found = {word for word in asked if word in hit.found}
        has = {word: weights[word] * (1 if stems[word] in named else _IN_TEXT) for word in found}
        led = [word for word in found if stems[word] in leads]
        counted = {word: weights[word] for word in asked if word in found or word not in stopwords.PROMPT}
        return _Match(counted, has, led, begins <= {stems[word] for word in found})

    def _rarities(self, words: Sequence[str], stems: dict[str, str]) -> dict[str, float]:
        """The rarity of each word: 1 for a word that one memory has, or none."""
        frequencies = self._catalogue.frequencies([stems[word] for word in words])
        rarest = score.idf(1, self._total)
        counts = {word: max(frequencies.get(stems[word], 1), 1) for word in words}
        return {word: score.idf(min(count, self._total), self._total) / rarest for word, count in counts.items()}
