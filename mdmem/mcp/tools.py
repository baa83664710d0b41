"""The tools: what each takes, in words for a model, and the act that answers.

An agent reads all of it in every session, so that every word has to earn its place. Some clients do not show the
instructions: the description of `recall` has to do without them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from mdmem.acts import judging, past, prompted, remembering, write
from mdmem.acts.checks.queue import LIMIT
from mdmem.acts.prompted import commit_line
from mdmem.acts.remembering import Item, Saved
from mdmem.acts.serving import Visit
from mdmem.acts.signature import NONE, Opt
from mdmem.acts.style import Aside
from mdmem.note.facts import TYPES
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.garden.asking import MayChange

RECALL_TOKENS, BRIEF_TOKENS = 1200, 2000
NOTE = "mdmem://note/"
AsOf = Annotated[str, "Date or commit"]
Dialog = Annotated[str, 'Lines of "User: ..." and "Assistant: ..."']
_FACT = "subject, relation, object, confidence (0-1), sentence (word for word), time_span, type:"


def recall(
    visit: Visit,
    query: Annotated[str, 'Question or words; "a phrase", -not'],
    also: Annotated[Sequence[str], ""] = (),
    filter: Annotated[str, "Such as type:decision tag:team after:2026-01"] = "",
    as_of: AsOf = "",
    budget: Annotated[int, Opt("Tokens", least=1)] = RECALL_TOKENS,
) -> str:
    """Search the long-term memory of past sessions: decisions, preferences, facts, lessons. Use it before you
    answer or act on what may have come up before. Ask in two or three wordings (query, also), as the note
    might say it. Gives the best notes, each with path:line@commit and a passage."""
    return prompted.recalled(visit, budget, words=[query], also=also, filter=filter, as_of=as_of)


def recall_team(
    visit: Visit,
    query: Annotated[str, ""],
    also: Annotated[Sequence[str], ""] = (),
    filter: Annotated[str, ""] = "",
    budget: Annotated[int, Opt(least=1)] = RECALL_TOKENS,
) -> str:
    """The same in what the team has published of all its vaults, also those that are not here."""
    return prompted.recalled(visit, budget, of_team=True, words=[query], also=also, filter=filter)


def read(
    visit: Visit,
    names: Annotated[Sequence[str], Opt(most=10)],
    as_of: AsOf = "",
    history: Annotated[bool, ""] = False,
) -> str:
    """Whole notes by name or title; with history what was done to them, also to forgotten ones."""
    return "\n\n".join(prompted.read(visit, name, as_of, history) for name in names)


def brief(
    visit: Visit,
    context: Annotated[str, "What the session is about"] = "",
    budget: Annotated[int, Opt(least=1)] = BRIEF_TOKENS,
) -> str:
    """What to know as a session starts: what always matters, open tasks, news, what fits the context."""
    return prompted.brief(visit, context, budget)


def remember(visit: Visit, items: Annotated[Sequence[Item], Opt(most=20)]) -> str:
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
    name: Annotated[str, ""],
    old: Annotated[str, "Text it has once"] = "",
    new: Annotated[str, "In its place; alone: a paragraph to add"] = "",
    set: Annotated[Mapping[str, Any], "Properties; null removes one"] = NONE,
    expect: Annotated[str, "Version from read; refused if changed"] = "",
    done: Annotated[bool, ""] = False,
) -> str:
    """Correct a note; done: end a task. When the world has changed, remember with replaces instead."""
    texts: dict[str, Any] = {"replace": ((old, new),)} if old else {"append": new}
    return prompted.revised(visit, name, set=set, **texts, expect=expect, done=done)


def forget(visit: Visit, names: Annotated[Sequence[str], ""], reason: Annotated[str, ""]) -> str:
    """Delete notes that are wrong or unwanted; restore brings them back."""
    done = write.forget(visit.vault, visit.who, names, reason=reason)
    head = commit_line("forgot", ", ".join(done.paths), done.commit)
    return f"{head}\nThe tool restore brings back what was a mistake."


def restore(visit: Visit, names: Annotated[Sequence[str], ""]) -> str:
    """Bring back notes that were forgotten."""
    done = (past.restore(visit.vault, visit.who, name) for name in names)
    return "\n".join(commit_line("restored", each.path, each.commit) for each in done)


class Verdict(NamedTuple):
    """What is said of one that waits."""

    id: Annotated[str, ""]
    verdict: Annotated[str, "As offered"]
    why: Annotated[str, "In a sentence"] = ""
    text: Annotated[str, "With same: one text for both, with every statement; with reword: what is kept"] = ""
    drops: Annotated[Sequence[str], "Statements it leaves out"] = ()


def garden(
    visit: Visit,
    topic: Annotated[str, ""] = "",
    only: Annotated[Sequence[str], "Gardeners, captured"] = (),
    limit: Annotated[int, Opt(least=1)] = LIMIT,
) -> str:
    """What waits in the memory for somebody who can read: notes that may say the same, replace each other or be
    over, and what was captured. Read it, then judge. Use it when asked to tidy the memory, or when status
    tells that many wait."""
    return prompted.waiting(visit, only, topic, limit)


def judge(visit: Visit, items: Annotated[Sequence[Verdict], Opt(most=50)]) -> str:
    """Your verdicts on what garden listed, many at once. Those on people's notes and words wait for them."""
    done = judging.judged(visit.vault, judging.said(items), visit.who).done
    taken = counted(sum(not one.fault for one in done), "verdict")
    said = [judging.told(one) + "".join(map(_question, one.may_change)) for one in done]
    return "\n".join([*said, f"{taken} taken"])


