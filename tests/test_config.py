"""Settings from files as people write them."""

from __future__ import annotations

import pytest

from mdmem.connect import settings as of_clients
from mdmem.errors import UsageError
from mdmem.store import config
from mdmem.store.config import VaultConfig, editing
from mdmem.store.local import place


def test_settings_nested_a_hundred_thousand_deep_are_refused_by_name() -> None:
    """They may come with a clone, and every command reads them."""
    with pytest.raises(UsageError, match=r"mdmem\.toml: .* nested too deeply"):
        config.parse("x = " + "[" * 100_000)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n" + "a." * 501 + "a = 1\n", r"2: has over 500 dots in a line"),
        ("\n[" + "a." * 501 + "a]\n", r"2: has over 500 dots in a line"),
        ("\nx = {" + "a . " * 501 + "a = 1}\n", r"2: has over 500 dots in a line"),
        ("# long\n" * 40_000, r" is over 262,144 characters"),
    ],
    ids=["name", "table", "inline table", "file"],
)
def test_settings_that_would_take_long_to_parse_are_refused_by_line(text: str, message: str) -> None:
    """A name of 50,000 parts, which may come with a clone, took each command half a minute."""
    with pytest.raises(UsageError, match=rf"mdmem\.toml:{message}"):
        config.parse(text)
    with pytest.raises(UsageError, match=rf"settings\.toml:{message}"):
        place.read_list(text, "settings.toml")
    with pytest.raises(UsageError, match=rf"of the user: its TOML:{message}"):
        of_clients.additions("of the user", text, "")


def test_of_very_many_unknown_settings_the_first_are_told() -> None:
    """Each is compared with all that there are and looked for in the file: a clone could bring thousands."""
    _, problems = config.parse("".join(f"a{number} = 1\n" for number in range(500)))
    assert [problem.line for problem in problems] == [*range(1, 21)]


@pytest.mark.parametrize("line", ["x = {}", "exclude = [{}]", "garden.consolidate_above = -{}"])
def test_a_number_too_long_to_read_is_refused_by_line(line: str) -> None:
    """It may come with a clone, too."""
    with pytest.raises(UsageError, match=r"mdmem\.toml:3: a number has too many digits"):
        config.parse(f'new = "inbox"\n\n{line.format("9" * 5000)}\n')


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('memories = "./notes/"', "notes"),
        ('memories = "a//b/."', "a/b"),
        ('memories = ""', "."),
        ('memories = "./"', "."),
        ('new = "inbox/"', "inbox"),
        ('templates = "./tpl/"', "tpl"),
        ('templates = ""', ""),
        ('exclude = ["./drafts/", "old"]', ("drafts", "old")),
    ],
)
def test_one_folder_has_one_form(line: str, value: object) -> None:
    found, problems = config.parse(line)
    assert getattr(found, line.split(maxsplit=1)[0]) == value
    assert problems == []


@pytest.mark.parametrize(
    "text",
    [
        '\nmemories = ".hidden"',
        '\nmemories = "a/.b/c"',
        '\nmemories = ".mdmem"',
        '\nmemories = "templates"',
        '\nmemories = "templates/x"',
        '\nmemories = ".."',
        '\nnew = "../x"',
        '\nnew = ".drafts"',
        '\ntemplates = ".mdmem/x"',
        'memories = "."\nnew = "templates"',
        'new = "b"\nexclude = ["allmemories/b"]',
        'memories = "a"\ntemplates = "."',
        '\nexclude = [".git"]',
        "\nexclude = [1]",
        "x = 1\ny = = 2",
        "# a comment\n[hooks",
        "# a comment\nx = [1,",
    ],
)
def test_folders_that_would_hide_memories_and_broken_toml_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"^mdmem\.toml:2: ") as caught:
        config.parse(text)
    assert caught.value.hint


def test_other_encodings_are_refused_with_their_line() -> None:
    with pytest.raises(UsageError, match=r"^mdmem\.toml:2: is not UTF-8"):
        config.read('# one\n# caf\u00e9\nid = "x"\n'.encode("latin-1"))
    assert config.read(b'\xef\xbb\xbfid = "x"\r\n')[0] == VaultConfig(id="x")


def test_a_setting_that_is_not_built_yet_is_unknown() -> None:
    (problem,) = config.parse('[sync]\nremote = "origin"\n')[1]
    assert (problem.line, problem.severity) == (2, "warning")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b'layout = "month"\n'),
        (b'id = "x" # mine\r\n', b'layout = "month"\r\nid = "x" # mine\r\n'),
        (b'\xef\xbb\xbfid = "x"\n', b'\xef\xbb\xbflayout = "month"\nid = "x"\n'),
        (b'id = "x"\n layout="flat"\n[t]\nlayout = 3\n', b'id = "x"\nlayout = "month"\n[t]\nlayout = 3\n'),
    ],
)
def test_setting_the_layout_keeps_the_other_lines(before: bytes, after: bytes) -> None:
    assert editing.with_layout(before, "month") == after
    assert config.read(after)[0].layout == "month"
    assert b"month" not in editing.with_layout(after, "flat")
