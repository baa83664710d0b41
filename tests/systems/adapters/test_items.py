"""Items of JSON as notes: names and values come back as they were, and a person can read and edit them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mdmem import Caller, Query, Vault, ask
from mdmem.acts.checks import doctor
from mdmem.errors import ConflictError, MdmemError, StoppedError, UsageError
from mdmem.garden import plan
from mdmem.garden.gardeners.proposal import GardenSettings
from mdmem.note import memory, naming
from mdmem.systems.adapters import itemnotes, storeditems
from mdmem.systems.adapters.storeditems import StoredItems

USUAL = {"id": "0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11", "created": "2026-03-01T12:00:00Z"}
PATH = "allmemories/langgraph/a.md"

_ODD_NAMES = [
    "",
    ".",
    "..",
    "con",
    "NUL.txt",
    "-x",
    " a ",
    "a.md",
    "A",
    "a",
    "~a",
    "%41",
    "e\u0301",
    "é",
    "ß",
    "ss",
]
NAMES = st.one_of(st.sampled_from(_ODD_NAMES), st.text(max_size=12), st.sampled_from(["x" * 300, "É/" * 70]))

_TEXTS = st.one_of(
    st.sampled_from(
        ["dark", "null", "12", "---", "## a", "[[a]]", "one two three", "# a b c\n\n- d", "a b c\n", ""]
    ),
    st.text(st.characters(codec="utf-8"), max_size=30),
)
_FIELDS = st.one_of(
    st.sampled_from(
        ["theme", "content", "title", "status", "value_id", "text_of", "more_fields", "a b", "a.b", "é"]
    ),
    st.text(st.characters(codec="utf-8"), max_size=6),
)
_NUMBERS = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), _NUMBERS, _TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_FIELDS, inner, max_size=3)),
    max_leaves=6,
)
VALUES = st.dictionaries(_FIELDS, JSON, max_size=4)


@settings(max_examples=25)
@given(st.lists(NAMES, max_size=2), NAMES, st.lists(NAMES, max_size=2), NAMES)
@example(["A"], "b", ["a"], "b")
@example(["a"], "b.md", ["a", "b"], "")
def test_a_name_is_that_of_a_file_on_every_system_and_comes_back(
    namespace: list[str], key: str, other_namespace: list[str], other_key: str
) -> None:
    path = itemnotes.path_of(namespace, key)
    assert itemnotes.name_of(path) == (tuple(namespace), key)
    for part in path.removesuffix(".md").split("/"):
        assert naming.check_for_obsidian(part) == []
    other = itemnotes.path_of(other_namespace, other_key)
    is_same = (namespace, key) == (other_namespace, other_key)
    assert (memory.fold(other) == memory.fold(path)) is is_same


@pytest.mark.parametrize("path", ["Notes.md", "100%.md", "a/%zz.md", "a~.md", "%61.md", "%ff.md", "a//b.md"])
def test_a_file_that_no_item_would_have_is_none(path: str) -> None:
    assert itemnotes.name_of(path) is None


def as_json(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def read(data: bytes) -> Any:
    note = memory.parse(data, PATH)
    return itemnotes.value_of(note.meta, note.body, PATH)


@settings(max_examples=25)
@given(VALUES, VALUES)
@example({"content": "a b c", "text_of": "x"}, {"content": {"content": "a b c"}})
@example({"a": {"b": "one two three"}, "a.b": "four five six"}, {"a": {"c": {}}})
@example({"a": "one two three", "b": "## a\n\nfour five"}, {"a": "x", "b": "one two three"})
def test_a_value_comes_back_from_its_note_and_from_the_note_of_another(
    first: dict[str, Any], second: dict[str, Any]
) -> None:
    data = itemnotes.note_of(first, PATH, USUAL, "test")
    assert as_json(read(data)) == as_json(first)
    changed = itemnotes.edited(data, second, PATH, "test")
    assert as_json(read(changed)) == as_json(second)
    assert memory.parse(changed, PATH).id == USUAL["id"]


def test_a_value_is_a_note_that_a_person_can_read() -> None:
    value = {
        "theme": "dark",
        "tries": 3,
        "status": "done",
        "facts": {"home": "Ada lives in Turin now."},
        "x": None,
    }
    assert itemnotes.note_of(value, PATH, USUAL, "test").decode() == (
        "---\nid: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11\n"
        "created: 2026-03-01T12:00:00Z\ntheme: dark\ntries: 3\nvalue_status: done\n"
        'more_fields: "{\\"x\\": null}"\ntext_of: facts.home\n---\n\nAda lives in Turin now.\n'
    )


def test_several_texts_stand_below_the_names_of_their_fields() -> None:
    value = {"food": "I like pizza", "drink": "I love oolong tea", "size": "large"}
    data = itemnotes.note_of(value, PATH, USUAL, "test").decode()
    assert data.endswith("---\n\n## food\n\nI like pizza\n\n## drink\n\nI love oolong tea\n")


def test_what_a_person_edits_is_the_value_and_what_they_added_stays() -> None:
    data = itemnotes.note_of({"theme": "dark", "content": "Ada lives in Turin."}, PATH, USUAL, "test")
    by_hand = data.replace(b"theme: dark", b"# she said so\ntheme: light\ntags: [ada]").replace(b"Turin", b"Oslo")
    assert read(by_hand) == {"theme": "light", "content": "Ada lives in Oslo."}
    changed = itemnotes.edited(by_hand, {"theme": "red", "content": "Ada lives in Oslo."}, PATH, "test")
    assert changed == by_hand.replace(b"theme: light", b"theme: red")


def test_a_note_made_by_hand_is_an_item() -> None:
    assert read(b"Ada lives in Turin.\n") == {"content": "Ada lives in Turin."}
    assert read(b"---\nage: 36\ntitle: Ada\n---\n") == {"age": 36}


@pytest.mark.parametrize("value", [{"a": object()}, {"a": float("nan")}, {"a": "\ud800"}, {"a": {1, 2}}, ["a"]])
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(UsageError, match="the value"):
        itemnotes.checked(value)


@pytest.mark.parametrize(
    ("wanted", "is_met"),
    [
        ({"n": {"$gte": 3}}, True),
        ({"n": {"$gt": 3}}, False),
        ({"n": {"$gt": 2, "$lt": 4}}, True),
        ({"none": {"$gte": 3}}, False),
        ({"t": {"$gt": "2026-01"}}, True),
        ({"t": {"$gt": 3}}, False),
        ({"m": {"a": {"$ne": 2}}}, True),
        ({"l": [1, {"$eq": "b"}]}, True),
        ({"l": [1]}, False),
    ],
)
def test_conditions_on_fields(wanted: dict[str, Any], is_met: bool) -> None:
    value = {"n": 3, "t": "2026-03", "m": {"a": 1}, "l": [1, "b"]}
    assert storeditems.meets(value, wanted) is is_met


def test_an_operator_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match=r"\$in is not an operator"):
        storeditems.meets({}, {"a": {"$in": [1]}})


@pytest.fixture
def items(vault: Vault, caller: Caller) -> StoredItems:
    return StoredItems(vault, "", caller)


def test_a_batch_is_one_commit_of_the_session_and_recall_finds_it(
    items: StoredItems, root: Path, vault: Vault, git: Callable[..., str], caller: Caller
) -> None:
    items.write({(("users", "Ada"), "a"): {"content": "Ada likes oolong tea."}, (("x",), "b"): {"n": 1}})
    items.write({(("users", "Ada"), "a"): {"content": "Ada likes green tea."}})
    items.write({(("users", "Ada"), "a"): {"content": "Ada likes green tea."}})
    items.write({(("x",), "b"): None, (("x",), "none"): None})
    commits = git(root, "log", "--reverse", "--format=%s|%an|%(trailers:key=Memory-Session,valueonly,separator=)")
    assert commits.splitlines()[1:] == [
        f"{subject}|claude-code|{caller.session}" for subject in ("create: a, b", "revise: a", "delete: b")
    ]
    (answer,) = ask(vault, Query(("who likes tea",)), caller.now)
    assert answer.hit.record.path == "allmemories/langgraph/users/~ada/a.md"
    assert not (root / "allmemories/langgraph/x").exists()


def test_nothing_of_a_batch_that_fails_is_written(items: StoredItems, root: Path, git: Callable[..., str]) -> None:
    before = git(root, "rev-parse", "HEAD")
    good = {(("x",), "a"): {"n": 1}}
    for name, bad, error in (
        ("k", {"key": "password: hunter2-Xk9vQ7pLw2"}, StoppedError),
        ("k" * 3000, {"n": 1}, UsageError),
        ("k", {"n": object()}, UsageError),
    ):
        with pytest.raises(error):
            items.write({**good, (("x",), name): bad})
    assert git(root, "rev-parse", "HEAD") == before
    assert git(root, "status", "--porcelain") == ""


def test_memories_that_an_agent_may_not_see_are_no_items(items: StoredItems, root: Path, vault: Vault) -> None:
    name = (("x",), "health")
    items.write({name: {"content": "The diagnosis of Ada."}, (("x",), "open"): {"n": 1}})
    place = root / "allmemories/langgraph/x/health.md"
    place.write_text(place.read_text().replace("---\nid", "---\nsensitivity: high\nid"))
    hidden = place.read_bytes()
    vault.look_again()
    vault.clear_for("claude-code", "low")
    assert items.get(*name) is None
    assert [item.key for item in items.search((), None, "diagnosis")] == ["open"]
    items.write({name: None})
    with pytest.raises(ConflictError, match="may not see"):
        items.write({name: {"n": 2}})
    assert place.read_bytes() == hidden


def test_items_keep_the_names_of_their_keys(items: StoredItems, vault: Vault, caller: Caller) -> None:
    """A graph would not find an item again that a gardener renamed, or merged with that of another user."""
    prefs = {"content": "Prefers answers that are short, in a table where there is one."}
    items.write({(("users", "Ada"), "prefs"): prefs, (("users", "Ben"), "prefs"): prefs})
    assert not doctor.examine(vault)
    found = plan.look(vault, GardenSettings(), caller.now)
    assert not found.proposals
    assert not found.problems


def test_a_protected_item_is_not_deleted(items: StoredItems, root: Path, vault: Vault) -> None:
    name = (("x",), "a")
    items.write({name: {"n": 1}})
    place = root / "allmemories/langgraph/x/a.md"
    place.write_text(place.read_text().replace("---\nid", "---\ndeletion_policy: never\nid"))
    vault.look_again()
    with pytest.raises(StoppedError, match="deletion_policy"):
        items.write({name: None})


def test_a_note_that_a_person_broke_is_named_and_hides_no_other(
    items: StoredItems, root: Path, said: list[str]
) -> None:
    place = root / "allmemories/langgraph/x/a.md"
    place.parent.mkdir(parents=True)
    place.write_text("---\nmore_fields: '{'\n---\n")
    items.write({(("x",), "b"): {"n": 1}})
    with pytest.raises(MdmemError, match="more_fields is not a mapping"):
        items.get(("x",), "a")
    assert [item.key for item in items.search(("x",), None, None)] == ["b"]
    assert "allmemories/langgraph/x/a.md" in said[-1]
