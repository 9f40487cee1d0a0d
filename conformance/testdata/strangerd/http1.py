"""HTTP/1.1 on one connection: reading a request's head and body within their limits, writing an answer."""

import asyncio
import re
from dataclasses import dataclass

import wire
from wire import WireError

HEAD_BYTES = 64 * 1024
HEAD_SECONDS = 10
IDLE_SECONDS = 60
LINGER_SECONDS = 2
PIECE = 256 * 1024

REASONS = {
    100: "Continue", 101: "Switching Protocols", 200: "OK", 204: "No Content", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict",
    413: "Content Too Large", 415: "Unsupported Media Type", 500: "Internal Server Error", 503: "Service Unavailable",
}
# A page of another site must neither read, sniff nor keep what is answered here (AUTH-19).
ALWAYS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")


class Gone(Exception):
    """The other side has closed, or has stopped taking the answer: nobody is left to talk to."""


@dataclass
class Request:
    """The head of a request. Header names are lower case, in the order in which they came."""

    method: str
    target: str
    version: str
    headers: list[tuple[str, str]]
    was_read: bool = False

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]

    def tokens(self, name: str) -> list[str]:
        """The elements of a comma-separated header, all its lines together."""
        return [part.strip() for value in self.all(name) for part in value.split(",") if part.strip()]

    @property
    def keeps_alive(self) -> bool:
        options = [option.lower() for option in self.tokens("connection")]
        return "close" not in options and (self.version == "HTTP/1.1" or "keep-alive" in options)

    @property
    def is_chunked(self) -> bool:
        return bool(self.all("transfer-encoding"))

    @property
    def content_length(self) -> int:
        lengths = self.all("content-length")
        return int(lengths[0]) if lengths else 0

    @property
    def has_body(self) -> bool:
        return self.is_chunked or self.content_length > 0


def parse_head(head: bytes) -> Request:
    """Raises WireError bad_request for what is not HTTP/1, or frames its body in two ways."""
    lines = head.decode("latin-1").lstrip("\r\n").split("\r\n")
    parts = lines[0].split(" ")
    if len(parts) != 3 or not _TOKEN.fullmatch(parts[0]) or parts[2] not in ("HTTP/1.0", "HTTP/1.1") \
            or not re.fullmatch(r"[\x21-\x7e\x80-\xff]+", parts[1]):
        raise WireError("bad_request", "the request line is not HTTP/1.1")
    headers = []
    for line in filter(None, lines[1:]):
        name, colon, value = line.partition(":")
        if not colon or not _TOKEN.fullmatch(name) or not _VALUE.fullmatch(value):
            raise WireError("bad_request", "a header line is malformed")
        headers.append((name.lower(), value.strip(" \t")))
    request = Request(*parts, headers)
    lengths, codings = request.all("content-length"), request.all("transfer-encoding")
    if len(lengths) > 1 or lengths and codings or lengths and not re.fullmatch(r"[0-9]{1,18}", lengths[0]):
        raise WireError("bad_request", "the length of the body is ambiguous")
    if codings and [coding.lower() for coding in codings] != ["chunked"]:
        raise WireError("bad_request", "the only transfer coding is chunked")
    request.was_read = not request.has_body
    return request


