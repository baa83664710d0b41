"""Several vaults, open at once: those that can be read, and what is wrong with the others.

A missing or broken vault is reported, and the others still answer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import NamedTuple

from mdmem.errors import MdmemError, NotFoundError, Problem, warning
from mdmem.note.terminal import safe_line
from mdmem.store.git.repo import Repo
from mdmem.store.local import place
from mdmem.store.local.place import NamedPlace, Places
from mdmem.store.vault.vault import Vault, tell_nobody


class NamedVault(NamedTuple):
    """An open vault and its name among the others."""

    name: str
    vault: Vault


class UnreadVault(NamedTuple):
    """A vault that could not be read, and why; the name is "" for the list of vaults itself."""

    name: str
    message: str
    hint: str

    @property
    def line(self) -> str:
        """The vault that could not be read, and why, on one line."""
        return safe_line(f"left out: {self.name or 'the list of vaults'}: {self.message} ({self.hint})")


class ListedVault(NamedTuple):
    """A vault that questions go to, with its name and folder.

    `nearest` is true for the one that is written to, `listed` if its name is in the person's settings. `problem`
    says why it cannot be read, "" if it can.
    """

    name: str
    root: str
    nearest: bool
    listed: bool
    problem: str


class OpenVaults:
    """The vaults that a question goes to, nearest first; `unread` are those that could not be read."""

    def __init__(self, tell: Callable[[str], None] = tell_nobody) -> None:
        """`tell` gets a line for each vault that cannot be read."""
        self.every: list[NamedVault] = []
        self.unread: list[UnreadVault] = []
        self._tell = tell
        self._errors: dict[str, MdmemError | OSError] = {}

    @property
    def first(self) -> Vault:
        """The nearest of the vaults that can be read; sessions are kept in it."""
        return self.every[0].vault

    def add(self, where: NamedPlace, opening: Callable[[], Vault]) -> None:
        """Open one more vault and freshen its index; if it cannot be read, record why."""
        with self.excusing(where.name or where.root):
            vault = opening()
            vault.index.count()
            self.every.append(NamedVault(where.name, vault))

    @contextmanager
    def excusing(self, name: str) -> Iterator[None]:
        """Record an error in the block as that of the named vault, and go on."""
        try:
            yield
        except (MdmemError, OSError) as error:
            self.excuse(error, name)

    def excuse(self, error: MdmemError | OSError | None, name: str = "") -> None:
        """Record an error, if there is one, as that of the named vault; "" stands for the list of vaults."""
        if error is None:
            return
        self._errors[name] = error
        message = error.message if isinstance(error, MdmemError) else str(error)
        hint = error.hint if isinstance(error, MdmemError) else "mdmem vaults shows where it should be"
        self.unread.append(UnreadVault(name, message, hint))
        self._tell(self.unread[-1].line)

    def inner_folders(self, name: str) -> tuple[str, ...]:
        """The folders of one vault that are other vaults, each ending with `/`."""
        (start,) = [os.path.join(vault.root, "") for called, vault in self.every if called == name]
        inner = (vault.root.removeprefix(start) for _, vault in self.every if vault.root.startswith(start))
        return tuple(folder.replace(os.sep, "/") + "/" for folder in inner)

    def require_one(self, answering: Collection[object]) -> None:
        """Raises the nearest vault's error if no vault is `answering`: that is not an empty answer."""
        if not answering and self._errors:
            opened = (name for name, _ in self.every if name in self._errors)
            raise self._errors[next(opened, next(iter(self._errors)))]


@contextmanager
def opened(
    places: Places, clear: Callable[[Vault], None], tell: Callable[[str], None] = tell_nobody
) -> Iterator[OpenVaults]:
    """The vaults at some places, with fresh indexes and cleared by `clear`; they are closed after the block.

    Raises the error of the nearest if none can be read.
    """
    vaults = OpenVaults(tell)
    with ExitStack() as held:
        repos = [_looking_ahead(each, held) for each in places.every]
        for each, repo in zip(places.every, repos, strict=True):
            vaults.add(each, partial(enter, each, held, clear, tell, repo))
        vaults.excuse(places.fault)
        vaults.require_one(vaults.every)
        yield vaults


@contextmanager
def beside(
    vault: Vault, enter: Callable[[NamedPlace, ExitStack], Vault], tell: Callable[[str], None] = tell_nobody
) -> Iterator[OpenVaults | None]:
    """An open vault together with the others that questions go to; see `opened`. None if it is the only one.

    `enter` opens one of them, cleared for its reader, until the stack is closed: after the block.
    """
    places = place.several(vault.root)
    if places.is_one:
        yield None
        return
    first, *others = places.every
    vaults = OpenVaults(tell)
    vaults.every.append(NamedVault(first.name, vault))
    vaults.excuse(places.fault)
    with ExitStack() as held:
        for each in others:
            vaults.add(each, partial(enter, each, held))
        yield vaults


def _looking_ahead(where: NamedPlace, held: ExitStack) -> Repo | None:
    """The repository of a vault, in which git already compares the files with HEAD while other vaults are opened.

    None if there is none: opening the vault reports why.
    """
    if not place.is_vault(where.root):
        return None
    try:
        repo = Repo.around(os.path.realpath(where.root))
    except MdmemError:
        return None
    held.callback(repo.close)
    repo.look_ahead()
    return repo


def require_vault(where: NamedPlace) -> None:
    """Raises NotFoundError if there is no vault at that place."""
    if place.is_vault(where.root):
        return
    lost = place.lost() if where.root == os.environ.get(place.ENV) else None
    raise lost or NotFoundError(f"{where.root} is not a vault", "mdmem vaults shows the list")


def enter(
    where: NamedPlace,
    held: ExitStack,
    clear: Callable[[Vault], None],
    tell: Callable[[str], None] = tell_nobody,
    repo: Repo | None = None,
) -> Vault:
    """A vault, cleared by `clear`, that is closed when `held` is."""
    require_vault(where)
    vault = held.enter_context(Vault(where.root, lambda line: tell(f"{where.name}: {line}"), repo))
    clear(vault)
    return vault


def listing() -> list[ListedVault]:
    """The vaults that questions go to here, nearest first. Raises NotFoundError if there are none at all."""
    names = place.names_of(place.listed())
    listing = []
    for number, each in enumerate(place.several().every):
        name = names.get(os.path.realpath(each.root), "")
        listing.append(ListedVault(name or each.name, each.root, number == 0, bool(name), _problem(each.root)))
    return listing


def problems() -> list[Problem]:
    """Problems with the list of vaults, or with the vaults on it."""
    try:
        known = listing()
    except MdmemError as error:
        return [warning("vault-list", "", error.message, error.hint)]
    return [_unread(each) for each in known if each.problem]


def _unread(each: ListedVault) -> Problem:
    way = f"out of {place.ENV}" if os.environ.get(place.ENV) else f"off the list: mdmem vaults remove {each.name}"
    message = f"the vault {each.name}, {each.root}, {each.problem}"
    return warning("vault-unread", "", message, f"bring it back, or take it {way}")


def _problem(root: str) -> str:
    """Why the vault in a folder cannot be opened, "" if it can."""
    if not place.is_vault(root):
        return "is not a vault" if os.path.isdir(root) else "is not there"
    try:
        with Vault(root):
            return ""
    except (MdmemError, OSError) as error:
        return f"cannot be read: {error}"
