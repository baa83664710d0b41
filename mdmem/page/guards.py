"""Who may use the server: only a browser that opened the address printed on the terminal, and only its own pages.

These are checked in order: the exact Host (against DNS rebinding); Origin and Sec-Fetch-Site (against other sites,
and against other servers on this machine, to whose pages the browser sends the cookie too); then the cookie, which
the browser gets in exchange for the one-time token in the printed address. CORS headers are never sent. Cookies
are not bound to a port, so this one has the port in its name.
"""

import hmac
import secrets
from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

OPEN = "/-/open"  # where the token is exchanged for the cookie
ADDRESS = "127.0.0.1"
MOST_BYTES = 1 << 20  # of a request's body
_READING = ("GET", "HEAD")
_SAME = ("", "same-origin", "none")  # Sec-Fetch-Site of requests by the page itself or by the person
_SECURITY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with "no-referrer", a page's own forms send the Origin "null"
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}


class Guards:
    """An ASGI application (https://asgi.readthedocs.io) in front of another one, on the port of its address.

    Requests to `open_paths` may send data even where nothing else may be changed.
    """

    def __init__(self, app: ASGIApp, port: int, may_write: bool, open_paths: Collection[str]) -> None:
        self._app = app
        self._port = port
        self._may_write = may_write
        self._open_paths = open_paths
        self._token = secrets.token_urlsafe(24)
        self._session = secrets.token_urlsafe(24)

    @property
    def address(self) -> str:
        """The address to open; it works once."""
        return f"http://{ADDRESS}:{self._port}{OPEN}?token={self._token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if refusal := self._refusal(scope, headers):
            answer: ASGIApp = PlainTextResponse(refusal[1], refusal[0])
        elif scope["path"] == OPEN and scope["method"] == "GET" and self._takes_token(scope):
            cookie = f"{self._cookie}={self._session}; HttpOnly; SameSite=Strict; Path=/"
            answer = PlainTextResponse("", 303, {"Location": "/", "Set-Cookie": cookie})
        elif not self._is_known(headers):
            answer = PlainTextResponse(
                "Open the address that the terminal shows. It works once; then start again.", 401
            )
        else:
            answer = self._app
        await answer(scope, receive, _secured(send))

    @property
    def _cookie(self) -> str:
        return f"mdmem_{self._port}"

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """(status, reason) for a request that is refused before its cookie is looked at; else None."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts():
            return 421, "This server does not answer for that host."
        if scope["method"] in _READING:
            return None if _is_own_reading(headers) else (403, "Another site may not read this.")
        if not _is_own(headers, hosts[0].lower()):
            return 403, "Another site may not change anything here."
        if not self._may_write and scope["path"] not in self._open_paths:
            return 405, "This page only reads; mdmem page --write can change things."
        return _refusal_of_size(headers)

    def _hosts(self) -> set[str]:
        names = (ADDRESS, "localhost")
        bare = names if self._port == 80 else ()  # browsers omit the default port
        return {*(f"{name}:{self._port}" for name in names), *bare}

    def _takes_token(self, scope: Scope) -> bool:
        """Use up the one-time token if a request has it; return whether it did."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        is_right = bool(self._token) and hmac.compare_digest(given.encode(), self._token.encode())
        if is_right:
            self._token = ""
        return is_right

    def _is_known(self, headers: Headers) -> bool:
        try:
            sent = SimpleCookie("; ".join(headers.getlist("cookie"))).get(self._cookie)
        except CookieError:
            return False
        return sent is not None and hmac.compare_digest(sent.value.encode(), self._session.encode())


def _is_own(headers: Headers, host: str) -> bool:
    """Whether a change is requested by a page of this server, or by a program that sends no Origin."""
    is_same = all(site in _SAME for site in headers.getlist("sec-fetch-site"))
    return is_same and all(origin == f"http://{host}" for origin in headers.getlist("origin"))


def _is_own_reading(headers: Headers) -> bool:
    """Whether a read comes from a page of this server, or a person opened the address, even by an outside link."""
    is_opened = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return is_opened or headers.get("sec-fetch-site", "") in _SAME


def _refusal_of_size(headers: Headers) -> tuple[int, str] | None:
    length = headers.get("content-length", "")
    if not (length.isascii() and length.isdigit()):
        return 411, "Content-Length is required."
    return (413, "The request is too large.") if int(length[:12]) > MOST_BYTES else None


def _secured(send: Send) -> Send:
    """Wrap `send` so that every response carries the security headers."""

    async def secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(_SECURITY)
        await send(message)

    return secured
