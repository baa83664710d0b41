"""Where a repository is, and its settings."""

from __future__ import annotations

import os
from functools import cached_property
from typing import NamedTuple
from zlib import crc32

from mdmem.store.git.command import Git

_OWN = ("local", "worktree")  # the scopes of a clone's own settings
PEOPLE = "mdmem.people"  # a setting in git, with one value per address
_PERSONS = (PEOPLE, "user.name", "user.email")
_OFF_BRANCH = {  # files in git's folder while it keeps HEAD detached
    "rebase-merge": "a rebase has stopped",
    "rebase-apply": "a rebase has stopped",
    "BISECT_LOG": "a bisect is under way",
}


class Identity(NamedTuple):
    """A name and e-mail address for commits; `configured` is False for mdmem's own stand-in."""

    name: str
    email: str
    configured: bool = True


_SHA1_DIGITS = 40
_INSIDE = (".git", ".bare")  # usual names of a git folder within the folder of its project
STAND_IN = Identity("mdmem", "mdmem@localhost", configured=False)


def find_top(folder: str) -> str | None:
    """The nearest folder from `folder` up that holds a `.git`, None if there is none."""
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
        """`top` is the working tree's root; `prefix` is "" or the vault's path in it, ending with "/"."""
        super().__init__(top)
        self.prefix = prefix

    def strip(self, path: bytes) -> str:
        """A path printed by git, made relative to the vault."""
        return os.fsdecode(path).removeprefix(self.prefix)

    def full(self, path: str) -> bytes:
        """A path in the vault as git takes it, relative to the top."""
        return os.fsencode(self.prefix + path)

    def setting(self, key: str) -> list[str]:
        """The values of a git setting on all levels, as git would use it."""
        out = self.run("config", "-z", "--get-all", key, ok=(0, 1))
        return [value for value in out.decode("utf-8", "surrogateescape").split("\0") if value]

    @cached_property
    def empty_tree(self) -> str:
        """git's id for the empty tree, by the hash of this repository: 40 or 64 hexadecimal digits."""
        return self.run("hash-object", "-t", "tree", "--stdin").decode().strip()

    @property
    def is_sha1(self) -> bool:
        """Whether the ids in this repository are SHA-1, which is git's default."""
        return len(self.empty_tree) == _SHA1_DIGITS

    @cached_property
    def git_dir(self) -> str:
        """The absolute path of this working tree's git folder."""
        place = os.path.join(self.top, ".git")
        return os.path.join(self.top, _line(place).removeprefix("gitdir: ")) if os.path.isfile(place) else place

    def common_dir(self) -> str:
        """The absolute path of the git folder that all worktrees share."""
        pointer = os.path.join(self.git_dir, "commondir")
        shared = os.path.join(self.git_dir, _line(pointer)) if os.path.isfile(pointer) else self.git_dir
        return os.path.normpath(shared)

    def git_path(self, name: str) -> str:
        """The absolute path of a file in git's folder that belongs to this working tree only, like the index."""
        return os.path.normpath(os.path.join(self.git_dir, name))

    def project_at(self, folder: str) -> str:
        """The name of the project in which work in a folder is done: that of its repository, else of the folder.

        All worktrees of a repository are one project. It is "" for a folder that contains the vault, whose
        memories are then all of that project, for a home folder, and if no folder is given.
        """
        top = find_top(folder) if os.path.isabs(folder) else None
        if top:
            clone = GitFolder(top, "")
            shared = clone.common_dir()
            is_main = shared == os.path.normpath(clone.git_dir)  # else it is a linked worktree
            folder = os.path.dirname(shared) if os.path.basename(shared) in _INSIDE else top if is_main else shared
        folder = os.path.realpath(folder) if folder else ""
        own = os.path.join(self.top, self.prefix, "")
        is_own = own.startswith(f"{folder}/") or folder == os.path.realpath(os.path.expanduser("~"))
        return "" if is_own else os.path.basename(folder).removesuffix(".git")

    def next_index(self) -> str:
        """The path of the index for a commit that mdmem is making: while it exists, the commit is not done.

        Its name differs between vaults that share a repository.
        """
        return self.git_path(f"mdmem-{crc32(os.fsencode(self.prefix)):08x}.index")

    def off_branch(self) -> str:
        """Why HEAD is detached, "" if it is on a branch."""
        head = self.git_path("HEAD")
        if os.path.islink(head) or _line(head).startswith("ref:"):
            return ""
        for mark, reason in _OFF_BRANCH.items():
            if os.path.exists(self.git_path(mark)):
                return reason
        return "HEAD is detached"

    @cached_property
    def _settings(self) -> list[tuple[str, str, str]]:
        """(scope, key, value) of all git settings, read once; section and variable name are in lower case."""
        out = self.run("config", "-z", "--show-scope", "--list").decode("utf-8", "surrogateescape")
        words = out.split("\0")
        entries = ((scope, *entry.partition("\n")) for scope, entry in zip(words[::2], words[1::2], strict=False))
        return [(scope, key, value) for scope, key, _, value in entries if scope != "command"]

    def reread(self) -> None:
        """Discard the settings that were read: another program may have changed them."""
        self.__dict__.pop("_settings", None)

    def known(self, key: str, own: bool = False) -> str:
        """The last value of a setting, as read once, "" for none; with `own`, only of this clone's settings."""
        values = [value for scope, name, value in self._settings if name == key and (not own or scope in _OWN)]
        return values[-1] if values else ""

    def known_values(self, key: str) -> list[str]:
        """All non-empty values of a setting, as read once."""
        return [value for _, name, value in self._settings if name == key and value]

    def learn_from(self, other: GitFolder) -> None:
        """Reuse the settings that `other` has read, if it is of the same working tree."""
        if other.top == self.top and "_settings" in other.__dict__:
            self._settings = other._settings

    def known_under(self, section: str) -> list[tuple[str, str]]:
        """(key, value) of the settings in a section, as read once."""
        return [(key, value) for _, key, value in self._settings if key.startswith(section + ".")]

    @property
    def _persons(self) -> list[tuple[str, str]]:
        """(key, value) of the git settings that say who somebody is and what they may see."""
        return [(key, _plain(value)) for _, key, value in self._settings if _is_personal(key)]

    def people(self) -> frozenset[str]:
        """The e-mail addresses, in lower case, of people whose commits are trusted here.

        They are the values of `mdmem.people` and the address of git's user. A clone cannot bring any, since they
        are in this repository's own settings or in its user's.
        """
        set_here = [value for key, value in self._persons if key in (PEOPLE, "user.email")]
        user = os.environ.get("GIT_COMMITTER_EMAIL", "")
        known = [address for address in (*set_here, user) if address]
        return frozenset(address.lower() for address in known or [STAND_IN.email])

    def personal(self, key: str) -> str:
        """A setting in which a person says what may be seen, "" if it is not set. Clones do not copy it."""
        return dict(self._persons).get(key, "")

    def names_people(self) -> bool:
        """Whether anybody is explicitly trusted here, beyond git's current user."""
        return any(key == PEOPLE for key, _ in self._persons)

    def trust(self, address: str) -> None:
        """Trust commits by an e-mail address in this clone."""
        self.run("config", "--local", "--add", PEOPLE, address)
        self.reread()

    def identity(self) -> Identity:
        """Who commits, by git's environment and settings; a stand-in if the name or the address is missing."""
        name, email = os.environ.get("GIT_COMMITTER_NAME", ""), os.environ.get("GIT_COMMITTER_EMAIL", "")
        if not (name and email):
            user = dict(self._persons)  # the last value of a repeated setting counts
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
