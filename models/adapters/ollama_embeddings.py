"""Embeddings from an Ollama server, through langchain-ollama. It implements ``retrieval.ports.Embedder`` by shape."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from models.adapters.ollama import DEFAULT_EMBEDDER, DEFAULT_HOST, require_model, server_state
from models.ports import ModelUnavailable

if TYPE_CHECKING:
    from langchain_ollama import OllamaEmbeddings

BATCH = 32
"""Texts in one request: enough to keep the server busy, few enough that a cancelled run stops soon."""


class OllamaEmbedder:
    """Asks the server once what it is, then only for vectors. What is longer than the model's context is cut by it.

    Raises ModelUnavailable, from any method, where the server or the model is missing.
    """

    def __init__(self, model: str = DEFAULT_EMBEDDER, host: str = DEFAULT_HOST) -> None:
        state = server_state(host)
        require_model(state, model)
        digest = state.digest_of(model) or ""
        self._name = f"ollama-{model.replace('/', '-').replace(':', '-')}-{digest[:12]}"
        self._model, self._host = model, host
        self._client: OllamaEmbeddings | None = None
        self._dimension = 0

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        if not self._dimension:
            self.embed(["dimension"])
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of unit length."""
        rows = [row for first in range(0, len(texts), BATCH) for row in self._ask(list(texts[first : first + BATCH]))]
        if not rows:
            return np.zeros((0, self.dimension), np.float32)
        vectors = np.array(rows, np.float32)
        self._dimension = vectors.shape[1]
        lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-12))
        unit: NDArray[np.float32] = vectors / lengths
        return unit

    def _ask(self, texts: list[str]) -> list[list[float]]:
        import httpx
        import ollama

        try:
            return self._connected().embed_documents(texts)
        except ollama.ResponseError as refused:
            raise ModelUnavailable(f"Ollama could not embed with {self._model}: {refused.error[:200]}") from refused
        except (httpx.HTTPError, ConnectionError) as broken:
            raise ModelUnavailable("the Ollama server stopped answering: start it with `ollama serve`") from broken

    def _connected(self) -> "OllamaEmbeddings":
        if self._client is None:
            from langchain_ollama import OllamaEmbeddings

            from models.adapters.ollama_transport import OllamaTransport

            own = {"transport": OllamaTransport(), "trust_env": False}
            self._client = OllamaEmbeddings(model=self._model, base_url=self._host, sync_client_kwargs=own)
        return self._client
