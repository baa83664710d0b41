"""A vault to look at, its pages on a port of this machine, and a browser for those who have one."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest

from mdmem.acts.pages.planning import PlanKeeper
from mdmem.page.server import Listening
from mdmem.store.vault.keeper import VaultKeeper
from mdmem.store.vault.vault import Vault
from tests.conftest import Git, Write, git_settings, is_of_the_developer

SCRIPT = "<script>alert(1)</script>"
NOTES = {
    "allmemories/user_prefers_green_tea.md": (
        "title: User prefers green tea\ntype: preference\ntags: [drinks]\n"
        'related_to: ["[[team_meets_on_tuesday|the meeting]]"]',
        "Green tea, see [[team_meets_on_tuesday]] and [[nowhere_to_be_found]].\n",
    ),
    "allmemories/team_meets_on_tuesday.md": ("title: The team meets on Tuesday\ntype: fact", "At nine.\n"),
    "allmemories/next_order_more_tea.md": (
        "title: Order more tea\ncategory: future",
        "Before the first of April.\n",
    ),
    "allmemories/<": None,  # a folder, of the note that is named like the end of a script
    "allmemories/</script>.md": (
        f'title: "{SCRIPT}"\ntags: ["<b>bold"]\nsource: "javascript:alert(2)"',
        f"{SCRIPT} <img src=x onerror=alert(3)>\n\n[a](javascript:alert(4)) [b](data:text/html,x) [c](file:///etc)"
        " [d](vbscript:x)\n\n![seen](https://evil.example/pixel.png) [e](https://example.org)\n",
    ),
}


class Answer(NamedTuple):
    """What the server answered."""

    status: int
    text: str
    headers: dict[str, str]


class Site:
    """A server with the cookie of the browser that opened it."""

    def __init__(self, listening: Listening) -> None:
        self.port, self.address = listening.port, listening.address
        self.host = f"127.0.0.1:{self.port}"
        self.cookie = ""

    def ask(self, path: str, method: str = "GET", **headers: str) -> Answer:
        """A request with these headers alone; `_` in their names is `-`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Host": self.host, "Content_Length": "0", **headers}.items():
            if value:
                connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        response = connection.getresponse()
        answer = Answer(
            response.status, response.read().decode(), {k.lower(): v for k, v in response.getheaders()}
        )
        connection.close()
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        """A page as the browser gets it that opened the address."""
        if not self.cookie:
            opened = self.ask(self.address.partition(self.host)[2])
            self.cookie = opened.headers["set-cookie"].partition(";")[0]
        return self.ask(path, Cookie=self.cookie, **headers)


class Sent(NamedTuple):
    """An answer to a form."""

    status: int
    location: str
    text: str


def send(site: Site, to: str, headers: Mapping[str, str] | None = None, raw: bytes = b"", **fields: str) -> Sent:
    """Send a form as a page of the site does; `__` in a field's name is a dot. No header is sent that is empty."""
    site.get("/assets/page.css")
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    sent = {
        "Cookie": site.cookie,
        "Origin": f"http://{site.host}",
        "Content-Type": "application/x-www-form-urlencoded",
        **(headers or {}),
    }
    form = raw or urlencode({name.replace("__", "."): value for name, value in fields.items()}).encode()
    connection.request("POST", to, form, {name: value for name, value in sent.items() if value})
    answer = connection.getresponse()
    found = Sent(answer.status, answer.headers.get("location", ""), answer.read().decode())
    connection.close()
    return found


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory: pytest.TempPathFactory, empty_vault: Path) -> Path:
    """A vault with a few notes, some of them hostile, and two versions of one; to be read only."""
    home = tmp_path_factory.mktemp("looked_at")
    root = Path(shutil.copytree(empty_vault, home / "vault"))
    clean = {key: value for key, value in os.environ.items() if not is_of_the_developer(key)}
    dates = {"GIT_AUTHOR_DATE": "2026-02-27T10:00:00Z", "GIT_COMMITTER_DATE": "2026-02-27T10:00:00Z"}
    for path, note in NOTES.items():
        if note is None:
            (root / path).mkdir()
        else:
            head, body = note
            (root / path).write_text(f"---\n{head}\ncreated: 2026-02-26T08:00:00Z\n---\n\n{body}")
    tea = root / "allmemories/user_prefers_green_tea.md"
    second = tea.read_text().replace("Green tea,", "Green tea from Uji,")

    def commit(*words: str) -> None:
        for line in (["add", "-A"], ["commit", "--quiet", *(part for word in words for part in ("-m", word))]):
            subprocess.run(["git", *line], cwd=root, check=True, env={**clean, **git_settings(home), **dates})

    commit(f"notes {SCRIPT}")
    tea.write_text(second)
    commit("revise: user_prefers_green_tea", "They said so.", "Memory-Action: revise\nMemory-Session: conv-1")
    return root


