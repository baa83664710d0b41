"""New memories: `remember` writes one, after a search for existing near twins."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from mdmem.errors import ConflictError, NoteError, UsageError
from mdmem.note import fields, links, memory, moments, naming, patterns, properties, sentences, titles
from mdmem.note.yamltext import Value
from mdmem.store import layout
from mdmem.store.index.port import IndexedNote
from mdmem.store.operation import Caller
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault
from mdmem.write import succession

TWIN = 0.85  # similarity of wording from which two memories are twins (0-1)
SAME = 0.97  # similarity of characters from which two texts are the same (0-1)
TWIN_POLICIES = ("ask", "warn", "refuse-same", "refuse", "ignore")
_TITLE_TWIN = 0.92
_TWINS_SHOWN = 3
_CANDIDATES = 20
_COMPARED = 5_000  # characters of a text that are compared
_FREE, _LOW = 74, 62  # random bits of a UUID v7, and how many of them follow the variant
_GIVEN = "the text given"  # stands for a file's path
SPLIT_HINT = "--split makes a memory of each, which recall finds and updates more exactly"
OF_ONE = {"title", "id"}  # properties that only one memory can have
_RETIRED = ("deprecated", "retracted")
_MOST_WORDS = 40  # of a text whose day is the day of all that it says
# Without a digit and any of these words a text names no day and begins no task; a closer reading takes long.
_WHEN = frozenset(
    "tomorrow yesterday tonight day days week weeks weekend month months year years fortnight next last "
    "monday tuesday wednesday thursday friday saturday sunday todo do open pending follow followup action "
    "until remind forget remember morgen übermorgen gestern vorgestern heute tag tagen woche wochen "
    "wochenende monat monaten monats monatsende jahr jahre jahren nächste nächster nächstes montag "
    "dienstag mittwoch donnerstag freitag samstag sonnabend sonntag tun offen offene bis erinner erinnere "
    "vergessen vergiss hoy mañana ayer anteayer día días semana semanas mes meses año años lunes martes "
    "miércoles miercoles jueves viernes sábado sabado domingo siguiente siguientes próximo próximos hacer "
    "pendiente pendientes hasta recuérdame recuérdanos olvides olvidar demain hier jour jours semaine "
    "semaines mois il dans dernier prochain passé année lundi mardi mercredi jeudi vendredi samedi "
    "dimanche prochaine prochaines prochains faire suspens jusqu rappelle oublier noublie pense lan "
    "lannée jusquà jusquau".split()
)
_NUMBER = patterns.late(r"\d+")
# Relations that build on a memory; a memory that is replaced or contradicted was not used.
_BUILDS_ON = ("supports", "related_to", "derived_from")
# recall's form of citing a line: path:line@commit; like a name, it is only tried where a run of its signs begins
_PLACE = patterns.late(r"(?<![^\s/\[\]()`\"'])([^\s/\[\]()`\"']+)\.md:\d+")
_NAME = patterns.late(r"(?<![^\W_])[^\W_]+(?:_[^\W_]+){2,}")  # the name of a note, which has at least three words
_LEADING_BLANK = patterns.late(r"\A(?:[ \t]*\r?\n)+", needs="\n")


NameRule = Callable[[str], list[naming.NameFinding]]


class Draft(NamedTuple):
    """A memory to write: its text and properties (title, type, tags, ...). `name` is "" to have one made.

    A title is only among the properties if somebody gave one. A name is made from what the memory is `called`, ""
    for its title, or if that is too short, from the `subject`, or else from the text.
    """

    text: str
    properties: Mapping[str, Value]
    name: str = ""
    subject: str = ""
    called: str = ""

    @property
    def title(self) -> str:
        """The title that the memory would be shown with, except that it may be named by its file."""
        given, kind = (memory.as_text(self.properties.get(key)) for key in ("title", "type"))
        return given or titles.of_text(self.text, kind)

    @property
    def words(self) -> str:
        """Everything that would be written, each value on lines of its own."""
        return "\n".join([self.name, *texts_of(list(self.properties.values())), self.text])


class Twin(NamedTuple):
    """A memory that says nearly the same, or just `has_the_title`; `score` is how similar that is, 0-1.

    One that `is_turned`, the same comparison the other way round, `is_changed`, another value, or `is_denied`
    is not a twin.
    """

    record: IndexedNote
    score: float
    has_the_title: bool = False
    is_turned: bool = False
    is_changed: bool = False
    is_denied: bool = False

    @property
    def likeness(self) -> str:
        """`93 % the same`, or `93 % the same title`."""
        return f"{round(self.score * 100)} % the same{' title' if self.has_the_title else ''}"


class Remembered(NamedTuple):
    """What `remember` wrote: the memory's path, id and title, and the commit's id."""

    path: str
    id: str
    title: str
    commit: str


def texts_of(value: Value) -> Iterator[str]:
    """The texts in a property's value; those in lists and maps too, the latter each with its key."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts_of(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (f"{key}: {text}" for text in texts_of(item))


