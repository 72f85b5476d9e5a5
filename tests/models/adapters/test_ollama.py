"""Ollama: what is told apart without a server, and a real one where it can be had."""

import time

import numpy as np
import ollama
import pytest

from models.adapters.ollama import (
    OllamaModel,
    OllamaState,
    _layers,
    checked_host,
    is_local,
    require_model,
    server_state,
    token_bound,
)
from models.answering.schema import ReplyReader, reply_schema
from models.ports import Message, ModelFailed, ModelUnavailable, PromptTooLong

SHOWN = [
    Message("system", "Answer with the ids of the sentences that answer the question."),
    Message("user", "[P1.1] The term is two years.\n[P1.2] Rent is USD 5.\nQuestion: How long is the term?"),
]
SCHEMA = reply_schema(["P1.1", "P1.2"], 2)
FREE_TEXT = {"type": "object", "properties": {"story": {"type": "string"}}, "required": ["story"]}


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("http://127.0.0.1:11434", True), ("http://localhost:1", True), ("http://[::1]:11434", True),
        ("http://10.0.0.5:11434", False), ("http://ollama.example", False), ("http://localhost.example", False),
    ],
)  # fmt: skip
def test_only_this_machine_is_local(host, local) -> None:
    assert is_local(host) is local


def test_a_remote_host_is_only_used_when_it_was_allowed() -> None:
    assert checked_host("127.0.0.1") == "http://127.0.0.1:11434"
    assert checked_host("[::1]:9000") == "http://[::1]:9000"
    with pytest.raises(ModelUnavailable, match="not this machine"):
        checked_host("http://ollama.example:11434")
    assert checked_host("https://ollama.example", allow_remote=True) == "https://ollama.example:443"


def test_a_missing_model_names_the_command() -> None:
    state = OllamaState("0.17.4", (("bge-m3:latest", "d1"), ("qwen3:8b", "d2")), ())
    require_model(state, "bge-m3")
    require_model(state, "qwen3:8b")
    with pytest.raises(ModelUnavailable, match="`ollama pull qwen3:4b`"):
        require_model(state, "qwen3:4b")


def test_no_server_is_told_and_no_proxy_is_asked(monkeypatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://192.0.2.1:3128")
    with pytest.raises(ModelUnavailable, match="ollama serve"):
        server_state("http://127.0.0.1:9")
    with pytest.raises(ModelUnavailable, match="ollama serve"):
        list(OllamaModel("any", "http://127.0.0.1:9").stream_json(SHOWN, SCHEMA, 20))


def test_a_prompt_that_cannot_fit_is_not_sent() -> None:
    with pytest.raises(PromptTooLong):
        OllamaModel("any", "http://127.0.0.1:9", 512).stream_json([Message("user", "a " * 600)], SCHEMA, 20)


def test_the_token_bound_counts_words_digits_and_signs() -> None:
    assert token_bound("The fee is 250.") == 1 + 1 + 1 + 3 + 1
    assert token_bound("indemnification") == 4


def test_each_layer_of_a_pull_goes_up_to_its_whole() -> None:
    told = [(None, None, None), ("a", 40, 9), ("a", 40, 30), ("b", 5, None), (None, None, None)]
    steps = (ollama.ProgressResponse(digest=d, total=t, completed=c) for d, t, c in told)
    assert [(p.done, p.total) for p in _layers(steps)] == [
        (0, None), (9, 40), (30, 40), (40, 40), (0, 5), (5, 5), (5, 5),
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(900)
class TestRealServer:
    @pytest.fixture(autouse=True)
    def no_proxy_helps(self, monkeypatch) -> None:
        monkeypatch.setenv("http_proxy", "http://192.0.2.1:3128")

    def test_chat_by_schema_streams(self, start_ollama, ollama_tool) -> None:
        server = start_ollama()
        reader, pieces = ReplyReader(), []
        for piece in OllamaModel(ollama_tool.CHAT, server.host, 1024).stream_json(SHOWN, SCHEMA, 200):
            pieces.append(piece)
            reader.feed(piece)
        assert reader.complete and len([p for p in pieces if p]) > 5
        assert f"{ollama_tool.CHAT}:latest" in server_state(server.host).loaded

    def test_cancel_in_mid_stream_and_while_the_prompt_is_read(self, start_ollama, ollama_tool) -> None:
        model = OllamaModel(ollama_tool.CHAT, start_ollama().host, 2048)
        stream = model.stream_json([Message("user", "Write a long story.")], FREE_TEXT, 800)
        while not next(stream):
            pass
        assert _seconds_to_close(stream) < 1
        stream = model.stream_json([Message("user", "seven " * 1000)], FREE_TEXT, 200)
        assert next(stream) == ""
        assert _seconds_to_close(stream) < 1

    def test_missing_model_and_prompt_over_the_context(self, start_ollama, ollama_tool) -> None:
        host = start_ollama().host
        with pytest.raises(ModelUnavailable, match="`ollama pull nobody-has-this`"):
            list(OllamaModel("nobody-has-this", host).stream_json(SHOWN, SCHEMA, 20))
        digits = [Message("user", "1 2 3 4 5 6 7 8 9, " * 40)]
        with pytest.raises(PromptTooLong):
            list(OllamaModel(ollama_tool.CHAT, host, 512).stream_json(digits, SCHEMA, 20))

    def test_the_server_is_killed_in_mid_answer(self, start_ollama, ollama_tool) -> None:
        server = start_ollama()
        model = OllamaModel(ollama_tool.CHAT, server.host, 1024)
        stream = model.stream_json([Message("user", "Write a long story.")], FREE_TEXT, 800)
        while not next(stream):
            pass
        server.kill()
        with pytest.raises(ModelFailed):
            list(stream)

    def test_a_model_that_never_stops_is_stopped(self, start_ollama, ollama_tool) -> None:
        model = OllamaModel(ollama_tool.ENDLESS, start_ollama().host, 1024)
        text = "".join(model.stream_json([Message("user", "Write a long story.")], FREE_TEXT, 40))
        assert 0 < len(text) < 40 * 12

    def test_embeddings(self, start_ollama, ollama_tool) -> None:
        from models.adapters.ollama_embeddings import OllamaEmbedder

        embedder = OllamaEmbedder(ollama_tool.EMBED, start_ollama().host)
        rows = embedder.embed(["The tenant pays rent.", "Rent is paid by the lessee.", "The cat sleeps."])
        assert rows.shape == (3, 384) == (3, embedder.dimension)
        assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
        assert rows[0] @ rows[1] > rows[0] @ rows[2]
        assert embedder.name.startswith(f"ollama-{ollama_tool.EMBED}-")


def _seconds_to_close(stream) -> float:
    before = time.monotonic()
    stream.close()
    return time.monotonic() - before
