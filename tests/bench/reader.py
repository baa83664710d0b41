"""What a reader finds who is asked about the nominated pairs and answers by the truth, and how often it is asked.

    python -m tests.bench.reader [--set PART] [--by mcp|llm] [--model MODEL]

The notes of a labelled set that no weight was fitted on become a vault. The reader, a stub that knows the labels,
is asked by the tools `garden` and `judge` until nothing waits, or as a model of the package `llm` on the loopback
address. Only totals are printed: found of all true twins and conflicts, and pairs asked for each that was found.
`--model` names a sentence model whose vectors the vault gets first.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from mdmem.acts.serving import Client
from mdmem.garden import judges
from mdmem.mcp import toolbox
from mdmem.mcp.desk import Desk
from mdmem.note import tokens
from mdmem.store.vault.keeper import VaultKeeper
from tests import garden_set

PARTS = ("natural", "unseen", "fresh")  # no weight of the scorer was fitted on these
LIMIT = 400  # pairs that are listed at once
_MOST = 50  # verdicts of a call
_ITEM = re.compile(r"^## ([0-9a-f]+): (\w+),", re.M)
_LINE = re.compile(r"(?:(#\d+) ?)?(.*)")  # of a question: a note, or what stands for one that was told before
_SHORT = {"same": "same", "second replaces first": "second", "both hold": "both"}
_NAME = {which: re.compile(rf"^{which}: (\S+), ", re.M) for which in ("First", "Second")}


class Truth:
    """The labels of a set, and how often they were asked for."""

    def __init__(self, of: str) -> None:
        labels = garden_set.labels(of)
        self.pairs = {kind: {garden_set.pair(one) for one in labels[kind]} for kind in ("twins", "conflicts")}
        self.asked: set[frozenset[str]] = set()

    def verdict(self, first: str, second: str) -> str:
        """What is to be said of two notes, of which the first is the older."""
        pair = frozenset((first, second))
        self.asked.add(pair)
        if pair in self.pairs["twins"]:
            return "same"
        return "second replaces first" if pair in self.pairs["conflicts"] else "both hold"

    def row(self) -> str:
        found = {kind: len(self.asked & pairs) for kind, pairs in self.pairs.items()}
        told = [
            f"{kind} {found[kind]} of {len(pairs)} ({found[kind] / len(pairs):.2f})"
            for kind, pairs in self.pairs.items()
        ]
        each = len(self.asked) / max(sum(found.values()), 1)
        return f"{', '.join(told)}; asked about {len(self.asked)}, {each:.1f} for each found"


def by_mcp(root: Path, truth: Truth) -> int:
    """The reader as an agent; returns how many calls of `garden` it made."""
    keeper = VaultKeeper(str(root), "", patience=0)
    desk = Desk(keeper, *toolbox.chosen())
    calls = 0
    while True:
        listed = desk.call("garden", {"limit": LIMIT, "only": ["twins", "conflicts"]}, Client("reader", "r1")).text
        calls += 1
        said = list(_answers(listed, truth))
        if not said:
            break
        for at in range(0, len(said), _MOST):
            desk.call("judge", {"items": said[at : at + _MOST]}, Client("reader", "r1"))
    keeper.close()
    return calls


def _answers(listed: str, truth: Truth) -> Iterator[dict[str, str]]:
    for part in re.split(r"(?m)^(?=## [0-9a-f]+: )", listed):
        if item := _ITEM.match(part):
            names = [pattern.search(part) for pattern in _NAME.values()]
            is_pair = all(names)
            verdict = truth.verdict(*(name[1] for name in names if name)) if is_pair else "no"
            yield {"id": item[1], "verdict": verdict, "why": "By the labels."}


def by_llm(root: Path, truth: Truth) -> int:
    """The reader as a model of the `llm` package; returns how many calls it got, and prints what they cost."""
    notes = list(garden_set.notes(truth_set(root)))
    named = {_plain(one.body): one.name for one in notes}
    told: list[str] = []

    def answer(prompt: str) -> str:
        notes_told: dict[str, str] = {}
        answers = {}
        for question in re.split(r"(?m)^(?=\d+$)", prompt)[1:]:
            number, *lines = question.rstrip("\n").split("\n")
            names = []
            for line in lines:
                again, note = _LINE.fullmatch(line).groups()  # type: ignore[union-attr]
                names.append(_name(notes_told.setdefault(again, note) if again else note, named))
            verdict = _SHORT[truth.verdict(*names)]
            answers[number] = verdict if verdict == "both" else f"{verdict}: by the labels"
        said = json.dumps(answers, separators=(",", ":"))
        told.append(judges.SYSTEM + prompt + said)
        return said

    with _Served(answer, root.parent) as environment:
        asking = ("garden", "--llm", "--yes", "--max-calls", "9999", "--json", "--vault", str(root))
        line = [sys.executable, "-m", "mdmem", *asking, "--only", "twins", "--only", "conflicts"]
        subprocess.run(line, env={**os.environ, **environment}, check=True, stdout=subprocess.DEVNULL)
    print(f"{sum(map(tokens.estimate, told)) * 1000 // len(notes):,} tokens per 1,000 notes, answers included")
    return len(told)


def _name(line: str, named: Mapping[str, str]) -> str:
    """The name of the note that a line of a question tells, by its text, maybe after its title."""
    said = _plain(line[9:])
    return named.get(said) or next(name for text, name in named.items() if said.endswith(text))


def _plain(text: str) -> str:
    return " ".join(text.split())


def truth_set(root: Path) -> str:
    """The set whose notes are in a vault."""
    return root.name


class _Served:
    """A server on the loopback address that speaks OpenAI's API, as the model `local` of the package `llm`."""

    def __init__(self, answer: Callable[[str], str], folder: Path) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body: Any = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                message = {"role": "assistant", "content": answer(body["messages"][-1]["content"])}
                choice = {"index": 0, "finish_reason": "stop", "message": message}
                told = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
                data = json.dumps(
                    {**told, "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
                )
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(data.encode())

            def log_message(self, *_: object) -> None:
                """Nothing on standard error."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        base = f"http://127.0.0.1:{self._server.server_port}/v1"
        (folder / "extra-openai-models.yaml").write_text(
            f"- model_id: local\n  model_name: m\n  api_base: {base}\n"
        )
        self._environment = {"LLM_USER_PATH": str(folder), "MDMEM_LLM": "local", "OPENAI_API_KEY": "stub"}

    def __enter__(self) -> dict[str, str]:
        Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self._environment

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def planted(folder: Path, of: str, model: str) -> Path:
    """A vault with the notes of a set, as a person committed them."""
    root = folder / of
    run = lambda *words: subprocess.run([str(word) for word in words], check=True, capture_output=True)  # noqa: E731
    run(sys.executable, "-m", "mdmem", "init", root, "--no-examples")
    for one in garden_set.notes(of):
        place = root / one.path
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(one.data)
    run("git", "-C", root, "add", ".")
    run("git", "-C", root, "commit", "--quiet", "-m", "notes")
    if model:
        os.environ["MDMEM_MODEL"] = model
        run(sys.executable, "-m", "mdmem", "rebuild", "vectors", "--vault", root)
    return root


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", dest="part", choices=PARTS, help="only this part")
    parser.add_argument("--by", choices=("mcp", "llm"), default="mcp", help="how the reader is asked")
    parser.add_argument("--model", default="", help="with candidates of a sentence model: use, minilm")
    given = parser.parse_args()
    os.environ["MDMEM_MODEL"] = "off"
    for part in [given.part] if given.part else PARTS:
        truth = Truth(f"judgement_{part}")
        with tempfile.TemporaryDirectory() as folder:
            root = planted(Path(folder), f"judgement_{part}", given.model)
            calls = {"mcp": by_mcp, "llm": by_llm}[given.by](root, truth)
        print(
            f"{part}, by {given.by}{', with ' + given.model if given.model else ''}: {truth.row()}, {calls} calls",
            flush=True,
        )


if __name__ == "__main__":
    main()
