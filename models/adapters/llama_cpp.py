"""The embedded chat model: llama.cpp in a child process that can be ended, reached over the loopback with a key.

Plain ``http.client`` is used because it never looks for a proxy.
"""

import json
import multiprocessing
import os
import secrets
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from models.adapters.llama_child import ServerConfig, serve
from models.adapters.pump import pump
from models.ports import Message, ModelFailed, ModelUnavailable, PromptTooLong

CONTEXT_TOKENS = 6144
"""Room for ten passages and the answer; a laptop reads it in about a minute."""
_LIKELIEST = 20
"""How many first tokens of a reply are told with their probabilities."""
_START_SECONDS = 120
_REPLY_SECONDS = 600
"""A long prompt is read in silence: at 75 tokens a second 6,000 take 80 s, on a loaded machine several times that."""


class _Child(NamedTuple):
    process: SpawnProcess
    channel: Connection
    host: str
    port: int
    key: str


class LlamaCppModel:
    """Starts the child on first use and again after it was ended. One request at a time.

    ``label`` is recorded in answers as ``embedded:{label}``. ``undisturbed`` is entered while the child is started,
    and keeps the terminal's interrupt from it. Raises ModelUnavailable where the file is missing or does not load.
    """

    def __init__(
        self,
        model: Path,
        label: str,
        context_tokens: int = CONTEXT_TOKENS,
        threads: int = 0,
        undisturbed: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self._model = model
        self._label = label
        self._context_tokens = context_tokens
        self._threads = threads
        self._undisturbed = undisturbed
        self._child: _Child | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return f"embedded:{self._label}"

    @property
    def context_tokens(self) -> int:
        return self._context_tokens

    def count_tokens(self, text: str) -> int:
        """Exact, by the model's own tokenizer."""
        return len(self._post("/tokenize", {"content": text})["tokens"])

    def stream_json(self, messages: list[Message], schema: dict[str, Any], max_tokens: int) -> Generator[str]:
        """See ``models.ports.ChatModel``. Closing ends the child if it is still at work: a prompt cannot be stopped."""
        body = self._request_body(messages, max_tokens) | {
            "stream": True,
            "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}},
        }
        return pump(lambda: self._stream(body), self.close)

    def choose(self, messages: list[Message], choices: Sequence[str]) -> Generator[None, None, Mapping[str, float]]:
        """See ``models.answering.choosing.Chooser``. Closing ends the child if it is still at work."""
        body = self._request_body(messages, 1) | {"logprobs": True, "top_logprobs": _LIKELIEST}
        for piece in pump(lambda: iter((json.dumps(self._post("/v1/chat/completions", body)),)), self.close):
            if piece:
                return _probabilities(json.loads(piece), choices)
            yield
        raise ModelFailed("the embedded model ended while it was answering")

    def _request_body(self, messages: list[Message], max_tokens: int) -> dict[str, Any]:
        """Raises PromptTooLong."""
        turns = [{"role": m.role, "content": m.content} for m in messages]
        needed = self.count_tokens(self._post("/apply-template", {"messages": turns})["prompt"])
        if needed + max_tokens > self._context_tokens:
            raise PromptTooLong(f"{needed} tokens and {max_tokens} for the answer exceed {self._context_tokens}")
        return {"messages": turns, "max_tokens": max_tokens, "temperature": 0, "cache_prompt": True}

    def close(self) -> None:
        """Ends the child. Another request starts it again."""
        with self._lock:
            child, self._child = self._child, None
        if child is not None:
            child.process.kill()
            child.process.join()
            child.channel.close()

    def _stream(self, body: dict[str, Any]) -> Iterator[str]:
        connection, reply = self._request("/v1/chat/completions", body)
        ended = False
        try:
            for line in reply:
                piece, ended = _piece(line)
                if piece:
                    yield piece
                if ended:
                    break
        except (OSError, HTTPException) as broken:
            raise ModelFailed("the embedded model ended while it was answering") from broken
        finally:
            connection.close()
            if not ended:
                self.close()
        if not ended:
            raise ModelFailed("the embedded model ended while it was answering")

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        connection, reply = self._request(path, body)
        try:
            answer: dict[str, Any] = json.loads(reply.read())
        except (OSError, HTTPException, ValueError) as broken:
            raise ModelFailed("the embedded model ended while it was answering") from broken
        finally:
            connection.close()
        return answer

    def _request(self, path: str, body: dict[str, Any]) -> tuple[HTTPConnection, HTTPResponse]:
        child = self._running()
        connection = HTTPConnection(child.host, child.port, timeout=_REPLY_SECONDS)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {child.key}"}
        try:
            connection.request("POST", path, json.dumps(body).encode(), headers)
            reply = connection.getresponse()
        except (OSError, HTTPException) as broken:
            connection.close()
            self.close()
            raise ModelFailed("the embedded model ended while it was answering") from broken
        if reply.status != 200:
            connection.close()
            raise ModelFailed(f"the embedded model refused the request ({reply.status})")
        return connection, reply

    def _running(self) -> _Child:
        with self._lock:
            if self._child is not None and not self._child.process.is_alive():
                self._child.channel.close()
                self._child = None
            if self._child is None:
                self._child = self._start()
            return self._child

    def _start(self) -> _Child:
        if not self._model.is_file():
            raise ModelUnavailable("the embedded model is not installed: run: pincite fetch")
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        key = secrets.token_urlsafe(24)
        config = ServerConfig(self._model, self._context_tokens, self._threads or free_threads(), key)
        process = context.Process(target=serve, args=(config, theirs), daemon=True)
        with self._undisturbed():
            process.start()
        theirs.close()
        outcome, detail = _first_word(ours)
        if outcome != "ready":
            process.kill()
            process.join()
            ours.close()
            raise ModelUnavailable(f"the embedded model could not be loaded: {detail}")
        address = urlsplit(detail)
        return _Child(process, ours, address.hostname or "127.0.0.1", address.port or 0, key)


def free_threads() -> int:
    """How many threads the model should run: the processors that are idle, at least one; 0 (llama.cpp's own choice)
    where most are. Its threads wait for one another by spinning: with two on two busy processors a reply took 64 s,
    with one 15 s."""
    processors = os.cpu_count() or 1
    if not hasattr(os, "getloadavg") or os.getloadavg()[0] < processors / 2:
        return 0
    return max(1, processors - int(os.getloadavg()[0]))


def _first_word(channel: Connection) -> tuple[str, str]:
    with suppress(EOFError, OSError):
        if channel.poll(_START_SECONDS):
            outcome, detail = channel.recv()
            return str(outcome), str(detail)
        return "failed", f"it did not start within {_START_SECONDS} seconds"
    return "failed", "its process ended"


def _probabilities(reply: dict[str, Any], choices: Sequence[str]) -> dict[str, float]:
    """Natural logarithms, of those choices that are among the likeliest first tokens."""
    try:
        likeliest = reply["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        told = {str(row["token"]).strip(): float(row["logprob"]) for row in reversed(likeliest)}
    except (KeyError, IndexError, TypeError, ValueError) as strange:
        raise ModelFailed("the embedded model did not say how sure it is") from strange
    return {choice: told[choice] for choice in choices if choice in told}


def _piece(line: bytes) -> tuple[str, bool]:
    """Text of one server-sent event, and whether it is the last. An error event raises ModelFailed."""
    if not line.startswith((b"data:", b"error:")):
        return "", False
    payload = line.split(b":", 1)[1].strip()
    if payload == b"[DONE]":
        return "", True
    event = json.loads(payload)
    if line.startswith(b"error:") or "error" in event:
        raise ModelFailed("the embedded model reported an error")
    choices = event.get("choices") or [{}]
    return choices[0].get("delta", {}).get("content") or "", False
