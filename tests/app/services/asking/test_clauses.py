"""A clause by its number, from numbers that a word processor counts and from typed ones."""

import json
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml

from app.cli.main import main
from app.services.asking.searching import Search, open_search
from app.services.matter.matter import open_matter
from app.settings import Settings
from retrieval.query.clauses import Designator, designators
from verify.domain.progress import finish

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_LEVELS = (("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)"), ("lowerRoman", "(%4)"))
PLAIN = """ARTICLE IX
INDEMNITY

Section 9.1 The keeper holds the owner harmless.

Section 9.2 Nothing in Section 9.1 covers storms.

ARTICLE X
NOTICES

Section 10.1 Notices go by post, as Article IX says.
"""


def counted(path: Path) -> None:
    document = docx.Document()
    numbering = document.part.numbering_part.element
    levels = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for n, (kind, text) in enumerate(_LEVELS)
    )
    numbering.insert(0, parse_xml(f'<w:abstractNum {_W} w:abstractNumId="91">{levels}</w:abstractNum>'))
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    for number, more in ((91, ""), (92, restart)):
        numbering.append(parse_xml(f'<w:num {_W} w:numId="{number}"><w:abstractNumId w:val="91"/>{more}</w:num>'))

    def say(text: str, level: int, number: int = 91) -> None:
        paragraph = document.add_paragraph(text)
        properties = paragraph._p.get_or_add_pPr()
        properties.append(parse_xml(f'<w:numPr {_W}><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'))

    document.add_heading("CHARTER OF THE SHIP", 1)
    say("Hire", 0)
    say("The hire is 40 crowns a day.", 1)
    say("The charterer may withhold hire for:", 1)
    say("a day lost to repairs; or", 2)
    say("a day lost to quarantine, if:", 2)
    say("the ship carried plague; and", 3)
    say("clause 2.1 was kept.", 3)
    say("Crew", 0)
    say("The crew is hired by the owner.", 1)
    document.add_heading("SCHEDULE 2", 1)
    say("Stores", 0, 92)
    say("The ship sails with bread for ninety days.", 1, 92)
    document.save(str(path))


@pytest.fixture(scope="module")
def ship(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    base = tmp_path_factory.mktemp("ship")
    folder = base / "matter"
    folder.mkdir()
    counted(folder / "charter.docx")
    (folder / "keeping.txt").write_text(PLAIN)
    assert main(["--store", str(base / "store"), "index", str(folder), "--no-dense"]) == 0
    return base / "store", folder


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does clause 1.2(b) say?", ["(b) a day lost to quarantine, if:", "(i) the ship carried plague; and",
                                          "(ii) clause 2.1 was kept."]),
        ("clause 1.2(b)(ii)", ["(ii) clause 2.1 was kept."]),
        ("section 2", ["2. Crew", "2.1 The crew is hired by the owner."]),
        ("clause 1.1", ["1.1 The hire is 40 crowns a day."]),
        ("paragraph 1.1 of Schedule 2", ["1.1 The ship sails with bread for ninety days."]),
        ("Schedule 2", ["SCHEDULE 2", "1. Stores", "1.1 The ship sails with bread for ninety days."]),
        ("What does § 9.2 except?", ["Section 9.2 Nothing in Section 9.1 covers storms."]),
        ("clause 7.7", []),
        ("Who hires the crew?", []),
    ],
)  # fmt: skip
def test_the_clause_whole_and_nothing_else(ship: tuple[Path, Path], question: str, said: list[str]) -> None:
    store, folder = ship
    with open_matter(folder, Settings(), store) as matter:
        search: Search = finish(open_search(matter, dense=False))
        passages = search.clauses(question)
    assert "\n\n".join(p.text for p in passages).split("\n\n") == (said or [""])
    for passage in passages:
        for part in passage.parts:
            assert passage.text[part.at : part.at + part.end - part.start].strip()


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What does clause 1.2(b) say?", [Designator("section", "1.2(b)")]),
        ("Explain Art. IV and Sec. 5", [Designator("article", "4"), Designator("section", "5")]),
        ("Schedule 1, paragraph 3", [Designator("section", "3", Designator("schedule", "1"))]),
        ("Exhibit A-1", [Designator("exhibit", "a-1")]),
        ("What is 7.2 (B)?", [Designator("", "7.2(b)")]),
        ("Go through it section by section", []),
        ("Is 12.5% due on $1.25 million?", []),
    ],
)
def test_what_a_question_names(question: str, wanted: list[Designator]) -> None:
    assert list(designators(question)) == wanted


def test_the_answer_is_the_clause(ship: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    store, folder = ship
    asked = ["ask", str(folder), "What does clause 1.2(b) say?", "--model", "extractive", "--json"]
    main(["--store", str(store), *asked])
    answer = json.loads(capsys.readouterr().out)
    assert answer["answer"]["kind"] == "clause"
    assert answer["answer"]["state"] == "stated"
    text = answer["answer"]["text"]
    assert "quarantine" in text and "plague" in text and "repairs" not in text and "crew" not in text
