"""Verdicts on what waits: read from words, and carried out, many at once."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from mdmem.acts.checks.queue import (
    CAPTURED,
    FACT,
    KEEP,
    KINDS,
    MERGE,
    OURS,
    PROPOSAL,
    REJECT,
    REWORD,
    THEIRS,
    Waiting,
    Wanted,
)
from mdmem.acts.style import Lines
from mdmem.capture.inbox import deciding
from mdmem.capture.inbox.store import Inbox, InboxItem
from mdmem.errors import MdmemError, UsageError
from mdmem.garden import apply as gardening
from mdmem.garden import asking, judging
from mdmem.garden import plan as garden
from mdmem.garden.asking import MayChange
from mdmem.garden.gardeners.proposal import Findings
from mdmem.garden.judges import objects_in
from mdmem.garden.judging import ACT, Judged, Said
from mdmem.garden.verdicts import AGAIN, NO, YES
from mdmem.history.merging import unsettled
from mdmem.note import fields, memory
from mdmem.note.terminal import safe, safe_line
from mdmem.store.index.port import FACT as FACTS
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import knownfacts
from mdmem.systems.layers.knownfacts import KnownFact
from mdmem.write import edit

_MEANT = {YES: KEEP, NO: REJECT}  # of what is captured
_KIND_OF = {OURS: MERGE, THEIRS: MERGE, REWORD: MERGE, REJECT: CAPTURED}  # what a word alone is about


def judge(
    vault: Vault,
    said: Iterable[Said],
    who: Caller,
    kind: str = "",
    for_user: bool = False,
    dry_run: bool = False,
    found: Findings | None = None,
) -> list[Judged]:
    """Take verdicts, many at once; one that cannot be taken spoils no other, and tells why.

    An agent's word on what a person wrote or said waits for the person, unless it is `for_user`, or the settings
    let agents act. `found` is what the gardeners found, if that is known.
    """
    call = _Call(vault, who, for_user, dry_run)
    run = gardening.run_id(who.now, os.urandom(2).hex())
    takers: dict[str, Callable[[Sequence[Said]], list[Judged]]] = {
        CAPTURED: partial(_captured, call),
        FACT: partial(_facts, call),
        MERGE: partial(_each, partial(_settled, call)),
        PROPOSAL: lambda these: judging.judge(vault, these, who, run, found, for_user, dry_run),
    }
    conflicts = {name for one in unsettled.find(vault) for name in (one.path, memory.stem(one.path))}
    together: dict[tuple[str, str], list[Said]] = {}
    for one in said:
        about = kind if kind in KINDS else MERGE if one.id in conflicts else _kind_of(vault, one)
        why = one.why if about in (CAPTURED, FACT) else ""  # what is written for one reason is one commit
        together.setdefault((about, why), []).append(one)
    return [one for (about, _), these in together.items() for one in takers[about](these)]


class _Call(NamedTuple):
    """Who gives verdicts: an agent does it `for_user` if it types what the person said."""

    vault: Vault
    who: Caller
    for_user: bool
    is_dry: bool


def _kind_of(vault: Vault, said: Said) -> str:
    """What a verdict is about, by its words and its id."""
    if said.verdict.isdecimal():
        return FACT
    inbox = Inbox(vault)
    items = [*inbox.items(), *inbox.rejected()]
    if any(item.id.startswith(said.id) or item.session == said.id for item in items if said.id):
        return CAPTURED
    if said.verdict == KEEP:
        return FACT if FACTS in vault.index.kinds() else CAPTURED
    return _KIND_OF.get(said.verdict, PROPOSAL)


def _each(take: Callable[[Said], Judged], said: Iterable[Said]) -> list[Judged]:
    """Take each verdict by itself."""
    done = []
    for one in said:
        try:
            done.append(take(one))
        except MdmemError as error:
            done.append(Judged(one, fault=error))
    return done


def _require(one: Said, *verdicts: str) -> None:
    if one.verdict not in verdicts:
        raise UsageError(f"{one.verdict!r} cannot be a verdict here", f"say one of: {', '.join(verdicts)}")
    if one.verdict == REWORD and not one.text.strip():
        raise UsageError("reword needs a text", "give what is to stand there: --text")


# -- captured memories


def _captured(call: _Call, said: Sequence[Said]) -> list[Judged]:
    """Take verdicts on captured memories; the id of a session means all that came from it."""
    inbox = Inbox(call.vault)
    of_sessions: dict[str, list[str]] = {}
    for item in inbox.items():
        of_sessions.setdefault(item.session, []).append(item.id)
    alone = [one._replace(id=id) for one in said for id in of_sessions.get(one.id, [one.id])]
    to_keep: dict[str, InboxItem] = {}  # by the id that was said
    done = _each(partial(_item, call, inbox, to_keep), alone)
    written = deciding.keep(call.vault, list(to_keep.values()), call.who, said[0].why)
    kept = {each.item.id: each for each in written}
    questions = asking.asked(call.vault, [each.path for each in written if each.commit and each.path])
    return [
        _kept(one, kept[to_keep[one.said.id].id], questions) if one.said.id in to_keep else one for one in done
    ]


def _item(call: _Call, inbox: Inbox, to_keep: dict[str, InboxItem], one: Said) -> Judged:
    """Reject a captured memory, keep an agent's advice on it, or put it among those to keep."""
    verdict = _MEANT.get(one.verdict, one.verdict)
    if verdict == AGAIN:
        back = [] if call.is_dry else inbox.take_back([one.id])
        return Judged(one, ", ".join(item.title for item in back), waits=True)
    _require(one, KEEP, REJECT, REWORD, YES, NO)
    [item] = inbox.chosen([one.id])
    new = deciding.reworded(call.vault, item, one.text.encode()) if verdict == REWORD else item
    may_act = _may_act(call, verdict, new)
    if call.is_dry:
        return Judged(one, item.title, waits=not may_act)
    if not may_act:
        advice = {"verdict": verdict, "by": call.who.actor, "why": one.why, "text": one.text}
        inbox.advise([item._replace(said=advice)])
        return Judged(one, item.title, waits=True)
    if verdict == REJECT:
        deciding.reject(call.vault, [item], call.who.now)
    else:
        to_keep[one.id] = new
    return Judged(one, new.title)


