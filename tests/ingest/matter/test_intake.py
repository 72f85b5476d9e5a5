"""The walk over a matter folder: what it finds, what it never touches."""

import os
import sys
import unicodedata
from pathlib import Path

import pytest

from ingest.matter.intake import FoundFile, Listing, hash_file, locate, open_regular, still_as_hashed, walk
from verify.domain.canonical import fingerprint_file


def listed(root: Path) -> Listing:
    steps = walk(root)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def paths(root: Path) -> list[str]:
    return [file.path for file in listed(root).files]


def test_files_come_sorted_by_their_whole_path(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.txt", "a.txt", "a/b/c.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert paths(tmp_path) == ["a.txt", "a/b/c.txt", "a/z.txt", "b.txt"]


def test_a_decomposed_name_is_listed_composed_and_found_again(tmp_path: Path) -> None:
    on_disk = unicodedata.normalize("NFD", "Müller résumé.txt")
    (tmp_path / on_disk).write_text("x")
    composed = unicodedata.normalize("NFC", on_disk)
    assert composed != on_disk
    assert paths(tmp_path) == [composed]
    assert locate(tmp_path, composed) == tmp_path / on_disk


def test_names_that_differ_only_in_normal_form_are_both_kept(tmp_path: Path) -> None:
    composed, decomposed = "caf\u00e9.txt", "cafe\u0301.txt"
    (tmp_path / composed).write_text("one")
    (tmp_path / decomposed).write_text("two")
    if len(list(tmp_path.iterdir())) < 2:
        pytest.skip("this file system takes both names for one")
    assert paths(tmp_path) == [composed, composed + "#2"]
    first, second = locate(tmp_path, composed), locate(tmp_path, composed + "#2")
    assert first is not None and first.read_text() == "one"
    assert second is not None and second.read_text() == "two"


def test_links_are_never_followed_in_or_out(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret")
    root = tmp_path / "matter"
    root.mkdir()
    (root / "own.txt").write_text("own")
    (root / "out.txt").symlink_to(outside / "secret.txt")
    (root / "folder").symlink_to(outside)
    (root / "inner.txt").symlink_to(root / "own.txt")
    (root / "loop").symlink_to(root)
    listing = listed(root)
    assert [file.path for file in listing.files] == ["own.txt"]
    assert listing.skipped == 4
    assert locate(root, "out.txt") is None
    assert locate(root, "folder/secret.txt") is None
    with pytest.raises(OSError):
        open_regular(root / "out.txt")


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in folders")
def test_a_pipe_is_skipped_and_does_not_hang_the_walk(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    listing = listed(tmp_path)
    assert (listing.files, listing.skipped) == ((), 1)
    with pytest.raises(OSError):
        open_regular(tmp_path / "pipe.pdf")


def test_litter_of_the_system_is_skipped_but_other_hidden_files_are_not(tmp_path: Path) -> None:
    for name in (".DS_Store", "Thumbs.db", "~$letter.docx", "._letter.pdf", ".note.txt", "letter.pdf"):
        (tmp_path / name).write_text("x")
    (tmp_path / "__MACOSX").mkdir()
    (tmp_path / "__MACOSX" / "letter.pdf").write_text("x")
    assert paths(tmp_path) == [".note.txt", "letter.pdf"]


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may open everything")
def test_a_folder_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    [found] = listed(tmp_path).files
    assert found.path == "closed" and found.error is not None


def test_a_path_that_leaves_the_matter_is_not_located(tmp_path: Path) -> None:
    root = tmp_path / "matter"
    root.mkdir()
    (tmp_path / "other.txt").write_text("x")
    assert locate(root, "../other.txt") is None
    assert locate(root, "/etc/hostname") is None
    assert locate(root, "") is None


def test_the_hash_is_that_of_the_bytes_and_stops_at_every_block(tmp_path: Path) -> None:
    file = tmp_path / "large.bin"
    file.write_bytes(bytes(9 << 20))
    steps = hash_file(file)
    blocks = []
    try:
        while True:
            blocks.append(next(steps))
    except StopIteration as end:
        assert end.value == fingerprint_file(file)
    assert blocks == [4 << 20, 8 << 20]


def test_a_file_that_is_replaced_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one")
    status = file.stat()
    found = FoundFile("a.txt", file, status.st_size, status.st_mtime_ns)
    assert still_as_hashed(found)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert not still_as_hashed(found)
    file.unlink()
    assert not still_as_hashed(found)
