"""Commands that check and show evidence: verify, support, render."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.commands import Command, Parser, matter_argument, whole_number
from app.cli.console import Console
from app.cli.matter import open_named
from app.errors import InputMissing, InputUnreadable

if TYPE_CHECKING:
    from verify.domain.geometry import Box


def request_argument(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument("request", metavar="REQUEST.json", type=Path)


def _configure_verify(parser: Parser) -> None:
    request_argument(parser)
    parser.add_argument("--strict", action="store_true", help="exit 1 unless every check is verified")
    parser.add_argument("--ocr-threshold", type=whole_number(0, 1000), metavar="N", help="least word confidence (600)")
    parser.add_argument(
        "--look",
        choices=("auto", "always"),
        default="auto",
        help="read cited lines again by OCR: in doubt, or always",
    )


def read_request(path: Path) -> bytes:
    """Raises InputMissing or InputUnreadable."""
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise InputMissing(f"there is no file {path}") from error
    except OSError as error:
        raise InputUnreadable(f"{path} cannot be read ({error.strerror})") from error


def _verify(args: argparse.Namespace, console: Console) -> int:
    from app.messages import check_line
    from app.services.evidence.verifying import verify_request
    from app.settings import load_settings

    raw = read_request(args.request)
    with open_named(args, load_settings()) as matter:
        report = verify_request(matter, raw, args.ocr_threshold, thorough=args.look == "always")
        sealed = matter.is_closed
    if console.json:
        console.document(report.to_json())
    console.say(*(check_line(check, sealed=sealed) for check in report.checks))
    return 1 if args.strict and not report.all_verified else 0


_SUPPORT_HELP = """REQUEST.json:
  {"schema": "pincite.support-request/1", "items": [
    {"item_id": "p1", "claim_text": "The rent is USD 84,000 a year.",
     "source_id": "s0f3a...", "page_indexes": [4]}]}

source_id is what `pincite sources` shows; page_indexes count the document's pages from 0.
At most 10,000 items. A triage for a person: it proves nothing and never changes a check."""


def _configure_support(parser: Parser) -> None:
    request_argument(parser)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _SUPPORT_HELP
    parser.add_argument("--resume", metavar="FILE", type=Path, help="keep results there, and go on from those it has")


def _support(args: argparse.Namespace, console: Console) -> int:
    from app.messages import support_line
    from app.paths import refuse_inside
    from app.services.evidence.supporting import support_request, support_results_to_json
    from app.settings import load_settings

    raw = read_request(args.request)
    with open_named(args, load_settings()) as matter:
        if args.resume is not None:
            refuse_inside(args.resume, matter.root)
        results = console.watch(support_request(matter, raw, args.resume))
        sealed = matter.is_closed
    if console.json:
        console.document(support_results_to_json(results))
    console.say(*(support_line(result, sealed=sealed) for result in results))
    return 0


def _configure_render(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument("source_id", metavar="SOURCE_ID")
    parser.add_argument("page_index", metavar="PAGE_INDEX", type=whole_number(0, 1_000_000), help="0-based")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.png")
    parser.add_argument("--bbox", action="append", default=[], type=_box, metavar="x0,y0,x1,y1", help="in 1/100 pt")
    parser.add_argument("--crop", action="store_true", help="only the part around the boxes")
    parser.add_argument("--dpi", type=whole_number(10, 1200), default=150, metavar="N")
    parser.add_argument("--passwords", type=Path, metavar="FILE", help="lines path<TAB>password; never stored")


def _box(text: str) -> "Box":
    from verify.domain.geometry import Box

    try:
        x0, y0, x1, y1 = (int(part) for part in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not four whole numbers x0,y0,x1,y1") from error
    return Box(x0, y0, x1, y1)


def _render(args: argparse.Namespace, console: Console) -> int:
    from app.paths import refuse_inside, write_private
    from app.services.custody import auditing
    from app.services.evidence.evidence import crop
    from app.services.matter.passwords import read_passwords
    from app.settings import load_settings
    from verify.domain.ids import SourceId

    source_id = SourceId(args.source_id)
    with open_named(args, load_settings()) as matter:
        passwords = read_passwords(args.passwords) if args.passwords else {}
        password = passwords.get(matter.source(source_id).path)
        descriptor, png = crop(
            matter, source_id, args.page_index, args.bbox, cut=args.crop, dpi=args.dpi, password=password
        )
        refuse_inside(args.output, matter.root)
        subject = {"source_id": source_id, "page_index": str(args.page_index), "crop_id": descriptor.crop_id}
        auditing.record(matter, auditing.AuditEvent.VIEWED, subject)
    try:
        write_private(args.output, png)
    except OSError as error:
        raise InputUnreadable(f"{args.output} cannot be written ({error.strerror})") from error
    if console.json:
        console.document(descriptor.to_json())
    console.say(f"{args.output}: {descriptor.image_width} × {descriptor.image_height} pixels")
    return 0


COMMANDS = (
    Command("verify", "check submitted citations", _configure_verify, _verify),
    Command("support", "triage whether cited pages support propositions", _configure_support, _support),
    Command("render", "draw a page or a crop with marks", _configure_render, _render),
)
