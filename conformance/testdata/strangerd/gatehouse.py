"""Who may come in: Host, Origin, token, path, method and media type, in this order, before anything else is looked at."""

import hmac
import re
from dataclasses import dataclass

from http1 import Request
from wire import WireError

ROUTES = {
    "/ping": ("GET",),
    "/pair": ("POST",),
    "/extension": ("GET", "POST"),
    "/command": ("POST",),
    "/json": ("GET",),
    "/json/": ("GET",),
    "/json/list": ("GET",),
    "/json/list/": ("GET",),
    "/json/version": ("GET",),
    "/json/version/": ("GET",),
    "/admin/pair": ("POST",),
    "/admin/token": ("POST",),
    "/admin/status": ("GET",),
}
TAKES_JSON = ("/pair", "/command", "/admin/pair", "/admin/token")
FOR_EXTENSIONS = ("/ping", "/pair", "/extension")
NEEDS_ORIGIN = ("/pair", "/extension")
SUBPROTOCOL = "omw.v1"
TOKEN_PROTOCOL = "omw-token."

_HOST = re.compile(r"127\.0\.0\.1(:[0-9]{0,5})?")
_CHROME = re.compile(r"chrome-extension://[a-p]{32}")
_FIREFOX = re.compile(r"moz-extension://[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_JSON = re.compile(r'application/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?', re.IGNORECASE)


@dataclass
class Visitor:
    """A request that was let in. browser is None for one that is no extension's."""

    origin: str | None
    browser: str | None
    is_preflight: bool = False


def browser_of(origin: str) -> str | None:
    if _CHROME.fullmatch(origin):
        return "chrome"
    return "firefox" if _FIREFOX.fullmatch(origin) else None


def cors(request: Request) -> tuple:
    """The headers that let an extension read the answer, errors too; none for anybody else."""
    origins = request.all("origin")
    if len(origins) == 1 and request.path in FOR_EXTENSIONS and browser_of(origins[0]):
        return (("Access-Control-Allow-Origin", origins[0]), ("Vary", "Origin"))
    return ()


def admit(request: Request, token: str) -> Visitor:
    """Lets a request in, or raises the WireError that refuses it."""
    _check_host(request)
    visitor = _check_origin(request)
    if visitor.is_preflight:
        return visitor
    if (request.method, request.path) not in (("GET", "/ping"), ("POST", "/pair")) \
            and not hmac.compare_digest(_presented(request), token.encode()):
        raise WireError("unauthorized", "the token is missing or wrong")
    methods = ROUTES.get(request.path)
    if request.path.startswith("/devtools/"):
        methods = ("GET",)
    if methods is None:
        raise WireError("not_found", "there is no such path")
    if request.method not in methods:
        allowed = ", ".join(methods)
        raise WireError("method_not_allowed", f"this path takes {allowed}", headers=(("Allow", allowed),))
    if request.path in TAKES_JSON:
        _check_media(request)
    return visitor


def _check_host(request: Request) -> None:
    hosts = request.all("host")
    if not request.target.startswith("/"):
        raise WireError("forbidden", "only a path is taken as the target of a request")
    if len(hosts) != 1 or not _HOST.fullmatch(hosts[0]):
        raise WireError("forbidden", "the Host of a request must be 127.0.0.1; use http://127.0.0.1 with the port")


def _check_origin(request: Request) -> Visitor:
    origins = request.all("origin")
    if not origins:
        sites = [site.lower() for site in request.tokens("sec-fetch-site")]
        if "cross-site" in sites or "same-site" in sites:
            raise WireError("forbidden", "requests that a web page makes are refused")
        if request.path in NEEDS_ORIGIN:
            raise WireError("forbidden", "this path is for the extension, whose Origin is missing")
        return Visitor(None, None)
    browser = browser_of(origins[0]) if len(origins) == 1 else None
    if browser is None or request.path not in FOR_EXTENSIONS:
        raise WireError("forbidden", "this Origin is not accepted here")
    is_preflight = request.method == "OPTIONS" and bool(request.all("access-control-request-method"))
    return Visitor(origins[0], browser, is_preflight)


def _presented(request: Request) -> bytes:
    """The token that a request carries where its route wants it; empty if it carries none, or two."""
    if (request.method, request.path) == ("GET", "/extension"):
        found = [entry[len(TOKEN_PROTOCOL):] for entry in request.tokens("sec-websocket-protocol")
                 if entry.startswith(TOKEN_PROTOCOL)]
    else:
        found = []
        for value in request.all("authorization"):
            scheme, _, rest = value.partition(" ")
            found.append(rest if scheme.lower() == "bearer" else "")
    return found[0].encode("latin-1") if len(found) == 1 else b""


def _check_media(request: Request) -> None:
    types = request.all("content-type")
    if len(types) > 1 or types and not _JSON.fullmatch(types[0]) or request.all("content-encoding"):
        raise WireError("unsupported_media", "the body must be application/json in UTF-8, not encoded")


def preflight_headers(request: Request) -> tuple:
    """What a preflight of an extension is told: this path's methods, and the headers that its requests carry."""
    headers = (
        ("Access-Control-Allow-Methods", ", ".join(ROUTES[request.path])),
        ("Access-Control-Allow-Headers", "Authorization, Content-Type"),
        ("Access-Control-Max-Age", "600"),
    )
    if request.all("access-control-request-private-network"):
        headers += (("Access-Control-Allow-Private-Network", "true"),)
    return headers
