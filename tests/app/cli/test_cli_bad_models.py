"""A whole question asked of a server whose model lies, rambles, stops half way, repeats itself, cites nothing or picks
what it was not shown: nothing false is shown, and an answer in the documents' own words always stands."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

QUESTION = "With how much notice may the Tenant terminate the Lease?"
Words = Callable[[str], str]


def _claims(*claims: tuple[list[str], str]) -> str:
    return json.dumps({"claims": [{"evidence": picks, "claim": text} for picks, text in claims]})


def _sentence(prompt: str) -> tuple[str, str]:
    """Id and words of the sentence that the model was shown about the notice."""
    shown = re.findall(r"^\[(\S+)\] (.*)$", prompt, re.M)
    return next((i, text) for i, text in shown if "sixty (60) days' written notice" in text)


def lies(prompt: str) -> str:
    pick, text = _sentence(prompt)
    wrong = (
        text.replace("may", "must", 1),
        text.replace("sixty (60)", "ninety (90)"),
        text.replace("Tenant", "Landlord"),
    )
    return _claims(*(([pick], one) for one in wrong if one != text))


def rambles(prompt: str) -> str:
    return "Certainly! Here is what I think about leases in general. " * 40


def stops_half_way(prompt: str) -> str:
    pick, text = _sentence(prompt)
    return _claims(([pick], text))[:-25]


def repeats(prompt: str) -> str:
    pick, text = _sentence(prompt)
    return _claims(*[([pick], text)] * 30)


def cites_nothing(prompt: str) -> str:
    return json.dumps({"claims": [{"evidence": [], "claim": "The Tenant may leave at any time."}]})


def picks_what_it_was_not_shown(prompt: str) -> str:
    return _claims((["P99.1"], "The Tenant may leave at any time."))


@pytest.fixture
def server() -> Iterator[tuple[str, list[Words]]]:
    """An address, and what the model there says to a prompt."""
    says: list[Words] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"data": [{"id": "one", "max_model_len": 16384}]}).encode())

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            words = says[-1](body["messages"][-1]["content"])
            self.send_response(200)
            self.end_headers()
            for start in range(0, len(words), 200):
                event = {"choices": [{"delta": {"content": words[start : start + 200]}}]}
                self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            self.wfile.write(b"data: [DONE]\n\n")

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=listening.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.server_port}", says
    listening.shutdown()
    listening.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("words", "warnings"),
    [
        (lies, []), (rambles, ["model_failed"]), (stops_half_way, ["model_failed"]), (repeats, []),
        (cites_nothing, ["model_failed"]), (picks_what_it_was_not_shown, []),
    ],
)  # fmt: skip
def test_a_bad_model_shows_nothing_false(place: Any, server: Any, words: Words, warnings: list[str]) -> None:
    address, says = server
    says.append(words)
    status, out, _ = place.run("ask", QUESTION, "--model", "server:one", "--server", address, "--json")
    answer: dict[str, Any] = json.loads(out)
    shown = [claim for claim in answer["claims"] if claim["release"] == "show"]
    assert (status, answer["warnings"]) == (0, warnings)
    assert shown and all("sixty (60) days" in c["text"] for c in shown if "notice" in c["text"])
    assert not [c for c in shown if "leave at any time" in c["text"] or "Landlord may terminate" in c["text"]]
    assert not [c for c in shown if "Tenant must terminate" in c["text"]]
    assert "ninety" not in answer["answer"]["text"] and len(answer["claims"]) < 15
