"""What an act may ask of the face that calls it: vaults, who calls, and the person, if one is there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.acts.style import Style, plain
from mdmem.errors import NotFoundError, StoppedError, UsageError
from mdmem.note.terminal import safe_line
from mdmem.store import identity
from mdmem.store.local import clock, place
from mdmem.store.operation import Caller
from mdmem.store.progress import Watch

if TYPE_CHECKING:
    from mdmem.acts.places import Places
    from mdmem.store.vault.several import OpenVaults
    from mdmem.store.vault.vault import Vault
    from mdmem.team.published import TeamReader

__all__ = ["NOBODY", "Face", "GivenUpError", "Watch"]

EDITOR = "MDMEM_EDITOR"  # an editor that needs no terminal: one with its own window, or a script


class GivenUpError(StoppedError):
    """The person did not go on."""

    exit_code = 130


class Face(NamedTuple):
    """What was said to a face beside the parameters of the act; behind this one nobody is there.

    `vault` is a folder or a listed name, None if none was given; `actor` and `session` are those that were named,
    `limit` and `scopes` the most that is asked for; `given` is the text on standard input; `as_json` says that
    the result is for a program. `reason`, `allow_secret` and `parent_session` are for acts that write.
    """

    vault: str | None = None
    actor: str = ""
    session: str = ""
    limit: str = ""
    scopes: tuple[str, ...] = ()
    reason: str = ""
    allow_secret: bool = False
    parent_session: str = ""
    given: str = ""
    as_json: bool = False

    # -- the person; a face that has one says more

    @property
    def is_there(self) -> bool:
        """Whether a person can be asked."""
        return False

    @property
    def style(self) -> Style:
        """How a dialog highlights."""
        return plain

    def say(self, line: str, look: str = "") -> None:
        """Show a line of a dialog, with a look (see `style`)."""

    def tell(self, line: str) -> None:
        """Tell the person something beside the result."""

    def warn(self, line: str) -> None:
        """Tell what a vault tells."""
        self.tell(line)

    def show(self, result: Any, is_news: bool = True) -> None:
        """Show a result before the act ends; to a person only news."""

    def ask(self, question: str) -> str:
        """What the person types. Raises GivenUpError."""
        raise UsageError(f"there is nobody to ask: {question}", "run it at a terminal")

    def secret(self, question: str) -> str:
        """A text that is not shown while the person types it, else that of standard input."""
        del question
        return self.text()

    def agrees(self, question: str) -> bool:
        """Whether the person says yes."""
        del question
        return False

    def edit(self, path: str) -> None:
        """Let the person edit a file."""
        raise UsageError(f"there is no terminal for an editor: {path}", "give the text itself")

    def require_editor(self, otherwise: str) -> None:
        """Raise UsageError if an editor would wait for keys nobody can press; `otherwise` says what to do."""
        if not self.is_there and not os.environ.get(EDITOR):
            hint = f"{otherwise}; or set {EDITOR} to one that needs none"
            raise UsageError("there is no terminal for an editor", hint)

    @contextmanager
    def edited(self, vault: Vault, name: str, before: bytes) -> Iterator[bytes]:
        """The bytes that the person makes of `before` in their editor. Raises GivenUpError if they do not save.

        The file they edit stays in the vault's local folder until the block ends: if anything fails, even by a
        crash, their text is still there, and its path is told.
        """

        path = _unused_file(os.path.join(vault.prepare_state(), "unsaved"), name)
        with open(path, "xb") as file:
            file.write(before)
        os.utime(path, (0, 0))  # so that any save changes the time, even within the same second
        with ExitStack() as on_failure:
            on_failure.callback(self._say_where, path)
            self.edit(path)
            if not os.path.exists(path) or os.stat(path).st_mtime == 0:
                raise GivenUpError("Stopped; nothing was changed.")
            with open(path, "rb") as file:
                yield file.read()
            on_failure.pop_all()
        os.unlink(path)

    def _say_where(self, path: str) -> None:
        """Tell the path of what the person typed; delete the file if they did not save it."""
        if os.path.exists(path) and os.stat(path).st_mtime == 0:
            os.unlink(path)
        elif os.path.exists(path):
            self.tell(f"your text is in {path}")

    def opens(self, link: str) -> bool:
        """Whether a program could be started for a link."""
        del link
        return False

    def data(self) -> bytes:
        """The bytes of standard input."""
        return self.given.encode()

    def text(self) -> str:
        """The text of standard input. Raises UsageError if it is not UTF-8."""
        return self.given

    def read(self, file: str) -> str:
        """The text of a file, or of standard input for "-". Raises NotFoundError, NoteError."""
        from mdmem.note.memory import decode_any

        if file == "-":
            return self.text()
        try:
            with open(file, "rb") as source:
                return decode_any(source.read(), file)
        except OSError as error:
            raise NotFoundError(f"{file} cannot be read: {error.strerror}") from None

    # -- vaults

    @contextmanager
    def opened(self, look_ahead: bool = False) -> Iterator[Vault]:
        """The vault that is meant, closed at the end. Raises NotFoundError if there is none.

        With `look_ahead`, git compares the files with HEAD while the rest of the act is still being loaded.
        """
        from mdmem.store.git.repo import Repo

        root = os.path.realpath(place.locate(self.vault))
        with closing(Repo.around(root)) as repo:
            if look_ahead:
                repo.look_ahead()
            from mdmem.store.vault.vault import Vault

            with Vault(root, self.warn, repo) as vault, vault.following():
                self._clear(vault)
                yield vault

    @contextmanager
    def asked(self, of_team: bool = False) -> Iterator[Places]:
        """The vault to search, or all listed vaults if there are several and none was named, or a team's index.

        Raises NotFoundError if there is none.
        """
        if of_team:
            from mdmem.acts.places import TeamIndex
            from mdmem.team import published

            with published.opened() as server:
                yield TeamIndex(server, self.reader())
            return
        places = None if self.vault or not place.may_be_several() else place.several()
        if places is None or places.is_one:
            with self.opened(look_ahead=True) as alone:
                yield alone
            return
        from mdmem.store.vault import several

        with several.opened(places, self._clear, self.tell) as vaults:
            yield vaults

    @contextmanager
    def beside(self, vault: Vault) -> Iterator[OpenVaults | None]:
        """The vault together with the others to search; None if it is the only one or was named."""
        if self.vault or not place.may_be_several():
            yield None
            return
        from mdmem.store.vault import several

        enter = partial(several.enter, clear=self._clear, tell=self.tell)
        with several.beside(vault, enter, self.tell) as vaults:
            yield vaults

    def keeper(self) -> Any:
        """What holds the vault open for a server."""
        from mdmem.store.vault.keeper import VaultKeeper

        return VaultKeeper(self.vault, self.limit, self.scopes)

    def outward(self, vault: Vault, kind: str) -> Vault:
        """The vault with what may leave it in files of a `kind`; tells how much is left out."""
        from mdmem.note.plural import counted

        if self.limit:
            return vault
        seen = vault.for_derived(kind)
        if left_out := vault.index.count() - seen.index.count():
            limit = seen.clearance.limit
            self.tell(f"left out {counted(left_out, 'memory')} above '{limit}'; see --max-sensitivity")
        return seen

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
        return TeamReader(sensitivity.Clearance(limit, self.scopes), people, self.tell)

    def _clear(self, vault: Vault) -> None:
        vault.clear_for(self.actor or identity.actor_of(os.environ), self.limit, self.scopes)

    # -- who calls

    def caller(self, actor: str = "", session: str = "") -> Caller:
        """Who calls, now: as given, else by the environment. Names become one line, as in commits."""
        actor = actor or self.actor or identity.actor_of(os.environ)
        session = session or self.session or identity.session_of(os.environ)
        parent_session, parent_actor = map(safe_line, identity.parent_of(os.environ))
        parent_session = self.parent_session or parent_session
        who = Caller(
            clock.now(), safe_line(actor), safe_line(session), self.allow_secret, parent_session, parent_actor
        )
        with suppress(FileNotFoundError):  # somebody deleted it
            who = who._replace(folder=os.getcwd())
        return who

    def project(self, vault: Vault) -> str:
        """The project that is worked in: the repository around the current folder, not a vault's."""
        from mdmem.store.git.folder import find_top

        return safe_line(vault.repo.project_at(find_top(os.getcwd()) or ""))

    def writer(self, vault: Vault, actor: str = "", session: str = "") -> Caller:
        """Who writes to a vault, in which project: `caller`, joined to the actor's open session there if no
        session is given.
        """
        from mdmem.store.local import state

        caller = self.caller(actor, session)._replace(project=self.project(vault))
        if not os.path.isdir(os.path.join(vault.state, state.SESSIONS)):  # no session was ever started
            return caller
        from mdmem.store.local.sessions import Sessions

        return Sessions(vault).joined(caller)


NOBODY = Face()


def _unused_file(folder: str, name: str) -> str:
    os.makedirs(folder, exist_ok=True)
    names = (f"{name}.md" if number == 1 else f"{name}-{number}.md" for number in count(1))
    return next(path for path in (os.path.join(folder, name) for name in names) if not os.path.lexists(path))
