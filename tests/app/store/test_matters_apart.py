"""Matters never mix: what belongs to one is unknown to every command on another, wherever it is named."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import main
from app.paths import matter_folder


@pytest.fixture
def other(place: Any) -> Any:
    """A second matter in the same folder of stores, with one document of its own."""
    folder = place.matter.parent / "other"
    folder.mkdir()
    (folder / "will.txt").write_text("The walnut chest goes to Ms Hazel.\n\nThe clock goes to Mr Rowan.\n", "utf-8")
    made = type(place)(folder, place.store, place.capsys)
    assert made.run("index", "--no-dense")[0] == 0
    return made


def document(place: Any, *command: str) -> Any:
    return json.loads(place.run(*command, "--json")[1])


def test_ids_of_one_matter_are_unknown_to_another(place: Any, other: Any, tmp_path: Path) -> None:
    lease = next(s for s in document(place, "sources")["sources"] if s["path"] == "lease.pdf")
    answer = document(place, "ask", "What is the annual rent?", "--model", "extractive")["answer_id"]
    check = {
        "check_id": "v1", "kind": "quote", "source_id": lease["source_id"], "page_index": 1,
        "document_fingerprint": lease["fingerprint"], "expected_text": "The annual rent is USD 84,000",
    }  # fmt: skip
    request = tmp_path / "request.json"
    request.write_text(json.dumps({"schema": "pincite.request/1", "request_id": "r", "checks": [check]}))
    assert document(place, "verify", str(request))["checks"][0]["status"] == "verified"
    crossed = document(other, "verify", str(request))["checks"][0]
    assert (crossed["status"], crossed["reason"], crossed["evidence"]) == ("not_found", "source_unknown", None)
    source = lease["source_id"]
    for command in (
        ("inspect", source),
        ("search", "rent", "--mode", "lexical", "--source", source),
        ("ask", "What is the rent?", "--model", "extractive", "--source", source),
        ("render", source, "1", "-o", str(tmp_path / "page.png")),
        ("tag", source, "title=Lease"),
        ("answers", answer),
        ("review", answer, "c1", "--decision", "accepted"),
        ("export", answer, "-o", str(tmp_path / "bundle.zip")),
    ):
        status, out, _ = other.run(*command, "--json")
        assert (command[0], status, json.loads(out)["code"]) == (command[0], 3, "input_missing")
    assert not (tmp_path / "page.png").exists()
    assert not (tmp_path / "bundle.zip").exists()


def test_search_and_answers_stay_in_their_matter(place: Any, other: Any) -> None:
    document(place, "ask", "What is the annual rent?", "--model", "extractive")
    assert document(other, "search", "annual rent", "--mode", "lexical")["passages"] == []
    assert document(other, "answers")["answers"] == []
    answer = document(other, "ask", "What is the annual rent?", "--model", "extractive")
    assert "84,000" not in json.dumps(answer)


def test_a_bundle_of_one_matter_is_not_proved_by_another(place: Any, other: Any, tmp_path: Path) -> None:
    answer = document(place, "ask", "What is the annual rent?", "--model", "extractive")["answer_id"]
    bundle = tmp_path / "bundle.zip"
    assert place.run("export", answer, "-o", str(bundle))[0] == 0
    for matter, status in ((place.matter, 0), (other.matter, 1)):
        assert main(["--store", str(place.store), "check-bundle", str(bundle), "--matter", str(matter)]) == status


def test_a_store_that_was_copied_to_another_matters_name_is_refused(place: Any, other: Any) -> None:
    mine, copied = matter_folder(place.store, place.matter), matter_folder(place.store, other.matter)
    shutil.rmtree(copied)
    shutil.copytree(mine, copied)
    for command in (["sources"], ["search", "rent", "--mode", "lexical"], ["index", "--no-dense"], ["answers"]):
        status, out, _ = other.run(*command, "--json")
        assert (status, json.loads(out)["code"]) == (6, "store_damaged")
        assert "belongs to another matter" in json.loads(out)["message"]
