"""What all parts of a Word file share: styles, numbering, footnotes, comments, and what has been counted."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress

from ingest.failures import ReadFailure
from ingest.formats.model import InnerReader
from ingest.formats.office.drawings import DrawnThings
from ingest.formats.office.relations import Parts, R
from ingest.formats.office.word_numbering import W, format_number, read_numbering
from ingest.formats.office.word_styles import is_on, number_of, read_styles, value_of
from ingest.formats.office.word_tree import by_id, who_changed
from ingest.formats.safe_xml import Node, Package
from ingest.limits import Limits
from ingest.rendition.flow import Block, Grid, Run, note_of
from verify.domain.document import SpanKind

_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"
_DEPTH = 40
_CHUNKS_DEEP = 2
"""Files that are laid into a Word file as parts of its text may hold others, so deep."""


class WordFile:
    """``runs_of`` reads the running text of a note or comment as one line."""

    def __init__(self, package: Package, main: str, limits: Limits, inner: InnerReader, depth: int) -> None:
        self.counts: Counter[str] = Counter()
        self.package, self.parts = package, Parts(package, main)
        self.styles = read_styles(self.parts.xml("styles", "styles.xml"))
        self.numbering = read_numbering(self.parts.xml("numbering", "numbering.xml"))
        self.settings = self.parts.xml("settings", "settings.xml")
        self.drawn = DrawnThings(package, self.counts)
        self.runs_of: Callable[[Node, str], list[Run]] = lambda node, kind: []
        self._limits, self._inner, self._depth = limits, inner, depth
        self._footnotes = by_id(self.parts.xml("footnotes", "footnotes.xml"), "footnote")
        self._endnotes = by_id(self.parts.xml("endnotes", "endnotes.xml"), "endnote")
        self._comments = by_id(self.parts.xml("comments", "comments.xml"), "comment")
        self._threads = _Threads(self.parts.xml("commentsExtended", "commentsExtended.xml"), self._comments)
        self._said: set[str] = set()
        self._laid_in: set[str] = set()
        self._in_note = False
        self._marks: dict[bool, int] = {}
        self._forms = {foot: self._form(foot) for foot in (True, False)}

    def _form(self, foot: bool) -> tuple[str, int, str]:
        """How notes are numbered: style, first number, where they begin anew; the last section's word counts."""
        name = "footnotePr" if foot else "endnotePr"
        style, start, anew = "decimal" if foot else "lowerRoman", 1, "continuous"
        for properties in () if self.settings is None else self.settings.iterfind(f"{W}{name}"):
            style = value_of(properties, "numFmt") or style
            start = number_of(properties, "numStart") or start
            anew = value_of(properties, "numRestart") or anew
        return style, start, anew

    def section_begins(self, section: Node | None) -> None:
        """What a section says of its notes holds from its beginning on, though it stands at its end."""
        for foot in (True, False):
            own = None if section is None else section.find(f"{W}{'footnotePr' if foot else 'endnotePr'}")
            if own is None:
                continue
            style, start, anew = self._forms[foot]
            self._forms[foot] = (
                value_of(own, "numFmt") or style, number_of(own, "numStart") or start,
                value_of(own, "numRestart") or anew,
            )  # fmt: skip

    def section_ends(self) -> None:
        for foot in (True, False):
            if self._forms[foot][2] == "eachSect":
                self._marks.pop(foot, None)

    def next_mark(self, foot: bool) -> str:
        style, start, anew = self._forms[foot]
        self._marks[foot] = self._marks[foot] + 1 if foot in self._marks else start
        self.counts["notes by page"] += anew == "eachPage"
        return format_number(style, self._marks[foot])

    def note(self, foot: bool, key: str, depth: int) -> list[Run] | None:
        """The words of a footnote or endnote. None in a note: one that holds itself has no end."""
        body = (self._footnotes if foot else self._endnotes).get(key)
        if body is None or depth > _DEPTH or self._in_note:
            return None
        self._in_note = True
        runs = self.runs_of(body, "footnotes" if foot else "endnotes")
        self._in_note = False
        return runs

    def comment(self, key: str, depth: int) -> Iterator[Block]:
        """A comment, labelled; nothing if it was shown before."""
        body = self._comments.get(key)
        if body is None or depth > _DEPTH or key in self._said:
            return
        self._said.add(key)
        self.counts["comment"] += 1
        label = self._threads.label(key)
        runs = [run.of(SpanKind.COMMENT) for run in self.runs_of(body, "comments")]
        yield note_of(f"{label}{who_changed(body)}", runs)

    def comments_left(self) -> Iterator[Block]:
        """Comments that stand beside nothing: their place in the text was deleted."""
        for key in self._comments:
            yield from self.comment(key, 0)

    def foreign_blocks(self, parts: Parts, node: Node) -> Iterator[Block | Grid]:
        """A file that was laid into the text as a whole (``altChunk``): Word shows it as if it were part of it. Each is
        laid in once, so that no file grows with how often it names another."""
        key = node.get(f"{R}id")
        relation = parts.get(key)
        once = relation is not None and not relation.outside and relation.target not in self._laid_in
        data = self.package.read(relation.target) if relation is not None and once else None
        if data is None or relation is None or self._depth >= _CHUNKS_DEEP:
            self.counts["lost"] += 1
            return
        self._laid_in.add(relation.target)
        with suppress(ReadFailure):
            yield from self._inner(data, relation.target, self._limits, self._depth + 1)
            return
        self.counts["lost"] += 1


class _Threads:
    """Which comment answers which, and which are settled."""

    def __init__(self, extended: Node | None, comments: dict[str, Node]) -> None:
        entries = () if extended is None else extended.iter(f"{_W15}commentEx")
        self._state = {e.get(f"{_W15}paraId", ""): e for e in entries}
        self._paragraphs = {key: [p.get(f"{_W14}paraId", "") for p in c.iter(f"{W}p")] for key, c in comments.items()}
        self._owners = {name: comments[key] for key, names in self._paragraphs.items() for name in names}

    def label(self, key: str) -> str:
        entry = next((self._state[name] for name in self._paragraphs[key] if name in self._state), None)
        if entry is None:
            return "Comment"
        settled = " (resolved)" if entry.get(f"{_W15}done") == "1" else ""
        answered = self._owners.get(entry.get(f"{_W15}paraIdParent", ""))
        if answered is None:
            return f"Comment{settled}"
        whose = (answered.get(f"{W}author") or "").strip()
        return f"Reply to the comment{f' of {whose}' if whose else ''}{settled}"


def shown_heads(root: Node, settings: Node | None, kind: str) -> tuple[list[str], list[str]]:
    """Keys of the headers or footers ("header", "footer") that some page shows, and of those that none does: one for
    the first page where no section has such a page, one for even pages where they are like the others."""
    sections = list(root.iter(f"{W}sectPr"))
    first = any(is_on(section, "titlePg") for section in sections)
    even = is_on(settings, "evenAndOddHeaders")
    shown: list[str] = []
    unused: list[str] = []
    for section in sections:
        for reference in section.iterfind(f"{W}{kind}Reference"):
            key = reference.get(f"{R}id", "")
            on = {"first": first, "even": even}.get(reference.get(f"{W}type", "default"), True)
            (shown if on else unused).append(key)
    return list(dict.fromkeys(shown)), [key for key in dict.fromkeys(unused) if key not in shown]