def draft_from(text: str, properties: Mapping[str, Value], name: str = "", rule: NameRule = naming.check) -> Draft:
    """A draft from the input of a person or tool: a plain text, or a whole note with its header.

    Given properties take precedence over those of the header; `rule` checks the name, see `name_rule`. Raises
    NoteError for a header that cannot be parsed, and UsageError like `remember`.
    """
    text = _LEADING_BLANK.sub("", text.removeprefix("\ufeff"))
    note = memory.parse(text.encode("utf-8", "surrogateescape"), _GIVEN)
    if note.problems:
        raise NoteError(note.problems[0])
    given = {key: value for key, value in properties.items() if value is not None}
    return require_fit(Draft(_LEADING_BLANK.sub("", note.body).rstrip(), {**note.meta, **given}, name), rule)


def placed(draft: Draft, project: str) -> Draft:
    """A draft with the project in which it is written, unless it has one; preferences are those of a person."""
    is_everybodys = not project or draft.properties.get("type") == "preference"
    return draft if is_everybodys else draft._replace(properties={"project": project, **draft.properties})


def in_place(vault: Vault, draft: Draft, caller: Caller) -> Draft:
    """A draft with the code that it names and the branch it is written on, unless it says so itself."""
    if not caller.folder:
        return draft
    from mdmem.write import evidence

    found = evidence.noticed(vault, draft.text, draft.properties, caller) or {}
    return draft._replace(properties={**found, **draft.properties})


def split(draft: Draft) -> list[Draft]:
    """A draft for each of the several facts in a text, each to be given a name and title.

    Just the draft itself if it states one fact, or if a name, title or id was chosen for it.
    """
    if draft.name or OF_ONE & draft.properties.keys():
        return [draft]
    line = draft.text.strip()
    if "\n" not in line and len(list(sentences.split(line))) < 2:
        return [draft]
    from mdmem.write import facts  # loads tables of verbs, which takes long

    return [draft._replace(text=fact) for fact in facts.several(draft.text)] or [draft]


def name_rule(vault: Vault) -> NameRule:
    """The check for names given in a vault; with names of its owner's it only rejects what no file can have."""
    config = vault.config
    return naming.check_for_obsidian if config.is_adopted or config.has_own_names else naming.check


def require_fit(draft: Draft, rule: NameRule = naming.check) -> Draft:
    """The draft without empty properties, if it can be written. Raises UsageError."""
    given: dict[str, Value] = {key: value for key, value in draft.properties.items() if value not in (None, "")}
    if not draft.text.strip() and not given.get("title"):
        raise UsageError("there is nothing to remember", "give a text, or a title")
    properties.require_utf8(draft.text)
    for key, value in given.items():
        properties.require_fit(key, value)
    name = draft.name.removesuffix(".md")
    if name:
        require_good_name(name, rule, "; or let mdmem make one")
    return draft._replace(properties=given, name=name)


def normal(text: str) -> str:
    """A text normalized for comparison: words in lower case, single spaces."""
    from rapidfuzz import utils

    return " ".join(utils.default_process(text).split())


def near_twins(vault: Vault, draft: Draft) -> list[Twin]:
    """Memories that already say nearly what the draft says, nearest first; then those with just its title."""
    return [twin for twin in near(vault, draft) if not (twin.is_turned or twin.is_changed or twin.is_denied)]


