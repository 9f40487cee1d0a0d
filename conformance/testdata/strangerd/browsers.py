"""The two browsers: one link each, the commands in flight on it, and which session belongs to which."""

import asyncio
import base64
import binascii
import contextlib
import json
from dataclasses import dataclass
from typing import Any, Callable

import sockets
import wire
from home import Home, warn, warn_of
from http1 import Connection, Gone
from sockets import POLICY, Closed, frame
from wire import LENIENT, Command, NotJSON, WireError, unknown

OUTBOX_FRAMES = 4096


@dataclass
class Outcome:
    """What became of a command: a fault, or its data with the text that it had on the link."""

    fault: WireError | None = None
    data: Any = None
    raw: str = ""


class Budget:
    """The bytes of results that the daemon holds, of both browsers together (LIMIT-08)."""

    def __init__(self):
        self._held = 0

    def take(self, size: int) -> bool:
        if self._held + size > wire.BUFFERED_BYTES:
            return False
        self._held += size
        return True

    def free(self, size: int) -> None:
        self._held -= size


class Pending:
    """A command on one link. It is settled once; whatever comes for it later finds nobody."""

    def __init__(self, session: str, action: str, deadline: float, budget: Budget | None):
        self.id = wire.new_id()
        self.session, self.action, self.deadline = session, action, deadline
        self.args = "{}"
        self.sent = False
        self.order = 0
        self.result: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._budget, self._held = budget, 0

    def settle(self, outcome: Outcome) -> None:
        if not self.result.done():
            self.result.set_result(outcome)

    def lose(self, why: str) -> None:
        self.settle(Outcome(unknown(why, "unknown" if self.sent else "no")))

    def finish(self, data: Any, raw: str) -> None:
        """Settles with data, as long as it can be held until it is answered."""
        if self._budget is not None and not self.result.done():
            size = len(raw) if raw.isascii() else len(raw.encode("utf-8"))
            if not self._budget.take(size):
                self.lose("the daemon holds 64 MiB of results already and dropped this one")
                return
            self._held = size
        self.settle(Outcome(data=data, raw=raw))

    def release(self) -> None:
        """Gives back what the result took of the budget, once it has been answered."""
        if self._held:
            self._budget.free(self._held)
            self._held = 0

    def as_frame(self) -> bytes | None:
        """The frame to write now; None if nobody waits any more or less than a millisecond is left."""
        left = int((self.deadline - asyncio.get_running_loop().time()) * 1000)
        if left < 1:
            self.lose("the deadline passed before the command was sent")
        if self.result.done():
            return None
        head = {"type": "command", "id": self.id, "session": self.session, "action": self.action}
        text = json.dumps(head)[:-1] + f', "args": {self.args}, "deadline_ms": {left}' + "}"
        return frame(sockets.TEXT, text.encode())


