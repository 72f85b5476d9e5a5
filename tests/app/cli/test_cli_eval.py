"""eval over one's own questions: the shares are what counting by hand gives, and the matter keeps no trace of it."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from app.services.evaluation.data import read_propositions, read_questions, read_span_questions, read_texts
from retrieval.measures.evaluate import Span

QUESTIONS = (
    {
        "id": "rent",
        "query": "What is the annual rent?",
        "pdf": "lease.pdf",
        "gold_pages": [2],
        "human_answer": "84,000",
    },
    {"id": "notice", "query": "With how much notice may the Tenant terminate?", "pdf": "lease.pdf", "gold_pages": [3],
     "human_answer": "Yes"},
    {"id": "mislabelled", "query": "What is the annual rent?", "pdf": "lease.pdf", "gold_pages": [1]},
    {"id": "none", "query": "Which zoning permit covers the helicopter pad?", "pdf": "", "gold_pages": []},
)  # fmt: skip
CLAIMS = (
    {"proposition": "The annual rent is USD 84,000.", "label": 1, "corruption": None, "pdf": "lease.pdf", "pages": [2]},
    {"proposition": "The annual rent is USD 94,000.", "label": 0, "corruption": "value_swap", "pdf": "lease.pdf",
     "pages": [2]},
    {"proposition": "The Tenant may terminate upon sixty days' notice.", "label": 0, "corruption": "hard",
     "pdf": "lease.pdf", "pages": [1]},
)  # fmt: skip


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(q) + "\n" for q in QUESTIONS), "utf-8")
    return str(path)


def evaluate(place: Any, suite: str, questions: str, *more: str) -> tuple[int, dict[str, Any]]:
    return run(place, "eval", suite, str(place.matter), questions, *more, "--json")


def run(place: Any, *command: str) -> tuple[int, dict[str, Any]]:
    from app.cli.main import main

    status = main(["--store", str(place.store), *command])
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
    assert metrics["page_right"] == pytest.approx(2 / 3, abs=1e-4)
    assert metrics["refused_unanswerable"] == 1
    assert metrics["quotation_verbatim"] == 1
    assert metrics["short_answer_right"] == 1
    assert json.loads(place.run("answers", "--json")[1])["answers"] == []
    assert "asked" not in next(place.store.rglob("audit.jsonl")).read_text("utf-8")


def test_answers_are_judged_where_a_judge_is_named(place: Any, questions: str, monkeypatch: Any) -> None:
    from app import bootstrap

    made, build = [], bootstrap.build_model
    monkeypatch.setattr(bootstrap, "build_model", lambda s, n, *r: _Judge(made) if n == "embedded" else build(s, n, *r))
    status, document = evaluate(place, "answers", questions, "--judge", "embedded")
    assert status == 0 and made == ["closed"]
    rent = document["rows"][0]["judged"]
    assert rent["statements"] == [{"text": "It says so.", "supported": True}]
    assert document["rows"][3]["judged"] is None  # refused: there is nothing to judge
    metrics = document["metrics"]
    assert (metrics["faithfulness"], metrics["judged_answers"], metrics["judgements_failed"]) == (1.0, 2.0, 1.0)
    assert metrics["seconds_an_answer"] > 0


def test_what_is_no_chat_model_cannot_judge(place: Any, questions: str, capsys: Any) -> None:
    from app.cli.main import main

    command = ["--store", str(place.store), "eval", "answers", str(place.matter), questions, "--judge", "extractive"]
    assert main(command) == 2
    assert "cannot judge" in capsys.readouterr().err


class _Judge:
    """A model that finds every statement supported, and once forgets the form."""

    def __init__(self, closed: list[str]) -> None:
        self._closed = closed
        self._asked = 0

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def stream_json(self, messages: Any, schema: dict[str, Any], max_tokens: int) -> Any:
        self._asked += 1
        reply: dict[str, Any] = {"statements": ["It says so."], "verdicts": [1], "questions": ["What is the rent?"]}
        yield from ("", "{" if self._asked == 4 else json.dumps(reply))

    def close(self) -> None:
        self._closed.append("closed")


def written(path: Path, rows: Any) -> str:
    """Rows as JSON Lines, compressed where the name says so."""
    data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return str(path)


def test_support_is_measured_by_kind_of_error(place: Any, tmp_path: Path) -> None:
    status, document = evaluate(place, "support", written(tmp_path / "claims.jsonl.gz", CLAIMS))
    assert (status, document["suite"], document["n"]) == (0, "support", 3)
    assert document["metrics"]["false_positives"] == 0
    assert document["metrics"]["recall:value_swap"] == 1
    assert document["metrics"]["recall:hard"] == 1
    assert [row["id"] for row in document["rows"]] == ["0", "1", "2"]
    assert document["rows"][0]["label"] == "supported"


def test_pages_cited_as_printed_are_found_by_the_manifest(tmp_path: Path) -> None:
    pages = [
        {"pdf_page": 5, "printed_page": 1, "section": "court"},
        {"pdf_page": 6, "printed_page": 2, "section": "court"},
    ]
    written(tmp_path / "pdf_manifest.jsonl", [{"case_id": 7, "pdf": "opinion.pdf", "pages": pages}])
    row = {"proposition": "So held.", "label": 0, "corruption": "hard"}
    cited = {"cited": {"case_id": 7, "section": "court", "pages": [1, 2]}}
    (claim,) = read_propositions(Path(written(tmp_path / "triples.jsonl", [row | cited])))
    assert (claim.document, claim.page_indexes, claim.corruption) == ("opinion.pdf", (4, 5), "hard")


def test_characters_are_measured_over_a_corpus_of_texts(place: Any, tmp_path: Path) -> None:
    filler = "\n".join(f"{n}. Party number {n} keeps its own records of matter {n}." for n in range(20, 60))
    text = f"{filler}\n\n70. This deed is governed by the laws of Norway.\n{filler}"
    corpus = written(tmp_path / "corpus.jsonl.gz", [{"corpus_path": "a/deed.txt", "text": text}])
    start = text.index("70. This deed")
    gold = {"corpus_path": "a/deed.txt", "span": [start, start + 40]}
    tests = [{"id": "t", "dataset": "a", "query": "Which law governs the deed?", "snippets": [gold]}]
    command = ["eval", "characters", corpus, written(tmp_path / "tests.jsonl.gz", tests), "--mode", "lexical", "--json"]
    assert run(place, *command)[0] == 0
    status, document = run(place, *command)  # again, from the index that was kept
    assert status == 0
    assert document["metrics"]["recall@1"] == 1
    assert document["metrics"]["a/document@1"] == 1
    assert 0 < document["metrics"]["precision@1"] <= 40 / 200


def test_what_was_broken_off_goes_on(place: Any, questions: str, tmp_path: Path) -> None:
    kept = tmp_path / "rows.jsonl"
    options = ("--mode", "lexical", "--resume", str(kept))
    evaluate(place, "retrieval", questions, *options, "--limit", "2")
    lines = kept.read_text("utf-8").splitlines()
    marked = json.loads(lines[1]) | {"shown": [["lease.pdf", 1], ["kept", 0]]}
    kept.write_text("\n".join((lines[0], json.dumps(marked), '{"id": "not')), "utf-8")  # killed in the middle of a row
    status, document = evaluate(place, "retrieval", questions, *options)
    assert (status, document["n"]) == (0, 3)
    assert document["rows"][0]["shown"] == [["lease.pdf", 1], ["kept", 0]]
    assert len(kept.read_text("utf-8").splitlines()) == 4
    status, document = evaluate(place, "retrieval", questions, "--within", *options)
    assert (status, document["code"]) == (2, "usage")


def test_a_document_that_is_not_in_the_matter_is_named(place: Any, tmp_path: Path) -> None:
    row = {"query": "What is due?", "pdf": "elsewhere.pdf", "gold_pages": [1]}
    status, document = evaluate(place, "retrieval", written(tmp_path / "q.jsonl", [row]), "--mode", "lexical")
    assert (status, document["code"]) == (2, "usage")
    assert "elsewhere.pdf" in document["message"]


def test_the_published_files_are_read_as_they_lie_there(shared: Path) -> None:
    data = shared / "evaldata"
    question = read_questions(data / "cuad_pdf" / "questions.jsonl", 1)[0]
    assert (data / "cuad_pdf" / "pdf" / question.document).is_file()
    assert question.gold == {(question.document, 3)}
    assert question.query.endswith(question.bare)
    claims = read_propositions(data / "cuad_pdf" / "claim_triples.jsonl.gz", 2)
    assert [(c.page_indexes, c.corruption) for c in claims] == [((3,), None), ((4,), "easy")]
    (opinion,) = read_propositions(data / "scotus_slip_pinpoint" / "triples.jsonl.gz", 1)
    assert (data / "scotus_slip_pinpoint" / "pdf" / opinion.document).is_file()
    assert len(opinion.page_indexes) == 3
    (asked,) = read_span_questions(data / "legalbench_rag_mini" / "tests.jsonl.gz", 1)
    assert asked.gold == (Span("privacy_qa/Fiverr.txt", 3873, 4312),)
    names = [name for name, _ in read_texts(data / "legalbench_rag_mini" / "corpus.jsonl.gz")]
    assert asked.gold[0].document in names


def test_a_line_that_is_no_question_is_named(place: Any, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"query": "x", "pdf": "y", "gold_pages": []}\n{"query": "x"}\n', "utf-8")
    status, document = evaluate(place, "retrieval", str(path))
    assert (status, document["code"]) == (2, "usage")
    assert "line 2" in document["message"]
