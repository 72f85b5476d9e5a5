"""Nearest neighbours over a whole matter through Chroma: embedded on disk, or a server that a firm shares.

Chroma holds ids and vectors only, no text, and nothing that could not be made again from ``index.vectors``. So
whatever is wrong with it (damaged, another id set, server away) has one remedy: make it again, and answer exactly from
the kept vectors meanwhile. Chroma's import costs seconds, so it is done where it is first needed, never at the start.

Embedded, it holds its whole graph in this process's memory, so a matter of more than ``MOST_ON_DISK`` passages has none
and is always compared exactly; a server holds it in its own.
"""

import hashlib
import shutil
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import VectorRows
from verify.domain.ids import PassageId
from verify.domain.progress import Progress

if TYPE_CHECKING:
    from chromadb import Settings
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

BATCH = 100
"""Vectors sent at a time: a sixth of a second where nothing else runs, so that a cancel is prompt. Chroma's own limit
is over 5,000."""
MOST_ON_DISK = 30_000
"""Passages, some 10,000 pages, that Chroma indexes in this process. Each takes nearly 4 KB of memory, with ids and
links, and none can be searched without all of them, while comparing as many exactly takes 3 ms."""
MARK_FILE = "complete"
"""Beside Chroma's folders: the digest of the ids that the collection holds, written when it is complete."""
_HNSW = {"hnsw": {"space": "cosine", "ef_search": 400, "ef_construction": 200}}
"""Rows are of unit length. Wider than Chroma's own 100 and 100, for the 200 neighbours that fusion reads: over 22,016
passages of contracts 99.9 % of the ten nearest are found (98.4 % with ef_search 200), at 2.1 ms a query."""


class ChromaIndex:
    """One collection, named for matter and embedding model; implements ``retrieval.ports.VectorIndex``.

    ``problem`` says in a stable code why it does not answer: "damaged", "unreachable", or None. It never raises for a
    fault of Chroma's: search goes on without it.
    """

    def __init__(self, connect: "Callable[[], ClientAPI]", collection: str, discard: Callable[[], None], fault: str,
                 folder: Path | None = None, most: int | None = None) -> None:  # fmt: skip
        self._connect, self._name, self._discard, self._fault = connect, collection, discard, fault
        self._folder, self._most = folder, most
        self._mark = None if folder is None else folder / MARK_FILE
        self._collection: Collection | None = None
        self._size = 0
        self.problem: str | None = None

    def sync(self, ids: Sequence[PassageId], vectors: VectorRows) -> Generator[Progress, None, None]:
        """Makes the collection hold exactly these rows; a damaged one is thrown away and made again, once. One that
        would grow too large for this process is deleted.

        A collection on disk that is marked as complete for these rows is left as it is, Chroma not even imported.
        """
        if self._marked(ids):
            return
        if self._most is not None and len(ids) > self._most:
            self._give_room()
            return
        self._unmark()
        for _ in range(2):
            try:
                yield from self._synced(ids, vectors)
            except BaseException as fault:
                _reraise_if_not_chromas(fault)
                self._collection = None
                self._discard()
                self.problem = self._fault
            else:
                self.problem = None
                self._set_mark(ids)
                return

    def attach(self, ids: Sequence[PassageId]) -> bool:
        """Lets ``nearest`` answer from what is there, if that is marked as complete for these rows. Changes nothing:
        what is found damaged loses its mark, and the next ``sync`` makes it anew."""
        if self._collection is not None or not self._marked(ids):
            return self._collection is not None
        try:
            collection = _existing(self._connect(), self._name)
            if collection is None:
                raise RuntimeError("the collection is not what its mark says")
        except BaseException as fault:
            _reraise_if_not_chromas(fault)
            self._give_up()
            return False
        self._collection, self._size = collection, len(ids)
        return True

    def nearest(self, vector: NDArray[np.float32], k: int) -> list[PassageId] | None:
        """The ``k`` nearest, best first; None while the collection is not synced or fails to answer."""
        if self._collection is None or self._size == 0:
            return None
        try:
            wanted = min(k, self._size)
            found = self._collection.query(query_embeddings=[vector], n_results=wanted, include=[])
        except BaseException as fault:
            _reraise_if_not_chromas(fault)
            self._give_up()
            return None
        if len(found["ids"][0]) < wanted:
            self._give_up()
            return None
        return [PassageId(key) for key in found["ids"][0]]

    def _marked(self, ids: Sequence[PassageId]) -> bool:
        if self._mark is None or not self._mark.is_file():
            return False
        with suppress(OSError, UnicodeDecodeError):
            return self._mark.read_text("ascii") == _digest(ids)
        return False

    def _set_mark(self, ids: Sequence[PassageId]) -> None:
        if self._mark is not None:
            with suppress(OSError):
                self._mark.write_text(_digest(ids), "ascii")

    def _unmark(self) -> None:
        if self._mark is not None:
            self._mark.unlink(missing_ok=True)

    def _give_room(self) -> None:
        self._collection = None
        self._unmark()
        if self._folder is not None and self._folder.exists():
            _release_clients()
            shutil.rmtree(self._folder, ignore_errors=True)

    def _give_up(self) -> None:
        self._collection, self.problem = None, self._fault
        with suppress(OSError):
            self._unmark()

    def _synced(self, ids: Sequence[PassageId], vectors: VectorRows) -> Generator[Progress, None, None]:
        client = self._connect()
        collection = _existing(client, self._name)
        wanted = frozenset(ids)
        present = frozenset() if collection is None else frozenset(collection.get(include=[])["ids"])
        if collection is None or len(present & wanted) * 2 < len(wanted):
            collection = yield from self._made_anew(client, ids, vectors)
        else:
            _delete(collection, sorted(present - wanted))
            rows = [row for row, key in enumerate(ids) if key not in present]
            yield from _add(collection, ids, vectors, rows)
        if collection.count() != len(wanted):
            raise RuntimeError("the collection does not hold what it was given")
        if wanted:  # ids are kept apart from the vectors' own files, which may be damaged alone
            collection.query(query_embeddings=[vectors[[0]][0]], n_results=1, include=[])
        self._collection, self._size = collection, len(wanted)

    def _made_anew(
        self, client: "ClientAPI", ids: Sequence[PassageId], vectors: VectorRows
    ) -> "Generator[Progress, None, Collection]":
        """Filled aside under another name and swapped when complete, so that the old one answers until then."""
        aside = f"{self._name}-new"
        _drop(client, aside)
        made = client.create_collection(aside, configuration=_HNSW, embedding_function=None)
        yield from _add(made, ids, vectors, range(len(ids)))
        self._collection = None
        _drop(client, self._name)
        made.modify(name=self._name)
        return client.get_collection(self._name, embedding_function=None)


