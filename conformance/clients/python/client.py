#!/usr/bin/env python3
"""A small client of omw in Python, with nothing but the standard library.

The class Client is what an agent would use. main() puts it under test: it
speaks the driver's contract of the suite on standard input and output.

    omw-conformance run --role client --target "exec:python3 conformance/clients/python/client.py"
"""

import base64
import hashlib
import hmac
import http.client
import json
import secrets
import sys
import threading
import urllib.parse

# How much longer than the daemon the client waits: the daemon knows more about
# what came of a command, so it is to answer first.
GRACE = 5.0
DEFAULT_TIMEOUT_MS = 30000


class Stranger(Exception):
    """Whoever listens there has not shown that it knows the token."""


class Client:
    def __init__(self, url, token):
        parts = urllib.parse.urlsplit(url)
        self.host, self.port, self.token = parts.hostname, parts.port, token

    def command(self, action, args=None, session=None, timeout_ms=None):
        """Sends one command, once, and returns (outcome, code).

        The outcome is "ok", "error" or "unknown". After "unknown" the command
        may have run and may not: look at the page before it is sent again.
        """
        timeout_ms = timeout_ms or DEFAULT_TIMEOUT_MS
        body = {"action": action, "args": args or {}, "timeout_ms": timeout_ms}
        if session:
            body["session"] = session
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout_ms / 1000 + GRACE)
        try:
            self.prove(connection)
        except (OSError, http.client.HTTPException, ValueError):
            connection.close()
            return "error", "not_connected"
        except Stranger:
            connection.close()
            return "error", "unauthorized"
        try:
            answer = self.send(connection, body)
        except (OSError, http.client.HTTPException, ValueError):
            # It went out, or a part of it, and nobody said what came of it.
            return "unknown", ""
        finally:
            connection.close()
        return self.read(answer)

    def prove(self, connection):
        """Has the daemon show that it knows the token, over the connection that
        the token will be sent on."""
        nonce = secrets.token_urlsafe(24)
        connection.request("GET", "/ping?nonce=" + nonce)
        pong = json.loads(connection.getresponse().read())
        digest = hmac.new(self.token.encode(), b"omw-ping:" + nonce.encode(), hashlib.sha256).digest()
        proof = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if not hmac.compare_digest(proof, str(pong.get("proof", ""))):
            raise Stranger()

    def send(self, connection, body):
        connection.request("POST", "/command", json.dumps(body), self.headers())
        return json.loads(connection.getresponse().read())

    def headers(self):
        return {"Content-Type": "application/json", "Authorization": "Bearer " + self.token}

    def read(self, answer):
        """Tells by the answer, not by the HTTP status, what came of a command."""
        if answer.get("ok") is True:
            return "ok", ""
        error = answer.get("error") or {}
        code = error.get("code", "")
        if code == "outcome_unknown":
            return "unknown", code
        return "error", code


def main(make=Client):
    printing = threading.Lock()

    def say(message):
        with printing:
            print(json.dumps(message), flush=True)

    def do(client, told):
        outcome, code = client.command(told["action"], told.get("args"), told.get("session"), told.get("timeout_ms"))
        say({"cmd": "done", "n": told["n"], "outcome": outcome, "code": code})

    client = None
    for line in sys.stdin:
        told = json.loads(line)
        if told["cmd"] == "start":
            client = make(told["url"], told["token"])
            say({"cmd": "started", "name": "omw example in Python", "version": "1"})
        elif told["cmd"] == "do":
            threading.Thread(target=do, args=(client, told), daemon=True).start()
        elif told["cmd"] == "stop":
            return


if __name__ == "__main__":
    main()
