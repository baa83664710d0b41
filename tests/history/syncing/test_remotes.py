"""git's own ways to a remote: never a prompt, never a wait without end, nothing secret in what is told."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mdmem.errors import BusyError, ConflictError, MdmemError, UsageError
from mdmem.store.git import remotes
from mdmem.store.git.command import AwayError
from tests.conftest import Git
from tests.history.syncing.conftest import Clone

TEA = "likes_green_tea"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def daemon(folder: Path) -> Iterator[str]:
    """`git daemon` on the loopback address, for the repositories in a folder; the URL they begin with."""
    port = free_port()
    options = ("--reuseaddr", "--listen=127.0.0.1", f"--port={port}", "--export-all", "--enable=receive-pack")
    process = subprocess.Popen(["git", "daemon", *options, f"--base-path={folder}", str(folder)])
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"git://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


class _Backend(BaseHTTPRequestHandler):
    """Smart HTTP: git's own `http-backend` behind Python's server."""

    folder = ""

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self._body())

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parts = []
        while size := int(self.rfile.readline().strip() or b"0", 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _answer(self, body: bytes) -> None:
        path, _, query = self.path.partition("?")
        env = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": self.folder,
            "GIT_HTTP_EXPORT_ALL": "1",
            "REMOTE_USER": "someone",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        done = subprocess.run(["git", "http-backend"], input=body, env=env, capture_output=True, check=True)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        lines = [line.decode().split(": ", 1) for line in head.split(b"\r\n")]
        status = next((int(value.split()[0]) for name, value in lines if name == "Status"), 200)
        self.send_response(status)
        for name, value in lines:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def smart_http(folder: Path) -> Iterator[str]:
    handler = type("Backend", (_Backend,), {"folder": str(folder)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("serve", [daemon, smart_http])
def test_two_clones_sync_over_the_network(
    tmp_path: Path, hub: Path, clone: Callable[..., Clone], serve: Callable[..., object]
) -> None:
    with serve(tmp_path) as url:  # type: ignore[attr-defined]
        here, there = (clone(name, source=f"{url}/hub.git") for name in ("here", "there"))
        here.remember("Tea is green.", TEA)
        there.remember("Coffee is black.", "likes_black_coffee")
        here.sync()
        there.sync()
        assert [change.name for change in here.sync().came] == ["likes_black_coffee"]
        assert there.note(TEA).read_bytes() == here.note(TEA).read_bytes()


@contextmanager
def silent_server() -> Iterator[int]:
    """A server that takes connections and never answers; its port."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield int(server.getsockname()[1])


def test_a_remote_that_never_answers_is_given_up(here: Clone, git: Git) -> None:
    before = git(here.root, "rev-parse", "HEAD")
    with silent_server() as port:
        git(here.root, "remote", "add", "mute", f"git://127.0.0.1:{port}/x.git")
        started = time.monotonic()
        with pytest.raises(BusyError, match="git fetch did not finish within 1 s"):
            here.sync(remote="mute", seconds=1)
        assert time.monotonic() - started < 60, "git itself would wait for ever"
    assert git(here.root, "rev-parse", "HEAD") == before


def test_a_remote_that_is_away_is_told_without_its_password(here: Clone, git: Git) -> None:
    git(here.root, "remote", "add", "away", f"http://me:hunter22secret@127.0.0.1:{free_port()}/x.git")
    with pytest.raises(AwayError) as failed:
        here.sync(remote="away")
    assert "hunter22secret" not in failed.value.message + failed.value.hint
    assert "hunter22secret" not in repr(here.vault.repo.top)


def test_a_remote_that_is_gone_is_told_with_what_to_look_at(here: Clone, git: Git, tmp_path: Path) -> None:
    place = str(tmp_path / "nowhere.git")
    git(here.root, "remote", "set-url", "origin", place)
    for attempt in (here.sync, lambda: remotes.clone(place, str(tmp_path / "new"), 60)):
        with pytest.raises(MdmemError, match="the remote is not there") as failed:
            attempt()
        assert "mdmem remote" in failed.value.hint


