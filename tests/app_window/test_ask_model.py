"""Asking, choosing, deciding, over the real services, without a display."""

from pathlib import Path

import pytest

from app.services.answers.answers import Decision
from app.viewmodels.ask import AskModel, AskState
from app.viewmodels.evidence import EvidenceModel
from app.viewmodels.export import ExportModel
from app.viewmodels.matter import MatterModel

QUESTION = "How can either party terminate this Agreement?"


@pytest.fixture
def runner(kept, make_runner):  # type: ignore[no-untyped-def]
    return make_runner(kept[1])


@pytest.fixture
def read(kept, runner) -> MatterModel:  # type: ignore[no-untyped-def]
    matter = MatterModel(runner)
    matter.open(kept[0])
    runner.run()
    return matter


@pytest.fixture
def asked(read: MatterModel, runner) -> AskModel:  # type: ignore[no-untyped-def]
    model = AskModel(runner, read)
    model.model, model.reviewer = "extractive", "Ada Quill"
    model.ask(QUESTION)
    runner.run()
    return model


def test_nothing_is_asked_before_anything_is_read(runner, folder: Path) -> None:  # type: ignore[no-untyped-def]
    matter = MatterModel(runner)
    model = AskModel(runner, matter)
    assert model.why_not == "Open a folder of documents first."
    matter.open(folder)
    assert model.why_not == "No document of this folder could be read yet."
    model.ask(QUESTION)
    assert model.state is AskState.EMPTY


def test_claims_come_with_their_place_and_chips(asked: AskModel) -> None:
    assert asked.state is AskState.SHOWN
    card = next(c for c in asked.cards if "thirty (30) days" in c.text)
    assert card.chip.words == "Passage verified" and card.chip.tone == "good"
    assert card.support.words == "its own words"
    assert card.citations[0].words.startswith("Services Agreement.pdf, ")
    assert "PDF page 1" in card.citations[0].words
    assert card.citations[0].can_show
    assert asked.chosen == asked.cards[0].claim_id
    assert asked.basis == "2 documents, 3 pages searched; answered in the documents' own words, without a model"


def test_keys_step_through_the_claims_and_stop_at_the_ends(asked: AskModel) -> None:
    first = asked.cards[0].claim_id
    asked.step(-1)
    assert asked.chosen == first
    for _ in range(10):
        asked.step(1)
    assert asked.chosen == asked.cards[-1].claim_id


def test_a_decision_is_kept_counted_and_taken_back(asked: AskModel, runner) -> None:  # type: ignore[no-untyped-def]
    claim = asked.cards[0].claim_id
    asked.decide(claim, Decision.ACCEPTED)
    runner.run()
    review = asked.card(claim).review  # type: ignore[union-attr]
    assert review is not None and review.chip.words == "Accepted" and review.by.startswith("by Ada Quill, ")
    assert asked.tally.startswith("1 of ")
    asked.write_note(claim, "See clause 7", "binding", "")
    runner.run()
    noted = asked.card(claim).review  # type: ignore[union-attr]
    assert noted is not None and (noted.decision, noted.note, noted.authority) == (
        Decision.ACCEPTED, "See clause 7", "binding",
    )  # fmt: skip
    asked.undo()
    runner.run()
    asked.undo()
    runner.run()
    assert asked.card(claim).review is None  # type: ignore[union-attr]
    assert asked.undo_words == ""


def test_a_note_on_an_undecided_claim_says_that_it_needs_work(asked: AskModel, runner) -> None:  # type: ignore[no-untyped-def]
    claim = asked.cards[0].claim_id
    asked.write_note(claim, "Ask the client", "", "")
    runner.run()
    assert asked.card(claim).review.decision is Decision.NEEDS_WORK  # type: ignore[union-attr]


def test_history_brings_an_answer_back_as_it_stands_now(folder: Path, tmp_path: Path, make_runner) -> None:  # type: ignore[no-untyped-def]
    runner = make_runner(tmp_path / "own store")
    read = MatterModel(runner)
    read.open(folder)
    runner.run()
    asked = AskModel(runner, read)
    asked.model = "extractive"
    asked.ask(QUESTION)
    runner.run()
    claim = asked.cards[0].claim_id
    asked.decide(claim, Decision.ACCEPTED)
    runner.run()
    assert [a.question for a in read.answers] == [QUESTION]
    pdf = folder / "Services Agreement.pdf"
    pdf.write_bytes(pdf.read_bytes() + b"\n%")
    again = AskModel(runner, read)
    again.load(read.answers[0].answer_id)
    runner.run()
    card = again.card(claim)
    assert card is not None and card.blocked
    assert card.chip.words == "Document changed" and card.chip.tone == "bad"
    assert card.review is not None and "the document changed on disk" in card.review.reopened


