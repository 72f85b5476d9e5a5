"""How requests reach Ollama: without any proxy, cancellable while they are blocked, and never silently cut."""

import json
import socket
from contextlib import suppress
from typing import Any

import httpx


class OllamaTransport(httpx.HTTPTransport):
    """For one client; no connection outlives its reply. ``abort`` may be called from another thread: it shuts the
    sockets, which ends a blocked read."""

    def __init__(self) -> None:
        super().__init__(trust_env=False, limits=httpx.Limits(max_keepalive_connections=0))
        self._sockets: list[socket.socket] = []
        self._aborted = False

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/chat":
            request = _refusing_truncation(request)
        request.extensions["trace"] = self._note
        return super().handle_request(request)

    def _note(self, event: str, info: dict[str, Any]) -> None:
        if event == "connection.connect_tcp.complete":
            self._sockets.append(info["return_value"].get_extra_info("socket"))
            if self._aborted:
                self.abort()

    def abort(self) -> None:
        self._aborted = True
        for open_socket in self._sockets:
            with suppress(OSError):
                open_socket.shutdown(socket.SHUT_RDWR)


def _refusing_truncation(request: httpx.Request) -> httpx.Request:
    """langchain-ollama cannot say it: ``truncate`` and ``shift`` off. Servers before 0.12 pass over the words."""
    body = json.loads(request.content) | {"truncate": False, "shift": False}
    headers = {k: v for k, v in request.headers.items() if k.lower() != "content-length"}
    return httpx.Request(request.method, request.url, headers=headers, json=body, extensions=request.extensions)
