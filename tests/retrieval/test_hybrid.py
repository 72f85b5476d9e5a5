import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrieval.hybrid import Mode, Searcher, SearchOptions
from retrieval.index.dense import ChromaIndex, on_disk
from retrieval.index.lexical import LexicalIndex
from retrieval.index.upkeep import INDEX_FILE
from retrieval.ports import VectorIndex
from verify.domain.ids import SourceId

LEASE = [
    ["LEASE between Tarn Estates LP as landlord and Bexley Foods Inc. as tenant."],
    ["Rent is due on the first day of each month.", "Late rent bears interest.", "The deposit is returned."],
    ["This lease is governed by and construed in accordance with the laws of Norway."],
]
SUPPLY = [
    ["SUPPLY AGREEMENT between Umbra Metals AG and Corvane Tools Inc."],
    ["Umbra shall deliver zinc ingots each month.", "This agreement is governed by the laws of Chile."],
]


@pytest.fixture
def searcher(matter: Any) -> Searcher:
    matter.add("lease", LEASE, document_type="lease", dated="2021-03-01")
    matter.add("supply", SUPPLY, document_type="agreement", dated="2023-06-30")
    made = Searcher(matter.store, matter.files, records=lambda: matter.records)
    list(made.refresh())
    return made


def hits(searcher: Searcher, query: str, **options: Any) -> list[tuple[str, int]]:
    found = searcher.search(query, SearchOptions(**options))
    return [(one.passage.source_id, one.passage.page_index) for one in found]


def words_of(index: LexicalIndex) -> set[str]:
    return {word for segment in index.segments for word in segment.words}


def test_the_clause_is_found_by_other_words_than_its_own(searcher: Searcher) -> None:
    assert hits(searcher, "Which law applies to the lease between Tarn Estates and Bexley Foods?")[0] == ("lease", 2)


def test_other_pages_come_before_a_page_s_second_hit(searcher: Searcher) -> None:
    pages = hits(searcher, "rent deposit month", source_ids=(SourceId("lease"),))
    assert pages[0] == ("lease", 1)
    assert [page for _, page in pages].count(1) == 3
    assert pages[-1] == ("lease", 1)


def test_ranks_count_from_one_and_scores_fall(searcher: Searcher) -> None:
    found = searcher.search("rent month", SearchOptions(k=5))
    assert [one.rank for one in found] == list(range(1, len(found) + 1))
    assert found[0].lexical_rank == 1
    assert all(one.dense_rank is None for one in found)
    assert all(isinstance(one.score, int) and one.score > 0 for one in found)


@pytest.mark.parametrize(
    ("options", "sources"),
    [
        ({"source_ids": (SourceId("supply"),)}, {"supply"}),
        ({"source_ids": ()}, set()),
        ({"document_types": ("lease",)}, {"lease"}),
        ({"dated_from": "2022-01-01"}, {"supply"}),
        ({"dated_to": "2022-01-01"}, {"lease"}),
        ({"dated_from": "2021-03-01", "dated_to": "2023-06-30"}, {"lease", "supply"}),
        ({"document_types": ("memo",)}, set()),
    ],
)
def test_a_scope_lets_through_its_documents_only(
    searcher: Searcher, options: dict[str, Any], sources: set[str]
) -> None:
    assert {source for source, _ in hits(searcher, "governed laws month", **options)} == sources


def test_a_document_without_a_date_lies_in_no_range(matter: Any, searcher: Searcher) -> None:
    matter.add("note", [["Note on the laws of Peru."]])
    list(searcher.refresh())
    assert ("note", 0) in hits(searcher, "laws")
    assert ("note", 0) not in hits(searcher, "laws", dated_from="1900-01-01")


@pytest.mark.parametrize("query", ["", "   ", "§", "the of and", "日本", "\x00", "a" * 5000, "((((", "\ud800"])
def test_no_query_breaks_it(searcher: Searcher, query: str) -> None:
    assert isinstance(searcher.search(query), tuple)


def test_an_empty_matter_answers_nothing(matter: Any) -> None:
    searcher = Searcher(matter.store, matter.files)
    list(searcher.refresh())
    assert searcher.search("rent") == ()


