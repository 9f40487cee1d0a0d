"""The wire of omw.v1 as wire.md has it: limits, error codes, strict JSON and the envelope of a command.

Nothing here knows a socket. Sizes are bytes, times are seconds unless a name says otherwise.
"""

import json
import re
import secrets
import unicodedata
from dataclasses import dataclass
from json.decoder import scanstring
from typing import Any, NamedTuple

import actions

VERSION = "0.1.0"

MIB = 1 << 20

BODY_BYTES = 2 * MIB
BODY_SECONDS = 30
PAIR_BODY_BYTES = 1024
PAIR_BODY_SECONDS = 5
PAIR_AT_ONCE = 4
CODE_SECONDS = 300
CODE_ATTEMPTS = 5
GUESS_SECONDS = 1
REQUESTS = 288
CONNECTIONS = 1024
STALL_SECONDS = 30
ORDINARY = 128
RESERVED = 16
SESSIONS = 128
MESSAGE_BYTES = 32 * MIB
BUFFERED_BYTES = 64 * MIB
UPLOAD_BYTES = 16 * MIB
UPLOADS_BYTES = 64 * MIB
ARTIFACT_BYTES = 100 * MIB
CHUNK_BYTES = MIB
TIMEOUT_MS = 30_000
MAX_TIMEOUT_MS = 120_000
HELLO_SECONDS = 10
SILENCE_SECONDS = 45
LEVELS = 64

STATUS = {
    "bad_request": 400, "unauthorized": 401, "forbidden": 403, "not_found": 404, "method_not_allowed": 405,
    "request_timeout": 408, "conflict": 409, "too_large": 413, "unsupported_media": 415, "internal": 500,
    "busy": 503, "not_connected": 503,
}
CODES = frozenset(STATUS) | {
    "session_bound", "session_closed", "tab_taken", "tab_gone", "no_tab", "dialog_open", "debugger_conflict",
    "stale_ref", "not_actionable", "navigation_failed", "unsupported", "permission", "file_exists", "file_error",
    "page_error", "outcome_unknown",
}


class WireError(Exception):
    """A refusal or a failure, as it is told to whoever asked. delivered is "no" until a frame has gone out."""

    def __init__(self, code: str, message: str, delivered: str = "no", headers: tuple = ()):
        super().__init__(message)
        self.code, self.message, self.delivered, self.headers = code, message, delivered, headers
        self.id: str | None = None

    def as_object(self) -> dict:
        return {"code": self.code, "message": self.message, "delivered": self.delivered}


def unknown(message: str, delivered: str = "unknown") -> WireError:
    return WireError("outcome_unknown", message, delivered)


class NotJSON(Exception):
    """The text is not one JSON object."""


class Member(NamedTuple):
    """A member of a JSON object: its value, and its text exactly as it stood in the message."""

    value: Any
    raw: str


def _no_constant(name: str):
    raise ValueError(f"{name} is not JSON")


def _integer(text: str):
    # A number of a million digits takes Python quadratic time; no integer of the wire is that long.
    return int(text) if len(text) < 400 else float("inf")


def _unique(pairs: list) -> dict:
    found = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {json.dumps(key)} stands twice in one object")
        if has_surrogate(key):
            raise ValueError(f"the key {json.dumps(key)} holds a lone surrogate")
        found[key] = value
    return found


STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_integer)
# What comes from a page may hold duplicate keys; its text is passed on as it is.
LENIENT = json.JSONDecoder(parse_constant=_no_constant, parse_int=_integer)
_BLANK = re.compile(r"[ \t\n\r]*")
_NESTING = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
TOO_DEEP = object()


