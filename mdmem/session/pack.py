"""The page a session starts with: the LiveHud, the news, and each file at the depth that the budget allows.

The depth falls from the full text to a passage to the name as the budget is used up: each file is shown at the
greatest depth that leaves room for the names of all that follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from mdmem.history.news import News, NewsItem
from mdmem.note import excerpt
from mdmem.note.gauges import Gauges
from mdmem.recall import prompt
from mdmem.recall.ask import Answer
from mdmem.session import livehud
from mdmem.session.sources import Sources
from mdmem.text import moments, tokens
from mdmem.text.terminal import safe_line

FULL, PASSAGE, NAME = "full", "passage", "name"  # how much of a file is shown

_PASSAGE_TOKENS = 60
_NEWS_SHARE = 3  # news may take a third of what the names leave of the budget


class PackItem(NamedTuple):
    """One file of a pack and why it is there; its answer has the depth at which it is shown."""

    answer: Answer
    why: str


class Frame(NamedTuple):
    """The frame of a page. `budget` is in tokens, for the whole page; `total` is the number of files in the vault.

    `brief` is what derived trees say before the memories, such as the page of all topics; `notice` is a line at
    the end. What is of another project than `project` is labelled. The Memory gauge shows the count of files,
    unless `gauges` has a state for it.
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
    items: tuple[PackItem, ...]
    left_out: tuple[PackItem, ...]
    untold: int


class _Purse:
    """The rest of a budget (tokens). The price of a block includes the blank line after it."""

    def __init__(self, left: int) -> None:
        self.left = left

    def pay(self, *blocks: str, already: int = 0) -> bool:
        """Pay for these blocks, less the tokens paid `already`; False, and nothing paid, if too little is left."""
        price = sum(_price(block) for block in blocks) - already
        if price > self.left:
            return False
        self.left -= price
        return True


def _price(block: str) -> int:
    return tokens.estimate(block + "\n\n")


def page(sources: Sources, frame: Frame, news: News, items: Sequence[PackItem]) -> Page:
    """The page with these files, given in order of importance."""
    purse = _Purse(frame.budget)
    head = livehud.line(frame.counted(len(items)))
    session = f"{prompt.DATA}\nSession: {safe_line(frame.session)}\n{sources.where}"
    if not purse.pay(head):
        text = tokens.cut(livehud.line(frame.counted(0)), frame.budget - 1)
        return Page(text, frame.counted(0), (), tuple(items), len(news.changes))
    titled = purse.pay(session)
    notice = frame.notice if frame.notice and purse.pay(frame.notice) else ""
    brief = frame.brief if frame.brief and purse.pay(frame.brief) else ""
    reserved = purse.pay(_rest(len(items), len(news.changes)))
    items = [_labelled(item, frame.project) for item in items]
    shown = list(takewhile(lambda item: purse.pay(_name(item)), items)) if reserved else []
    told = _news_lines(news, purse, frame) if reserved else []
    shown = shown if frame.names_only else [_deepened(sources, item, purse) for item in shown]
    untold = len(news.changes) - max(len(told) - 1, 0)
    gauges, left_out = frame.counted(len(shown)), tuple(items[len(shown) :])
    first = "\n".join([livehud.line(gauges), *([session] if titled else [])])
    blocks = [first, brief, "\n".join(told), "\n".join(map(_block, shown))]
    blocks += [_rest(len(left_out), untold)] if reserved and (left_out or untold) else []
    blocks += [notice]
    return Page("\n\n".join(filter(None, blocks)), gauges, tuple(shown), left_out, untold)


def _labelled(item: PackItem, project: str) -> PackItem:
    label = prompt.elsewhere(item.answer, project)
    return item._replace(why=f"{item.why}, {label}") if label else item


def _name(item: PackItem) -> str:
    return _block(item._replace(answer=item.answer._replace(text="")))


def _block(item: PackItem) -> str:
    return prompt.item(item.answer, item.why)


def _deepened(sources: Sources, item: PackItem, purse: _Purse) -> PackItem:
    """A file, whose name is paid for, at the greatest depth that fits."""
    record, snippet = item.answer.hit.record, excerpt.plain(item.answer.hit.snippet)
    body = sources.body(record)
    full = excerpt.shown("full", record.title, body, "")
    part = tokens.cut(snippet or excerpt.shown("outcome", record.title, body, ""), _PASSAGE_TOKENS)
    for level, text in ((FULL, full), (PASSAGE, part)):
        answer = item.answer._replace(depth=level, text=text, tokens=tokens.estimate(text))
        if purse.pay(_block(PackItem(answer, item.why)), already=_price(_name(item))):
            return PackItem(answer, item.why)
    return item


def _rest(files: int, changes: int) -> str:
    """The line about what did not fit the budget."""
    counts = [f"{files} {'name' if files == 1 else 'names'}"] if files else []
    counts += [f"{changes} {'change' if changes == 1 else 'changes'}"] if changes else []
    return f"Left out for the budget: {' and '.join(counts)}; a larger budget shows them."


def _news_lines(news: News, purse: _Purse, frame: Frame) -> list[str]:
    """The news as lines, as many as fit; the first one says since when."""
    if not (news.since or news.warning):
        return []
    share = _Purse(purse.left if frame.names_only else purse.left // _NEWS_SHARE)
    lines = [_since(news), *(_change(change, frame.project) for change in news.changes)]
    told = list(takewhile(share.pay, lines))
    purse.pay(*told)
    return told


def _since(news: News) -> str:
    day = f" ({moments.render(news.when)[:10]})" if news.when else ""
    what = "Changed" if news.changes else "Nothing changed"
    what += f" since you were last here{day}" + (":" if news.changes else ".")
    return f"{what} ({news.warning})" if news.warning else what


def _change(change: NewsItem, project: str) -> str:
    """`- superseded NAME, see OTHER, by ACTOR, project NAME`."""
    other = {"renamed": "was ", "superseded": "see "}.get(change.kind, "") + change.other if change.other else ""
    facts = [f"{change.kind} {change.name}", other, f"by {' and '.join(change.by)}" if change.by else ""]
    facts += [] if change.committed else ["not committed yet"]
    facts += [prompt.label(change.record, project)] if change.record else []
    return "- " + ", ".join(safe_line(fact) for fact in facts if fact)
