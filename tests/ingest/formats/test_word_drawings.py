"""Word files: charts, diagrams, pictures, running heads, and files that are laid into the text."""

from word_parts import NS, docx, p, read

from ingest.formats.office.word import read_docx
from ingest.formats.opening import flow_of
from ingest.limits import Limits
from verify.domain.document import WarningCode

CHART = (
    f"<c:chartSpace {NS}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Rent by year</a:t></a:r></a:p></c:rich></c:tx>"
    "</c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>Rent</c:v></c:pt>"
    "</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx='0'><c:v>2024</c:v></c:pt><c:pt idx='1'>"
    "<c:v>2025</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx='0'><c:v>40</c:v>"
    "</c:pt><c:pt idx='1'><c:v>45</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea>"
    "</c:chart></c:chartSpace>"
)
DIAGRAM = (
    f"<dgm:dataModel {NS}><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Buyer</a:t></a:r></a:p></dgm:t></dgm:pt>"
    "<dgm:pt/><dgm:pt><dgm:t><a:p><a:r><a:t>Seller</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>"
)


def test_charts_diagrams_pictures_and_objects_are_read_or_named() -> None:
    body = (
        "<w:p><w:r><w:drawing><c:chart r:id='c1'/></w:drawing></w:r></w:p>"
        "<w:p><w:r><w:drawing><dgm:relIds r:dm='d1'/></w:drawing></w:r></w:p>"
        "<w:p><w:r><w:drawing><a:blip r:embed='i1'/></w:drawing></w:r></w:p>"
        "<w:p><w:r><w:drawing><a:blip r:link='i2'/></w:drawing></w:r></w:p>"
        "<w:p><w:r><w:drawing><a:blip r:embed='i3'/></w:drawing></w:r></w:p>"
        "<w:p><w:r><w:object><v:imagedata r:id='i3'/><o:OLEObject ProgID='Excel.Sheet.12'/></w:object></w:r></w:p>"
    )
    links = {
        "c1": ("chart", "charts/chart1.xml"), "d1": ("diagramData", "diagrams/data1.xml"),
        "i1": ("image", "media/plan.png"), "i2": ("image", "https://example.test/x.png"),
        "i3": ("image", "media/old.emf"),
    }  # fmt: skip
    parts = {"word/charts/chart1.xml": CHART, "word/diagrams/data1.xml": DIAGRAM, "word/media/plan.png": "x" * 9000}
    data = docx(body, links, **parts)
    shown, said = read(data)
    assert shown == [
        "[Chart: Rent by year]", " | Rent", "2024 | 40", "2025 | 45", "[Diagram: Buyer; Seller]", "[Picture: plan.png]",
        "[Picture: it does not lie in the file]", "[Picture: old.emf]", "[Embedded object: Excel.Sheet.12]",
    ]  # fmt: skip
    assert said == {
        WarningCode.TRUNCATED: [
            "1 pictures are of a kind that is not read (EMF, WMF, SVG); save the file as PDF",
            "1 pictures do not lie in the file and were left out",
        ]
    }
    assert [member.name for member in read_docx(data, Limits(), flow_of).members()] == ["plan.png"]


def test_a_watermark_and_only_the_heads_that_some_page_shows() -> None:
    head = "<w:hdr {0}>{1}</w:hdr>"
    mark = "<w:p><w:r><w:pict><v:shape><v:textpath string='DRAFT'/></v:shape></w:pict></w:r></w:p>"
    parts = {
        "word/header1.xml": head.format(NS, p("Acme file") + mark),
        "word/header2.xml": head.format(NS, p("Stale head")),
    }  # fmt: skip
    links = {"h1": ("header", "header1.xml"), "h2": ("header", "header2.xml")}
    section = "<w:headerReference w:type='default' r:id='h1'/><w:headerReference w:type='first' r:id='h2'/>"
    shown, said = read(docx(p("Body.") + f"<w:sectPr>{section}</w:sectPr>", links, **parts))
    assert shown == ["[Page header: Acme file [Drawn text: DRAFT]]", "Body."]
    assert said == {WarningCode.HIDDEN_TEXT: ["1 page headers or footers that no page shows were left out"]}
    shown, said = read(docx(p("Body.") + f"<w:sectPr>{section}<w:titlePg/></w:sectPr>", links, **parts))
    assert shown == ["[Page header: Acme file [Drawn text: DRAFT]]", "[Page header: Stale head]", "Body."]
    assert said == {}


def test_a_file_laid_into_the_text_is_part_of_it() -> None:
    links = {
        "a1": ("aFChunk", "chunk.html"), "a2": ("aFChunk", "chunk.docx"), "a3": ("aFChunk", "gone.html"),
    }  # fmt: skip
    parts: dict[str, str | bytes] = {
        "word/chunk.html": "<html><p>From a page.</p></html>",
        "word/chunk.docx": docx(p("Inner.")),
    }
    body = p("Before.") + "".join(f"<w:altChunk r:id='{key}'/>" for key in links)
    shown, said = read(docx(body, links, **parts))
    assert shown == ["Before.", "From a page.", "Inner."]
    assert said == {WarningCode.TRUNCATED: ["1 parts that the text refers to cannot be read and were left out"]}


def test_files_laid_into_one_another_end() -> None:
    data = docx(p("Innermost."))
    for _ in range(8):
        parts: dict[str, str | bytes] = {"word/c.docx": data}
        data = docx(p("Outer.") + "<w:altChunk r:id='a'/>", {"a": ("aFChunk", "c.docx")}, **parts)
    assert read(data)[0] == ["Outer."] * 3
