"""search tells what it cannot find: words that stand nowhere, and a scope without text."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import main

Ids = Callable[[str], str]


def test_a_word_that_stands_nowhere_is_told_with_a_near_one(place: Any) -> None:
    status, out, _ = place.run("search", "terminaton Zanzibar rent", "--mode", "lexical", "--json")
    document = json.loads(out)
    assert status == 0
    assert document["passages"]  # "rent" is found all the same, and nothing is searched in a word's place
    assert document["query"] == "terminaton Zanzibar rent"
    assert [one["word"] for one in document["unmatched"]] == ["terminaton", "Zanzibar"]
    assert document["unmatched"][1]["nearest"] == []
    near = document["unmatched"][0]["nearest"]
    assert near and near[0].lower().startswith("terminat")
    _, out, _ = place.run("search", "terminaton Zanzibar", "--mode", "lexical")
    assert f"“terminaton” does not appear in what was searched. Similar spelling: “{near[0]}”" in out
    assert "“Zanzibar” does not appear in what was searched." in out.splitlines()


def test_a_question_without_an_answer_tells_it_too_and_keeps_it(place: Any) -> None:
    question = "Which zeppelin laid the Tennant's cable?"
    _, out, _ = place.run("ask", question, "--model", "extractive", "--json")
    answer = json.loads(out)
    words = {one["word"]: one["nearest"] for one in answer["unanswered"]["unmatched"]}
    assert (words["zeppelin"], words["Tennant's"]) == ([], ["Tenant"])
    assert json.loads(place.run("answers", answer["answer_id"], "--json")[1]) == answer
    _, out, _ = place.run("answers", answer["answer_id"])
    assert "   “zeppelin” does not appear in what was searched." in out.splitlines()


def test_words_that_are_found_are_not_told(place: Any) -> None:
    _, out, _ = place.run("search", "annual rent", "--mode", "lexical", "--json")
    assert json.loads(out)["unmatched"] == []


def test_an_archive_is_no_document_that_is_searched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "matter"
    folder.mkdir()
    with zipfile.ZipFile(folder / "box.zip", "w") as box:
        box.writestr("one.txt", "The Carrier pays the toll of the bridge.")
        box.writestr("two.txt", "The Carrier sails at dawn.")
    store = ("--store", str(tmp_path / "store"))
    main([*store, "index", str(folder), "--no-dense", "--json"])
    sources = json.loads(capsys.readouterr().out)["sources"]
    archive = next(s["source_id"] for s in sources if s["path"] == "box.zip")
    main([*store, "search", str(folder), "toll", "--mode", "lexical", "--json"])
    assert json.loads(capsys.readouterr().out)["documents"] == 2
    main([*store, "ask", str(folder), "Who pays the toll?", "--model", "extractive", "--json"])
    assert json.loads(capsys.readouterr().out)["retrieval"]["searched"]["sources"] == 2
    assert main([*store, "search", str(folder), "toll", "--source", archive, "--mode", "lexical"]) == 0
    assert capsys.readouterr().out == ("No readable text in the selected documents; pincite sources says why.\n")
