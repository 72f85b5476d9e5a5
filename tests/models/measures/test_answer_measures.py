"""Measures, on answers that a person scored."""

import pytest

from models.measures.evaluate import (
    AnsweredQuestion,
    ScoredCitation,
    answer_metrics,
    answer_relevancy,
    faithfulness,
    mean_of,
    states,
    support_metrics,
)

GOLD = frozenset({("msa.pdf", 4)})


def test_answer_metrics_of_four_questions() -> None:
    right = AnsweredQuestion(GOLD, "12/31/2020", (("It ends on December 31, 2020.", (("msa.pdf", 4),)),), 1.0, False)
    late = AnsweredQuestion(
        GOLD, "Yes", (("Rent is due.", (("msa.pdf", 1),)), ("Notice is due.", (("msa.pdf", 4),))), 1.0, False
    )
    refused = AnsweredQuestion(GOLD, None, (), None, True)
    unanswerable = AnsweredQuestion(frozenset(), None, (), None, True)
    assert answer_metrics([right, late, refused, unanswerable]) == pytest.approx(
        {
            "quotation_verbatim": 1.0,
            "page_right": 1 / 3,
            "any_page_right": 2 / 3,
            "short_answer_right": 1 / 2,
            "irrelevant_claims": 1 / 3,
            "refused_answerable": 1 / 3,
            "refused_unanswerable": 1.0,
            "claims_per_answer": 1.5,
        }
    )
    assert answer_metrics([]) == {}


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("It ends on December 31, 2020.", "12/31/2020", True),
        ("It ends on December 30, 2020.", "12/31/2020", False),
        ("The laws of the State of Oregon govern.", "Oregon", True),
        ("Ninety (90) days' notice is due.", "90 days", True),
        ("Notice is due.", "", False),
    ],
)
def test_a_text_states_a_short_answer(text, answer, expected) -> None:
    assert states(text, answer) is expected


def test_support_metrics_by_label_and_by_score() -> None:
    right = [ScoredCitation(None, score, score < 200) for score in range(100, 1100, 100)]
    wrong = [ScoredCitation("hard", score, score < 200) for score in (50, 150, 250, 900)]
    metrics = support_metrics(right + wrong)
    assert metrics["false_positives"] == 0.1
    assert metrics["recall:hard"] == 0.5
    assert metrics["recall:hard@5%"] == 0.25
    assert metrics["recall:hard@10%"] == 0.5


def test_judged_measures() -> None:
    assert faithfulness(["a", "b"], "a stands here", lambda claim, context: claim in context.split()) == 0.5
    assert faithfulness([], "context", lambda claim, context: True) is None
    assert answer_relevancy("q", ["q", "x"], lambda one, other: float(one == other)) == 0.5
    assert mean_of([{"f": 1.0}, {"f": None}, {"f": 0.0}], "f") == 0.5
