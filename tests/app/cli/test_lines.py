"""Files of questions, passwords and passphrases as editors write them."""

from pathlib import Path

import pytest

from app.cli.matter import read_secret
from app.errors import InputMissing, InputUnreadable, Usage
from app.lines import lines_of, read_lines
from app.services.matter.passwords import read_passwords


def test_lines_end_at_line_feeds_alone_and_a_byte_order_mark_is_none_of_the_text() -> None:
    assert lines_of("\ufeffWhat is due?\r\n\nA\u2028B\x0cC\x85D\rE\n") == ["What is due?", "", "A\u2028B\x0cC\x85D\rE"]
    assert lines_of("last") == ["last"]
    assert lines_of("") == []


def test_a_secret_from_a_windows_editor_is_the_secret(tmp_path: Path) -> None:
    file = tmp_path / "secret.txt"
    file.write_bytes(b"\xef\xbb\xbfeleven grey\xe2\x80\xa8herons\r\nsecond line\r\n")
    assert read_secret(file) == "eleven grey\u2028herons"
    file.write_bytes(b"\xef\xbb\xbfa/b.pdf\tpass\x0bword\r\n\r\n")
    assert read_passwords(file) == {"a/b.pdf": "pass\x0bword"}
    file.write_bytes(b"\r\n")
    with pytest.raises(Usage):
        read_secret(file)


def test_a_file_that_is_not_there_or_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputMissing):
        read_lines(tmp_path / "none.txt")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(InputUnreadable):
        read_lines(tmp_path / "binary")
