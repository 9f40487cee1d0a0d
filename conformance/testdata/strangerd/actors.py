"""The actors of test_strangerd.py: a daemon as a child process, an agent on a raw socket, a browser on a WebSocket."""

import base64
import json
import os
import queue
import re
import secrets
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).parent
CHROME = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
FIREFOX = "moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b"
ORIGINS = {"chrome": CHROME, "firefox": FIREFOX}
PATIENCE = 20


class Answer:
    """An HTTP answer; body is parsed if it is JSON."""

    def __init__(self, raw: bytes):
        head, _, self.raw_body = raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split(" ")[1]) if raw else 0
        self.headers = [tuple(line.split(": ", 1)) for line in lines[1:]]
        self.body = json.loads(self.raw_body) if self.raw_body else None

    def header(self, name: str) -> str | None:
        found = [value for key, value in self.headers if key.lower() == name.lower()]
        return found[0] if found else None

    @property
    def code(self) -> str | None:
        return self.body.get("error", {}).get("code") if isinstance(self.body, dict) else None

    @property
    def delivered(self) -> str | None:
        return self.body["error"]["delivered"]

    def __repr__(self) -> str:
        return f"<{self.status} {self.raw_body[:300]!r}>"


class Daemon:
    """strangerd in a directory of its own, as a child process."""

    def __init__(self, *flags: str, home: Path | None = None, umask: int = 0o022, file_blocks: int | None = None):
        self._directory = None if home else tempfile.TemporaryDirectory()
        self.home = home or Path(self._directory.name) / "home"
        limit = ["/bin/sh", "-c", f'ulimit -f {file_blocks}; exec "$@"', "sh"] if file_blocks else []
        self.process = subprocess.Popen(
            limit + [sys.executable, str(HERE / "strangerd.py"), "--listen-port", "0", "--home", str(self.home), *flags],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, umask=umask)
        self.port = 0
        if ready := re.fullmatch(r"ready on 127\.0\.0\.1:(\d+)\n", self.process.stdout.readline()):
            self.port = int(ready[1])
        self._actors: list = []

    @property
    def token(self) -> str:
        return json.loads((self.home / "config.json").read_text())["token"]

    @property
    def bindings(self) -> dict:
        return json.loads((self.home / "bindings.json").read_text())["sessions"]

    def stop(self) -> tuple[int, str, float]:
        """Exit code, standard error, and the seconds that it took."""
        began = time.monotonic()
        self.process.terminate()
        errors = self.process.communicate(timeout=PATIENCE)[1]
        return self.process.returncode, errors, time.monotonic() - began

    def close(self) -> None:
        for actor in self._actors:
            actor.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        if self._directory:
            self._directory.cleanup()

    def __enter__(self) -> "Daemon":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def connect(self) -> socket.socket:
        sock = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        self._actors.append(sock)
        return sock

    def request(self, method: str, path: str, headers: dict | list = (), body: bytes | None = None, token: bool = True,
                host: str | None = "127.0.0.1") -> Answer:
        return read_answer(self.send(method, path, headers, body, token, host))

    def send(self, method: str, path: str, headers: dict | list = (), body: bytes | None = None, token: bool = True,
             host: str | None = "127.0.0.1") -> socket.socket:
        sock = self.connect()
        sock.sendall(head(method, path, headers, len(body) if body is not None else None,
                          self.token if token else None, host) + (body or b""))
        return sock

    def command(self, action: str, args: dict | None = None, **fields) -> Answer:
        return read_answer(self.start(action, args, **fields))

    def start(self, action: str, args: dict | None = None, **fields) -> socket.socket:
        body = json.dumps({"action": action} | ({"args": args} if args is not None else {}) | fields).encode()
        return self.send("POST", "/command", {}, body)

    def browser(self, name: str, **options) -> "Browser":
        browser = Browser(self, name, **options)
        self._actors.append(browser)
        return browser


def head(method: str, path: str, headers, length: int | None, token: str | None, host: str | None) -> bytes:
    lines = [f"{method} {path} HTTP/1.1"]
    if host is not None:
        lines.append(f"Host: {host}")
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    lines += [f"{name}: {value}" for name, value in (headers.items() if isinstance(headers, dict) else headers)]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def read_answer(sock: socket.socket, timeout: float = PATIENCE) -> Answer:
    """One answer, by its Content-Length, so that kept connections work."""
    sock.settimeout(timeout)
    raw = bytearray()
    while b"\r\n\r\n" not in raw:
        piece = sock.recv(1 << 16)
        if not piece:
            return Answer(bytes(raw))
        raw += piece
    length = re.search(rb"(?i)\r\ncontent-length: (\d+)", raw)
    total = raw.index(b"\r\n\r\n") + 4 + (int(length[1]) if length else 0)
    while len(raw) < total:
        piece = sock.recv(1 << 20)
        if not piece:
            break
        raw += piece
    return Answer(bytes(raw))


