"""Ollama as users run it: found or not, which models it has, missing ones pulled, answers streamed and cancelled.

Only this machine is asked unless a remote host was chosen explicitly. No proxy is ever used, whatever the environment
says. The server is told to refuse a prompt that is too long instead of cutting it; older servers ignore that, so the
number of tokens that they read is compared as well.
"""

import ipaddress
import re
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from models.adapters.pump import pump
from models.ports import Message, ModelFailed, ModelUnavailable, PromptTooLong
from verify.domain.progress import Progress

if TYPE_CHECKING:
    import ollama
    from langchain_ollama import ChatOllama

    from models.adapters.ollama_transport import OllamaTransport

DEFAULT_HOST = "http://127.0.0.1:11434"
DEFAULT_CHAT = "qwen3:8b"
DEFAULT_EMBEDDER = "bge-m3"
CONTEXT_TOKENS = 8192
KEEP_ALIVE = "15m"
"""How long the server keeps the model in memory after a question."""
_CONNECT_SECONDS = 3.0
_DEAD_AFTER = 3
"""Unanswered pings in a row after which a silent server counts as dead rather than loading."""


class OllamaState(NamedTuple):
    """``models`` as (name, digest); ``loaded`` are the names in memory now."""

    version: str
    models: tuple[tuple[str, str], ...]
    loaded: tuple[str, ...]

    def digest_of(self, name: str) -> str | None:
        """None for a model that the server does not have. A name without a tag means ``:latest``, as for Ollama."""
        return dict(self.models).get(_tagged(name))


def _tagged(name: str) -> str:
    return name if ":" in name.rsplit("/", 1)[-1] else f"{name}:latest"


def is_local(host: str) -> bool:
    """True for a loopback address or ``localhost``."""
    name = urlsplit(host).hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def checked_host(host: str, allow_remote: bool = False) -> str:
    """The address with scheme and port. Raises ModelUnavailable for a remote one that was not allowed."""
    full = host if "://" in host else f"http://{host}"
    parts = urlsplit(full)
    if not parts.hostname:
        raise ModelUnavailable(f"{host!r} is no address of an Ollama server")
    if not allow_remote and not is_local(full):
        raise ModelUnavailable(
            f"the Ollama server {parts.hostname} is not this machine; allow it in the settings first"
        )
    port = parts.port or (443 if parts.scheme == "https" else 11434)
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{name}:{port}"


def server_state(host: str = DEFAULT_HOST) -> OllamaState:
    """What the server says of itself. Raises ModelUnavailable, naming what to do, where none answers."""
    import httpx

    try:
        with httpx.Client(base_url=host, timeout=_CONNECT_SECONDS, trust_env=False) as client:
            version, tags, running = (client.get(f"/api/{path}").json() for path in ("version", "tags", "ps"))
        return OllamaState(
            str(version["version"]),
            tuple((str(m["name"]), str(m["digest"])) for m in tags["models"]),
            tuple(str(m["name"]) for m in running["models"]),
        )
    except httpx.HTTPError as silent:
        raise ModelUnavailable(f"no Ollama server answers at {_shown(host)}: start it with `ollama serve`") from silent
    except (ValueError, KeyError, TypeError) as strange:
        raise ModelUnavailable(f"what answers at {_shown(host)} is not an Ollama server") from strange


def _shown(host: str) -> str:
    return urlsplit(host).netloc.rsplit("@", 1)[-1]


def require_model(state: OllamaState, name: str) -> None:
    """Raises ModelUnavailable with the command to get it, where the server lacks the model."""
    if state.digest_of(name) is None:
        raise ModelUnavailable(f"Ollama has no model {name}: get it with `ollama pull {name}`")


def pull(host: str, name: str) -> Generator[Progress, None, None]:
    """Has the server fetch a model. Only after a person agreed: this is the one call that makes it use the network.

    Closing stops it; the server goes on from there next time. Raises ModelUnavailable.
    """
    import httpx
    import ollama

    from models.adapters.ollama_transport import OllamaTransport

    try:
        client = ollama.Client(host, transport=OllamaTransport(), trust_env=False)
        yield from _layers(client.pull(name, stream=True))
    except ollama.ResponseError as refused:
        raise ModelUnavailable(f"Ollama could not get {name}: {_why_not(refused.error)}") from refused
    except (httpx.HTTPError, ConnectionError) as broken:
        raise ModelUnavailable(f"the Ollama server at {_shown(host)} stopped answering") from broken


def _layers(steps: "Iterator[ollama.ProgressResponse]") -> Iterator[Progress]:
    """Each layer up to its whole: the server tells how far it is only now and then, and of no layer that it is done.
    A step without a size ("verifying") says that it goes on."""
    done, total, digest = 0, None, None
    for step in steps:
        if total is not None and done < total and step.digest != digest:
            done = total
            yield Progress("fetch", done, total, "bytes")
        if step.total is not None:
            done, total, digest = step.completed or 0, step.total, step.digest
        yield Progress("fetch", done, total, "bytes")