def _may_act(call: _Call, verdict: str, new: InboxItem) -> bool:
    """Whether a verdict on a captured memory counts at once; that of an agent may wait for the person."""
    if not call.who.actor or call.for_user:
        return True
    is_allowed = call.vault.config.garden.agents == ACT
    return is_allowed and (verdict == REJECT or not deciding.gives_orders(new))


def _kept(one: Judged, kept: deciding.KeptItem, questions: Iterable[MayChange]) -> Judged:
    if not kept.is_settled:
        fault = MdmemError(f"{kept.item.id} cannot be written: {kept.decision.reason}", "reword it, or reject it")
        return one._replace(path="", fault=fault)
    known = kept.decision.record
    why = f"{known.name} says it already" if known and not kept.path else ""
    asked = tuple(each for each in questions if kept.path and each.new == memory.stem(kept.path))
    return one._replace(path=kept.path, commit=kept.commit if kept.path else "", why=why, may_change=asked)


# -- facts and conflicts


def _facts(call: _Call, said: Sequence[Said]) -> list[Judged]:
    """Score facts, or make memories of them."""
    scores: list[tuple[list[KnownFact], int]] = []
    done = _each(partial(_fact, call, scores), said)
    commit = knownfacts.score(call.vault, scores, call.who, said[0].why) if scores else ""
    return [one if one.fault or one.commit else one._replace(commit=commit) for one in done]


def _fact(call: _Call, scores: list[tuple[list[KnownFact], int]], one: Said) -> Judged:
    """Make a memory of a fact, or put its score among those to write."""
    told = call.vault.index.with_id(one.id, (FACTS,))
    if one.verdict == KEEP and told:  # also one that no page tells, since its note is hidden from them
        made = None if call.is_dry else knownfacts.keep(call.vault, one.id, call.who, one.why)
        return Judged(one, told[0].title, made.commit if made else "", path=made.path if made else "")
    facts = knownfacts.with_id(call.vault, one.id)
    if one.verdict == KEEP:
        return _fact(call, scores, one._replace(id=facts[0].known.id))
    knownfacts.require_score(one.verdict)
    if not call.is_dry:
        scores.append((facts, int(one.verdict)))
    fact = facts[0].known.fact
    return Judged(one, f"{fact.subject} {fact.relation} {fact.object}")


