"""The process that runs llama.cpp. It listens on the loopback alone, asks for a key, and ends with its parent."""

import os
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """``threads`` 0 leaves the number to llama.cpp. ``key`` is asked of every request."""

    model: Path
    context_tokens: int
    threads: int
    key: str


def serve(config: ServerConfig, channel: Connection) -> None:
    """Sends ``("ready", address)`` or ``("failed", reason)``, then serves until the other end is closed."""
    _silence()
    try:
        server, address = _start(config)
    except Exception as failure:  # the library raises its own kinds; whatever it is, the parent must learn of it
        channel.send(("failed", str(failure)))
        return
    channel.send(("ready", address))
    threading.Thread(target=_leave_with_parent, args=(channel,), daemon=True).start()
    threading.Event().wait()
    del server


def _silence() -> None:
    """llama.cpp writes prompts and timings to both streams."""
    sink = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            os.dup2(sink, stream.fileno())


def _start(config: ServerConfig) -> tuple[object, str]:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(config.model)
    params.n_ctx = config.context_tokens
    params.n_parallel = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [config.key]
    params.ui = False
    params.endpoint_slots = False
    params.warmup = False
    params.cache_ram_mib = 0
    params.enable_reasoning = 0
    params.offline = True
    params.fit_params = False
    if config.threads:
        params.cpuparams.n_threads = config.threads
        params.cpuparams_batch.n_threads = config.threads
    server = xllamacpp.Server(params)
    return server, str(server.listening_address)


def _leave_with_parent(channel: Connection) -> None:
    with suppress(EOFError, OSError):
        channel.recv()
    os._exit(0)
