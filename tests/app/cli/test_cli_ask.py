"""ask, answers and review: an answer is checked before it is shown, saved, checked again, and decided by a person."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.services.answers.answer_json import answer_from_json, answer_to_json
from app.services.answers.reviewing import history, undo
from app.services.matter.matter import open_matter
from app.settings import Settings
from verify.domain.codec import encode_page
from verify.domain.ids import AnswerId, ClaimId, SourceId

Ids = Callable[[str], str]
QUESTION = "With how much notice may the Tenant terminate the Lease?"


@pytest.fixture
def answer(place: Any) -> dict[str, Any]:
    status, out, _ = place.run("ask", QUESTION, "--model", "extractive", "--json")
    assert status == 0
    document: dict[str, Any] = json.loads(out)
    return document


def again(place: Any, answer: dict[str, Any]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(place.run("answers", answer["answer_id"], "--json")[1])
    return document


def decide(place: Any, answer: dict[str, Any], *more: str) -> dict[str, Any]:
    claim = answer["claims"][0]["claim_id"]
    status, out, _ = place.run(
        "review", answer["answer_id"], claim, "--decision", "accepted", "--reviewer", "A. Elm", *more, "--json"
    )
    assert status == 0
    document: dict[str, Any] = json.loads(out)
    return document


def test_the_answer_is_the_documents_own_sentence_with_its_place(answer: dict[str, Any], ids: Ids) -> None:
    assert (answer["schema"], answer["model"], answer["unanswered"]) == ("pincite.answer/1", "extractive", None)
    claim = answer["claims"][0]
    assert "sixty (60) days' written notice" in claim["text"]
    assert (claim["release"], claim["support"]["label"], claim["support"]["method"]) == (
        "show", "supported", "verbatim",
    )  # fmt: skip
    assert claim["review"] is None
    check = next(c for c in answer["report"]["checks"] if c["check_id"] == claim["check_ids"][0])
    assert (check["status"], check["claim_id"], check["evidence"]["source_id"]) == (
        "verified", claim["claim_id"], ids("lease.pdf"),
    )  # fmt: skip
    assert (check["evidence"]["page_index"], check["evidence"]["page_label"]) == (2, "2")
    retrieval = answer["retrieval"]
    assert (retrieval["mode"], retrieval["k"]) == ("lexical", 8)
    assert [p["rank"] for p in retrieval["passages"]] == list(range(1, len(retrieval["passages"]) + 1))
    assert retrieval["passages"][0]["handle"] == "P1"


def test_the_answer_names_what_was_not_read(place: Any) -> None:
    (place.matter / "new.txt").write_text("Came later.\n", "utf-8")
    answer = json.loads(place.run("ask", QUESTION, "--model", "extractive", "--json")[1])
    unread = {u["path"]: (u["status"], u["source_id"] is None) for u in answer["retrieval"]["searched"]["not_read"]}
    assert unread["empty.pdf"] == ("unreadable", False)
    assert unread["new.txt"] == ("not_yet_read", True)


def test_a_question_that_nothing_answers(place: Any) -> None:
    question = "Which zoning permit covers the helicopter pad?"
    status, out, _ = place.run("ask", question, "--model", "extractive", "--json")
    answer = json.loads(out)
    assert status == 0
    assert answer["claims"] == []
    assert answer["unanswered"]["reason"] in {"not_found", "nothing_shown"}
    assert answer["unanswered"]["searched"]["pages"] >= 4
    assert answer["report"]["all_verified"] is False


def test_a_saved_answer_is_the_same_when_nothing_changed(place: Any, answer: dict[str, Any]) -> None:
    assert again(place, answer) == answer
    listed = json.loads(place.run("answers", "--json")[1])
    assert listed["schema"] == "pincite.answers/1"
    assert [(a["answer_id"], a["question"], a["decided_count"]) for a in listed["answers"]] == [
        (answer["answer_id"], QUESTION, 0)
    ]


def test_json_and_back_is_the_same_answer(answer: dict[str, Any]) -> None:
    assert answer_to_json(answer_from_json(answer)) == answer


def test_a_saved_answer_is_checked_again_never_trusted(place: Any, answer: dict[str, Any]) -> None:
    with (place.matter / "lease.pdf").open("ab") as file:
        file.write(b"\n% touched\n")
    now = again(place, answer)
    before, checks = ({c["check_id"]: c for c in one["report"]["checks"]} for one in (answer, now))
    listed = json.loads(place.run("sources", "--json")[1])["sources"]
    touched = next(s["source_id"] for s in listed if s["path"] == "lease.pdf")
    cited = [checks[i]["status"] for i, c in before.items() if c["evidence"]["source_id"] == touched]
    assert cited and set(cited) == {"stale"}
    stale = {i for i in before if checks[i]["status"] == "stale"}
    assert {c["release"] for c in now["claims"] if stale & set(c["check_ids"])} == {"blocked"}
    assert now["report"]["all_verified"] is False


def test_a_decision_is_kept_with_who_and_what_it_rests_on(place: Any, answer: dict[str, Any]) -> None:
    decided = decide(place, answer, "--note", "Read it.", "--authority", "binding", "--relevance", "notice period")
    review = decided["claims"][0]["review"]
    assert review.keys() == {
        "decision", "reviewer", "at", "note", "authority", "relevance", "report_sha256", "state", "reopened_because",
    }  # fmt: skip
    assert (review["decision"], review["reviewer"], review["note"]) == ("accepted", "A. Elm", "Read it.")
    assert (review["authority"], review["relevance"]) == ("binding", "notice period")
    assert (review["state"], review["reopened_because"]) == ("current", None)
    assert review["report_sha256"].startswith("sha256:")
    assert again(place, answer) == decided
    assert json.loads(place.run("answers", "--json")[1])["answers"][0]["decided_count"] == 1


def test_changed_bytes_reopen_a_decision_and_their_return_closes_it(place: Any, answer: dict[str, Any]) -> None:
    decide(place, answer)
    lease = place.matter / "lease.pdf"
    before = lease.read_bytes()
    lease.write_bytes(before + b"\n% touched\n")
    review = again(place, answer)["claims"][0]["review"]
    assert (review["decision"], review["state"]) == ("accepted", "reopened")
    because = review["reopened_because"][0]
    assert (because["reason"], because["check_id"]) == ("source_changed", "v1")
    assert because["before"] != because["after"]
    lease.write_bytes(before)
    assert again(place, answer)["claims"][0]["review"]["state"] == "current"


def test_another_text_layer_reopens_a_decision(place: Any, answer: dict[str, Any], ids: Ids) -> None:
    decide(place, answer)
    with open_matter(place.matter, Settings(), place.store, writable=True) as matter:
        record = matter.source(SourceId(ids("lease.pdf")))
        page = matter.pages.get(record, 2)
        assert page is not None
        read_otherwise = encode_page(replace(page, language="fr"))
        matter.store.registry.put_pages(record.fingerprint, record.parser.profile, 2, [read_otherwise])
    review = again(place, answer)["claims"][0]["review"]
    assert (review["state"], review["reopened_because"][0]["reason"]) == ("reopened", "text_layer_changed")


def test_a_later_decision_stands_on_what_is_there_then(place: Any, answer: dict[str, Any]) -> None:
    decide(place, answer)
    with (place.matter / "lease.pdf").open("ab") as file:
        file.write(b"\n% touched\n")
    decided = decide(place, answer)
    assert decided["claims"][0]["review"]["state"] == "current"


def test_undo_brings_back_the_decision_before_and_keeps_the_record(place: Any, answer: dict[str, Any]) -> None:
    decide(place, answer)
    claim = answer["claims"][0]["claim_id"]
    place.run("review", answer["answer_id"], claim, "--decision", "rejected", "--reviewer", "B. Fir")
    with open_matter(place.matter, Settings(), place.store, writable=True) as matter:
        answer_id, claim_id = AnswerId(answer["answer_id"]), ClaimId(claim)
        restored = undo(matter, answer_id, claim_id)
        review = restored.claims[0].review
        assert review is not None
        assert (review.decision, review.reviewer) == ("accepted", "A. Elm")
        past = history(matter, answer_id, claim_id)
        assert [(p.review.decision, p.undone) for p in past] == [("accepted", False), ("rejected", True)]


def test_what_is_not_there_cannot_be_decided(place: Any, answer: dict[str, Any]) -> None:
    assert place.run("review", "none", "c1", "--decision", "accepted")[0] == 3
    assert place.run("review", answer["answer_id"], "c99", "--decision", "accepted")[0] == 3
    assert place.run("answers", "none")[0] == 3


def test_a_model_that_is_not_there_leaves_the_documents_words_and_names_the_command(
    place: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "empty"))
    for chosen, told in (
        (("embedded",), "pincite fetch"),
        (("server:one", "--server", "http://127.0.0.1:9"), "no model server answers at 127.0.0.1:9"),
        ((f"file:{tmp_path / 'none.gguf'}",), "there is no model file"),
    ):
        status, out, err = place.run("ask", QUESTION, "--model", *chosen, "--json")
        given = json.loads(out)
        assert (status, given["warnings"], given["model"]) == (0, ["model_unavailable"], "extractive")
        assert given["claims"] and told in err
    assert place.run("ask", QUESTION, "--model", "oracle")[0] == 2
    assert place.run("ask", QUESTION, "--model", "server:one")[0] == 2


def test_a_batch_of_questions_is_answered_in_order(place: Any, tmp_path: Path) -> None:
    batch = tmp_path / "questions.txt"
    batch.write_text(f"{QUESTION}\nWhen were the keys handed over?\n", "utf-8")
    status, out, _ = place.run("ask", "--batch", str(batch), "--model", "extractive")
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [a["question"] for a in answers] == [QUESTION, "When were the keys handed over?"]
    assert "4 May 2026" in answers[1]["claims"][0]["text"]


def test_a_person_reads_words_not_codes(place: Any) -> None:
    _, out, _ = place.run("ask", QUESTION, "--model", "extractive")
    assert "Passage verified; legal conclusion pending review" in out
    assert "lease.pdf, p. 2 (PDF page 3): Passage verified" in out
    assert "verified answer" not in out.lower()


def test_the_audit_log_holds_ids_and_hashes_and_no_words(place: Any, answer: dict[str, Any]) -> None:
    decide(place, answer, "--note", "Confidential remark.")
    log = next(place.store.rglob("audit.jsonl"))
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [line["event"] for line in lines] == ["indexed", "asked", "decided"]
    text = log.read_text("utf-8")
    for words in ("Tenant", "notice", "lease.pdf", "Confidential", "Elm"):
        assert words not in text
