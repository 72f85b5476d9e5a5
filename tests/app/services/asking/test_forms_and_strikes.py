"""What a filled form and struck-through words answer."""

import json
from pathlib import Path
from typing import Any

import docx
import pymupdf
import pytest

from app.cli.main import main


def filled(path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)

    def field(box: tuple[int, int, int, int], kind: int, value: object) -> None:
        widget = pymupdf.Widget()
        widget.field_name, widget.field_type, widget.field_value = f"f{box}", kind, value
        widget.rect = pymupdf.Rect(box)
        page.add_widget(widget)

    def say(x: int, y: int, text: str) -> None:
        page.insert_text((x, y), text, fontsize=11)

    say(72, 80, "Keeper's return")
    for y, question, answer in (
        (120, "1. Did you lock the barn before the storm?", 0),
        (220, "2. Did you count the sheep?", 1),
    ):
        say(72, y, question)
        for at, option in enumerate(("Yes", "No")):
            field((72, y + 10 + 20 * at, 84, y + 22 + 20 * at), pymupdf.PDF_WIDGET_TYPE_CHECKBOX, at == answer)
            say(92, y + 20 + 20 * at, option)
    say(72, 320, "3. Name of shepherd")
    field((220, 308, 400, 326), pymupdf.PDF_WIDGET_TYPE_TEXT, "Oda Varga")
    document.save(path)


class Asked:
    def __init__(self, base: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._store, self._capsys = base / "matter", base / "store", capsys
        self.folder.mkdir()

    def index(self) -> None:
        assert main(["--store", str(self._store), "index", str(self.folder), "--no-dense"]) == 0

    def ask(self, question: str) -> dict[str, Any]:
        self._capsys.readouterr()
        main(["--store", str(self._store), "ask", str(self.folder), question, "--model", "extractive", "--json"])
        return dict(json.loads(self._capsys.readouterr().out))


@pytest.fixture
def asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Asked:
    return Asked(tmp_path, capsys)


def test_a_tick_answers_yes_or_no_and_a_text_field_a_fact(asked: Asked) -> None:
    filled(asked.folder / "return.pdf")
    asked.index()
    for question, line in (
        ("Was the barn locked before the storm?", "Yes: Did you lock the barn before the storm: Yes"),
        ("Were the sheep counted?", "No: Did you count the sheep: No"),
        ("Who is the shepherd?", "Name of shepherd: Oda Varga"),
    ):
        answer = asked.ask(question)["answer"]
        assert (answer["state"], answer["text"]) == ("stated", line)


def struck(path: Path, *paragraphs: str) -> None:
    """A Word file; words between tildes are struck through."""
    document = docx.Document()
    for text in paragraphs:
        paragraph = document.add_paragraph()
        for number, words in enumerate(text.split("~")):
            paragraph.add_run(words).font.strike = number % 2 == 1
    document.save(str(path))


RENT = "2. The Grazier shall pay a yearly rent of ~$40~ $55 for the Meadow."
GOATS = "~5. The Grazier may keep goats on the Meadow without the consent of the Parish.~"
FIRES = "6. The Grazier may ~not~ light fires on the Meadow."


def test_live_words_answer_and_struck_ones_are_named_as_struck(asked: Asked) -> None:
    struck(asked.folder / "meadow.docx", RENT, GOATS, FIRES)
    asked.index()
    rent = asked.ask("What is the yearly rent for the meadow?")
    line = "The Grazier shall pay a yearly rent of $55 for the Meadow. (struck through: $40)"
    assert rent["answer"]["text"] == line
    (claim,) = rent["claims"]
    assert (claim["text"], claim["release"]) == (f"2. {line}", "needs_review")
    fires = asked.ask("May the grazier light fires on the meadow?")["answer"]
    assert fires["text"] == "Yes: The Grazier may light fires on the Meadow. (struck through: not)"


def test_a_clause_that_is_struck_out_is_shown_so_and_answers_nothing(asked: Asked) -> None:
    struck(asked.folder / "meadow.docx", RENT, GOATS)
    asked.index()
    for question in ("May the grazier keep goats without the consent of the parish?", "What does clause 5 say?"):
        answer = asked.ask(question)
        assert answer["answer"]["text"].startswith("Struck through: ") and "keep goats" in answer["answer"]["text"]
        assert [c["release"] for c in answer["claims"]] == ["needs_review"]
    assert asked.ask("Who repairs the mill?")["answer"]["state"] == "silent"


def test_what_only_a_draft_says_is_said_with_the_draft_named(asked: Asked) -> None:
    struck(asked.folder / "lease.docx", "The Grazier shall insure the barn against fire.")
    struck(asked.folder / "Draft rider.docx", "The Grazier shall pay a yearly toll of 7 crowns for the bridge.")
    struck(
        asked.folder / "Draft complaint.docx", "COMPLAINT", "The miller diverted the water of the brook in the spring."
    )
    asked.index()
    assert asked.ask("Who diverted the water of the brook?")["answer"]["state"] == "silent"  # own work, never a basis
    assert asked.ask("What is the yearly toll for the bridge?")["answer"]["text"] == (
        "The Grazier shall pay a yearly toll of 7 crowns for the bridge. (a draft: Draft rider.docx)"
    )
