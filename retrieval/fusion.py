"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

RRF_K = 20
"""The paper has 60, chosen for runs of 1,000. With lists of 200 and a first page in mind, 10 to 20 put the right page
first more often (hit@1 +3 over a folder), and hit@5 hardly differs between 5 and 60."""

Item = TypeVar("Item", bound=Hashable)


class Ranking(NamedTuple):
    """Row numbers best first, and how much a place in this list counts against the same place in another."""

    rows: Sequence[int]
    weight: float


def fuse(rankings: Sequence[Ranking], k: int = RRF_K) -> list[tuple[int, float]]:
    """Rows with their fused score, sum of weight / (k + rank) with ranks from 1, best first; ties by row number."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, row in enumerate(ranking.rows, start=1):
            scores[row] = scores.get(row, 0.0) + ranking.weight / (k + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def one_per_group(ordered: Sequence[Item], groups: Mapping[Item, Hashable]) -> list[Item]:
    """The first item of each group in order, then the others in order: further hits on a page wait until other pages
    are shown. Nothing is dropped."""
    first: list[Item] = []
    later: list[Item] = []
    seen: set[Hashable] = set()
    for item in ordered:
        (later if groups[item] in seen else first).append(item)
        seen.add(groups[item])
    return first + later
