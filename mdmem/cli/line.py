"""The vault that a command line works in, and who runs it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from mdmem.cli.output import now, tell, warn
from mdmem.errors import UsageError
from mdmem.note.terminal import safe_line
from mdmem.store import identity
from mdmem.store.operation import Caller

if TYPE_CHECKING:
    from mdmem.acts.places import Places
    from mdmem.store.vault.several import OpenVaults
    from mdmem.store.vault.vault import Vault
    from mdmem.team.published import TeamReader


class CommandLine(NamedTuple):
    """The options of a command line that do not belong to the command itself.

    `vault` is a folder or a listed name, None if none was given; `actor` is the agent named by `--actor`; `limit`
    and `scopes` are the values of `--max-sensitivity` and `--scope`. `allow_secret` and `parent_session` are for
    commands that write.
    """

    vault: str | None = None
    actor: str = ""
    limit: str = ""
    scopes: tuple[str, ...] = ()
    allow_secret: bool = False
    parent_session: str = ""

    @contextmanager
    def opened(self, look_ahead: bool = False) -> Iterator[Vault]:
        """The vault that a command works in, closed at the end. Raises NotFoundError if there is none.

        With `look_ahead`, git compares the files with HEAD while the rest of the command is still being loaded.
        """
        from mdmem.store.git.repo import Repo
        from mdmem.store.local import place

        root = os.path.realpath(place.locate(self.vault))
        with closing(Repo.around(root)) as repo:
            if look_ahead:
                repo.look_ahead()
            from mdmem.store.vault.vault import Vault

            with Vault(root, warn, repo) as vault, vault.following():
                self._clear(vault)
                yield vault

    @contextmanager
    def asked(self, look_ahead: bool = False, of_team: bool = False) -> Iterator[Places]:
        """The vault to search, or all listed vaults if there are several and none was named, or a team's index.

        Raises NotFoundError if there is none.
        """
        if of_team:
            from mdmem.acts.places import TeamIndex
            from mdmem.team import published

            with published.opened() as server:
                yield TeamIndex(server, self.reader())
            return
        from mdmem.store.local import place

        places = None if self.vault or not place.may_be_several() else place.several()
        if places is None or places.is_one:
            with self.opened(look_ahead) as alone:
                yield alone
            return
        from mdmem.store.vault import several

        with several.opened(places, self._clear, tell) as vaults:
            yield vaults

    @contextmanager
    def beside(self, vault: Vault) -> Iterator[OpenVaults | None]:
        """The vault together with the others to search; None if it is the only one or was named."""
        from mdmem.store.local import place

        if self.vault or not place.may_be_several():
            yield None
            return
        from mdmem.store.vault import several

        with several.beside(vault, partial(several.enter, clear=self._clear, tell=tell), tell) as vaults:
            yield vaults

    def reader(self) -> TeamReader:
        """The reader of a team's index, with the clearance that git's settings here and the options allow.

        Raises UsageError if a vault is named as well.
        """
        if self.vault:
            raise UsageError("--vault and --in team exclude each other", "leave one of them out")
        from mdmem.note.trust import sensitivity
        from mdmem.store.git.folder import GitFolder
        from mdmem.team.published import TeamReader

        is_agent = bool(self.actor or identity.actor_of(os.environ))
        here = GitFolder(os.getcwd(), "")
        own, people = here.personal(sensitivity.SETTING), here.people()
        own = sensitivity.limit_of(own, f"git's {sensitivity.SETTING}") if own else ""
        limit = sensitivity.granted(is_agent, "", own, self.limit)
        return TeamReader(sensitivity.Clearance(limit, self.scopes), people, tell)

    def _clear(self, vault: Vault) -> None:
        vault.clear_for(self.actor or identity.actor_of(os.environ), self.limit, self.scopes)

    def caller(self, actor: str = "", session: str = "") -> Caller:
        """Who runs the command, now: as given, else by the environment. Names become one line, as in commits."""
        actor = actor or identity.actor_of(os.environ)
        session = session or identity.session_of(os.environ)
        parent_session, parent_actor = map(safe_line, identity.parent_of(os.environ))
        parent_session = self.parent_session or parent_session
        who = Caller(now(), safe_line(actor), safe_line(session), self.allow_secret, parent_session, parent_actor)
        with suppress(FileNotFoundError):  # somebody deleted it
            who = who._replace(folder=os.getcwd())
        return who

    def project(self, vault: Vault) -> str:
        """The project that the command is run in: the repository around the current folder, not a vault's."""
        from mdmem.store.git.folder import find_top

        return safe_line(vault.repo.project_at(find_top(os.getcwd()) or ""))

    def writer(self, vault: Vault, actor: str = "", session: str = "") -> Caller:
        """Who writes to a vault: `caller`, joined to the actor's open session there if no session is given."""
        from mdmem.store.local import state

        caller = self.caller(actor, session)
        if not os.path.isdir(os.path.join(vault.state, state.SESSIONS)):  # no session was ever started
            return caller
        from mdmem.store.local.sessions import Sessions

        return Sessions(vault.root, vault.repo, vault.tell).joined(caller)
