"""What gardeners never propose in a vault: the `garden.never` of mdmem.toml, such as `twins: tag diary`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import dirname

from mdmem.garden.gardeners import care
from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import Proposal, Withheld
from mdmem.store.config.never import NeverRule, never_rule

_DOES = {  # gardener -> what it never does
    **{"twins": "merge", "consolidate": "combine", "decay": "prune", "deprecate": "deprecate", "split": "split"},
    **{"conflicts": "resolve conflicts between", "facts": "retire facts of", "refresh": "make again"},
    "hygiene": "tidy",
}
_WHICH = {"tag": "notes tagged {}", "type": "notes of type {}", "folder": "notes in {}/", "notes": "{}"}
_PLAIN_TYPES = ("", "note", "fact")  # most notes have one of these; they say nothing about a note


def sentence(rule: NeverRule) -> str:
    """A rule in words, such as `never merge notes tagged diary`."""
    return f"never {_DOES.get(rule.gardener, rule.gardener)} {_WHICH[rule.trait].format(rule.value)}"


def traits(about: Sequence[Note], memories: str) -> tuple[str, ...]:
    """What all notes of a proposal have in common, the narrowest first, each as a rule would name it.

    `memories` is the folder of all memories, which says nothing about a note.
    """
    if not about:
        return ()
    found = [f"notes {', '.join(sorted(note.name for note in about))}"] if len(about) == 2 else []
    found += [f"tag {tag}" for tag in about[0].tags if all(tag in note.tags for note in about)]
    types = {note.text("type") for note in about}
    found += [f"type {type}" for type in types if len(types) == 1 and type not in _PLAIN_TYPES]
    folders = {dirname(note.path) for note in about} - {memories, ""}
    found += [f"folder {folder}" for folder in folders if all(dirname(note.path) == folder for note in about)]
    return tuple(found)


def described(proposals: Iterable[Proposal], notes: Mapping[str, Note], memories: str) -> list[Proposal]:
    """The proposals, each with the traits that its notes have in common."""
    return [one._replace(traits=traits(care.about(one, notes), memories)) for one in proposals]


def withheld(proposals: Iterable[Proposal], notes: Mapping[str, Note], rules: Iterable[str]) -> list[Withheld]:
    """The proposals that a rule forbids, each with the first such rule."""
    parsed = {text: rule for text in rules if (rule := never_rule(text))}
    return [
        Withheld(text, one) for one in proposals for text in [next(_forbidding(one, notes, parsed), "")] if text
    ]


def _forbidding(one: Proposal, notes: Mapping[str, Note], rules: Mapping[str, NeverRule]) -> Iterator[str]:
    about = care.about(one, notes)
    return (text for text, rule in rules.items() if rule.gardener == one.gardener and _concerns(rule, about))


def _concerns(rule: NeverRule, about: Sequence[Note]) -> bool:
    """Whether a rule applies to one of these notes; one that names notes applies only if all of them are here."""
    if rule.trait == "notes":
        named = {name.strip() for name in rule.value.split(",")}
        return named <= {note.name for note in about}
    return any(_has(note, rule) for note in about)


def _has(note: Note, rule: NeverRule) -> bool:
    value = rule.value.casefold()
    if rule.trait == "tag":
        return value in (tag.casefold() for tag in note.tags)
    if rule.trait == "type":
        return note.text("type").casefold() == value
    return note.path.casefold().startswith(value.rstrip("/") + "/")
