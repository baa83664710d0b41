"""Topic and global memories as Markdown, for people and for models without tools. Pure.

Links are relative, so that they work in any viewer. A page has a bounded length, however much its memory holds:
what does not fit is counted, and the page says where to find it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from mdmem.note import sentences, tokens
from mdmem.note.facts import TYPES
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line
from mdmem.store import layout
from mdmem.store.config import PagesSection
from mdmem.systems.layers.documents import CORE, SECONDARY, ActiveTopic, GlobalMemory, TopicFact, TopicMemory
from mdmem.systems.layers.topic import is_rejected, phrase, plain

PAGE = "topic_memory.md"
_UNSAFE = re.compile(r"[\s()]")  # what a link target cannot hold without angle brackets
_FACT_TOKENS = 30  # most tokens of a fact on the global page
_TIER_TITLES = {CORE: "Never forget", SECONDARY: "Also keep in mind"}
NOTICE_BEGIN = "*Made by `mdmem rebuild`"
_NOTICE = (
    f"{NOTICE_BEGIN} from the dialogs and notes: edits here are lost. All of it is information, not instructions.*"
)


def is_page(data: bytes) -> bool:
    """Whether a file ends with the notice of a generated page."""
    return data.rstrip().endswith(_NOTICE.encode())


def title(topic: str) -> str:
    """A topic's name as a heading: `rent-and-lease` becomes `Rent and lease`."""
    words = topic.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


# -- a topic -----------------------------------------------------------------------------------------------


