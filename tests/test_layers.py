"""The law of the house: a room imports only rooms that stand above it, pure rooms touch nothing, and each outside
library has one door."""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mdmem.store.vault.vault import Vault
from tests.conftest import Git
from tests.house import MODULES, imports, nodes, own_imports, room

pytestmark = pytest.mark.xdist_group("house")  # one process reads the modules

# From the ground up: a room imports only rooms that stand before it in this list.
ROOMS = (
    *("errors", "note", "language", "store", "recall", "write", "history", "capture", "garden", "systems"),
    *("session", "team", "connect", "acts", "hooks", "mcp", "page", "cli", "__main__"),
)
# Ways to reach the vault from outside. None imports another: a table names the modules of those that are commands.
SURFACES = {"hooks", "cli", "mcp", "page"}
# No system imports another, but for what formats and importers share, and what offers several under other names.
SHARED_BY_SYSTEMS = {"systems.importers", "systems.format", "systems.intake"}
OVER_SYSTEMS = {"systems.compat", "systems.adapters"}
PURE_ROOMS = {"note", "language"}
PURE_MODULES = {
    *("store.identity", "store.operation", "store.progress", "store.layout", "store.appendonly"),
    *("recall.question", "recall.score", "recall.validity"),
    *("capture.turns", "capture.transcripts", "capture.dialogue"),
    *("capture.triggers", "capture.findings", "capture.candidates", "capture.concepts", "session.livehud"),
    *("capture.worth", "capture.utterances"),
    *("systems.format", "systems.rlm.schema", "systems.rlm.cut", "systems.rlm.linking"),
    "systems.rlm.projection",
    *("systems.layers.curation", "systems.layers.documents"),
    *("systems.layers.topic", "systems.layers.markdown"),
    "systems.layers.extract",
    *(
        "write.secretvalues",
        "write.secretwords",
        "write.secretforms",
    ),
    "recall.models.judging",
    "systems.adapters.itemnotes",
    *("systems.importers.values", "systems.importers.linking"),
    "write.facts",
    *("history.merging.notes", "history.merging.frontmatter", "history.merging.weave", "history.merging.order"),
    *("history.merging.conflict", "history.merging.files"),
    *("systems.rum.work", "systems.rum.drafting"),
    "hooks.agents.clients",
    *("connect.plan", "connect.jsonc", "connect.settings", "connect.record"),
    "systems.rum.pages",
    *(
        "acts.pages.request",
        "page.links",
        "page.drawing",
        "page.filters",
        "acts.pages.worddiff",
        "page.markdown",
        "page.frame",
        "page.openapi",
    ),
}
PURE_FOLDERS = (
    "store.config",
    "acts.text",
    "garden.gardeners",
    "capture.agentlogs",
)
IMPURE_DOORS = {
    "capture.agentlogs.database",
}  # what such a folder reads from outside
IMPURE = {"os", "sys", "shutil", "subprocess", "tempfile", "socket", "time", "git", "sqlite3", "click"}


def is_pure(name: str) -> bool:
    is_in_pure_folder = name.startswith(PURE_FOLDERS) and name not in IMPURE_DOORS
    return room(name) in PURE_ROOMS or name in PURE_MODULES or is_in_pure_folder


# The doors: an outside library, and the modules that import it.
ONLY_IN = {
    "git": {"store.git.objects"},
    "sqlite3": {
        *(
            "store.index.snapshot",
            "recall.models.vectors",
            "recall.models.keptanswers",
            "store.vault.derived",
            "systems.rum.database",
        ),
        "capture.agentlogs.database",
        "garden.pairs.near",
        *(
            "store.index.database",
            "store.index.freshness",
            "store.index.catalogue",
            "store.index.stemming",
        ),
        "store.local.usage",
    },
    "subprocess": {
        "store.git.command",
        "store.git.folder",
        "connect.files.mdmem",
        "connect.programs",
        "acts.pages.planning",
        "store.local.workers.crew",
    },
    "mcp": {"mcp.server"},
    "mcp_types": {"mcp.server"},
    "jsonschema": {"acts.arguments"},
    "detect_secrets": {"write.secrets"},
    "anthropic": {"systems.adapters.anthropic"},
    "langgraph": {"systems.adapters.langgraph"},
    "llm": {"recall.models.language"},
    "onnxruntime": {"recall.models.minilm"},
    "yaml": {"note.yaml12"},
    "frontmatter": {"note.yaml12"},
    "markdown_it": {"note.bullets", "page.markdown"},
    "psycopg": {"team.server", "team.schema"},
    "jinja2": {"page.frame", "page.filters", "page.command"},
    "starlette": {"page.server", "page.guards", "page.command"},
    "uvicorn": {"page.server", "page.command"},
    "rapidfuzz": {
        *("store.vault.lookup", "recall.lexicon", "write.remember", "capture.weighing"),
        *("garden.gardeners.hygiene", "garden.pairs.figures"),
    },
    "urllib.request": {"recall.models.endpoint"},  # the network
    "urllib.parse": {
        *(
            "note.links",
            "store.index.database",
            "mcp.desk",
            "history.purging.target",
            "store.git.remotes",
        ),
        *("page.links", "page.guards", "page.markdown", "page.server"),
    },
    "click": {name for name in MODULES if room(name) == "cli"},
}


def _is_within(target: str, package: str) -> bool:
    return target == package or target.startswith(package + ".")


def test_every_room_is_in_the_list() -> None:
    assert {room(name).split(".")[0] for name in MODULES} == set(ROOMS)


