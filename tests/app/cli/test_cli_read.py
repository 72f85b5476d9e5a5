"""index, sources, inspect, search and render on real files, as another program uses them."""

import hashlib
import io
import json
import stat
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from ingest.mupdf import pymupdf

Ids = Callable[[str], str]


def test_sources_says_what_each_file_is(place: Any) -> None:
    status, out, _ = place.run("sources", "--json")
    document = json.loads(out)
    assert (status, document["schema"]) == (0, "pincite.sources/1")
    by_path = {s["path"]: s for s in document["sources"]}
    lease = by_path["lease.pdf"]
    assert lease.keys() == {
        "source_id", "path", "other_paths", "fingerprint", "media_type", "page_count", "status", "ocr_pages",
        "chunk_count", "parser", "parent", "metadata", "warnings", "unread_pages",
    }  # fmt: skip
    assert lease["fingerprint"] == "sha256:" + hashlib.sha256((place.matter / "lease.pdf").read_bytes()).hexdigest()
    assert (lease["page_count"], lease["status"], lease["media_type"]) == (3, "indexed", "application/pdf")
    assert by_path["empty.pdf"]["status"] == "unreadable"
    assert by_path["call-note.txt"]["page_count"] == 1


def test_a_newcomer_reads_in_lines_what_was_passed_over_and_what_is_twice(place: Any) -> None:
    (place.matter / "annex").mkdir()
    (place.matter / "annex" / "lease.pdf").write_bytes((place.matter / "lease.pdf").read_bytes())
    (place.matter / "link.pdf").symlink_to(place.matter / "lease.pdf")
    (place.matter / "plan.xyz").write_bytes(bytes(range(256)))
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "Closed.")
        document.save(place.matter / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y")
    _, _, err = place.run("index", "--no-dense")
    assert "1 link or special file in the folder passed over" in err
    lines = place.run("sources")[1].splitlines()
    assert any("  annex/lease.pdf  3 pages, ready  (also: lease.pdf)" in line for line in lines)
    assert any("needs a password" in line and "index --passwords FILE" in line for line in lines), lines
    assert [line.count("kind") for line in lines if "plan.xyz" in line] == [2]


def test_inspect_shows_labels_text_and_geometry(place: Any, ids: Ids) -> None:
    status, out, _ = place.run("inspect", ids("lease.pdf"), "--json")
    document = json.loads(out)
    assert (status, document["schema"]) == (0, "pincite.document/1")
    assert [(p["page_index"], p["page_label"]) for p in document["pages"]] == [(0, "i"), (1, "1"), (2, "2")]
    page = document["pages"][2]
    assert (page["width"], page["height"], page["rotation"]) == (61200, 79200, 0)
    assert (page["coordinate_origin"], page["text_source"], page["ocr_confidence"]) == ("top-left", "native", None)
    assert "sixty (60) days' written notice." in " ".join(page["text"].split())
    heading = page["elements"][0]
    assert heading["text"] == "7. Termination"
    assert heading["line_boxes"][0][0] == pytest.approx(7200, abs=60)
    assert heading["line_numbers"] == [None]


def test_inspect_tells_a_person_under_which_headings_text_stands(place: Any, ids: Ids) -> None:
    status, out, _ = place.run("inspect", ids("lease.pdf"), "--page", "2")
    lines = out.splitlines()
    assert (status, lines[0]) == (0, "--- p. 2 (PDF page 3), native text")
    assert "7. Termination" in lines
    paths = [line for line in lines if line.startswith("[")]
    assert paths == ["[Lease Agreement]", "[Lease Agreement > 7. Termination]"]


def test_inspect_of_one_page_and_of_one_that_is_not_there(place: Any, ids: Ids) -> None:
    _, out, _ = place.run("inspect", ids("lease.pdf"), "--page", "1", "--json")
    assert [p["page_index"] for p in json.loads(out)["pages"]] == [1]
    status, out, _ = place.run("inspect", ids("lease.pdf"), "--page", "3", "--json")
    assert (status, json.loads(out)["code"]) == (3, "input_missing")


def test_an_unchanged_folder_is_not_read_again(place: Any) -> None:
    status, _, _ = place.run("index", "--no-dense", "--json")
    assert status == 0
    status, out, err = place.run("index", "--no-dense")
    assert (status, err) == (0, "")
    assert "; 0 read now" in out


def test_search_gives_places_that_the_page_confirms(place: Any, ids: Ids) -> None:
    status, out, _ = place.run("search", "written notice of termination", "--mode", "lexical", "-k", "2", "--json")
    document = json.loads(out)
    assert (status, document["schema"], document["mode"]) == (0, "pincite.search/1", "lexical")
    first = document["passages"][0]
    assert (first["rank"], first["path"], first["page_index"], first["page_label"]) == (1, "lease.pdf", 2, "2")
    assert isinstance(first["score"], int)
    assert (first["lexical_rank"], first["dense_rank"]) == (1, None)
    _, out, _ = place.run("inspect", ids("lease.pdf"), "--page", "2", "--json")
    page = json.loads(out)["pages"][0]
    assert page["text"][first["start"] : first["end"]] == first["text"]
    assert {e["element_id"] for e in page["elements"]} >= set(first["element_ids"])
    lines = [box for e in page["elements"] for box in e["line_boxes"] if e["element_id"] in first["element_ids"]]
    assert [r["bbox"] for r in first["regions"]] == lines


def test_search_in_one_document_and_in_one_that_is_none(place: Any, ids: Ids) -> None:
    _, out, _ = place.run("search", "keys handed over", "--source", ids("call-note.txt"), "--mode", "lexical", "--json")
    assert {p["path"] for p in json.loads(out)["passages"]} == {"call-note.txt"}
    status, _, err = place.run("search", "keys", "--source", "nobody")
    assert status == 3
    assert "nobody" in err


def test_a_batch_is_one_document_a_line_in_order(place: Any, tmp_path: Any) -> None:
    batch = tmp_path / "queries.txt"
    batch.write_text("annual rent\n\nkeys\n", "utf-8")
    status, out, _ = place.run("search", "--batch", str(batch), "--mode", "lexical")
    documents = [json.loads(line) for line in out.splitlines()]
    assert status == 2  # the empty line is an error in its own place
    assert [d.get("query", d.get("code")) for d in documents] == ["annual rent", "usage", "keys"]
    assert documents[0]["passages"][0]["page_index"] == 1


def test_render_marks_exactly_the_words(place: Any, ids: Ids, tmp_path: Any) -> None:
    _, out, _ = place.run("inspect", ids("lease.pdf"), "--page", "1", "--json")
    box = json.loads(out)["pages"][0]["elements"][0]["line_boxes"][0]
    target = tmp_path / "page.png"
    args = ("render", ids("lease.pdf"), "1", "-o", str(target), "--bbox", ",".join(map(str, box)), "--dpi", "144")
    status, out, _ = place.run(*args, "--json")
    crop = json.loads(out)
    png = target.read_bytes()
    assert (status, crop["schema"], crop["page_label"]) == (0, "pincite.crop/1", "1")
    assert crop["image_sha256"] == "sha256:" + hashlib.sha256(png).hexdigest()
    assert crop["text_sha256"] == "sha256:" + hashlib.sha256(b"2. Rent").hexdigest()
    assert crop["regions"] == [{"page_index": 1, "bbox": box, "role": "text"}]
    assert (crop["image_width"], crop["image_height"]) == (1224, 1584)
    assert (crop["page_width"], crop["page_height"], crop["coordinate_origin"]) == (61200, 79200, "top-left")
    image = Image.open(io.BytesIO(png)).convert("RGB")
    spots = [(x, y) for x in range(0, 1224, 2) for y in range(0, 1584, 2)]
    marked = [spot for spot in spots if image.getpixel(spot) == (255, 224, 102)]
    xs, ys = [x for x, _ in marked], [y for _, y in marked]
    scale = 2 / 100  # 144 dpi: two pixels a point
    assert min(xs) == pytest.approx(box[0] * scale, abs=4)
    assert max(xs) == pytest.approx(box[2] * scale, abs=4)
    assert min(ys) == pytest.approx(box[1] * scale, abs=4)
    assert max(ys) == pytest.approx(box[3] * scale, abs=4)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    first = png
    place.run(*args)
    assert target.read_bytes() == first


def test_a_crop_is_the_part_around_the_box(place: Any, ids: Ids, tmp_path: Any) -> None:
    target = tmp_path / "crop.png"
    box = "7200,8000,20000,9500"
    status, out, _ = place.run(
        "render", ids("lease.pdf"), "1", "-o", str(target), "--bbox", box, "--crop", "--dpi", "72", "--json"
    )
    crop = json.loads(out)
    assert status == 0
    assert crop["rendering"]["padding"] == 1200
    assert (crop["image_width"], crop["image_height"]) == (152, 39)  # 128 + 2·12 points by 15 + 2·12


def test_a_box_that_leaves_the_page_is_refused(place: Any, ids: Ids, tmp_path: Any) -> None:
    target = tmp_path / "x.png"
    for box in ("0,0,61201,100", "100,100,100,200", "-5,0,10,10"):
        status, _, err = place.run("render", ids("lease.pdf"), "0", "-o", str(target), f"--bbox={box}")
        assert status == 2
        assert "page" in err
    assert not target.exists()


def test_nothing_is_drawn_over_changed_bytes(place: Any, ids: Ids, tmp_path: Any) -> None:
    source, target = ids("lease.pdf"), tmp_path / "x.png"
    with (place.matter / "lease.pdf").open("ab") as file:
        file.write(b"\n% touched\n")
    status, out, _ = place.run("render", source, "0", "-o", str(target), "--json")
    assert (status, json.loads(out)["code"]) == (3, "input_unreadable")
    assert not target.exists()
    (place.matter / "lease.pdf").unlink()
    status, out, _ = place.run("render", source, "0", "-o", str(target), "--json")
    assert (status, json.loads(out)["code"]) == (3, "input_missing")


def test_a_file_without_pages_is_drawn_from_its_rendition(place: Any, ids: Ids, tmp_path: Any) -> None:
    target = tmp_path / "note.png"
    status, out, _ = place.run("render", ids("call-note.txt"), "0", "-o", str(target), "--json")
    assert (status, json.loads(out)["page_label"]) == (0, None)
    with Image.open(target) as image:
        assert image.getextrema() != ((255, 255),) * 3


def test_the_matter_folder_is_never_written(place: Any, ids: Ids) -> None:
    before = {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in place.matter.rglob("*")}
    status, _, err = place.run("render", ids("lease.pdf"), "0", "-o", str(place.matter / "x.png"))
    assert status == 2
    assert "never written" in err
    place.run("index", "--no-dense")
    assert {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in place.matter.rglob("*")} == before


def test_tags_are_set_cleared_and_refused(place: Any, ids: Ids) -> None:
    status, out, _ = place.run("tag", ids("lease.pdf"), "privilege=attorney-client", "title=Lease of 2026", "--json")
    lease = next(s for s in json.loads(out)["sources"] if s["path"] == "lease.pdf")
    assert status == 0
    assert (lease["metadata"]["privilege"], lease["metadata"]["title"]) == ("attorney-client", "Lease of 2026")
    place.run("tag", ids("lease.pdf"), "title=")
    _, out, _ = place.run("sources", "--json")
    lease = next(s for s in json.loads(out)["sources"] if s["path"] == "lease.pdf")
    assert (lease["metadata"]["privilege"], lease["metadata"]["title"]) == ("attorney-client", None)
    assert place.run("tag", ids("lease.pdf"), "colour=red")[0] == 2
    assert place.run("tag", ids("lease.pdf"), "dated=last May")[0] == 2
    assert place.run("tag", "nobody", "title=x")[0] == 3


def test_forget_leaves_nothing(place: Any) -> None:
    status, out, _ = place.run("forget", "--json")
    document = json.loads(out)
    assert (status, document["schema"], document["remaining"]) == (0, "pincite.forget/1", [])
    assert document["deleted"]["files"] > 3
    assert list(place.store.iterdir()) == []
    assert place.run("sources")[0] == 3
    assert place.run("forget")[0] == 3
