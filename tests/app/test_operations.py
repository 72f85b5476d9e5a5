"""The operational log: codes, ids and places, never words, and never more than two files of a megabyte."""

import stat

from app import operations
from app.operations import FILE, MOST_BYTES, place_of, record
from app.paths import log_folder


def last_line() -> str:
    return (log_folder() / FILE).read_text("utf-8").splitlines()[-1]


def test_a_line_names_codes_and_refuses_words() -> None:
    record("command", name="ask", status=3, failed="ValueError@asking.py:12", note="What is the rent?")
    assert last_line().endswith(" command name=ask status=3 failed=ValueError@asking.py:12 note=refused")
    assert stat.S_IMODE((log_folder() / FILE).stat().st_mode) == 0o600


def test_the_place_of_an_error_has_no_message() -> None:
    try:
        raise ValueError("the Tenant shall pay")
    except ValueError as error:
        assert place_of(error).startswith("ValueError@test_operations.py:")


def test_a_full_file_is_kept_once() -> None:
    path = log_folder() / FILE
    record("first")
    path.write_bytes(b"x" * (MOST_BYTES + 1))
    record("second")
    assert path.stat().st_size < 200
    assert path.with_name(f"{FILE}.1").stat().st_size == MOST_BYTES + 1


def test_a_command_leaves_its_end(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    from app.cli.main import main

    assert main(["--store", str(tmp_path), "sources", str(tmp_path / "nowhere")]) == 3
    assert " command name=sources " in last_line() and "code=input_missing" in last_line()


def test_a_log_that_cannot_be_written_costs_nothing(monkeypatch, tmp_path) -> None:  # type: ignore[no-untyped-def]
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    monkeypatch.setattr(operations, "log_folder", lambda: blocked / "log")
    record("command")
    assert blocked.read_bytes() == b""