def near(vault: Vault, draft: Draft, spoken: str = "", read: Callable[[str], str] | None = None) -> list[Twin]:
    """The near twins of a draft, and the memories that turn its comparison round or have another value.

    They are compared with its text and with what was `spoken`, a part of it, if that is nearer. `read` gives the
    text of each, by path.
    """
    from mdmem.language import likeness as wording  # these are not needed where twins are ignored
    from mdmem.store.index import alike

    title = memory.as_text(draft.properties.get("title"))
    query = " ".join(dict.fromkeys(naming.words_of(f"{title} {draft.text[:_COMPARED]}")[:40]))
    found = []
    hits = alike.candidates(vault.index, query, _CANDIDATES)
    texts = {} if read else vault.index.texts([hit.path for hit in hits])
    for hit in hits:
        body = read(hit.path) if read else texts[hit.path].body if hit.path in texts else ""
        named = likeness(title, hit.title)
        same, text = max((likeness(text, body), text) for text in (draft.text, spoken))
        if same >= TWIN or named >= _TITLE_TWIN:
            score = same if same >= TWIN else named
            turned = wording.swapped(text[:_COMPARED], body[:_COMPARED], directed=True)
            changed = wording.exchanged(text, body)
            denied = same >= TWIN and wording.denies(text[:_COMPARED], body[:_COMPARED])
            found.append(Twin(hit, score, same < TWIN, turned, changed, denied))
    return sorted(found, key=lambda twin: (twin.has_the_title, -twin.score, twin.record.path))


def weigh_twins(vault: Vault, draft: Draft, policy: str, confirm: Callable[[], object]) -> list[Twin]:
    """The near twins of a draft, handled according to the policy (one of TWIN_POLICIES).

    `ignore` searches for none; the others report them. Then `refuse` raises ConflictError for any, and
    `refuse-same` for a current memory that `says_the_same`, unless the draft supersedes it. `ask` calls `confirm`,
    which raises an error of its choice if the answer is no.
    """
    twins = [] if policy == "ignore" else near_twins(vault, draft)
    for twin in twins[:_TWINS_SHOWN]:
        name = twin.record.name
        vault.tell(f"{twin.likeness}: {name} (mdmem update {name} instead?)")
    refused, how_near = None, "nearly the same"
    if policy == "refuse":
        refused = next(iter(twins), None)
    elif policy == "refuse-same":
        refused, how_near = same_among(vault, draft, twins), "the same"
    if refused:
        name = refused.record.name
        raise ConflictError(
            f"{name} says {how_near}; nothing was written",
            f"mdmem update {name} changes it, --supersedes {name} replaces it, --twins ignore writes both",
        )
    if twins and policy == "ask":
        confirm()
    return twins


def same_among(vault: Vault, draft: Draft, twins: Sequence[Twin]) -> Twin | None:
    """The current twin that says exactly what the draft says, unless the draft supersedes it."""
    replaced = [links.wikilink_target(link) for link in texts_of(draft.properties.get("supersedes", ""))]
    text = draft.text or memory.as_text(draft.properties.get("title"))
    for twin in twins:
        record = twin.record
        is_over = record.status in _RETIRED or {record.name, record.path.removesuffix(".md")} & set(replaced)
        if not is_over and says_the_same(text, vault.index.body(record.path)):
            return twin
    return None


def says_the_same(one: str, other: str) -> bool:
    """Whether two texts are the same but for a few characters.

    Another number, content word or denial makes another text: what is refused as said must have been said.
    """
    from rapidfuzz import fuzz

    from mdmem.language import likeness as wording  # not needed where nothing is near

    plain = normal(one), normal(other)
    # with the cutoff, long texts that differ are told apart without comparing all of one with all of the other
    if fuzz.ratio(*plain, score_cutoff=100 * SAME) < 100 * SAME or wording.swapped(*plain, directed=True):
        return False
    numbers, denials, roots = (
        [tell(text) for text in (one, other)]
        for tell in (_NUMBER.findall, wording.negations, wording.telling_roots)
    )
    return numbers[0] == numbers[1] and denials[0] == denials[1] and roots[0] == roots[1]


def likeness(one: str, other: str, least: float = 0.0) -> float:
    """The similarity in wording of two texts, 0-1; of long texts, only the beginnings are compared.

    What is below `least` may be 0, which takes much less time.
    """
    from rapidfuzz import fuzz, utils

    if not one or not other:
        return 0.0
    told = (text[:_COMPARED] for text in (one, other))
    beginnings = fuzz.token_sort_ratio(*told, processor=utils.default_process, score_cutoff=100 * least) / 100
    at_most = 2 * min(len(one), len(other)) / (len(one) + len(other))  # the longer one's excess matches nothing
    return min(beginnings, at_most) if max(len(one), len(other)) > _COMPARED else beginnings


