"""Files of rows that long work goes on from: torn, of other work, or no such file at all."""

from pathlib import Path

import pytest

from app.errors import InputUnreadable, Usage
from app.services.evaluation.journal import Journal

HEAD = '{"measured": "this"}\n'


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000 + "\n", HEAD + "[" * 100_000 + "\n", HEAD + "[1]\n", HEAD + '{"no": "id"}\n', HEAD + '{"id": []}\n',
     HEAD + '{"id": "a"\n', "\ufeff" + HEAD, "a,b\n1,2\n", HEAD + "\0" * 10 + "\n"],
)  # fmt: skip
def test_a_file_of_anything_else_is_refused_in_words_and_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(InputUnreadable, match="holds no rows"):
        Journal(path, "this")
    assert path.read_text("utf-8") == text


def test_a_file_of_other_work_is_refused_and_a_torn_last_row_is_done_again(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(HEAD + '{"id": "a"}\n{"id": "b', "utf-8")
    with pytest.raises(Usage):
        Journal(path, "other")
    assert Journal(path, "this").done == {"a": {"id": "a"}}
    assert path.read_text("utf-8") == HEAD + '{"id": "a"}\n'


def test_half_a_character_is_kept_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    Journal(path, "this").add({"id": "\ud800", "é": 1})
    assert Journal(path, "this").done == {"\ud800": {"id": "\ud800", "é": 1}}