def test_an_index_is_kept_and_read_again_without_reading_passages(matter: Any, searcher: Searcher) -> None:
    before = hits(searcher, "rent")
    matter.store.fetched = 0
    again = Searcher(matter.store, matter.files, records=lambda: matter.records)
    assert list(again.refresh()) == []
    assert matter.store.fetched == 0
    assert hits(again, "rent") == before


def test_only_new_passages_are_read_when_a_document_comes(matter: Any, searcher: Searcher) -> None:
    matter.store.fetched = 0
    matter.add("memo", [["A memo on zinc prices."]])
    list(searcher.refresh())
    assert matter.store.fetched == 2  # once for the index, once for the card
    assert ("memo", 0) in hits(searcher, "zinc prices")


def test_a_document_that_went_is_not_found_and_its_words_are_not_kept(matter: Any, searcher: Searcher) -> None:
    matter.store.drop("supply")
    matter.records = [one for one in matter.records if one.source_id != "supply"]
    assert hits(searcher, "zinc ingots") == []  # gone from the store: never shown, even before a refresh
    list(searcher.refresh())
    assert hits(searcher, "zinc ingots") == []
    assert "ingot" not in words_of(searcher._index.passages)
    assert "umbra" not in words_of(searcher._index.cards)


def test_a_renamed_document_gets_a_new_card(matter: Any, searcher: Searcher) -> None:
    matter.records = [dataclasses.replace(one, path=f"archive/zanzibar-{one.path}") for one in matter.records]
    list(searcher.refresh())
    assert "zanzibar" in words_of(searcher._index.cards)


@pytest.mark.parametrize("damage", [b"", b"garbage", b"PK\x03\x04 cut"])
def test_a_damaged_index_is_made_anew(matter: Any, searcher: Searcher, damage: bytes) -> None:
    before = hits(searcher, "rent")
    matter.files.write(INDEX_FILE, damage)
    again = Searcher(matter.store, matter.files, records=lambda: matter.records)
    list(again.refresh())
    assert hits(again, "rent") == before


