"""Who may ask the server: each attack on pages of this machine that is known is refused by the real one."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.page.conftest import Site

EVIL = "https://evil.example"

# attack -> (status, path, headers); H is the host of the server, C its cookie
READS: dict[str, tuple[int, str, dict[str, str]]] = {
    "no cookie": (401, "/", {}),
    "wrong token": (401, "/-/open?token=x", {}),
    "token that is not ASCII": (401, "/-/open?token=%C3%A4", {}),
    "no token": (401, "/-/open", {}),
    "empty token": (401, "/-/open?token=", {}),
    "wrong cookie": (401, "/", {"Cookie": "{name}=x"}),
    "cookie of another port": (401, "/", {"Cookie": "mdmem_1={value}"}),
    "broken cookie": (401, "/", {"Cookie": "{name}=\xe4;;;=,"}),
    "rebound host": (421, "/", {"Host": "evil.example:{port}", "Cookie": "{C}"}),
    "host without port": (421, "/", {"Host": "127.0.0.1", "Cookie": "{C}"}),
    "host that begins right": (421, "/", {"Host": "127.0.0.1.evil.example:{port}", "Cookie": "{C}"}),
    "host with a user": (421, "/", {"Host": "a@127.0.0.1:{port}", "Cookie": "{C}"}),
    "no host": (400, "/", {"Host": "", "Cookie": "{C}"}),
    "script of another site": (403, "/api/today", {"Cookie": "{C}", "Sec_Fetch_Site": "cross-site"}),
    "script of another port": (403, "/api/today", {"Cookie": "{C}", "Sec_Fetch_Site": "same-site"}),
    "frame of another port": (
        403,
        "/",
        {"Cookie": "{C}", "Sec_Fetch_Site": "same-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"},
    ),
    "way out of the assets": (404, "/assets/..%2f..%2fserver.py", {"Cookie": "{C}"}),
    "way out of the vault": (404, "/memory/..%2f..%2f..%2fetc%2fpasswd", {"Cookie": "{C}"}),
}
CHANGES: dict[str, tuple[int, dict[str, str]]] = {
    "form of another site": (403, {"Origin": EVIL, "Sec_Fetch_Site": "cross-site"}),
    "form of another port": (403, {"Origin": "http://127.0.0.1:1", "Sec_Fetch_Site": "same-site"}),
    "frame without an origin": (403, {"Origin": "null"}),
    "another scheme": (403, {"Origin": "https://{H}"}),
    "origin alone": (403, {"Origin": EVIL}),
    "site alone": (403, {"Sec_Fetch_Site": "cross-site"}),
    "rebound host": (421, {"Host": "evil.example:{port}"}),
    "too long": (413, {"Content_Length": "99999999"}),
    "of unknown length": (411, {"Content_Length": ""}),
}


def filled(site: Site, headers: dict[str, str]) -> dict[str, str]:
    site.get("/assets/page.css")
    name, _, value = site.cookie.partition("=")
    marks = {"{C}": site.cookie, "{H}": site.host, "{port}": str(site.port), "{name}": name, "{value}": value}
    for mark, meant in marks.items():
        headers = {key: text.replace(mark, meant) for key, text in headers.items()}
    return headers


@pytest.mark.parametrize("attack", READS)
def test_nobody_else_reads(attack: str, site: Site) -> None:
    status, path, headers = READS[attack]
    answer = site.ask(path, **filled(site, headers))
    assert answer.status == status
    assert "Tuesday" not in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("attack", CHANGES)
def test_nobody_else_changes(attack: str, writing_site: Site) -> None:
    status, headers = CHANGES[attack]
    headers = filled(writing_site, {"Cookie": "{C}", **headers})
    assert writing_site.ask("/", "POST", **headers).status == status


def test_a_person_gets_in_once_with_the_printed_address(site: Site) -> None:
    path = site.address.partition(site.host)[2]
    site.get("/")
    assert site.ask(path).status == 401, "the token is used up"
    assert site.cookie.startswith(f"mdmem_{site.port}=")
    assert site.get("/").status == 200
    assert site.get("/", Host=f"localhost:{site.port}").status == 200
    link = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
    assert site.get("/", **link).status == 200, "a link from elsewhere that a person follows"
    page = site.ask("/", "HEAD", Cookie=site.cookie)
    assert (page.status, page.text) == (200, "")


def test_every_answer_forbids_what_a_page_does_not_need(site: Site) -> None:
    for answer in (
        site.get("/"),
        site.get("/api/today"),
        site.get("/nope"),
        site.get("/assets/page.js"),
        site.ask("/"),
    ):
        headers = answer.headers
        policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
        assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
        assert headers["cache-control"] == "no-store"
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert not [name for name in headers if name.startswith("access-control")]
        assert "server" not in headers


def test_the_cookie_is_for_this_browser_alone(looked_at: Path) -> None:
    from mdmem.page.server import Listening
    from mdmem.store.vault.keeper import VaultKeeper

    first, second = (Listening(VaultKeeper(str(looked_at))) for _ in range(2))
    assert first.address.rpartition("=")[2] != second.address.rpartition("=")[2]
    for listening in (first, second):
        listening.close()


def test_read_only_unless_write_was_asked_for(site: Site, writing_site: Site) -> None:
    site.get("/")
    own = {"Origin": f"http://{site.host}", "Sec_Fetch_Site": "same-origin", "Cookie": site.cookie}
    refused = site.ask("/review", "POST", **own)
    assert refused.status == 405
    assert "--write" in refused.text
    writing_site.get("/")
    own = {"Origin": f"http://{writing_site.host}", "Cookie": writing_site.cookie}
    assert writing_site.ask("/timeline", "POST", **own).status == 405, "there is nothing to change on that page"


def test_the_command_serves_until_it_is_interrupted(looked_at: Path) -> None:
    line = [sys.executable, "-m", "mdmem", "page", "--no-browser", "--vault", str(looked_at)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stderr
        address = process.stdout.readline()
        assert address.startswith("http://127.0.0.1:")
        assert "works once" in process.stderr.readline()
        import urllib.request

        port = address.split(":")[2].partition("/")[0]
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5)


def test_a_method_that_an_address_lacks_is_told_as_all_else_there(writing_site: Site) -> None:
    writing_site.get("/")
    asked = writing_site.ask("/api/acts/update", Cookie=writing_site.cookie)
    assert (asked.status, asked.headers["allow"]) == (405, "POST")
    assert json.loads(asked.text) == {"error": "GET does nothing here", "hint": "send POST"}
    own = {"Origin": f"http://{writing_site.host}", "Cookie": writing_site.cookie}
    assert "<h1" in writing_site.ask("/timeline", "POST", **own).text
