"""What a filled form and struck-through words answer."""

import json
from pathlib import Path
from typing import Any

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
