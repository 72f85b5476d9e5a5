"""The command line's own rules: where options may stand, how errors look, what starts fast."""

import io
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.cli.console import Console, Meter, describe
from app.cli.main import commands, main
from app.store.records import METADATA_FIELDS
from verify.domain.progress import Progress

CONTRACT = {
    "index", "sources", "inspect", "search", "ask", "cite-check", "verify", "support", "render", "answers", "review",
    "tag", "forget", "doctor", "eval", "export", "check-bundle", "audit", "seal", "unseal", "app",
}  # fmt: skip


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    status = main(list(args))
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_the_commands_of_the_contract_are_there() -> None:
    assert commands().keys() >= CONTRACT


@pytest.mark.parametrize("name", sorted(CONTRACT))
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, name, "--help")
    assert (status, err) == (0, "")
    assert out.startswith(f"usage: pincite {name}")


def test_tag_names_every_field(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "tag", "--help")
    assert {name for name in METADATA_FIELDS if name not in out} == set()


@pytest.mark.parametrize(
    "args",
    [("nonsense",), ("index",), ("search", "x", "q", "--mode", "best"), ("render", "m", "s", "-1", "-o", "x.png"),
     ("search", "m"), ("--bad",), ("render", "m", "s", "0", "-o", "x.png", "--bbox", "1,2,3")],
)  # fmt: skip
def test_a_mistake_is_one_line_and_exit_2(args: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, *args)
    assert (status, out) == (2, "")
    assert err.startswith("pincite: ")
    assert err.count("\n") == 1


def test_with_json_a_mistake_is_an_error_document(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "search", "--json")
    document = json.loads(out)
    assert status == 2
    assert document.keys() == {"schema", "code", "message"}
    assert (document["schema"], document["code"]) == ("pincite.error/1", "usage")


def test_a_folder_that_is_not_there_is_exit_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "store")
    for command in (["sources"], ["index"], ["search", "q"], ["ask", "q"]):
        name, *rest = command
        status, out, _ = run(capsys, "--store", store, name, str(tmp_path / "none"), *rest, "--json")
        assert (status, json.loads(out)["code"]) == (3, "input_missing")
    assert not Path(store).exists()


def test_a_folder_that_was_never_read_makes_no_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["sources"], ["ask", "q"], ["review", "a", "c", "--decision", "accepted"], ["tag", "s", "title=x"]):
        name, *rest = command
        status, _, err = run(capsys, "--store", str(tmp_path / "store"), name, str(tmp_path), *rest)
        assert status == 3
        assert "pincite index" in err
    assert not (tmp_path / "store").exists()


def test_options_may_stand_anywhere_after_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "store")
    for args in (
        ["--store", store, "search", str(tmp_path), "-k", "3", "rent", "--json"],
        ["search", "--json", "-k", "3", str(tmp_path), "--store", store, "rent"],
    ):
        assert run(capsys, *args)[0] == 3  # understood; the folder was never read


def test_help_starts_fast() -> None:
    began = time.monotonic()
    code = "import sys; sys.argv=['pincite','--help']; from app.cli.main import main; main(); print(len(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert time.monotonic() - began < 4  # 0.05 s on an idle machine; the modules below are what costs
    heavy = "import sys; from app.cli.main import main; main(['--help']); print(sorted(sys.modules), file=sys.stderr)"
    loaded = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True).stderr
    for name in ("numpy", "pydantic", "pymupdf", "chromadb", "sqlite3", "PySide6", "PIL", "platformdirs"):
        assert f"'{name}'" not in loaded
    assert "pincite COMMAND --help" in shown


def test_sources_needs_neither_parser_nor_index(tmp_path: Path) -> None:
    code = (
        "import sys; from app.cli.main import main; main(['--store', sys.argv[1], 'sources', sys.argv[1]])\n"
        "print(sorted(sys.modules))"
    )
    loaded = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True).stdout
    for name in ("numpy", "pymupdf", "chromadb", "onnxruntime", "PySide6", "PIL", "langchain"):
        assert f"'{name}'" not in loaded


@pytest.mark.parametrize("display", [None, ":7777"])
def test_without_a_display_the_window_is_one_line_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, display: str | None
) -> None:
    """Also where the display that is named has gone: Qt would end the process with words of its own."""
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    if display:
        monkeypatch.setenv("DISPLAY", display)
    for args in ((), ("app",), (str(tmp_path),)):
        status, out, err = run(capsys, *args)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "no display" in err
    assert json.loads(run(capsys, "app", "--json")[1])["code"] == "usage"


def test_what_a_line_holds_cannot_leave_the_line_or_steer_the_terminal() -> None:
    out, err = io.StringIO(), io.StringIO()
    console = Console(json=False, out=out, err=err)
    console.say("Müller\u00a0§ 5 \x1b[2J.pdf", "a\nlease.pdf: ready\r\u2028")
    console.note("cod\u202efdp.exe \u200b\x9b\udcff")
    assert out.getvalue() == "Müller\u00a0§ 5 \\x1b[2J.pdf\na\\nlease.pdf: ready\\r\\u2028\n"
    assert err.getvalue() == "cod\\u202efdp.exe \\u200b\\x9b\\udcff\n"


def test_progress_says_how_fast_and_how_long() -> None:
    assert describe(Progress("read", 150, 450, "pages"), 10.0, 150) == (
        "Reading: 150 of 450 pages, 15.0 a second, 20 s left"
    )
    assert describe(Progress("embed", 5, None, "passages"), 0.0, 0) == "Preparing search by meaning: 5 passages"
    assert describe(Progress("read", 100, 36_100, "pages"), 10.0, 100).endswith("1 h 00 min left")


def test_progress_where_there_is_no_terminal_is_a_line_now_and_then() -> None:
    stream = io.StringIO()
    times = iter([0.0, 1.0, 11.0, 12.0])
    meter = Meter(stream, lambda: next(times))
    for done in (1, 110, 120):
        meter.show(Progress("read", done, 400, "pages"))
    meter.clear()
    assert stream.getvalue().splitlines() == ["Reading: 110 of 400 pages, 10.9 a second, 27 s left"]


def test_a_rate_begins_anew_where_something_else_is_counted() -> None:
    stream, times = io.StringIO(), iter([0.0, 10.0, 12.0, 22.0])
    meter = Meter(stream, lambda: next(times))
    for done, unit in ((5_000, "passages"), (0, "documents"), (40, "documents")):
        meter.show(Progress("retrieve", done, 100 if unit == "documents" else 9_000, unit))
    assert stream.getvalue().splitlines()[-1] == "Preparing search: 40 of 100 documents, 4.0 a second, 15 s left"
