"""Frontmatter values: what Obsidian keeps as text stays text, and what is written reads back the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import yaml12, yamltext
from mdmem.note.scalars import is_same
from mdmem.note.yaml12 import YamlError

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(
        ["007", "1.10", "no", "12:30", "2026-01-02", "a: b", "# x", "- y", "[[l]]", "0x1F", "1e5", ""]
    )
)
keys = st.text(max_size=12)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=8
)


def same(written: object, read: object) -> bool:
    """Equal, with types."""
    if isinstance(written, dict) and isinstance(read, dict):
        return list(written) == list(read) and all(same(written[key], read[key]) for key in written)
    if isinstance(written, list) and isinstance(read, list):
        return len(written) == len(read) and all(map(same, written, read))
    return written == read and type(written) is type(read)


@given(st.dictionaries(keys, values, max_size=4))
def test_what_is_written_reads_back(data: dict[str, yamltext.Value]) -> None:
    text = "".join(line + "\n" for key, value in data.items() for line in yamltext.lines(key, value))
    assert same(data, yaml12.load(text))


@given(st.text())
def test_any_text_survives_as_a_scalar_in_block_and_flow(text: str) -> None:
    assert yaml12.load(f"a: {yamltext.scalar(text)}")["a"] == text
    assert yaml12.load(f"a: [{yamltext.scalar(text, flow=True)}]")["a"] == [text]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[
            (kept, kept)
            for kept in ("007", "1.10", "no", "yes", "on", "12:30", "2026-01-02", "0x1F", "1e5", "+1", "1_000")
        ],
        ("0.95", 0.95),
        ("12", 12),
        ("-3", -3),
        ("true", True),
        ("False", False),
        ("", None),
        ("~", None),
        ('"12"', "12"),
        ("[a, b]", ["a", "b"]),
        ("99999999999999999999", "99999999999999999999"),
        ("0.30000000000000004", 0.1 + 0.2),
        ("0.12345678901234567890", "0.12345678901234567890"),
        ("0.123456789012345678", "0.123456789012345678"),
        ("1" * 400 + ".5", "1" * 400 + ".5"),
    ],
)
def test_scalars_become_other_types_only_where_nothing_is_lost(text: str, value: object) -> None:
    found = yaml12.load(f"key: {text}")["key"]
    assert found == value
    assert type(found) is type(value)


def test_values_are_written_as_obsidian_writes_them() -> None:
    data = {
        "title": "A: b",
        "tags": ["x", "y z"],
        "empty": None,
        "none": [],
        "link": "[[a_b]]",
        "v": "1.10",
        "d": "2026-01-02",
    }
    assert [line for key, value in data.items() for line in yamltext.lines(key, value)] == [
        *('title: "A: b"', "tags:", "  - x", "  - y z", "empty:", "none: []", 'link: "[[a_b]]"', 'v: "1.10"'),
        *("d: 2026-01-02",),
    ]


@pytest.mark.parametrize(
    ("block", "line", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "'a' is given twice"),
        ("a: {b: 1, b: 2}\n", 1, "'b' is given twice"),
        ("a: &x 1\nb: *x\n", 1, "anchors and aliases"),
        ("a: 1\nb: !!python/name:os.system x\n", 2, "tag"),
        ("a: !!int x\n", 1, "tag"),
        ("- a\n", 1, "not a list of 'name: value'"),
        ("ok: 1\nbad: [1\n", 3, "expected"),
        ("? [a]\n: b\n", 1, "plain text"),
        ("a: \x01\n", 1, "character"),
        ("a: " + "[" * 200_000, 1, "nested more than 50"),
        ("- " * 200_000, 1, "nested more than 50"),
        ("a: b: c\n", 1, "mapping values"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_refused_names_its_line(block: str, line: int, message: str) -> None:
    with pytest.raises(YamlError, match=message) as caught:
        yaml12.load(block)
    assert caught.value.line == line


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_numbers_no_reader_agrees_on_are_not_written(value: float) -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        yamltext.scalar(value)


def test_the_handler_serves_python_frontmatter() -> None:
    import frontmatter

    post = frontmatter.loads("---\nid: 007\nok: no\n---\nbody", handler=yaml12.Yaml12Handler())
    assert post.metadata == {"id": "007", "ok": "no"}


def test_values_are_the_own_ones_of_whoever_reads_them() -> None:
    read = yaml12.load("a: {b: [1]}\n")
    read["a"]["b"].append(2)
    assert yaml12.load("a: {b: [1]}\n") == {"a": {"b": [1]}}


@given(st.lists(st.text("abz09 -:#'T.,[\n", min_size=1), min_size=1))
def test_what_is_plain_is_read_back_unchanged(texts: list[str]) -> None:
    """Such a value is not read again after it was written, so that most writes load no YAML."""
    for value in (texts[0], texts):
        if yamltext.is_plain(value):
            assert yaml12.load("\n".join(yamltext.lines("key", value))) == {"key": value}
    assert yamltext.is_plain("two words")
    assert not yamltext.is_plain("it's: one")


@pytest.mark.parametrize(
    ("one", "other"), [(1, 1.0), (1, True), (0.0, -0.0), ([1], [1.0]), ({"a": 0}, {"a": False})]
)
def test_values_of_other_types_are_not_the_same(one: object, other: object) -> None:
    """An edit that makes `1` of `1.0` has to be written."""
    assert not is_same(one, other)
    assert is_same([one, {"a": other, "b": "x"}], [one, {"b": "x", "a": other}])
