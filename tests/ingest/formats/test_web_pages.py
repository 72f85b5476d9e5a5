"""Web pages: what a browser shows beside running text, and what it hides, is shown or told."""

import base64

import pytest
from flow_texts import texts

from ingest.formats.web.html import html_page, read_html
from verify.domain.document import WarningCode


def test_lists_count_as_the_page_says() -> None:
    page = (
        "<ol type=a><li>x<li>x</ol><ol style='list-style-type: lower-roman' start=4><li>x<li value=9>x<li>x</ol>"
        "<ol reversed><li>x<li>x</ol><ul style='list-style: none'><li>x</ul><ol type=A><li>x<ol><li>y</ol></ol>"
    )
    assert texts(html_page(page).flow) == [
        "a. x", "b. x", "iv. x", "ix. x", "x. x", "2. x", "1. x", "x", "A. x", "1. y",
    ]  # fmt: skip


def test_struck_text_is_shown_so_and_counted() -> None:
    read = read_html(b"<p>The fee is <del>80</del> <span style='text-decoration: line-through'>85</span> 90.</p>")
    assert texts(read.flow) == ["The fee is 80 85 90."]
    assert [(w.code, w.detail) for w in read.warnings] == [
        (WarningCode.HAS_STRUCK_TEXT, "2 pieces of text are struck through; they are shown so")
    ]


def test_fields_of_a_form_show_what_is_filled_in() -> None:
    page = (
        "<form>Name: <input value='N. Orr'> <input type=checkbox checked> agreed <input type=radio> not "
        "<input type=hidden value=secret> <input type=password value=pw> <input type=submit value=Send>"
        "<select><option>Lease<option selected>Sale</select> <textarea>Remark</textarea></form>"
    )
    assert texts(html_page(page).flow) == ["Name: N. Orr ☒ agreed ☐ not Sale Remark"]


def test_pictures_are_named_and_those_in_the_page_are_members() -> None:
    inside = base64.b64encode(b"x" * 9000).decode()
    page = (
        f"<p>Plan.<img src='data:image/png;base64,{inside}'><img src='https://example.test/a/site%20plan.jpg'>"
        "<img src='https://example.test/dot.gif' width=1 height=1><img src='cid:logo'></p>"
    )
    read = read_html(page.encode())
    assert texts(read.flow) == ["Plan.", "[Picture: picture-1.png]", "[Picture: site plan.jpg]"]
    assert [(member.name, member.data) for member in read.members()] == [("picture-1.png", b"x" * 9000)]


def test_drawn_text_ruby_and_frames() -> None:
    page = (
        "<p>A<svg><title>no</title><g><text>axis <tspan>label</tspan></text></g></svg> B</p>"
        "<p><ruby>漢<rt>kan</rt></ruby></p>"
        "<iframe srcdoc='&lt;p&gt;Framed.&lt;/p&gt;'></iframe><iframe src='https://example.test' width=0></iframe>"
        "<object data='x.pdf'></object>"
    )
    assert texts(html_page(page).flow) == [
        "Aaxis label B", "漢(kan)", "Framed.", "[Frame: it does not lie in the file]",
    ]  # fmt: skip


def test_frames_inside_frames_end() -> None:
    page = "<p>Innermost.</p>"
    for _ in range(5):
        page = "<p>Around.</p><iframe srcdoc='" + page.replace("&", "&amp;").replace("'", "&#39;") + "'></iframe>"
    assert texts(html_page(page).flow) == ["Around."] * 4


@pytest.mark.parametrize(
    ("style", "seen"),
    [
        ("color:#fefefe", False), ("color: rgb(250, 251, 252)", False), ("color:#ffff00", True),
        ("font-size:1px", False),
        ("font-size:9px", True), ("position:absolute;left:-9999px", False), ("left:-20px", True),
        ("max-height:0;overflow:hidden", False), ("max-height:0", True), ("clip:rect(0,0,0,0)", False),
        ("color:white;background:#000", True), ("color:white;background:#fefefe", False), ("color:transparent", False),
        ("background:transparent", True),
    ],
)  # fmt: skip
def test_styles_that_nobody_can_read(style: str, seen: bool) -> None:
    page = html_page(f"<p>Before.<span style='{style}'>words</span></p>")
    assert (texts(page.flow), page.hidden) == ((["Before.words"], 0) if seen else (["Before."], 1))


def test_what_is_hidden_is_counted_wherever_it_stands() -> None:
    page = (
        "<p>Seen.<span style='display:none'>one</span></p>"
        "<table><tr><td>a</td><td style='visibility:hidden'>two</td></tr>"
        "<tr hidden><td>three</td></tr></table><div style='display:none'><script>x</script></div><!-- remark -->"
    )
    read = read_html(page.encode())
    assert texts(read.flow) == ["Seen.", "a | "]
    [warning] = read.warnings
    assert (warning.code, warning.detail) == (WarningCode.HIDDEN_TEXT, "3 pieces of hidden text were left out")
