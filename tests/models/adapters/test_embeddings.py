"""The real model: its geometry where a person can tell, and what happens when a file is not the known one."""

from pathlib import Path

import numpy as np
import pytest

import models.adapters.embeddings
from models.adapters.embeddings import DIMENSION, MiniLmEmbedder
from models.ports import ModelUnavailable


@pytest.fixture(scope="module")
def embedder() -> MiniLmEmbedder:
    return MiniLmEmbedder(threads=1)


def test_rows_are_of_unit_length(embedder: MiniLmEmbedder) -> None:
    rows = embedder.embed(["Rent is due monthly.", "", "  ", "§ 7.2(b)", "日本語", "word " * 2000])
    assert rows.shape == (6, DIMENSION) and rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_what_means_the_same_lies_nearer(embedder: MiniLmEmbedder) -> None:
    question, law, rent = embedder.embed(
        [
            "Which law governs this contract?",
            "This Agreement is governed by the laws of Norway.",
            "The tenant shall pay rent on the first day of each month.",
        ]
    )
    assert question @ law > question @ rent + 0.2


def test_a_text_s_vector_does_not_depend_on_its_neighbours(embedder: MiniLmEmbedder) -> None:
    text = "Either party may terminate upon notice."
    alone = embedder.embed([text])[0]
    among = embedder.embed(["x", text, "a much longer neighbour " * 40])[1]
    np.testing.assert_array_equal(alone, among)


def test_no_texts_give_no_rows(embedder: MiniLmEmbedder) -> None:
    assert embedder.embed([]).shape == (0, DIMENSION)


def test_a_changed_file_is_refused_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "vocabulary.txt"
    other.write_text("[PAD]\n")
    monkeypatch.setattr(models.adapters.embeddings, "_VOCABULARY", other)
    with pytest.raises(ModelUnavailable, match=r"vocabulary\.txt is not the expected file"):
        MiniLmEmbedder().embed(["x"])


def test_a_missing_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models.adapters.embeddings, "_VOCABULARY", tmp_path / "gone.txt")
    with pytest.raises(ModelUnavailable, match=r"gone\.txt cannot be read"):
        MiniLmEmbedder().embed(["x"])
