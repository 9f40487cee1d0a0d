"""Tests of strangerd over real sockets, with its real limits. Run: python3 -m unittest (about a minute)."""

import sys

sys.dont_write_bytecode = True

import base64
import concurrent.futures
import ctypes
import errno
import hashlib
import hmac
import json
import os
import random
import signal
import socket
import stat
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import files
import home
import pairing
import wire
from actors import CHROME, FIREFOX, Daemon, WebSocket, head, read_answer, temporary_names, wait_until

CLICK = {"ref": "@e1"}
MIB = 1 << 20


class WithDaemon(unittest.TestCase):
    """Each test has a daemon of its own; a strict one unless the class says otherwise."""

    flags = ("--strict",)

    def setUp(self):
        self.daemon = Daemon(*self.flags)
        self.addCleanup(self.daemon.close)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def refused(self, answer, status, code):
        self.assertEqual((answer.status, answer.code), (status, code), answer)
        self.assertEqual(answer.delivered, "no")
        self.assertNotIn(self.daemon.token, answer.raw_body.decode())


class Gate(WithDaemon):
    def test_the_token_is_needed_everywhere_but_ping_and_pair(self):
        for method, path in (("POST", "/command"), ("GET", "/json/version"), ("GET", "/admin/status"), ("GET", "/nowhere"),
                             ("PUT", "/command"), ("POST", "/ping"), ("GET", "/json/list"),
                             ("GET", f"/json/version?token={self.daemon.token}"), ("GET", f"/{self.daemon.token}")):
            with self.subTest(method=method, path=path):
                self.refused(self.daemon.request(method, path, token=False), 401, "unauthorized")
        self.assertEqual(self.daemon.request("HEAD", "/ping", token=False).status, 401)
        self.assertEqual(self.daemon.request("GET", "/ping", token=False).status, 200)

    def test_bearer_is_spelt_as_the_wire_says(self):
        token = self.daemon.token
        for value in (f"Bearer {token}", f"bearer {token}", f"BEARER {token}"):
            self.assertEqual(self.daemon.request("GET", "/json/version", {"Authorization": value}, token=False).status, 200)
        for value in (f"Bearer  {token}", f"Bearer {token.swapcase()}", f"Bearer {token}x", f"Bearer {token[:-1]}", "Bearer",
                      "Bearer ", token, f"Basic {token}", f"Bearer {token}, Bearer x"):
            with self.subTest(value=value):
                self.refused(self.daemon.request("GET", "/json/version", {"Authorization": value}, token=False), 401, "unauthorized")
        two = [("Authorization", f"Bearer {token}"), ("Authorization", "Bearer x")]
        self.refused(self.daemon.request("GET", "/json/version", two, token=False), 401, "unauthorized")
        self.refused(self.daemon.request("GET", "/json/version", {"Cookie": f"token={token}"}, token=False), 401, "unauthorized")

    def test_the_host_is_127_0_0_1(self):
        for host in ("127.0.0.1", "127.0.0.1:17373", "127.0.0.1:9999"):
            self.assertEqual(self.daemon.request("GET", "/ping", token=False, host=host).status, 200)
        for host in ("localhost", "localhost:17373", "127.0.0.1.", "[::1]", "127.1", "2130706433", "evil.example:127.0.0.1",
                     "127.0.0.1.evil.example", "127.0.0.1,evil.example", "127.0.0.1:17373@evil.example", "", None):
            for path in ("/ping", "/command", "/nowhere"):
                with self.subTest(host=host, path=path):
                    self.refused(self.daemon.request("GET", path, host=host), 403, "forbidden")
        for target in ("http://127.0.0.1/ping", "*", "127.0.0.1:80"):
            method = "OPTIONS" if target == "*" else "GET"
            self.refused(self.daemon.request(method, target), 403, "forbidden")
        self.refused(self.daemon.request("GET", "/ping", {"Host": "127.0.0.1"}), 403, "forbidden")

    def test_origins(self):
        letters = CHROME.removeprefix("chrome-extension://")
        for origin in ("http://127.0.0.1", "https://evil.example", "null", "file://", "data:", f"https://{letters}",
                       CHROME[:-1], CHROME + "a", CHROME[:-1] + "q", CHROME[:-1] + "1", CHROME.upper(), CHROME + "/",
                       CHROME + ":80", CHROME + "/x", FIREFOX[:-1], FIREFOX[:-1] + "g", "safari-web-extension://" + letters, ""):
            for method, path in (("GET", "/ping"), ("POST", "/pair"), ("POST", "/command"), ("GET", "/nowhere")):
                with self.subTest(origin=origin, path=path):
                    self.refused(self.daemon.request(method, path, {"Origin": origin}), 403, "forbidden")
        for origin in (CHROME, FIREFOX):
            answer = self.daemon.request("GET", "/ping", {"Origin": origin}, token=False)
            self.assertEqual((answer.status, answer.header("Access-Control-Allow-Origin")), (200, origin))
            for path in ("/command", "/json/list", "/devtools/page/1", "/admin/pair", "/nowhere"):
                answer = self.daemon.request("POST", path, {"Origin": origin})
                self.refused(answer, 403, "forbidden")
                self.assertIsNone(answer.header("Access-Control-Allow-Origin"))
        self.refused(self.daemon.request("POST", "/pair", token=False), 403, "forbidden")
        self.refused(self.daemon.request("POST", "/extension"), 403, "forbidden")
        self.refused(self.daemon.request("GET", "/ping", [("Origin", CHROME), ("Origin", CHROME)]), 403, "forbidden")

    def test_requests_of_web_pages_without_origin_are_refused_and_answers_are_guarded(self):
        for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)):
            answer = self.daemon.request("GET", "/ping", {"Sec-Fetch-Site": site}, token=False)
            self.assertEqual(answer.status, status)
            for name, value in (("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
                                ("Cross-Origin-Resource-Policy", "same-origin")):
                self.assertEqual(answer.header(name), value)

    def test_preflights_of_extensions(self):
        asks = {"Origin": CHROME, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type",
                "Access-Control-Request-Private-Network": "true"}
        for path in ("/pair", "/ping", "/extension"):
            answer = self.daemon.request("OPTIONS", path, asks, token=False)
            self.assertEqual((answer.status, answer.header("Access-Control-Allow-Origin")), (204, CHROME))
            self.assertEqual(answer.header("Access-Control-Allow-Private-Network"), "true")
            self.assertEqual(answer.header("Vary"), "Origin")
            self.assertIsNone(answer.header("Access-Control-Allow-Credentials"))
        self.refused(self.daemon.request("OPTIONS", "/command", asks), 403, "forbidden")
        self.refused(self.daemon.request("OPTIONS", "/pair", {"Origin": CHROME}, token=False), 401, "unauthorized")
        answer = self.daemon.request("POST", "/extension", {"Origin": CHROME}, token=False)
        self.assertEqual((answer.status, answer.header("Access-Control-Allow-Origin")), (401, CHROME))

    def test_paths_methods_and_media_types(self):
        self.refused(self.daemon.request("GET", "/nowhere"), 404, "not_found")
        answer = self.daemon.request("GET", "/command")
        self.refused(answer, 405, "method_not_allowed")
        self.assertEqual(answer.header("Allow"), "POST")
        for kind, status in (("application/json", 400), ("Application/JSON; charset=UTF-8", 400), ("text/plain", 415),
                             ("application/json; charset=latin1", 415), ("application/jsonx", 415)):
            answer = self.daemon.request("POST", "/command", {"Content-Type": kind}, b"{}")
            self.assertEqual(answer.status, status, kind)

    def test_ping_proves_that_it_knows_the_token(self):
        nonce = "A" * 21 + "-"
        answer = self.daemon.request("GET", f"/ping?nonce={nonce}", token=False)
        proof = hmac.digest(self.daemon.token.encode(), b"omw-ping:" + nonce.encode(), hashlib.sha256)
        self.assertEqual(base64.urlsafe_b64decode(answer.body["proof"] + "="), proof)
        for nonce, status in (("A" * 21, 400), ("A" * 22, 200), ("A" * 64, 200), ("A" * 65, 400), ("A" * 21 + "!", 400)):
            self.assertEqual(self.daemon.request("GET", f"/ping?nonce={nonce}", token=False).status, status)

    def test_malformed_http_gets_400_and_the_daemon_goes_on(self):
        good = "Host: 127.0.0.1\r\nAuthorization: Bearer " + self.daemon.token + "\r\n"
        for raw in ("GET /ping\r\n\r\n", "GET /ping HTTP/2.0\r\n\r\n", f"GET /ping HTTP/1.1\r\n{good}bad line\r\n\r\n",
                    f"POST /command HTTP/1.1\r\n{good}Content-Length: 2\r\nContent-Length: 3\r\n\r\n",
                    f"POST /command HTTP/1.1\r\n{good}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
                    f"POST /command HTTP/1.1\r\n{good}Content-Length: +2\r\n\r\n",
                    f"POST /command HTTP/1.1\r\n{good}Content-Length: 2x\r\n\r\n",
                    f"POST /command HTTP/1.1\r\n{good}Transfer-Encoding: chunked\r\n\r\nxyz\r\n"):
            sock = self.daemon.connect()
            sock.sendall(raw.encode())
            self.refused(read_answer(sock), 400, "bad_request")
        self.assertEqual(self.daemon.request("GET", "/ping").status, 200)

    def test_json_version_needs_no_browser_and_the_rest_of_cdp_needs_chrome(self):
        self.assertEqual(self.daemon.request("GET", "/json/version").status, 200)
        self.daemon.browser("firefox")
        for path in ("/json", "/json/list", "/devtools/page/1"):
            self.refused(self.daemon.request("GET", path), 503, "not_connected")
        self.refused_command(self.daemon.command("cdp", {"method": "Page.enable"}), "not_connected")
        self.refused_command(self.daemon.command("cdp", {"method": "Page.enable"}, browser="firefox"), "unsupported")

    def refused_command(self, answer, code):
        self.assertEqual((answer.status, answer.code, answer.delivered), (200, code, "no"), answer)


class PairingRules(unittest.TestCase):
    """The code by a clock of the test's own: seconds, exact."""

    def setUp(self):
        self.now = 1000.0
        self.pairing = pairing.Pairing(clock=lambda: self.now)

    def redeem(self, code, wait=1.0):
        self.now += wait
        try:
            self.pairing.redeem(code, CHROME)
        except wire.WireError as fault:
            return fault.code
        return "redeemed"

    def wrong(self, code):
        return f"{(int(code) + 1) % 1_000_000:06}"

    def test_a_code_lives_five_minutes(self):
        self.assertEqual(self.redeem(self.pairing.open(), 299.999), "redeemed")
        self.assertEqual(self.redeem(self.pairing.open(), 300.0), "unauthorized")

    def test_a_code_has_five_attempts(self):
        code = self.pairing.open()
        self.assertEqual([self.redeem(self.wrong(code)) for _ in range(4)], ["unauthorized"] * 4)
        self.assertEqual(self.redeem(code), "redeemed")
        code = self.pairing.open()
        self.assertEqual([self.redeem(self.wrong(code)) for _ in range(5)], ["unauthorized"] * 5)
        self.assertEqual(self.redeem(code), "unauthorized")

    def test_a_code_is_redeemed_once(self):
        code = self.pairing.open()
        self.assertEqual([self.redeem(code), self.redeem(code)], ["redeemed", "unauthorized"])

    def test_the_deviating_daemon_lets_it_be_redeemed_twice_within_its_life(self):
        self.pairing = pairing.Pairing(redemptions=2, clock=lambda: self.now)
        code = self.pairing.open()
        self.assertEqual([self.redeem(code) for _ in range(3)], ["redeemed", "redeemed", "unauthorized"])
        code = self.pairing.open()
        self.assertEqual([self.redeem(code), self.redeem(code, 299.0)], ["redeemed", "unauthorized"])
        code = self.pairing.open()
        self.assertEqual([self.redeem(self.wrong(code)) for _ in range(5)] + [self.redeem(code)], ["unauthorized"] * 6)

    def test_a_guess_within_a_second_is_not_compared_and_spends_nothing(self):
        code = self.pairing.open()
        self.redeem(self.wrong(code))
        self.assertEqual([self.redeem(code, 0.2), self.redeem(code, 0.2)], ["busy", "busy"])
        self.assertEqual(self.pairing.status()["attempts_left"], 4)
        self.assertEqual(self.redeem(code, 0.6), "redeemed")
        outcomes = [attempt["outcome"] for attempt in self.pairing.status()["attempts"]]
        self.assertEqual(outcomes, ["wrong", "too_soon", "too_soon", "redeemed"])


class PairingOnTheWire(WithDaemon):
    def pair(self, body, origin=CHROME):
        return self.daemon.request("POST", "/pair", {"Origin": origin}, json.dumps(body).encode(), token=False)

    def test_pairing(self):
        made = self.daemon.request("POST", "/admin/pair")
        self.assertEqual(made.body["expires_ms"], 300_000)
        code = made.body["code"]
        self.assertRegex(code, "^[0-9]{6}$")
        for body in ({"code": int(code)}, {"code": code[:5]}, {"code": "0" + code}, {"code": " " + code}, {"code": [code]},
                     {"code": None}, {"code": "０１２３４５"}, {}, {"code": code, "more": 1}):
            self.refused(self.pair(body), 400, "bad_request")
        self.assertEqual(self.daemon.request("GET", "/admin/status").body["pairing"]["attempts_left"], 5)
        answer = self.pair({"code": code})
        self.assertEqual(answer.body, {"token": self.daemon.token})
        self.assertEqual(answer.header("Access-Control-Allow-Origin"), CHROME)
        answer = self.pair({"code": code})
        self.assertEqual((answer.status, answer.code, answer.header("Retry-After")), (503, "busy", "1"))
        time.sleep(1)
        self.refused(self.pair({"code": code}, FIREFOX), 401, "unauthorized")

    def test_bodies_are_small_and_four_at_a_time(self):
        limit = b'{"code":"x"}' + b" " * 1012
        for body, status in ((limit, 400), (limit + b" ", 413)):
            self.assertEqual(self.daemon.request("POST", "/pair", {"Origin": CHROME}, body, token=False).status, status)
        began = time.monotonic()
        slow = []
        for _ in range(4):
            sock = self.daemon.connect()
            sock.sendall(head("POST", "/pair", {"Origin": CHROME}, 10, None, "127.0.0.1"))
            slow.append(sock)
        wait_until(lambda: self.daemon.request("GET", "/admin/status").body["requests"] == 5)
        self.refused(self.pair({"code": "000000"}), 503, "busy")
        self.assertEqual([read_answer(sock).status for sock in slow], [408] * 4)
        self.assertTrue(5 <= time.monotonic() - began < 8)

    def test_rotation_voids_the_code_and_drops_the_links(self):
        code, old = self.daemon.request("POST", "/admin/pair").body["code"], self.daemon.token
        chrome = self.daemon.browser("chrome")
        fresh = self.daemon.request("POST", "/admin/token").body["token"]
        self.assertEqual(fresh, self.daemon.token)
        self.assertNotEqual(fresh, old)
        self.assertTrue(chrome.closed.wait(5))
        self.refused(self.pair({"code": code}), 401, "unauthorized")
        self.assertEqual(self.daemon.request("GET", "/json/version", {"Authorization": f"Bearer {old}"}, token=False).status, 401)


class Deviations(WithDaemon):
    """What a daemon without --strict breaks on the wire; the default timeout is among the Waits."""

    flags = ()

    def test_a_code_is_redeemed_twice(self):
        code = self.daemon.request("POST", "/admin/pair").body["code"]
        body = json.dumps({"code": code}).encode()
        for wait, status in ((0, 200), (1, 200), (1, 401)):
            time.sleep(wait)
            self.assertEqual(self.daemon.request("POST", "/pair", {"Origin": CHROME}, body, token=False).status, status)

    def test_an_unbound_session_goes_to_firefox_first(self):
        chrome = self.daemon.browser("chrome")
        self.daemon.command("click", CLICK, session="alone")
        firefox = self.daemon.browser("firefox")
        self.daemon.command("click", CLICK, session="both")
        self.daemon.command("click", CLICK, session="named", browser="chrome")
        self.daemon.command("cdp", {"method": "Page.enable"}, session="raw")
        self.assertEqual(self.daemon.bindings, {"alone": "chrome", "both": "firefox", "named": "chrome", "raw": "chrome"})
        self.assertEqual((chrome.commands.qsize(), firefox.commands.qsize()), (3, 1))


class ConfigDirectory(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name) / "home"

    def run_daemon(self, *flags, **options):
        daemon = Daemon(*flags, home=self.path, **options)
        self.addCleanup(daemon.close)
        return daemon

    def mode(self, path):
        return stat.S_IMODE(path.stat().st_mode)

    def test_modes_and_shape_under_a_wide_umask(self):
        daemon = self.run_daemon(umask=0)
        chrome = daemon.browser("chrome")
        daemon.command("click", CLICK)
        self.assertEqual(self.mode(self.path), 0o700)
        for name in ("config.json", "bindings.json"):
            self.assertEqual(self.mode(self.path / name), 0o600)
            self.assertEqual(json.loads((self.path / name).read_text())["version"], 1)
        self.assertRegex(daemon.token, "^[A-Za-z0-9_-]{43}$")
        chrome.close()

    def test_a_second_daemon_on_the_directory_or_the_port_touches_nothing(self):
        first = self.run_daemon()
        before = (self.path / "config.json").read_bytes()
        second = self.run_daemon()
        code, errors, _ = second.stop()
        self.assertEqual(code, 1)
        self.assertIn(str(self.path), errors)
        self.assertEqual((self.path / "config.json").read_bytes(), before)
        other = self.path.parent / "other"
        third = Daemon("--listen-port", str(first.port), home=other)
        self.addCleanup(third.close)
        code, errors, _ = third.stop()
        self.assertEqual(code, 1)
        self.assertIn(str(first.port), errors)
        self.assertFalse(other.exists())
        self.assertEqual(first.request("GET", "/json/version").status, 200)

    def test_other_addresses_are_refused(self):
        for address in ("0.0.0.0", "127.0.0.2", "localhost", "::1"):
            code, errors, _ = self.run_daemon("--listen-address", address).stop()
            self.assertEqual(code, 1)
            self.assertIn("127.0.0.1", errors)
        self.assertFalse(self.path.exists())

    def test_a_config_that_cannot_be_parsed_stops_the_daemon_and_is_left(self):
        self.path.mkdir(0o700)
        for content in ("", "{", "null", "[]", '{"version":1,"token":""}', '{"version":1,"token":123}', '{"version":2}'):
            (self.path / "config.json").write_text(content)
            code, errors, _ = self.run_daemon().stop()
            self.assertEqual((code, len(errors.splitlines())), (1, 2 if "0600" in errors else 1), errors)
            self.assertEqual((self.path / "config.json").read_text(), content)

    def test_bindings_that_cannot_be_parsed_are_set_aside(self):
        self.path.mkdir(0o700)
        (self.path / "bindings.json").write_text('{"version":1,"sess')
        daemon = self.run_daemon()
        self.assertEqual(daemon.request("GET", "/admin/status").body["sessions"], {})
        self.assertEqual((self.path / "bindings.json.unreadable").read_text(), '{"version":1,"sess')

    def test_wide_modes_are_tightened_on_our_directory_alone(self):
        self.path.mkdir()
        self.path.chmod(0o755)
        daemon = self.run_daemon()
        code, errors, _ = daemon.stop()
        self.assertEqual((code, self.mode(self.path)), (0, 0o700))
        self.assertIn("0700", errors)
        self.path.chmod(0o755)
        (self.path / "config.json").chmod(0o644)
        code, errors, _ = self.run_daemon().stop()
        self.assertEqual((code, self.mode(self.path), self.mode(self.path / "config.json")), (0, 0o700, 0o600))
        (self.path / "config.json").rename(self.path / "letter.txt")
        self.path.chmod(0o755)
        code, errors, _ = self.run_daemon().stop()
        self.assertEqual((code, self.mode(self.path)), (1, 0o755))

    def test_left_over_temporary_files_are_removed_and_a_killed_daemon_keeps_its_token(self):
        daemon = self.run_daemon()
        token = daemon.token
        daemon.process.kill()
        daemon.process.wait()
        (self.path / (home.TEMPORARY + "0123456789ab")).write_text("{")
        daemon = self.run_daemon()
        self.assertEqual(daemon.token, token)
        self.assertEqual(temporary_names(self.path), [])

    def test_no_output_holds_a_token_or_a_code(self):
        daemon = self.run_daemon("--verbose")
        token = daemon.token
        daemon.browser("chrome")
        code = daemon.request("POST", "/admin/pair").body["code"]
        daemon.request("GET", f"/{token}?t={token}")
        answers = [daemon.command(token), daemon.command("click", {token: 1}), daemon.command("click", session=token + " "),
                   daemon.request("POST", "/pair", {"Origin": CHROME}, json.dumps({token: 1}).encode())]
        for answer in answers:
            self.assertEqual(answer.status, 400)
            self.assertNotIn(token, answer.raw_body.decode())
        _, errors, _ = daemon.stop()
        self.assertIn("/admin/pair", errors)
        self.assertNotIn(token, errors)
        self.assertNotIn(code, errors)


class Envelope(WithDaemon):
    def post(self, body):
        return self.daemon.request("POST", "/command", {}, body)

    def test_what_is_no_strict_object_is_refused(self):
        chrome = self.daemon.browser("chrome")
        good = b'{"action":"status"}'
        deep = b'{"action":"cdp","args":{"method":"A.b","params":{"x":%s}}}'
        cases = {
            "empty": b"", "two": good + good, "trailing": good + b" x", "bom": b"\xef\xbb\xbf" + good, "null": b"null",
            "list": b"[]", "text": b'"x"', "comma": b'{"action":"status",}', "nan": b'{"action":"wait","args":{"ms":NaN}}',
            "twice": b'{"action":"status","action":"status"}', "utf-8": b'{"action":"status","id":"\xff"}',
            "twice within": deep % b'{"a":1,"a":2}', "surrogate key": deep % b'{"\\ud800":1}',
            "surrogate in id": b'{"action":"status","id":"\\ud800"}', "control": b'{"action":"sta\ntus"}',
            "surrogate in session": b'{"action":"status","session":"\\udc00"}', "case": b'{"Action":"status"}',
            "65 levels": deep % (b"[" * 62 + b"]" * 62), "a million levels": deep % (b"[" * 900_000 + b"]" * 900_000),
        }
        for name, body in cases.items():
            with self.subTest(name):
                self.refused(self.post(body), 400, "bad_request")
        self.assertTrue(chrome.commands.empty())
        self.assertEqual(self.post(deep % (b"[" * 61 + b"]" * 61)).status, 200)
        self.assertEqual(self.post(b" \r\n\t" + good + b"\n").body["ok"], True)

    def test_fields(self):
        chrome = self.daemon.browser("chrome")
        fields = [{"action": name} for name in ("", "nope", "artifact_read", "artifact_close", 1, None)]
        fields += [{"session": name} for name in ("", " a", "a ", "a\0b", "\u202ex", "x" * 129, None, 5, "é" * 65, "a\x7f")]
        fields += [{"id": value} for value in ("", "x" * 129, "é", 1, None)]
        fields += [{"browser": value} for value in ("safari", "Chrome", None)]
        fields += [{"timeout_ms": value} for value in (0, -1, 1.5, "1000", None, True, 120_001, 10 ** 30)]
        fields += [{"args": value} for value in (None, [], "x", {"more": 1})] + [{"extra": 1}]
        for field in fields:
            with self.subTest(field=field):
                self.refused(self.post(json.dumps({"action": "status"} | field).encode()), 400, "bad_request")
        self.assertIn("120000", self.daemon.command("status", timeout_ms=120_001).body["error"]["message"])
        self.assertTrue(chrome.commands.empty())
        for field in ({"session": "x" * 128}, {"session": "é" * 64}, {"session": "../a b\\"}, {"session": "__proto__"},
                      {"id": "~" * 128}, {"timeout_ms": 120_000}, {"timeout_ms": 1000}, {"args": {}}):
            self.assertEqual(self.daemon.command("status", **{"args": {}} | field).body["ok"], True, field)

    def test_arguments(self):
        chrome = self.daemon.browser("chrome")
        for action, args in (("click", {}), ("click", {"ref": "e1", "selector": "a"}), ("click", {"ref": "x"}),
                             ("navigate", {}), ("navigate", {"url": 1}), ("type", {"ref": "e1"}), ("wait", {}),
                             ("wait", {"ms": 1, "text": "x"}), ("scroll", {}), ("network", {}), ("network", {"cmd": "x"}),
                             ("network", {"cmd": "body"}), ("pdf", {}), ("pdf", {"path": "a.pdf"}), ("screenshot", {"path": "~/a"}),
                             ("screenshot", {"path": "/tmp/"}), ("screenshot", {"path": "/tmp/a\0"}), ("upload", {"ref": "e1", "files": []}),
                             ("upload", {"ref": "e1", "files": ["a"]}), ("click", {"ref": "e1", "tab": -1}),
                             ("click", {"ref": "e1", "tab": 2 ** 53 + 1}), ("cdp", {"method": "x"}), ("close_session", {"tab": 1})):
            with self.subTest(action=action, args=args):
                self.refused(self.daemon.command(action, args), 400, "bad_request")
        self.assertTrue(chrome.commands.empty())
        for alias, action, args in (("open", "navigate", {"url": "x"}), ("goto", "navigate", {"url": "x"}),
                                    ("fill", "type", {"selector": "a", "text": ""}), ("press_key", "press", {"key": "a"})):
            self.daemon.command(alias, args)
            self.assertEqual(chrome.next()["action"], action)

    def test_the_text_of_arguments_passes_unchanged(self):
        chrome = self.daemon.browser("chrome")
        self.post(b'{"action":"cdp","args":{"method":"A.b", "params":{"n":1.0e2,"z":-0,"s":"\\ud800\\u0041","big":12345678901234567890}}}')
        self.assertEqual(chrome.next()["args"]["params"], {"n": 100.0, "z": 0, "s": "\ud800A", "big": 12345678901234567890})

    def test_bodies_of_two_mebibytes(self):
        start = b'{"action":"evaluate","args":{"code":"'
        exact = start + b"x" * (2 * MIB - len(start) - 3) + b'"}}'
        self.assertEqual(len(exact), 2_097_152)
        self.assertEqual(self.post(exact).code, "not_connected")
        self.refused(self.post(exact + b" "), 413, "too_large")
        for body, status in ((exact, 200), (exact + b" ", 413)):
            sock = self.daemon.connect()
            sock.sendall(head("POST", "/command", {"Transfer-Encoding": "chunked"}, None, self.daemon.token, "127.0.0.1"))
            for at in range(0, len(body), 500_000):
                piece = body[at:at + 500_000]
                sock.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
            sock.sendall(b"0\r\n\r\n")
            self.assertEqual(read_answer(sock).status, status)
        self.refused(self.daemon.request("GET", "/json/version", {}, exact + b" "), 413, "too_large")
        self.assertEqual(self.daemon.request("GET", "/json/version", {}, exact).status, 200)

    def test_ids(self):
        chrome = self.daemon.browser("chrome", answers=False)
        first = self.daemon.start("click", CLICK, id="a")
        held = chrome.next()
        self.assertNotEqual(held["id"], "a")
        self.refused(self.daemon.command("click", CLICK, id="a"), 409, "conflict")
        other = self.daemon.start("click", CLICK, id="a", session="other")
        chrome.reply(chrome.next())
        self.assertEqual(read_answer(other).body["id"], "a")
        chrome.reply(held)
        self.assertEqual(read_answer(first).body, {"id": "a", "ok": True, "data": {}})
        chrome.answers = True
        self.assertEqual(self.daemon.command("click", CLICK, id="a").body["ok"], True)
        ids = {self.daemon.command("status").body["id"] for _ in range(50)}
        self.assertEqual(len(ids), 50)


class Links(WithDaemon):
    def test_one_connection_of_each_browser(self):
        chrome, firefox = self.daemon.browser("chrome"), self.daemon.browser("firefox")
        other = CHROME[:-1] + "a"
        self.refused(WebSocket(self.daemon, other).answer, 409, "conflict")
        self.refused(self.daemon.request("POST", "/extension", {"Origin": other}), 409, "conflict")
        self.refused(WebSocket(self.daemon, other, "omw.v1, omw-token.wrong").answer, 401, "unauthorized")
        self.assertTrue(self.daemon.command("click", CLICK, browser="chrome").body["ok"])
        chrome.drop()
        wait_until(lambda: self.daemon.request("POST", "/extension", {"Origin": other}).status == 204)
        self.daemon.browser("chrome", origin=other)
        self.assertFalse(firefox.closed.is_set())

    def test_the_handshake(self):
        socket_ = WebSocket(self.daemon, CHROME, f"omw-token.{self.daemon.token}, omw.v1")
        self.assertEqual((socket_.answer.status, socket_.answer.header("Sec-WebSocket-Protocol")), (101, "omw.v1"))
        self.assertNotIn(self.daemon.token, repr(socket_.answer.headers))
        for protocols in ("omw.v1", f"omw.v1, OMW-TOKEN.{self.daemon.token}", f"omw.v1, omw-token.{self.daemon.token}x",
                          f"omw.v1, omw-token.{self.daemon.token.swapcase()}"):
            self.refused(WebSocket(self.daemon, FIREFOX, protocols).answer, 401, "unauthorized")
        self.refused(WebSocket(self.daemon, FIREFOX, f"omw.v2, omw-token.{self.daemon.token}").answer, 400, "bad_request")
        self.refused(WebSocket(self.daemon, "https://evil.example").answer, 403, "forbidden")
        answer = self.daemon.request("GET", "/extension", {"Origin": FIREFOX})
        self.refused(answer, 401, "unauthorized")

    def test_what_ends_a_link(self):
        hello = json.dumps({"type": "hello", "browser": "firefox", "browser_version": "1", "sessions": []}).encode()
        for name, opcode, payload, code in (
                ("no JSON", 1, b"x", 1008), ("a list", 1, b"[]", 1008), ("no type", 1, b"{}", 1008),
                ("ping before hello", 1, b'{"type":"ping"}', 1008), ("unknown before hello", 1, b'{"type":"x"}', 1008),
                ("the other browser", 1, hello.replace(b"firefox", b"chrome"), 1008),
                ("no sessions", 1, hello.replace(b"sessions", b"tabs"), 1008), ("binary", 2, hello, 1008),
                ("no UTF-8", 1, b"\xff", 1007), ("orphan", 0, b"x", 1002), ("reserved opcode", 3, b"", 1002),
                ("long ping", 9, b"x" * 126, 1002), ("close", 8, b"\x03\xe8", 1000)):
            with self.subTest(name):
                socket_ = WebSocket(self.daemon, FIREFOX)
                socket_.send_frame(opcode, payload)
                self.assertEqual(socket_.close_code(), code)
                socket_.close()
        for raw in (b"\x81\x02{}", b"\xc1\x82\0\0\0\0{}"):
            socket_ = WebSocket(self.daemon, FIREFOX)
            socket_.sock.sendall(raw)
            self.assertEqual(socket_.close_code(), 1002)
        socket_ = WebSocket(self.daemon, FIREFOX)
        socket_.send(hello)
        self.assertEqual(socket_.receive()["type"], "welcome")
        socket_.send(hello)
        self.assertEqual(socket_.close_code(), 1008)

    def test_fragments_pings_and_unknown_frames(self):
        socket_ = WebSocket(self.daemon, CHROME)
        hello = '{"type":"hello","browser":"chrome","browser_version":"1","sessions":[],"later":"é"}'.encode()
        cut = hello.index(b"\xc3") + 1
        socket_.send_frame(1, hello[:5], final=False)
        socket_.send_frame(9, b"hi")
        self.assertEqual(socket_.receive_frame(), (10, b"hi"))
        socket_.send_frame(0, hello[5:cut], final=False)
        socket_.send_frame(0, hello[cut:])
        self.assertEqual(socket_.receive()["type"], "welcome")
        for message in ({"type": "later"}, {"type": "result", "id": "x", "ok": True, "data": {}}, {"type": "event", "event": "x"}):
            socket_.send(message)
        socket_.send({"type": "ping"})
        self.assertEqual(socket_.receive(), {"type": "pong"})

    def test_messages_of_32_mebibytes(self):
        chrome = self.daemon.browser("chrome", answers=False)
        held = self.daemon.start("click", CLICK, session="held")
        chrome.next()
        caller = self.daemon.start("evaluate", {"code": "1"})
        start = json.dumps({"type": "result", "id": chrome.next()["id"], "ok": True, "data": {"value": ""}})[:-3]
        exact = (start + "x" * (32 * MIB - len(start) - 3) + '"}}').encode()
        self.assertEqual(len(exact), 33_554_432)
        chrome.send(exact)
        self.assertEqual(read_answer(caller).body["ok"], True)
        try:
            chrome.send(exact + b" ")
        except OSError:
            pass  # the daemon may close before it has read everything
        answer = read_answer(held)
        self.assertEqual((answer.code, answer.delivered), ("outcome_unknown", "unknown"))
        self.assertTrue(chrome.closed.wait(5))
        self.assertIn(chrome.closed_with, (1009, 0))
        self.daemon.browser("chrome")

    def test_a_result_that_breaks_its_schema_costs_its_own_command(self):
        chrome = self.daemon.browser("chrome", answers=False)
        held = self.daemon.start("click", CLICK, session="held")
        other = chrome.next()
        deep = '{"type":"result","ok":true,"data":' + '{"a":' * 5000 + "1" + "}" * 5000 + ',"id":"ID"}'
        for broken in ('{"type":"result","id":"ID"}', '{"type":"result","id":"ID","ok":true}', deep,
                       '{"type":"result","id":"ID","ok":1,"data":{}}', '{"type":"result","id":"ID","ok":true,"data":[]}',
                       '{"type":"result","id":"ID","ok":false,"error":"x"}', '{"type":"result","id":"ID","ok":true,"data":{},"error":{}}',
                       '{"type":"result","id":"ID","ok":false,"error":{"code":"nope","message":""}}',
                       '{"type":"result","id":"ID","ok":true,"data":{"value":1},"ok":true}',
                       '{"type":"result","id":"ID","ok":true,"data":{}}'):
            caller = self.daemon.start("evaluate", {"code": "1"})
            chrome.send(broken.replace("ID", chrome.next()["id"]))
            self.assertEqual(read_answer(caller).code, "outcome_unknown", broken[:80])
        chrome.reply(other)
        self.assertTrue(read_answer(held).body["ok"])

    def test_shutdown(self):
        chrome = self.daemon.browser("chrome", answers=False)
        caller = self.daemon.start("click", CLICK)
        chrome.next()
        reading = self.daemon.connect()
        reading.sendall(head("POST", "/command", {}, 100, self.daemon.token, "127.0.0.1"))
        code, _, seconds = self.daemon.stop()
        self.assertEqual(code, 0)
        self.assertLess(seconds, 5)
        self.assertEqual(read_answer(caller).code, "outcome_unknown")
        self.assertTrue(chrome.closed.wait(2))
        self.assertEqual(chrome.closed_with, 1001)

    def test_a_second_signal_ends_it_at_once(self):
        reading = self.daemon.connect()
        reading.sendall(head("POST", "/command", {}, 100, self.daemon.token, "127.0.0.1"))
        wait_until(lambda: self.daemon.request("GET", "/admin/status").body["requests"] == 2)
        self.daemon.process.terminate()
        time.sleep(0.3)
        self.assertIsNone(self.daemon.process.poll())
        self.daemon.process.terminate()
        self.assertEqual(self.daemon.process.wait(0.5), 1)

    def test_sigint_ends_it_too(self):
        self.daemon.process.send_signal(signal.SIGINT)
        self.assertEqual(self.daemon.process.wait(5), 0)


class Routing(WithDaemon):
    def failed(self, answer, code, delivered="no"):
        self.assertEqual((answer.status, answer.code, answer.delivered), (200, code, delivered), answer)

    def test_chrome_comes_first_and_bindings_hold(self):
        self.failed(self.daemon.command("click", CLICK), "not_connected")
        firefox = self.daemon.browser("firefox")
        self.daemon.command("click", CLICK, session="fox")
        chrome = self.daemon.browser("chrome")
        self.daemon.command("click", CLICK, session="fox")
        self.daemon.command("click", CLICK, session="new")
        self.daemon.command("click", CLICK, session="named", browser="firefox")
        self.assertEqual(self.daemon.bindings, {"fox": "firefox", "new": "chrome", "named": "firefox"})
        self.assertEqual((chrome.commands.qsize(), firefox.commands.qsize()), (1, 3))
        self.failed(self.daemon.command("click", CLICK, session="fox", browser="chrome"), "session_bound")
        firefox.drop()
        wait_until(lambda: not self.daemon.request("GET", "/admin/status").body["browsers"]["firefox"]["connected"])
        self.failed(self.daemon.command("click", CLICK, session="fox"), "not_connected")
        self.failed(self.daemon.command("click", CLICK, session="free", browser="firefox"), "not_connected")
        self.assertNotIn("free", self.daemon.bindings)

    def test_bindings_survive_a_restart(self):
        home_ = self.directory / "home"
        with Daemon("--strict", home=home_) as first:
            first.browser("firefox")
            first.command("click", CLICK, session="fox")
            first.stop()
        with Daemon("--strict", home=home_) as second:
            chrome = second.browser("chrome")
            self.failed(second.command("click", CLICK, session="fox"), "not_connected")
            firefox = second.browser("firefox", sessions=["fox"])
            self.assertTrue(second.command("click", CLICK, session="fox").body["ok"])
            self.assertEqual((chrome.commands.qsize(), firefox.commands.qsize()), (0, 1))

    def test_a_hello_adopts_keeps_and_drops(self):
        firefox = self.daemon.browser("firefox", sessions=["fox"])
        chrome = self.daemon.browser("chrome", sessions=["a", "b", "fox", "bad\u202e"])
        self.assertEqual(self.daemon.bindings, {"fox": "firefox", "a": "chrome", "b": "chrome"})
        chrome.drop()
        wait_until(lambda: self.daemon.request("POST", "/extension", {"Origin": CHROME}).status == 204)
        self.daemon.browser("chrome", sessions=["b"])
        self.assertEqual(self.daemon.bindings, {"fox": "firefox", "b": "chrome"})
        firefox.close()

    def test_close_session_ends_a_binding_when_it_succeeds(self):
        self.failed(self.daemon.command("close_session", session="s"), "not_connected")
        chrome = self.daemon.browser("chrome", answers=False)
        self.assertEqual(self.daemon.command("close_session", session="s").body["data"], {"closed": [], "released": []})
        self.assertTrue(chrome.commands.empty())
        for action in ("status", "sessions", "tabs"):
            caller = self.daemon.start(action, session="s")
            chrome.reply(chrome.next())
            self.assertTrue(read_answer(caller).body["ok"])
        self.assertFalse((self.daemon.home / "bindings.json").exists())
        caller = self.daemon.start("click", CLICK, session="s")
        bound_before_the_frame = chrome.next() and self.daemon.bindings
        self.assertEqual(bound_before_the_frame, {"s": "chrome"})
        closing = self.daemon.start("close_session", session="s")
        chrome.fail(chrome.next(), "internal")
        self.assertEqual(read_answer(closing).code, "internal")
        self.assertEqual(self.daemon.bindings, {"s": "chrome"})
        closing = self.daemon.start("close_session", session="s")
        chrome.reply(chrome.next())
        self.assertTrue(read_answer(closing).body["ok"])
        self.assertEqual(self.daemon.bindings, {})
        caller.close()

    def test_a_command_sent_behind_a_close_begins_the_session_anew(self):
        chrome = self.daemon.browser("chrome", answers=False)
        callers, commands = [], []
        for action, args in (("click", CLICK), ("close_session", {}), ("click", CLICK)):
            callers.append(self.daemon.start(action, args, session="s"))
            commands.append(chrome.next())
        for command in commands:
            chrome.reply(command)
        for caller in callers:
            read_answer(caller)
        self.assertEqual(self.daemon.bindings, {"s": "chrome"})

    def test_a_binding_that_cannot_be_written_refuses_the_command(self):
        chrome = self.daemon.browser("chrome")
        (self.daemon.home / "bindings.json").mkdir()
        self.failed(self.daemon.command("click", CLICK), "file_error")
        self.assertTrue(chrome.commands.empty())
        (self.daemon.home / "bindings.json").rmdir()
        self.assertTrue(self.daemon.command("click", CLICK).body["ok"])
        self.assertEqual(temporary_names(self.daemon.home), [])


class CommandsOnTheWire(WithDaemon):
    def test_order_within_a_session_and_no_wait_between_sessions(self):
        chrome = self.daemon.browser("chrome", answers=False)
        callers = []
        for number in range(20):
            callers.append(self.daemon.start("click", {"ref": f"e{number}"}, session="a"))
            self.assertEqual(chrome.next()["args"]["ref"], f"e{number}")
        other = self.daemon.start("click", CLICK, session="b")
        chrome.reply(chrome.next())
        self.assertTrue(read_answer(other).body["ok"])
        for action, args in (("dialog", {"accept": True}), ("close_session", {})):
            caller = self.daemon.start(action, args, session="a")
            chrome.reply(chrome.next())
            self.assertTrue(read_answer(caller).body["ok"])

    def test_an_upload_that_is_being_read_is_not_overtaken(self):
        path = self.directory / "big"
        path.write_bytes(bytes(16 * MIB))
        firefox = self.daemon.browser("firefox", answers=False)
        upload = self.daemon.start("upload", {"ref": "e1", "files": [str(path)]}, session="a")
        wait_until(lambda: self.daemon.request("GET", "/admin/status").body["browsers"]["firefox"]["commands"] == 1)
        clicks = [self.daemon.start("click", {"ref": f"e{number}"}, session="a") for number in range(3)]
        sent = [firefox.next() for _ in range(4)]
        self.assertEqual([command["action"] for command in sent], ["upload", "click", "click", "click"])
        for command, caller in zip(sent, [upload, *clicks]):
            firefox.reply(command)
            self.assertTrue(read_answer(caller).body["ok"])

    def test_deadlines_and_late_answers(self):
        chrome = self.daemon.browser("chrome", answers=False)
        began = time.monotonic()
        caller = self.daemon.start("click", CLICK, id="x", timeout_ms=500)
        late = chrome.next()
        self.assertTrue(0 < late["deadline_ms"] <= 500)
        answer = read_answer(caller)
        self.assertTrue(0.5 <= time.monotonic() - began < 2)
        self.assertEqual((answer.status, answer.code, answer.delivered), (200, "outcome_unknown", "unknown"))
        caller = self.daemon.start("evaluate", {"code": "1"}, id="x")
        fresh = chrome.next()
        chrome.reply(late, {"value": "late"})
        chrome.send({"type": "result", "id": "x", "ok": True, "data": {"value": "stranger"}})
        chrome.reply(fresh, {"value": "fresh"})
        chrome.reply(fresh, {"value": "twice"})
        self.assertEqual(read_answer(caller).body["data"], {"value": "fresh"})
        caller = self.daemon.start("evaluate", {"code": "1"}, id="x")
        chrome.reply(chrome.next(), {"value": "next"})
        self.assertEqual(read_answer(caller).body["data"], {"value": "next"})

    def test_an_answer_on_the_other_link_is_nobodys(self):
        chrome, firefox = self.daemon.browser("chrome", answers=False), self.daemon.browser("firefox")
        caller = self.daemon.start("evaluate", {"code": "1"})
        command = chrome.next()
        firefox.reply(command, {"value": "wrong"})
        firefox.send({"type": "request", "id": "fence", "action": "status", "browser": "firefox"})
        firefox.results.get(timeout=5)
        chrome.reply(command, {"value": "right"})
        self.assertEqual(read_answer(caller).body["data"], {"value": "right"})

    def test_a_dropped_link_ends_its_commands_and_nothing_is_sent_again(self):
        chrome, firefox = self.daemon.browser("chrome", answers=False), self.daemon.browser("firefox", answers=False)
        lost = [self.daemon.start("click", CLICK, session=f"s{number}") for number in range(5)]
        old = [chrome.next() for _ in lost]
        kept = self.daemon.start("click", CLICK, session="f", browser="firefox")
        began = time.monotonic()
        chrome.drop()
        for caller in lost:
            answer = read_answer(caller)
            self.assertEqual((answer.code, answer.delivered), ("outcome_unknown", "unknown"))
        self.assertLess(time.monotonic() - began, 1)
        again = self.daemon.browser("chrome", answers=False, sessions=["s0"])
        for command in old:
            again.reply(command)
        caller = self.daemon.start("click", {"ref": "e9"}, session="s0")
        command = again.next()
        self.assertEqual(command["args"], {"ref": "e9"})
        again.reply(command)
        self.assertTrue(read_answer(caller).body["ok"])
        firefox.reply(firefox.next())
        self.assertTrue(read_answer(kept).body["ok"])

    def test_an_error_of_the_browser_is_passed_on(self):
        chrome = self.daemon.browser("chrome", answers=False)
        caller = self.daemon.start("click", CLICK)
        chrome.fail(chrome.next(), "stale_ref")
        answer = read_answer(caller)
        self.assertEqual((answer.status, answer.body["error"]), (200, {"code": "stale_ref", "message": "no", "delivered": "unknown"}))

    def test_an_agent_that_leaves_leaves_nothing_behind(self):
        chrome = self.daemon.browser("chrome", answers=False)
        caller = self.daemon.start("click", CLICK, id="x")
        command = chrome.next()
        caller.close()
        wait_until(lambda: self.daemon.request("GET", "/admin/status").body["requests"] == 1)
        self.assertEqual(self.daemon.request("GET", "/admin/status").body["browsers"]["chrome"]["commands"], 0)
        caller = self.daemon.start("evaluate", {"code": "1"}, id="x")
        fresh = chrome.next()
        chrome.reply(command)
        chrome.reply(fresh, {"value": 2})
        self.assertEqual(read_answer(caller).body["data"], {"value": 2})

    def test_requests_on_the_link(self):
        chrome = self.daemon.browser("chrome")

        def ask(message):
            chrome.send(message)
            return chrome.results.get(timeout=5)

        self.assertEqual(ask({"type": "request", "id": "a", "action": "evaluate", "args": {"code": "1"}, "session": "s"}),
                         {"type": "result", "id": "a", "ok": True, "data": {"value": 1}})
        self.assertTrue(ask({"type": "request", "action": "status"})["id"])
        for broken in ({"action": "nope"}, {"action": "status", "x": 1}, {"action": "status", "timeout_ms": 0},
                       {"action": "pdf", "args": {"path": "/tmp/x.pdf"}}, {"action": "screenshot", "args": {"path": "/tmp/x"}},
                       {"action": "upload", "args": {"ref": "e1", "files": ["/etc/passwd"]}}):
            answer = ask({"type": "request", "id": "b"} | broken)
            self.assertEqual((answer["id"], answer["error"]["code"]), ("b", "bad_request"))
        self.assertEqual(ask('{"type":"request","id":"c","action":"status","action":"status"}')["error"]["code"], "bad_request")
        start = '{"type":"request","id":"d","action":"evaluate","args":{"code":"'
        exact = start + "x" * (2 * MIB - len(start) - 3) + '"}}'
        self.assertTrue(ask(exact)["ok"])
        self.assertEqual(ask(exact + " ")["error"]["code"], "too_large")
        self.assertFalse(chrome.closed.is_set())

    def test_answers_on_one_connection(self):
        sock = self.daemon.connect()
        for _ in range(3):
            sock.sendall(head("GET", "/ping", {}, None, None, "127.0.0.1"))
            self.assertEqual(read_answer(sock).status, 200)


class Limits(WithDaemon):
    def test_288_requests(self):
        links = [self.daemon.browser(name, answers=False) for name in ("chrome", "firefox")]
        held = []
        for link in links:
            for number in range(128):
                held.append(self.daemon.start("click", CLICK, session=f"{link.name}{number % 4}", browser=link.name))
            held += [self.daemon.start("dialog", {"accept": True}, session=f"{link.name}0") for _ in range(16)]
        for link in links:
            for _ in range(144):
                link.next()
        began = time.monotonic()
        for method, path in (("POST", "/command"), ("GET", "/ping"), ("GET", "/json/version")):
            answer = self.daemon.request(method, path)
            self.refused(answer, 503, "busy")
            self.assertEqual(answer.header("Retry-After"), "1")
        self.assertLess(time.monotonic() - began, 1)
        self.refused(self.daemon.request("GET", "/ping", host="localhost"), 403, "forbidden")
        held.pop().close()
        wait_until(lambda: self.daemon.request("GET", "/ping").status == 200)
        status = self.daemon.request("GET", "/admin/status").body
        self.assertEqual((status["requests"], status["browsers"]["chrome"]["commands"]), (288, 128))
        self.assertEqual((status["browsers"]["chrome"]["reserved"], status["browsers"]["firefox"]["reserved"]), (16, 15))

    def test_128_ordinary_and_16_reserved(self):
        chrome, firefox = self.daemon.browser("chrome", answers=False), self.daemon.browser("firefox")
        ordinary = [self.daemon.start("click", CLICK, session=f"s{number % 8}") for number in range(128)]
        first = [chrome.next() for _ in ordinary][0]
        answer = self.daemon.command("click", CLICK)
        self.assertEqual((answer.status, answer.code, answer.delivered), (200, "busy", "no"))
        self.assertTrue(self.daemon.command("click", CLICK, session="f", browser="firefox").body["ok"])
        reserved = [self.daemon.start("dialog", {"accept": True}, session="s0") for _ in range(15)]
        reserved.append(self.daemon.start("close_session", session="s0"))
        for _ in reserved:
            chrome.next()
        self.assertEqual(self.daemon.command("dialog", {"accept": True}).code, "busy")
        self.assertEqual(self.daemon.command("cdp_detach", session="s0").code, "busy")
        chrome.reply(first)
        read_answer(ordinary[0])
        again = self.daemon.start("click", CLICK)
        chrome.reply(chrome.next())
        self.assertTrue(read_answer(again).body["ok"])
        firefox.close()

    def test_128_sessions(self):
        chrome = self.daemon.browser("chrome", sessions=[f"s{number}" for number in range(127)])
        self.assertTrue(self.daemon.command("click", CLICK, session="s127").body["ok"])
        self.assertEqual(self.daemon.command("click", CLICK, session="s128").code, "busy")
        self.assertEqual(chrome.commands.qsize(), 1)
        self.assertTrue(self.daemon.command("click", CLICK, session="s5").body["ok"])
        self.assertTrue(self.daemon.command("close_session", session="s5").body["ok"])
        self.assertTrue(self.daemon.command("click", CLICK, session="s128").body["ok"])
        self.assertEqual(len(self.daemon.bindings), 128)

    def test_64_mebibytes_of_results(self):
        chrome, firefox = self.daemon.browser("chrome", answers=False), self.daemon.browser("firefox", answers=False)

        def slow(link, data_bytes):
            """A caller that does not read, and data of exactly that many bytes for it."""
            caller = self.daemon.start("evaluate", {"code": "1"}, browser=link.name, session=link.name)
            text = '{"value":"' + "x" * (data_bytes - 12) + '"}'
            link.send('{"type":"result","id":"%s","ok":true,"data":%s}' % (link.next()["id"], text))
            link.send({"type": "request", "id": "fence", "action": "close_session", "session": "nobody"})
            link.results.get(timeout=20)
            return caller

        first, second = slow(chrome, 30 * MIB), slow(firefox, 30 * MIB)
        third = slow(chrome, 4 * MIB + 1)
        answer = read_answer(third)
        self.assertEqual((answer.code, answer.delivered), ("outcome_unknown", "unknown"))
        self.assertTrue(read_answer(slow(chrome, 4 * MIB)).body["ok"])
        for caller in (first, second):
            self.assertEqual(len(read_answer(caller).body["data"]["value"]), 30 * MIB - 12)
        self.assertTrue(read_answer(slow(firefox, 30 * MIB)).body["ok"])


class Files(WithDaemon):
    def test_pictures_are_written_new_with_mode_0600(self):
        chrome = self.daemon.browser("chrome")
        path = self.directory / "shot.png"
        answer = self.daemon.command("screenshot", {"path": str(path), "full_page": True})
        self.assertEqual(answer.body["data"], {"path": str(path), "bytes": 2, "format": "png", "width": 1, "height": 1})
        self.assertEqual(chrome.next()["args"], {"full_page": True})
        self.assertEqual((path.read_bytes(), stat.S_IMODE(path.stat().st_mode)), (b"hi", 0o600))
        (self.directory / "dangling").symlink_to("nowhere")
        (self.directory / "link").symlink_to("shot.png")
        for name in ("shot.png", "dangling", "link", "."):
            answer = self.daemon.command("pdf", {"path": str(self.directory / name) if name != "." else str(self.directory)})
            self.assertEqual((answer.status, answer.code, answer.delivered), (200, "file_exists", "no"))
        for path in (self.directory / "no" / "x", self.directory / ("x" * 256), self.directory / "shot.png" / "x", Path("/proc/x")):
            answer = self.daemon.command("pdf", {"path": str(path)})
            self.assertEqual((answer.code, answer.delivered), ("file_error", "no"), path)
        self.assertTrue(chrome.commands.empty())
        for name in ("x" * 255, "語" * 85):
            self.assertTrue(self.daemon.command("pdf", {"path": str(self.directory / name)}).body["ok"])
        self.assertEqual(self.daemon.command("screenshot").body["data"]["base64"], "aGk=")
        self.assertEqual(temporary_names(self.directory), [])

    def test_a_file_that_appears_meanwhile_is_not_replaced(self):
        chrome = self.daemon.browser("chrome", answers=False)
        path = self.directory / "a.pdf"
        caller = self.daemon.start("pdf", {"path": str(path)})
        command = chrome.next()
        path.write_text("mine")
        chrome.reply(command)
        answer = read_answer(caller)
        self.assertEqual((answer.code, answer.delivered), ("file_exists", "unknown"))
        self.assertEqual((path.read_text(), temporary_names(self.directory)), ("mine", []))

    def test_artifacts(self):
        chrome = self.daemon.browser("chrome", answers=False)
        content = random.Random(1).randbytes(3 * MIB + 5)
        path = self.directory / "a.pdf"
        caller = self.daemon.start("pdf", {"path": str(path)})
        chrome.artifacts["p"] = content
        chrome.reply(chrome.next(), {"artifact": "p", "bytes": len(content), "pages": 2})
        self.assertEqual(read_answer(caller).body["data"], {"path": str(path), "bytes": len(content), "pages": 2})
        self.assertEqual(path.read_bytes(), content)
        wait_until(lambda: not chrome.artifacts)
        caller = self.daemon.start("screenshot")
        chrome.artifacts["s"] = content
        chrome.reply(chrome.next(), {"artifact": "s", "bytes": len(content), "format": "png", "width": 1, "height": 1})
        self.assertEqual(base64.b64decode(read_answer(caller).body["data"]["base64"]), content)
        caller = self.daemon.start("evaluate", {"code": "1"})
        text = json.dumps({"value": "é" * (3 * MIB)}).encode()
        chrome.artifacts["e"] = text
        chrome.reply(chrome.next(), {"artifact": "e", "bytes": len(text)})
        self.assertEqual(read_answer(caller).body["data"], json.loads(text))
        wait_until(lambda: not chrome.artifacts)

    def test_an_artifact_that_is_cut_short_leaves_no_file(self):
        chrome = self.daemon.browser("chrome", answers=False)
        caller = self.daemon.start("pdf", {"path": str(self.directory / "a.pdf")})
        chrome.artifacts["p"] = b"x" * MIB
        chrome.reply(chrome.next(), {"artifact": "p", "bytes": 2 * MIB, "pages": 2})
        self.assertEqual(read_answer(caller).code, "outcome_unknown")
        self.assertEqual(os.listdir(self.directory), [])

    def test_pdfs_of_100_mebibytes(self):
        chrome = self.daemon.browser("chrome", answers=False)
        for size, code in ((100 * MIB, None), (100 * MIB + 1, "too_large")):
            path = self.directory / f"{size}.pdf"
            caller = self.daemon.start("pdf", {"path": str(path)})
            chrome.artifacts["p"] = bytes(size)
            chrome.reply(chrome.next(), {"artifact": "p", "bytes": size, "pages": 2})
            self.assertEqual(read_answer(caller).code, code)
            self.assertEqual(path.stat().st_size if path.exists() else None, None if code else size)
            wait_until(lambda: not chrome.artifacts)

    def test_an_artifact_past_the_64_mebibytes_is_not_fetched(self):
        chrome = self.daemon.browser("chrome", answers=False)
        caller = self.daemon.start("screenshot")
        chrome.artifacts["s"] = b""
        chrome.reply(chrome.next(), {"artifact": "s", "bytes": 64 * MIB, "format": "png", "width": 1, "height": 1})
        self.assertEqual(read_answer(caller).code, "outcome_unknown")
        wait_until(lambda: not chrome.artifacts)

    def test_uploads_by_bytes_and_by_path(self):
        one, two = self.directory / "one.txt", self.directory / "two.txt"
        one.write_bytes(b"1")
        two.write_bytes(b"\xff\0")
        args = {"ref": "e1", "files": [str(one), str(two)]}
        firefox = self.daemon.browser("firefox")
        chrome = self.daemon.browser("chrome")
        encoded = [{"name": "one.txt", "base64": "MQ=="}, {"name": "two.txt", "base64": "/wA="}]
        for link in (firefox, chrome):
            self.assertTrue(self.daemon.command("upload", args, browser=link.name, session=link.name).body["ok"])
            self.assertEqual(link.next()["args"], {"ref": "e1", "files": encoded})
        chrome.drop()
        wait_until(lambda: self.daemon.request("POST", "/extension", {"Origin": CHROME}).status == 204)
        chrome = self.daemon.browser("chrome", file_access=True)
        self.daemon.command("upload", args, session="paths", browser="chrome")
        self.assertEqual(chrome.next()["args"], args)
        os.mkfifo(self.directory / "fifo")
        for path in ("missing", "fifo", "."):
            for link in (firefox, chrome):
                answer = self.daemon.command("upload", {"ref": "e1", "files": [str(self.directory) + "/" + path]
                                             if path != "." else [str(self.directory)]}, browser=link.name, session=link.name)
                self.assertEqual((answer.code, answer.delivered), ("file_error", "no"))
                self.assertIn(str(self.directory), answer.body["error"]["message"])
                self.assertTrue(link.commands.empty())

    def test_16_mebibytes_an_upload_and_64_in_flight(self):
        firefox = self.daemon.browser("firefox", answers=False)
        path, one = self.directory / "big", self.directory / "one"
        path.write_bytes(bytes(16 * MIB))
        one.write_bytes(b"1")
        over = self.daemon.command("upload", {"ref": "e1", "files": [str(path), str(one)]})
        self.assertEqual((over.status, over.code, over.delivered), (200, "too_large", "no"))
        callers, commands = [], []
        for _ in range(4):
            callers.append(self.daemon.start("upload", {"ref": "e1", "files": [str(path)]}, timeout_ms=120_000))
            commands.append(firefox.next())
        self.assertEqual(len(base64.b64decode(commands[0]["args"]["files"][0]["base64"])), 16 * MIB)
        busy = self.daemon.command("upload", {"ref": "e1", "files": [str(one)]})
        self.assertEqual((busy.code, busy.delivered), ("busy", "no"))
        firefox.reply(commands[0])
        read_answer(callers[0])
        caller = self.daemon.start("upload", {"ref": "e1", "files": [str(one)]})
        firefox.reply(firefox.next())
        self.assertTrue(read_answer(caller).body["ok"])


class FilesByThemselves(unittest.TestCase):
    """What a socket shows only by luck: races, full disks and old kernels."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def test_a_disk_that_takes_no_more_is_said_and_the_daemon_goes_on(self):
        daemon = Daemon("--strict", file_blocks=128)
        self.addCleanup(daemon.close)
        chrome = daemon.browser("chrome", answers=False)
        for content, code in ((bytes(MIB), "file_error"), (b"small", None)):
            caller = daemon.start("pdf", {"path": str(self.directory / "a.pdf")})
            chrome.reply(chrome.next(), {"base64": base64.b64encode(content).decode(), "pages": 1})
            self.assertEqual(read_answer(caller).code, code)
            self.assertEqual(os.listdir(self.directory), [] if code else ["a.pdf"])

    def test_a_file_that_grows_while_it_is_read(self):
        path = self.directory / "log"

        class Growing(files.Uploads):
            def take(self, size):
                if not self.grown:
                    self.grown = True
                    with path.open("ab") as file:
                        file.write(bytes(grows))
                super().take(size)

        for size, grows, code in ((5, 5, None), (8 * MIB, 8 * MIB, None), (8 * MIB, 8 * MIB + 1, "too_large")):
            path.write_bytes(bytes(size))
            uploads = Growing()
            uploads.grown = False
            upload = files.Upload(uploads)
            try:
                content = json.loads(upload.read([str(path)]))[0]["base64"]
                self.assertEqual((len(base64.b64decode(content)), code), (size + grows, None))
            except wire.WireError as fault:
                self.assertEqual(fault.code, code)
            upload.free()
            uploads.take(wire.UPLOADS_BYTES)

    def test_publishing_replaces_nothing_with_and_without_renameat2(self):
        class OldKernel:
            @staticmethod
            def renameat2(*_):
                ctypes.set_errno(errno.ENOSYS)
                return -1

        for libc in (files._LIBC, OldKernel):
            with mock.patch.object(files, "_LIBC", libc):
                (self.directory / "there").write_text("mine")
                (self.directory / "dangling").symlink_to("nowhere")
                for name, code in (("there", "file_exists"), ("dangling", "file_exists"), ("new", None)):
                    artifact = files.Artifact(str(self.directory / name))
                    artifact.open()
                    artifact.write(b"picture")
                    try:
                        artifact.publish()
                        self.assertIsNone(code)
                    except wire.WireError as fault:
                        self.assertEqual(fault.code, code)
                    artifact.discard()
                self.assertEqual(sorted(os.listdir(self.directory)), ["dangling", "new", "there"])
                self.assertEqual((self.directory / "there").read_text(), "mine")
                self.assertEqual((self.directory / "new").read_text(), "picture")
                for name in ("dangling", "new"):
                    (self.directory / name).unlink()


class Waits(unittest.TestCase):
    """Everything that takes long, side by side: each wait has a daemon of its own."""

    @classmethod
    def setUpClass(cls):
        waits = {"silence": cls._silence, "pings": cls._pings, "hello": cls._hello, "body": cls._body, "stall": cls._stall,
                 "strict default": lambda: cls._default("--strict"), "deviating default": cls._default, "head": cls._head}
        with concurrent.futures.ThreadPoolExecutor(len(waits)) as pool:
            started = {name: pool.submit(wait) for name, wait in waits.items()}
            cls.results = {name: future.result() for name, future in started.items()}

    @staticmethod
    def _silence():
        with Daemon() as daemon:
            chrome = daemon.browser("chrome", answers=False)
            caller = daemon.start("click", CLICK, timeout_ms=120_000)
            began = time.monotonic()
            code = read_answer(caller, 60).code
            took = time.monotonic() - began
            chrome.closed.wait(5)
            return code, took, chrome.closed_with, daemon.request("POST", "/extension", {"Origin": CHROME}).status

    @staticmethod
    def _pings():
        with Daemon() as daemon:
            chrome = daemon.browser("chrome")
            for _ in range(3):
                time.sleep(16)
                chrome.send_frame(9, b"") if _ == 1 else chrome.send({"type": "ping"})
            return daemon.command("click", CLICK).body["ok"]

    @staticmethod
    def _hello():
        with Daemon() as daemon:
            socket_ = WebSocket(daemon, CHROME)
            began = time.monotonic()
            return socket_.close_code(), time.monotonic() - began

    @staticmethod
    def _body():
        with Daemon() as daemon:
            sock = daemon.connect()
            began = time.monotonic()
            sock.sendall(head("POST", "/command", {}, 100, daemon.token, "127.0.0.1") + b"{")
            answer = read_answer(sock, 60)
            return answer.status, answer.code, time.monotonic() - began, daemon.request("GET", "/admin/status").body["requests"]

    @staticmethod
    def _head():
        with Daemon() as daemon:
            sock = daemon.connect()
            began = time.monotonic()
            sock.sendall(b"GET /ping HT")
            return read_answer(sock, 60).status, time.monotonic() - began

    @staticmethod
    def _stall():
        """A reader that takes nothing is cut after 30 seconds; one that takes a little now and then is not."""
        with Daemon() as daemon:
            chrome = daemon.browser("chrome", answers=False)
            began, callers = time.monotonic(), []
            for session in ("deaf", "slow"):
                callers.append(daemon.start("evaluate", {"code": "1"}, session=session))
                chrome.reply(chrome.next(), {"value": "x" * (24 * MIB)})
            time.sleep(20)
            chrome.send({"type": "ping"})
            taken = sum(len(callers[1].recv(1 << 16)) for _ in range(200))
            before = daemon.request("GET", "/admin/status").body["requests"]
            wait_until(lambda: daemon.request("GET", "/admin/status").body["requests"] == 2, 30)
            took = time.monotonic() - began
            while piece := callers[1].recv(MIB):
                taken += len(piece)
                if taken > 24 * MIB:
                    break
            return before, took, taken > 24 * MIB

    @staticmethod
    def _default(*flags):
        with Daemon(*flags) as daemon:
            chrome = daemon.browser("chrome", answers=False)
            began = time.monotonic()
            caller = daemon.start("click", CLICK)
            offered = chrome.next()["deadline_ms"]
            chrome_pings = daemon.browser("firefox")
            answer = read_answer(caller, 60)
            chrome_pings.close()
            return answer.code, time.monotonic() - began, offered

    def test_a_link_silent_for_45_seconds_is_dropped(self):
        code, took, closed_with, status = self.results["silence"]
        self.assertEqual((code, closed_with, status), ("outcome_unknown", 1008, 204))
        self.assertTrue(44.5 < took < 47, took)

    def test_a_link_that_pings_is_kept(self):
        self.assertTrue(self.results["pings"])

    def test_a_hello_comes_within_ten_seconds(self):
        code, took = self.results["hello"]
        self.assertEqual(code, 1008)
        self.assertTrue(9.5 < took < 12, took)

    def test_a_body_slower_than_30_seconds_is_cut(self):
        status, code, took, requests = self.results["body"]
        self.assertEqual((status, code, requests), (408, "request_timeout", 1))
        self.assertTrue(30 <= took < 32, took)

    def test_a_head_slower_than_10_seconds_is_cut(self):
        status, took = self.results["head"]
        self.assertEqual(status, 408)
        self.assertTrue(10 <= took < 12, took)

    def test_an_answer_without_progress_for_30_seconds_is_cut(self):
        before, took, arrived = self.results["stall"]
        self.assertEqual((before, arrived), (3, True))
        self.assertTrue(30 <= took < 36, took)

    def test_the_default_timeout_is_30_seconds_and_25_where_it_deviates(self):
        for name, seconds in (("strict default", 30), ("deviating default", 25)):
            code, took, offered = self.results[name]
            self.assertEqual(code, "outcome_unknown")
            self.assertTrue(seconds <= took < seconds + 2, took)
            self.assertTrue(seconds * 1000 - 2000 < offered <= seconds * 1000, offered)


if __name__ == "__main__":
    unittest.main()
