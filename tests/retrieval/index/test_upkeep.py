"""The index of a matter in small segments: it must say what one segment says, and survive being ended anywhere."""

import dataclasses
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from retrieval.hybrid import Searcher
from retrieval.index import upkeep
from retrieval.index.index import MatterIndex
from retrieval.index.upkeep import INDEX_FILE, kept_index, refreshed
from verify.domain.ids import SourceId

QUESTIONS = ("rent", "zinc north", "due month", "page 3", "clause", "absent")
FEW, ONE = 4, 1_000
"""Passages in a segment: the matter below makes eight of the first size, and one of the second."""


class Ended(BaseException):
    """As kill -9 would: nothing after it runs."""


def fill(matter: Any) -> None:
    """Ten documents of one to three pages with one passage on odd and two on even pages, 25 passages; one of 11."""
    for number in range(10):
        last = "due" if number % 2 else "zinc"
        pages = [
            [f"clause {part} page {page} rent month {last}" for part in range(1 + page % 2)]
            for page in range(1 + number % 3)
        ]
        matter.add(f"d{number}", pages, path=f"north/file {number}.pdf")
    matter.add("ledger", [[f"rent item {n} of the ledger"] for n in range(8)] + [["last"] * 3])


def bring(matter: Any, size: int, index: MatterIndex | None = None) -> MatterIndex:
    """To the end, with so many passages in a segment."""
    work = refreshed(index or kept_index(matter.files), matter.store, lambda: matter.records, matter.files, hold=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upkeep, "SEGMENT", size)
        while True:
            try:
                next(work)
            except StopIteration as end:
                made: MatterIndex = end.value
                return made


def said(index: MatterIndex) -> dict[str, Any]:
    """What the index says of each passage, page and card, by their names."""
    found: dict[str, Any] = {}
    names = [(*index.places[row][:2], key) for row, key in enumerate(index.passages.keys)]
    for question in QUESTIONS:
        query = dict.fromkeys(question.split(), 1.0)
        scores = zip(names, index.passages.scores(query), index.pages.scores(query)[index.row_pages], strict=True)
        found[question] = {name: (round(passage, 9), round(page, 9)) for name, passage, page in scores}
        cards = zip(index.cards.keys, index.cards.scores(query), strict=True)
        found[question + " on cards"] = {key: round(score, 9) for key, score in cards}
        found[question + " documents"] = [index.documents_with(term) for term in query]
    return found


def files_of(matter: Any) -> set[str]:
    return set(matter.files.kept)


def named(index: MatterIndex) -> set[str]:
    return {INDEX_FILE, *(part.name for one in (index.passages, index.cards) for part in one.parts)}


@pytest.fixture
def whole(matter: Any) -> Any:
    fill(matter)
    return matter


def test_segments_say_what_one_segment_says(whole: Any) -> None:
    few = bring(whole, FEW, MatterIndex.empty())
    assert [part.rows for part in few.passages.parts] == 9 * [4]
    assert sum(part.rows for part in few.cards.parts) == 11 and len(few.cards.parts) > 2
    expected = said(few)
    whole.files.kept.clear()
    one = bring(whole, ONE, MatterIndex.empty())
    assert [part.rows for part in one.passages.parts] == [36]
    assert said(one) == expected
    assert said(kept_index(whole.files)) == expected


def test_means_that_were_kept_are_those_that_would_be_worked_out(whole: Any) -> None:
    index = bring(whole, FEW)
    again = dataclasses.replace(index, passages=dataclasses.replace(index.passages, known_mean=None), page_mean=None)
    assert index.passages.known_mean == pytest.approx(again.passages._mean_idf, rel=1e-12)
    assert index.page_mean == pytest.approx(again.pages._mean_idf, rel=1e-12)


def test_passages_of_a_page_lie_in_one_segment(matter: Any) -> None:
    matter.add("one", [["a", "b", "c"], ["d", "e", "f", "g"], ["h"]])
    index = bring(matter, 2)
    assert [part.rows for part in index.passages.parts] == [3, 4, 1]


def test_nothing_is_written_where_nothing_changed(whole: Any) -> None:
    index = bring(whole, FEW)
    before, whole.store.fetched = dict(whole.files.kept), 0
    assert bring(whole, FEW) is not index
    assert whole.files.kept == before
    assert whole.store.fetched == 0


def test_a_store_that_tells_its_state_is_not_even_compared(whole: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(whole.store), "state", lambda _: "7")
    bring(whole, FEW)
    monkeypatch.setattr(type(whole.store), "listing", lambda _: pytest.fail("it was compared"))
    assert bring(whole, FEW).state == "7"


