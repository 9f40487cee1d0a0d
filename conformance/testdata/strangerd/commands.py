"""One command's way: the browser is picked, a place taken, the files looked at, the session bound, the frame sent,
the result waited for and answered."""

import asyncio
import base64
import json
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import actions
import files
import wire
from browsers import Browsers, Link, Outcome, Pending
from home import Home
from wire import LENIENT, Command, WireError, unknown


class Turns:
    """The order within each session: whoever took a turn first goes first, and nobody waits for another session."""

    def __init__(self):
        self._lines: dict[str, deque[asyncio.Future]] = {}

    def take(self, session: str) -> asyncio.Future:
        """A ticket, which completes when it is this one's turn."""
        line = self._lines.setdefault(session, deque())
        line.append(asyncio.get_running_loop().create_future())
        self._call_next(line)
        return line[-1]

    def leave(self, session: str, ticket: asyncio.Future) -> None:
        line = self._lines[session]
        line.remove(ticket)
        if line:
            self._call_next(line)
        else:
            del self._lines[session]

    @staticmethod
    def _call_next(line: deque) -> None:
        if not line[0].done():
            line[0].set_result(None)


class Commands:
    """All commands in flight, from HTTP and from the links."""

    def __init__(self, home: Home, browsers: Browsers, default_ms: int):
        self.default_ms = default_ms
        self._home, self._browsers = home, browsers
        self._ids: set[tuple[str, str]] = set()
        self._turns = Turns()
        self._uploads = files.Uploads()
        self._threads = ThreadPoolExecutor(16, thread_name_prefix="files")

    def start(self, command: Command, kept: ExitStack) -> asyncio.Task:
        """Admits a command whose body has just ended, and runs it to its answer, the result of the task.

        kept holds what is in use until the answer has been written. Cancelling the task abandons the command: a result
        that still comes is dropped. Raises WireError conflict while the session has a command of that id.
        """
        deadline = asyncio.get_running_loop().time() + command.timeout_ms / 1000
        key = (command.session, command.id)
        if key in self._ids:
            fault = WireError("conflict", "a command of this session with this id is pending")
            fault.id = command.id
            raise fault
        self._ids.add(key)
        task = asyncio.create_task(self._run(command, deadline, kept))
        task.add_done_callback(lambda _: self._ids.discard(key))
        return task

    def stop(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, command: Command, deadline: float, kept: ExitStack) -> bytes:
        sent: list[Pending] = []
        try:
            async with asyncio.timeout_at(deadline):
                return wire.success(command.id, await self._perform(command, deadline, kept, sent))
        except WireError as fault:
            failed = fault
        except TimeoutError:
            was_sent = any(pending.sent for pending in sent)
            failed = unknown("the deadline passed; whether the browser did it is not known", "unknown" if was_sent else "no")
        return self._home.without_token(wire.failure(command.id, failed))

    async def _perform(self, command: Command, deadline: float, kept: ExitStack, sent: list[Pending]) -> str:
        link = self._browsers.route(command)
        action = command.action
        if action.name == "close_session" and not self._browsers.is_bound(command.session):
            return '{"closed":[],"released":[]}'
        with ExitStack() as flight:
            flight.enter_context(link.place_for(action.reserved))
            pending = flight.enter_context(link.expecting(command.session, action.name, deadline, self._browsers.budget))
            kept.callback(pending.release)
            sent.append(pending)
            if action.reserved:
                if action.name == "close_session":
                    link.close_unsent(command.session)
                self._send(command, link, pending, command.raw)
            else:
                await self._send_in_turn(command, link, pending, flight)
            return await self._answer(command, link, await pending.result, pending, kept)

    async def _send_in_turn(self, command: Command, link: Link, pending: Pending, flight: ExitStack) -> None:
        ticket = self._turns.take(command.session)
        try:
            if ticket.done() and not command.action.names_files(command.args):
                self._send(command, link, pending, command.raw)
                return
            preparing = asyncio.create_task(self._prepare(command, link, ticket, flight))
            try:
                # The link may end, or the session be closed, while a file is being read.
                await asyncio.wait({preparing, pending.result}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                preparing.cancel()
                await asyncio.wait({preparing})
            if not preparing.cancelled():
                args = preparing.result()
                self._send(command, link, pending, args)
        finally:
            self._turns.leave(command.session, ticket)

    async def _prepare(self, command: Command, link: Link, ticket: asyncio.Future, flight: ExitStack) -> dict[str, str]:
        """Waits for the command's turn and looks at its files; returns the arguments for the link."""
        await asyncio.shield(ticket)
        args = dict(command.raw)
        if command.file_path is not None:
            await self._in_thread(files.check_new, files.clean(command.file_path))
            del args["path"]
        elif command.action.name == "upload":
            paths = [files.clean(path) for path in command.args["files"]]
            if link.opens_files:
                await self._in_thread(files.check_uploads, paths)
                args["files"] = json.dumps(paths)
            else:
                upload = files.Upload(self._uploads)
                flight.callback(upload.free)
                args["files"] = await self._in_thread(upload.read, paths)
        return args

    def _send(self, command: Command, link: Link, pending: Pending, args: dict[str, str]) -> None:
        if pending.result.done():
            return
        if pending.deadline - asyncio.get_running_loop().time() < 0.001:
            raise unknown("the deadline passed before the command was sent", "no")
        if command.action.binds:
            self._browsers.bind(command.session, link.browser)
        pending.args = wire.splice(args)
        link.send(pending)
        if command.action.binds:
            self._browsers.use(pending)

    async def _answer(self, command: Command, link: Link, outcome: Outcome, pending: Pending, kept: ExitStack) -> str:
        """The text of the answer's data."""
        if outcome.fault:
            raise outcome.fault
        data, raw = outcome.data, outcome.raw
        if command.action.name in ("screenshot", "pdf"):
            return await self._document(command, link, outcome, pending, kept)
        if set(data) == {"artifact", "bytes"}:
            content = await self._read_into_memory(link, data, pending, kept)
            try:
                raw = content.decode("utf-8")
                data = {key: member.value for key, member in wire.read_members(raw, LENIENT)[0].items()}
            except (UnicodeDecodeError, wire.NotJSON):
                raise _broken("it is no JSON object") from None
        if fault := command.action.data_fault(command.args, data):
            raise _broken(fault)
        if command.action.name == "close_session":
            self._browsers.closed(pending)
        return raw

    async def _document(self, command: Command, link: Link, outcome: Outcome, pending: Pending, kept: ExitStack) -> str:
        """A picture or PDF: to its file if a path was given, else into the answer."""
        data = outcome.data
        for name in ("pages",) if command.action.name == "pdf" else ("width", "height"):
            if not actions.is_count(data.get(name)):
                raise _broken(f"{name} must be a whole number")
        is_artifact = "artifact" in data
        if not is_artifact and not isinstance(data.get("base64"), str):
            raise _broken("it holds no document")
        rest = {key: member.raw for key, member in wire.read_members(outcome.raw, LENIENT)[0].items()
                if key not in ("base64", "artifact", "bytes", "path")}
        if command.file_path is None:
            if not is_artifact:
                return outcome.raw
            content = await self._read_into_memory(link, data, pending, kept)
            return wire.splice({"base64": f'"{base64.b64encode(content).decode()}"'} | rest)
        artifact = files.Artifact(files.clean(command.file_path))

        async def write(piece: bytes) -> None:
            await self._in_thread(artifact.write, piece)

        try:
            await self._in_thread(artifact.open)
            if is_artifact:
                await self._read(link, data, pending, write, wire.ARTIFACT_BYTES)
            else:
                try:
                    await write(base64.b64decode(data["base64"], validate=True))
                except ValueError:
                    raise _broken("its base64 is malformed") from None
            await self._in_thread(artifact.publish)
        finally:
            artifact.discard()
        return wire.splice({"path": json.dumps(artifact.path), "bytes": str(artifact.size)} | rest)

    async def _read_into_memory(self, link: Link, data: dict, pending: Pending, kept: ExitStack) -> bytes:
        content = bytearray()

        async def collect(piece: bytes) -> None:
            content.extend(piece)

        size = data["bytes"]
        if actions.is_count(size):
            if not self._browsers.budget.take(size):
                link.free_artifact(pending.session, data["artifact"])
                raise unknown("the daemon holds 64 MiB of results already and did not fetch this one")
            kept.callback(self._browsers.budget.free, size)
        await self._read(link, data, pending, collect, wire.BUFFERED_BYTES)
        return bytes(content)

    @staticmethod
    async def _read(link: Link, data: dict, pending: Pending, sink, most: int) -> None:
        """Hands the artifact that data names to sink, piece by piece."""
        artifact, size = data["artifact"], data.get("bytes")
        if not isinstance(artifact, str) or not 1 <= len(artifact) <= 128 or not actions.is_count(size):
            raise _broken("its artifact is malformed")
        if size > most:
            link.free_artifact(pending.session, artifact)
            raise WireError("too_large", f"the result has {size} bytes, {most} are the most", "unknown")
        await link.read_artifact(pending.session, artifact, size, pending.deadline, sink)

    async def _in_thread(self, function, *args):
        """Runs what may block. When cancelled it waits for the end of it, so that what it holds can be freed."""
        future = asyncio.get_running_loop().run_in_executor(self._threads, function, *args)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            await asyncio.wait({future})
            future.exception()
            raise


def _broken(why: str) -> WireError:
    return unknown(f"the browser's result breaks its schema: {why}")
