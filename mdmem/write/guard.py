"""The guard of every change (see `store.registry`): no new password, key or token is written into the vault.

A new secret in what a person or an agent writes is refused. In an undo, a restore, an import or a gardener's
change, it is only reported.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from mdmem.errors import Problem, StoppedError
from mdmem.language import orders
from mdmem.note.memory import MAX_BYTES, stem
from mdmem.note.patterns import late
from mdmem.note.properties import PROPERTIES
from mdmem.store import layout
from mdmem.store.layout import Kind
from mdmem.store.operation import Caller, Operation
from mdmem.store.registry import OpenVault, Rewritten
from mdmem.store.vault.vault import Vault
from mdmem.write import secretrules as rules
from mdmem.write import secrets

# Actions that write something new; for others, secrets are only reported.
_REFUSED = "create revise fork merge rename delete".split()
_BY_HEADER = late(r"\A---\n.*?\n---\n+", re.S)
_OWN_HASH = late(r"chunk_digest: ['\"]?[0-9a-f]{16}['\"]?")  # the digest of a text in the same note
ALLOWED = "mdmem.not-secret"  # a value that is no secret, among git's settings: clones do not copy them
_ORDER_HINT = "read it before a model does; what only quotes an order belongs into quotation marks"
_HINT = "take it out and name where it is kept; --allow-secret writes it all the same, and git's history keeps it"


def own_rules(vault: OpenVault) -> rules.OwnRules:
    """The rules that a vault's settings add to ours, and what does not count by git's settings."""
    added = vault.config.secrets
    return rules.own(added.forms, added.words, tuple(vault.repo.known_values(ALLOWED)))


def refuse_secrets(
    vault: OpenVault, what: Operation, written: Mapping[str, Rewritten], tell: Callable[[str], None]
) -> None:
    """Raises StoppedError for a new secret; an undo, a restore, an import or a gardener just reports it."""
    if what.allow_secret:
        return
    leaks = list(dict.fromkeys([*_in_words(what), *_in_files(written, own_rules(vault))]))
    if not leaks:
        return
    if what.action in _REFUSED and not what.get("Gardener"):
        raise StoppedError(f"{leaks[0]}; nothing was written", _HINT)
    for leak in leaks:
        tell(leak)


def tell_orders(
    vault: OpenVault, what: Operation, written: Mapping[str, Rewritten], tell: Callable[[str], None]
) -> None:
    """Report text that gives orders to the model that reads it. It is written nevertheless."""
    del what
    notes = {path: file for path, file in written.items() if layout.kind_of(path, vault.config) != Kind.OTHER}
    for path, file in notes.items():  # AGENTS.md and templates are meant to tell their reader what to do
        for problem in orders_in(path, file.before, file.after):
            tell(f"{path}:{problem.line}: {problem.message}")


def orders_in(path: str, before: str, after: str) -> Iterator[Problem]:
    """A warning for each kind of order to its reader in a text, at the last such line, if it is new.

    A text that is too large for a memory takes a minute to search, and is not.
    """
    if len(after) > MAX_BYTES:
        return
    lines, known = after.split("\n"), set(before.split("\n"))
    last_of_kind = {order.kind: order for order in orders.found(_told(lines))}  # the title often says it, too
    for order in last_of_kind.values():
        if lines[order.line - 1] not in known:
            message = f"may give orders to the model that reads it ({order.kind})"
            yield Problem("order", path, order.line, message, _ORDER_HINT, "warning")


def _told(lines: list[str]) -> str:
    """The text of a file without the properties that tell nobody anything; its lines stay where they are."""
    end = lines.index("---", 1) if lines[0] == "---" and "---" in lines[1:] else 0
    keys = (line.partition(":")[0].removeprefix("imported_") for line in lines[:end])
    head = ["" if key in PROPERTIES and key != "title" else line for key, line in zip(keys, lines, strict=False)]
    return "\n".join([*head, *lines[end:]])


def refuse_in_name(name: str, who: Caller) -> None:
    """Raises StoppedError for a secret in a name that does not appear in the path of its file."""
    if not who.allow_secret and (kinds := secrets.kinds(name)):
        raise StoppedError(f"a name seems to hold a secret ({kinds}); nothing was written", _HINT)


def problems(vault: OpenVault, path: str, before: str, after: str) -> Iterator[Problem]:
    """The secrets in a file that `before` did not contain, found without the library for other services.

    They are errors in a strict vault, which prevents the commit, else warnings. As in `orders_in`, a text that is
    too large for a memory is not searched.
    """
    if len(after) > MAX_BYTES:
        return
    severity = "error" if vault.config.hooks.strict else "warning"
    for kind, line in secrets.added(before, after, own_rules(vault), with_services=False):
        message = f"seems to hold a secret ({kind})"
        yield Problem("secret", path, line, message, "take it out, and change it where it is used", severity)


def secret_in(vault: OpenVault, source: str, text: str) -> Problem | None:
    """The first secret in a foreign note, which an import then leaves out; None if there is none."""
    leak = next(iter(secrets.found(text, own_rules(vault))), None)
    if leak is None:
        return None
    message = f"seems to hold a secret ({leak.kind}); left out"
    return Problem("secret", source, leak.line, message, "take it out, or import with --allow-secret")


def _in_words(what: Operation) -> Iterator[str]:
    """Messages about secrets in the commit message."""
    for place, text in (("reason", what.reason), ("session", what.session), ("actor", what.actor)):
        if kinds := secrets.kinds(text):
            yield f"the {place} seems to hold a secret ({kinds})"


def _in_files(written: Mapping[str, Rewritten], own: rules.OwnRules) -> Iterator[str]:
    for path, file in written.items():
        lines = file.after.split("\n")
        found = secrets.added(file.before, file.after, own)
        leaks = [leak for leak in found if not _OWN_HASH.fullmatch(lines[leak.line - 1].rstrip())]
        if file.origin:
            yield from (f"{path}:{leak.line}: seems to hold a secret ({leak.kind})" for leak in leaks)
        elif leaks:
            yield from _in_new_note(file.after, leaks)
        if path != file.origin and (kinds := _kinds_in_name(stem(path), own)):
            yield f"a file name seems to hold a secret ({kinds})"


def _kinds_in_name(name: str, own: rules.OwnRules) -> str:
    return secrets.kinds(name, own) or secrets.kinds(name.replace("_", " "), own)


def _in_new_note(text: str, leaks: list[secrets.Secret]) -> Iterator[str]:
    """A message for each secret in a new note, without the path, as that is made of the note's words."""
    header = _BY_HEADER.match(text)
    above = header[0].count("\n") if header else 0
    in_text = [leak for leak in leaks if leak.line > above]
    for leak in in_text:
        yield f"line {max(1, leak.line - above)} of the text seems to hold a secret ({leak.kind})"
    for leak in leaks if not in_text else ():
        yield f"the properties of the new note seem to hold a secret ({leak.kind})"


def kept_back(vault: Vault, paths: Iterable[str], text: str) -> str:
    """Why a text made from the notes at these paths must not be sent to a model; "" if it may.

    A note may be sent only up to the sensitivity that `git config mdmem.wording-max-sensitivity` allows, and no
    text that seems to contain a secret.
    """
    shown = vault.for_derived("wording").index
    if not all(shown.record(path) for path in paths):
        return "it is too sensitive for a model"
    leaks = secrets.kinds(text)
    return f"it seems to hold a secret, {leaks}" if leaks else ""
