"""What ``packaging/bootstrap.py`` says when pip fails, on what pip really said, and what it does without root."""

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

REPO = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def bootstrap() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", REPO / "packaging" / "bootstrap.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def wheel(folder: Path, name: str, version: str, *requires: str) -> None:
    info = f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {line}\n" for line in requires)
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")


def pip_said(target: Path, *arguments: str, **settings: str) -> str:
    """What pip prints when it fails, with none of this machine's own settings for it."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")} | {"PIP_CONFIG_FILE": os.devnull} | settings
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--target", str(target)]
    done = subprocess.run([*command, *arguments], env=env, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    return done.stdout + done.stderr


def test_a_conflict_is_named_with_both_sides(bootstrap: Any, tmp_path: Path) -> None:
    wheel(tmp_path, "pleading", "1.0", "docket<2")
    wheel(tmp_path, "brief", "1.0", "docket>=2")
    wheel(tmp_path, "docket", "1.0")
    wheel(tmp_path, "docket", "2.0")
    said = pip_said(tmp_path / "t", "--no-index", "--find-links", str(tmp_path), "pleading", "brief")
    why = bootstrap.why_pip_failed(said)
    assert "conflicting dependencies" in why
    assert "pleading 1.0 depends on docket<2" in why and "brief 1.0 depends on docket>=2" in why
    assert "index" not in why


def test_a_package_that_cannot_be_had_is_named(bootstrap: Any, tmp_path: Path) -> None:
    wheel(tmp_path, "pleading", "1.0")
    said = pip_said(tmp_path / "t", "--no-index", "--find-links", str(tmp_path), "pleading==3.0")
    assert "No matching distribution found for pleading==3.0" in bootstrap.why_pip_failed(said)


def test_a_network_that_refuses_is_no_conflict(bootstrap: Any, tmp_path: Path) -> None:
    said = pip_said(tmp_path / "t", "--index-url", "http://127.0.0.1:9/simple", "docket", PIP_RETRIES="1")
    assert bootstrap.why_pip_failed(said) == "pip: the package index refused the connection."


def test_silence_is_reported_as_such(bootstrap: Any) -> None:
    assert bootstrap.why_pip_failed("\n") == "pip: it gave no reason."


def test_without_root_it_says_what_to_install_and_goes_on(
    bootstrap: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "_as_root", lambda: None)
    missing = [bootstrap.TABLE["programs"]["tesseract"], bootstrap.TABLE["ocr"]["eng"]]
    for manager in bootstrap.MANAGERS:
        bootstrap._install_system_packages(manager, missing)
    said = capsys.readouterr().out
    assert "sudo apt-get update -q && sudo apt-get install" in said and "tesseract-ocr-eng" in said
    assert "sudo dnf install -y -q tesseract tesseract-langpack-eng" in said
    assert "sudo pacman -Sy --needed --noconfirm tesseract tesseract-data-eng" in said
    assert "sudo zypper --non-interactive install --no-recommends tesseract-ocr tesseract-ocr-traineddata-eng" in said


def test_every_line_of_the_table_has_each_manager(bootstrap: Any) -> None:
    names = {manager.name for manager in bootstrap.MANAGERS}
    for kind, lines in bootstrap.TABLE.items():
        for what, packages in lines.items():
            assert set(packages) == names, f"{kind}.{what}"


def test_the_model_is_fetched_only_when_asked(bootstrap: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "set_up", lambda *_, **__: None)
    monkeypatch.setattr(bootstrap, "_call", lambda command: called.append([str(part) for part in command]) or 0)
    monkeypatch.setattr(sys, "argv", ["bootstrap.py", "run"])
    assert bootstrap.main() == 0
    monkeypatch.setattr(sys, "argv", ["bootstrap.py", "run", "--with-model"])
    assert bootstrap.main() == 0
    assert [command[-1] for command in called] == ["app.first_run", "fetch", "app.first_run"]