class Link:
    """The WebSocket of one extension. It is connected from its hello on and holds its browser's place until it ends."""

    def __init__(self, browser: str, origin: str, connection: Connection, browsers: "Browsers",
                 on_request: Callable[["Link", str | None, str], Any]):
        self.browser, self.origin = browser, origin
        self.browser_version = self.extension_version = ""
        self.opens_files = self.is_connected = False
        self.ordinary = self.reserved = 0
        self._connection, self._browsers, self._on_request = connection, browsers, on_request
        self._socket = sockets.Socket(connection, lambda payload: self._put(frame(sockets.PONG, payload)))
        self._pending: dict[str, Pending] = {}
        self._tasks: set[asyncio.Task] = set()
        self._outbox: asyncio.Queue = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._ending: asyncio.Future[Closed] = self._loop.create_future()

    async def run(self) -> None:
        """Serves the socket to its end."""
        tasks = [asyncio.create_task(self._guard(part)) for part in (self._read, self._write, self._watch)]
        try:
            closed = await asyncio.shield(self._ending)
        finally:
            self.end(Closed(None))
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if closed.code is None:
            self._connection.writer.transport.abort()
        else:
            await self._socket.close(closed.code, closed.reason)

    def end(self, closed: Closed) -> None:
        """Frees the browser's place and settles every command in flight, at once; the socket follows."""
        if self._ending.done():
            return
        self._ending.set_result(closed)
        self._browsers.leave(self)
        for pending in list(self._pending.values()):
            pending.lose(f"the connection to {self.browser} ended before the result came")
        for task in self._tasks:
            task.cancel()

    async def _guard(self, part) -> None:
        try:
            await part()
        except Closed as closed:
            self.end(closed)
        except Gone:
            self.end(Closed(None))
        except Exception as fault:  # a fault of ours costs this link, not the daemon
            warn_of(fault)
            self.end(Closed(1011, "the daemon failed"))

    async def _watch(self) -> None:
        while True:
            now = self._loop.time()
            due, why = self._connection.received_at + wire.SILENCE_SECONDS, "nothing was received for 45 seconds"
            if not self.is_connected and self._began + wire.HELLO_SECONDS < due:
                due, why = self._began + wire.HELLO_SECONDS, "no hello within 10 seconds"
            if now >= due:
                raise Closed(POLICY, why)
            await asyncio.sleep(due - now)

    async def _write(self) -> None:
        while True:
            item = await self._outbox.get()
            if isinstance(item, Pending):
                pending, item = item, item.as_frame()
                if item is None:
                    continue
                pending.sent = True
            item, written = item if isinstance(item, tuple) else (item, None)
            await self._connection.write(item)
            if written is not None and not written.done():
                written.set_result(None)

    def _put(self, item: bytes | Pending | tuple) -> None:
        if self._outbox.qsize() >= OUTBOX_FRAMES:
            raise Closed(POLICY, "too many answers wait to be read")
        self._outbox.put_nowait(item)

    def _put_object(self, message: dict) -> None:
        self._put(frame(sockets.TEXT, json.dumps(message).encode()))

    async def _read(self) -> None:
        while True:
            text = await self._socket.message()
            try:
                members, twice = wire.read_members(text, LENIENT)
            except NotJSON as fault:
                raise Closed(POLICY, f"not a JSON object: {fault}") from None
            kind = members["type"].value if "type" in members else None
            if not isinstance(kind, str):
                raise Closed(POLICY, "the frame has no type")
            if kind == "hello" or not self.is_connected:
                self._take_hello(kind, members)
            elif kind == "ping":
                self._put_object({"type": "pong"})
            elif kind == "result":
                self._take_result(members, twice)
            elif kind == "request":
                id = members["id"].value if "id" in members and wire.is_id(members["id"].value) else None
                self._keep_task(self._on_request(self, id, text))

    def _take_hello(self, kind: str, members: dict) -> None:
        hello = {key: member.value for key, member in members.items()}
        if kind != "hello":
            raise Closed(POLICY, "hello comes first")
        if self.is_connected:
            raise Closed(POLICY, "hello comes once")
        if hello.get("browser") != self.browser:
            raise Closed(POLICY, f"the Origin is one of {self.browser}, the hello says otherwise")
        sessions, opens_files = hello.get("sessions"), hello.get("file_access", False)
        versions = hello.get("browser_version"), hello.get("extension_version", "")
        if not isinstance(sessions, list) or not isinstance(opens_files, bool) \
                or not all(isinstance(text, str) for text in (*sessions, *versions)):
            raise Closed(POLICY, "the hello breaks its schema")
        self.browser_version, self.extension_version = versions
        self.opens_files = opens_files and self.browser == "chrome"
        self._browsers.adopt(self.browser, sessions)
        self._put_object({"type": "welcome", "daemon_version": wire.VERSION, "limits": {
            "message_bytes": wire.MESSAGE_BYTES, "body_bytes": wire.BODY_BYTES, "ordinary": wire.ORDINARY,
            "reserved": wire.RESERVED, "sessions": wire.SESSIONS, "timeout_ms": wire.TIMEOUT_MS,
            "max_timeout_ms": wire.MAX_TIMEOUT_MS}})
        self.is_connected = True

    def _take_result(self, members: dict, twice: bool) -> None:
        def value(name):
            return members[name].value if name in members else None

        id = value("id")
        pending = self._pending.get(id) if isinstance(id, str) else None
        if pending is None:
            return
        ok, data, error = value("ok"), value("data"), value("error")
        if twice or not isinstance(ok, bool):
            pending.lose("the browser's result breaks its schema")
        elif ok and isinstance(data, dict) and error is None:
            pending.finish(data, members["data"].raw)
        elif not ok and isinstance(error, dict) and isinstance(error.get("code"), str) \
                and error["code"] in wire.CODES and isinstance(error.get("message"), str):
            pending.settle(Outcome(WireError(error["code"], error["message"][:1 << 16], "unknown")))
        else:
            pending.lose("the browser's result breaks its schema")

    @contextlib.contextmanager
    def place_for(self, reserved: bool):
        """One of the 128 ordinary or 16 reserved places, for as long as the context lasts."""
        lane, most = ("reserved", wire.RESERVED) if reserved else ("ordinary", wire.ORDINARY)
        if getattr(self, lane) >= most:
            raise WireError("busy", f"{self.browser} has {most} {lane} commands in flight; wait for one of them")
        setattr(self, lane, getattr(self, lane) + 1)
        try:
            yield
        finally:
            setattr(self, lane, getattr(self, lane) - 1)

    @contextlib.contextmanager
    def expecting(self, session: str, action: str, deadline: float, budget: Budget | None = None):
        """A Pending of this link, which is forgotten when the context ends."""
        pending = Pending(session, action, deadline, budget)
        if self._ending.done():
            pending.lose(f"the connection to {self.browser} ended")
        self._pending[pending.id] = pending
        try:
            yield pending
        finally:
            del self._pending[pending.id]
            pending.result.cancel()

    def send(self, pending: Pending) -> None:
        """Puts the frame in line; frames go out in the order of these calls."""
        pending.order = self._browsers.next_order()
        try:
            self._put(pending)
        except Closed as closed:
            self.end(closed)

    async def answer(self, message: bytes) -> None:
        """Answers a request of the extension; returns when the answer has been written."""
        written = self._loop.create_future()
        try:
            self._put((frame(sockets.TEXT, message), written))
            await written
        except Closed as closed:
            self.end(closed)

    def close_unsent(self, session: str) -> None:
        """Commands of the session that have not been sent shall not begin behind its end."""
        for pending in self._pending.values():
            if pending.session == session and not pending.order and pending.action != "close_session":
                pending.settle(Outcome(WireError("session_closed", "the session was closed before the command was sent")))

    async def read_artifact(self, session: str, artifact: str, size: int, deadline: float, sink) -> None:
        """Hands an artifact to sink piece by piece, then ends it. Raises WireError outcome_unknown."""
        try:
            offset = 0
            while offset < size:
                length = min(wire.CHUNK_BYTES, size - offset)
                with self.expecting(session, "artifact_read", deadline) as pending:
                    pending.args = json.dumps({"artifact": artifact, "offset": offset, "length": length})
                    self.send(pending)
                    outcome = await pending.result
                piece = self._piece(outcome)
                if len(piece) != length:
                    raise unknown("the browser cut its result short")
                await sink(piece)
                offset += length
        finally:
            self.free_artifact(session, artifact)

    def free_artifact(self, session: str, artifact: str) -> None:
        """Tells the extension that an artifact is not wanted any more; nobody waits for its answer."""
        self._keep_task(self._end_artifact(session, artifact))

    def _keep_task(self, coroutine) -> None:
        """Runs a task that ends with the link at the latest."""
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @staticmethod
    def _piece(outcome: Outcome) -> bytes:
        if outcome.fault:
            raise unknown(f"the result could not be read: {outcome.fault.message}")
        try:
            return base64.b64decode(outcome.data["base64"], validate=True)
        except (KeyError, TypeError, ValueError, binascii.Error):
            raise unknown("a piece of the result breaks its schema") from None

    async def _end_artifact(self, session: str, artifact: str) -> None:
        # The extension frees an artifact at its deadline anyhow, so a full reserve may skip this.
        deadline = self._loop.time() + wire.HELLO_SECONDS
        with contextlib.suppress(WireError, TimeoutError):
            with self.place_for(reserved=True), self.expecting(session, "artifact_close", deadline) as pending:
                pending.args = json.dumps({"artifact": artifact})
                self.send(pending)
                async with asyncio.timeout_at(deadline):
                    await pending.result


