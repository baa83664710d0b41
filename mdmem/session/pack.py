"""The page a session starts with: the LiveHud, where it is, and memories in sections, a line each if possible.

A budget is what is printed. Each section has a share of it at most. A memory is shown by its text, a long one
by its passage, and what is left of the budget shows more of those that the context recalled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdmem.history.news import News, NewsItem
from mdmem.note import decay, moments, tokens
from mdmem.note.gauges import Gauges
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line
from mdmem.recall import prompt
from mdmem.recall.ask import PASSAGE
from mdmem.session import choosing, livehud
from mdmem.session.choosing import CHANGED, Chosen
from mdmem.session.sources import Sources

FULL, NAME = "full", "name"  # how much of a memory is shown, besides PASSAGE

_KEEP, _DO, _FOUND, _NEWS, _HOLDS, _LATEST, _BEFORE = SECTIONS = (
    "Keep in mind:",
    "Open tasks:",
    "What fits:",
    "News:",
    "Decisions in force:",
    "Newest:",
    "Shown before:",
)
_PLACES = {  # why a memory is there -> (its section, the part of the budget that this may take)
    **dict.fromkeys((choosing.PINNED, choosing.KEPT, choosing.PREFERENCE), (_KEEP, 1 / 3)),
    choosing.TASK: (_DO, 1 / 6),
    choosing.RECALLED: (_FOUND, 1.0),
    choosing.DECISION: (_HOLDS, 1 / 3),
    choosing.NEWEST: (_LATEST, 1.0),
    choosing.SHOWN: (_BEFORE, 1.0),
}
_NEWS_SHARE = 1 / 4
_KEPT_FOR_NEWS = 1 / 6  # of the budget, if there is so much news
_FULL_SHARE = 1 / 3  # no memory takes more
_FULL = 400  # tokens; of a longer text there is only the passage


class Frame(NamedTuple):
    """The frame of a page. `budget` is in tokens, for the whole page; `total` is the number of files in the vault.

    `brief` is what derived trees say, such as the page of all topics; `notice` is a line at the end. What is of
    another project than `project` is labelled. The Memory gauge shows the count of files, unless `gauges` has a
    state for it.
    """

    session: str
    gauges: Gauges
    total: int
    budget: int
    names_only: bool = False
    brief: str = ""
    notice: str = ""
    project: str = ""

    def counted(self, shown: int) -> Gauges:
        """The gauges of a page that shows `shown` files."""
        return self.gauges._replace(memory=self.gauges.memory or livehud.count(shown, self.total))


class Page(NamedTuple):
    """What is printed. `left_out` are files that did not fit the budget; `untold` counts changes that did not."""

    text: str
    gauges: Gauges
    items: tuple[Chosen, ...]
    left_out: tuple[Chosen, ...]
    untold: int


class _Sheet:
    """A page in the making: its sections, and what is left of the budget, in quarters of a token.

    The price of lines in quarters is that of the text they become.
    """

    def __init__(self, budget: int) -> None:
        self.left = self._whole = budget * tokens.SIGNS
        self._sections: dict[str, list[str]] = {}

    def part(self, share: float) -> int:
        """A share of the whole budget."""
        return int(self._whole * share)

    def pay(self, text: str, instead: str = "") -> bool:
        """Pay for a line that stands for another one; False, and nothing paid, if too little is left."""
        price = _price(text) - (_price(instead) if instead else 0)
        if price > self.left:
            return False
        self.left -= price
        return True

    def add(self, section: str, line: str, share: float, heading: str = "") -> bool:
        """Add a line to a section that may take a share of the budget, if both have room for it."""
        lines = self._sections.get(section) or [f"\n{heading or section}"]
        if share < 1 and sum(map(_price, [*lines, line])) > self.part(share):
            return False
        if not self.pay(line if section in self._sections else f"{lines[0]}\n{line}"):
            return False
        self._sections[section] = [*lines, line]
        return True

    def head(self, section: str, heading: str) -> None:
        """Begin a section that has nothing but a heading, if there is room for that."""
        if heading and self.pay(f"\n{heading}"):
            self._sections[section] = [f"\n{heading}"]

    def replace(self, section: str, line: str, by: str) -> bool:
        """Show another line in the place of one, if there is room for it."""
        if not self.pay(by, instead=line):
            return False
        lines = self._sections[section]
        lines[lines.index(line)] = by
        return True

    def lines(self) -> Iterator[str]:
        """What the sections say, with a blank line before each."""
        for section in SECTIONS:
            yield from self._sections.get(section, ())


def _price(text: str) -> int:
    return tokens.weight(text + "\n")


def page(sources: Sources, frame: Frame, news: News, items: Sequence[Chosen]) -> Page:
    """The page with these memories, given in the order of their sections and of importance."""
    sheet = _Sheet(frame.budget)
    if not sheet.pay(livehud.line(frame.counted(len(items)))):
        text = tokens.cut(livehud.line(frame.counted(0)), frame.budget - 1)
        return Page(text, frame.counted(0), (), tuple(items), len(news.changes))
    head = [line for line in [_where(sources, frame)] if sheet.pay(line)]
    end = [f"\n{frame.notice}"] if frame.notice and sheet.pay(f"\n{frame.notice}") else []
    shown: dict[int, Chosen] = {}
    untold = len(news.changes)
    reserved = sheet.pay("\n" + _rest(len(items), untold))
    if reserved:
        shown, untold = _filled(sheet, sources, frame, news, items)
    brief = [f"\n{frame.brief}"] if reserved and frame.brief and sheet.pay(f"\n{frame.brief}") else []
    gauges = frame.counted(len({item.answer.hit.record.address for item in shown.values()}))
    left_out = tuple(item for at, item in enumerate(items) if at not in shown)
    rest = ["\n" + _rest(len(left_out), untold)] if reserved and (left_out or untold) else []
    text = "\n".join([livehud.line(gauges), *head, *sheet.lines(), *brief, *end, *rest])
    return Page(text, gauges, tuple(shown[at] for at in sorted(shown)), left_out, untold)


def _filled(
    sheet: _Sheet, sources: Sources, frame: Frame, news: News, items: Sequence[Chosen]
) -> tuple[dict[int, Chosen], int]:
    """(what the sheet shows now of the memories, by their places; how many changes found no room)."""
    told = dict(enumerate(items if frame.names_only else [with_text(sources, item) for item in items]))
    wanted = sum(map(_price, ["\n" + _since(news), *_changes(news, frame)]))
    back = min(sheet.part(_KEPT_FOR_NEWS), wanted, sheet.left)
    sheet.left -= back
    shown = _take(sheet, frame, told)
    sheet.left += back
    untold = _tell(sheet, frame, news, told, shown)
    _deepen(sheet, sources, frame, shown)
    return shown, untold


def _take(sheet: _Sheet, frame: Frame, told: Mapping[int, Chosen]) -> dict[int, Chosen]:
    """The memories that the sheet has room for, by their places; they are added to it. News comes later."""
    return {
        at: item
        for at, item in told.items()
        if item.why in _PLACES
        and item.answer.tokens * tokens.SIGNS <= sheet.left + tokens.SIGNS
        and sheet.add(_PLACES[item.why][0], item_line(item, frame.project), _PLACES[item.why][1])
    }


def _tell(sheet: _Sheet, frame: Frame, news: News, told: Mapping[int, Chosen], shown: dict[int, Chosen]) -> int:
    """Add the news to the sheet, with the texts of memories that are not shown yet; how many found no room."""
    if not news.changes:
        sheet.head(_NEWS, "" if shown and not news.warning else _since(news))
        return 0
    texts = {item.answer.hit.record.path: (at, item) for at, item in told.items() if item.why == CHANGED}
    untold = 0
    for change, plain in zip(news.changes, _changes(news, frame), strict=True):
        at, item = texts.get(change.path, (-1, None))
        line = plain if frame.names_only or not item else item_line(item, frame.project, _by(change))
        if item and sheet.add(_NEWS, line, _NEWS_SHARE, _since(news)):
            shown[at] = item
        elif not sheet.add(_NEWS, plain, _NEWS_SHARE, _since(news)):
            untold += 1
    return untold


def _deepen(sheet: _Sheet, sources: Sources, frame: Frame, shown: dict[int, Chosen]) -> None:
    """Show the whole text of what was recalled, the best first, as far as the budget goes."""
    for at, item in shown.items():
        if item.why == choosing.RECALLED and item.answer.depth == PASSAGE:
            whole = item._replace(answer=item.answer.at(FULL, sources.body(item.answer.hit.record)))
            most = min(sheet.part(_FULL_SHARE), _FULL * tokens.SIGNS)
            if whole.answer.tokens * tokens.SIGNS > most:
                continue  # such a text is not even read for orders
            line, by = item_line(item, frame.project), item_line(whole, frame.project)
            if _price(by) <= most and sheet.replace(_FOUND, line, by):
                shown[at] = whole


def with_text(sources: Sources, item: Chosen) -> Chosen:
    """A memory with its text, of a long one with its best passage."""
    body = sources.body(item.answer.hit.record)
    whole, best = (item.answer.at(depth, body) for depth in (FULL, PASSAGE))
    return item._replace(answer=whole if whole.text == best.text else best)


def item_line(item: Chosen, project: str, *more: str) -> str:
    """A memory as the page shows it; why it is there is said where its section does not say it."""
    due = decay.due(item.answer.hit.record.meta) if item.why == choosing.TASK else None
    why = item.why if item.why in (choosing.PINNED, choosing.KEPT) else f"due {due[1]}" if due else ""
    return prompt.item(item.answer, *more, why, prompt.label(item.answer.hit.record, project))


def _where(sources: Sources, frame: Frame) -> str:
    """The lines that name vault, project and session, and say what the page is."""
    project = f", project {frame.project}" if frame.project else ""
    return f"{safe_line(f'Vault {sources.where}{project}. {prompt.DATA}')}\nSession: {safe_line(frame.session)}"


def _rest(files: int, changes: int) -> str:
    """The line about what did not fit the budget."""
    counts = [counted(files, "memory")] if files else []
    counts += [counted(changes, "change")] if changes else []
    return f"Left out for the budget: {' and '.join(counts)}; a larger budget shows them."


def _since(news: News) -> str:
    if not (news.since or news.warning):
        return ""
    day = f" ({moments.render(news.when)[:10]})" if news.when else ""
    what = "Changed" if news.changes else "Nothing changed"
    what += f" since you were last here{day}" + (":" if news.changes else ".")
    return f"{what} ({news.warning})" if news.warning else what


def _changes(news: News, frame: Frame) -> list[str]:
    return [_change(change, frame.project) for change in news.changes]


def _change(change: NewsItem, project: str) -> str:
    """`- superseded NAME, see OTHER, by ACTOR, project NAME`."""
    other = {"renamed": "was ", "superseded": "see "}.get(change.kind, "") + change.other if change.other else ""
    facts = [f"{change.kind} {change.name}", other, _by(change).removeprefix(change.kind).strip()]
    facts += [] if change.committed else ["not committed yet"]
    facts += [prompt.label(change.record, project)] if change.record else []
    return "- " + ", ".join(safe_line(fact) for fact in facts if fact)


def _by(change: NewsItem) -> str:
    """`added by ACTOR and ACTOR`."""
    return f"{change.kind} by {' and '.join(change.by)}" if change.by else change.kind