def test_a_question_without_an_answer_says_what_was_searched(read: MatterModel, runner) -> None:  # type: ignore[no-untyped-def]
    model = AskModel(runner, read)
    model.model = "extractive"
    model.ask("Which submarine cable was laid by the zeppelin?")
    runner.run()
    none = model.no_answer
    assert none is not None
    assert none.searched == "2 documents, 3 pages searched"
    assert none.reason
    assert none.unmatched[-1] == "“zeppelin” does not appear in what was searched."


def test_evidence_opens_at_the_words(asked: AskModel, read: MatterModel, runner) -> None:  # type: ignore[no-untyped-def]
    evidence = EvidenceModel(runner, read)
    went: list[tuple[int, object]] = []
    evidence.go_to.connect(lambda page, box: went.append((page, box)))
    card = next(c for c in asked.cards if "thirty (30) days" in c.text)
    check = asked.check(card.citations[0].check_id)  # type: ignore[arg-type]
    assert check is not None and check.evidence is not None
    evidence.show_check(check, asked.all_checks)
    runner.run()
    evidence.shown(changed=False)
    active = [m for m in evidence.marks if m.active]
    assert [m.box for m in active] == [r.bbox for r in check.evidence.regions]
    assert went == [(0, check.evidence.regions[0].bbox)]
    assert evidence.strip.name == "Services Agreement.pdf"
    assert len(evidence.strip.fingerprint) == 8


def test_changed_bytes_take_every_mark_away(asked: AskModel, read: MatterModel, runner) -> None:  # type: ignore[no-untyped-def]
    evidence = EvidenceModel(runner, read)
    evidence.show_check(asked.all_checks[0], asked.all_checks)
    runner.run()
    evidence.shown(changed=True)
    assert evidence.marks == ()
    assert evidence.strip.tone == "bad" and evidence.strip.can_reread
    assert "changed after it was read" in evidence.strip.message


def test_find_counts_every_place(asked: AskModel, read: MatterModel, runner) -> None:  # type: ignore[no-untyped-def]
    evidence = EvidenceModel(runner, read)
    source = next(s for s in read.records.values() if s.path.endswith(".pdf"))
    evidence.show_page(source.source_id, 0)
    runner.run()
    evidence.shown(changed=False)
    evidence.find("agreement")
    runner.run()
    assert evidence.find_words == "1 of 4"  # the title, clauses 1, 7 and 10
    assert [page for page, _ in evidence.hits] == [0, 0, 0, 1]
    evidence.step_hit(-1)
    assert evidence.find_words == "4 of 4"
    evidence.find("agreement", page=1)
    runner.run()
    assert evidence.find_words == "4 of 4"
    evidence.find("absent")
    runner.run()
    assert evidence.find_words == "not found"


def test_export_warns_then_writes(asked: AskModel, read: MatterModel, runner, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert asked.answer is not None
    model = ExportModel(runner, read, asked.answer)
    model.look()
    assert not model.can_write
    runner.run()
    assert any("not reviewed" in remark for remark in model.remarks)
    target = tmp_path / "bundle.zip"
    model.write(target)
    runner.run()
    assert model.message == "Written: bundle.zip"
    assert target.is_file()
    taken: list[Path] = []
    model.take_memo(taken.append)
    runner.run()
    assert taken == [tmp_path / "bundle, memo.pdf"]
    assert taken[0].read_bytes().startswith(b"%PDF")


def test_no_claim_no_bundle(asked: AskModel, read: MatterModel, runner) -> None:  # type: ignore[no-untyped-def]
    assert asked.answer is not None
    model = ExportModel(runner, read, asked.answer)
    for claim in asked.answer.claims:
        model.choose(claim.claim_id, False)
    runner.run()
    assert not model.can_write


def test_the_answer_has_a_line_and_a_follow_up_follows_it(asked: AskModel, runner) -> None:  # type: ignore[no-untyped-def]
    assert asked.head is not None
    assert "thirty (30) days" in asked.head.line
    first = asked.answer
    assert first is not None
    asked.ask("And which law governs it?", follows=True)
    runner.run()
    assert asked.answer is not None and asked.answer.after == first.answer_id
    assert asked.head is not None and "Norvania" in asked.head.line