class Browsers:
    """Which browser has which place, and which session is bound to which browser."""

    def __init__(self, home: Home, preference: tuple[str, str]):
        self._home, self._preference = home, preference
        self.links: dict[str, Link | None] = {"chrome": None, "firefox": None}
        self.budget = Budget()
        self._order = 0
        self._used_at: dict[str, int] = {}

    def next_order(self) -> int:
        self._order += 1
        return self._order

    def enter(self, link: Link) -> None:
        self.check_free(link.browser)
        self.links[link.browser] = link

    def check_free(self, browser: str) -> None:
        if self.links[browser] is not None:
            raise WireError("conflict", f"{browser} is connected already; one connection of each browser is held")

    def leave(self, link: Link) -> None:
        if self.links[link.browser] is link:
            self.links[link.browser] = None

    def connected(self, browser: str) -> Link | None:
        link = self.links[browser]
        return link if link is not None and link.is_connected else None

    def route(self, command: Command) -> Link:
        """The link that a command is to take. Raises WireError session_bound, unsupported or not_connected."""
        bound = self._home.bindings.get(command.session)
        wanted = command.browser or bound
        if bound and wanted != bound:
            raise WireError("session_bound", f"the session belongs to {bound}; close it there first")
        if command.action.chrome_only:
            if wanted == "firefox":
                raise WireError("unsupported", f"{command.action.name} needs Chrome; Firefox has no equivalent")
            wanted = "chrome"
        if wanted is None:
            wanted = next(filter(self.connected, self._preference), None)
            if wanted is None:
                raise WireError("not_connected", "no browser is connected; start one with the extension paired")
        link = self.connected(wanted)
        if link is None:
            raise WireError("not_connected", f"{wanted} is not connected; start it with the extension paired")
        return link

    def is_bound(self, session: str) -> bool:
        return session in self._home.bindings

    def bound_to(self, browser: str) -> int:
        return sum(owner == browser for owner in self._home.bindings.values())

    def bind(self, session: str, browser: str) -> None:
        """Binds and persists. Raises WireError session_bound, busy past 128 sessions, or file_error."""
        owner = self._home.bindings.get(session)
        if owner is None:
            if self.bound_to(browser) >= wire.SESSIONS:
                raise WireError("busy", f"{browser} has {wire.SESSIONS} sessions; close one of them first")
            try:
                self._home.save_bindings(self._home.bindings | {session: browser})
            except OSError as fault:
                raise WireError("file_error", f"the session's binding cannot be written: {fault.strerror}") from None
        elif owner != browser:
            raise WireError("session_bound", f"the session belongs to {owner}; close it there first")

    def use(self, pending: Pending) -> None:
        """Notes that a command which begins or goes on with its session has been put in line."""
        self._used_at[pending.session] = pending.order

    def closed(self, closing: Pending) -> None:
        """The session was closed: its binding ends, unless a later command has begun it anew."""
        if self._used_at.get(closing.session, 0) < closing.order:
            self._used_at.pop(closing.session, None)
            self._keep({name: owner for name, owner in self._home.bindings.items() if name != closing.session})

    def adopt(self, browser: str, names: list[str]) -> None:
        """Takes over what a hello says: its sessions, in place of those bound to this browser before."""
        held = set(names)
        bindings = {name: owner for name, owner in self._home.bindings.items() if owner != browser or name in held}
        room = wire.SESSIONS - sum(owner == browser for owner in bindings.values())
        for name in names:
            if name not in bindings and wire.is_session(name) and room > 0:
                bindings[name] = browser
                room -= 1
        self._keep(bindings)

    def _keep(self, bindings: dict[str, str]) -> None:
        """Holds to what the browser says, also when it cannot be written: it knows its sessions best."""
        if bindings != self._home.bindings:
            try:
                self._home.save_bindings(bindings)
            except OSError as fault:
                warn(f"bindings.json cannot be written: {fault.strerror}")
                self._home.bindings = bindings
