"""Where vaults lie: named, by the environment, around a folder, the platform's own, or listed by the person.

The list is in a settings file of the person's, so that nothing that arrives by clone can name a vault.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping, Sequence

from mdmem import config
from mdmem.errors import MdmemError, NotFoundError, UsageError
from mdmem.local import files
from mdmem.values import NamedTuple

ENV = "MDMEM_VAULT"  # a vault, or several with os.pathsep between them
SETTINGS = "settings.toml"


class NamedPlace(NamedTuple):
    """Where a vault lies or should lie, and how it is called; the name is "" where there is only one."""

    name: str
    root: str


class Places(NamedTuple):
    """The vaults that a question goes to, the nearest first. `fault` is why the list of them could not be read."""

    every: list[NamedPlace]
    fault: MdmemError | None = None

    @property
    def is_one(self) -> bool:
        """Whether there is nothing to ask or to tell of beside the nearest."""
        return len(self.every) == 1 and self.fault is None


def locate(root: str | None = None, environ: Mapping[str, str] = os.environ) -> str:
    """The vault listed as `root`, or in that folder; else at $MDMEM_VAULT; else around the current folder; else
    the platform's own; else the first of those that the person has listed.

    Of several in $MDMEM_VAULT it is the one around the current folder, else the first. Raises NotFoundError if
    there is none.
    """
    given = [os.fspath(root)] if root else _parts(environ.get(ENV, ""))
    if len(given) == 1:
        return _given(given[0], environ)
    around = find(os.getcwd())
    if given:
        return _first_of(given, around, environ)
    if around is None and is_vault(default_root()):
        around = default_root()
    if around is None:
        around = next((known.root for known in listed(environ) if is_vault(known.root)), None)
    if around is None:
        raise NotFoundError(
            "there is no vault here",
            "run mdmem init, go to a vault, or name one with --vault or MDMEM_VAULT",
        )
    return around


def may_be_several(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether a question that names no vault may be for more than one; it costs one look at the disk."""
    given = _parts(environ.get(ENV, ""))
    return len(given) > 1 if given else os.path.exists(settings_file(environ))


def several(root: str = "", environ: Mapping[str, str] = os.environ) -> Places:
    """The vaults that a question goes to: the one that `locate` finds, then those listed, each once.

    A list in $MDMEM_VAULT holds instead of the settings. What is listed may not be there. Raises NotFoundError
    if there is no vault at all.
    """
    fault = None
    try:
        known = listed(environ)
    except MdmemError as error:
        known, fault = [], error
    names = names_of(known)
    given = _parts(environ.get(ENV, "")) or [each.root for each in known]
    others = [_root_of(text, known) for text in given]
    every: dict[str, NamedPlace] = {}
    for place in (locate(root, environ), *others):
        real = os.path.realpath(place)
        if real not in every:
            taken = {*names.values(), *(each.name for each in every.values())}
            every[real] = NamedPlace(names.get(real) or _new_name(place, taken), place)
    return Places(list(every.values()) if len(every) > 1 else [NamedPlace("", *every)], fault)


def listed(environ: Mapping[str, str] = os.environ) -> list[NamedPlace]:
    """The vaults that the person has listed, in their order, whether they are there or not.

    Raises UsageError for settings that cannot be read.
    """
    file = settings_file(environ)
    text = settings(file)
    if not text:
        return []
    from mdmem.config import personal

    here = os.path.dirname(file)  # where a relative folder begins
    folders = personal.vaults(text, file).items()
    return [
        NamedPlace(name, os.path.abspath(os.path.join(here, os.path.expanduser(folder))))
        for name, folder in folders
    ]


def names_of(known: Sequence[NamedPlace]) -> dict[str, str]:
    """Real folder -> the name by which a vault was listed first."""
    return {os.path.realpath(_root_of(each.root)): each.name for each in reversed(known)}


def settings(file: str) -> str:
    """The text of a settings file, "" if there is none. Raises UsageError if it cannot be read."""
    try:
        with open(file, encoding="utf-8-sig", newline="") as source:
            return source.read()
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8", "save it as UTF-8 in your editor") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}", "fix its permissions") from None


def settings_file(environ: Mapping[str, str] = os.environ) -> str:
    """Where the person's own settings are; no clone brings it along."""
    return os.path.join(settings_folder(environ), SETTINGS)


