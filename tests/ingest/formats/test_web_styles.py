"""What a web page's own styles hide, show, strike and raise, as a browser shows it on a screen."""

import pytest

from ingest.formats.mail.replies import with_replies
from ingest.formats.plain.text import text_blocks
from ingest.formats.web.html import html_page
from ingest.rendition.flow import Block, Flow
from verify.domain.document import SpanKind

FEE = "The fee is waived."
HIDING = [
    "div .a{display:none}", "p.a.b{display:none}", "div>p{display:none}", "[data-x]{display:none}",
    '[data-x="1"]{display:none}', "p:nth-child(2){display:none}", "p:not(.c){display:none}", "h1+p{display:none}",
    "h1~p{display:none}", "#i{display:none}", "DIV .a {DISPLAY:NONE}", "*{} .a,.zz{display:none}",
    "@media screen{.a{display:none}}", "@media (min-width:600px){.a{display:none}}",
    "@media all{.a{visibility:hidden}}",
    "@media not print{.a{display:none}}", "@supports (display:grid){.a{display:none}}",
    ".a{display:none} @media print{.a{display:block}}", ".a{display:none!important} p.a{display:block}",
    ".a{color:white}", ".a{color:#fff}", ".a{color:hsl(0,0%,100%)}", ".a{color:rgb(255 255 255)}", "div{color:#fffffe}",
    ".a{color:transparent}", ".a{color:rgba(0,0,0,.02)}", ".a{background:#000;color:#000}",
    ".a{background-color:#123456;color:#123457}", "div{background:black} .a{color:black}",
    ".a{position:absolute;left:-999em}", ".a{position:absolute;top:-9999px}", ".a{text-indent:-9999px}",
    ".a{margin-left:-200em}", ".a{position:absolute;clip:rect(0,0,0,0)}", ".a{clip-path:inset(50%)}",
    ".a{opacity:0}", ".a{opacity:.01}", "div{opacity:0}", ".a{font-size:0}", ".a{font-size:1px}", ".a{font:0/0 a}",
    "div{visibility:hidden}", ".a{height:0;overflow:hidden}", ".a{width:1px;height:1px;overflow:hidden}",
    ".a{transform:scale(0)}", ".a{transform:translateX(-9999px)}", ".a{content-visibility:hidden}",
    ".a{filter:opacity(0)}", ".c{color:red} .a{display:none;color:red}", ":is(.a,.q){display:none}",
]  # fmt: skip
SHOWING = [
    ".a{display:none} .a{display:block}", ".a{display:none} p.a{display:block}", "#i{display:block} .a{display:none}",
    "@media print{.a{display:none}}", "@media (max-width:600px){.a{display:none}}", ".b .a{display:none}",
    "div{visibility:hidden} .a{visibility:visible}", "div{font-size:0} .a{font-size:12px}", "a{display:none}",
    ".a{color:white;background:#123}", "div{background:#222} .a{color:#fff}", ".a::before{display:none}",
    ".a:hover{display:none}", "p:nth-child(3){display:none}", ".a{position:relative;left:-4px}", ".a{opacity:.6}",
    "div{color:white} .a{color:black}", ".a{color:white;background:url(x.png)}", ".a{margin-left:-20px}",
    ".a{overflow:hidden;height:20px}", "]] .a{display:none}", "/* .a{display:none} */",
    "@media (prefers-color-scheme:dark){.a{color:white}}", ".a{display:none} .a{display:block!important}",
]  # fmt: skip


def page(css: str) -> str:
    return (
        f"<style>{css}</style><body><div><h1>Terms</h1><p id=i class='a b' data-x=1>{FEE}</p><p class=c>End.</p></div>"
    )


def words(flow: Flow) -> list[str]:
    return [block.text for block in flow if isinstance(block, Block)]


@pytest.mark.parametrize("css", HIDING)
def test_what_styles_hide_is_left_out_and_counted(css: str) -> None:
    read = html_page(page(css))
    assert FEE not in words(read.flow)
    assert read.hidden >= 1


@pytest.mark.parametrize("css", SHOWING)
def test_what_styles_show_is_read(css: str) -> None:
    assert FEE in words(html_page(page(css)).flow)


