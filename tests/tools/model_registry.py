"""A registry of models on the loopback, as small as Ollama's server needs it: a manifest and blobs, given slowly.

The server follows only a redirect that names another host for the bytes themselves, so blobs are given under
``localhost`` and everything else under ``127.0.0.1``.
"""

import hashlib
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_BLOCK = 1 << 16
_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"


class Registry:
    """Holds one model, ``library/x:latest``, whose one layer is ``weights``. A context manager.

    ``seconds_a_block`` is waited after each 64 kB. ``starts`` are the offsets from which bytes were asked for.
    """

    def __init__(self, weights: bytes, seconds_a_block: float = 0.0) -> None:
        config = json.dumps({"model_format": "gguf", "model_family": "test", "model_type": "1K"}).encode()
        self.blobs = {_digest(data): data for data in (weights, config)}
        self.manifest = json.dumps({
            "schemaVersion": 2, "mediaType": _MANIFEST,
            "config": {"mediaType": "application/vnd.docker.container.image.v1+json", "digest": _digest(config),
                       "size": len(config)},
            "layers": [{"mediaType": "application/vnd.ollama.image.model", "digest": _digest(weights),
                        "size": len(weights)}],
        }).encode()  # fmt: skip
        self.seconds_a_block = seconds_a_block
        self.starts: list[int] = []
        self._server = ThreadingHTTPServer(("", 0), type("Handler", (_Handler,), {"registry": self}))
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]

    @property
    def model(self) -> str:
        return f"http://127.0.0.1:{self.port}/library/x:latest"

    def __enter__(self) -> "Registry":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


class _Handler(BaseHTTPRequestHandler):
    registry: Registry

    def do_HEAD(self) -> None:
        self._blob(bodiless=True)

    def do_GET(self) -> None:
        if self.path == "/v2/library/x/manifests/latest":
            self._give(200, self.registry.manifest, {"Content-Type": _MANIFEST})
        elif "/blobs/" in self.path and self.headers.get("Host", "").startswith("127.0.0.1"):
            where = f"http://localhost:{self.registry.port}{self.path}"
            self._give(307, b"", {"Location": where})
        else:
            self._blob(bodiless=False)

    def _blob(self, *, bodiless: bool) -> None:
        data = self.registry.blobs.get(self.path.rpartition("/")[2])
        if data is None:
            self._give(404, b'{"errors": [{"code": "MANIFEST_UNKNOWN"}]}', {})
        elif bodiless:
            self._head(200, len(data), {})
        else:
            self._part(data)

    def _part(self, data: bytes) -> None:
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        start, end = (int(asked[1]), int(asked[2] or len(data) - 1)) if asked else (0, len(data) - 1)
        self.registry.starts.append(start)
        self._head(206 if asked else 200, end + 1 - start, {})
        try:
            for at in range(start, end + 1, _BLOCK):
                self.wfile.write(data[at : min(at + _BLOCK, end + 1)])
                time.sleep(self.registry.seconds_a_block)
        except OSError:
            self.close_connection = True  # whoever asked has gone

    def _give(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self._head(status, len(body), headers)
        self.wfile.write(body)

    def _head(self, status: int, length: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in (headers | {"Content-Length": str(length)}).items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""
