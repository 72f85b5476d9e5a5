"""Commands about what leaves the house and what stays: export, check-bundle, audit, seal, unseal."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.commands import Command, Parser, matter_argument
from app.cli.console import Console
from app.cli.matter import new_passphrases, open_named, passphrases, read_secret
from app.errors import InputMissing, InputUnreadable, Usage

if TYPE_CHECKING:
    from app.services.bundle.export_gate import Preflight


def _configure_export(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument("answer_id", metavar="ANSWER_ID")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="BUNDLE.zip")
    parser.add_argument("--include-sources", action="store_true", help="the cited documents go along whole")
    parser.add_argument("--claim", action="append", metavar="ID", help="only this claim (repeatable)")
    parser.add_argument("--sign", type=Path, metavar="KEY.pem", help="sign with an Ed25519 private key")
    parser.add_argument("--bundle-passphrase-file", type=Path, metavar="F", help="put the bundle under a passphrase")
    parser.add_argument("--yes", action="store_true", help="do not ask when something speaks against it")


def _export(args: argparse.Namespace, console: Console) -> int:
    from app.services.bundle.exporting import ExportOptions, export, look_before_export
    from app.settings import load_settings
    from verify.domain.ids import AnswerId, ClaimId

    answer_id = AnswerId(args.answer_id)
    options = ExportOptions(
        include_sources=args.include_sources,
        claims=None if args.claim is None else frozenset(map(ClaimId, args.claim)),
        passphrase=None if args.bundle_passphrase_file is None else read_secret(args.bundle_passphrase_file),
        sign_with=args.sign,
    )
    with open_named(args, load_settings(), writable=True) as matter:
        paths = {str(record.source_id): record.path for record in matter.sources()}
        _tell(look_before_export(matter, answer_id, options), paths, console)
        if not args.yes and not console.json and sys.stdin.isatty() and not console.agreed("Write the bundle?"):
            raise Usage("nothing was written")
        done = console.watch(export(matter, answer_id, args.output, options))
    if console.json:
        console.document(done.to_json())
    console.say(f"Written: {done.path}", f"Its hash, which the memo prints: {done.manifest.core_sha256}")
    return 0


def _tell(looked: "Preflight", paths: Mapping[str, str], console: Console) -> None:
    from app.messages import CONCERNS, count

    leaving = looked.leaving
    console.note(
        f"This leaves: {count(leaving.claims, 'claim')}, {count(leaving.quotations, 'quotation')}, "
        f"{count(leaving.pictures, 'picture')}, the text of {count(leaving.pages, 'page')}, "
        f"{count(leaving.passages, 'passage')} of the search"
        + (f", {count(len(leaving.documents), 'whole document')}" if leaving.whole_documents else "")
    )
    for path in leaving.documents:
        console.note(f"   from {path}")
    for finding in looked.findings:
        console.note(f"Note: {_named(finding.subject, paths)}: {CONCERNS[finding.concern]}")


def _named(subject: str, paths: Mapping[str, str]) -> str:
    """A claim by its id, a document by its path, a page by the document's path and its place in the file."""
    from app.messages import page_name

    source_id, mark, index = subject.partition("#")
    if source_id not in paths:
        return subject
    return f"{paths[source_id]}, {page_name(None, int(index))}" if mark else paths[source_id]


def _configure_check(parser: Parser) -> None:
    parser.add_argument("bundle", metavar="BUNDLE.zip", type=Path)
    parser.add_argument("--matter", type=Path, metavar="MATTER_DIR", help="verify again against these documents")
    parser.add_argument("--passwords", type=Path, metavar="FILE", help="lines path<TAB>password; never stored")
    parser.add_argument("--signed-by", metavar="KEY", help="demand a signature by this public key (hex, or a file)")
    parser.add_argument("--bundle-passphrase-file", type=Path, metavar="F", help="the bundle's passphrase")


