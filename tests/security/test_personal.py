"""Personal things are found with their kind, proved by a checksum where there is one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.memory.vocabulary import Secrecy
from engram.security.screening import checksums
from engram.security.screening.screen import PersonalKind, Span, masked, screen
from engram.security.screening.spans import settled

FOUND = (
    ("Write to {} please", "ada.lovelace+mail@analytical.co.uk", PersonalKind.EMAIL),
    ("Mail: {}.", "jürg@bäckerei.ch".replace("ü", "u"), PersonalKind.EMAIL),
    ("Call {} tomorrow", "+49 171 5550123", PersonalKind.PHONE),
    ("Call {}", "(415) 555-2671", PersonalKind.PHONE),
    ("{} is her line", "415-555-2671", PersonalKind.PHONE),
    ("ring {} after six", "020 7946 0958", PersonalKind.PHONE),
    ("Tel. {}", "01 42 68 53 00", PersonalKind.PHONE),
    ("mobile {}", "+33 6 12 34 56 78", PersonalKind.PHONE),
    ("my card {} expired", "4111 1111 1111 1111", PersonalKind.CARD),
    ("card {}", "5555555555554444", PersonalKind.CARD),
    ("Amex {}", "378282246310005", PersonalKind.CARD),
    ("SSN: {}", "219-09-9999", PersonalKind.SSN),
    ("my social security number is {}", "219099999", PersonalKind.SSN),
    ("IBAN {}", "DE89 3704 0044 0532 0130 00", PersonalKind.IBAN),
    ("pay to {} today", "GB82WEST12345698765432", PersonalKind.IBAN),
    ("host {} is down", "192.168.7.41", PersonalKind.IP_ADDRESS),
    ("host {} is down", "2001:db8::ff00:42:8329", PersonalKind.IP_ADDRESS),
    ("My name is {}.", "Ada Lovelace", PersonalKind.PERSON_NAME),
    ("Ich heiße {}", "Jörg", PersonalKind.PERSON_NAME),
    ("my name is {}", "ada", PersonalKind.PERSON_NAME),
    ("I live in {} now", "New Orleans", PersonalKind.LOCATION),
    ("Ich wohne in {}", "Graz", PersonalKind.LOCATION),
    ("I moved to {} in May", "Lisbon", PersonalKind.LOCATION),
    ("ship to {}", "221B Baker Street", PersonalKind.ADDRESS),
    ("ship to {}", "1600 Pennsylvania Avenue, Washington, DC 20500", PersonalKind.ADDRESS),
    ("Sie wohnt {}", "Lindenstraße 12", PersonalKind.ADDRESS),
    ("au {}", "12 rue de Rivoli 7", PersonalKind.ADDRESS),
    ("post to {}", "P.O. Box 1234", PersonalKind.ADDRESS),
    ("my passport number is {}", "C01X00T47".replace("X0", "30"), PersonalKind.GOVERNMENT_ID),
    ("driver's license number: {}", "D1234567", PersonalKind.GOVERNMENT_ID),
    ("DNI {}", "12345678Z", PersonalKind.GOVERNMENT_ID),
    ("CPF {}", "529.982.247-25", PersonalKind.GOVERNMENT_ID),
    ("NI {}", "AB 12 34 56 C", PersonalKind.GOVERNMENT_ID),
    ("I was born on {}", "12 March 1984", PersonalKind.DATE_OF_BIRTH),
    ("date of birth: {}", "1984-03-12", PersonalKind.DATE_OF_BIRTH),
)
LEFT_ALONE = (
    "The run took 1234567890 nanoseconds.",
    "Timestamp 1700000000 and 2024-11-15 18:02:08.",
    "From 2019-2020 to 12/27/2021 we had 1,234,567 rows.",
    "Version 1.2.3.4 and pi is 3.14159265358979.",
    "2 + 4 + 6 + 8 + 10 + 12 + 14 + 16",
    "Order 4111 1111 1111 1112 is not a card.",
    "Account GB82WEST12345698765431 fails its sum.",
    "The number 219-00-9999 was never handed out.",
    "Ticket 666-45-1234 and part 900-12-3456.",
    "@ada mentioned @leo on chat, see user@localhost",
    "Examples use ada@example.com everywhere.",
    "two doors down the lane, 3 items on the way",
    "via email in 2024",
    "std::vector and a::b are names.",
    "at 10:20:30 the job ended",
    "npm install passport-google-oauth20",
    "My name is on the list. I live in fear of mondays.",
    "We moved to a monorepo and I moved to the kitchen.",
    "ISBN 978-3-16-148410-0",
)


@pytest.mark.parametrize(("sentence", "value", "kind"), FOUND)
def test_a_personal_thing_is_found_whole_with_its_kind(sentence: str, value: str, kind: str):
    text = sentence.format(value)

    found = [(text[span.start : span.end], span.kind) for span in screen(text).personal]

    assert found == [(value, kind)]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_numbers_and_names_of_other_things_are_left_alone(text: str):
    assert screen(text).personal == ()


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        ("I prefer dark roast.", Secrecy.CLEARTEXT),
        ("The router is 192.168.7.1.", Secrecy.CLEARTEXT),
        ("My name is Ada.", Secrecy.SENSITIVE),
        ("Mail ada@analytical.org.", Secrecy.SENSITIVE),
        ("Mail ada@analytical.org, SSN 219-09-9999.", Secrecy.CONFIDENTIAL),
        ("card 4111111111111111", Secrecy.CONFIDENTIAL),
    ],
)
def test_the_tier_is_the_highest_that_any_find_calls_for(text: str, tier: Secrecy):
    assert screen(text).tier is tier


def test_masking_names_the_kind():
    text = "Call +49 171 5550123 or write to ada@analytical.org."

    assert masked(text, screen(text).personal) == "Call [phone] or write to [email]."


def test_capitals_that_grow_when_made_small_do_not_shift_what_is_found():
    text = "İİİİ my name is Ada."

    (span,) = screen(text).personal

    assert text[span.start : span.end] == "Ada"


@given(st.text(alphabet="0123456789", min_size=13, max_size=18))
def test_one_wrong_digit_always_breaks_a_luhn_sum(digits: str):
    right = next(each for each in "0123456789" if checksums.has_luhn_sum(digits + each))
    wrong = [each for each in "0123456789" if each != right]

    assert not any(checksums.has_luhn_sum(digits + each) for each in wrong)


@pytest.mark.parametrize(
    ("is_valid", "right", "wrong"),
    [
        (checksums.is_iban, "FR1420041010050500013M02606", "FR1420041010050500013M02607"),
        (checksums.is_spanish_identity, "X1234567L", "X1234567M"),
        (checksums.is_brazilian_identity, "52998224725", "52998224726"),
        (checksums.is_french_identity, "269054958815780", "269054958815781"),
        (checksums.is_card_number, "4012888888881881", "4012888888881882"),
        (checksums.is_social_security_number, "219099999", "219009999"),
    ],
)
def test_a_checksum_tells_right_from_wrong(is_valid, right: str, wrong: str):
    assert is_valid(right)
    assert not is_valid(wrong)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_finds_lie_in_the_text_in_order_and_never_overlap(text: str):
    screened = screen(text)

    for spans in (screened.personal, screened.secrets):
        places = [place for span in spans for place in (span.start, span.end)]
        assert places == sorted(places)
        assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert 0 <= screened.injection <= 1


def test_of_two_finds_that_overlap_the_first_named_stays():
    card, phone, later = (
        Span(5, 20, "card", True),
        Span(0, 12, "phone", True),
        Span(20, 22, "x", True),
    )

    assert settled([card, phone, later]) == (card, later)
    assert settled([phone, card, later]) == (phone, later)
