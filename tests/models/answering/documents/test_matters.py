"""What documents do to each other, over small invented matters with values that a person worked out."""

import pytest

from models.answering.found import State

LEASE = (
    "LEASE OF UNIT 9", "This Lease is made on 2 April 2017 between Quillon Estates Ltd and Bramber Tools Ltd.",
    "1. The term is twelve (12) years from 2 April 2017.",
    "2. The tenant shall pay a yearly rent of £48,000 by equal quarterly payments.",
    "3. The tenant may end this Lease by giving nine (9) months' written notice.",
    "4. The tenant shall insure the glass.",
)  # fmt: skip
FIRST = (
    "FIRST AMENDMENT TO LEASE",
    "This First Amendment is made on 6 May 2019 between Quillon Estates Ltd and Bramber Tools Ltd "
    "and amends the Lease of 2 April 2017.",
    "1. In clause 3, the words \"nine (9) months'\" are replaced by \"six (6) months'\".",
    "2. Clause 2 is deleted and replaced by: \"2. The tenant shall pay a yearly rent of £52,500 monthly in advance.\"",
)  # fmt: skip
SECOND = (
    "SECOND AMENDMENT TO LEASE",
    "This Second Amendment is made on 1 March 2021, with effect from 1 July 2021, between Quillon "
    "Estates Ltd and Bramber Tools Ltd and amends the Lease of 2 April 2017, as amended.",
    "1. Clause 3 is further amended by substituting \"four (4) months'\" for \"six (6) months'\".",
    "2. Clause 4 is deleted in its entirety.",
)  # fmt: skip
DRAFT = (
    "DRAFT - THIRD AMENDMENT TO LEASE",
    "This Third Amendment amends the Lease of 2 April 2017 between Quillon Estates Ltd "
    "and Bramber Tools Ltd.",
    "1. In clause 3, \"four (4) months'\" would be replaced by \"two (2) months'\".",
)  # fmt: skip


@pytest.fixture
def lease(make_document):
    texts = (("lease.pdf", LEASE), ("first.pdf", FIRST), ("second.pdf", SECOND), ("third.docx", DRAFT))
    return [make_document(list(paragraphs), path) for path, paragraphs in texts]


def test_the_term_in_force_follows_both_amendments_and_names_the_draft(lease, answer) -> None:
    found = answer("How many months must the tenant give in writing before it may end this Lease?", lease)
    assert found.state is State.STATED
    assert found.text.startswith("The tenant may end this Lease by giving four (4) months' written notice")
    assert (
        "Second Amendment, from 1 July 2021; before: six (6) months' by First Amendment; before: nine (9) months'"
        in found.text
    )
    assert "A draft (THIRD AMENDMENT), not in force, would make it two (2) months'." in found.text.replace(
        "Third Amendment", "THIRD AMENDMENT"
    )
    assert len(found.claim_ids) >= 4


def test_a_clause_that_is_written_anew_takes_the_place_of_the_old_one(lease, answer) -> None:
    found = answer("What yearly rent shall the tenant pay?", lease)
    assert found.text.startswith(
        "The tenant shall pay a yearly rent of £52,500 monthly in advance (First Amendment, 6 May 2019; before: "
    )
    assert found.text.index("£52,500") < found.text.index("£48,000")


def test_what_no_document_changes_stays_as_it_is(lease, answer) -> None:
    assert "Amendment" not in answer("How long is the term of years?", lease).text


def test_an_errata_sheet_and_the_testimony_that_it_changes_are_both_given(make_document, answer) -> None:
    deposition = make_document([
        "DEPOSITION OF PAUL VERNIER", (1, "Q. When did the crane stop?"), (1, "A. The crane stopped at 3:40 p.m."),
        (1, "Q. Who saw it?"), (1, "A. Two riggers."), (2, "ERRATA SHEET"),
        (2, "Page 0, line 2: \"3:40 p.m.\" should be \"2:15 p.m.\""),
    ], "dep.pdf")  # fmt: skip
    found = answer("When did the crane stop?", [deposition])
    assert (found.state, len(found.claim_ids)) == (State.CONFLICTING, 2)
    assert found.text.index("2:15 p.m.") < found.text.index("3:40 p.m.")


def test_words_against_figures_are_a_conflict(make_document, answer) -> None:
    contract = make_document(
        ["SUPPLY AGREEMENT", "5. The buyer shall pay each invoice within sixty (90) days after its date."]
    )
    found = answer("Within what time shall the buyer pay each invoice?", [contract])
    assert found.state is State.CONFLICTING
    assert found.text.endswith("The words say sixty, the figures 90.")


