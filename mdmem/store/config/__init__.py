"""Vault settings: the classes below are the table of names, types, defaults and meanings; `parse` fills them.

A vault may arrive by clone, so no setting names a program, a command or a path outside the vault.
"""

# Annotations are values here (no `from __future__ import annotations`): they are the table.

from collections.abc import Callable, Iterator
from posixpath import normpath
from typing import Annotated, Any, NamedTuple

from mdmem.errors import Problem, UsageError
from mdmem.note.layout import STATE
from mdmem.store.config import quick

FILE = "mdmem.toml"
BOM = b"\xef\xbb\xbf"


class Spec(NamedTuple):
    """The metadata of a setting in the table: its meaning, and how its value is checked and normalised."""

    help: str
    valid: Callable[[Any], str] = lambda value: ""  # noqa: ARG005 - what is wrong, or ""
    normal: Callable[[Any], Any] = lambda value: value  # the same form for equivalent values


def _path(value: str) -> str:
    parts = value.split("/")
    has_drive = value[1:2] == ":" and value[0].isascii() and value[0].isalpha()
    if value.startswith(("/", "~")) or "\\" in value or ".." in parts or has_drive:
        return "must be a folder within the vault, like brain/memory/allmemories"
    if any(part.lower() in (".git", STATE) for part in parts) or "\0" in value:
        return "must not be git's own folder or mdmem's"
    return ""


def _folder(value: str) -> str:
    """What is wrong with a folder of memories, or ""."""
    if any(part.startswith(".") and part != "." for part in value.split("/")):
        return _path(value) or "must not be in a dot folder: nothing in those is a memory"
    return _path(value)


def _own_folder(value: str) -> str:
    """What is wrong with a folder that must not be the whole vault, or ""."""
    return _folder(value) or ("must be a folder of its own, like topics" if normpath(value or ".") == "." else "")


def _paths(value: list[Any]) -> str:
    bad = [item for item in value if not isinstance(item, str) or _path(item)]
    return "must be a list of paths within the vault" if bad else ""


def _one_of(*allowed: str) -> Callable[[str], str]:
    names = ", ".join(value or '""' for value in allowed)
    return lambda value: "" if value in allowed else f"must be one of {names}"


def _normal(value: str) -> str:
    """`./notes/` as `notes`; "" stays."""
    return normpath(value) if value else ""


def _normal_all(value: list[str]) -> tuple[str, ...]:
    return tuple(_normal(item) for item in value)


def _share(value: float) -> str:
    return "" if 0 <= value <= 1 else "must be from 0 to 1"


def _positive(value: int) -> str:
    return "" if value > 0 else "must be 1 or more"


def _never(value: list[Any]) -> str:
    from mdmem.store.config import never

    return never.fault_of(value)


def _forms(value: list[Any]) -> str:
    from mdmem.store.config import ownsecrets

    return ownsecrets.fault_of_forms(value)


def _words(value: list[Any]) -> str:
    from mdmem.store.config import ownsecrets

    return ownsecrets.fault_of_words(value)


class HooksSection(NamedTuple):
    """`[hooks]`: what the git hooks do."""

    strict: Annotated[bool, Spec("refuse a commit whose staged memories cannot be read")] = False


class MirrorSection(NamedTuple):
    """`[mirror]`: the JSON mirror of the memories."""

    enabled: Annotated[bool, Spec("keep the JSON mirror up to date, commit by commit")] = False
    folder: Annotated[str, Spec("folder of its chunks, index and archive; absent: the vault", _path, _normal)] = ""
    tokenizer: Annotated[
        str,
        Spec("how it counts tokens: estimate, or cl100k (extra: tokens)", _one_of("estimate", "cl100k")),
    ] = "estimate"


class SemanticSection(NamedTuple):
    """`[semantic]`: recall by meaning."""

    model: Annotated[
        str,
        Spec(
            "by what to recall by meaning, too: minilm, multilingual, endpoint, or off; absent: what is installed",
            _one_of("", "off", "minilm", "multilingual", "endpoint"),
        ),
    ] = ""


