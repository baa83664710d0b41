"""The tools: what each takes, in words for a model, the act that answers, and which of them a server offers.

An agent reads all of it in every session, so that every word has to earn its place. Some clients do not show the
instructions: the description of `recall` has to do without them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.acts import past, prompted, remembering, write
from mdmem.acts.arguments import schema_of
from mdmem.acts.prompted import commit_line
from mdmem.acts.remembering import Item, Saved
from mdmem.acts.serving import Visit
from mdmem.acts.signature import NONE, grouped
from mdmem.acts.style import Aside, Json
from mdmem.acts.telling import each
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.garden.asking import MayChange

RECALL_TOKENS, BRIEF_TOKENS = 1200, 2000
NOTE = "mdmem://note/"


def recall(
    visit: Visit,
    query: str,
    also: Sequence[str] = (),
    filter: str = "",
    as_of: str = "",
    budget: int = RECALL_TOKENS,
) -> str:
    """Search the long-term memory of past sessions: decisions, preferences, facts, lessons. Use it before you
    answer or act on what may have come up before. Ask in two or three wordings (query, also), as the note
    might say it. Gives the best notes, each with path:line@commit and a passage."""
    return prompted.recalled(visit, budget, words=[query], also=also, filter=filter, as_of=as_of)


def recall_team(
    visit: Visit,
    query: str,
    also: Sequence[str] = (),
    filter: str = "",
    budget: int = RECALL_TOKENS,
) -> str:
    """The same in what the team has published of all its vaults, also those that are not here."""
    return prompted.recalled(visit, budget, of_team=True, words=[query], also=also, filter=filter)


def read(
    visit: Visit,
    names: Sequence[str],
    as_of: str = "",
    history: bool = False,
) -> str:
    """Whole notes by name or title; with history what was done to them, also to forgotten ones."""
    return "\n\n".join(each(names, lambda name: prompted.read(visit, name, as_of, history), visit.vault.tell))


def brief(
    visit: Visit,
    context: str = "",
    budget: int = BRIEF_TOKENS,
) -> str:
    """What to know as a session starts: what always matters, open tasks, news, what fits the context."""
    return prompted.brief(visit, context, budget)


def remember(visit: Visit, items: Sequence[Item]) -> str:
    """Save what will matter in later sessions: decisions and why, preferences, corrections, lessons. Recall
    first; what is already said is skipped. Never secrets."""
    return "\n".join(f"- {_saved(one)}" for one in remembering.save(visit.vault, visit.who, items))


def _saved(one: Saved) -> str:
    """What became of an item, and each question on its own line, with the call that settles it."""
    if one.waits:
        return "waits for the user's yes" + (one.near and f"; {one.near}")
    if one.memory is None:
        return f"already said by {one.said}"
    asked = "".join(map(_question, one.questions))
    return commit_line("remembered", one.memory.path, one.memory.commit) + (
        asked or (one.near and f"; {one.near}")
    )


def _question(one: MayChange) -> str:
    """A question on its own line, with the call that settles it."""
    call = f'revise name={one.new} set={{"supersedes": "{one.name}"}}'
    return f"\n  {safe_line(one.told)} | {safe_line(f'if it replaces that: {call}; if both hold, nothing')}"


def revise(
    visit: Visit,
    name: str,
    old: str = "",
    new: str = "",
    set: Mapping[str, Any] = NONE,
    expect: str = "",
    done: bool = False,
) -> str:
    """Correct a note; done: end a task. When the world has changed, remember with replaces instead."""
    texts: Json = {"replace": ((old, new),)} if old else {"append": new}
    return prompted.revised(visit, name, set=set, **texts, expect=expect, done=done)


def forget(visit: Visit, names: Sequence[str], reason: str) -> str:
    """Delete notes that are wrong or unwanted; restore brings them back."""
    done = _told(write.forget(visit.vault, visit.who, names, reason=reason))
    return f"{done}\nThe tool restore brings back what was a mistake."


def restore(visit: Visit, names: Sequence[str]) -> str:
    """Bring back notes that were forgotten."""
    return _told(past.restore(visit.vault, visit.who, names))


class Verdict(NamedTuple):
    """What is said of one that waits."""

    id: str
    verdict: str
    why: str = ""
    text: str = ""
    drops: Sequence[str] = ()


def garden(
    visit: Visit,
    topic: str = "",
    only: Sequence[str] = (),
    limit: int = 10,
) -> str:
    """What waits in the memory for somebody who can read: notes that may say the same, replace each other or be
    over, and what was captured. Read it, then judge. Use it when asked to tidy the memory."""
    from mdmem.acts import judging  # loads the garden, of which most sessions ask nothing

    return judging.listed(visit, only, topic, limit)


def judge(visit: Visit, items: Sequence[Verdict]) -> str:
    """Your verdicts on what garden listed, many at once. Those on people's notes and words wait for them."""
    from mdmem.acts import judging

    done = judging.judged(visit.vault, judging.said(items), visit.who).value
    taken = counted(sum(not one.fault for one in done), "verdict")
    said = [judging.told(one) + "".join(map(_question, one.may_change)) for one in done]
    return "\n".join([*said, f"{taken} taken"])


