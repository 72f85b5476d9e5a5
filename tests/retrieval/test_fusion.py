from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.fusion import RRF_K, Ranking, fuse, one_per_group

LISTS = st.lists(st.permutations(range(6)), min_size=1, max_size=4)


def test_scores_are_sums_of_weighted_reciprocal_ranks() -> None:
    fused = dict(fuse([Ranking([7, 8], 2.0), Ranking([8], 1.0)], k=60))
    assert fused == {7: 2 / 61, 8: 2 / 62 + 1 / 61}


def test_ties_go_to_the_lower_row() -> None:
    assert [row for row, _ in fuse([Ranking([5], 1.0), Ranking([3], 1.0)])] == [3, 5]


@settings(max_examples=100, deadline=None)
@given(lists=LISTS)
def test_what_leads_every_list_leads_the_fusion(lists: list[list[int]]) -> None:
    led = [[9, *rows] for rows in lists]
    assert fuse([Ranking(rows, 1.0) for rows in led])[0][0] == 9


@settings(max_examples=100, deadline=None)
@given(lists=LISTS)
def test_the_order_of_the_lists_does_not_matter(lists: list[list[int]]) -> None:
    rankings = [Ranking(rows, 1.0) for rows in lists]
    forth, back = fuse(rankings), fuse(rankings[::-1])
    assert {row for row, _ in forth} == set(range(6))
    assert {row: round(score, 12) for row, score in forth} == {row: round(score, 12) for row, score in back}
    assert all(score <= len(lists) / (RRF_K + 1) + 1e-12 for _, score in forth)


def test_further_hits_on_a_page_wait_until_others_are_shown() -> None:
    pages = {"a": 1, "b": 1, "c": 2, "d": 1, "e": 3}
    assert one_per_group(["a", "b", "c", "d", "e"], pages) == ["a", "c", "e", "b", "d"]
