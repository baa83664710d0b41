"""Who may see a memory: levels of sensitivity, scopes, and the stub left of a memory that is hidden.

The rule is only here. A memory is shown up to a limit and within the scopes asked for. One level above the limit
a stub of it is left: its id, type and level, but no name, title or tag, for those give it away. Further up
nothing is left, not even in the number of memories. The levels and the stub follow the trust context of
Membrane.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mdmem.errors import UsageError
from mdmem.note import patterns
from mdmem.note.memory import SENSITIVITIES, Memory, as_text

LEVELS = SENSITIVITIES  # from memories that anybody may see to those that hardly anybody may
UNMARKED = "low"  # of a memory without that property
LOWEST, HIGHEST = LEVELS[0], LEVELS[-1]
OF_PEOPLE, OF_AGENTS, OF_DERIVED = HIGHEST, "medium", "low"  # default limits
SETTING = "mdmem.max-sensitivity"  # in git's settings, which a clone does not copy


# What a note has that states either property, in any letter case (ſ is an s) or with escapes
_NAMES = (b"sensitivity", b"scope", b"\\", "ſ".encode())
_IN_A_BROKEN_HEADER = patterns.late(r"(?im)^[\s\"']*sensitivity[\"']?[ \t]*:(?P<value>[^#\n]*)")


class Stub(NamedTuple):
    """What is left of a memory one level above the limit: enough to ask a person for the memory."""

    id: str
    type: str
    sensitivity: str


class Clearance(NamedTuple):
    """What a reader may see: memories up to the level `limit`, and in these `scopes` (none: in all).

    A memory without a scope is in every scope.
    """

    limit: str = HIGHEST
    scopes: tuple[str, ...] = ()

    @property
    def is_full(self) -> bool:
        """Whether it hides nothing."""
        return self.limit == HIGHEST and not self.scopes

    def shows(self, level: str, scope: str) -> bool:
        """Whether the reader may see a memory of this level and scope."""
        return self._is_in_scope(scope) and rank(level) <= rank(self.limit)

    def hints_at(self, level: str, scope: str) -> bool:
        """Whether the reader may see a stub instead of a memory of this level and scope."""
        return self._is_in_scope(scope) and rank(level) == rank(self.limit) + 1

    def at_most(self, limit: str) -> Clearance:
        """This clearance, lowered to another limit if that is lower."""
        return self._replace(limit=lower(self.limit, limit))

    def _is_in_scope(self, scope: str) -> bool:
        return not scope or not self.scopes or scope in self.scopes


EVERYTHING = Clearance()


def level_of(value: Any) -> str:
    """The level for a value of `sensitivity`: `low` if there is none, the highest if it is not a known level."""
    if value is None or value == "":
        return UNMARKED
    text = as_text(value).strip().casefold()
    return text if text in LEVELS else HIGHEST


def may_be_marked(data: bytes) -> bool:
    """Whether a note may state its `marking`, which is told faster than by reading it."""
    low = data.lower()
    return any(name in low for name in _NAMES)


def marking(note: Memory) -> tuple[str, str]:
    """(level, scope) as a note states them, even in a header that cannot be read; "" if it does not.

    `Sensitivity: high` counts, too: other programs ignore letter case in the names of properties.
    """
    from mdmem.note.header import HEADER_PROBLEMS

    said = _values(note, "sensitivity")
    scope = next((text for value in _values(note, "scope") if (text := as_text(value).strip())), "")
    if any(problem.code in HEADER_PROBLEMS for problem in note.problems):
        said += [match["value"].strip("\"' ") or HIGHEST for match in _IN_A_BROKEN_HEADER.finditer(note.body)]
    levels = [level_of(value) for value in said if value not in (None, "")]
    return (higher(*levels) if levels else ""), scope


def _values(note: Memory, name: str) -> list[Any]:
    """The values of a property under its name in any letter case, the usual spelling first."""
    others = [value for key, value in note.meta.items() if key != name and key.casefold() == name]
    return [note.meta.get(name), *others]


def inherited(own: Mapping[str, Any], sources: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The properties `sensitivity` and `scope` of a memory with its `own` properties that is made from `sources`.

    It is as sensitive as the most sensitive of them and of itself. Its scope is its own, else the first of
    theirs. A property that none of them has is left out.
    """
    made_of = [own, *sources]
    levels = [level_of(each["sensitivity"]) for each in made_of if each.get("sensitivity") not in (None, "")]
    scopes = [as_text(each["scope"]) for each in made_of if each.get("scope") not in (None, "")]
    level = {"sensitivity": higher(*levels)} if levels else {}
    return {**level, "scope": scopes[0]} if scopes else level


def rank(level: str) -> int:
    """How sensitive a level is: its index in LEVELS."""
    return LEVELS.index(level)


def higher(first: str, *others: str) -> str:
    """The most sensitive of some levels."""
    return max((first, *others), key=rank)


def lower(first: str, *others: str) -> str:
    """The least sensitive of some levels."""
    return min((first, *others), key=rank)


def limit_of(text: str, place: str) -> str:
    """A limit as written in a `place`. Raises UsageError for a level that is not known."""
    level = text.strip().casefold()
    if level not in LEVELS:
        raise UsageError(f"{place}: '{text}' is not a level of sensitivity", "write one of " + ", ".join(LEVELS))
    return level


def granted(is_agent: bool, in_vault: str, of_person: str, asked: str = "") -> str:
    """The limit of a surface for agents or people.

    By default it is higher for people. The vault's settings (`in_vault`, "" for none) may have come with a
    clone, so they can only lower it. A limit that a person set in git's settings (`of_person`) replaces both. A
    limit that is `asked` for applies to a person as it is; an agent may only ask for a lower one. Raises
    UsageError otherwise.
    """
    usual = OF_AGENTS if is_agent else OF_PEOPLE
    limit = of_person or lower(usual, in_vault or usual)
    if not asked:
        return limit
    if is_agent and rank(asked) > rank(limit):
        raise UsageError(
            f"agents are shown memories up to '{limit}' here, not '{asked}'",
            f"a person allows more with: git config {SETTING} {asked}",
        )
    return asked


def granted_derived(in_vault: str, of_person: str) -> str:
    """The limit of files derived from memories: a mirror, a page, an export."""
    return of_person or lower(OF_DERIVED, in_vault or OF_DERIVED)
