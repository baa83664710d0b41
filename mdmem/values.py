"""What modules need of `typing` at run time, in a tenth of the time; `typing` itself takes 5 ms to load.

The package has hundreds of named tuples, and `typing` takes a quarter of a millisecond for each: it compiles
source code for every class and every annotation. Here classes with the same number of fields share the code of one
constructor, in which only the names of the arguments differ. A protocol is only for type checkers, and so it is a
plain class here.

Type checkers treat any name `TYPE_CHECKING` as true, wherever it comes from.
"""

from __future__ import annotations

from collections import _tuplegetter  # type: ignore[attr-defined]
from types import CodeType, FunctionType

TYPE_CHECKING = False

if TYPE_CHECKING:
    from datetime import UTC, date, datetime, timedelta
    from typing import Annotated, Any, NamedTuple, Protocol, Self, TypeVar

    __all__ = ["UTC", "Annotated", "Any", "NamedTuple", "Protocol", "TypeVar", "date", "datetime", "timedelta"]
else:
    # `datetime` itself takes 2 ms in Python 3.11: it defines all its classes in Python before it takes these.
    from _datetime import UTC, date, datetime, timedelta

    Any = object

    class Annotated:
        """A type with metadata, in `__metadata__`; see `typing.Annotated`."""

        def __class_getitem__(cls, said: tuple[object, ...]) -> Annotated:
            annotated = cls()
            annotated.__metadata__ = said[1:]
            return annotated

    def TypeVar(name: str) -> str:  # noqa: N802 - as in typing
        """Stands for a type in annotations, which nothing evaluates; see `typing.TypeVar`."""
        return name

    class Protocol:
        """The base class of protocols; see `typing.Protocol`."""

    def NamedTuple(*_: object) -> None:  # noqa: N802 - the base class that type checkers know by that name
        """The base of a class of named fields; see `typing.NamedTuple`."""
        raise TypeError("write class Name(NamedTuple), with an annotation for each field")


class _NamedFields(tuple):  # type: ignore[type-arg]
    """The methods of all classes of named fields, as in `collections.namedtuple`."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()
    _field_defaults: dict[str, Any] = {}  # noqa: RUF012 - one for each class, as in typing

    @classmethod
    def _make(cls, values: Any) -> Self:
        return cls(*values)

    def _replace(self, /, **changes: Any) -> Self:
        """A copy with new values for some fields. Raises ValueError for a name that is not a field."""
        made = self.__class__(*map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"Got unexpected field names: {list(changes)!r}")
        return made

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({shown})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


class _Maker(type):
    """Turns a class statement into the class of named fields that it describes."""

    def __new__(cls, name: str, _: tuple[type, ...], namespace: dict[str, Any]) -> type:
        fields = tuple(_annotations(namespace))
        defaults = {field: namespace[field] for field in fields if field in namespace}
        if tuple(defaults) != fields[len(fields) - len(defaults) :]:
            raise TypeError(f"{name}: a field without a default follows one with a default")
        getters = {field: _tuplegetter(at, f"Alias for field number {at}") for at, field in enumerate(fields)}
        constructor = _constructor(f"{namespace['__qualname__']}.__new__", fields, tuple(defaults.values()))
        kept = {"_fields": fields, "_field_defaults": defaults, "__match_args__": fields, "__slots__": ()}
        return type(name, (_NamedFields,), {**namespace, **getters, **kept, "__new__": constructor})


_new: Any = tuple.__new__
# Constructors by the number of fields, written out: to compile one takes as long as to make two classes.
_CONSTRUCTORS: tuple[Any, ...] = (
    lambda cls, a: _new(cls, (a,)),
    lambda cls, a, b: _new(cls, (a, b)),
    lambda cls, a, b, c: _new(cls, (a, b, c)),
    lambda cls, a, b, c, d: _new(cls, (a, b, c, d)),
    lambda cls, a, b, c, d, e: _new(cls, (a, b, c, d, e)),
    lambda cls, a, b, c, d, e, f: _new(cls, (a, b, c, d, e, f)),
    lambda cls, a, b, c, d, e, f, g: _new(cls, (a, b, c, d, e, f, g)),
    lambda cls, a, b, c, d, e, f, g, h: _new(cls, (a, b, c, d, e, f, g, h)),
    lambda cls, a, b, c, d, e, f, g, h, i: _new(cls, (a, b, c, d, e, f, g, h, i)),
    lambda cls, a, b, c, d, e, f, g, h, i, j: _new(cls, (a, b, c, d, e, f, g, h, i, j)),
    lambda cls, a, b, c, d, e, f, g, h, i, j, k: _new(cls, (a, b, c, d, e, f, g, h, i, j, k)),
    lambda cls, a, b, c, d, e, f, g, h, i, j, k, m: _new(cls, (a, b, c, d, e, f, g, h, i, j, k, m)),
    lambda cls, a, b, c, d, e, f, g, h, i, j, k, m, n: _new(cls, (a, b, c, d, e, f, g, h, i, j, k, m, n)),
    lambda cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o: _new(cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o)),
    lambda cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p: _new(
        cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p)
    ),
    lambda cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q: _new(
        cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q)
    ),
    lambda cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r: _new(
        cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r)
    ),
    lambda cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s: _new(
        cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s)
    ),
)


def _constructor(name: str, fields: tuple[str, ...], defaults: tuple[Any, ...]) -> FunctionType:
    written = 0 < len(fields) <= len(_CONSTRUCTORS)
    constructor = _CONSTRUCTORS[len(fields) - 1] if written else _compiled(len(fields))
    code: CodeType = constructor.__code__
    own = code.replace(co_name="__new__", co_qualname=name, co_varnames=("_cls", *fields))
    return FunctionType(own, {"_new": _new}, "__new__", defaults)


def _compiled(count: int) -> Any:
    """A constructor for `count` fields."""
    values = "".join(f"_{at}, " for at in range(count))
    return eval(f"lambda _cls, {values}: _new(_cls, ({values}))")  # noqa: S307 - of a number only


def _annotations(namespace: dict[str, Any]) -> dict[str, Any]:
    """The annotations of a class statement; since Python 3.14 a function returns them."""
    annotate = namespace.get("__annotate_func__") or namespace.get("__annotate__")
    if "__annotations__" not in namespace and annotate is not None:
        namespace["__annotations__"] = annotate(1)
    found: dict[str, Any] = namespace.get("__annotations__", {})
    return found


if not TYPE_CHECKING:
    _base = type.__new__(_Maker, "NamedTuple", (), {})
    NamedTuple.__mro_entries__ = lambda bases: (_base,)  # noqa: ARG005
