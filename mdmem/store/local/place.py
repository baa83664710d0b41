"""Where vaults are: named explicitly, by the environment, above the current folder, the default one, or listed.

The list is in the person's own settings file, so nothing that arrives by clone can name a vault.
"""

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from mdmem.errors import MdmemError, NotFoundError, UsageError
from mdmem.note.patterns import late
from mdmem.store import config
from mdmem.store.local import files

ENV = "MDMEM_VAULT"  # a vault, or several separated by os.pathsep
CLIENT = (
    "MDMEM_CLIENT"  # set by the launcher of a connected client, whose sessions may be in a project with a vault
)
TELL = "tell the user: "  # how a hint begins that an agent reads and only the person can act on
SETTINGS = "settings.toml"
_NAME = late(r"[a-z0-9][a-z0-9_-]+")  # of a vault; a single letter could be a Windows drive


class NamedPlace(NamedTuple):
    """The folder of a vault, whether it exists or not, and its name; the name is "" if there is only one vault."""

    name: str
    root: str


class Places(NamedTuple):
    """The vaults that a question goes to, nearest first. `fault` is any error in reading the list of them."""

    every: list[NamedPlace]
    fault: MdmemError | None = None

    @property
    def is_one(self) -> bool:
        """Whether there is just the nearest vault, and nothing to report."""
        return len(self.every) == 1 and self.fault is None


def locate(root: str | None = None, folder: str = "") -> str:
    """The vault that `root` names, else one in $MDMEM_VAULT, else the nearest, default or first listed one.

    `root` is a listed name or a folder. Of several vaults in $MDMEM_VAULT, it is the one above the current folder,
    else the first. Without either, it is the vault above the current folder, else the platform's default vault,
    else the first that is listed. For a client ($MDMEM_CLIENT) the vault of the project at `folder` (the current
    one, if it is "") takes precedence over $MDMEM_VAULT. Raises NotFoundError if there is none.
    """
    if not root and os.environ.get(CLIENT):
        root = _of_project(os.environ[CLIENT], os.path.abspath(folder))
    given = [os.fspath(root)] if root else _parts(os.environ.get(ENV, ""))
    if len(given) == 1:
        return _given(given[0])
    around = next(filter(None, map(find, _in_worktrees(os.getcwd()))), None)
    if given:
        return _first_of(given, around)
    if around is None and is_vault(default_root()):
        around = default_root()
    if around is None:
        around = next((known.root for known in listed() if is_vault(known.root)), None)
    if around is None:
        raise NotFoundError(
            "there is no vault here",
            "run mdmem init, go to a vault, or name one with --vault or MDMEM_VAULT",
        )
    return around


def may_be_several() -> bool:
    """Whether a question that names no vault may go to several; this costs at most one file access."""
    given = _parts(os.environ.get(ENV, ""))
    return bool(os.environ.get(CLIENT)) or (len(given) > 1 if given else os.path.exists(settings_file()))


def several(root: str = "") -> Places:
    """The vaults that a question goes to: the one that `locate` finds, then the listed ones, each once.

    $MDMEM_VAULT takes precedence over the list in the settings, and stands before it for a client. Listed vaults
    may not exist. Raises NotFoundError if there is no vault at all.
    """
    fault = None
    try:
        known = listed()
    except MdmemError as error:
        known, fault = [], error
    names = names_of(known)
    given = _parts(os.environ.get(ENV, ""))
    given += [each.root for each in known] if os.environ.get(CLIENT) or not given else []
    others = [_root_of(text, known) for text in given]
    every: dict[str, NamedPlace] = {}
    for place in (locate(root), *others):
        real = os.path.realpath(place)
        if real not in every:
            taken = {*names.values(), *(each.name for each in every.values())}
            every[real] = NamedPlace(names.get(real) or _new_name(place, taken), place)
    return Places(list(every.values()) if len(every) > 1 else [NamedPlace("", *every)], fault)