class GardenSection(NamedTuple):
    """`[garden]`: how gardeners work."""

    min_confidence: Annotated[float, Spec("how sure a gardener must be of a proposal (0 to 1)", _share)] = 0.8
    consolidate_above: Annotated[int, Spec("more active notes of one topic become one master", _positive)] = 5
    oversize_tokens: Annotated[int, Spec("a note of more tokens should be split", _positive)] = 800
    scope: Annotated[
        str, Spec("all: garden every note; own: only notes that mdmem created", _one_of("all", "own"))
    ] = "all"
    agents: Annotated[
        str,
        Spec(
            "own: agents carry out what they judge of notes that agents wrote; act: of all notes; advise: of none",
            _one_of("own", "act", "advise"),
        ),
    ] = "own"
    never: Annotated[
        tuple[str, ...],
        Spec("what gardeners never propose, such as 'twins: tag diary' or 'decay: type episodic'", _never, tuple),
    ] = ()


class CaptureSection(NamedTuple):
    """`[capture]`: what happens to the findings of agent hooks in a session."""

    keep: Annotated[str, Spec("ask: all findings wait; auto: sure ones are kept", _one_of("ask", "auto"))] = "ask"
    keep_above: Annotated[float, Spec("with auto, how sure a finding must be (0 to 1)", _share)] = 0.9


def _score(value: int) -> str:
    return "" if 0 <= value <= 10 else "must be from 0 to 10"


def _fact_types(value: list[Any]) -> str:
    return "" if all(isinstance(item, str) for item in value) else "must be a list of types of facts"


class IngestSection(NamedTuple):
    """`[ingest]`: what happens to ingested dialogs."""

    facts: Annotated[
        str,
        Spec(
            "how facts are extracted: rules, or model (the one that $MDMEM_LLM names)", _one_of("rules", "model")
        ),
    ] = "rules"


class PagesSection(NamedTuple):
    """`[pages]`: what the pages of topics and GLOBAL_MEMORY.md hold."""

    core_score: Annotated[int, Spec("a fact of this score (0 to 10) is never forgotten", _score)] = 8
    core_types: Annotated[
        tuple[str, ...], Spec("unscored facts of these types may be core", _fact_types, tuple)
    ] = ("identity", "commitment", "constraint")
    core_confidence: Annotated[float, Spec("minimum confidence of unscored core facts (0 to 1)", _share)] = 0.85
    core_per_type: Annotated[int, Spec("core facts of one type", _positive)] = 5
    core_total: Annotated[int, Spec("core facts in all", _positive)] = 20
    secondary_score: Annotated[int, Spec("a fact of a lower score is on no page (0 to 10)", _score)] = 5
    secondary_confidence: Annotated[float, Spec("minimum confidence of unscored secondary ones", _share)] = 0.7
    secondary_per_type: Annotated[int, Spec("secondary facts of one type", _positive)] = 3
    secondary_total: Annotated[int, Spec("secondary facts in all", _positive)] = 12
    active_days: Annotated[
        int, Spec("a topic is active if it changed within so many days of the last change to any topic", _positive)
    ] = 90
    active_topics: Annotated[int, Spec("active topics on the global page", _positive)] = 10
    quiet_topics: Annotated[int, Spec("other topics that it names", _positive)] = 30
    global_tokens: Annotated[int, Spec("length of the global page (tokens)", _positive)] = 2000
    topic_facts: Annotated[int, Spec("facts on the page of a topic", _positive)] = 60
    recent_entries: Annotated[
        int, Spec("how many of a topic's last dialogs give its questions, next actions and summary", _positive)
    ] = 20
    summary: Annotated[
        str,
        Spec(
            "how summaries of topics are worded: rules, or model ($MDMEM_LLM, at mdmem rebuild topics)",
            _one_of("rules", "model"),
        ),
    ] = "rules"


class DerivedSection(NamedTuple):
    """`[derived]`: the files derived from memories."""

    commit: Annotated[
        str,
        Spec(
            "git tracks the pages of topics and GLOBAL_MEMORY.md: markdown, or all to include the JSON files",
            _one_of("", "markdown", "all"),
        ),
    ] = ""
    wordings: Annotated[
        bool, Spec("git tracks the summaries that a model worded, in topics/TOPIC/wordings.jsonl")
    ] = False


class TrustSection(NamedTuple):
    """`[trust]`: who sees what."""

    max_sensitivity: Annotated[
        str,
        Spec(
            "show no memory above this level: public, low, medium, high; absent: agents see up to medium",
            _one_of("", "public", "low", "medium", "high", "hyper"),
        ),
    ] = ""


