"""Writing new memories: one that a person types, or several that a program gives."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from mdmem.acts.face import NOBODY, Face, GivenUpError
from mdmem.acts.signature import NONE, Opt, Parameter
from mdmem.acts.style import Aside, Json, Lines, Style, plain
from mdmem.acts.telling import beside, encode
from mdmem.acts.unwritten import offering
from mdmem.errors import StoppedError, UsageError
from mdmem.note import properties
from mdmem.note.memory import decode, stem
from mdmem.note.properties import PROPERTIES, RECORD_TYPES_OF, Property
from mdmem.note.terminal import safe_line
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write import remember as writing
from mdmem.write import succession
from mdmem.write.remember import TWIN_POLICIES, Draft, Remembered, Twin

if TYPE_CHECKING:
    from mdmem.garden.asking import MayChange

_SET_OTHERWISE = {"id", "updated", "session", "actor", "due", "branch", "code"}  # from the caller or the text
_SHOWN = ("type", "title", "tags")  # properties whose options stand in the help
_RECORDS = frozenset(RECORD_TYPES_OF.values())
_JSON = ("{", "[{", "[]")  # what that of a record begins with
_KINDS = {"number": "number", "flag": "flag", "list": "texts", "links": "texts"}


def _of_properties() -> Iterator[Parameter]:
    """A parameter for each property that can be given."""
    names = [*_SHOWN, *(name for name in PROPERTIES if name not in (*_SHOWN, *_SET_OTHERWISE))]
    return (_of_property(PROPERTIES[name]) for name in names)


def _of_property(known: Property) -> Parameter:
    kind = _KINDS.get(known.kind, "text")
    metavar = {"list": "TEXT", "links": "NAME"}.get(known.kind)
    opt = Opt(
        f"{known.help[0].upper()}{known.help[1:]}.",
        "-t --tag --tags" if known.name == "tags" else "",
        metavar,
        known.choices,
        least=0 if kind == "number" else None,
        most=None if known.high == float("inf") else known.high,  # only a number has one
        is_hidden=known.name not in _SHOWN,
    )
    return Parameter(known.name, kind, () if kind == "texts" else None, opt)


class Written(NamedTuple):
    """New memories, with the near twins of each, and what they may change; `are_parts` of one text."""

    memories: Sequence[Remembered]
    twins: Sequence[Sequence[Twin]]
    questions: Sequence[MayChange]
    are_parts: bool = False

    @property
    def path(self) -> str:
        """The first of them."""
        return self.memories[0].path

    @property
    def commit(self) -> str:
        """That of all."""
        return self.memories[0].commit

    def json(self) -> Any:
        """Each with its twins (`score` is 0-1) and the older ones that it may repeat or change."""
        values = [
            {**encode(one), "twins": like, **may_change(self.questions, one.path)}
            for one, like in zip(self.memories, self.twins, strict=True)
        ]
        return {"memories": values} if self.are_parts else values[0]

    def lines(self, style: Style = plain) -> Lines:
        """The questions, then each path."""
        del style
        yield from question_lines(self.questions)
        for one in self.memories:
            yield f"remembered {one.path}  ({one.commit[:8]})"


def may_change(questions: Iterable[MayChange], path: str) -> Json:
    """The older memories that the new one at a path may repeat or change, as JSON."""
    return {"may_change": [one for one in questions if one.new == stem(path)]}


def question_lines(questions: Iterable[MayChange]) -> Iterator[Aside]:
    """What to ask about new memories, with the command that settles it."""
    return (beside(one.advice) for one in questions)


def questions_on(
    vault: Vault, paths: Collection[str], apart: Collection[str] = (), by_meaning: bool = False
) -> Sequence[MayChange]:
    """What to ask about new memories, see `asking.asked`."""
    from mdmem.garden import asking

    return asking.asked(vault, paths, apart, by_meaning=by_meaning)


def remember(
    vault: Vault,
    who: Caller,
    text: str = "-",
    *,
    given: Annotated[Mapping[str, Any], _of_properties] = NONE,
    name: str = "",
    set: Mapping[str, Any] = NONE,
    edit: bool = False,
    twins: Annotated[str, TWIN_POLICIES] = "",
    split: bool = False,
    reason: str = "",
    face: Face = NOBODY,
) -> Written:
    """Write a new memory, as one file and one commit.

    TEXT is the memory; "-" or nothing reads it from standard input. It may be a whole note with its
    properties on top. Existing near-duplicates are shown before anything is written. A text that says several
    things is better split: --split does so, at a terminal mdmem asks. With the --type of a record, TEXT may be
    JSON, of the whole record or of its payload; one that is not valid is not written (mdmem guide records).

    \b
    Examples:
      mdmem remember "User prefers tables over prose" --type preference -t formatting
      git log -1 --format=%B | mdmem remember --title "Why the cache went" -t cache
      mdmem remember --edit --type decision
    """
    if edit:
        face.require_editor('pipe the text in, or give it: mdmem remember "..."')
    with _source(face, vault, text, given, edit) as source:
        values = succession.resolved(vault, properties_of(given, set))
        if not (source.strip() or values.get("title")):
            hint = 'give a text, or a title: mdmem remember "..."; or pipe a text in, or write it with --edit'
            raise UsageError("there is nothing to remember", hint)
        if (type := values.get("type")) in _RECORDS and (edit or is_json(source)):
            draft = draft_of(vault, source, type, who, values, name)
            return Written([_record(vault, draft, type, who, reason)], [()], ())
        draft = writing.draft_from(source, values, name, writing.name_rule(vault))
        drafts = _split(face, writing.placed(draft, who.project), split)
        policy = twins or ("ask" if face.is_there else "refuse-same")
        like = [writing.weigh_twins(vault, part, policy, lambda: _confirm(face)) for part in drafts]
        with offering(vault, drafts, who):
            if len(drafts) > 1:
                done = writing.remember_all(vault, drafts, who, reason)
            else:  # also tells if it could be split
                done = [writing.remember(vault, drafts[0], who, reason)]
        told = {twin.record.path for each in like for twin in each}
        return Written(done, like, questions_on(vault, [one.path for one in done], told), split)


def is_json(text: str) -> bool:
    """Whether a text is meant as the JSON of a record."""
    return text.lstrip("\ufeff \r\n\t").startswith(_JSON)


def draft_of(vault: Vault, text: str, type: str, who: Caller, values: Mapping[str, Any], name: str) -> Draft:
    """A new record of a type: of a text, a whole note, or JSON of a record or of its payload."""
    if not is_json(text):
        return writing.draft_from(text, values, name)
    from mdmem.systems.membrane import revision

    draft = revision.from_json(vault, text, type, who, name)
    return draft._replace(properties={**draft.properties, **values})


def _record(vault: Vault, draft: Draft, type: str, who: Caller, reason: str) -> Remembered:
    from mdmem.systems.membrane import revision

    with offering(vault, [draft], who):
        return revision.add(vault, draft, type, who, reason)


def properties_of(given: Mapping[str, Any], others: Mapping[str, Any]) -> Json:
    """Properties to write. None has a default, which would override the properties of a whole note."""
    values: Json = {}
    for name, value in given.items():
        if isinstance(value, str):
            values[name] = properties.read_value(name, value)
        elif isinstance(value, Sequence):
            read = [properties.read_value(name, text) for text in value]
            values[name] = list(
                dict.fromkeys(item for one in read for item in (one if isinstance(one, list) else [one]))
            )
        else:
            values[name] = value
        properties.require_fit(name, values[name])
    return values | {
        key: properties.read_value(key, value) if isinstance(value, str) else value
        for key, value in others.items()
    }


def _split(face: Face, draft: Draft, wanted: bool) -> list[Draft]:
    """The memories to write: one for each thing the draft says, if `wanted` or agreed to, else the draft."""
    if wanted and (draft.name or writing.OF_ONE & draft.properties.keys()):
        raise UsageError("--split makes a name and a title for each memory", "leave out --name, title and id")
    parts = writing.split(draft)
    if len(parts) == 1 or wanted:
        return parts
    if face.is_there:
        for part in parts:
            face.say(f"  {part.title}")
        wanted = face.agrees(f"This says {len(parts)} things. Make a memory of each?")
    return parts if wanted else [draft]


def _confirm(face: Face) -> None:
    if not face.agrees("Write it anyway?"):
        raise GivenUpError("Stopped; nothing was changed.")


@contextmanager
def _source(face: Face, vault: Vault, typed: str, given: Mapping[str, Any], edit: bool) -> Lines:
    """The text to remember: what was typed, standard input, or what the person writes in an editor."""
    if edit:
        template = template_of(vault, given.get("type") or "note", given.get("title") or "", face)
        with face.edited(
            vault, "new", template + ("" if typed == "-" else typed).encode("utf-8", "surrogateescape")
        ) as written:
            yield decode(written, "the text")
    else:
        yield face.text() if typed == "-" else typed


def template_of(vault: Vault, type: str, title: str, face: Face) -> bytes:
    """The template for this type, filled in: the vault's own, or the one shipped with mdmem."""
    import os

    from mdmem.store.vault import starter

    own = os.path.join(vault.root, vault.config.templates, f"{type}.md")
    template = own if os.path.isfile(own) else os.path.join(starter.share("templates"), f"{type}.md")
    with open(template, "rb") as file:
        return starter.fill(decode(file.read(), template), title, face.caller().now).encode()


