"""``pincite fetch``: its one document. The fetching itself is tested with the model files and with a real Ollama."""

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from app.cli.main import main
from models.adapters.files import QWEN_CODER_1_5B
from verify.domain.progress import Progress


def test_with_json_it_prints_one_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetched(folder: Path, _source: Path | None) -> Generator[Progress, None, Path]:
        yield Progress("fetch", 1, 1, "MB")
        return folder / QWEN_CODER_1_5B.name

    monkeypatch.setattr("models.adapters.files.fetch_embedded", fetched)
    monkeypatch.setattr("app.paths.model_folder", lambda: tmp_path)
    assert main(["fetch", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "schema": "pincite.fetch/1",
        "path": str(tmp_path / QWEN_CODER_1_5B.name),
        "sha256": f"sha256:{QWEN_CODER_1_5B.sha256}",
    }


def test_a_model_is_pulled_by_ollama(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from models.adapters.ollama import OllamaState

    def pulled(host: str, name: str) -> Generator[Progress, None, None]:
        assert host == "http://127.0.0.1:11434"
        yield Progress("fetch", 5, 5, "bytes")

    monkeypatch.setattr("models.adapters.ollama.pull", pulled)
    monkeypatch.setattr(
        "models.adapters.ollama.server_state", lambda host: OllamaState("1", (("tiny:latest", "d1"),), ())
    )
    assert main(["fetch", "ollama:tiny", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == {"schema": "pincite.fetch/1", "model": "ollama:tiny", "digest": "d1"}


@pytest.mark.parametrize("words", [["ollama"], ["ollama:"], ["gguf"], ["ollama:tiny", "--from", "x.gguf"]])
def test_what_names_no_model_is_a_usage_error(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fetch", *words]) == 2
    assert "ollama:NAME" in capsys.readouterr().err
