"""eval over one's own questions: the shares are what counting by hand gives, and the matter keeps no trace of it."""

import json
from pathlib import Path
from typing import Any

import pytest

QUESTIONS = (
    {"id": "rent", "query": "What is the annual rent?", "pdf": "lease.pdf", "gold_pages": [2]},
    {"id": "notice", "query": "With how much notice may the Tenant terminate?", "pdf": "lease.pdf", "gold_pages": [3]},
    {"id": "mislabelled", "query": "What is the annual rent?", "pdf": "lease.pdf", "gold_pages": [1]},
    {"id": "none", "query": "Which zoning permit covers the helicopter pad?", "pdf": "lease.pdf", "gold_pages": []},
)


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(q) + "\n" for q in QUESTIONS), "utf-8")
    return str(path)


def evaluate(place: Any, suite: str, questions: str, *more: str) -> tuple[int, dict[str, Any]]:
    from app.cli import main

    status = main(["--store", str(place.store), "eval", suite, str(place.matter), questions, *more, "--json"])
    return status, json.loads(place.capsys.readouterr().out)


def test_retrieval_is_measured_by_page_hits(place: Any, questions: str) -> None:
    status, document = evaluate(place, "retrieval", questions, "--mode", "lexical", "--within", "--limit", "3")
    assert (status, document["schema"], document["suite"], document["n"]) == (0, "pincite.eval/1", "retrieval", 3)
    assert document["data"] == "questions.jsonl"
    assert document["metrics"]["page_hit@1"] == pytest.approx(2 / 3, abs=1e-4)
    assert [row["id"] for row in document["rows"]] == ["rent", "notice", "mislabelled"]
    assert document["rows"][0]["shown"][0] == ["lease.pdf", 1]


def test_answers_are_measured_and_leave_no_trace(place: Any, questions: str) -> None:
    status, document = evaluate(place, "answers", questions)
    metrics = document["metrics"]
    assert status == 0
    assert metrics["top_answer_cites_gold"] == pytest.approx(2 / 3, abs=1e-4)
    assert metrics["unanswerable_refused"] == 1
    assert metrics["citations_verified"] == 1
    assert json.loads(place.run("answers", "--json")[1])["answers"] == []
    assert "asked" not in next(place.store.rglob("audit.jsonl")).read_text("utf-8")


def test_a_line_that_is_no_question_is_named(place: Any, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"query": "x", "pdf": "y", "gold_pages": []}\n{"query": "x"}\n', "utf-8")
    status, document = evaluate(place, "retrieval", str(path))
    assert (status, document["code"]) == (2, "usage")
    assert "line 2" in document["message"]
