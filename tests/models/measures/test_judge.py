"""Faithfulness and relevancy from replies that a test writes: what is asked, what is counted, what is refused."""

import json

import numpy as np
import pytest

from models.measures.judge import fitting, judge
from models.ports import ModelFailed

CLAIMS = ["The rent is USD 5 and the term is two years."]
STATEMENTS = json.dumps({"statements": ["The rent is USD 5.", "The term is two years.", "The rent is USD 5."]})
BACK = {"questions": ["What is the rent?", "How long is the term?", "How long is the term?"], "noncommittal": 0}


class Letters:
    """Texts are alike as their first letters are: a cosine of 1 or 0."""

    def embed(self, texts):
        return np.array([[1.0, 0.0] if text.startswith("W") else [0.0, 1.0] for text in texts], np.float32)


def judged(model, encoder=None, passages=("The rent is USD 5.",)):
    steps = judge("What is the rent?", CLAIMS, passages, model, encoder)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_shares_are_of_statements_and_of_questions_asked_back(scripted) -> None:
    model = scripted(STATEMENTS, json.dumps({"verdicts": [1, 0]}), json.dumps(BACK))
    found = judged(model, Letters())
    assert found.statements == (("The rent is USD 5.", True), ("The term is two years.", False))
    assert (found.faithfulness, found.answer_relevancy) == (0.5, pytest.approx(1 / 3))
    apart, verdicts, back = (asked[1].content for asked in model.asked)
    assert apart == f"Question: What is the rent?\nAnswer: {CLAIMS[0]}"
    assert verdicts.startswith("Context:\nThe rent is USD 5.\n\nStatements:\n1. The rent is USD 5.\n2. ")
    assert back == f"Text: {CLAIMS[0]}"
    assert model.schemas[1]["properties"]["verdicts"]["minItems"] == 2


def test_a_noncommittal_answer_is_not_relevant(scripted) -> None:
    model = scripted(STATEMENTS, json.dumps({"verdicts": [1, 1]}), json.dumps(BACK | {"noncommittal": 1}))
    found = judged(model, Letters())
    assert (found.faithfulness, found.answer_relevancy) == (1.0, 0.0)


def test_without_an_encoder_there_is_no_relevancy(scripted) -> None:
    assert judged(scripted(STATEMENTS, json.dumps({"verdicts": [1, 1]}), json.dumps(BACK))).answer_relevancy is None


@pytest.mark.parametrize("verdicts", ["{", "[]", '{"verdicts": [1]}', '{"verdicts": "yes"}'])
def test_a_judge_without_form_has_failed(verdicts, scripted) -> None:
    with pytest.raises(ModelFailed):
        judged(scripted(STATEMENTS, verdicts, json.dumps(BACK)))


def test_the_judge_reads_what_fits_and_the_first_in_any_case(scripted) -> None:
    model = scripted()
    assert fitting(["one " * 2000, "two"], model).count("one") == 2000
    assert fitting(["one " * 400, "two " * 400, "three " * 400], model).count("three") == 0
    assert fitting(["one", "two"], model) == "one\n\ntwo"
