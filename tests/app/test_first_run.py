"""What a newcomer is told to type."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from app import first_run
from app.cli.console import Console


def test_the_command_can_be_typed_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "an environment" / "pincite"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program.with_name("python")))
    monkeypatch.setattr(sys, "platform", "linux")
    said: list[str] = []
    monkeypatch.setattr(Console, "say", lambda _self, *lines: said.extend(lines))
    first_run._say_where(tmp_path / "sample answer", Console(json=False))
    typed = shlex.split(said[-1].removeprefix("Check the bundle: "))
    assert typed == [str(program), "check-bundle", str(tmp_path / "sample answer" / "answer.zip")]


def test_windows_has_its_own_quotation_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    words = (r"C:\Program Files\pincite.exe", "check-bundle", r"C:\answer.zip")
    assert first_run.command_line(*words) == subprocess.list2cmdline(words)
    assert first_run.command_line(*words).startswith('"C:\\Program Files\\pincite.exe" check-bundle ')
