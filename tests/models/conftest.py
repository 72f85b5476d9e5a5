"""Invented passages, and a model that says what a test tells it to."""

import importlib.util
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from models.answering.drafts import AnswerDraft, ClaimDraft, ShownPassage
from models.ports import Message
from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId
from verify.domain.passage import Passage, PassagePart

TOOLS = Path(__file__).resolve().parents[1] / "tools"


def _make_passage(
    number: int, source: str, elements: Sequence[tuple[int, str]], title: str = "Agreement"
) -> ShownPassage:
    """``elements`` are (page index, text); each element's text is taken to begin its page at offset 100."""
    text, parts = "", []
    for order, (page, words) in enumerate(elements):
        text += "\n\n" if text else ""
        parts.append(PassagePart(page, ElementId(f"p{page}-e{order}"), len(text), 100, 100 + len(words)))
        text += words
    passage = Passage(
        PassageId(f"{source}-{number}"), SourceId(source), Fingerprint("sha256:" + "a" * 64), number, title, (), text,
        tuple(parts),
    )  # fmt: skip
    labels = tuple((page, str(page - 1)) for page, _ in elements)
    return ShownPassage(f"P{number}", passage, number, labels)


def _run(steps: Generator[Any, None, AnswerDraft]) -> tuple[list[ClaimDraft], AnswerDraft]:
    """The claims as they came, and what was returned."""
    claims = []
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            return claims, end.value
        if isinstance(step, ClaimDraft):
            claims.append(step)


class ScriptedModel:
    """Replies with the given texts, one for each request, a few characters at a time, and keeps what it was asked."""

    def __init__(self, *replies: str, context_tokens: int = 4000) -> None:
        self.replies = list(replies)
        self.asked: list[list[Message]] = []
        self.schemas: list[dict[str, Any]] = []
        self.closed_early = False
        self._context_tokens = context_tokens

    name = "scripted"

    @property
    def context_tokens(self) -> int:
        return self._context_tokens

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def stream_json(self, messages: list[Message], schema: dict[str, Any], max_tokens: int) -> Generator[str]:
        self.asked.append(messages)
        self.schemas.append(schema)
        return self._pieces(self.replies.pop(0))

    def _pieces(self, reply: str) -> Generator[str]:
        try:
            yield ""
            for start in range(0, len(reply), 7):
                yield reply[start : start + 7]
        except GeneratorExit:
            self.closed_early = True
            raise

    def close(self) -> None:
        pass


@pytest.fixture
def make_passage() -> Callable[..., ShownPassage]:
    return _make_passage


@pytest.fixture
def run() -> Callable[..., tuple[list[ClaimDraft], AnswerDraft]]:
    return _run


@pytest.fixture
def scripted() -> type[ScriptedModel]:
    return ScriptedModel


@pytest.fixture(scope="session")
def ollama_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ollama_server", TOOLS / "ollama_server.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["ollama_server"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def start_ollama(ollama_tool: ModuleType) -> Iterator[Callable[[], Any]]:
    """Starts a server with the test models; skips, with the reason, where there can be none."""
    started = []

    def start() -> Any:
        folder = ollama_tool.cache_folder()
        try:
            server = ollama_tool.OllamaServer(folder)
            server.start()
        except ollama_tool.NoServer as missing:
            pytest.skip(str(missing))
        started.append(server)
        ollama_tool.create_models(server, folder)
        return server

    yield start
    for server in started:
        server.kill()
