"""A GGUF file of one's own in the embedded engine. It words claims, as a model of a server does; the file that Pincite
fetches is too small for that and only chooses."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from models.adapters.llama_cpp import LlamaCppModel
from models.ports import Message


class LlamaFileModel:
    """``models.ports.ChatModel`` over ``path``. The child process is started on first use."""

    def __init__(self, path: Path, undisturbed: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        self._engine = LlamaCppModel(path, path.stem, undisturbed=undisturbed)
        self._name = f"file:{path.name}"

    @property
    def name(self) -> str:
        return self._name

    @property
    def context_tokens(self) -> int:
        return self._engine.context_tokens

    def count_tokens(self, text: str) -> int:
        return self._engine.count_tokens(text)

    def stream_json(self, messages: list[Message], schema: dict[str, Any], max_tokens: int) -> Generator[str]:
        return self._engine.stream_json(messages, schema, max_tokens)

    def close(self) -> None:
        self._engine.close()