def test_every_cut_of_the_index_file_is_noticed(matter: Any, searcher: Searcher) -> None:
    whole, before = matter.files.kept[INDEX_FILE], hits(searcher, "rent")
    for size in range(0, len(whole), max(1, len(whole) // 40)):
        matter.files.write(INDEX_FILE, whole[:size])
        again = Searcher(matter.store, matter.files, records=lambda: matter.records)
        list(again.refresh())
        assert hits(again, "rent") == before


def test_embeddings_fill_in_behind_and_both_ranks_are_told(matter: Any, letters: Any) -> None:
    matter.add("lease", LEASE)
    searcher = Searcher(matter.store, matter.files, letters, None, lambda: matter.records)
    list(searcher.refresh_lexical())
    assert {one.dense_rank for one in searcher.search("rent")} == {None}
    stages = [progress.stage for progress in searcher.refresh_dense()]
    assert stages and set(stages) == {"embed"}
    found = searcher.search("rent")
    assert found[0].lexical_rank is not None and found[0].dense_rank is not None


def test_a_half_filled_ranking_is_not_used(matter: Any, letters: Any) -> None:
    matter.add("lease", LEASE)
    searcher = Searcher(matter.store, matter.files, letters, None, lambda: matter.records)
    list(searcher.refresh())
    matter.add("supply", SUPPLY)
    list(searcher.refresh_lexical())
    assert {one.dense_rank for one in searcher.search("month")} == {None}
    inside = searcher.search("month", SearchOptions(source_ids=(SourceId("lease"),)))
    assert all(one.dense_rank is not None for one in inside)


def test_dense_mode_ranks_by_nearness_alone(matter: Any, letters: Any) -> None:
    matter.add("notes", [["zzzz"], ["qqqq"], ["xxxx"]])
    searcher = Searcher(matter.store, matter.files, letters, None, lambda: matter.records)
    list(searcher.refresh())
    found = searcher.search("q", SearchOptions(mode=Mode.DENSE))
    assert found[0].passage.text == "qqqq"
    assert found[0].dense_rank == 1 and found[0].lexical_rank is None


def test_a_refresh_that_is_broken_off_goes_on_where_it_was(matter: Any, letters: Any) -> None:
    matter.add("long", [[f"passage number {n}"] for n in range(40)])
    searcher = Searcher(matter.store, matter.files, letters, None, lambda: matter.records)
    list(searcher.refresh_lexical())
    work = searcher.refresh_dense()
    next(work)
    work.close()
    first = len(letters.embedded)
    assert 0 < first < 40
    again = Searcher(matter.store, matter.files, letters, None, lambda: matter.records)
    list(again.refresh())
    assert len(letters.embedded) == 40


def test_another_model_never_meets_the_first_one_s_vectors(matter: Any, letters: Any) -> None:
    matter.add("lease", LEASE)
    list(Searcher(matter.store, matter.files, letters, None, lambda: matter.records).refresh())
    before = len(letters.embedded)
    letters.name = "letters-2"
    list(Searcher(matter.store, matter.files, letters, None, lambda: matter.records).refresh())
    assert len(letters.embedded) == 2 * before


def test_vectors_of_a_removed_document_leave_the_files(matter: Any, letters: Any) -> None:
    matter.add("lease", LEASE)
    supply = matter.add("supply", SUPPLY)
    searcher = Searcher(matter.store, matter.files, letters, None, lambda: matter.records)
    list(searcher.refresh())
    matter.store.drop("supply")
    list(searcher.refresh())
    everything = b"".join(matter.files.kept.values())
    assert not any(one.passage_id.encode() in everything for one in supply)


def test_results_are_the_same_every_time(searcher: Searcher) -> None:
    once = searcher.search("laws month rent")
    assert all(searcher.search("laws month rent") == once for _ in range(3))


def test_neighbours_and_what_a_passage_leans_on(matter: Any) -> None:
    made = matter.add(
        "supply",
        [
            ["1.1 “Delivery Point” means the north gate.", "1.2 “Fee” means the price in Schedule 1."],
            ["2.1 Metal goes to the Delivery Point.", "2.2 The Fee is due as stated in Section 2.1."],
        ],
    )
    searcher = Searcher(matter.store, matter.files, records=lambda: matter.records)
    list(searcher.refresh())
    assert searcher.neighbours(made[1]) == (made[0], made[2])
    assert searcher.neighbours(made[0], before=2, after=2) == (made[1], made[2])
    assert searcher.referred_to(made[3]) == (made[2], made[1])
    assert searcher.referred_to(made[2]) == (made[0],)
    assert searcher.referred_to(made[3], limit=1) == (made[2],)


def test_vectors_keep_their_geometry(matter: Any, letters: Any) -> None:
    made = matter.add("lease", LEASE)
    searcher = Searcher(matter.store, matter.files, letters, None, lambda: matter.records)
    list(searcher.refresh())
    ids, kept = searcher._dense._kept.load()  # type: ignore[union-attr]
    exact = letters.embed([one.text for one in made])
    rows = [ids.index(one.passage_id) for one in made]
    np.testing.assert_allclose(kept[rows] @ exact.T, exact @ exact.T, atol=2e-3)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_neighbours_from_chroma_rank_as_exact_comparison_does(
    matter: Any, letters: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["rent", "zinc", "quay", "lamp", "moss", "jib", "vow", "fox"]
    texts = [" ".join(words[(n >> shift) % 8] for shift in (0, 2, 4, 6)) for n in range(200)]  # many tie by letters
    for number in range(4):
        matter.add(f"d{number}", [[text] for text in texts[number::4]])

    def searcher(vectors: VectorIndex | None) -> Searcher:
        return Searcher(matter.store, matter.files, letters, vectors, lambda: matter.records)

    list(searcher(on_disk(tmp_path, "pincite-h")).refresh())
    exact, lasting = searcher(None), searcher(on_disk(tmp_path, "pincite-h"))
    assert lasting.attach_neighbours()
    asked: list[str] = []
    found = lasting._dense._neighbours.nearest  # type: ignore[union-attr]
    monkeypatch.setattr(ChromaIndex, "nearest", lambda _, *args: asked.append("chroma") or found(*args))
    dense = SearchOptions(10, Mode.DENSE)
    assert [lasting.search(word, dense) for word in words] == [exact.search(word, dense) for word in words]
    assert len(asked) == len(words)


def test_without_an_index_of_neighbours_none_is_attached(searcher: Searcher) -> None:
    assert not searcher.attach_neighbours()
