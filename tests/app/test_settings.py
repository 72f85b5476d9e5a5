"""Settings: one private file, complete by default, never half understood."""

import stat
from pathlib import Path

import pytest

from app.errors import InputUnreadable
from app.settings import Settings, load_settings, save_settings


def test_without_a_file_everything_has_a_default(tmp_path: Path) -> None:
    settings = load_settings(tmp_path / "none.json")
    assert settings == Settings()
    assert (settings.model, settings.ocr_threshold, settings.ollama_model) == ("auto", 600, "qwen3:8b")
    assert settings.ollama_host == "http://127.0.0.1:11434"


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "settings.json"
    chosen = Settings(reviewer="A. Elm", languages="eng+fra", ocr_threshold=700, model_file=Path("/models/x.gguf"))
    save_settings(chosen, path)
    assert load_settings(path) == chosen
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("text", "named"),
    [('{"ocr_threshold": 1001}', "ocr_threshold"), ('{"colour": "red"}', "colour"), ("{", "json"), ("\x00", "json")],
)
def test_a_mistake_is_named_not_dropped(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputUnreadable, match=named) as fault:
        load_settings(path)
    assert str(path) in str(fault.value)
