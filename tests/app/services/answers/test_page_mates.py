"""A short document has its clauses on one page: an answer may come from any of them, not from the first alone."""

import json
from pathlib import Path
from typing import Any

from app.cli.main import main

CLAUSES = {
    "1. Term": "The stall is let for the term of the fair, and the term of the stall ends with it.",
    "2. Hours": "The stall opens at nine and closes at dusk on every day of the fair, in any weather.",
    "3. Storage": "The holder of the stall keeps its goods in the old granary, at a charge of GBP 45 a week.",
    "4. Power": "The holder of the stall draws power from the pump house and from nowhere else.",
}


def test_an_answer_may_come_from_another_clause_of_the_best_page(tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "fair"
    folder.mkdir()
    text = "\n\n".join(f"## {heading}\n\n{clause}" for heading, clause in CLAUSES.items())
    (folder / "stall.md").write_text(f"# Terms of the stall\n\n{text}\n", "utf-8")
    (folder / "note.txt").write_text("They talked of storage.\n", "utf-8")

    def run(*args: str) -> Any:
        assert main(["--store", str(tmp_path / "store"), args[0], str(folder), *args[1:], "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    run("index", "--no-dense")
    answer = run("ask", "What do goods in storage cost a week?", "--model", "extractive", "-k", "2")
    shown = answer["retrieval"]["passages"]
    assert [p["rank"] for p in shown] == list(range(1, len(shown) + 1))
    assert len({(p["path"], p["page_index"]) for p in shown[:2]}) == 2  # different pages first, as ever
    assert len({(p["path"], p["page_index"]) for p in shown}) == 2  # and then no further ones
    said = " ".join(p["text"] for p in shown)
    assert all(clause in said for clause in CLAUSES.values())
    assert any("GBP 45 a week" in claim["text"] for claim in answer["claims"])


def test_a_command_that_is_advised_can_be_pasted(tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "Fair & Sons"
    folder.mkdir()
    assert main(["--store", str(tmp_path / "store"), "search", str(folder), "rent"]) == 3
    assert capsys.readouterr().err.strip().endswith(f"run: pincite index '{folder}'")