@pytest.mark.parametrize("size", [FEW, ONE])
def test_only_a_changed_document_is_read_again(whole: Any, size: int) -> None:
    bring(whole, size)
    whole.store.drop("d4")
    whole.add("d4", [["clause of zinc, revised"], ["page with rent"]])
    whole.store.fetched = 0
    changed = said(bring(whole, size))
    assert whole.store.fetched == 2 + 2  # two passages for the index, the same for the card
    whole.files.kept.clear()
    assert changed == said(bring(whole, size, MatterIndex.empty()))


def test_segments_that_shrank_are_joined_and_no_file_is_left_over(whole: Any) -> None:
    index = bring(whole, FEW)
    for number in range(9):
        whole.store.drop(f"d{number}")
    index = bring(whole, FEW)
    rows = [part.rows for part in index.passages.parts]
    assert sum(rows) == 1 + 11
    assert all(first + second > FEW for first, second in pairwise(rows))
    assert files_of(whole) == named(index)
    assert not any(b"zinc" in data for data in whole.files.kept.values())


@pytest.mark.parametrize("size", [FEW, 11])
def test_killed_before_any_step_the_next_run_goes_on(whole: Any, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(whole, size)
    whole.store.drop("d1")
    whole.store.drop("ledger")
    whole.add("new", [["rent of the new page", "due zinc"], ["clause"]])
    before, expected = dict(whole.files.kept), None
    for allowed in range(100):
        whole.files.kept = dict(before)
        left = iter(range(allowed))

        def checked(step: Any, left: Iterator[int] = left) -> Any:
            def act(*given: Any) -> None:
                if next(left, None) is None:
                    raise Ended
                step(*given)

            return act

        with monkeypatch.context() as patch:
            patch.setattr(whole.files, "write", checked(whole.files.write))
            patch.setattr(whole.files, "remove", checked(whole.files.remove))
            try:
                bring(whole, size)
            except Ended:
                finished = False
            else:
                finished = True
        index = bring(whole, size)
        expected = expected or said(index)
        assert said(index) == expected, f"killed before step {allowed}"
        assert files_of(whole) == named(index)
        assert len(index.passages.keys) == len(set(index.passages.keys)) == len(whole.store.ids())
        if finished:
            break
    assert allowed > 5
    whole.files.kept.clear()
    assert expected == said(bring(whole, ONE, MatterIndex.empty()))


def test_closed_at_any_sign_of_life_it_goes_on(whole: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "SEGMENT", FEW)
    monkeypatch.setattr(upkeep, "BATCH", 1)
    expected = said(bring(whole, FEW))
    for count in range(1, 200):
        whole.files.kept.clear()
        work = refreshed(MatterIndex.empty(), whole.store, lambda: whole.records, whole.files, hold=True)
        if sum(1 for _ in zip(range(count), work, strict=False)) < count:
            break
        work.close()
        assert said(bring(whole, FEW)) == expected
    assert count > 40


def test_a_run_that_was_ended_keeps_its_segments(whole: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "SEGMENT", FEW)
    work = refreshed(MatterIndex.empty(), whole.store, lambda: whole.records, whole.files, hold=False)
    while len(kept_index(whole.files).passages.keys) < 3 * FEW:
        next(work)
    work.close()
    whole.store.fetched = 0
    bring(whole, FEW)
    assert (
        whole.store.fetched <= 36 + (25 + 8) - 3 * FEW
    )  # all passages, and the first eight for cards, but what was kept


@pytest.mark.parametrize("damage", [None, b"", b"garbage", b"PK\x03\x04 cut"])
def test_a_damaged_segment_is_made_again_and_no_other(whole: Any, damage: bytes | None) -> None:
    index = bring(whole, 11)
    expected, name = said(index), index.passages.parts[1].name
    if damage is None:
        del whole.files.kept[name]
    else:
        whole.files.kept[name] = damage
    whole.store.fetched = 0
    assert said(bring(whole, 11)) == expected
    assert 0 < whole.store.fetched < 36


def test_damaged_cards_are_made_again(whole: Any) -> None:
    index = bring(whole, ONE)
    expected = said(index)
    whole.files.kept[index.cards.parts[0].name] = b"garbage"
    assert said(bring(whole, ONE)) == expected


def test_a_searcher_whose_segments_another_process_replaced_reads_the_new_ones(whole: Any) -> None:
    bring(whole, ONE)
    searcher = Searcher(whole.store, whole.files, records=lambda: whole.records)
    whole.add("late", [["rent for the quay"]])
    bring(whole, ONE)
    whole.store.fetched = 0
    assert list(searcher.refresh_lexical()) == []
    assert whole.store.fetched == 0
    assert [one.passage.source_id for one in searcher.search("quay")] == [SourceId("late")]


def test_an_index_of_another_form_is_made_anew(whole: Any) -> None:
    expected = said(bring(whole, FEW))
    whole.files.kept[INDEX_FILE] = b"an index of an earlier version"
    assert said(bring(whole, FEW)) == expected
    assert kept_index(whole.files).passages.lengths.sum() == 25 * 7 + 8 * 4 + 3
