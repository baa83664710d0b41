"""Weighs captured proposals against the vault: what is new, what corrects a memory, what is known already."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise, repeat

from mdmem.capture import triggers, worth
from mdmem.capture.proposals import WRITTEN, CaptureDecision, CaptureProposal
from mdmem.errors import MdmemError
from mdmem.language import roots
from mdmem.note import naming
from mdmem.note.calendar import TIMES
from mdmem.store.index import alike
from mdmem.store.index.port import IndexedNote
from mdmem.store.progress import Progress, silent
from mdmem.store.vault.vault import Vault
from mdmem.write import guard, remember, secrets
from mdmem.write.remember import Draft, Twin
from mdmem.write.secretrules import OwnRules

_ECHO = 85  # rapidfuzz's partial ratio from which a sentence counts as put there by recall (0-100)
_SHARED = 0.3  # of its word pairs that must be in that text; comparing all texts by letters is slow
_CANDIDATES = 20  # memories that are searched for one that a correction contradicts
_SEARCHED = 100  # proposals that are searched for secrets at once
_KEPT = 64  # texts that are kept: the same long ones are compared with all that a chat says
_NEARBY = 50  # later proposals that are searched for one that says the same
_TAKES_BACK = re.compile(
    r"\b(?:wrong|incorrect|mistaken|not (?:right|true|correct|so)"
    r"|(?:scratch|strike|forget|disregard) (?:that|it|what)|falsch|stimmt nicht)\b",
    re.I,
)


_Read = Callable[[str], str]  # the text of a memory, by path
_Near = Callable[[str, str, str], list[Twin]]  # the twins of a text and its title, and of what was spoken
_Echo = tuple[str, frozenset[tuple[str, str]]]  # a text that recall put into the chat, and its pairs of words


def weigh(
    vault: Vault,
    proposals: Sequence[CaptureProposal],
    shown: Collection[str] = (),
    progress: Progress = silent,
    allow_secret: bool = False,
) -> tuple[CaptureDecision, ...]:
    """What is to become of each proposal. `shown` are texts that recall or a session put into the chat.

    `progress` gets (done, total). A proposal with a secret is not to be written, unless `allow_secret`.
    """
    echoes = [_echo(text) for text in shown]
    decisions: list[CaptureDecision] = []
    read = lru_cache(_KEPT)(vault.index.body)
    near: _Near = cache(lambda text, title, said: remember.near(vault, Draft(text, {"title": title}), said, read))
    leaks = repeat("") if allow_secret else _leaks(guard.own_rules(vault), proposals)
    for done, (proposal, leak) in enumerate(zip(proposals, leaks, strict=False)):
        progress(done, len(proposals))
        decided = hidden(proposal, leak) if leak else _decided(vault, proposal, echoes, near, read)
        decisions.append(decided._replace(proposal=decided.proposal._replace(before="")))  # it may hold a secret
    return tuple(_without_repeats(decisions))


def texts_of(vault: Vault, ids: Collection[str]) -> Iterator[str]:
    """The titles and texts of memories, such as those that a session was shown."""
    for id in ids:
        for record in vault.index.with_id(id):
            yield f"{record.title}\n{vault.index.body(record.path)}"


def _decided(
    vault: Vault, proposal: CaptureProposal, echoes: Sequence[_Echo], near: _Near, read: _Read
) -> CaptureDecision:
    """What is to become of a proposal without a secret: what nothing speaks against is new."""
    if _is_echo(proposal, echoes):
        return CaptureDecision(proposal, "recalled", "recall put this into the chat")
    twins = near(proposal.draft.text, proposal.draft.title, proposal.spoken)
    in_force = [twin for twin in twins if _is_in_force(twin.record)]
    turned = next((twin.record for twin in in_force if twin.is_turned), None)
    for twin in twins if turned is None else ():  # one that was replaced counts if it is from the same line
        is_known = twin in in_force or bool(_refs(proposal.draft.properties) & _refs(twin.record.meta))
        if is_known and _says_nothing_new(read, proposal, twin):
            since = "" if twin in in_force else ", and replaced since:"
            return CaptureDecision(proposal, "twin", f"{twin.likeness}{since}", twin.record)
    try:
        remember.require_fit(proposal.draft, remember.name_rule(vault))
        remember.require_free(vault, proposal.draft)
    except MdmemError as error:
        return CaptureDecision(proposal, "problem", error.message)
    old = turned or _replaced(vault, proposal, in_force)
    return (
        CaptureDecision(proposal, "update", f"replaces {old.name}", old)
        if old
        else CaptureDecision(proposal, "new", proposal.why)
    )


def _replaced(vault: Vault, proposal: CaptureProposal, twins: Sequence[Twin]) -> IndexedNote | None:
    """The memory that a proposal corrects; `twins` are those in force of nearly the same words."""
    if proposal.trigger != "correction":
        return None
    return twins[0].record if twins else _about(vault, proposal)


def _leaks(own: OwnRules, proposals: Sequence[CaptureProposal]) -> Iterator[str]:
    """The kinds of secrets in each proposal, "" for none.

    Some only the sentence before tells: "the password is". Most have none: one search is enough for many.
    """
    for start in range(0, len(proposals), _SEARCHED):
        batch = proposals[start : start + _SEARCHED]
        texts = [
            (_said(one), [f"{before}\n{one.draft.text}" for before in one.before.split("\n") if before.strip()])
            for one in batch
        ]
        is_clear = not secrets.found("\n\n".join("\n\n".join([said, *told]) for said, told in texts), own)
        for said, told in texts:
            announced = (leak.kind for text in told for leak in secrets.found(text, own) if leak.line > 1)
            yield "" if is_clear else secrets.kinds(said, own) or ", ".join(dict.fromkeys(announced))


def _said(proposal: CaptureProposal) -> str:
    """Everything of a proposal that would be written or shown."""
    parts = (proposal.draft.words, proposal.quote, proposal.spoken, proposal.context)
    return "\n".join(part for at, part in enumerate(parts) if not any(part in other for other in parts[:at]))


def _about(vault: Vault, proposal: CaptureProposal) -> IndexedNote | None:
    """The memory in force that says what a correction corrects, or that corrected it before and quotes it."""
    if not _takes_back(proposal):
        return None
    context = triggers.without_opener(proposal.context)
    twins = [twin.record for twin in remember.near_twins(vault, Draft(context, {}))]
    quoting = (
        record
        for record in alike.candidates(vault.index, " ".join(naming.words_of(context)), _CANDIDATES)
        if remember.normal(context) in remember.normal(vault.index.body(record.path))
    )
    return next((record for record in (*twins, *quoting) if _is_in_force(record)), None)


def _takes_back(correction: CaptureProposal) -> bool:
    """Whether a correction is surely about its context: it says so, is about "it", or both speak of one thing.

    Otherwise the sentence before it may be about something else, and is not corrected: "it is at ten" is not
    about a sentence without a number or time.
    """
    context = correction.context
    if not context:
        return False
    shared = naming.telling(correction.spoken) & naming.telling(context)
    said = correction.quote
    points = worth.points(said) and (_gives_value(context) or not _gives_value(said))
    return bool(shared or points or _TAKES_BACK.search(said))


def _gives_value(text: str) -> bool:
    """Whether a text has a number, in digits or in words, or a time."""
    words = {*naming.words_of(text.lower())} - {"one"}
    return any(word in TIMES or word[0].isdigit() or roots.root(word).isdigit() for word in words)


def _is_in_force(record: IndexedNote) -> bool:
    """Whether a memory still holds. Repeating what was deprecated says something new."""
    return record.status not in ("deprecated", "retracted")


def _refs(properties: Mapping[str, object]) -> set[str]:
    given = properties.get("provenance")
    return {str(item.get("ref")) for item in given if isinstance(item, dict)} if isinstance(given, list) else set()


def hidden(proposal: CaptureProposal, kinds: str) -> CaptureDecision:
    """The decision on a proposal that holds secrets of these kinds, without the words of the proposal."""
    bare = proposal._replace(quote="", context="", before="", spoken="", draft=Draft("", {}))
    return CaptureDecision(bare, "secret", f"holds a secret, {kinds}: not saved")


def _echo(text: str) -> _Echo:
    """A text, normalised for comparison, and its pairs of words."""
    said = remember.normal(text)
    return said, frozenset(pairwise(said.split()))


def _is_echo(proposal: CaptureProposal, echoes: Sequence[_Echo]) -> bool:
    from rapidfuzz import fuzz

    said, pairs = _echo(proposal.quote)
    return len(said.split()) > 3 and any(
        len(said) <= len(text)
        and len(pairs & there) >= _SHARED * len(pairs)
        and fuzz.partial_ratio(said, text) >= _ECHO
        for text, there in echoes
    )


def _says_nothing_new(read: _Read, proposal: CaptureProposal, twin: Twin) -> bool:
    """Whether the twin of a proposal has all its content words and numbers, and does not deny it."""
    if twin.is_denied:
        return False
    known = _telling(f"{twin.record.title} {read(twin.record.path)}")
    return naming.telling(proposal.spoken or proposal.draft.text) <= known


@lru_cache(64)  # a long memory may be the twin of all that a chat says
def _telling(text: str) -> frozenset[str]:
    return frozenset(naming.telling(text))


def _without_repeats(decisions: Sequence[CaptureDecision]) -> list[CaptureDecision]:
    """The decisions. Of proposals that say the same, only the last is kept, as the latest word counts."""
    kept: list[CaptureDecision] = []
    seen: list[CaptureDecision] = []
    for decision in reversed(decisions):
        near = seen[-_NEARBY:]
        later = next((one for one in near if _same(one.proposal, decision.proposal)), None)
        repeats = later and decision.verdict in WRITTEN
        reason = f"said again in line {later.proposal.line}" if later else ""
        kept.append(decision._replace(verdict="repeated", reason=reason) if repeats else decision)
        if decision.verdict in (*WRITTEN, "twin"):
            seen.append(decision)
    return kept[::-1]


def _same(later: CaptureProposal, earlier: CaptureProposal) -> bool:
    if later.trigger == "correction" and _takes_back(later):
        said = earlier.quote, triggers.without_opener(earlier.quote), earlier.spoken
        if earlier.trigger == "correction" and earlier.context == later.context and worth.points(earlier.quote):
            return True
        if remember.normal(triggers.without_opener(later.context)) in map(remember.normal, said):
            return True
    new, old = (one.spoken or one.draft.text for one in (later, earlier))
    return remember.likeness(new, old) >= remember.TWIN and _telling(old) <= _telling(new)