class WebSocket:
    """A client of RFC 6455 that can also send what it should not."""

    def __init__(self, daemon: Daemon, origin: str, protocols: str | None = None):
        self.sock = daemon.connect()
        protocols = protocols or f"omw.v1, omw-token.{daemon.token}"
        self.sock.sendall(head("GET", "/extension", [
            ("Origin", origin), ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", base64.b64encode(secrets.token_bytes(16)).decode()),
            ("Sec-WebSocket-Protocol", protocols)], None, None, "127.0.0.1"))
        raw = bytearray()
        while not raw.endswith(b"\r\n\r\n") and (piece := self.sock.recv(1)):
            raw += piece
        self.answer = Answer(bytes(raw)) if b" 101 " in raw else read_rest(self.sock, raw)

    def send_frame(self, opcode: int, payload: bytes, final: bool = True) -> None:
        size = len(payload)
        if size < 126:
            start = struct.pack("!BB", final << 7 | opcode, 0x80 | size)
        elif size < 1 << 16:
            start = struct.pack("!BBH", final << 7 | opcode, 0x80 | 126, size)
        else:
            start = struct.pack("!BBQ", final << 7 | opcode, 0x80 | 127, size)
        self.sock.sendall(start + b"\0\0\0\0" + payload)

    def send(self, message: dict | str | bytes) -> None:
        if isinstance(message, dict):
            message = json.dumps(message)
        self.send_frame(1, message.encode() if isinstance(message, str) else message)

    def receive_frame(self) -> tuple[int, bytes]:
        first, second = self._exactly(2)
        size = second & 0x7F
        if size == 126:
            size, = struct.unpack("!H", self._exactly(2))
        elif size == 127:
            size, = struct.unpack("!Q", self._exactly(8))
        return first & 0x0F, self._exactly(size)

    def receive(self, timeout: float = PATIENCE) -> dict:
        self.sock.settimeout(timeout)
        opcode, payload = self.receive_frame()
        if opcode != 1:
            raise ConnectionError(f"opcode {opcode}: {payload!r}")
        return json.loads(payload)

    def close_code(self, timeout: float = PATIENCE) -> int:
        """The code that the daemon closes with; 0 if it just goes."""
        self.sock.settimeout(timeout)
        try:
            while (received := self.receive_frame())[0] != 8:
                pass
            return struct.unpack("!H", received[1][:2])[0]
        except ConnectionError:
            return 0

    def _exactly(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            piece = self.sock.recv(min(size - len(data), 1 << 20))
            if not piece:
                raise ConnectionError("the daemon went away")
            data += piece
        return bytes(data)

    def close(self) -> None:
        self.sock.close()


def read_rest(sock: socket.socket, raw: bytearray) -> Answer:
    length = int(re.search(rb"(?i)\r\ncontent-length: (\d+)", raw)[1])
    while length > 0 and (piece := sock.recv(length)):
        raw += piece
        length -= len(piece)
    return Answer(bytes(raw))


DATA = {"navigate": {"tab": 1, "url": "https://example.com/", "title": ""}, "evaluate": {"value": 1},
        "upload": {"names": []}, "dialog": {"type": "alert", "message": ""}, "status": {"browser": "chrome"},
        "sessions": {"sessions": []}, "tabs": {"tabs": []}, "close_session": {"closed": [], "released": []},
        "cdp": {"result": {}}, "screenshot": {"base64": "aGk=", "format": "png", "width": 1, "height": 1},
        "pdf": {"base64": "aGk=", "pages": 1}}


class Browser(WebSocket):
    """A connected extension. Commands stand in the queue commands; with answers=True each gets plain data at once."""

    def __init__(self, daemon: Daemon, name: str, sessions: list = (), file_access: bool = False, answers: bool = True,
                 origin: str | None = None):
        super().__init__(daemon, origin or ORIGINS[name])
        self.name, self.answers = name, answers
        self.commands: queue.Queue = queue.Queue()
        self.results: queue.Queue = queue.Queue()
        self.artifacts: dict[str, bytes] = {}
        self.send({"type": "hello", "browser": name, "browser_version": "150.0", "extension_version": "1",
                   "sessions": list(sessions), "file_access": file_access})
        self.welcome = self.receive()
        self.closed = threading.Event()
        self.closed_with = 0
        self._lock = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def send_frame(self, opcode: int, payload: bytes, final: bool = True) -> None:
        if hasattr(self, "_lock"):
            with self._lock:
                return super().send_frame(opcode, payload, final)
        super().send_frame(opcode, payload, final)

    def _read(self) -> None:
        self.sock.settimeout(None)
        try:
            while True:
                opcode, payload = self.receive_frame()
                if opcode == 8:
                    self.closed_with = struct.unpack("!H", payload[:2])[0]
                    self.send_frame(8, payload[:2])
                    break
                if opcode != 1:
                    continue
                message = json.loads(payload)
                if message["type"] == "result":
                    self.results.put(message)
                elif message["type"] == "command":
                    self._take(message)
        except OSError:
            pass
        self.closed.set()

    def _take(self, command: dict) -> None:
        args = command["args"]
        if command["action"] == "artifact_read":
            part = self.artifacts[args["artifact"]][args["offset"]:args["offset"] + args["length"]]
            self.reply(command, {"base64": base64.b64encode(part).decode()})
        elif command["action"] == "artifact_close":
            self.artifacts.pop(args["artifact"], None)
            self.reply(command, {})
        else:
            self.commands.put(command)
            if self.answers:
                self.reply(command)

    def next(self, timeout: float = PATIENCE) -> dict:
        return self.commands.get(timeout=timeout)

    def reply(self, command: dict, data: dict | None = None) -> None:
        if data is None:
            data = DATA.get(command["action"], {})
        self.send({"type": "result", "id": command["id"], "ok": True, "data": data})

    def fail(self, command: dict, code: str) -> None:
        self.send({"type": "result", "id": command["id"], "ok": False, "error": {"code": code, "message": "no"}})

    def drop(self) -> None:
        """Resets the connection."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        try:
            self.sock.shutdown(socket.SHUT_RD)
        except OSError:
            pass
        self.sock.close()

    def close(self) -> None:
        try:
            self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.sock.close()


def wait_until(holds, timeout: float = PATIENCE) -> None:
    ends = time.monotonic() + timeout
    while not holds():
        if time.monotonic() > ends:
            raise AssertionError("it did not become so in time")
        time.sleep(0.01)


def temporary_names(directory: Path) -> list[str]:
    return [name for name in os.listdir(directory) if name.startswith(".strangerd-")]
