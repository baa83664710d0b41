"""What is published: one version everywhere, folders that clients install by themselves, man pages, the site."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import jsonschema
import pytest

from mdmem import __version__
from mdmem.acts import manual as guide
from mdmem.cli.group import COMMANDS
from tests import pages, release, shipped
from tests.conftest import Run

# What the schema of 2025-12-11 for registries of MCP servers asks of such a file.
VERSION = {"type": "string", "pattern": r"^\d+\.\d+\.\d+$"}
SERVER = {
    "type": "object",
    "required": ["name", "description", "version", "packages"],
    "properties": {
        "name": {
            "type": "string",
            "pattern": r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$",
            "minLength": 3,
            "maxLength": 200,
        },
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "title": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": VERSION,
        "packages": {
            "minItems": 1,
            "items": {
                "required": ["registryType", "identifier", "transport"],
                "properties": {
                    "version": VERSION,
                    "transport": {"properties": {"type": {"const": "stdio"}}, "required": ["type"]},
                    "packageArguments": {"items": {"required": ["type", "value"]}},
                    "runtimeArguments": {"items": {"required": ["type", "name"]}},
                    "environmentVariables": {
                        "items": {"required": ["name"], "properties": {"format": {"const": "filepath"}}}
                    },
                },
            },
        },
    },
}


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((pages.PROJECT / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "mdmem/__init__.py"
    for path in pages.PROJECT.glob("mdmem/connect/files/**/*"):
        assert not path.is_file() or __version__ not in path.read_text(), f"{path} has a version of its own"
    listed = re.findall(r"(?m)^## \[(\d.+?)\]", (pages.PROJECT / "CHANGELOG.md").read_text())
    assert listed[0] == __version__


def test_the_file_for_registries_has_that_version_and_the_form_they_ask_for() -> None:
    server = json.loads(shipped.server_json("some-account"))
    jsonschema.validate(server, SERVER)
    assert {server["version"], *(one["version"] for one in server["packages"])} == {__version__}
    assert server["name"] == "io.github.some-account/mdmem"
    wanted = release.extras()["mcp"]
    assert [one["value"] for one in server["packages"][0]["runtimeArguments"]] == wanted


def test_the_folders_of_plugins_name_no_machine_and_have_that_version() -> None:
    found = shipped.folders()
    for path, text in found.items():
        assert not re.search(r"VAULT|@\w+@(?!mdmem)|/(?:home|root|usr|tmp)/|\bany\b.*wrote|python", text), path
        if path.endswith("hooks.json"):
            commands = re.findall(r'"command": "(.*?)"', text)
            assert commands
            assert all(
                re.match(r"mdmem hook (--client gemini )?\w+ 2>/dev/null \|\| echo", one) for one in commands
            )
    server = {"command": "mdmem", "args": ["mcp"]}
    plugin = json.loads(found["marketplace/mdmem/.mcp.json"])["mcpServers"]["mdmem"]
    assert plugin == {"type": "stdio", **server}
    extension = json.loads(found["gemini/gemini-extension.json"])
    assert extension["mcpServers"]["mdmem"] == server
    manifest = json.loads(found["marketplace/mdmem/.claude-plugin/plugin.json"])
    assert {manifest["version"], extension["version"]} == {__version__}
    market = json.loads(found["marketplace/.claude-plugin/marketplace.json"])
    assert [f"marketplace/{one['source'].removeprefix('./')}/.mcp.json" in found for one in market["plugins"]] == [
        True
    ]


def test_every_command_has_a_man_page_that_roff_reads(tmp_path: Path) -> None:
    found = dict(shipped.man_pages())
    assert set(found) == {"mdmem.1", *(f"mdmem-{name}.1" for name in COMMANDS)}
    known = re.compile(r"\.(TH|SH|SS|PP|TP|B|BR|nf|fi)\b")
    for name, text in found.items():
        assert all(known.match(line) for line in text.splitlines() if line[:1] in (".", "'")), name
        if shutil.which("groff"):
            (tmp_path / name).write_text(text)
            done = subprocess.run(
                ["groff", "-man", "-ww", "-z", "-Kutf8", tmp_path / name], capture_output=True, text=True
            )
            assert not done.returncode, done.stderr
    assert ".SH mdmem session start" in found["mdmem-session.1"]
    assert "\\-\\-dry\\-run" in found["mdmem-import.1"]


def test_the_site_has_every_page_and_no_dead_link() -> None:
    site = dict(shipped.site())
    of_pages = {name: data.decode() for name, data in site.items() if name.endswith(".html")}
    assert of_pages.keys() == {f"{name}.html" for name in ("index", *guide.NAMES)}
    for name, text in of_pages.items():
        for target in re.findall(r'(?:href|src)="([^"#]+)', text):
            assert target.startswith(("http", "mailto:")) or target in site, f"{name}: {target}"
        assert "@body@" not in text
        assert "<script" not in text


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_written_where_the_shell_looks(shell: str, mdmem: Run) -> None:
    said = mdmem("completion", shell, "--install").out
    place = Path(said.splitlines()[0].removeprefix("wrote "))
    assert place.read_text() == mdmem("completion", shell).out.removesuffix("\n")
    assert "_MDMEM_COMPLETE" in place.read_text()
    assert ("fpath" in said) == (shell == "zsh")


@pytest.mark.slow
@pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling is not installed: make release")
def test_the_wheel_is_the_same_when_it_is_built_again(tmp_path: Path) -> None:
    built = release.require_the_same(tmp_path)
    assert [path.suffix for path in built] == [".whl", ".gz"]
    listed = subprocess.run(
        [sys.executable, "-m", "zipfile", "-l", built[0]], capture_output=True, text=True
    ).stdout
    for path in (
        "marketplace/.claude-plugin/marketplace.json",
        "gemini/gemini-extension.json",
        "vault/mdmem.toml",
    ):
        assert f"mdmem/_share/{path}" in listed
