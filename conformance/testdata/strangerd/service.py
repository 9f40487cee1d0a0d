"""The daemon on its listening socket: requests in, each through the gate, answers out."""

import asyncio
import base64
import hmac
import json
import re
import time
from contextlib import ExitStack
from typing import NamedTuple
from urllib.parse import parse_qsl

import gatehouse
import http1
import sockets
import wire
from browsers import Browsers, Link
from commands import Commands
from home import Home, warn, warn_of
from http1 import Connection, Gone, Request
from pairing import Pairing
from sockets import Closed
from wire import WireError

DRAIN_SECONDS = 2


class Reply(NamedTuple):
    """An answer to be written."""

    status: int
    body: bytes = b""
    headers: tuple = ()


class Service:
    """Serves every connection of one daemon. deviates says whether it breaks the three rules of the README."""

    def __init__(self, home: Home, deviates: bool, verbose: bool):
        self._home, self._verbose = home, verbose
        self._pairing = Pairing(redemptions=2 if deviates else 1)
        self._browsers = Browsers(home, ("firefox", "chrome") if deviates else ("chrome", "firefox"))
        self._commands = Commands(home, self._browsers, 25_000 if deviates else wire.TIMEOUT_MS)
        self._connections: dict[Connection, asyncio.Task] = {}
        self._in_use = self._pairs_in_use = 0
        self._began = time.monotonic()
        self._is_stopping = False
        self._server: asyncio.Server | None = None
        self.address = ""

    async def start(self, listening) -> None:
        """Begins to accept on a socket that listens already."""
        self.address = "%s:%d" % listening.getsockname()
        self._server = await asyncio.get_running_loop().create_server(
            lambda: Connection(self._serve), sock=listening, backlog=wire.CONNECTIONS)

    async def stop(self) -> None:
        """Refuses what is new, ends the links with 1001 and lets what waits be answered; within 5 seconds."""
        self._is_stopping = True
        for link in self._browsers.links.values():
            if link is not None:
                link.end(Closed(sockets.GOING_AWAY, "the daemon is stopping"))
        for connection in self._connections:
            if connection.is_idle:
                connection.close()
        ends = time.monotonic() + DRAIN_SECONDS
        while self._connections and time.monotonic() < ends:
            await asyncio.sleep(0.02)
        self._server.close()
        tasks = list(self._connections.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=1)
        self._commands.stop()

    async def _serve(self, connection: Connection) -> None:
        if len(self._connections) >= wire.CONNECTIONS:
            connection.writer.transport.abort()
            return
        self._connections[connection] = asyncio.current_task()
        try:
            while await self._exchange(connection):
                pass
        except Gone:
            pass
        finally:
            del self._connections[connection]
            connection.close()

    async def _exchange(self, connection: Connection) -> bool:
        """One request and its answer; says whether another may follow on the connection."""
        request, link = None, None
        with ExitStack() as kept:
            try:
                connection.is_idle = True
                request = await connection.read_head()
                visitor = gatehouse.admit(request, self._home.token)
                self._take_slot(kept)
                if (request.method, request.path) == ("GET", "/extension"):
                    accept = sockets.accept_key(request)
                    link = self._enter(connection, request, visitor)
                    reply = Reply(101, headers=(
                        ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", accept),
                        ("Sec-WebSocket-Protocol", gatehouse.SUBPROTOCOL)))
                else:
                    reply = await self._handle(connection, request, visitor, kept)
            except WireError as fault:
                reply = self._refusal(fault)
            except Gone:
                raise
            except Exception as fault:  # a fault of ours costs this request, not the daemon
                warn_of(fault)
                reply = self._refusal(WireError("internal", "the daemon failed; its log says where", "unknown"))
            if request is not None:
                if request.method == "HEAD":
                    reply = reply._replace(body=b"")
                reply = reply._replace(headers=reply.headers + gatehouse.cors(request))
                self._log(request, reply.status)
            goes_on = request is not None and request.keeps_alive and request.was_read and not self._is_stopping
            try:
                await connection.answer(*reply, close=not goes_on and link is None)
            except BaseException:
                if link is not None:
                    link.end(Closed(None))
                raise
        if link is not None:
            await link.run()
            return False
        if not goes_on and (request is None or not request.was_read):
            await connection.linger()
        return goes_on

    def _take_slot(self, kept: ExitStack) -> None:
        if self._is_stopping:
            raise WireError("not_connected", "the daemon is stopping")
        if self._in_use >= wire.REQUESTS:
            raise WireError("busy", f"{wire.REQUESTS} requests are being served; try again", headers=(("Retry-After", "1"),))
        self._in_use += 1
        kept.callback(self._free_slot)

    def _free_slot(self) -> None:
        self._in_use -= 1

    def _refusal(self, fault: WireError) -> Reply:
        body = self._home.without_token(wire.failure(fault.id, fault))
        return Reply(wire.STATUS[fault.code], body, fault.headers)

    def _enter(self, connection: Connection, request: Request, visitor: gatehouse.Visitor) -> Link:
        if gatehouse.SUBPROTOCOL not in request.tokens("sec-websocket-protocol"):
            raise WireError("bad_request", f"the WebSocket must offer the subprotocol {gatehouse.SUBPROTOCOL}")
        link = Link(visitor.browser, visitor.origin, connection, self._browsers, self._on_request)
        self._browsers.enter(link)
        return link

    async def _handle(self, connection: Connection, request: Request, visitor: gatehouse.Visitor, kept: ExitStack) -> Reply:
        if request.path == "/pair" and not visitor.is_preflight:
            return await self._pair(connection, request, visitor, kept)
        body = await connection.read_body(request, wire.BODY_BYTES, wire.BODY_SECONDS)
        if visitor.is_preflight:
            return Reply(204, headers=gatehouse.preflight_headers(request))
        match request.path:
            case "/ping":
                return self._ping(request)
            case "/extension":
                self._browsers.check_free(visitor.browser)
                return Reply(204)
            case "/command":
                return await self._command(connection, body, kept)
            case "/json/version" | "/json/version/":
                return _json(self._version())
            case "/admin/pair":
                _check_empty(body)
                return _json({"code": self._pairing.open(), "expires_ms": wire.CODE_SECONDS * 1000})
            case "/admin/token":
                _check_empty(body)
                return self._rotate()
            case "/admin/status":
                return _json(self._status())
        if self._browsers.connected("chrome") is None:
            raise WireError("not_connected", "this needs Chrome, which is not connected")
        raise WireError("not_found", "this daemon has no CDP front end")

    def _ping(self, request: Request) -> Reply:
        answer = {"name": "omw", "version": wire.VERSION, "protocol": gatehouse.SUBPROTOCOL}
        nonces = [value for key, value in parse_qsl(request.query, keep_blank_values=True) if key == "nonce"]
        if nonces:
            if len(nonces) > 1 or not re.fullmatch(r"[A-Za-z0-9_-]{22,64}", nonces[0]):
                raise WireError("bad_request", "nonce: must be 22 to 64 base64url characters")
            proof = hmac.digest(self._home.token.encode(), b"omw-ping:" + nonces[0].encode(), "sha256")
            answer["proof"] = base64.urlsafe_b64encode(proof).rstrip(b"=").decode()
        return _json(answer)

    async def _pair(self, connection: Connection, request: Request, visitor: gatehouse.Visitor, kept: ExitStack) -> Reply:
        if self._pairs_in_use >= wire.PAIR_AT_ONCE:
            raise WireError("busy", "too many pairing requests at once", headers=(("Retry-After", "1"),))
        self._pairs_in_use += 1
        kept.callback(self._free_pair)
        body = await connection.read_body(request, wire.PAIR_BODY_BYTES, wire.PAIR_BODY_SECONDS)
        members = wire.read_strict(body)
        wire.only(members, ("code",))
        code = members["code"].value if "code" in members else None
        if not isinstance(code, str) or not re.fullmatch("[0-9]{6}", code):
            raise WireError("bad_request", "code: must be six ASCII digits, as text")
        self._pairing.redeem(code, visitor.origin)
        return _json({"token": self._home.token})

    def _free_pair(self) -> None:
        self._pairs_in_use -= 1

    async def _command(self, connection: Connection, body: bytes, kept: ExitStack) -> Reply:
        task = self._commands.start(wire.read_command(body, self._commands.default_ms), kept)
        try:
            await asyncio.wait({task, connection.gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task})
        if task.cancelled():
            raise Gone
        return Reply(200, task.result())

    async def _on_request(self, link: Link, id: str | None, text: str) -> None:
        """A request that came as a frame: the same checks, the same way, answered on the link."""
        with ExitStack() as kept:
            task = None
            try:
                body = text.encode()
                if len(body) > wire.BODY_BYTES:
                    raise WireError("too_large", f"a request may have {wire.BODY_BYTES} bytes at most")
                task = self._commands.start(wire.read_command(body, self._commands.default_ms, over_link=True), kept)
                answer = await task
            except WireError as fault:
                answer = self._home.without_token(wire.failure(fault.id or id, fault))
            except Exception as fault:  # as in _exchange
                warn_of(fault)
                answer = wire.failure(id, WireError("internal", "the daemon failed; its log says where", "unknown"))
            finally:
                if task is not None and not task.done():
                    task.cancel()
            await link.answer(b'{"type":"result",' + answer[1:])

    def _rotate(self) -> Reply:
        try:
            token = self._home.rotate()
        except OSError as fault:
            raise WireError("internal", f"the new token cannot be written: {fault.strerror}; the old one stays") from None
        self._pairing.void()
        for link in self._browsers.links.values():
            if link is not None:
                link.end(Closed(sockets.POLICY, "the token was changed"))
        return _json({"token": token})

    def _version(self) -> dict:
        chrome = self._browsers.connected("chrome")
        product = f"Chrome/{chrome.browser_version}" if chrome else f"omw/{wire.VERSION}"
        return {"Browser": product, "Protocol-Version": "1.3", "User-Agent": product, "omw-version": wire.VERSION}

    def _status(self) -> dict:
        browsers = {}
        for name in ("chrome", "firefox"):
            link = self._browsers.connected(name)
            browsers[name] = {"connected": link is not None, "sessions": self._browsers.bound_to(name)}
            if link is not None:
                browsers[name] |= {
                    "browser_version": link.browser_version, "extension_version": link.extension_version,
                    "origin": link.origin, "commands": link.ordinary, "reserved": link.reserved}
        return {
            "version": wire.VERSION, "protocol": gatehouse.SUBPROTOCOL, "addr": self.address,
            "uptime_ms": int((time.monotonic() - self._began) * 1000), "requests": self._in_use,
            "browsers": browsers, "sessions": self._home.bindings, "pairing": self._pairing.status(),
        }

    def _log(self, request: Request, status: int) -> None:
        # A path may hold a token that somebody put into it, so only known ones are named.
        if self._verbose:
            path = request.path if request.path in gatehouse.ROUTES else "another path"
            warn(f"{path}: {status}")


def _json(answer: dict) -> Reply:
    return Reply(200, json.dumps(answer).encode())


def _check_empty(body: bytes) -> None:
    if body:
        wire.only(wire.read_strict(body), ())
