"""Settings, the badge, forgetting, over the real services, without a display."""

from pathlib import Path

import pytest

from app.backend.requests import Choices
from app.viewmodels.egress import egress, is_loopback
from app.viewmodels.matter import MatterModel
from app.viewmodels.remembered import Remembered, load_remembered, save_remembered
from app.viewmodels.settings import SettingsModel


def test_a_choice_is_saved_and_a_wrong_one_refused(runner) -> None:  # type: ignore[no-untyped-def]
    model = SettingsModel(runner)
    said: list[str] = []
    model.failed.connect(said.append)
    model.load()
    runner.run()
    assert model.loaded and model.choices.theme == "system"
    model.change(theme="dark", reviewer="Ada Quill")
    runner.run()
    again = SettingsModel(runner)
    again.load()
    runner.run()
    assert (again.choices.theme, again.choices.reviewer) == ("dark", "Ada Quill")
    model.change(theme="purple")
    runner.run()
    assert said == ["This value cannot be used: theme. Nothing was changed."]
    assert model.choices.theme == "dark"


def test_what_is_installed_names_the_command(runner) -> None:  # type: ignore[no-untyped-def]
    model = SettingsModel(runner)
    model.choices = Choices(ollama_host="http://127.0.0.1:9")
    model.look()
    runner.run()
    names = {finding.name for finding in model.findings}
    assert {"ocr", "ollama", "store"} <= names
    assert all(finding.detail for finding in model.findings)


def test_the_model_without_a_model_is_ready(runner) -> None:  # type: ignore[no-untyped-def]
    model = SettingsModel(runner)
    model.choices = Choices(model="extractive")
    model.test_model()
    assert model.testing
    runner.run()
    assert not model.testing
    assert model.tested is not None and model.tested.state == "ready"


def test_forgetting_leaves_nothing_and_shows_it(folder: Path, runner) -> None:  # type: ignore[no-untyped-def]
    matter = MatterModel(runner)
    matter.open(folder)
    runner.run()
    model = SettingsModel(runner)
    model.measure(folder)
    runner.run()
    assert " in " in model.store_words
    model.forget(folder)
    runner.run()
    assert model.forgotten[0].startswith("Deleted ")
    assert model.forgotten[1] == "Looked again: nothing of it is left."
    assert (folder / "Services Agreement.pdf").is_file()


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:11434", True),
        ("http://localhost:11434", True),
        ("http://[::1]:8000", True),
        ("127.0.0.1:11434", True),
        ("http://127.0.0.1.evil.example:80", False),
        ("http://192.168.1.4:11434", False),
        ("http://localhost.example", False),
        ("", False),
    ],
)
def test_only_this_machine_is_this_machine(url: str, local: bool) -> None:
    assert is_loopback(url) is local


def test_the_badge_names_the_address() -> None:
    away = egress(Choices(model="ollama", ollama_host="http://gpu.example:11434"))
    assert not away.local
    assert away.badge == "Sends to gpu.example:11434"
    assert egress(Choices(model="extractive", ollama_host="http://gpu.example:11434")).local
    assert not egress(Choices(chroma_url="http://10.0.0.2:8000")).local
    assert egress(Choices(model="server", server_url="http://10.0.0.2:8080")).badge == "Sends to 10.0.0.2:8080"
    assert egress(Choices(model="server", server_url="http://127.0.0.1:8080")).local
    assert egress(Choices(model="extractive", server_url="http://10.0.0.2:8080")).local


def test_the_window_remembers_and_survives_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "window.json"
    kept = (
        Remembered(theme="dark", text_scale=150).with_matter(Path("/a")).with_matter(Path("/b")).with_matter(Path("/a"))
    )
    save_remembered(kept, path)
    assert load_remembered(path) == kept
    assert kept.recent == ("/a", "/b")
    path.write_text("{not json", encoding="utf-8")
    assert load_remembered(path) == Remembered()


def test_the_model_is_fetched_on_request_and_failure_is_said(runner, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    from models.adapters import files
    from models.ports import ModelUnavailable
    from verify.domain.progress import Progress

    def fetched(folder: Path, from_file: Path | None = None) -> files.Fetching:
        yield Progress("fetch", 600_000_000, 1_117_320_768, "bytes")
        return folder / "model.gguf"

    def refused(folder: Path, from_file: Path | None = None) -> files.Fetching:
        yield Progress("fetch", 0, None, "bytes")
        raise ModelUnavailable("the package index refused the connection")

    model = SettingsModel(runner)
    said: list[str] = []
    model.fetch_changed.connect(lambda: said.append(model.fetch_words))
    monkeypatch.setattr(files, "fetch_embedded", fetched)
    model.fetch_model()
    assert model.fetching
    runner.run()
    assert not model.fetching
    assert "600.0 MB of 1.1 GB" in said and said[-1].startswith("The embedded model is ready: ")
    monkeypatch.setattr(files, "fetch_embedded", refused)
    model.fetch_model()
    runner.run()
    assert not model.fetching and model.fetch_words == "the package index refused the connection"
