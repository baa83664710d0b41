"""The shapes that programs read: what each act gives of a real vault as JSON, held against a file.

`MDMEM_GOLDEN=write pytest tests/acts` writes the files anew; `git diff` then shows what programs will notice.
Keys may be added; one that goes or changes its meaning breaks those programs.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.telling import encode
from mdmem.capture.inbox import filling
from mdmem.connect.connecting import Preview
from mdmem.connect.selftest import ClientState
from mdmem.history.purging.published import PushedPurge
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault as OpenVault
from mdmem.team.publish import Publication
from mdmem.team.roles import Grant, TeamStatus, TeamVault
from tests.capture import sessions
from tests.conftest import NOW, Run
from tests.systems.rum.works import WHOLE

GOLDEN = Path(__file__).parent / "golden"
REWRITE = os.environ.get("MDMEM_GOLDEN") == "write"  # read before a test's home is made

FRONTMATTER = """\
---
id: 00000000-0000-7000-8000-00000000000{number}
title: {title}
created: 2026-01-0{number}T00:00:00Z
category: past
type: fact
{more}---

{text}
"""
WORTH = """\
tags:
  - tables
confidence: 0.9
importance: 0.95
salience: 0.8
decay:
  curve: exponential
  half_life_seconds: 2592000
scope: project
sensitivity: medium
origin: web
"""
NOTES = (
    ("user_lives_in_berlin", "User lives in Berlin", "", "User lives in Berlin."),
    ("user_lives_in_munich", "User lives in Munich", "", "User lives in Munich."),
    ("user_prefers_short_tables", "Short tables", "", "User prefers short tables over prose."),
    ("user_wants_short_tables", "Short tables", "", "User prefers short tables over prose!"),
    ("report_holds_one_chart", "One chart", WORTH, "A report holds one chart."),
)
CHAT = "User: I prefer tabs over spaces. And remember this: the lease ends on 30 June.\n"
PASTE = """\
[MEMORY_CANDIDATES]
1. user_likes_green_tea.md — category: past — tags: [tea]
---
User likes green tea, without sugar.
2. memory1.md — category: past — tags: []
---
Bad name.
"""
LEGACY = """\
# Deploys hang on full disks
**Created:** 2025-11-02
**Tags:** #ops

