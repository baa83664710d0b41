"""A superseded note says so itself; it is deleted only if that is authorised."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("supersedes", "supersedes"),
        ("superseded_by", "superseded_by"),  # each would be deprecated in favour of the other
        ("replaces", "replaces"),
        ("supersedes", "replaces"),
    ],
)
def test_two_that_supersede_each_other_are_a_problem_for_a_person(
    garden: type[Garden], one: str, two: str
) -> None:
    names = ("auth_with_session_cookies", "auth_with_signed_tokens")
    notes = []
    for key, name, other in zip((one, two), names, names[::-1], strict=True):
        properties = {} if key == "replaces" else {key: f'"[[{other}]]"'}
        notes.append(made(name, "x" if properties else f"This replaces [[{other}]].", **properties))
    found = garden(deprecate.plan, *notes).look()
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


def test_what_the_text_of_either_says_beside_a_link_counts(garden: type[Garden]) -> None:
    old = made("labels_of_the_jars", "Labels: 90 by 45 mm.")
    for new in (
        "Round ones now. This replaces [[labels_of_the_jars]].",
        "[[labels_of_the_jars]] gilt nicht mehr.",
    ):
        found = garden(deprecate.plan, old, made("labels_are_round", new, "2026-02-01"))
        (one,) = found.proposals()
        assert one.evidence[0].text in new
        assert memory.parse(found.settle()[old[0]], old[0]).status == "deprecated"
    gone = made("labels_of_the_jars", "Labels: 90 by 45 mm. Superseded by [[labels_are_round]].")
    found = garden(deprecate.plan, gone, made("labels_are_round", "Round ones.", "2026-02-01"))
    assert b"superseded_by" in found.settle()[gone[0]]


def test_a_mention_an_older_note_and_a_day_to_come_are_not_enough(garden: type[Garden]) -> None:
    old = made("labels_of_the_jars", "Labels: 90 by 45 mm.", "2026-01-15")
    for text, created in (
        ("As [[labels_of_the_jars]] says, 90 mm.", "2026-02-01"),
        ("This replaces [[labels_of_the_jars]].", "2026-01-01"),
        ("From 1 May 2026 on this replaces [[labels_of_the_jars]].", "2026-02-01"),
    ):
        assert not garden(deprecate.plan, old, made("labels_are_round", text, created)).proposals(), text


def test_a_name_that_two_notes_have_means_neither(garden: type[Garden]) -> None:
    heir = made("tokens_for_the_login", "We use tokens.", "2026-02-01", supersedes='["[[cookies_for_login]]"]')
    path, data = made("cookies_for_login", "We use cookies.")
    assert garden(deprecate.plan, heir, (path, data)).proposals()
    assert not garden(
        deprecate.plan, heir, (path, data), ("allmemories/old/cookies_for_login.md", data)
    ).proposals()
