"""The audit log's chain: edits and a cut tail are found, and each is named by its line."""

import json
from typing import Any

from app.paths import matter_folder


def audit(place: Any) -> tuple[int, list[tuple[int, str]]]:
    status, out, _ = place.run("audit", "--json")
    return status, [(f["line"], f["code"]) for f in json.loads(out)["findings"]]


def three_questions(place: Any) -> list[bytes]:
    for question in ("What is the rent?", "Who is the tenant?", "When were the keys handed over?"):
        place.run("ask", question, "--model", "extractive", "--json")
    return _path(place).read_bytes().splitlines(keepends=True)


def _path(place: Any) -> Any:
    return matter_folder(place.store, place.matter) / "audit.jsonl"


def test_a_log_that_nobody_touched_is_whole(place: Any) -> None:
    lines = three_questions(place)
    assert [json.loads(line)["event"] for line in lines[-3:]] == ["asked", "asked", "asked"]
    assert audit(place) == (0, [])


def test_an_edited_line_breaks_the_next_one(place: Any) -> None:
    lines = three_questions(place)
    edited = lines[-2].replace(b'"asked"', b'"viewed"')
    _path(place).write_bytes(b"".join([*lines[:-2], edited, lines[-1]]))
    assert audit(place) == (1, [(len(lines), "chain_broken")])


def test_a_line_taken_out_is_found(place: Any) -> None:
    lines = three_questions(place)
    _path(place).write_bytes(b"".join([*lines[:-2], lines[-1]]))
    assert audit(place) == (1, [(len(lines) - 1, "chain_broken")])


def test_a_cut_tail_is_found(place: Any) -> None:
    lines = three_questions(place)
    _path(place).write_bytes(b"".join(lines[:-1]))
    assert audit(place) == (1, [(len(lines), "tail_cut")])


def test_a_log_that_is_gone_is_found(place: Any) -> None:
    three_questions(place)
    _path(place).unlink()
    assert audit(place) == (1, [(1, "tail_cut")])


def test_half_a_line_is_said_and_does_not_break_the_chain(place: Any) -> None:
    lines = three_questions(place)
    _path(place).write_bytes(b"".join(lines) + b'{"at":"2026')
    assert audit(place) == (0, [(len(lines) + 1, "half_line")])
    place.run("ask", "What is the rent?", "--model", "extractive", "--json")
    assert audit(place) == (0, [])