# -- with `--tools all`


def undo(
    visit: Visit,
    last: int = 0,
    session: str = "",
    commits: Sequence[str] = (),
    dry_run: bool = False,
) -> str:
    """Take back your last writes, all that a session wrote, or commits. One commit, which can be undone."""
    own = visit.who.actor if last else ""
    return _told(
        past.undo(visit.vault, visit.who, last=last, session=session, actor=own, commits=commits, dry_run=dry_run)
    )


def _told(result: Any) -> str:
    """The lines of a result."""
    return "\n".join(line for line in result.lines() if not isinstance(line, Aside))


def capture(visit: Visit, transcript: str, write: bool = False) -> str:
    """Find what is worth remembering in the transcript of a chat."""
    from mdmem.acts import chats

    done, wanted = chats.captured(visit.vault, visit.who, transcript, write)
    return _told(done) if done.commit else f"{_told(done)}\n{wanted} to remember"


def facts(
    visit: Visit,
    dialog: str,
    topic: str,
    items: Sequence[Mapping[str, Any]],
) -> str:
    """Keep a whole dialog with the facts that you read in it."""
    from mdmem.acts import chats

    done = chats.keep(visit.vault, visit.who, dialog, topic, items)
    kept = commit_line("kept", done.items[0].place.folder, done.commit)
    return "\n".join([kept, *(safe_line(str(problem)) for problem in done.problems)])


# Both return one JSON object as text: https://platform.openai.com/docs/mcp#search-tool


def search(visit: Visit, query: str) -> str:
    """Search the memory; JSON with ids for fetch."""
    found = prompted.found_by(visit, query)
    results = [{"id": id, "title": title, "url": NOTE + id} for id, title in found]
    return json.dumps({"results": results}, ensure_ascii=False)


def fetch(visit: Visit, id: str) -> str:
    """One note by the id that search gave, as JSON."""
    record = prompted.about(visit, id)
    found: Json = {"id": id, "title": record.title if record else id, "url": NOTE + id}
    metadata = {"type": record.type, "created": record.created} if record else {}
    return json.dumps({**found, "text": prompted.read(visit, id), "metadata": metadata}, ensure_ascii=False)


INSTRUCTIONS = (
    "Long-term memory. Recall before you answer or act on what may have come up before; remember what will matter"
    " in a later session: decisions with their reasons, preferences, lessons."
)
_TEAM = "MDMEM_TEAM_DSN"


class Tool(NamedTuple):
    """One tool. `run` takes a Visit and the arguments of `schema`, and returns Markdown.

    An `always` tool is offered to the model from the start, even by clients that load tools only after a search.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    run: Callable[..., str]
    reads: bool = False
    destroys: bool = False
    repeatable: bool = True
    always: bool = False


def made(run: Callable[..., str], **marks: bool) -> Tool:
    """The tool that a function is: its name, its docstring and the schema of its signature."""

    def answer(visit: Visit, **given: Any) -> str:
        return run(visit, **grouped(run, given))

    return Tool(run.__name__, " ".join((run.__doc__ or "").split()), schema_of(run), answer, **marks)


_STANDARD = (
    made(recall, reads=True, always=True),
    made(read, reads=True),
    made(brief, reads=True),
    made(remember, always=True),
    made(revise, destroys=True),
    made(forget, destroys=True),
    made(restore),
    made(garden, reads=True),
    made(judge, destroys=True),
)

STANDARD, ALL, RUM = SETS = ("standard", "all", "rum")  # of tools


class ToolChoice(NamedTuple):
    """The tools that a server offers, and why others are refused."""

    tools: Sequence[Tool]
    refused: Mapping[str, str]


def chosen(of: str = STANDARD, read_only: bool = False) -> ToolChoice:
    """The tools of a set to offer: the standard ones, these and more, or the calls of RUM."""
    known = _works() if of == RUM else [*_STANDARD, *(_more() if of == ALL else ())]
    if of != RUM and os.environ.get(_TEAM):
        known.insert(3, made(recall_team, reads=True))
    offered = [tool for tool in known if tool.reads or not read_only]
    why = "this server only reads: it was started with --read-only"
    return ToolChoice(offered, {tool.name: why for tool in known if tool not in offered})


def _more() -> Sequence[Tool]:
    return (
        made(undo, destroys=True, repeatable=False),
        made(capture),
        made(facts),
        made(search, reads=True),
        made(fetch, reads=True),
    )


def _works() -> list[Tool]:
    """The calls of RUM, whose arguments and answers are JSON documents (data/rum.json)."""

    with open(os.path.join(os.path.dirname(__file__), "data", "rum.json"), encoding="utf-8") as file:
        known = json.load(file)
    run = prompted.Calls().run
    return [
        Tool(
            name,
            one["about"],
            one["schema"],
            partial(run, name),
            repeatable=False,
            **dict.fromkeys(one["marks"].split(), True),
        )
        for name, one in known.items()
    ]
