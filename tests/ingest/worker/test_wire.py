"""What crosses the pipe from a worker, and what the parent makes of nonsense on it."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.matter.family import Family
from ingest.matter.ledger import Entry
from ingest.reading import Reading
from ingest.worker.pool import WorkerUnavailable
from ingest.worker.wire import Message, decode, encode, passage_of, passage_row
from verify.domain.document import Parser
from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId
from verify.domain.passage import Passage, PassagePart


@settings(max_examples=50, deadline=None)
@given(st.text(), st.dictionaries(st.text(), st.integers() | st.text() | st.none()), st.lists(st.binary()))
def test_a_message_comes_back_as_it_was_sent(kind: str, fields: dict[str, Any], blobs: list[bytes]) -> None:
    assert decode(encode(Message(kind, fields, tuple(blobs)))) == Message(kind, fields, tuple(blobs))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60))
def test_bytes_that_are_no_message_are_refused(data: bytes) -> None:
    with pytest.raises((ValueError, TypeError)):
        decode(data)


def test_a_message_with_bytes_left_over_or_missing_is_refused() -> None:
    data = encode(Message("pages", {"first": 0}, (b"one", b"two")))
    for wrong in (data + b"x", data[:-1]):
        with pytest.raises(ValueError, match="malformed"):
            decode(wrong)


def test_a_passage_keeps_its_references() -> None:
    part = PassagePart(3, ElementId("p3-e1"), 0, 10, 16)
    passage = Passage(
        PassageId("s:0"), SourceId("s"), Fingerprint("sha256:" + "0" * 64), 0, "Lease", ("7. Term",), "Words.", (part,)
    )
    assert (
        passage_of(decode(encode(Message("passages", {"rows": [passage_row(passage)]}))).fields["rows"][0]) == passage
    )


def reading() -> Reading:
    entry = Entry(SourceId("s"), Fingerprint("sha256:" + "0" * 64), {"a.pdf": None})
    return Reading(entry, None, 0, Family(), Parser("none", "", "p"))


@pytest.mark.parametrize(
    "message",
    [
        Message("nothing known", {}),
        Message("pages", {"first": 5}, (b"x",)),
        Message("opened", {"page_count": 1, "parser": ["a"], "metadata": {}}),
        Message("opened", {"page_count": 1, "parser": ["a", "b", "c"], "metadata": {"unknown": 1}}),
        Message("failed", {"status": "excellent", "detail": ""}),
        Message("done", {"status": "indexed", "ocr_pages": "many", "warnings": []}),
        Message("done", {}),
        Message("passages", {"rows": [[1, 2]]}),
        Message("member", {"name": "x"}),
    ],
)
def test_nonsense_from_a_worker_raises_what_the_pipeline_expects(matter: Any, message: Message) -> None:
    with pytest.raises((ValueError, TypeError, KeyError, IndexError)):
        reading().take(message, matter.registry, matter.blobs)
    assert matter.registry.records() == ()


def test_a_reader_that_does_not_start_blames_no_file(
    matter: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ingest.worker.pool.main", os._exit)  # with three arguments it ends at once
    matter.write("a.txt", "Words.")
    with pytest.raises(WorkerUnavailable):
        matter.read()
    assert matter.records() == {}
    assert not any(Path(matter.store / "scratch").iterdir())
    capfd.readouterr()