# -- with `--tools all`


def undo(
    visit: Visit,
    last: Annotated[int, Opt("Of your last writes", least=1)] = 0,
    session: Annotated[str, ""] = "",
    commits: Annotated[Sequence[str], ""] = (),
    dry_run: Annotated[bool, "Only show what would be undone"] = False,
) -> str:
    """Take back your last writes, all that a session wrote, or commits. One commit, which can be undone."""
    own = visit.who.actor if last else ""
    return _told(
        past.undo(visit.vault, visit.who, last=last, session=session, actor=own, commits=commits, dry_run=dry_run)
    )


def _told(result: Any) -> str:
    """The lines of a result."""
    return "\n".join(line for line in result.lines() if not isinstance(line, Aside))


def capture(visit: Visit, transcript: Dialog, write: Annotated[bool, "Save it"] = False) -> str:
    """Find what is worth remembering in the transcript of a chat."""
    from mdmem.acts import chats

    done = chats.captured(visit.vault, visit.who, transcript, write)
    return _told(done) if done.done.commit else f"{_told(done)}\n{done.wanted} to remember"


def facts(
    visit: Visit,
    dialog: Dialog,
    topic: Annotated[str, 'A name, or "auto"'],
    items: Annotated[Sequence[Mapping[str, Any]], f"{_FACT} {', '.join(TYPES)}"],
) -> str:
    """Keep a whole dialog with the facts that you read in it."""
    from mdmem.acts import chats

    done = chats.keep(visit.vault, visit.who, dialog, topic, items)
    kept = commit_line("kept", done.items[0].place.folder, done.commit)
    return "\n".join([kept, *(safe_line(str(problem)) for problem in done.problems)])


# Both return one JSON object as text: https://platform.openai.com/docs/mcp#search-tool


def search(visit: Visit, query: Annotated[str, ""]) -> str:
    """Search the memory; JSON with ids for fetch."""
    found = prompted.found_by(visit, query)
    results = [{"id": id, "title": title, "url": NOTE + id} for id, title in found]
    return json.dumps({"results": results}, ensure_ascii=False)


def fetch(visit: Visit, id: Annotated[str, ""]) -> str:
    """One note by the id that search gave, as JSON."""
    record = prompted.about(visit, id)
    found: dict[str, Any] = {"id": id, "title": record.title if record else id, "url": NOTE + id}
    metadata = {"type": record.type, "created": record.created} if record else {}
    return json.dumps({**found, "text": prompted.read(visit, id), "metadata": metadata}, ensure_ascii=False)