def listed() -> list[NamedPlace]:
    """The vaults that the person has listed, in their order, whether they exist or not.

    Raises UsageError for settings that cannot be read.
    """
    file = settings_file()
    text = settings(file)
    if not text:
        return []
    here = os.path.dirname(file)  # relative folders start here
    return [
        NamedPlace(name, os.path.abspath(os.path.join(here, os.path.expanduser(folder))))
        for name, folder in read_list(text, file).items()
    ]


def read_list(text: str, file: str) -> dict[str, str]:
    """name -> folder as written, in the order of the settings in `text`, where they are under `[vaults]`:

        [vaults]
        personal = "~/notes"
        shop = "~/src/shop"

    Raises UsageError, like `config.toml`, and for entries that are not a name and a folder.
    """
    table = config.toml(text, file).get("vaults", {})
    if not isinstance(table, dict):
        raise UsageError(f"{file}: vaults is not a table", 'write [vaults], and below it name = "folder"')
    for name, folder in table.items():
        require_name(name, f"{file}: ")
        if not isinstance(folder, str) or not folder or "\0" in folder:
            raise UsageError(f"{file}: vaults.{name} is not a folder", "write its path in quotes")
    return table


def require_name(name: str, where: str = "", hint: str = "") -> None:
    """Raise UsageError for a name that a vault cannot have."""
    if not _NAME.fullmatch(name):
        hint = hint or "two or more lower-case letters, digits, - and _, such as personal"
        raise UsageError(f"{where}'{name}' cannot be the name of a vault", hint)


def names_of(known: Sequence[NamedPlace]) -> dict[str, str]:
    """real path of a folder -> the first name by which the vault there is listed."""
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


def settings_file() -> str:
    """The path of the person's own settings, which no clone contains."""
    return os.path.join(settings_folder(), SETTINGS)


def settings_folder(environ: Mapping[str, str] = os.environ) -> str:
    """The platform's folder for a person's settings."""
    if os.name != "posix":
        import platformdirs

        return platformdirs.user_config_dir("mdmem", appauthor=False)
    folder = environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(folder):
        usual = "~/Library/Application Support" if sys.platform == "darwin" else "~/.config"
        folder = os.path.expanduser(usual)
    return os.path.join(folder, "mdmem")


def _parts(given: str) -> list[str]:
    """The vaults in $MDMEM_VAULT, which may also be a single folder whose name contains the separator."""
    if os.pathsep not in given or is_vault(given):
        return [given] if given else []
    return [part for part in given.split(os.pathsep) if part]


def _given(given: str) -> str:
    """The vault given by its listed name or its folder. Raises NotFoundError."""
    known = listed() if _may_be_name(given) else []
    root = _root_of(given, known)
    if is_vault(root):
        return root
    if root != given:
        raise NotFoundError(f"{root}, which is listed as {given}, is not a vault", "mdmem vaults shows the list")
    if os.environ.get(CLIENT):
        raise gone(given)
    hint = f"make it one: mdmem init {given}"
    if known:
        hint += f"; listed are {', '.join(each.name for each in known)}"
    if not os.path.exists(given):
        raise NotFoundError(f"{given} is not a vault: there is no such folder", f"check the path, or {hint}")
    raise NotFoundError(f"{given} is not a vault", hint)


def gone(root: str) -> NotFoundError:
    """The error for a vault that a client is connected to, for its user or in a project, and that is not there."""
    flag = "" if root == os.environ.get(ENV) else " --project"
    hint = f"{TELL}mdmem connect {os.environ[CLIENT]}{flag} --vault DIR connects it to where the vault is now"
    return NotFoundError(f"the vault {root} is gone", hint)


def lost() -> NotFoundError | None:
    """The error for the vault that a client is connected to for its user, if that is gone."""
    root = os.environ.get(ENV, "")
    return gone(root) if root and os.environ.get(CLIENT) and not is_vault(root) else None