def _why_not(error: str) -> str:
    """The server's own words, but for those that speak of a file where there is no such model."""
    if "file does not exist" in error:
        return "there is no model of that name"
    return error[:200]


class OllamaModel:
    """One chat model of one server, through langchain-ollama. One request at a time."""

    def __init__(self, model: str, host: str = DEFAULT_HOST, context_tokens: int = CONTEXT_TOKENS) -> None:
        self._model = model
        self._host = host
        self._context_tokens = context_tokens

    @property
    def name(self) -> str:
        return f"ollama:{self._model}"

    @property
    def context_tokens(self) -> int:
        return self._context_tokens

    def count_tokens(self, text: str) -> int:
        """An upper bound for running text in Latin letters: Ollama has no tokenizer to ask."""
        return token_bound(text)

    def stream_json(self, messages: list[Message], schema: dict[str, Any], max_tokens: int) -> Generator[str]:
        """See ``models.ports.ChatModel``. Gives ``""`` while the server loads the model or reads the prompt."""
        words = sum(len(message.content.split()) for message in messages)
        if words + max_tokens > self._context_tokens:
            raise PromptTooLong(f"{words} words and {max_tokens} tokens to answer exceed {self._context_tokens}")
        from models.adapters.ollama_transport import OllamaTransport

        transport = OllamaTransport()
        chat = self._chat(transport, schema, max_tokens)
        turns = [(message.role, message.content) for message in messages]
        stream = pump(lambda: _pieces(chat, turns, words), transport.abort)
        return self._watched(stream)

    def close(self) -> None:
        """Nothing is held: the server unloads the model by itself."""

    def _chat(self, transport: "OllamaTransport", schema: dict[str, Any], max_tokens: int) -> "ChatOllama":
        from langchain_ollama import ChatOllama

        return ChatOllama(
            model=self._model, base_url=self._host, format=schema, temperature=0, seed=0, reasoning=False,
            num_ctx=self._context_tokens, num_predict=max_tokens, keep_alive=KEEP_ALIVE,
            sync_client_kwargs={"transport": transport, "trust_env": False},
        )  # fmt: skip

    def _watched(self, stream: Generator[str]) -> Generator[str]:
        """Tells loading from dead: a server that is silent and answers no ping any more has ended."""
        silent, missed = 0, 0
        try:
            for piece in self._named_errors(stream):
                silent = 0 if piece else silent + 1
                if silent and silent % 10 == 0:
                    missed = 0 if self._alive() else missed + 1
                if missed >= _DEAD_AFTER:
                    raise ModelFailed("the Ollama server stopped answering")
                yield piece
        finally:
            stream.close()

    def _alive(self) -> bool:
        try:
            server_state(self._host)
        except ModelUnavailable:
            return False
        return True

    def _named_errors(self, stream: Generator[str]) -> Iterator[str]:
        import httpx
        import ollama

        try:
            yield from stream
        except ollama.ResponseError as refused:
            raise self._refusal(refused) from refused
        except (httpx.ConnectError, ConnectionError) as absent:
            where = _shown(self._host)
            raise ModelUnavailable(f"no Ollama server answers at {where}: start it with `ollama serve`") from absent
        except httpx.HTTPError as broken:
            raise ModelFailed("the Ollama server ended while it was answering") from broken

    def _refusal(self, refused: "ollama.ResponseError") -> Exception:
        if refused.status_code == 404:
            return ModelUnavailable(f"Ollama has no model {self._model}: get it with `ollama pull {self._model}`")
        if "context length" in refused.error:
            return PromptTooLong("Ollama says that the prompt is longer than its context")
        return ModelFailed(f"Ollama reported an error: {refused.error[:200]}")


def _pieces(chat: "ChatOllama", turns: list[tuple[str, str]], words: int) -> Iterator[str]:
    for chunk in chat.stream(turns):
        if isinstance(chunk.content, str) and chunk.content:
            yield chunk.content
        read = chunk.response_metadata.get("prompt_eval_count")
        if isinstance(read, int) and read < words:
            raise PromptTooLong(f"Ollama read {read} tokens of a prompt of {words} words: it cut the beginning")


_RUN = re.compile(r"[A-Za-z]+|\d|[^\sA-Za-z\d]")


def token_bound(text: str) -> int:
    """At least the number of tokens that common BPE vocabularies make: a word is up to a token for each four letters,
    a digit or sign one. Measured on contracts: 1.1 to 1.4 times the true number."""
    return sum(
        1 + len(run) // 5 if run.isascii() and run.isalpha() else len(run.encode()) for run in _RUN.findall(text)
    )
