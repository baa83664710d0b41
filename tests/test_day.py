"""A day with a vault, as sessions of several models live it: from the first pack to an undone mistake."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mdmem.note import tokens
from tests.conftest import Run

SAID = {
    "claude-code": "I prefer tabs over spaces.",
    "codex": "Remember this: the lease of the office ends on 30 June.",
    "jsonl": "We just shipped version 2.0 of the shop!",
    "chatgpt": "I'm allergic to peanuts.",
    "claude-ai": "Turns out the flaky test was caused by the shared tmp dir.",
    "markdown": "Please always answer in Spanish.",
    "text": "Actually, the standup is at 9:15.",
}
ANSWER = "All right."


def transcript(kind: str, said: str) -> str:
    """A chat of one question and its answer in each format that capture reads."""
    if kind == "claude-code":
        base = {"sessionId": "s1", "cwd": "/Users/ada/shop", "timestamp": "2026-03-01T10:00:00.000Z"}
        asked = {**base, "type": "user", "message": {"role": "user", "content": said}}
        parts = [{"type": "text", "text": ANSWER}]
        return _lines(asked, {**base, "type": "assistant", "message": {"role": "assistant", "content": parts}})
    if kind == "codex":
        meta = {
            "timestamp": "2026-03-01T10:00:00.000Z",
            "type": "session_meta",
            "payload": {"id": "s2", "cwd": "/x"},
        }
        asked = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": said}]}
        told = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWER}]}
        items = (
            {"timestamp": meta["timestamp"], "type": "response_item", "payload": one} for one in (asked, told)
        )
        return _lines(meta, *items)
    if kind == "jsonl":
        return _lines({"role": "user", "content": said}, {"role": "assistant", "content": ANSWER})
    if kind == "chatgpt":
        nodes = {
            "root": {"id": "root", "message": None, "parent": None, "children": ["a"]},
            "a": _node("a", "root", "user", said),
            "b": _node("b", "a", "assistant", ANSWER),
        }
        return json.dumps([{"title": "Lunch", "create_time": 1772359200.0, "mapping": nodes, "current_node": "b"}])
    if kind == "claude-ai":
        told = [("human", said), ("assistant", ANSWER)]
        messages = [
            {"uuid": who, "sender": who, "text": text, "created_at": "2026-03-01T10:00:00.000000Z"}
            for who, text in told
        ]
        return json.dumps([{"uuid": "c1", "name": "Tests", "chat_messages": messages}])
    if kind == "markdown":
        return f"## User\n\n{said}\n\n## Assistant\n\n{ANSWER}\n"
    return f"User: {said}\nAssistant: {ANSWER}\n"


def _lines(*values: dict[str, Any]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def _node(id: str, parent: str, role: str, text: str) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    message = {"id": id, "author": {"role": role}, "create_time": 1772359200.0, "content": content, "weight": 1.0}
    return {"id": id, "message": message, "parent": parent, "children": []}


def test_a_day(tmp_path: Path, root: Path, mdmem: Run, git: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MDMEM_VAULT", str(root))
    mdmem("remember", "The shop runs on Postgres 15.", "--tag", "shop")
    mdmem("remember", "Write the release notes of the shop", "--category", "future")

    # the first session begins with one pack, within its budget, the LiveHud first
    begun = mdmem(
        "session", "start", "--context", "the shop", "--actor", "claude", "--session", "s1", "--budget", "300"
    )
    assert begun.out.startswith("🧠 Past: The shop runs on Postgres 15 | ")
    assert "🔮 Future: Write the release notes of the shop" in begun.out
    assert tokens.estimate(begun.out) <= 300

    # a chat in each format becomes memories
    for kind, said in SAID.items():
        chat = tmp_path / f"chat-{kind}.txt"
        chat.write_text(transcript(kind, said))
        done = json.loads(mdmem("capture", chat, "--write", "--actor", "importer", "--json").out)
        assert done["format"] == kind
        assert [one["verdict"] for one in done["proposals"]] == ["new"], kind
        told = re.sub("^(Remember this: |Actually, )", "", said)  # what asks is no part of it
        written = (root / done["proposals"][0]["path"]).read_text().rstrip()
        assert f"\n{told}\n".casefold() in written.casefold(), kind

    # the session ends with what it learnt, one commit, and nothing of it twice
    (tmp_path / "chat.md").write_text("User: Actually, the shop runs on Postgres 16. I prefer tabs over spaces.\n")
    head = git(root, "rev-parse", "HEAD")
    ended = mdmem("session", "end", "--actor", "claude", "--summary", "- The shop needs two replicas.",
                  "--transcript", tmp_path / "chat.md")  # fmt: skip
    assert "shop_needs_two_replicas" in ended.out
    assert "replaces shop_runs_postgres_15" in ended.out
    assert "prefer_tabs_over_spaces" in ended.out + ended.err
    assert git(root, "rev-parse", "HEAD~1") == head
    assert git(root, "log", "-1", "--format=%an %(trailers:key=Memory-Session,valueonly)").split() == [
        "claude",
        "s1",
    ]

    # the next one learns what others changed meanwhile, by hand and by command
    note = root / "allmemories/prefer_tabs_over_spaces.md"
    note.write_text(note.read_text() + "\nIn Makefiles above all.\n")
    git(root, "commit", "--quiet", "--all", "--message", "by hand")
    mdmem("remember", "Standups are remote on Fridays.", "--actor", "gpt")
    news = mdmem("session", "start", "--context", "tabs", "--actor", "claude", "--session", "s2").out
    assert news.startswith("🧠 Past: I prefer tabs over spaces | ")
    assert "- added prefer_tabs_over_spaces, by Ada Lovelace and importer" in news
    assert re.search(r"standups_remote_fridays.*, added by gpt\): Standups are remote on Fridays\.", news)
    assert "shop_needs_two_replicas, by" not in news

    # what a model without tools wants saved is pasted
    item = "1. user_drinks_green_tea.md — category: past — tags: [tea]\n---\nGreen tea at four.\n"
    block = f"[MEMORY_CANDIDATES]\n{item}"
    (tmp_path / "answer.txt").write_text(block)
    mdmem("candidates", "import", tmp_path / "answer.txt", "--actor", "small-model", "--session", "s3")
    assert "user_drinks_green_tea" in mdmem("list").out

    # and a session that went wrong is taken back with one command
    tree = git(root, "rev-parse", "HEAD^{tree}")
    mdmem("remember", "The shop runs on punch cards.", "--session", "s4", "--actor", "rogue")
    mdmem("forget", "user_drinks_green_tea", "--session", "s4", "--actor", "rogue")
    mdmem("undo", "--session", "s4")
    assert git(root, "rev-parse", "HEAD^{tree}") == tree