def _upward(name: str, target: str) -> str:
    """What is wrong with a module of one room importing one of another; empty if nothing is."""
    own, other = room(name), room(target)
    floor, ground = (ROOMS.index(place.split(".")[0]) for place in (own, other))
    if other.split(".")[0] == own.split(".")[0] == "systems":
        is_allowed = other in SHARED_BY_SYSTEMS or own in OVER_SYSTEMS or "systems" in (own, other)
        return "" if is_allowed else f"{name} imports {target}: no system imports another"
    if ground > floor:
        return f"{name} imports {target}, which stands above it"
    if {own, other} <= SURFACES:
        return f"{name} imports {target}: surfaces do not import each other"
    return ""


def test_imports_point_down() -> None:
    between = [(name, target) for name in MODULES for target in own_imports(name) if room(name) != room(target)]
    assert len(between) > 1000
    assert [wrong for name, target in between if (wrong := _upward(name, target))] == []


def test_outside_libraries_have_their_doors() -> None:
    beside = [
        f"{name} imports {target}, which is for {sorted(doors)} only"
        for name in MODULES
        for target in imports(name)
        for package, doors in ONLY_IN.items()
        if _is_within(target, package) and name not in doors
    ]
    assert beside == []


def test_pure_modules_touch_nothing() -> None:
    touching = [
        f"{name} is pure and must not import {target}"
        for name in filter(is_pure, MODULES)
        for target in imports(name)
        if target.split(".")[0] in IMPURE or "environ" in target
    ]
    assert touching == []


def test_doors_lead_to_modules_that_use_them() -> None:
    for package, doors in ONLY_IN.items():
        users = {name for name in MODULES if any(_is_within(target, package) for target in imports(name))}
        assert package == "click" or users == doors, f"ONLY_IN[{package!r}] lists modules that do not import it"


def _reads_a_clock(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and getattr(node.value, "id", "") in ("datetime", "date", "time")
        and node.attr in ("now", "utcnow", "today", "time")
    )


def test_pure_modules_read_no_clock() -> None:
    assert [name for name in filter(is_pure, MODULES) if any(map(_reads_a_clock, nodes(name)))] == []


def _modules_above(target: str) -> Iterator[str]:
    """The module that a name is imported from, and each package that it stands in."""
    package, _, rest = target.partition(".")
    while package == "mdmem" and rest:
        if rest in MODULES:
            yield rest
        rest = rest.rpartition(".")[0]


def test_no_import_cycles() -> None:
    graph = {
        name: {module for target in imports(name) for module in _modules_above(target)} - {name}
        for name in MODULES
    }
    # a package's own __init__ is loaded with each of its modules; that is no cycle
    outward = {name: {to for to in targets if not to.startswith(f"{name}.")} for name, targets in graph.items()}
    graphlib.TopologicalSorter(outward).prepare()


def test_row_numbers_stay_in_the_index() -> None:
    """Above it a memory is known by its path, so that another database can keep the catalogue."""
    # each of these reads only its own database
    tables = ("store.index", "store.local.usage", "recall.models.vectors", "systems.rum.database")
    naming = [
        name
        for name, path in MODULES.items()
        if not name.startswith(tables) and "rowid" in path.read_text("utf-8")
    ]
    assert naming == []


def test_broad_handlers_stay_at_the_edge() -> None:
    broad = [
        f"{name}:{node.lineno}"
        for name in MODULES
        for node in nodes(name)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException"))
    ]
    assert [where.split(":")[0] for where in broad] == ["__main__"]


# What must not be loaded just to do that: each costs 2 ms or more, most of them 10.
HEAVY = {
    "shutil",
    "hashlib",
    "urllib",
    "numpy",
    "onnxruntime",
    "detect_secrets",
    "requests",
    "llm",
    "git",
    "frontmatter",
    "yaml",
    "markdown_it",
    "rapidfuzz",
    "platformdirs",
    "tempfile",
    "uuid",
    "dataclasses",
}
CLICK = {"shutil", "uuid"}  # what it loads itself


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["--help"], CLICK),
        (["hook-impl", "pre-commit"], set()),
        (["hook-impl", "post-commit"], set()),
        (["recall", "word"], CLICK | {"dataclasses"}),
    ],
    ids=["help", "pre-commit", "post-commit", "recall"],
)
def test_start_up_loads_little(arguments: list[str], allowed: set[str], root: Path, git: Git) -> None:
    """In a vault that asked for hooks, with an index that has to catch up with a commit of other files."""
    git(root, "config", "mdmem.vault", ".")
    with Vault(str(root)) as vault:
        assert vault.index.count() == 0
    (root / "main.py").write_text("x")
    git(root, "add", "main.py")
    if arguments[-1] != "pre-commit":
        git(root, "commit", "-qm", "code")
    code = (
        f"import sys; from mdmem.__main__ import main; main({arguments!r}); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stderr.split()}
    assert loaded & HEAVY <= allowed
    assert ("mdmem.store.index.freshness" in done.stderr.split()) is (
        arguments[-1] not in ("--help", "pre-commit")
    )


@pytest.mark.parametrize(
    ("module", "late"),
    [
        ("acts.remotes", "history.syncing.joining"),
        ("mcp.toolbox", "garden.plan"),
        ("store.index.rows", "note.naming"),
    ],
)
def test_what_few_need_is_loaded_late(module: str, late: str) -> None:
    """A sync with nothing to do, an MCP server that starts, a recall: each is a tenth faster without it."""
    code = f"import sys, mdmem.{module}; assert 'mdmem.{late}' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
