"""``pincite fetch``: its one document. The fetching itself is tested with the model files."""

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from app.cli import main
from models.files import QWEN_CODER_1_5B
from verify.domain.progress import Progress


def test_with_json_it_prints_one_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetched(folder: Path, _source: Path | None) -> Generator[Progress, None, Path]:
        yield Progress("fetch", 1, 1, "MB")
        return folder / QWEN_CODER_1_5B.name

    monkeypatch.setattr("models.files.fetch_embedded", fetched)
    monkeypatch.setattr("app.paths.model_folder", lambda: tmp_path)
    assert main(["fetch", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "schema": "pincite.fetch/1",
        "path": str(tmp_path / QWEN_CODER_1_5B.name),
        "sha256": f"sha256:{QWEN_CODER_1_5B.sha256}",
    }
