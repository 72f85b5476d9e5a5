"""Word files (DOCX): the text as it reads now, with what was deleted, inserted and commented labelled beside it.

A paragraph shows its current words, insertions underlined. What was deleted never stands among them: a note below says
who deleted, inserted or commented what. Hidden text (``vanish``) is left out, field codes and macros are not looked at.
Charts, diagrams and equations give their words, text boxes stand after the paragraph that they hang on. A count of all
pieces of text against those that were come by tells what stands where nothing was looked for.
"""

from collections.abc import Iterator

from ingest.failures import Damaged
from ingest.formats.model import InnerReader, Read, counted_warnings
from ingest.formats.office.embedded import embedded_members
from ingest.formats.office.relations import Parts, main_part
from ingest.formats.office.word_body import Body
from ingest.formats.office.word_file import WordFile, shown_heads
from ingest.formats.office.word_numbering import W
from ingest.formats.office.word_tree import texts_in
from ingest.formats.safe_xml import Node, Package
from ingest.limits import Limits
from ingest.rendition.flow import Block, Flow, Grid, Run, has_left_out, in_line, note_of, text_of
from verify.domain.document import Metadata, SourceWarning, WarningCode

_DC = "{http://purl.org/dc/elements/1.1/}"


def read_docx(data: bytes, limits: Limits, inner: InnerReader, depth: int = 0) -> Read:
    """``inner`` reads files that are laid into the text; ``depth`` counts those around this one. Raises Damaged."""
    package = Package(data, limits)
    main = main_part(package, "word/document.xml")
    document = package.xml(main)
    if document is None:
        raise Damaged("the file has no text part")
    reader = _Reader(package, main, limits, inner, depth)
    flow = reader.read(document)
    return Read(flow, Metadata(title=_title(package)), tuple(reader.warnings()), lambda: embedded_members(data, limits))


def _title(package: Package) -> str | None:
    core = package.xml("docProps/core.xml")
    title = None if core is None else core.findtext(f"{_DC}title")
    return (title or "").strip() or None


class _Reader:
    def __init__(self, package: Package, main: str, limits: Limits, inner: InnerReader, depth: int) -> None:
        self._package = package
        self._word = WordFile(package, main, limits, inner, depth)
        self._word.runs_of = self._runs_of
        self._counts = self._word.counts
        self._unreached = 0

    def read(self, document: Node) -> Flow:
        body = document.find(f"{W}body")
        flow: list[Block | Grid] = list(self._running_heads(document, "header"))
        if body is not None:
            self._word.section_begins(next(body.iter(f"{W}sectPr"), None))
            before = self._counts["texts"]
            outside = self._counts["texts of others"]
            flow += Body(self._word, document, self._word.parts).read(body)
            reached = self._counts["texts"] - before - (self._counts["texts of others"] - outside)
            self._unreached = 0 if has_left_out(flow) else max(0, texts_in(body) - reached)
        flow += self._word.comments_left()
        return flow + list(self._running_heads(document, "footer"))

    def warnings(self) -> Iterator[SourceWarning]:
        counts = self._counts
        if counts["inserted"] or counts["deleted"]:
            both = f"{counts['inserted']} insertions and {counts['deleted']} deletions"
            detail = f"{both} are tracked; both are shown and labelled"
            yield SourceWarning(WarningCode.HAS_REVISIONS, None, detail)
        revised, hidden, lost = WarningCode.HAS_REVISIONS, WarningCode.HIDDEN_TEXT, WarningCode.TRUNCATED
        struck = WarningCode.HAS_STRUCK_TEXT
        yield from counted_warnings(
            (counts["formatting"], revised, "tracked changes of formatting or cells are not shown"),
            (counts["struck"], struck, "pieces of text are struck through by hand; they are shown so"),
            (counts["comment"], WarningCode.HAS_ANNOTATIONS, "comments are shown and labelled"),
            (counts["hidden"], hidden, "pieces of hidden text were left out"),
            (counts["unused"], hidden, "page headers or footers that no page shows were left out"),
            (counts["fields"], lost, "fields were saved without a result and show nothing"),
            (counts["symbols"], lost, "signs of a symbol font are not known and shown as ▪"),
            (counts["drawn"], lost, "pictures are of a kind that is not read (EMF, WMF, SVG); save the file as PDF"),
            (counts["outside"], lost, "pictures do not lie in the file and were left out"),
            (counts["lost"], lost, "parts that the text refers to cannot be read and were left out"),
            (self._unreached, lost, "pieces of text stand where they are not followed and were left out"),
            (int(self._word.numbering.unknown), lost, "kind of paragraph number is not known and shown as 1, 2, 3"),
            (counts["notes by page"], lost,
             "footnotes are numbered anew on each page; here they are numbered through"),
        )  # fmt: skip

    def _running_heads(self, document: Node, kind: str) -> Iterator[Block]:
        """Each header or footer that a page shows once, labelled: the rendition has pages of its own."""
        shown, unused = shown_heads(document, self._word.settings, kind)
        named = [r.target for key in shown if (r := self._word.parts.get(key)) is not None and not r.outside]
        if not shown and not unused:
            named = sorted(n for n in self._package.names() if n.startswith(f"word/{kind}") and n.endswith(".xml"))
        seen = set()
        for name in named:
            runs = self._runs_of_part(name)
            text = text_of(runs)
            if text not in seen and any(map(str.isalpha, text)):  # a page number alone is none of the rendition's
                seen.add(text)
                yield note_of(f"Page {kind}", runs)
        others = (r.target for key in unused if (r := self._word.parts.get(key)) is not None and not r.outside)
        self._counts["unused"] += sum(_has_text(self._package.xml(name)) for name in others if name not in named)

    def _runs_of_part(self, name: str) -> list[Run]:
        root = self._package.xml(name)
        return [] if root is None else in_line(Body(self._word, root, Parts(self._package, name)).read(root))

    def _runs_of(self, node: Node, kind: str) -> list[Run]:
        """The words of a note or comment on one line, whose pictures belong to its own part."""
        part = next((r.target for r in self._word.parts.of_kind(kind)), None)
        parts = self._word.parts if part is None else Parts(self._package, part)
        before = self._counts["texts"]
        runs = in_line(Body(self._word, node, parts).read(node))
        self._counts["texts of others"] += self._counts["texts"] - before
        return runs


def _has_text(root: Node | None) -> bool:
    return root is not None and any((text.text or "").strip() for text in root.iter(f"{W}t"))
