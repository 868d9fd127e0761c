"""Numbers that prove themselves: the check digits of cards, accounts and identity papers."""

# The length of an account number in each country, so that a chance pair of letters is not one.
_IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22,
    "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28,
    "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23,
    "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26,
    "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20,
    "LV": 21, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18,
    "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24,
    "SC": 31, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24,
    "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_CARD_LENGTHS = range(13, 20)
_LARGEST_AREA = 899


def is_card_number(digits: str) -> bool:
    """Whether digits are a payment card: a known first digit, Luhn's sum, not one digit alone."""
    if len(digits) not in _CARD_LENGTHS or digits[0] not in "23456" or len(set(digits)) == 1:
        return False
    return has_luhn_sum(digits)


def has_luhn_sum(digits: str) -> bool:
    """Whether the last digit is the one that Luhn's rule asks for."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def is_iban(letters: str) -> bool:
    """Whether letters and digits are an account number: its country's length, remainder 1."""
    compact = letters.upper()
    if _IBAN_LENGTHS.get(compact[:2]) != len(compact) or not compact[2:4].isdigit():
        return False
    turned = compact[4:] + compact[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


def is_social_security_number(digits: str) -> bool:
    """Whether nine digits lie in the ranges that are handed out in the United States."""
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    is_area = area not in {"000", "666"} and int(area) <= _LARGEST_AREA
    return len(digits) == 9 and is_area and group != "00" and serial != "0000"


def is_spanish_identity(number: str) -> bool:
    """Whether a DNI or NIE ends in the letter that its number gives."""
    digits = number[:-1].upper()
    digits = str("XYZ".index(digits[0])) + digits[1:] if digits[0] in "XYZ" else digits
    return digits.isdigit() and _DNI_LETTERS[int(digits) % 23] == number[-1].upper()


def is_brazilian_identity(digits: str) -> bool:
    """Whether eleven digits are a CPF by its two check digits."""
    if len(digits) != 11 or len(set(digits)) == 1:
        return False
    numbers = [int(digit) for digit in digits]
    for length in (9, 10):
        weighted = sum(numbers[place] * (length + 1 - place) for place in range(length))
        if weighted * 10 % 11 % 10 != numbers[length]:
            return False
    return True


def is_french_identity(digits: str) -> bool:
    """Whether fifteen digits are a social security number of France by their key."""
    return len(digits) == 15 and 97 - int(digits[:13]) % 97 == int(digits[13:])