def _of_project(client: str, folder: str) -> str | None:
    """The vault of a project: the one that a client is connected to there, else one in the project itself.

    All worktrees of a repository share it. A record of the connection counts if this clone's own settings ignore
    it: no clone brings such a line.
    """
    import json  # only the sessions of clients need these modules

    from mdmem.store import layout

    ours = f"{layout.STATE}/clients/{client}/"
    tops = {place: project_at(place) for place in _in_worktrees(folder)}
    for top in tops.values():
        record, ignored = files.bytes_at(os.path.join(top, ours, "connection.json")), excluding(top)
        if record and (not ignored or f"/{ours}" in settings(ignored).splitlines()):
            try:
                return str(json.loads(record)["vault"])
            except (ValueError, KeyError, TypeError):
                raise MdmemError(f"{ours}connection.json is damaged", "delete it, then connect again") from None
    found = ((find(place), top) for place, top in tops.items())
    return next((around for around, top in found if around and f"{around}/".startswith(f"{top}/")), None)


def _in_worktrees(folder: str) -> list[str]:
    """A folder, and if it is in a linked worktree the same one in the main working tree of its repository."""
    from mdmem.store.git.folder import GitFolder, find_top

    top = find_top(folder)
    if top is None or not os.path.isfile(os.path.join(top, ".git")):
        return [folder]
    shared = GitFolder(top, "").common_dir()
    if os.path.basename(shared) != ".git":
        return [folder]
    return [folder, os.path.normpath(os.path.join(os.path.dirname(shared), os.path.relpath(folder, top)))]


def project_at(folder: str) -> str:
    """The project around a folder: its repository, else the folder itself."""
    from mdmem.store.git.folder import find_top

    return find_top(folder) or folder


def excluding(project: str) -> str:
    """The file by which git ignores files in this clone of a project alone; "" if it is not a repository."""
    from mdmem.store.git.folder import GitFolder

    is_clone = os.path.exists(os.path.join(project, ".git"))
    return os.path.join(GitFolder(project, "").common_dir(), "info", "exclude") if is_clone else ""


def _may_be_name(text: str) -> bool:
    """Whether a text may be the name of a listed vault rather than a path."""
    return os.sep not in text and text not in (os.curdir, os.pardir)


def _root_of(text: str, known: Sequence[NamedPlace] = ()) -> str:
    """The folder that a text names: that of the listed vault with this name, else the text itself as a path.

    A listed name takes precedence, so that no cloned folder can pose as a listed vault.
    """
    root = next((each.root for each in known if each.name == text), text)
    return owner_of(root) if is_vault(root) else root


def _first_of(given: Sequence[str], around: str | None) -> str:
    """Of several given vaults, the one `around` the current folder, else the first that exists."""
    known = listed() if any(map(_may_be_name, given)) else []
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

    A folder without mdmem.toml may just hold the memories of a vault further up: then it is that vault.
    """
    folder = os.path.abspath(start)
    while not is_vault(folder):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return owner_of(folder)


def owner_of(folder: str) -> str:
    """The vault that a folder with `is_vault` belongs to: one further up if it is part of that, else itself."""
    place = os.path.abspath(folder)
    return _owner(place) or place


def _owner(folder: str) -> str | None:
    """The vault further up whose settings claim the memories in this folder; None if there is none."""
    if os.path.isfile(os.path.join(folder, config.FILE)):
        return None
    inner, around = os.path.join(folder, config.VaultConfig().memories), os.path.dirname(folder)
    while around != os.path.dirname(around):
        if _memories_of(around) == inner:
            return around
        around = os.path.dirname(around)
    return None


def _memories_of(folder: str) -> str:
    """The memories folder according to the settings in a folder; "" if it has no readable settings."""
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
    """The path of the default vault on this platform."""
    import platformdirs

    return os.path.join(platformdirs.user_data_dir("mdmem", appauthor=False), "vault")
