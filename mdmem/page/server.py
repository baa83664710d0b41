"""A server for the pages on a port of this machine, by Starlette and uvicorn."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from mdmem import acts
from mdmem.acts import arguments
from mdmem.acts.telling import encode
from mdmem.errors import BusyError, ConflictError, MdmemError, NotFoundError, StoppedError, UsageError
from mdmem.note.terminal import safe_line
from mdmem.page import frame, openapi, wording
from mdmem.page.frame import PageFrame
from mdmem.page.guards import ADDRESS, Guards
from mdmem.page.links import ACTS, API, PLANNING, ServedLinks
from mdmem.page.planning import PlanKeeper
from mdmem.page.reading import review
from mdmem.page.request import PageRequest
from mdmem.page.site import PAGES, SitePage, Value
from mdmem.store import identity
from mdmem.store.git.folder import find_top
from mdmem.store.local import clock
from mdmem.store.local.sessions import Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.keeper import VaultKeeper
from mdmem.store.vault.vault import Vault

_ASSETS = os.path.join(os.path.dirname(__file__), "assets")
_STATUS = {NotFoundError: 404, UsageError: 400, ConflictError: 409, StoppedError: 409, BusyError: 503}
_LINGER = 2  # seconds that requests may take to end once the server is stopped
_LINKS = ServedLinks()
Answering = Callable[[Vault, SitePage, Request], Any]  # makes the answer of a page or its endpoint


class PageServer:
    """The pages of one vault as an application; requests reach the vault one at a time."""

    def __init__(self, keeper: VaultKeeper, may_write: bool, plans: PlanKeeper | None) -> None:
        self._keeper = keeper
        self._plans = plans or PlanKeeper()
        self._may_write = may_write
        self._turns = ThreadPoolExecutor(1, "mdmem-page")

    def application(self) -> Starlette:
        """The ASGI application. It must run behind `Guards`."""
        routes: list[BaseRoute] = [
            Route(f"{API}/openapi.json", self._document),
            Route(PLANNING, self._planning),
            Mount("/assets", StaticFiles(directory=_ASSETS)),
        ]
        for name in acts.READING:
            routes.append(Route(f"{ACTS}/{name}", partial(self._asked, name)))
        for name in acts.WRITING if self._may_write else ():
            routes.append(Route(f"{ACTS}/{name}", partial(self._told_to, name), methods=["POST"]))
        for page in PAGES:
            routes += [
                Route(page.path, partial(self._in_turn, self._shown, page)),
                Route(page.api_path, partial(self._in_turn, self._told, page)),
            ]
            if page.act and (self._may_write or page.acts_locally):
                routes.append(Route(page.path, self._form_handler(page), methods=["POST"]))
        handlers: Any = {MdmemError: self._on_error, OSError: self._on_error, 404: self._on_unknown_page}
        return Starlette(routes=routes, exception_handlers=handlers, lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        del app
        try:
            yield
        finally:
            self._turns.submit(self._keeper.close)
            self._turns.submit(self._plans.close)
            self._turns.shutdown(wait=True)

    async def _asked(self, name: str, request: Request) -> Response:
        """What an act that reads gives, as JSON; its arguments are those of the address."""
        sent = request.query_params
        lists = arguments.schema_of(getattr(acts, name))["properties"]
        is_list = {key: lists.get(key, {}).get("type") == "array" for key in sent}
        return await self._done(name, {key: sent.getlist(key) if is_list[key] else sent[key] for key in sent})

    async def _told_to(self, name: str, request: Request) -> Response:
        """What an act that writes gives, as JSON; its arguments are a JSON object."""
        try:
            given = json.loads(await request.body())
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            raise UsageError("the body is not a JSON object", f'send the arguments of {name}: {{"name": ...}}')
        return await self._done(name, given)

    async def _done(self, name: str, given: Mapping[str, Any]) -> Response:
        def act(vault: Vault) -> Any:
            who = Sessions(vault.root, vault.repo, vault.tell).joined(Caller(clock.now(), _actor()))
            work = {"vault": vault, "places": vault, "who": who}
            return encode(arguments.call(name, getattr(acts, name), given, work))

        work = partial(self._visiting, act)
        return JSONResponse(await asyncio.get_running_loop().run_in_executor(self._turns, work))

    def _form_handler(self, page: SitePage) -> Callable[[Request], Any]:
        """The handler of a page's form: it answers with a redirect to the next page."""

        async def done(request: Request) -> Response:
            sent = parse_qs((await request.body()).decode("utf-8", "replace"), keep_blank_values=True)
            given = {name: values[-1] for name, values in sent.items()}
            address = await self._in_turn(partial(self._acted, given=given), page, request)
            return Response(status_code=303, headers={"Location": address})

        return done

    def _acted(self, vault: Vault, page: SitePage, request: Request, given: Mapping[str, str]) -> str:
        """Make the change that a form asks for, as the person who runs this; return the next address."""
        assert page.act
        sessions = Sessions(vault.root, vault.repo, vault.tell)
        who = sessions.joined(Caller(clock.now(), _actor()))
        key = request.path_params.get("key", "")
        destination = page.act(vault, PageRequest(who.now, key, given, plans=self._plans), who)
        return _LINKS.to(destination.page, destination.key, **destination.given)

    async def _planning(self, request: Request) -> Response:
        """The progress of the gardeners. A page asks every few seconds, so this does not open the vault."""
        del request
        return JSONResponse({"planning": review.progress(self._plans.in_making())})

    async def _document(self, request: Request) -> Response:
        del request
        return JSONResponse(openapi.document(PAGES))

    async def _in_turn(self, answer: Answering, page: SitePage, request: Request) -> Any:
        work = partial(self._visiting, lambda vault: answer(vault, page, request))
        return await asyncio.get_running_loop().run_in_executor(self._turns, work)

    def _visiting(self, answer: Callable[[Vault], Any]) -> Any:
        """The answer of a function, called with the vault as the reader may see it."""
        with self._keeper.visit() as vault:
            self._keeper.clear(vault, identity.actor_of(os.environ))
            return answer(vault)

    def _value(self, vault: Vault, page: SitePage, request: Request) -> Value:
        key = request.path_params.get("key", "")
        given = dict(request.query_params)
        folder = find_top(os.getcwd()) or ""
        asked = PageRequest(clock.now(), key, given, actor=_actor(), plans=self._plans, folder=folder)
        return page.read(vault, asked)

    def _told(self, vault: Vault, page: SitePage, request: Request) -> Response:
        return JSONResponse(self._value(vault, page, request))

    def _shown(self, vault: Vault, page: SitePage, request: Request) -> Response:
        around = self._frame(os.path.basename(vault.root), request, page)
        html = frame.html(page.name, self._value(vault, page, request), around)
        return Response(html, media_type="text/html")

    def _frame(self, vault: str, request: Request, here: SitePage | None = None) -> PageFrame:
        language = wording.language_of(request.headers.get("accept-language", ""))
        return PageFrame(vault, _LINKS, PAGES, here, language, self._may_write)

    async def _on_unknown_page(self, request: Request, error: Exception) -> Response:
        del error
        return self._error_response(request, 404, "there is no such page", "")

    async def _on_error(self, request: Request, error: Exception) -> Response:
        if isinstance(error, MdmemError):
            status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 500)
            return self._error_response(request, status, error.message, error.hint)
        return self._error_response(request, 500, str(error), "fix the cause, then try again")

    def _error_response(self, request: Request, status: int, message: str, hint: str) -> Response:
        """An error as a page, or as JSON below `/api/`."""
        told = {"error": message, "hint": hint}
        if request.url.path.startswith(f"{API}/"):
            return JSONResponse(told, status)
        page = frame.html("trouble", told, self._frame("", request))
        return Response(page, status, media_type="text/html")


