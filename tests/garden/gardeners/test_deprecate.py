"""A superseded note says so itself; it is deleted only if that is authorised."""

from __future__ import annotations

from mdmem.garden.gardeners import deprecate
from mdmem.note import memory

from .conftest import Garden, made

OLD = made("auth_with_session_cookies", "# Auth\n\nSessions live in cookies.")
NEW = made(
    "auth_with_signed_tokens", "Tokens since March.", "2026-02-01", supersedes='["[[auth_with_session_cookies]]"]'
)
LINE = "> [!warning] DEPRECATED: See valid architecture in [[auth_with_signed_tokens]]"


def test_the_old_note_gets_status_successor_and_the_callout_as_its_first_line(garden: type[Garden]) -> None:
    found = garden(deprecate.plan, OLD, NEW)
    (one,) = found.proposals()
    assert (one.action, one.lost, one.paths) == ("deprecate", "", (OLD[0],))
    assert one.evidence[0].path == NEW[0]
    assert NEW[1].decode().split("\n")[one.evidence[0].line - 1].startswith("supersedes:")
    note = memory.parse(found.settle()[OLD[0]], OLD[0])
    assert (note.status, note.strings("superseded_by")) == ("deprecated", ("[[auth_with_signed_tokens]]",))
    assert note.body.lstrip("\n").startswith(LINE + "\n\n# Auth\n\nSessions live in cookies.")


def test_a_note_that_names_its_successor_is_marked_too(garden: type[Garden]) -> None:
    path, data = made("auth_with_session_cookies", "Cookies.", superseded_by='["[[auth_with_signed_tokens]]"]')
    found = garden(deprecate.plan, (path, data), made("auth_with_signed_tokens", "Tokens."))
    assert LINE in found.settle()[path].decode()


def test_every_form_of_note_keeps_its_bytes_beside_the_mark(garden: type[Garden]) -> None:
    name = "allmemories/auth_with_session_cookies.md"
    for old in (
        b"Just text\n",
        b"\xef\xbb\xbf# Title\r\n\r\ntext\r\n",
        b"# T\n\n**Created:** 2026-01-01\n**Category:** past\n---\n\nBody",
        b"---\nid: x # mine\ntags:   [a]\n---\nBody",
    ):
        found = garden(deprecate.plan, (name, old), NEW)
        new = found.settle()[name]
        assert LINE.encode() in new
        kept = iter(new.replace(b"\r\n", b"\n").split(b"\n"))
        assert all(line in kept for line in old.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").split(b"\n"))
        assert (b"\r\n" in old) == (b"\r\n" in new)


def test_deleting_needs_authority_and_leads_links_to_the_successor(garden: type[Garden]) -> None:
    other = made("map_of_the_system", "See [[auth_with_session_cookies]].")
    found = garden(deprecate.plan, OLD, NEW, other, authorise_delete=True)
    (one,) = found.proposals()
    assert one.action == "delete"
    assert "mdmem restore" in one.lost
    files = found.settle()
    assert OLD[0] not in files
    assert b"See [[auth_with_signed_tokens]]." in files[other[0]]
    assert b"supersedes" not in files[NEW[0]]


def test_two_that_supersede_each_other_are_a_problem_for_a_person(garden: type[Garden]) -> None:
    back = made("auth_with_session_cookies", "Cookies.", supersedes='["[[auth_with_signed_tokens]]"]')
    found = garden(deprecate.plan, back, NEW).look()
    assert found.proposals == ()
    assert {problem.code for problem in found.problems} == {"supersedes-circle"}


def test_retracted_contested_and_marked_notes_are_left_alone(garden: type[Garden]) -> None:
    for status in ("retracted", "contested"):
        assert not garden(deprecate.plan, made("auth_with_session_cookies", "x", status=status), NEW).proposals()


def test_an_episode_is_not_marked(garden: type[Garden]) -> None:
    old = made("fall_of_the_host", "It fell.", type="episodic")
    new = made("fall_of_the_disk", "It was the disk.", "2026-02-01", supersedes='"[[fall_of_the_host]]"')
    for delete in (False, True):
        assert not garden(deprecate.plan, old, new, authorise_delete=delete).proposals()
