"""The config directory: the lock on it, config.json with the token, bindings.json with the sessions."""

import contextlib
import fcntl
import json
import os
import re
import secrets
import stat
import sys
from pathlib import Path

import wire

TEMPORARY = ".strangerd-"


class HomeError(Exception):
    """The directory cannot be used; the text is one line for the person."""


def warn(text: str) -> None:
    print(f"strangerd: {text}", file=sys.stderr, flush=True)


def warn_of(fault: Exception) -> None:
    """Says where the program itself failed; not with which words, for those may quote what was sent."""
    where = fault.__traceback__
    while where.tb_next:
        where = where.tb_next
    warn(f"{type(fault).__name__} in {where.tb_frame.f_code.co_name}, line {where.tb_lineno}")


def publish(path: Path, data: bytes) -> None:
    """Puts a whole file of mode 0600 at path, or leaves what was there. Raises OSError."""
    temporary = path.parent / (TEMPORARY + secrets.token_hex(6))
    try:
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(fd, "wb") as file:
            os.fchmod(fd, 0o600)
            file.write(data)
            file.flush()
            os.fsync(fd)
        os.rename(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    directory = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


class Home:
    """The directory, locked for as long as this object lives. One daemon has it."""

    def __init__(self, path: Path):
        self.path = path
        self._config = path / "config.json"
        self._bindings = path / "bindings.json"
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise HomeError(f"another daemon is already running on the config directory {path}") from None
        self._check_mode()
        for left_over in path.glob(TEMPORARY + "*"):
            left_over.unlink()
        self.token = self._load_token()
        self.bindings = self._load_bindings()

    def _check_mode(self) -> None:
        found = os.fstat(self._lock)
        if found.st_uid != os.geteuid():
            raise HomeError(f"the config directory {self.path} belongs to another user")
        if stat.S_IMODE(found.st_mode) & 0o077:
            names = os.listdir(self.path)
            if names and "config.json" not in names:
                raise HomeError(f"{self.path} is open to others and holds no config.json; refusing to use it")
            os.fchmod(self._lock, 0o700)
            warn(f"the config directory {self.path} was open to others; its mode is 0700 now")

    def _read(self, path: Path) -> bytes | None:
        """The content of a file of ours, its mode tightened; None if there is none."""
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise HomeError(f"cannot open {path}: {fault.strerror}") from None
        with os.fdopen(fd, "rb") as file:
            found = os.fstat(fd)
            if not stat.S_ISREG(found.st_mode):
                raise HomeError(f"{path} is not a regular file")
            if stat.S_IMODE(found.st_mode) & 0o077:
                os.fchmod(fd, 0o600)
                warn(f"{path} was open to others; its mode is 0600 now")
            return file.read()

    def _load_token(self) -> str:
        content = self._read(self._config)
        if content is None:
            return self.rotate()
        try:
            config = json.loads(content)
            token = config["token"]
            if config["version"] != 1 or not re.fullmatch(r"[A-Za-z0-9_-]{43}", token):
                raise ValueError
        except (ValueError, KeyError, TypeError, RecursionError):
            raise HomeError(f"{self._config} cannot be read as a config of version 1 with a token; it is left as it is") from None
        return token

    def _load_bindings(self) -> dict[str, str]:
        content = self._read(self._bindings)
        if content is None:
            return {}
        try:
            stored = json.loads(content)
            sessions = stored["sessions"]
            if stored["version"] != 1 or not all(
                    wire.is_session(name) and browser in ("chrome", "firefox") for name, browser in sessions.items()):
                raise ValueError
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            aside = self._bindings.with_name("bindings.json.unreadable")
            os.replace(self._bindings, aside)
            warn(f"{self._bindings} cannot be read; it is now {aside.name} and no session is bound")
            return {}
        return dict(sessions)

    def rotate(self) -> str:
        """Publishes a new token, then uses it."""
        token = secrets.token_urlsafe(32)
        publish(self._config, json.dumps({"version": 1, "token": token}).encode() + b"\n")
        self.token = token
        return token

    def without_token(self, answer: bytes) -> bytes:
        """A refusal that quotes what was sent must not quote the token."""
        return answer.replace(self.token.encode(), b"[token]")

    def save_bindings(self, sessions: dict[str, str]) -> None:
        """Publishes the bindings, then holds to them. Raises OSError and keeps the old ones."""
        content = json.dumps({"version": 1, "sessions": sessions}, indent=1, ensure_ascii=False)
        publish(self._bindings, content.encode() + b"\n")
        self.bindings = dict(sessions)

    def close(self) -> None:
        os.close(self._lock)


def default_directory() -> Path:
    if named := os.environ.get("OMW_CONFIG_DIR"):
        return Path(named)
    if base := os.environ.get("XDG_CONFIG_HOME"):
        return Path(base) / "omw"
    return Path.home() / ".config" / "omw"