def _actor() -> str:
    """The agent that runs this process, "" for a person."""
    return safe_line(identity.actor_of(os.environ))


class Listening:
    """A server that holds its port from its creation on. `address` is the one to open in a browser."""

    def __init__(
        self, keeper: VaultKeeper, port: int = 0, may_write: bool = False, plans: PlanKeeper | None = None
    ) -> None:
        """Port 0 means any free port. Raises UsageError if the port cannot be used."""
        self._socket = _bound(port)
        self.port: int = self._socket.getsockname()[1]
        open_paths = [page.path for page in PAGES if page.acts_locally]
        guards = Guards(PageServer(keeper, may_write, plans).application(), self.port, may_write, open_paths)
        self.address = guards.address
        config = uvicorn.Config(
            guards,
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            lifespan="on",
            timeout_graceful_shutdown=_LINGER,
        )
        self._server = uvicorn.Server(config)

    def run(self) -> None:
        """Serve until it is interrupted or stopped."""
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self.close()

    def close(self) -> None:
        """Release the port."""
        self._socket.close()

    def stop(self) -> None:
        """Make `run` return."""
        self._server.should_exit = True


def _bound(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((ADDRESS, port))
        listener.listen()
    except OSError as error:
        listener.close()
        message = f"port {port} cannot be used: {error.strerror}"
        raise UsageError(message, "leave out --port to take a free one") from None
    return listener
