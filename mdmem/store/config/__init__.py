"""Vault settings: the classes have their types and defaults, `data/settings.tsv` their rules and meanings.

A vault may arrive by clone, so no setting names a program, a command or a path outside the vault.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from posixpath import normpath
from typing import Any, NamedTuple

from mdmem.errors import Problem, UsageError
from mdmem.note import tsv
from mdmem.store.layout import STATE

FILE = "mdmem.toml"
BOM = b"\xef\xbb\xbf"
_LONGEST = 2**18  # characters of a file of settings
_MOST_DOTS = 500  # in a line of TOML
_MOST_UNKNOWN = 20  # settings told of: each is compared with all that there are


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


def _one_of(allowed: Sequence[str]) -> Callable[[str], str]:
    names = ", ".join(value or '""' for value in allowed)
    return lambda value: "" if value in allowed else f"must be one of {names}"


def _normal(value: str) -> str:
    """`./notes/` as `notes`; "" stays."""
    return normpath(value) if value else ""


def _same(value: Any) -> Any:
    return value


def _up_to(most: int) -> Callable[[float], str]:
    return lambda value: "" if 0 <= value <= most else f"must be from 0 to {most}"


def _never(value: list[Any]) -> str:
    from mdmem.store.config import never

    return never.fault_of(value)


def _forms(value: list[Any]) -> str:
    from mdmem.store.config import ownsecrets

    return ownsecrets.fault_of_forms(value)


def _words(value: list[Any]) -> str:
    from mdmem.store.config import ownsecrets

    return ownsecrets.fault_of_words(value)


def _fact_types(value: list[Any]) -> str:
    return "" if all(isinstance(item, str) for item in value) else "must be a list of types of facts"


# rule -> (what is wrong with a value, or ""; the same form for equivalent values)
_RULES: Mapping[str, tuple[Callable[[Any], str], Callable[[Any], Any]]] = {
    "path": (_path, _normal),
    "folder": (_folder, _normal),
    "own folder": (_own_folder, _normal),
    "memories": (_folder, lambda value: normpath(value or ".")),
    "paths": (_paths, lambda value: tuple(map(_normal, value))),
    "-": (lambda _: "", _same),
    "share": (_up_to(1), _same),
    "positive": (lambda value: "" if value > 0 else "must be 1 or more", _same),
    "score": (_up_to(10), _same),
    "texts": (_fact_types, tuple),
    "never": (_never, tuple),
    "forms": (_forms, tuple),
    "words": (_words, tuple),
}


class HooksSection(NamedTuple):
    """`[hooks]`: what the git hooks do."""

    strict: bool = False


class MirrorSection(NamedTuple):
    """`[mirror]`: the JSON mirror of the memories."""

    enabled: bool = False
    folder: str = ""
    tokenizer: str = "estimate"


class SemanticSection(NamedTuple):
    """`[semantic]`: recall by meaning."""

    model: str = ""


class GardenSection(NamedTuple):
    """`[garden]`: how gardeners work."""

    min_confidence: float = 0.8
    consolidate_above: int = 5
    oversize_tokens: int = 800
    scope: str = "all"
    agents: str = "own"
    never: tuple[str, ...] = ()


class CaptureSection(NamedTuple):
    """`[capture]`: what happens to the findings of agent hooks in a session."""

    keep: str = "ask"
    keep_above: float = 0.9


class McpSection(NamedTuple):
    """`[mcp]`: what becomes of what an agent remembers over MCP."""

    keep: str = "write"


class IngestSection(NamedTuple):
    """`[ingest]`: what happens to ingested dialogs."""

    facts: str = "rules"


class PagesSection(NamedTuple):
    """`[pages]`: what the pages of topics and GLOBAL_MEMORY.md hold."""

    core_score: int = 8
    core_types: tuple[str, ...] = ("identity", "commitment", "constraint")
    core_confidence: float = 0.85
    core_per_type: int = 5
    core_total: int = 20
    secondary_score: int = 5
    secondary_confidence: float = 0.7
    secondary_per_type: int = 3
    secondary_total: int = 12
    active_days: int = 90
    active_topics: int = 10
    quiet_topics: int = 30
    global_tokens: int = 2000
    topic_facts: int = 60
    recent_entries: int = 20
    summary: str = "rules"


class DerivedSection(NamedTuple):
    """`[derived]`: the files derived from memories."""

    commit: str = ""
    wordings: bool = False


class TrustSection(NamedTuple):
    """`[trust]`: who sees what."""

    max_sensitivity: str = ""


class SecretsSection(NamedTuple):
    """`[secrets]`: what counts as a secret here, besides what mdmem knows. It can only add."""

    forms: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


class VaultConfig(NamedTuple):
    """The settings of a vault: those without a table in mdmem.toml, then a section for each table."""

    id: str = ""
    memories: str = "allmemories"
    new: str = ""
    layout: str = "flat"
    names: str = ""
    templates: str = "templates"
    topics: str = "topics"
    exclude: tuple[str, ...] = ()
    hooks: HooksSection = HooksSection()
    mirror: MirrorSection = MirrorSection()
    semantic: SemanticSection = SemanticSection()
    garden: GardenSection = GardenSection()
    capture: CaptureSection = CaptureSection()
    mcp: McpSection = McpSection()
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
    def of_rows(self) -> list[object]:
        """The settings that the rows of the index depend on."""
        return [self.id, self.memories, self.templates, self.topics, list(self.exclude)]

    @property
    def has_own_names(self) -> bool:
        """Whether new notes are named as their owner names notes; a tree of the legacy protocol keeps to that."""
        is_legacy = self.memories.rpartition("/")[2] == "allmemories"
        return self.names == "owner" or (not self.names and self.is_adopted and not is_legacy)


class Setting(NamedTuple):
    """One setting as mdmem.toml has it: `key` is `name`, or `table.name`; `help` says what it means.

    `valid` gives what is wrong with a value, or ""; `normal` gives the same form for equivalent values.
    """

    key: str
    type: type
    default: Any
    help: str
    valid: Callable[[Any], str]
    normal: Callable[[Any], Any]

    def of(self, config: VaultConfig) -> Any:
        """Its value in `config`."""
        return _value_of(self.key, config)


def _value_of(key: str, config: VaultConfig) -> Any:
    section, _, name = key.rpartition(".")
    return getattr(getattr(config, section) if section else config, name)


def _table() -> Iterator[Setting]:
    """The settings in the order of their table."""
    for key, rule, help in tsv.rows(__file__, "settings.tsv", 3):
        default = _value_of(key, VaultConfig())
        written_as = list if isinstance(default, tuple) else type(default)
        valid, normal = _RULES.get(rule) or (_one_of(rule.split("|")), _same)
        yield Setting(key, written_as, default, help, valid, normal)


CONFIG_SPEC = tuple(_table())


def read(data: bytes) -> tuple[VaultConfig, list[Problem]]:
    """The settings in the bytes of mdmem.toml, like `parse`. Raises UsageError, also if they are not UTF-8."""
    body = data.removeprefix(BOM)
    try:
        return parse(body.decode())
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{FILE}:{line}: is not UTF-8", "save it as UTF-8 in your editor") from None


def parse(text: str) -> tuple[VaultConfig, list[Problem]]:
    """The settings in `text`, and problems: the first unknown keys, which are ignored.

    Raises UsageError, naming file and line, for broken TOML and for values that are not allowed.
    """
    known = {setting.key: setting for setting in CONFIG_SPEC}
    config = VaultConfig()
    problems: list[Problem] = []
    for key, value in _flat(toml(text, FILE)):
        if key not in known:
            if len(problems) < _MOST_UNKNOWN:
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
        str: "text in quotes",
        bool: "true or false",
        list: "a list of texts",
        int: "a whole number",
        float: "a number",
    }
    fits = type(value) is setting.type or (setting.type is float and type(value) is int)
    wrong = setting.valid(value) if fits else f"must be {names[setting.type]}"
    if wrong:
        raise UsageError(f"{key} {wrong}", setting.help)
    return setting.normal(value)


def _hidden(config: VaultConfig) -> str:
    """Why new memories would not count as memories, or ""."""
    place = normpath(f"{config.memories}/{config.new}")
    for folder in (config.templates, *config.exclude):
        if folder and (folder in (".", place) or place.startswith(folder + "/")):
            return f"new memories in {place} would not be found: {folder} is left out"
    return ""


def toml(text: str, file: str) -> dict[str, Any]:
    """The tables of a TOML file. Raises UsageError, naming file and line, for broken TOML and for too much of it:
    the work of Python's parser grows with the square of the dots in a name.
    """
    if len(text) > _LONGEST:
        raise UsageError(f"{file}: is over {_LONGEST:,} characters, too long for settings", "take the rest out")
    dotted = (number for number, line in enumerate(text.split("\n"), 1) if line.count(".") > _MOST_DOTS)
    if line := next(dotted, 0):
        raise UsageError(f"{file}:{line}: has over {_MOST_DOTS} dots in a line", "break that line in several")
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
        raise UsageError(f"{file}:{line}: {message}", "fix that line; it is TOML: name = value") from None
    except RecursionError:
        raise UsageError(f"{file}: lists or tables are nested too deeply", "settings need one level") from None


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
        elif re.match(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=", line) and table == head:
            return number
    return 0


def _line_at_fault(setting: Setting, value: Any, text: str) -> int:
    """The line of a setting, or of the item of its list that is not allowed; 0 if it is not found."""
    start = line_of(setting.key, text)
    items = value if isinstance(value, list) and setting.type is list else []
    bad = next((item for item in items if isinstance(item, str) and setting.valid([item])), "")
    rows = enumerate(text.splitlines()[max(start - 1, 0) :], start)
    return next((number for number, row in rows if bad and bad in row), start)
