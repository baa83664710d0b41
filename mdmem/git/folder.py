"""Where a repository lies, and what it is set to."""

from __future__ import annotations

import os
from functools import cached_property
from zlib import crc32

from mdmem.git.command import Git
from mdmem.values import NamedTuple

_OWN = ("local", "worktree")  # the scopes of settings that are a clone's own
PEOPLE = "mdmem.people"  # a setting of git, with a value for each address
_PERSONS = (PEOPLE, "user.name", "user.email")
_OFF_BRANCH = {  # what git leaves in its folder while it keeps HEAD away from the branch
    "rebase-merge": "a rebase has stopped",
    "rebase-apply": "a rebase has stopped",
    "BISECT_LOG": "a bisect is under way",
}


class Identity(NamedTuple):
    """A name and mail address for commits; `configured` is False for mdmem's own stand-in."""

    name: str
    email: str
    configured: bool = True


_SHA1_DIGITS = 40
STAND_IN = Identity("mdmem", "mdmem@localhost", configured=False)


def find_top(folder: str) -> str | None:
    """The nearest folder from `folder` up that holds a `.git`, or None."""
    folder = os.path.abspath(folder)
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


class GitFolder(Git):
    """The folders and settings of a repository. Paths in and out are relative to the vault, with `/`."""

    def __init__(self, top: str, prefix: str) -> None:
        """`top` is the working tree's root; `prefix` is "" or the vault's place in it, ending in "/"."""
        super().__init__(top)
        self.prefix = prefix

    def strip(self, path: bytes) -> str:
        """A path as git prints it, made relative to the vault."""
        return os.fsdecode(path).removeprefix(self.prefix)

    def full(self, path: str) -> bytes:
        """A path of the vault as git takes it."""
        return os.fsencode(self.prefix + path)

    def setting(self, key: str) -> list[str]:
        """The values of a git setting, all levels, as git would use it."""
        out = self.run("config", "-z", "--get-all", key, ok=(0, 1))
        return [value for value in out.decode("utf-8", "surrogateescape").split("\0") if value]

    @cached_property
    def empty_tree(self) -> str:
        """git's id of a tree without files, by the hash of this repository: 40 or 64 hexadecimal digits."""
        return self.run("hash-object", "-t", "tree", "--stdin").decode().strip()

    @property
    def is_sha1(self) -> bool:
        """Whether the ids of this repository are SHA-1, as they are unless it was made with another format."""
        return len(self.empty_tree) == _SHA1_DIGITS

    @cached_property
    def git_dir(self) -> str:
        """The absolute place of this working tree's git folder."""
        place = os.path.join(self.top, ".git")
        return os.path.join(self.top, _line(place).removeprefix("gitdir: ")) if os.path.isfile(place) else place

    def common_dir(self) -> str:
        """The absolute place of the git folder that all worktrees share."""
        pointer = os.path.join(self.git_dir, "commondir")
        shared = os.path.join(self.git_dir, _line(pointer)) if os.path.isfile(pointer) else self.git_dir
        return os.path.normpath(shared)

    def git_path(self, name: str) -> str:
        """The absolute place of a file that belongs to this working tree alone, such as the index."""
        return os.path.normpath(os.path.join(self.git_dir, name))

    def next_index(self) -> str:
        """The place of the index of a commit that mdmem is making: while it is there, the commit is not done.

        Its name tells apart the vaults that share a repository.
        """
        return self.git_path(f"mdmem-{crc32(os.fsencode(self.prefix)):08x}.index")

    def off_branch(self) -> str:
        """Why HEAD is on no branch, "" if it is on one."""
        head = self.git_path("HEAD")
        if os.path.islink(head) or _line(head).startswith("ref:"):
            return ""
        for mark, reason in _OFF_BRANCH.items():
            if os.path.exists(self.git_path(mark)):
                return reason
        return "HEAD is detached"

    @cached_property
    def _settings(self) -> list[tuple[str, str, str]]:
        """(scope, key, value) of all of git's settings, read once; section and name are in lower case."""
        out = self.run("config", "-z", "--show-scope", "--list").decode("utf-8", "surrogateescape")
        words = out.split("\0")
        entries = ((scope, *entry.partition("\n")) for scope, entry in zip(words[::2], words[1::2], strict=False))
        return [(scope, key, value) for scope, key, _, value in entries if scope != "command"]

    def reread(self) -> None:
        """Have git's settings be read again: another program may have changed them."""
        self.__dict__.pop("_settings", None)

    def known(self, key: str, own: bool = False) -> str:
        """The last value of a setting, "" for none, as read once; with `own` only of this clone's own settings."""
        values = [value for scope, name, value in self._settings if name == key and (not own or scope in _OWN)]
        return values[-1] if values else ""

    def known_values(self, key: str) -> list[str]:
        """All values of a setting but empty ones, as read once."""
        return [value for _, name, value in self._settings if name == key and value]

    def learn_from(self, other: GitFolder) -> None:
        """Take over what `other`, if it is of the same working tree, has read of git's settings."""
        if other.top == self.top and "_settings" in other.__dict__:
            self._settings = other._settings

    def known_under(self, section: str) -> list[tuple[str, str]]:
        """(key, value) of the settings of a section, as read once."""
        return [(key, value) for _, key, value in self._settings if key.startswith(section + ".")]

    @property
    def _persons(self) -> list[tuple[str, str]]:
        """(key, value) of git's settings that say who somebody is and what may be seen."""
        return [(key, _plain(value)) for _, key, value in self._settings if _is_personal(key)]

    def people(self) -> frozenset[str]:
        """The e-mail addresses, in lower case, of those whose commits are trusted here.

        They are the values of `mdmem.people` and the address of git's user. A clone cannot bring any: they stand
        in this repository's own settings, or in those of its user.
        """
        set_here = [value for key, value in self._persons if key in (PEOPLE, "user.email")]
        user = os.environ.get("GIT_COMMITTER_EMAIL", "")
        known = [address for address in (*set_here, user) if address]
        return frozenset(address.lower() for address in known or [STAND_IN.email])

    def personal(self, key: str) -> str:
        """A setting in which a person says what may be seen, "" if it is not set. No clone brings it along."""
        return dict(self._persons).get(key, "")

    def names_people(self) -> bool:
        """Whether somebody is trusted here by name, and not only git's user of this moment."""
        return any(key == PEOPLE for key, _ in self._persons)

    def trust(self, address: str) -> None:
        """Have commits by an e-mail address trusted in this clone."""
        self.run("config", "--local", "--add", PEOPLE, address)
        self.reread()

    def identity(self) -> Identity:
        """Who commits: git's own settings, or a stand-in if `user.name` or `user.email` is missing."""
        name, email = os.environ.get("GIT_COMMITTER_NAME", ""), os.environ.get("GIT_COMMITTER_EMAIL", "")
        if not (name and email):
            user = dict(self._persons)  # of a setting that is given twice the last value counts
            name, email = name or user.get("user.name", ""), email or user.get("user.email", "")
        if name and email:
            return Identity(name, email)
        return STAND_IN


def _is_personal(key: str) -> bool:
    return key in _PERSONS or (key.startswith("mdmem.") and key.endswith("max-sensitivity"))


def _plain(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _line(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read().strip()