def has_surrogate(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


def read_members(text: str, decoder: json.JSONDecoder) -> tuple[dict[str, Member], bool]:
    """Reads one JSON object and keeps the text of each member, so that it can be spliced unchanged.

    Also says whether a key of the object itself stood twice (the first one is kept). A member that nests too deep for
    the decoder has the value TOO_DEEP. Raises NotJSON.
    """
    members: dict[str, Member] = {}
    twice = False

    def blank(at: int) -> int:
        return _BLANK.match(text, at).end()

    try:
        at = blank(0)
        if text[at:at + 1] != "{":
            raise ValueError("expected one JSON object")
        at = blank(at + 1)
        while text[at:at + 1] != "}":
            if members:
                if text[at:at + 1] != ",":
                    raise ValueError(f"expected , or }} at character {at}")
                at = blank(at + 1)
            if text[at:at + 1] != '"':
                raise ValueError(f"expected a key at character {at}")
            key, at = scanstring(text, at + 1, True)
            at = blank(at)
            if text[at:at + 1] != ":":
                raise ValueError(f"expected : at character {at}")
            start = blank(at + 1)
            try:
                value, end = decoder.raw_decode(text, start)
            except RecursionError:
                value, end = TOO_DEEP, _end_of_nest(text, start)
            twice = twice or key in members
            members.setdefault(key, Member(value, text[start:end]))
            at = blank(end)
        if blank(at + 1) != len(text):
            raise ValueError(f"something follows the object at character {at + 1}")
    except ValueError as fault:
        raise NotJSON(str(fault)) from None
    return members, twice


def _end_of_nest(text: str, start: int) -> int:
    depth = 0
    for token in _NESTING.finditer(text, start):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    raise ValueError("the object is cut off")


def _refuse_deep(text: str) -> None:
    """Refuses text that nests too deep before any parser has to descend."""
    depth = 0
    for token in _NESTING.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > LEVELS:
            raise WireError("bad_request", f"the body is no JSON of at most {LEVELS} levels")


def too_deep(value: Any, allowed: int) -> bool:
    """Whether value nests more than allowed levels."""
    if value is TOO_DEEP:
        return True
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return False
    return allowed == 0 or any(too_deep(inner, allowed - 1) for inner in value)


def read_strict(data: bytes) -> dict[str, Member]:
    """Reads what an agent sent: one object, no BOM, no duplicate key at any depth, at most 64 levels."""
    if data.startswith(b"\xef\xbb\xbf"):
        raise WireError("bad_request", "the body begins with a byte order mark; send UTF-8 without one")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise WireError("bad_request", f"the body is not UTF-8 at byte {fault.start}") from None
    if data.count(b"{") + data.count(b"[") > LEVELS:
        _refuse_deep(text)
    try:
        members, twice = read_members(text, STRICT)
    except NotJSON as fault:
        raise WireError("bad_request", f"the body is not one strict JSON object: {fault}") from None
    if twice:
        raise WireError("bad_request", "the body is not one strict JSON object: a key stands twice in it")
    for key in members:
        if has_surrogate(key):
            raise WireError("bad_request", f"the key {json.dumps(key)} holds a lone surrogate")
    if data.count(b"{") + data.count(b"[") > LEVELS:
        for key, member in members.items():
            if too_deep(member.value, LEVELS - 1):
                raise WireError("bad_request", f"{key}: more than {LEVELS} levels deep")
    return members


def only(members: dict[str, Member], allowed: tuple) -> None:
    for key in members:
        if key not in allowed:
            raise WireError("bad_request", f"{json.dumps(key)} is not a field of this request")


BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def is_session(name: Any) -> bool:
    """1 to 128 bytes of UTF-8, no control or bidi-override character, no blank at either end."""
    if not isinstance(name, str) or not name or has_surrogate(name) or len(name.encode()) > 128:
        return False
    if name[0].isspace() or name[-1].isspace():
        return False
    return not any(unicodedata.category(char) == "Cc" or char in BIDI for char in name)


def is_id(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[ -~]{1,128}", value) is not None


def new_id() -> str:
    return secrets.token_hex(16)


@dataclass
class Command:
    """A command whose envelope and arguments were found good. raw is the text of each argument."""

    id: str
    action: actions.Action
    args: dict[str, Any]
    raw: dict[str, str]
    session: str
    browser: str | None
    timeout_ms: int

    @property
    def file_path(self) -> str | None:
        """Where the result of a screenshot or PDF is to be written."""
        return self.args.get("path") if self.action.name in ("screenshot", "pdf") else None


FIELDS = ("action", "args", "session", "browser", "id", "timeout_ms")


def read_command(data: bytes, default_ms: int, over_link: bool = False) -> Command:
    """Reads the envelope of POST /command, or of a request frame, which adds its type and may name no files.

    A WireError raised here carries the request's id when that could be read.
    """
    members = read_strict(data)
    given = members["id"].value if "id" in members else new_id()
    try:
        if not is_id(given):
            given = None
            raise WireError("bad_request", "id: must be 1 to 128 printable ASCII characters")
        only(members, FIELDS + ("type",) if over_link else FIELDS)
        return _checked(members, given, default_ms, over_link)
    except WireError as fault:
        fault.id = given
        raise


def _checked(members: dict[str, Member], given: str, default_ms: int, over_link: bool) -> Command:
    def value(name, default=None):
        return members[name].value if name in members else default

    name = value("action")
    if not isinstance(name, str):
        raise WireError("bad_request", "action: a name is required, as text")
    action = actions.find(name)
    if action is None:
        raise WireError("bad_request", f"action: {json.dumps(name[:64])} is not an action of omw.v1")
    session = value("session", "default")
    if not is_session(session):
        raise WireError("bad_request", "session: must be text of 1 to 128 bytes, without control or bidi-override "
                        "characters and without a blank at either end")
    browser = value("browser")
    if "browser" in members and browser not in ("chrome", "firefox"):
        raise WireError("bad_request", 'browser: must be "chrome" or "firefox"')
    timeout = value("timeout_ms", default_ms)
    if not isinstance(timeout, int) or isinstance(timeout, bool) or not 1 <= timeout <= MAX_TIMEOUT_MS:
        raise WireError("bad_request", f"timeout_ms: must be a whole number from 1 to the maximum of {MAX_TIMEOUT_MS} "
                        "(120 seconds)")
    args = value("args", {})
    if not isinstance(args, dict):
        raise WireError("bad_request", "args: must be an object")
    fault = action.fault(args)
    if fault:
        raise WireError("bad_request", fault)
    if over_link and action.names_files(args):
        raise WireError("bad_request", "args: a request from the extension names no files")
    raw = {}
    if "args" in members:
        raw = {key: member.raw for key, member in read_members(members["args"].raw, LENIENT)[0].items()}
    return Command(given, action, args, raw, session, browser, timeout)


def splice(members: dict[str, str]) -> str:
    """The JSON object of members whose values are JSON text already."""
    return "{" + ",".join(f"{json.dumps(key)}:{raw}" for key, raw in members.items()) + "}"


def success(id: str, data: str) -> bytes:
    return b'{"id":%s,"ok":true,"data":%s}' % (json.dumps(id).encode(), data.encode())


def failure(id: str | None, fault: WireError) -> bytes:
    answer = {"id": id} if id is not None else {}
    return json.dumps(answer | {"ok": False, "error": fault.as_object()}).encode()
