"""Ends what tagging a source into or out of an access class, or sealing a matter, began."""

from collections import deque

from app.errors import StoreFault
from app.services.matter.matter import Matter
from app.store.settling import is_settled, mark_settled, settle_content


def settle(matter: Matter) -> None:
    """Nothing to do unless the store is marked. Raises StoreFault; run again, it goes on.

    Each reader's index holds what that reader may read: the indexes of those who opened classes are deleted, and what
    went into a class leaves the common one, words and vectors.
    """
    if is_settled(matter.store):
        return
    try:
        settle_content(matter.store)
        matter.store.index_files.drop_views()
    except OSError as error:
        raise StoreFault(f"what is kept could not be sealed again ({error.strerror}); run the command again") from error
    _purge_common_index(matter.outside_classes())
    mark_settled(matter.store)


def _purge_common_index(matter: Matter) -> None:
    from app.bootstrap import build_searcher, find_embedder
    from retrieval.index.vectors import KeptVectors, kept_under

    files = matter.store.index_files
    deque(build_searcher(matter, dense=False).refresh_lexical(hold=False), maxlen=0)
    embedder = find_embedder(matter.settings)
    mine = None if embedder is None else kept_under(embedder.name)
    for name in files.names():
        if name.startswith("vectors-") and (mine is None or not name.startswith(mine)):
            files.remove(name)  # of another model: made again when that is used again
    if embedder is not None:
        deque(KeptVectors(files, embedder.name, embedder.dimension).keep_only(matter.store.passages.ids()), maxlen=0)