@pytest.fixture
def seen(looked_at: Path) -> Iterator[Vault]:
    """The same, open."""
    with Vault.open(str(looked_at)) as vault:
        yield vault


PROPOSED = {
    "user_lives_in_berlin": (1, "User lives in Berlin", "User lives in Berlin."),
    "user_lives_in_munich": (2, "User lives in Munich", "User lives in Munich."),
    "user_prefers_green_tea": (3, f"User prefers green tea {SCRIPT}", "User prefers green tea, brewed for long."),
    "green_tea_is_preferred": (4, "Green tea is preferred", "User prefers green tea, brewed for long."),
}


@pytest.fixture
def proposed(root: Path, write: Write, git: Git) -> Path:
    """A vault with a conflict and two notes that say the same."""
    for name, (day, title, text) in PROPOSED.items():
        head = (
            f"id: 00000000-0000-7000-8000-00000000000{day}\ntitle: {json.dumps(title)}\ntype: fact\ncategory: past"
        )
        head += '\ncontradicts: ["[[user_lives_in_berlin]]"]' if "munich" in name else ""
        write(f"allmemories/{name}.md", f"---\n{head}\ncreated: 2026-01-0{day}T00:00:00Z\n---\n\n{text}\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    return root


def serving(root: Path, may_write: bool = False, plans: PlanKeeper | None = None) -> Iterator[Site]:
    """The pages of a vault, until the test is over."""
    listening = Listening(VaultKeeper(str(root)), may_write=may_write, plans=plans)
    thread = threading.Thread(target=listening.run)
    thread.start()
    try:
        yield Site(listening)
    finally:  # a server left running would keep the run of a failed test from ending
        listening.stop()
        thread.join(20)
    assert not thread.is_alive()


@pytest.fixture
def changed(looked_at: Path, tmp_path: Path) -> Path:
    """A copy of it, to change."""
    return Path(shutil.copytree(looked_at, tmp_path / "vault"))


@pytest.fixture
def own(changed: Path) -> Iterator[Site]:
    """The pages of the copy, with `--write`."""
    yield from serving(changed, may_write=True)


@pytest.fixture
def reading(changed: Path) -> Iterator[Site]:
    """The pages of the copy, read-only."""
    yield from serving(changed)


@pytest.fixture(scope="module")
def site(looked_at: Path) -> Iterator[Site]:
    """The pages of that vault, read-only."""
    yield from serving(looked_at)


@pytest.fixture(scope="module")
def writing_site(looked_at: Path) -> Iterator[Site]:
    """The same with `--write`."""
    yield from serving(looked_at, may_write=True)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless chromium; the test is skipped where that or playwright is not installed."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make browser")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        pytest.skip("there is no chromium: make browser")
    with sync_api.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield launched
        launched.close()


@contextmanager
def opened(browser: Any, site: Site | None = None, expected: str = "", **options: Any) -> Iterator[Any]:
    """A page of a browser that opened the site. Nothing may go wrong in it but what is `expected`, a status."""
    context = browser.new_context(**options)
    context.set_default_timeout(8_000)  # milliseconds
    if site:
        site.get("/assets/page.css")
        name, _, value = site.cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": f"http://{site.host}"}])
    page = context.new_page()
    wrong: list[str] = []
    page.on(
        "console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("request", lambda asked: wrong.append(asked.url) if "evil" in asked.url else None)
    yield page
    context.close()
    assert [each for each in wrong if not expected or f"status of {expected}" not in each] == []
