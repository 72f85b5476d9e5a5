"""Commands that find and answer: search, ask, answers; one at a time or a batch of them in one process."""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from app.cli.commands import Command, Parser, matter_argument, source_option, whole_number
from app.cli.console import Console
from app.cli.matter import open_named
from app.errors import EXIT_STATUS, PinciteError, Usage
from app.lines import lines_of, read_lines

if TYPE_CHECKING:
    from app.services.answers.answers import Answer
    from app.services.asking.searching import SearchResult
    from verify.domain.ids import SourceId


_FILTERS = (
    ("type", "T", "pdf, word, mail, sheet, image …, a document type, or form_field, annotation, footnote, footer …"),
    ("from", "D", "dated this day, month or year (2024-03-11, 2024-03, 2024) or later"),
    ("to", "D", "dated then or earlier"),
    ("author", "A", "by this author or sender"),
)


def _configure_search(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument("text", metavar="QUERY", nargs="?")
    parser.add_argument("-k", type=whole_number(1, 500), default=10, metavar="N", help="most passages (10)")
    parser.add_argument("--mode", choices=("hybrid", "lexical", "dense"), default="hybrid")
    for name, metavar, what in _FILTERS:
        parser.add_argument(f"--{name}", metavar=metavar, action="append", default=[], help=what)
    _shared_options(parser)


def _shared_options(parser: Parser) -> None:
    source_option(parser)
    parser.add_argument(
        "--batch", metavar="FILE", help="one a line from a file (-: stdin), one JSON document a line out"
    )
    parser.add_argument("--chroma", metavar="URL", help="use this Chroma server (off by default)")


def _search(args: argparse.Namespace, console: Console) -> int:
    from app.services.asking.searching import SearchOptions, open_search
    from app.settings import load_settings

    lines = _lines(args)
    settings = load_settings()
    chroma = args.chroma or settings.chroma_url
    filters = tuple((name, value) for name, _, _ in _FILTERS for value in getattr(args, name))
    options = SearchOptions(args.k, args.mode, _sources(args), chroma, filters)
    with open_named(args, settings) as matter:
        lasting = args.batch is not None
        opening = open_search(matter, dense=args.mode != "lexical", chroma_url=chroma, lasting=lasting)
        search = console.watch(opening)
        if args.mode == "hybrid" and search.lacks_vectors():
            how = f"pincite index {quote(str(matter.root))}"
            console.note(f"pincite: search by words only, for embeddings are missing or damaged; to make them: {how}")

        def run(query: str) -> None:
            result = search.find(query, options)
            if console.json or args.batch:
                console.document(result.to_json())
            else:
                console.say(*_passages(result))

        return _each(lines, run, console, batch=args.batch is not None)


def _sources(args: argparse.Namespace) -> tuple["SourceId", ...]:
    from verify.domain.ids import SourceId

    return tuple(SourceId(s) for s in args.source)


def _lines(args: argparse.Namespace) -> Iterator[str]:
    """The one query, or each line of the batch. Raises Usage unless there is exactly one of them."""
    if (args.text is None) == (args.batch is None):
        raise Usage("give either one question or --batch FILE")
    if args.batch is None:
        return iter((args.text,))
    if args.batch == "-":
        return (line for text in sys.stdin for line in lines_of(text) or [""])
    return iter(read_lines(Path(args.batch)))


def _each(lines: Iterator[str], run: Callable[[str], None], console: Console, *, batch: bool) -> int:
    """One document a line, in order: a line that fails has its error in its place, and the others are done."""
    status = 0
    for number, line in enumerate(lines, start=1):
        try:
            if not line.strip():
                raise Usage("the question is empty")
            run(line)
        except PinciteError as error:
            if not batch:
                raise
            console.note(f"pincite: line {number}: {error}")
            console.document({"schema": "pincite.error/1", "code": error.code.value, "message": str(error)})
            status = status or EXIT_STATUS[error.code]
    return status


def _passages(result: "SearchResult") -> Iterator[str]:
    from app.messages import NOTHING_TO_SEARCH, hits_found, page_name, passage_kind, read_both_ways, unmatched_word

    if result.hits is not None and result.hits:
        yield hits_found(result.hits, len(result.by_document))
        yield from (f"   {one.hits:>7,}  {one.path}" for one in result.by_document)
    for shown in result.passages:
        p = shown.passage
        section = f", {' > '.join(p.heading_path)}" if p.heading_path else ""
        kind = passage_kind(p.kind)
        yield f"{p.rank}. {p.path}, {page_name(p.page_label, p.page_index)}{section}{kind}"
        start, end = shown.excerpt
        before, after = "… " if start else "", " …" if end < len(p.text) else ""
        yield f"   {before}{' '.join(p.text[start:end].split())}{after}"
    if not result.documents:
        yield NOTHING_TO_SEARCH
    elif not result.passages:
        yield "Nothing was found."
    yield from map(unmatched_word, result.unmatched if result.documents else ())
    yield from (read_both_ways(date, days) for date, days in result.read_both_ways)


def _configure_ask(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument("text", metavar="QUESTION", nargs="?")
    parser.add_argument(
        "--model", metavar="NAME", help="auto, extractive, embedded, ollama, ollama:NAME, server:NAME or file:PATH.gguf"
    )
    parser.add_argument("--server", metavar="URL", help="of --model server:NAME, e.g. http://127.0.0.1:8080")
    parser.add_argument(
        "-k",
        type=whole_number(1, 100),
        metavar="N",
        help="passages shown to the model, before others of the same pages",
    )
    parser.add_argument("--ocr-threshold", type=whole_number(0, 1000), metavar="N", help="least word confidence (600)")
    parser.add_argument("--after", metavar="ANSWER_ID", help="ask it as a follow-up to this answer")
    _shared_options(parser)


def _ask(args: argparse.Namespace, console: Console) -> int:
    from app.services.asking.asking import AskOptions, open_asking
    from app.settings import load_settings
    from verify.domain.ids import AnswerId

    lines = _lines(args)
    after = None if args.after is None else AnswerId(args.after)
    settings = load_settings()
    options = AskOptions(
        model=args.model or settings.model,
        k=args.k or settings.results,
        sources=_sources(args),
        chroma_url=args.chroma or settings.chroma_url,
        ocr_threshold=args.ocr_threshold,
        lasting=args.batch is not None,
        server=args.server,
    )
    with (
        open_named(args, settings, writable=True) as matter,
        open_asking(matter, options) as asking,
    ):
        if asking.trouble:
            console.note(asking.trouble)

        def run(question: str) -> None:
            answer = console.watch(asking.ask(question, after=after))
            _show(answer, console, batch=args.batch is not None)

        return _each(lines, run, console, batch=args.batch is not None)


def _show(answer: "Answer", console: Console, *, batch: bool = False) -> None:
    from app.services.answers.answer_json import answer_to_json
    from app.services.answers.answer_text import answer_lines

    if console.json or batch:
        console.document(answer_to_json(answer))
    else:
        console.say(*answer_lines(answer))


def _configure_answers(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument("answer_id", metavar="ANSWER_ID", nargs="?")


def _answers(args: argparse.Namespace, console: Console) -> int:
    from app.messages import count
    from app.services.answers.history import load_answer, saved_answers, summaries_to_json
    from app.settings import load_settings
    from verify.domain.ids import AnswerId

    with open_named(args, load_settings()) as matter:
        if args.answer_id is not None:
            _show(load_answer(matter, AnswerId(args.answer_id)), console)
            return 0
        summaries = saved_answers(matter)
    if console.json:
        console.document(summaries_to_json(summaries))
    console.say(*(f"{s.answer_id}  {s.asked_at}  {s.question}  ({count(s.claims, 'claim')})" for s in summaries))
    return 0


COMMANDS = (
    Command("search", "find passages", _configure_search, _search),
    Command("ask", "answer a question with verified citations, and save it", _configure_ask, _ask),
    Command("answers", "past answers, or one of them", _configure_answers, _answers),
)
