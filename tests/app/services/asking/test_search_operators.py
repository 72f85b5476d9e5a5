"""search with operators and filters, from the command line: what is counted, shown, and refused."""

import json
from typing import Any

import pymupdf
import pytest

from app.cli.main import main
from app.messages import malformed_query, passage_kind
from app.services.asking.filters import EVERYTHING, Filtering, UnknownFilter
from retrieval.query.operators import Fault
from verify.domain.document import Metadata, Parser, SourceRecord, SourceStatus
from verify.domain.ids import Fingerprint, SourceId
from verify.domain.passage import PassageKind

NO_STORY = "From: Ada Brack <ada@mill.test>\nTo: Omar Quay <omar@quay.test>\nDate: Mon, 3 Jun 2024 10:00:00 +0000"


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The store and the folder of a matter that was read once."""
    base = tmp_path_factory.mktemp("harbour")
    folder = base / "matter"
    folder.mkdir()
    (folder / "rent.eml").write_text(f"{NO_STORY}\nSubject: Rent\n\nThe rent is late. Pay the deposit.\n\nFrom: Cid\n")
    (folder / "quay lease.txt").write_text("The lessee keeps the quay dry.\n\nThe deposit is small.")
    document = pymupdf.open()
    for number in (1, 2):
        page = document.new_page()
        page.insert_text((72, 200), f"Load {number} was weighed at the gate.")
        page.insert_text((72, 760), "Late payment bears interest at 2% a month.", fontsize=8)
        page.insert_text((430, 780), f"QRY00000{number}", fontsize=9)
    document.save(folder / "weights.pdf")
    store = str(base / "store")
    main(["--store", store, "index", str(folder), "--no-dense", "--json"])
    return store, str(folder)


@pytest.fixture
def search(harbour: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> Any:
    store, folder = harbour

    def run(query: str, *options: str) -> dict[str, Any]:
        capsys.readouterr()
        main(["--store", store, "search", folder, query, "--mode", "lexical", "--json", *options])
        document: dict[str, Any] = json.loads(capsys.readouterr().out)
        return document

    return run


def counts(found: dict[str, Any]) -> dict[str, int]:
    return {one["path"]: one["hits"] for one in found["by_document"]}


def test_hits_are_counted_by_document_and_shown(search: Any) -> None:
    found = search('deposit OR "late payment"')
    assert counts(found) == {"quay lease.txt": 1, "rent.eml": 1, "weights.pdf": 1}
    assert found["hits"] == 3
    for passage in found["passages"]:
        for hit in passage["hits"]:
            assert passage["text"][hit["start"] : hit["end"]].lower() in ("deposit", "late payment")
        assert "deposit" in passage["excerpt"] or "Late payment" in passage["excerpt"]


def test_the_foot_of_the_pages_is_searched_once_and_named(search: Any) -> None:
    (passage,) = search('"interest at 2%"')["passages"]
    assert (passage["kind"], passage["path"], passage["page_index"]) == ("footer", "weights.pdf", 0)
    assert search("late payment interest")["unmatched"] == []


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("deposit type:mail", ["rent.eml"]),
        ("deposit in:quay", ["quay lease.txt"]),
        ("deposit from:ada", ["rent.eml"]),
        ("deposit from:cid", []),  # stands in the message's text, not in its head
        ("deposit to:omar date:2024-06", ["rent.eml"]),
        ("deposit date:2024-07..", []),
        ("load bates:QRY000002", ["weights.pdf"]),
        ("type:footer", ["weights.pdf"]),
    ],
)
def test_filters(search: Any, query: str, paths: list[str]) -> None:
    assert [p["path"] for p in search(query)["passages"]] == paths


def test_options_are_the_same_filters(search: Any) -> None:
    assert [p["path"] for p in search("deposit", "--type", "mail")["passages"]] == ["rent.eml"]
    assert [p["path"] for p in search("deposit", "--from", "2024-06-01", "--to", "2024-06")["passages"]] == ["rent.eml"]
    assert [p["path"] for p in search("deposit", "--author", "Brack")["passages"]] == ["rent.eml"]
    assert [p["path"] for p in search("deposit", "--from", "2025")["passages"]] == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ('deposit AND "late', "at character 13"),
        ("deposit date:soon", "at character 14"),
        ("deposit type:zeppelin", "at character 14"),
        ("deposit AND", "at character 12, the end"),
    ],
)
def test_a_malformed_query_is_a_usage_error_that_says_where(search: Any, query: str, said: str) -> None:
    error = search(query)
    assert (error["schema"], error["code"]) == ("pincite.error/1", "usage")
    assert said in error["message"]


def test_a_date_that_can_be_read_two_ways_is_told(search: Any) -> None:
    assert search("load on 3/11/24")["read_both_ways"] == [
        {"date": "3/11/24", "readings": ["2024-03-11", "2024-11-03"]}
    ]
    assert search("load on 25/11/24")["read_both_ways"] == []


def record(path: str, **metadata: str) -> SourceRecord:
    return SourceRecord(
        SourceId(path), path, Fingerprint("f"), "x", 1, SourceStatus.INDEXED, Parser("p", "1", "p"),
        metadata=Metadata(**metadata),
    )  # fmt: skip


def test_dates_months_and_years_bound_what_is_dated() -> None:
    records = [record("a.pdf", dated="2024-02-29"), record("b.pdf", dated="2024-03-01"), record("c.pdf")]
    filtering = Filtering(records, lambda _: "")

    def dated(kind: str, value: str) -> set[str]:
        return {str(one) for one in filtering.by(EVERYTHING, kind, value).sources or ()}

    assert dated("date", "2024") == {"a.pdf", "b.pdf"}
    assert dated("date", "2024-02") == {"a.pdf"}
    assert dated("date", "2024-03-01..") == {"b.pdf"}
    assert dated("date", "..2024-02-29") == {"a.pdf"}
    assert dated("from", "2024-03") == {"b.pdf"}
    assert dated("to", "2024-02") == {"a.pdf"}
    for wrong in ("2024-13", "2024-02-30", "yesterday"):
        with pytest.raises(UnknownFilter):
            dated("date", wrong)


def test_every_fault_and_kind_has_words() -> None:
    for fault in Fault:
        assert "at character 4 (“x”): " in malformed_query(fault.value, 3, "x")
    assert [passage_kind(kind.value) for kind in PassageKind].count("") == 1
