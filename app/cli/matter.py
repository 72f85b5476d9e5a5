"""How every command opens its matter: the store and the passphrases that the command line names."""

import argparse
import getpass
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.commands import Parser
from app.errors import Usage
from app.lines import read_lines

if TYPE_CHECKING:
    from app.services.matter.matter import Matter
    from app.settings import Settings
    from app.store.sealed import Passphrases


def passphrase_options(parser: Parser) -> None:
    parser.add_argument("--passphrase-file", type=Path, metavar="F", help="the sealed matter's passphrase")
    parser.add_argument(
        "--class-passphrase", action="append", default=[], metavar="CLASS=F", help="that of an access class"
    )


def open_named(
    args: argparse.Namespace, settings: "Settings", *, writable: bool = False, make: bool = False
) -> "AbstractContextManager[Matter]":
    """Raises as ``open_matter``, and for a passphrase file that cannot be read. Only ``make`` makes a new store."""
    from app.services.matter.matter import open_matter

    return open_matter(args.matter, settings, args.store, writable=writable, make=make, passphrases=passphrases(args))


def passphrases(args: argparse.Namespace) -> "Passphrases":
    """Those given; a sealed matter's is asked for where a person sits at a terminal."""
    from app.paths import matter_folder, matter_key, store_root
    from app.store.remembering import recall
    from app.store.sealed import Passphrases, is_sealed

    classes = dict(_class_and_file(text) for text in args.class_passphrase)
    secrets = {name: read_secret(Path(file)) for name, file in classes.items()}
    if args.passphrase_file is not None:
        return Passphrases(read_secret(args.passphrase_file), secrets)
    sealed = is_sealed(matter_folder(store_root(args.store), args.matter))
    if sealed and sys.stdin.isatty() and recall(matter_key(args.matter)) is None:
        return Passphrases(getpass.getpass("Passphrase of this matter: "), secrets)
    return Passphrases(None, secrets)


def new_passphrases(args: argparse.Namespace) -> "Passphrases":
    """Those to seal with; without a file they are asked for, twice. Raises Usage where the two differ."""
    from app.store.sealed import Passphrases

    given = passphrases(args)
    if given.matter is not None or not sys.stdin.isatty():
        return given
    first = getpass.getpass("New passphrase: ")
    if first != getpass.getpass("Again: "):
        raise Usage("the two passphrases differ; nothing was sealed")
    return Passphrases(first, given.classes)


def _class_and_file(text: str) -> tuple[str, str]:
    name, equals, file = text.partition("=")
    if not (name and equals and file):
        raise Usage(f"{text!r} is not CLASS=F")
    return name, file


def read_secret(path: Path) -> str:
    """The first line of the file. Raises InputMissing, InputUnreadable, or Usage for an empty one."""
    lines = read_lines(path)
    if not lines or not lines[0]:
        raise Usage(f"{path} holds no passphrase in its first line")
    return lines[0]