class Connection(asyncio.StreamReaderProtocol):
    """One TCP connection: when it last received, whether the other side has closed, and HTTP on it.

    gone completes when the other side closes its sending half: a closed client cannot be told from a half-closed one,
    and what a client that left was waiting for must not be kept.
    """

    def __init__(self, serve):
        loop = asyncio.get_running_loop()
        self.reader = asyncio.StreamReader(limit=HEAD_BYTES, loop=loop)
        self.gone: asyncio.Future = loop.create_future()
        self.received_at = loop.time()
        self.is_idle = True
        self.writer: asyncio.StreamWriter | None = None
        super().__init__(self.reader, lambda reader, writer: serve(self), loop=loop)

    def connection_made(self, transport) -> None:
        # Drained means handed to the kernel to the last byte, so that a stalled reader is seen.
        transport.set_write_buffer_limits(high=0)
        super().connection_made(transport)
        self.writer = self._stream_writer

    def data_received(self, data: bytes) -> None:
        self.received_at = self._loop.time()
        super().data_received(data)

    def eof_received(self) -> bool | None:
        self._leave()
        return super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def _leave(self) -> None:
        if not self.gone.done():
            self.gone.set_result(None)

    async def read_head(self) -> Request:
        """The next request. Raises Gone when there is none, WireError when it is no HTTP."""
        try:
            async with asyncio.timeout(IDLE_SECONDS):
                first = await self.reader.readexactly(1)
            self.is_idle = False
            async with asyncio.timeout(HEAD_SECONDS):
                return parse_head(first + await self.reader.readuntil(b"\r\n\r\n"))
        except asyncio.LimitOverrunError:
            raise WireError("bad_request", f"the head of the request passes {HEAD_BYTES} bytes") from None
        except TimeoutError:
            if self.is_idle:
                raise Gone from None
            raise WireError("request_timeout", "the head of the request took too long") from None
        except (asyncio.IncompleteReadError, OSError):
            raise Gone from None

    async def read_body(self, request: Request, most: int, seconds: float) -> bytes:
        """The body, whole. Raises WireError too_large or request_timeout, Gone when the client leaves."""
        too_large = WireError("too_large", f"the body may have {most} bytes at most")
        if not request.has_body:
            return b""
        if request.content_length > most:
            raise too_large
        try:
            async with asyncio.timeout(seconds):
                if any(value.lower() == "100-continue" for value in request.all("expect")):
                    self.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                if not request.is_chunked:
                    body = await self.reader.readexactly(request.content_length)
                    request.was_read = True
                    return body
                body = bytearray()
                while size := await self._chunk_size():
                    if len(body) + size > most:
                        raise too_large
                    body += await self.reader.readexactly(size)
                    if await self.reader.readexactly(2) != b"\r\n":
                        raise WireError("bad_request", "a chunk of the body is malformed")
                trailers = 0
                while (line := await self.reader.readuntil(b"\r\n")) != b"\r\n":
                    trailers += len(line)
                    if trailers > HEAD_BYTES:
                        raise WireError("bad_request", "the trailers of the body are too long")
                request.was_read = True
                return bytes(body)
        except TimeoutError:
            raise WireError("request_timeout", f"the body took more than {seconds} seconds") from None
        except asyncio.LimitOverrunError:
            raise WireError("bad_request", "a chunk of the body is malformed") from None
        except (asyncio.IncompleteReadError, OSError):
            raise Gone from None

    async def _chunk_size(self) -> int:
        line = (await self.reader.readuntil(b"\r\n"))[:-2]
        size = line.partition(b";")[0].strip(b" \t")
        if not re.fullmatch(rb"[0-9A-Fa-f]{1,15}", size):
            raise WireError("bad_request", "a chunk of the body is malformed")
        return int(size, 16)

    async def answer(self, status: int, body: bytes, headers: tuple = (), close: bool = False) -> None:
        """Writes one answer, to its last byte. Raises Gone when that stalls."""
        lines = [f"HTTP/1.1 {status} {REASONS[status]}"]
        lines += [f"{name}: {value}" for name, value in (*ALWAYS, *headers)]
        if status >= 200 and status != 204:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        if close:
            lines.append("Connection: close")
        await self.write("\r\n".join(lines).encode() + b"\r\n\r\n")
        for start in range(0, len(body), PIECE):
            await self.write(memoryview(body)[start:start + PIECE])

    async def write(self, data) -> None:
        """Hands data to the kernel. Raises Gone when not one byte of it is taken for 30 seconds."""
        transport = self.writer.transport
        self.writer.write(data)
        left, since = transport.get_write_buffer_size(), self._loop.time()
        while True:
            try:
                async with asyncio.timeout(0.5):
                    return await self.writer.drain()
            except TimeoutError:
                now = self._loop.time()
                if transport.get_write_buffer_size() < left:
                    left, since = transport.get_write_buffer_size(), now
                elif now - since >= wire.STALL_SECONDS:
                    transport.abort()
                    raise Gone from None
            except OSError:
                raise Gone from None

    async def linger(self) -> None:
        """Ends the sending half and reads on for a moment.

        Closing with unread bytes resets the connection, and a reset may overtake the answer.
        """
        try:
            async with asyncio.timeout(LINGER_SECONDS):
                if self.writer.can_write_eof():
                    self.writer.write_eof()
                while await self.reader.read(PIECE):
                    pass
        except (TimeoutError, OSError):
            pass

    def close(self) -> None:
        self.writer.close()
