"""RFC 6455 on a connection that was upgraded: the handshake, whole messages in, frames out. No extension is negotiated."""

import asyncio
import base64
import binascii
import hashlib
import struct

from http1 import Connection, Gone, Request
from wire import MESSAGE_BYTES, WireError

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
GOING_AWAY, PROTOCOL_ERROR, NOT_UTF8, POLICY, TOO_BIG = 1001, 1002, 1007, 1008, 1009
CLOSE_SECONDS = 1


class Closed(Exception):
    """The socket is to be closed with this code and reason; with code None its other side is gone already."""

    def __init__(self, code: int | None, reason: str = ""):
        super().__init__(reason)
        self.code, self.reason = code, reason


def accept_key(request: Request) -> str:
    """Checks an upgrade and returns its Sec-WebSocket-Accept. Raises WireError bad_request."""
    keys = request.all("sec-websocket-key")
    try:
        key_is_good = len(keys) == 1 and len(base64.b64decode(keys[0], validate=True)) == 16
    except binascii.Error:
        key_is_good = False
    if "websocket" not in [name.lower() for name in request.tokens("upgrade")] \
            or "upgrade" not in [name.lower() for name in request.tokens("connection")] \
            or request.version != "HTTP/1.1" or request.has_body:
        raise WireError("bad_request", "this path is a WebSocket; send an upgrade")
    if request.all("sec-websocket-version") != ["13"] or not key_is_good:
        raise WireError("bad_request", "the WebSocket upgrade is malformed", headers=(("Sec-WebSocket-Version", "13"),))
    return base64.b64encode(hashlib.sha1(keys[0].encode() + GUID).digest()).decode()


def frame(opcode: int, payload: bytes) -> bytes:
    """A whole unmasked frame, as servers send them."""
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", 0x80 | opcode, size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", 0x80 | opcode, 126, size)
    else:
        head = struct.pack("!BBQ", 0x80 | opcode, 127, size)
    return head + payload


def unmask(payload: bytes, mask: bytes) -> bytes:
    # One exclusive-or of two long integers is a hundred times faster than a loop over bytes.
    size = len(payload)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "little") ^ int.from_bytes(key, "little")).to_bytes(size, "little")


class Socket:
    """Reads whole text messages; answers pings by the function it was given, which must not wait."""

    def __init__(self, connection: Connection, send_pong):
        self._connection, self._send_pong = connection, send_pong

    async def message(self) -> str:
        """The next text message. Raises Closed for whatever ends the socket."""
        try:
            parts: list[bytes] = []
            kind, total = None, 0
            while True:
                is_final, opcode, payload = await self._frame(total)
                if opcode >= CLOSE:
                    self._control(opcode, payload)
                    continue
                if (opcode == CONTINUATION) != (kind is not None):
                    raise Closed(PROTOCOL_ERROR, "a fragment is out of place")
                kind = kind or opcode
                parts.append(payload)
                total += len(payload)
                if is_final:
                    break
        except (asyncio.IncompleteReadError, OSError):
            raise Closed(None) from None
        if kind != TEXT:
            raise Closed(POLICY, "only text messages are taken")
        try:
            return b"".join(parts).decode("utf-8")
        except UnicodeDecodeError:
            raise Closed(NOT_UTF8, "the message is not UTF-8") from None

    async def _frame(self, before: int) -> tuple[bool, int, bytes]:
        reader = self._connection.reader
        first, second = await reader.readexactly(2)
        opcode, size = first & 0x0F, second & 0x7F
        if first & 0x70 or opcode not in (CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG):
            raise Closed(PROTOCOL_ERROR, "reserved bits or opcode")
        if not second & 0x80:
            raise Closed(PROTOCOL_ERROR, "frames to a server are masked")
        if opcode >= CLOSE and (size > 125 or not first & 0x80):
            raise Closed(PROTOCOL_ERROR, "a control frame is long or fragmented")
        if size == 126:
            size, = struct.unpack("!H", await reader.readexactly(2))
        elif size == 127:
            size, = struct.unpack("!Q", await reader.readexactly(8))
        if opcode < CLOSE and before + size > MESSAGE_BYTES:
            raise Closed(TOO_BIG, f"a message may have {MESSAGE_BYTES} bytes at most")
        mask = await reader.readexactly(4)
        return bool(first & 0x80), opcode, unmask(await reader.readexactly(size), mask)

    def _control(self, opcode: int, payload: bytes) -> None:
        if opcode == PING:
            self._send_pong(payload)
        elif opcode == CLOSE:
            code = struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else 1000
            is_good = 1000 <= code < 5000 and code not in (1004, 1005, 1006, 1015)
            raise Closed(code if is_good else PROTOCOL_ERROR, "")

    async def close(self, code: int, reason: str) -> None:
        """Sends the close frame and waits a moment for the other side's, so that no reset overtakes ours."""
        payload = struct.pack("!H", code) + reason.encode()[:120]
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._connection.write(frame(CLOSE, payload))
                if self._connection.writer.can_write_eof():
                    self._connection.writer.write_eof()
                while await self._connection.reader.read(1 << 18):
                    pass
        except (TimeoutError, OSError, Gone):
            pass
        finally:
            self._connection.writer.transport.abort()
