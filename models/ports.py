"""One interface to a chat model; the adapters are ``ollama``, ``llama_cpp`` and, without a model, ``extractive``."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol


class ModelUnavailable(Exception):
    """No such server, model or file. The message names what to do."""


class ModelFailed(Exception):
    """The model ended, timed out or answered with what is not JSON of the schema, twice."""


class PromptTooLong(Exception):
    """The prompt does not fit the context; nothing was sent."""


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    content: str


class ChatModel(Protocol):
    """``name`` is what an answer records, e.g. ``ollama:qwen3:8b``, ``embedded:qwen2.5-1.5b``."""

    @property
    def name(self) -> str: ...

    @property
    def context_tokens(self) -> int: ...

    def count_tokens(self, text: str) -> int:
        """Exact, or an upper bound where the server has no tokenizer to ask."""
        ...

    def stream_json(self, messages: list[Message], schema: dict[str, Any], max_tokens: int) -> Iterator[str]:
        """Pieces of one JSON document that obeys the schema. Closing the iterator cancels within a second.

        Raises ModelUnavailable, ModelFailed or PromptTooLong.
        """
        ...

    def close(self) -> None: ...
