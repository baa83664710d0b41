"""A client to connect, for a user or in a project."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import NamedTuple

from mdmem.connect.filling import LAUNCHER, Names
from mdmem.connect.plan import ConnectionPlan, LlmClient
from mdmem.errors import ConflictError, UsageError
from mdmem.store import layout
from mdmem.store.local import place as vaults

_RECORD = "connection.json"


class Target(NamedTuple):
    """A client and where it is connected: `base` is the project, "" for the user. For the folders see its `plan`.

    `environment` is that of its programs.
    """

    client: LlmClient
    base: str
    folder: str
    ours: str
    environment: Mapping[str, str]

    @property
    def plan(self) -> ConnectionPlan:
        """The plan that connects the client."""
        plan = self.client.plan(self.folder, self.base, self.ours)
        return plan._replace(files={**plan.files, self.launcher: LAUNCHER})

    @property
    def launcher(self) -> str:
        """The path of the file that starts mdmem."""
        return f"{self.ours}/{LAUNCHER}"

    @property
    def record(self) -> str:
        """The path of the file that records what was written."""
        return os.path.join(self.ours, _RECORD)

    def names(self, program: str, vault: str) -> Names:
        """The values for the client's templates."""
        for_user = os.path.join(_clients_of_user(), self.client.name, LAUNCHER) if self.base else ""
        return Names(program, vault, self.client.name, self.ours, for_user)

    def stored(self, path: str) -> str:
        """A path as the record stores it: relative to the project, so that no record names files outside it."""
        return os.path.relpath(path, self.base).replace(os.sep, "/") if self.base else path

    def located(self, stored: str) -> str:
        """The path for a stored one. Raises ConflictError if it leads out of the project."""
        path = os.path.normpath(os.path.join(self.base, stored)) if self.base else stored
        if self.base and not _is_within(os.path.realpath(path), os.path.realpath(self.base)):
            raise ConflictError(f"{path} leads out of the project", "take away that symbolic link")
        return path


def target(client: LlmClient, project: str, environment: Mapping[str, str]) -> Target:
    """The client as this user has it, or in the project at a folder (absolute), if one is given.

    Raises UsageError for a client that has no settings in a project.
    """
    home = os.path.expanduser("~")
    if project and not client.project_folder:
        raise UsageError(f"{client.title} has no settings in a project", f"mdmem connect {client.name}")
    if project:
        folder, ours = os.path.join(project, client.project_folder), os.path.join(project, layout.STATE, "clients")
    else:
        folder = os.path.abspath(client.home(environment, home, sys.platform))
        ours = _clients_of_user()
    return Target(client, project, folder, os.path.join(ours, client.name), environment)


def _clients_of_user() -> str:
    """The folder of mdmem's files for the clients of this user."""
    return os.path.join(os.path.dirname(vaults.default_root()), "clients")


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
