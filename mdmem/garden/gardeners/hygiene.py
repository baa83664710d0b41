"""Hygiene: repairs names, links, fields, ids, tags and old tasks if the fix is obvious, and reports the rest."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache, partial
from operator import methodcaller
from posixpath import dirname, join
from typing import Any

from mdmem.errors import Problem
from mdmem.garden.gardeners import decay, split
from mdmem.garden.gardeners.edits import Workspace
from mdmem.garden.gardeners.note import Ground, Note, by_age
from mdmem.garden.gardeners.proposal import Evidence, Found, GardenSettings, Proposal, attempt
from mdmem.language.roots import singular
from mdmem.language.sureness import SURE
from mdmem.note import links, memory, naming, titles, tsv
from mdmem.note.links import LinkPlace
from mdmem.store import layout
from mdmem.store.index.edges import fold_target, written_targets

_NEAR, _CLEAR, _AHEAD = 80, 90, 5  # likeness of link targets, in percent: worth naming, clear, lead over the next
REQUIRED = ("id", "title", "created", "category")  # not type: that nobody gave one does not tell which it is
_DATED_NAME = re.compile(r"\d{4}-\d\d(?:-\d\d)?\b.*")
_NAME = "hygiene"


def plan(ground: Ground, settings: GardenSettings, today: datetime) -> Iterator[Found]:
    """The findings of every rule for all notes."""
    yield from _twin_ids(ground)
    yield from _dangling(ground)
    for note in ground.notes:
        yield from (*_fields(ground, note), *_past(ground, note, today.date()), *_oversized(note, settings))
    if settings.scope == "all":  # in an adopted vault its owner's way of naming, tagging and linking holds
        yield from _tags(ground)
    if settings.scope == "all" and not settings.own_names:
        yield from _names(ground)


def _edit(
    ground: Ground,
    note: Note,
    edit: Callable[[Workspace], None],
    title: str,
    sure: float,
    why: Evidence,
    action: str = "revise",
    **more: Any,
) -> Found:
    """The proposal to edit a note, or the problem that keeps it from being made."""

    def made() -> Proposal | None:
        work = Workspace(ground, _NAME)
        edit(work)
        return work.proposal(action, title, sure, [why], [note], **more)

    return attempt(_NAME, note.path, made)


# -- ids and names -----------------------------------------------------------------------------------------


def _twin_ids(ground: Ground) -> Iterator[Found]:
    groups: dict[str, list[Note]] = defaultdict(list)
    for note in ground.notes:
        if note.text("id"):
            groups[note.id].append(note)
    for group in groups.values():
        first, *copies = by_age(group)
        for note in copies:
            why = Evidence(note.path, note.line_of("id"), f"has the id of {first.path}")
            title = f"give {note.name} an id of its own: it has that of {first.name}"
            edit = methodcaller("set", note, id=memory.derived_id(note.path, note.id))
            yield _edit(ground, note, edit, title, SURE["id"], why, certain=True)


def _names(ground: Ground) -> Iterator[Found]:
    given: set[str] = set()
    for note in ground.notes:
        findings = naming.check(note.name)
        too_long = note.name.count("_") >= naming.LONG_WORDS
        is_ours = note.text("id")  # what a person wrote is theirs to name
        if note.broken or not is_ours or not findings or not (findings[0].severity == "error" or too_long):
            continue
        name = ground.free_name(note.title, note.body, given, note.path)
        if memory.fold(name) == memory.fold(note.name):
            continue  # it has the best name, or only the case differs: some systems cannot hold both at once
        is_wrong = findings[0].severity == "error"
        kind = "name.dated" if _DATED_NAME.fullmatch(note.name) else "name.wrong" if is_wrong else "name.long"
        said = ", ".join(finding.message for finding in findings)
        edit = methodcaller("move", note, join(dirname(note.path), name + ".md"))
        why, lost = Evidence(note.path, 0, f"the name {said}"), f"the name {note.name}"
        yield _edit(ground, note, edit, f"rename {note.name} to {name}", SURE[kind], why, "rename", lost=lost)


# -- links -------------------------------------------------------------------------------------------------


def likely_target(target: str, known: Sequence[str]) -> tuple[str, bool]:
    """The name that a dangling target probably means ("" if none is near), and whether that is beyond doubt."""
    from rapidfuzz import fuzz, process

    near = process.extract(target, known, scorer=fuzz.ratio, score_cutoff=_NEAR, limit=2)
    if not near:
        return "", False
    (best, score, _), runner_up = near[0], near[1][1] if len(near) > 1 else 0.0
    return best, _is_slip(target, best) and score >= _CLEAR and score - runner_up >= _AHEAD


def _is_slip(one: str, two: str) -> bool:
    """Whether two names differ only by a typo: in how words are joined, or by a letter of a long word.

    `server_east` and `server_west`, `draft_a` and `draft_b`, `q1` and `q2` are two things.
    """
    from rapidfuzz import fuzz

    left, right = (re.split(r"[\W_]+", name) for name in (one, two))
    if "".join(left) == "".join(right):
        return True
    pairs = list(zip(left, right, strict=False))
    return len(left) == len(right) and all(
        a == b or (a[:1] == b[:1] and a.isalpha() and b.isalpha() and fuzz.ratio(a, b) >= _NEAR) for a, b in pairs
    )


def _dangling(ground: Ground) -> Iterator[Found]:
    known = ground.names()
    there = {*known, *map(fold_target, ground.elsewhere)}
    likely = cache(partial(likely_target, known=known))  # many notes can link to one that is not there
    for note in ground.notes:
        missing = {target: line for target, _, line in reversed(note.links) if target not in there}
        plain: dict[str, Note] = {}
        written = written_targets(note.meta, note.body) if missing else {}
        for target, line in sorted(missing.items(), key=lambda found: (found[1], found[0])):
            name, is_plain = likely(target)
            one = ground.one(name) if is_plain else None
            if one is not None and one.path != note.path and not note.is_episode:
                plain[target] = one
            elif name:
                message = f"links to [[{written.get(target, target)}]], which is not there"
                fix = f"did you mean [[{ground.by_path[ground.named(name)[0]].name}]]?"
                yield Problem("link-dangling", note.path, line, message, fix, "warning")
        if plain:
            yield attempt(_NAME, note.path, _relinked, ground, note, plain, missing)


def _relinked(ground: Ground, note: Note, plain: Mapping[str, Note], lines: Mapping[str, int]) -> Proposal | None:
    def rename(place: LinkPlace) -> str | None:
        found = plain.get(fold_target(place.target))
        if found is None:
            return None
        return found.name if place.wiki else layout.relative(found.path, note.path)

    work = Workspace(ground, _NAME)
    text = note.data.removeprefix(memory.BOM).decode()
    bom = note.data[: len(note.data) - len(text.encode())]
    work.write(note, bom + links.replace(text, rename).encode())
    why = tuple(
        Evidence(note.path, lines[target], f"[[{target}]] is not there, {found.path} is", 0.9)
        for target, found in plain.items()
    )
    said = ", ".join(f"{target} to {found.name}" for target, found in plain.items())
    about = [note, *plain.values()]
    return work.proposal("revise", f"fix links of {note.name}: {said}", SURE["link"], why, about, certain=True)


# -- fields, tasks, sizes ----------------------------------------------------------------------------------


def _fields(ground: Ground, note: Note) -> Iterator[Found]:
    has = {
        "id": note.id,
        "title": note.title if note.title == titles.named(note.name) else "",
        "created": note.created,
        "category": "past",
    }
    missing = [key for key in REQUIRED if note.meta.get(key) in (None, "", []) and has[key]]
    if missing and not note.broken:
        why = Evidence(note.path, 1, f"lacks {', '.join(missing)}")
        edit = methodcaller("adopt", note, **{key: has[key] for key in missing})
        yield _edit(ground, note, edit, f"add {', '.join(missing)} to {note.name}", SURE["fields"], why)


def _past(ground: Ground, note: Note, today: date) -> Iterator[Found]:
    over = decay.lapse(note, today)
    if over is not None:
        title = f"{note.name} is past: {over.reason}"
        edit = methodcaller("set", note, category="past")
        yield _edit(ground, note, edit, title, over.sure, over.why, certain=over.certain)


def _oversized(note: Note, settings: GardenSettings) -> Iterator[Found]:
    if split.is_oversized(note, settings):
        message = f"has {note.size} tokens, over {settings.oversize_tokens}"
        fix = "one concept, one note: mdmem garden --only split --min-confidence 0.5 may know how"
        yield Problem("note-long", note.path, 0, message, fix, "warning")


# -- tags --------------------------------------------------------------------------------------------------


def _tags(ground: Ground) -> Iterator[Found]:
    """One spelling for each tag: the one used most."""
    tagged: defaultdict[str, list[int]] = defaultdict(list)  # tag -> places of the notes that have it
    for at, note in enumerate(ground.notes):
        for tag in set(note.tags):
            tagged[tag].append(at)
    counts = {tag: len(places) for tag, places in tagged.items()}
    groups: dict[str, list[str]] = defaultdict(list)
    for tag in sorted(counts):
        groups[tag_key(tag)].append(tag)
    for spellings in groups.values():
        if len(spellings) > 1:
            best = max(spellings, key=lambda tag: (counts[tag], len(tag), tag))
            places = sorted({at for tag in spellings if tag != best for at in tagged[tag]})
            yield attempt(_NAME, "", _respelled, ground, [ground.notes[at] for at in places], best, spellings)


def tag_key(tag: str) -> str:
    """A key that all spellings of one tag share: it ignores case, separators, plural and short forms."""
    words = re.split(r"[-_\s]+", tag.casefold())
    short = _short()
    if words[-1] not in short:
        words[-1] = singular(words[-1])
    return "".join(short.get(word, word) for word in words)


@cache
def _short() -> dict[str, str]:
    """Short forms that are common in tags -> what they stand for."""
    return dict(tsv.rows(__file__, "short.tsv", 2))


def _respelled(ground: Ground, notes: Sequence[Note], best: str, spellings: Sequence[str]) -> Proposal | None:
    work = Workspace(ground, _NAME)
    others = [tag for tag in spellings if tag != best]
    about, why = [], []
    for note in notes:
        if not note.broken and not note.is_episode:
            tags = list(dict.fromkeys(best if tag in others else tag for tag in note.tags))
            work.set(note, tags=tags)
            about.append(note)
            why.append(Evidence(note.path, note.line_of("tags"), f"tags: {', '.join(note.tags)}"))
    title = f"write the tag {best} for {', '.join(others)}"
    return work.proposal("revise", title, SURE["tag"], why, about)