class SecretsSection(NamedTuple):
    """`[secrets]`: what counts as a secret here, besides what mdmem knows. It can only add."""

    forms: Annotated[
        tuple[str, ...], Spec("more forms of secrets, such as 'Door token: DT-[A-Z0-9]{12}'", _forms, tuple)
    ] = ()
    words: Annotated[
        tuple[str, ...], Spec("more words for a password, after which one is expected", _words, tuple)
    ] = ()


class VaultConfig(NamedTuple):
    """The settings of a vault: those without a table in mdmem.toml, then a section for each table."""

    id: Annotated[str, Spec("keeps the derived ids of two vaults apart; written by mdmem init")] = ""
    memories: Annotated[
        str,
        Spec('folder of the memories; "." is the whole vault', _folder, lambda value: normpath(value or ".")),
    ] = "allmemories"
    new: Annotated[str, Spec("folder within it for new memories", _folder, _normal)] = ""
    layout: Annotated[str, Spec("flat, or month for folders like 2026/02", _one_of("flat", "month"))] = "flat"
    names: Annotated[
        str,
        Spec(
            "of new notes: protocol (user_prefers_tables), or owner, as those that are there; absent: owner in an "
            "adopted vault",
            _one_of("", "protocol", "owner"),
        ),
    ] = ""
    templates: Annotated[str, Spec("folder of note templates, never indexed", _path, _normal)] = "templates"
    topics: Annotated[str, Spec("folder of ingested dialogs, by topic", _own_folder, _normal)] = "topics"
    exclude: Annotated[
        tuple[str, ...],
        Spec("folders and files that hold no memories, relative to the vault", _paths, _normal_all),
    ] = ()
    hooks: HooksSection = HooksSection()
    mirror: MirrorSection = MirrorSection()
    semantic: SemanticSection = SemanticSection()
    garden: GardenSection = GardenSection()
    capture: CaptureSection = CaptureSection()
    ingest: IngestSection = IngestSection()
    pages: PagesSection = PagesSection()
    trust: TrustSection = TrustSection()
    derived: DerivedSection = DerivedSection()
    secrets: SecretsSection = SecretsSection()

    @property
    def is_adopted(self) -> bool:
        """Whether the notes were there before mdmem: their owner names, files and tags them in their own way."""
        return self.garden.scope == "own"

    @property
    def has_own_names(self) -> bool:
        """Whether new notes are named as their owner names notes; a tree of the legacy protocol keeps to that."""
        is_legacy = self.memories.rpartition("/")[2] == "allmemories"
        return self.names == "owner" or (not self.names and self.is_adopted and not is_legacy)


class Setting(NamedTuple):
    """One setting as mdmem.toml has it: `key` is `name`, or `table.name`."""

    key: str
    type: type
    default: Any
    rule: Spec

    @property
    def help(self) -> str:
        """What the setting means."""
        return self.rule.help

    def of(self, config: VaultConfig) -> Any:
        """Its value in `config`."""
        section, _, name = self.key.rpartition(".")
        return getattr(getattr(config, section) if section else config, name)


def _settings_in(section: Any, table: str = "") -> Iterator[Setting]:
    """The settings of a section, followed by those of its subsections."""
    for name, hint in type(section).__annotations__.items():
        default = getattr(section, name)
        if rules := getattr(hint, "__metadata__", ()):
            written_as = list if isinstance(default, tuple) else type(default)
            yield Setting(f"{table}{name}", written_as, default, rules[0])
        else:
            yield from _settings_in(default, f"{name}.")


CONFIG_SPEC = tuple(_settings_in(VaultConfig()))


def read(data: bytes) -> tuple[VaultConfig, list[Problem]]:
    """The settings in the bytes of mdmem.toml, like `parse`. Raises UsageError, also if they are not UTF-8."""
    body = data.removeprefix(BOM)
    try:
        return parse(body.decode())
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{FILE}:{line}: is not UTF-8", "save it as UTF-8 in your editor") from None


