"""Finding memories by words.

Most is imported in the functions: the maker of commands reads the signatures while git looks at the vault.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from mdmem.acts.selecting import ALL, Selection
from mdmem.acts.style import Aside, Lines, Raw, Style, phrase, plain
from mdmem.acts.telling import Told
from mdmem.note.excerpt import DEPTHS
from mdmem.note.terminal import safe_line
from mdmem.store.index.port import ALL_KINDS

if TYPE_CHECKING:
    from datetime import datetime

    from mdmem.acts.places import Places
    from mdmem.recall.ask import Answer
    from mdmem.recall.order import Ranking
    from mdmem.recall.pool import Hit
    from mdmem.store.operation import Caller
    from mdmem.store.vault.several import UnreadVault

_LIMIT, _MOST = 10, 50  # answers, without and with a budget that ends them


class Look(NamedTuple):
    """How answers are shown: with the reasons, as a prompt has them, or only their paths."""

    now: datetime
    project: str
    explain: bool = False
    for_prompt: bool = False
    paths_only: bool = False

    def shown(self, number: int, answer: Answer, style: Style = plain) -> str:
        """An answer for a prompt, or as a numbered item for a person."""
        if self.for_prompt:
            from mdmem.recall import prompt

            return prompt.shown(self.project)(answer)
        from mdmem.acts.text.notes import answer_lines

        return answer_lines(number, answer, self.explain, style, self.project)


class Recalled(NamedTuple):
    """The answers, how many more there were, the vaults that could not answer, and what would let it find more."""

    answers: Sequence[Answer]
    look: Look
    more: int = 0
    unread: Sequence[UnreadVault] = ()
    lacking: str = ""
    of_team: bool = False

    def json(self) -> list[Any]:
        """The answers, best first, then the vaults that could not answer."""
        from mdmem.acts.text.notes import answer_json

        answers = [answer_json(answer, self.look.now, self.look.explain) for answer in self.answers]
        return [*answers, *self.unread]

    def lines(self, style: Style = plain) -> Lines:
        """Each answer, then what is not known."""
        for number, answer in enumerate(self.answers, 1):
            if self.look.paths_only:
                yield Raw(answer.hit.record.address)
            else:
                yield self.look.shown(number, answer, style)
        if doubt := self.doubt:
            yield Aside(doubt)
        if self.more and not self.answers:
            yield Aside("nothing of what is found fits in the budget; give it more tokens")
        elif not self.answers:
            where = " --in team" if self.of_team else ""
            yield Aside(f"nothing found; mdmem list{where} shows what there is")
        if self.lacking:
            yield Aside(self.lacking)

    @property
    def doubt(self) -> str:
        """What to say of an answer that is probably none."""
        from mdmem.recall import ask

        return ask.doubt(self.answers)


def recall(
    places: Places,
    who: Caller,
    words: Sequence[str] = (),
    *,
    also: Sequence[str] = (),
    limit: int = 0,
    depth: Annotated[str, DEPTHS] = "",
    budget: int = 0,
    as_of: str = "",
    at: str = "",
    given: Sequence[str] = (),
    explain: bool = False,
    why: str = "",
    form: str = "text",
    paths_only: bool = False,
    kinds: Annotated[Sequence[str], ALL_KINDS] = ALL_KINDS,
    archived: bool = False,
    chosen: Selection = ALL,
    filter: str = "",
) -> Recalled | Told:
    """Find memories by words, best first. A note saved a second ago is found.

    Ingested dialogs ("entries") and the facts in them are found, too. What several of them say is shown once,
    with the other places that say it.

    Words may be a question. '"in quotes"' is a phrase, -word excludes, type:decision, tag:ops, created:>2026-01
    and any other property filter; after:2026-01 is short for created:>2026-01, before: for <. Dates in the
    question ("last March") count. Deprecated memories rank below what replaces them. Without words, the newest
    that match the filters are shown.

    \b
    --depth  summary (title), outcome (first paragraph), reasoning (the first of each section),
             full (all text), complete (the file as it is)

    \b
    Examples:
      mdmem recall how does the user like reports
      mdmem recall deploy type:decision created:\\>2026-01 --explain
      mdmem recall "who decided on postgres" --also "choice of database"
      mdmem recall deploy --format markdown --budget 1500
      mdmem recall deploy -staging --as-of 2026-03-01
      mdmem recall deploy --at 2026-06-01 --given env=prod
      mdmem recall where does ana live --kind fact --topic people
      mdmem recall --in team how do we rotate keys
    """
    from mdmem.acts import places as looking
    from mdmem.recall import question, validity
    from mdmem.recall.ask import Query

    look = Look(who.now, who.project, explain, form == "markdown" or bool(budget and not explain), paths_only)
    hits: list[Hit] = []

    def seen(found: Sequence[Hit]) -> Sequence[Hit]:
        hits.extend(found)
        return found

    query = Query(
        texts=(phrase(words), *also),
        conditions=(*chosen.conditions(), *question.filters_of(filter, who.now.date())),
        limit=limit or (_MOST if budget else _LIMIT),
        as_of=as_of,
        depth=depth or ("full" if form == "markdown" and not budget else ""),
        budget=budget,
        at=at,
        given=validity.given(tuple(given)),
        kinds=tuple(kinds),
        archived=archived,
        choose=seen,
        project=who.project,
        folder=who.folder,
        shown=lambda answer: look.shown(_MOST, answer),
    )
    if why:
        return _standing(why, query.limit, looking.why(places, query, why, who))
    answers = looking.ask(places, query, who)
    of_team = isinstance(places, looking.TeamIndex)
    lacking = "" if hits or of_team else _lacking(places)
    return Recalled(answers, look, len(hits) - len(answers), getattr(places, "unread", ()), lacking, of_team)


def _standing(name: str, limit: int, ranking: Ranking | None) -> Told:
    """Where a memory ranks in the answer to a question, and why; None if the question rules it out."""
    from mdmem.acts.text.notes import ranking_json, ranking_lines

    if ranking:
        return Told(ranking_json(ranking), lambda style: [ranking_lines(ranking, limit, style)])
    reason = "excluded by a filter, a phrase or a -word, archived, or the question has no words to rank by"
    return Told(None, f"{safe_line(name)} has no rank: {reason}")


def _lacking(places: Any) -> str:
    """What would let recall find more, to say when it found nothing."""
    from mdmem.recall import meaning

    return meaning.standing(getattr(places, "first", places)).lacking
