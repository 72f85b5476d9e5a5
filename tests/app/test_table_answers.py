"""A question that a table answers, from a real PDF: the cell is cited, checked, calculated with and exported."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROWS = (("", "2022", "2023"), ("Net revenue", "1,100", "1,234"), ("Cost of revenue", "700", "801"))


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A matter with one page: a table with ruled lines, its title states unit and scale."""
    from ingest.mupdf import pymupdf

    folder = tmp_path / "accounts"
    folder.mkdir()
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text((72, 80), "Annual report of Quillfeather Shipping", fontsize=16)
        page.insert_text((72, 110), "The directors present the accounts of the company.", fontsize=10)
        page.insert_text((72, 140), "Table 1. Income statement (in thousands of USD)", fontsize=10)
        for r, row in enumerate(ROWS):
            for c, text in enumerate(row):
                box = pymupdf.Rect(72 + 120 * c, 150 + 20 * r, 192 + 120 * c, 170 + 20 * r)
                page.draw_rect(box, color=(0, 0, 0), width=0.5)
                page.insert_text((box.x0 + 4, box.y0 + 14), text, fontsize=10)
        pdf.save(folder / "report.pdf")
    return folder


@pytest.fixture
def run(report: Path, tmp_path: Path, capsys: Any) -> Any:
    from app.cli import main

    def of(command: str, *more: str) -> Any:
        status = main(["--store", str(tmp_path / "store"), command, str(report), *more, "--json"])
        out = capsys.readouterr().out
        assert status == 0, out
        return json.loads(out)

    of("index", "--no-dense")
    return of


def test_a_cell_with_unit_and_scale_is_cited_and_verified(run: Any) -> None:
    answer = run("ask", "What was the net revenue in 2023?", "--model", "extractive")
    (claim,) = answer["claims"]
    assert claim["text"] == "Net revenue, 2023: 1,234 (in thousands of USD)"
    assert (claim["support"]["method"], claim["release"]) == ("table_cell", "show")
    (check,) = answer["report"]["checks"]
    assert (check["kind"], check["status"], check["evidence"]["text"]) == ("table_cell", "verified", "1,234")
    assert {"cell", "row_header", "column_header"} <= {r["role"] for r in check["evidence"]["regions"]}


def test_a_difference_of_two_cells_goes_into_a_bundle_that_checks(run: Any, report: Path, tmp_path: Path) -> None:
    answer = run("ask", "By how much did net revenue rise from 2022 to 2023?", "--model", "extractive")
    claim = answer["claims"][2]
    assert claim["calculation"] | {"operands": None} == {
        "operation": "difference", "operands": None, "result": "134000", "unit": "USD",
    }  # fmt: skip
    assert claim["release"] == "show" and len(claim["check_ids"]) == 2
    for one in answer["claims"]:
        run("review", answer["answer_id"], one["claim_id"], "--decision", "accepted", "--reviewer", "Ada Quill")
    bundle = tmp_path / "answer.zip"
    run("export", answer["answer_id"], "-o", str(bundle))
    assert zipfile.is_zipfile(bundle)
    from app.cli import main

    assert main(["--store", str(tmp_path / "store"), "check-bundle", str(bundle), "--matter", str(report)]) == 0
