"""Which id a file has after it was copied, moved, revised or brought back (contract, section 3)."""

from collections.abc import Mapping

from ingest.matter.ledger import Entry, Ledger, id_of_path, superseded_id
from verify.domain.document import Parser, SourceRecord, SourceStatus
from verify.domain.ids import Fingerprint, SourceId


def fp(letter: str) -> Fingerprint:
    return Fingerprint("sha256:" + letter * 64)


def record(
    source_id: str, path: str, content: str, status: SourceStatus = SourceStatus.INDEXED, others: tuple[str, ...] = ()
) -> SourceRecord:
    return SourceRecord(SourceId(source_id), path, fp(content), "text/plain", 1, status, Parser("t", "1", "p"), others)


def placed(records: list[SourceRecord], disk: Mapping[str, str]) -> tuple[Ledger, dict[str, Entry]]:
    """The ledger after all files on disk were placed, and each content's entry by its letter."""
    ledger = Ledger(records, {path: fp(content) for path, content in disk.items()})
    entries = {disk[path]: ledger.place(path, fp(disk[path]))[0] for path in sorted(disk)}
    return ledger, entries


def test_an_id_is_opaque_and_comes_from_the_path_alone() -> None:
    assert id_of_path("a/Secret merger.pdf") == id_of_path("a/Secret merger.pdf")
    assert id_of_path("a/Secret merger.pdf") != id_of_path("b/Secret merger.pdf")
    assert "Secret" not in id_of_path("a/Secret merger.pdf")


def test_equal_files_are_one_source_held_by_the_first_path() -> None:
    _, entries = placed([], {"b.pdf": "1", "a.pdf": "1", "c.pdf": "2"})
    assert (entries["1"].path, entries["1"].other_paths) == ("a.pdf", ("b.pdf",))
    assert entries["1"].source_id == id_of_path("a.pdf")


def test_a_revision_keeps_the_id_and_the_old_record_steps_aside() -> None:
    _, entries = placed([record("s1", "a.pdf", "1")], {"a.pdf": "2"})
    assert entries["2"].source_id == "s1"
    assert entries["2"].replaces is not None
    assert superseded_id(entries["2"].replaces) == "s1~11111111"


def test_a_renamed_file_keeps_its_id() -> None:
    ledger, entries = placed([record("s1", "a.pdf", "1")], {"new/name.pdf": "1"})
    assert entries["1"].source_id == "s1"
    assert entries["1"].path == "new/name.pdf"
    assert ledger.left_over() == ()


def test_a_copy_does_not_take_the_id_of_what_it_was_copied_from() -> None:
    _, entries = placed([record("s1", "b.pdf", "1")], {"b.pdf": "1", "a.pdf": "1"})
    assert entries["1"].source_id == "s1"
    assert (entries["1"].path, entries["1"].other_paths) == ("a.pdf", ("b.pdf",))


def test_old_copy_under_a_new_name_while_the_path_is_revised() -> None:
    """The id belongs to the path: the backup of the old text is a source of its own."""
    _, entries = placed([record("s1", "a.pdf", "1")], {"a.pdf": "2", "a-old.pdf": "1"})
    assert entries["2"].source_id == "s1"
    assert entries["1"].source_id == id_of_path("a-old.pdf")


def test_the_second_path_takes_over_when_the_first_is_deleted() -> None:
    _, entries = placed([record("s1", "a.pdf", "1", others=("b.pdf",))], {"b.pdf": "1"})
    assert (entries["1"].source_id, entries["1"].path, entries["1"].other_paths) == ("s1", "b.pdf", ())


def test_a_copy_that_is_revised_gets_an_id_that_is_free() -> None:
    """``b.pdf`` once gave its id to the content; now that content lives on at ``a.pdf``."""
    taken = id_of_path("b.pdf")
    _, entries = placed([record(taken, "a.pdf", "1", others=("b.pdf",))], {"a.pdf": "1", "b.pdf": "2"})
    assert entries["1"].source_id == taken
    assert entries["2"].source_id == f"{taken}-2"


def test_a_deleted_file_is_left_over_and_comes_back_under_its_id() -> None:
    ledger, _ = placed([record("s1", "a.pdf", "1")], {})
    assert [r.source_id for r in ledger.left_over()] == ["s1"]
    _, entries = placed([record("s1", "a.pdf", "1", SourceStatus.MISSING)], {"a.pdf": "1"})
    assert entries["1"].source_id == "s1"
    _, entries = placed([record("s1", "a.pdf", "1", SourceStatus.MISSING)], {"elsewhere.pdf": "1"})
    assert entries["1"].source_id == "s1"


def test_a_path_that_goes_back_to_its_old_text_drops_the_superseded_record() -> None:
    old = record("s1~11111111", "a.pdf", "1", SourceStatus.SUPERSEDED)
    ledger, entries = placed([record("s1", "a.pdf", "2"), old], {"a.pdf": "1"})
    assert entries["1"].source_id == "s1"
    assert ledger.outdated(entries["1"]) == old


def test_a_run_that_was_ended_between_superseding_and_committing_finds_the_id_again() -> None:
    old = record("renamed-once~11111111", "a.pdf", "1", SourceStatus.SUPERSEDED)
    _, entries = placed([old], {"a.pdf": "2"})
    assert entries["2"].source_id == "renamed-once"


def test_two_files_that_swap_names_keep_their_ids_by_path() -> None:
    _, entries = placed([record("s1", "a.pdf", "1"), record("s2", "b.pdf", "2")], {"a.pdf": "2", "b.pdf": "1"})
    assert (entries["2"].source_id, entries["1"].source_id) == ("s1", "s2")


def test_a_member_is_not_missing_while_its_container_is_still_to_be_read() -> None:
    mail, member = record("s1", "m.eml", "1"), record("s2", "m.eml!/x.pdf", "2")
    ledger, entries = placed([mail, member], {"m.eml": "3"})
    assert ledger.left_over() == ()
    entry, new = ledger.place("m.eml!/x.pdf", fp("2"), entries["3"].source_id)
    assert new and entry.source_id == "s2" and entry.parent == "s1"


def test_members_of_a_container_that_is_gone_are_left_over() -> None:
    mail, member = record("s1", "m.eml", "1"), record("s2", "m.eml!/x.pdf", "2")
    ledger, _ = placed([mail, member], {})
    assert {r.source_id for r in ledger.left_over()} == {"s1", "s2"}


def test_ids_are_never_given_twice() -> None:
    disk = {f"{n:03}.pdf": format(n, "x")[-1] + "" for n in range(40)}
    ledger, _ = placed([record("s1", "old.pdf", "f")], disk)
    ids = [entry.source_id for entry in ledger.entries()]
    assert len(ids) == len(set(ids)) == len(set(disk.values()))
