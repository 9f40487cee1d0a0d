#!/usr/bin/env python3
"""strangerd: a second daemon for omw.v1, written from its documents alone. See README.md for what it breaks."""

import sys

sys.dont_write_bytecode = True

import argparse
import asyncio
import contextlib
import os
import resource
import signal
import socket
from pathlib import Path

from home import Home, HomeError, default_directory
from service import Service
from wire import CONNECTIONS

ADDRESS = "127.0.0.1"


def read_flags() -> argparse.Namespace:
    flags = argparse.ArgumentParser(prog="strangerd", description=__doc__)
    flags.add_argument("--listen-port", type=int, default=17373, metavar="N", help="port on 127.0.0.1; 0 picks a free one")
    flags.add_argument("--listen-address", default=ADDRESS, metavar="A", help="nothing but 127.0.0.1 is taken")
    flags.add_argument("--home", type=Path, default=None, metavar="DIR", help="config directory")
    flags.add_argument("--strict", action="store_true", help="switch the three deviations off")
    flags.add_argument("--verbose", action="store_true", help="one line a request on standard error")
    return flags.parse_args()


def listen(address: str, port: int) -> socket.socket:
    """Takes the port before any file is touched, so that a second daemon changes nothing."""
    if address != ADDRESS:
        raise HomeError(f"refusing to listen on {address}: only {ADDRESS} is taken")
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(CONNECTIONS)
    except (OSError, OverflowError) as fault:
        listening.close()
        raise HomeError(f"cannot listen on {address}:{port}: {getattr(fault, 'strerror', None) or fault}") from None
    listening.setblocking(False)
    return listening


async def serve(home: Home, listening: socket.socket, strict: bool, verbose: bool) -> None:
    """Serves until a signal; a second one ends the process at once."""
    signalled = asyncio.Event()

    def on_signal() -> None:
        if signalled.is_set():
            os._exit(1)
        signalled.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, on_signal)
    service = Service(home, deviates=not strict, verbose=verbose)
    await service.start(listening)
    print(f"ready on {service.address}", flush=True)
    await signalled.wait()
    await service.stop()


def main() -> int:
    flags = read_flags()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4 * CONNECTIONS)), hard))
    try:
        with contextlib.closing(listen(flags.listen_address, flags.listen_port)) as listening, \
                contextlib.closing(Home(flags.home or default_directory())) as home:
            asyncio.run(serve(home, listening, flags.strict, flags.verbose))
    except (HomeError, OSError) as fault:
        print(f"strangerd: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