_MOST_COLLECTIONS = 100_000


def _digest(ids: Sequence[PassageId]) -> str:
    return hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest()


def on_disk(folder: Path, collection: str, most: int = MOST_ON_DISK) -> ChromaIndex:
    """Chroma embedded in this process, its files under ``folder`` (made when needed). 3 to 512 of [a-zA-Z0-9._-]."""

    def connect() -> "ClientAPI":
        import chromadb

        folder.mkdir(parents=True, exist_ok=True)
        return chromadb.PersistentClient(path=_newest(folder), settings=_settings())

    def discard() -> None:
        # A folder that a live client holds is not deleted under it: the next one gets another name.
        _release_clients()
        used = _newest(folder)
        used.with_name(f"{int(used.name) + 1}").mkdir(parents=True, exist_ok=True)
        shutil.rmtree(used, ignore_errors=True)

    return ChromaIndex(connect, collection, discard, "damaged", folder, most)


def on_server(url: str, collection: str) -> ChromaIndex:
    """A Chroma server, e.g. ``http://host:8000``; it is given ids and vectors, never text."""
    return ChromaIndex(lambda: _server(url), collection, lambda: None, "unreachable")


def drop_on_server(url: str, prefix: str) -> int:
    """Deletes the server's collections whose names begin so; how many those were. Raises OSError where it fails."""
    try:
        client = _server(url)
        names = [found.name for found in client.list_collections(limit=_MOST_COLLECTIONS)]
        doomed = [name for name in names if name.startswith(prefix)]
        for name in doomed:
            client.delete_collection(name)
    except BaseException as fault:
        _reraise_if_not_chromas(fault)
        raise OSError("the Chroma server does not answer") from fault
    return len(doomed)


def _server(url: str) -> "ClientAPI":
    import chromadb

    parts = urlsplit(url)
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 8000)
    return chromadb.HttpClient(host=parts.hostname or "", port=port, ssl=secure, settings=_settings())


def _settings() -> "Settings":
    import chromadb

    return chromadb.Settings(anonymized_telemetry=False)


def _newest(folder: Path) -> Path:
    numbers = [int(child.name) for child in folder.iterdir() if child.name.isdecimal()] if folder.is_dir() else []
    return folder / str(max(numbers, default=0))


def _release_clients() -> None:
    if "chromadb" not in sys.modules:
        return
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()


def _existing(client: "ClientAPI", name: str) -> "Collection | None":
    from chromadb.errors import NotFoundError

    try:
        return client.get_collection(name, embedding_function=None)
    except NotFoundError:
        return None


def _drop(client: "ClientAPI", name: str) -> None:
    if _existing(client, name) is not None:
        client.delete_collection(name)


def _delete(collection: "Collection", ids: Sequence[str]) -> None:
    for begin in range(0, len(ids), BATCH):
        collection.delete(ids=list(ids[begin : begin + BATCH]))


def _add(
    collection: "Collection", ids: Sequence[PassageId], vectors: VectorRows, rows: Sequence[int]
) -> Generator[Progress, None, None]:
    for begin in range(0, len(rows), BATCH):
        batch = list(rows[begin : begin + BATCH])
        collection.upsert(ids=[ids[row] for row in batch], embeddings=vectors[batch])
        yield Progress("embed", begin + len(batch), len(rows), "passages")


def _reraise_if_not_chromas(fault: BaseException) -> None:
    """Chroma's Rust core panics with a class of its own under BaseException; what is not Chroma's goes on up."""
    if isinstance(fault, KeyboardInterrupt | SystemExit | GeneratorExit | MemoryError):
        raise fault
