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
    from app.cli.main import main

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
    place = "table “Table 1. Income statement (in thousands of USD)”, row “Net revenue”, column “2023”"
    assert claim["places"] == {check["check_id"]: place}


def test_the_address_of_a_cell_is_shown_wherever_the_claim_is(run: Any) -> None:
    from app.services.answers.answer_json import answer_from_json
    from app.services.answers.answer_text import answer_lines
    from app.services.bundle.memo import memo_blocks
    from app.services.bundle.memo_blocks import Paragraph
    from app.services.table.cells import cell_of
    from app.viewmodels.cards import card_of
    from verify.domain.ids import SourceId

    answer = answer_from_json(run("ask", "What was the net revenue in 2023?", "--model", "extractive"))
    (claim,) = answer.claims
    end = "row “Net revenue”, column “2023”"
    assert any(f"{end}: " in line for line in answer_lines(answer))
    card = card_of(claim, answer.checks_of(claim), 1, str, {})
    assert card.citations[0].words.endswith(end)
    said = [
        run.text for block in memo_blocks(answer, [], [], "0") if isinstance(block, Paragraph) for run in block.runs
    ]
    assert any(f"{end}. " in text for text in said)
    assert cell_of(answer, SourceId("a")).claims[0].citations[0].place.endswith(end)


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
    from app.cli.main import main

    assert main(["--store", str(tmp_path / "store"), "check-bundle", str(bundle), "--matter", str(report)]) == 0
