"""Labelled data as published sets have it: JSON, one row a line, ``.jsonl`` or ``.jsonl.gz``.

Pages in these files are counted as people count them, from 1; what is read from them is counted from 0.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from app.errors import InputMissing, InputUnreadable, Usage
from retrieval.measures.evaluate import Page, Span

MANIFEST = "pdf_manifest.jsonl"
"""Beside rows that cite printed pages of a case's section: which page of which PDF each of them is."""
Read = TypeVar("Read")
Pinpoints = dict[tuple[int, str, int], Page]


@dataclass(frozen=True, slots=True)
class Question:
    """``query`` names its document, ``bare`` need not. ``gold`` holds machine indexes, from 0; empty where nothing
    answers. ``short_answer`` is a person's, if there is one that a sentence can state: a bare yes or no is not."""

    key: str
    query: str
    bare: str
    document: str
    gold: frozenset[Page]
    short_answer: str | None


@dataclass(frozen=True, slots=True)
class Proposition:
    """A claim with the pages cited for it; ``corruption`` None where they are the right ones."""

    key: str
    text: str
    document: str
    page_indexes: tuple[int, ...]
    corruption: str | None


@dataclass(frozen=True, slots=True)
class SpanQuestion:
    key: str
    dataset: str
    query: str
    gold: tuple[Span, ...]


def read_questions(path: Path, limit: int | None = None) -> tuple[Question, ...]:
    """Raises InputMissing, InputUnreadable, or Usage naming the line that is none; so do the others."""
    return _rows(path, limit, _question, "a question with query, pdf and gold_pages")


def read_propositions(path: Path, limit: int | None = None) -> tuple[Proposition, ...]:
    """Rows that name ``pdf`` and ``pages``, or ``cited`` pages by case, section and printed number."""
    pinpoints: Pinpoints = {}
    if (path.parent / MANIFEST).is_file():
        for part in _rows(path.parent / MANIFEST, None, _manifest, "an entry of case_id, pdf and pages"):
            pinpoints |= part
    read = lambda row, number: _proposition(row, number, pinpoints)  # noqa: E731
    return _rows(path, limit, read, "a proposition with label, pdf and pages (or cited)")


def read_span_questions(path: Path, limit: int | None = None) -> tuple[SpanQuestion, ...]:
    return _rows(path, limit, _span_question, "a question with query and snippets")


def read_texts(path: Path) -> tuple[tuple[str, str], ...]:
    """Names and texts of a corpus."""
    read = lambda row, _: (str(row["corpus_path"]), str(row["text"]))  # noqa: E731
    return _rows(path, None, read, "a text with corpus_path and text")


def _rows(path: Path, limit: int | None, read: Callable[[dict[str, Any], int], Read], what: str) -> tuple[Read, ...]:
    found: list[Read] = []
    for number, line in enumerate(_lines(path), start=1):
        if limit is not None and len(found) == limit:
            break
        if line.strip():
            try:
                found.append(read(json.loads(line), number))
            except (ValueError, KeyError, TypeError) as error:
                raise Usage(f"{path}, line {number}: not {what}") from error
    return tuple(found)


def _lines(path: Path) -> Sequence[str]:
    """Parted at line feeds only: JSON may hold other separators of lines as they are."""
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8").split("\n")
    except FileNotFoundError as error:
        raise InputMissing(f"there is no file {path}") from error
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputUnreadable(f"{path} cannot be read as UTF-8 text") from error


def _question(row: dict[str, Any], number: int) -> Question:
    query, pdf, answer = str(row["query"]), str(row["pdf"]), str(row.get("human_answer") or "").strip()
    gold = frozenset((pdf, int(page) - 1) for page in row["gold_pages"])
    bare = str(row.get("question") or query)
    stated = answer if answer.lower() not in ("", "yes", "no") else None
    return Question(str(row.get("id", number)), query, bare, pdf, gold, stated)


def _proposition(row: dict[str, Any], number: int, pinpoints: Pinpoints) -> Proposition:
    pages = list(_cited(row["cited"], pinpoints)) if "cited" in row else [(row["pdf"], p - 1) for p in row["pages"]]
    corruption = None if row["label"] else str(row.get("corruption") or "wrong")
    indexes = tuple(page for _, page in pages)
    # Row numbers from 0 are how scorers address these rows; their ids repeat.
    return Proposition(str(number - 1), str(row["proposition"]), str(pages[0][0]), indexes, corruption)


def _cited(cited: dict[str, Any], pinpoints: Pinpoints) -> Iterator[Page]:
    for page in cited["pages"]:
        yield pinpoints[cited["case_id"], cited["section"], page]


def _manifest(row: dict[str, Any], _: int) -> Pinpoints:
    pages = row["pages"]
    return {(row["case_id"], p["section"], p["printed_page"]): (row["pdf"], p["pdf_page"] - 1) for p in pages}


def _span_question(row: dict[str, Any], number: int) -> SpanQuestion:
    gold = tuple(Span(s.get("corpus_path") or s["file_path"], *map(int, s["span"])) for s in row["snippets"])
    key = str(row.get("id", number))
    return SpanQuestion(key, str(row.get("dataset", "all")), str(row["query"]), gold)
