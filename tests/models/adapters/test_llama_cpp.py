"""The embedded model, for real where its file is: form, cancel, a child that is killed, a child that dies with us."""

import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import platformdirs
import pytest

from models.adapters.files import QWEN_CODER_1_5B, installed
from models.adapters.llama_cpp import LlamaCppModel, free_threads
from models.answering.schema import ReplyReader, reply_schema
from models.ports import Message, ModelFailed, ModelUnavailable, PromptTooLong

SHOWN = [
    Message("system", "Answer with the ids of the sentences that answer the question."),
    Message("user", "[P1.1] The term is two years.\n[P1.2] Rent is USD 5.\nQuestion: How long is the term?"),
]
SCHEMA = reply_schema(["P1.1", "P1.2"], 2)


@pytest.fixture(scope="module")
def model():
    folder = Path(os.environ.get("PINCITE_TEST_MODELS", Path(platformdirs.user_data_dir("pincite", False)) / "models"))
    path = installed(QWEN_CODER_1_5B, folder)
    if path is None:
        pytest.skip(f"the embedded model is not in {folder} (set PINCITE_TEST_MODELS)")
    model = LlamaCppModel(path, "qwen2.5-coder-1.5b", context_tokens=1024)
    yield model
    model.close()


def test_a_missing_file_is_unavailable(tmp_path) -> None:
    with pytest.raises(ModelUnavailable):
        LlamaCppModel(tmp_path / "none.gguf", "none").count_tokens("x")


@pytest.mark.parametrize(("load", "threads"), [(0.4, 0), (4.5, 4), (11.0, 1)])
def test_a_busy_machine_gets_fewer_threads(load, threads, monkeypatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, load, load), raising=False)
    assert free_threads() == threads


@pytest.mark.slow
def test_what_is_no_model_is_unavailable(tmp_path) -> None:
    (tmp_path / "bad.gguf").write_bytes(b"GGUF nonsense")
    with pytest.raises(ModelUnavailable):
        LlamaCppModel(tmp_path / "bad.gguf", "bad").count_tokens("x")


@pytest.mark.slow
def test_the_reply_has_the_schemas_form(model) -> None:
    reader = ReplyReader()
    claims = [claim for piece in model.stream_json(SHOWN, SCHEMA, 200) for claim in reader.feed(piece)]
    assert reader.complete and claims
    assert {i for claim in claims for i in claim.evidence} <= {"P1.1", "P1.2"}


@pytest.mark.slow
def test_it_says_how_sure_it_is_of_each_choice(model) -> None:
    asked = [Message("user", "[1] Rent is USD 5.\n[2] The term is two years.\nWhich tells the term? One digit:")]
    steps, told = model.choose(asked, ["0", "1", "2"]), None
    while told is None:
        try:
            next(steps)
        except StopIteration as end:
            told = end.value
    assert max(told, key=told.get) == "2"
    assert sum(map(math.exp, told.values())) <= 1.001


@pytest.mark.slow
def test_a_prompt_over_the_context_is_not_sent(model) -> None:
    with pytest.raises(PromptTooLong):
        next(model.stream_json([Message("user", "seven " * 1200)], SCHEMA, 100))


@pytest.mark.slow
def test_closing_cancels_at_once_even_while_the_prompt_is_read(model) -> None:
    model.count_tokens("start")
    child = model._child.process.pid
    stream = model.stream_json([Message("user", "seven " * 700)], SCHEMA, 200)
    next(stream)
    before = time.monotonic()
    stream.close()
    assert time.monotonic() - before < 3  # a second is promised; a busy machine has its room
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    assert model.count_tokens("it starts again") > 0


@pytest.mark.slow
def test_a_killed_child_is_told_and_started_again(model) -> None:
    model.count_tokens("start")
    stream = model.stream_json(SHOWN, SCHEMA, 200)
    next(stream)
    os.kill(model._child.process.pid, signal.SIGKILL)
    with pytest.raises(ModelFailed):
        list(stream)
    assert model.count_tokens("it starts again") > 0


@pytest.mark.slow
def test_it_listens_on_the_loopback_and_asks_for_its_key(model) -> None:
    from http.client import HTTPConnection

    model.count_tokens("start")
    child = model._child
    assert child.host == "127.0.0.1"
    connection = HTTPConnection(child.host, child.port)
    connection.request("POST", "/tokenize", b'{"content": "x"}', {"Content-Type": "application/json"})
    assert connection.getresponse().status == 401
    connection.close()


_STARTS = """
import signal
import sys
from pathlib import Path
from ingest.starting import undisturbed
from models.adapters.llama_cpp import LlamaCppModel
from models.ports import ModelUnavailable

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print("begins", flush=True)
    try:
        LlamaCppModel(Path(sys.argv[1]), "bad", undisturbed=undisturbed).count_tokens("x")
    except (KeyboardInterrupt, ModelUnavailable):
        print("ended")
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a process group is interrupted by a signal on POSIX alone")
@pytest.mark.parametrize("after", [0.05, 0.08, 0.11, 0.14])
def test_an_interrupt_while_the_child_starts_prints_no_traceback(after, tmp_path) -> None:
    (tmp_path / "bad.gguf").write_bytes(b"GGUF nonsense")
    (tmp_path / "starts.py").write_text(_STARTS)
    command = [sys.executable, tmp_path / "starts.py", tmp_path / "bad.gguf"]
    repository = str(Path(__file__).resolve().parents[3])
    env = os.environ | {"PYTHONPATH": os.pathsep.join((repository, os.environ.get("PYTHONPATH", "")))}
    with subprocess.Popen(command, stdout=-1, stderr=-1, text=True, start_new_session=True, env=env) as process:
        assert process.stdout is not None and process.stdout.readline() == "begins\n"
        time.sleep(after)
        os.killpg(process.pid, signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert (out, errors) == ("ended\n", "")
