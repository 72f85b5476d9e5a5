"""A server of the OpenAI chat protocol as the adapter meets it: one that streams, one that knows no schema, one that
stops half way, one that says what is no event, one that says nothing, and none at all."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from models.adapters.chat_server import CONTEXT_TOKENS, ChatServerModel, checked_address
from models.adapters.files import QWEN_CODER_1_5B, installed
from models.answering.prompts import RULES
from models.answering.schema import ReplyReader, reply_schema
from models.ports import Message, ModelFailed, ModelUnavailable, PromptTooLong

SCHEMA = {"type": "object"}
ASKED = [Message("user", "What is the fee?")]


def event(text: str) -> bytes:
    return f"data: {json.dumps({'choices': [{'delta': {'content': text}}]})}\n\n".encode()


END = b"data: [DONE]\n\n"


class _Server:
    """``script`` gets the request's body and gives a status and the bytes of the reply, in pieces."""

    def __init__(self, script: Callable[[dict[str, Any]], tuple[int, Iterator[bytes]]], models: Any) -> None:
        self.bodies: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                found = models if self.path == "/v1/models" else None
                self.send_response(200 if found is not None else 404)
                self.end_headers()
                self.wfile.write(json.dumps(found).encode())

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.bodies.append(body)
                status, pieces = script(body)
                self.send_response(status)
                self.end_headers()
                for piece in pieces:
                    self.wfile.write(piece)
                    self.wfile.flush()

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def serve() -> Iterator[Callable[..., _Server]]:
    started: list[_Server] = []

    def start(script: Callable[[dict[str, Any]], tuple[int, Iterator[bytes]]], models: Any = None) -> _Server:
        started.append(_Server(script, {"data": [{"id": "one"}]} if models is None else models))
        return started[-1]

    yield start
    for server in started:
        server.close()


def said(model: ChatServerModel) -> str:
    return "".join(model.stream_json(ASKED, SCHEMA, 50))


def test_a_reply_is_streamed_with_the_schema_and_a_bound(serve: Any) -> None:
    server = serve(lambda _: (200, iter((event('{"cla'), event('ims": []}'), END))))
    assert said(ChatServerModel("one", f"{server.address}/v1/")) == '{"claims": []}'
    (body,) = server.bodies
    assert (body["max_tokens"], body["temperature"], body["stream"]) == (50, 0, True)
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA


def test_a_server_that_knows_no_schema_is_asked_without_it(serve: Any) -> None:
    server = serve(lambda body: (400, iter(())) if "response_format" in body else (200, iter((event("{}"), END))))
    assert said(ChatServerModel("one", server.address)) == "{}"
    assert ["response_format" in body for body in server.bodies] == [True, False]


@pytest.mark.parametrize(
    ("status", "pieces"),
    [
        (200, (event('{"cl'),)),
        (200, (b"data: no json\n\n", END)),
        (200, (b'data: {"error": "out of memory"}\n\n', END)),
        (200, (b'data: {"choices": [7]}\n\n', END)),
        (500, ()),
        (422, ()),
    ],
)
def test_what_is_no_whole_reply_fails(serve: Any, status: int, pieces: tuple[bytes, ...]) -> None:
    server = serve(lambda _: (status, iter(pieces)))
    with pytest.raises(ModelFailed):
        said(ChatServerModel("one", server.address))


def test_a_silent_server_can_be_left(serve: Any) -> None:
    def silence() -> Iterator[bytes]:
        time.sleep(3)
        yield END

    server = serve(lambda _: (200, silence()))
    began = time.monotonic()
    stream = ChatServerModel("one", server.address).stream_json(ASKED, SCHEMA, 50)
    assert next(stream) == ""
    stream.close()
    assert time.monotonic() - began < 2


def test_no_server_and_another_kind_of_server_are_told_apart(serve: Any) -> None:
    with pytest.raises(ModelUnavailable, match="no model server answers"):
        ChatServerModel("one", "http://127.0.0.1:9").found()
    other = serve(lambda _: (200, iter(())), models=["no", "list"])
    with pytest.raises(ModelUnavailable, match="does not speak"):
        ChatServerModel("one", other.address).found()


def test_which_model_a_server_has(serve: Any) -> None:
    server = serve(lambda _: (200, iter(())), models={"data": [{"id": "one", "max_model_len": 16384}, {"id": "two"}]})
    assert ChatServerModel("one", server.address).found().context_tokens == 16384
    assert ChatServerModel("two", server.address).found().context_tokens == CONTEXT_TOKENS
    assert ChatServerModel("", server.address).found().name == "server:one"
    with pytest.raises(ModelUnavailable, match="has no model three; it has one, two"):
        ChatServerModel("three", server.address).found()


def test_a_prompt_over_the_context_is_not_sent(serve: Any) -> None:
    server = serve(lambda _: (200, iter(())), models={"data": [{"id": "one", "max_model_len": 60}]})
    with pytest.raises(PromptTooLong):
        ChatServerModel("one", server.address).stream_json([Message("user", "word " * 20)], SCHEMA, 50)
    assert server.bodies == []


@pytest.mark.parametrize("address", ["ftp://127.0.0.1", "http://", ""])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ModelUnavailable, match="is no address"):
        checked_address(address)


_LLAMA = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.n_ctx, params.n_parallel = sys.argv[1], 2048, 1
params.hostnames, params.port, params.ui, params.warmup = ["127.0.0.1"], 0, False, False
params.cache_ram_mib = 0
server = xllamacpp.Server(params)
print("\\nADDRESS", server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def llama() -> Iterator[str]:
    """The address of a real llama.cpp server; skips where no model file is."""
    folder = Path(os.environ.get("PINCITE_TEST_MODELS", Path(platformdirs.user_data_dir("pincite", False)) / "models"))
    path = installed(QWEN_CODER_1_5B, folder)
    if path is None:
        pytest.skip(f"the embedded model is not in {folder} (set PINCITE_TEST_MODELS)")
    command = [sys.executable, "-c", _LLAMA, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        said = next((line for line in process.stdout if line.startswith("ADDRESS")), "")
        yield said.split()[1]
        process.kill()


@pytest.mark.slow
def test_a_real_llama_server_obeys_the_schema_and_says_its_context(llama: str) -> None:
    model = ChatServerModel("", llama).found()
    assert model.context_tokens == 2048
    shown = "[P1.1] The term is two years.\n[P1.2] Rent is USD 5.\nQuestion: How long is the term?"
    reader = ReplyReader()
    schema = reply_schema(["P1.1", "P1.2"], 2)
    pieces = model.stream_json([Message("system", RULES), Message("user", shown)], schema, 200)
    claims = [claim for piece in pieces for claim in reader.feed(piece)]
    assert reader.complete and {pick for claim in claims for pick in claim.evidence} <= {"P1.1", "P1.2"}