def parse(text: str) -> tuple[VaultConfig, list[Problem]]:
    """The settings in `text`, and problems: unknown keys, which are ignored.

    Raises UsageError, naming file and line, for broken TOML and for values that are not allowed.
    """
    known = {setting.key: setting for setting in CONFIG_SPEC}
    config = VaultConfig()
    problems = []
    for key, value in _flat(_tables(text)):
        if key not in known:
            problems.append(_unknown(key, text, known))
            continue
        try:
            config = _with(config, key, checked(key, value))
        except UsageError as error:
            line = _line_at_fault(known[key], value, text)
            raise UsageError(f"{FILE}:{line}: {error.message}", error.hint) from None
    if hidden := _hidden(config):
        line = max(line_of(key, text) for key in ("memories", "new", "templates", "exclude"))
        raise UsageError(f"{FILE}:{line}: {hidden}", "give memories a folder of their own")
    return config, problems


def _with(config: VaultConfig, key: str, value: Any) -> VaultConfig:
    """The settings with a new value for one of them."""
    section, _, name = key.rpartition(".")
    if not section:
        return config._replace(**{name: value})
    return config._replace(**{section: getattr(config, section)._replace(**{name: value})})


def checked(key: str, value: Any) -> Any:
    """The value of a setting in its normal form. Raises UsageError for a value that is not allowed."""
    setting = next(setting for setting in CONFIG_SPEC if setting.key == key)
    names = {
        **{str: "text in quotes", bool: "true or false", list: "a list of texts"},
        **{int: "a whole number", float: "a number"},
    }
    fits = type(value) is setting.type or (setting.type is float and type(value) is int)
    wrong = setting.rule.valid(value) if fits else f"must be {names[setting.type]}"
    if wrong:
        raise UsageError(f"{key} {wrong}", setting.help)
    return setting.rule.normal(value)


def _hidden(config: VaultConfig) -> str:
    """Why new memories would not count as memories, or ""."""
    place = normpath(f"{config.memories}/{config.new}")
    for folder in (config.templates, *config.exclude):
        if folder and (folder in (".", place) or place.startswith(folder + "/")):
            return f"new memories in {place} would not be found: {folder} is left out"
    return ""


def _tables(text: str) -> dict[str, Any]:
    plain = quick.read(text)
    return _parsed(text) if plain is None else plain


def _parsed(text: str) -> dict[str, Any]:
    import re
    import tomllib

    try:
        return tomllib.loads(text)
    except ValueError as error:
        message, _, place = str(error).partition(" (at ")
        number = place.removeprefix("line ").partition(",")[0]
        line = int(number) if number.isdigit() else text.count("\n") + 1
        if not isinstance(error, tomllib.TOMLDecodeError):  # the only other one is about a number that is too long
            message, long = "a number has too many digits", re.search(r"[\d_]{4000}", text)
            line = text.count("\n", 0, long.start() if long else None) + 1
        raise UsageError(f"{FILE}:{line}: {message}", "fix that line; it is TOML: name = value") from None
    except RecursionError:
        raise UsageError(f"{FILE}: lists or tables are nested too deeply", "settings need one level") from None


def _flat(tables: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for head, table in tables.items():
        if not isinstance(table, dict):
            yield head, table
            continue
        for name, value in table.items():
            yield f"{head}.{name}", value


def _unknown(key: str, text: str, known: dict[str, Setting]) -> Problem:
    from difflib import get_close_matches

    near = get_close_matches(key, known, 1)
    fix = f"did you mean {near[0]}?" if near else "known are " + ", ".join(known)
    return Problem("config-unknown", FILE, line_of(key, text), f"unknown setting {key}", fix, "warning")


def line_of(key: str, text: str) -> int:
    """The line of a setting, 0 if it is not found."""
    import re

    head, _, name = key.rpartition(".")
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*\[([^\[\]]+)\]", line):
            table = match[1].strip()
        elif re.match(rf"\s*{re.escape(name)}\s*=", line) and table == head:
            return number
    return 0


def _line_at_fault(setting: Setting, value: Any, text: str) -> int:
    """The line of a setting, or of the item of its list that is not allowed; 0 if it is not found."""
    start = line_of(setting.key, text)
    items = value if isinstance(value, list) and setting.type is list else []
    bad = next((item for item in items if isinstance(item, str) and setting.rule.valid([item])), "")
    rows = enumerate(text.splitlines()[max(start - 1, 0) :], start)
    return next((number for number, row in rows if bad and bad in row), start)
