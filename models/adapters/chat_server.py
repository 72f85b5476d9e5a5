"""Any server that speaks the OpenAI chat protocol: llama.cpp, LM Studio, vLLM. Plain HTTP, no library of a provider
(docs/decisions/0006).

No proxy is ever used and no key is read from the environment. An address that is not this machine is only talked to
because a person typed it.
"""

import json
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from models.adapters.ollama import token_bound
from models.adapters.pump import pump
from models.ports import Message, ModelFailed, ModelUnavailable, PromptTooLong

if TYPE_CHECKING:
    import httpx

    from models.adapters.ollama_transport import OllamaTransport

CONTEXT_TOKENS = 8192
"""Where the server does not say how much it reads."""
_CONNECT_SECONDS = 3.0
_READ_SECONDS = 600.0
_NO_SCHEMA = (400, 404, 415, 422, 501)
"""What servers answer that do not know ``response_format``; the reply is validated all the same."""


def checked_address(address: str) -> str:
    """The server's address with scheme, without a path or ``/v1``. Raises ModelUnavailable for what is none."""
    full = address if "://" in address else f"http://{address}"
    parts = urlsplit(full)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ModelUnavailable(f"{address!r} is no address of a model server, such as http://127.0.0.1:8080")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix('/v1')}"


class ChatServerModel:
    """One model of one server. One request at a time; ``name`` is recorded in answers."""

    def __init__(self, model: str, address: str) -> None:
        self._model, self._address = model, checked_address(address)
        self._context_tokens = 0

    @property
    def name(self) -> str:
        return f"server:{self._model}"

    @property
    def context_tokens(self) -> int:
        """As the server says (vLLM, llama.cpp), else ``CONTEXT_TOKENS``."""
        if not self._context_tokens:
            self._context_tokens = _context_of(self._models(), self._model) or self._told_by_llama() or CONTEXT_TOKENS
        return self._context_tokens

    def count_tokens(self, text: str) -> int:
        """An upper bound for running text in Latin letters: the protocol has no tokenizer to ask."""
        return token_bound(text)

    def found(self) -> "ChatServerModel":
        """This model, or the first that the server names where none was. Raises ModelUnavailable where no such server
        answers, or it names several models and this is none of them."""
        named = [str(row["id"]) for row in self._models() if isinstance(row, dict) and "id" in row]
        if not self._model and named:
            return ChatServerModel(named[0], self._address)
        if not self._model or (len(named) > 1 and self._model not in named):
            has = f"it has {', '.join(named)}" if named else "it names none"
            raise ModelUnavailable(f"the server at {self._where} has no model {self._model or 'of any name'}; {has}")
        return self

    def stream_json(self, messages: list[Message], schema: dict[str, Any], max_tokens: int) -> Generator[str]:
        """See ``models.ports.ChatModel``. A server that refuses the schema is asked once more without it."""
        needed = sum(len(message.content.split()) for message in messages)
        if needed + max_tokens > self.context_tokens:
            raise PromptTooLong(f"{needed} words and {max_tokens} tokens to answer exceed {self.context_tokens}")
        from models.adapters.ollama_transport import OllamaTransport

        transport = OllamaTransport()
        body = {
            "model": self._model, "messages": [{"role": m.role, "content": m.content} for m in messages],
            "max_tokens": max_tokens, "temperature": 0, "seed": 0, "stream": True,
            "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}},
        }  # fmt: skip
        return pump(lambda: self._stream(body, transport), transport.abort)

    def close(self) -> None:
        """Nothing is held."""

    @property
    def _where(self) -> str:
        return urlsplit(self._address).netloc.rsplit("@", 1)[-1]

    def _stream(self, body: dict[str, Any], transport: "OllamaTransport") -> Iterator[str]:
        import httpx

        try:
            with httpx.Client(transport=transport, timeout=_timeout(), trust_env=False) as client:
                refused = yield from self._pieces(client, body)
                if refused:
                    del body["response_format"]
                    refused = yield from self._pieces(client, body)
                    if refused:
                        raise ModelFailed(f"the server at {self._where} refused the request")
        except (httpx.ConnectError, httpx.ConnectTimeout) as absent:
            raise ModelUnavailable(f"no model server answers at {self._where}: start it, or choose another") from absent
        except httpx.HTTPError as broken:
            raise ModelFailed(f"the server at {self._where} ended while it was answering") from broken

    def _pieces(self, client: "httpx.Client", body: dict[str, Any]) -> Generator[str, None, bool]:
        """True if the server refused the request, before anything was given."""
        with client.stream("POST", f"{self._address}/v1/chat/completions", json=body) as reply:
            if reply.status_code in _NO_SCHEMA:
                return True
            if reply.status_code != 200:
                raise ModelFailed(f"the server at {self._where} reported an error ({reply.status_code})")
            for line in reply.iter_lines():
                piece, ended = _piece(line)
                if piece:
                    yield piece
                if ended:
                    return False
        raise ModelFailed(f"the server at {self._where} ended while it was answering")

    def _models(self) -> list[Any]:
        found = self._told("/v1/models")
        rows = found.get("data") if isinstance(found, dict) else None
        if not isinstance(rows, list):
            raise ModelUnavailable(f"what answers at {self._where} does not speak the OpenAI chat protocol")
        return rows

    def _told_by_llama(self) -> int:
        try:
            found = self._told("/props")
        except ModelUnavailable:
            return 0
        settings = found.get("default_generation_settings") if isinstance(found, dict) else None
        return _whole(settings.get("n_ctx")) if isinstance(settings, dict) else 0

    def _told(self, path: str) -> Any:
        import httpx

        try:
            with httpx.Client(timeout=_CONNECT_SECONDS, trust_env=False) as client:
                reply = client.get(f"{self._address}{path}")
                return reply.json() if reply.status_code == 200 else None
        except httpx.HTTPError as silent:
            raise ModelUnavailable(f"no model server answers at {self._where}: start it, or choose another") from silent
        except ValueError as strange:
            raise ModelUnavailable(f"what answers at {self._where} is not a model server") from strange


def _timeout() -> "httpx.Timeout":
    import httpx

    return httpx.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS)


def _context_of(rows: list[Any], model: str) -> int:
    row = next((row for row in rows if isinstance(row, dict) and row.get("id") == model), None)
    return 0 if row is None else _whole(row.get("max_model_len"))


def _whole(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _piece(line: str) -> tuple[str, bool]:
    """Text of one server-sent event, and whether it is the last. An error event, or one that is no JSON, raises
    ModelFailed."""
    if not line.startswith(("data:", "error:")):
        return "", False
    payload = line.split(":", 1)[1].strip()
    if payload == "[DONE]":
        return "", True
    try:
        event = json.loads(payload)
        if line.startswith("error:") or "error" in event:
            raise ModelFailed("the model server reported an error")
        choice = (event.get("choices") or [{}])[0]
        content = (choice.get("delta") or {}).get("content")
    except (ValueError, AttributeError, LookupError, TypeError) as strange:
        raise ModelFailed("the model server answered with what is not of the protocol") from strange
    return content if isinstance(content, str) else "", False
