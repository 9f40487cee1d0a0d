"""Files of commands: pictures and PDFs that are written, uploads that are read. Every function here may block."""

import base64
import contextlib
import ctypes
import errno
import json
import os
import secrets
import stat
import threading

from wire import UPLOAD_BYTES, UPLOADS_BYTES, WireError

AT_FDCWD, RENAME_NOREPLACE = -100, 1
_LIBC = ctypes.CDLL(None, use_errno=True)


def clean(path: str) -> str:
    """The path without . and .. inside; POSIX would keep two slashes at its beginning."""
    return "/" + os.path.normpath(path).lstrip("/")


def _trouble(doing: str, path: str, fault: OSError, delivered: str) -> WireError:
    return WireError("file_error", f"cannot {doing} {path}: {fault.strerror or 'it failed'}", delivered)


def _exists(path: str, delivered: str) -> WireError:
    return WireError("file_exists", f"{path} exists already; name a path where nothing is", delivered)


def _temporary_in(directory: str) -> str:
    # Its length is fixed and short, so that a name of 255 bytes has a temporary file too.
    return os.path.join(directory, ".strangerd-" + secrets.token_hex(6))


def _make(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)


def check_new(path: str) -> None:
    """Says before the page is touched why no file can be made at path. Raises WireError."""
    parent, name = os.path.split(path)
    if len(os.fsencode(name)) > 255:
        raise WireError("file_error", f"the name of the file has more than 255 bytes: {path}")
    try:
        if not stat.S_ISDIR(os.stat(parent).st_mode):
            raise WireError("file_error", f"{parent} is not a directory")
        os.lstat(path)
    except FileNotFoundError:
        pass
    except OSError as fault:
        raise _trouble("write", path, fault, "no") from None
    else:
        raise _exists(path, "no")
    # Permissions alone do not tell whether this file system takes a file; making one does.
    probe = _temporary_in(parent)
    try:
        os.close(_make(probe))
        os.unlink(probe)
    except OSError as fault:
        raise _trouble("write", path, fault, "no") from None


def _rename_new(source: str, target: str) -> None:
    """Renames, never over anything: a symbolic link is something too. Raises OSError."""
    if _LIBC.renameat2(AT_FDCWD, os.fsencode(source), AT_FDCWD, os.fsencode(target), RENAME_NOREPLACE) == 0:
        return
    number = ctypes.get_errno()
    if number not in (errno.ENOSYS, errno.EINVAL):
        raise OSError(number, os.strerror(number))
    os.link(source, target, follow_symlinks=False)
    os.unlink(source)


class Artifact:
    """A file on its way to path: written beside it with mode 0600, then published whole or discarded."""

    def __init__(self, path: str):
        self.path, self.size = path, 0
        self._temporary: str | None = None
        self._fd = -1

    def open(self) -> None:
        temporary = _temporary_in(os.path.dirname(self.path))
        try:
            self._fd = _make(temporary)
            self._temporary = temporary
            os.fchmod(self._fd, 0o600)
        except OSError as fault:
            raise _trouble("write", self.path, fault, "unknown") from None

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                written = os.write(self._fd, view)
                self.size += written
                view = view[written:]
        except OSError as fault:
            raise _trouble("write", self.path, fault, "unknown") from None

    def publish(self) -> None:
        try:
            os.fsync(self._fd)
            _rename_new(self._temporary, self.path)
            self._temporary = None
        except FileExistsError:
            raise _exists(self.path, "unknown") from None
        except OSError as fault:
            raise _trouble("write", self.path, fault, "unknown") from None

    def discard(self) -> None:
        """Frees what is held; a file that was published stays."""
        if self._fd >= 0:
            os.close(self._fd)
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)


def _open_upload(path: str) -> tuple[int, int]:
    """An open descriptor and its size. A FIFO or a device would block an ordinary open, or never end."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as fault:
        raise _trouble("read", path, fault, "no") from None
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        os.close(fd)
        raise WireError("file_error", f"cannot read {path}: it is not a regular file")
    return fd, found.st_size


def check_uploads(paths: list[str]) -> None:
    """For an extension that opens the files itself: are they there, regular and readable?"""
    for path in paths:
        os.close(_open_upload(path)[0])


class Uploads:
    """The bytes of uploads in flight, all commands together. Used from several threads."""

    def __init__(self):
        self._held = 0
        self._lock = threading.Lock()

    def take(self, size: int) -> None:
        with self._lock:
            if self._held + size > UPLOADS_BYTES:
                raise WireError("busy", "uploads of 64 MiB are in flight; wait for one of them")
            self._held += size

    def free(self, size: int) -> None:
        with self._lock:
            self._held -= size


class Upload:
    """What one upload command holds of the Uploads, until its owner frees it."""

    def __init__(self, uploads: Uploads):
        self._uploads, self._taken = uploads, 0

    def read(self, paths: list[str]) -> str:
        """[{"name","base64"}...] with what the files hold: too_large past 16 MiB, also for what grows meanwhile."""
        opened: list[tuple[str, int]] = []
        try:
            for path in paths:
                fd, size = _open_upload(path)
                opened.append((path, fd))
                self._count(size)
            unread = self._taken
            entries = []
            for path, fd in opened:
                content = bytearray()
                while piece := os.read(fd, 1 << 20):
                    if len(piece) > unread:
                        self._count(len(piece) - unread)
                    unread = max(0, unread - len(piece))
                    content += piece
                entries.append('{"name":%s,"base64":"%s"}' % (
                    json.dumps(os.path.basename(path)), base64.b64encode(content).decode("ascii")))
            return "[" + ",".join(entries) + "]"
        except OSError as fault:
            raise _trouble("read", path, fault, "no") from None
        finally:
            for _, fd in opened:
                os.close(fd)

    def _count(self, size: int) -> None:
        if self._taken + size > UPLOAD_BYTES:
            raise WireError("too_large", "the files of one upload may have 16 MiB together")
        self._uploads.take(size)
        self._taken += size

    def free(self) -> None:
        self._uploads.free(self._taken)
        self._taken = 0
