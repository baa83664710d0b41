"""The names of the public package, and what importing them costs."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

import mdmem.systems.compat.chunks

MODULES = {
    "memory_store": "ChunkStore Chunk ChunkMetadata ChunkLinks ChunkType init_storage",
    "chunking_engine": "TIKTOKEN_AVAILABLE ChunkingEngine ChunkResult chunk_and_store",
    "auto_linker": "AutoLinker create_chunk_with_links calculate_link_strength",
    "remember_operation": "RememberOperation",
    "recall_operation": "RecallOperation RecallResult",
}


@pytest.mark.parametrize("module", MODULES)
def test_modules_have_the_names_of_the_public_package(module: str) -> None:
    found, whole = import_module(f"mdmem.compat.rlm.{module}"), import_module("mdmem.compat.rlm")
    for name in MODULES[module].split():
        assert getattr(found, name) is getattr(mdmem.systems.compat.chunks, name) is getattr(whole, name)


def test_every_public_name_is_one_of_them() -> None:
    assert sorted(" ".join(MODULES.values()).split()) == sorted(mdmem.systems.compat.chunks.__all__)
    assert set(mdmem.systems.compat.chunks._PUBLIC) == set(mdmem.systems.compat.chunks.__all__)
    with pytest.raises(AttributeError):
        mdmem.systems.compat.chunks.NoSuchName  # noqa: B018


def loaded_by(code: str) -> set[str]:
    line = [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"]
    return set(subprocess.run(line, capture_output=True, text=True, check=True).stdout.split())


def test_importing_is_cheap() -> None:
    """Neither the store nor anything it needs is loaded before it is used, and no git library with the store."""
    loaded = loaded_by("import mdmem.chunks, mdmem.compat.rlm")
    asked = {"mdmem", "mdmem.chunks", "mdmem.compat", "mdmem.compat.rlm"}
    own = {"mdmem.systems", "mdmem.systems.compat.chunks", "mdmem.systems.compat"}
    assert {name for name in loaded if name.startswith("mdmem")} == asked | own
    assert not loaded_by("from mdmem.systems.compat.chunks import ChunkStore") & {
        "git",
        "click",
        "markdown_it",
        "rapidfuzz",
        "numpy",
    }
