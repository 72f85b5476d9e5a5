"""How a rendition says what its letters are: in their colour, which a reader sees and ``ingest.page`` reads back.

The high half of each channel is what a person sees (deleted words red, inserted blue …), the low half holds twelve
flags, one for each kind of span and one for words after which others were taken out. A rendition is this program's own
drawing, so no colour of an original comes in between.
"""

from functools import lru_cache

from verify.domain.document import SpanKind

NO_KINDS: frozenset[SpanKind] = frozenset()
_FLAGS = tuple(SpanKind)
_CUT = 1 << len(_FLAGS)
_SHADES = (
    (SpanKind.GENERATED, 0x505050), (SpanKind.DELETED, 0xB02020), (SpanKind.INSERTED, 0x2040A0),
    (SpanKind.COMMENT, 0x603080), (SpanKind.QUOTED_REPLY, 0x204060),
)  # fmt: skip
"""The first kind that letters are of gives their shade; all are dark enough to be read on white."""


def colour_of(kinds: frozenset[SpanKind], cut: bool = False) -> str:
    """The CSS colour of letters of these kinds; "" for plain ones. ``cut``: words were taken out after them."""
    flags = sum(1 << _FLAGS.index(kind) for kind in kinds) | (_CUT if cut else 0)
    if not flags:
        return ""
    shade = next((shade for kind, shade in _SHADES if kind in kinds), 0)
    return f"#{shade | (flags & 0xF00) << 8 | (flags & 0x0F0) << 4 | flags & 0x00F:06x}"


@lru_cache(maxsize=1024)
def read_colour(colour: int) -> tuple[frozenset[SpanKind], bool]:
    """What ``colour_of`` wrote, from the colour of a word (sRGB integer)."""
    flags = colour & 0x00F | colour >> 4 & 0x0F0 | colour >> 8 & 0xF00
    return frozenset(kind for n, kind in enumerate(_FLAGS) if flags >> n & 1), bool(flags & _CUT)