def is_told(text: str, other: str) -> bool:
    """Whether a text is worded nearly as another one, and has no word, number or name of its own.

    Nor may it deny what the other one says, or put things in another order.
    """
    from mdmem.language import likeness as wording

    if likeness(text, other, TWIN) < TWIN or wording.negations(text) != wording.negations(other):
        return False
    return wording.telling_roots(text) <= wording.telling_roots(other) and not wording.swapped(text, other)


def remember(vault: Vault, draft: Draft, caller: Caller, reason: str = "") -> Remembered:
    """Write a new memory in one commit, and report if it states several facts (see `split`).

    Raises like `remember_all`.
    """
    apart = split(draft)
    if len(apart) > 1:
        vault.tell(f"this says {len(apart)} things; {SPLIT_HINT}")
    (done,) = remember_all(vault, [draft], caller, reason)
    return done


def remember_all(vault: Vault, drafts: Sequence[Draft], caller: Caller, reason: str = "") -> list[Remembered]:
    """Write new memories, all in one commit.

    Raises UsageError for an empty text, a value that a property cannot have or an invalid name, ConflictError for
    a name or id that is taken: nothing is written then.
    """
    rule = name_rule(vault)
    drafts = [require_fit(draft, rule) for draft in drafts]
    for finding in (finding for draft in drafts if draft.name for finding in rule(draft.name)):
        vault.tell(f"the name {finding.message}; {finding.fix}")
    with vault.change(caller.does("create", reason)) as tx:
        staged = [stage(vault, tx, draft, caller) for draft in drafts]
    count_cited(vault, [(draft.text, draft.properties) for draft in drafts], caller)
    return [done._replace(commit=tx.commit) for done in staged]


def stage(vault: Vault, tx: Transaction, draft: Draft, caller: Caller) -> Remembered:
    """Stage a new memory, and deprecate the memories that it supersedes; the result has no commit yet.

    `draft` must have passed `require_fit`. Raises UsageError for an invalid name, ConflictError for a name or id
    that is taken.
    """
    given = {**draft.properties, **succession.inherited(vault, draft.properties)}
    created = moments.normal(given.get("created")) or moments.render(caller.now)
    require_free(vault, draft)
    name = draft.name or free_name(vault, tx, draft.called or draft.title, draft.subject or draft.text, created)
    path = layout.path_for(name, created, vault.config)
    if tx.exists(path):
        raise ConflictError(f"there is a file {path}", "choose another name")
    given = {**timing(draft.text, given, created, caller.now), **given}
    given = dict(in_place(vault, draft._replace(properties=given), caller).properties)
    titled, aliases = memory.as_text(given.get("title")), memory.as_texts(given.get("aliases"))
    if called := titles.among_aliases(titled, "", aliases, name):
        given["aliases"] = list(called)
    meta = usual_properties(given, created, caller)
    data, note = fields.compose(meta, draft.text, path, vault.config.id)
    tx.write(path, data, note)
    succession.retire_superseded(vault, tx, note)
    return Remembered(path, note.id, note.title, "")


def free_name(vault: Vault, tx: Transaction, title: str, text: str, created: str) -> str:
    """A good name that no memory has, neither in the vault nor staged in the change."""

    def taken(name: str) -> bool:
        return is_taken(vault, name) or tx.exists(layout.path_for(name, created, vault.config))

    return made_name(vault, title, text, created, taken)


def made_name(vault: Vault, title: str, text: str, created: str, taken: Callable[[str], bool]) -> str:
    """A name that is not `taken` for a note of this vault, by the protocol or as its owner names notes."""
    if not vault.config.has_own_names:
        return naming.make(title, text, taken)
    when = moments.parse(created) or datetime.min
    return naming.plain(title, text, taken, naming.habit(vault.whole_index.names()), when)