Deploys hang when the disk is full.
"""
QUESTIONS = (
    {"question": "how are reports wanted", "gold": ["user_prefers_short_tables.md"]},
    {"question": "where does the user work", "gold": ["no_such_memory.md"], "absent": ["user_lives_in_berlin.md"]},
)

YESTERDAY = 1772280000  # 2026-02-28 12:00 UTC, a day before the pinned clock

STABLE = (  # what differs from run to run
    (r"\b[0-9a-f]{40}\b", "HASH"),
    (r"(?<![^\W_])(?!0{8}-)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", "ID"),
    (r"garden-2026-03-01-1200-[0-9a-f]{4}", "RUN"),
    (r"@[0-9a-f]{8}\b", "@HASH"),
    (r"chunk-2026-\d\d-\d\d-[0-9a-f]{8}", "CHUNK"),
)


def stable(text: str, tmp_path: Path) -> str:
    text = text.replace(str(tmp_path), "TMP")
    for pattern, name in STABLE:
        text = re.sub(pattern, name, text)
    return text


def plant(folder: Path) -> None:
    for number, (name, title, more, text) in enumerate(NOTES, 1):
        note = FRONTMATTER.format(number=number, title=title, more=more, text=text)
        (folder / f"{name}.md").write_text(note)


class Vault:
    """A vault to ask for JSON by the command line."""

    def __init__(self, root: Path, mdmem: Run) -> None:
        self.root = root
        self.mdmem = mdmem

    def ask(self, *arguments: object, code: int = 0) -> Any:
        return json.loads(self.mdmem(*arguments, "--vault", self.root, "--json", code=code).out)


@pytest.fixture
def vault(root: Path, git: Run, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> Vault:
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, "2026-02-01T12:00:00Z")
    plant(root / "allmemories")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    return Vault(root, mdmem)


def values_found(vault: Vault, folder: Path) -> dict[str, Any]:
    (folder / "questions.jsonl").write_text("\n".join(json.dumps(question) for question in QUESTIONS))
    return {
        "record": vault.ask("list", "--sort", "name")[0],
        "note": vault.ask("show", "report_holds_one_chart"),
        "answer": vault.ask("recall", "one chart", "--explain", "--depth", "summary")[0],
        "ranking": vault.ask("recall", "short tables", "--why", "user_wants_short_tables"),
        "evaluation": vault.ask("eval", folder / "questions.jsonl"),
        "candidate": vault.ask("candidates", "render", "report_holds_one_chart")[0],
        "plan": vault.ask("garden"),
        "proposal": vault.ask("garden", "--only", "twins")["proposals"][0],
        "survey": vault.ask("status"),
        "hook": vault.ask("hooks", "status")[0],
        "people": vault.ask("trust"),
    }


def values_taken_in(vault: Vault, folder: Path) -> dict[str, Any]:
    old = folder / "old/brain/memory/allmemories"
    old.mkdir(parents=True)
    (old / "deploys_hang_on_full_disks.md").write_text(LEGACY)
    (folder / "chat.md").write_text(CHAT)
    (folder / "paste.md").write_text(PASTE)
    other = Vault(folder / "other", vault.mdmem)
    made = vault.ask("init", other.root, "--no-examples")
    other.ask("remember", "Bikes are repaired on Mondays.", "--type", "fact")
    mirrored = other.ask("mirror")
    return {
        "made": made,
        "mirrored": mirrored,
        "stale": vault.ask("mirror", "--check", code=1),
        "captured": vault.ask("capture", folder / "chat.md", "--rules-only", "--write"),
        "ingested": vault.ask("ingest", folder / "chat.md", "--topic", "auto"),
        **values_of_topics(vault),
        "source": vault.ask("show", vault.ask("list", "--kind", "entry")[0]["id"]),
        "intake": vault.ask("candidates", "import", folder / "paste.md"),
        "import": [vault.ask("import", "legacy", folder / "old"), vault.ask("import", "rlm", other.root)],
    }


def values_of_topics(vault: Vault) -> dict[str, Any]:
    topics = vault.ask("topics")
    facts = vault.ask("facts", topics["topics"][0]["topic"])
    return {
        "facts": facts,
        "scored": vault.ask("facts", "score", facts["facts"][0]["id"], "9"),
        "topics": topics,
        "topic_memory": vault.ask("topics", topics["topics"][0]["topic"]),
        "global_memory": vault.ask("topics", "--global"),
        "rebuilt": vault.ask("rebuild", "all"),
    }


def values_written(vault: Vault) -> dict[str, Any]:
    by_hand = vault.root / "allmemories/by_hand_one_day.md"
    by_hand.write_text("Written by hand.\n")
    os.utime(by_hand, (YESTERDAY, YESTERDAY))
    half = vault.root / "allmemories/half_a_header.md"
    half.write_text("---\ntitle: [x\n---\n\nText.\n")
    problem = vault.ask("doctor", code=1)[0]
    half.unlink()
    values = {
        "problem": problem,
        "remembered": vault.ask("remember", "User wants short tables over prose.", "--session", "s1"),
        "written": vault.ask("update", "user_lives_in_munich", "--append", "Since 2025.", "--session", "s2"),
        "difference": vault.ask("diff", "user_lives_in_munich", "--from", "HEAD~1"),
        "commit": vault.ask("log", "--session", "s2")[0],
        "blame": vault.ask("blame", "user_lives_in_munich"),
        "adopted": vault.ask("adopt", "--all"),
        "renamed": vault.ask("rename", "user_lives_in_berlin", "user_lived_in_berlin"),
    }
    vault.ask("forget", "user_lived_in_berlin", "--reason", "moved away")
    values["may_change"] = {"may_change": values["remembered"]["may_change"]}
    values["deleted"] = vault.ask("trash")[0]
    values["restored"] = vault.ask("restore", "user_lived_in_berlin")
    values["undo"] = vault.ask("undo", "--session", "s2")
    values["moved"] = vault.ask("layout", "month")
    sides = "<<<<<<< ours (property)\ntitle: Ours\n=======\ntitle: Theirs\n>>>>>>> theirs (property)\n"
    by_hand = vault.root / "allmemories/one_note_in_conflict.md"
    by_hand.write_text(f"---\ntitle: Ours\n---\n{sides}\nText.\n")
    values["unsettled"] = vault.ask("waiting", "--kind", "merge")[0]
    values["settled"] = vault.ask("judge", "one_note_in_conflict", "theirs")
    vault.ask("forget", "one_note_in_conflict")
    return values


def values_of_sessions(vault: Vault) -> dict[str, Any]:
    start = ("session", "start", "--actor", "claude-code", "--session")
    vault.ask(*start, "s3")
    vault.ask("remember", "Deploys run on Fridays.", "--actor", "gpt", "--twins", "ignore")
    pack = vault.ask(*start, "s4", "--context", "short tables", "--budget", "400", "--files", "5")
    return {
        "pack": pack,
        "news": pack["news"],
        "session": vault.ask("session", "note", "--present", "reading the log", "--session", "s4"),
        "ending": vault.ask("session", "end", "--summary", "The disk was full.", "--session", "s4"),
    }


def values_of_the_garden(vault: Vault) -> dict[str, Any]:
    return {
        "branch": vault.ask("garden", "apply", "--branch", "--only", "twins"),
        "run": vault.ask("garden", "apply", "--only", "twins"),
    }


def values_of_records(vault: Vault) -> dict[str, Any]:
    source = '[{kind: artifact, ref: "allmemories/report_holds_one_chart.md@0123456789"}]'
    vault.ask("update", "user_lives_in_munich", "--set", f"provenance={source}")
    vault.ask("remember", "A report holds two charts.", "--supersedes", "report_holds_one_chart")
    return {
        "adjusted": vault.ask("record", "reinforce", "report_holds_one_chart"),
        "summary": vault.ask("list", "--as", "record", "--scope", "project"),
        "descent": vault.ask("record", "fork", "report_holds_one_chart", "--text", "A report holds three charts."),
        "retrieval": vault.ask("recall", "--as", "record", "--type", "semantic", "--limit", "2"),
        "audit_log": vault.ask("log", "report_holds_one_chart", "--format", "membrane"),
        "source_check": vault.ask("doctor", "--as", "record", "--sources", "user_lives_in_munich", code=1)[0],
        "choice": vault.ask("record", "select", "report_holds_one_chart", "user_lives_in_munich"),
        "lineage": vault.ask("record", "lineage", "report_holds_one_chart"),
    }


def values_of_the_inbox(vault: Vault, folder: Path) -> dict[str, Any]:
    (folder / "session.md").write_text(
        "User: Remember that the staging database is called heron.\nAssistant: Yes.\n"
    )
    with OpenVault(str(vault.root)) as found:
        filling.fill(found, str(folder / "session.md"), Caller(NOW, "claude-code", "s5"), 5)
    return {"inbox": vault.ask("waiting"), "kept": vault.ask("judge", "--all", "keep", "--kind", "captured")[0]}


def values_of_works(vault: Vault, folder: Path) -> dict[str, Any]:
    (folder / "work.json").write_text(json.dumps(WHOLE))
    (folder / "session.jsonl").write_text(sessions.CLAUDE)
    return {
        "work_drafted": vault.ask("work", "add", "--from", folder / "session.jsonl", "--dry-run"),
        "work_added": vault.ask("work", "add", folder / "work.json", "--name", "stop_random_logouts"),
        "work": vault.ask("show", "--as", "work", "stop_random_logouts"),
        "linked": vault.ask("work", "link", "stop_random_logouts", "caused_by", "report_holds_one_chart"),
        "found_work": vault.ask("recall", "--as", "work", "--file", "auth.ts")[0],
        "kept_pages": vault.ask("work", "chapters", "stop_random_logouts"),
        "page": vault.ask("list", "--as", "chapter")[0],
        "reminders": _reminders(vault, folder),
    }


def _reminders(vault: Vault, folder: Path) -> Any:
    failed = {
        "intent": {"goal": "Cache the report", "task_type": "optimization"},
        "actions": [{"type": "file_edit", "file_path": "src/report.ts"}],
        "outcome": {"success": False, "summary": "It was stale"},
    }
    (folder / "failed.json").write_text(json.dumps(failed))
    vault.ask("work", "add", folder / "failed.json", "--name", "cache_the_report")
    return vault.ask("work", "before", "src/report.ts", "--command", "cache the report")


def values_of_clients(vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    (folder / "project").mkdir()
    monkeypatch.chdir(folder / "project")
    found = ClientState("pi", "pi", "/bin/pi", "0.73.1", "/vault", "", ("recall",), ("hooks do not run: no",))
    return {
        "connected": vault.ask("connect", "claude-code", "--project"),
        "preview": encode(Preview("codex", "/vault", {"/a": "text"}, {"/b": "lines"}, ("codex plugin",))),
        "client": encode(found),  # by itself: its command needs real clients
    }


def values_of_purges(vault: Vault, folder: Path) -> dict[str, Any]:
    purged = Vault(folder / "purged", vault.mdmem)
    vault.ask("init", purged.root, "--no-examples")
    purged.ask("remember", "Bikes are repaired on Mondays.", "--name", "bikes_on_mondays")
    return {
        "purge_survey": purged.ask("purge", "bikes_on_mondays", code=4),
        "pushed_purge": encode(PushedPurge("origin", ("refs/heads/main",), ())),  # it needs a remote
        "purged": purged.ask("purge", "bikes_on_mondays", "--yes", "--commits", "1"),
    }


def values_redacted(vault: Vault) -> dict[str, Any]:
    vault.ask("remember", "A report is kept from guests.", "--type", "decision", "--sensitivity", "high")
    return {"stub": vault.ask("list", "--where", "sensitivity=high", "--max-sensitivity", "medium")[0]}


def values_of_several(vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setenv("MDMEM_VAULT", f"{vault.root}{os.pathsep}{tmp_path / 'nowhere'}")
    listed = json.loads(vault.mdmem("vaults", "--json", code=1).out)
    unread = json.loads(vault.mdmem("recall", "chart", "--json").out)[-1]
    monkeypatch.delenv("MDMEM_VAULT")
    return {"listed_vault": listed[0], "unread_vault": unread}


def values_of_syncs(vault: Vault, folder: Path, git: Run) -> dict[str, Any]:
    git(folder, "init", "--quiet", "--bare", "-b", "main", "hub.git")
    git(vault.root, "remote", "add", "origin", str(folder / "hub.git"))
    vault.ask("sync", "--commit-edits")
    vault.ask("update", "report_holds_one_chart", "--set", "confidence=0.7")
    return {"sync": vault.ask("sync"), "standing": vault.ask("remote")[0]}


def values_of_teams() -> dict[str, Any]:
    """By themselves: their commands need a server."""
    done = Publication("v1", "notes", "abc", "", "filled", 3, 0, 3, 2, 1, "medium")
    vault = TeamVault("v1", "notes", "https://example.org/notes", "abc", "2026-03-01T12:00:00Z", 3, "medium", 8192)
    status = TeamStatus(True, ("hub",), (vault,), (Grant("ann", "v1", ("project",)),))
    return {"publication": encode(done), "team": encode(status)}


def test_every_builder_makes_what_its_golden_file_has(
    vault: Vault, tmp_path: Path, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {
        **values_found(vault, tmp_path),
        **values_of_the_garden(vault),
        **values_taken_in(vault, tmp_path),
        **values_written(vault),
        **values_of_sessions(vault),
        **values_of_the_inbox(vault, tmp_path),
        **values_of_records(vault),
        **values_of_works(vault, tmp_path),
        **values_of_purges(vault, tmp_path),
        **values_redacted(vault),
        **values_of_clients(vault, tmp_path, monkeypatch),
        **values_of_syncs(vault, tmp_path, git),
        **values_of_several(vault, tmp_path, monkeypatch),
        **values_of_teams(),
    }
    if not REWRITE:
        assert set(values) == {path.stem for path in GOLDEN.glob("*.json")}
    for name, value in values.items():
        text = stable(json.dumps(value, indent=2, ensure_ascii=False), tmp_path) + "\n"
        if REWRITE:
            (GOLDEN / f"{name}.json").write_text(text)
        assert text == (GOLDEN / f"{name}.json").read_text(), name
