"""A server for the pages on a port of this machine, by Starlette and uvicorn."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib.util import cache_from_source
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from mdmem import acts
from mdmem.acts import arguments, serving
from mdmem.acts.pages import chronicle, review, today
from mdmem.acts.pages.planning import PlanKeeper
from mdmem.acts.pages.request import Destination, PageRequest
from mdmem.acts.telling import encode
from mdmem.errors import BusyError, ConflictError, MdmemError, NoteError, NotFoundError, StoppedError, UsageError
from mdmem.note.memory import name_words
from mdmem.page import filters, forms, frame, openapi
from mdmem.page.frame import PageFrame
from mdmem.page.guards import ADDRESS, Guards
from mdmem.page.links import ACTS, API, DO, PLANNING, ServedLinks
from mdmem.page.site import BY_NAME, PAGES, SitePage, Value

if TYPE_CHECKING:
    from mdmem.store.vault.keeper import VaultKeeper
    from mdmem.store.vault.vault import Vault

_ASSETS = os.path.join(os.path.dirname(__file__), "assets")
_STATUS = {
    NotFoundError: 404,
    UsageError: 400,
    NoteError: 400,
    ConflictError: 409,
    StoppedError: 409,
    BusyError: 503,
}
_MOST_FIELDS = 1000  # of a form: each may be a byte long, and takes a hundred in memory
_LINGER = 2  # seconds that requests may take to end once the server is stopped
_LINKS = ServedLinks()


def _keep_compiled() -> None:
    """Keep compiled templates where Python keeps modules, if it may: to compile them takes longer than a page."""
    folder = os.path.dirname(cache_from_source(os.path.join(os.path.dirname(__file__), "templates", "base.html")))
    mark = "-".join(f"{os.stat(place).st_mtime_ns:x}" for place in frame.COMPILED_BY)
    with suppress(OSError):
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            if name.endswith(frame.COMPILED) and mark not in name:
                os.remove(os.path.join(folder, name))
        if os.access(folder, os.W_OK):
            frame.keep_compiled(folder, mark)


class PageServer:
    """The pages of one vault as an application; requests reach the vault one at a time."""

    def __init__(self, keeper: VaultKeeper, may_write: bool, plans: PlanKeeper | None) -> None:
        self._keeper = keeper
        self._plans = plans or PlanKeeper()
        self._may_write = may_write
        self._turns = ThreadPoolExecutor(1, "mdmem-page")
        self._once = forms.Once()
        if not sys.dont_write_bytecode:
            _keep_compiled()

    def application(self) -> Starlette:
        """The ASGI application. It must run behind `Guards`."""
        routes: list[BaseRoute] = [
            Route(f"{API}/openapi.json", lambda _: JSONResponse(openapi.document(PAGES))),
            # A page asks for the progress of the gardeners every few seconds, so this does not open the vault.
            Route(PLANNING, lambda _: JSONResponse({"planning": review.progress(self._plans.in_making())})),
            Mount("/assets", StaticFiles(directory=_ASSETS)),
        ]
        for name in acts.READING:
            routes.append(Route(f"{ACTS}/{name}", partial(self._asked, name)))
        for name in acts.WRITING if self._may_write else ():
            routes.append(Route(f"{ACTS}/{name}", partial(self._told_to, name), methods=["POST"]))
            routes.append(Route(f"{DO}/{name}", partial(self._done_by_form, name), methods=["POST"]))
        for page in PAGES:
            routes += [
                Route(page.path, partial(self._shown, page, False)),
                Route(page.api_path, partial(self._shown, page, True)),
            ]
            if page.act and (self._may_write or page.acts_locally):
                routes.append(Route(page.path, partial(self._filled_in, page), methods=["POST"]))
        handlers: Any = {
            MdmemError: self._on_error,
            OSError: self._on_error,
            404: lambda request, _: self._error_response(request, 404, "there is no such page", ""),
            405: self._on_other_method,
        }
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
        return await self._done(name, forms.given(name, {key: sent.getlist(key) for key in sent}))

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
        return await self._in_turn(lambda vault: JSONResponse(encode(_act(vault, name, given))))

    async def _done_by_form(self, name: str, request: Request) -> Response:
        """Do what a form of any page asks for by the name of an act."""
        sent = await _sent(request)
        given = forms.given(name, {field: values for field, values in sent.items() if field not in forms.OWN})

        def done(vault: Vault) -> str:
            return _address(forms.after(name, _act(vault, name, given), sent))

        path = request.url.path
        return await self._in_turn(
            lambda vault: RedirectResponse(self._once.answer(path, sent, partial(done, vault)), 303)
        )

    async def _filled_in(self, page: SitePage, request: Request) -> Response:
        """Do what a form of a page asks for; the answer is a redirect to the next page.

        A page that is written in is shown again with what was typed, if it was not to be saved or cannot be.
        """
        sent = await _sent(request)
        asked = self._request(request, {name: values[-1] for name, values in sent.items()})

        def done(vault: Vault) -> str:
            assert page.act
            return _address(page.act(vault, asked, serving.person(vault)))

        def answer(vault: Vault) -> Response:
            trouble, status = "", 200
            try:
                if address := self._once.answer(request.url.path, sent, partial(done, vault)):
                    return RedirectResponse(address, 303)
            except (UsageError, ConflictError, NoteError, StoppedError) as error:
                if not page.keeps:
                    raise
                trouble, status = forms.trouble(error), _status(error)
            again = asked._replace(given={**asked.given, "trouble": trouble})
            return self._html(vault, request, page, page.read(vault, again), status)

        return await self._in_turn(answer)

    async def _shown(self, page: SitePage, as_json: bool, request: Request) -> Response:
        """A page, or its value."""
        asked = self._request(request, dict(request.query_params))

        def answer(vault: Vault) -> Response:
            value = page.read(vault, asked)
            return JSONResponse(value) if as_json else self._html(vault, request, page, value)

        return await self._in_turn(answer)

    def _request(self, request: Request, given: Mapping[str, str]) -> PageRequest:
        return serving.asked(request.path_params.get("key", ""), given, self._plans)

    def _html(self, vault: Vault, request: Request, page: SitePage, value: Value, status: int = 200) -> Response:
        html = frame.html(page.name, value, self._frame(vault, request, page))
        return Response(html, status, media_type="text/html")

    async def _in_turn(self, answer: Callable[[Vault], Response]) -> Response:
        """The answer of a function, called with the vault as the reader may see it."""

        def visiting() -> Response:
            with serving.shown(self._keeper) as vault:
                return answer(vault)

        return await asyncio.get_running_loop().run_in_executor(self._turns, visiting)

    def _frame(self, vault: Vault | None, request: Request, here: SitePage | None = None) -> PageFrame:
        language = filters.language_of(request.headers.get("accept-language", ""))
        name = os.path.basename(vault.root) if vault else ""
        around = PageFrame(name, _LINKS, PAGES, here, language, self._may_write)
        if vault is None:
            return around
        key = request.path_params.get("key", "")
        done = chronicle.done(vault, request.query_params.get("done", ""))
        return around._replace(key=key, done=done, lacking=today.lacking(vault), waiting=today.waiting(vault))

    async def _on_error(self, request: Request, error: Exception) -> Response:
        if isinstance(error, MdmemError):
            return self._error_response(request, _status(error), error.message, error.hint)
        return self._error_response(request, 500, str(error), "fix the cause, then try again")

    def _on_other_method(self, request: Request, error: HTTPException) -> Response:
        """The answer to a method that an address does not have, with those that it has."""
        allowed = (error.headers or {}).get("Allow", "")
        response = self._error_response(request, 405, f"{request.method} does nothing here", f"send {allowed}")
        response.headers["Allow"] = allowed
        return response

    def _error_response(self, request: Request, status: int, message: str, hint: str) -> Response:
        """An error as a page, or as JSON below `/api/`."""
        told = {"error": message, "hint": hint}
        if request.url.path.startswith(f"{API}/"):
            return JSONResponse(told, status)
        name = request.path_params.get("key", request.url.path).rpartition("/")[2]
        shown = {
            "error": message,
            "hint": forms.shown(hint),
            "status": status,
            "asked": name_words(name.removesuffix(".md")),
            "back": _back(request),
        }
        page = frame.html("trouble", shown, self._frame(None, request))
        return Response(page, status, media_type="text/html")


def _status(error: MdmemError) -> int:
    return next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 500)


def _back(request: Request) -> str:
    """The page from which something was asked for, "" if that is none of this server."""
    before = urlsplit(request.headers.get("referer", ""))
    return before.path if before.netloc == request.headers["host"] and before.path[1:2] != "/" else ""


async def _sent(request: Request) -> forms.Sent:
    """The fields of a form. Raises UsageError for more of them than any form has."""
    text = (await request.body()).decode("utf-8", "replace")
    try:
        return parse_qs(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise UsageError("that is too much for a form", f"send at most {_MOST_FIELDS} fields") from None


def _address(to: Destination | None) -> str:
    """The address of the next page, "" for none. Raises UsageError for a page that there is not."""
    if to is None:
        return ""
    if to.page not in BY_NAME:
        raise UsageError(f"there is no page '{to.page[:20]}'", f"there are {', '.join(BY_NAME)}")
    return _LINKS.to(to.page, to.key, **to.given)


def _act(vault: Vault, name: str, given: Mapping[str, Any]) -> Any:
    """What an act gives."""
    work = {"vault": vault, "places": vault, "who": serving.person(vault)}
    return arguments.call(name, getattr(acts, name), given, work)


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
