"""Commands about what was read: index, sources, inspect."""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.commands import Command, Parser, matter_argument, whole_number
from app.cli.console import Console
from app.cli.matter import open_named

if TYPE_CHECKING:
    from app.services.matter.indexing import SourceRead
    from verify.domain.document import SourceRecord


def _configure_index(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument("--ocr", choices=("auto", "always", "never"), help="recognise scans (default: auto)")
    parser.add_argument("--lang", metavar="CODES", help="Tesseract languages, joined by + (default: eng)")
    parser.add_argument("--jobs", type=whole_number(1, 64), metavar="N", help="worker processes")
    parser.add_argument("--no-dense", action="store_true", help="leave embeddings for a later run")
    parser.add_argument("--chroma", metavar="URL", help="keep vectors on this Chroma server (off by default)")
    parser.add_argument("--passwords", type=Path, metavar="FILE", help="lines path<TAB>password; never stored")


def _index(args: argparse.Namespace, console: Console) -> int:
    from app.messages import count
    from app.services.matter.documents import sources_to_json
    from app.services.matter.indexing import IndexOptions, index
    from app.services.matter.passwords import read_passwords
    from app.settings import load_settings
    from ingest.settings import OcrMode

    settings = load_settings()
    options = IndexOptions(
        ocr=OcrMode(args.ocr or settings.ocr),
        languages=args.lang or settings.languages,
        languages_named=bool(args.lang),
        jobs=args.jobs or settings.jobs,
        dense=not args.no_dense,
        passwords=read_passwords(args.passwords) if args.passwords else {},
        chroma_url=args.chroma or settings.chroma_url,
    )
    with open_named(args, settings, writable=True, make=True) as matter:
        result = console.watch(index(matter, options), lambda event: _tell(event, console))
    if console.json:
        console.document(sources_to_json(result.sources, "pincite.index/1"))
    pages = sum(r.page_count for r in result.sources)
    whole = f"{count(len(result.sources), 'document')}, {count(pages, 'page')}"
    console.say(f"{whole}; {result.read} read now in {result.seconds:.1f} s.")
    if result.skipped:
        console.note(
            f"pincite: {count(result.skipped, 'link or special file', 'links or special files')} in the folder passed "
            "over; links are never followed, so put the documents themselves there"
        )
    _tell_missing_languages(result.sources, console)
    _tell_other_languages(result.sources, console)
    if result.dense_missing:
        console.note(f"pincite: search by words only ({result.dense_missing})")
    return 0


def _tell(event: "SourceRead", console: Console) -> None:
    """One line for each document that needs a person's attention."""
    from verify.domain.document import SourceStatus

    if event.record.status not in (SourceStatus.INDEXED, SourceStatus.SUPERSEDED):
        console.note(f"{event.record.path}: {_state(event.record)}")


def _tell_missing_languages(records: "Sequence[SourceRecord]", console: Console) -> None:
    """Each once, however many documents need it; the detail says what to install."""
    from app.messages import WARNINGS
    from verify.domain.document import SourceStatus, WarningCode

    code, gone = WarningCode.OCR_LANGUAGE_MISSING, (SourceStatus.SUPERSEDED, SourceStatus.MISSING)
    current = [r for r in records if r.status not in gone]
    found = Counter(detail for r in current for detail in {w.detail for w in r.warnings if w.code is code})
    for detail, documents in sorted(found.items()):
        concerned = "1 document" if documents == 1 else f"{documents:,} documents"
        console.note(f"pincite: {WARNINGS[code]}, which {concerned} would need. {detail}")


def _tell_other_languages(records: "Sequence[SourceRecord]", console: Console) -> None:
    """Each language once: that scans were recognised without it shows in no confidence."""
    from ingest.ocr.languages import says_another_language
    from verify.domain.document import SourceStatus

    gone = (SourceStatus.SUPERSEDED, SourceStatus.MISSING)
    warnings = (w for r in records if r.status not in gone for w in r.warnings)
    found = Counter(w.detail for w in warnings if says_another_language(w))
    for detail, pages in sorted(found.items()):
        console.note(f"pincite: {'1 page' if pages == 1 else f'{pages:,} pages or more'}: {detail}")


def _configure_sources(parser: Parser) -> None:
    matter_argument(parser)


def _sources(args: argparse.Namespace, console: Console) -> int:
    from app.services.matter.documents import sources_to_json
    from app.settings import load_settings

    with open_named(args, load_settings()) as matter:
        records = matter.sources()
    if console.json:
        console.document(sources_to_json(records, "pincite.sources/1"))
    console.say(*(_line(r) for r in records))
    return 0


def _line(record: "SourceRecord") -> str:
    also = f"  (also: {', '.join(record.other_paths)})" if record.other_paths else ""
    return f"{record.source_id}  {record.path}  {_state(record)}{also}"


def _state(record: "SourceRecord") -> str:
    """With the way to open a locked document from here."""
    from app.messages import source_status
    from verify.domain.document import SourceStatus

    locked = record.status is SourceStatus.NEEDS_PASSWORD
    return source_status(record) + ("; give it with: index --passwords FILE" if locked else "")


def _configure_inspect(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument("source_id", metavar="SOURCE_ID")
    parser.add_argument(
        "--page", type=whole_number(0, 1_000_000), metavar="I", help="only the page of this 0-based index"
    )


def _inspect(args: argparse.Namespace, console: Console) -> int:
    from app.services.matter.documents import document_to_json
    from app.settings import load_settings
    from verify.domain.ids import SourceId

    with open_named(args, load_settings()) as matter:
        document = document_to_json(matter, SourceId(args.source_id), args.page)
    if console.json:
        console.document(document)
        return 0
    for page in document["pages"]:
        console.say(*_page_lines(page))
    return 0


_UNMARKED = frozenset(("paragraph", "heading", "list_item", "table"))


def _page_lines(page: dict[str, Any]) -> Iterator[str]:
    """A page for a person: what stands under which headings, and what is no running text named as such."""
    printed = "no label" if page["page_label"] is None else f"p. {page['page_label']}"
    bates = f", Bates {page['bates']}" if page["bates"] else ""
    yield f"--- {printed} (PDF page {page['page_index'] + 1}){bates}, {page['text_source']} text"
    above: list[str] = []
    for element in page["elements"]:
        path, kind = element["heading_path"], element["kind"]
        if path and path != above:
            yield f"[{' > '.join(path)}]"
        above = path or above
        lines = element["text"].split("\n")
        yield lines[0] if kind in _UNMARKED else f"({kind.replace('_', ' ')}) {lines[0]}"
        yield from lines[1:]
        yield ""


COMMANDS = (
    Command("index", "read a folder, or what changed in it", _configure_index, _index),
    Command("sources", "list the documents and their state", _configure_sources, _sources),
    Command("inspect", "show a document's pages, elements and tables", _configure_inspect, _inspect),
)