def _settled(call: _Call, one: Said) -> Judged:
    """Settle the conflicts of a memory, in one commit."""
    vault, who = call.vault, call.who
    first = unsettled.of(vault, one.id)[0]
    name = memory.stem(first.path)
    _require(one, OURS, THEIRS, REWORD)
    if call.is_dry:
        return Judged(one, name)
    if one.verdict != REWORD:
        done = unsettled.settle(vault, one.id, one.verdict, who, one.why)
        names = ", ".join(map(memory.stem, done.paths))
        return Judged(one, names, done.commit, why="" if done.commit else "staged; conclude with git")
    if first.in_merge:
        raise UsageError(f"git has stopped at {first.path}", f"edit it, then: git add {first.path}")
    record, before = lookup.named(vault, first.path), vault.read(first.path)
    after = one.text.encode()
    note = memory.parse(after, first.path)
    if note.body.strip() and not (note.meta or note.problems):  # the text alone
        after = fields.set_body(before, one.text, first.path)
    return Judged(one, name, edit.replace(vault, record, before, after, who, one.why).commit)


# -- what was said before, by whom, and in which words


def denied(vault: Vault, wanted: Wanted, found: Findings | None = None) -> list[dict[str, Any]]:
    """Verdicts by which nothing is to be done, and which can be taken back, the latest of a kind first.

    What was captured has a `title`, a proposal the `paths` of its memories.
    """
    items = Inbox(vault).rejected() if wanted.includes(CAPTURED) else []
    told = (found or garden.told(vault, Findings())).denied if wanted.includes(PROPOSAL) else ()
    empty = {"title": "", "paths": (), "verdict": "", "when": "", "reason": ""}
    refused = [{**empty, "id": item.id, "title": item.title, "captured": True} for item in items]
    refused += [
        {
            **empty,
            "id": one.proposal,
            "paths": one.paths,
            "verdict": one.verdict,
            "when": one.when,
            "reason": one.why,
            "captured": False,
        }
        for one in sorted(told, key=lambda one: one.when, reverse=True)
    ]
    return refused


def agreed(items: Iterable[Waiting], actor: str) -> list[Said]:
    """What an agent or model wants done of what waits, as verdicts for a person to give."""
    return [
        Said(one.id, one.advice.verdict, one.said, one.advice.text, one.advice.drops)
        for one in items
        if one.advice and actor and one.agreed == actor
    ]


def verdicts_in(text: str) -> list[Said]:
    """The verdicts in an answer, the first on each id; whatever stands around them is passed over."""
    return list({one.id: one for one in reversed(list(_said(text)))}.values())[::-1]


def _said(text: str) -> Iterator[Said]:
    for item in objects_in(text):
        id, drops = item.get("id"), item.get("drops")
        if isinstance(id, str) and id.strip() and "verdict" in item:
            left_out = tuple(part for part in drops if isinstance(part, str)) if isinstance(drops, list) else ()
            verdict = " ".join(str(item["verdict"]).split())
            yield Said(id.strip(), verdict, _text(item, "why"), _text(item, "text"), left_out)


def _text(item: Mapping[str, Any], key: str) -> str:
    value = item.get(key)
    return safe(value) if isinstance(value, str) else ""


def judged_lines(done: Iterable[Judged], dry_run: bool = False) -> Lines:
    """What became of each verdict."""
    for one in done:
        title = safe_line(one.title or one.said.id)
        if one.fault:
            yield f"not taken: {safe_line(one.said.id)}: {safe_line(one.fault.message)}"
        elif dry_run:
            fate = "kept for a person" if one.waits else "done"
            yield f"would be {fate}: {safe_line(one.said.verdict)}: {title}"
        elif one.path:
            yield f"remembered {safe_line(one.path)}  ({one.commit[:8]})"
            yield from (f"  {safe_line(each.advice)}" for each in one.may_change)
        elif one.commit:
            yield f"done: {title}  ({one.commit[:8]})"
        elif one.waits:
            yield f"waits for a person: {title}"
        else:
            yield f"{safe_line(one.said.verdict)}: {title}{': ' if one.why else ''}{safe_line(one.why)}"