def require_free(vault: Vault, draft: Draft) -> None:
    """Raises ConflictError if a memory has the draft's name or id already."""
    if draft.name and is_taken(vault, draft.name):
        hint = f"choose another name, or mdmem update {draft.name}"
        raise ConflictError(f"there is a memory called {draft.name}", hint)
    for other in vault.whole_index.with_id(memory.as_text(draft.properties.get("id"))):
        raise ConflictError(f"{other.name} has that id already", "leave the id out; mdmem makes one")


def require_good_name(name: str, rule: NameRule, otherwise: str = "") -> None:
    """Raises UsageError for a name that mdmem must not write; `otherwise` is what else one can do."""
    for finding in rule(name):
        if finding.severity == "error":
            raise UsageError(f"the name '{name}' {finding.message}", finding.fix + otherwise)


def new_id(now: datetime) -> str:
    """A UUID v7 (RFC 9562): 48 bits of time in milliseconds, then random bits."""
    return uuid7(int(now.timestamp() * 1000), int.from_bytes(os.urandom(16), "big") >> (128 - _FREE))


def uuid7(millis: int, rest: int) -> str:
    """A UUID v7 for a time in milliseconds and 74 more bits; as text, UUIDs sort by these two values."""
    high, low = rest >> _LOW & 0xFFF, rest & (1 << _LOW) - 1
    digits = f"{(millis & (1 << 48) - 1) << 80 | 0x7 << 76 | high << 64 | 0x2 << 62 | low:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def is_taken(vault: Vault, name: str) -> bool:
    """Whether a memory has that name, in any folder and any letter case."""
    return bool(vault.whole_index.named(name))


def usual_properties(given: Mapping[str, Value], created: str, caller: Caller) -> dict[str, Value]:
    """The properties of a new memory: the given ones and the defaults."""
    who = {"session": caller.session, "actor": caller.actor}
    defaults: dict[str, Value] = {"category": "past", **{key: value for key, value in who.items() if value}}
    identity = memory.as_text(given.get("id")) or new_id(caller.now)
    said = memory.as_text(given.get("created"))
    has_fraction = said.startswith(f"{created[:-1]}.") and said.endswith("Z")  # of a second
    return {**defaults, **given, "id": identity, "created": said if has_fraction else created}


def timing(text: str, given: Mapping[str, Value], created: str, now: datetime) -> dict[str, Value]:
    """The properties that say when a new memory is about, as far as its text or a given `due` tells.

    What begins as a task does, or is about a day that is still to come, is of the category future, and `due` on
    that day. A past day that counts from the day of writing, as in "moved last month", is its `valid_from`.
    """
    text = memory.spoken(text)
    words, category = naming.words_of(text), given.get("category")
    if "due" not in given and not _may_tell_when(text, words):
        return {}
    from mdmem.language.lapse import days

    is_task = category == "future" or (not category and days.begins_a_task(text))
    is_short = len(words) <= _MOST_WORDS and "\n\n" not in text.strip()
    written = moments.parse(created) or now
    found: dict[str, Value] = {**days.timing(text, written.date(), is_task)} if is_short else {}
    due = moments.parse(given.get("due") or found.get("due"))
    if is_task or (due and not category and due.date() >= now.date()):
        return {"category": "future", **found}
    return {} if "due" in found or "valid_until" in given else found


def _may_tell_when(text: str, words: Sequence[str]) -> bool:
    return not _WHEN.isdisjoint(words) or any(word[0].isdigit() for word in words) or "[ ]" in text[:8]


def count_cited(vault: Vault, notes: Iterable[tuple[str, Mapping[str, Value]]], caller: Caller) -> None:
    """Count a use of each memory that new notes (text, properties) of a session link to or name.

    Without a session, nothing says that the vault was asked before, so nothing is counted.
    """
    if not caller.session:
        return
    from mdmem.store.local import usage  # loads SQLite

    names = {name for text, properties in notes for name in _named(text, properties)}
    bearers = [vault.whole_index.named(name) for name in sorted(names)]
    usage.add_opened(vault.root, [records[0].id for records in bearers if len(records) == 1])


def _named(text: str, properties: Mapping[str, Value]) -> Iterator[str]:
    """The names of notes that occur in a text or in its relations."""
    yield from (memory.stem(link.target) for link in links.to_notes(text))
    yield from _PLACE.findall(text)
    yield from _NAME.findall(text)
    for key in _BUILDS_ON:
        value = properties.get(key)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str):
                yield memory.stem(links.wikilink_target(item) or item)