class _Locked(_Backend):
    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="git"')
        self.send_header("Content-Length", "0")
        self.end_headers()


def test_a_remote_that_wants_a_password_gets_no_prompt(
    here: Clone, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not by a program for asking, either: one is set in the environment, and would leave a file."""
    asker = tmp_path / "asker"
    asker.write_text(f"#!/bin/sh\ntouch {tmp_path}/asked\necho x\n")
    asker.chmod(0o755)
    for name in ("GIT_ASKPASS", "SSH_ASKPASS"):
        monkeypatch.setenv(name, str(asker))
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Locked)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        git(here.root, "remote", "add", "locked", f"http://127.0.0.1:{server.server_address[1]}/x.git")
        with pytest.raises(MdmemError, match="who you are"):
            here.sync(remote="locked", seconds=20)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert not (tmp_path / "asked").exists()


def test_ssh_is_told_not_to_ask(here: Clone, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ssh = tmp_path / "ssh"
    ssh.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\nexit 255\n')
    ssh.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    git(here.root, "remote", "add", "far", "ssh://git@example.invalid/x.git")
    with pytest.raises(MdmemError):
        here.sync(remote="far", tries=1)
    assert "BatchMode=yes" in (tmp_path / "asked").read_text()


def test_a_refused_push_says_why_and_changes_nothing(here: Clone, hub: Path, git: Git) -> None:
    hook = hub / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho 'this hub is closed' >&2\nexit 1\n")
    hook.chmod(0o755)
    here.remember("Tea is green.", TEA)
    with pytest.raises(ConflictError, match="this hub is closed"):
        here.sync()
    hook.unlink()
    assert here.sync().after == git(hub, "rev-parse", "main")


def test_the_hook_of_the_person_runs_before_a_push(here: Clone, tmp_path: Path) -> None:
    hook = here.root / ".git/hooks/pre-push"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\ncat > {tmp_path}/ran\nexit 1\n")
    hook.chmod(0o755)
    here.remember("Tea is green.", TEA)
    with pytest.raises(MdmemError):
        here.sync()
    assert "refs/heads/main" in (tmp_path / "ran").read_text()


@pytest.mark.parametrize(
    "url",
    [
        *("", "-u./touch", "--upload-pack=touch x", "ext::sh -c touch% x", "fd::17", "javascript://x"),
        *("ssh://-oProxyCommand=touch/x", "ssh://me@-oProxyCommand=touch/x", "me@-oProxyCommand=touch:x"),
        "https://example.org/x\nurl = ext::x",
    ],
)
def test_odd_urls_are_refused(url: str) -> None:
    with pytest.raises(UsageError, match="is not a URL"):
        remotes.check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        *("https://me:token@example.org/x.git", "ssh://git@example.org:2222/x.git", "git@example.org:me/x.git"),
        *("example.org:x", "/srv/x.git", "../x", "file:///srv/x.git", "C:/x"),
    ],
)
def test_usual_urls_are_taken(url: str) -> None:
    remotes.check_url(url)


def test_an_ext_remote_runs_nothing(here: Clone, git: Git, tmp_path: Path) -> None:
    """Even where git's settings allow it."""
    git(here.root, "config", "protocol.ext.allow", "always")
    git(here.root, "remote", "add", "odd", f"ext::touch {tmp_path}/ran")
    with pytest.raises(MdmemError):
        here.sync(remote="odd", tries=1)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://me:pass@example.org/x", "https://***@example.org/x"),
        ("https://ghp_abc@example.org/x", "https://***@example.org/x"),
        ("https://me:p@ss@example.org/x", "https://***@example.org/x"),
        ("https://example.org/x?access_token=abc&y=1", "https://example.org/x?access_token=***&y=1"),
        ("git@example.org:me/x", "git@example.org:me/x"),
    ],
)
def test_passwords_and_tokens_are_masked(text: str, shown: str) -> None:
    assert remotes.masked(text) == shown
