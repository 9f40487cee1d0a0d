"""Pairing: a six-digit code that an extension redeems for the token."""

import hmac
import secrets
import time
from collections import deque

import wire
from wire import WireError


class Pairing:
    """At most one code is open. redemptions is how often one code may be redeemed: 1, or 2 for a deviating daemon."""

    def __init__(self, redemptions: int = 1, clock=time.monotonic):
        self._redemptions, self._clock = redemptions, clock
        self._code: str | None = None
        self._ends = 0.0
        self._attempts = self._redeemable = 0
        self._last_guess = float("-inf")
        self._log: deque = deque(maxlen=32)

    def open(self) -> str:
        """Makes a new code, in place of the one before."""
        self._code = f"{secrets.randbelow(1_000_000):06}"
        self._ends = self._clock() + wire.CODE_SECONDS
        self._attempts, self._redeemable = wire.CODE_ATTEMPTS, self._redemptions
        # The rate protects a code from being guessed; a new one begins anew.
        self._last_guess = float("-inf")
        self._log.clear()
        return self._code

    def void(self) -> None:
        self._code = None

    def _is_open(self) -> bool:
        return self._code is not None and self._clock() < self._ends and self._attempts > 0 and self._redeemable > 0

    def redeem(self, guess: str, origin: str) -> None:
        """Returns if the well-formed guess is right. The answer is the same for a wrong code and for none open."""
        now = self._clock()
        if now - self._last_guess < wire.GUESS_SECONDS:
            self._note(origin, "too_soon")
            raise WireError("busy", "one guess a second; wait and try again", headers=(("Retry-After", "1"),))
        self._last_guess = now
        if self._is_open():
            self._attempts -= 1
            if hmac.compare_digest(guess.encode(), self._code.encode()):
                self._attempts += 1
                self._redeemable -= 1
                self._note(origin, "redeemed")
                return
        self._note(origin, "wrong")
        raise WireError("unauthorized", "this pairing code is not valid; ask for a new one with omw pair")

    def _note(self, origin: str, outcome: str) -> None:
        self._log.append((origin, outcome, self._clock()))

    def status(self) -> dict:
        now, is_open = self._clock(), self._is_open()
        return {
            "open": is_open,
            "expires_ms": int((self._ends - now) * 1000) if is_open else 0,
            "attempts_left": self._attempts if is_open else 0,
            "attempts": [{"origin": origin, "outcome": outcome, "ago_ms": int((now - at) * 1000)}
                         for origin, outcome, at in self._log],
        }
