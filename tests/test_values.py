"""Classes of named fields behave as those of `typing` do."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from mdmem import values


class Place(values.NamedTuple):
    """A place."""

    file: str
    line: int = 0
    tags: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        return f"{self.file}:{self.line}"

    @classmethod
    def top(cls, file: str) -> Place:
        return cls(file, 1)


class Twin(typing.NamedTuple):
    """The same, made by `typing`."""

    file: str
    line: int = 0
    tags: tuple[str, ...] = ()


def test_fields_are_read_by_name_and_place() -> None:
    place = Place("a.md", tags=("x",))
    assert (place.file, place.line, place[2]) == ("a.md", 0, ("x",))
    assert place.shown == "a.md:0"
    assert Place.top("b.md") == ("b.md", 1, ())
    match place:
        case Place(file, 0):
            assert file == "a.md"


def test_all_that_a_named_tuple_has_is_the_same_as_in_typing() -> None:
    ours, theirs = Place("a.md", 3), Twin("a.md", 3)
    assert ours == theirs
    assert hash(ours) == hash(theirs)
    assert repr(ours) == repr(theirs).replace("Twin", "Place")
    assert ours._asdict() == theirs._asdict()
    assert ours._replace(line=4) == theirs._replace(line=4)
    assert Place._make(["a.md", 3, ()]) == theirs
    assert (Place._fields, Place._field_defaults) == (Twin._fields, Twin._field_defaults)
    assert Place.__match_args__ == Twin.__match_args__
    assert Place.__annotations__ == {"file": "str", "line": "int", "tags": "tuple[str, ...]"}
    assert type(pickle.loads(pickle.dumps(ours))) is Place
    assert copy.copy(ours) == copy.deepcopy(ours) == ours
    assert not hasattr(ours, "__dict__")


@pytest.mark.parametrize(
    "arguments", [((), {}), (("a", 1, (), 2), {}), (("a",), {"file": "b"}), (("a",), {"size": 1})]
)
def test_wrong_arguments_are_refused_in_the_same_words(
    arguments: tuple[typing.Any, dict[str, typing.Any]],
) -> None:
    given, named = arguments
    with pytest.raises(TypeError) as theirs:
        Twin(*given, **named)
    with pytest.raises(TypeError) as ours:
        Place(*given, **named)
    assert str(ours.value) == str(theirs.value).replace("Twin", "Place")


def test_what_is_not_a_field_cannot_be_replaced() -> None:
    with pytest.raises(ValueError, match="size"):
        Place("a")._replace(size=1)


def test_a_field_without_a_default_must_not_follow_one_with_a_default() -> None:
    with pytest.raises(TypeError, match="without a default"):

        class Wrong(values.NamedTuple):
            file: str = ""
            line: int


def test_classes_that_share_a_constructor_keep_their_own_names_and_defaults() -> None:
    class Other(values.NamedTuple):
        name: str
        size: int = 9
        kind: str = "k"

    assert Other("a") == ("a", 9, "k")
    assert Place("a") == ("a", 0, ())
    assert Other(name="n", kind="z") == ("n", 9, "z")
