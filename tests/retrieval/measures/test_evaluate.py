"""Values worked out by hand, and agreement with the reference scorer where it lies beside the checkout."""

import importlib.util
import random
from pathlib import Path

import pytest

from retrieval.measures.evaluate import Span, character_metrics, characters, page_metrics, within_budget

GOLD = frozenset({("a", 4)})


def test_page_hits_and_reciprocal_rank() -> None:
    results = [([("a", 4), ("a", 1)], GOLD), ([("a", 1), ("b", 4), ("a", 4)], GOLD), ([("a", 1)], GOLD), ([], GOLD)]
    metrics = page_metrics(results, (1, 3))
    assert metrics == {"page_hit@1": 0.25, "page_hit@3": 0.5, "mrr": (1 + 1 / 3) / 4}


def test_characters_are_counted_once_however_often_they_are_covered() -> None:
    gold = [Span("a", 100, 200), Span("a", 150, 250)]  # 150 characters
    shown = [Span("a", 0, 120), Span("a", 110, 130), Span("b", 0, 50)]  # 130 of a, 50 of b; 30 of them gold
    found = characters(shown, gold)
    assert found.recall == pytest.approx(30 / 150)
    assert found.precision == pytest.approx(30 / 180)
    assert (found.hit, found.document) == (1.0, 1.0)
    assert characters([], gold) == (0.0, 0.0, 0.0, 0.0)
    assert characters([Span("b", 100, 200)], gold) == (0.0, 0.0, 0.0, 0.0)


def test_a_budget_cuts_the_last_passage() -> None:
    shown = [Span("a", 0, 60), Span("b", 100, 160), Span("c", 0, 10)]
    assert within_budget(shown, 100) == [Span("a", 0, 60), Span("b", 100, 140)]
    assert within_budget(shown, 60) == [Span("a", 0, 60)]


def test_the_mean_of_data_sets_weighs_each_alike() -> None:
    hit, miss = ([Span("a", 0, 10)], [Span("a", 0, 10)]), ([Span("b", 0, 10)], [Span("a", 0, 10)])
    metrics = character_metrics({"one": [hit], "two": [miss, miss, miss]}, (1,), (5,))
    assert metrics["recall@1"] == 0.5
    assert metrics["one/recall@1"] == 1.0 and metrics["two/recall@1"] == 0.0
    assert metrics["one/recall@5chars"] == 0.5


def test_it_agrees_with_the_reference_scorer(shared: Path) -> None:
    spec = importlib.util.spec_from_file_location("reference_scorer", shared / "evaldata" / "score_retrieval.py")
    assert spec is not None and spec.loader is not None
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    rng = random.Random(11)

    def spans(count: int) -> list[Span]:
        starts = [(rng.choice("ab"), rng.randrange(200)) for _ in range(count)]
        return [Span(document, start, start + rng.randrange(1, 80)) for document, start in starts]

    for _ in range(200):
        gold, shown = spans(rng.randrange(1, 4)), spans(rng.randrange(6))
        test = {"snippets": [{"file_path": s.document, "span": [s.start, s.end]} for s in gold]}
        theirs = reference.score_one(test, [{"file_path": s.document, "span": [s.start, s.end]} for s in shown], 4)
        ours = characters(shown[:4], gold)
        assert ours.recall == pytest.approx(theirs["recall"])
        assert ours.precision == pytest.approx(theirs["precision"])
        assert (ours.hit, ours.document) == (theirs["hit"], theirs["doc"])
