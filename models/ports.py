"""One interface to a chat model; the adapters are ``ollama``, ``llama_cpp`` and, without a model, ``extractive``."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:  # numpy is heavy, and most callers of this file need none of it
    import numpy as np
    from numpy.typing import NDArray


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

    def stream_json(self, messages: list[Message], schema: dict[str, Any], max_tokens: int) -> Generator[str]:
        """Pieces of one JSON document that obeys the schema, and ``""`` while the model is silent, several times a
        second, so that a caller can stop in between. Closing the generator cancels within a second.

        Raises ModelUnavailable, ModelFailed or PromptTooLong.
        """
        ...

    def close(self) -> None: ...


class SentenceEncoder(Protocol):
    """Tells how alike two texts are; ``adapters.embeddings`` and ``adapters.ollama_embeddings`` implement it."""

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Shape (len(texts), dimension), rows of unit length."""
        ...
