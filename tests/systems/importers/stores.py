"""Stores that the real programs write, each in a folder of its own.

    python -m tests.systems.importers.stores FOLDER

builds those of the programs that are found: on PATH, or in the folders that MDMEM_STORES_DIR names (separated as
in PATH). server-memory comes by `npm install @modelcontextprotocol/server-memory`, basic-memory by pip on Python
3.12 or newer, palinode by pip on a Python whose sqlite3 loads extensions, such as Debian's.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

HERE = dict(os.environ)  # read before a test empties it
_PATIENCE = 60.0  # seconds for a program
_PROTOCOL = "2025-11-25"

Calls = Sequence[tuple[str, Mapping[str, Any]]]


def program(name: str) -> str:
    """Where a program is, "" if it is not found."""
    folders = os.pathsep.join([HERE.get("MDMEM_STORES_DIR", ""), HERE.get("PATH", "")])
    return shutil.which(name, path=folders) or ""


def server_memory(folder: Path, home: Path) -> Path:
    """Three entities and three relations; the file."""
    store = folder / "memory.jsonl"
    entities = [
        {
            "name": "Ada_Lovelace",
            "entityType": "person",
            "observations": ["Leads the web team", "Likes tea\nand rain"],
        },
        {"name": "Web shop", "entityType": "project", "observations": ["Runs on port 8020"]},
        {"name": "Tabs, not spaces", "entityType": "decision", "observations": []},
    ]
    relations = [
        {"from": "Ada_Lovelace", "to": "Web shop", "relationType": "maintains"},
        {"from": "Tabs, not spaces", "to": "Web shop", "relationType": "supports"},
        {"from": "Web shop", "to": "Ada_Lovelace", "relationType": "maintained by"},
    ]
    calls = (("create_entities", {"entities": entities}), ("create_relations", {"relations": relations}))
    _called([program("mcp-server-memory")], calls, home, MEMORY_FILE_PATH=str(store))
    return store


def basic_memory(folder: Path, home: Path) -> Path:
    """Three notes that link to each other by title and by permalink; the folder."""
    texts = {
        "Team day": (
            "notes",
            "- [decision] It is on Tuesday #team\n\n- led_by [[Ada Lovelace]]\n- relates_to [[Later]]",
        ),
        "Ada Lovelace": ("people", "Leads the web team. See [[notes/team-day]]."),
        "Harbor": ("notes", "Opens at six. Asked by [[Ada Lovelace]] on [[Team day]]."),
    }
    calls = [
        ("write_note", {"title": title, "directory": where, "content": text, "tags": ["work"]})
        for title, (where, text) in texts.items()
    ]
    quiet = {"BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false", "BASIC_MEMORY_HOME": str(folder)}
    _called([program("basic-memory"), "mcp"], calls, home, **quiet)
    return folder


def palinode(folder: Path, home: Path) -> Path:
    """Three memories of three kinds; the folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    where = {"PALINODE_DIR": str(folder), "PALINODE_API_PORT": port, "PALINODE_API_HOST": "127.0.0.1"}
    environment = {**_environment(home), **where}
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True, env=environment)
    server = subprocess.Popen(
        [program("palinode-api")],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/status")
        for line in (
            ["We use tabs in the shop.", "--type", "Decision", "--title", "Tabs in the shop", "--project", "shop"],
            ["Ada leads the web team.", "--type", "PersonMemory", "--entity", "person/ada", "--core"],
            ["Rain makes the harbor busy.", "--type", "Insight", "--critical"],
        ):
            save = [program("palinode"), "save", *line]
            subprocess.run(save, cwd=folder, check=True, env=environment, capture_output=True, timeout=_PATIENCE)
    finally:
        server.terminate()
        server.wait(_PATIENCE)
    return folder


# name of the importer -> (the program that has to be there, what builds the store)
STORES: Mapping[str, tuple[str, Callable[[Path, Path], Path]]] = {
    "server-memory": ("mcp-server-memory", server_memory),
    "basic-memory": ("basic-memory", basic_memory),
    "palinode": ("palinode", palinode),
}


def _environment(home: Path) -> dict[str, str]:
    who = {
        f"GIT_{role}_{part}": f"{part.lower()}@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for part in ("NAME", "EMAIL")
    }
    return {"PATH": HERE["PATH"], "HOME": str(home), **who}


def _called(command: Sequence[str], calls: Calls, home: Path, **environment: str) -> None:
    """Call tools of an MCP server that talks over its standard input and output."""
    first = {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": {"name": "stores", "version": "1"}}
    requests = [
        ("initialize", first),
        *(("tools/call", {"name": name, "arguments": given}) for name, given in calls),
    ]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**_environment(home), **environment},
    ) as server:
        assert server.stdin
        assert server.stdout
        for number, (method, given) in enumerate(requests, 1):
            row = {"jsonrpc": "2.0", "id": number, "method": method, "params": given}
            server.stdin.write(json.dumps(row) + "\n")
            if number == 1:
                server.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
            server.stdin.flush()
            answer = next(answer for answer in map(_read, server.stdout) if answer.get("id") == number)
            assert not answer.get("result", {"isError": True}).get("isError"), answer
        server.stdin.close()


def _read(row: str) -> dict[str, Any]:
    with suppress(ValueError):
        return dict(json.loads(row))
    return {}


def _wait_for(url: str) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        with suppress(OSError), urllib.request.urlopen(url):
            return
        time.sleep(0.2)
    raise TimeoutError(url)


def main(target: str) -> None:
    for name, (needed, build) in STORES.items():
        if not program(needed):
            print(f"{name}: there is no {needed}; skipped")
            continue
        folder, home = Path(target, name), Path(target, f".home-{name}")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        home.mkdir(exist_ok=True)
        print(f"{name}: {build(folder, home)}")


if __name__ == "__main__":
    main(sys.argv[1])
