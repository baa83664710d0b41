"""A vault with some of everything that pages show: for journeys through them, and for the pictures of the guide.

It is the memory of people who run a small shop with two agents, told in a few commits of ten days. What is made is
the same each time, but for what the inbox of this machine is filled with.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from mdmem.capture.inbox import filling
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, git_settings, is_of_the_developer

FOLDER = "allmemories"
SESSION = "cart-and-login"
UNDONE = "night-shift"  # the session of an agent that wrote things that are wrong
HOSTILE = f"{FOLDER}/%3C/script%3E.md"  # the address of a memory that would rather be a script; see `add_hostile`
CENTRE = "shop_keeps_carts_in_redis"  # what most others have to do with

# name: (day of creation, properties, text)
_FIRST = {
    CENTRE: (
        "2026-02-20",
        "title: The shop keeps carts in Redis\ntype: decision\ntopic: shop\ntags: [cart, storage]\n"
        "confidence: 0.9\npinned: true",
        "Carts live in Redis for seven days, because half of the customers come back within a week and buy what\n"
        "they left. Chosen over a table in [[orders_are_in_postgres|Postgres]], which would have grown by a "
        "million rows a\nmonth.\n\n## What follows\n\n- A cart that was not touched for a week is gone; see "
        "[[carts_are_announced_by_mail]].\n- Deploys must not flush Redis: [[deploys_are_frozen_in_december]].\n"
        "- The [[login_uses_refresh_tokens|login]] has the key of the cart.\n",
    ),
    "orders_are_in_postgres": (
        "2026-02-20",
        "title: Orders are in Postgres\ntype: fact\ntopic: shop\ntags: [storage]",
        "Orders, customers and invoices are in one Postgres database, called heron. It is backed up each night.\n",
    ),
    "login_uses_refresh_tokens": (
        "2026-02-21",
        "title: The login uses refresh tokens\ntype: decision\ntopic: login\ntags: [security]\n"
        'related_to: ["[[security_asks_for_short_tokens]]"]',
        "Access tokens live an hour, refresh tokens two weeks. Longer ones were refused by\n"
        "[[security_asks_for_short_tokens|security]].\n",
    ),
    "security_asks_for_short_tokens": (
        "2026-02-21",
        "title: Security asks for short tokens\ntype: fact\ntopic: login\ntags: [security]",
        "No token may live longer than an hour without a look at the account.\n",
    ),
    "carts_are_announced_by_mail": (
        "2026-02-22",
        "title: Carts are announced by mail\ntype: pattern\ntopic: shop\ntags: [cart, mail]",
        "Who leaves a cart gets one mail after two days, and never a second one. From [[" + CENTRE + "]].\n",
    ),
    "deploys_are_frozen_in_december": (
        "2026-02-22",
        "title: Deploys are frozen in December\ntype: decision\ntopic: operations\ntags: [deploy]",
        "From the 15th on nothing is deployed but repairs. The reason is\n"
        "[[redis_was_flushed_last_december|what happened last year]].\n",
    ),
    "redis_was_flushed_last_december": (
        "2026-02-22",
        "title: Redis was flushed last December\ntype: episodic\ntopic: operations\ntags: [cart, incident]",
        "A deploy on the 20th flushed Redis; 4,000 carts were lost. Since then [[" + CENTRE + "]] says how.\n",
    ),
    "ana_prefers_short_answers": (
        "2026-02-23",
        "title: Ana prefers short answers\ntype: preference\ntopic: people\ntags: [writing]",
        "Ana wants the answer first, in two sentences, and reasons only when she asks.\n",
    ),
    "ana_likes_answers_short": (
        "2026-02-24",
        "title: Ana likes her answers short\ntype: preference\ntopic: people\ntags: [writing]",
        "Ana wants the answer first, in two sentences, and reasons only when she asks.\n",
    ),
    "ben_lives_in_lisbon": (
        "2026-02-23",
        "title: Ben lives in Lisbon\ntype: fact\ntopic: people",
        "Ben lives in Lisbon.\n",
    ),
    "ben_lives_in_porto": (
        "2026-02-25",
        'title: Ben lives in Porto\ntype: fact\ntopic: people\ncontradicts: ["[[ben_lives_in_lisbon]]"]',
        "Ben lives in Porto.\n",
    ),
    "next_write_the_restore_drill": (
        "2026-02-26",
        "title: Write the restore drill\ncategory: future\ntopic: operations\ntags: [backup]",
        "Restore heron from a backup once a quarter; see [[orders_are_in_postgres]].\n",
    ),
    "next_ask_ana_about_the_mail": (
        "2026-02-27",
        "title: Ask Ana about the second mail\ncategory: future\ntopic: shop\ntags: [mail]",
        "Does [[carts_are_announced_by_mail|one mail]] still suffice?\n",
    ),
    "facts_about_ana": (
        "2026-02-24",
        "title: Facts about Ana\ntype: fact\ntopic: people",
        '## Facts\n\n- Ana · lives in · Lisbon (identity, current, 0.9) "I moved to Lisbon last year."\n'
        '- Ana · is allergic to · peanuts (constraint, long_term, 1.0, score 10) "I can\'t have peanuts."\n'
        "- Ana · prefers · morning meetings (preference, current, 0.8)\n",
    ),
}
# name: (goal, whether it succeeded, summary, file, causes)
_WORKS = {
    "keep_people_logged_in": (
        "Keep people logged in",
        False,
        "Security refused tokens of a day",
        "src/auth.ts",
        (),
    ),
    "stop_random_logouts": (
        *("Stop the random logouts", True, "Tokens are refreshed before they end", "src/auth.ts"),
        ("keep_people_logged_in",),
    ),
    "timer_leaks_memory": (
        *("Find why memory grows", False, "The timer of the refresh was never cleared", "src/timer.ts"),
        ("stop_random_logouts",),
    ),
    "clear_timer_on_logout": (
        *("Clear the timer on logout", True, "Memory is flat again", "src/timer.ts"),
        ("timer_leaks_memory",),
    ),
}
_WRONG = {
    "reports_are_due_on_sunday": ("Reports are due on Sunday night", "All reports are due on Sunday night.\n"),
    "staging_is_called_localhost": ("Staging is called localhost", "The staging server is called localhost.\n"),
}
_SAID = (
    "I prefer tabs over spaces in Go files.",
    "Remember that the staging database is called kestrel.",
    "Remember that invoices are sent on the first of a month.",
)


def build(root: Path, home: Path) -> None:
    """Fill an empty vault in git, as `tests.conftest.empty_vault` is one; `home` holds git's settings."""
    story = _Story(root, home)
    for name, (day, head, text) in _FIRST.items():
        story.write(name, day, head, text)
    story.commit(
        "2026-02-26T09:12:00Z", "create: the memories of the shop", "Written down after the planning day."
    )
    for name, work in _WORKS.items():
        story.write(name, "2026-02-27", *_work(*work))
    story.commit("2026-02-27T16:40:00Z", "create: four works", "What was tried about the logouts.", SESSION)
    centre = root / FOLDER / f"{CENTRE}.md"
    centre.write_text(
        centre.read_text().replace("for seven days", "for fourteen days").replace("a week is", "two weeks is")
    )
    story.commit(
        "2026-02-28T10:05:00Z", f"revise: {CENTRE}", "Ana: a week was too short before holidays.", SESSION
    )
    centre.write_text(
        centre.read_text() + "- Redis writes to its disk each second, so that a restart loses nothing.\n"
    )
    story.commit("2026-03-01T08:30:00Z", f"revise: {CENTRE}", "Checked on the server.")
    for name, (title, text) in _WRONG.items():
        story.write(name, "2026-03-01", f"title: {title}\ntype: fact\ntopic: operations", text)
    story.commit("2026-03-01T09:45:00Z", "create: two facts", "", UNDONE)
    _capture(root, home)


