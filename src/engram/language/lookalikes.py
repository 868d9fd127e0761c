"""Letters of other scripts and signs that a reader takes for Latin letters, brackets or colons.

A model reads "System:" with a Cyrillic first letter as it reads it without, and no form of Unicode
makes the one of the other. Only shapes stand here that pass for a letter inside an English word.
"""

# ruff: noqa: RUF001  # letters that look like others are what this is about
_LETTERS = {
    "a": "аαɑ", "b": "Ьƅ", "c": "сϲᴄⲥꮯ", "d": "ԁɗđᏧ", "e": "еєεɛҽⲉ", "f": "ƒϝꞙ", "g": "ɡցǥ",
    "h": "һհћħ", "i": "іιıɩӏɪⲓ", "j": "јϳյ", "k": "кκƙ", "l": "łן", "m": "мμᴍⲙ", "n": "ηոпɴպ",
    "o": "оοօσⲟ", "p": "рρƿքⲣ", "q": "ԛզգ", "r": "гʀᴦꮁɼ", "s": "ѕꜱƽʂꮪ", "t": "тτᴛŧ",
    "u": "υսᴜцʋ", "v": "νѵᴠ", "w": "ԝωᴡшѡա", "x": "хχ", "y": "уγʏүყ", "z": "ᴢʐƶ",
    "A": "АΑᎪꓮᴀ", "B": "ВΒᏴꓐʙв", "C": "СϹᏟꓚⲤ", "D": "ᎠꓓᴅĐ", "E": "ЕΕᎬꓰᴇⲈ", "F": "ϜꓝꜰҒ",
    "G": "ԌᏀꓖɢ", "H": "НΗᎻꓧʜн", "I": "ІΙꓲӀᛁ", "J": "ЈᎫꓙᴊ", "K": "КΚᏦꓗᴋⲔ", "L": "ᏞꓡʟԼ",
    "M": "МΜᎷꓟⲘ", "N": "ΝꓠⲚ", "O": "ОΟՕꓳᴏⲞ", "P": "РΡᏢꓑᴘⲢ", "R": "ᎡᏒꓣƦ", "S": "ЅՏᏚꓢ",
    "T": "ТΤᎢꓔⲦ", "U": "ՍꓴЦ", "V": "ѴᏙꓦ", "W": "ԜᎳꓪШ", "X": "ХΧꓫⲬ", "Y": "УΥꓬⲨҮ", "Z": "ΖᏃꓜⲌ",
}  # fmt: skip
# The alphabet in white on black discs and squares, and in the letters of flags.
_ALPHABETS = (0x1F150, 0x1F170, 0x1F1E6)

LATIN = {look: letter for letter, looks in _LETTERS.items() for look in looks} | {
    chr(start + place): chr(ord("A") + place) for start in _ALPHABETS for place in range(26)
}

# What looks like an angle bracket or a colon and does not become one where a program folds letters:
# quotation marks, brackets of mathematics, ornaments, arrowheads, letters (Cree, runes), musical
# signs; the ends of sentences of other scripts. Guillemets and "much less than" are two strokes.
SIGNS = {
    **dict.fromkeys(
        "\u2039\u2329\u3008\u27e8\u276c\u276e\u2770\u02c2\u02f1\u1438\u16b2\u227a\u22d6\u2991\u29fc"
        "\U0001d236",
        "<",
    ),
    **dict.fromkeys(
        "\u203a\u232a\u3009\u27e9\u276d\u276f\u2771\u02c3\u02f2\u1433\u227b\u22d7\u2992\u29fd"
        "\U00016f3f\U0001d237",
        ">",
    ),
    **dict.fromkeys(
        "\u2236\ua789\u02d0\u02f8\u0589\u05c3\u0703\u0704\u0706\u0903\u0a83\u16ec\u1803\u1809"
        "\u205a\ua4fd\ufe30",
        ":",
    ),
}