# -- by a program


class Item(NamedTuple):
    """A memory to write."""

    text: str
    title: str = ""
    type: str = ""
    tags: Sequence[str] = ()
    project: str = ""
    replaces: str = ""


class Saved(NamedTuple):
    """What became of an item: the memory that was written, or the name of what `said` the same; and a near one.

    It `waits` where the settings have a person decide on what an agent remembers.
    """

    memory: Remembered | None
    said: str = ""
    near: str = ""
    questions: Sequence[MayChange] = ()
    waits: bool = False


def save(vault: Vault, who: Caller, items: Sequence[Item]) -> list[Saved]:
    """Save several memories in one commit, or have a person decide, and skip what is said; what became of each."""
    found: list[Saved] = []
    drafts: dict[int, Draft] = {}  # by the number of the item
    for number, item in enumerate(items):
        draft = _draft(vault, who, item)
        _refuse_secret(number, draft.text)
        twins = writing.near_twins(vault, draft)
        if same := writing.same_among(vault, draft, twins):
            found.append(Saved(None, safe_line(same.record.name)))
        elif any(writing.says_the_same(draft.text, other.text) for other in drafts.values()):
            found.append(Saved(None, "an item before it"))
        else:
            drafts[number] = draft
            found.append(
                Saved(None, near=f"{twins[0].likeness} as {safe_line(twins[0].record.name)}" if twins else "")
            )
    if not drafts:
        return found
    new = list(drafts.values())
    if vault.config.mcp.keep == "ask":
        from mdmem.capture.inbox import filling

        filling.offer(vault, new, who)
        for number in drafts:
            found[number] = found[number]._replace(waits=True)
        return found
    done = writing.remember_all(vault, new, who)
    questions = questions_on(vault, [each.path for each in done], by_meaning=True)
    for number, each in zip(drafts, done, strict=True):
        asked = [one for one in questions if one.new == stem(each.path)]
        found[number] = found[number]._replace(memory=each, questions=asked)
    return found


def _draft(vault: Vault, who: Caller, item: Item) -> Draft:
    given = {"title": item.title, "type": item.type, "tags": item.tags, "project": item.project}
    replaced = {"supersedes": [item.replaces]} if item.replaces else NONE
    resolved = succession.resolved(
        vault, properties_of({name: value for name, value in given.items() if value}, replaced)
    )
    return writing.placed(writing.draft_from(item.text, resolved, rule=writing.name_rule(vault)), who.project)


def _refuse_secret(number: int, text: str) -> None:
    """Raise StoppedError that names the item: the check at writing would not say which of many it is."""
    from mdmem.write import secrets

    if leak := next(iter(secrets.found(text)), None):
        raise StoppedError(
            f"items.{number}: line {leak.line} seems to hold a secret ({leak.kind}); nothing was written",
            "take it out and name where it is kept",
        )
