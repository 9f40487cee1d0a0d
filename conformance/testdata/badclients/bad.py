#!/usr/bin/env python3
"""Clients that are wrong on purpose, each in one way that real ones were seen
to be wrong in. The suite must name each by its rule.

    python3 bad.py FAULT
"""

import http.client
import json
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients" / "python"))
sys.dont_write_bytecode = True

import client as honest  # noqa: E402


class RetriesUncertain(honest.Client):
    """Takes no answer for a failure, and asks again."""

    def command(self, *args, **kwargs):
        outcome, code = super().command(*args, **kwargs)
        if outcome == "unknown":
            super().command(*args, **kwargs)
        return outcome, code


class TokenInURL(honest.Client):
    """Sends the token in the URL, too, as a query that some proxy wanted."""

    def send(self, connection, body):
        connection.request("POST", "/command?token=" + self.token, json.dumps(body), self.headers())
        return json.loads(connection.getresponse().read())


class IgnoresBusy(honest.Client):
    """Hammers a daemon that has said that it has no room."""

    def command(self, *args, **kwargs):
        for _ in range(200):
            outcome, code = super().command(*args, **kwargs)
            if code != "busy":
                break
            time.sleep(0.02)
        return outcome, code


class ReusesIDs(honest.Client):
    """Calls every command by the same id."""

    def send(self, connection, body):
        return super().send(connection, dict(body, id="1"))


class AssumesOrder(honest.Client):
    """Takes the first answer that comes for that of the first command."""

    def __init__(self, url, token):
        super().__init__(url, token)
        self.lock, self.answers, self.asked = threading.Condition(), [], 0

    def command(self, *args, **kwargs):
        with self.lock:
            mine = self.asked
            self.asked += 1
        answer = super().command(*args, **kwargs)
        with self.lock:
            self.answers.append(answer)
            self.lock.notify_all()
            self.lock.wait_for(lambda: len(self.answers) > mine)
            return self.answers[mine]


class TrustsStatus(honest.Client):
    """Takes the HTTP status for the outcome."""

    def send(self, connection, body):
        connection.request("POST", "/command", json.dumps(body), self.headers())
        response = connection.getresponse()
        response.read()
        return {"ok": response.status == 200, "error": {"code": "bad_request"}}


class NoDeadline(honest.Client):
    """Waits for ever, and leaves the time to the daemon's default."""

    def command(self, action, args=None, session=None, timeout_ms=None):
        body = {"action": action, "args": args or {}, "session": session or "default"}
        connection = http.client.HTTPConnection(self.host, self.port)
        try:
            self.prove(connection)
        except honest.Stranger:
            return "error", "unauthorized"
        try:
            return self.read(self.send(connection, body))
        except (OSError, http.client.HTTPException, ValueError):
            return "unknown", ""


class SkipsProof(honest.Client):
    """Sends the token to whoever listens there."""

    def prove(self, connection):
        pass


FAULTS = {
    "retries-uncertain": RetriesUncertain,
    "token-in-url": TokenInURL,
    "ignores-busy": IgnoresBusy,
    "reuses-ids": ReusesIDs,
    "assumes-order": AssumesOrder,
    "trusts-status": TrustsStatus,
    "no-deadline": NoDeadline,
    "skips-proof": SkipsProof,
}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in FAULTS:
        sys.exit("usage: bad.py " + "|".join(FAULTS))
    honest.main(FAULTS[sys.argv[1]])
