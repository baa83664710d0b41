"""Old versions of files through GitPython, which walks trees without a process for each.

Loading it takes longer than ten git commands, so it is only used by commands that read single old files: show at a
revision, blame, restore. Everything else asks git itself.
"""

from __future__ import annotations

import os

import git

from mdmem.store.git.command import ENVIRONMENT, is_kept

_FILE_TYPE, _REGULAR_FILE = 0o170000, 0o100000


class ObjectLibrary:
    """The objects of the repository whose working tree is at `top`."""

    def __init__(self, top: str) -> None:
        self._repo = _opened(top)

    def blob(self, rev: str, path: str) -> str:
        """The blob of a file in a commit, by its path from the top; "" if there is no regular file there."""
        with ENVIRONMENT:  # one thread at a time reads from GitPython's process
            try:
                item = self._repo.commit(rev).tree / path
            except KeyError:
                return ""
            return item.hexsha if item.mode & _FILE_TYPE == _REGULAR_FILE else ""

    def close(self) -> None:
        """End GitPython's processes."""
        self._repo.close()


def _opened(top: str) -> git.Repo:
    """GitPython's view of a repository, never of the one that a hook's GIT_* variables point to.

    GitPython reads the environment of this process when it opens a repository, so these variables are hidden while
    it does; its processes get the right values explicitly.
    """
    with ENVIRONMENT:
        hidden = {key: os.environ.pop(key) for key in list(os.environ) if key.startswith("GIT_")}
        os.environ.update({key: value for key, value in hidden.items() if is_kept(key)})
        try:
            repo = git.Repo(top)
        finally:
            os.environ.update(hidden)
    repo.git.update_environment(
        GIT_DIR=str(repo.git_dir),
        GIT_COMMON_DIR=str(repo.common_dir),
        GIT_WORK_TREE=top,
        GIT_OBJECT_DIRECTORY=os.path.join(repo.common_dir, "objects"),
        GIT_ALTERNATE_OBJECT_DIRECTORIES="",
    )
    return repo
