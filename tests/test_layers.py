"""The law of the house: a room imports only rooms that stand above it, pure rooms touch nothing, and each outside
library has one door."""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mdmem.vault.vault import Vault

ROOT = Path(__file__).parent.parent / "mdmem"

# From the ground up: a room imports only rooms that stand before it in this list.
ROOMS = (
    *("errors", "config", "operation", "registry", "text", "note", "language"),
    *("git", "local", "index", "vault", "models", "recall", "write", "history"),
    *("capture", "session", "garden", "systems", "upkeep", "render"),
    *("hooks", "cli", "chunks", "compat", "__main__"),
)
PURE_ROOMS = {"config", "operation", "text", "note", "language", "render"}
PURE_MODULES = {
    *("recall.question", "recall.score"),
    *("capture.turns", "capture.transcripts", "capture.agentlogs", "capture.webexports", "capture.dialogue"),
    *("capture.triggers", "capture.findings", "capture.candidates", "capture.concepts", "session.livehud"),
    *("systems.legacy.header", "systems.rlm.schema", "systems.rlm.cut", "systems.rlm.linking"),
    "systems.rlm.projection",
}
IMPURE = {"os", "sys", "shutil", "subprocess", "tempfile", "socket", "time", "git", "sqlite3", "click"}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in ROOT.rglob("*.py") if module_name(path)}


def room(name: str) -> str:
    """The room of a module; each system is a room of its own within `systems`."""
    parts = name.split(".")
    return ".".join(parts[:2]) if parts[0] == "systems" else parts[0]


def is_pure(name: str) -> bool:
    return room(name) in PURE_ROOMS or name in PURE_MODULES or name.startswith("garden.gardeners")


ONLY_IN = {
    "git": {"git.objects"},
    "sqlite3": {
        *("index.database", "index.freshness", "index.catalogue", "index.snapshot"),
        *("local.usage", "models.vectors", "vault.derived"),
    },
    "subprocess": {"git.command", "git.blobs", "git.repo"},
    "detect_secrets": {"write.secrets"},
    "llm": {"models.language"},
    "click": {name for name in MODULES if room(name) == "cli"},
}


def imports(path: Path) -> Iterator[str]:
    """Every import of a module; those only for type checking are left out."""
    tree = ast.parse(path.read_text("utf-8"))
    typing_only = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(path: Path) -> Iterator[str]:
    """The modules of mdmem that a module imports."""
    for target in imports(path):
        package, _, rest = target.partition(".")
        while package == "mdmem" and rest:
            if rest in MODULES:
                yield rest
                break
            rest = rest.rpartition(".")[0]


def test_every_room_is_in_the_list() -> None:
    assert {room(name).split(".")[0] for name in MODULES} == set(ROOMS)


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_down_and_doors_are_single(name: str) -> None:
    own = room(name)
    for target in own_imports(MODULES[name]):
        other = room(target)
        if own != other:
            assert other.split(".")[0] != own.split(".")[0] or other == "systems", f"{name} imports {target}"
            assert ROOMS.index(other.split(".")[0]) <= ROOMS.index(own.split(".")[0]), (
                f"{name} imports {target}, which stands below it"
            )
    for target in imports(MODULES[name]):
        package = target.split(".", maxsplit=1)[0]
        assert name in ONLY_IN.get(package, {name}), f"{package} has one door, and it is not {name}"
        if is_pure(name):
            assert package not in IMPURE, f"{name} is pure and must not import {package}"
            assert "environ" not in target, f"{name} reads the environment"


@pytest.mark.parametrize("name", [name for name in MODULES if is_pure(name)])
def test_pure_modules_read_no_clock(name: str) -> None:
    calls = [
        node for node in ast.walk(ast.parse(MODULES[name].read_text("utf-8"))) if isinstance(node, ast.Attribute)
    ]
    clocks = [node for node in calls if getattr(node.value, "id", "") in ("datetime", "date", "time")]
    assert not [node.attr for node in clocks if node.attr in ("now", "utcnow", "today", "time")]


def test_no_import_cycles() -> None:
    graph = {
        name: {
            module
            for target in imports(path)
            for module in MODULES
            if module != name and (target == f"mdmem.{module}" or target.startswith(f"mdmem.{module}."))
        }
        for name, path in MODULES.items()
    }
    # a package's own __init__ is loaded with each of its modules; that is no cycle
    outward = {name: {to for to in targets if not to.startswith(f"{name}.")} for name, targets in graph.items()}
    graphlib.TopologicalSorter(outward).prepare()


def test_row_numbers_stay_in_the_index() -> None:
    """Above it a memory is known by its path, so that another database can keep the catalogue."""
    tables = ("index", "local.usage", "models.vectors")  # each of these reads only its own database
    naming = [
        name
        for name, path in MODULES.items()
        if not name.startswith(tables) and "rowid" in path.read_text("utf-8")
    ]
    assert naming == []


def test_broad_handlers_stay_at_the_edge() -> None:
    broad = [
        f"{name}:{node.lineno}"
        for name, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException"))
    ]
    assert [where.split(":")[0] for where in broad] == ["__main__"]


def test_no_module_over_505_lines() -> None:
    sizes = {name: len(path.read_text("utf-8").splitlines()) for name, path in MODULES.items()}
    assert {name: size for name, size in sizes.items() if size > 505} == {}


# What must not be loaded just to do that: each costs 2 ms or more, most of them 10.
HEAVY = {
    "shutil",
    "hashlib",
    "urllib",
    "numpy",
    "tokenizers",
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


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["--help"], {"uuid", "dataclasses", "shutil"}),
        (["hook-impl", "pre-commit"], set()),
        (["hook-impl", "post-commit"], set()),
        (["recall", "word"], {"uuid", "dataclasses"}),
    ],
    ids=["help", "pre-commit", "post-commit", "recall"],
)
def test_start_up_loads_little(
    arguments: list[str], allowed: set[str], root: Path, git: Callable[..., str]
) -> None:
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
    assert ("mdmem.index.freshness" in done.stderr.split()) is (arguments != ["--help"])