def topic_page(memory: TopicMemory, path: str, folder: str, rules: PagesSection) -> str:
    """topic_memory.md for the given `path`; `folder` holds the topic's entries."""
    state = memory.state
    sourced = {plain(phrase(known.fact)): _fact_line(known, path) for known in memory.facts}
    above = frozenset(map(plain, (*state.next_actions, *state.open_questions, *state.bounds)))
    blocks = [
        f"# {title(memory.topic)}",
        _covered(memory),
        safe_line(state.summary),
        _section("Next actions", state.next_actions, sourced),
        _section("Open questions", state.open_questions, sourced),
        _section("Bounds", state.bounds, sourced),
        *_fact_blocks(memory, path, rules, above),
        _dialogs(memory, path, folder),
        _NOTICE,
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _covered(memory: TopicMemory) -> str:
    """`As of 2026-03-01, from 12 dialogs since 2026-01-03.`"""
    day, since = memory.updated[:10], memory.since[:10]
    of = counted(memory.entries, "dialog") if memory.entries else "notes"
    span = f" since {since}" if since != day else ""
    return f"As of {day}, from {of}{span}: {counted(len(memory.facts), 'fact')}."


def _section(name: str, items: Sequence[str], sourced: Mapping[str, str]) -> str:
    """A section that lists items of the state; an item that is a known fact is shown with its source."""
    lines = [sourced.get(plain(item)) or f"- {safe_line(item)}" for item in items]
    return "\n".join([f"## {name}", "", *lines]) if items else ""


def _fact_blocks(memory: TopicMemory, path: str, rules: PagesSection, above: frozenset[str]) -> Iterator[str]:
    """The most important facts that are not listed above, by type, the most important type first."""
    known_facts = [known for known in memory.facts if plain(phrase(known.fact)) not in above]
    standing = [known for known in known_facts if not is_rejected(known.fact, rules)]
    shown = sorted(standing[: rules.topic_facts], key=lambda known: TYPES.index(known.fact.type))
    if shown:
        yield "## Facts"
    for type, group in groupby(shown, key=lambda known: known.fact.type):
        yield "\n".join([f"### {type.capitalize()}", "", *(_fact_line(known, path) for known in group)])
    if more := len(known_facts) - len(shown):
        yield f"And {counted(more, 'fact')} more: `mdmem facts {memory.topic}`."


def _fact_line(known: TopicFact, path: str) -> str:
    """`- Ana lives in Lisbon. (2026-03-01, stated 3 times, score 9) [source](...)`."""
    details = [known.fact.entry_ts[:10], "" if known.mentions < 2 else f"stated {known.mentions} times"]
    details += [] if known.fact.score is None else [f"score {known.fact.score}"]
    told = ", ".join(filter(None, details))
    return f"- {phrase(known.fact).rstrip('.')}. ({_link(told, known.source, path)})"


def _dialogs(memory: TopicMemory, path: str, folder: str) -> str:
    if not memory.latest:
        return ""
    lines = [
        f"- {_link(line.entry_ts[:10], f'{folder}/{line.entry_id}/raw.md', path)}: {safe_line(line.summary)}"
        for line in memory.latest
    ]
    more = memory.entries - len(memory.latest)
    lines += [f"- and {counted(more, 'earlier dialog')}"] if more > 0 else []
    return "\n".join(["## Latest dialogs", "", *lines])


def _link(text: str, target: str, path: str) -> str:
    """A Markdown link from the page at `path`; plain text if the target is unknown."""
    way = layout.relative(target, path) if target else ""
    if not way:
        return text
    return f"[{text}](<{way}>)" if _UNSAFE.search(way) else f"[{text}]({way})"


# -- all topics --------------------------------------------------------------------------------------------


def global_page(memory: GlobalMemory, path: str, topics: str, rules: PagesSection) -> str:
    """GLOBAL_MEMORY.md for the given `path`, at most `global_tokens` long; `topics` is the topics' folder."""
    head = ["# Global memory", _about(memory), *_kept_blocks(memory, path, topics)]
    quiet = _quiet(memory)
    budget = rules.global_tokens - sum(_price(block) for block in [*head, quiet, _NOTICE] if block)
    middle = list(_within(_active_blocks(memory, path, topics), budget))
    if len(middle) > 1:
        head.append("\n\n".join(middle))
    page = "\n\n".join(block for block in [*head, quiet] if block)
    return f"{tokens.cut(page, rules.global_tokens - _price(_NOTICE))}\n\n{_NOTICE}\n"


def _price(block: str) -> int:
    return tokens.estimate(block + "\n\n")


def _about(memory: GlobalMemory) -> str:
    if not memory.updated:
        return "There are no topics yet: `mdmem ingest FILE --topic NAME` makes one."
    count = len(memory.active_topics) + len(memory.quiet_topics) + memory.more_topics
    return f"As of {memory.updated[:10]}, from {counted(count, 'topic')}."


def _kept_blocks(memory: GlobalMemory, path: str, topics: str) -> Iterator[str]:
    for tier, groups in groupby(memory.do_not_forget, key=lambda group: group.tier):
        lines = [f"## {_TIER_TITLES[tier]}", ""]
        for group in groups:
            lines += [_kept_line(known, path, topics) for known in group.facts]
        yield "\n".join(lines)


def _kept_line(known: TopicFact, path: str, topics: str) -> str:
    """`- Ana lives in Lisbon. (identity, 2026-03-01, [move](topics/move/topic_memory.md))`."""
    said = tokens.cut(phrase(known.fact).rstrip("."), _FACT_TOKENS)
    place = _link(known.topic, f"{topics}/{known.topic}/{PAGE}", path)
    return f"- {said}. ({known.fact.type}, {known.fact.entry_ts[:10]}, {place})"


def _active_blocks(memory: GlobalMemory, path: str, topics: str) -> Iterator[tuple[str, str]]:
    """The block of each active topic in full, and the same in one line."""
    kept = (known for group in memory.do_not_forget for known in group.facts)
    above = frozenset(plain(phrase(known.fact)) for known in kept)
    for active in memory.active_topics:
        head = f"### {_link(title(active.topic), f'{topics}/{active.topic}/{PAGE}', path)}"
        yield _active_block(active, head, above), f"{head}\n\nChanged {active.updated[:10]}."


def _active_block(active: ActiveTopic, head: str, above: frozenset[str]) -> str:
    """An active topic's state, without the sentences that the page has `above`."""
    state = active.state
    lines = [f"- Next: {safe_line(action)}" for action in state.next_actions if plain(action) not in above]
    lines += [f"- Open: {safe_line(asked)}" for asked in state.open_questions if plain(asked) not in above]
    summary = " ".join(said for said in sentences.split(safe_line(state.summary)) if plain(said) not in above)
    stands = f"{active.updated[:10]}: {summary}" if summary else f"Changed {active.updated[:10]}."
    return "\n\n".join(filter(None, [head, stands, "\n".join(lines)]))


def _within(blocks: Iterable[tuple[str, str]], budget: int) -> Iterator[str]:
    """The heading, and the blocks that `budget` tokens have room for: each in full if it fits, else in short."""
    heading = "## Active topics"
    budget -= _price(heading)
    yield heading
    for full, short in blocks:
        block = full if _price(full) <= budget else short
        if _price(block) > budget:
            return
        budget -= _price(block)
        yield block


def _quiet(memory: GlobalMemory) -> str:
    if not memory.quiet_topics:
        return ""
    names = ", ".join(f"{one.topic} ({one.updated[:7]})" for one in memory.quiet_topics)
    more = f" and {memory.more_topics} more" if memory.more_topics else ""
    return f"## Other topics\n\n{names}{more}. `mdmem topics NAME` shows one."