def add_hostile(root: Path) -> None:
    """Add a memory whose name, title and text try to get out of a page."""
    place = root / FOLDER / "<" / "script>.md"
    place.parent.mkdir()
    place.write_text(
        '---\ntitle: "<script>alert(1)</script>"\ntags: ["<b>bold"]\n---\n\n<img src=x onerror=alert(2)> '
        "[a](javascript:alert(3))\n\n![seen](https://evil.example/pixel.png)\n"
    )


class _Story:
    """Writes memories and commits them, as a person or as an agent in a session."""

    def __init__(self, root: Path, home: Path) -> None:
        self._root = root
        clean = {key: value for key, value in os.environ.items() if not is_of_the_developer(key)}
        self._environment = {**clean, **git_settings(home)}
        self._written = 0

    def write(self, name: str, day: str, head: str, text: str) -> None:
        self._written += 1
        id = f"id: 00000000-0000-7000-8000-{self._written:012d}"
        category = "" if "category:" in head else "category: past\n"
        note = f"---\n{id}\n{head}\n{category}created: {day}T08:00:00Z\n---\n\n{text}"
        (self._root / FOLDER / f"{name}.md").write_text(note)

    def commit(self, when: str, subject: str, reason: str, session: str = "") -> None:
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        words = [subject, *([reason] if reason else [])]
        author: Mapping[str, str] = {}
        if session:
            agent = "claude-code"
            action = subject.partition(":")[0]
            words.append(f"Memory-Action: {action}\nMemory-Actor: {agent}\nMemory-Session: {session}")
            author = {"GIT_AUTHOR_NAME": agent, "GIT_AUTHOR_EMAIL": f"{agent}@agents.mdmem.invalid"}
        message = [part for word in words for part in ("-m", word)]
        for line in (["add", "-A"], ["commit", "--quiet", *message]):
            subprocess.run(
                ["git", *line], cwd=self._root, check=True, env={**self._environment, **dates, **author}
            )


def _work(goal: str, success: bool, summary: str, file: str, causes: tuple[str, ...]) -> tuple[str, str]:
    """(properties, text) of a piece of work."""
    links = json.dumps([f"[[{name}]]" for name in causes])
    head = f"title: {goal}\ntype: work\ntopic: login\nsession: {SESSION}\nactor: claude-code\ncaused_by: {links}"
    done = str(success).lower()
    text = (
        f"## Intent\n\n- goal: {goal}\n- task_type: bug_fix\n\n## Actions\n\n- type: file_edit\n  - details:\n"
        f"    - file_path: {file}\n  - result:\n    - success: {done}\n\n## Outcome\n\n- success: {done}\n"
        f"- summary: {summary}\n"
    )
    return head, text


def _capture(root: Path, home: Path) -> None:
    """Fill the inbox from a log of Claude Code."""
    log = home / "log.jsonl"
    common = {"type": "user", "sessionId": "monday-morning", "cwd": "/projects/shop"}
    lines = [
        {
            **common,
            "timestamp": f"2026-03-01T10:{n:02}:00Z",
            "uuid": str(n),
            "message": {"role": "user", "content": t},
        }
        for n, t in enumerate(_SAID, 1)
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with Vault.open(str(root)) as vault:
        filling.fill(vault, str(log), Caller(NOW, "claude-code"), 5)