def settings_folder(environ: Mapping[str, str] = os.environ) -> str:
    """The platform's folder for the settings of a person."""
    if os.name != "posix":
        import platformdirs

        return platformdirs.user_config_dir("mdmem", appauthor=False)
    folder = environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(folder):
        usual = "~/Library/Application Support" if sys.platform == "darwin" else "~/.config"
        folder = os.path.expanduser(usual)
    return os.path.join(folder, "mdmem")


def _parts(given: str) -> list[str]:
    """The vaults in $MDMEM_VAULT; a folder that is one may have the character between them in its name."""
    if os.pathsep not in given or is_vault(given):
        return [given] if given else []
    return [part for part in given.split(os.pathsep) if part]


def _given(given: str, environ: Mapping[str, str]) -> str:
    """The vault that was named as it is listed, or by its folder. Raises NotFoundError."""
    known = listed(environ) if _may_be_name(given) else []
    root = _root_of(given, known)
    if is_vault(root):
        return root
    if root != given:
        raise NotFoundError(f"{root}, which is listed as {given}, is not a vault", "mdmem vaults shows the list")
    hint = f"make it one: mdmem init {given}"
    if known:
        hint += f"; listed are {', '.join(each.name for each in known)}"
    if not os.path.exists(given):
        raise NotFoundError(f"{given} is not a vault: there is no such folder", f"look where it is, or {hint}")
    raise NotFoundError(f"{given} is not a vault", hint)


def _may_be_name(text: str) -> bool:
    """Whether a text may be the name of a listed vault, and is not a path."""
    return os.sep not in text and text not in (os.curdir, os.pardir)


def _root_of(text: str, known: Sequence[NamedPlace] = ()) -> str:
    """The folder that a text names: that of the vault listed so, which no folder that was cloned can pass for,
    else itself."""
    root = next((each.root for each in known if each.name == text), text)
    return owner_of(root) if is_vault(root) else root


def _first_of(given: Sequence[str], around: str | None, environ: Mapping[str, str]) -> str:
    """Of a list of vaults the one `around` the current folder, else the first that is there."""
    known = listed(environ) if any(map(_may_be_name, given)) else []
    roots = [_root_of(text, known) for text in given]
    here = os.path.realpath(around) if around else ""
    nearest = next((root for root in roots if os.path.realpath(root) == here), None)
    first = nearest or next(filter(is_vault, roots), None)
    if first is None:
        raise NotFoundError(f"none of {ENV} is a vault: {', '.join(roots)}", f"make it one: mdmem init {roots[0]}")
    return first


def _new_name(root: str, taken: Collection[str]) -> str:
    """A name for a vault that is not listed: that of its folder, with a number if it is taken."""
    from itertools import count

    letters = "".join(letter if letter.isalnum() else "-" for letter in os.path.basename(root).lower())
    first = letters.strip("-") or "vault"
    names = (first if number == 1 else f"{first}-{number}" for number in count(1))
    return next(name for name in names if name not in taken)


def find(start: str) -> str | None:
    """The nearest folder from `start` up that is a vault: it holds mdmem.toml or allmemories/.

    One without mdmem.toml, whose memories are those of a vault further up, is a part of that vault.
    """
    folder = os.path.abspath(start)
    while not is_vault(folder):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return owner_of(folder)


def owner_of(folder: str) -> str:
    """The vault that a folder which is one belongs to: itself, absolute, but for a part of one further up."""
    place = os.path.abspath(folder)
    return _owner(place) or place


def _owner(folder: str) -> str | None:
    """The vault further up whose settings say that the memories in a folder without settings are its own."""
    if os.path.isfile(os.path.join(folder, config.FILE)):
        return None
    inner, around = os.path.join(folder, config.VaultConfig().memories), os.path.dirname(folder)
    while around != os.path.dirname(around):
        if _memories_of(around) == inner:
            return around
        around = os.path.dirname(around)
    return None


def _memories_of(folder: str) -> str:
    """The folder of memories that the settings in a folder name; "" if it has no settings that can be read."""
    try:
        data = files.read_or_none(folder, config.FILE)
        return os.path.join(folder, config.read(data)[0].memories) if data is not None else ""
    except MdmemError:
        return ""


def is_vault(folder: str) -> bool:
    """Whether a folder is the root of a vault."""
    return os.path.isfile(os.path.join(folder, config.FILE)) or os.path.isdir(
        os.path.join(folder, config.VaultConfig().memories)
    )


def default_root() -> str:
    """Where a vault lies on this platform if nothing else is said."""
    import platformdirs

    return os.path.join(platformdirs.user_data_dir("mdmem", appauthor=False), "vault")
