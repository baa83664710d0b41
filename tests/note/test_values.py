"""Settings, properties, moments, queries, layout: the small rules."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import UsageError
from mdmem.note import filters, memory, moments, properties
from mdmem.recall import question
from mdmem.store import config, layout
from mdmem.store.config import (
    CONFIG_SPEC,
    GardenSection,
    HooksSection,
    MirrorSection,
    SemanticSection,
    VaultConfig,
    editing,
)
from mdmem.store.index import alike

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


# -- settings


def test_the_table_has_every_setting_once_and_its_default_is_allowed() -> None:
    keys = [setting.key for setting in CONFIG_SPEC]
    own = {name: value for name, value in VaultConfig()._asdict().items() if not hasattr(value, "_fields")}
    sections = VaultConfig()._asdict().items() - own.items()
    assert sorted(keys) == sorted(
        [*own, *(f"{table}.{name}" for table, part in sections for name in part._fields)]
    )
    assert {"id", "hooks.strict", "garden.min_confidence"} <= set(keys)
    for setting in CONFIG_SPEC:
        assert setting.of(VaultConfig()) == setting.default
        as_written = list(setting.default) if setting.type is list else setting.default
        assert config.checked(setting.key, as_written) == setting.default
    assert config.parse("") == (VaultConfig(), [])


def test_settings_read_back() -> None:
    wanted = VaultConfig(
        id="v1",
        memories="brain/memory/allmemories",
        new="new",
        layout="month",
        templates="tpl",
        exclude=("a", "b c"),
        hooks=HooksSection(strict=True),
        mirror=MirrorSection(enabled=True, folder="json", tokenizer="cl100k"),
        semantic=SemanticSection("minilm"),
        garden=GardenSection(min_confidence=0.5, oversize_tokens=900),
    )
    assert config.parse(editing.render(wanted)) == (wanted, [])


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('memories = "../x"', "mdmem.toml:1: memories must be a folder within"),
        ('memories = "/etc"', "mdmem.toml:1"),
        ('memories = "a/.git/b"', "mdmem.toml:1"),
        ('id = "x"\n\n[hooks]\nstrict = 1', "mdmem.toml:4: hooks.strict must be true or false"),
        ('exclude = ["../a"]', "mdmem.toml:1"),
        ('layout = "weekly"', "mdmem.toml:1: layout must be one of flat, month"),
        ('[semantic]\nmodel = "vague"', 'mdmem.toml:2: semantic.model must be one of "", off'),
        ("[x", "mdmem.toml"),
    ],
)
def test_wrong_settings_are_refused_with_their_line(text: str, where: str) -> None:
    with pytest.raises(UsageError, match=where.replace("[", r"\[")) as caught:
        config.parse(text)
    assert caught.value.hint


def test_unknown_settings_are_named_with_the_nearest() -> None:
    found, (problem,) = config.parse('memmories = "x"\n')
    assert found == VaultConfig()
    assert (problem.line, problem.severity) == (1, "warning")
    assert "memories" in problem.fix


# -- properties


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("type: fakt", "none of its values"),
        ("confidence: 1.5", "out of range"),
        ("confidence: high", "not a number"),
        ("created: soon", "not a date"),
        ("pinned: maybe", "neither true nor false"),
        ("supersedes: [some_note]", "not a link"),
        ("supersedes: [[some_note]]", "not a link"),
        ("decay: fast", "not a mapping"),
        ("provenance: [x]", "not a list of mappings"),
        ("id: 12", "not a UUID"),
        ("tags: [[a]]", "not a flat list"),
    ],
)
def test_values_outside_the_vocabulary_are_warnings(line: str, message: str) -> None:
    note = memory.parse(f"---\n{line}\n---\n".encode(), "a/some_good_name.md")
    (problem,) = properties.check(note)
    assert problem.severity == "warning"
    assert problem.fix
    import re

    assert re.search(message, problem.message)


@pytest.mark.parametrize("key", ["type", "confidence", "created", "pinned", "supersedes", "id", "title"])
def test_a_warning_quotes_the_beginning_of_a_long_value_in_one_line(key: str) -> None:
    value = ["a", "b" * 3000] if key == "title" else "a text of several lines\n" * 300
    objection = properties.objection_to(key, value)
    assert objection
    assert len(objection[0]) <= 120
    assert "…" in objection[0]
    assert "\n" not in objection[0]


def test_a_full_note_has_no_problems() -> None:
    text = (
        "---\nid: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11\ntitle: T\ncreated: 2026-02-08\ntype: plan_graph\n"
        'confidence: 0.90\nsalience: 3\npinned: false\ntags: [a]\nsupersedes: "[[x]]"\nmine: [[1]]\ntopic:\n'
        "decay:\n  curve: linear\nprovenance:\n  - kind: event\n    ref: x\n---\n"
    )
    assert list(properties.check(memory.parse(text.encode(), "a/some_good_name.md"))) == []


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("confidence", "0.9", 0.9),
        ("tags", "a, #b", ["a", "b"]),
        ("tags", "[a, b]", ["a", "b"]),
        ("supersedes", "old_note", ["[[old_note]]"]),
        ("supersedes", "[[old_note]]", ["[[old_note]]"]),
        ("title", "12", "12"),
        ("created", "2026-02-08 14:05", "2026-02-08T14:05:00Z"),
        ("pinned", "true", True),
        ("mine", "12", 12),
        ("mine", "some text", "some text"),
        ("mine", "a: b", "a: b"),
        ("mine", "# x", "# x"),
        ("mine", "", ""),
        ("mine", "~", "~"),
        ("mine", "null", "null"),
        ("mine", "1.10", "1.10"),
        ("mine", "0.5", 0.5),
        ("mine", "true", True),
        ("mine", "'tis nice", "'tis nice"),
        ("mine", "'12'", "12"),
        ("mine", "[1, a]", [1, "a"]),
        ("mine", "{a: 1}", {"a": 1}),
        ("mine", "[[some_note]]", "[[some_note]]"),
        ("mine", "[[some_note|Some, note]]", "[[some_note|Some, note]]"),
        ("confidence", ".50", 0.5),
        ("confidence", "1", 1),
    ],
)
def test_values_typed_on_a_command_line(key: str, text: str, value: object) -> None:
    assert properties.read_value(key, text) == value


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("mine", "[a"),
        ("mine", "[a]\nother: b"),
        ("confidence", "nan"),
        ("salience", "inf"),
        ("salience", "1e999"),
        ("title", "caf\udce9"),
        ("mine", "caf\udce9"),
        ("pinned", "maybe"),
    ],
)
def test_values_that_no_note_should_have_are_refused(key: str, text: str) -> None:
    with pytest.raises(UsageError) as caught:
        properties.read_value(key, text)
    assert caught.value.hint


def test_a_wrong_value_names_what_is_allowed() -> None:
    with pytest.raises(UsageError) as caught:
        properties.read_value("type", "fakt")
    assert "preference" in caught.value.hint


# -- moments


@pytest.mark.parametrize(
    ("value", "normal"),
    [
        ("2026-02-08T14:05:00Z", "2026-02-08T14:05:00Z"),
        ("2026-02-08T14:05:00.123456Z", "2026-02-08T14:05:00Z"),
        ("2026-02-08T14:05:00+01:30", "2026-02-08T12:35:00Z"),
        ("2026-02-08 14:05", "2026-02-08T14:05:00Z"),
        ("2026-02-08", "2026-02-08T00:00:00Z"),
        ("2026-02", "2026-02-01T00:00:00Z"),
        (1705432800, "2024-01-16T19:20:00Z"),
        (1705432800000, "2024-01-16T19:20:00Z"),
        ("2026-13-01", ""),
        ("0001-01-01T00:00:00+14:00", ""),
        ("soon", ""),
        (True, ""),
        (None, ""),
        (10**30, ""),
    ],
)
def test_every_form_of_a_moment(value: object, normal: str) -> None:
    assert moments.normal(value) == normal


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2h", "2026-03-01T10:00:00Z"),
        ("3 days ago", "2026-02-26T12:00:00Z"),
        ("90min", "2026-03-01T10:30:00Z"),
        ("2w", "2026-02-15T12:00:00Z"),
        ("1 month", "2026-01-30T12:00:00Z"),
        ("2026-02-01", "2026-02-01T00:00:00Z"),
        ("2026-02", "2026-02-01T00:00:00Z"),
        ("2025", "2025-01-01T00:00:00Z"),
    ],
)
def test_since(text: str, moment: str) -> None:
    assert moments.render(moments.since(text, NOW)) == moment


@pytest.mark.parametrize("text", ["yesterdayish", "", "99999999999y", "-2h"])
def test_since_refuses_what_is_no_time(text: str) -> None:
    with pytest.raises(UsageError):
        moments.since(text, NOW)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026", "2026-12-31T23:59:59Z"),
        ("2026-02", "2026-02-28T23:59:59Z"),
        ("2026-12", "2026-12-31T23:59:59Z"),
        (" 2026-02-08 ", "2026-02-08T23:59:59Z"),
        ("2026-02-08 14:05", "2026-02-08T14:05:00Z"),
        ("2026-02-08T14:05:06+02:00", "2026-02-08T12:05:06Z"),
        ("9999", "9999-12-31T23:59:59Z"),
        ("9999-12", "9999-12-31T23:59:59Z"),
        ("9999-12-31", "9999-12-31T23:59:59Z"),
        *((no_time, "") for no_time in ("HEAD~3", "1234567", "2026-13", "main", "")),
    ],
)
def test_a_period_has_an_end(text: str, moment: str) -> None:
    end = moments.end(text)
    assert (moments.render(end) if end else "") == moment


@given(st.datetimes(timezones=st.just(UTC)))
def test_moments_read_back(moment: datetime) -> None:
    assert moments.parse(moments.render(moment)) == moment.replace(microsecond=0)


# -- queries


SEEN = {"type": "fact", "tags": ["a", "b"], "confidence": 0.9, "created": "2026-02-08T00:00:00Z", "pinned": True}


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("type=fact", True),
        ("type=FACT", True),
        ("type!=fact", False),
        ("tags=a", True),
        ("tags=#b", True),
        ("tags!=a", False),
        ("confidence>0.5", True),
        ("confidence<=0.5", False),
        ("confidence=0.90", True),
        ("created=2026-02-08", True),
        ("created=2026-02-07", False),
        ("created=2026-02", True),
        ("created=2026-03", False),
        ("created=2026", True),
        ("created!=2026-02-08", False),
        ("created<=2026-02-08", True),
        ("created>2026-02-08", False),
        ("created>2026-02-07", True),
        ("created>=2026-02", True),
        ("created>2026-01", True),
        ("created>2025", True),
        ("created<2026-02-08", False),
        ("created=2026-02-08 00:00", True),
        ("created=2026-02-08T01:00+01:00", True),
        ("created=2026-99", False),
        ("created<2026-02-08T00:00:01Z", True),
        ("type~ac", True),
        ("pinned=true", True),
        ("pinned", True),
        ("!pinned", False),
        ("!topic", True),
        ("topic", False),
        ("topic=x", False),
        ("topic!=x", True),
    ],
)
def test_filters(text: str, passes: bool) -> None:
    assert filters.accepts(filters.parse(text), SEEN) is passes


strange = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("2026-02-08"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


@given(
    strange,
    st.sampled_from(filters.OPERATORS),
    st.text(max_size=8) | st.sampled_from(["2026-02", "nan", "inf", "1e999", "true", "9999", "0000"]),
)
def test_no_value_fails_a_filter(value: object, op: str, wanted: str) -> None:
    met = {op: filters.accepts(filters.Filter("key", op, wanted), {"key": value}) for op in filters.OPERATORS}
    assert met["="] is not met["!="]
    if met["="] and isinstance(value, int | float) and not isinstance(value, bool):
        assert met["<="]
        assert met[">="]


@pytest.mark.parametrize("text", ["", "=", "(", "'", "a(b"])
def test_what_is_no_filter_is_refused_with_examples(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        filters.parse(text)
    assert "key=value" in caught.value.hint


def test_a_filter_value_may_hold_anything() -> None:
    assert filters.parse("a = b=c; (d)") == filters.Filter("a", "=", "b=c; (d)")


@given(st.text())
def test_no_query_reaches_fts_syntax(text: str) -> None:
    import sqlite3

    words = question.parse(text, ()).words
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE f USING fts5(a)")
    if words:
        db.execute("SELECT * FROM f WHERE f MATCH ?", (alike.match_expression(words),))
    db.close()


# -- layout


@pytest.mark.parametrize(
    ("path", "settings", "is_memory"),
    [
        ("allmemories/a.md", {}, True),
        ("allmemories/sub/a b.md", {}, True),
        ("allmemories/a.txt", {}, False),
        ("allmemories/.trash/a.md", {}, False),
        ("allmemories/.a.md", {}, False),
        ("other/a.md", {}, False),
        ("allmemories2/a.md", {}, False),
        ("AGENTS.md", {"memories": "."}, False),
        ("sub/AGENTS.md", {"memories": "."}, True),
        ("README.md", {"memories": "."}, True),
        ("templates/a.md", {"memories": "."}, False),
        (".obsidian/a.md", {"memories": "."}, False),
        ("private/a.md", {"memories": ".", "exclude": ("private",)}, False),
        ("conflict-files-obsidian-git.md", {"memories": "."}, False),
        ("a\udcff.md", {"memories": "."}, False),
    ],
)
def test_which_files_are_memories(path: str, settings: dict[str, object], is_memory: bool) -> None:
    config = VaultConfig(**settings)  # type: ignore[arg-type]
    assert (layout.kind_of(path, config) == layout.Kind.MEMORY) is is_memory


def test_json_of_the_mirror_is_derived_and_the_rest_is_other() -> None:
    by_default = VaultConfig()
    assert layout.kind_of("chunks/2026-02/chunk-1.json", by_default) == layout.Kind.DERIVED
    assert layout.kind_of("chunks/mine.md", by_default) == layout.Kind.OTHER
    assert layout.kind_of("AGENTS.md", by_default) == layout.Kind.OTHER
    elsewhere = VaultConfig(mirror=MirrorSection(folder="json"))
    assert layout.kind_of("json/index/tag_index.json", elsewhere) == layout.Kind.DERIVED
    assert layout.kind_of("index/tag_index.json", elsewhere) == layout.Kind.OTHER
    whole = VaultConfig(memories=".")
    assert layout.kind_of("chunks/mine.md", whole) == layout.Kind.MEMORY


def test_where_new_memories_go() -> None:
    assert layout.path_for("a_b_c", "2026-02-08T00:00:00Z", VaultConfig()) == "allmemories/a_b_c.md"
    by_month = VaultConfig(memories=".", new="allmemories", layout="month")
    assert layout.path_for("a_b_c", "2026-02-08T00:00:00Z", by_month) == "allmemories/2026/02/a_b_c.md"
    assert layout.path_for("a_b_c", "", VaultConfig(memories=".")) == "a_b_c.md"


@given(st.from_regex(r"[0-2][0-9]{3}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9]Z", fullmatch=True))
def test_a_time_as_it_is_rendered_is_normal_if_it_is_one(text: str) -> None:
    """The short way for most notes gives what the long one does."""
    moment = moments.parse(text)
    assert moments.normal(text) == (moments.render(moment) if moment else "")
