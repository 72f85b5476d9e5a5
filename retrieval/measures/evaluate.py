"""Measures of retrieval on labelled questions: pure functions over what a search returned.

Page hit at k: is a gold page among the first k pages shown? Character recall and precision at k: the share of the gold
characters that the first k passages cover, and of their characters that are gold (LegalBench-RAG, Pipitone and Alami
2024), as a mean over questions, then over data sets. A budget takes passages until so many characters are reached.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

Page = tuple[str, int]
"""A document's name and a 0-based page."""


class Span(NamedTuple):
    """Characters ``start`` to ``end`` (exclusive) of a document."""

    document: str
    start: int
    end: int


class Characters(NamedTuple):
    """Shares between 0 and 1; ``hit`` and ``document`` are 0 or 1."""

    recall: float
    precision: float
    hit: float
    document: float


def page_hit(shown: Sequence[Page], gold: frozenset[Page], k: int) -> float:
    """1 if one of the first ``k`` is a gold page."""
    return float(any(page in gold for page in shown[:k]))


def reciprocal_rank(shown: Sequence[Page], gold: frozenset[Page]) -> float:
    """1 / rank of the first gold page, 0 if none is shown."""
    return next((1 / rank for rank, page in enumerate(shown, start=1) if page in gold), 0.0)


def page_metrics(results: Sequence[tuple[Sequence[Page], frozenset[Page]]], ks: Sequence[int]) -> dict[str, float]:
    """Means over questions; each result is the pages shown, best first, and the gold pages."""
    count = max(len(results), 1)
    metrics = {f"page_hit@{k}": sum(page_hit(shown, gold, k) for shown, gold in results) / count for k in ks}
    return metrics | {"mrr": sum(reciprocal_rank(shown, gold) for shown, gold in results) / count}


def characters(shown: Sequence[Span], gold: Sequence[Span]) -> Characters:
    """Recall and precision of all of ``shown``; cut it to k or to a budget first."""
    covered = sum(_overlap(_of(shown, document), _of(gold, document)) for document in _documents(gold))
    wanted = sum(_size(_of(gold, document)) for document in _documents(gold))
    read = sum(_size(_of(shown, document)) for document in _documents(shown))
    return Characters(
        covered / wanted if wanted else 0.0,
        covered / read if read else 0.0,
        float(covered > 0),
        float(bool(_documents(shown) & _documents(gold))),
    )


def within_budget(shown: Sequence[Span], budget: int) -> list[Span]:
    """The first passages that fit ``budget`` characters together; the last one is cut to fit."""
    taken: list[Span] = []
    for span in shown:
        room = budget - sum(one.end - one.start for one in taken)
        if room <= 0:
            break
        taken.append(span._replace(end=min(span.end, span.start + room)))
    return taken


def character_metrics(
    results: Mapping[str, Sequence[tuple[Sequence[Span], Sequence[Span]]]], ks: Sequence[int], budgets: Sequence[int]
) -> dict[str, float]:
    """``results`` by data set; the means of the data sets under their names, the mean of those without a name."""
    metrics: dict[str, float] = {}
    for name, rows in results.items():
        cuts = {f"@{k}": [characters(shown[:k], gold) for shown, gold in rows] for k in ks}
        cuts |= {f"@{b}chars": [characters(within_budget(shown, b), gold) for shown, gold in rows] for b in budgets}
        for cut, measured in cuts.items():
            for field in Characters._fields:
                values = [getattr(one, field) for one in measured]
                metrics[f"{name}/{field}{cut}"] = sum(values) / max(len(values), 1)
    fields = {key.split("/", 1)[1] for key in metrics}
    means = {field: sum(metrics[f"{name}/{field}"] for name in results) / len(results) for field in sorted(fields)}
    return means | metrics


def _documents(spans: Iterable[Span]) -> set[str]:
    return {span.document for span in spans}


def _of(spans: Iterable[Span], document: str) -> list[tuple[int, int]]:
    """The union of a document's spans, in order, without overlaps."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted((span.start, span.end) for span in spans if span.document == document):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _size(spans: Iterable[tuple[int, int]]) -> int:
    return sum(end - start for start, end in spans)


def _overlap(some: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> int:
    return sum(max(0, min(a_end, b_end) - max(a, b)) for a, a_end in some for b, b_end in others)