def kinds(flow: Flow, *wanted: str) -> list[tuple[str, str]]:
    found = []
    for block in flow:
        for run in block.runs if isinstance(block, Block) else ():
            found += [(kind.value, run.text) for kind in sorted(run.kinds)]
            found += [("raised", run.text)] * run.raised + [("lowered", run.text)] * run.lowered
    return [item for item in found if not wanted or item[0] in wanted]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("The rent is <s>80</s> 90.", [("struck", "80")]),
        ("The rent is <del>80</del> <ins>90</ins>.", [("deleted", "80"), ("struck", "80"), ("inserted", "90")]),
        ("<style>.x b{text-decoration:line-through}</style><p class=x>It is <b>80</b> 90.", [("struck", "80")]),
        ("<style>s{text-decoration:none}</style>It is <s>80</s>.", []),
        (
            "<p style='text-decoration: underline line-through red'>Old <i>rent</i></p>",
            [("struck", "Old "), ("struck", "rent")],
        ),
        ("$320<sup>1</sup> due", [("raised", "1")]),
        ("$320<span style='vertical-align:super;font-size:8pt'>1</span> due", [("raised", "1")]),
        ("<style>.n{vertical-align:4pt}</style>$320<span class=n>1</span> due", [("raised", "1")]),
        (
            "<style>sup{position:relative;top:-.5em;vertical-align:baseline}</style>$320<sup>1</sup> due",
            [("raised", "1")],
        ),
        ("CO<sub>2</sub>", [("lowered", "2")]),
        ("$320<a href='#fn1'>[1]</a> due", [("note_mark", "[1]")]),
        ("$320<a role=doc-noteref href='#x'>1</a> due", [("note_mark", "1")]),
        ("<a href='#fnord'>terms and notes</a>", []),
    ],
)
def test_what_styles_and_tags_say_of_words(html: str, found: list[tuple[str, str]]) -> None:
    assert kinds(html_page(html).flow) == found


def quoted(flow: Flow) -> list[str]:
    """Blocks of another's words, none of which holds any of the sender's."""
    out = []
    for block in flow:
        assert isinstance(block, Block)
        of = {SpanKind.QUOTED_REPLY in run.kinds for run in block.runs if run.text.strip()}
        assert len(of) == 1
        out += [block.text] if of == {True} else []
    return out


PLAIN = [
    ("See below.\n\n> We do not accept.\nThen we stop.\n\n> Until May.\nOnly some.",
     ["> We do not accept.", "> Until May."]),
    ("No.\n\nOn Wed, 5 Jun 2024 at 10:15, Lena\n<l@q.test> wrote:\n> Please confirm.\n> Lena\n\nRegards",
     ["> Please confirm.\n> Lena"]),
    ("No.\n\nOn 5 June 2024 Lena wrote:\n\nPlease confirm.\n\nLena", ["Please confirm.", "Lena"]),
    ("No.\nOmar\n-----Original Message-----\nFrom: Lena\nSent: 5 June\nTo: Omar\nSubject: Price\n\nPlease confirm.",
     ["-----Original Message-----\nFrom: Lena\nSent: 5 June\nTo: Omar\nSubject: Price", "Please confirm."]),
    ("Nein.\n\nVon: Lena\nGesendet: 5. Juni\nAn: Omar\nBetreff: Preis\n\nBitte bestätigen.",
     ["Von: Lena\nGesendet: 5. Juni\nAn: Omar\nBetreff: Preis", "Bitte bestätigen."]),
    ("From: the date of this letter you owe 5 > 4 units.\n\nLena wrote:\nnothing.", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "found"), PLAIN)
def test_quoted_lines_of_a_mail_are_told_from_the_senders(text: str, found: list[str]) -> None:
    assert quoted(with_replies(list(text_blocks(text)))) == found


def test_quoted_parts_of_a_mail_in_html() -> None:
    html = (
        "<p>No.</p><blockquote type=cite><p>Please confirm.</p></blockquote><p>Not at all.</p>"
        "<div><p><b>From:</b> Omar<br><b>Sent:</b> 4 June<br><b>To:</b> Lena<br><b>Subject:</b> Price</p>"
        "<p>Silence is consent.</p></div>"
    )
    assert quoted(with_replies(html_page(html, of_mail=True).flow)) == [
        "Please confirm.", "From: Omar\nSent: 4 June\nTo: Lena\nSubject: Price", "Silence is consent.",
    ]  # fmt: skip