OPINION = (
    "COURT OF APPEALS OF NARRA", "Tillery LLC v. Corran Bank. No. 22-118. Argued May 2, 2022. Decided July 8, 2022.",
    "Syllabus", "The District Court held that a guarantor must be served in person. Tillery appealed.",
    "Held: A guarantor may be served by registered post.",
    "Low, J., delivered the opinion of the Court, in which Rusk, J., joined. "
    "Amis, J., filed a dissenting opinion.",
    "Justice Low delivered the opinion of the Court.",
    "Tillery argues that service on a guarantor may be made at any address.",
    "We hold that service on a guarantor by registered post is enough.",
    "The judgment of the District Court is reversed.",
    "Justice Amis, dissenting.", "I would hold that service on a guarantor must be in person.",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("What did the Court of Appeals hold on the service of a guarantor?", "registered post", "in person"),
        ("What did the dissent say on the service of a guarantor?", "must be in person", "registered post"),
        ("How did Tillery end in the Court of Appeals?", "is reversed", "registered post"),
        ("Who dissented in Tillery?", "Amis, J., filed a dissenting opinion", "registered post"),
    ],
)
def test_a_holding_is_told_from_dissent_argument_and_the_court_below(
    question, said, unsaid, make_document, answer
) -> None:
    found = answer(question, [make_document(list(OPINION), "tillery.pdf")])
    assert found.state is State.STATED
    assert said in found.text and unsaid not in found.text


def mail(sender: str, to: str, date: str, subject: str) -> str:
    return f"From: {sender} <a@x.test>\nTo: {to} <b@x.test>\nDate: {date}\nSubject: {subject}"


@pytest.fixture
def mails(make_document):
    return [
        make_document([
            mail("Ada Moreno", "Lew Sandor", "Tue, 02 May 2023 09:10:00 +0200", "resin"),
            "The resin from Tarp is two days late.",
        ], "1.eml"),
        make_document([
            mail("Lew Sandor", "Ada Moreno", "Wed, 03 May 2023 08:00:00 +0200", "Re: resin"),
            "We shall send the resin back.",
            "On Tue, 2 May 2023 at 09:10, Ada Moreno wrote:", "> The resin from Tarp is two days late.",
        ], "2.eml"),
        make_document(["MINUTES of the directors",
            "On 9 May 2023 the directors resolved to end the contract for resin with Tarp."], "m.docx"),
    ]  # fmt: skip


def test_a_chronology_is_in_order_of_time_with_who_says_so(mails, answer) -> None:
    found = answer("Give me a chronology of the resin.", mails)
    assert [row.date for row in found.rows] == ["2023-05-02", "2023-05-03", "2023-05-09"]
    assert found.rows[0].text == "2 May 2023, 09:10: Ada Moreno to Lew Sandor: The resin from Tarp is two days late."
    assert found.rows[1].text == "3 May 2023, 08:00: Lew Sandor to Ada Moreno: We shall send the resin back."
    assert all(row.claim_ids for row in found.rows)


def test_words_that_a_mail_quotes_are_not_its_authors(mails, answer) -> None:
    found = answer("What did Lew Sandor write about the resin?", mails)
    assert found.text == "3 May 2023, Lew Sandor to Ada Moreno: We shall send the resin back."


def test_who_takes_back_what_was_said(make_document, answer) -> None:
    deposition = make_document([
        "DEPOSITION OF ADA MORENO", "Q. Was the valve tested in June?", "A. Yes, the valve was tested on June 3.",
        "Q. Do you wish to add anything?", "A. I said that the valve was tested on June 3. That is not right.",
        "Q. What is right?", "A. The June test was skipped.",
    ], "dep.pdf")  # fmt: skip
    found = answer("What did Ada Moreno say about when the valve was tested in June?", [deposition])
    assert found.state is State.CONFLICTING
    assert "The June test was skipped." in found.text and "tested on June 3" in found.text


def test_what_the_law_is_by_an_opinion_is_what_its_court_held(lease, make_document, answer) -> None:
    opinion = make_document(list(OPINION), "Tillery v Corran.pdf")
    found = answer("Must a guarantor be served in person, after Tillery?", [*lease, opinion])
    assert "registered post" in found.text and "in person" not in found.text
