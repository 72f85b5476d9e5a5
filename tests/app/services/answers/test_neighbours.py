"""What ``index`` leaves for search by meaning: Chroma on disk, asked by processes that last."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.services.asking.searching import SearchOptions, open_search
from app.services.matter.matter import open_matter
from app.settings import Settings
from verify.domain.progress import finish

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
QUERY = "when does the tenant pay"


def found(place: Any, *, lasting: bool) -> tuple[list[str], bool]:
    """The passages by meaning, best first, and whether Chroma was there to be asked."""
    with open_matter(place.matter, Settings(), place.store) as matter:
        search = finish(open_search(matter, lasting=lasting))
        ranked = search.rank(QUERY, SearchOptions(5, "dense"))
        return [r.passage.passage_id for r in ranked], search._searcher.attach_neighbours() and lasting


def vectors(place: Any) -> Path:
    return next(path for path in place.store.rglob("vectors") if path.is_dir())


def test_index_fills_chroma_and_lasting_searches_ask_it(place: Any) -> None:
    assert place.run("index", "--json")[0] == 0
    exact, _ = found(place, lasting=False)
    assert found(place, lasting=True) == (exact, True)
    assert len(exact) >= 3


def test_a_folder_of_chroma_s_that_is_gone_is_made_anew(place: Any) -> None:
    assert place.run("index", "--json")[0] == 0
    before, _ = found(place, lasting=True)
    shutil.rmtree(vectors(place))
    assert found(place, lasting=True) == (before, False)
    assert place.run("index", "--json")[0] == 0
    assert found(place, lasting=True) == (before, True)


def test_a_batch_gives_what_single_searches_give(place: Any, tmp_path: Path) -> None:
    assert place.run("index", "--json")[0] == 0
    lines = tmp_path / "queries.txt"
    lines.write_text(f"{QUERY}\nwhere are the keys\n", "utf-8")
    batch = [json.loads(line) for line in place.run("search", "--batch", str(lines))[1].splitlines()]
    singles = [json.loads(place.run("search", one["query"], "--json")[1]) for one in batch]
    assert batch == singles