def _check(args: argparse.Namespace, console: Console) -> int:
    from app.messages import BUNDLE_FAULTS, signature_words
    from app.services.bundle.check import check_bundle
    from app.services.bundle.documents import check_against_documents
    from app.services.bundle.lock import decrypt, public_key
    from app.services.matter.passwords import read_passwords
    from app.settings import load_settings

    secret = None if args.bundle_passphrase_file is None else read_secret(args.bundle_passphrase_file)
    key = None if args.signed_by is None else public_key(args.signed_by)
    result, opened = check_bundle(decrypt(_read(args.bundle), secret), key)
    if args.matter is not None and opened is not None:
        passwords = read_passwords(args.passwords) if args.passwords else {}
        result = console.watch(check_against_documents(result, opened, args.matter, load_settings(), passwords))
    if console.json:
        console.document(result.to_json())
    console.say(*(f"{f.member}: {BUNDLE_FAULTS[f.code]} ({f.detail})" for f in result.findings))
    if result.ok:
        against = "with itself and with the documents" if result.against_documents else "with itself"
        console.say(f"The bundle agrees {against}. Its hash: {result.core_sha256}")
    console.say(*signature_words(result.signed_by, demanded=key is not None))
    return 0 if result.ok else 1


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise InputMissing(f"there is no file {path}") from error
    except OSError as error:
        raise InputUnreadable(f"{path} cannot be read ({error.strerror})") from error


def _audit(args: argparse.Namespace, console: Console) -> int:
    from app.messages import AUDIT_BREAKS
    from app.services.custody.audit_check import check_audit
    from app.settings import load_settings

    with open_named(args, load_settings()) as matter:
        result = check_audit(matter)
    if console.json:
        console.document(result.to_json())
    for entry in result.entries:
        subject = " ".join(f"{name}={value}" for name, value in sorted(entry.get("subject", {}).items()))
        console.say(f"{entry.get('at')}  {entry.get('who')}  {entry.get('event')}  {subject}")
    console.say(*(f"line {f.line}: {AUDIT_BREAKS[f.code]}" for f in result.findings))
    console.say("The chain is whole." if result.ok else "The chain is broken.")
    return 0 if result.ok else 1


def _configure_seal(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument(
        "--remember",
        action="store_true",
        help="keep the passphrase in this machine's keyring",
    )


def _seal(args: argparse.Namespace, console: Console) -> int:
    from app.paths import matter_folder, store_root
    from app.services.custody.sealing import remember_passphrase, seal
    from app.settings import load_settings
    from app.store.sealed import is_sealed

    given = new_passphrases(args)
    if not (args.remember and is_sealed(matter_folder(store_root(args.store), args.matter))):
        console.watch(seal(args.matter, given, load_settings(), args.store))
        console.say("Sealed: what was derived from this matter opens with its passphrase alone. Nobody can recover it.")
    if args.remember:
        kept = remember_passphrase(args.matter, given, args.store)
        console.note(
            "The keyring of this machine has the passphrase: this matter opens for you without asking."
            if kept
            else "There is no keyring on this machine that could keep the passphrase; give it each time."
        )
    return _sources(args, console)


def _unseal(args: argparse.Namespace, console: Console) -> int:
    from app.services.custody.sealing import unseal

    console.watch(unseal(args.matter, passphrases(args), args.store))
    console.say("Unsealed: file permissions alone guard this matter's derived data now.")
    args.passphrase_file = None
    return _sources(args, console)


def _sources(args: argparse.Namespace, console: Console) -> int:
    from app.services.matter.documents import sources_to_json
    from app.settings import load_settings

    if console.json:
        with open_named(args, load_settings()) as matter:
            console.document(sources_to_json(matter.sources(), "pincite.sources/1"))
    return 0


COMMANDS = (
    Command("export", "write an answer as a bundle that others can check", _configure_export, _export),
    Command("check-bundle", "check a bundle, alone or against the documents", _configure_check, _check),
    Command("audit", "check and print the audit log", matter_argument, _audit),
    Command("seal", "put a matter's derived data under a passphrase", _configure_seal, _seal),
    Command("unseal", "take the passphrase off", matter_argument, _unseal),
)
